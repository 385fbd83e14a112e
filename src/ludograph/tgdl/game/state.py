"""A state of a game: questions, legal moves, moves, undo, views, records and encodings.

A state runs on one of the two engines. It holds a reference history (`reference_history`) on the reference
engine, and a native history (`native.run.history`) on the native engine, whose operations are in
`native_state`. The reference engine also writes the messages of refusals, faults and traces, and continues
games that native code has no memory for.
"""

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
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
    Result,
    Search,
    SearchSettings,
)
from ludograph.play.changes import Changes, find_changes
from ludograph.play.choices import NamedMove
from ludograph.play.log import ALL, LogEntry, logged_moves
from ludograph.play.material import Arrangement, ChoiceSubject, Material
from ludograph.play.record import seed_to_record
from ludograph.tgdl.game.material import with_stacks
from ludograph.tgdl.game.native_log import Unnamed, entries_to
from ludograph.tgdl.game.native_search import start_native_search
from ludograph.tgdl.game.native_state import (
    candidate_at,
    choose_at,
    expect_same_fault,
    find_chooser,
    legal_moves_at,
    nodes_to_undo,
    push_at,
    question_at,
    shown_block,
    take_over_history,
    undone_choices,
    view_at,
)
from ludograph.tgdl.game.output_limits import check_output
from ludograph.tgdl.game.reference_bridge import replay_between, replay_on_reference, snapshot_at
from ludograph.tgdl.game.reference_history import ReferenceHistory, read_move
from ludograph.tgdl.game.resampled import resample_history, resample_snapshot
from ludograph.tgdl.game.revealed import shown_since
from ludograph.tgdl.game.searching import (
    complete_settings,
    start_reference_search,
    start_sampled_search,
)
from ludograph.tgdl.game.snapshot import Snapshot
from ludograph.tgdl.game.starts import GameStart
from ludograph.tgdl.game.state_bytes import encode_state
from ludograph.tgdl.game.state_json import initial_instance, instance_to_json, memory_to_json
from ludograph.tgdl.game.state_json_values import compact_json
from ludograph.tgdl.game.subjects import subjects_of
from ludograph.tgdl.game.trace import trace_since
from ludograph.tgdl.game.values import value_at, value_of
from ludograph.tgdl.native.layout.encoding import ForeignText, Unrepresentable
from ludograph.tgdl.native.layout.status import Refused
from ludograph.tgdl.native.run.execution import ExecutionContext, Failure, Outgrown, TooLarge
from ludograph.tgdl.native.run.history import DROP_INTERVAL, NativeHistory, branch
from ludograph.tgdl.reference.naming import ref
from ludograph.tgdl.reference.refused_conditions import Refusal
from ludograph.tgdl.reference.transactions import deep_recursion
from ludograph.tgdl.reference.views import view_of
from ludograph.tgdl.world.analysis import hides_anything
from ludograph.tgdl.world.memory import ACTIVE, Instance, Memory
from ludograph.tgdl.world.topology import GroupPlan
from ludograph.tgdl.world.world import World

if TYPE_CHECKING:
    from ludograph.tgdl.game.game import Game


USES_OF_A_SEARCH = 1_000_000
"""The number of moves that a search is expected to play: it waits for the compiler."""
DEFAULT_SETTINGS = SearchSettings()
MAX_POPPED = 32
"""The number of undone moves that a state keeps for `changes`."""


class _Popped(NamedTuple):
    """The state before a `pop`, and the first and last `choice_count` since the previous `pop`."""

    first: int
    last: int
    state: "State"


class State:
    """A position in a game. Mutable: `choose`, `push` and `pop` change it; a copy is cheap."""

    __slots__ = (
        "_choice_count_offset",
        "_history",
        "_owns_reference",
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
        reference: ReferenceHistory | None,
        start: GameStart,
        history: NativeHistory | None = None,
    ) -> None:
        self.game = game
        self._world = world
        self.players = world.players
        """The number of players."""
        self._reference = reference
        """The reference history; None on the native engine."""
        self._owns_reference = True
        """Whether no other state shares the reference history."""
        self._start = start
        self._history = history
        """The native history; None on the reference engine."""
        self._choice_count_offset = 0
        """The difference between `choice_count` and the number of choices in the log."""
        self._popped: tuple[_Popped, ...] = ()
        """The undone moves, the last one at the end."""

    # Engines

    @property
    def _snapshot(self) -> Snapshot:
        """The position for the reference engine."""
        if self._history is not None:
            return snapshot_at(self._history)
        assert self._reference is not None
        return self._reference.snapshot

    @property
    def _reference_history(self) -> ReferenceHistory:
        """The reference history of all choices. Do not change it."""
        if self._history is not None:
            return replay_on_reference(self._history)
        assert self._reference is not None
        return self._reference

    def _own_reference(self) -> ReferenceHistory:
        """The reference history, to be changed: a copy if another state shares it."""
        assert self._reference is not None
        if not self._owns_reference:
            self._reference, self._owns_reference = self._reference.copy(), True
        return self._reference

    def _leave_native(self) -> ReferenceHistory:
        """Switch to the reference engine; returns the reference history, to be changed."""
        if self._history is not None:
            self._reference, self._owns_reference = replay_on_reference(self._history), True
            self._history = None
        return self._own_reference()

    def _native_history(self) -> NativeHistory | None:
        """The native history, if the native engine is used; switches to it when the game is compiled."""
        if self._history is None:
            runner = self.game._runner(self._world)
            if runner is None:
                return None
            assert self._reference is not None
            with suppress(ForeignText):  # then the reference engine plays on
                try:
                    history = take_over_history(runner, self._reference)
                except Unrepresentable:
                    history = self._enlarged_history()
                if history is not None:  # all states of the native history share the reference history now
                    self._history, self._reference = history, None
        return self._history

    def _go_native(self) -> None:
        """Switch to the native engine if the game is compiled."""
        self._native_history()

    def _enlarged_history(self) -> NativeHistory | None:
        """A native history on code that is compiled for all instances of this state."""
        assert self._reference is not None
        runner = self.game._enlarge(self._world, self._reference.snapshot.memory)
        if runner is not None:
            with suppress(Unrepresentable):  # it was compiled for another state, with fewer instances
                return take_over_history(runner, self._reference)
        return None

    def _set_history(self, history: NativeHistory) -> None:
        self._history = history
        if not history.depth % DROP_INTERVAL:
            history.drop_old_blocks()

    # Queries
    @property
    def _memory(self) -> Memory:
        """The memory of the position. Do not change it."""
        return self._snapshot.memory

    def can_be_restarted(self) -> bool:
        """Whether there is no open move: the memory alone determines how the game continues."""
        return not (self._snapshot.choices if self._history is None else self._history.pending)

    def under_way(self) -> int | None:
        """The player of an open move: a move that was begun with single choices and is not complete."""
        history = self._history
        if history is None:
            assert self._reference is not None
            return self._reference.under_way
        is_own = bool(history.pending) and history.chooser == history.last_chooser != CHANCE
        return history.chooser if is_own else None

    @property
    def asked(self) -> tuple[int, ...]:
        """The players who may choose now, the first chooser first; empty when the game is over."""
        return self._snapshot.choosers if self._history is None else self._history.choosers

    @property
    def result(self) -> Result | None:
        history = self._history
        return self._snapshot.result if history is None else history.runner.result(history.block)

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
            return int(self._snapshot.shown.cells[ACTIVE])
        assert self._history is not None
        return self._history.runner.active(block)

    def phase(self) -> str | None:
        """The name of the phase."""
        block = self._shown_block()
        if block is None:
            return self._snapshot.phase
        assert self._history is not None
        number = self._history.runner.phase(block)
        return None if number < 0 else self._world.phases[number].phase.name

    def _shown_block(self) -> bytes | None:
        """The visible block; None on the reference engine."""
        if self._history is None:
            return None
        try:
            return shown_block(self._history)
        except Unnamed:
            return None

    def board_groups(self) -> tuple[GroupPlan, ...]:
        """The groups of the board as they are now, with the tiles that were added or removed in play."""
        return self._snapshot.plans if self._world.changes else self._world.plans

    def material(self) -> Material:
        """The kinds of things, enums and actions of the game as plain data, for drawings and clients."""
        return self.game._material(self._world)

    def arrangement(self) -> Arrangement:
        """The board as it is now and the holders of stacks, as plain data."""
        run = self._snapshot.look()
        return with_stacks(self.game._board(self._world, run.topology), run)

    def subjects(self, choices: Iterable[Choice]) -> tuple[ChoiceSubject | None, ...]:
        """What each choice of a player names: a thing, a member of an enum or a player; None for the rest."""
        return tuple(subjects_of(self._snapshot.look(), self.game._input_types(), choices))

    def question(self, player: int | None = None) -> Question:
        """The question of a chooser; it offers only answers that lead to a complete move."""
        history = self._native_history()
        return self._snapshot.question(player) if history is None else question_at(history, player)

    def candidates(self, player: int | None = None) -> tuple[Choice, ...]:
        return self.question(player).candidates

    def candidate(self, text: str, player: int | None = None) -> Choice | None:
        """The candidate with this text, or with another name of its instance; None if there is none."""
        history = self._native_history()
        return (
            self._snapshot.candidate(text, player) if history is None else candidate_at(history, text, player)
        )

    @property
    def legal_moves(self) -> LegalMoves:
        """All complete legal moves of the first chooser; none when the game is over."""
        history = self._history
        if history is not None:
            choosers = history.choosers
            return legal_moves_at(history, choosers[0]) if choosers else _NO_MOVES
        asked = self.asked
        return self._legal_moves(asked[0]) if asked else _NO_MOVES

    def legal_moves_of(self, player: int) -> LegalMoves:
        """All complete legal moves of a player who is asked, or who may act without being asked.

        IllegalMove if there is no such player, or if another one is in the middle of a move.
        """
        return self._legal_moves(player) if self.asked else _NO_MOVES

    def has_more_moves(self, player: int, count: int) -> bool:
        """Whether a player has more legal moves than a number; it does not list all of them."""
        history = self._native_history()
        found = None if history is None else history.has_more_moves(find_chooser(history, player), count)
        return self._snapshot.has_more_moves(player, count) if found is None else found

    def _legal_moves(self, player: int) -> LegalMoves:
        history = self._native_history()
        if history is not None:
            return legal_moves_at(history, find_chooser(history, player))
        snapshot = self._snapshot
        snapshot.resolve_chooser(player)
        return LegalMoves(lambda: snapshot.moves(player), lambda text: read_move(snapshot, text, player))

    def outcomes(self) -> tuple[tuple[Choice, Fraction], ...]:
        """The possible choices of chance now, each with its probability."""
        if self.asked != (CHANCE,):
            return ()
        question = self.question()
        return tuple(
            (choice, question.probability(index)) for index, choice in enumerate(question.candidates)
        )

    def children(self) -> Iterator["State"]:
        """The states after each complete legal move of the first chooser; chance is not drawn."""
        history = self._history
        if self.is_over:
            return
        if history is not None:
            branch_start = branch(history, ReferenceHistory(snapshot_at(history)))
            for move in legal_moves_at(branch_start, history.choosers[0]):
                after = push_at(branch_start, move, None)
                if after is None:
                    break
                yield State(self.game, self._world, None, self._start, after)
            else:
                return
        for snapshot in self._snapshot.children():
            yield State(self.game, self._world, ReferenceHistory(snapshot), self._start)

    def count(self) -> int:
        """The number of states after one complete move, counting each outcome of the chance after it."""
        history = self._history
        if history is not None and history.chooser is None and not self.is_over:
            with suppress(Outgrown, TooLarge, Failure):
                return ExecutionContext(history.runner.engine).perft(history.block, 1)
        return self._snapshot.count()

    # Views

    def view(self, player: int | None = None) -> dict[str, Any]:
        """The view of a player (None: a spectator) as data, without anything that is hidden."""
        history = self._history_for_view(player)
        found = None if history is None else view_at(history, player)
        if not isinstance(found, bytes):
            return self._reference_view(player, found)
        data: dict[str, Any] = json.loads(found)
        return data

    def view_json(self, player: int | None = None) -> bytes:
        """The same as JSON in UTF-8."""
        history = self._history_for_view(player)
        found = None if history is None else view_at(history, player)
        if isinstance(found, bytes):
            return found
        return compact_json(self._reference_view(player, found)).encode()

    def _history_for_view(self, player: int | None) -> NativeHistory | None:
        """The native history, after a check of the viewer; None on the reference engine."""
        self._check_viewer(player)
        return self._native_history()

    def _check_viewer(self, player: int | None) -> None:
        if player is None:
            return
        if not isinstance(player, int):
            raise TypeError(f"a player is a number or None, not {player!r}")
        if not 0 <= player < self._world.players:
            raise ValueError(f"there is no player {player}")

    def _reference_view(self, player: int | None, found: Refused | None) -> dict[str, Any]:
        """The view of the reference engine; it must raise the same fault as native code, if there is one."""
        snapshot = self._snapshot
        check_output(self._world, snapshot.shown)
        run, choosers = snapshot.look(), snapshot.choosers
        with deep_recursion(run), expect_same_fault(found, must_fail=True):
            view = view_of(run, player, choosers)
        moves = logged_moves(self._entries(), player, self._world.players)
        return {**view, "moves": [move.line for move in moves]}

    def changes(self, player: int | None = None, *, since: "State | int") -> Changes:
        """The changes of a view since an earlier (or later) state, or since a count of choices.

        `apply_changes` makes the new view from the old one and these changes.
        """
        if isinstance(since, State):
            self._check_same_game(since)
            old = since.view(player)
        else:
            old = self._at_choice_count(since).view(player)
        return find_changes(old, self.view(player))

    def _check_same_game(self, other: "State") -> None:
        if other._world is not self._world and other.game.rules != self.game.rules:
            raise ValueError("the other state is of another game")

    def choice_count(self) -> int:
        """The number of choices so far, by players and by chance.

        It never decreases: undone choices count, and so does each `pop`. So a count identifies one earlier
        state, which `changes(since=…)` finds.
        """
        return self._log_length() + self._choice_count_offset

    def _log_length(self) -> int:
        """The number of choices in the log."""
        history = self._history
        if history is None:
            return len(self._reference_history.log)
        count = len(history.root.reference.log)
        while history.previous is not None:
            count += len(history.move_words)
            history = history.previous
        return count

    def _at_choice_count(self, count: int) -> "State":
        """The earlier state with this `choice_count`."""
        now = self.choice_count()
        if not 0 <= count <= now:
            raise ValueError(f"{now} choices have been made, so there is no state after {count}")
        if count >= self._first_choice_count():
            return self._after_choices(count - self._choice_count_offset)
        for popped in self._popped:
            if popped.first <= count <= popped.last:
                return popped.state._after_choices(count - popped.state._choice_count_offset)
        raise ValueError(f"the state after {count} choices was undone too long ago")

    def _first_choice_count(self) -> int:
        """The first `choice_count` after the last `pop`, or 0."""
        return self._popped[-1].last + 1 if self._popped else 0

    def _after_choices(self, count: int) -> "State":
        """The state after the first `count` choices of the log."""
        made = self._log_length()
        history = self._history
        if history is not None:
            left = made - count
            while left and history.previous is not None:
                size = len(history.move_words)
                if left < size:
                    part = history.previous.after_part(history, size - left)
                    return self._with_history(part)
                left -= size
                history = history.previous
            if not left:
                return self._with_history(history)
        earlier = State(self.game, self._world, self._reference_history.copy(), self._start)
        earlier._own_reference().go_back_to(count)
        return earlier

    def _with_history(self, history: NativeHistory) -> "State":
        return State(self.game, self._world, None, self._start, history)

    def _entries(self) -> Iterator[LogEntry]:
        """Every choice so far, with its viewers."""
        return self._reference_history.entries if self._history is None else entries_to(self._history)

    def why_not(self, move: Move | str, player: int | None = None) -> Refusal | None:
        """Why a player (or any chooser) cannot play a move now; None if the move is legal."""
        if not isinstance(move, Move | str):
            raise TypeError(f"a move is a Move or its text, not {move!r}")
        return ReferenceHistory(self._snapshot).why_not(move, player)

    def trace(self, move: Move | str, readers: tuple[int, ...] = (), player: int | None = None) -> str:
        """The effects of a move (default: of the first chooser) as a tree, one line per step.

        It ends at the first choice of chance; `traced_since` includes chance. With readers, it shows only
        what all of them may see, and nothing of the sealed choices of others; without, everything.
        """
        trial = ReferenceHistory(self._snapshot)
        trial.play(move, player)
        return "\n".join(trace_since(trial, 0, readers, is_trial=True))

    def traced_since(self, before: "State", readers: tuple[int, ...] = ()) -> list[str]:
        """The effects since an earlier state of this game, including chance: one tree per transaction."""
        self._check_same_game(before)
        reference, log = self._reference_since(before)
        return trace_since(reference, log, readers)

    def shown_since(self, before: "State", player: int) -> list[str]:
        """Instances and attributes that a player sees now and could not see in an earlier state.

        Also attributes whose new value comes from a secret.
        """
        if not self._world.has_secrets:
            return []
        reference, log = self._reference_since(before)
        return list(dict.fromkeys(shown_since(reference, before._snapshot, log, player)))

    def _reference_since(self, before: "State") -> tuple[ReferenceHistory, int]:
        """A reference history with the choices since an earlier state, and where they begin in its log."""
        reference = replay_between(before._history, self._history)
        return (
            (self._reference_history, len(before._reference_history.log))
            if reference is None
            else (reference, 0)
        )

    @property
    def record(self) -> Record:
        """The game so far, with everything that is needed to replay it."""
        seed = None if self._start.seed is None else seed_to_record(self._start.seed)
        return self._make_record(ALL, seed, self._start.first_position(self._world))

    def record_for(self, player: int | None) -> Record:
        """The record that a player (None: anybody) may read.

        Hidden choices, of players and of chance, are `?`. The seed is left out, because it determines the
        choices of chance to come, and so is the start position of a game with secrets.
        """
        self._check_viewer(player)
        may_hide = self._world.has_secrets or any(each.phase.simultaneous for each in self._world.phases)
        return self._make_record(player, None, None if may_hide else self._start.first_position(self._world))

    def _make_record(self, viewer: int | None, seed: int | None, position: str | None) -> Record:
        moves = logged_moves(self._entries(), viewer, self._world.players)
        return self._start.make_record(self.game, self._world, moves, self.result, seed, position)

    # Thinking

    def has_secrets(self) -> bool:
        """Whether the rules hide anything from players, or let them choose at the same time."""
        return hides_anything(self._world)

    def value(self, player: int) -> float | None:
        """How well a player stands, by the verb `value` of the rules; None if they have none.

        In the middle of a move it is the value before the move.
        """
        self._check_viewer(player)
        history = self._native_history()
        return value_of(self._snapshot, player) if history is None else value_at(history, player)

    def resample(self, player: int, generator: Generator) -> "State":
        """A state that looks the same to a player, with everything hidden drawn anew.

        It has no history and no seed. Equal views and generators give equal states. Cards are dealt anew
        among the stacks that the player does not see. `CannotResample` if the rules hide anything else.
        """
        self._check_viewer(player)
        history = self._native_history()
        if not self.has_secrets():
            return self._without_seed()
        drawn_history = None if history is None else resample_history(history, player, generator)
        if drawn_history is not None:
            start = GameStart(None, None, None, partial(_loaded_from, drawn_history))
            return State(self.game, self._world, None, start, drawn_history)
        drawn = resample_snapshot(self._snapshot, player, generator)
        start = GameStart(None, None, None, (drawn.memory, drawn.choices))
        state = State(self.game, self._world, ReferenceHistory(drawn), start)
        if history is not None:
            state._go_native()
        return state

    def start_search(
        self,
        player: int,
        settings: SearchSettings = DEFAULT_SETTINGS,
        seed: int = 0,
        previous: Search | None = None,
    ) -> Search:
        """Begin a tree search for a player who chooses now; it may go on with the tree of an earlier search.

        IllegalMove if the player does not choose now.
        """
        self._check_viewer(player)
        if player not in self.asked:
            raise IllegalMove(f"player {player} is not asked now")
        self.game._expect_uses(self._world, USES_OF_A_SEARCH)
        settings = complete_settings(self._world.program, settings)
        if not self.has_secrets():
            return self._start_full_search(settings, seed, previous, player=player)
        self.resample(player, Generator(seed))  # raises an exception if the rules do not allow it
        native = start_native_search(self._native_history(), player, settings, seed, previous, resamples=True)
        if native is not None:
            return native
        start = partial(State._start_full_search, player=player)
        return start_sampled_search(self, player, settings, seed, start)

    def _start_full_search(
        self, settings: SearchSettings, seed: int, previous: Search | None = None, *, player: int
    ) -> Search:
        """A search that knows the whole state, also what the rules hide from the player."""
        native = start_native_search(self._native_history(), player, settings, seed, previous)
        return native or start_reference_search(self._without_seed(), self._world.program, settings, seed)

    def _without_seed(self) -> "State":
        """The same position without its history and its seed."""
        history = self._native_history()
        if history is None:
            return State(self.game, self._world, ReferenceHistory(self._snapshot), self._start)
        branched = branch(history, ReferenceHistory(snapshot_at(history)))
        return State(self.game, self._world, None, self._start, branched)

    # Playing

    def choose(self, choice: Choice) -> None:
        """Make one of the offered choices; raises IllegalMove with the reason if it is not legal."""
        if not isinstance(choice, Choice):
            raise TypeError(f"a choice is a Choice, not {choice!r}")
        history = self._native_history()
        after = None if history is None else choose_at(history, choice)
        if after is None:
            self._leave_native().choose(choice)
        else:
            self._set_history(after)

    def sample_chance(self, generator: Generator) -> None:
        """Draw all open choices of chance from a generator."""
        if self.asked != (CHANCE,):
            return
        history = self._native_history()
        chance = generator.state
        after: NativeHistory | Refused | None = None
        while history is not None and history.chooser == CHANCE:
            after = history.after_chance(chance)
            if not isinstance(after, NativeHistory) or after.generator_state is None:
                break
            history, chance = after, after.generator_state
        else:
            if history is not None:
                self._set_history(history)
                generator.go_on_from(chance)
                return
        with expect_same_fault(after, must_fail=True):
            self._leave_native().sample_chance(generator)

    def push(self, move: Move | str, player: int | None = None) -> None:
        """Make a complete move of a chooser, an offturn action or an aside.

        If the text is a move of several players and `player` is None, the first chooser makes it.
        """
        history = self._native_history()
        after = None if history is None else push_at(history, move, player)
        if after is None:
            self._leave_native().play(move, player)
        else:
            self._set_history(after)

    def pop(self) -> Move:
        """Undo the last move of a player, with the chance that followed it; returns the move.

        Before the first move of a player it undoes the choices of chance that the caller made. Choices of
        chance from a seed cannot be undone: then it raises IllegalMove.
        """
        history = self._history
        nodes = [] if history is None else nodes_to_undo(history)
        earlier = self._reference if history is None else history.root.reference
        assert earlier is not None
        is_chosen = history is not None and history.previous is not None and not history.root.draws
        if not nodes and not is_chosen and not earlier.can_undo:
            is_new = self._start.loaded is None and self._start.position is None
            where = "" if is_new else ": this game was loaded here, and the earlier moves are not known"
            raise IllegalMove(f"there is nothing to undo{where}")
        popped = _Popped(self._first_choice_count(), self.choice_count(), self.copy())
        popped.state._popped = ()
        if history is not None and nodes:
            self._set_history(nodes[-1])
            move: Move = NamedMove(None, partial(undone_choices, (history, *nodes[:-1])))
        else:
            move = self._leave_native().undo()
        self._popped = (*self._popped[1 - MAX_POPPED :], popped)
        self._choice_count_offset = popped.last + 1 - self._log_length()
        return move

    # Copies and data

    def copy(self) -> "State":
        copy = State(self.game, self._world, self._reference, self._start, self._history)
        copy._owns_reference = self._owns_reference = False
        copy._choice_count_offset, copy._popped = self._choice_count_offset, self._popped
        return copy

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        if self.game.rules != other.game.rules:
            return False
        if self._world is other._world:
            one, two = self._history, other._history
            if one is not None and two is not None and one.runner is two.runner:
                if one is two or (one.pending == two.pending and one.block == two.block):
                    return True
            return self._snapshot.is_same_as(other._snapshot)
        return self._encoded(None) == other._encoded(None)

    __hash__ = None  # type: ignore[assignment]  # it is mutable

    def digest(self) -> str:
        """A hash of the whole state with 128 bits, the same on every machine."""
        return encode_state(self._world, self._snapshot.memory, self._snapshot.choices, None).digest

    def _encoded(self, generator: Generator | None) -> bytes:
        words = None if generator is None else generator.state
        check_output(self._world, self._snapshot.memory)
        return encode_state(self._world, self._snapshot.memory, self._snapshot.choices, words).data

    def to_bytes(self) -> bytes:
        """The canonical encoding of the state, with the generator of chance if there is one."""
        if self._history is None:
            return self._encoded(self._reference_history.generator)
        chance = self._history.chance
        return self._encoded(None if chance is None else Generator.from_state(chance))

    def __copy__(self) -> "State":
        return self.copy()

    def __deepcopy__(self, memo: object) -> "State":
        return self.copy()

    def __reduce__(self) -> tuple[Any, ...]:
        """A state is pickled as its bytes, without its history."""
        return _from_bytes, (self.game, self.to_bytes())

    def to_json(self) -> dict[str, object]:
        """The complete position as data; `Game.from_json` reads it back.

        Unlike the bytes it has no generator of chance, which is not part of a position.
        """
        check_output(self._world, self._snapshot.memory)
        return memory_to_json(self._world, self._snapshot.memory, self._snapshot.choices)

    def thing(self, name: str, *wanted: str) -> dict[str, object]:
        """The attributes of one instance as data, by its name in `to_json`; a KeyError if there is none.

        With names of attributes, only these attributes are read, which is faster.
        """
        instance = initial_instance(self._world, name)
        return instance_to_json(self._world, self._memory_with((instance,), wanted), instance, wanted)

    def things(self, construct: str, *wanted: str) -> dict[str, dict[str, object]]:
        """The same for all instances of a construct that exist at the start of a game, by name."""
        world = self._world
        assert world.start is not None
        instances = world.start.families[world.kind[construct].index]
        memory = self._memory_with(instances, wanted)
        return {ref(world, each): instance_to_json(world, memory, each, wanted) for each in instances}

    def _memory_with(self, instances: Iterable[Instance], wanted: tuple[str, ...]) -> Memory:
        """A memory in which at least the wanted attributes of these instances are decoded."""
        history, memory = self._history, None
        if history is not None and history.snapshot is None:
            memory = history.runner.engine.memory_with(history.block, instances, wanted)
        return memory or self._snapshot.memory

    def _repr_svg_(self) -> str | None:
        """The picture of the state as everybody sees it, for notebooks; None if the game has no drawer."""
        drawer = self.game._drawer
        return None if drawer is None else drawer(self)

    def __repr__(self) -> str:
        result = self.result
        status = result.text if result is not None else f"asked {self.asked}"
        return f"<State of {self.game.name}: {status}>"


_NO_MOVES = LegalMoves(tuple, lambda text: None)


def _from_bytes(game: "Game", data: bytes) -> State:
    return game.from_bytes(data)


def _loaded_from(history: NativeHistory) -> tuple[Memory, tuple[Any, ...]]:
    """The memory of a history that begins with its first node, and the choices of its open move."""
    while history.previous is not None:
        history = history.previous
    return history.decode()
