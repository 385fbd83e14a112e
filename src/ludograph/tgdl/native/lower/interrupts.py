"""Interrupt polling: a run polls regularly whether its fuel is used up, and whether the caller stopped it.

One comparison covers both between two polls: whether the fuel is below a floor. A run that cannot be
interrupted also stops when less fuel than `enough` is left; its caller runs it again interruptibly.
"""

from typing import Final

from msgspec import Struct

from ludograph.tgdl.native.ir import nodes as ir
from ludograph.tgdl.native.ir.builder import FunctionBuilder, address, const
from ludograph.tgdl.native.layout.interface import SLICE
from ludograph.tgdl.native.layout.plan import Plan
from ludograph.tgdl.native.layout.status import FAULT, STOPPED

NO_FUEL: Final = 506


class FuelSpending(Struct, frozen=True):
    """The statements that spent fuel: their list, start, end, and the amount."""

    row: list[ir.Statement]
    start: int
    end: int
    amount: ir.Expression


def can_merge_spending(row: list[ir.Statement], before: FuelSpending, plan: Plan) -> bool:
    """Whether no side effect has happened since fuel was spent: then both amounts can be merged."""
    if before.row is not row or not isinstance(before.amount, ir.Const):
        return False
    fuel = address(ir.Local("ctx", ir.PTR), plan.context["fuel"])
    for statement in row[before.end :]:
        if not isinstance(statement, ir.Set):
            return False
        if isinstance(statement.value, ir.Load) and statement.value.address == fuel:
            return False
    return True


def make_interrupt_poll(module: ir.Module, plan: Plan) -> None:
    """Emit the function that polls; it lowers the floor."""
    context = ir.Local("ctx", ir.PTR)
    c = FunctionBuilder(module, "pause", (context, ir.Local("block", ir.PTR)), (ir.I32,))
    with c.when(c.load(context, plan.context["stop"], ir.I64).ne(0)):
        c.give(const(STOPPED, ir.I32))
    left = c.load(context, plan.context["fuel"], ir.I64)
    with c.when(left < 0):
        c.store(context, plan.context["fault"], const(NO_FUEL, ir.I32))
        c.give(const(FAULT, ir.I32))
    with c.when(left < c.load(context, plan.context["fuel_limit"], ir.I64)):
        c.give(const(STOPPED, ir.I32))
    c.store(context, plan.context["floor"], ir.Op("smax", (left - SLICE, const(0)), ir.I64))
    c.give(const(0, ir.I32))
    c.finish(apart=True)
