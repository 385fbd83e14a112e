"""Equality of two blocks, except for the turn and the conditions that held."""

from collections.abc import Sequence

from ludograph.tgdl.native.ir.builder import address, binary, compare, const, widen
from ludograph.tgdl.native.ir.nodes import I1, I8, I32, I64, PTR, Expression, Load, Local
from ludograph.tgdl.native.layout.representations import Tag
from ludograph.tgdl.native.lower.body import Body
from ludograph.tgdl.native.lower.unit import Unit, emitted
from ludograph.tgdl.program.types import Basic, ListType, TableType, Type


@emitted("same_content")
def same_function(unit: Unit) -> None:
    """The function that returns whether the contents of two blocks are equal."""
    first, second = Local("first", PTR), Local("second", PTR)
    c = Body(unit, "same_content", (first, second), (I1,))
    _compare(c, first, second, unit.plan.header["out"], const(unit.plan.seats.size))
    for key, place in unit.plan.off.items():
        if not unit.plan.is_condition(key):
            _compare(c, first, second, place, const(1))
    if unit.plan.edits:
        places = [c.let(address(block, unit.plan.edits["links"])) for block in (first, second)]
        _compare_values(c, unit, ListType(Basic.DECIMAL), (first, second), places, inside=False)
    for family in unit.plan.families:
        one, other = (c.load(block, family.count_at, I32) for block in (first, second))
        with c.when(compare("ne", one, other)):
            c.done(const(0, I1))
        count = c.let(widen(one, I64))
        for name, column in family.columns.items():
            if isinstance(name, tuple) and name[0] == "off" and unit.plan.is_condition(name):
                continue
            if column.rep.shape == "list" or (column.type is not None and _has_lists(column.type)):
                assert column.type is not None
                with c.count(count) as (number, _):
                    by = c.let(binary("mul", number, column.stride))
                    places = [c.let(address(address(block, by), column.offset)) for block in (first, second)]
                    _compare_values(c, unit, column.type, (first, second), places, inside=False)
            else:
                _compare(c, first, second, column.offset, c.let(binary("mul", count, column.stride)))
    c.done(const(1, I1))
    c.finish(apart=True)


def _has_lists(type: Type) -> bool:
    if isinstance(type, TableType):
        return _has_lists(type.value)
    return isinstance(type, ListType) or type is Basic.OBJECT


def _compare(c: Body, first: Expression, second: Expression, offset: int, length: Expression) -> None:
    """Compare bytes at the same offset."""
    with c.count(length) as (at, _):
        one = Load(address(address(first, at), offset), I8)
        other = Load(address(address(second, at), offset), I8)
        with c.when(compare("ne", one, other)):
            c.done(const(0, I1))


Pair = Sequence[Expression]
"""An address in the first block, and the corresponding one in the second."""


def _compare_values(c: Body, unit: Unit, type: Type, blocks: Pair, places: Pair, *, inside: bool) -> None:
    """Compare two values; the offset of a list is relative to its own block."""
    match type:
        case ListType(element):
            kind, step = (I64, 8) if inside else (I32, 4)
            lengths = [c.load(place, step, kind) for place in places]
            with c.when(compare("ne", lengths[0], lengths[1])):
                c.done(const(0, I1))
            starts = [
                c.let(address(block, widen(c.load(place, 0, kind), I64, signed=False)))
                for block, place in zip(blocks, places, strict=True)
            ]
            _compare_rows(c, unit, element, blocks, starts, c.let(widen(lengths[0], I64)))
        case TableType(_, inner):
            _compare_rows(c, unit, inner, blocks, places, const(unit.plan.rep(type).count))
        case Basic.OBJECT:
            (same,) = c.run(_compare_objects_function(unit), (*blocks, *places), (I1,))
            with c.when(compare("eq", same, 0)):
                c.done(const(0, I1))
        case _:
            raise AssertionError(f"{type} is compared by its bytes")


def _compare_rows(c: Body, unit: Unit, element: Type, blocks: Pair, starts: Pair, count: Expression) -> None:
    size = unit.plan.rep(element).size
    if not _has_lists(element):
        _compare(c, starts[0], starts[1], 0, c.let(binary("mul", count, size)))
        return
    with c.count(count) as (at, _):
        by = c.let(binary("mul", at, size))
        places = [c.let(address(start, by)) for start in starts]
        _compare_values(c, unit, element, blocks, places, inside=True)


@emitted("same_object_content")
def _compare_objects_function(unit: Unit) -> None:
    """The function that returns whether two objects are equal, each in its own block."""
    first, second, one, other = (Local(name, PTR) for name in ("first", "second", "one", "other"))
    c = Body(unit, "same_object_content", (first, second, one, other), (I1,))
    for by in (0, 16):
        with c.when(compare("ne", c.load(one, by, I64), c.load(other, by, I64))):
            c.done(const(0, I1))
    lows = [c.load(place, 8, I64) for place in (one, other)]
    with c.when(compare("ne", c.load(one, 0, I64), Tag.LIST)):
        c.done(compare("eq", lows[0], lows[1]))
    starts = [c.let(address(block, low)) for block, low in zip((first, second), lows, strict=True)]
    _compare_rows(c, unit, Basic.OBJECT, (first, second), starts, c.load(one, 16, I64))
    c.done(const(1, I1))
    c.finish(apart=True)
