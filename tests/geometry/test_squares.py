"""Square cells: the laws of both distances, rings, lines and symmetries."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludograph.geometry.squares import (
    CLOCKWISE,
    DIAGONAL,
    ORIGIN,
    STRAIGHT,
    Square,
    SquareAxis,
    SquareDirection,
    chebyshev_distance,
    diamond,
    diamond_ring,
    line,
    manhattan_distance,
    neighbours,
    neighbours_around,
    rectangle,
    reflect,
    ring,
    rotate,
    spiral_inwards,
    spiral_outwards,
)

SQUARES = st.builds(Square, st.integers(-30, 30), st.integers(-30, 30))
AXES = st.sampled_from(SquareAxis)
RADII = st.integers(0, 6)


@given(SQUARES, SQUARES)
def test_steps_add_and_subtract(cell: Square, step: Square) -> None:
    assert cell + step - step == cell == cell + -step + step
    assert step * 3 == step + step + step


@given(SQUARES)
def test_the_repr_pastes_back(cell: Square) -> None:
    assert eval(repr(cell)) == cell


def test_a_quarter_turn_moves_every_direction_two_on() -> None:
    turned = [rotate(direction.step, 1) for direction in CLOCKWISE]
    assert turned == [direction.step for direction in CLOCKWISE[2:] + CLOCKWISE[:2]]
    assert set(STRAIGHT) | set(DIAGONAL) == set(CLOCKWISE)


@given(SQUARES)
def test_neighbours_are_the_cells_at_distance_one(cell: Square) -> None:
    around = {cell + Square(x, y) for x in range(-3, 4) for y in range(-3, 4)}
    assert set(neighbours(cell)) == {other for other in around if manhattan_distance(cell, other) == 1}
    assert set(neighbours_around(cell)) == {c for c in around if chebyshev_distance(cell, c) == 1}
    assert (len(neighbours(cell)), len(neighbours_around(cell))) == (4, 8)


@given(SQUARES, SQUARES, SQUARES)
def test_both_distances_are_metrics(first: Square, second: Square, third: Square) -> None:
    for distance in (manhattan_distance, chebyshev_distance):
        assert distance(first, second) == distance(second, first) >= 0
        assert (distance(first, second) == 0) == (first == second)
        assert distance(first, third) <= distance(first, second) + distance(second, third)


@given(SQUARES, SQUARES, SQUARES, st.integers(-8, 8), AXES)
def test_rotation_and_reflection_keep_both_distances(
    first: Square, second: Square, about: Square, quarters: int, axis: SquareAxis
) -> None:
    for distance in (manhattan_distance, chebyshev_distance):
        apart = distance(first, second)
        assert distance(rotate(first, quarters, about), rotate(second, quarters, about)) == apart
        assert distance(reflect(first, axis, about), reflect(second, axis, about)) == apart


@given(SQUARES, SQUARES)
def test_four_turns_are_identity_and_no_fewer(cell: Square, about: Square) -> None:
    turned = [rotate(cell, quarters, about) for quarters in range(5)]
    assert turned[4] == cell
    assert len(set(turned)) == (1 if cell == about else 4)


@given(SQUARES, SQUARES, AXES, AXES)
def test_two_reflections_are_the_turn_between_their_axes(
    cell: Square, about: Square, first: SquareAxis, second: SquareAxis
) -> None:
    twice = reflect(reflect(cell, first, about), second, about)
    assert twice == rotate(cell, second.value - first.value, about)


@pytest.mark.parametrize(
    "axis, kept",
    [
        (SquareAxis.EAST_SIDE, SquareDirection.EAST),
        (SquareAxis.SOUTH_EAST_CORNER, SquareDirection.SOUTH_EAST),
        (SquareAxis.SOUTH_SIDE, SquareDirection.SOUTH),
        (SquareAxis.SOUTH_WEST_CORNER, SquareDirection.SOUTH_WEST),
    ],
)
def test_an_axis_keeps_only_the_two_directions_it_goes_through(
    axis: SquareAxis, kept: SquareDirection
) -> None:
    fixed = {direction.step for direction in CLOCKWISE if reflect(direction.step, axis) == direction.step}
    assert fixed == {kept.step, -kept.step}


@given(SQUARES, st.integers(1, 8))
def test_a_ring_has_eight_times_its_radius_and_is_walked_clockwise(centre: Square, radius: int) -> None:
    cells = ring(centre, radius)
    assert len(set(cells)) == len(cells) == 8 * radius
    assert all(chebyshev_distance(centre, cell) == radius for cell in cells)
    assert all(manhattan_distance(first, second) == 1 for first, second in pairwise((*cells, cells[0])))
    assert cells[0] == centre - Square(radius, radius)
    assert cells[2 * radius] == rotate(cells[0], 1, centre)


@given(SQUARES, st.integers(1, 8))
def test_a_diamond_ring_has_four_times_its_radius_and_is_walked_clockwise(
    centre: Square, radius: int
) -> None:
    cells = diamond_ring(centre, radius)
    assert len(set(cells)) == len(cells) == 4 * radius
    assert all(manhattan_distance(centre, cell) == radius for cell in cells)
    assert cells[0] == centre - Square(0, radius)
    assert cells[radius] == rotate(cells[0], 1, centre)


@given(SQUARES, RADII)
def test_spirals_cover_the_square_ring_by_ring(centre: Square, radius: int) -> None:
    outwards, inwards = spiral_outwards(centre, radius), spiral_inwards(centre, radius)
    block = rectangle(2 * radius + 1, 2 * radius + 1, centre - Square(radius, radius))
    assert sorted(outwards) == sorted(inwards) == sorted(block)
    assert outwards[0] == inwards[-1] == centre
    distances = [chebyshev_distance(centre, cell) for cell in outwards]
    assert distances == sorted(distances)
    assert inwards[: 8 * radius or 1] == ring(centre, radius)


@given(SQUARES, SQUARES)
def test_a_line_goes_step_by_step_from_end_to_end(first: Square, second: Square) -> None:
    cells = line(first, second)
    assert len(cells) == chebyshev_distance(first, second) + 1
    assert (cells[0], cells[-1]) == (first, second)
    assert all(chebyshev_distance(before, after) == 1 for before, after in pairwise(cells))


@given(SQUARES, SQUARES)
def test_a_line_keeps_to_the_straight_way(first: Square, second: Square) -> None:
    steps = chebyshev_distance(first, second)
    for done, cell in enumerate(line(first, second)):
        off = (cell - first) * steps - (second - first) * done
        assert max(abs(off.x), abs(off.y)) * 2 <= steps


@given(SQUARES, SQUARES)
def test_the_line_back_is_the_line_reversed(first: Square, second: Square) -> None:
    assert line(second, first) == tuple(reversed(line(first, second)))


@pytest.mark.parametrize("radius, count", [(0, 1), (1, 5), (2, 13), (3, 25)])
def test_a_diamond_holds_all_cells_up_to_its_radius(radius: int, count: int) -> None:
    block = rectangle(9, 9, Square(-4, -4))
    assert diamond(radius) == tuple(c for c in block if manhattan_distance(ORIGIN, c) <= radius)
    assert len(diamond(radius)) == count
