"""Points of the plane: both orientations, and back from a point to its cell."""

from math import cos, dist, isclose, pi, sin, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludograph.geometry.hex_places import Face, HexCorner, HexSide, Pole, corners_of
from ludograph.geometry.hexes import CLOCKWISE, ORIGIN, Hex, HexDirection, neighbours
from ludograph.geometry.plane import (
    Orientation,
    Point,
    direction_name,
    hex_centre,
    hex_corner,
    hex_polygon,
    hex_side_ends,
    hex_side_middle,
    nearest_hex,
    nearest_square,
    square_centre,
    square_corner,
    square_polygon,
    square_side_ends,
    square_side_middle,
)
from ludograph.geometry.square_places import SquareCorner, SquareFace, SquareSide
from ludograph.geometry.squares import Square

COORDINATES = st.integers(-50, 50)
HEXES = st.builds(Hex, COORDINATES, COORDINATES)
SIDES = st.builds(HexSide, HEXES, st.sampled_from(Face))
SQUARES = st.builds(Square, COORDINATES, COORDINATES)
SQUARE_SIDES = st.builds(SquareSide, SQUARES, st.sampled_from(SquareFace))
ORIENTATIONS = st.sampled_from(Orientation)
SIZES = st.floats(0.1, 100)
FRACTIONS = st.floats(0, 0.99)
ANGLES = st.floats(0, 2 * pi)

COMPASS = {
    "east": (1, 0),
    "south-east": (1, 1),
    "south": (0, 1),
    "south-west": (-1, 1),
    "west": (-1, 0),
    "north-west": (-1, -1),
    "north": (0, -1),
    "north-east": (1, -1),
}


def sign(value: float) -> int:
    return (value > 1e-9) - (value < -1e-9)


@given(HEXES, ORIENTATIONS, SIZES)
def test_neighbours_lie_root_three_sizes_apart(cell: Hex, orientation: Orientation, size: float) -> None:
    here = hex_centre(cell, orientation, size)
    for other in neighbours(cell):
        assert isclose(dist(here, hex_centre(other, orientation, size)), size * sqrt(3), rel_tol=1e-9)


@given(HEXES, ORIENTATIONS, SIZES)
def test_corners_lie_one_size_from_the_middle_a_sixth_of_a_turn_apart(
    cell: Hex, orientation: Orientation, size: float
) -> None:
    here = hex_centre(cell, orientation, size)
    points = hex_polygon(cell, orientation, size)
    for first, second in zip(points, (*points[1:], points[0]), strict=True):
        assert isclose(dist(here, first), size, rel_tol=1e-9)
        assert isclose(dist(first, second), size, rel_tol=1e-9)
        # Clockwise on screen, where y grows downwards.
        turn = (first.x - here.x) * (second.y - here.y) - (first.y - here.y) * (second.x - here.x)
        assert turn > 0


def test_pointy_cells_have_a_corner_straight_up_and_flat_ones_at_one_o_clock() -> None:
    assert hex_polygon(ORIGIN)[0] == Point(0.0, -1.0)
    assert hex_corner(HexCorner(ORIGIN, Pole.SOUTH)) == Point(0.0, 1.0)
    assert hex_polygon(ORIGIN, Orientation.FLAT)[0] == pytest.approx((0.5, -sqrt(3) / 2))


def test_a_corner_has_one_point_whichever_cell_it_is_reached_from() -> None:
    corner = corners_of(Hex(3, -7))[2]
    assert {hex_polygon(cell)[corners_of(cell).index(corner)] for cell in corner.cells} == {
        hex_corner(corner)
    }


@given(HEXES, ORIENTATIONS)
def test_a_flat_board_is_the_pointy_one_turned_by_a_twelfth(cell: Hex, orientation: Orientation) -> None:
    pointy, flat = hex_centre(cell), hex_centre(cell, Orientation.FLAT)
    turned = (
        pointy.x * cos(pi / 6) - pointy.y * sin(pi / 6),
        pointy.x * sin(pi / 6) + pointy.y * cos(pi / 6),
    )
    assert flat == pytest.approx(turned, abs=1e-9)


@given(SIDES, ORIENTATIONS, SIZES)
def test_the_middle_of_a_side_is_between_its_ends_and_between_its_cells(
    side: HexSide, orientation: Orientation, size: float
) -> None:
    middle = hex_side_middle(side, orientation, size)
    (ax, ay), (bx, by) = hex_side_ends(side, orientation, size)
    (cx, cy), (dx, dy) = (hex_centre(cell, orientation, size) for cell in side.cells)
    assert middle == pytest.approx(((ax + bx) / 2, (ay + by) / 2), abs=1e-6)
    assert middle == pytest.approx(((cx + dx) / 2, (cy + dy) / 2), abs=1e-6)


@pytest.mark.parametrize("orientation", Orientation)
@pytest.mark.parametrize("direction", CLOCKWISE)
def test_directions_go_where_their_names_say(direction: HexDirection, orientation: Orientation) -> None:
    point = hex_centre(direction.step, orientation)
    assert (sign(point.x), sign(point.y)) == COMPASS[direction_name(direction, orientation)]


@given(HEXES, ORIENTATIONS, SIZES, FRACTIONS, ANGLES)
def test_every_point_well_inside_a_hexagon_finds_it(
    cell: Hex, orientation: Orientation, size: float, fraction: float, angle: float
) -> None:
    x, y = hex_centre(cell, orientation, size)
    off = fraction * size * sqrt(3) / 2
    assert nearest_hex(Point(x + off * cos(angle), y + off * sin(angle)), orientation, size) == cell


@given(st.floats(-30, 30), st.floats(-30, 30), ORIENTATIONS)
def test_no_cell_is_nearer_than_the_nearest(x: float, y: float, orientation: Orientation) -> None:
    cell = nearest_hex(Point(x, y), orientation)
    apart = dist((x, y), hex_centre(cell, orientation))
    assert all(apart <= dist((x, y), hex_centre(c, orientation)) + 1e-9 for c in neighbours(cell))


@given(SQUARES, SIZES, st.floats(-0.49, 0.49), st.floats(-0.49, 0.49))
def test_every_point_inside_a_square_finds_it(cell: Square, size: float, right: float, down: float) -> None:
    x, y = square_centre(cell, size)
    assert nearest_square(Point(x + right * size, y + down * size), size) == cell


@given(SQUARE_SIDES, SIZES)
def test_square_sides_are_one_size_long_and_lie_between_their_cells(side: SquareSide, size: float) -> None:
    first, second = square_side_ends(side, size)
    assert isclose(dist(first, second), size, rel_tol=1e-9)
    assert square_side_middle(side, size) == pytest.approx(
        ((first.x + second.x) / 2, (first.y + second.y) / 2), abs=1e-6
    )


def test_a_square_stands_round_its_middle_clockwise_from_the_north_west() -> None:
    assert square_centre(Square(2, 1), 10) == (20, 10)
    assert square_polygon(Square(2, 1), 10) == ((15, 5), (25, 5), (25, 15), (15, 15))
    assert square_corner(SquareCorner(Square(2, 1)), 10) == (15, 5)
