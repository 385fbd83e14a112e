"""A state of a game: who may choose, what is offered, playing, undoing, looking, saving.

A state is a base memory and the choices made since, so it can be copied, saved, undone and looked at in the
middle of a move. Memories are never changed once a state holds them.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ludograph.play import (
    CHANCE,
    Choice,
    Generator,
    IllegalMove,
    Kind,
    Move,
    Question,
    Record,
    RecordedMove,
    Result,
    format_move,
    split_move,
)
from ludograph.play.choices import Word, answers
from ludograph.play.results import drawn_by, finished_with, won_by
from ludograph.tgdl.interpreter.building import NOWHERE
from ludograph.tgdl.interpreter.explain import Refusal, explain, refused
from ludograph.tgdl.interpreter.faults import Failed, NeedChoice
from ludograph.tgdl.interpreter.naming import choice_of, question_of
from ludograph.tgdl.interpreter.run import Node, Run
from ludograph.tgdl.interpreter.transactions import (
    Ran,
    after_commit,
    can_follow,
    execute,
    explore,
    offers_to,
    room_for_calls,
    settle,
    who_is_asked,
)
from ludograph.tgdl.interpreter.turns import scene_of
from ludograph.tgdl.interpreter.views import view_of
from ludograph.tgdl.interpreter.world import World
from ludograph.tgdl.layout import GroupPlan, TilePlan
from ludograph.tgdl.memory import CHOOSING, EDITS, OVER, RESULT, SEALED, STAGE, STUCK_STAGE, Memory
from ludograph.tgdl.memory_bytes import encode_state
from ludograph.tgdl.memory_check import BadPosition
from ludograph.tgdl.memory_json import compact_json, memory_to_json

if TYPE_CHECKING:
    from ludograph.tgdl.game import Game


MOST_CHANCE = 1_000
"""So often chance may be asked before some player is."""


@dataclass(frozen=True, slots=True)
class Start:
    """How a game began, for its record."""

    seed: int | None
    setup: str | None
    position: str | None
    loaded: tuple[Memory, tuple[Any, ...]] | None = None
    """What was read from bytes: a record begins there, with that as its position."""


@dataclass(frozen=True, slots=True)
class _Saved:
    """A state before a choice, for undo."""

    memory: Memory
    choices: tuple[Any, ...]
    made: int
    generator: tuple[int, int, int, int] | None
    kept: tuple[int, ...]
    begins: bool
    """Whether a player's move begins here."""


class State:
    """A position in a game. Mutable: `choose`, `play` and `undo` change it; a copy is cheap."""

    __slots__ = (
        "_choices",
        "_generator",
        "_kept",
        "_last",
        "_log",
        "_memory",
        "_past",
        "_ran",
        "_seen",
        "_settled",
        "_start",
        "game",
        "world",
    )

    def __init__(
        self, game: "Game", world: World, memory: Memory, generator: Generator | None, start: Start
    ) -> None:
        self.game = game
        self.world = world
        self._memory = memory
        """The base: as it was before the transaction that is under way."""
        self._choices: tuple[Any, ...] = ()
        """Made since, as the interpreter takes them."""
        self._ran: Ran | None = None
        """The run of these choices, up to the next question."""
        self._settled = False
        self._last: tuple[Memory, tuple[Any, ...]] = (memory, ())
        """The base and the choices of the last run, for traces."""
        self._log: list[Choice] = []
        self._seen: list[frozenset[int] | None] = []
        """Who has learnt each of the choices; None: everybody."""
        self._kept: tuple[int, ...] = ()
        """Places in the log of what a simultaneous phase keeps hidden until all have chosen."""
        self._past: list[_Saved] = []
        self._generator = generator
        self._start = start

    # Looking

    @property
    def choosers(self) -> tuple[int, ...]:
        """Who may choose now, the first asked first; empty when the game is over."""
        self._settle()
        ran = self._current()
        if ran is not None:
            assert ran.need is not None
            return (ran.need.chooser,)
        if self._memory.cells[STAGE] == OVER:
            return ()
        return who_is_asked(self.world, self._memory)

    @property
    def result(self) -> Result | None:
        self._settle()
        ended = self._memory.cells[RESULT]
        if ended is None:
            return None
        kind, values = ended
        count = self.world.players
        if kind == "win":
            return won_by(values, count)
        return drawn_by(values, count) if kind == "draw" else finished_with(values)

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
        self._settle()
        return int(self._shown().cells[3])

    @property
    def phase(self) -> str | None:
        """The name of the phase."""
        self._settle()
        scene = scene_of(Run(self.world, self._shown()))
        return None if scene is None else scene.phase.name

    @property
    def plans(self) -> tuple[GroupPlan, ...]:
        """The groups of the board as they are now: with tiles that play has added, without those taken."""
        edits = self._shown().cells[EDITS]
        if edits is None:
            return self.world.plans
        names = self._look().topology.name
        return tuple(
            replace(
                plan,
                tiles=(
                    *(place for place in plan.tiles if place.tile not in edits.taken),
                    *(
                        TilePlan(tile, row, column, names[tile])
                        for tile, group, row, column in edits.placed
                        if group == plan.name and tile in names
                    ),
                ),
            )
            for plan in self.world.plans
            if plan.name not in edits.absent
        )

    def question(self, player: int | None = None) -> Question:
        """What a chooser is asked now; only what can be gone on with is offered."""
        chooser, need = self._asked(player)
        run = self._look()
        if need is None:
            values = self._openers(chooser)
            choices = tuple(choice_of(run, chooser, "action", "", value[1:]) for value in values)
            return Question(chooser, Kind.ACTION, "action", choices)
        if need.chooser == CHANCE:
            return question_of(run, need, need.values)
        values = [value for value in need.values if self._can_go_on(value, chooser)]
        if not values:
            raise after_commit(run, Failed(f"nothing can be chosen for '{need.name}'", NOWHERE))
        return question_of(run, need, values)

    def candidates(self, player: int | None = None) -> tuple[Choice, ...]:
        return self.question(player).candidates

    def moves(self, player: int | None = None) -> tuple[Move, ...]:
        """All complete legal moves of a chooser (the first asked, if not said)."""
        chooser, need = self._asked(player)
        if need is not None and need.chooser == CHANCE:
            return tuple(Move((choice,)) for choice in self.question().candidates)
        begun = len(self._choices)
        return tuple(self._name(choices, chooser, begun, ran) for choices, ran in self._explore(chooser))

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
        chooser, need = self._asked(None)
        if need is not None and need.chooser == CHANCE:
            for value in need.values:
                yield self._child((*self._choices, value), None)
            return
        for choices, ran in self._explore(chooser):
            yield self._child(choices, ran)

    def count(self) -> int:
        """How many states one complete move leads to, each outcome of the chance after it counted."""
        if not self.choosers:
            return 0
        if self.choosers == (CHANCE,):
            return sum(child.count() for child in self.children())
        total = 0
        for choices, ran in self._explore(self.choosers[0]):
            if (ran is None and not self._choices and self.world.deeds[choices[0][1]].certain) or (
                ran is not None and ran.need is None
            ):
                total += 1
            else:
                total += self._child(choices, ran)._leaves()
        return total

    def _leaves(self) -> int:
        ran = self._current()
        if ran is None or ran.need is None or ran.need.chooser != CHANCE:
            return 1
        return sum(child._leaves() for child in self.children())

    def view(self, player: int) -> dict[str, object]:
        """What a player knows, as data: what the player may not see is not in it."""
        self._settle()
        seen = list(self._seen)
        for place in self._kept:
            seen[place] = frozenset((self._log[place].chooser,))
        run = self._look()
        with room_for_calls(run):
            return view_of(run, player, self._log, seen)

    def why_not(self, move: Move | str, player: int | None = None) -> Refusal | None:
        """Why a move cannot be played now, told to a player or to whoever is asked; None if it can."""
        try:
            words = split_move(move if isinstance(move, str) else move.text)
        except ValueError as error:
            return Refusal(f"this is no move: {error}")
        memory, choosers = self._settle(), self.choosers
        askers = [player] if player is not None else list(dict.fromkeys((*choosers, *self._others())))
        first: Refusal | None = None
        for asker in askers or [0]:
            refusal = explain(self.world, memory, self._choices, words, asker, choosers)
            if refusal is None:
                return None
            first = first or refusal
        return first

    def _others(self) -> range:
        """Between transactions every player may try an offturn action."""
        return range(0 if self._current() is not None else self.world.players)

    def trace(self, move: Move | str, readers: tuple[int, ...] = ()) -> str:
        """What a move would do, as a tree: one line a step.

        For readers it tells only what all of them may see; without, everything.
        """
        trial = self.copy()
        trial._generator = None
        trial.play(move)
        root = Node(move if isinstance(move, str) else move.text)
        if any(trial._is_kept_from(reader) for reader in readers):
            root = Node("?")
        base, choices = trial._last
        execute(self.world, base, choices, trace=root, readers=readers)
        return "\n".join(root.lines())

    def _is_kept_from(self, player: int) -> bool:
        """Whether the last choice is hidden from a player."""
        place = len(self._log) - 1
        seen = self._seen[place]
        chooser = self._log[place].chooser
        return chooser != player and (place in self._kept or (seen is not None and player not in seen))

    @property
    def record(self) -> Record:
        """The game so far, with all that is needed to play it again."""
        moves = tuple(RecordedMove(run[0].chooser, format_move(run)) for run in runs_of(self._log))
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
        chooser, need = self._asked(choice.chooser)
        run = self._look()
        values = [*self._openers(chooser), *self._asides(chooser)] if need is None else need.values
        for value in values:
            if need is None:
                named = choice_of(run, chooser, "action", "", value[1:])
            else:
                named = choice_of(run, chooser, need.kind, need.name, value, need.index)
            if named == choice:
                if need is not None and chooser != CHANCE and not self._can_go_on(value, chooser):
                    break
                saved = self._snapshot(begins=self._begins(chooser, need))
                try:
                    self._push(value, named, saved)
                    self._continue()
                except Exception:
                    self._restore(saved)
                    raise
                return
        raise IllegalMove(f"{choice.text or choice.name} cannot be chosen now")

    def play(self, move: Move | str, player: int | None = None) -> None:
        """Make a whole move of any player who is asked, an offturn action or an aside.

        A text may be a move of several players; then it is one of the first asked, if `player` does not say.
        """
        saved = self._snapshot(begins=True)
        try:
            if isinstance(move, Move):
                self._play_choices(move.choices)
            else:
                self._play_text(move, player)
            self._roll()
        except IllegalMove as error:
            self._restore(saved)
            refusal = error.refusal or self.why_not(move)
            raise (IllegalMove(refusal.message, refusal) if isinstance(refusal, Refusal) else error) from None
        except Exception:
            self._restore(saved)
            raise

    def undo(self) -> None:
        """Take back the last move of a player, with the chance that followed it."""
        if not self._past:
            is_new = self._start.loaded is None and self._start.position is None
            where = "" if is_new else ": this game was taken up here, and what came before is not known"
            raise IllegalMove(f"there is nothing to undo{where}")
        while self._past:
            saved = self._past.pop()
            self._restore(saved)
            if saved.begins:
                return

    # Copies and data

    def copy(self) -> "State":
        twin = State(self.game, self.world, self._memory, None, self._start)
        twin._generator = None if self._generator is None else self._generator.copy()
        twin._choices, twin._ran, twin._settled = self._choices, self._ran, self._settled
        twin._kept = self._kept
        twin._log, twin._seen, twin._past = self._log.copy(), self._seen.copy(), self._past.copy()
        return twin

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State) or self.game.rules != other.game.rules:
            return NotImplemented if not isinstance(other, State) else False
        self._settle()
        other._settle()
        if self.world is other.world:
            return self._choices == other._choices and self._memory.same_as(other._memory)
        return self._encoded() == other._encoded()

    def __hash__(self) -> int:
        return hash(self.digest)

    @property
    def digest(self) -> str:
        """128 bits of the whole content, the same on every machine."""
        return encode_state(self.world, self._settle(), self._choices, None).digest

    def _encoded(self) -> bytes:
        return encode_state(self.world, self._settle(), self._choices, None).data

    def to_bytes(self) -> bytes:
        """The state in the canonical encoding, with the generator of chance if there is one."""
        generator = None if self._generator is None else self._generator.state
        return encode_state(self.world, self._settle(), self._choices, generator).data

    def to_json(self) -> dict[str, object]:
        """The state as data, with nothing left out; `Game.from_json` reads it back."""
        return memory_to_json(self.world, self._settle(), self._choices)

    def __repr__(self) -> str:
        result = self.result
        status = result.text if result is not None else f"choosers {self.choosers}"
        return f"<State of {self.game.name}: {status}>"

    # Inside

    def _settle(self) -> Memory:
        """Tell those who are stuck, if the last transaction is over and that has not been done."""
        if not self._settled and not self._choices:
            self._memory = settle(self.world, self._memory)
            self._settled = True
            if self._memory.cells[STAGE] == STUCK_STAGE:
                self._ran = None
        return self._memory

    def _current(self) -> Ran | None:
        """The run up to the question that is open; None between transactions."""
        if not self._choices and self._memory.cells[STAGE] in (CHOOSING, OVER):
            return None
        if self._ran is None:
            self._ran = execute(self.world, self._memory, self._choices)
            if self._ran.failed is not None:
                raise after_commit(self._ran.run, self._ran.failed)
        return self._ran

    def _shown(self) -> Memory:
        """The memory as people see it: with the effects so far."""
        ran = self._current()
        return self._memory if ran is None else ran.memory

    def _look(self) -> Run:
        return Run(self.world, self._shown())

    def _asked(self, player: int | None) -> tuple[int, NeedChoice | None]:
        """The chooser that is meant, and the question if one is open."""
        choosers = self.choosers
        ran = self._current()
        if not choosers:
            raise IllegalMove("the game is over")
        if player is None:
            player = choosers[0]
        if ran is not None:
            if player not in choosers:
                raise IllegalMove(f"player {player} is not asked now")
            return player, ran.need
        if not 0 <= player < self.world.players:
            raise IllegalMove(f"there is no player {player}")
        return player, None

    def _explore(self, chooser: int) -> Iterator[tuple[tuple[Any, ...], Ran | None]]:
        offturn = not self._choices and chooser not in self.choosers
        return explore(self.world, self._memory, self._choices, chooser, offturn=offturn)

    def _openers(self, chooser: int) -> list[Any]:
        """The actions that a player can start and go on with."""
        found: dict[Any, None] = {}
        for choices, _ in self._explore(chooser):
            found[choices[0]] = None
        return list(found)

    def _asides(self, chooser: int) -> list[Any]:
        """The actions that a player may start though they are not listed."""
        return offers_to(self.world, self._memory, chooser, offturn=chooser not in self.choosers, asides=True)

    def _can_go_on(self, value: Any, chooser: int) -> bool:
        ways = explore(self.world, self._memory, (*self._choices, value), chooser)
        return next(ways, None) is not None

    def _name(self, choices: tuple[Any, ...], chooser: int, begun: int, ran: Ran | None) -> Move:
        """A run of choices as a move that people can read."""
        named: list[Choice] = []
        run = self._look()
        for place in range(begun, len(choices)):
            if place == 0 and self._memory.cells[STAGE] == CHOOSING:
                named.append(choice_of(run, chooser, "action", "", choices[0][1:]))
                continue
            before = self._current() if place == begun else execute(self.world, self._memory, choices[:place])
            assert before is not None and before.need is not None
            need = before.need
            named.append(choice_of(before.run, chooser, need.kind, need.name, choices[place], need.index))
        del ran
        return Move(tuple(named))

    def _begins(self, chooser: int, need: NeedChoice | None) -> bool:
        if chooser == CHANCE:
            return False
        return need is None or not self._log or self._log[-1].chooser != chooser

    def _snapshot(self, *, begins: bool) -> _Saved:
        self._settle()
        generator = None if self._generator is None else self._generator.state
        return _Saved(self._memory, self._choices, len(self._log), generator, self._kept, begins)

    def _restore(self, saved: _Saved) -> None:
        self._memory, self._choices = saved.memory, saved.choices
        self._ran, self._settled = None, True
        del self._log[saved.made :]
        del self._seen[saved.made :]
        self._kept = saved.kept
        while self._past and len(self._past) and self._past[-1].made >= saved.made:
            self._past.pop()
        if saved.generator is not None:
            self._generator = Generator.from_state(saved.generator)

    def _push(self, value: Any, named: Choice, saved: _Saved) -> None:
        """Make a choice and run up to the next question or the end of the transaction."""
        choices = (*self._choices, value)
        asked = self._current()
        seen_by = asked.need.seen_by if asked is not None and asked.need is not None else None
        ran = execute(self.world, self._memory, choices)
        if ran.failed is not None:
            if named.chooser == CHANCE:
                raise after_commit(ran.run, ran.failed)
            refusal = refused(ran, named.chooser)
            raise IllegalMove(refusal.message, refusal)
        if named.chooser == CHANCE and self._is_row_of_chance():
            message = f"chance is asked {MOST_CHANCE} times in a row: nobody ever comes to choose"
            raise ran.run.new_fault("TG0506", message, NOWHERE)
        self._past.append(saved)
        scene = scene_of(Run(self.world, self._memory))
        if (
            scene is not None
            and scene.phase.simultaneous
            and choices[0][0] in who_is_asked(self.world, self._memory)
        ):
            self._kept = (*self._kept, len(self._log))
        self._log.append(named)
        self._seen.append(seen_by)
        self._last = (self._memory, choices)
        self._take(choices, ran)

    def _is_row_of_chance(self) -> bool:
        last = self._log[-MOST_CHANCE:]
        return len(last) == MOST_CHANCE and all(choice.chooser == CHANCE for choice in last)

    def _take(self, choices: tuple[Any, ...], ran: Ran) -> None:
        if ran.need is not None:
            self._choices, self._ran = choices, ran
            return
        self._memory, self._choices, self._ran = ran.memory, (), None
        self._settled = False
        if not self._memory.cells[SEALED]:
            self._kept = ()

    def _continue(self) -> None:
        """Run what needs no choice (setup, stuck players), then let the generator answer chance."""
        if not self._choices and self._memory.cells[STAGE] not in (CHOOSING, OVER):
            ran = execute(self.world, self._memory, ())
            if ran.failed is not None:
                raise after_commit(ran.run, ran.failed)
            self._take((), ran)
        self._roll()

    def _roll(self) -> None:
        """Let the generator answer chance; a fault in what is asked next is the fault of this move."""
        _ = self.choosers
        while self._generator is not None and self.choosers == (CHANCE,):
            ran = self._current()
            assert ran is not None and ran.need is not None and ran.need.weights is not None
            need = ran.need
            place = self._generator.pick(need.weights or [])
            value = need.values[place]
            named = choice_of(ran.run, CHANCE, "chance", need.name, value)
            self._push(value, named, self._snapshot(begins=False))

    def _resume(self, choices: tuple[Any, ...]) -> None:
        """Take up a saved state in the middle of a transaction."""
        if not can_follow(self.world, self._memory, choices):
            raise BadPosition("the choices that were saved cannot be made")
        if choices:
            ran = execute(self.world, self._memory, choices)
            if ran.failed is not None or ran.need is None:
                raise BadPosition("the choices that were saved lead to no question")
            self._choices, self._ran, self._settled = choices, ran, True
        self._continue()

    def _child(self, choices: tuple[Any, ...], ran: Ran | None) -> "State":
        if ran is None:
            ran = execute(self.world, self._memory, choices)
            if ran.failed is not None:
                raise after_commit(ran.run, ran.failed)
        child = State(self.game, self.world, self._memory, None, self._start)
        child._take(choices, ran)
        return child

    def _play_choices(self, choices: tuple[Choice, ...]) -> None:
        for place, choice in enumerate(choices):
            self._step(choice.chooser, lambda named, wanted=choice: named == wanted, place, choice.text)
        self._check_complete(choices[0].chooser)

    def _play_text(self, text: str, player: int | None) -> None:
        try:
            words = list(split_move(text))
        except ValueError as error:
            raise IllegalMove(f"this is no move: {error}") from None
        choosers = self.choosers
        everybody = choosers if self._choices else (*choosers, *range(self.world.players))
        if player is not None:
            everybody = (player,)
        if not choosers:
            raise IllegalMove("the game is over")
        first_error: IllegalMove | None = None
        for chooser in dict.fromkeys(everybody):
            saved = self._snapshot(begins=True)
            try:
                self._play_words(chooser, words)
                return
            except IllegalMove as error:
                self._restore(saved)
                better = first_error is None or (error.refusal is not None and first_error.refusal is None)
                first_error = error if better else first_error
        assert first_error is not None
        raise first_error

    def _play_words(self, chooser: int, words: list[Word]) -> None:
        place = 0
        for word in words:
            if word.kind is Kind.STOP:
                ran = self._current()
                if ran is None or ran.need is None or ran.need.kind != "pick" or ran.need.name != word.name:
                    continue  # the list was full
            self._step(chooser, lambda named, wanted=word: answers(wanted, named), place, word.text)
            place += 1
        self._check_complete(chooser)

    def _step(self, chooser: int, wanted: Any, place: int, text: str) -> None:
        """One choice of a move; whether it can be gone on with shows in what follows."""
        if place and not self._choices:
            raise IllegalMove(f"the move is complete before '{text}'")
        asked, need = self._asked(chooser)
        run = self._look()
        if need is None:
            values = self._asides(asked)
        else:
            values = need.values
        for value in values:
            if need is None:
                named = choice_of(run, asked, "action", "", value[1:])
            else:
                named = choice_of(run, asked, need.kind, need.name, value, need.index)
            if wanted(named):
                begins = place == 0 and self._begins(asked, need)
                self._push(value, named, self._snapshot(begins=begins))
                return
        what = "an action" if need is None else f"a value for '{need.name}'"
        raise IllegalMove(f"'{text}' is not {what} that can be chosen now")

    def _check_complete(self, chooser: int) -> None:
        ran = self._current()
        if ran is not None and ran.need is not None and ran.need.chooser == chooser and chooser != CHANCE:
            raise IllegalMove(f"the move is not complete: '{ran.need.name}' is still to be chosen")


def runs_of(log: list[Choice]) -> list[list[Choice]]:
    """Choices cut into moves: a new one begins with an action or with another chooser."""
    runs: list[list[Choice]] = []
    for choice in log:
        if not runs or choice.kind is Kind.ACTION or runs[-1][-1].chooser != choice.chooser:
            runs.append([])
        runs[-1].append(choice)
    return runs
