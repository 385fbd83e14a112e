"""The interned places of the standard board, and their reading order.

The centre of the standard board is Hex(0, 0), which HAN calls d4. The standard frame is the hexagon of
37 tiles around it: 19 of land and 18 of sea. Its places are interned, so that parsers look names up and
create no objects. Places outside the frame behave in the same way, but slower.

The frame for five and six players has 52 tiles: 30 of land, in rows of 3-4-5-6-5-4-3, and 22 of sea. Its
first row and column are those of the standard frame, so that HAN calls its tiles a5 to h9.
"""

from collections.abc import Iterable
from typing import TypeVar

from ludograph.geometry import Face, Hex, HexCorner, HexSide, Pole
from ludograph.geometry.hex_places import reading_order
from ludograph.geometry.hexes import hexagon, neighbours

Place = Hex | HexCorner | HexSide
AnyPlace = TypeVar("AnyPlace", Hex, HexCorner, HexSide)

FRAME: tuple[Hex, ...] = hexagon(3)
LAND: tuple[Hex, ...] = tuple(tile for tile in FRAME if tile in hexagon(2))

LARGE_FRAME: tuple[Hex, ...] = tuple(
    Hex(column, row) for row in range(-3, 6) for column in range(max(-3, -2 - row), min(4, 5 - row) + 1)
)
"""The tiles of the frame for five and six players, in reading order."""
LARGE_LAND: tuple[Hex, ...] = tuple(
    tile for tile in LARGE_FRAME if all(cell in LARGE_FRAME for cell in neighbours(tile))
)


def frame_of(players: int) -> tuple[Hex, ...]:
    """The frame of a game: the large frame for five and six players.

    >>> len(frame_of(4)), len(frame_of(6))
    (37, 52)
    """
    return FRAME if players <= 4 else LARGE_FRAME


def standard_land(players: int) -> tuple[Hex, ...]:
    """The land of a game: 19 tiles, or 30 for five and six players."""
    return LAND if players <= 4 else LARGE_LAND


FRAME_CORNERS: tuple[HexCorner, ...] = tuple(HexCorner(tile, pole) for tile in FRAME for pole in Pole)
FRAME_SIDES: tuple[HexSide, ...] = tuple(HexSide(tile, face) for tile in FRAME for face in Face)
LAND_CORNERS: tuple[HexCorner, ...] = tuple(c for c in FRAME_CORNERS if any(t in LAND for t in c.cells))
LAND_SIDES: tuple[HexSide, ...] = tuple(s for s in FRAME_SIDES if any(t in LAND for t in s.cells))


# The key is the identity, because hashing a place takes ten times as long. Interned places are never
# freed, so their identities stay valid.
_RANK: dict[int, int] = {
    id(place): rank for places in (FRAME, FRAME_CORNERS, FRAME_SIDES) for rank, place in enumerate(places)
}


def is_in_reading_order(places: Iterable[Place]) -> bool:
    """Whether these are interned places in reading order; False for other places, even in order."""
    last = -1
    for place in places:
        rank = _RANK.get(id(place))
        if rank is None or rank < last:
            return False
        last = rank
    return True


def in_reading_order(places: Iterable[AnyPlace]) -> tuple[AnyPlace, ...]:
    """The places sorted by row, column and suffix; repeated places are kept."""
    listed = tuple(places)
    return listed if is_in_reading_order(listed) else tuple(sorted(listed, key=reading_order))
