"""How many values are written about an instance: its attributes, and its links to other instances."""

from ludograph.tgdl.program.types import Basic
from ludograph.tgdl.world.limits import LETTERS_OF_ELEMENT
from ludograph.tgdl.world.memory import ConstructInfo
from ludograph.tgdl.world.world import World


def written_values(world: World, kind: ConstructInfo) -> int:
    """The values of one instance; a string counts as many as its longest possible text."""
    letters = world.longest_string // LETTERS_OF_ELEMENT
    strings = sum(each.type in (Basic.STRING, Basic.OBJECT) for each in kind.construct.attributes)
    return kind.width + strings * letters
