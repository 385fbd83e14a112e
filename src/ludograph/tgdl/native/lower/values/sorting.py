"""A stable merge sort of the indexes of a list by their keys."""

from ludograph.tgdl.native.ir.builder import FunctionBuilder, const, select
from ludograph.tgdl.native.ir.nodes import F64, I64, PTR, Expression, Local, Op
from ludograph.tgdl.native.lower.emitter import Emitter
from ludograph.tgdl.native.lower.unit import CompilationUnit, emitted

WORD = 8


def sorted_indexes(b: Emitter, keys: Expression, count: Expression) -> Expression:
    """The address of the indexes of a list, one word each, in ascending order of their keys."""
    size = b.let(count * WORD)
    first, second = b.allocate(size), b.allocate(size)
    with b.count(count) as (place, _):
        b.store(first, b.let(place * WORD), place)
    (found,) = b.call(_sort_function(b.unit), (keys, count, first, second), (PTR,))
    return found


@emitted("sort")
def _sort_function(unit: CompilationUnit) -> None:
    """Emit a bottom-up merge sort between two buffers."""
    keys, count, first, second = (
        Local("keys", PTR), Local("count", I64), Local("first", PTR), Local("second", PTR)
    )  # fmt: skip
    c = FunctionBuilder(unit.module, "sort", (keys, count, first, second), (PTR,))
    source, target = c.variable(first, "source"), c.variable(second, "target")
    width = c.variable(const(1), "width")
    with c.loop("merge") as label:
        c.leave_if(width >= count, label)
        low = c.variable(const(0), "low")
        with c.loop("rows") as rows:
            c.leave_if(low >= count, rows)
            middle = c.let(Op("smin", (low + width, count), I64))
            end = c.let(Op("smin", (middle + width, count), I64))
            _merge(c, keys, source, target, c.let(low), middle, end)
            c.set(low, end)
        before = c.let(source)
        c.set(source, target)
        c.set(target, before)
        c.set(width, width * 2)
    c.give(source)
    c.finish()


def _merge(
    c: FunctionBuilder,
    keys: Expression,
    source: Expression,
    target: Expression,
    low: Expression,
    middle: Expression,
    end: Expression,
) -> None:
    left, right = c.variable(low, "left"), c.variable(middle, "right")
    at = c.variable(low, "at")

    def key(place: Expression) -> Expression:
        number = c.load_word(source, place)
        return c.load_word(keys, number, F64)

    with c.loop("next") as label:
        c.leave_if(at >= end, label)
        from_left = c.variable(right >= end, "from_left")
        with c.when((left < middle) & (right < end)):
            c.set(from_left, key(left) <= key(right))
        chosen = c.let(select(from_left, left, right))
        number = c.load_word(source, chosen)
        c.store(target, c.let(at * WORD), number)
        c.set(left, select(from_left, left + 1, left))
        c.set(right, select(from_left, right, right + 1))
        c.set(at, at + 1)
