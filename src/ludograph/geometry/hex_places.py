"""Corners and sides of hexagonal cells, each with one name although several cells share it.

A corner is stored as the north or south corner of a cell, a side as the north-east, north-west or west side
of a cell. If corners point up, this names each place exactly once. The cell in the name need not be on the
board.
"""

from enum import Enum

from msgspec import Struct

from ludograph.geometry.hexes import ORIGIN, Hex, HexAxis, HexDirection, reflect, rotate


class Pole(Enum):
    """Which corner of its cell a corner is."""

    NORTH = "n"
    SOUTH = "s"

    def __repr__(self) -> str:
        return f"Pole.{self.name}"


class Face(Enum):
    """Which side of its cell a side is."""

    NORTH_EAST = "ne"
    NORTH_WEST = "nw"
    WEST = "w"

    def __repr__(self) -> str:
        return f"Face.{self.name}"


class HexCorner(Struct, frozen=True):
    """A point where three cells meet."""

    cell: Hex
    pole: Pole

    @property
    def cells(self) -> tuple[Hex, Hex, Hex]:
        """The three cells that meet here, clockwise: NE, own, NW of a north corner; own, SE, SW of a south
        corner.
        """
        q, r = self.cell.q, self.cell.r
        if self.pole is Pole.NORTH:
            return (Hex(q + 1, r - 1), self.cell, Hex(q, r - 1))
        return (self.cell, Hex(q, r + 1), Hex(q - 1, r + 1))

    @property
    def sides(self) -> tuple["HexSide", "HexSide", "HexSide"]:
        """The three sides that end here."""
        q, r = self.cell.q, self.cell.r
        if self.pole is Pole.NORTH:
            return (
                HexSide(self.cell, Face.NORTH_EAST),
                HexSide(self.cell, Face.NORTH_WEST),
                HexSide(Hex(q + 1, r - 1), Face.WEST),
            )
        return (
            HexSide(Hex(q, r + 1), Face.WEST),
            HexSide(Hex(q, r + 1), Face.NORTH_WEST),
            HexSide(Hex(q - 1, r + 1), Face.NORTH_EAST),
        )

    @property
    def neighbours(self) -> tuple["HexCorner", "HexCorner", "HexCorner"]:
        """The other ends of `sides`, in the same order."""
        q, r = self.cell.q, self.cell.r
        if self.pole is Pole.NORTH:
            return (
                HexCorner(Hex(q + 1, r - 1), Pole.SOUTH),
                HexCorner(Hex(q, r - 1), Pole.SOUTH),
                HexCorner(Hex(q + 1, r - 2), Pole.SOUTH),
            )
        return (
            HexCorner(Hex(q - 1, r + 2), Pole.NORTH),
            HexCorner(Hex(q, r + 1), Pole.NORTH),
            HexCorner(Hex(q - 1, r + 1), Pole.NORTH),
        )

    def __repr__(self) -> str:
        return f"HexCorner({self.cell!r}, {self.pole!r})"


class HexSide(Struct, frozen=True):
    """A border between two cells, and a connection of two corners."""

    cell: Hex
    face: Face

    @property
    def cells(self) -> tuple[Hex, Hex]:
        """The two cells that it separates, its own first."""
        q, r = self.cell.q, self.cell.r
        match self.face:
            case Face.NORTH_EAST:
                return (self.cell, Hex(q + 1, r - 1))
            case Face.NORTH_WEST:
                return (self.cell, Hex(q, r - 1))
            case Face.WEST:
                return (self.cell, Hex(q - 1, r))

    @property
    def corners(self) -> tuple[HexCorner, HexCorner]:
        """Its two ends, the one that is drawn higher first."""
        q, r = self.cell.q, self.cell.r
        match self.face:
            case Face.NORTH_EAST:
                return (HexCorner(self.cell, Pole.NORTH), HexCorner(Hex(q + 1, r - 1), Pole.SOUTH))
            case Face.NORTH_WEST:
                return (HexCorner(self.cell, Pole.NORTH), HexCorner(Hex(q, r - 1), Pole.SOUTH))
            case Face.WEST:
                return (HexCorner(Hex(q, r - 1), Pole.SOUTH), HexCorner(Hex(q - 1, r + 1), Pole.NORTH))

    @property
    def neighbours(self) -> tuple["HexSide", ...]:
        """The four sides that share an end with it."""
        return tuple(side for corner in self.corners for side in corner.sides if side != self)

    def __repr__(self) -> str:
        return f"HexSide({self.cell!r}, {self.face!r})"


def corner_between(cells: tuple[Hex, Hex, Hex]) -> HexCorner | None:
    """The corner where three cells meet, in any order; None if they do not meet in one point."""
    wanted = frozenset(cells)
    for cell in cells:
        for pole in Pole:
            corner = HexCorner(cell, pole)
            if frozenset(corner.cells) == wanted:
                return corner
    return None


def side_between(ends: tuple[HexCorner, HexCorner]) -> HexSide | None:
    """The side between two corners, in any order; None if they are not neighbours."""
    first, second = ends
    for side, other in zip(first.sides, first.neighbours, strict=True):
        if other == second:
            return side
    return None


def side_of(cell: Hex, direction: HexDirection) -> HexSide:
    """The side of a cell that faces a direction."""
    q, r = cell.q, cell.r
    match direction:
        case HexDirection.NORTH_EAST:
            return HexSide(cell, Face.NORTH_EAST)
        case HexDirection.NORTH_WEST:
            return HexSide(cell, Face.NORTH_WEST)
        case HexDirection.WEST:
            return HexSide(cell, Face.WEST)
        case HexDirection.EAST:
            return HexSide(Hex(q + 1, r), Face.WEST)
        case HexDirection.SOUTH_EAST:
            return HexSide(Hex(q, r + 1), Face.NORTH_WEST)
        case HexDirection.SOUTH_WEST:
            return HexSide(Hex(q - 1, r + 1), Face.NORTH_EAST)


def corners_of(cell: Hex) -> tuple[HexCorner, ...]:
    """The six corners of a cell, clockwise from the north."""
    q, r = cell.q, cell.r
    return (
        HexCorner(cell, Pole.NORTH),
        HexCorner(Hex(q + 1, r - 1), Pole.SOUTH),
        HexCorner(Hex(q, r + 1), Pole.NORTH),
        HexCorner(cell, Pole.SOUTH),
        HexCorner(Hex(q - 1, r + 1), Pole.NORTH),
        HexCorner(Hex(q, r - 1), Pole.SOUTH),
    )


def sides_of(cell: Hex) -> tuple[HexSide, ...]:
    """The six sides of a cell, clockwise from the north-east: number i joins the corners i and i + 1.

    >>> set(sides_of(Hex(0, 0))[1].corners) == set(corners_of(Hex(0, 0))[1:3])
    True
    """
    q, r = cell.q, cell.r
    return (
        HexSide(cell, Face.NORTH_EAST),
        HexSide(Hex(q + 1, r), Face.WEST),
        HexSide(Hex(q, r + 1), Face.NORTH_WEST),
        HexSide(Hex(q - 1, r + 1), Face.NORTH_EAST),
        HexSide(cell, Face.WEST),
        HexSide(cell, Face.NORTH_WEST),
    )


def cells_beside(cell: Hex) -> tuple[Hex, ...]:
    """The six cells across `sides_of(cell)`, in the same order."""
    q, r = cell.q, cell.r
    return (
        Hex(q + 1, r - 1),
        Hex(q + 1, r),
        Hex(q, r + 1),
        Hex(q - 1, r + 1),
        Hex(q - 1, r),
        Hex(q, r - 1),
    )


def border_between(first: Hex, second: Hex) -> HexSide | None:
    """The side that separates two cells, in any order; None if they are not neighbours."""
    for side, other in zip(sides_of(first), cells_beside(first), strict=True):
        if other == second:
            return side
    return None


def reading_order(place: Hex | HexCorner | HexSide) -> tuple[int, int, str]:
    """The key that sorts places as they are read: by row, then column, then suffix (n s, ne nw w).

    >>> sorted(corners_of(Hex(0, 0)), key=reading_order)[0]
    HexCorner(Hex(0, -1), Pole.SOUTH)
    """
    match place:
        case HexCorner(cell, pole):
            return (cell.r, cell.q, pole.value)
        case HexSide(cell, face):
            return (cell.r, cell.q, face.value)
        case Hex(q, r):
            return (r, q, "")


def rotate_corner(corner: HexCorner, sixths: int, about: Hex = ORIGIN) -> HexCorner:
    """Rotate a corner clockwise by sixths of a turn around the middle of a cell.

    >>> rotate_corner(HexCorner(Hex(0, 0), Pole.NORTH), 3)
    HexCorner(Hex(0, 0), Pole.SOUTH)
    """
    first, second, third = (rotate(cell, sixths, about) for cell in corner.cells)
    return _corner_at(first, second, third)


def reflect_corner(corner: HexCorner, axis: HexAxis, about: Hex = ORIGIN) -> HexCorner:
    """Mirror a corner at an axis through the middle of a cell."""
    first, second, third = (reflect(cell, axis, about) for cell in corner.cells)
    return _corner_at(first, second, third)


def rotate_side(side: HexSide, sixths: int, about: Hex = ORIGIN) -> HexSide:
    """Rotate a side clockwise by sixths of a turn around the middle of a cell.

    >>> rotate_side(HexSide(Hex(0, 0), Face.WEST), 1)
    HexSide(Hex(0, 0), Face.NORTH_WEST)
    """
    first, second = (rotate(cell, sixths, about) for cell in side.cells)
    return _border(first, second)


def reflect_side(side: HexSide, axis: HexAxis, about: Hex = ORIGIN) -> HexSide:
    """Mirror a side at an axis through the middle of a cell."""
    first, second = (reflect(cell, axis, about) for cell in side.cells)
    return _border(first, second)


def _corner_at(first: Hex, second: Hex, third: Hex) -> HexCorner:
    corner = corner_between((first, second, third))
    assert corner is not None, "symmetries keep cells together"
    return corner


def _border(first: Hex, second: Hex) -> HexSide:
    side = border_between(first, second)
    assert side is not None, "symmetries keep neighbours together"
    return side
