"""Seats and bots: what a player may know goes in, a move comes out.

A bot gets a `Seat`. It shows the view of its player, the question, the legal moves and the history as far
as the player may know them. To look ahead, a bot resamples: it gets a state that looks the same to the
player, with everything hidden drawn anew.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from ludograph.play.choices import Move, Question
from ludograph.play.game import State
from ludograph.play.generator import Generator
from ludograph.play.legal_moves import LegalMoves
from ludograph.play.record import Record
from ludograph.play.search import Search, SearchSettings

Clock = Callable[[], float]
"""The time in seconds since some moment."""


class CannotResample(ValueError):
    """The rules hide something and do not say how to draw it anew, so that bots cannot look ahead."""

    def __init__(self, game: str, hidden: Sequence[str]) -> None:
        shown = ", ".join(hidden[:3]) + (" and more" if len(hidden) > 3 else "")
        super().__init__(
            f"the rules of {game} hide {shown}, and no `resample` block draws this anew, so bots cannot look "
            "ahead; only `random` can play it"
        )


class WrongGame(ValueError):
    """The bot plays only another game."""


CANNOT_PLAY = (CannotResample, WrongGame)
"""Why a bot cannot play a game."""


class Seat:
    """What the player of a seat may know of a state, and nothing else. It changes with the state."""

    __slots__ = ("_state", "player")

    def __init__(self, state: State, player: int) -> None:
        self._state = state
        self.player = player

    @property
    def players(self) -> int:
        """The number of players."""
        return self._state.players

    @property
    def has_secrets(self) -> bool:
        """Whether the rules hide anything from players."""
        return self._state.has_secrets()

    @property
    def view(self) -> Mapping[str, object]:
        """The view of the player, as data."""
        return self._state.view(self.player)

    @property
    def question(self) -> Question:
        """The open question to the player."""
        return self._state.question(self.player)

    @property
    def legal_moves(self) -> LegalMoves:
        """All complete legal moves of the player."""
        return self._state.legal_moves_of(self.player)

    @property
    def history(self) -> Record:
        """The game so far, as far as the player may know it."""
        return self._state.record_for(self.player)

    def resample(self, generator: Generator) -> State:
        """A state that looks the same to the player, with everything hidden drawn anew.

        Chance is not seeded.
        """
        return self._state.resample(self.player, generator)

    def start_search(self, settings: SearchSettings, seed: int, previous: Search | None = None) -> Search:
        """Begin a tree search for the player; it may go on with the tree of a search earlier in this game."""
        return self._state.start_search(self.player, settings, seed, previous)


class Bot(Protocol):
    """A player that thinks. Mutable: it may remember what it has thought about this game."""

    def choose(self, seat: Seat) -> Move:
        """A legal move of the seat's player, or the first choices of one."""


def play_bot(state: State, bot: Bot, player: int) -> Move:
    """Let a bot make one complete move for a player; returns the move."""
    choices = list(bot.choose(Seat(state, player)).choices)
    for choice in choices:
        state.choose(choice)
    while state.under_way() == player:
        more = bot.choose(Seat(state, player)).choices
        for choice in more:
            state.choose(choice)
        choices += more
    return Move(tuple(choices))
