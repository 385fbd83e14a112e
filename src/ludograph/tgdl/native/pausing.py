"""Pauses: now and then a run looks whether there is fuel left, and whether somebody wants it to stop.

The test for both is one that costs nothing between the pauses: whether fuel has come below a floor.
"""

from typing import Final

from ludograph.tgdl.native.code import Code, binary, compare, const
from ludograph.tgdl.native.ir import I32, I64, PTR, Local, Module, Op
from ludograph.tgdl.native.plan import Plan

FAULT_STATUS: Final = 4
STOPPED_STATUS: Final = 7
SLICE: Final = 1024
"""So much fuel is used between two pauses."""
NO_FUEL: Final = 506


def make_pause(module: Module, plan: Plan) -> None:
    """The function that looks; the floor is lower afterwards."""
    context = Local("ctx", PTR)
    c = Code(module, "pause", (context, Local("block", PTR)), (I32,))
    with c.when(compare("ne", c.load(context, plan.context["stop"], I64), 0)):
        c.give(const(STOPPED_STATUS, I32))
    left = c.load(context, plan.context["fuel"], I64)
    with c.when(compare("slt", left, 0)):
        c.store(context, plan.context["fault"], const(NO_FUEL, I32))
        c.give(const(FAULT_STATUS, I32))
    c.store(context, plan.context["floor"], Op("smax", (binary("sub", left, SLICE), const(0)), I64))
    c.give(const(0, I32))
    c.finish(apart=True)
