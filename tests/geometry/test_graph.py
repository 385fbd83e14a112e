"""Graphs: ways, regions and edits, checked against slower ways to know."""

import pickle
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludograph.geometry.graph import Graph, graph_of

NODES = st.integers(0, 7)
GRAPHS = st.builds(
    Graph, st.dictionaries(NODES, st.dictionaries(NODES, st.integers(0, 9), max_size=4), min_size=1)
)


def relax_until_stable(graph: Graph[int], start: int) -> dict[int, int]:
    """Distances by brute patience (Bellman-Ford)."""
    known = {start: 0}
    for _ in graph.nodes:
        for node, ends in graph.links.items():
            for end, weight in ends.items():
                if node in known:
                    known[end] = min(known.get(end, known[node] + weight), known[node] + weight)
    return known


@given(GRAPHS)
def test_distances_agree_with_brute_patience_and_come_nearest_first(graph: Graph[int]) -> None:
    for start in graph.nodes:
        distances = graph.distances(start)
        assert distances == relax_until_stable(graph, start)
        assert list(distances.values()) == sorted(distances.values())


@given(GRAPHS)
def test_a_shortest_path_follows_links_and_is_as_long_as_the_distance(graph: Graph[int]) -> None:
    for start in graph.nodes:
        for end, distance in graph.distances(start).items():
            path = graph.shortest_path(start, end)
            assert path is not None
            assert (path[0], path[-1]) == (start, end)
            assert sum(graph.links[before][after] for before, after in pairwise(path)) == distance


@given(GRAPHS)
def test_a_path_exists_exactly_to_what_is_reachable(graph: Graph[int]) -> None:
    for start in graph.nodes:
        reachable = graph.reachable(start)
        assert reachable[0] == start
        assert set(reachable) == set(graph.distances(start))
        unreachable = set(graph.nodes) - set(reachable)
        assert all(graph.shortest_path(start, end) is None for end in unreachable)


def test_a_detour_with_less_weight_wins() -> None:
    graph = Graph({"a": {"b": 9, "c": 2}, "c": {"b": 3}})
    assert graph.shortest_path("a", "b") == ("a", "c", "b")


def test_ties_go_to_the_link_given_first() -> None:
    assert graph_of("abcd", ["ac", "ab", "bd", "cd"]).shortest_path("a", "d") == ("a", "c", "d")


def test_one_way_links_lead_one_way() -> None:
    graph = Graph({"a": {"b": 1}})
    assert graph.nodes == ("a", "b")
    assert graph.shortest_path("b", "a") is None
    assert graph.neighbours("b") == ()
    assert graph.weight("b", "a") is None


@given(GRAPHS, st.sets(NODES))
def test_regions_part_the_nodes_where_no_link_joins_them(graph: Graph[int], some: set[int]) -> None:
    nodes = some & set(graph.nodes)
    regions = graph.regions(nodes)
    region_of = {node: number for number, region in enumerate(regions) for node in region}
    assert sum(len(region) for region in regions) == len(nodes) == len(region_of)
    for node in nodes:
        assert all(region_of[end] == region_of[node] for end in graph.neighbours(node) if end in nodes)


@given(GRAPHS)
def test_each_region_hangs_together(graph: Graph[int]) -> None:
    for region in graph.regions():
        back = [(end, node) for node in region for end in graph.neighbours(node)]
        assert set(graph_of(region, back).reachable(region[0])) == set(region)


def test_a_region_ignores_ways_through_other_nodes() -> None:
    chain = graph_of(range(5), pairwise(range(5)))
    assert chain.regions([4, 3, 0, 1]) == ((0, 1), (3, 4))
    assert chain.regions() == ((0, 1, 2, 3, 4),)


def test_edits_give_new_graphs_and_leave_the_old_one() -> None:
    graph = graph_of("abc", ["ab"])
    linked = graph.with_link("b", "c", 4)
    assert graph.weight("b", "c") is None
    assert linked.weight("b", "c") == linked.weight("c", "b") == 4
    assert linked.without_link("c", "b") == graph
    assert graph.with_one_way("c", "a").links["a"] == graph.links["a"]
    assert graph.without_one_way("a", "b").weight("b", "a") == 1
    assert graph.with_node("d").without_node("d") == graph
    assert graph.with_node("a") == graph
    assert graph.without_node("b") == graph_of("ac")


def test_a_graph_does_not_follow_the_mapping_it_was_made_from() -> None:
    table = {"a": {"b": 1}}
    graph = Graph(table)
    table["a"]["c"] = 1
    assert graph.neighbours("a") == ("b",)


@given(GRAPHS)
def test_equal_graphs_have_equal_hashes_whatever_their_order(graph: Graph[int]) -> None:
    turned = Graph({node: graph.links[node] for node in reversed(graph.nodes)})
    assert turned == graph
    assert hash(turned) == hash(graph)


@given(GRAPHS)
def test_graphs_paste_back_and_pickle(graph: Graph[int]) -> None:
    assert eval(repr(graph)) == graph
    assert pickle.loads(pickle.dumps(graph)) == graph


def test_membership_and_size_are_those_of_the_nodes() -> None:
    graph = graph_of("abc")
    assert "a" in graph
    assert "d" not in graph
    assert len(graph) == 3


def test_negative_weights_are_refused() -> None:
    with pytest.raises(AssertionError):
        Graph({"a": {"b": -1}})


def test_ways_start_at_nodes_of_the_graph() -> None:
    with pytest.raises(AssertionError):
        graph_of("ab").distances("z")
