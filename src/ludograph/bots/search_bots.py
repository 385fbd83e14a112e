"""Bots that search: Monte Carlo tree search, and flat Monte Carlo, which only compares the next moves."""

from ludograph.bots.budgets import SearchBudget
from ludograph.play import Clock, Generator, Move, Search, SearchSettings, Seat


class SearchBot:
    """Plays the best move of a tree search. Mutable: it keeps its tree from move to move."""

    def __init__(
        self, budget: SearchBudget, settings: SearchSettings, generator: Generator, clock: Clock
    ) -> None:
        self._budget = budget
        self._settings = settings
        self._generator = generator
        self._clock = clock
        self._search: Search | None = None

    def choose(self, seat: Seat) -> Move:
        seed = self._generator.word() >> 1
        self._search = seat.start_search(self._settings, seed, self._search)
        self._budget.spend(self._search, self._clock)
        found = self._search.moves()
        if not found:  # the budget was too small to try a move
            moves = seat.legal_moves
            return moves[self._generator.below(len(moves))]
        return Move(found[0].choices)
