"""Choices as words of 64 bits: the bits of a decimal, the number of another value, or an index.

An index stands for a value that does not fit in a word: its position among the candidates.
"""

import struct
from typing import Any

from ludograph.tgdl.world.world import World

STOP_CHOICE = -(1 << 50)
"""The word that ends a list; none is one less. Both are bits of a NaN, which is never a decimal."""
NONE_CHOICE = STOP_CHOICE - 1

SHAPES_IN_A_WORD = ("number", "boolean", "small", "wide")
"""The shapes of values that fit in a word."""


def encode_opener(player: int, action_index: int, this: int, part: str | None, world: World) -> int:
    """Encode an action that a player starts, with the number of its instance (-1: it has none)."""
    number = 0 if part is None else parts_offered(world, action_index).index(part) + 1
    return action_index | player << 16 | number << 24 | (this + 1) << 32


def decode_opener(word: int) -> tuple[int, int, int]:
    """The player, the action and the number of its instance (-1: it has none)."""
    return word >> 16 & 0xFF, word & 0xFFFF, (word >> 32) - 1


def part_of_opener(world: World, word: int) -> str | None:
    """The named part that an opener starts."""
    number = word >> 24 & 0xFF
    return parts_offered(world, word & 0xFFFF)[number - 1] if number else None


def parts_offered(world: World, action_index: int) -> tuple[str, ...]:
    """The named parts of an action that players may start; openers count them from one."""
    offers = (offer for offer in world.offers if offer.action == action_index)
    return tuple(dict.fromkeys(offer.part for offer in offers if offer.part is not None))


def word_of_number(number: int | float) -> int:
    """The word with the bits of a register."""
    if isinstance(number, float):
        found: int = struct.unpack("<q", struct.pack("<d", number))[0]
        return found
    return number


def number_of_word(word: int, shape: str) -> Any:
    return struct.unpack("<d", struct.pack("<q", word))[0] if shape == "number" else word
