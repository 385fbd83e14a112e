"""One game on both engines side by side, led by a list of numbers.

Every number is a step: its low part says which of the moves is played, its high part what else is tried on
the way (a look at everything, nonsense, single choices, going back). So a game can be played again from its
numbers, and what they lead to can be shrunk.
"""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

from ludograph.play import CHANCE, IllegalMove
from ludograph.play.changes import apply_changes
from ludograph.tgdl.game.game import BadState, Fault, Game, State
from ludograph.tgdl.game.internals import memory_of, world_of
from ludograph.tgdl.native.run.engine import Engine
from ludograph.tgdl.native.run.execution import OUT_OF_FUEL, Broken, EnginesDisagree, ExecutionContext
from ludograph.tgdl.program import Program
from ludograph.tgdl.reference.building import DEFAULT_FUEL
from ludograph.tgdl.world.memory import CHOOSING, STAGE
from ludograph.tgdl.world.world import World
from tests.tgdl.native.lots import compare_lots
from tests.tgdl.native.twins import Difference, Twin, cell_difference

PLACES = 1 << 16
"""The low part of a number."""
LOOK, NONSENSE, SINGLE, BACK, OTHER = 1, 2, 4, 8, 16
"""Bits of the high part: inspect everything, try nonsense, make single choices, undo, another chooser."""
MAX_RUN = 4
NONSENSE_TEXTS = ("", "(", "nothing", "go(x: 1)", "go(n: 99)", "pass", "go(", "go, go")


@dataclass(frozen=True, slots=True)
class Setting:
    """How a game begins."""

    players: int | None = None
    options: tuple[tuple[str, Any], ...] = ()
    setup: str | None = None
    fuel: int | None = None


class Sides:
    """A program on both engines. Mutable: it keeps the compiled code."""

    def __init__(
        self, program: Program, setting: Setting | None = None, *, checked: bool = False, level: int = 0
    ) -> None:
        """Raises `Unsupported` or a similar error if the native engine cannot run it."""
        self.setting = setting = setting or Setting()
        fuel = DEFAULT_FUEL if setting.fuel is None else setting.fuel
        self.reference = Game(program, fuel=fuel)
        self.native = Game(program, fuel=fuel, compiler=self._engine, uses_before_compiling=0)
        self.world = self.native.world(setting.players, dict(setting.options))
        assert self.world.start is not None
        try:
            sample = memory_of(self._begin(self.native, seed=0))
        except Fault:
            sample = self.world.start
        self.engine = Engine(self.world, sample, level=level, checked=checked)
        self.native._runners.clear()
        self.twin = Twin(self.world, sample, self.engine)

    def _engine(self, game: Game, world: World) -> Engine | None:
        return getattr(self, "engine", None)

    def _begin(self, game: Game, seed: int | None = None) -> State:
        setting = self.setting
        return game.new(setting.players, seed, dict(setting.options), setup=setting.setup)

    def play(self, numbers: Iterable[int]) -> int:
        """Play a game, and raise a `Difference` if there is one; returns the number of steps."""
        try:
            return self._play(numbers)
        except OneRunsOut:
            return 0
        except Broken as broken:
            raise Difference(f"native code left its memory: {broken}") from None
        except EnginesDisagree as error:
            raise Difference(str(error)) from error

    def _play(self, numbers: Iterable[int]) -> int:
        start = self.world.start
        assert start is not None
        states: list[State] = []

        def begin(game: Game) -> str:
            states.append(self._begin(game))
            return states[-1].digest()

        begun = self._compared("the beginning", begin, self.reference, self.native)
        self.twin.run(start, ())
        if isinstance(begun, Exception):
            return 0
        reference, native = states
        pair = _Pair(self, reference, native)
        numbers = list(numbers)
        compare_lots(
            reference, memory_of(native), ExecutionContext(self.engine), numbers[0] if numbers else 0
        )
        steps = 0
        for number in numbers:
            if not pair.step(number):
                break
            steps += 1
        pair.look()
        return steps

    def _compared(self, what: str, ask: Callable[[Any], Any], one: Any, other: Any) -> Any:
        """The equal answers of both engines; a fault or refusal with its message counts as an answer."""
        expected, found = answer(ask, one), answer(ask, other)
        if _is_out_of_fuel(expected) and isinstance(found, list) and what.startswith(LISTING):
            return expected  # listing takes less fuel natively
        if told(expected) != told(found):
            if _is_out_of_fuel(expected) != _is_out_of_fuel(found):
                raise OneRunsOut
            raise Difference(f"{what}: natively {told(found)}, by the reference {told(expected)}")
        return expected


LISTING = "the moves of"


class OneRunsOut(Exception):
    """Fuel ran out in one engine first; the engines may differ in that (docs/engine.md), so the game ends."""


def _is_out_of_fuel(found: Any) -> bool:
    return isinstance(found, Fault) and found.code == OUT_OF_FUEL


def answer(ask: Callable[[Any], Any], asked: Any) -> Any:
    try:
        return ask(asked)
    except (BadState, Fault, IllegalMove) as error:
        return error


def told(found: Any) -> Any:
    """An answer in comparable form: faults and refusals by their messages."""
    if isinstance(found, IllegalMove):
        return f"refused: {found} {found.refusal!r}"
    if isinstance(found, Exception):
        return f"{type(found).__name__}: {found}"
    return found


def _drop_blocks(state: State) -> None:
    """Drop the older blocks, as a long history does, so that undoing has to rebuild them."""
    node = state._history
    while node is not None and node.previous is not None:
        node.cached_block = None
        node = node.previous


def _question(state: State, player: int) -> Any:
    question = state.question(player)
    named = [(each.text, each.key, type(each.value)) for each in question.candidates]
    return question, named


def _moves(state: State, player: int) -> list[Any]:
    moves = state.legal_moves_of(player)
    count = len(moves)
    found = [(move.text, move.choices) for move in moves]
    assert count == len(found) and all(move in moves for move in list(moves)[:3])
    assert all(text in moves for text, _ in found[:3])
    return found


def _json(state: State, player: int) -> Any:
    return json.loads(state.view_json(player))


def _read_back(state: State) -> State:
    return state.game.from_bytes(state.to_bytes())


@dataclass
class _Pair:
    """The states of one game on both engines. Mutable."""

    sides: Sides
    reference: State
    native: State

    def ask(self, what: str, ask: Callable[[State], Any]) -> Any:
        return self.sides._compared(what, ask, self.reference, self.native)

    def step(self, number: int) -> bool:
        """Take a step; returns whether the game continues."""
        place, extra = number % PLACES, number // PLACES
        choosers = self.ask("who is asked", lambda state: state.asked)
        self.ask("the result", lambda state: state.result)
        if isinstance(choosers, Exception) or not choosers:
            return False
        if extra & LOOK:
            self.look()
        player = choosers[place % len(choosers)] if extra & OTHER else choosers[0]
        if extra & NONSENSE:
            self._refuse(place, player)
        if player == CHANCE or extra & SINGLE:
            if not self._choose(place, player):
                return False
        elif not self._move(place, player):
            return False
        if extra & BACK:
            _drop_blocks(self.native)
            self.ask("going back", lambda state: state.pop())
        difference = cell_difference(memory_of(self.reference), memory_of(self.native))
        if difference:
            raise Difference(f"after {self._way()}: {difference}")
        self._look_closely(place)
        return True

    def _look_closely(self, place: int) -> None:
        """Use a state like a program: itself, a copy, or one that was saved and loaded."""
        for player in (None, *range(self.reference.players)):
            self.ask(f"the view of {player}", partial(State.view, player=player))
        self._compare_changes(place)
        kind = place % 4
        if kind == 0:
            self.ask("the JSON", State.to_json)
            self.ask("the record of anybody", lambda state: state.record_for(None))
        twin = self
        if kind == 1:
            twin = _Pair(self.sides, self.reference.copy(), self.native.copy())
        elif kind == 2:
            states: list[State] = []
            read = self.ask("reading it back", lambda state: states.append(_read_back(state)))
            if isinstance(read, Exception):
                return
            twin = _Pair(self.sides, *states)
        choosers = twin.ask("who is asked", lambda state: state.asked)
        if isinstance(choosers, Exception) or not choosers:
            return
        player = choosers[place % len(choosers)]
        twin.ask(f"the question of player {player}", partial(_question, player=player))
        twin.ask(f"{LISTING} player {player}, choice by choice", partial(_moves, player=player))
        twin.ask("the phase and the active player", lambda state: (state.phase(), state.active()))
        twin.ask("who is in the middle of a move", State.under_way)

    def _compare_changes(self, place: int) -> None:
        """Check that the changes since an earlier moment lead from the old view to the new one."""
        player = place % (self.reference.players + 1) - 1
        viewer = None if player < 0 else player
        count = self.reference.choice_count()
        since = place % (count + 1)

        def changes(state: State) -> Any:
            found = state.changes(viewer, since=since)
            return found, apply_changes(state._at_choice_count(since).view(viewer), found) == state.view(
                viewer
            )

        self.ask("how many choices were made", State.choice_count)
        self.ask(f"the changes since {since} choices", changes)

    def _way(self) -> str:
        return "; ".join(move.text for move in self.reference.record.moves[-6:])

    def _move(self, place: int, player: int) -> bool:
        moves: dict[int, Any] = {}

        def listed(state: State) -> list[str]:
            moves[id(state)] = state.legal_moves_of(player)
            return [move.text for move in moves[id(state)]]

        texts = self.ask(f"{LISTING} player {player}", listed)
        if isinstance(texts, Exception) or not texts:
            return False
        chosen = place % len(texts)
        if place // len(texts) % 5 == 1:
            text = texts[chosen]
            self.ask(f"playing {text} by its text", lambda state: state.push(text, player))
        else:
            self.ask(f"playing {texts[chosen]}", lambda state: state.push(moves[id(state)][chosen]))
        return True

    def _choose(self, place: int, player: int) -> bool:
        found = self.ask(f"the candidates of player {player}", lambda state: state.candidates(player))
        if isinstance(found, Exception) or not found:
            return False
        choice = found[place % len(found)]
        self.ask(f"choosing {choice.text}", lambda state: state.choose(choice))
        return True

    def _refuse(self, place: int, player: int) -> None:
        """Check that nonsense and moves of others are refused with the same message."""
        world = world_of(self.reference)
        texts = list(NONSENSE_TEXTS)
        for other in range(world.players):
            found = answer(lambda who: [move.text for move in self.reference.legal_moves_of(who)], other)
            if isinstance(found, list):
                texts += found[:3]
        text = texts[place % len(texts)]
        teller = place % (world.players + 1) - 1

        def attempt(state: State) -> str:
            trial = state.copy()
            trial.push(text, None if teller < 0 else teller)
            return trial.digest()

        self.ask(f"trying {text!r}", attempt)

    def look(self) -> None:
        """Compare all public members of a state, and all results of native code for it."""
        self.ask("the digest", lambda state: state.digest())
        self.ask("the record", lambda state: state.record)
        self.ask("the bytes", lambda state: state.to_bytes())
        for player in range(self.reference.players):
            self.ask(f"the record of player {player}", partial(State.record_for, player=player))
            self.ask(f"the view of player {player} as JSON", partial(_json, player=player))
        memory = memory_of(self.native)
        if not self.native.can_be_restarted() or memory.cells[STAGE] != CHOOSING:
            return
        twin = self.sides.twin
        for choices in twin.inspect(memory, ())[:MAX_RUN]:
            ending = twin.run(memory, choices)
            if ending.status == "fine" and ending.memory is not None:
                twin.settle(ending.memory)
