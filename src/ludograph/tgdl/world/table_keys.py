"""Keys of tables: the number of entries, and whether the program may add some during play."""

from ludograph.tgdl.program.types import Basic, ConstructType, EnumType, KeyType
from ludograph.tgdl.world.memory import Memory
from ludograph.tgdl.world.world import World


def key_count(world: World, memory: Memory, key: KeyType) -> int:
    """The current number of entries of a table with this key."""
    match key:
        case int():
            return key
        case EnumType(name):
            return len(world.members[name])
        case ConstructType(name):
            return sum(len(memory.families[index]) for index in world.subtypes[name])
        case _:
            assert key is Basic.PLAYER, "the configuration has replaced named sizes by numbers"
            return world.players


def may_grow(world: World, construct: str) -> bool:
    """Whether the program may create tiles of a construct during play."""
    return not world.made_tiles.isdisjoint(world.subtypes[construct])
