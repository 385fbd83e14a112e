"""The longest trail, against a slow search that shares nothing with the fast one."""

from collections.abc import Hashable, Mapping, Sequence
from itertools import combinations
from typing import TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludograph.geometry.boards import HexBoard
from ludograph.geometry.hex_places import HexCorner, HexSide, corners_of, sides_of
from ludograph.geometry.hexes import ORIGIN, Hex, hexagon
from ludograph.geometry.trails import longest_trail, longest_trail_path
from tests.work import calls_of

Side = TypeVar("Side", bound=Hashable)
Corner = TypeVar("Corner", bound=Hashable)

BOARD = HexBoard(hexagon(2))
SMALL_BOARD = HexBoard(hexagon(1))


def brute_force(ends: Mapping[Side, tuple[Corner, Corner]], blocked: set[Corner]) -> int:
    """Walk every trail there is."""

    def walk_on(corner: Corner, used: frozenset[Side]) -> int:
        if used and corner in blocked:
            return len(used)
        lengths = [len(used)]
        for side, (first, second) in ends.items():
            if side not in used and corner in (first, second):
                lengths.append(walk_on(second if corner == first else first, used | {side}))
        return max(lengths)

    return max((walk_on(corner, frozenset()) for pair in ends.values() for corner in pair), default=0)


def is_trail(path: Sequence[Side], ends: Mapping[Side, tuple[Corner, Corner]], blocked: set[Corner]) -> bool:
    """Whether a path can be walked from one of its first side's ends, no side twice."""
    if len(set(path)) != len(path):
        return False
    for start in ends[path[0]] if path else ():
        corner: Corner | None = start
        for number, side in enumerate(path):
            first, second = ends[side]
            if corner not in (first, second) or (number and corner in blocked):
                corner = None
                break
            corner = second if corner == first else first
        if corner is not None:
            return True
    return not path


def with_ends(sides: Sequence[HexSide]) -> dict[HexSide, tuple[HexCorner, HexCorner]]:
    return {side: side.corners for side in sides}


@given(
    st.lists(st.sampled_from(SMALL_BOARD.sides()), unique=True, max_size=15),
    st.sets(st.sampled_from(SMALL_BOARD.corners()), max_size=4),
)
def test_roads_on_a_board_agree_with_brute_force(sides: list[HexSide], blocked: set[HexCorner]) -> None:
    ends = with_ends(sides)
    path = longest_trail_path(ends, blocked)
    assert longest_trail(ends, blocked) == len(path) == brute_force(ends, blocked)
    assert is_trail(path, ends, blocked)


@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=9),
    st.sets(st.integers(0, 5), max_size=2),
)
def test_any_shape_agrees_with_brute_force(pairs: list[tuple[int, int]], blocked: set[int]) -> None:
    # Also sides with the same ends, and sides from a corner to itself.
    ends = dict(enumerate(pairs))
    path = longest_trail_path(ends, blocked)
    assert len(path) == brute_force(ends, blocked)
    assert is_trail(path, ends, blocked)


@given(st.lists(st.sampled_from(BOARD.sides()), unique=True, max_size=15))
def test_the_order_of_sides_does_not_change_the_length(sides: list[HexSide]) -> None:
    assert longest_trail(with_ends(sides)) == longest_trail(with_ends(sides[::-1]))


def test_no_sides_make_no_trail() -> None:
    assert longest_trail_path({}) == ()


def test_one_side_is_a_trail_even_between_blocked_corners() -> None:
    side = sides_of(ORIGIN)[0]
    assert longest_trail(with_ends([side]), side.corners) == 1


def test_a_loop_round_a_cell_counts_six() -> None:
    assert longest_trail(with_ends(sides_of(ORIGIN))) == 6


def test_a_loop_may_start_and_end_at_the_same_blocked_corner() -> None:
    assert longest_trail(with_ends(sides_of(ORIGIN)), corners_of(ORIGIN)[:1]) == 6


def test_a_loop_blocked_twice_falls_into_its_two_halves() -> None:
    corners = corners_of(ORIGIN)
    assert longest_trail(with_ends(sides_of(ORIGIN)), (corners[0], corners[2])) == 4


def test_a_branch_on_a_loop_adds_one() -> None:
    branch = next(side for side in corners_of(ORIGIN)[0].sides if side not in sides_of(ORIGIN))
    assert longest_trail(with_ends([*sides_of(ORIGIN), branch])) == 7


def test_two_cells_that_share_a_side_make_a_figure_eight_of_eleven() -> None:
    sides = dict.fromkeys((*sides_of(ORIGIN), *sides_of(Hex(1, 0))))
    assert len(sides) == longest_trail(with_ends(tuple(sides))) == 11


def test_a_blocked_corner_cuts_a_road_but_both_parts_reach_it() -> None:
    road = {"ab": "ab", "bc": "bc", "cd": "cd", "de": "de", "ef": "ef"}
    ends = {side: (pair[0], pair[1]) for side, pair in road.items()}
    assert longest_trail(ends) == 5
    assert longest_trail_path(ends, ["c"]) in {("cd", "de", "ef"), ("ef", "de", "cd")}


def test_separate_roads_are_not_added() -> None:
    assert longest_trail({1: ("a", "b"), 2: ("b", "c"), 3: ("x", "y")}) == 2


@pytest.mark.parametrize(
    "pairs, length",
    [
        (tuple(combinations(range(6), 2)), 13),
        (tuple(combinations(range(7), 2)), 21),
        (tuple((left, 10 + right) for left in range(4) for right in range(5)), 18),
    ],
)
def test_complete_graphs_lose_only_what_parity_takes(pairs: tuple[tuple[int, int], ...], length: int) -> None:
    assert longest_trail({pair: pair for pair in pairs}) == length


def test_a_long_comb_needs_no_search() -> None:
    spine = [((0, x), (0, x + 1)) for x in range(600)]
    teeth = [((0, x), (1, x)) for x in range(600)]
    assert longest_trail({pair: pair for pair in spine + teeth}) == 601


def test_twenty_roads_in_a_dense_cluster_take_little_work() -> None:
    near = sorted(BOARD.sides(), key=lambda side: sum(abs(cell.q) + abs(cell.r) for cell in side.cells))
    ends = with_ends(near[:20])
    assert calls_of(lambda: longest_trail(ends)) < 100_000
