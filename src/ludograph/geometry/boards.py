"""Boards: any set of cells in, its corners, sides, coasts, graphs and regions out.

The cells may form several pieces and have holes. A corner or side is on the board if one of its cells is. All
results are in reading order, without duplicates. Square cells are connected by sides only: two cells that
touch at a corner are separate pieces of land, and the water on the other diagonal is one piece.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from msgspec import Struct

from ludograph.geometry import hex_places, hexes, square_places, squares
from ludograph.geometry.graph import Graph
from ludograph.geometry.hex_places import HexCorner, HexSide
from ludograph.geometry.hexes import Hex
from ludograph.geometry.square_places import SquareCorner, SquareSide
from ludograph.geometry.squares import Square

AnyCell = TypeVar("AnyCell", bound=Hashable)
AnyPlace = TypeVar("AnyPlace", bound=Hashable)
AnySide = TypeVar("AnySide")
AnyCorner = TypeVar("AnyCorner")


class Coast(Struct, Generic[AnySide, AnyCorner], frozen=True):
    """A closed line around the land, or around a hole in it, with the land on the right.

    Outer lines therefore run clockwise, and holes counter-clockwise. Side number i runs from corner number i
    to the next, the last side back to corner 0.
    """

    sides: tuple[AnySide, ...]
    corners: tuple[AnyCorner, ...]
    is_hole: bool


@dataclass(frozen=True, slots=True, init=False)
class HexBoard:
    """A set of hexagonal cells.

    >>> board = HexBoard(hexes.hexagon(2))
    >>> len(board.cells), len(board.corners()), len(board.sides()), len(board.outline())
    (19, 54, 72, 30)
    """

    cells: tuple[Hex, ...]
    _members: frozenset[Hex] = field(repr=False, compare=False)

    def __init__(self, cells: Iterable[Hex]) -> None:
        members = frozenset(cells)
        object.__setattr__(self, "cells", tuple(sorted(members, key=hex_places.reading_order)))
        object.__setattr__(self, "_members", members)

    def __contains__(self, cell: object) -> bool:
        return cell in self._members

    def __iter__(self) -> Iterator[Hex]:
        return iter(self.cells)

    def __len__(self) -> int:
        return len(self.cells)

    def neighbours(self, cell: Hex) -> tuple[Hex, ...]:
        """The cells on the board that share a side with a cell, clockwise from the east."""
        return tuple(other for other in hexes.neighbours(cell) if other in self._members)

    def cells_around(self, place: HexCorner | HexSide) -> tuple[Hex, ...]:
        """The cells on the board that meet at a corner or side, in the order of `place.cells`."""
        return tuple(cell for cell in place.cells if cell in self._members)

    def corners(self) -> tuple[HexCorner, ...]:
        """The corners of all cells."""
        corners = {corner for cell in self.cells for corner in hex_places.corners_of(cell)}
        return tuple(sorted(corners, key=hex_places.reading_order))

    def sides(self) -> tuple[HexSide, ...]:
        """The sides of all cells."""
        sides = {side for cell in self.cells for side in hex_places.sides_of(cell)}
        return tuple(sorted(sides, key=hex_places.reading_order))

    def outline(self) -> tuple[HexSide, ...]:
        """The sides that have exactly one of their cells on the board."""
        return tuple(side for side in self.sides() if len(self.cells_around(side)) == 1)

    def coasts(self) -> tuple[Coast[HexSide, HexCorner], ...]:
        """The outline as closed lines: first the outer ones, then the holes, each by its first cell."""
        return tuple(
            Coast(
                tuple(hex_places.sides_of(cell)[number] for cell, number in loop),
                tuple(hex_places.corners_of(cell)[number] for cell, number in loop),
                is_hole,
            )
            for is_hole, loop in _trace_loops(self.cells, hex_places.cells_beside)
        )

    def border_cells(self) -> tuple[Hex, ...]:
        """The cells with at least one side on the outline."""
        return tuple(cell for cell in self.cells if len(self.neighbours(cell)) < 6)

    def cell_graph(self) -> Graph[Hex]:
        """The cells, linked where they share a side."""
        return Graph({cell: dict.fromkeys(self.neighbours(cell), 1) for cell in self.cells})

    def corner_graph(self) -> Graph[HexCorner]:
        """The corners, linked by the sides of the board."""
        sides = frozenset(self.sides())
        return Graph(
            {
                corner: {
                    end: 1 for side, end in zip(corner.sides, corner.neighbours, strict=True) if side in sides
                }
                for corner in self.corners()
            }
        )

    def side_graph(self) -> Graph[HexSide]:
        """The sides, linked where they share a corner."""
        return _link_among(self.sides(), lambda side: side.neighbours)

    def regions(self, cells: Iterable[Hex] | None = None) -> tuple[tuple[Hex, ...], ...]:
        """The connected parts of some cells of the board (of all, if not given)."""
        return self.cell_graph().regions(cells)


@dataclass(frozen=True, slots=True, init=False)
class SquareBoard:
    """A set of square cells.

    >>> board = SquareBoard(squares.rectangle(8, 8))
    >>> len(board.cells), len(board.corners()), len(board.sides()), len(board.outline())
    (64, 81, 144, 32)
    """

    cells: tuple[Square, ...]
    _members: frozenset[Square] = field(repr=False, compare=False)

    def __init__(self, cells: Iterable[Square]) -> None:
        members = frozenset(cells)
        object.__setattr__(self, "cells", tuple(sorted(members, key=square_places.reading_order)))
        object.__setattr__(self, "_members", members)

    def __contains__(self, cell: object) -> bool:
        return cell in self._members

    def __iter__(self) -> Iterator[Square]:
        return iter(self.cells)

    def __len__(self) -> int:
        return len(self.cells)

    def neighbours(self, cell: Square) -> tuple[Square, ...]:
        """The cells on the board that share a side with a cell, clockwise from the east."""
        return tuple(other for other in squares.neighbours(cell) if other in self._members)

    def neighbours_around(self, cell: Square) -> tuple[Square, ...]:
        """The cells on the board that share a side or corner with a cell, clockwise from the east."""
        return tuple(other for other in squares.neighbours_around(cell) if other in self._members)

    def cells_around(self, place: SquareCorner | SquareSide) -> tuple[Square, ...]:
        """The cells on the board that meet at a corner or side, in the order of `place.cells`."""
        return tuple(cell for cell in place.cells if cell in self._members)

    def corners(self) -> tuple[SquareCorner, ...]:
        """The corners of all cells."""
        corners = {corner for cell in self.cells for corner in square_places.corners_of(cell)}
        return tuple(sorted(corners, key=square_places.reading_order))

    def sides(self) -> tuple[SquareSide, ...]:
        """The sides of all cells."""
        sides = {side for cell in self.cells for side in square_places.sides_of(cell)}
        return tuple(sorted(sides, key=square_places.reading_order))

    def outline(self) -> tuple[SquareSide, ...]:
        """The sides that have exactly one of their cells on the board."""
        return tuple(side for side in self.sides() if len(self.cells_around(side)) == 1)

    def coasts(self) -> tuple[Coast[SquareSide, SquareCorner], ...]:
        """The outline as closed lines: first the outer ones, then the holes, each by its first cell.

        A line passes twice through a corner where the land touches itself on the diagonal.
        """
        return tuple(
            Coast(
                tuple(square_places.sides_of(cell)[number] for cell, number in loop),
                tuple(square_places.corners_of(cell)[number] for cell, number in loop),
                is_hole,
            )
            for is_hole, loop in _trace_loops(self.cells, square_places.cells_beside)
        )

    def border_cells(self) -> tuple[Square, ...]:
        """The cells with at least one side on the outline."""
        return tuple(cell for cell in self.cells if len(self.neighbours(cell)) < 4)

    def cell_graph(self) -> Graph[Square]:
        """The cells, linked where they share a side."""
        return Graph({cell: dict.fromkeys(self.neighbours(cell), 1) for cell in self.cells})

    def around_graph(self) -> Graph[Square]:
        """The cells, linked where they share a side or a corner."""
        return Graph({cell: dict.fromkeys(self.neighbours_around(cell), 1) for cell in self.cells})

    def corner_graph(self) -> Graph[SquareCorner]:
        """The corners, linked by the sides of the board."""
        sides = frozenset(self.sides())
        return Graph(
            {
                corner: {
                    end: 1 for side, end in zip(corner.sides, corner.neighbours, strict=True) if side in sides
                }
                for corner in self.corners()
            }
        )

    def side_graph(self) -> Graph[SquareSide]:
        """The sides, linked where they share a corner."""
        return _link_among(self.sides(), lambda side: side.neighbours)

    def regions(self, cells: Iterable[Square] | None = None) -> tuple[tuple[Square, ...], ...]:
        """The connected parts of some cells of the board (of all, if not given)."""
        return self.cell_graph().regions(cells)


def _link_among(
    places: tuple[AnyPlace, ...], neighbours: Callable[[AnyPlace], tuple[AnyPlace, ...]]
) -> Graph[AnyPlace]:
    """The graph of some places, linked to those of their neighbours that are among them."""
    members = frozenset(places)
    return Graph({place: {end: 1 for end in neighbours(place) if end in members} for place in places})


def _trace_loops(
    cells: tuple[AnyCell, ...], cells_beside: Callable[[AnyCell], tuple[AnyCell, ...]]
) -> list[tuple[bool, list[tuple[AnyCell, int]]]]:
    """The outline as loops of (cell, number of its side), each with whether it goes round a hole.

    Outer loops come first, each kind in the order of the cells.
    """
    beside = {cell: cells_beside(cell) for cell in cells}
    seen: set[tuple[AnyCell, int]] = set()
    loops: list[tuple[bool, list[tuple[AnyCell, int]]]] = []
    for cell, others in beside.items():
        for number, other in enumerate(others):
            if other not in beside and (cell, number) not in seen:
                turns, loop = _follow_coast(cell, number, beside)
                seen.update(loop)
                # A line around the land makes one full turn to the right, a line around a hole one to the
                # left.
                loops.append((turns < 0, loop))
    loops.sort(key=lambda entry: entry[0])
    return loops


def _follow_coast(
    cell: AnyCell, number: int, beside: dict[AnyCell, tuple[AnyCell, ...]]
) -> tuple[int, list[tuple[AnyCell, int]]]:
    """The sides of one loop from a given side, and the number of right turns minus left turns."""
    count = len(beside[cell])
    start = (cell, number)
    loop = [start]
    turns = 0
    while True:
        before = number
        number = (number + 1) % count
        # There is land across the next side: cross it, and continue with the side after the one just crossed.
        while (across := beside[cell][number]) in beside:
            cell = across
            number = (number + count // 2 + 1) % count
        # Sides are numbered by direction, so the difference, reduced to -half … half, is the turn.
        turns += (number - before + count // 2) % count - count // 2
        if (cell, number) == start:
            return turns, loop
        loop.append((cell, number))
