"""Facts about a board that a drawing needs: walls between squares, and places that players choose."""

from ludograph.cli.board.drawing import Wall
from ludograph.tgdl.game.game import State
from ludograph.tgdl.game.internals import topology_of, world_of
from ludograph.tgdl.program import GroupShape
from ludograph.tgdl.program.statements import Input
from ludograph.tgdl.program.types import Basic, ConstructType, ListType, Type
from ludograph.tgdl.world.analysis import walk_program
from ludograph.tgdl.world.topology import GroupPlan

SQUARES = (GroupShape.SQUARE, GroupShape.SQUARE_AROUND)


def find_walls(state: State, plan: GroupPlan) -> set[Wall]:
    """The sides between squares of a group that are neighbours but not linked in either direction."""
    if plan.shape not in SQUARES:
        return set()
    links = topology_of(state).links
    tiles = {(tile.row, tile.column): tile.tile for tile in plan.tiles if tile.row is not None}
    walls: set[Wall] = set()
    for (row, column), tile in tiles.items():
        assert row is not None and column is not None
        for below in (False, True):
            other = tiles.get((row + below, column + (not below)))
            if other is not None and other not in links.get(tile, {}) and tile not in links.get(other, {}):
                walls.add((row, column, below))
    return walls


def is_chosen(state: State, construct: str) -> bool:
    """Whether players choose tiles of a construct: it has an action, or is a candidate of an input."""
    world = world_of(state)
    families = {name for name, kinds in world.subtypes.items() if world.kind[construct].index in kinds}
    program = world.program
    if any(action.owner in families for action in program.actions):
        return True
    return any(isinstance(node, Input) and _may_hold(node.type, families) for node in walk_program(program))


def _may_hold(type: Type, families: set[str]) -> bool:
    match type:
        case ListType(element):
            return _may_hold(element, families)
        case ConstructType(name):
            return name in families
        case _:
            return type is Basic.OBJECT
