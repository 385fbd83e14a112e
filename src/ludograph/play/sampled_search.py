"""A search of a player who does not know everything: searches of several samples, added up.

Each sample is a state that looks the same to the player, with everything hidden drawn anew. The searches of
the samples take turns. A move counts as much as it was visited in all of them.
"""

from collections.abc import Callable

from ludograph.play.generator import Generator
from ludograph.play.merged_search import add_moves
from ludograph.play.search import Search, SearchedMove

MIN_ITERATIONS = 32
"""A sample has at least so many iterations, unless the whole search has fewer."""
MAX_SAMPLES = 64


class SampledSearch:
    """Searches of several samples. Mutable: it grows by iterations."""

    def __init__(self, start_sample: Callable[[Generator], Search], seed: int) -> None:
        """`start_sample` begins the search of a new sample."""
        self._start_sample = start_sample
        self._generator = Generator(seed)
        self._searches: list[Search] = []
        self.iterations = 0

    @property
    def is_decided(self) -> bool:
        """A search of samples is never decided: there may be other samples."""
        return False

    def run(self, iterations: int) -> None:
        left = iterations
        while left > 0:
            known = len(self._searches)
            if known < MAX_SAMPLES and self.iterations >= MIN_ITERATIONS * known:
                self._searches.append(self._start_sample(self._generator))
            which = self._searches[self.iterations // MIN_ITERATIONS % len(self._searches)]
            count = min(left, MIN_ITERATIONS - self.iterations % MIN_ITERATIONS)
            which.run(count)
            self.iterations += count
            left -= count

    def moves(self, *, line: int = 0) -> tuple[SearchedMove, ...]:
        found = add_moves(self._searches, line, keeps_proofs=False)
        return tuple(sorted(found, key=lambda move: -move.visits))
