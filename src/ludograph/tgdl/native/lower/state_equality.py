"""Equality of two blocks, except for the turn and the conditions that held."""

from collections.abc import Sequence

from ludograph.tgdl.native.ir.builder import address, const, widen
from ludograph.tgdl.native.ir.nodes import I1, I8, I32, I64, PTR, Expression, Load, Local
from ludograph.tgdl.native.layout.representations import Tag
from ludograph.tgdl.native.lower.emitter import Emitter, has_lists, routine
from ludograph.tgdl.program.types import Basic, ListType, TableType, Type


@routine("same_content", (PTR, PTR), gives=(I1,), apart=True)
def same_function(c: Emitter, first: Local, second: Local) -> None:
    """The function that returns whether the contents of two blocks are equal."""
    plan = c.plan
    _compare(c, first, second, plan.header["out"], const(plan.seats.size))
    for key, place in plan.off.items():
        if not plan.is_condition(key):
            _compare(c, first, second, place, const(1))
    if plan.edits:
        places = [c.let(address(block, plan.edits["links"])) for block in (first, second)]
        _compare_values(c, ListType(Basic.DECIMAL), (first, second), places, inside=False)
    for family in plan.families:
        one, other = (c.load(block, family.count_at, I32) for block in (first, second))
        c.done_if(one.ne(other), const(0, I1))
        count = c.let(widen(one, I64))
        for name, column in family.columns.items():
            if isinstance(name, tuple) and name[0] == "off" and plan.is_condition(name):
                continue
            if column.rep.shape == "list" or (column.type is not None and has_lists(column.type)):
                assert column.type is not None
                with c.count(count) as (number, _):
                    by = c.let(number * column.stride)
                    places = [c.let(address(address(block, by), column.offset)) for block in (first, second)]
                    _compare_values(c, column.type, (first, second), places, inside=False)
            else:
                _compare(c, first, second, column.offset, c.let(count * column.stride))
    c.done(const(1, I1))


def _compare(c: Emitter, first: Expression, second: Expression, offset: int, length: Expression) -> None:
    """Compare bytes at the same offset."""
    with c.count(length) as (at, _):
        one = Load(address(address(first, at), offset), I8)
        other = Load(address(address(second, at), offset), I8)
        c.done_if(one.ne(other), const(0, I1))


Pair = Sequence[Expression]
"""An address in the first block, and the corresponding one in the second."""


def _compare_values(c: Emitter, type: Type, blocks: Pair, places: Pair, *, inside: bool) -> None:
    """Compare two values; the offset of a list is relative to its own block."""
    match type:
        case ListType(element):
            kind, step = (I64, 8) if inside else (I32, 4)
            lengths = [c.load(place, step, kind) for place in places]
            c.done_if(lengths[0].ne(lengths[1]), const(0, I1))
            starts = [
                c.let(address(block, widen(c.load(place, 0, kind), I64, signed=False)))
                for block, place in zip(blocks, places, strict=True)
            ]
            _compare_rows(c, element, blocks, starts, c.let(widen(lengths[0], I64)))
        case TableType(_, inner):
            _compare_rows(c, inner, blocks, places, const(c.plan.rep(type).count))
        case Basic.OBJECT:
            (same,) = c.run(_compare_objects_function(c.unit), (*blocks, *places), (I1,))
            c.done_if(same.eq(0), const(0, I1))
        case _:
            raise AssertionError(f"{type} is compared by its bytes")


def _compare_rows(c: Emitter, element: Type, blocks: Pair, starts: Pair, count: Expression) -> None:
    size = c.plan.rep(element).size
    if not has_lists(element):
        _compare(c, starts[0], starts[1], 0, c.let(count * size))
        return
    with c.count(count) as (at, _):
        by = c.let(at * size)
        places = [c.let(address(start, by)) for start in starts]
        _compare_values(c, element, blocks, places, inside=True)


@routine("same_object_content", (PTR, PTR, PTR, PTR), gives=(I1,), apart=True)
def _compare_objects_function(c: Emitter, first: Local, second: Local, one: Local, other: Local) -> None:
    """The function that returns whether two objects are equal, each in its own block."""
    for by in (0, 16):
        c.done_if(c.load(one, by, I64).ne(c.load(other, by, I64)), const(0, I1))
    lows = [c.load(place, 8, I64) for place in (one, other)]
    c.done_if(c.load(one, 0, I64).ne(Tag.LIST), lows[0].eq(lows[1]))
    starts = [c.let(address(block, low)) for block, low in zip((first, second), lows, strict=True)]
    _compare_rows(c, Basic.OBJECT, (first, second), starts, c.load(one, 16, I64))
    c.done(const(1, I1))
