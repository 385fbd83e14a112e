"""The hash table by which a group of a changing board finds the tile at some coordinates."""

import struct

FIRST_FACTOR, SECOND_FACTOR = 0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F
WORD = (1 << 64) - 1


def coordinate_table(rows: list[float], columns: list[float]) -> list[int]:
    """The hash table of a group: the index of a tile by the hash of its coordinates; -1: empty."""
    size = 2
    while size < 2 * len(rows):
        size *= 2
    table = [-1] * size
    for place, spot in enumerate(zip(rows, columns, strict=True)):
        at = hash_of(*spot) & size - 1
        while table[at] >= 0 and (rows[table[at]], columns[table[at]]) != spot:
            at = at + 1 & size - 1
        table[at] = place
    return table


def hash_of(row: float, column: float) -> int:
    first: int
    second: int
    first, second = struct.unpack("<QQ", struct.pack("<dd", row, column))
    mixed = (first * FIRST_FACTOR + second) * SECOND_FACTOR & WORD
    return mixed ^ mixed >> 32
