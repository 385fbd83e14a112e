"""Lowering of board queries where play may change the board."""

from collections.abc import Iterator

from ludograph.tgdl import program as p
from ludograph.tgdl.native.ir.builder import address, const, select, widen
from ludograph.tgdl.native.ir.nodes import F64, I1, I8, I32, I64, PTR, Expression, Local, Op
from ludograph.tgdl.native.lower.board import fixed_boards
from ludograph.tgdl.native.lower.board.board_state import (
    TILE,
    as_tile,
    cell_place,
    for_group,
    get_cell,
    group_list,
    group_of,
    is_absent,
    is_taken,
    tile_at,
    tile_list,
    whole,
)
from ludograph.tgdl.native.lower.board.fixed_boards import (
    first_tiles,
    kept_rows,
    row_at,
    row_table,
    tile_count,
    tile_index,
    value_table,
    way_counts,
)
from ludograph.tgdl.native.lower.board.straight_lines import add_windows, bounded
from ludograph.tgdl.native.lower.board.topology import LINK_WORDS
from ludograph.tgdl.native.lower.emitter import Emitter, Lowering, routine
from ludograph.tgdl.native.lower.fuel import pay
from ludograph.tgdl.native.lower.list_costs import pay_for_value
from ludograph.tgdl.native.lower.routine import BLOCK
from ludograph.tgdl.native.lower.things.players import count_related
from ludograph.tgdl.native.lower.unit import Value
from ludograph.tgdl.native.lower.values.constants import constant
from ludograph.tgdl.native.lower.values.kept_lists import list_at
from ludograph.tgdl.native.lower.values.lists import Collector, at_index, concatenate, each
from ludograph.tgdl.program.operations import Operation
from ludograph.tgdl.program.types import Basic, ConstructType, ListType
from ludograph.tgdl.world import fuel
from ludograph.tgdl.world.fuel import FAR_TILE
from ludograph.tgdl.world.memory import Instance
from ludograph.tgdl.world.topology import MAX_TILES_OF_CACHED_DISTANCES

LISTS = {
    Operation.ADJACENT: "adjacent",
    Operation.CORNERS: "corners",
    Operation.SIDES: "sides",
    Operation.CELLS: "cells",
}
LIST_KINDS = (PTR, I64)
TILES = ListType(TILE)


def _linked_tiles(b: Emitter, node: p.Apply) -> Value:
    tile = b.value(node.operands[0])
    return b.coerce(_listed(b, tile, LISTS[node.operation]), node.type)


def _coordinate(b: Emitter, node: p.Apply) -> Value:
    return get_cell(b, b.value(node.operands[0]), node.operation.name.lower(), Basic.DECIMAL)


def _tile_at(b: Emitter, node: p.Apply) -> Value:
    group = b.value(node.operands[0])
    row, column = (whole(b, b.value(operand).only) for operand in node.operands[1:])
    return for_group(b, group, node.type, lambda one: tile_at(b, one, row, column))


def _fixed_line(b: Emitter, node: p.Apply) -> Value:
    """On a fixed board. No table holds the lines of a graph: a direction has another meaning on each tile."""
    is_graph = len(way_counts(b)) > 1
    return _along(b, node) if is_graph else fixed_boards.LOWERINGS[Operation.LINE](b, node)


def _fixed_lines(b: Emitter, node: p.Apply) -> Value:
    """On a fixed board. No table holds lines whose length is not known at compile time."""
    is_known = len(node.operands) == 1 or isinstance(node.operands[1], p.Literal | p.Setting)
    return fixed_boards.LOWERINGS[Operation.LINES](b, node) if is_known else _runs_of_length(b, node)


def _runs_of_length(b: Emitter, node: p.Apply) -> Value:
    """The windows of a length in all lines through a tile."""
    tile = b.value(node.operands[0])
    length = bounded(b, b.value(node.operands[1]).only)

    def all_lines() -> Iterator[list[tuple[tuple[Instance, ...], int]]]:
        return (b.world.topology.whole_lines(one) for one in first_tiles(b) if one is not None)

    lines = kept_rows(b, "whole", lambda: ([line for line, _ in row] for row in all_lines()), TILES, "lines")
    places = kept_rows(
        b,
        "whole",
        lambda: ([float(place) for _, place in row] for row in all_lines()),
        Basic.DECIMAL,
        "places",
    )
    longest = b.unit.once(
        _runs_of_length, lambda: max((len(line) for row in all_lines() for line, _ in row), default=0)
    )
    index = tile_index(b, tile)
    most = b.let(Op("smin", (length, const(longest)), I64))
    lines_there, places_there = row_at(b, lines, TILES, index), row_at(b, places, Basic.DECIMAL, index)
    found = Collector(b, TILES, b.let(most * lines_there.parts[1]))
    with b.count(lines_there.parts[1]) as (at, _):
        place = b.let(b.as_whole(at_index(b, places_there, at).only))
        add_windows(b, found, at_index(b, lines_there, at), place, length)
    windows = found.found()
    pay_for_value(b, windows)
    return b.coerce(windows, node.type)


def _listed(b: Emitter, tile: Value, key: str) -> Value:
    if key != "adjacent" and key not in b.plan.place_lists:
        return Value(TILES, (b.unit.data(), const(0)), certain=True)
    return tile_list(b, tile, key)


def _group_of(b: Emitter, node: p.Apply) -> Value:
    kind = b.let(group_of(b, b.value(node.operands[0])))
    groups = [
        b.world.singletons.get(each.name) if each.construct.kind is p.ConstructKind.GROUP else None
        for each in b.world.kinds
    ]
    is_away = kind < 0
    index = b.let(widen(select(is_away, const(0, I32), kind), I64))
    found = value_table(b, groups, node.type, index, "groups")
    return Value(node.type, (b.let(select(is_away, b.none(node.type).only, found.only)),))


def _tiles(b: Emitter, node: p.Apply) -> Value:
    """The tiles of a group; of the board, those of all groups."""
    group = b.value(node.operands[0])
    assert isinstance(group.type, ConstructType)
    if b.plan.families_of(group.type.name)[0].kind is not p.ConstructKind.BOARD:
        found = for_group(b, group, TILES, lambda one: group_list(b, one, "tiles", TILE))
        return b.coerce(Value(TILES, found.parts, certain=True, held=("attribute", "tiles")), node.type)
    lists = [group_list(b, b.world.singletons[plan.name], "tiles", TILE) for plan in b.world.plans]
    tiles = concatenate(b, TILE, lists)
    pay(b, tiles.parts[1])
    return b.coerce(tiles, node.type)


def _groups(b: Emitter, node: p.Apply) -> Value:
    """The groups of the board that were not removed."""
    assert isinstance(node.type, ListType)
    b.value(node.operands[0])
    found = Collector(b, node.type.element, const(len(b.world.plans)))
    for plan in b.world.plans:
        group = b.world.singletons[plan.name]
        with b.when(~is_absent(b, group)):
            found.add(constant(b.unit, group, node.type.element))
    groups = found.found()
    pay(b, groups.parts[1])
    return groups


def named_tile(b: Emitter, node: p.NamedTile) -> Value:
    """A tile by its name in the plan of its group, if it is on the board; the last one of that name."""
    found = b.variable(b.none(TILE).only, "named")
    for plan in b.world.plans:
        if plan.name != node.group:
            continue
        with b.when(~is_absent(b, b.world.singletons[plan.name])):
            for place in plan.tiles:
                if place.name == node.name:
                    tile = constant(b.unit, place.tile, TILE)
                    with b.when(~is_taken(b, tile)):
                        b.set(found, tile.only)
    return b.coerce(Value(TILE, (found,)), node.type)


# Directions and lines


def _along(b: Emitter, node: p.Apply) -> Value:
    tile = as_tile(b, b.value(node.operands[0]))
    if len(node.operands) == 1:
        parts = b.run(_runs_function(b.unit), (tile.only, const(0)), LIST_KINDS)
        return _paid(b, Value(ListType(TILES), parts, certain=True), node)
    other = b.value(node.operands[1])
    match node.operation:
        case Operation.NEXT:
            return b.coerce(_next(b, tile, other.only), node.type)
        case Operation.LINE:
            parts = b.run(_line_function(b.unit), (tile.only, other.only), LIST_KINDS)
            return _paid(b, Value(TILES, parts, certain=True), node)
        case Operation.LINES:
            parts = b.run(_runs_function(b.unit), (tile.only, bounded(b, other.only)), LIST_KINDS)
            return _paid(b, Value(ListType(TILES), parts, certain=True), node)
        case Operation.BETWEEN:
            end = as_tile(b, other)
            pay(b, count_related(b, "tile"))
            parts = b.run(_between_function(b.unit), (tile.only, end.only), LIST_KINDS)
            return b.coerce(Value(TILES, parts, certain=True), node.type)
        case _:
            b.spend(_distance_price(b))
            (found,) = b.run(_distance_function(b.unit), (tile.only, as_tile(b, other).only), (F64,))
            return Value(Basic.DECIMAL, (found,))


def _paid(b: Emitter, tiles: Value, node: p.Apply) -> Value:
    pay_for_value(b, tiles)
    return b.coerce(tiles, node.type)


def _ways(b: Emitter, tile: Value) -> Value:
    if not b.plan.changes:
        ways = b.world.topology.next
        table = kept_rows(
            b,
            "first",
            lambda: (ways.get(one, ()) if one is not None else () for one in first_tiles(b)),
            TILE,
            "ways",
        )
        return row_at(b, table, TILE, tile_index(b, tile))
    return list_at(b, cell_place(b, tile, "ways"), TILE)


def _next(b: Emitter, tile: Value, direction: Expression) -> Value:
    """The tile in a direction; directions wrap."""
    ways = _ways(b, tile)
    found = b.variable(b.none(TILE).only, "next")
    with b.when(ways.parts[1] > 0):
        b.set(found, at_index(b, ways, b.wrapped(direction, ways.parts[1])).only)
    return Value(TILE, (found,))


@routine("line", (TILE, F64), gives=LIST_KINDS)
def _line_function(b: Emitter, start: Local, direction: Local) -> None:
    """The function that returns the tiles in a direction, up to the end of the board or of a cycle."""
    count = tile_count(b)
    seen = b.allocate(count)
    b.fill(seen, 0, count)
    found = Collector(b, TILE, const(count))
    at = b.variable(_next(b, Value(TILE, (start,), certain=True), direction).only, "at")
    with b.loop() as label:
        b.leave_if(at.eq(-1), label)
        b.leave_if(at.eq(start), label)
        tile = Value(TILE, (b.let(at),), certain=True)
        place = tile_index(b, tile)
        b.leave_if(b.load(seen, place, I8).ne(0), label)
        b.store(seen, place, const(1, I8))
        found.add(tile)
        b.set(at, _next(b, tile, direction).only)
    used = found.length * found.size + 7
    b.put("arena", address(found.start, used & -8))
    b.done(*found.found().parts)


@routine("between", (TILE, TILE), gives=LIST_KINDS)
def _between_function(b: Emitter, first: Local, second: Local) -> None:
    """The function that returns the tiles between two tiles on one line; empty if they are on none."""
    ways = _ways(b, Value(TILE, (first,), certain=True))
    with b.count(ways.parts[1]) as (direction, _):
        line = b.run(_line_function(b.unit), (first, b.as_decimal(direction)), LIST_KINDS)
        with b.count(line[1]) as (at, _):
            item = at_index(b, Value(TILES, line, certain=True), at)
            b.done_if(item.only.eq(second), line[0], at)
    b.done(b.unit.data(), const(0))


@routine("runs", (TILE, I64), gives=LIST_KINDS)
def _runs_function(b: Emitter, start: Local, length: Local) -> None:
    """Emit the function that returns the windows of a length through a tile; 0: the whole lines."""
    tile = Value(TILE, (start,), certain=True)
    group = b.let(group_of(b, tile))
    graphs = [plan for plan in b.world.plans if plan.shape is p.GroupShape.GRAPH]
    is_graph: Expression = const(0, I1)
    for plan in graphs:
        here = group.eq(b.world.singletons[plan.name].kind.index)
        is_graph = is_graph | here
    with b.when(b.let(is_graph)):
        b.done(*_chains(b, tile, length))
    half = b.let(Op("sdiv", (_ways(b, tile).parts[1], const(2)), I64))
    each_way = b.let(Op("smax", (Op("smin", (length, const(tile_count(b))), I64), const(1)), I64))
    found = Collector(b, TILES, b.let(half * each_way))
    with b.count(half) as (direction, _):
        back = b.as_decimal(b.let(direction + half))
        behind = b.run(_line_function(b.unit), (start, back), LIST_KINDS)
        ahead = b.run(_line_function(b.unit), (start, b.as_decimal(direction)), LIST_KINDS)
        run = Collector(b, TILE, b.let(behind[1] + ahead[1] + 1))
        with b.count(behind[1]) as (at, _):
            place = b.let(behind[1] - at - 1)
            run.add(at_index(b, Value(TILES, behind, certain=True), place))
        run.add(tile)
        with each(b, Value(TILES, ahead, certain=True)) as (item, _):
            run.add(item)
        line = run.found()
        with b.when(length.eq(0)):
            with b.when(line.parts[1] > 1):
                found.add(line)
        with b.otherwise():
            add_windows(b, found, line, behind[1], length)
    b.done(*found.found().parts)


def _chains(b: Emitter, tile: Value, length: Expression) -> tuple[Expression, ...]:
    """The declared lines of a graph through a tile that are complete."""
    plans = [plan for plan in b.world.plans if plan.chains]
    most = max((len(chain) for plan in plans for chain in plan.chains), default=0)
    count = sum(len(plan.chains) for plan in plans)
    each_line = b.let(Op("smax", (Op("smin", (length, const(most)), I64), const(1)), I64))
    found = Collector(b, TILES, b.let(each_line * count))
    for plan in plans:
        rows: list[list[tuple[Instance, ...]]] = [
            [] if one is None else [chain for chain in dict.fromkeys(plan.chains) if one in chain]
            for one in first_tiles(b)
        ]
        with b.when(~is_absent(b, b.world.singletons[plan.name])):
            lines = row_table(b, rows, TILES, tile_index(b, tile), "chains")
            with each(b, lines) as (line, _):
                is_whole = b.variable(const(1, I1), "whole")
                place = b.variable(const(-1), "place")
                with b.count(line.parts[1]) as (at, _):
                    one = at_index(b, line, at)
                    b.set(is_whole, is_whole & ~is_taken(b, one))
                    first = (place < 0) & one.only.eq(tile.only)
                    b.set(place, select(first, at, place))
                with b.when(is_whole):
                    with b.when(length.eq(0)):
                        found.add(line)
                    with b.otherwise():
                        add_windows(b, found, line, b.let(place), length)
    return found.found().parts


# Distances


def _distance_price(b: Emitter) -> Expression:
    """The price of a distance, as `distance_price` of the reference engine."""
    tiles, links = count_related(b, "tile"), b.world.topology.link_count
    searched = b.let(tiles * FAR_TILE + const(links))
    if b.world.changes:
        changed = list_at(b, address(BLOCK, b.plan.edits["links"]), Basic.DECIMAL).parts[1]
        return b.let(searched + Op("sdiv", (changed, const(LINK_WORDS)), I64))
    if links > fuel.MAX_LINKS_OF_CACHED_DISTANCES:
        return searched
    known = Op("udiv", (tiles + const(links), const(fuel.GRAIN)), I64)
    return b.let(select(tiles > MAX_TILES_OF_CACHED_DISTANCES, searched, known))


ENTRY = 24
"""Bytes of a queue entry: the distance, its sequence number, the tile."""


@routine("distance", (TILE, TILE), gives=(F64,))
def _distance_function(b: Emitter, start: Local, end: Local) -> None:
    """Emit Dijkstra's algorithm for the distance of two tiles; ties are in order of insertion."""
    kind = b.plan.rep(TILE).kinds[0]
    links = b.variable(const(1), "links")
    for plan in b.world.plans:
        with each(b, group_list(b, b.world.singletons[plan.name], "tiles", TILE)) as (tile, _):
            b.set(links, links + list_at(b, cell_place(b, tile, "adjacent"), TILE).parts[1])
    with b.arena_scope():
        count = tile_count(b)
        reached = b.allocate(count)
        b.fill(reached, 0, count)
        queue = _Queue(b, b.allocate(b.let(links * ENTRY)))
        queue.add(const(0.0, F64), start)
        with b.loop() as label:
            b.leave_if(queue.length.eq(0), label)
            distance, at = queue.take(kind)
            tile = Value(TILE, (at,), certain=True)
            b.done_if(at.eq(end), distance)
            mark = tile_index(b, tile)
            with b.when(b.load(reached, mark, I8).eq(0)):
                b.store(reached, mark, const(1, I8))
                weights = list_at(b, cell_place(b, tile, "weights"), Basic.DECIMAL)
                ends = list_at(b, cell_place(b, tile, "adjacent"), TILE)
                with b.count(ends.parts[1]) as (place, _):
                    other = at_index(b, ends, place)
                    with b.when(b.load(reached, tile_index(b, other), I8).eq(0)):
                        queue.add(b.let(distance + at_index(b, weights, place).only), other.only)
    b.done(b.none(Basic.DECIMAL).only)


class _Queue:
    """A priority queue of tiles, a binary heap. Mutable."""

    def __init__(self, b: Emitter, entries: Expression) -> None:
        self.b = b
        self.entries = entries
        self.length = b.variable(const(0), "waiting")
        self.count = b.variable(const(0), "count")

    def add(self, distance: Expression, tile: Expression) -> None:
        b = self.b
        at = b.variable(self.length, "at")
        b.set(self.length, self.length + 1)
        number = b.let(self.count)
        b.set(self.count, self.count + 1)
        with b.loop("rise") as label:
            b.leave_if(at.eq(0), label)
            above = b.let((at - 1) >> 1)
            b.leave_if(~self._is_before(distance, number, self._entry(above)), label)
            b.copy(self._entry(at), self._entry(above), ENTRY)
            b.set(at, above)
        self._put(self._entry(at), distance, number, widen(tile, I64))

    def take(self, kind: object) -> tuple[Expression, Expression]:
        """Remove the first entry; returns its distance and its tile."""
        b = self.b
        distance, tile = b.load(self.entries, 0, F64), b.load(self.entries, 16, I64)
        b.set(self.length, self.length - 1)
        last = self._entry(b.let(self.length))
        moved, number, other = b.load(last, 0, F64), b.load(last, 8, I64), b.load(last, 16, I64)
        at = b.variable(const(0), "at")
        with b.loop("sink") as label:
            child = b.variable(at * 2 + 1, "child")
            b.leave_if(child >= self.length, label)
            right = b.let(child + 1)
            with b.when(right < self.length):
                beside = self._entry(right)
                values = b.load(beside, 0, F64), b.load(beside, 8, I64)
                with b.when(self._is_before(*values, self._entry(child))):
                    b.set(child, right)
            below = self._entry(child)
            b.leave_if(self._is_before(moved, number, below), label)
            b.copy(self._entry(at), below, ENTRY)
            b.set(at, child)
        self._put(self._entry(at), moved, number, other)
        return distance, b.let(widen(tile, I32) if kind is I32 else tile)

    def _entry(self, place: Expression) -> Expression:
        return self.b.let(address(self.entries, place * ENTRY))

    def _put(self, entry: Expression, distance: Expression, number: Expression, tile: Expression) -> None:
        for by, part in ((0, distance), (8, number), (16, tile)):
            self.b.store(entry, by, part)

    def _is_before(self, distance: Expression, number: Expression, entry: Expression) -> Expression:
        b = self.b
        other, waits = b.load(entry, 0, F64), b.load(entry, 8, I64)
        nearer = distance < other
        same = distance.eq(other) & (number < waits)
        return b.let(nearer | same)


ON_FIXED_BOARDS: dict[Operation, Lowering] = {
    **fixed_boards.LOWERINGS,
    Operation.LINE: _fixed_line,
    Operation.LINES: _fixed_lines,
}
ON_CHANGING_BOARDS: dict[Operation, Lowering] = {
    **dict.fromkeys(LISTS, _linked_tiles),
    Operation.ROW: _coordinate,
    Operation.COLUMN: _coordinate,
    Operation.GROUP_OF: _group_of,
    Operation.TILES: _tiles,
    Operation.GROUPS: _groups,
    Operation.TILE_AT: _tile_at,
    **dict.fromkeys(
        (Operation.NEXT, Operation.LINE, Operation.LINES, Operation.BETWEEN, Operation.DISTANCE), _along
    ),
}


def _read_board(b: Emitter, node: p.Apply) -> Value:
    table = ON_CHANGING_BOARDS if b.plan.changes else ON_FIXED_BOARDS
    return table[node.operation](b, node)


LOWERINGS: dict[Operation, Lowering] = dict.fromkeys(ON_FIXED_BOARDS | ON_CHANGING_BOARDS, _read_board)
