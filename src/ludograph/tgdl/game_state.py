"""A state of a game: who may choose, what is offered, playing, undoing, looking, saving.

The face of a game that other rooms see. Where the game stands is worked out in `game_standing`, what has been
chosen is kept in `game_course`; here both are looked at, copied, compared and written down.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ludograph.play import (
    CHANCE,
    Choice,
    Generator,
    IllegalMove,
    Move,
    Question,
    Record,
    RecordedMove,
    Result,
    format_move,
)
from ludograph.tgdl.game_course import Course
from ludograph.tgdl.game_standing import Standing
from ludograph.tgdl.interpreter.explain import Refusal
from ludograph.tgdl.interpreter.run import Node
from ludograph.tgdl.interpreter.transactions import execute, room_for_calls
from ludograph.tgdl.interpreter.views import view_of
from ludograph.tgdl.interpreter.world import World
from ludograph.tgdl.layout import GroupPlan
from ludograph.tgdl.memory import ACTIVE, Memory
from ludograph.tgdl.memory_bytes import encode_state
from ludograph.tgdl.memory_json import memory_to_json, thing_to_json
from ludograph.tgdl.memory_json_values import compact_json

if TYPE_CHECKING:
    from ludograph.tgdl.game import Game


@dataclass(frozen=True, slots=True)
class Start:
    """How a game began, for its record."""

    seed: int | None
    setup: str | None
    position: str | None
    loaded: tuple[Memory, tuple[Any, ...]] | None = None
    """What was read from bytes: a record begins there, with that as its position."""


class State:
    """A position in a game. Mutable: `choose`, `play` and `undo` change it; a copy is cheap."""

    __slots__ = ("_course", "_start", "game", "world")

    def __init__(self, game: "Game", world: World, course: Course, start: Start) -> None:
        self.game = game
        self.world = world
        self._course = course
        self._start = start

    @property
    def _standing(self) -> Standing:
        return self._course.standing

    # Looking

    @property
    def memory(self) -> Memory:
        """The whole content, as the engines take it; to be read only."""
        return self._standing.memory

    @property
    def can_be_restarted(self) -> bool:
        """Whether no move is under way: the content alone says how to go on."""
        return not self._standing.choices

    @property
    def under_way(self) -> int | None:
        """The player who has begun a move with single choices and not yet ended it."""
        return self._course.under_way

    @property
    def choosers(self) -> tuple[int, ...]:
        """Who may choose now, the first asked first; empty when the game is over."""
        return self._standing.choosers

    @property
    def result(self) -> Result | None:
        return self._standing.result

    @property
    def payoffs(self) -> tuple[float, ...] | None:
        result = self.result
        return None if result is None else result.payoffs

    @property
    def is_over(self) -> bool:
        return not self.choosers

    @property
    def active(self) -> int:
        """The active player."""
        return int(self._standing.shown.cells[ACTIVE])

    @property
    def phase(self) -> str | None:
        """The name of the phase."""
        return self._standing.phase

    @property
    def plans(self) -> tuple[GroupPlan, ...]:
        """The groups of the board as they are now: with tiles that play has added, without those taken."""
        return self._standing.plans

    def question(self, player: int | None = None) -> Question:
        """What a chooser is asked now; only what can be gone on with is offered."""
        return self._standing.question(player)

    def candidates(self, player: int | None = None) -> tuple[Choice, ...]:
        return self.question(player).candidates

    def moves(self, player: int | None = None) -> tuple[Move, ...]:
        """All complete legal moves of a chooser (the first asked, if not said); none when it is over."""
        return self._standing.moves(player)

    def outcomes(self) -> tuple[tuple[Choice, Fraction], ...]:
        """What chance may choose now, each with its probability."""
        if self.choosers != (CHANCE,):
            return ()
        question = self.question()
        return tuple(
            (choice, question.probability(place)) for place, choice in enumerate(question.candidates)
        )

    def children(self) -> Iterator["State"]:
        """The states after each complete legal move of the first chooser; chance stays open."""
        for standing in self._standing.children():
            yield State(self.game, self.world, Course(standing), self._start)

    def count(self) -> int:
        """How many states one complete move leads to, each outcome of the chance after it counted."""
        return self._standing.count()

    def view(self, player: int) -> dict[str, object]:
        """What a player knows, as data: what the player may not see is not in it."""
        if not 0 <= player < self.world.players:
            raise ValueError(f"there is no player {player}")
        run = self._standing.look()
        with room_for_calls(run):
            return {**view_of(run, player), "moves": self._course.moves_seen_by(player)}

    def why_not(self, move: Move | str, player: int | None = None) -> Refusal | None:
        """Why a move cannot be played now, told to a player or to whoever is asked; None if it can."""
        return self._course.why_not(move, player)

    def trace(self, move: Move | str, readers: tuple[int, ...] = (), player: int | None = None) -> str:
        """What a move (of the first asked, if `player` does not say) would do, as a tree: one line a step.

        For readers it tells only what all of them may see; without, everything.
        """
        trial = self._course.copy()
        trial.generator = None
        trial.play(move, player)
        root = Node(move if isinstance(move, str) else move.text)
        if any(trial.is_kept_from(reader) for reader in readers):
            root = Node("?")
        base, choices = trial.last
        execute(self.world, base, choices, trace=root, readers=readers)
        return "\n".join(root.lines())

    @property
    def record(self) -> Record:
        """The game so far, with all that is needed to play it again."""
        log = self._course.log
        moves = tuple(
            RecordedMove(log[begin].chooser, format_move(log[begin:end])) for begin, end in self._course.moves
        )
        options = tuple(
            (name, str(value.name) if hasattr(value, "name") else value)
            for name, value in sorted(self.world.options.items())
        )
        result = self.result
        return Record(
            self.game.name,
            self.game.rules,
            self.game.language,
            self.world.players,
            options,
            self._start.seed,
            self._start.setup,
            moves,
            None if result is None else result.text,
            self._first_position(),
        )

    def _first_position(self) -> str | None:
        if self._start.loaded is None:
            return self._start.position
        return compact_json(memory_to_json(self.world, *self._start.loaded))

    # Playing

    def choose(self, choice: Choice) -> None:
        """Make one choice of those that are offered; IllegalMove says why it is not."""
        self._course.choose(choice)

    def play(self, move: Move | str, player: int | None = None) -> None:
        """Make a whole move of any player who is asked, an offturn action or an aside.

        A text may be a move of several players; then it is one of the first asked, if `player` does not say.
        """
        self._course.play(move, player)

    def undo(self) -> None:
        """Take back the last move of a player, with the chance that followed it."""
        if not self._course.can_undo:
            is_new = self._start.loaded is None and self._start.position is None
            where = "" if is_new else ": this game was taken up here, and what came before is not known"
            raise IllegalMove(f"there is nothing to undo{where}")
        self._course.undo()

    # Copies and data

    def copy(self) -> "State":
        return State(self.game, self.world, self._course.copy(), self._start)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        if self.game.rules != other.game.rules:
            return False
        if self.world is other.world:
            return self._standing.is_same_as(other._standing)
        return self._encoded(None) == other._encoded(None)

    def __hash__(self) -> int:
        return hash(self.digest)

    @property
    def digest(self) -> str:
        """128 bits of the whole content, the same on every machine."""
        return encode_state(self.world, self._standing.memory, self._standing.choices, None).digest

    def _encoded(self, generator: Generator | None) -> bytes:
        words = None if generator is None else generator.state
        return encode_state(self.world, self._standing.memory, self._standing.choices, words).data

    def to_bytes(self) -> bytes:
        """The state in the canonical encoding, with the generator of chance if there is one."""
        return self._encoded(self._course.generator)

    def to_json(self) -> dict[str, object]:
        """The state as data, with nothing left out; `Game.from_json` reads it back."""
        return memory_to_json(self.world, self._standing.memory, self._standing.choices)

    def thing(self, name: str) -> dict[str, object]:
        """The attributes of one thing as data, by its name in `to_json`; a KeyError if there is none."""
        return thing_to_json(self.world, self._standing.memory, name)

    def __repr__(self) -> str:
        result = self.result
        status = result.text if result is not None else f"choosers {self.choosers}"
        return f"<State of {self.game.name}: {status}>"
