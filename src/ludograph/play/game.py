"""What every game and every state can do, whoever wrote the rules."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Protocol, Self

from ludograph.play.choices import Choice, Move, Question
from ludograph.play.generator import Generator
from ludograph.play.legal_moves import LegalMoves
from ludograph.play.record import Record
from ludograph.play.results import Result

OptionValue = bool | float | str


class IllegalMove(ValueError):
    """What was asked for is not offered now; the message says why, and `refusal` in full if that is known."""

    def __init__(self, message: str, refusal: object = None) -> None:
        super().__init__(message)
        self.refusal = refusal


class RulesWrong(Exception):
    """The rules of a game did something that has no meaning; nothing was changed."""


class State(Protocol):
    """A position in a game, also in the middle of a move."""

    @property
    def asked(self) -> tuple[int, ...]:
        """Who may choose now, the first asked first; empty when the game is over."""

    @property
    def result(self) -> Result | None: ...

    @property
    def payoffs(self) -> tuple[float, ...] | None: ...

    @property
    def is_over(self) -> bool: ...

    @property
    def legal_moves(self) -> LegalMoves:
        """All complete legal moves of the first one asked; none when the game is over."""

    @property
    def record(self) -> Record: ...

    def question(self, player: int | None = None) -> Question:
        """What a chooser (the first, if not said) is asked now."""

    def legal_moves_of(self, player: int) -> LegalMoves:
        """All complete legal moves of a player."""

    def outcomes(self) -> tuple[tuple[Choice, Fraction], ...]:
        """What chance may choose now, each with its probability; empty if it is not asked."""

    def choose(self, choice: Choice) -> None:
        """Make one choice."""

    def sample_chance(self, generator: Generator) -> None:
        """Let a generator answer everything that chance is asked now."""

    def push(self, move: Move | str, player: int | None = None) -> None:
        """Make a whole move, one of `legal_moves` or its text (of the first asked, if not said)."""

    def pop(self) -> Move:
        """Take back the last move, with the chance that followed it; gives the move."""

    def children(self) -> Iterator[Self]:
        """The states after each complete legal move of the first chooser; chance stays open."""

    def count(self) -> int:
        """How many states one complete move leads to, each outcome of the chance after it counted."""

    def view(self, player: int) -> Mapping[str, object]:
        """What a player knows, as data."""

    def copy(self) -> Self: ...


class Game(Protocol):
    """Rules that can be played."""

    @property
    def name(self) -> str: ...

    @property
    def rules(self) -> str:
        """A hash of everything that decides how the game goes."""

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
        """The start of a game; without a seed, chance waits to be chosen."""
