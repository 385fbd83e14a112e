"""Lowering of board changes: adding and removing tiles, groups and links.

A block has the changes in the canonical order of `Edits`; the topology is rebuilt from them.
"""

from collections.abc import Callable

from ludograph.tgdl.native.ir.builder import address, const, widen
from ludograph.tgdl.native.ir.nodes import F64, I1, I32, I64, Expression, Op
from ludograph.tgdl.native.layout.representations import NAN
from ludograph.tgdl.native.lower.actions.events import firing
from ludograph.tgdl.native.lower.board.board_state import (
    NOWHERE,
    TILE,
    as_tile,
    creation_number,
    for_group,
    get_cell,
    group_column,
    group_list,
    is_on_board,
    is_taken,
    set_cell,
    tile_at,
    whole,
)
from ludograph.tgdl.native.lower.board.fixed_boards import first_tiles, tile_index, value_table
from ludograph.tgdl.native.lower.board.pieces import all_on
from ludograph.tgdl.native.lower.board.topology import LINK_WORDS, rebuild_topology, remove_at
from ludograph.tgdl.native.lower.emitter import Emitter, Lowering
from ludograph.tgdl.native.lower.routine import BLOCK
from ludograph.tgdl.native.lower.things.stacks import carry
from ludograph.tgdl.native.lower.unit import Value
from ludograph.tgdl.native.lower.values.kept_lists import append_at, list_at
from ludograph.tgdl.native.lower.values.lists import at_index, detached, each
from ludograph.tgdl.program import Apply, Link
from ludograph.tgdl.program.events import Event
from ludograph.tgdl.program.operations import Operation
from ludograph.tgdl.program.types import Basic, ConstructType, ListType
from ludograph.tgdl.world.memory import Instance

NOTHING = Value(Basic.NOTHING, ())


def _lower_add_tile(b: Emitter, node: Apply) -> Value:
    group, tile = (b.keep(b.value(operand)) for operand in node.operands[:2])
    row, column = (whole(b, b.value(operand).only) for operand in node.operands[2:])
    _add_tile(b, group, as_tile(b, tile), row, column)
    return tile


def _lower_remove_tile(b: Emitter, node: Apply) -> Value:
    group, tile = (b.keep(b.value(operand)) for operand in node.operands)
    _remove_tile(b, group, as_tile(b, tile))
    return NOTHING


def _lower_group(b: Emitter, node: Apply) -> Value:
    group = b.keep(b.value(node.operands[1]))
    _set_group(b, group, is_present=node.operation is Operation.ADD_GROUP)
    return NOTHING


LOWERINGS: dict[Operation, Lowering] = {
    Operation.ADD_TILE: _lower_add_tile,
    Operation.REMOVE_TILE: _lower_remove_tile,
    Operation.ADD_GROUP: _lower_group,
    Operation.REMOVE_GROUP: _lower_group,
}


def _add_tile(b: Emitter, group: Value, tile: Value, row: Expression, column: Expression) -> None:
    b.fault_if(is_on_board(b, tile), "TG0514")
    b.fault_if(_is_away(b, tile), "TG0514")
    there = for_group(b, group, TILE, lambda one: tile_at(b, one, row, column))
    b.fault_if(~b.is_none(there), "TG0514")
    with firing(b, Event.TILE_ADDED, group, {"tile": tile, "group": group}):
        with b.when(is_taken(b, tile)):
            home_row, home_column = _home(b, tile)
            is_home = home_row.eq(row) & home_column.eq(column)
            b.fault_if(~is_home, "TG0514")
            set_cell(b, tile, "taken", b.boolean(const(0, I1)))
        with b.otherwise():
            kind = for_group(
                b, group, Basic.PLAYER, lambda one: Value(Basic.PLAYER, (const(one.kind.index, I32),))
            )
            set_cell(b, tile, "placed", kind)
            set_cell(b, tile, "placed_row", b.number(row))
            set_cell(b, tile, "placed_column", b.number(column))
            _insert_placed(b, tile)
        rebuild_topology(b)


def _is_away(b: Emitter, tile: Value) -> Expression:
    """Whether a tile that is not on the board belongs to a removed group."""
    planned = [one is not None and one in b.world.topology.group for one in first_tiles(b)]
    is_planned = value_table(b, planned, Basic.BOOL, tile_index(b, tile), "planned")
    stays = is_planned.only.eq(1) & ~is_taken(b, tile)
    return b.let(stays | (get_cell(b, tile, "placed", Basic.PLAYER).only >= 0))


def _home(b: Emitter, tile: Value) -> tuple[Expression, Expression]:
    """The coordinates of a tile in the plan of its group."""
    places = {place.tile: place for plan in b.world.plans for place in plan.tiles}
    known = [places.get(each) if each is not None else None for each in first_tiles(b)]
    index = tile_index(b, tile)
    rows = [None if place is None else place.row for place in known]
    columns = [None if place is None else place.column for place in known]
    row, column = (value_table(b, values, Basic.DECIMAL, index, "home").only for values in (rows, columns))
    return row, column


def _placed(b: Emitter) -> Expression:
    """The address of the list of added tiles."""
    return address(BLOCK, b.plan.edits["placed"])


def _insert_placed(b: Emitter, tile: Value) -> None:
    """Insert an added tile into the list, in order of creation."""
    append_at(b, _placed(b), tile)
    tiles = list_at(b, _placed(b), TILE)
    start, length = tiles.parts
    size = b.plan.rep(TILE).size
    mine = creation_number(b, tile)
    at = b.variable(length - 1, "at")
    with b.loop() as label:
        b.leave_if(at <= 0, label)
        before = at_index(b, tiles, b.let(at - 1))
        b.leave_if(creation_number(b, before) < mine, label)
        b.write(start, b.let(at * size), before, to_block=False)
        b.set(at, at - 1)
    b.write(start, b.let(at * size), tile, to_block=False)


def _remove_tile(b: Emitter, group: Value, tile: Value) -> None:
    """Remove a tile; the pieces on it leave the board."""
    b.fault_if(~is_on_board(b, tile), "TG0514")
    with firing(b, Event.TILE_REMOVED, group, {"tile": tile, "group": group}):
        _clear_tile(b, tile)
        with b.when(get_cell(b, tile, "placed", Basic.PLAYER).only >= 0):
            set_cell(b, tile, "placed", Value(Basic.PLAYER, (const(NOWHERE, I32),)))
            tiles = list_at(b, _placed(b), TILE)
            with b.count(tiles.parts[1]) as (at, label):
                with b.when(at_index(b, tiles, at).only.eq(tile.only)):
                    remove_at(b, _placed(b), tiles, at)
                    b.leave(label)
        with b.otherwise():
            set_cell(b, tile, "taken", b.boolean(const(1, I1)))
        rebuild_topology(b)


def _clear_tile(b: Emitter, tile: Value) -> None:
    with each(b, all_on(b, tile, ListType(ConstructType("placeable")))) as (piece, _):
        carry(b, Value(piece.type, piece.parts, certain=True), None)


def _clear_group(b: Emitter, group: Instance) -> Value:
    """Take the pieces on the tiles of a group off the board; triggers may change the group."""
    with each(b, detached(b, group_list(b, group, "tiles", TILE))) as (tile, _):
        _clear_tile(b, Value(tile.type, tile.parts, certain=True))
    return NOTHING


def _set_group(b: Emitter, group: Value, *, is_present: bool) -> None:
    event = Event.GROUP_ADDED if is_present else Event.GROUP_REMOVED

    def change(one: Instance) -> Value:
        column, number = group_column(b.unit, one, "absent")
        b.write_column(column, const(number, I32), b.boolean(const(0 if is_present else 1, I1)))
        return NOTHING

    with firing(b, event, group, {"tile": b.none(TILE), "group": group}):
        if not is_present:
            for_group(b, group, Basic.NOTHING, lambda one: _clear_group(b, one))
        for_group(b, group, Basic.NOTHING, change)
        rebuild_topology(b)


# Links


def change_link(b: Emitter, node: Link) -> None:
    """`link a -> b;` and `unlink a -> b;`."""
    start, end = (as_tile(b, b.value(each)) for each in (node.first, node.second))
    back = [(end, start, node.back)] if node.both_ways else []
    for first, second, cost in [(start, end, node.there), *back]:
        weight: Expression = const(NAN, F64)
        if node.adds:
            weight = const(1.0, F64) if cost is None else b.value(cost).only
        _link_one(b, first, second, b.let(weight))


def _link_one(b: Emitter, start: Value, end: Value, weight: Expression) -> None:
    """Store a changed link; links are in order of creation of their tiles."""
    place = address(BLOCK, b.plan.edits["links"])
    words = list_at(b, place, Basic.DECIMAL)
    count = b.let(Op("sdiv", (words.parts[1], const(LINK_WORDS)), I64))
    numbers = [widen(creation_number(b, tile), I64) for tile in (start, end)]
    order = b.let((numbers[0] << 32) | numbers[1])
    size = 8 * LINK_WORDS
    at = b.variable(const(0), "at")
    with b.loop() as label:
        b.leave_if(at >= count, label)
        b.leave_if(b.load(words.parts[0], b.let(at * size), I64) >= order, label)
        b.set(at, at + 1)
    before = b.let(at * size)
    is_known = b.variable(at < count, "known")
    with b.when(is_known):
        b.set(is_known, b.load(words.parts[0], before, I64).eq(order))
    with b.when(is_known):
        b.store(words.parts[0], b.let(before + 24), weight)
    with b.otherwise(), b.arena_scope():
        longer = b.let(words.parts[1] + LINK_WORDS)
        buffer = b.allocate(b.let(longer * 8))
        b.copy(buffer, words.parts[0], before)
        entry = b.let(address(buffer, before))
        for by, word in ((0, order), (8, widen(start.only, I64)), (16, widen(end.only, I64)), (24, weight)):
            b.store(entry, by, word)
        rest = b.let(words.parts[1] * 8 - before)
        b.copy(b.let(address(entry, size)), b.let(address(words.parts[0], before)), rest)
        b.assign_list(place, Value(words.type, (buffer, longer), certain=True))
    rebuild_topology(b)


SOURCES: dict[Event, Callable[..., object]] = {
    Event.TILE_ADDED: _add_tile,
    Event.TILE_REMOVED: _remove_tile,
    Event.GROUP_ADDED: _set_group,
    Event.GROUP_REMOVED: _set_group,
}
"""The functions that raise events."""
