"""One game on both engines side by side, led by a list of numbers.

Every number is a step: its low part says which of the moves is played, its high part what else is tried on
the way (a look at everything, nonsense, single choices, going back). So a game can be played again from its
numbers, and what they lead to can be shrunk.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

from ludograph.play import CHANCE, IllegalMove
from ludograph.tgdl.game import Fault, Game, State
from ludograph.tgdl.interpreter.building import DEFAULT_FUEL
from ludograph.tgdl.interpreter.world import World
from ludograph.tgdl.memory import CHOOSING, STAGE
from ludograph.tgdl.native.engine import Broken, Engine, Place
from ludograph.tgdl.program import Program
from tests.tgdl.native.lots import compare_lots
from tests.tgdl.native.twins import Difference, Twin, cell_difference

PLACES = 1 << 16
"""The low part of a number."""
LOOK, NONSENSE, SINGLE, BACK, OTHER = 1, 2, 4, 8, 16
"""Bits of the high part: look at everything, try nonsense, choose singly, take back, another of the asked."""
MOST_RUN = 4
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
        """`Unsupported` and its kind come out if the native engine cannot run it."""
        self.setting = setting = setting or Setting()
        fuel = DEFAULT_FUEL if setting.fuel is None else setting.fuel
        self.reference = Game(program, fuel=fuel)
        self.native = Game(program, fuel=fuel, compiler=self._engine, uses_before_compiling=0)
        self.world = self.native.world(setting.players, dict(setting.options))
        assert self.world.start is not None
        try:
            sample = self._begin(self.native, seed=0).memory
        except Fault:
            sample = self.world.start
        self.engine = Engine(self.world, sample, level=level, checked=checked)
        self.native._committers.clear()
        self.twin = Twin(self.world, sample, self.engine)

    def _engine(self, game: Game, world: World) -> Engine | None:
        return getattr(self, "engine", None)

    def _begin(self, game: Game, seed: int | None = None) -> State:
        setting = self.setting
        return game.new(setting.players, seed, dict(setting.options), setup=setting.setup)

    def play(self, numbers: Iterable[int]) -> int:
        """Play a game; a `Difference` if there is one. Gives how many steps it had."""
        try:
            return self._play(numbers)
        except Broken as broken:
            raise Difference(f"native code left its memory: {broken}") from None

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
        compare_lots(reference, native.memory, Place(self.engine), numbers[0] if numbers else 0)
        steps = 0
        for number in numbers:
            if not pair.step(number):
                break
            steps += 1
        pair.look()
        return steps

    def _compared(self, what: str, ask: Callable[[Any], Any], one: Any, other: Any) -> Any:
        """What both say to a question; faults and refusals in the same words count as an answer."""
        expected, found = answer(ask, one), answer(ask, other)
        lists_more = isinstance(expected, Fault) and expected.code == "TG0506" and isinstance(found, list)
        if lists_more and what.startswith(LISTING):
            return expected  # listing takes less fuel natively
        if told(expected) != told(found):
            raise Difference(f"{what}: natively {told(found)}, by the reference {told(expected)}")
        return expected


LISTING = "the moves of"


def answer(ask: Callable[[Any], Any], asked: Any) -> Any:
    try:
        return ask(asked)
    except (Fault, IllegalMove) as error:
        return error


def told(found: Any) -> Any:
    """An answer in a form that can be compared: faults and refusals by their words."""
    if isinstance(found, IllegalMove):
        return f"refused: {found} {found.refusal!r}"
    if isinstance(found, Exception):
        return f"{type(found).__name__}: {found}"
    return found


def _let_blocks_go(state: State) -> None:
    """As a long line does with older blocks, so that going back has to make them again."""
    link = state._line
    while link is not None and link.before is not None:
        link.kept = None
        link = link.before


@dataclass
class _Pair:
    """Two states that go side by side (so it is mutable)."""

    sides: Sides
    reference: State
    native: State

    def ask(self, what: str, ask: Callable[[State], Any]) -> Any:
        return self.sides._compared(what, ask, self.reference, self.native)

    def step(self, number: int) -> bool:
        """Take a step; whether the game goes on."""
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
            _let_blocks_go(self.native)
            self.ask("going back", lambda state: state.pop())
        difference = cell_difference(self.reference.memory, self.native.memory)
        if difference:
            raise Difference(f"after {self._way()}: {difference}")
        return True

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
        """Nonsense, and moves of others, are refused in the same words."""
        world = self.reference.world
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
        """Compare everything that can be asked of a state, and all that the native code says of it."""
        self.ask("the digest", lambda state: state.digest())
        self.ask("the record", lambda state: state.record)
        self.ask("the bytes", lambda state: state.to_bytes())
        for player in range(self.reference.world.players):
            self.ask(f"the view of player {player}", partial(State.view, player=player))
        memory = self.native.memory
        if not self.native.can_be_restarted() or memory.cells[STAGE] != CHOOSING:
            return
        twin = self.sides.twin
        for choices in twin.inspect(memory, ())[:MOST_RUN]:
            ending = twin.run(memory, choices)
            if ending.status == "fine" and ending.memory is not None:
                twin.settle(ending.memory)
