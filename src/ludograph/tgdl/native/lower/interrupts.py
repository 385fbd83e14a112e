"""Pauses: now and then a run looks whether there is fuel left, and whether somebody wants it to stop.

The test for both is one that costs nothing between the pauses: whether fuel has come below a floor. A run
that nothing can interrupt also stops when less fuel is left than `enough`, and is run again where it can be.
"""

from typing import Final

from msgspec import Struct

from ludograph.tgdl.native.ir.builder import Code, address, binary, compare, const
from ludograph.tgdl.native.ir.nodes import (
    I32,
    I64,
    PTR,
    Const,
    Expression,
    Load,
    Local,
    Module,
    Op,
    Set,
    Statement,
)
from ludograph.tgdl.native.layout.interface import SLICE
from ludograph.tgdl.native.layout.plan import Plan
from ludograph.tgdl.native.layout.status import FAULT, STOPPED

NO_FUEL: Final = 506


class Spent(Struct, frozen=True):
    """Where fuel was spent: the row of statements, from where to where, and how much."""

    row: list[Statement]
    start: int
    end: int
    amount: Expression


def is_spent_at_once(row: list[Statement], before: Spent, plan: Plan) -> bool:
    """Whether nothing has happened since fuel was spent, so that one look will do for more of it too."""
    if before.row is not row or not isinstance(before.amount, Const):
        return False
    fuel = address(Local("ctx", PTR), plan.context["fuel"])
    for statement in row[before.end :]:
        if not isinstance(statement, Set):
            return False
        if isinstance(statement.value, Load) and statement.value.address == fuel:
            return False
    return True


def make_pause(module: Module, plan: Plan) -> None:
    """The function that looks; the floor is lower afterwards."""
    context = Local("ctx", PTR)
    c = Code(module, "pause", (context, Local("block", PTR)), (I32,))
    with c.when(compare("ne", c.load(context, plan.context["stop"], I64), 0)):
        c.give(const(STOPPED, I32))
    left = c.load(context, plan.context["fuel"], I64)
    with c.when(compare("slt", left, 0)):
        c.store(context, plan.context["fault"], const(NO_FUEL, I32))
        c.give(const(FAULT, I32))
    with c.when(compare("slt", left, c.load(context, plan.context["enough"], I64))):
        c.give(const(STOPPED, I32))
    c.store(context, plan.context["floor"], Op("smax", (binary("sub", left, SLICE), const(0)), I64))
    c.give(const(0, I32))
    c.finish(apart=True)
