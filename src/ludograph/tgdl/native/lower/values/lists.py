"""Lowering of lists, tables and queries. A query is a loop; its result is in the arena."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

from ludograph.tgdl import program as p
from ludograph.tgdl.native.ir.builder import address, const, select, widen
from ludograph.tgdl.native.ir.nodes import (
    F64,
    I1,
    I8,
    I32,
    I64,
    I128,
    PTR,
    Data,
    Expression,
    Local,
    Op,
    compare,
)
from ludograph.tgdl.native.lower.board.bitboard_queries import lower_query
from ludograph.tgdl.native.lower.board.bitboards import Bitboard
from ludograph.tgdl.native.lower.board.fixed_boards import (
    adjacent_of,
    first_tiles,
    is_placed,
    tile_count,
    tile_index,
    value_table,
)
from ludograph.tgdl.native.lower.board.prefilters import each_filtered, prefilter_of_query
from ludograph.tgdl.native.lower.board.tile_tables import clear_entries, count_keys, index_of_key, key_at
from ludograph.tgdl.native.lower.emitter import Emitter, Lowering, has_lists
from ludograph.tgdl.native.lower.fuel import pay, times
from ludograph.tgdl.native.lower.list_costs import evaluate_passed, pay_for_value
from ludograph.tgdl.native.lower.unit import Value
from ludograph.tgdl.native.lower.values.constants import is_in_order
from ludograph.tgdl.native.lower.values.evaluation_order import may_change
from ludograph.tgdl.native.lower.values.nullability import assume_not_none, never_has_none
from ludograph.tgdl.native.lower.values.numbers import equal_inside
from ludograph.tgdl.native.lower.values.sorting import sorted_indexes
from ludograph.tgdl.program.operations import Operation
from ludograph.tgdl.program.types import Basic, ConstructType, EnumType, ListType, TableType, Type
from ludograph.tgdl.world.analysis import charges_fuel_once, walk
from ludograph.tgdl.world.fuel import REACHED, comparison_effort, price
from ludograph.tgdl.world.values import element_of, is_flat

MAX_LIST_LENGTH = 1_000_000


def _length(b: Emitter, node: p.Apply) -> Value:
    return b.number(b.let(b.as_decimal(b.as_list(b.value(node.operands[0])).parts[1])))


def _copy(b: Emitter, node: p.Apply) -> Value:
    return b.expression(node.operands[0])


def _sum(b: Emitter, node: p.Apply) -> Value:
    items = _searched(b, node)
    total = b.variable(const(0.0, F64), "sum")
    with each(b, items) as (item, _):
        b.set(total, total + b.coerce(item, Basic.DECIMAL).only)
    return _total(b, total)


def _extreme(b: Emitter, node: p.Apply) -> Value:
    items = _searched(b, node)
    best = Extreme(b, node.type, is_largest=node.operation is Operation.LARGEST)
    with each(b, items) as (item, _):
        best.offer(item)
    return best.found()


def _searched(b: Emitter, node: p.Apply) -> Value:
    """The list or table that an operation searches, already paid for."""
    items = b.as_list(b.value(node.operands[0]))
    pay(b, items.parts[1])
    return items


def element(items: Value) -> Type:
    assert isinstance(items.type, ListType)
    return items.type.element


@contextmanager
def each(b: Emitter, items: Value) -> Iterator[tuple[Value, str]]:
    """A loop over a list: the element, and the label of the loop."""
    type = element(items)
    size = b.plan.rep(type).size
    start, length = items.parts
    in_order = isinstance(start, Data) and is_in_order(b.unit, start, type)
    with b.count(length) as (at, label):
        if in_order:
            yield Value(type, (b.let(widen(at, I32)),), certain=True), label
        else:
            (yield (b.read(start, at * size, type), label))


def is_any(b: Emitter, items: Value, test: Callable[[Value], Expression]) -> Expression:
    """Whether a test is true for an element of a list."""
    found = b.variable(const(0, I1), "exists")
    with each(b, items) as (item, label):
        with b.when(test(item)):
            b.set(found, const(1, I1))
            b.leave(label)
    return found


def at_index(b: Emitter, items: Value, index: Expression) -> Value:
    """An element at an index that is known to be valid."""
    b.assert_holds(index.ult(items.parts[1]), "an index is valid")
    return _read_at(b, items, index)


def _read_at(b: Emitter, items: Value, index: Expression) -> Value:
    type = element(items)
    return b.read(items.parts[0], b.let(index * b.plan.rep(type).size), type)


def _total(b: Emitter, total: Expression) -> Value:
    spread = total - total
    with b.when(spread.is_nan(), unlikely=True):
        b.fault_if(total.is_nan(), "TG0501")
        b.fault("TG0503")
    return b.number(total)


class Extreme:
    """The maximum or minimum of a sequence of values. Mutable."""

    def __init__(self, b: Emitter, type: Type, *, is_largest: bool) -> None:
        self.b = b
        self.type = type
        self.is_largest = is_largest
        self.best = b.variable(b.none(type).only, "best")

    def offer(self, value: Value) -> None:
        b = self.b
        b.fault_if(b.is_none(value), "TG0501")
        if value.only.kind is F64:
            better: Expression = Op("ogt" if self.is_largest else "olt", (value.only, self.best), I1)
        else:
            better = compare("sgt" if self.is_largest else "slt", value.only, self.best)
        first = b.is_none(Value(self.type, (self.best,)))
        b.set(self.best, select(first | better, value.only, self.best))

    def found(self) -> Value:
        return Value(self.type, (self.b.let(self.best),))


def test_key(b: Emitter, type: Type, key: Value) -> None:
    """Raise a fault if an index or key is none or negative, before later operands are evaluated."""
    if not key.certain:
        b.fault_if(b.is_none(key), "TG0501")
    if not (isinstance(type, TableType) and isinstance(type.key, EnumType | Basic | ConstructType)):
        place = b.as_whole(key.only) if key.only.kind is F64 else widen(key.only, I64)
        b.fault_if(place < 0, "TG0504")


def key_index(b: Emitter, type: Type, key: Value, *, may_be_negative: bool = False) -> Expression:
    """The index of a key in a list or table. Only what is read may be negative."""
    b.fault_if(b.is_none(key), "TG0501")
    match type:
        case TableType(ConstructType(name), _):
            # Tiles of a family are numbered together; a table by a derived construct has its own indexes.
            families = b.plan.families_of(name)
            if len(families) == 1 and len(b.world.subtypes[name]) == len(families[0].kinds):
                return b.let(widen(b.coerce(key, ConstructType(name)).only, I64))
            if b.plan.is_growing(type):
                return index_of_key(b, name, key)
            places = b.world.key_index[name]
            rows = [0.0 if tile is None else float(places.get(tile, 0)) for tile in first_tiles(b)]
            found = value_table(b, rows, Basic.DECIMAL, tile_index(b, key), "keys")
            return b.let(b.as_whole(found.only))
        case TableType(Basic.PLAYER | EnumType(), _):
            return b.let(widen(key.only, I64))
        case _:
            place = b.let(b.as_whole(key.only) if key.only.kind is F64 else widen(key.only, I64))
            if not may_be_negative:
                b.fault_if(place < 0, "TG0504")
            return place


def _at(b: Emitter, node: p.Apply) -> Value:
    held, key_node = node.operands
    values = b.value(held)
    key = b.expression(key_node)
    place = key_index(b, held.type, key, may_be_negative=True)
    items = b.as_list(values)
    if isinstance(held.type, TableType) and isinstance(held.type.key, EnumType | Basic | ConstructType):
        return _held(at_index(b, items, place), values)
    return _held(guarded(b, items, place), values)


def _enum_number(b: Emitter, node: p.Apply) -> Value:
    """The number of a member of an enum, from a constant table."""
    member, *literals = node.operands
    numbers = [float(one.value) for one in literals if isinstance(one, p.Literal) and one.value is not None]
    value = b.expression(member)
    found = b.variable(b.none(Basic.DECIMAL).only, "number")
    with b.when(~b.is_none(value)):
        place = b.let(widen(value.only, I64))
        b.set(found, value_table(b, numbers, Basic.DECIMAL, place, "numbers").only)
    return Value(Basic.DECIMAL, (b.let(found),), certain=value.certain)


def _held(value: Value, owner: Value) -> Value:
    return Value(value.type, value.parts, value.certain, owner.held)


def guarded(b: Emitter, items: Value, place: Expression) -> Value:
    """An element, or none out of range; a negative index is a large one without its sign."""
    type = element(items)
    inside = place.ult(items.parts[1])
    if b.plan.rep(type).shape == "table":
        found = _read_at(b, items, place)  # only an address is computed
        return Value(type, (b.let(select(inside, found.only, const(0, PTR))),))
    result = b.holder(type, "item")
    with b.when(inside):
        b.assign(result, at_index(b, items, place))
    return result


def _end(b: Emitter, node: p.Apply) -> Value:
    values = b.value(node.operands[0])
    items = b.as_list(values)
    if node.operation is Operation.FIRST:
        return _held(guarded(b, items, const(0)), values)
    return _held(guarded(b, items, b.let(items.parts[1] - 1)), values)


def _search(b: Emitter, node: p.Apply) -> Value:
    """`contains`, `find` and `count` of a value; the literal none finds none."""
    values = b.value(node.operands[0])
    items = b.as_list(values)
    effort = comparison_effort(element_of(node.operands[0].type), node.operands[1].type)
    pay(b, times(b, items.parts[1], effort))
    wanted = b.expression(node.operands[1])
    if may_change(node.operands[1]):
        items = b.as_list(values)  # there may be new tiles
    finds_none = isinstance(node.operands[1], p.Literal) and node.operands[1].value is None
    kind = F64 if node.operation is Operation.COUNT_VALUE else I64
    found = b.variable(const(0 if kind is F64 else -1, kind), "found")
    type = element(items)
    size = b.plan.rep(type).size
    with b.count(items.parts[1]) as (at, label):
        item = b.read(items.parts[0], at * size, type)
        with b.when(b.is_none(item) if finds_none else equal_inside(b, item, wanted)):
            if kind is F64:
                b.set(found, found + 1.0)
            else:
                b.set(found, at)
                b.leave(label)
    match node.operation:
        case Operation.COUNT_VALUE:
            return b.number(found)
        case Operation.CONTAINS:
            return b.boolean(found >= 0)
        case _:
            missing = found < 0
            if isinstance(values.type, TableType):
                return _key_at(b, values.type, node.type, found, missing)
            none = b.none(Basic.DECIMAL).only
            return Value(Basic.DECIMAL, (b.let(select(missing, none, b.as_decimal(found))),))


def _key_at(b: Emitter, type: TableType, wanted: Type, place: Expression, missing: Expression) -> Value:
    if isinstance(type.key, int):
        return Value(wanted, (b.let(select(missing, b.none(wanted).only, b.as_decimal(place))),))
    if isinstance(type.key, ConstructType) and b.plan.is_growing(type):
        return b.coerce(key_at(b, type.key.name, place), wanted)
    if isinstance(type.key, ConstructType):
        tiles = sorted(b.world.key_index[type.key.name], key=lambda tile: tile.number)
        safe = b.let(select(missing, const(0), place))
        tile = value_table(b, tiles or [None], wanted, safe, "tiles")
        return Value(wanted, (b.let(select(missing, b.none(wanted).only, tile.only)),))
    return Value(wanted, (b.let(select(missing, const(-1, I32), widen(place, I32))),))


# Creation


def make_list(b: Emitter, node: p.MakeList) -> Value:
    assert isinstance(node.type, ListType)
    type = node.type.element
    if not node.items:
        return Value(node.type, (b.unit.data(), const(0)), certain=True)
    values = [b.coerce(evaluate_passed(b, item), type) for item in node.items]
    size = b.plan.rep(type).size
    start = b.allocate(len(values) * size)
    for place, value in enumerate(values):
        b.write(start, place * size, detached(b, value), to_block=False)
    return _paid(b, Value(node.type, (start, const(len(values))), certain=True))


def make_table(b: Emitter, node: p.MakeTable) -> Value:
    assert isinstance(node.type, TableType)
    rep, inner = b.plan.rep(node.type), node.type.value
    size = b.plan.rep(inner).size
    if node.fill is not None:
        value = detached(b, b.coerce(evaluate_passed(b, node.fill), inner))
        start = b.allocate(rep.size)
        made = Value(node.type, (start,), certain=True)
        if b.plan.is_growing(node.type):
            clear_entries(b, made)
        with b.count(b.as_list(made).parts[1]) as (at, _):
            b.write(start, at * size, value, to_block=False)
        return _paid(b, made)
    if b.plan.is_growing(node.type) and isinstance(node.type.key, ConstructType):
        b.fault_if(count_keys(b, node.type.key.name).ne(len(node.items)), "TG0516")
    elif rep.count != len(node.items):  # the number of entries depends on options or tiles
        b.fault_if(const(1, I1), "TG0516")
    items = node.items if b.plan.is_growing(node.type) else node.items[: rep.count]
    values = [detached(b, b.coerce(evaluate_passed(b, item), inner)) for item in items]
    start = b.allocate(rep.size)
    made = Value(node.type, (start,), certain=True)
    if b.plan.is_growing(node.type):
        clear_entries(b, made)
    for place, value in enumerate(values):
        b.write(start, place * size, value, to_block=False)
    return _paid(b, made)


def _paid(b: Emitter, value: Value) -> Value:
    pay_for_value(b, value)
    return value


def detached(b: Emitter, value: Value) -> Value:
    """A copy of a list or table that is still in the block, because the block may change."""
    if value.held is None:
        return value
    match value.type:
        case ListType(inner):
            start, length = value.parts
            size = b.let(length * b.plan.rep(inner).size)
            to = b.allocate(size)
            b.copy(to, start, size)
            if value.certain:
                return Value(value.type, (to, length), certain=True)
            kept = b.let(select(start.eq(0), const(0, PTR), to))
            return Value(value.type, (kept, length))
        case TableType():
            size_of = b.plan.rep(value.type).size
            to = b.allocate(size_of)
            if value.certain:
                b.copy(to, value.only, size_of)
                return Value(value.type, (to,), certain=True)
            found = b.variable(const(0, PTR), "table")
            with b.when(value.only.ne(0)):
                b.copy(to, value.only, size_of)
                b.set(found, to)
            return Value(value.type, (b.let(found),))
        case _:
            return Value(value.type, value.parts, value.certain)


def concatenate(b: Emitter, type: Type, lists: Sequence[Value]) -> Value:
    """A new list with the elements of some lists."""
    size = b.plan.rep(type).size
    total: Expression = const(0)
    for items in lists:
        total = total + items.parts[1]
    count = b.let(total)
    start = b.allocate(b.let(count * size))
    to: Expression = start
    for items in lists:
        length = b.let(items.parts[1] * size)
        b.copy(to, items.parts[0], length)
        to = b.let(address(to, length))
    return Value(ListType(type), (start, count), certain=True)


class Collector:
    """A list that grows at the end of the arena while nothing else is allocated there. Mutable."""

    def __init__(self, b: Emitter, type: Type, most: Expression) -> None:
        """`most`: the upper bound of the length."""
        self.b = b
        self.type = type
        self.size = b.plan.rep(type).size
        self.start = b.allocate(b.let(most * self.size))
        self.length = b.variable(const(0), "length")

    def add(self, value: Value) -> None:
        b = self.b
        b.write(self.start, b.let(self.length * self.size), value, to_block=False)
        b.set(self.length, self.length + 1)

    def found(self) -> Value:
        return Value(ListType(self.type), (self.start, self.b.let(self.length)), certain=True)


# Queries


def query(b: Emitter, node: p.Query) -> Value:
    """Run a body for each element; all elements are paid for at once."""
    return QUERIES[node.operation](b, node)


class QueryLowering:
    """A query over the elements of a list, while it is lowered."""

    def __init__(self, b: Emitter, node: p.Query, items: Value, values: Value, *, prefilters: bool) -> None:
        self.b = b
        self.node = node
        self.items = items
        """The elements."""
        self.values = values
        """The list or table that holds them."""
        self.type = element(items)
        self._words: Bitboard | None = None
        if prefilters and node.body is not None:
            self._words = prefilter_of_query(b, node.source, node.slot, node.body)

    def body(self, item: Value) -> Value:
        self.b.bind(self.node.slot, item, self.node.body)
        return item if self.node.body is None else self.b.expression(self.node.body)

    def holds(self, item: Value) -> Expression:
        found = self.body(item)
        return found.only.eq(1)  # none does not hold

    def each_item(self) -> AbstractContextManager[tuple[Value, str]]:
        """The elements; without those that a prefilter excludes."""
        if self._words is None:
            return each(self.b, self.items)
        return each_filtered(self.b, self._words, self.type)


def _over_list(
    lower: Callable[[QueryLowering], Value], *, prefilters: bool = False
) -> Callable[[Emitter, p.Query], Value]:
    """The lowering of a query over a list; `prefilters`: elements that do not hold may be left out."""

    def run(b: Emitter, node: p.Query) -> Value:
        at_once = lower_query(b, node)
        if at_once is not None:
            return at_once
        values = b.value(node.source)
        items = b.as_list(values)
        b.spend(times(b, items.parts[1], price(node.body)))
        fresh = _cache_positions(b, node.body, items.parts[1])
        is_not_none = never_has_none(b, node.source)
        is_deep = node.body is not None and any(
            isinstance(inner, p.CallVerb) or (isinstance(inner, p.Apply) and inner.operation is Operation.TOP)
            for inner in walk(node.body)
        )
        with (
            assume_not_none(b, node.slot, is_not_none=is_not_none),
            b.forbidding_chance() if is_deep else nullcontext(),
        ):
            found = lower(QueryLowering(b, node, items, values, prefilters=prefilters))
        for key in fresh:
            del b.known[key]
        return found

    return run


BORROWED = 1 << 48
"""More fuel than any expression costs."""


def _cache_positions(b: Emitter, body: Any, count: Expression | None = None) -> list[int]:
    """Cache positions, which are expensive and the same for all elements; the first use pays.

    A position that the first element always needs is evaluated before the loop, which keeps the loop short.
    """
    fresh: list[int] = []
    always_needed = {id(each) for each in _always_evaluated(body)} if count is not None else set()
    for inner in walk(body) if b.caches_invariants else ():
        if isinstance(inner, p.Apply) and charges_fuel_once(inner) and id(inner) not in b.known:
            position = b.variable(const(0, I128), "position")
            cost: Local | None = None
            if count is not None and id(inner) in always_needed:
                cost = b.variable(const(0), "cost")
                with b.when(count > 0):
                    fuel = b.let(b.get("fuel", I64))
                    b.put("fuel", const(BORROWED))
                    b.set(position, b.expression(inner).only)
                    b.set(cost, const(BORROWED) - b.get("fuel", I64))
                    b.put("fuel", fuel)
            b.known[id(inner)] = position, b.variable(const(0, I1), "paid"), cost
            fresh.append(id(inner))
    return fresh


def _always_evaluated(node: Any) -> Iterator[p.Apply]:
    """The operations that every evaluation of an expression evaluates."""
    if isinstance(node, p.Apply):
        yield node
        for operand in node.operands:
            yield from _always_evaluated(operand)


def _any_or_all(loop: QueryLowering) -> Value:
    b = loop.b
    wants = loop.node.operation is Operation.ANY
    result = b.variable(const(0 if wants else 1, I1), "all")
    with loop.each_item() as (item, label), b.arena_scope():
        test = loop.holds(item)
        with b.when(test if wants else ~test):
            b.set(result, const(1 if wants else 0, I1))
            b.leave(label)
    return b.boolean(result)


def _count(loop: QueryLowering) -> Value:
    b = loop.b
    count = b.variable(const(0.0, F64), "count")
    with loop.each_item() as (item, _), b.arena_scope():
        with b.when(loop.holds(item)):
            b.set(count, count + 1.0)
    return b.number(count)


def _where(loop: QueryLowering) -> Value:
    b = loop.b
    found = Collector(b, loop.type, loop.items.parts[1])
    with loop.each_item() as (item, _), b.arena_scope():
        with b.when(loop.holds(item)):
            found.add(item)
    given = found.found()
    return Value(loop.node.type, given.parts, certain=True, held=_nested(b, loop.type, loop.values))


def _first_where(loop: QueryLowering) -> Value:
    b = loop.b
    result = b.holder(loop.type, "first")
    with loop.each_item() as (item, label), b.arena_scope():
        with b.when(loop.holds(item)):
            b.assign(result, item)
            b.leave(label)
    return Value(loop.node.type, result.parts, held=loop.values.held)


def _until(loop: QueryLowering) -> Value:
    b, items = loop.b, loop.items
    length = b.variable(items.parts[1], "length")
    size = b.plan.rep(loop.type).size
    with b.count(items.parts[1]) as (at, label), b.arena_scope():
        item = b.read(items.parts[0], at * size, loop.type)
        with b.when(loop.holds(item)):
            b.set(length, at + 1)
            b.leave(label)
    return Value(loop.node.type, (items.parts[0], length), certain=True, held=loop.values.held)


def _sum_of(loop: QueryLowering) -> Value:
    b = loop.b
    total = b.variable(const(0.0, F64), "sum")
    with each(b, loop.items) as (item, _), b.arena_scope():
        b.set(total, total + b.coerce(loop.body(item), Basic.DECIMAL).only)
    return _total(b, total)


def _extreme_of(loop: QueryLowering) -> Value:
    b, node = loop.b, loop.node
    best = Extreme(b, node.type, is_largest=node.operation is Operation.LARGEST_OF)
    with each(b, loop.items) as (item, _), b.arena_scope():
        best.offer(b.coerce(loop.body(item), node.type))
    return best.found()


def _keys(loop: QueryLowering) -> Expression:
    """The address of the keys of all elements, as decimals; none is a fault."""
    b = loop.b
    keys = Collector(b, Basic.DECIMAL, loop.items.parts[1])
    missing = b.variable(const(0, I1), "missing")
    with each(b, loop.items) as (item, _), b.arena_scope():
        key = b.keep(loop.body(item))
        b.set(missing, missing | b.is_none(key))
        keys.add(key if key.only.kind is F64 else b.number(b.let(b.as_decimal(key.only))))
    b.fault_if(missing, "TG0501")
    return keys.start


def _most(loop: QueryLowering) -> Value:
    """The elements with the greatest key, or with the smallest."""
    b, items, type = loop.b, loop.items, loop.type
    count, keys = items.parts[1], _keys(loop)
    better = "ogt" if loop.node.operation is Operation.MOST_OF else "olt"
    best = b.variable(const(0.0, F64), "best")
    with b.count(count) as (at, _):
        key = b.let(b.load_word(keys, at, F64))
        is_better = at.eq(0) | Op(better, (key, best), I1)
        b.set(best, select(is_better, key, best))
    found = Collector(b, type, count)
    with b.count(count) as (at, _):
        with b.when(Op("oeq", (b.load_word(keys, at, F64), best), I1)):
            found.add(at_index(b, items, at))
    return Value(loop.node.type, found.found().parts, certain=True, held=_nested(b, type, loop.values))


def _sorted(loop: QueryLowering) -> Value:
    b, items, type = loop.b, loop.items, loop.type
    count = items.parts[1]
    places = sorted_indexes(b, _keys(loop), count)
    found = Collector(b, type, count)
    with b.count(count) as (at, _):
        found.add(at_index(b, items, b.load_word(places, at)))
    return Value(loop.node.type, found.found().parts, certain=True, held=_nested(b, type, loop.values))


def _nested(b: Emitter, type: Type, values: Value) -> Any:
    return values.held if has_lists(type) else None


def _map(loop: QueryLowering) -> Value:
    b, node, items = loop.b, loop.node, loop.items
    assert isinstance(node.type, ListType | TableType)
    type = node.type.element if isinstance(node.type, ListType) else node.type.value
    found = Collector(b, type, items.parts[1])
    is_plain = b.plan.rep(type).stored is not None
    with each(b, items) as (item, _):
        if is_plain:
            with b.arena_scope():
                value = b.coerce(loop.body(item), type)
            found.add(value)
        else:
            found.add(detached(b, b.coerce(loop.body(item), type)))
    given = found.found()
    parts = given.parts[:1] if isinstance(node.type, TableType) else given.parts
    made = Value(node.type, parts, certain=True)
    return made if is_flat(node.type) else _paid(b, made)


def _region(b: Emitter, node: p.Query) -> Value:
    """The tiles that are reachable over tiles that pass, by a breadth-first search."""
    assert node.body is not None and isinstance(node.type, ListType)
    start = b.value(node.source)
    type = node.type.element
    assert isinstance(type, ConstructType)
    count = tile_count(b)
    first = b.coerce(start, type)
    fresh = _cache_positions(b, node.body)
    cost = price(node.body)
    b.spend(cost)
    found = Collector(b, type, const(count))
    b.bind(node.slot, start, node.body)
    passes = b.variable(is_placed(b, first), "passes")
    with b.when(passes):
        b.set(passes, _is_true(b, b.expression(node.body)))
    with b.when(passes):
        words = (count + 7) // 8 * 8
        seen = b.allocate(words)
        b.fill(seen, 0, words)
        found.add(first)
        b.store(seen, tile_index(b, first), const(1, I8))
        at = b.variable(const(0), "next")
        with b.loop() as label:
            b.leave_if(at >= found.length, label)
            tile = b.read(found.start, b.let(at * found.size), type)
            b.set(at, at + 1)
            ends = adjacent_of(b, tile, type)
            pay(b, b.let(ends.parts[1] * REACHED))
            with each(b, ends) as (end, inner):
                mark = b.let(tile_index(b, end))
                with b.when(b.load(seen, mark, I8).eq(0)):
                    b.store(seen, mark, const(1, I8))
                    b.put("fuel", b.get("fuel", I64) - cost)
                    b.bind(node.slot, end, node.body)
                    with b.arena_scope():
                        test = b.let(_is_true(b, b.expression(node.body)))
                    with b.when(test):
                        found.add(end)
                del inner
        b.spend(0)
    for key in fresh:
        del b.known[key]
    given = found.found()
    return Value(node.type, given.parts, certain=True)


def _is_true(b: Emitter, value: Value) -> Expression:
    return value.only.eq(1)


LOWERINGS: dict[Operation, Lowering] = {
    Operation.LENGTH: _length,
    Operation.AT: _at,
    Operation.ENUM_NUMBER: _enum_number,
    Operation.CONTAINS: _search,
    Operation.FIND: _search,
    Operation.COUNT_VALUE: _search,
    Operation.FIRST: _end,
    Operation.LAST: _end,
    Operation.COPY: _copy,
    Operation.SUM: _sum,
    Operation.LARGEST: _extreme,
    Operation.SMALLEST: _extreme,
}
QUERIES: dict[Operation, Callable[[Emitter, p.Query], Value]] = {
    Operation.ANY: _over_list(_any_or_all, prefilters=True),
    Operation.ALL: _over_list(_any_or_all),
    Operation.COUNT: _over_list(_count, prefilters=True),
    Operation.WHERE: _over_list(_where, prefilters=True),
    Operation.FIRST_WHERE: _over_list(_first_where, prefilters=True),
    Operation.UNTIL: _over_list(_until),
    Operation.SUM_OF: _over_list(_sum_of),
    Operation.LARGEST_OF: _over_list(_extreme_of),
    Operation.SMALLEST_OF: _over_list(_extreme_of),
    Operation.SORTED: _over_list(_sorted),
    Operation.MOST_OF: _over_list(_most),
    Operation.LEAST_OF: _over_list(_most),
    Operation.MAP: _over_list(_map),
    Operation.TABLE_OF: _over_list(_map),
    Operation.REGION: _region,
}
