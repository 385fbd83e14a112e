"""Square cells: steps, distances, rings, spirals, lines, symmetries, all in exact integers.

`x` grows to the east, `y` grows downwards, and clockwise is clockwise on screen. The names are those of
`hexes.py`, with two kinds of neighbours: four that share a side (Manhattan distance), and eight that share a
side or a corner (Chebyshev distance).
"""

from enum import Enum

from msgspec import Struct


class Square(Struct, frozen=True, order=True):
    """A cell, or a step between cells."""

    x: int
    y: int

    def __add__(self, step: "Square") -> "Square":
        return Square(self.x + step.x, self.y + step.y)

    def __sub__(self, step: "Square") -> "Square":
        return Square(self.x - step.x, self.y - step.y)

    def __neg__(self) -> "Square":
        return Square(-self.x, -self.y)

    def __mul__(self, times: int) -> "Square":
        return Square(self.x * times, self.y * times)

    def __repr__(self) -> str:
        return f"Square({self.x}, {self.y})"


class SquareDirection(Enum):
    """The eight steps, clockwise from the east, as (x, y)."""

    EAST = (1, 0)
    SOUTH_EAST = (1, 1)
    SOUTH = (0, 1)
    SOUTH_WEST = (-1, 1)
    WEST = (-1, 0)
    NORTH_WEST = (-1, -1)
    NORTH = (0, -1)
    NORTH_EAST = (1, -1)

    @property
    def step(self) -> Square:
        return STEPS[self]

    def __repr__(self) -> str:
        return f"SquareDirection.{self.name}"


CLOCKWISE: tuple[SquareDirection, ...] = tuple(SquareDirection)
STRAIGHT: tuple[SquareDirection, ...] = CLOCKWISE[::2]
DIAGONAL: tuple[SquareDirection, ...] = CLOCKWISE[1::2]
STEPS: dict[SquareDirection, Square] = {direction: Square(*direction.value) for direction in CLOCKWISE}
ORIGIN = Square(0, 0)


class SquareAxis(Enum):
    """The four mirror axes of a cell, each named by one of its two sides or corners.

    The value is the angle, in eighths of a turn clockwise from the east.
    """

    EAST_SIDE = 0
    SOUTH_EAST_CORNER = 1
    SOUTH_SIDE = 2
    SOUTH_WEST_CORNER = 3

    def __repr__(self) -> str:
        return f"SquareAxis.{self.name}"


def neighbours(cell: Square) -> tuple[Square, ...]:
    """The four cells that share a side with a cell, clockwise from the east."""
    return tuple(cell + direction.step for direction in STRAIGHT)


def neighbours_around(cell: Square) -> tuple[Square, ...]:
    """The eight cells that share a side or a corner with a cell, clockwise from the east."""
    return tuple(cell + step for step in STEPS.values())


def manhattan_distance(first: Square, second: Square) -> int:
    """The number of steps over sides between two cells.

    >>> manhattan_distance(Square(0, 0), Square(2, -1))
    3
    """
    return abs(first.x - second.x) + abs(first.y - second.y)


def chebyshev_distance(first: Square, second: Square) -> int:
    """The number of steps of a chess king between two cells.

    >>> chebyshev_distance(Square(0, 0), Square(2, -1))
    2
    """
    return max(abs(first.x - second.x), abs(first.y - second.y))


def ring(centre: Square, radius: int) -> tuple[Square, ...]:
    """The cells at one Chebyshev distance, clockwise from the north-west corner of that frame.

    >>> ring(ORIGIN, 1)[:4]
    (Square(-1, -1), Square(0, -1), Square(1, -1), Square(1, 0))
    """
    corner = centre + SquareDirection.NORTH_WEST.step * radius
    return _walk_round(centre, corner, STRAIGHT, 2 * radius)


def diamond_ring(centre: Square, radius: int) -> tuple[Square, ...]:
    """The cells at one Manhattan distance, clockwise from the northernmost.

    >>> diamond_ring(ORIGIN, 1)
    (Square(0, -1), Square(1, 0), Square(0, 1), Square(-1, 0))
    """
    return _walk_round(centre, centre + SquareDirection.NORTH.step * radius, DIAGONAL, radius)


def _walk_round(
    centre: Square, start: Square, directions: tuple[SquareDirection, ...], length: int
) -> tuple[Square, ...]:
    assert length >= 0, "a radius is never negative"
    if length == 0:
        return (centre,)
    cells: list[Square] = []
    cell = start
    for direction in directions:
        for _ in range(length):
            cells.append(cell)
            cell += direction.step
    return tuple(cells)


def spiral_outwards(centre: Square, radius: int) -> tuple[Square, ...]:
    """The centre, then ring after ring up to a radius, each clockwise from the north-west."""
    return tuple(cell for size in range(radius + 1) for cell in ring(centre, size))


def spiral_inwards(centre: Square, radius: int) -> tuple[Square, ...]:
    """The outermost ring first, the centre last, each ring clockwise from the north-west."""
    return tuple(cell for size in range(radius, -1, -1) for cell in ring(centre, size))


def line(first: Square, second: Square) -> tuple[Square, ...]:
    """The cells closest to the straight line between two cells, both included, in steps of a king.

    If the line runs exactly between two cells, the eastern or southern one is taken, so that the line in the
    opposite direction is the same line reversed.

    >>> line(Square(0, 0), Square(2, 1))
    (Square(0, 0), Square(1, 1), Square(2, 1))
    """
    steps = chebyshev_distance(first, second)
    if steps == 0:
        return (first,)
    way = second - first
    return tuple(
        first + Square(_round(way.x * done, steps), _round(way.y * done, steps)) for done in range(steps + 1)
    )


def _round(value: int, unit: int) -> int:
    """The closest whole number of units; the greater one for a half."""
    return (2 * value + unit) // (2 * unit)


def rotate(cell: Square, quarters: int, about: Square = ORIGIN) -> Square:
    """Rotate a cell clockwise by quarters of a turn (negative: counter-clockwise) around another.

    >>> rotate(SquareDirection.EAST.step, 1) == SquareDirection.SOUTH.step
    True
    """
    turned = cell - about
    for _ in range(quarters % 4):
        turned = Square(-turned.y, turned.x)
    return about + turned


def reflect(cell: Square, axis: SquareAxis, about: Square = ORIGIN) -> Square:
    """Mirror a cell at an axis through the middle of another.

    >>> reflect(Square(2, 1), SquareAxis.SOUTH_EAST_CORNER)
    Square(1, 2)
    """
    step = cell - about
    return about + rotate(Square(step.x, -step.y), axis.value)


def rectangle(width: int, height: int, corner: Square = ORIGIN) -> tuple[Square, ...]:
    """Rows of `width` cells from the top left cell, in reading order."""
    return tuple(corner + Square(x, y) for y in range(height) for x in range(width))


def diamond(radius: int, centre: Square = ORIGIN) -> tuple[Square, ...]:
    """All cells up to a Manhattan distance, in reading order: 1, 5, 13, …"""
    assert radius >= 0, "a radius is never negative"
    return tuple(
        centre + Square(x, y)
        for y in range(-radius, radius + 1)
        for x in range(abs(y) - radius, radius - abs(y) + 1)
    )
