"""Lists in the block: an offset into the heap, a length, and a capacity."""

from ludograph.tgdl.native.ir.builder import address, const, widen
from ludograph.tgdl.native.ir.nodes import I32, I64, Expression
from ludograph.tgdl.native.lower.emitter import Emitter
from ludograph.tgdl.native.lower.routine import BLOCK
from ludograph.tgdl.native.lower.unit import Value
from ludograph.tgdl.program.types import ListType, Type


def list_at(b: Emitter, place: Expression, element: Type) -> Value:
    """The list at an address of the block."""
    start = address(BLOCK, widen(b.load(place, 0, I32), I64, signed=False))
    length = widen(b.load(place, 4, I32), I64)
    return b.keep(Value(ListType(element), (start, length), certain=True))


def empty_at(b: Emitter, place: Expression) -> None:
    b.store(place, 4, const(0, I32))


def append_at(b: Emitter, place: Expression, value: Value) -> None:
    """Append a value to a list of the block."""
    size = b.plan.rep(value.type).size
    start, length = list_at(b, place, value.type).parts
    by = b.let(length * size)
    with b.when(length < widen(b.load(place, 8, I32), I64)):
        b.write(start, by, value, to_block=True)
        b.store(place, 4, widen(length + 1, I32))
    with b.otherwise(), b.arena_scope():
        buffer = b.allocate(b.let(by + size))
        b.copy(buffer, start, by)
        b.write(buffer, by, value, to_block=False)
        longer = b.let(length + 1)
        b.assign_list(place, Value(ListType(value.type), (buffer, longer), certain=True))
