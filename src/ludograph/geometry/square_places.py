"""Corners and sides of square cells, each with one name although several cells share it.

A corner is stored as the north-west corner of a cell, a side as the north or west side of a cell. The cell in
the name need not be on the board.
"""

from enum import Enum

from msgspec import Struct

from ludograph.geometry.squares import ORIGIN, Square, SquareAxis, SquareDirection, reflect, rotate


class SquareFace(Enum):
    """Which side of its cell a side is."""

    NORTH = "n"
    WEST = "w"

    def __repr__(self) -> str:
        return f"SquareFace.{self.name}"


class SquareCorner(Struct, frozen=True):
    """A point where four cells meet: the north-west corner of its cell."""

    cell: Square

    @property
    def cells(self) -> tuple[Square, Square, Square, Square]:
        """The four cells that meet here, clockwise from its own, which lies to the south-east."""
        x, y = self.cell.x, self.cell.y
        return (self.cell, Square(x - 1, y), Square(x - 1, y - 1), Square(x, y - 1))

    @property
    def sides(self) -> tuple["SquareSide", "SquareSide", "SquareSide", "SquareSide"]:
        """The four sides that end here, clockwise from the one that goes east."""
        x, y = self.cell.x, self.cell.y
        return (
            SquareSide(self.cell, SquareFace.NORTH),
            SquareSide(self.cell, SquareFace.WEST),
            SquareSide(Square(x - 1, y), SquareFace.NORTH),
            SquareSide(Square(x, y - 1), SquareFace.WEST),
        )

    @property
    def neighbours(self) -> tuple["SquareCorner", "SquareCorner", "SquareCorner", "SquareCorner"]:
        """The other ends of `sides`, in the same order."""
        x, y = self.cell.x, self.cell.y
        return (
            SquareCorner(Square(x + 1, y)),
            SquareCorner(Square(x, y + 1)),
            SquareCorner(Square(x - 1, y)),
            SquareCorner(Square(x, y - 1)),
        )

    def __repr__(self) -> str:
        return f"SquareCorner({self.cell!r})"


class SquareSide(Struct, frozen=True):
    """A border between two cells, and a connection of two corners."""

    cell: Square
    face: SquareFace

    @property
    def cells(self) -> tuple[Square, Square]:
        """The two cells that it separates, its own first."""
        x, y = self.cell.x, self.cell.y
        match self.face:
            case SquareFace.NORTH:
                return (self.cell, Square(x, y - 1))
            case SquareFace.WEST:
                return (self.cell, Square(x - 1, y))

    @property
    def corners(self) -> tuple[SquareCorner, SquareCorner]:
        """Its two ends: the western or upper one first."""
        x, y = self.cell.x, self.cell.y
        match self.face:
            case SquareFace.NORTH:
                return (SquareCorner(self.cell), SquareCorner(Square(x + 1, y)))
            case SquareFace.WEST:
                return (SquareCorner(self.cell), SquareCorner(Square(x, y + 1)))

    @property
    def neighbours(self) -> tuple["SquareSide", ...]:
        """The six sides that share an end with it."""
        return tuple(side for corner in self.corners for side in corner.sides if side != self)

    def __repr__(self) -> str:
        return f"SquareSide({self.cell!r}, {self.face!r})"


def corner_between(cells: tuple[Square, Square, Square, Square]) -> SquareCorner | None:
    """The corner where four cells meet, in any order; None if they do not meet in one point."""
    wanted = frozenset(cells)
    for cell in cells:
        corner = SquareCorner(cell)
        if frozenset(corner.cells) == wanted:
            return corner
    return None


def side_between(ends: tuple[SquareCorner, SquareCorner]) -> SquareSide | None:
    """The side between two corners, in any order; None if they are not neighbours."""
    first, second = ends
    for side, other in zip(first.sides, first.neighbours, strict=True):
        if other == second:
            return side
    return None


def border_between(first: Square, second: Square) -> SquareSide | None:
    """The side that separates two cells, in any order; None if they share none."""
    for side, other in zip(sides_of(first), cells_beside(first), strict=True):
        if other == second:
            return side
    return None


def side_of(cell: Square, direction: SquareDirection) -> SquareSide:
    """The side of a cell that faces a straight direction."""
    side = border_between(cell, cell + direction.step)
    assert side is not None, "only the four straight directions face a side"
    return side


def corners_of(cell: Square) -> tuple[SquareCorner, ...]:
    """The four corners of a cell, clockwise from the north-west."""
    x, y = cell.x, cell.y
    return (
        SquareCorner(cell),
        SquareCorner(Square(x + 1, y)),
        SquareCorner(Square(x + 1, y + 1)),
        SquareCorner(Square(x, y + 1)),
    )


def sides_of(cell: Square) -> tuple[SquareSide, ...]:
    """The four sides of a cell, clockwise from the north: number i joins the corners i and i + 1."""
    x, y = cell.x, cell.y
    return (
        SquareSide(cell, SquareFace.NORTH),
        SquareSide(Square(x + 1, y), SquareFace.WEST),
        SquareSide(Square(x, y + 1), SquareFace.NORTH),
        SquareSide(cell, SquareFace.WEST),
    )


def cells_beside(cell: Square) -> tuple[Square, ...]:
    """The four cells across `sides_of(cell)`, in the same order."""
    x, y = cell.x, cell.y
    return (Square(x, y - 1), Square(x + 1, y), Square(x, y + 1), Square(x - 1, y))


def reading_order(place: Square | SquareCorner | SquareSide) -> tuple[int, int, str]:
    """The key that sorts places as they are read: by row, then column, then suffix (n w)."""
    match place:
        case SquareCorner(cell):
            return (cell.y, cell.x, "")
        case SquareSide(cell, face):
            return (cell.y, cell.x, face.value)
        case Square(x, y):
            return (y, x, "")


def rotate_corner(corner: SquareCorner, quarters: int, about: Square = ORIGIN) -> SquareCorner:
    """Rotate a corner clockwise by quarters of a turn around the middle of a cell.

    >>> rotate_corner(SquareCorner(Square(0, 0)), 1)
    SquareCorner(Square(1, 0))
    """
    first, second, third, fourth = (rotate(cell, quarters, about) for cell in corner.cells)
    return _corner_at(first, second, third, fourth)


def reflect_corner(corner: SquareCorner, axis: SquareAxis, about: Square = ORIGIN) -> SquareCorner:
    """Mirror a corner at an axis through the middle of a cell."""
    first, second, third, fourth = (reflect(cell, axis, about) for cell in corner.cells)
    return _corner_at(first, second, third, fourth)


def rotate_side(side: SquareSide, quarters: int, about: Square = ORIGIN) -> SquareSide:
    """Rotate a side clockwise by quarters of a turn around the middle of a cell.

    >>> rotate_side(SquareSide(Square(0, 0), SquareFace.WEST), 1)
    SquareSide(Square(0, 0), SquareFace.NORTH)
    """
    first, second = (rotate(cell, quarters, about) for cell in side.cells)
    return _border(first, second)


def reflect_side(side: SquareSide, axis: SquareAxis, about: Square = ORIGIN) -> SquareSide:
    """Mirror a side at an axis through the middle of a cell."""
    first, second = (reflect(cell, axis, about) for cell in side.cells)
    return _border(first, second)


def _corner_at(first: Square, second: Square, third: Square, fourth: Square) -> SquareCorner:
    corner = corner_between((first, second, third, fourth))
    assert corner is not None, "symmetries keep cells together"
    return corner


def _border(first: Square, second: Square) -> SquareSide:
    side = border_between(first, second)
    assert side is not None, "symmetries keep neighbours together"
    return side
