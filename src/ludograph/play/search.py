"""The interface of a tree search: settings in; the searched moves, the best first, out."""

from typing import Protocol

from msgspec import Struct

from ludograph.play.choices import Choice, format_move

VALUED_LIMIT = 0
"""If the rules value positions, `value` takes the place of play-outs: at equal time this is stronger."""
FLAT_VALUED_LIMIT = 4
"""A flat search needs play-outs also then: otherwise all iterations with a move would say the same."""
RANDOM_LIMIT = 10_000
EXPLORATION, VALUED_EXPLORATION = 0.7, 0.25
"""The weight of exploration if random games or a `value` say who wins."""
MAX_THREADS = 64


class SearchSettings(Struct, frozen=True):
    """The settings of a search."""

    exploration: float | None = None
    """The weight of the exploration term of UCT, for payoffs from 0 to 1; other payoffs are scaled.

    None: less if there is a `value`, because estimates by `value` vary less than random games.
    """
    playout_limit: int | None = None
    """A play-out that is not over after so many moves is scored by `value`, or as a draw if there is none.

    None: at once if there is a `value`, in a flat search after a few moves; otherwise after `RANDOM_LIMIT`.
    """
    playout_choices: int = 1
    """Each move of a play-out is the best of so many random moves, by `value` after it; 1: a random move."""
    memory: int = 256 << 20
    """Bytes of all trees. When a tree is full, the search goes on without new nodes."""
    is_flat: bool = False
    """Whether the search only compares the next moves, each with the same number of play-outs."""
    threads: int = 1
    """The number of trees. They grow at the same time on threads, and their visits are added up."""


def exploration_of(settings: SearchSettings, *, has_value: bool) -> float:
    """The weight of exploration; `has_value`: the rules value positions.

    >>> exploration_of(SearchSettings(), has_value=True) < exploration_of(SearchSettings(), has_value=False)
    True
    """
    if settings.exploration is not None:
        return settings.exploration
    return VALUED_EXPLORATION if has_value else EXPLORATION


def playout_limit_of(settings: SearchSettings, *, has_value: bool) -> int:
    """The number of moves of a play-out; `has_value`: the rules value positions.

    >>> playout_limit_of(SearchSettings(), has_value=True)
    0
    >>> playout_limit_of(SearchSettings(is_flat=True), has_value=True)
    4
    """
    if settings.playout_limit is not None:
        return settings.playout_limit
    if not has_value:
        return RANDOM_LIMIT
    return FLAT_VALUED_LIMIT if settings.is_flat else VALUED_LIMIT


class SearchedMove(Struct, frozen=True):
    """A move that was searched, or the first choices of a compound move."""

    choices: tuple[Choice, ...]
    visits: int
    payoff: float
    """The mean payoff of the player in the iterations with this move; exact if it is proven."""
    is_proven: bool
    line: tuple[str, ...] = ()
    """The moves after it that the search expects, as `player: move`."""

    @property
    def text(self) -> str:
        return format_move(self.choices)


class Search(Protocol):
    """A search from one position for the player who chooses there. Mutable: it grows by iterations."""

    @property
    def iterations(self) -> int:
        """The number of iterations so far."""

    @property
    def is_decided(self) -> bool:
        """Whether further iterations change nothing: the payoffs are proven, or there is only one move."""

    def run(self, iterations: int) -> None:
        """Run more iterations."""

    def moves(self, *, line: int = 0) -> tuple[SearchedMove, ...]:
        """The searched moves, the best first.

        With `line`, up to so many moves that are expected after each.
        """


def rank(moves: list[SearchedMove]) -> tuple[SearchedMove, ...]:
    """Order searched moves: the move to play first, then the others by their visits.

    The most visited move is played, unless a proven move has at least the same payoff or its own payoff is
    proven to be worse.
    """
    by_visits = sorted(moves, key=lambda move: -move.visits)
    open_moves = [move for move in by_visits if not move.is_proven]
    proven = sorted((move for move in by_visits if move.is_proven), key=lambda move: -move.payoff)
    if not proven:
        return tuple(open_moves)
    if open_moves and open_moves[0].payoff > proven[0].payoff:
        return (*open_moves, *proven)
    return (proven[0], *(move for move in (*open_moves, *proven[1:])))
