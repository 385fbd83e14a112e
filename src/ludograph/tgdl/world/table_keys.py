"""Keys of tables: how many entries a table has, and whether play may add some."""

from ludograph.tgdl.program.types import Basic, ConstructType, EnumType, Key
from ludograph.tgdl.world.memory import Memory
from ludograph.tgdl.world.world import World


def key_count(world: World, memory: Memory, key: Key) -> int:
    """How many entries a table with such keys has now."""
    match key:
        case int():
            return key
        case EnumType(name):
            return len(world.members[name])
        case ConstructType(name):
            return sum(len(memory.families[index]) for index in world.lineage[name])
        case _:
            assert key is Basic.PLAYER, "the configuration has given every size its number"
            return world.players


def may_grow(world: World, construct: str) -> bool:
    """Whether play may make tiles of a construct."""
    return not world.made_tiles.isdisjoint(world.lineage[construct])
