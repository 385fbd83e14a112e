"""The interned places of the standard board, and their reading order.

The centre of the standard board is Hex(0, 0), which HAN calls d4. The standard frame is the hexagon of
37 tiles around it: 19 of land and 18 of sea. Its places are interned, so that parsers look names up and
create no objects. Places outside the frame behave in the same way, but slower.
"""

from collections.abc import Iterable
from typing import TypeVar

from ludograph.geometry import Face, Hex, HexCorner, HexSide, Pole
from ludograph.geometry.hex_places import reading_order
from ludograph.geometry.hexes import hexagon

Place = Hex | HexCorner | HexSide
AnyPlace = TypeVar("AnyPlace", Hex, HexCorner, HexSide)

FRAME: tuple[Hex, ...] = hexagon(3)
LAND: tuple[Hex, ...] = tuple(tile for tile in FRAME if tile in hexagon(2))

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
