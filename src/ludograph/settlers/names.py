"""Names of places in HAN and HSN, CGN, CCN and SGN.

All systems name the same places (see the table in docs/notations.md). HAN and SGN can name any place,
CGN and CCN only those of the standard frame. A function `maybe_…` returns None for a value that is not
a name.
"""

import re
from collections.abc import Sequence

from ludograph.geometry import Face, Hex, HexCorner, HexSide, Pole
from ludograph.geometry.hex_places import corner_between, side_between
from ludograph.geometry.hexes import spiral_inwards
from ludograph.settlers.places import (
    FRAME,
    FRAME_CORNERS,
    FRAME_SIDES,
    LAND_CORNERS,
    LAND_SIDES,
    Place,
)

# HAN and HSN: spreadsheet letters for the column, a number for the row, d4 in the centre.

HAN_CENTRE = 4
# Limits of the length of a name: no board is larger, and the conversion of very long numbers is slow.
MAX_COLUMN_LETTERS = 4
MAX_ROW_DIGITS = 6
LAST_COLUMN = 475_254  # zzzz
LAST_ROW = 999_999

HAN_PLACE = re.compile(
    rf"([a-z]{{1,{MAX_COLUMN_LETTERS}}}?)([1-9][0-9]{{0,{MAX_ROW_DIGITS - 1}}})(n[ew]|[nsw])?"
)


def column_letters(column: int) -> str:
    """The spreadsheet letters of a column, numbered from 1.

    >>> column_letters(4), column_letters(27), column_letters(28)
    ('d', 'aa', 'ab')
    """
    letters = ""
    while column > 0:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("a") + rest) + letters
    return letters


def column_number(letters: str) -> int:
    """The inverse of `column_letters`."""
    column = 0
    for letter in letters:
        column = column * 26 + ord(letter) - ord("a") + 1
    return column


def _build_han_name(place: Place) -> str:
    match place:
        case Hex(q, r):
            return f"{column_letters(q + HAN_CENTRE)}{r + HAN_CENTRE}"
        case HexCorner(cell, pole):
            return _build_han_name(cell) + pole.value
        case HexSide(cell, face):
            return _build_han_name(cell) + face.value


HAN_TILES: dict[str, Hex] = {_build_han_name(place): place for place in FRAME}
HAN_CORNERS: dict[str, HexCorner] = {_build_han_name(place): place for place in FRAME_CORNERS}
HAN_SIDES: dict[str, HexSide] = {_build_han_name(place): place for place in FRAME_SIDES}
# The key is the identity: interned places are never freed, and hashing one takes longer than naming it.
HAN_NAMES: dict[int, str] = {
    id(place): name for table in (HAN_TILES, HAN_CORNERS, HAN_SIDES) for name, place in table.items()
}


def han_name(place: Place) -> str:
    """The name of a place in HAN and HSN.

    >>> han_name(HexCorner(Hex(0, 0), Pole.NORTH))
    'd4n'
    """
    return HAN_NAMES.get(id(place)) or _build_han_name(place)


def has_han_name(place: Place) -> bool:
    """Whether HAN can name the place: columns start at a, rows at 1, and both are limited."""
    cell = place if isinstance(place, Hex) else place.cell
    return 1 <= cell.q + HAN_CENTRE <= LAST_COLUMN and 1 <= cell.r + HAN_CENTRE <= LAST_ROW


def maybe_han_place(text: str) -> Place | None:
    """The tile, corner or side with a HAN name."""
    known = HAN_TILES.get(text) or HAN_CORNERS.get(text) or HAN_SIDES.get(text)
    if known is not None:
        return known
    parts = HAN_PLACE.fullmatch(text)
    if parts is None:
        return None
    letters, digits, suffix = parts.groups()
    cell = Hex(column_number(letters) - HAN_CENTRE, int(digits) - HAN_CENTRE)
    if suffix is None:
        return cell
    return HexCorner(cell, Pole(suffix)) if suffix in "ns" else HexSide(cell, Face(suffix))


def place_in_words(place: Place) -> str:
    """A description of a place: its name in HAN, or a phrase if it has no name.

    >>> place_in_words(HexSide(Hex(1, 0), Face.WEST)), place_in_words(HexSide(Hex(-3, 0), Face.WEST))
    ('e4w', 'a4w')
    >>> place_in_words(HexCorner(Hex(-4, 1), Pole.NORTH)), place_in_words(Hex(-4, 1))
    ('the south-west corner of a4', 'tile (-4, 1)')
    """
    if has_han_name(place):
        return han_name(place)
    match place:
        case Hex(q, r):
            return f"tile ({q}, {r})"
        case HexCorner(cell, pole):
            what = "corner"
            seen_from = zip(place.cells, _CORNER_SEEN_FROM[pole], strict=True)
        case HexSide(cell, face):
            what = "side"
            seen_from = zip(place.cells, _SIDE_SEEN_FROM[face], strict=True)
    for tile, direction in seen_from:
        if has_han_name(tile):
            return f"the {direction} {what} of {han_name(tile)}"
    own = place.pole.name if isinstance(place, HexCorner) else place.face.name
    return f"the {own.lower().replace('_', '-')} {what} of {place_in_words(cell)}"


# The direction of a corner or side as seen from each of its cells, in the order of the cells.
_CORNER_SEEN_FROM = {
    Pole.NORTH: ("south-west", "north", "south-east"),
    Pole.SOUTH: ("south", "north-west", "north-east"),
}
_SIDE_SEEN_FROM = {
    Face.NORTH_EAST: ("north-east", "south-west"),
    Face.NORTH_WEST: ("north-west", "south-east"),
    Face.WEST: ("west", "east"),
}


# CGN: the 37 tiles of the standard frame, numbered in a clockwise spiral from the top left.


CGN_TILES: dict[int, Hex] = {
    number: FRAME[FRAME.index(tile)] for number, tile in enumerate(spiral_inwards(Hex(0, 0), 3), start=1)
}
CGN_NUMBERS: dict[Hex, int] = {tile: number for number, tile in CGN_TILES.items()}
CGN_SEA_TILES = range(1, 19)


def cgn_tile(tile: Hex) -> int | None:
    """The number of a tile in CGN; None outside the standard frame.

    >>> cgn_tile(Hex(0, 0)), cgn_tile(Hex(0, -3))
    (37, 1)
    """
    return CGN_NUMBERS.get(tile)


def cgn_corner(corner: HexCorner) -> tuple[int, int, int] | None:
    """A corner as the numbers of its three tiles, clockwise from the right or upper tile."""
    first, second, third = (CGN_NUMBERS.get(tile) for tile in corner.cells)
    if first is None or second is None or third is None:
        return None
    return first, second, third


def maybe_cgn_corner(numbers: tuple[int, int, int]) -> HexCorner | None:
    """The corner where three CGN tiles meet, in any order, on the land of the standard frame."""
    return _CGN_CORNERS.get(frozenset(numbers))


def cgn_side(side: HexSide) -> tuple[tuple[int, int, int], tuple[int, int, int]] | None:
    """A side as its two end corners, the upper corner first."""
    upper, lower = (cgn_corner(corner) for corner in side.corners)
    return (upper, lower) if upper is not None and lower is not None else None


_CGN_CORNERS: dict[frozenset[int], HexCorner] = {
    frozenset(numbers): corner for corner in LAND_CORNERS if (numbers := cgn_corner(corner)) is not None
}

# CCN: (x, y) for tiles, (x, y, z) with sum ±1 for corners, an axis and two numbers for sides.


def ccn_corner(corner: HexCorner) -> tuple[int, int, int]:
    """A corner in CCN: one coordinate of each of its tiles; their sum is -1 (north corner) or +1 (south)."""
    q, r, s = corner.cell.q, corner.cell.r, corner.cell.s
    return (q, r - 1, s) if corner.pole is Pole.NORTH else (q, r + 1, s)


def maybe_ccn_corner(x: int, y: int, z: int) -> HexCorner | None:
    """The corner with three CCN coordinates; None unless their sum is ±1."""
    match x + y + z:
        case -1:
            return HexCorner(Hex(x, y + 1), Pole.NORTH)
        case 1:
            return HexCorner(Hex(x, y - 1), Pole.SOUTH)
        case _:
            return None


def ccn_side(side: HexSide) -> tuple[str, int, int]:
    """A side in CCN: the axis that it crosses and two coordinates.

    >>> ccn_side(HexSide(Hex(0, 0), Face.WEST))
    ('Y', 0, 0)
    """
    q, r, s = side.cell.q, side.cell.r, side.cell.s
    match side.face:
        case Face.WEST:
            return ("Y", s, q)
        case Face.NORTH_WEST:
            return ("X", r - 1, s + 1)
        case Face.NORTH_EAST:
            return ("Z", q, r)


def maybe_ccn_side(axis: str, first: int, second: int) -> HexSide | None:
    """The side with an axis letter and two coordinates."""
    match axis:
        case "Y":
            return HexSide(Hex(second, -second - first), Face.WEST)
        case "X":
            r, s = first + 1, second - 1
            return HexSide(Hex(-r - s, r), Face.NORTH_WEST)
        case "Z":
            return HexSide(Hex(first, second), Face.NORTH_EAST)
        case _:
            return None


# SGN: [q, r] with (0, 0) in the centre; corners and sides are lists of tiles as in CGN.

AxialPair = tuple[int, int]
SgnCorner = tuple[AxialPair, AxialPair, AxialPair]


def sgn_tile(tile: Hex) -> AxialPair:
    return (tile.q, tile.r)


def sgn_corner(corner: HexCorner) -> SgnCorner:
    """A corner as the coordinates of its three tiles, in CGN's order."""
    first, second, third = corner.cells
    return sgn_tile(first), sgn_tile(second), sgn_tile(third)


def maybe_sgn_corner(tiles: SgnCorner) -> HexCorner | None:
    """The corner where three tiles meet, in any order."""
    first, second, third = (Hex(*tile) for tile in tiles)
    return corner_between((first, second, third))


def nearest_corners(tiles: Sequence[Hex]) -> tuple[HexCorner, ...]:
    """The corners of the standard land whose tiles are nearest to these tiles."""
    away = {
        corner: sum(min(_distance(tile, cell) for cell in corner.cells) for tile in tiles)
        for corner in LAND_CORNERS
    }
    least = min(away.values())
    return tuple(corner for corner, steps in away.items() if steps == least)


def _distance(first: Hex, second: Hex) -> int:
    step = second - first
    return max(abs(step.q), abs(step.r), abs(step.s))


def sgn_side(side: HexSide) -> tuple[SgnCorner, SgnCorner]:
    """A side as its two end corners, the upper corner first."""
    upper, lower = side.corners
    return sgn_corner(upper), sgn_corner(lower)


def maybe_side_between(first: HexCorner, second: HexCorner) -> HexSide | None:
    """The side between two corners, interned if it is on the standard frame."""
    side = side_between((first, second))
    return _INTERNED_SIDES.get(side, side) if side is not None else None


_INTERNED_SIDES: dict[HexSide, HexSide] = {side: side for side in LAND_SIDES}
