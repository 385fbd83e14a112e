"""Hexagonal cells in axial coordinates: steps, distance, rings, spirals, lines, symmetries.

Everything here is exact and independent of the drawing: `plane.py` decides whether corners or sides point up.
The names of directions are those on a board whose corners point up (the settlers board); `clockwise` is
clockwise on screen, and `r` grows downwards.
"""

from enum import Enum

from msgspec import Struct


class Hex(Struct, frozen=True, order=True):
    """A cell, or a step between cells; the third cube axis `s` is always -q - r."""

    q: int
    r: int

    @property
    def s(self) -> int:
        return -self.q - self.r

    def __add__(self, step: "Hex") -> "Hex":
        return Hex(self.q + step.q, self.r + step.r)

    def __sub__(self, step: "Hex") -> "Hex":
        return Hex(self.q - step.q, self.r - step.r)

    def __neg__(self) -> "Hex":
        return Hex(-self.q, -self.r)

    def __mul__(self, times: int) -> "Hex":
        return Hex(self.q * times, self.r * times)

    def __repr__(self) -> str:
        return f"Hex({self.q}, {self.r})"


class HexDirection(Enum):
    """The six steps, clockwise from the east, as (q, r)."""

    EAST = (1, 0)
    SOUTH_EAST = (0, 1)
    SOUTH_WEST = (-1, 1)
    WEST = (-1, 0)
    NORTH_WEST = (0, -1)
    NORTH_EAST = (1, -1)

    @property
    def step(self) -> Hex:
        return STEPS[self]

    def __repr__(self) -> str:
        return f"HexDirection.{self.name}"


CLOCKWISE: tuple[HexDirection, ...] = tuple(HexDirection)
STEPS: dict[HexDirection, Hex] = {direction: Hex(*direction.value) for direction in CLOCKWISE}
ORIGIN = Hex(0, 0)


class HexAxis(Enum):
    """The six mirror axes of a cell, each named by one of its two sides or corners.

    The value is the angle, in twelfths of a turn clockwise from the east.
    """

    EAST_SIDE = 0
    SOUTH_EAST_CORNER = 1
    SOUTH_EAST_SIDE = 2
    SOUTH_CORNER = 3
    SOUTH_WEST_SIDE = 4
    SOUTH_WEST_CORNER = 5

    def __repr__(self) -> str:
        return f"HexAxis.{self.name}"


def neighbours(cell: Hex) -> tuple[Hex, ...]:
    """The six cells that share a side with a cell, clockwise from the east."""
    return tuple(cell + step for step in STEPS.values())


def distance(first: Hex, second: Hex) -> int:
    """The number of steps between two cells.

    >>> distance(Hex(0, 0), Hex(2, -1))
    2
    """
    step = second - first
    return max(abs(step.q), abs(step.r), abs(step.s))


def ring(centre: Hex, radius: int, start: HexDirection = HexDirection.NORTH_WEST) -> tuple[Hex, ...]:
    """The cells at one distance, clockwise from the cell in the direction `start`.

    >>> ring(ORIGIN, 1)
    (Hex(0, -1), Hex(1, -1), Hex(1, 0), Hex(0, 1), Hex(-1, 1), Hex(-1, 0))
    """
    assert radius >= 0, "a radius is never negative"
    if radius == 0:
        return (centre,)
    cells: list[Hex] = []
    cell = centre + start.step * radius
    first = CLOCKWISE.index(start) + 2
    for turn in range(6):
        step = CLOCKWISE[(first + turn) % 6].step
        for _ in range(radius):
            cells.append(cell)
            cell += step
    return tuple(cells)


def spiral_outwards(
    centre: Hex, radius: int, start: HexDirection = HexDirection.NORTH_WEST
) -> tuple[Hex, ...]:
    """The centre, then ring after ring up to a radius, each clockwise from `start`."""
    return tuple(cell for size in range(radius + 1) for cell in ring(centre, size, start))


def spiral_inwards(
    centre: Hex, radius: int, start: HexDirection = HexDirection.NORTH_WEST
) -> tuple[Hex, ...]:
    """The outermost ring first, the centre last, each ring clockwise from `start`.

    Both spirals turn clockwise, so one is not the reverse of the other.
    """
    return tuple(cell for size in range(radius, -1, -1) for cell in ring(centre, size, start))


def line(first: Hex, second: Hex) -> tuple[Hex, ...]:
    """The cells closest to the straight line between two cells, both included.

    If the line runs exactly between two cells, both ends count as moved slightly to the south-east, so that
    the line in the opposite direction is the same line reversed.

    >>> line(Hex(0, 0), Hex(1, 1))
    (Hex(0, 0), Hex(0, 1), Hex(1, 1))
    """
    steps = distance(first, second)
    return tuple(_nearest(first, second - first, done, steps) for done in range(steps + 1))


# One step is divided into this many units; the offsets below add up to less, so they only break ties.
_SUBUNITS = 16
_OFFSET_Q, _OFFSET_R, _OFFSET_S = 1, 2, -3


def _nearest(start: Hex, way: Hex, done: int, steps: int) -> Hex:
    """The cell closest to the point `done / steps` of the line from start, in exact integers."""
    if steps == 0:
        return start
    unit = steps * _SUBUNITS
    q, q_error = _round(way.q * done * _SUBUNITS + _OFFSET_Q, unit)
    r, r_error = _round(way.r * done * _SUBUNITS + _OFFSET_R, unit)
    s, s_error = _round(way.s * done * _SUBUNITS + _OFFSET_S, unit)
    # The three rounded values may not add up to zero: the one with the largest error is recomputed.
    if q_error > r_error and q_error > s_error:
        q = -r - s
    elif r_error > s_error:
        r = -q - s
    return start + Hex(q, r)


def _round(value: int, unit: int) -> tuple[int, int]:
    """The closest whole number of units, and the difference."""
    whole = (2 * value + unit) // (2 * unit)
    return whole, abs(value - whole * unit)


def rotate(cell: Hex, sixths: int, about: Hex = ORIGIN) -> Hex:
    """Rotate a cell clockwise by sixths of a turn (negative: counter-clockwise) around another.

    >>> rotate(HexDirection.EAST.step, 1) == HexDirection.SOUTH_EAST.step
    True
    """
    turned = cell - about
    for _ in range(sixths % 6):
        turned = Hex(-turned.r, -turned.s)
    return about + turned


def reflect(cell: Hex, axis: HexAxis, about: Hex = ORIGIN) -> Hex:
    """Mirror a cell at an axis through the middle of another.

    >>> reflect(Hex(2, -1), HexAxis.SOUTH_CORNER)
    Hex(-1, -1)
    """
    step = cell - about
    # At the horizontal axis q and s swap and change their signs; other axes add a rotation.
    return about + rotate(Hex(-step.s, -step.r), axis.value)


def hexagon(radius: int, centre: Hex = ORIGIN) -> tuple[Hex, ...]:
    """All cells up to a distance, in reading order: 1, 7, 19, 37, …

    >>> len(hexagon(2))
    19
    """
    assert radius >= 0, "a radius is never negative"
    return tuple(
        centre + Hex(q, r)
        for r in range(-radius, radius + 1)
        for q in range(max(-radius, -radius - r), min(radius, radius - r) + 1)
    )


def parallelogram(width: int, height: int, corner: Hex = ORIGIN) -> tuple[Hex, ...]:
    """Rows of `width` cells, each row half a cell further east, from the top left cell; the board of Hex."""
    return tuple(corner + Hex(q, r) for r in range(height) for q in range(width))


def triangle(size: int, corner: Hex = ORIGIN) -> tuple[Hex, ...]:
    """A triangle with one corner at the bottom, from its top left cell: rows of size, size - 1, … 1 cells."""
    return tuple(corner + Hex(q, r) for r in range(size) for q in range(size - r))


def rectangle(width: int, height: int, corner: Hex = ORIGIN) -> tuple[Hex, ...]:
    """Rows of `width` cells from the top left cell; every second row is shifted half a cell to the east.

    >>> rectangle(2, 3)
    (Hex(0, 0), Hex(1, 0), Hex(0, 1), Hex(1, 1), Hex(-1, 2), Hex(0, 2))
    """
    return tuple(corner + Hex(q - r // 2, r) for r in range(height) for q in range(width))
