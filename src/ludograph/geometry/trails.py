"""Trails: sides in, the longest trail over them without repeated sides out (the longest road).

A trail may start or end at a blocked corner but not pass through it, so a blocked corner is first split into
one separate end for each side. Trees are then measured and removed, chains of sides become one edge each, and
only the rest, the connected cycles, is searched: the time is exponential only in the number of cycles.
"""

from collections.abc import Hashable, Iterable, Mapping
from typing import Generic, TypeVar

from msgspec import Struct

from ludograph.geometry.graph import graph_of

AnySide = TypeVar("AnySide", bound=Hashable)
AnyCorner = TypeVar("AnyCorner", bound=Hashable)


def longest_trail(
    ends: Mapping[AnySide, tuple[AnyCorner, AnyCorner]], blocked: Iterable[AnyCorner] = ()
) -> int:
    """The number of sides of the longest trail, given each side's two ends.

    >>> fork = {"ab": ("a", "b"), "bc": ("b", "c"), "bd": ("b", "d"), "de": ("d", "e")}
    >>> longest_trail(fork), longest_trail(fork, blocked=["b"])
    (3, 2)
    """
    return len(longest_trail_path(ends, blocked))


def longest_trail_path(
    ends: Mapping[AnySide, tuple[AnyCorner, AnyCorner]], blocked: Iterable[AnyCorner] = ()
) -> tuple[AnySide, ...]:
    """The sides of a longest trail in order; the result is deterministic.

    >>> longest_trail_path({"ab": ("a", "b"), "bc": ("b", "c"), "bd": ("b", "d")})
    ('ab', 'bc')
    """
    edges = _split_at_blocked(ends, frozenset(blocked))
    best: tuple[AnySide, ...] = ()
    for part in _components(edges):
        if sum(edge.length for edge in part) > len(best):
            network = _Network(part)
            best = max(best, network.cut_trees(), key=len)
            network.join_chains()
            if network.edges:
                best = _Search(list(network.edges.values()), best).run()
    return best


class _Edge(Struct, Generic[AnySide], frozen=True):
    """One or more consecutive sides between two numbered nodes."""

    first: int
    second: int
    sides: tuple[AnySide, ...]

    @property
    def length(self) -> int:
        return len(self.sides)

    def other(self, node: int) -> int:
        return self.second if node == self.first else self.first

    def sides_from(self, node: int) -> tuple[AnySide, ...]:
        return self.sides if node == self.first else self.sides[::-1]


def _split_at_blocked(
    ends: Mapping[AnySide, tuple[AnyCorner, AnyCorner]], blocked: frozenset[AnyCorner]
) -> list[_Edge[AnySide]]:
    """Each side as an edge; every end at a blocked corner gets its own number."""
    numbers: dict[AnyCorner, int] = {}
    loose = 0
    edges: list[_Edge[AnySide]] = []
    for side, corners in ends.items():
        nodes: list[int] = []
        for corner in corners:
            if corner in blocked:
                loose -= 1
                nodes.append(loose)
            else:
                nodes.append(numbers.setdefault(corner, len(numbers)))
        edges.append(_Edge(nodes[0], nodes[1], (side,)))
    return edges


def _components(edges: list[_Edge[AnySide]]) -> list[list[_Edge[AnySide]]]:
    graph = graph_of((), ((edge.first, edge.second) for edge in edges))
    region_of = {node: index for index, nodes in enumerate(graph.regions()) for node in nodes}
    parts: dict[int, list[_Edge[AnySide]]] = {}
    for edge in edges:
        parts.setdefault(region_of[edge.first], []).append(edge)
    return list(parts.values())


class _Network(Generic[AnySide]):
    """A connected set of edges that shrinks while its longest trail stays; mutable, used once."""

    def __init__(self, edges: list[_Edge[AnySide]]) -> None:
        self.edges = dict(enumerate(edges))
        self._next = len(edges)
        # An edge from a node to itself is listed there twice, so the lengths are the degrees.
        self._at: dict[int, list[int]] = {}
        for number, edge in self.edges.items():
            self._at.setdefault(edge.first, []).append(number)
            self._at.setdefault(edge.second, []).append(number)

    def cut_trees(self) -> tuple[AnySide, ...]:
        """Replace each tree that is attached to the cycles by one edge; return the longest trail within a
        tree.
        """
        best: tuple[AnySide, ...] = ()
        tails: dict[int, list[tuple[AnySide, ...]]] = {}
        loose = [node for node, numbers in self._at.items() if len(numbers) == 1]
        for node in loose:
            longest, second = (*tails.pop(node, []), (), ())[:2]
            best = max(best, longest[::-1] + second, key=len)
            if self._at[node]:
                edge = self._remove(self._at[node][0])
                above = edge.other(node)
                tail = edge.sides_from(above) + longest
                # A trail has two ends, so it never needs a third branch.
                tails[above] = sorted([*tails.get(above, []), tail], key=len, reverse=True)[:2]
                if len(self._at[above]) == 1:
                    loose.append(above)
        leaves = iter(loose)
        for node, branches in tails.items():
            for branch in branches:
                self._add(_Edge(node, next(leaves), branch))
        return best

    def join_chains(self) -> None:
        """Join two edges that meet at a node without other edges."""
        for node, numbers in self._at.items():
            if len(numbers) == 2 and numbers[0] != numbers[1]:
                first, second = (self._remove(number) for number in tuple(numbers))
                start, end = first.other(node), second.other(node)
                self._add(_Edge(start, end, first.sides_from(start) + second.sides_from(node)))

    def _add(self, edge: _Edge[AnySide]) -> None:
        self.edges[self._next] = edge
        self._at[edge.first].append(self._next)
        self._at[edge.second].append(self._next)
        self._next += 1

    def _remove(self, number: int) -> _Edge[AnySide]:
        edge = self.edges.pop(number)
        self._at[edge.first].remove(number)
        self._at[edge.second].remove(number)
        return edge


class _Search(Generic[AnySide]):
    """Branch and bound for a trail longer than the best one known; mutable, used once."""

    def __init__(self, edges: list[_Edge[AnySide]], best: tuple[AnySide, ...]) -> None:
        self._edges = edges
        self._best = best
        self._best_length = len(best)
        self._path: list[tuple[int, int]] = []
        self._seen: set[tuple[int, int]] = set()
        """Pairs of an end node and the used edges that were searched; the order of the edges does not matter.
        """
        self._exits: dict[int, list[tuple[int, int, int]]] = {}
        """For a node: the bit of each edge there, the node at its other end, its length."""
        for number, edge in enumerate(edges):
            self._exits.setdefault(edge.first, []).append((1 << number, edge.second, edge.length))
            if edge.first != edge.second:
                self._exits.setdefault(edge.second, []).append((1 << number, edge.first, edge.length))

    def run(self) -> tuple[AnySide, ...]:
        """The best trail after the search."""
        # A longest trail uses all edges at its ends: their degrees are odd, or the trail is a circuit over
        # everything.
        odd = [node for node, exits in self._exits.items() if sum(end != node for _, end, _ in exits) % 2]
        for start in odd or tuple(self._exits)[:1]:
            self._walk(start, 0, 0)
        return self._best

    def _walk(self, node: int, used: int, length: int) -> None:
        """Try every continuation of the trail on `_path`, the most promising first."""
        if length > self._best_length:
            self._best_length = length
            self._best = tuple(
                side for number, start in self._path for side in self._edges[number].sides_from(start)
            )
        choices: list[tuple[int, int, int, int]] = []
        for bit, end, more in self._exits[node]:
            if not used & bit and (end, used | bit) not in self._seen:
                self._seen.add((end, used | bit))
                choices.append((length + more + self._bound(end, used | bit), bit, end, more))
        choices.sort(key=lambda choice: -choice[0])
        for bound, bit, end, more in choices:
            if bound > self._best_length:
                self._path.append((bit.bit_length() - 1, node))
                self._walk(end, used | bit, length + more)
                self._path.pop()

    def _bound(self, node: int, used: int) -> int:
        """An upper bound for the further length of the trail from a node.

        Take the unused edges in reach and the nodes where their number is odd, counting the edge that
        led here. Whatever a trail leaves unused joins these nodes in pairs, all but the one where the
        trail stops.
        """
        shortest: dict[int, int] = {}
        odd: list[int] = []
        twice = 0
        reached = {node}
        queue = [node]
        for place in queue:
            lengths: list[int] = []
            for bit, end, length in self._exits[place]:
                if used & bit:
                    continue
                twice += length
                if end == place:
                    twice += length
                    continue
                lengths.append(length)
                if end not in reached:
                    reached.add(end)
                    queue.append(end)
            if len(lengths) % 2 != (place == node):
                odd.append(place)
            shortest[place] = min(lengths, default=0)
        apart = [self._distance_at_least(place, odd, shortest, used) for place in odd]
        return (twice - sum(apart) + max(apart)) // 2

    def _distance_at_least(self, node: int, odd: list[int], shortest: dict[int, int], used: int) -> int:
        """A lower bound of the distance from an odd node to the nearest other one, two edges ahead."""
        return min(
            (
                length + (0 if end in odd else shortest[end])
                for bit, end, length in self._exits[node]
                if not used & bit and end != node
            ),
            default=0,
        )
