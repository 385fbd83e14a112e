"""Rebuilding the topology after a board change, in the order of `Topology`, so that all lists agree."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product

from ludograph.geometry.hex_places import HexCorner
from ludograph.geometry.square_places import SquareCorner
from ludograph.tgdl.native.ir.builder import address, const, intrinsic, select, widen
from ludograph.tgdl.native.ir.nodes import F64, I1, I32, I64, Expression, Local, Op
from ludograph.tgdl.native.layout.representations import NAN
from ludograph.tgdl.native.lower.board.board_state import (
    NOWHERE,
    TILE,
    cell_place,
    get_cell,
    group_list,
    group_of,
    group_place,
    is_absent,
    is_on_board,
    is_taken,
    set_cell,
    spot_function,
    tile_families,
)
from ludograph.tgdl.native.lower.board.fixed_boards import row_table
from ludograph.tgdl.native.lower.emitter import Emitter, routine
from ludograph.tgdl.native.lower.routine import BLOCK
from ludograph.tgdl.native.lower.things.players import count_of, count_related
from ludograph.tgdl.native.lower.unit import CompilationUnit, Value
from ludograph.tgdl.native.lower.values.constants import constant, list_data
from ludograph.tgdl.native.lower.values.kept_lists import append_at, empty_at, list_at
from ludograph.tgdl.native.lower.values.lists import Collector, at_index, each
from ludograph.tgdl.program import GroupShape
from ludograph.tgdl.program.types import Basic, ListType
from ludograph.tgdl.world.fuel import NEW_TILE
from ludograph.tgdl.world.memory import Instance
from ludograph.tgdl.world.topology import (
    HEXES,
    SQUARES,
    CornerOrSide,
    GroupPlan,
    TilePlan,
    coordinates_of,
    places_around,
    steps_of,
)

PLACES = frozenset({GroupShape.CORNERS, GroupShape.SIDES})


def rebuild_topology(b: Emitter) -> None:
    """Rebuild the topology from the board changes."""
    b.run(_rebuild_function(b.unit))


@routine("renew")
def _rebuild_function(b: Emitter) -> None:
    plans = b.world.plans
    links = list_at(b, address(BLOCK, b.plan.edits["links"]), Basic.DECIMAL).parts[1]
    count = Op("sdiv", (links, const(LINK_WORDS)), I64)
    links_before = const(b.world.topology.link_count)
    b.spend(b.let(count + links_before + count_related(b, "tile") * NEW_TILE))
    _clear_topology(b)
    for plan in plans:
        b.run(_gather_function(b.unit, plan))
    for plan in plans:
        b.run(_neighbours_function(b.unit, plan))
    for link in b.world.links:
        start, end = (constant(b.unit, tile, TILE).only for tile in (link.start, link.end))
        weight = const(NAN if link.weight is None else link.weight, F64)
        b.run(_link_function(b.unit), (start, end, weight))
    _link_edits(b)
    for plan in plans:
        if plan.shape is GroupShape.GRAPH:
            _set_graph_directions(b, plan)
    b.done()


def _group(unit: CompilationUnit, plan: GroupPlan) -> Instance:
    return unit.world.singletons[plan.name]


def _clear_topology(b: Emitter) -> None:
    for family in tile_families(b):
        with b.count(b.let(count_of(b, family))) as (number, _):
            b.write_column(family.columns["group"], number, Value(Basic.PLAYER, (const(NOWHERE, I32),)))
            for key in ("row", "column"):
                b.write_column(family.columns[key], number, b.none(Basic.DECIMAL))
            for key in ("adjacent", "weights", "ways", *b.plan.place_lists):
                empty_at(b, b.let(b.place_in(family.columns[key], number)))


# The tiles of groups


def _gather_function(unit: CompilationUnit, plan: GroupPlan) -> str:
    """Emit the function that collects the tiles of a group with their coordinates and the hash table."""
    group = _group(unit, plan)

    @routine(f"gather.{plan.name}")
    def make(b: Emitter) -> None:
        placed = list_at(b, address(BLOCK, b.plan.edits["placed"]), TILE)
        most = b.let(placed.parts[1] + len(plan.tiles))
        with b.arena_scope():
            tiles = Collector(b, TILE, most)
            rows, columns = Collector(b, Basic.DECIMAL, most), Collector(b, Basic.DECIMAL, most)

            def take(tile: Value, row: Value, column: Value) -> None:
                tiles.add(tile)
                rows.add(row)
                columns.add(column)
                set_cell(b, tile, "group", Value(Basic.PLAYER, (const(group.kind.index, I32),)))
                set_cell(b, tile, "row", row)
                set_cell(b, tile, "column", column)

            with b.when(~is_absent(b, group)):
                spots = {key: [getattr(place, key) for place in plan.tiles] for key in ("row", "column")}
                first, second = (list_data(unit, spots[key], Basic.DECIMAL) for key in ("row", "column"))
                with b.count(len(plan.tiles)) as (at, _):
                    tile = at_index(b, _planned(b, plan.tiles), at)
                    with b.when(~is_taken(b, tile)):
                        by = b.let(at * 8)
                        take(tile, b.read(first, by, Basic.DECIMAL), b.read(second, by, Basic.DECIMAL))
                with each(b, placed) as (tile, _):
                    here = get_cell(b, tile, "placed", Basic.PLAYER).only
                    with b.when(here.eq(group.kind.index)):
                        row, column = (
                            get_cell(b, tile, key, Basic.DECIMAL) for key in ("placed_row", "placed_column")
                        )
                        take(tile, row, column)
            for key, found in (("tiles", tiles), ("rows", rows), ("columns", columns)):
                b.assign_list(group_place(b, group, key), found.found())
            _fill_coordinate_table(b, group)
        b.done()

    return make(unit)


def _planned(b: Emitter, places: tuple[TilePlan, ...]) -> Value:
    data = list_data(b.unit, [place.tile for place in places], TILE)
    return Value(ListType(TILE), (data, const(len(places))), certain=True)


def _fill_coordinate_table(b: Emitter, group: Instance) -> None:
    """Fill the hash table of coordinates, as `layout.coordinate_table`."""
    rows, columns = (group_list(b, group, key, Basic.DECIMAL) for key in ("rows", "columns"))
    count = rows.parts[1]
    size = b.variable(const(2), "size")
    with b.loop() as label:
        b.leave_if(size >= count * 2, label)
        b.set(size, size * 2)
    bytes_of = b.let(size * 8)
    table = b.allocate(bytes_of)
    b.fill(table, 0xFF, bytes_of)
    b.assign_list(
        group_place(b, group, "spots"), Value(ListType(Basic.DECIMAL), (table, b.let(size)), certain=True)
    )
    kept = group_list(b, group, "spots", Basic.DECIMAL).parts[0]
    with b.count(count) as (place, _):
        by = b.let(place * 8)
        row, column = (b.load(each.parts[0], by, F64) for each in (rows, columns))
        _, at = b.run(spot_function(b.unit, group), (row, column), (I64, I64))
        b.store(kept, b.let(at * 8), place)


@contextmanager
def _tiles_of(b: Emitter, plan: GroupPlan) -> Iterator[tuple[Value, Expression]]:
    """Each tile of a group, and its index."""
    tiles = group_list(b, _group(b.unit, plan), "tiles", TILE)
    with b.count(tiles.parts[1]) as (at, _):
        yield at_index(b, tiles, at), at


# Neighbours


def _neighbours_function(unit: CompilationUnit, plan: GroupPlan) -> str:
    @routine(f"neighbours.{plan.name}")
    def make(b: Emitter) -> None:
        if plan.shape in SQUARES or plan.shape in HEXES:
            _set_grid_directions(b, plan)
        elif plan.shape in PLACES:
            _link_places(b, plan)
        with _tiles_of(b, plan) as (tile, _):
            ways = list_at(b, cell_place(b, tile, "ways"), TILE)
            with each(b, ways) as (end, _):
                with b.when(~b.is_none(end)):
                    b.run(_link_function(unit), (tile.only, end.only, const(1.0, F64)))
        b.done()

    return make(unit)


def _set_grid_directions(b: Emitter, plan: GroupPlan) -> None:
    """Set the directions of the tiles of a square or hex group; the last of two tiles at one spot has it."""
    group = _group(b.unit, plan)
    even, odd = (steps_of(plan.shape, first) for first in (0, 1))
    rows, columns = (group_list(b, group, key, Basic.DECIMAL) for key in ("rows", "columns"))
    with _tiles_of(b, plan) as (tile, place):
        by = b.let(place * 8)
        row, column = (b.load(each.parts[0], by, F64) for each in (rows, columns))
        owner, _ = b.run(spot_function(b.unit, group), (row, column), (I64, I64))
        with b.when(owner.eq(place)):
            half = row * 0.5
            is_odd = b.let(half.ne(intrinsic("floor", half)))
            ways = cell_place(b, tile, "ways")
            empty_at(b, ways)
            for one, other in zip(even, odd, strict=True):
                append_at(b, ways, _neighbour_at_step(b, group, row, column, one, other, is_odd))


def _neighbour_at_step(
    b: Emitter,
    group: Instance,
    row: Expression,
    column: Expression,
    even: tuple[int, int] | None,
    odd: tuple[int, int] | None,
    is_odd: Expression,
) -> Value:
    """The tile one step away; none if the coordinates are too large for an exact step."""
    found = b.variable(b.none(TILE).only, "next")
    if even is None or odd is None:
        return Value(TILE, (found,))
    steps = [
        const(one, F64) if one == other else select(is_odd, const(other, F64), const(one, F64))
        for one, other in zip(even, odd, strict=True)
    ]
    spots = [b.let(old + step) for old, step in zip((row, column), steps, strict=True)]
    exact = [(new - old).eq(step) for new, old, step in zip(spots, (row, column), steps, strict=True)]
    with b.when(exact[0] & exact[1]):
        place, _ = b.run(spot_function(b.unit, group), tuple(spots), (I64, I64))
        with b.when(place >= 0):
            b.set(found, at_index(b, group_list(b, group, "tiles", TILE), place).only)
    return Value(TILE, (found,))


def _set_graph_directions(b: Emitter, plan: GroupPlan) -> None:
    """In a graph, the directions of a tile are its links to tiles of the same group."""
    kind = _group(b.unit, plan).kind.index
    with _tiles_of(b, plan) as (tile, _):
        ways = cell_place(b, tile, "ways")
        empty_at(b, ways)
        with each(b, list_at(b, cell_place(b, tile, "adjacent"), TILE)) as (end, _):
            with b.when(group_of(b, end).eq(kind)):
                append_at(b, ways, end)


# Corners and sides


def _link_places(b: Emitter, plan: GroupPlan) -> None:
    """Link corners or sides of a group to each other, to the cells, and to those of the other kind."""
    of = next((other for other in b.world.plans if other.name == plan.of), None)
    if of is None:
        return
    own = {place.place: place.tile for place in plan.tiles if place.place is not None}
    _link_to_cells(b, plan, of, own)
    group = _group(b.unit, plan)
    ends = [[own[end] for end in dict.fromkeys(place.neighbours) if end in own] for place in own]
    with _present_places(b, group, own) as (tile, number):
        for key in ("ways", "adjacent", "weights"):
            empty_at(b, cell_place(b, tile, key))
        listed = row_table(b, ends, TILE, number, "neighbours")
        _append_present(b, cell_place(b, tile, "ways"), group, listed)
    for other in b.world.plans:
        if other.of == plan.of and other.shape is not plan.shape:
            others = {place.place: place.tile for place in other.tiles if place.place is not None}
            _link_to_others(b, group, own, _group(b.unit, other), others)


@contextmanager
def _present_places(
    b: Emitter, group: Instance, own: dict[CornerOrSide, Instance]
) -> Iterator[tuple[Value, Expression]]:
    """Each corner or side of a plan that is on the board, and its index in the plan."""
    data = list_data(b.unit, tuple(own.values()), TILE)
    tiles = Value(ListType(TILE), (data, const(len(own))), certain=True)
    with b.when(~is_absent(b, group)), b.count(tiles.parts[1]) as (number, _):
        tile = at_index(b, tiles, number)
        with b.when(~is_taken(b, tile)):
            yield tile, number


def _link_to_others(
    b: Emitter,
    group: Instance,
    own: dict[CornerOrSide, Instance],
    other: Instance,
    others: dict[CornerOrSide, Instance],
) -> None:
    """Link the sides that end in a corner, or the corners at the ends of a side."""
    ends: list[list[Instance]] = []
    key = "sides"
    for place in own:
        if isinstance(place, HexCorner | SquareCorner):
            ends.append([others[side] for side in place.sides if side in others])
        else:
            key = "corners"
            ends.append([others[corner] for corner in place.corners if corner in others])
    with _present_places(b, group, own) as (tile, number):
        at = cell_place(b, tile, key)
        empty_at(b, at)
        _append_present(b, at, other, row_table(b, ends, TILE, number, key))


def _append_present(b: Emitter, place: Expression, group: Instance, tiles: Value) -> None:
    """Append those of some tiles of a plan that are on the board to a list."""
    with b.when(~is_absent(b, group)), each(b, tiles) as (end, _):
        with b.when(~is_taken(b, end)):
            append_at(b, place, end)


def _link_to_cells(b: Emitter, plan: GroupPlan, of: GroupPlan, own: dict[CornerOrSide, Instance]) -> None:
    """Link the corners or sides around each cell, in the order of the cells."""
    corners = plan.shape is GroupShape.CORNERS
    group, cells = _group(b.unit, plan), _group(b.unit, of)
    here = b.let(~is_absent(b, group))
    rows, columns = (group_list(b, cells, key, Basic.DECIMAL) for key in ("rows", "columns"))
    known = {coordinates_of(of.shape, cell): cell for place in own for cell in place.cells}
    firsts = [min((spot[axis] for spot in known), default=0) for axis in (0, 1)]
    lasts = [max((spot[axis] for spot in known), default=0) for axis in (0, 1)]
    width = lasts[1] - firsts[1] + 1
    around = 4 if of.shape in SQUARES else 6
    grid: list[Instance | None] = []
    for spot in product(range(firsts[0], lasts[0] + 1), range(firsts[1], lasts[1] + 1)):
        cell = known.get(spot)
        places = () if cell is None else places_around(cell, corners=corners)
        grid += [own.get(place) for place in places] if places else [None] * around
    data = Value(ListType(TILE), (list_data(b.unit, grid, TILE), const(len(grid))), certain=True)
    with _tiles_of(b, of) as (_, place):
        by = b.let(place * 8)
        row, column = (b.load(each.parts[0], by, F64) for each in (rows, columns))
        with b.when(~_is_repeated(b, place, row, column, rows, columns)):
            owner, _ = b.run(spot_function(b.unit, cells), (row, column), (I64, I64))
            tile = at_index(b, group_list(b, cells, "tiles", TILE), owner)
            mine = cell_place(b, tile, "corners" if corners else "sides")
            empty_at(b, mine)
            inside = _is_between(row, firsts[0], lasts[0]) & _is_between(column, firsts[1], lasts[1])
            with b.when(inside & here):
                down = b.as_whole(row - firsts[0])
                right = b.as_whole(column - firsts[1])
                first = b.let((down * width + right) * around)
                with b.count(around) as (number, _):
                    found = at_index(b, data, b.let(first + number))
                    with b.when(~b.is_none(found)):
                        with b.when(~is_taken(b, found)):
                            append_at(b, mine, found)
                            append_at(b, cell_place(b, found, "cells"), tile)


def _is_between(number: Expression, low: int, high: int) -> Expression:
    return (number >= const(low, F64)) & (number <= const(high, F64))


def _is_repeated(
    b: Emitter, place: Expression, row: Expression, column: Expression, rows: Value, columns: Value
) -> Expression:
    """Whether a tile before this one has the same coordinates."""

    def is_same(at: Expression) -> Expression:
        by = b.let(at * 8)
        return b.load(rows.parts[0], by, F64).eq(row) & b.load(columns.parts[0], by, F64).eq(column)

    return b.exists(b.let(place), is_same)


# Links


@routine("link", (TILE, TILE, F64))
def _link_function(b: Emitter, start: Local, end: Local, weight: Local) -> None:
    """The function that links two tiles with a weight; a NaN removes the link and the direction."""
    tile, other = Value(TILE, (start,), certain=True), Value(TILE, (end,), certain=True)
    b.done_if(~(is_on_board(b, tile) & is_on_board(b, other)))
    places = [cell_place(b, tile, key) for key in ("adjacent", "weights")]
    ends, weights = list_at(b, places[0], TILE), list_at(b, places[1], Basic.DECIMAL)
    found = b.variable(const(-1), "found")
    with b.count(ends.parts[1]) as (at, label):
        with b.when(at_index(b, ends, at).only.eq(end)):
            b.set(found, at)
            b.leave(label)
    with b.when(Op("ord", (weight, weight), I1)):
        with b.when(found >= 0):
            b.store(weights.parts[0], b.let(found * 8), weight)
        with b.otherwise():
            append_at(b, places[0], other)
            append_at(b, places[1], b.number(weight))
        b.done()
    with b.when(found >= 0):
        for place, items in zip(places, (ends, weights), strict=True):
            remove_at(b, place, items, found)
    ways = list_at(b, cell_place(b, tile, "ways"), TILE)
    size = b.plan.rep(TILE).size
    with b.count(ways.parts[1]) as (at, _):
        with b.when(at_index(b, ways, at).only.eq(end)):
            b.write(ways.parts[0], b.let(at * size), b.none(TILE), to_block=False)
    b.done()


def remove_at(b: Emitter, place: Expression, items: Value, at: Expression) -> None:
    """Remove an element from a list in the block."""
    assert isinstance(items.type, ListType)
    size = b.plan.rep(items.type.element).size
    start, length = items.parts
    to = b.let(address(start, at * size))
    left = b.let(length - 1)
    b.copy(to, b.let(address(to, size)), b.let((left - at) * size))
    b.store(place, 4, widen(left, I32))


LINK_WORDS = 4
"""Words of a changed link: its sort key, both tiles, its weight (a NaN: it is removed)."""


def _link_edits(b: Emitter) -> None:
    words = list_at(b, address(BLOCK, b.plan.edits["links"]), Basic.DECIMAL)
    kind = b.plan.rep(TILE).kinds[0]
    count = Op("sdiv", (words.parts[1], const(LINK_WORDS)), I64)
    with b.count(b.let(count)) as (at, _):
        entry = b.let(address(words.parts[0], at * (8 * LINK_WORDS)))
        start, end = (widen(b.load(entry, by, I64), kind) for by in (8, 16))
        b.run(_link_function(b.unit), (start, end, b.load(entry, 24, F64)))
