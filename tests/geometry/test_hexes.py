"""Hexagonal cells: the laws of distance, rings, lines and symmetries."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludograph.geometry.hexes import (
    CLOCKWISE,
    ORIGIN,
    STEPS,
    Hex,
    HexAxis,
    HexDirection,
    distance,
    hexagon,
    line,
    neighbours,
    parallelogram,
    rectangle,
    reflect,
    ring,
    rotate,
    spiral_inwards,
    spiral_outwards,
    triangle,
)

COORDINATES = st.integers(-30, 30)
HEXES = st.builds(Hex, COORDINATES, COORDINATES)
HUGE_HEXES = st.builds(Hex, st.integers(-(10**30), 10**30), st.integers(-(10**30), 10**30))
AXES = st.sampled_from(HexAxis)
DIRECTIONS = st.sampled_from(HexDirection)
RADII = st.integers(0, 6)


@given(HEXES, HEXES)
def test_steps_add_and_subtract(cell: Hex, step: Hex) -> None:
    assert cell + step - step == cell == cell + -step + step
    assert step * 3 == step + step + step


@given(HEXES)
def test_the_three_axes_add_up_to_zero(cell: Hex) -> None:
    assert cell.q + cell.r + cell.s == 0


@given(HEXES)
def test_the_repr_pastes_back(cell: Hex) -> None:
    assert eval(repr(cell)) == cell


def test_each_direction_is_the_one_before_turned_by_a_sixth() -> None:
    turned = [rotate(direction.step, 1) for direction in CLOCKWISE]
    assert turned == [STEPS[direction] for direction in (*CLOCKWISE[1:], CLOCKWISE[0])]


@given(HEXES)
def test_neighbours_are_the_cells_at_distance_one_and_mutual(cell: Hex) -> None:
    assert len(set(neighbours(cell))) == 6
    assert all(distance(cell, other) == 1 and cell in neighbours(other) for other in neighbours(cell))


@given(HUGE_HEXES, HUGE_HEXES, HUGE_HEXES)
def test_distance_is_a_metric(first: Hex, second: Hex, third: Hex) -> None:
    assert distance(first, second) == distance(second, first) >= 0
    assert (distance(first, second) == 0) == (first == second)
    assert distance(first, third) <= distance(first, second) + distance(second, third)


@given(HUGE_HEXES, HUGE_HEXES, HUGE_HEXES, st.integers(-12, 12), AXES)
def test_rotation_and_reflection_keep_distance(
    first: Hex, second: Hex, about: Hex, sixths: int, axis: HexAxis
) -> None:
    apart = distance(first, second)
    assert distance(rotate(first, sixths, about), rotate(second, sixths, about)) == apart
    assert distance(reflect(first, axis, about), reflect(second, axis, about)) == apart


@given(HEXES, HEXES)
def test_six_turns_are_identity_and_no_fewer(cell: Hex, about: Hex) -> None:
    turned = [rotate(cell, sixths, about) for sixths in range(7)]
    assert turned[6] == cell
    assert len(set(turned)) == (1 if cell == about else 6)


@given(HEXES, HEXES, st.integers(-12, 12), st.integers(-12, 12))
def test_turns_add_up(cell: Hex, about: Hex, first: int, second: int) -> None:
    assert rotate(rotate(cell, first, about), second, about) == rotate(cell, first + second, about)


@given(HEXES, HEXES, AXES)
def test_reflecting_twice_is_identity(cell: Hex, about: Hex, axis: HexAxis) -> None:
    assert reflect(reflect(cell, axis, about), axis, about) == cell


@given(HEXES, HEXES, AXES, AXES)
def test_two_reflections_are_the_turn_between_their_axes(
    cell: Hex, about: Hex, first: HexAxis, second: HexAxis
) -> None:
    twice = reflect(reflect(cell, first, about), second, about)
    assert twice == rotate(cell, second.value - first.value, about)


@pytest.mark.parametrize(
    "axis, kept",
    [
        (HexAxis.EAST_SIDE, HexDirection.EAST),
        (HexAxis.SOUTH_EAST_SIDE, HexDirection.SOUTH_EAST),
        (HexAxis.SOUTH_WEST_SIDE, HexDirection.SOUTH_WEST),
    ],
)
def test_an_axis_through_sides_keeps_the_cells_behind_them(axis: HexAxis, kept: HexDirection) -> None:
    fixed = [direction for direction in CLOCKWISE if reflect(direction.step, axis) == direction.step]
    assert fixed == [kept, CLOCKWISE[(CLOCKWISE.index(kept) + 3) % 6]]


@pytest.mark.parametrize(
    "axis, first, second",
    [
        (HexAxis.SOUTH_EAST_CORNER, HexDirection.EAST, HexDirection.SOUTH_EAST),
        (HexAxis.SOUTH_CORNER, HexDirection.SOUTH_EAST, HexDirection.SOUTH_WEST),
        (HexAxis.SOUTH_WEST_CORNER, HexDirection.SOUTH_WEST, HexDirection.WEST),
    ],
)
def test_an_axis_through_corners_swaps_the_cells_beside_them(
    axis: HexAxis, first: HexDirection, second: HexDirection
) -> None:
    assert reflect(first.step, axis) == second.step


@given(HEXES, st.integers(1, 8), DIRECTIONS)
def test_a_ring_has_six_times_its_radius_and_is_walked_clockwise(
    centre: Hex, radius: int, start: HexDirection
) -> None:
    cells = ring(centre, radius, start)
    assert len(set(cells)) == len(cells) == 6 * radius
    assert all(distance(centre, cell) == radius for cell in cells)
    assert all(distance(first, second) == 1 for first, second in pairwise((*cells, cells[0])))
    assert cells[0] == centre + start.step * radius
    assert cells[radius] == rotate(cells[0], 1, centre)


def test_the_ring_of_the_settlers_spiral_goes_east_from_its_north_west_cell() -> None:
    cells = ring(ORIGIN, 3)
    turns = [cells[index + 1] - cells[index] for index in (0, 3, 6, 9, 12)]
    assert cells[0] == Hex(0, -3)
    assert turns == [direction.step for direction in CLOCKWISE[:5]]


@given(HEXES, DIRECTIONS)
def test_a_ring_of_radius_zero_is_its_centre(centre: Hex, start: HexDirection) -> None:
    assert ring(centre, 0, start) == (centre,)


@given(HEXES, RADII)
def test_spirals_cover_the_hexagon_ring_by_ring(centre: Hex, radius: int) -> None:
    outwards, inwards = spiral_outwards(centre, radius), spiral_inwards(centre, radius)
    assert sorted(outwards) == sorted(inwards) == sorted(hexagon(radius, centre))
    assert [distance(centre, cell) for cell in inwards] == [distance(centre, c) for c in reversed(outwards)]
    assert outwards[0] == inwards[-1] == centre
    assert inwards[: 6 * radius or 1] == ring(centre, radius)


@given(HEXES, HEXES)
def test_a_line_goes_step_by_step_from_end_to_end(first: Hex, second: Hex) -> None:
    cells = line(first, second)
    assert len(cells) == distance(first, second) + 1
    assert (cells[0], cells[-1]) == (first, second)
    assert all(distance(before, after) == 1 for before, after in pairwise(cells))


@given(HEXES, HEXES)
def test_the_line_back_is_the_line_reversed(first: Hex, second: Hex) -> None:
    assert line(second, first) == tuple(reversed(line(first, second)))


@given(HEXES, HEXES, HEXES)
def test_lines_do_not_depend_on_where_they_lie(first: Hex, second: Hex, step: Hex) -> None:
    assert line(first + step, second + step) == tuple(cell + step for cell in line(first, second))


@given(HEXES, HEXES)
def test_a_line_takes_the_nearest_cells_and_in_a_tie_the_one_to_the_south_east(
    first: Hex, second: Hex
) -> None:
    steps = distance(first, second)

    def nearness(cell: Hex, done: int) -> tuple[int, int]:
        off = (cell - first) * steps - (second - first) * done
        # The square of the distance in the plane, then how far a hair of (1, 2) leads towards the cell.
        return (off.q**2 + off.q * off.r + off.r**2, -(4 * off.q + 5 * off.r))

    for done, cell in enumerate(line(first, second)):
        assert all(nearness(cell, done) < nearness(other, done) for other in neighbours(cell) if steps)


def test_every_line_in_reach_is_sound() -> None:
    for end in hexagon(14):
        cells = line(ORIGIN, end)
        assert all(distance(before, after) == 1 for before, after in pairwise(cells))
        assert line(end, ORIGIN) == cells[::-1]


def test_ties_on_a_line_fall_to_the_south_east() -> None:
    assert line(ORIGIN, Hex(2, -1)) == (ORIGIN, Hex(1, 0), Hex(2, -1))
    assert line(ORIGIN, Hex(1, -2)) == (ORIGIN, Hex(1, -1), Hex(1, -2))


@pytest.mark.parametrize("radius, count", [(0, 1), (1, 7), (2, 19), (3, 37), (4, 61)])
def test_a_hexagon_holds_all_cells_up_to_its_radius(radius: int, count: int) -> None:
    cells = hexagon(radius)
    around = [Hex(q, r) for r in range(-9, 10) for q in range(-9, 10)]
    assert cells == tuple(cell for cell in around if distance(ORIGIN, cell) <= radius)
    assert len(cells) == count


def test_shapes_are_in_reading_order() -> None:
    for cells in (hexagon(3), parallelogram(4, 3), triangle(4), rectangle(5, 6)):
        assert list(cells) == sorted(cells, key=lambda cell: (cell.r, cell.q))


def test_a_parallelogram_is_the_board_of_hex() -> None:
    assert len(set(parallelogram(11, 11, Hex(-5, -5)))) == 121
    assert parallelogram(2, 2) == (Hex(0, 0), Hex(1, 0), Hex(0, 1), Hex(1, 1))


def test_a_triangle_keeps_its_cells_when_turned_about_its_middle() -> None:
    cells = set(triangle(4))
    assert len(cells) == 10
    assert {rotate(cell, 2, Hex(1, 1)) for cell in cells} == cells


def test_the_rows_of_a_rectangle_stay_within_half_a_cell() -> None:
    starts = {2 * cell.q + cell.r for cell in rectangle(5, 6) if cell - Hex(1, 0) not in rectangle(5, 6)}
    assert len(rectangle(5, 6)) == 30
    assert starts == {0, 1}
