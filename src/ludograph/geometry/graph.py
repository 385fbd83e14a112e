"""Graphs: nodes of any kind, links between them, and paths along the links.

A link may be directed and may have a weight, a non-negative whole number; there is at most one link from a
node to another. Graphs are immutable: an edit returns a new graph. The order of nodes and links decides ties,
so results are deterministic.
"""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Generic, TypeVar

N = TypeVar("N", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Graph(Generic[N]):
    """`links[a][b]` is the weight of the link from a to b; every node is a key of `links`.

    A node that is only the end of a link is added after the other keys.

    >>> Graph({"a": {"b": 2}}).weight("a", "b")
    2
    """

    links: Mapping[N, Mapping[N, int]]

    def __post_init__(self) -> None:
        links = {node: dict(ends) for node, ends in self.links.items()}
        for ends in tuple(links.values()):
            for end, weight in ends.items():
                assert weight >= 0, "shortest paths need non-negative weights"
                links.setdefault(end, {})
        object.__setattr__(self, "links", links)

    def __hash__(self) -> int:
        return hash(frozenset((node, frozenset(ends.items())) for node, ends in self.links.items()))

    @property
    def nodes(self) -> tuple[N, ...]:
        """All nodes in the order they were given."""
        return tuple(self.links)

    def __contains__(self, node: object) -> bool:
        return node in self.links

    def __len__(self) -> int:
        return len(self.links)

    def neighbours(self, node: N) -> tuple[N, ...]:
        """The ends of the links from a node, in the order of the links."""
        return tuple(self.links[node])

    def weight(self, start: N, end: N) -> int | None:
        """The weight of the link from one node to another; None if there is none."""
        return self.links[start].get(end)

    def distances(self, start: N) -> dict[N, int]:
        """The smallest sum of weights to each reachable node, nearest first."""
        return {node: distance for node, (distance, _) in self._explore(start).items()}

    def shortest_path(self, start: N, end: N) -> tuple[N, ...] | None:
        """The nodes of a path with the smallest sum of weights, both ends included; None if there is no path.

        >>> graph_of("abcd", ["ab", "bc", "cd", "ad"]).shortest_path("a", "c")
        ('a', 'b', 'c')
        """
        reached = self._explore(start)
        if end not in reached:
            return None
        path = [end]
        while path[-1] != start:
            path.append(reached[path[-1]][1])
        return tuple(reversed(path))

    def _explore(self, start: N) -> dict[N, tuple[int, N]]:
        """The distance of each reachable node and the node before it, nearest first (Dijkstra)."""
        assert start in self.links, "a path starts at a node of the graph"
        reached: dict[N, tuple[int, N]] = {}
        # The second item decides ties by age and keeps the heap from comparing nodes.
        queue: list[tuple[int, int, N, N]] = [(0, 0, start, start)]
        pushed = 1
        while queue:
            distance, _, node, before = heappop(queue)
            if node in reached:
                continue
            reached[node] = (distance, before)
            for end, weight in self.links[node].items():
                if end not in reached:
                    heappush(queue, (distance + weight, pushed, end, node))
                    pushed += 1
        return reached

    def reachable(self, start: N) -> tuple[N, ...]:
        """The nodes that can be reached from a node, itself first, then by the number of links.

        >>> Graph({"a": {"b": 1}, "c": {"a": 1}}).reachable("a")
        ('a', 'b')
        """
        assert start in self.links, "a path starts at a node of the graph"
        return _flood(start, self.links)

    def regions(self, nodes: Iterable[N] | None = None) -> tuple[tuple[N, ...], ...]:
        """The connected components of some nodes (default: all), ignoring all other nodes.

        Directed links connect in both directions. Components and their nodes keep the order of the graph.

        >>> graph_of("abcd", ["ab", "bc", "cd"]).regions("abd")
        (('a', 'b'), ('d',))
        """
        wanted = self.links.keys() if nodes is None else frozenset(nodes)
        both_ways: dict[N, dict[N, int]] = {node: {} for node in self.links if node in wanted}
        assert len(both_ways) == len(wanted), "regions are made of nodes of the graph"
        for node, ends in both_ways.items():
            for end in self.links[node]:
                if end in both_ways:
                    ends[end] = 1
                    both_ways[end][node] = 1
        place = {node: index for index, node in enumerate(both_ways)}
        found: set[N] = set()
        parts: list[tuple[N, ...]] = []
        for node in both_ways:
            if node not in found:
                part = _flood(node, both_ways)
                found.update(part)
                parts.append(tuple(sorted(part, key=place.__getitem__)))
        return tuple(parts)

    def with_node(self, node: N) -> "Graph[N]":
        """The graph with one more node without links; unchanged if the node exists."""
        return Graph({**self.links, node: self.links.get(node, {})})

    def without_node(self, node: N) -> "Graph[N]":
        """The graph without a node and every link to or from it."""
        return Graph(
            {
                start: {end: weight for end, weight in ends.items() if end != node}
                for start, ends in self.links.items()
                if start != node
            }
        )

    def with_link(self, first: N, second: N, weight: int = 1) -> "Graph[N]":
        """The graph with links in both directions, which replace existing ones."""
        return self.with_one_way(first, second, weight).with_one_way(second, first, weight)

    def with_one_way(self, start: N, end: N, weight: int = 1) -> "Graph[N]":
        """The graph with a directed link, which replaces an existing one; the opposite link is unchanged."""
        return Graph({**self.links, start: {**self.links.get(start, {}), end: weight}})

    def without_link(self, first: N, second: N) -> "Graph[N]":
        """The graph without the links between two nodes in both directions."""
        return self.without_one_way(first, second).without_one_way(second, first)

    def without_one_way(self, start: N, end: N) -> "Graph[N]":
        """The graph without the link from one node to another; the opposite link is unchanged."""
        ends = {node: weight for node, weight in self.links[start].items() if node != end}
        return Graph({**self.links, start: ends})


def graph_of(nodes: Iterable[N], links: Iterable[Iterable[N]] = ()) -> Graph[N]:
    """A graph from its nodes and pairs of nodes; each pair is a link in both directions with weight 1.

    >>> graph_of("abc", ["ab", "bc"]).neighbours("b")
    ('a', 'c')
    """
    table: dict[N, dict[N, int]] = {node: {} for node in nodes}
    for first, second in links:
        table.setdefault(first, {})[second] = 1
        table.setdefault(second, {})[first] = 1
    return Graph(table)


def _flood(start: N, links: Mapping[N, Mapping[N, int]]) -> tuple[N, ...]:
    found = {start: None}
    queue = [start]
    for node in queue:
        for end in links[node]:
            if end not in found:
                found[end] = None
                queue.append(end)
    return tuple(found)
