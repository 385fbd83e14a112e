"""Whether two blocks hold the same: everything but whose turn it is."""

from ludograph.tgdl.native.code import Code, address, binary, compare, const, widen
from ludograph.tgdl.native.ir import I1, I8, I32, I64, PTR, Expression, Load, Local
from ludograph.tgdl.native.plan import Column
from ludograph.tgdl.native.unit import Unit, Unsupported
from ludograph.tgdl.types import ListType, TableType, Type


def same_function(unit: Unit) -> str:
    """Gives whether the contents of two blocks are equal."""
    return unit.need("same_content", lambda: _make(unit))


def _make(unit: Unit) -> None:
    first, second = Local("first", PTR), Local("second", PTR)
    c = Code(unit.module, "same_content", (first, second), (I1,))
    _compare(c, first, second, unit.plan.header["out"], const(8))
    for place in unit.plan.off.values():
        _compare(c, first, second, place, const(1))
    for family in unit.plan.families:
        one, other = (c.load(block, family.count_at, I32) for block in (first, second))
        with c.when(compare("ne", one, other)):
            c.give(const(0, I1))
        count = c.let(widen(one, I64))
        for column in family.columns.values():
            if column.rep.shape == "list":
                _compare_lists(c, unit, first, second, column, count)
            elif column.type is not None and _has_lists(column.type):
                raise Unsupported("lists inside tables, when a player is stuck")
            else:
                _compare(c, first, second, column.offset, c.let(binary("mul", count, column.stride)))
    c.give(const(1, I1))
    c.finish(apart=True)


def _has_lists(type: Type) -> bool:
    return isinstance(type, ListType) or (isinstance(type, TableType) and _has_lists(type.value))


def _compare(c: Code, first: Expression, second: Expression, offset: int, length: Expression) -> None:
    """Bytes at the same place."""
    with c.count(length) as (at, _):
        one = Load(address(address(first, at), offset), I8)
        other = Load(address(address(second, at), offset), I8)
        with c.when(compare("ne", one, other)):
            c.give(const(0, I1))


def _compare_lists(
    c: Code, unit: Unit, first: Expression, second: Expression, column: Column, count: Expression
) -> None:
    size = 4
    if column.type is not None:
        assert isinstance(column.type, ListType)
        if _has_lists(column.type.element):
            raise Unsupported("lists inside lists, when a player is stuck")
        size = unit.plan.rep(column.type.element).size
    with c.count(count) as (number, _):
        by = c.let(binary("mul", number, column.stride))
        places = [c.let(address(address(block, by), column.offset)) for block in (first, second)]
        lengths = [c.load(place, 4, I32) for place in places]
        with c.when(compare("ne", lengths[0], lengths[1])):
            c.give(const(0, I1))
        starts = [
            c.let(address(block, widen(c.load(place, 0, I32), I64, signed=False)))
            for block, place in zip((first, second), places, strict=True)
        ]
        with c.count(c.let(binary("mul", widen(lengths[0], I64), size))) as (at, _):
            one, other = (Load(address(start, at), I8) for start in starts)
            with c.when(compare("ne", one, other)):
                c.give(const(0, I1))
