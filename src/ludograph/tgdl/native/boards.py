"""The board, lowered: what no play can change is read from constant tables."""

import struct
from collections.abc import Callable, Sequence
from typing import Any

from ludograph.tgdl.library import Operation
from ludograph.tgdl.memory import Instance
from ludograph.tgdl.native.code import address, binary, compare, const, select, widen
from ludograph.tgdl.native.constants import list_data, number_of
from ludograph.tgdl.native.images import pack
from ludograph.tgdl.native.ir import I1, I32, I64, Const, Expression, Op
from ludograph.tgdl.native.plan import Family
from ludograph.tgdl.native.unit import Body, Unsupported, Value
from ludograph.tgdl.program import Apply, ConstructKind
from ludograph.tgdl.types import Basic, ConstructType, ListType, Type


def tile_families(b: Body) -> list[Family]:
    return [family for family in b.plan.families if family.kind is ConstructKind.TILE]


def tiles_in_order(b: Body) -> list[Instance]:
    """All tiles, family by family: their places here are their indexes."""
    if b.world.changes:
        raise Unsupported("boards that change")
    assert b.world.start is not None
    return [tile for family in tile_families(b) for tile in b.plan.members(b.world.start, family)]


def tile_count(b: Body) -> int:
    return len(tiles_in_order(b))


def tile_index(b: Body, tile: Value) -> Expression:
    """The index of a tile among all tiles."""
    rep = b.plan.rep(tile.type)
    assert b.world.start is not None
    bases: dict[int, int] = {}
    at = 0
    for family in tile_families(b):
        bases[family.index] = at
        at += len(b.plan.members(b.world.start, family))
    if rep.shape != "wide":
        base = bases[b.family_of(tile).index]
        return b.let(binary("add", widen(tile.only, I64), base))
    row = b"".join(struct.pack("<i", bases.get(family.index, 0)) for family in b.plan.families)
    table = b.unit.data(row, hint="bases")
    index = binary("lshr", tile.only, 32)
    base_of = b.load(table, binary("mul", index, 4), I32, constant=True)
    low = Op("and", (tile.only, const(0xFFFFFFFF)), I64)
    return b.let(binary("add", low, widen(base_of, I64)))


def row_table(b: Body, rows: Sequence[Sequence[Any]], element: Type, index: Expression, hint: str) -> Value:
    """The list at an index of constant lists."""
    item = b.plan.rep(element)
    flat = [value for row in rows for value in row]
    data = list_data(b.unit, flat, element)
    starts = b""
    at = 0
    for row in rows:
        starts += struct.pack("<ii", at * item.size, len(row))
        at += len(row)
    table = b.unit.data(starts, hint=hint)
    place = b.let(binary("mul", index, 8))
    start = b.load(table, place, I32, constant=True)
    length = b.load(table, b.let(binary("add", place, 4)), I32, constant=True)
    return b.keep(
        Value(ListType(element), (address(data, widen(start, I64)), widen(length, I64)), certain=True)
    )


def value_table(b: Body, values: Sequence[Any], type: Type, index: Expression, hint: str) -> Value:
    """The value at an index of constant values."""
    rep = b.plan.rep(type)
    assert rep.stored is not None
    row = b"".join(pack(rep.stored, number_of(b.unit, rep, value)) for value in values)
    table = b.unit.data(row, hint=hint)
    return b.read(table, b.let(binary("mul", index, rep.size)), type, constant=True)


def adjacent_of(b: Body, tile: Value, element: Type) -> Value:
    topology = b.world.topology
    rows = [topology.adjacent.get(each, ()) for each in tiles_in_order(b)]
    return row_table(b, rows, element, tile_index(b, tile), "adjacent")


def lower_board(b: Body, node: Apply) -> Value | None:
    """An operation on tiles and groups that reads the board; None if it is another kind."""
    topology = b.world.topology
    readers: dict[Operation, Callable[[Instance], Any]] = {
        Operation.ADJACENT: lambda tile: topology.adjacent.get(tile, ()),
        Operation.CORNERS: lambda tile: topology.corners.get(tile, ()),
        Operation.SIDES: lambda tile: topology.sides.get(tile, ()),
        Operation.CELLS: lambda tile: topology.cells.get(tile, ()),
        Operation.ROW: topology.row.get,
        Operation.COLUMN: topology.column.get,
        Operation.GROUP_OF: lambda tile: b.world.singletons.get(topology.group.get(tile, "")),
    }
    operation = node.operation
    if operation in readers:
        target = b.value(node.operands[0])
        found = [readers[operation](tile) for tile in tiles_in_order(b)]
        if isinstance(node.type, ListType):
            return row_table(b, found, node.type.element, tile_index(b, target), operation.name.lower())
        return value_table(b, found, node.type, tile_index(b, target), operation.name.lower())
    match operation:
        case Operation.NEXT:
            return _next(b, node)
        case Operation.LINE:
            return _line(b, node)
        case Operation.LINES:
            return _lines(b, node)
        case Operation.BETWEEN:
            return _between(b, node)
        case Operation.DISTANCE:
            return _distance(b, node)
        case Operation.TILES:
            return _tiles(b, node)
        case Operation.TILE_AT:
            return _tile_at(b, node)
        case _:
            return None


def _ways(b: Body) -> list[tuple[Instance | None, ...]]:
    return [b.world.topology.next.get(tile, ()) for tile in tiles_in_order(b)]


def _direction(b: Body, value: Value, ways: int) -> Expression:
    """A direction; they wrap."""
    number = b.as_whole(value.only)
    if isinstance(number, Const):
        return const(int(number.value) % ways)
    number = b.let(number)
    if ways & (ways - 1) == 0:
        return b.let(Op("and", (number, const(ways - 1)), I64))
    left = b.let(Op("srem", (number, const(ways)), I64))
    return b.let(select(compare("slt", left, 0), binary("add", left, ways), left))


def _next(b: Body, node: Apply) -> Value:
    tile, other = b.value(node.operands[0]), b.value(node.operands[1])
    rows = _ways(b)
    counts = {len(row) for row in rows}
    index = tile_index(b, tile)
    if len(counts) == 1 and counts != {0}:
        ways = counts.pop()
        place = b.let(binary("add", binary("mul", index, ways), _direction(b, other, ways)))
        return value_table(b, [end for row in rows for end in row], node.type, place, "next")
    found = row_table(b, rows, node.type, index, "ways")
    length = found.parts[1]
    parts = [b.variable(part, "next") for part in b.none(node.type).parts]
    with b.when(compare("sgt", length, 0)):
        left = b.let(Op("srem", (b.let(b.as_whole(other.only)), length), I64))
        way = b.let(select(compare("slt", left, 0), binary("add", left, length), left))
        end = b.read(found.parts[0], b.let(binary("mul", way, b.plan.rep(node.type).size)), node.type)
        for local, part in zip(parts, end.parts, strict=True):
            b.set(local, part)
    return Value(node.type, tuple(parts))


def _line(b: Body, node: Apply) -> Value:
    assert isinstance(node.type, ListType)
    tile, other = b.value(node.operands[0]), b.value(node.operands[1])
    tiles, rows = tiles_in_order(b), _ways(b)
    most = max((len(row) for row in rows), default=0) or 1
    lines = [
        b.world.topology.line(each, way) if way < len(row) else ()
        for each, row in zip(tiles, rows, strict=True)
        for way in range(most)
    ]
    index = tile_index(b, tile)
    counts = {len(row) for row in rows}
    if len(counts) == 1:
        way = _direction(b, other, most)
    else:
        lengths = value_table(b, [float(len(row) or 1) for row in rows], Basic.DECIMAL, index, "ways")
        length = b.let(b.as_whole(lengths.only))
        left = b.let(Op("srem", (b.let(b.as_whole(other.only)), length), I64))
        way = b.let(select(compare("slt", left, 0), binary("add", left, length), left))
    place = b.let(binary("add", binary("mul", index, most), way))
    return row_table(b, lines, node.type.element, place, "line")


def _lines(b: Body, node: Apply) -> Value:
    assert isinstance(node.type, ListType) and isinstance(node.type.element, ListType)
    tile = b.value(node.operands[0])
    length = 0
    if len(node.operands) > 1:
        wanted = b.value(node.operands[1])
        if not isinstance(wanted.only, Const):
            raise Unsupported("lines of a length that is not constant")
        length = max(1, int(wanted.only.value))
    rows = [b.world.topology.runs(each, length) for each in tiles_in_order(b)]
    return row_table(b, rows, node.type.element, tile_index(b, tile), "lines")


def _between(b: Body, node: Apply) -> Value:
    assert isinstance(node.type, ListType)
    first, second = b.value(node.operands[0]), b.value(node.operands[1])
    tiles = tiles_in_order(b)
    rows = [b.world.topology.between(one, other) for one in tiles for other in tiles]
    start, end = tile_index(b, first), tile_index(b, second)
    place = b.let(binary("add", binary("mul", start, len(tiles)), end))
    return row_table(b, rows, node.type.element, place, "between")


def _distance(b: Body, node: Apply) -> Value:
    first, second = b.value(node.operands[0]), b.value(node.operands[1])
    tiles = tiles_in_order(b)
    values = [b.world.topology.distance(one, other) for one in tiles for other in tiles]
    start, end = tile_index(b, first), tile_index(b, second)
    place = b.let(binary("add", binary("mul", start, len(tiles)), end))
    return value_table(b, values, Basic.DECIMAL, place, "distance")


def _group_names(b: Body) -> list[str]:
    return list(b.world.topology.tiles)


def _tiles(b: Body, node: Apply) -> Value:
    """The tiles of a group; of the board, those of all groups."""
    assert isinstance(node.type, ListType)
    group = b.value(node.operands[0])
    tiles = b.world.topology.tiles

    def of(name: str) -> tuple[Instance, ...]:
        return tiles[name] if name in tiles else tuple(tile for each in tiles.values() for tile in each)

    assert isinstance(group.type, ConstructType)
    families = b.plan.families_of(group.type.name)
    if len(families) == 1:
        found = of(families[0].name)
        data = list_data(b.unit, found, node.type.element)
        return Value(node.type, (data, const(len(found))), certain=True)
    rows = [of(family.name) if family.kind is ConstructKind.GROUP else () for family in b.plan.families]
    index = b.let(binary("lshr", group.only, 32))
    return row_table(b, rows, node.type.element, index, "tiles")


def _tile_at(b: Body, node: Apply) -> Value:
    group, row, column = (b.value(operand) for operand in node.operands)
    assert isinstance(group.type, ConstructType)
    families = b.plan.families_of(group.type.name)
    if len(families) != 1:
        raise Unsupported("tiles of a group that is not known")
    spots = b.world.topology.at.get(families[0].name, {})
    if not spots:
        return b.none(node.type)
    first_row, last_row = min(r for r, _ in spots), max(r for r, _ in spots)
    first_column, last_column = min(c for _, c in spots), max(c for _, c in spots)
    width, height = last_column - first_column + 1, last_row - first_row + 1
    values = [
        spots.get((r, c))
        for r in range(first_row, last_row + 1)
        for c in range(first_column, last_column + 1)
    ]
    at_row = b.let(binary("sub", b.as_whole(row.only), first_row))
    at_column = b.let(binary("sub", b.as_whole(column.only), first_column))
    inside = Op("and", (compare("ult", at_row, height), compare("ult", at_column, width)), I1)
    none = b.none(node.type).only
    place = b.let(select(inside, binary("add", binary("mul", at_row, width), at_column), const(0)))
    found = value_table(b, values, node.type, place, "spots")
    return Value(node.type, (b.let(select(inside, found.only, none)),))
