"""Lists and tables, compiled. Both are tuples: an entry is changed by making a new one."""

from collections.abc import Callable
from typing import Any

from ludograph.tgdl import program as p
from ludograph.tgdl.program.operations import Operation
from ludograph.tgdl.program.types import Basic, ConstructType, EnumType, ListType, TableType, Type
from ludograph.tgdl.reference.compile.compiler import Compiler, OperationCompiler
from ludograph.tgdl.reference.fuel_costs import Equal, equality_inside, new_list_payment, pay
from ludograph.tgdl.reference.run import Run
from ludograph.tgdl.reference.table_keys import completer, keys_of, place_of
from ludograph.tgdl.world.faults import Site
from ludograph.tgdl.world.fuel import comparison_effort
from ludograph.tgdl.world.table_keys import key_count
from ludograph.tgdl.world.values import MAX_LIST_LENGTH, MAX_NUMBER, are_alike, element_of
from ludograph.tgdl.world.world import Closure, Frame

ToIndex = Callable[[Run, Any], int]
Items = tuple[Any, ...]
Seers = frozenset[int] | None
Changed = tuple[Items, Any]
"""The list after a change, and the value that the operation gives."""
ListMutation = Callable[[Run, Items, list[Any], Seers], Changed]
"""Changes a list: from the old list, the operands and who may see them."""


def _length(c: Compiler, node: p.Apply) -> Closure:
    items = c.value(node.operands[0])
    return lambda run, frame: float(len(items(run, frame)))


def _first(c: Compiler, node: p.Apply) -> Closure:
    items = c.value(node.operands[0])
    return lambda run, frame: (items(run, frame) or (None,))[0]


def _last(c: Compiler, node: p.Apply) -> Closure:
    items = c.value(node.operands[0])
    return lambda run, frame: (items(run, frame) or (None,))[-1]


def _copy(c: Compiler, node: p.Apply) -> Closure:
    return c.expression(node.operands[0])


def _sum(c: Compiler, node: p.Apply) -> Closure:
    items, site = _searched(c, node), c.site(node.span)
    return lambda run, frame: total(run, items(run, frame), site)


def _extreme(c: Compiler, node: p.Apply) -> Closure:
    items, site = _searched(c, node), c.site(node.span)
    work: Callable[[Any], Any] = max if node.operation is Operation.LARGEST else min
    return lambda run, frame: extreme(run, items(run, frame), work, site)


def total(run: Run, items: Any, site: Site) -> float:
    try:
        result: float = 0.0
        for item in items:
            result += item
    except TypeError:
        raise run.new_fault("TG0501", "the numbers to add contain none", site) from None
    if not -MAX_NUMBER <= result <= MAX_NUMBER:
        run.fault("TG0503", "the sum is not a number that a decimal can hold", site)
    return result


def extreme(run: Run, items: Any, work: Callable[[Any], Any], site: Site) -> Any:
    if not items:
        return None
    if None in items:
        run.fault("TG0501", "the values to compare contain none", site)
    return work(items)


def index_of(
    c: Compiler, type: Type, key_node: p.Expression, site: Site, *, may_be_negative: bool = False
) -> ToIndex:
    """How an index or key becomes a place in a list or table. Only what is read may be negative."""
    words, also = c.none_of(key_node)
    if also[0][1] == site:
        also = also[1:]  # it is shown already
    match type:
        case TableType(ConstructType(name), _):
            places = c.tile_keys(name)

            def by_tile(run: Run, key: Any) -> int:
                if key is None:
                    run.fault("TG0501", f"the key of a table must not be none{words}", site, also)
                found = places.get(key)
                return place_of(run, name, key) if found is None else found

            return by_tile
        case TableType(Basic.PLAYER | EnumType(), _):

            def by_key(run: Run, key: Any) -> int:
                if key is None:
                    run.fault("TG0501", f"the key of a table must not be none{words}", site, also)
                return int(key)

            return by_key
        case _:

            def by_index(run: Run, key: Any) -> int:
                if key is None:
                    run.fault("TG0501", f"an index must not be none{words}", site, also)
                return int(key) if may_be_negative else by_number(run, key, site)

            return by_index


def by_number(run: Run, key: Any, site: Site) -> int:
    if key is None:
        run.fault("TG0501", "an index must not be none", site)
    place = int(key)
    if place < 0:
        run.fault("TG0504", f"an index is never negative, but this is {place}", site)
    return place


def _at(c: Compiler, node: p.Apply) -> Closure:
    held, key_node = node.operands
    items, key = c.value(held), c.expression(key_node)
    site = c.site(key_node.span)
    to_index = index_of(c, held.type, key_node, site, may_be_negative=True)
    complete = completer(c.world, held.type)
    if complete is not None:

        def by_tile(run: Run, frame: Frame) -> Any:
            values = items(run, frame)
            place = to_index(run, key(run, frame))
            values = complete(run, values)  # the key may have been made just now
            return values[place] if place < len(values) else None

        return by_tile

    if isinstance(held.type, TableType) and held.type.key is Basic.PLAYER:

        def by_player(run: Run, frame: Frame) -> Any:
            values = items(run, frame)
            player = key(run, frame)
            return values[int(player) if player is not None else to_index(run, None)]

        return by_player

    if isinstance(key_node, p.Literal) and isinstance(key_node.value, int | float) and key_node.value >= 0:
        known = int(key_node.value)

        def by_literal(run: Run, frame: Frame) -> Any:
            values = items(run, frame)
            return values[known] if known < len(values) else None

        return by_literal

    def code(run: Run, frame: Frame) -> Any:
        values = items(run, frame)
        place = to_index(run, key(run, frame))
        return values[place] if 0 <= place < len(values) else None

    return code


def _enum_number(c: Compiler, node: p.Apply) -> Closure:
    member, *literals = node.operands
    value = c.expression(member)
    numbers = [float(one.value) for one in literals if isinstance(one, p.Literal) and one.value is not None]

    def code(run: Run, frame: Frame) -> Any:
        found = value(run, frame)
        return None if found is None else numbers[int(found)]

    return code


def _searched(c: Compiler, node: p.Apply, effort: int = 1) -> Closure:
    """The list or table that an operation looks through, paid for."""
    items, site = c.value(node.operands[0]), c.site(node.span)

    def code(run: Run, frame: Frame) -> Any:
        values = items(run, frame)
        pay(run, len(values) * effort, site)
        return values

    return code


def _compared(c: Compiler, node: p.Apply) -> Callable[[Run, Frame], tuple[Any, Any]]:
    """The list or table that an operation looks through, and then what it looks for."""
    effort = comparison_effort(element_of(node.operands[0].type), node.operands[1].type)
    items, value = _searched(c, node, effort), c.expression(node.operands[1])
    complete = completer(c.world, node.operands[0].type)
    if complete is None:
        return lambda run, frame: (items(run, frame), value(run, frame))

    def code(run: Run, frame: Frame) -> tuple[Any, Any]:
        values, wanted = items(run, frame), value(run, frame)
        return complete(run, values), wanted

    return code


def _contains(c: Compiler, node: p.Apply) -> Closure:
    compared, equal = _compared(c, node), _equality(c, node)
    if equal is None:

        def code(run: Run, frame: Frame) -> bool:
            values, wanted = compared(run, frame)
            return wanted is not None and wanted in values

        return code

    def deep(run: Run, frame: Frame) -> bool:
        values, wanted = compared(run, frame)
        return any(equal(run, item, wanted) for item in values)

    return deep


def _count(c: Compiler, node: p.Apply) -> Closure:
    compared, equal = _compared(c, node), _equality(c, node)
    if equal is None:

        def code(run: Run, frame: Frame) -> float:
            values, wanted = compared(run, frame)
            return 0.0 if wanted is None else float(values.count(wanted))

        return code

    def deep(run: Run, frame: Frame) -> float:
        values, wanted = compared(run, frame)
        return float(len([item for item in values if equal(run, item, wanted)]))

    return deep


def _find(c: Compiler, node: p.Apply) -> Closure:
    compared, equal = _compared(c, node), _equality(c, node)
    key = node.operands[0].type.key if isinstance(node.operands[0].type, TableType) else None

    def code(run: Run, frame: Frame) -> Any:
        values, wanted = compared(run, frame)
        place = _place_of(run, values, wanted, equal)
        if place is None:
            return None
        return keys_of(run, key)[place] if key is not None else float(place)

    return code


def _place_of(run: Run, values: tuple[Any, ...], wanted: Any, equal: Equal | None) -> int | None:
    """Where the first of some values is that equals what is wanted."""
    if equal is None:
        return values.index(wanted) if wanted is not None and wanted in values else None
    for place, item in enumerate(values):
        if equal(run, item, wanted):
            return place
    return None


def _equality(c: Compiler, node: p.Apply) -> Equal | None:
    """How elements are compared with what is looked for: the literal none finds none, as with `==`.

    None: as Python does it.
    """
    held, wanted = node.operands
    return _comparison(element_of(held.type), wanted, c.site(node.span))


def _comparison(element: Type, wanted: p.Expression, site: Site) -> Equal | None:
    if _is_none(wanted):
        return lambda run, item, wanted: item is None
    return None if are_alike(element, wanted.type) else equality_inside(element, wanted.type, site)


def _is_none(node: p.Expression) -> bool:
    return isinstance(node, p.Literal) and node.value is None


def make_list(c: Compiler, node: p.MakeList) -> Closure:
    items = [c.stored(item, element_type(node.type)) for item in node.items]
    if not items:
        return lambda run, frame: ()
    return _made(c, node, lambda run, frame: tuple([item(run, frame) for item in items]))


def make_table(c: Compiler, node: p.MakeTable) -> Closure:
    assert isinstance(node.type, TableType)
    key = node.type.key
    if node.fill is not None:
        fill = c.stored(node.fill, node.type.value)
        return _made(c, node, lambda run, frame: (fill(run, frame),) * key_count(run.world, run.memory, key))
    items = [c.stored(item, node.type.value) for item in node.items]
    site = c.site(node.span)
    if (
        isinstance(key, int) and len(items) != key
    ):  # it has the size of an option, or of what follows from one
        message = f"the table has {key} {'entry' if key == 1 else 'entries'}, found {len(items)}"
        return lambda run, frame: run.fault("TG0516", message, site)
    if not isinstance(key, ConstructType):
        return _made(c, node, lambda run, frame: tuple([item(run, frame) for item in items]))

    def by_tiles(run: Run, frame: Frame) -> tuple[Any, ...]:
        needed = key_count(run.world, run.memory, key)
        if len(items) != needed:
            run.fault("TG0516", f"there are {needed} tiles of {key.name}, but {len(items)} entries", site)
        return tuple([item(run, frame) for item in items])

    return _made(c, node, by_tiles)


def _made(c: Compiler, node: p.MakeList | p.MakeTable, code: Closure) -> Closure:
    """The code of a list or table that is paid for, and must not have too much in it."""
    charge, complete = new_list_payment(node.type, c.site(node.span)), completer(c.world, node.type)

    def made(run: Run, frame: Frame) -> Any:
        value = code(run, frame)
        if complete is not None:  # an item may have made tiles
            value = complete(run, value)
        charge(run, value)
        return value

    return made


def replaced(
    run: Run, values: tuple[Any, ...], place: int, value: Any, fill: Any, site: Site
) -> tuple[Any, ...]:
    """A list or table with one entry changed; a list is filled up to the place."""
    if place < len(values):
        return values[:place] + (value,) + values[place + 1 :]  # noqa: RUF005  # twice as fast
    check_length(run, place + 1, site)
    return (*values, *[fill] * (place - len(values)), value)


def check_length(run: Run, length: int, site: Site) -> None:
    if length > MAX_LIST_LENGTH:
        run.fault("TG0505", f"a list has at most {MAX_LIST_LENGTH} elements", site)


def element_type(type: Type) -> Type:
    match type:
        case ListType(element) | TableType(_, element):
            return element
        case _:
            return Basic.OBJECT


# Lists that change


def _add_item(node: p.Mutate, site: Site) -> ListMutation:
    def add(run: Run, old: Items, values: list[Any], seers: Seers) -> Changed:
        check_length(run, len(old) + 1, site)
        return (*old, values[0]), None

    return add


def _append(node: p.Mutate, site: Site) -> ListMutation:
    def append(run: Run, old: Items, values: list[Any], seers: Seers) -> Changed:
        other = values[0]
        if other is None:
            run.fault("TG0501", "the list to append is none", site)
        check_length(run, len(old) + len(other), site)
        return old + other, None

    return append


def _clear(node: p.Mutate, site: Site) -> ListMutation:
    return lambda run, old, values, seers: ((), None)


def _remove_at(node: p.Mutate, site: Site) -> ListMutation:
    def remove(run: Run, old: Items, values: list[Any], seers: Seers) -> Changed:
        place = by_number(run, values[0], site)
        return old[:place] + old[place + 1 :], None

    return remove


def _remove(node: p.Mutate, site: Site) -> ListMutation:
    equal = _comparison(element_of(node.place.type), node.operands[0], site)
    effort = comparison_effort(element_of(node.place.type), node.operands[0].type)

    def remove(run: Run, old: Items, values: list[Any], seers: Seers) -> Changed:
        pay(run, len(old) * effort, site)
        found = _place_of(run, old, values[0], equal)
        return (old if found is None else old[:found] + old[found + 1 :]), None

    return remove


def _remove_range(node: p.Mutate, site: Site) -> ListMutation:
    without = _without_all(element_of(node.place.type), node.operands[0], site)

    def remove(run: Run, old: Items, values: list[Any], seers: Seers) -> Changed:
        others = values[0]
        if others is None:
            run.fault("TG0501", "the list of values to remove is none", site)
        return without(run, old, others), None

    return remove


def _without_all(
    element: Type, others: p.Expression, site: Site
) -> Callable[[Run, Any, Any], tuple[Any, ...]]:
    """A list without the elements that another has too; each is compared with all of those."""
    other = element_of(others.type)
    equal = None if are_alike(element, other) else equality_inside(element, other, site)
    effort = comparison_effort(element, other)

    def code(run: Run, items: tuple[Any, ...], removed: tuple[Any, ...]) -> tuple[Any, ...]:
        pay(run, len(items) * len(removed) * effort, site)
        if equal is None:
            return tuple([item for item in items if item is None or item not in removed])
        return tuple([item for item in items if not any(equal(run, item, one) for one in removed)])

    return code


def _pop(node: p.Mutate, site: Site) -> ListMutation:
    return lambda run, old, values, seers: (old[:-1], old[-1]) if old else (old, None)


def _shuffle(node: p.Mutate, site: Site) -> ListMutation:
    def shuffle(run: Run, old: Items, values: list[Any], seers: Seers) -> Changed:
        items = list(old)
        for last in range(len(items) - 1, 0, -1):
            place = int(run.chance(range(last + 1), None, site, seers, "shuffle"))
            items[place], items[last] = items[last], items[place]
        return tuple(items), None

    return shuffle


COMPILERS: dict[Operation, OperationCompiler] = {
    Operation.LENGTH: _length,
    Operation.AT: _at,
    Operation.ENUM_NUMBER: _enum_number,
    Operation.CONTAINS: _contains,
    Operation.FIND: _find,
    Operation.COUNT_VALUE: _count,
    Operation.FIRST: _first,
    Operation.LAST: _last,
    Operation.COPY: _copy,
    Operation.SUM: _sum,
    Operation.LARGEST: _extreme,
    Operation.SMALLEST: _extreme,
}
MUTATIONS: dict[Operation, Callable[[p.Mutate, Site], ListMutation]] = {
    Operation.ADD_ITEM: _add_item,
    Operation.APPEND: _append,
    Operation.CLEAR: _clear,
    Operation.REMOVE_AT: _remove_at,
    Operation.REMOVE: _remove,
    Operation.REMOVE_RANGE: _remove_range,
    Operation.POP: _pop,
    Operation.SHUFFLE: _shuffle,
}
"""Compiles each operation that a `Mutate` can name."""
