"""Hashing: mixes 64-bit words into 128 bits. The hash of a position is a sum of such hashes.

The arithmetic costs a few nanoseconds per word and is specified in docs/positions.md. It is not a
cryptographic hash: it does not resist an attacker who searches for collisions.
"""

import struct
from collections.abc import Iterable
from typing import Final

WORD: Final = (1 << 64) - 1
FULL: Final = (1 << 128) - 1
NONE: Final = WORD
"""The word of none, except in decimals."""
NO_DECIMAL: Final = 0x7FF8_0000_0000_0000
"""The bits of NaN: the word of none in decimals."""

# The first fractional digits of pi.
_FIRST: Final = 0x243F_6A88_85A3_08D3
_SECOND: Final = 0x1319_8A2E_0370_7344


def scramble(word: int) -> int:
    """The finaliser of splitmix64: every input bit affects every output bit."""
    word = (word ^ word >> 30) * 0xBF58_476D_1CE4_E5B9 & WORD
    word = (word ^ word >> 27) * 0x94D0_49BB_1331_11EB & WORD
    return word ^ word >> 31


def mix128(words: Iterable[int]) -> int:
    """The 128-bit hash of a sequence of words.

    >>> f"{mix128((1, 2, 3)):032x}"
    '40f559cdf5c6feab4276e09415b2889f'
    """
    low, high = _FIRST, _SECOND
    for word in words:
        low = scramble(low ^ word)
        high = scramble(high + word + low & WORD)
    return low | high << 64


def split(bits: int) -> tuple[int, int]:
    """128 bits as two words, low word first."""
    return bits & WORD, bits >> 64


def decimal_word(number: float | None) -> int:
    """The bits of a double; minus zero becomes zero."""
    if number is None:
        return NO_DECIMAL
    word: int = struct.unpack("<Q", struct.pack("<d", number + 0.0))[0]
    return word


def text_word(text: str | None) -> int:
    """The low word of the hash of its length in bytes and its bytes, eight per word."""
    if text is None:
        return NONE
    data = text.encode("utf-8", "surrogatepass")
    words = (int.from_bytes(data[at : at + 8], "little") for at in range(0, len(data), 8))
    return mix128((len(data), *words)) & WORD


PIECES: Final = frozenset({"interactable", "placeable", "stackable"})
"""Reference types to pieces that are keywords of the language."""
TILE: Final = 1
THING: Final = 2
STACK: Final = 3
TURN: Final = 4
BOARD: Final = 5
OF_DECIMAL: Final = 1
OF_BOOL: Final = 2
OF_PLAYER: Final = 3
OF_MEMBER: Final = 4
OF_TEXT: Final = 5
OF_POSITION: Final = 6
OF_PIECE: Final = 7
OF_THING: Final = 8
OF_LIST: Final = 9
