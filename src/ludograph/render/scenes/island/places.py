"""Places in pictures of islands: a place in, its point and its name in ids out.

Points are relative to the middle of the tile d4. A tile is 100 units high.
"""

from functools import lru_cache

from ludograph.geometry import Hex, HexCorner, HexSide
from ludograph.geometry.plane import (
    Point,
    hex_centre,
    hex_corner,
    hex_polygon,
    hex_side_ends,
    hex_side_middle,
)
from ludograph.settlers.names import han_name, has_han_name
from ludograph.settlers.places import Place

SIZE = 50.0
"""From the middle of a tile to its corners."""


@lru_cache(maxsize=4096)
def find_point(place: Place) -> Point:
    """The middle of a tile or side, or a corner."""
    match place:
        case Hex():
            return hex_centre(place, size=SIZE)
        case HexCorner():
            return hex_corner(place, size=SIZE)
        case HexSide():
            return hex_side_middle(place, size=SIZE)


@lru_cache(maxsize=1024)
def outline_of(tile: Hex) -> tuple[Point, ...]:
    """The six corners of a tile."""
    return hex_polygon(tile, size=SIZE)


@lru_cache(maxsize=1024)
def ends_of(side: HexSide) -> tuple[Point, Point]:
    """The two ends of a side, in the order of `side.corners`."""
    return hex_side_ends(side, size=SIZE)


@lru_cache(maxsize=4096)
def id_of(place: Place) -> str:
    """The name of a place in ids of items: that of HAN, or numbers for places without one.

    >>> id_of(Hex(0, 0)), id_of(Hex(-9, 0))
    ('d4', '-9_0')
    """
    if has_han_name(place):
        return han_name(place)
    match place:
        case Hex(q, r):
            return f"{q}_{r}"
        case HexCorner(cell, pole):
            return f"{cell.q}_{cell.r}_{pole.value}"
        case HexSide(cell, face):
            return f"{cell.q}_{cell.r}_{face.value}"
