"""The layout of graphs: every node has its own point, and well-known shapes are recognised."""

from math import hypot

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludograph.render.scenes.graphs import lay_out_graph

RING = [(f"n{index}", f"n{(index + 1) % 6}") for index in range(6)]


def closest(points: list[tuple[float, float]]) -> float:
    return min(
        hypot(one[0] - two[0], one[1] - two[1]) for at, one in enumerate(points) for two in points[:at]
    )


def test_names_of_chess_squares_give_a_grid() -> None:
    points = lay_out_graph(["a1", "b1", "a2", "b2"], [])
    assert points == {"a1": (0, -1), "b1": (1, -1), "a2": (0, -2), "b2": (1, -2)}


def test_other_nodes_lie_beside_their_neighbours() -> None:
    points = lay_out_graph(["a1", "b1", "a2", "b2", "home"], [("home", "b1"), ("home", "b2")])
    assert points["home"] == (2, -1.5)


def test_a_long_track_is_folded() -> None:
    points = lay_out_graph([f"p{number}" for number in range(1, 25)], [])
    assert (points["p1"], points["p12"], points["p13"], points["p24"]) == ((11, 2), (0, 2), (0, 0), (11, 0))


def test_directions_lie_as_on_a_map() -> None:
    points = lay_out_graph(["north", "east", "south", "west"], [])
    assert points["north"][1] < points["east"][1] < points["south"][1]
    assert points["west"][0] < points["north"][0] < points["east"][0]


def test_a_ring_is_a_circle() -> None:
    points = lay_out_graph([f"n{index}" for index in range(6)], RING)
    assert len({round(hypot(*point), 6) for point in points.values()}) == 1


@pytest.mark.parametrize("count", [1, 2, 200])
def test_any_number_of_nodes_has_points(count: int) -> None:
    names = [f"x{index}y" for index in range(count)]
    assert set(lay_out_graph(names, [])) == set(names)


@settings(max_examples=20)
@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=16))
def test_nodes_of_any_graph_are_apart(links: list[tuple[int, int]]) -> None:
    names = [f"place_{letter}" for letter in "abcdefghij"]
    points = lay_out_graph(names, [(names[one], names[two]) for one, two in links])
    assert set(points) == set(names)
    assert closest(list(points.values())) > 0.3
