"""Operations on players, states, tiles, groups, pieces and stacks, compiled."""

from collections.abc import Callable
from typing import Any

from ludograph.tgdl.program import Apply, ConstructKind, Expression, Singleton
from ludograph.tgdl.program.operations import Operation
from ludograph.tgdl.program.types import ConstructType, EnumType, ListType, Type
from ludograph.tgdl.reference import moving
from ludograph.tgdl.reference.compiler import Compiler
from ludograph.tgdl.reference.fuel_costs import pay, size_of, tile_count
from ludograph.tgdl.reference.instances import local_state, look_for, members_of, owner_of
from ludograph.tgdl.reference.positions import game_position, group_position
from ludograph.tgdl.reference.run import Run
from ludograph.tgdl.world.analysis import is_paid_once
from ludograph.tgdl.world.faults import Site
from ludograph.tgdl.world.fuel import distance_price
from ludograph.tgdl.world.memory import ACTIVE, HELD, OUT, PLACE, ConstructInfo, Instance, PositionHash
from ludograph.tgdl.world.values import MOST_WITHIN
from ludograph.tgdl.world.world import PLAYER, Code, Frame


def compile_thing(c: Compiler, node: Apply) -> Code:
    """The code of an operation of the library that is about things of the game."""
    for compile_some in (_of_players, _of_states, _of_tiles, _of_groups, _of_stacks):
        code = compile_some(c, node)
        if code is not None:
            return code
    raise AssertionError(f"{node.operation} has no code")


def _of_players(c: Compiler, node: Apply) -> Code | None:
    count = c.world.players
    everybody = tuple(range(count))
    match node.operation:
        case Operation.PLAYERS_ALL:
            return lambda run, frame: everybody
        case Operation.PLAYERS_COUNT:
            return lambda run, frame: float(count)
        case Operation.PLAYERS_ACTIVE:
            return lambda run, frame: run.cells[ACTIVE]
        case Operation.PLAYERS_IN:
            return lambda run, frame: tuple([player for player in everybody if player not in run.cells[OUT]])
        case Operation.PLAYERS_NEXT:
            start = c.value(node.operands[0])

            def following(run: Run, frame: Frame) -> int:
                player = start(run, frame)
                for step in range(1, count + 1):
                    candidate = (player + step) % count
                    if candidate not in run.cells[OUT]:
                        return int(candidate)
                return int(player)

            return following
        case Operation.MEMBERS:
            assert isinstance(node.type, ListType) and isinstance(node.type.element, EnumType)
            members = c.world.members[node.type.element.name]
            return lambda run, frame: members
        case Operation.INSTANCES:
            assert isinstance(node.type, ListType) and isinstance(node.type.element, ConstructType)
            name, site = node.type.element.name, c.site(node.span)
            return lambda run, frame: look_for(run, name, site)
        case _:
            return None


def _of_states(c: Compiler, node: Apply) -> Code | None:
    match node.operation:
        case Operation.STATE_OF:
            assert isinstance(node.type, ConstructType)
            name, player, site = node.type.name, c.value(node.operands[-1]), c.site(node.span)
            return lambda run, frame: local_state(run, name, player(run, frame), site)
        case Operation.OWNER:
            target = c.value(node.operands[0])
            return lambda run, frame: owner_of(run, target(run, frame))
        case Operation.OWNERS:
            target = c.value(node.operands[0])
            return lambda run, frame: members_of(run, target(run, frame))
        case Operation.ASSIGN_TO | Operation.TRANSFER_TO | Operation.ATTACH | Operation.DETACH:
            return _handing_on(c, node)
        case _:
            return None


def _handing_on(c: Compiler, node: Apply) -> Code:
    target = c.value(node.operands[0])
    player = c.expression(node.operands[1]) if len(node.operands) > 1 else None
    operation = node.operation

    def code(run: Run, frame: Frame) -> None:
        state = target(run, frame)
        to = None if player is None else player(run, frame)
        is_local = state.kind.construct.kind is ConstructKind.LOCAL
        if is_local and operation is Operation.DETACH:
            moving.assign(run, state, None, frame[PLAYER], event="remove")
        elif to is None:
            run.fault("TG0501", "none is no player", c.site(node.span))
        elif is_local:
            event = "transferred" if operation is Operation.TRANSFER_TO else "attach"
            moving.assign(run, state, to, frame[PLAYER], event=event)
        elif operation is Operation.DETACH:
            moving.detach(run, state, to, frame[PLAYER])
        else:
            moving.attach(run, state, to, frame[PLAYER])

    return code


def _of_tiles(c: Compiler, node: Apply) -> Code | None:
    operation = node.operation
    readers: dict[Operation, Callable[[Run, Any], Any]] = {
        Operation.ADJACENT: lambda run, tile: run.topology.adjacent.get(tile, ()),
        Operation.ROW: lambda run, tile: run.topology.row.get(tile),
        Operation.COLUMN: lambda run, tile: run.topology.column.get(tile),
        Operation.CORNERS: lambda run, tile: run.topology.corners.get(tile, ()),
        Operation.SIDES: lambda run, tile: run.topology.sides.get(tile, ()),
        Operation.CELLS: lambda run, tile: run.topology.cells.get(tile, ()),
        Operation.PLACEABLES: lambda run, tile: run.cells[tile.extra + HELD],
        Operation.GROUP_OF: lambda run, tile: run.world.singletons.get(run.topology.group.get(tile, "")),
    }
    if operation in readers:
        target, read = c.value(node.operands[0]), readers[operation]
        if operation is Operation.PLACEABLES:
            return _paid(lambda run, frame: read(run, target(run, frame)), c.site(node.span))
        if not c.world.changes:
            return _constant_reader(c, operation, target, read)
        return lambda run, frame: read(run, target(run, frame))
    match operation:
        case Operation.BOARD_OF:
            return lambda run, frame: run.world.singletons.get("board")
        case Operation.HELD:
            assert isinstance(node.type, ConstructType)
            target, name, fail, site = (
                c.expression(node.operands[0]),
                node.type.name,
                c.none_fault(node.operands[0]),
                c.site(node.span),
            )

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
        case Operation.TILE_OF | Operation.STACK_OF:
            target, fail = c.expression(node.operands[0]), c.none_fault(node.operands[0])
            wanted = ConstructKind.TILE if operation is Operation.TILE_OF else ConstructKind.STACK

            def place(run: Run, frame: Frame) -> Any:
                piece = target(run, frame)
                if piece is None:
                    fail(run)
                found = run.cells[piece.extra + PLACE]
                return found if found is not None and found.kind.construct.kind is wanted else None

            return place
        case Operation.NEXT | Operation.LINE | Operation.LINES | Operation.BETWEEN | Operation.DISTANCE:
            return _along(c, node)
        case _:
            return None


def _constant_reader(
    c: Compiler, operation: Operation, target: Code, read: Callable[[Run, Any], Any]
) -> Code:
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


def _along(c: Compiler, node: Apply) -> Code:
    target, site = c.value(node.operands[0]), c.site(node.span)
    operation = node.operation
    if len(node.operands) == 1:
        return lambda run, frame: _runs(run, target(run, frame), 0, site)
    other = c.value(node.operands[1])
    match operation:
        case Operation.NEXT:
            return lambda run, frame: run.topology.next_in(target(run, frame), int(other(run, frame)))
        case Operation.LINE:
            return _paid(
                lambda run, frame: run.topology.line(target(run, frame), int(other(run, frame))), site
            )
        case Operation.LINES:
            return lambda run, frame: _runs(run, target(run, frame), max(1, int(other(run, frame))), site)
        case Operation.BETWEEN:

            def between(run: Run, frame: Frame) -> tuple[Instance, ...]:
                first, second = target(run, frame), other(run, frame)
                pay(run, tile_count(run), site)
                return run.topology.between(first, second)

            return between
        case _:

            def distance(run: Run, frame: Frame) -> float | None:
                first, second = target(run, frame), other(run, frame)
                run.spend(distance_price(run.world, tile_count(run)), site)
                return run.topology.distance(first, second)

            return distance


def _runs(run: Run, tile: Instance, length: int, site: Site) -> tuple[tuple[Instance, ...], ...]:
    """The lines through a tile; long ones have more stretches of a length than a list may have elements."""
    count = run.topology.run_content(tile, length)
    if count > MOST_WITHIN:
        message = f"a list has at most {MOST_WITHIN} elements, those of the lists in it included"
        run.fault("TG0505", message, site)
    pay(run, count, site)
    return run.topology.runs(tile, length)


def _paid(code: Code, site: Site) -> Code:
    """Pays for the elements of a list that is looked up."""

    def paid(run: Run, frame: Frame) -> Any:
        found = code(run, frame)
        pay(run, len(found), site)
        return found

    return paid


def _of_groups(c: Compiler, node: Apply) -> Code | None:
    site = c.site(node.span)
    operands = node.operands
    match node.operation:
        case Operation.TILES:
            code = _tiles(c, operands[0])
            return _paid(code, site) if _is_board(c, operands[0].type) else code
        case Operation.TILE_AT:
            group, row, column = (c.value(operand) for operand in operands)
            return lambda run, frame: run.topology.tile_at(
                group(run, frame).kind.name, row(run, frame), column(run, frame)
            )
        case Operation.GROUP_POSITION:
            group = c.value(operands[0])

            is_once = is_paid_once(node)

            def position(run: Run, frame: Frame) -> PositionHash:
                one, size = group(run, frame), size_of(run)
                run.spend(size, site)
                if is_once:
                    run.spent_once += size
                return group_position(run, one.kind.name)

            return position
        case Operation.GAME_POSITION:

            def whole_position(run: Run, frame: Frame) -> PositionHash:
                size = size_of(run)
                run.spend(size, site)
                run.spent_once += size
                return game_position(run)

            return whole_position
        case Operation.ADD_TILE:
            group, tile, row, column = (c.value(operand) for operand in operands)
            return lambda run, frame: moving.add_tile(
                run,
                group(run, frame),
                tile(run, frame),
                row(run, frame),
                column(run, frame),
                frame[PLAYER],
                site,
            )
        case Operation.REMOVE_TILE:
            group, tile = c.value(operands[0]), c.value(operands[1])
            return lambda run, frame: moving.remove_tile(
                run, group(run, frame), tile(run, frame), frame[PLAYER], site
            )
        case Operation.ADD_GROUP | Operation.REMOVE_GROUP:
            group = c.value(operands[1])
            present = node.operation is Operation.ADD_GROUP
            return lambda run, frame: moving.set_group(
                run, group(run, frame), frame[PLAYER], site, present=present
            )
        case _:
            return None


def _tiles(c: Compiler, group: Expression) -> Code:
    if isinstance(group, Singleton) and not c.world.changes:
        tiles = _tiles_of(c.world.topology.tiles, c.world.kind[group.construct])
        return lambda run, frame: tiles
    code = c.value(group)
    return lambda run, frame: _tiles_of(run.topology.tiles, code(run, frame).kind)


def _is_board(c: Compiler, type: Type) -> bool:
    """Whether it is the board, whose tiles are those of all groups together."""
    assert isinstance(type, ConstructType)
    return all(
        c.world.kinds[index].construct.kind is ConstructKind.BOARD for index in c.world.lineage[type.name]
    )


def _tiles_of(tiles: dict[str, tuple[Instance, ...]], group: ConstructInfo) -> tuple[Instance, ...]:
    """The tiles of a group, none if the game is played without it; of the board, those of all groups."""
    if group.construct.kind is ConstructKind.BOARD:
        return tuple(tile for each in tiles.values() for tile in each)
    return tiles.get(group.name, ())


def _of_stacks(c: Compiler, node: Apply) -> Code | None:
    operation, site = node.operation, c.site(node.span)
    viewers = c.viewers()
    if not node.operands:
        return None
    stack = c.value(node.operands[0])
    with c.storing_in(node.operands[0]):
        other = c.expression(node.operands[1]) if len(node.operands) > 1 else None
    match operation:
        case Operation.CARDS:
            return _paid(lambda run, frame: moving.cards_of(run, stack(run, frame)), site)
        case Operation.STACK_LENGTH:
            return lambda run, frame: float(moving.count_cards(run, stack(run, frame)))
        case Operation.TOP:

            def top(run: Run, frame: Frame) -> Any:
                held = stack(run, frame)
                if run.is_pure:
                    return moving.peek(run, held, site)
                return moving.settle_top(run, held, site, viewers(run, frame))

            return top
        case Operation.STACK_POP:
            return lambda run, frame: moving.pop(
                run, stack(run, frame), frame[PLAYER], site, viewers(run, frame)
            )
        case Operation.STACK_POP_BACK:
            return lambda run, frame: moving.pop_back(
                run, stack(run, frame), frame[PLAYER], site, viewers(run, frame)
            )
        case Operation.STACK_SHUFFLE:
            return lambda run, frame: moving.shuffle(run, stack(run, frame), frame[PLAYER], site)
        case _:
            pass
    if other is None:
        return None
    given = c.value(node.operands[1])
    match operation:
        case Operation.STACK_POP_SOME:
            return lambda run, frame: moving.pop_some(
                run, stack(run, frame), given(run, frame), frame[PLAYER], site, viewers(run, frame)
            )
        case Operation.PUSH | Operation.PUSH_BACK:
            back = operation is Operation.PUSH_BACK

            def push(run: Run, frame: Frame) -> None:
                held = stack(run, frame)
                moving.push(run, held, other(run, frame), frame[PLAYER], site, back=back)

            return push
        case Operation.DRAW:
            return lambda run, frame: moving.draw(
                run, stack(run, frame), given(run, frame), site, viewers(run, frame)
            )
        case Operation.DISCARD_TO:
            with c.storing_in(node.operands[1]):
                seers = c.viewers()
            return lambda run, frame: moving.discard_to(
                run, stack(run, frame), given(run, frame), frame[PLAYER], site, seers(run, frame)
            )
        case Operation.RESHUFFLE:
            return lambda run, frame: moving.reshuffle(
                run, stack(run, frame), given(run, frame), frame[PLAYER], site
            )
        case _:
            return None
