"""The interface of games and states."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Protocol, Self

from ludograph.play.choices import Choice, Move, Question
from ludograph.play.generator import Generator
from ludograph.play.legal_moves import LegalMoves
from ludograph.play.record import Record
from ludograph.play.results import Result
from ludograph.play.search import Search, SearchSettings

OptionValue = bool | float | str


class IllegalMove(ValueError):
    """The move is not legal now; the message gives the reason, and `refusal` the details if known."""

    def __init__(self, message: str, refusal: object = None) -> None:
        super().__init__(message)
        self.refusal = refusal


class RulesWrong(Exception):
    """The rules of a game did something that has no meaning; the state is unchanged."""


class State(Protocol):
    """A position in a game, also in the middle of a move."""

    @property
    def players(self) -> int:
        """The number of players."""

    @property
    def asked(self) -> tuple[int, ...]:
        """The choosers who may choose now; empty when the game is over."""

    @property
    def result(self) -> Result | None: ...

    @property
    def payoffs(self) -> tuple[float, ...] | None: ...

    @property
    def is_over(self) -> bool: ...

    @property
    def legal_moves(self) -> LegalMoves:
        """All complete legal moves of the first chooser; none when the game is over."""

    @property
    def record(self) -> Record: ...

    def question(self, player: int | None = None) -> Question:
        """The current question to a chooser (default: the first)."""

    def legal_moves_of(self, player: int) -> LegalMoves:
        """All complete legal moves of a player."""

    def outcomes(self) -> tuple[tuple[Choice, Fraction], ...]:
        """The possible outcomes of chance with their probabilities; empty if chance does not choose now."""

    def choose(self, choice: Choice) -> None:
        """Make one choice."""

    def sample_chance(self, generator: Generator) -> None:
        """Let a generator answer all current questions to chance."""

    def push(self, move: Move | str, player: int | None = None) -> None:
        """Make a complete move: one of `legal_moves`, or its text (default: of the first chooser)."""

    def pop(self) -> Move:
        """Undo the last move and the chance after it; returns the move."""

    def children(self) -> Iterator[Self]:
        """The states after each complete legal move of the first chooser, before chance is sampled."""

    def count(self) -> int:
        """The number of states after one complete move, counting each outcome of the chance after it."""

    def view(self, player: int) -> Mapping[str, object]:
        """The view of a player, as data."""

    def has_secrets(self) -> bool:
        """Whether the rules hide anything from players."""

    def record_for(self, player: int | None) -> Record:
        """The record that a player (None: anybody) may read."""

    def under_way(self) -> int | None:
        """The player of an open move: a move that was begun with single choices and is not complete."""

    def value(self, player: int) -> float | None:
        """How well a player stands, by the verb `value` of the rules; None if they have none."""

    def resample(self, player: int, generator: Generator) -> Self:
        """A state that looks the same to a player, with everything hidden drawn anew.

        Chance is not seeded.
        """

    def start_search(
        self, player: int, settings: SearchSettings, seed: int, previous: Search | None = None
    ) -> Search:
        """Begin a tree search for a player who chooses now."""

    def copy(self) -> Self: ...


class Game(Protocol):
    """Rules that can be played."""

    @property
    def name(self) -> str: ...

    @property
    def rules(self) -> str:
        """A hash of everything that affects how the game continues."""

    @property
    def language(self) -> int: ...

    @property
    def player_counts(self) -> Sequence[int]: ...

    def new(
        self,
        players: int | None = None,
        seed: int | None = None,
        options: Mapping[str, OptionValue] | None = None,
        position: object | None = None,
        setup: str | None = None,
    ) -> State:
        """The start of a game; without a seed, chance has to be chosen."""
