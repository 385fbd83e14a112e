"""Lowering of board queries on a fixed board: the answers are in constant tables."""

import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct

from ludograph.tgdl.native.ir.builder import address, const, select, widen
from ludograph.tgdl.native.ir.nodes import I1, I32, I64, Const, Data, Expression
from ludograph.tgdl.native.layout.encoding import pack
from ludograph.tgdl.native.layout.plan import Family
from ludograph.tgdl.native.layout.status import Unsupported
from ludograph.tgdl.native.lower.board.board_state import for_group, is_on_board, tile_families, tile_list
from ludograph.tgdl.native.lower.emitter import Emitter, Lowering
from ludograph.tgdl.native.lower.fuel import pay
from ludograph.tgdl.native.lower.list_costs import pay_for_value
from ludograph.tgdl.native.lower.unit import Value
from ludograph.tgdl.native.lower.values.constants import list_data, number_of
from ludograph.tgdl.program import Apply, ConstructKind
from ludograph.tgdl.program.operations import Operation
from ludograph.tgdl.program.types import Basic, ConstructType, ListType, Type
from ludograph.tgdl.world import fuel
from ludograph.tgdl.world.fuel import distance_price
from ludograph.tgdl.world.memory import Instance
from ludograph.tgdl.world.world import World

MAX_TABLE_SIZE = 1_000_000
"""The most entries of all tables of the board. Python takes some microseconds for each."""
ENTRIES_OF_LIST = 4
"""A list in a table takes as long as so many entries."""


def tiles_in_order(b: Emitter) -> list[Instance]:
    """All tiles, family by family, in the order of their indexes."""
    assert b.world.start is not None and not b.plan.changes
    return [tile for family in tile_families(b) for tile in b.plan.members(b.world.start, family)]


def tile_count(b: Emitter) -> int:
    """The number of tiles; if play may create tiles, the capacity."""
    return sum(_capacity(b, family) for family in tile_families(b))


def first_tiles(b: Emitter) -> list[Instance | None]:
    """The tiles of the start by index; None for tiles that play may create."""
    assert b.world.start is not None
    found: list[Instance | None] = []
    for family in tile_families(b):
        members = b.plan.members(b.world.start, family)
        found += [*members, *[None] * (_capacity(b, family) - len(members))]
    return found


def _capacity(b: Emitter, family: Family) -> int:
    assert b.world.start is not None
    return family.capacity if b.plan.changes else len(b.plan.members(b.world.start, family))


def tile_index(b: Emitter, tile: Value) -> Expression:
    """The index of a tile among all tiles."""
    rep = b.plan.rep(tile.type)
    bases: dict[int, int] = {}
    at = 0
    for family in tile_families(b):
        bases[family.index] = at
        at += _capacity(b, family)
    if rep.shape != "wide":
        base = bases[b.family_of(tile).index]
        return b.let(widen(tile.only, I64) + base)
    row = b"".join(struct.pack("<i", bases.get(family.index, 0)) for family in b.plan.families)
    table = b.unit.data(row, hint="bases")
    index = tile.only >> 32
    base_of = b.load(table, index * 4, I32, constant=True)
    low = tile.only & 0xFFFFFFFF
    return b.let(low + widen(base_of, I64))


class RowTable(Struct, frozen=True):
    """A constant table of lists."""

    elements: Data
    starts: Data
    """The place of the first element and the length of each list."""
    longest: int
    """The most elements of a list, and of the lists in it."""


def row_table(
    b: Emitter, rows: Iterable[Sequence[Any]], element: Type, index: Expression, hint: str
) -> Value:
    """The list at an index of a constant table of lists."""
    return row_at(b, _make_rows(b, rows, element, hint), element, index)


def kept_rows(
    b: Emitter, key: object, find: Callable[[], Iterable[Sequence[Any]]], element: Type, hint: str
) -> RowTable:
    """A constant table of lists that is made once for the whole program, for a key."""
    return b.unit.once((RowTable, key, hint, element), lambda: _make_rows(b, find(), element, hint))


def _make_rows(b: Emitter, rows: Iterable[Sequence[Any]], element: Type, hint: str) -> RowTable:
    item = b.plan.rep(element)
    is_nested = isinstance(element, ListType)
    flat: list[Any] = []
    starts = bytearray()
    longest = 0
    for row in rows:
        starts += struct.pack("<ii", len(flat) * item.size, len(row))
        flat += row
        size = len(row) + sum(map(len, row)) if is_nested else len(row)
        longest = max(longest, size)
        b.unit.board_entries += size + ENTRIES_OF_LIST * (len(row) if is_nested else 1)
        _check_table_size(b.unit.board_entries)
    return RowTable(list_data(b.unit, flat, element), b.unit.data(bytes(starts), hint=hint), longest)


def row_at(b: Emitter, table: RowTable, element: Type, index: Expression) -> Value:
    place = b.let(index * 8)
    start = b.load(table.starts, place, I32, constant=True)
    length = b.load(table.starts, b.let(place + 4), I32, constant=True)
    return b.keep(
        Value(
            ListType(element), (address(table.elements, widen(start, I64)), widen(length, I64)), certain=True
        )
    )


def value_table(b: Emitter, values: Sequence[Any], type: Type, index: Expression, hint: str) -> Value:
    """The value at an index of a constant table."""
    return _value_at(b, _make_values(b, values, type, hint), type, index)


def _make_values(b: Emitter, values: Iterable[Any], type: Type, hint: str) -> Data:
    rep = b.plan.rep(type)
    assert rep.stored is not None
    stored = rep.stored
    return b.unit.data(b"".join(pack(stored, number_of(b.unit, rep, value)) for value in values), hint=hint)


def _value_at(b: Emitter, table: Data, type: Type, index: Expression) -> Value:
    return b.read(table, b.let(index * b.plan.rep(type).size), type, constant=True)


def adjacent_of(b: Emitter, tile: Value, element: Type) -> Value:
    """The neighbours of a tile."""
    if b.plan.changes:
        return b.coerce(tile_list(b, tile, "adjacent"), ListType(element))
    adjacent = b.world.topology.adjacent
    table = kept_rows(
        b, None, lambda: (adjacent.get(each, ()) for each in tiles_in_order(b)), element, "adjacent"
    )
    return row_at(b, table, element, tile_index(b, tile))


def is_placed(b: Emitter, tile: Value) -> Expression:
    """Whether a tile is on the board."""
    return is_on_board(b, tile) if b.plan.changes else const(1, I1)


TILE_READERS: dict[Operation, Callable[[World, Instance], Any]] = {
    Operation.ADJACENT: lambda world, tile: world.topology.adjacent.get(tile, ()),
    Operation.CORNERS: lambda world, tile: world.topology.corners.get(tile, ()),
    Operation.SIDES: lambda world, tile: world.topology.sides.get(tile, ()),
    Operation.CELLS: lambda world, tile: world.topology.cells.get(tile, ()),
    Operation.ROW: lambda world, tile: world.topology.row.get(tile),
    Operation.COLUMN: lambda world, tile: world.topology.column.get(tile),
    Operation.GROUP_OF: lambda world, tile: world.singletons.get(world.topology.group.get(tile, "")),
}


def _read_tile(b: Emitter, node: Apply) -> Value:
    """An operation that reads one entry of a constant table for each tile."""
    target = b.value(node.operands[0])
    read, hint = TILE_READERS[node.operation], node.operation.name.lower()
    index = tile_index(b, target)

    def find() -> Iterator[Any]:
        return (read(b.world, tile) for tile in tiles_in_order(b))

    if isinstance(node.type, ListType):
        return row_at(b, kept_rows(b, None, find, node.type.element, hint), node.type.element, index)
    table = b.unit.once((Data, hint, node.type), lambda: _make_values(b, find(), node.type, hint))
    return _value_at(b, table, node.type, index)


def _check_table_size(entries: int) -> None:
    """Very large tables are not supported: the reference engine plays such games."""
    if entries > MAX_TABLE_SIZE:
        raise Unsupported(f"tables of the board with more than {MAX_TABLE_SIZE:,} entries")


def _ways(b: Emitter) -> list[tuple[Instance | None, ...]]:
    return [b.world.topology.next.get(tile, ()) for tile in tiles_in_order(b)]


def way_counts(b: Emitter) -> frozenset[int]:
    """The different numbers of directions of tiles."""
    return b.unit.once(way_counts, lambda: frozenset(map(len, _ways(b))))


def _next(b: Emitter, node: Apply) -> Value:
    tile, other = b.value(node.operands[0]), b.value(node.operands[1])
    counts = way_counts(b)
    index = tile_index(b, tile)
    if len(counts) == 1 and counts != {0}:
        (ways,) = counts
        place = b.let(index * ways + b.wrapped(other.only, ways))
        table = b.unit.once(
            (Data, "next", node.type),
            lambda: _make_values(b, (end for row in _ways(b) for end in row), node.type, "next"),
        )
        return _value_at(b, table, node.type, place)
    found = row_at(b, kept_rows(b, None, lambda: _ways(b), node.type, "ways"), node.type, index)
    length = found.parts[1]
    result = b.holder(node.type, "next")
    with b.when(length > 0):
        way = b.wrapped(other.only, length)
        b.assign(result, b.read(found.parts[0], b.let(way * b.plan.rep(node.type).size), node.type))
    return result


def _line(b: Emitter, node: Apply) -> Value:
    """A line, if all tiles have the same number of directions."""
    assert isinstance(node.type, ListType)
    tile, other = b.value(node.operands[0]), b.value(node.operands[1])
    (ways,) = way_counts(b)
    line = b.world.topology.line
    place = b.let(tile_index(b, tile) * ways + b.wrapped(other.only, ways or 1))
    table = kept_rows(
        b,
        None,
        lambda: (line(each, way) for each in tiles_in_order(b) for way in range(ways)),
        node.type.element,
        "line",
    )
    found = row_at(b, table, node.type.element, place)
    if table.longest >= fuel.GRAIN:
        pay(b, found.parts[1])
    return found


def _lines(b: Emitter, node: Apply) -> Value:
    """Lines of a static length."""
    assert isinstance(node.type, ListType) and isinstance(node.type.element, ListType)
    tile = b.value(node.operands[0])
    length = 0
    if len(node.operands) > 1:
        wanted = b.value(node.operands[1])
        assert isinstance(wanted.only, Const)
        length = max(1, int(wanted.only.value))
    runs = b.world.topology.runs
    table = kept_rows(
        b,
        length,
        lambda: (runs(each, length) for each in tiles_in_order(b)),
        node.type.element,
        "lines",
    )
    found = row_at(b, table, node.type.element, tile_index(b, tile))
    if table.longest >= fuel.GRAIN:
        pay_for_value(b, found)
    return found


def _between(b: Emitter, node: Apply) -> Value:
    assert isinstance(node.type, ListType)
    first, second = b.value(node.operands[0]), b.value(node.operands[1])
    tiles = tiles_in_order(b)
    pay(b, const(len(tiles)))
    _check_table_size(ENTRIES_OF_LIST * len(tiles) ** 2)
    between = b.world.topology.between
    table = kept_rows(
        b,
        None,
        lambda: (between(one, other) for one in tiles for other in tiles),
        node.type.element,
        "between",
    )
    start, end = tile_index(b, first), tile_index(b, second)
    return row_at(b, table, node.type.element, b.let(start * len(tiles) + end))


def _distance(b: Emitter, node: Apply) -> Value:
    first, second = b.value(node.operands[0]), b.value(node.operands[1])
    tiles = tiles_in_order(b)
    b.spend(distance_price(b.world, len(tiles)))
    _check_table_size(len(tiles) ** 2)
    distance = b.world.topology.distance
    table = b.unit.once(
        (Data, "distance"),
        lambda: _make_values(
            b, (distance(one, other) for one in tiles for other in tiles), Basic.DECIMAL, "distance"
        ),
    )
    start, end = tile_index(b, first), tile_index(b, second)
    return _value_at(b, table, Basic.DECIMAL, b.let(start * len(tiles) + end))


def _tiles(b: Emitter, node: Apply) -> Value:
    """The tiles of a group; of the board, those of all groups."""
    assert isinstance(node.type, ListType)
    item = node.type.element
    group = b.value(node.operands[0])
    tiles = b.world.topology.tiles
    assert isinstance(group.type, ConstructType)

    def listed(found: Sequence[Instance]) -> Value:
        return Value(ListType(item), (list_data(b.unit, found, item), const(len(found))), certain=True)

    if b.plan.families_of(group.type.name)[0].kind is ConstructKind.BOARD:
        everything = listed([tile for each in tiles.values() for tile in each])
        pay(b, everything.parts[1])
        return everything
    given = for_group(b, group, node.type, lambda one: listed(tiles.get(one.kind.name, ())))
    return Value(node.type, given.parts, certain=True)


def _groups(b: Emitter, node: Apply) -> Value:
    """The groups of the board."""
    assert isinstance(node.type, ListType)
    b.value(node.operands[0])
    found = [b.world.singletons[plan.name] for plan in b.world.plans]
    groups = Value(node.type, (list_data(b.unit, found, node.type.element), const(len(found))), certain=True)
    pay(b, groups.parts[1])
    return groups


def _tile_at(b: Emitter, node: Apply) -> Value:
    group, row, column = (b.value(operand) for operand in node.operands)
    whole = [b.as_whole(each.only) for each in (row, column)]
    return for_group(b, group, node.type, lambda one: _tile_of(b, one, node.type, *whole))


def _tile_of(b: Emitter, group: Instance, type: Type, row: Expression, column: Expression) -> Value:
    spots = b.world.topology.at.get(group.kind.name, {})
    if not spots:
        return b.none(type)
    first_row, last_row = min(r for r, _ in spots), max(r for r, _ in spots)
    first_column, last_column = min(c for _, c in spots), max(c for _, c in spots)
    width, height = last_column - first_column + 1, last_row - first_row + 1
    values = [
        spots.get((r, c))
        for r in range(first_row, last_row + 1)
        for c in range(first_column, last_column + 1)
    ]
    at_row = b.let(row - first_row)
    at_column = b.let(column - first_column)
    inside = at_row.ult(height) & at_column.ult(width)
    place = b.let(select(inside, at_row * width + at_column, const(0)))
    found = value_table(b, values, type, place, "spots")
    return Value(type, (b.let(select(inside, found.only, b.none(type).only)),))


LOWERINGS: dict[Operation, Lowering] = {
    **dict.fromkeys(TILE_READERS, _read_tile),
    Operation.NEXT: _next,
    Operation.LINE: _line,
    Operation.LINES: _lines,
    Operation.BETWEEN: _between,
    Operation.DISTANCE: _distance,
    Operation.TILES: _tiles,
    Operation.GROUPS: _groups,
    Operation.TILE_AT: _tile_at,
}
