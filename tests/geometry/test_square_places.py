"""Corners and sides of squares: who meets whom, and what symmetries do to them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludograph.geometry.square_places import (
    SquareCorner,
    SquareFace,
    SquareSide,
    border_between,
    cells_beside,
    corner_between,
    corners_of,
    reading_order,
    reflect_corner,
    reflect_side,
    rotate_corner,
    rotate_side,
    side_between,
    side_of,
    sides_of,
)
from ludograph.geometry.squares import (
    ORIGIN,
    STRAIGHT,
    Square,
    SquareAxis,
    SquareDirection,
    chebyshev_distance,
    neighbours,
    rotate,
)

SQUARES = st.builds(Square, st.integers(-30, 30), st.integers(-30, 30))
CORNERS = st.builds(SquareCorner, SQUARES)
SIDES = st.builds(SquareSide, SQUARES, st.sampled_from(SquareFace))
AXES = st.sampled_from(SquareAxis)


@given(CORNERS)
def test_the_cells_of_a_corner_list_it(corner: SquareCorner) -> None:
    assert len(set(corner.cells)) == 4
    assert all(corner in corners_of(cell) for cell in corner.cells)
    assert all(chebyshev_distance(first, second) <= 1 for first in corner.cells for second in corner.cells)


@given(SQUARES)
def test_the_places_of_a_cell_list_it(cell: Square) -> None:
    assert len(set(corners_of(cell))) == len(set(sides_of(cell))) == 4
    assert all(cell in corner.cells for corner in corners_of(cell))
    assert all(cell in side.cells for side in sides_of(cell))


@given(SIDES)
def test_the_cells_of_a_side_list_it(side: SquareSide) -> None:
    first, second = side.cells
    assert second in neighbours(first)
    assert side in sides_of(first)
    assert side in sides_of(second)


@given(SQUARES)
def test_sides_run_clockwise_between_the_corners(cell: Square) -> None:
    corners = corners_of(cell)
    for number, side in enumerate(sides_of(cell)):
        assert set(side.corners) == {corners[number], corners[(number + 1) % 4]}
        assert set(side.cells) == {cell, cells_beside(cell)[number]}


@given(CORNERS)
def test_sides_and_neighbours_of_a_corner_belong_together(corner: SquareCorner) -> None:
    assert len(set(corner.sides)) == 4
    for side, other in zip(corner.sides, corner.neighbours, strict=True):
        assert set(side.corners) == {corner, other}
        assert corner in other.neighbours


@given(SIDES)
def test_the_corners_of_a_side_list_it_and_lie_between_the_same_cells(side: SquareSide) -> None:
    first, second = side.corners
    assert side in first.sides
    assert side in second.sides
    assert set(first.cells) & set(second.cells) == set(side.cells)


@given(SIDES)
def test_neighbours_of_a_side_share_an_end_with_it(side: SquareSide) -> None:
    assert len(set(side.neighbours)) == 6
    for other in side.neighbours:
        assert len(set(side.corners) & set(other.corners)) == 1
        assert side in other.neighbours


@given(CORNERS, SIDES)
def test_places_are_found_from_what_meets_there(corner: SquareCorner, side: SquareSide) -> None:
    first, second, third, fourth = corner.cells
    assert corner_between((third, first, fourth, second)) == corner
    start, end = side.corners
    assert side_between((start, end)) == side_between((end, start)) == side
    here, there = side.cells
    assert border_between(here, there) == border_between(there, here) == side


def test_what_does_not_meet_has_nothing_between() -> None:
    assert corner_between((Square(0, 0), Square(1, 0), Square(2, 0), Square(3, 0))) is None
    assert side_between((SquareCorner(Square(0, 0)), SquareCorner(Square(1, 1)))) is None
    assert border_between(Square(0, 0), Square(1, 1)) is None


@given(SQUARES, st.sampled_from(STRAIGHT))
def test_a_side_faces_the_neighbour_in_its_direction(cell: Square, direction: SquareDirection) -> None:
    assert set(side_of(cell, direction).cells) == {cell, cell + direction.step}


def test_no_side_faces_a_diagonal() -> None:
    with pytest.raises(AssertionError):
        side_of(ORIGIN, SquareDirection.NORTH_EAST)


def test_a_quarter_turn_moves_each_place_of_the_middle_cell_to_the_next() -> None:
    corners, sides = corners_of(ORIGIN), sides_of(ORIGIN)
    assert [rotate_corner(corner, 1) for corner in corners] == [*corners[1:], corners[0]]
    assert [rotate_side(side, 1) for side in sides] == [*sides[1:], sides[0]]


@given(SQUARES, SQUARES, st.integers(-8, 8))
def test_a_turned_cell_has_the_turned_places(cell: Square, about: Square, quarters: int) -> None:
    turned = rotate(cell, quarters, about)
    assert {rotate_corner(c, quarters, about) for c in corners_of(cell)} == set(corners_of(turned))
    assert {rotate_side(s, quarters, about) for s in sides_of(cell)} == set(sides_of(turned))


@given(CORNERS, SIDES, AXES, SQUARES)
def test_reflecting_a_place_twice_is_identity_and_keeps_ends(
    corner: SquareCorner, side: SquareSide, axis: SquareAxis, about: Square
) -> None:
    assert reflect_corner(reflect_corner(corner, axis, about), axis, about) == corner
    mirrored = reflect_side(side, axis, about)
    assert reflect_side(mirrored, axis, about) == side
    assert set(mirrored.corners) == {reflect_corner(end, axis, about) for end in side.corners}


def test_an_axis_keeps_the_corner_or_side_it_is_named_after() -> None:
    south_east = SquareCorner(Square(1, 1))
    east = side_of(ORIGIN, SquareDirection.EAST)
    assert reflect_corner(south_east, SquareAxis.SOUTH_EAST_CORNER) == south_east
    assert reflect_side(east, SquareAxis.EAST_SIDE) == east


def test_reading_order_goes_by_row_then_column_then_suffix() -> None:
    sides = (
        SquareSide(Square(5, -1), SquareFace.WEST),
        SquareSide(Square(0, 0), SquareFace.NORTH),
        SquareSide(Square(0, 0), SquareFace.WEST),
        SquareSide(Square(1, 0), SquareFace.NORTH),
    )
    corners = (SquareCorner(Square(5, -1)), SquareCorner(Square(0, 0)), SquareCorner(Square(1, 0)))
    assert sorted(set(sides), key=reading_order) == list(sides)
    assert sorted(set(corners), key=reading_order) == list(corners)
    assert reading_order(Square(2, 7)) == (7, 2, "")


@given(CORNERS, SIDES)
def test_the_reprs_paste_back(corner: SquareCorner, side: SquareSide) -> None:
    assert eval(repr(corner)) == corner
    assert eval(repr(side)) == side
