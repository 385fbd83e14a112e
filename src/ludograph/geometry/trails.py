"""Trails: sides in, the longest way over them that uses no side twice out (the longest road).

A trail may start or end at a blocked corner but not pass through it, so a blocked corner is
first taken apart into one loose end per side. Trees are then measured and cut off, chains of
sides become one way each, and only what is left, the cycles and how they hang together, is
searched: the time is exponential in the number of cycles and nothing else.
"""

from collections.abc import Hashable, Iterable, Mapping
from typing import Generic, TypeVar

from msgspec import Struct

from ludograph.geometry.graph import graph_of

Side = TypeVar("Side", bound=Hashable)
Corner = TypeVar("Corner", bound=Hashable)


def longest_trail(ends: Mapping[Side, tuple[Corner, Corner]], blocked: Iterable[Corner] = ()) -> int:
    """The number of sides of the longest trail, given each side's two ends.

    >>> fork = {"ab": ("a", "b"), "bc": ("b", "c"), "bd": ("b", "d"), "de": ("d", "e")}
    >>> longest_trail(fork), longest_trail(fork, blocked=["b"])
    (3, 2)
    """
    return len(longest_trail_path(ends, blocked))


def longest_trail_path(
    ends: Mapping[Side, tuple[Corner, Corner]], blocked: Iterable[Corner] = ()
) -> tuple[Side, ...]:
    """The sides of a longest trail in the order they are walked; the same one for the same input.

    >>> longest_trail_path({"ab": ("a", "b"), "bc": ("b", "c"), "bd": ("b", "d")})
    ('ab', 'bc')
    """
    ways = _split_at_blocked(ends, frozenset(blocked))
    best: tuple[Side, ...] = ()
    for part in _components(ways):
        if sum(way.length for way in part) > len(best):
            network = _Network(part)
            best = max(best, network.cut_trees(), key=len)
            network.join_chains()
            if network.ways:
                best = _Search(list(network.ways.values()), best).run()
    return best


class _Way(Struct, Generic[Side], frozen=True):
    """One or more sides in a row between two numbered nodes."""

    first: int
    second: int
    sides: tuple[Side, ...]

    @property
    def length(self) -> int:
        return len(self.sides)

    def other(self, node: int) -> int:
        return self.second if node == self.first else self.first

    def walked_from(self, node: int) -> tuple[Side, ...]:
        return self.sides if node == self.first else self.sides[::-1]


def _split_at_blocked(
    ends: Mapping[Side, tuple[Corner, Corner]], blocked: frozenset[Corner]
) -> list[_Way[Side]]:
    """Each side as a way; every end at a blocked corner gets a number of its own."""
    numbers: dict[Corner, int] = {}
    loose = 0
    ways: list[_Way[Side]] = []
    for side, corners in ends.items():
        nodes: list[int] = []
        for corner in corners:
            if corner in blocked:
                loose -= 1
                nodes.append(loose)
            else:
                nodes.append(numbers.setdefault(corner, len(numbers)))
        ways.append(_Way(nodes[0], nodes[1], (side,)))
    return ways


def _components(ways: list[_Way[Side]]) -> list[list[_Way[Side]]]:
    graph = graph_of((), ((way.first, way.second) for way in ways))
    region_of = {node: index for index, nodes in enumerate(graph.regions()) for node in nodes}
    parts: dict[int, list[_Way[Side]]] = {}
    for way in ways:
        parts.setdefault(region_of[way.first], []).append(way)
    return list(parts.values())


class _Network(Generic[Side]):
    """A connected set of ways that shrinks while its longest trail stays; mutable, used once."""

    def __init__(self, ways: list[_Way[Side]]) -> None:
        self.ways = dict(enumerate(ways))
        self._next = len(ways)
        # A way from a node to itself is listed there twice, so the lengths are the degrees.
        self._at: dict[int, list[int]] = {}
        for number, way in self.ways.items():
            self._at.setdefault(way.first, []).append(number)
            self._at.setdefault(way.second, []).append(number)

    def cut_trees(self) -> tuple[Side, ...]:
        """Put one way for each tree that hangs on the cycles; return the longest trail within a tree."""
        best: tuple[Side, ...] = ()
        tails: dict[int, list[tuple[Side, ...]]] = {}
        loose = [node for node, numbers in self._at.items() if len(numbers) == 1]
        for node in loose:
            longest, second = (*tails.pop(node, []), (), ())[:2]
            best = max(best, longest[::-1] + second, key=len)
            if self._at[node]:
                way = self._remove(self._at[node][0])
                above = way.other(node)
                tail = way.walked_from(above) + longest
                # A trail has two ends, so it never needs a third branch.
                tails[above] = sorted([*tails.get(above, []), tail], key=len, reverse=True)[:2]
                if len(self._at[above]) == 1:
                    loose.append(above)
        leaves = iter(loose)
        for node, branches in tails.items():
            for branch in branches:
                self._add(_Way(node, next(leaves), branch))
        return best

    def join_chains(self) -> None:
        """Make one way of two that meet where nothing else does."""
        for node, numbers in self._at.items():
            if len(numbers) == 2 and numbers[0] != numbers[1]:
                first, second = (self._remove(number) for number in tuple(numbers))
                start, end = first.other(node), second.other(node)
                self._add(_Way(start, end, first.walked_from(start) + second.walked_from(node)))

    def _add(self, way: _Way[Side]) -> None:
        self.ways[self._next] = way
        self._at[way.first].append(self._next)
        self._at[way.second].append(self._next)
        self._next += 1

    def _remove(self, number: int) -> _Way[Side]:
        way = self.ways.pop(number)
        self._at[way.first].remove(number)
        self._at[way.second].remove(number)
        return way


class _Search(Generic[Side]):
    """Branch and bound for a trail longer than the best one known; mutable, used once."""

    def __init__(self, ways: list[_Way[Side]], best: tuple[Side, ...]) -> None:
        self._ways = ways
        self._best = best
        self._best_length = len(best)
        self._path: list[tuple[int, int]] = []
        self._seen: set[tuple[int, int]] = set()
        """Where trails have stood with which ways used: how they came there makes no difference."""
        self._exits: dict[int, list[tuple[int, int, int]]] = {}
        """For a node: the bit of each way there, the node at its other end, its length."""
        for number, way in enumerate(ways):
            self._exits.setdefault(way.first, []).append((1 << number, way.second, way.length))
            if way.first != way.second:
                self._exits.setdefault(way.second, []).append((1 << number, way.first, way.length))

    def run(self) -> tuple[Side, ...]:
        """The best trail known after the search."""
        # A longest trail uses up all ways at its ends: they are odd, or it is a round trip over everything.
        odd = [node for node, exits in self._exits.items() if sum(end != node for _, end, _ in exits) % 2]
        for start in odd or tuple(self._exits)[:1]:
            self._walk(start, 0, 0)
        return self._best

    def _walk(self, node: int, used: int, length: int) -> None:
        """Try every continuation of the trail on `_path`, the most promising first."""
        if length > self._best_length:
            self._best_length = length
            self._best = tuple(
                side for number, start in self._path for side in self._ways[number].walked_from(start)
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
        """At least as much as the trail can still grow from a node.

        Take the unused ways in reach and the nodes where their number is odd, counting the way that
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
        """A lower bound of the way from an odd node to the nearest other one, looking two ways ahead."""
        return min(
            (
                length + (0 if end in odd else shortest[end])
                for bit, end, length in self._exits[node]
                if not used & bit and end != node
            ),
            default=0,
        )
