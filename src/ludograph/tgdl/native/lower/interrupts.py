"""Pauses: now and then a run looks whether there is fuel left, and whether somebody wants it to stop.

The test for both is one that costs nothing between the pauses: whether fuel has come below a floor. A run
that nothing can interrupt also stops when less fuel is left than `enough`, and is run again where it can be.
"""

from typing import Final

from msgspec import Struct

from ludograph.tgdl.native.ir import nodes as ir
from ludograph.tgdl.native.ir.builder import Code, address, binary, compare, const
from ludograph.tgdl.native.layout.interface import SLICE
from ludograph.tgdl.native.layout.plan import Plan
from ludograph.tgdl.native.layout.status import FAULT, STOPPED

NO_FUEL: Final = 506


class Spent(Struct, frozen=True):
    """Where fuel was spent: the row of statements, from where to where, and how much."""

    row: list[ir.Statement]
    start: int
    end: int
    amount: ir.Expression


def is_spent_at_once(row: list[ir.Statement], before: Spent, plan: Plan) -> bool:
    """Whether nothing has happened since fuel was spent, so that one look will do for more of it too."""
    if before.row is not row or not isinstance(before.amount, ir.Const):
        return False
    fuel = address(ir.Local("ctx", ir.PTR), plan.context["fuel"])
    for statement in row[before.end :]:
        if not isinstance(statement, ir.Set):
            return False
        if isinstance(statement.value, ir.Load) and statement.value.address == fuel:
            return False
    return True


def make_pause(module: ir.Module, plan: Plan) -> None:
    """The function that looks; the floor is lower afterwards."""
    context = ir.Local("ctx", ir.PTR)
    c = Code(module, "pause", (context, ir.Local("block", ir.PTR)), (ir.I32,))
    with c.when(compare("ne", c.load(context, plan.context["stop"], ir.I64), 0)):
        c.give(const(STOPPED, ir.I32))
    left = c.load(context, plan.context["fuel"], ir.I64)
    with c.when(compare("slt", left, 0)):
        c.store(context, plan.context["fault"], const(NO_FUEL, ir.I32))
        c.give(const(FAULT, ir.I32))
    with c.when(compare("slt", left, c.load(context, plan.context["enough"], ir.I64))):
        c.give(const(STOPPED, ir.I32))
    c.store(context, plan.context["floor"], ir.Op("smax", (binary("sub", left, SLICE), const(0)), ir.I64))
    c.give(const(0, ir.I32))
    c.finish(apart=True)
