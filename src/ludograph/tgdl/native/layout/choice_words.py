"""Choices as words: the bits of a decimal, the number of anything else, the place of what fits in no word."""

import struct
from typing import Any

from ludograph.tgdl.world.world import World

STOP_CHOICE = -(1 << 50)
"""The word that ends a list; none is one less. Both are bits of NaN, which no decimal ever is."""
NONE_CHOICE = STOP_CHOICE - 1

WORDY = ("number", "truth", "small", "wide")
"""Shapes of values that fit in a word."""


def opener(player: int, deed: int, this: int, part: str | None, world: World) -> int:
    """An action that a player starts, with the number of its thing (-1: it has none)."""
    number = 0 if part is None else parts_offered(world, deed).index(part) + 1
    return deed | player << 16 | number << 24 | (this + 1) << 32


def decode_opener(word: int) -> tuple[int, int, int]:
    """The player, the action and the number of its thing (-1: it has none)."""
    return word >> 16 & 0xFF, word & 0xFFFF, (word >> 32) - 1


def part_of_opener(world: World, word: int) -> str | None:
    """The named part that a choice starts."""
    number = word >> 24 & 0xFF
    return parts_offered(world, word & 0xFFFF)[number - 1] if number else None


def parts_offered(world: World, deed: int) -> tuple[str, ...]:
    """The named parts of an action that players may start; choices count them from one."""
    return tuple(dict.fromkeys(one.part for one in world.offers if one.deed == deed and one.part is not None))


def word_of_number(number: int | float) -> int:
    """What a register holds, as a word."""
    if isinstance(number, float):
        found: int = struct.unpack("<q", struct.pack("<d", number))[0]
        return found
    return number


def number_of_word(word: int, shape: str) -> Any:
    return struct.unpack("<d", struct.pack("<q", word))[0] if shape == "number" else word
