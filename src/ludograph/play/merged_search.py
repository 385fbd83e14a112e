"""Several searches of the same position, added up: trees that grow at the same time on threads.

Each search has its own tree and its own random numbers. The number of iterations is divided among them, so
that the same seed, iterations and number of searches give the same result, whichever thread is faster.
"""

from collections.abc import Callable, Sequence

from ludograph.play.choices import Choice
from ludograph.play.generator import split_mix
from ludograph.play.search import Search, SearchedMove, rank

RunAll = Callable[[Sequence[Search], Sequence[int]], None]
"""Runs each search by its number of iterations."""


class MergedSearch:
    """Several searches of one position. Mutable: it grows by iterations."""

    def __init__(self, searches: Sequence[Search], run_all: RunAll) -> None:
        self.searches = tuple(searches)
        self._run_all = run_all
        self._made = 0

    @property
    def iterations(self) -> int:
        return sum(search.iterations for search in self.searches)

    @property
    def is_decided(self) -> bool:
        return any(search.is_decided for search in self.searches)

    def run(self, iterations: int) -> None:
        before, after = (
            [share_of(made, len(self.searches), number) for number in range(len(self.searches))]
            for made in (self._made, self._made + iterations)
        )
        self._made += iterations
        self._run_all(self.searches, [end - begin for begin, end in zip(before, after, strict=True)])

    def moves(self, *, line: int = 0) -> tuple[SearchedMove, ...]:
        decided = [search for search in self.searches if search.is_decided]
        if decided:
            # The first one to be decided: how far the others came since depends on the size of the steps.
            return min(decided, key=lambda search: search.iterations).moves(line=line)
        return rank(add_moves(self.searches, line, keeps_proofs=True))


def share_of(iterations: int, searches: int, number: int) -> int:
    """The iterations of one of several searches.

    >>> [share_of(7, 3, number) for number in range(3)]
    [3, 2, 2]
    """
    return iterations // searches + (number < iterations % searches)


def seeds_of(seed: int, searches: int) -> list[int]:
    """The seeds of several searches, so far apart that no two iterations have the same random numbers."""
    return [seed] if searches == 1 else [word >> 1 for word in split_mix(seed, searches)]


def run_in_turn(searches: Sequence[Search], iterations: Sequence[int]) -> None:
    """Run each search in the calling thread."""
    for search, count in zip(searches, iterations, strict=True):
        search.run(count)


def add_moves(searches: Sequence[Search], line: int, *, keeps_proofs: bool) -> list[SearchedMove]:
    """The moves of several searches with all their visits, in the order in which they were found.

    A payoff is the mean of all visits. With `keeps_proofs`, it is proven if a search has proven it.
    """
    found: dict[tuple[Choice, ...], list[SearchedMove]] = {}
    for search in searches:
        for move in search.moves(line=line):
            found.setdefault(move.choices, []).append(move)
    merged = []
    for choices, moves in found.items():
        visits = sum(move.visits for move in moves)
        payoff = sum(move.payoff * move.visits for move in moves) / visits
        proven = next((move for move in moves if move.is_proven), None) if keeps_proofs else None
        if proven is not None:
            payoff = proven.payoff
        longest = max(moves, key=lambda move: (len(move.line), move.visits)).line
        merged.append(SearchedMove(choices, visits, payoff, proven is not None, longest))
    return merged
