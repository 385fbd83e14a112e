"""Corners and sides of hexagons: who meets whom, and what symmetries do to them."""

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from ludograph.geometry.hex_places import (
    Face,
    HexCorner,
    HexSide,
    Pole,
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
from ludograph.geometry.hexes import ORIGIN, Hex, HexAxis, HexDirection, distance, neighbours, reflect, rotate

HEXES = st.builds(Hex, st.integers(-30, 30), st.integers(-30, 30))
CORNERS = st.builds(HexCorner, HEXES, st.sampled_from(Pole))
SIDES = st.builds(HexSide, HEXES, st.sampled_from(Face))
AXES = st.sampled_from(HexAxis)
TURNS = st.integers(-12, 12)


@given(CORNERS)
def test_the_cells_of_a_corner_touch_each_other_and_list_it(corner: HexCorner) -> None:
    first, second, third = corner.cells
    assert distance(first, second) == distance(second, third) == distance(third, first) == 1
    assert all(corner in corners_of(cell) for cell in corner.cells)


@given(HEXES)
def test_the_corners_of_a_cell_list_it(cell: Hex) -> None:
    assert len(set(corners_of(cell))) == 6
    assert all(cell in corner.cells for corner in corners_of(cell))


@given(SIDES)
def test_the_cells_of_a_side_are_neighbours_and_list_it(side: HexSide) -> None:
    first, second = side.cells
    assert distance(first, second) == 1
    assert side in sides_of(first)
    assert side in sides_of(second)


@given(HEXES)
def test_the_sides_of_a_cell_list_it(cell: Hex) -> None:
    assert len(set(sides_of(cell))) == 6
    assert all(cell in side.cells for side in sides_of(cell))


@given(HEXES)
def test_sides_run_clockwise_between_the_corners(cell: Hex) -> None:
    corners = corners_of(cell)
    for number, side in enumerate(sides_of(cell)):
        assert set(side.corners) == {corners[number], corners[(number + 1) % 6]}


@given(HEXES)
def test_the_cells_beside_lie_across_the_sides(cell: Hex) -> None:
    for side, other in zip(sides_of(cell), cells_beside(cell), strict=True):
        assert set(side.cells) == {cell, other}
    assert set(cells_beside(cell)) == set(neighbours(cell))


@given(CORNERS)
def test_the_sides_of_a_corner_end_there(corner: HexCorner) -> None:
    assert len(set(corner.sides)) == 3
    assert all(corner in side.corners for side in corner.sides)


@given(SIDES)
def test_the_corners_of_a_side_list_it_and_lie_between_the_same_cells(side: HexSide) -> None:
    first, second = side.corners
    assert side in first.sides
    assert side in second.sides
    assert set(first.cells) & set(second.cells) == set(side.cells)


@given(CORNERS)
def test_neighbours_of_a_corner_are_the_other_ends_of_its_sides(corner: HexCorner) -> None:
    for side, other in zip(corner.sides, corner.neighbours, strict=True):
        assert set(side.corners) == {corner, other}
        assert corner in other.neighbours


@given(SIDES)
def test_neighbours_of_a_side_share_an_end_with_it(side: HexSide) -> None:
    assert len(set(side.neighbours)) == 4
    for other in side.neighbours:
        assert len(set(side.corners) & set(other.corners)) == 1
        assert side in other.neighbours


@given(CORNERS)
def test_a_corner_is_found_from_its_cells_in_any_order(corner: HexCorner) -> None:
    assert {corner_between((a, b, c)) for a, b, c in permutations(corner.cells)} == {corner}


def test_cells_that_do_not_meet_have_no_corner() -> None:
    assert corner_between((Hex(0, 0), Hex(1, 0), Hex(2, 0))) is None
    assert corner_between((Hex(0, 0), Hex(0, 0), Hex(1, 0))) is None


@given(SIDES)
def test_a_side_is_found_from_its_ends_and_from_its_cells(side: HexSide) -> None:
    first, second = side.corners
    assert side_between((first, second)) == side_between((second, first)) == side
    here, there = side.cells
    assert border_between(here, there) == border_between(there, here) == side


def test_places_apart_have_no_side_between() -> None:
    assert side_between((HexCorner(ORIGIN, Pole.NORTH), HexCorner(ORIGIN, Pole.SOUTH))) is None
    assert border_between(ORIGIN, Hex(2, 0)) is None
    assert border_between(ORIGIN, ORIGIN) is None


@given(HEXES, st.sampled_from(HexDirection))
def test_a_side_faces_the_neighbour_in_its_direction(cell: Hex, direction: HexDirection) -> None:
    assert side_of(cell, direction) == border_between(cell, cell + direction.step)


@given(CORNERS, SIDES, HEXES)
def test_six_turns_of_a_place_are_identity(corner: HexCorner, side: HexSide, about: Hex) -> None:
    assert rotate_corner(corner, 6, about) == corner
    assert rotate_side(side, 6, about) == side
    assert rotate_corner(corner, 1, about) != corner
    assert rotate_side(side, 3, about) != side


@given(HEXES, TURNS, HEXES)
def test_a_turned_cell_has_the_turned_places(cell: Hex, sixths: int, about: Hex) -> None:
    turned = rotate(cell, sixths, about)
    assert {rotate_corner(corner, sixths, about) for corner in corners_of(cell)} == set(corners_of(turned))
    assert {rotate_side(side, sixths, about) for side in sides_of(cell)} == set(sides_of(turned))


def test_a_turn_by_a_sixth_moves_each_corner_of_the_middle_cell_to_the_next() -> None:
    corners, sides = corners_of(ORIGIN), sides_of(ORIGIN)
    assert [rotate_corner(corner, 1) for corner in corners] == [*corners[1:], corners[0]]
    assert [rotate_side(side, 1) for side in sides] == [*sides[1:], sides[0]]


@given(SIDES, AXES, TURNS, HEXES)
def test_symmetries_keep_the_ends_of_sides(side: HexSide, axis: HexAxis, sixths: int, about: Hex) -> None:
    turned = {rotate_corner(corner, sixths, about) for corner in side.corners}
    mirrored = {reflect_corner(corner, axis, about) for corner in side.corners}
    assert set(rotate_side(side, sixths, about).corners) == turned
    assert set(reflect_side(side, axis, about).corners) == mirrored


@given(CORNERS, SIDES, AXES, HEXES)
def test_reflecting_a_place_twice_is_identity(
    corner: HexCorner, side: HexSide, axis: HexAxis, about: Hex
) -> None:
    assert reflect_corner(reflect_corner(corner, axis, about), axis, about) == corner
    assert reflect_side(reflect_side(side, axis, about), axis, about) == side
    assert set(reflect_corner(corner, axis, about).cells) == {reflect(c, axis, about) for c in corner.cells}


def test_an_axis_keeps_the_corner_or_side_it_is_named_after() -> None:
    south = HexCorner(ORIGIN, Pole.SOUTH)
    east = side_of(ORIGIN, HexDirection.EAST)
    assert reflect_corner(south, HexAxis.SOUTH_CORNER) == south
    assert reflect_side(east, HexAxis.EAST_SIDE) == east
    assert reflect_corner(south, HexAxis.EAST_SIDE) == HexCorner(ORIGIN, Pole.NORTH)


def test_reading_order_goes_by_row_then_column_then_suffix() -> None:
    corners = (HexCorner(Hex(0, 0), Pole.NORTH), HexCorner(Hex(0, 0), Pole.SOUTH))
    sides = tuple(HexSide(Hex(0, 0), face) for face in (Face.NORTH_EAST, Face.NORTH_WEST, Face.WEST))
    cells = (Hex(5, -1), Hex(-5, 0), Hex(0, 0))
    assert sorted(set(corners), key=reading_order) == list(corners)
    assert sorted(set(sides), key=reading_order) == list(sides)
    assert sorted(set(cells), key=reading_order) == list(cells)


@given(CORNERS, SIDES)
def test_the_reprs_paste_back(corner: HexCorner, side: HexSide) -> None:
    assert eval(repr(corner)) == corner
    assert eval(repr(side)) == side
