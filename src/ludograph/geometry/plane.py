"""The plane: points of places for drawing, and the cell of a point.

The only module of the package with floats. `y` grows downwards as on screen. The `size` of a hexagon is the
distance from its middle to its corners, that of a square the length of its sides; the middle of the cell (0,
0) is the point (0, 0). Places are computed on a grid of whole numbers that is scaled once, so that a corner
has the same point whichever cell it belongs to.
"""

from enum import Enum
from math import floor, sqrt
from typing import NamedTuple

from ludograph.geometry.hex_places import HexCorner, HexSide, corners_of
from ludograph.geometry.hexes import Hex, HexDirection
from ludograph.geometry.square_places import SquareCorner, SquareSide
from ludograph.geometry.square_places import corners_of as square_corners_of
from ludograph.geometry.squares import Square


class Point(NamedTuple):
    """A point of the plane."""

    x: float
    y: float


class Orientation(Enum):
    """How hexagons are oriented; a flat board is a pointy board rotated clockwise by a twelfth of a turn."""

    POINTY = "pointy"
    FLAT = "flat"

    def __repr__(self) -> str:
        return f"Orientation.{self.name}"


FLAT_NAMES: dict[HexDirection, str] = {
    HexDirection.EAST: "south-east",
    HexDirection.SOUTH_EAST: "south",
    HexDirection.SOUTH_WEST: "south-west",
    HexDirection.WEST: "north-west",
    HexDirection.NORTH_WEST: "north",
    HexDirection.NORTH_EAST: "north-east",
}


def direction_name(direction: HexDirection, orientation: Orientation = Orientation.POINTY) -> str:
    """The direction on screen in words.

    >>> direction_name(HexDirection.EAST), direction_name(HexDirection.EAST, Orientation.FLAT)
    ('east', 'south-east')
    """
    if orientation is Orientation.FLAT:
        return FLAT_NAMES[direction]
    return direction.name.lower().replace("_", "-")


def hex_centre(cell: Hex, orientation: Orientation = Orientation.POINTY, size: float = 1.0) -> Point:
    """The middle of a cell.

    >>> hex_centre(Hex(0, 2))
    Point(x=1.7320508075688772, y=3.0)
    """
    return _mean_point((cell,), orientation, size)


def hex_corner(corner: HexCorner, orientation: Orientation = Orientation.POINTY, size: float = 1.0) -> Point:
    """The point of a corner."""
    return _mean_point(corner.cells, orientation, size)


def hex_side_middle(side: HexSide, orientation: Orientation = Orientation.POINTY, size: float = 1.0) -> Point:
    """The point halfway along a side."""
    return _mean_point(side.cells, orientation, size)


def hex_side_ends(
    side: HexSide, orientation: Orientation = Orientation.POINTY, size: float = 1.0
) -> tuple[Point, Point]:
    """The two ends of a side, in the order of `side.corners`."""
    first, second = side.corners
    return (hex_corner(first, orientation, size), hex_corner(second, orientation, size))


def hex_polygon(
    cell: Hex, orientation: Orientation = Orientation.POINTY, size: float = 1.0
) -> tuple[Point, ...]:
    """The six corner points of a cell, clockwise, in the order of `corners_of`."""
    return tuple(hex_corner(corner, orientation, size) for corner in corners_of(cell))


def nearest_hex(point: Point, orientation: Orientation = Orientation.POINTY, size: float = 1.0) -> Hex:
    """The cell a point lies in; on a border, one of the cells that meet there.

    >>> nearest_hex(Point(1.7, 3.1))
    Hex(0, 2)
    """
    x, y = point.x / size, point.y / size
    if orientation is Orientation.POINTY:
        q, r = x / sqrt(3) - y / 3, y * 2 / 3
    else:
        q, r = x * 2 / 3, y / sqrt(3) - x / 3
    s = -q - r
    near_q, near_r, near_s = floor(q + 0.5), floor(r + 0.5), floor(s + 0.5)
    off_q, off_r, off_s = abs(near_q - q), abs(near_r - r), abs(near_s - s)
    # The three rounded values may not add up to zero: the one with the largest error is recomputed.
    if off_q > off_r and off_q > off_s:
        return Hex(-near_r - near_s, near_r)
    if off_r > off_s:
        return Hex(near_q, -near_q - near_s)
    return Hex(near_q, near_r)


def square_centre(cell: Square, size: float = 1.0) -> Point:
    """The middle of a cell."""
    return Point(cell.x * size, cell.y * size)


def square_corner(corner: SquareCorner, size: float = 1.0) -> Point:
    """The point of a corner.

    >>> square_corner(SquareCorner(Square(0, 0)))
    Point(x=-0.5, y=-0.5)
    """
    return Point((corner.cell.x - 0.5) * size, (corner.cell.y - 0.5) * size)


def square_side_middle(side: SquareSide, size: float = 1.0) -> Point:
    """The point halfway along a side."""
    first, second = side.cells
    return Point((first.x + second.x) / 2 * size, (first.y + second.y) / 2 * size)


def square_side_ends(side: SquareSide, size: float = 1.0) -> tuple[Point, Point]:
    """The two ends of a side, in the order of `side.corners`."""
    first, second = side.corners
    return (square_corner(first, size), square_corner(second, size))


def square_polygon(cell: Square, size: float = 1.0) -> tuple[Point, ...]:
    """The four corner points of a cell, clockwise, in the order of `corners_of`."""
    return tuple(square_corner(corner, size) for corner in square_corners_of(cell))


def nearest_square(point: Point, size: float = 1.0) -> Square:
    """The cell a point lies in; on a border, the eastern or southern one."""
    return Square(floor(point.x / size + 0.5), floor(point.y / size + 0.5))


def _mean_point(cells: tuple[Hex, ...], orientation: Orientation, size: float) -> Point:
    """The mean of the middles of cells: the three of a corner, the two of a side, or the cell itself."""
    q = sum(cell.q for cell in cells)
    r = sum(cell.r for cell in cells)
    count = len(cells)
    if orientation is Orientation.POINTY:
        return Point((2 * q + r) / count * (sqrt(3) / 2) * size, 3 * r / count / 2 * size)
    return Point(3 * q / count / 2 * size, (2 * r + q) / count * (sqrt(3) / 2) * size)
