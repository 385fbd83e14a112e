"""A state of a game: who may choose, what is offered, playing, undoing, looking, saving.

A state runs on one of the two engines. On the reference engine its course (`game_course`) is all that there
is. On the native engine its line (`native.line`) is, and that answers every question (`game_native`);
the reference engine puts refusals, faults and traces into words, and goes on where native code has no room.
"""

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from ludograph.play import (
    CHANCE,
    Choice,
    Generator,
    IllegalMove,
    LegalMoves,
    Move,
    Question,
    Record,
    RecordedMove,
    Result,
)
from ludograph.play.changes import Changes, find_changes
from ludograph.play.choices import NamedMove
from ludograph.play.log import ALL, LogEntry, logged_moves
from ludograph.play.record import seed_to_record
from ludograph.tgdl.game.native_log import Unnamed, entries_to
from ludograph.tgdl.game.native_state import (
    agreeing,
    candidate_at,
    choose_at,
    chooser_meant,
    legal_moves_at,
    line_of,
    popped_choices,
    push_at,
    question_at,
    shown_block,
    undone,
    view_at,
)
from ludograph.tgdl.game.reference_bridge import course_at, course_between, standing_at
from ludograph.tgdl.game.reference_history import ReferenceHistory, read_move
from ludograph.tgdl.game.revealed import shown_since
from ludograph.tgdl.game.snapshot import Snapshot
from ludograph.tgdl.game.state_bytes import encode_state
from ludograph.tgdl.game.state_json import instance_to_json, memory_to_json, thing_named
from ludograph.tgdl.game.state_json_values import compact_json
from ludograph.tgdl.game.trace import trace_since
from ludograph.tgdl.native.layout.encoding import ForeignText, Unrepresentable
from ludograph.tgdl.native.layout.status import Refused
from ludograph.tgdl.native.run.engine import ExecutionContext, Failure, Outgrown, TooLarge
from ludograph.tgdl.native.run.history import OFTEN, NativeHistory, branch
from ludograph.tgdl.reference.naming import ref
from ludograph.tgdl.reference.refusals import Refusal
from ludograph.tgdl.reference.transactions import room_for_calls
from ludograph.tgdl.reference.views import view_of
from ludograph.tgdl.world.memory import ACTIVE, Instance, Memory
from ludograph.tgdl.world.topology import GroupPlan
from ludograph.tgdl.world.world import World

if TYPE_CHECKING:
    from ludograph.tgdl.game.game import Game


@dataclass(frozen=True, slots=True)
class GameStart:
    """How a game began, for its record."""

    seed: int | None
    setup: str | None
    position: str | None
    loaded: tuple[Memory, tuple[Any, ...]] | None = None
    """What was read from bytes: a record begins there, with that as its position."""


MOST_POPPED = 32
"""So many moves that were taken back are kept for `changes`."""


class _Popped(NamedTuple):
    """A state as it was before a `pop`, with the counts of choices since the `pop` before that."""

    first: int
    last: int
    state: "State"


class State:
    """A position in a game. Mutable: `choose`, `push` and `pop` change it; a copy is cheap.

    On the native engine its line is where the game stands, and everything is answered from that. On the
    reference engine its course is.
    """

    __slots__ = (
        "_line",
        "_lost",
        "_owns_course",
        "_popped",
        "_reference",
        "_start",
        "_world",
        "game",
        "players",
    )

    def __init__(
        self,
        game: "Game",
        world: World,
        course: ReferenceHistory | None,
        start: GameStart,
        line: NativeHistory | None = None,
    ) -> None:
        self.game = game
        self._world = world
        self.players = world.players
        """How many players there are."""
        self._reference = course
        """What has been chosen; None on the native engine."""
        self._owns_course = True
        """Whether no other state has the same course."""
        self._start = start
        self._line = line
        """Where the game stands on the native engine; None: the course says it."""
        self._lost = 0
        """By how much the count of choices is larger than the number of those that led here."""
        self._popped: tuple[_Popped, ...] = ()
        """What was taken back, the last at the end."""

    # Engines

    @property
    def _standing(self) -> Snapshot:
        """Where the game stands, for the reference engine."""
        if self._line is not None:
            return standing_at(self._line)
        assert self._reference is not None
        return self._reference.standing

    @property
    def _course(self) -> ReferenceHistory:
        """All that has been chosen, as the reference engine keeps it; not to be changed."""
        if self._line is not None:
            return course_at(self._line)
        assert self._reference is not None
        return self._reference

    def _own_course(self) -> ReferenceHistory:
        """The course, to be changed."""
        assert self._reference is not None
        if not self._owns_course:
            self._reference, self._owns_course = self._reference.copy(), True
        return self._reference

    def _leave_native(self) -> ReferenceHistory:
        """The course, to be changed by the reference engine; the line ends."""
        if self._line is not None:
            self._reference, self._owns_course = course_at(self._line), True
            self._line = None
        return self._own_course()

    def _native(self) -> NativeHistory | None:
        """Where the game stands on the native engine, if that is to be used."""
        if self._line is None:
            committer = self.game._committer(self._world)
            if committer is None:
                return None
            assert self._reference is not None
            with suppress(ForeignText):  # what the reference engine plays
                try:
                    line = line_of(committer, self._reference)
                except Unrepresentable:
                    line = self._enlarged_line()
                if line is not None:  # the course belongs to all states of the line now
                    self._line, self._reference = line, None
        return self._line

    def _go_native(self) -> None:
        """Go over to the native engine, if that is to be used."""
        self._native()

    def _enlarged_line(self) -> NativeHistory | None:
        """A line on code that has room for all things that there are now."""
        assert self._reference is not None
        committer = self.game._enlarge(self._world, self._reference.standing.memory)
        return None if committer is None else line_of(committer, self._reference)

    def _go_to(self, line: NativeHistory) -> None:
        self._line = line
        if not line.depth % OFTEN:
            line.let_go()

    # Looking

    @property
    def _memory(self) -> Memory:
        """The whole content, as the engines take it; to be read only."""
        return self._standing.memory

    def can_be_restarted(self) -> bool:
        """Whether no move is under way: the content alone says how to go on."""
        return not (self._standing.choices if self._line is None else self._line.words)

    def under_way(self) -> int | None:
        """The player who has begun a move with single choices and not yet ended it."""
        line = self._line
        if line is None:
            assert self._reference is not None
            return self._reference.under_way
        is_own = bool(line.words) and line.chooser == line.last != CHANCE
        return line.chooser if is_own else None

    @property
    def asked(self) -> tuple[int, ...]:
        """Who may choose now, the first asked first; empty when the game is over."""
        return self._standing.choosers if self._line is None else self._line.choosers

    @property
    def result(self) -> Result | None:
        line = self._line
        return self._standing.result if line is None else line.committer.result(line.block)

    @property
    def payoffs(self) -> tuple[float, ...] | None:
        result = self.result
        return None if result is None else result.payoffs

    @property
    def is_over(self) -> bool:
        return not self.asked

    def active(self) -> int:
        """The active player."""
        block = self._shown_block()
        if block is None:
            return int(self._standing.shown.cells[ACTIVE])
        assert self._line is not None
        return self._line.committer.active(block)

    def phase(self) -> str | None:
        """The name of the phase."""
        block = self._shown_block()
        if block is None:
            return self._standing.phase
        assert self._line is not None
        number = self._line.committer.phase(block)
        return None if number < 0 else self._world.scenes[number].phase.name

    def _shown_block(self) -> bytes | None:
        """The block as people see it; None on the reference engine."""
        if self._line is None:
            return None
        try:
            return shown_block(self._line)
        except Unnamed:
            return None

    def board_groups(self) -> tuple[GroupPlan, ...]:
        """The groups of the board as they are now: with tiles that play has added, without those taken."""
        return self._standing.plans if self._world.changes else self._world.plans

    def question(self, player: int | None = None) -> Question:
        """What a chooser is asked now; only what can be gone on with is offered."""
        line = self._native()
        return self._standing.question(player) if line is None else question_at(line, player)

    def candidates(self, player: int | None = None) -> tuple[Choice, ...]:
        return self.question(player).candidates

    def candidate(self, text: str, player: int | None = None) -> Choice | None:
        """The candidate that a text means, by any name that its thing goes by; None if there is none."""
        line = self._native()
        return self._standing.candidate(text, player) if line is None else candidate_at(line, text, player)

    @property
    def legal_moves(self) -> LegalMoves:
        """All complete legal moves of the first one asked; none when the game is over."""
        line = self._line
        if line is not None:
            choosers = line.choosers
            return legal_moves_at(line, choosers[0]) if choosers else _NO_MOVES
        asked = self.asked
        return self._legal_moves(asked[0]) if asked else _NO_MOVES

    def legal_moves_of(self, player: int) -> LegalMoves:
        """All complete legal moves of a player who is asked, or who may act without being asked.

        IllegalMove if there is no such player, or if another one is in the middle of a move.
        """
        return self._legal_moves(player) if self.asked else _NO_MOVES

    def _legal_moves(self, player: int) -> LegalMoves:
        line = self._native()
        if line is not None:
            return legal_moves_at(line, chooser_meant(line, player))
        standing = self._standing
        standing.asked(player)
        return LegalMoves(lambda: standing.moves(player), lambda text: read_move(standing, text, player))

    def outcomes(self) -> tuple[tuple[Choice, Fraction], ...]:
        """What chance may choose now, each with its probability."""
        if self.asked != (CHANCE,):
            return ()
        question = self.question()
        return tuple(
            (choice, question.probability(place)) for place, choice in enumerate(question.candidates)
        )

    def children(self) -> Iterator["State"]:
        """The states after each complete legal move of the first chooser; chance stays open."""
        line = self._line
        if self.is_over:
            return
        if line is not None:
            open_line = branch(line, ReferenceHistory(standing_at(line)))
            for move in legal_moves_at(open_line, line.choosers[0]):
                after = push_at(open_line, move, None)
                if after is None:
                    break
                yield State(self.game, self._world, None, self._start, after)
            else:
                return
        for standing in self._standing.children():
            yield State(self.game, self._world, ReferenceHistory(standing), self._start)

    def count(self) -> int:
        """How many states one complete move leads to, each outcome of the chance after it counted."""
        line = self._line
        if line is not None and line.chooser is None and not self.is_over:
            with suppress(Outgrown, TooLarge, Failure):
                return ExecutionContext(line.committer.engine).perft(line.block, 1)
        return self._standing.count()

    # Views

    def view(self, player: int | None = None) -> dict[str, Any]:
        """What a player knows, as data: what the player may not see is not in it. None: a spectator."""
        line = self._viewed(player)
        found = None if line is None else view_at(line, player)
        if not isinstance(found, bytes):
            return self._reference_view(player, found)
        data: dict[str, Any] = json.loads(found)
        return data

    def view_json(self, player: int | None = None) -> bytes:
        """The same as JSON in UTF-8, to be sent as it is."""
        line = self._viewed(player)
        found = None if line is None else view_at(line, player)
        if isinstance(found, bytes):
            return found
        return compact_json(self._reference_view(player, found)).encode()

    def _viewed(self, player: int | None) -> NativeHistory | None:
        self._check_viewer(player)
        return self._native()

    def _check_viewer(self, player: int | None) -> None:
        if player is None:
            return
        if not isinstance(player, int):
            raise TypeError(f"a player is a number or None, not {player!r}")
        if not 0 <= player < self._world.players:
            raise ValueError(f"there is no player {player}")

    def _reference_view(self, player: int | None, found: Refused | None) -> dict[str, Any]:
        """What the reference engine shows; with a fault that native code has found, its words."""
        standing = self._standing
        run, choosers = standing.look(), standing.choosers
        with room_for_calls(run), agreeing(found, must_fail=True):
            view = view_of(run, player, choosers)
        moves = logged_moves(self._entries(), player, self._world.players)
        return {**view, "moves": [move.line for move in moves]}

    def changes(self, player: int | None = None, *, since: "State | int") -> Changes:
        """What has changed in a view since an earlier (or later) state, or since so many choices.

        `apply_changes` makes the new view from the old one and these changes.
        """
        if isinstance(since, State):
            self._check_same_game(since)
            old = since.view(player)
        else:
            old = self._at_moment(since).view(player)
        return find_changes(old, self.view(player))

    def _check_same_game(self, other: "State") -> None:
        if other._world is not self._world and other.game.rules != self.game.rules:
            raise ValueError("the other state is of another game")

    def choice_count(self) -> int:
        """How many choices have been made so far, by players and by chance.

        It never becomes smaller: choices that were taken back count, and so does each `pop`. So a count means
        one moment of this state, and `changes(since=…)` finds it.
        """
        return self._log_length() + self._lost

    def _log_length(self) -> int:
        """How many choices led here."""
        line = self._line
        if line is None:
            return len(self._course.log)
        count = len(line.root.course.log)
        while line.before is not None:
            count += len(line.made)
            line = line.before
        return count

    def _at_moment(self, count: int) -> "State":
        """This state when its count of choices was this one."""
        now = self.choice_count()
        if not 0 <= count <= now:
            raise ValueError(f"{now} choices have been made, so nothing is known of {count}")
        if count >= self._first_moment():
            return self._after_choices(count - self._lost)
        for popped in self._popped:
            if popped.first <= count <= popped.last:
                return popped.state._after_choices(count - popped.state._lost)
        raise ValueError(f"what was chosen up to choice {count} was taken back too long ago")

    def _first_moment(self) -> int:
        """The count of choices after the last `pop`, or at the beginning."""
        return self._popped[-1].last + 1 if self._popped else 0

    def _after_choices(self, count: int) -> "State":
        """The state when so many of the choices that led here had been made."""
        made = self._log_length()
        line = self._line
        if line is not None:
            left = made - count
            while left and line.before is not None:
                size = len(line.made)
                if left < size:
                    part = line.before.part(line, size - left)
                    return self._with_line(part)
                left -= size
                line = line.before
            if not left:
                return self._with_line(line)
        twin = State(self.game, self._world, self._course.copy(), self._start)
        twin._own_course().go_back_to(count)
        return twin

    def _with_line(self, line: NativeHistory) -> "State":
        return State(self.game, self._world, None, self._start, line)

    def _entries(self) -> Iterator[LogEntry]:
        """Every choice so far, with who may know of it."""
        return self._course.entries if self._line is None else entries_to(self._line)

    def why_not(self, move: Move | str, player: int | None = None) -> Refusal | None:
        """Why a move cannot be played now, told to a player or to whoever is asked; None if it can."""
        if not isinstance(move, Move | str):
            raise TypeError(f"a move is a Move or its text, not {move!r}")
        return ReferenceHistory(self._standing).why_not(move, player)

    def trace(self, move: Move | str, readers: tuple[int, ...] = (), player: int | None = None) -> str:
        """What a move (of the first asked, if `player` does not say) would do, as a tree: one line a step.

        It goes as far as chance, which is not known before; `traced_since` tells what chance gave.
        For readers it tells only what all of them may see, and nothing of the sealed choices of others;
        without, everything.
        """
        trial = ReferenceHistory(self._standing)
        trial.play(move, player)
        return "\n".join(trace_since(trial, 0, readers, is_trial=True))

    def traced_since(self, before: "State", readers: tuple[int, ...] = ()) -> list[str]:
        """What has been done since an earlier state of this game, chance included: a tree a transaction."""
        self._check_same_game(before)
        course, log = self._course_since(before)
        return trace_since(course, log, readers)

    def shown_since(self, before: "State", player: int) -> list[str]:
        """Things and attributes that a player sees, and that were hidden in an earlier state of this game.

        Also what holds now something that came from a secret.
        """
        if not self._world.has_secrets:
            return []
        course, log = self._course_since(before)
        return list(dict.fromkeys(shown_since(course, before._standing, log, player)))

    def _course_since(self, before: "State") -> tuple[ReferenceHistory, int]:
        """A course with what was chosen since an earlier state, and where that begins in its log."""
        course = course_between(before._line, self._line)
        return (self._course, len(before._course.log)) if course is None else (course, 0)

    @property
    def record(self) -> Record:
        """The game so far, with all that is needed to play it again."""
        seed = None if self._start.seed is None else seed_to_record(self._start.seed)
        return self._recorded(ALL, seed, self._first_position())

    def record_for(self, player: int | None) -> Record:
        """The game so far as a player (None: anybody) may read it.

        Hidden choices and hidden chance are `?`. The seed is left out, because it tells what chance will
        give, and so is a position that a game with secrets began with.
        """
        self._check_viewer(player)
        may_hide = self._world.has_secrets or any(scene.phase.simultaneous for scene in self._world.scenes)
        return self._recorded(player, None, None if may_hide else self._first_position())

    def _recorded(self, viewer: int | None, seed: int | None, position: str | None) -> Record:
        moves = logged_moves(self._entries(), viewer, self._world.players)
        options = tuple(
            (name, str(value.name) if hasattr(value, "name") else value)
            for name, value in sorted(self._world.options.items())
        )
        result = self.result
        return Record(
            self.game.name,
            self.game.rules,
            self.game.language,
            self._world.players,
            options,
            seed,
            self._start.setup,
            tuple(RecordedMove(move.chooser, move.text) for move in moves),
            None if result is None else result.text,
            position,
        )

    def _first_position(self) -> str | None:
        if self._start.loaded is None:
            return self._start.position
        return compact_json(memory_to_json(self._world, *self._start.loaded))

    # Playing

    def choose(self, choice: Choice) -> None:
        """Make one choice of those that are offered; IllegalMove says why it is not."""
        if not isinstance(choice, Choice):
            raise TypeError(f"a choice is a Choice, not {choice!r}")
        line = self._native()
        after = None if line is None else choose_at(line, choice)
        if after is None:
            self._leave_native().choose(choice)
        else:
            self._go_to(after)

    def sample_chance(self, generator: Generator) -> None:
        """Let a generator answer everything that chance is asked now."""
        if self.asked != (CHANCE,):
            return
        line = self._native()
        chance = generator.state
        after: NativeHistory | Refused | None = None
        while line is not None and line.chooser == CHANCE:
            after = line.after_chance(chance)
            if not isinstance(after, NativeHistory) or after.drawn is None:
                break
            line, chance = after, after.drawn
        else:
            if line is not None:
                self._go_to(line)
                generator.go_on_from(chance)
                return
        with agreeing(after, must_fail=True):
            self._leave_native().settle(generator)

    def push(self, move: Move | str, player: int | None = None) -> None:
        """Make a whole move of any player who is asked, an offturn action or an aside.

        A text may be a move of several players; then it is one of the first asked, if `player` does not say.
        """
        line = self._native()
        after = None if line is None else push_at(line, move, player)
        if after is None:
            self._leave_native().play(move, player)
        else:
            self._go_to(after)

    def pop(self) -> Move:
        """Take back the last move of a player, with the chance that followed it; gives the move.

        Before the first move of a player it takes back the chance that the caller chose; chance that a seed
        decided stays, so that IllegalMove says that there is nothing to undo.
        """
        line = self._line
        links = [] if line is None else undone(line)
        earlier = self._reference if line is None else line.root.course
        assert earlier is not None
        is_chosen = line is not None and line.before is not None and not line.root.draws
        if not links and not is_chosen and not earlier.can_undo:
            is_new = self._start.loaded is None and self._start.position is None
            where = "" if is_new else ": this game was taken up here, and what came before is not known"
            raise IllegalMove(f"there is nothing to undo{where}")
        popped = _Popped(self._first_moment(), self.choice_count(), self.copy())
        popped.state._popped = ()
        if line is not None and links:
            self._go_to(links[-1])
            move: Move = NamedMove(None, partial(popped_choices, (line, *links[:-1])))
        else:
            move = self._leave_native().undo()
        self._popped = (*self._popped[1 - MOST_POPPED :], popped)
        self._lost = popped.last + 1 - self._log_length()
        return move

    # Copies and data

    def copy(self) -> "State":
        twin = State(self.game, self._world, self._reference, self._start, self._line)
        twin._owns_course = self._owns_course = False
        twin._lost, twin._popped = self._lost, self._popped
        return twin

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        if self.game.rules != other.game.rules:
            return False
        if self._world is other._world:
            one, two = self._line, other._line
            if one is not None and two is not None and one.committer is two.committer:
                if one is two or (one.words == two.words and one.block == two.block):
                    return True
            return self._standing.is_same_as(other._standing)
        return self._encoded(None) == other._encoded(None)

    __hash__ = None  # type: ignore[assignment]  # it changes

    def digest(self) -> str:
        """128 bits of the whole content, the same on every machine."""
        return encode_state(self._world, self._standing.memory, self._standing.choices, None).digest

    def _encoded(self, generator: Generator | None) -> bytes:
        words = None if generator is None else generator.state
        return encode_state(self._world, self._standing.memory, self._standing.choices, words).data

    def to_bytes(self) -> bytes:
        """The state in the canonical encoding, with the generator of chance if there is one."""
        if self._line is None:
            return self._encoded(self._course.generator)
        chance = self._line.chance
        return self._encoded(None if chance is None else Generator.from_state(chance))

    def __copy__(self) -> "State":
        return self.copy()

    def __deepcopy__(self, memo: object) -> "State":
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled as its bytes are: what led there is not kept."""
        return _from_bytes, (self.game, self.to_bytes())

    def to_json(self) -> dict[str, object]:
        """The position as data, with nothing left out of it; `Game.from_json` reads it back.

        Unlike bytes it has no generator of chance: that is no part of a position.
        """
        return memory_to_json(self._world, self._standing.memory, self._standing.choices)

    def thing(self, name: str, *wanted: str) -> dict[str, object]:
        """The attributes of one thing as data, by its name in `to_json`; a KeyError if there is none.

        With names of attributes, only these, which are found faster.
        """
        instance = thing_named(self._world, name)
        return instance_to_json(self._world, self._memory_with((instance,), wanted), instance, wanted)

    def things(self, construct: str, *wanted: str) -> dict[str, dict[str, object]]:
        """The same of all things of a construct that a game begins with, by their names."""
        world = self._world
        assert world.start is not None
        instances = world.start.families[world.kind[construct].index]
        memory = self._memory_with(instances, wanted)
        return {ref(world, each): instance_to_json(world, memory, each, wanted) for each in instances}

    def _memory_with(self, instances: Iterable[Instance], wanted: tuple[str, ...]) -> Memory:
        """A memory in which these things are right, or what is wanted of them."""
        line, memory = self._line, None
        if line is not None and line.standing is None:
            memory = line.committer.engine.memory_with(line.block, instances, wanted)
        return memory or self._standing.memory

    def __repr__(self) -> str:
        result = self.result
        status = result.text if result is not None else f"asked {self.asked}"
        return f"<State of {self.game.name}: {status}>"


_NO_MOVES = LegalMoves(tuple, lambda text: None)


def _from_bytes(game: "Game", data: bytes) -> State:
    return game.from_bytes(data)
