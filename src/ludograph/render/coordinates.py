"""Coordinates in pictures: a place and a coordinate system in, lines of text out."""

from enum import Enum
from typing import assert_never

from ludograph.geometry import Hex, HexCorner, HexSide
from ludograph.settlers.names import (
    ccn_corner,
    ccn_side,
    cgn_corner,
    cgn_side,
    cgn_tile,
    han_name,
    has_han_name,
    sgn_corner,
    sgn_side,
)
from ludograph.settlers.places import Place

FARTHEST = 10**9
"""Places farther from the centre than this are described, not drawn."""


class CoordinateSystem(Enum):
    """The coordinate system to print; HSN uses that of HAN."""

    HAN = "han"
    CGN = "cgn"
    CCN = "ccn"
    SGN = "sgn"

    def __repr__(self) -> str:
        return f"CoordinateSystem.{self.name}"


class PlaceKind(Enum):
    """The kinds of places whose coordinates are printed."""

    TILES = "tiles"
    CORNERS = "corners"
    SIDES = "sides"

    def __repr__(self) -> str:
        return f"PlaceKind.{self.name}"


def is_near(place: Place) -> bool:
    """Whether a place is close enough to be drawn."""
    cell = place if isinstance(place, Hex) else place.cell
    return max(abs(cell.q), abs(cell.r)) <= FARTHEST


def coordinate_lines(place: Place, system: CoordinateSystem) -> tuple[str, ...]:
    """The coordinates of a place, in one or more lines; none if the system cannot name it.

    >>> coordinate_lines(Hex(0, 0), CoordinateSystem.HAN)
    ('d4',)
    >>> coordinate_lines(Hex(0, 9), CoordinateSystem.CGN)
    ()
    """
    if not is_near(place):
        return ()
    match system:
        case CoordinateSystem.HAN:
            return (han_name(place),) if has_han_name(place) else ()
        case CoordinateSystem.CGN:
            return _cgn_lines(place)
        case CoordinateSystem.CCN:
            return _ccn_lines(place)
        case CoordinateSystem.SGN:
            return _sgn_lines(place)
        case _:
            assert_never(system)


def place_name(place: Place, system: CoordinateSystem | None = None) -> str:
    """A place in running text: in the given system, or in HAN or SGN.

    >>> place_name(Hex(0, 0)), place_name(Hex(-9, 0))
    ('d4', '[-9,0]')
    """
    for candidate in (system or CoordinateSystem.HAN, CoordinateSystem.HAN, CoordinateSystem.SGN):
        lines = coordinate_lines(place, candidate)
        if lines:
            return " – ".join(lines) if isinstance(place, HexSide) else "".join(lines)
    return "a place too far away to name"


def _cgn_lines(place: Place) -> tuple[str, ...]:
    match place:
        case Hex():
            number = cgn_tile(place)
            return () if number is None else (str(number),)
        case HexCorner():
            tiles = cgn_corner(place)
            return () if tiles is None else (_joined(tiles),)
        case HexSide():
            ends = cgn_side(place)
            return () if ends is None else (_joined(ends[0]), _joined(ends[1]))


def _ccn_lines(place: Place) -> tuple[str, ...]:
    match place:
        case Hex(q, r):
            return (f"{q},{r}",)
        case HexCorner():
            return (_joined(ccn_corner(place)),)
        case HexSide():
            axis, first, second = ccn_side(place)
            return (f"{axis}{first},{second}",)


def _sgn_lines(place: Place) -> tuple[str, ...]:
    match place:
        case Hex(q, r):
            return (f"[{q},{r}]",)
        case HexCorner():
            return tuple(f"[{_joined(tile)}]" for tile in sgn_corner(place))
        case HexSide():
            return tuple("".join(f"[{_joined(tile)}]" for tile in end) for end in sgn_side(place))


def _joined(numbers: tuple[int, ...]) -> str:
    return ",".join(str(number) for number in numbers)
