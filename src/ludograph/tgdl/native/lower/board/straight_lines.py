"""Windows of straight lines: the parts of a line with a given length that contain a given tile."""

from ludograph.tgdl.native.ir.builder import address, const, intrinsic
from ludograph.tgdl.native.ir.nodes import F64, I64, Expression, Op
from ludograph.tgdl.native.lower.emitter import Emitter
from ludograph.tgdl.native.lower.unit import Value
from ludograph.tgdl.native.lower.values.lists import Collector
from ludograph.tgdl.program.types import ListType

MAX_LENGTH = 1e9
"""A length beyond that of any line."""


def bounded(b: Emitter, length: Expression) -> Expression:
    """A window length as an integer, at least one."""
    least = intrinsic("maxnum", intrinsic("minnum", length, const(MAX_LENGTH, F64)), const(1.0, F64))
    return b.let(b.as_whole(least))


def add_windows(b: Emitter, found: Collector, line: Value, place: Expression, length: Expression) -> None:
    """Add the windows of a length that contain the tile at an index, from the first on."""
    assert isinstance(line.type, ListType)
    size = b.plan.rep(line.type.element).size
    start, count = line.parts
    earliest = place - length + 1
    at = b.variable(Op("smax", (earliest, const(0)), I64), "window")
    last = b.let(Op("smin", (place, count - length), I64))
    with b.loop() as label:
        b.leave_if(at > last, label)
        window = b.let(address(start, at * size))
        found.add(Value(line.type, (window, length), certain=True))
        b.set(at, at + 1)
