"""The types of neighbours, corners, sides and pieces of a tile, from the groups that contain its construct.

The neighbours of a tile belong to its own group or to a group that is linked over a border, so in a game with
several tile constructs `corner.adjacent` is known to contain corners.
"""

import math
from collections.abc import Iterable, Iterator

from ludograph.tgdl.check.symbols import GroupFacts, SymbolTable
from ludograph.tgdl.program import ConstructKind, GroupShape
from ludograph.tgdl.program.operations import DIRECTIONS, Operation
from ludograph.tgdl.program.types import Basic, ConstructType, Type
from ludograph.tgdl.syntax import tree

ANY_TILE = ConstructType("tile")


def common_tile(world: SymbolTable, names: Iterable[str]) -> Type:
    if world.has_unknown_board:
        return Basic.UNKNOWN
    common = world.common_base(names)
    return ConstructType(common) if common is not None else ANY_TILE


def all_tiles(world: SymbolTable) -> Type:
    key = ("all",)
    if key not in world.known_tiles:
        names = (facts.name for facts in world.constructs.values() if facts.kind is ConstructKind.TILE)
        world.known_tiles[key] = common_tile(world, names)
    return world.known_tiles[key] or ANY_TILE


def all_placeables(world: SymbolTable) -> Type:
    """The type of the pieces on a tile."""
    key = ("placeables",)
    if key not in world.known_tiles:
        names = (facts.name for facts in world.of_word("placeable"))
        world.known_tiles[key] = ConstructType(world.common_base(names) or "placeable")
    return world.known_tiles[key] or ConstructType("placeable")


def tiles_of_group(world: SymbolTable, type: Type) -> Type:
    """The tile type of a group; of any group or the board, the common type of all."""
    group = world.groups.get(type.name) if isinstance(type, ConstructType) else None
    if group is not None and group.has_unknown_tiles:
        return Basic.UNKNOWN
    if group is None or not group.tiles:
        return all_tiles(world)
    key = ("of group", group.name)
    if key not in world.known_tiles:
        world.known_tiles[key] = common_tile(world, group.tiles)
    return world.known_tiles[key] or ANY_TILE


def groups_of(world: SymbolTable, tile: Type) -> tuple[GroupFacts, ...]:
    """The groups that may contain a tile of this type: those with it, a derived construct or a base."""
    assert isinstance(tile, ConstructType)
    if tile.name not in world.tile_groups:
        world.tile_groups[tile.name] = tuple(_groups_of(world, tile))
    return world.tile_groups[tile.name]


def _groups_of(world: SymbolTable, tile: ConstructType) -> Iterator[GroupFacts]:
    if not world.groups_by_tile:
        for group in world.groups.values():
            is_open = group.has_unknown_tiles or not group.tiles
            for name in (*group.tiles, "") if is_open else group.tiles:
                world.groups_by_tile.setdefault(name, []).append(group)
    if tile.name not in world.constructs:
        yield from world.groups.values()
        return
    names = {facts.name for facts in (*world.bases(tile.name), *world.derived(tile.name))}
    found = [group for name in ("", *names) for group in world.groups_by_tile.get(name, ())]
    yield from sorted(dict.fromkeys(found), key=lambda group: group.number)


def around(world: SymbolTable, tile: Type, operation: Operation) -> Type | None:
    """The type of the tiles that an operation finds around a tile; None: there is no such group."""
    assert isinstance(tile, ConstructType)
    key = (operation.name if operation.facts.result == "places" else "", tile.name)
    if key not in world.known_tiles:
        world.known_tiles[key] = _around(world, tile, operation)
    return world.known_tiles[key]


def _around(world: SymbolTable, tile: Type, operation: Operation) -> Type | None:
    groups = list(groups_of(world, tile))
    if world.has_unknown_board or any(group.has_unknown_tiles for group in groups):
        return Basic.UNKNOWN
    match operation:
        case Operation.CORNERS:
            return _places(world, groups, GroupShape.CORNERS)
        case Operation.SIDES:
            return _places(world, groups, GroupShape.SIDES)
        case Operation.CELLS:
            cells = [world.groups[group.of] for group in groups if group.of in world.groups]
            names = [name for group in cells for name in group.tiles]
            return common_tile(world, names) if cells else None
        case _:
            if not groups:
                return tile
            if world.has_borders:
                return _tiles_of_all_groups(world)
            return common_tile(world, [name for group in groups for name in group.tiles])


def _places(world: SymbolTable, groups: list[GroupFacts], shape: GroupShape) -> Type | None:
    """The corners or sides of the groups, or of the groups that these are corners or sides of."""
    cells = {
        group.of if group.shape in (GroupShape.CORNERS, GroupShape.SIDES) else group.name for group in groups
    }
    found = [group for group in world.groups.values() if group.shape is shape and group.of in cells]
    if not found:
        return None
    return common_tile(world, [name for group in found for name in group.tiles])


def _tiles_of_all_groups(world: SymbolTable) -> Type:
    key = ("of groups",)
    if key not in world.known_tiles:
        names = dict.fromkeys(name for group in world.groups.values() for name in group.tiles)
        world.known_tiles[key] = common_tile(world, names)
    return world.known_tiles[key] or ANY_TILE


def tile_under(world: SymbolTable, piece: Type) -> Type:
    """The type of the tile under a placeable: any tile of the game."""
    return all_tiles(world)


def group_around(world: SymbolTable, tile: Type) -> Type:
    groups = [group.name for group in groups_of(world, tile)]
    if world.has_unknown_board:
        return Basic.UNKNOWN
    return ConstructType(groups[0]) if len(groups) == 1 else ConstructType("group")


def written_size(group: GroupFacts) -> tuple[float, float]:
    """The numbers of rows and columns of a group; infinite if an option decides them."""
    shape = group.node.shape
    size = shape.size if isinstance(shape, tree.SquareShape | tree.HexShape) else None
    if size is not None:
        sides = [
            side.value if isinstance(side, tree.Number) else math.inf for side in (size.rows, size.columns)
        ]
        return sides[0], sides[1]
    cells = [
        sum(cell.count for cell in part.cells) for part in group.node.parts if isinstance(part, tree.Row)
    ]
    return (len(cells), max(cells)) if cells else (math.inf, math.inf)


def held_names(world: SymbolTable, tile: Type) -> dict[str, str]:
    """The member that reads the piece on a tile that `holds` it: its name and the construct."""
    assert isinstance(tile, ConstructType)
    if tile.name not in world.held:
        world.held[tile.name] = _held_names(world, tile)
    return world.held[tile.name]


def _held_names(world: SymbolTable, tile: ConstructType) -> dict[str, str]:
    if tile.name in world.constructs:
        held = [facts.holds for facts in world.bases(tile.name) if facts.holds is not None]
    else:
        held = [facts.holds for facts in world.of_word("tile") if facts.holds is not None]
    return {name.rpartition(".")[2]: name for name in reversed(held)}


def direction(world: SymbolTable, name: str, tile: Type | None = None) -> int | Basic | None:
    """The number of a named direction on the boards; UNKNOWN if they differ, None if no board has it."""
    key = (name, tile.name if isinstance(tile, ConstructType) else "")
    if key not in world.directions:
        world.directions[key] = _direction(world, name, tile)
    return world.directions[key]


def _direction(world: SymbolTable, name: str, tile: Type | None) -> int | Basic | None:
    groups = groups_of(world, tile) if isinstance(tile, ConstructType) else world.groups.values()
    numbers = {
        DIRECTIONS[group.shape.value][name]
        for group in groups
        if group.shape is not None and name in DIRECTIONS.get(group.shape.value, {})
    }
    if len(numbers) > 1:
        return Basic.UNKNOWN
    return numbers.pop() if numbers else None


ALL_DIRECTIONS = frozenset(name for names in DIRECTIONS.values() for name in names)
