"""Operations on players, states, tiles, groups, pieces and stacks, compiled."""

from collections.abc import Callable
from typing import Any

from ludograph.tgdl.program import Apply, ConstructKind, Expression, Singleton
from ludograph.tgdl.program.events import Event
from ludograph.tgdl.program.operations import Operation
from ludograph.tgdl.program.types import ConstructType, EnumType, ListType, Type
from ludograph.tgdl.reference import moving
from ludograph.tgdl.reference.compile.compiler import Compiler, OperationCompiler
from ludograph.tgdl.reference.fuel_costs import pay, size_of, tile_count
from ludograph.tgdl.reference.instances import find_in_play, find_off, local_state, members_of, owner_of
from ludograph.tgdl.reference.positions import game_position, group_position
from ludograph.tgdl.reference.run import Run
from ludograph.tgdl.world.analysis import charges_fuel_once
from ludograph.tgdl.world.faults import Site
from ludograph.tgdl.world.fuel import distance_price
from ludograph.tgdl.world.memory import ACTIVE, HELD, OUT, PLACE, ConstructInfo, Instance, PositionHash
from ludograph.tgdl.world.values import MAX_WITHIN
from ludograph.tgdl.world.world import PLAYER, Closure, Frame

# Players and states


def _all_players(c: Compiler, node: Apply) -> Closure:
    everybody = tuple(range(c.world.players))
    return lambda run, frame: everybody


def _player_count(c: Compiler, node: Apply) -> Closure:
    count = float(c.world.players)
    return lambda run, frame: count


def _active_player(c: Compiler, node: Apply) -> Closure:
    return lambda run, frame: run.cells[ACTIVE]


def _players_in(c: Compiler, node: Apply) -> Closure:
    everybody = tuple(range(c.world.players))
    return lambda run, frame: tuple([player for player in everybody if player not in run.cells[OUT]])


def _next_player(c: Compiler, node: Apply) -> Closure:
    start, count = c.value(node.operands[0]), c.world.players

    def following(run: Run, frame: Frame) -> int:
        player = start(run, frame)
        for step in range(1, count + 1):
            candidate = (player + step) % count
            if candidate not in run.cells[OUT]:
                return int(candidate)
        return int(player)

    return following


def _enum_members(c: Compiler, node: Apply) -> Closure:
    assert isinstance(node.type, ListType) and isinstance(node.type.element, EnumType)
    members = c.world.members[node.type.element.name]
    return lambda run, frame: members


def _instances(c: Compiler, node: Apply) -> Closure:
    assert isinstance(node.type, ListType) and isinstance(node.type.element, ConstructType)
    name, site = node.type.element.name, c.site(node.span)
    if node.operation is Operation.INSTANCES_OFF:
        return lambda run, frame: find_off(run, name, site)
    return lambda run, frame: find_in_play(run, name, site)


def _state(c: Compiler, node: Apply) -> Closure:
    assert isinstance(node.type, ConstructType)
    name, player, site = node.type.name, c.value(node.operands[-1]), c.site(node.span)
    return lambda run, frame: local_state(run, name, player(run, frame), site)


def _owner(c: Compiler, node: Apply) -> Closure:
    target = c.value(node.operands[0])
    return lambda run, frame: owner_of(run, target(run, frame))


def _owners(c: Compiler, node: Apply) -> Closure:
    target = c.value(node.operands[0])
    return lambda run, frame: members_of(run, target(run, frame))


def _handing_on(c: Compiler, node: Apply) -> Closure:
    target = c.value(node.operands[0])
    player = c.expression(node.operands[1]) if len(node.operands) > 1 else None
    operation = node.operation

    def code(run: Run, frame: Frame) -> None:
        state = target(run, frame)
        to = None if player is None else player(run, frame)
        is_local = state.kind.construct.kind is ConstructKind.LOCAL
        if is_local and operation is Operation.DETACH:
            moving.assign(run, state, None, frame[PLAYER], event=Event.REMOVE)
        elif to is None:
            run.fault("TG0501", "a player must not be none", c.site(node.span))
        elif is_local:
            event = Event.TRANSFERRED if operation is Operation.TRANSFER_TO else Event.ATTACH
            moving.assign(run, state, to, frame[PLAYER], event=event)
        elif operation is Operation.DETACH:
            moving.detach(run, state, to, frame[PLAYER])
        else:
            moving.attach(run, state, to, frame[PLAYER])

    return code


# Tiles


TILE_READERS: dict[Operation, Callable[[Run, Any], Any]] = {
    Operation.ADJACENT: lambda run, tile: run.topology.adjacent.get(tile, ()),
    Operation.ROW: lambda run, tile: run.topology.row.get(tile),
    Operation.COLUMN: lambda run, tile: run.topology.column.get(tile),
    Operation.CORNERS: lambda run, tile: run.topology.corners.get(tile, ()),
    Operation.SIDES: lambda run, tile: run.topology.sides.get(tile, ()),
    Operation.CELLS: lambda run, tile: run.topology.cells.get(tile, ()),
    Operation.GROUP_OF: lambda run, tile: run.world.singletons.get(run.topology.group.get(tile, "")),
}


def _read_tile(c: Compiler, node: Apply) -> Closure:
    target, read = c.value(node.operands[0]), TILE_READERS[node.operation]
    if not c.world.changes:
        return _constant_reader(c, node.operation, target, read)
    return lambda run, frame: read(run, target(run, frame))


def _constant_reader(
    c: Compiler, operation: Operation, target: Closure, read: Callable[[Run, Any], Any]
) -> Closure:
    """The board never changes: read the table itself."""
    topology = c.world.topology
    tables: dict[Operation, dict[Instance, Any]] = {
        Operation.ADJACENT: topology.adjacent,
        Operation.ROW: topology.row,
        Operation.COLUMN: topology.column,
    }
    table = tables.get(operation)
    if table is None:
        return lambda run, frame: read(run, target(run, frame))
    missing = () if operation is Operation.ADJACENT else None
    return lambda run, frame: table.get(target(run, frame), missing)


def _placeables(c: Compiler, node: Apply) -> Closure:
    target = c.value(node.operands[0])
    return _paid(lambda run, frame: run.cells[target(run, frame).extra + HELD], c.site(node.span))


def _board(c: Compiler, node: Apply) -> Closure:
    return lambda run, frame: run.world.singletons.get("board")


def _held(c: Compiler, node: Apply) -> Closure:
    assert isinstance(node.type, ConstructType)
    target, fail = c.expression(node.operands[0]), c.none_fault(node.operands[0])
    name, site = node.type.name, c.site(node.span)

    def held(run: Run, frame: Frame) -> Any:
        tile = target(run, frame)
        if tile is None:
            fail(run)
        for place, piece in enumerate(run.cells[tile.extra + HELD]):
            if name in piece.kind.ancestry:
                pay(run, place, site)
                return piece
        pay(run, len(run.cells[tile.extra + HELD]), site)
        return None

    return held


def _place(c: Compiler, node: Apply) -> Closure:
    target, fail = c.expression(node.operands[0]), c.none_fault(node.operands[0])
    wanted = ConstructKind.TILE if node.operation is Operation.TILE_OF else ConstructKind.STACK

    def place(run: Run, frame: Frame) -> Any:
        piece = target(run, frame)
        if piece is None:
            fail(run)
        found = run.cells[piece.extra + PLACE]
        return found if found is not None and found.kind.construct.kind is wanted else None

    return place


def _next(c: Compiler, node: Apply) -> Closure:
    target, other = c.value(node.operands[0]), c.value(node.operands[1])
    return lambda run, frame: run.topology.next_in(target(run, frame), int(other(run, frame)))


def _line(c: Compiler, node: Apply) -> Closure:
    target, other = c.value(node.operands[0]), c.value(node.operands[1])
    return _paid(
        lambda run, frame: run.topology.line(target(run, frame), int(other(run, frame))), c.site(node.span)
    )


def _lines(c: Compiler, node: Apply) -> Closure:
    target, site = c.value(node.operands[0]), c.site(node.span)
    if len(node.operands) == 1:
        return lambda run, frame: _runs(run, target(run, frame), 0, site)
    length = c.value(node.operands[1])
    return lambda run, frame: _runs(run, target(run, frame), max(1, int(length(run, frame))), site)


def _between(c: Compiler, node: Apply) -> Closure:
    target, other, site = c.value(node.operands[0]), c.value(node.operands[1]), c.site(node.span)

    def between(run: Run, frame: Frame) -> tuple[Instance, ...]:
        first, second = target(run, frame), other(run, frame)
        pay(run, tile_count(run), site)
        return run.topology.between(first, second)

    return between


def _distance(c: Compiler, node: Apply) -> Closure:
    target, other, site = c.value(node.operands[0]), c.value(node.operands[1]), c.site(node.span)

    def distance(run: Run, frame: Frame) -> float | None:
        first, second = target(run, frame), other(run, frame)
        run.spend(distance_price(run.world, tile_count(run), moving.count_changed_links(run)), site)
        return run.topology.distance(first, second)

    return distance


def _runs(run: Run, tile: Instance, length: int, site: Site) -> tuple[tuple[Instance, ...], ...]:
    """The lines through a tile; long ones have more stretches of a length than a list may have elements."""
    count = run.topology.count_run_elements(tile, length)
    if count > MAX_WITHIN:
        message = f"a list has at most {MAX_WITHIN} elements, those of the lists in it included"
        run.fault("TG0505", message, site)
    pay(run, count, site)
    return run.topology.runs(tile, length)


def _paid(code: Closure, site: Site) -> Closure:
    """Pays for the elements of a list that is looked up."""

    def paid(run: Run, frame: Frame) -> Any:
        found = code(run, frame)
        pay(run, len(found), site)
        return found

    return paid


# Groups and the board


def _tiles(c: Compiler, node: Apply) -> Closure:
    group = node.operands[0]
    code = _tiles_in(c, group)
    return _paid(code, c.site(node.span)) if _is_board(c, group.type) else code


def _groups(c: Compiler, node: Apply) -> Closure:
    board = c.value(node.operands[0])

    def groups(run: Run, frame: Frame) -> tuple[Instance, ...]:
        board(run, frame)
        return moving.groups_on_board(run)

    return _paid(groups, c.site(node.span))


def _tile_at(c: Compiler, node: Apply) -> Closure:
    group, row, column = (c.value(operand) for operand in node.operands)
    return lambda run, frame: run.topology.tile_at(
        group(run, frame).kind.name, row(run, frame), column(run, frame)
    )


def _group_position(c: Compiler, node: Apply) -> Closure:
    group, site, is_once = c.value(node.operands[0]), c.site(node.span), charges_fuel_once(node)

    def position(run: Run, frame: Frame) -> PositionHash:
        one, size = group(run, frame), size_of(run)
        run.spend(size, site)
        if is_once:
            run.spent_once += size
        return group_position(run, one.kind.name)

    return position


def _game_position(c: Compiler, node: Apply) -> Closure:
    site = c.site(node.span)

    def whole_position(run: Run, frame: Frame) -> PositionHash:
        size = size_of(run)
        run.spend(size, site)
        run.spent_once += size
        return game_position(run)

    return whole_position


def _add_tile(c: Compiler, node: Apply) -> Closure:
    site = c.site(node.span)
    group, tile, row, column = (c.value(operand) for operand in node.operands)
    return lambda run, frame: moving.add_tile(
        run, group(run, frame), tile(run, frame), row(run, frame), column(run, frame), frame[PLAYER], site
    )


def _remove_tile(c: Compiler, node: Apply) -> Closure:
    group, tile, site = c.value(node.operands[0]), c.value(node.operands[1]), c.site(node.span)
    return lambda run, frame: moving.remove_tile(
        run, group(run, frame), tile(run, frame), frame[PLAYER], site
    )


def _set_group(c: Compiler, node: Apply) -> Closure:
    group, site = c.value(node.operands[1]), c.site(node.span)
    present = node.operation is Operation.ADD_GROUP
    return lambda run, frame: moving.set_group(run, group(run, frame), frame[PLAYER], site, present=present)


def _tiles_in(c: Compiler, group: Expression) -> Closure:
    if isinstance(group, Singleton) and not c.world.changes:
        tiles = _tiles_of(c.world.topology.tiles, c.world.kind[group.construct])
        return lambda run, frame: tiles
    code = c.value(group)
    return lambda run, frame: _tiles_of(run.topology.tiles, code(run, frame).kind)


def _is_board(c: Compiler, type: Type) -> bool:
    """Whether it is the board, whose tiles are those of all groups together."""
    assert isinstance(type, ConstructType)
    return all(
        c.world.kinds[index].construct.kind is ConstructKind.BOARD for index in c.world.subtypes[type.name]
    )


def _tiles_of(tiles: dict[str, tuple[Instance, ...]], group: ConstructInfo) -> tuple[Instance, ...]:
    """The tiles of a group, none if the game is played without it; of the board, those of all groups."""
    if group.construct.kind is ConstructKind.BOARD:
        return tuple(tile for each in tiles.values() for tile in each)
    return tiles.get(group.name, ())


# Stacks


def _cards(c: Compiler, node: Apply) -> Closure:
    stack = c.value(node.operands[0])
    return _paid(lambda run, frame: moving.cards_of(run, stack(run, frame)), c.site(node.span))


def _stack_length(c: Compiler, node: Apply) -> Closure:
    stack = c.value(node.operands[0])
    return lambda run, frame: float(moving.count_cards(run, stack(run, frame)))


def _top(c: Compiler, node: Apply) -> Closure:
    stack, site, viewers = c.value(node.operands[0]), c.site(node.span), c.viewers()

    def top(run: Run, frame: Frame) -> Any:
        held = stack(run, frame)
        if run.is_pure:
            return moving.peek(run, held, site)
        return moving.reveal_top(run, held, site, viewers(run, frame))

    return top


def _pop(c: Compiler, node: Apply) -> Closure:
    stack, site, viewers = c.value(node.operands[0]), c.site(node.span), c.viewers()
    take = moving.pop if node.operation is Operation.STACK_POP else moving.pop_back
    return lambda run, frame: take(run, stack(run, frame), frame[PLAYER], site, viewers(run, frame))


def _pop_some(c: Compiler, node: Apply) -> Closure:
    stack, count = c.value(node.operands[0]), c.value(node.operands[1])
    site, viewers = c.site(node.span), c.viewers()
    return lambda run, frame: moving.pop_some(
        run, stack(run, frame), count(run, frame), frame[PLAYER], site, viewers(run, frame)
    )


def _push(c: Compiler, node: Apply) -> Closure:
    stack, site = c.value(node.operands[0]), c.site(node.span)
    with c.storing_in(node.operands[0]):
        cards = c.expression(node.operands[1])
    back = node.operation is Operation.PUSH_BACK

    def push(run: Run, frame: Frame) -> None:
        held = stack(run, frame)
        moving.push(run, held, cards(run, frame), frame[PLAYER], site, back=back)

    return push


def _draw(c: Compiler, node: Apply) -> Closure:
    stack, player = c.value(node.operands[0]), c.value(node.operands[1])
    site, viewers = c.site(node.span), c.viewers()
    return lambda run, frame: moving.draw(
        run, stack(run, frame), player(run, frame), site, viewers(run, frame)
    )


def _discard_to(c: Compiler, node: Apply) -> Closure:
    stack, other, site = c.value(node.operands[0]), c.value(node.operands[1]), c.site(node.span)
    with c.storing_in(node.operands[1]):
        viewers = c.viewers()
    return lambda run, frame: moving.discard_to(
        run, stack(run, frame), other(run, frame), frame[PLAYER], site, viewers(run, frame)
    )


def _shuffle(c: Compiler, node: Apply) -> Closure:
    stack, site = c.value(node.operands[0]), c.site(node.span)
    return lambda run, frame: moving.shuffle(run, stack(run, frame), frame[PLAYER], site)


def _reshuffle(c: Compiler, node: Apply) -> Closure:
    stack, other, site = c.value(node.operands[0]), c.value(node.operands[1]), c.site(node.span)
    return lambda run, frame: moving.reshuffle(run, stack(run, frame), other(run, frame), frame[PLAYER], site)


COMPILERS: dict[Operation, OperationCompiler] = {
    Operation.PLAYERS_ALL: _all_players,
    Operation.PLAYERS_COUNT: _player_count,
    Operation.PLAYERS_ACTIVE: _active_player,
    Operation.PLAYERS_IN: _players_in,
    Operation.PLAYERS_NEXT: _next_player,
    Operation.MEMBERS: _enum_members,
    Operation.INSTANCES: _instances,
    Operation.INSTANCES_OFF: _instances,
    Operation.STATE_OF: _state,
    Operation.OWNER: _owner,
    Operation.OWNERS: _owners,
    Operation.ASSIGN_TO: _handing_on,
    Operation.TRANSFER_TO: _handing_on,
    Operation.ATTACH: _handing_on,
    Operation.DETACH: _handing_on,
    **dict.fromkeys(TILE_READERS, _read_tile),
    Operation.PLACEABLES: _placeables,
    Operation.HELD: _held,
    Operation.TILE_OF: _place,
    Operation.STACK_OF: _place,
    Operation.NEXT: _next,
    Operation.LINE: _line,
    Operation.LINES: _lines,
    Operation.BETWEEN: _between,
    Operation.DISTANCE: _distance,
    Operation.BOARD_OF: _board,
    Operation.TILES: _tiles,
    Operation.GROUPS: _groups,
    Operation.TILE_AT: _tile_at,
    Operation.GROUP_POSITION: _group_position,
    Operation.GAME_POSITION: _game_position,
    Operation.ADD_TILE: _add_tile,
    Operation.REMOVE_TILE: _remove_tile,
    Operation.ADD_GROUP: _set_group,
    Operation.REMOVE_GROUP: _set_group,
    Operation.CARDS: _cards,
    Operation.STACK_LENGTH: _stack_length,
    Operation.TOP: _top,
    Operation.STACK_POP: _pop,
    Operation.STACK_POP_BACK: _pop,
    Operation.STACK_POP_SOME: _pop_some,
    Operation.PUSH: _push,
    Operation.PUSH_BACK: _push,
    Operation.DRAW: _draw,
    Operation.DISCARD_TO: _discard_to,
    Operation.STACK_SHUFFLE: _shuffle,
    Operation.RESHUFFLE: _reshuffle,
}

SOURCES: dict[Event, Callable[..., object]] = {
    Event.ATTACH: _handing_on,
    Event.REMOVE: _handing_on,
    Event.TRANSFERRED: _handing_on,
}
"""The functions that raise events."""
