"""A state of a game: who may choose, what is offered, playing, undoing, looking, saving.

The face of a game that other rooms see. Where the game stands is worked out in `game_standing`, what has been
chosen is kept in `game_course`; here both are looked at, copied, compared and written down.

A state may run on the native engine. Then its line (`native.line`) is where the game stands, and the course
follows when somebody asks for what only the reference engine can tell. Whatever the native engine cannot do,
an illegal move included, the reference engine does, so that errors are always its own.
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

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
    format_move,
)
from ludograph.play.record import seed_to_record
from ludograph.tgdl.game_course import Course
from ludograph.tgdl.game_line import (
    catch_up,
    is_phrase,
    line_of,
    links_since,
    list_moves,
    play_natively,
    standing_of,
    undone,
)
from ludograph.tgdl.game_showing import shown_since
from ludograph.tgdl.game_standing import Standing
from ludograph.tgdl.game_trace import trace_since
from ludograph.tgdl.interpreter.explain import Refusal
from ludograph.tgdl.interpreter.naming import ref
from ludograph.tgdl.interpreter.transactions import room_for_calls
from ludograph.tgdl.interpreter.views import view_of
from ludograph.tgdl.interpreter.world import World
from ludograph.tgdl.layout import GroupPlan
from ludograph.tgdl.memory import ACTIVE, Instance, Memory
from ludograph.tgdl.memory_bytes import encode_state
from ludograph.tgdl.memory_json import instance_to_json, memory_to_json, thing_named
from ludograph.tgdl.memory_json_values import compact_json
from ludograph.tgdl.native.images import ForeignText, Unrepresentable
from ludograph.tgdl.native.line import OFTEN, Line
from ludograph.tgdl.native.phrases import Change, Phrase, Phrases, Script

if TYPE_CHECKING:
    from ludograph.tgdl.game import Game


WORTH_SHARING = 16
"""A course that has followed so many links is left to other states of the line, to go on from there."""


@dataclass(frozen=True, slots=True)
class Start:
    """How a game began, for its record."""

    seed: int | None
    setup: str | None
    position: str | None
    loaded: tuple[Memory, tuple[Any, ...]] | None = None
    """What was read from bytes: a record begins there, with that as its position."""


class State:
    """A position in a game. Mutable: `choose`, `push` and `pop` change it; a copy is cheap."""

    __slots__ = ("_followed", "_known", "_line", "_owns_course", "_start", "_told", "game", "world")

    def __init__(self, game: "Game", world: World, course: Course, start: Start) -> None:
        self.game = game
        self.world = world
        self._followed = course
        """What has been chosen, as far as the reference engine has followed."""
        self._owns_course = True
        """Whether no other state has the same course."""
        self._start = start
        self._line: Line | None = None
        """Where the game stands on the native engine; None: the course says it."""
        self._known: Line | None = None
        """The link that the course has come to."""
        self._told: Standing | None = None
        """What the line says, on the reference engine."""

    @property
    def _course(self) -> Course:
        """All that has been chosen."""
        line, known = self._line, self._known
        if line is not known:
            assert line is not None and known is not None
            links, shared = links_since(line, known)
            course = (self._followed if shared is None else shared).copy()  # whatever may interrupt this
            for link in links:
                catch_up(course, link)
            is_shared = len(links) > WORTH_SHARING
            if is_shared:
                line.followed = course
            self._followed, self._known, self._owns_course = course, line, not is_shared
        return self._followed

    def _own_course(self) -> Course:
        """The course, to be changed."""
        if not self._owns_course:
            self._followed = self._followed.copy()
            self._owns_course = True
        return self._followed

    def _changed_course(self) -> Course:
        """The course, to be changed by the reference engine; the line ends."""
        _ = self._course
        self._line = self._known = self._told = None
        return self._own_course()

    @property
    def _standing(self) -> Standing:
        if self._line is self._known:
            return self._followed.standing
        if self._told is None:
            assert self._line is not None
            self._told = standing_of(self._line)
        return self._told

    def _native(self) -> Line | None:
        """Where the game stands on the native engine, if that is to be used."""
        if self._line is None:
            committer = self.game.committer(self.world)
            if committer is None:
                return None
            with suppress(ForeignText):  # what the reference engine plays
                try:
                    self._line = self._known = line_of(committer, self._followed)
                except Unrepresentable:
                    self._line = self._known = self._enlarged_line()
        return self._line

    def _enlarged_line(self) -> Line | None:
        """A line on code that has room for all things that there are now."""
        committer = self.game.enlarge(self.world, self._followed.standing.memory)
        return None if committer is None else line_of(committer, self._followed)

    def _go_to(self, line: Line) -> None:
        self._line = line
        self._told = None
        if not line.depth % OFTEN:
            line.let_go()

    def foresee(self, uses: int) -> None:
        """Say how many moves will be played or lists of them be made, for the choice of the engine."""
        self.game.foresee(self.world, uses)

    # Looking

    @property
    def memory(self) -> Memory:
        """The whole content, as the engines take it; to be read only."""
        return self._standing.memory

    def can_be_restarted(self) -> bool:
        """Whether no move is under way: the content alone says how to go on."""
        return not (self._standing.choices if self._line is None else self._line.words)

    def under_way(self) -> int | None:
        """The player who has begun a move with single choices and not yet ended it."""
        line = self._line
        if line is not None and line.chooser is None:
            return None
        return self._course.under_way

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
        line = self._line
        if line is not None and line.chooser is None:
            return line.committer.active(line.block)
        return int(self._standing.shown.cells[ACTIVE])

    def phase(self) -> str | None:
        """The name of the phase."""
        line = self._line
        if line is None or line.chooser is not None:
            return self._standing.phase
        number = line.committer.phase(line.block)
        return None if number < 0 else self.world.scenes[number].phase.name

    def board_groups(self) -> tuple[GroupPlan, ...]:
        """The groups of the board as they are now: with tiles that play has added, without those taken."""
        return self._standing.plans

    def question(self, player: int | None = None) -> Question:
        """What a chooser is asked now; only what can be gone on with is offered."""
        return self._standing.question(player)

    def candidates(self, player: int | None = None) -> tuple[Choice, ...]:
        return self.question(player).candidates

    def candidate(self, text: str, player: int | None = None) -> Choice | None:
        """The candidate that a text means, by any name that its thing goes by; None if there is none."""
        return self._standing.candidate(text, player)

    @property
    def legal_moves(self) -> LegalMoves:
        """All complete legal moves of the first one asked; none when the game is over."""
        asked = self.asked
        return self._legal_moves(asked[0]) if asked else _NO_MOVES

    def legal_moves_of(self, player: int) -> LegalMoves:
        """All complete legal moves of a player who is asked, or who may act without being asked.

        IllegalMove if there is no such player, or if another one is in the middle of a move.
        """
        return self._legal_moves(player) if self.asked else _NO_MOVES

    def _legal_moves(self, player: int) -> LegalMoves:
        line = self._native()
        if line is not None and (
            player in line.choosers or (line.chooser is None and 0 <= player < self.world.players)
        ):
            return LegalMoves(
                lambda: self._list_moves(line, player),
                lambda text: _read_move(self._standing_at(line), text, player),
            )
        standing = self._standing
        standing.asked(player)
        return LegalMoves(lambda: standing.moves(player), lambda text: _read_move(standing, text, player))

    def _list_moves(self, line: Line, player: int) -> tuple[Move, ...]:
        found = list_moves(line, player)
        if found or (found is not None and line.chooser is None):
            return found
        return self._standing_at(line).moves(player)

    def _standing_at(self, line: Line) -> Standing:
        return self._standing if line is self._line else standing_of(line)

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
        for standing in self._standing.children():
            yield State(self.game, self.world, Course(standing), self._start)

    def count(self) -> int:
        """How many states one complete move leads to, each outcome of the chance after it counted."""
        return self._standing.count()

    def view(self, player: int) -> dict[str, object]:
        """What a player knows, as data: what the player may not see is not in it."""
        if not 0 <= player < self.world.players:
            raise ValueError(f"there is no player {player}")
        standing = self._standing
        run, choosers = standing.look(), standing.choosers
        with room_for_calls(run):
            return {**view_of(run, player, choosers), "moves": self._course.moves_seen_by(player)}

    def why_not(self, move: Move | str, player: int | None = None) -> Refusal | None:
        """Why a move cannot be played now, told to a player or to whoever is asked; None if it can."""
        return Course(self._standing).why_not(move, player)

    def trace(self, move: Move | str, readers: tuple[int, ...] = (), player: int | None = None) -> str:
        """What a move (of the first asked, if `player` does not say) would do, as a tree: one line a step.

        It goes as far as chance, which is not known before; `traced_since` tells what chance gave.
        For readers it tells only what all of them may see; without, everything.
        """
        trial = self._course.copy()
        trial.generator = None
        trial.play(move, player)
        return "\n".join(trace_since(trial, len(self._course.log), readers))

    def traced_since(self, before: "State", readers: tuple[int, ...] = ()) -> list[str]:
        """What has been done since an earlier state of this game, chance included: a tree a transaction."""
        return trace_since(self._course, len(before._course.log), readers)

    def shown_since(self, before: "State", player: int) -> list[str]:
        """Things and attributes that a player sees, and that were hidden in an earlier state of this game.

        Also what holds now something that came from a secret.
        """
        return list(dict.fromkeys(shown_since(self._course, before._course, player)))

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
            None if self._start.seed is None else seed_to_record(self._start.seed),
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
        self._changed_course().choose(choice)

    def sample_chance(self, generator: Generator) -> None:
        """Let a generator answer everything that chance is asked now."""
        if self.asked == (CHANCE,):
            self._changed_course().settle(generator)

    def push(self, move: Move | str, player: int | None = None) -> None:
        """Make a whole move of any player who is asked, an offturn action or an aside.

        A text may be a move of several players; then it is one of the first asked, if `player` does not say.
        """
        line = self._native()
        after = None if line is None else play_natively(line, move, player)
        if after is not None:
            self._go_to(after)
            return
        if line is not None and is_phrase(line, move):
            # What the rules refuse, they refuse here; the course need not follow to hear that.
            Course(self._standing, line.generator()).play(move, player)
        self._changed_course().play(move, player)

    def phrase(
        self, text: str, given: tuple[str | None, ...] = (), change: Change | None = None
    ) -> Phrase | None:
        """A move, and what chance gives in it, read once to be said many times, in every game of this world.

        None where chance draws. There is none on the reference engine, nor for names that may change.
        """
        line = self._native()
        return None if line is None else line.committer.phrases.read(text, given, change)

    @property
    def phrases(self) -> Phrases | None:
        """All that were read in this world; None on the reference engine."""
        line = self._native()
        return None if line is None else line.committer.phrases

    def say(
        self, phrase: Phrase, player: int | None = None, chance: tuple[int, int, int, int] | None = None
    ) -> Line | None:
        """Play a phrase as a move of the active player, or of another.

        Chance is drawn by a generator that goes on from four words. None if it could not be played: then
        nothing has happened, and `push` says why.
        """
        line = self._line
        if line is None or (player is not None and not 0 <= player < self.world.players):
            return None
        root = line.root
        after = root.say_briefly(root, line, phrase) if player is None and chance is None else None
        if after is None:
            after = line.say(phrase, player, chance)
            if after is None:
                return None
        self._line = after
        self._told = None
        if not after.depth % OFTEN:
            after.let_go()
        return after

    def replay(self, script: Script) -> tuple[int, Result | None] | None:
        """Make a copy of this state play a script, which phrases are put together to.

        Gives how many moves it made and the result then; None where a move could not be made.
        """
        line = self._line
        if line is None or line.chooser is not None or not line.root.in_order or line.root.draws:
            return None
        if script.phrases is not line.root.phrases:
            return None
        moves, block = line.committer.replay(line.block, script.packed)
        return None if block is None else (moves, line.committer.result(block))

    def pop(self) -> None:
        """Take back the last move of a player, with the chance that followed it."""
        line = self._line
        links = [] if line is None else undone(line)
        if line is not None and links:
            self._take_back(line, links)
            return
        course = self._changed_course()
        if not course.can_undo:
            is_new = self._start.loaded is None and self._start.position is None
            where = "" if is_new else ": this game was taken up here, and what came before is not known"
            raise IllegalMove(f"there is nothing to undo{where}")
        course.undo()

    def _take_back(self, line: Line, links: list[Line]) -> None:
        """Go back along the line."""
        end = links[-1]
        if self._known is None or self._known is end or self._known not in (line, *links):
            self._go_to(end)
            return
        course = self._course.copy()  # it had followed so far, and comes to the same
        course.undo()
        self._followed, self._owns_course, self._known, self._line, self._told = course, True, end, end, None

    # Copies and data

    def copy(self) -> "State":
        twin = State(self.game, self.world, self._followed, self._start)
        twin._line, twin._known, twin._told = self._line, self._known, self._told
        twin._owns_course = self._owns_course = False
        return twin

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        if self.game.rules != other.game.rules:
            return False
        if self.world is other.world:
            return self._standing.is_same_as(other._standing)
        return self._encoded(None) == other._encoded(None)

    __hash__ = None  # type: ignore[assignment]  # it changes

    def digest(self) -> str:
        """128 bits of the whole content, the same on every machine."""
        return encode_state(self.world, self._standing.memory, self._standing.choices, None).digest

    def _encoded(self, generator: Generator | None) -> bytes:
        words = None if generator is None else generator.state
        return encode_state(self.world, self._standing.memory, self._standing.choices, words).data

    def to_bytes(self) -> bytes:
        """The state in the canonical encoding, with the generator of chance if there is one."""
        if self._line is None:
            return self._encoded(self._followed.generator)
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
        return memory_to_json(self.world, self._standing.memory, self._standing.choices)

    def number(self, construct: str, ordinal: int, attribute: str, key: int) -> float | None:
        """A number in a table of a thing, counted from 0, read where the native engine keeps it.

        None on the reference engine, or in the middle of a move: `thing` tells everything.
        """
        line = self._line
        if line is None or line.chooser is not None:
            return None
        return line.committer.number(line.block, construct, ordinal, attribute, key)

    def thing(self, name: str, *wanted: str) -> dict[str, object]:
        """The attributes of one thing as data, by its name in `to_json`; a KeyError if there is none.

        With names of attributes, only these, which are found faster.
        """
        instance = thing_named(self.world, name)
        return instance_to_json(self.world, self._memory_with((instance,), wanted), instance, wanted)

    def things(self, construct: str, *wanted: str) -> dict[str, dict[str, object]]:
        """The same of all things of a construct that a game begins with, by their names."""
        world = self.world
        assert world.start is not None
        instances = world.start.families[world.kind[construct].index]
        memory = self._memory_with(instances, wanted)
        return {ref(world, each): instance_to_json(world, memory, each, wanted) for each in instances}

    def _memory_with(self, instances: Iterable[Instance], wanted: tuple[str, ...]) -> Memory:
        """A memory in which these things are right, or what is wanted of them."""
        line, memory = self._line, None
        if line is not None and line is not self._known and self._told is None:
            memory = line.committer.engine.memory_with(line.block, instances, wanted)
        return memory or self._standing.memory

    def __repr__(self) -> str:
        result = self.result
        status = result.text if result is not None else f"asked {self.asked}"
        return f"<State of {self.game.name}: {status}>"


_NO_MOVES = LegalMoves(tuple, lambda text: None)


def _read_move(standing: Standing, text: str, player: int) -> Move | None:
    """The move of a player that a text means, also one that is not listed; None if there is none."""
    trial = Course(standing)
    try:
        trial.play(text, player)
    except IllegalMove:
        return None
    return Move(tuple(trial.log))


def _from_bytes(game: "Game", data: bytes) -> State:
    return game.from_bytes(data)
