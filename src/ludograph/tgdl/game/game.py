"""Game: a checked program that can be played.

With a seed, a generator answers chance at once. Without a seed, chance is a chooser like a player.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import lru_cache
from typing import Any, Protocol

from ludograph.play import Generator
from ludograph.play.appearance import Appearance
from ludograph.play.material import Arrangement, Material
from ludograph.text import Source
from ludograph.tgdl import compile_source
from ludograph.tgdl.game.material import board_of, material_of
from ludograph.tgdl.game.native_state import expect_same_fault, resume_history, start_history
from ludograph.tgdl.game.reference_history import ReferenceHistory
from ludograph.tgdl.game.snapshot import Snapshot
from ludograph.tgdl.game.starts import GameStart
from ludograph.tgdl.game.state import State
from ludograph.tgdl.game.state_bytes import decode_state
from ludograph.tgdl.game.state_check import BadPosition, BadState, describe
from ludograph.tgdl.game.state_json import memory_from_json, parse_json
from ludograph.tgdl.game.state_json_values import compact_json
from ludograph.tgdl.game.subjects import InputTypes, find_input_types
from ludograph.tgdl.native.layout.status import Unsupported
from ludograph.tgdl.native.run.calls import MoveRunner
from ludograph.tgdl.native.run.engine import Engine
from ludograph.tgdl.native.run.history import NativeHistory
from ludograph.tgdl.program import Program
from ludograph.tgdl.reference.building import DEFAULT_FUEL, NOWHERE, BadOption, build_world
from ludograph.tgdl.reference.refused_conditions import Refusal
from ludograph.tgdl.reference.transactions import has_setup, no_setup
from ludograph.tgdl.syntax.sources import imported_texts
from ludograph.tgdl.world.faults import Fault
from ludograph.tgdl.world.memory import SETUP, Memory
from ludograph.tgdl.world.observer import Observer
from ludograph.tgdl.world.topology import Topology
from ludograph.tgdl.world.world import World

USES_BEFORE_COMPILING = 2000
"""The number of moves and listings before a world is compiled: a large game takes some seconds to compile,
and a move takes about a millisecond on the reference engine."""
USES_BEFORE_FINDING = 100
"""The number of moves and listings before the store is searched for compiled code."""

__all__ = ["BadOption", "BadPosition", "BadState", "Fault", "Game", "Refusal", "State"]


class Game:
    """The rules of a game, ready to play.

    A world is built for each number of players and set of options when it is first needed, and cached.
    """

    def __init__(
        self,
        program: Program,
        *,
        fuel: int = DEFAULT_FUEL,
        compiler: "EngineCompiler | None" = None,
        uses_before_compiling: int = USES_BEFORE_COMPILING,
        finder: "EngineCompiler | None" = None,
        enlarger: "EngineEnlarger | None" = None,
        starter: "EngineStarter | None" = None,
        drawer: "Drawer | None" = None,
        observer: Observer | None = None,
    ) -> None:
        """With a compiler, states switch to the native engine after `uses_before_compiling` uses of a world.

        A finder returns an engine that was compiled earlier; it is called earlier than the compiler. With a
        starter the game goes on while a world is compiled, unless many uses were announced. A drawer draws a
        state for notebooks. An observer hears what the rules do; only the reference engine tells it.
        """
        assert observer is None or compiler is None
        self.program = program
        self.fuel = fuel
        self._compiler = compiler
        self._finder = finder
        self._enlarger = enlarger
        self._starter = starter
        self._drawer = drawer
        self._observer = observer
        self._uses_before_compiling = uses_before_compiling
        self._uses: dict[World, int] = {}
        self._runners: dict[World, MoveRunner | None] = {}
        self._pending: dict[World, PendingEngine] = {}
        """The worlds that are being compiled."""
        self._larger: dict[World, PendingEngine | None] = {}
        """The worlds that are being compiled for more instances; None if that failed."""
        self._announced: set[World] = set()
        """The worlds that will be used so often that waiting for the compiler saves time."""
        self._worlds: dict[tuple[int, tuple[tuple[str, bool, Any], ...]], World] = {}
        self._materials: dict[World, Material] = {}
        self._boards: dict[World, Arrangement] = {}
        self._inputs: InputTypes | None = None

    @property
    def name(self) -> str:
        return self.program.name

    @property
    def rules(self) -> str:
        return self.program.rules

    @property
    def appearance(self) -> Appearance:
        """Hints for drawing, which are no part of the rules."""
        return self.program.appearance

    @property
    def language(self) -> int:
        return self.program.language

    @property
    def player_counts(self) -> tuple[int, ...]:
        return self.program.players

    def __repr__(self) -> str:
        return f"Game({self.name!r})"

    def __copy__(self) -> "Game":
        return self  # it is immutable

    def __deepcopy__(self, memo: object) -> "Game":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        settings = self.fuel, self._compiler, self._uses_before_compiling, self._finder
        return _remake, (self.program.sources, *settings, self._enlarger, self._starter, self._drawer)

    def world(self, players: int | None = None, options: Mapping[str, Any] | None = None) -> World:
        """The world for some players and options; a ValueError if there is none."""
        for name, value in (options or {}).items():
            if not isinstance(name, str) or not isinstance(value, bool | int | float | str):
                raise BadOption(f"the option {name!r} cannot be {value!r}", NOWHERE)
        count = self.player_counts[0] if players is None else players
        if count not in self.player_counts:
            allowed = ", ".join(str(each) for each in self.player_counts)
            raise ValueError(f"{self.name} is for {allowed} players, not {describe(count)}")
        # True is not a number here, although it equals 1 in Python.
        key = (
            count,
            tuple(sorted((name, isinstance(one, bool), one) for name, one in (options or {}).items())),
        )
        found = self._worlds.get(key)
        if found is None:
            if len(self._worlds) > 64:
                self._worlds.clear()
                self._materials.clear()
                self._boards.clear()
                for known in (self._uses, self._runners, self._pending, self._larger, self._announced):
                    known.clear()
            found = self._worlds[key] = build_world(
                self.program, count, options, fuel=self.fuel, observer=self._observer
            )
        return found

    def _material(self, world: World) -> Material:
        """The material of a world of this game."""
        found = self._materials.get(world)
        if found is None:
            found = self._materials[world] = material_of(world)
        return found

    def _input_types(self) -> InputTypes:
        """The types of the inputs that players answer."""
        if self._inputs is None:
            self._inputs = find_input_types(self.program)
        return self._inputs

    def _board(self, world: World, topology: Topology) -> Arrangement:
        """The arrangement of a board of a world; that of the board at the start is cached."""
        if topology is not world.topology:
            return board_of(topology)
        found = self._boards.get(world)
        if found is None:
            found = self._boards[world] = board_of(topology)
        return found

    def _runner(self, world: World) -> MoveRunner | None:
        """The runner of a world on the native engine; None while the reference engine is used."""
        if self._compiler is None:
            return None
        if world in self._runners:
            return self._runners[world]
        pending = self._pending.get(world)
        if pending is not None and not pending.is_over and world not in self._announced:
            return None
        used = self._uses[world] = self._uses.get(world, 0) + 1
        if pending is not None:
            del self._pending[world]
            engine = pending.engine()
        elif used > self._uses_before_compiling:
            if self._starter is not None and world not in self._announced:
                self._pending[world] = self._starter(self, world)
                return None
            engine = self._compiler(self, world)
        elif self._finder is not None and used == USES_BEFORE_FINDING + 1:
            engine = self._finder(self, world)
            if engine is None:
                return None
        else:
            return None
        found = self._runners[world] = None if engine is None else MoveRunner(engine)
        return found

    def _ready_runner(self, world: World) -> MoveRunner | None:
        """The runner of a world, if its states start on the native engine."""
        if world not in self._runners and self._uses_before_compiling > 0:
            return None
        return self._runner(world)

    def _enlarge(self, world: World, sample: Memory) -> MoveRunner | None:
        """A runner compiled for the instances of a state, and more; None if there is none, or none yet."""
        known = self._runners.get(world)
        if known is None:
            return None
        engine: Engine | None = None
        if self._starter is not None and world not in self._announced:
            if world not in self._larger:
                self._larger[world] = self._starter(self, world, known.engine, sample)
            pending = self._larger[world]
            if pending is None or not pending.is_over:
                return None
            engine = pending.engine()
            if engine is None:
                self._larger[world] = None
            else:
                del self._larger[world]
        elif self._enlarger is not None:
            engine = self._enlarger(known.engine, sample)
        else:
            with suppress(Unsupported):
                engine = known.engine.enlarged(sample)
        if engine is None:
            return None
        found = self._runners[world] = MoveRunner(engine)
        return found

    def _expect_uses(self, world: World, uses: int) -> None:
        """Announce uses of a world: if they justify compiling or searching the store, it happens at once."""
        for limit in (self._uses_before_compiling, USES_BEFORE_FINDING):
            if uses > limit:
                self._uses[world] = max(limit, self._uses.get(world, 0))
                if limit == self._uses_before_compiling:
                    self._announced.add(world)
                return

    def new(
        self,
        players: int | None = None,
        seed: int | None = None,
        options: Mapping[str, Any] | None = None,
        position: object | None = None,
        setup: str | None = None,
    ) -> State:
        """The start of a game, or a game that starts at a position given as data (or as JSON text)."""
        if seed is not None and (not isinstance(seed, int) or isinstance(seed, bool)):
            raise TypeError(f"a seed is a whole number, not {seed!r}")
        data = parse_json(position) if isinstance(position, str) else position
        if isinstance(data, dict):
            players = data.get("players", players) if players is None else players
            options = data.get("options", options) if options is None else options
        if players is not None and (not isinstance(players, int) or isinstance(players, bool)):
            raise BadPosition("players must be a whole number")
        if options is not None and not isinstance(options, Mapping):
            raise BadPosition("options must be an object")
        world = self.world(players, options)
        assert world.start is not None
        if setup is not None and not has_setup(world, setup):
            raise no_setup(world, setup)
        generator = None if seed is None else Generator(seed)
        if data is not None:
            memory, choices = memory_from_json(world, data)
            text = position if isinstance(position, str) else compact_json(data)
            return self._resume(Snapshot(world, memory), choices, generator, GameStart(seed, setup, text))
        start = GameStart(seed, setup, None)
        runner = self._ready_runner(world)
        history = None if runner is None else start_history(runner, setup, generator)
        if isinstance(history, NativeHistory):
            return State(self, world, None, start, history)
        memory = world.start.copy()
        memory.cells[SETUP] = setup
        with expect_same_fault(history, must_fail=True):
            return self._resume(Snapshot(world, memory), (), generator, start)

    def sample(self, world: World) -> Memory:
        """A memory of a world of this game after a setup."""
        assert world.start is not None
        snapshot = Snapshot(world, world.start.copy())
        if not snapshot.is_between:
            snapshot = snapshot.after(())
        if snapshot.is_between:
            return snapshot.base  # finding stuck players takes long and creates no instances
        reference = ReferenceHistory(snapshot, Generator(0))
        reference.go_on()
        return reference.snapshot.memory

    def from_bytes(self, data: bytes) -> State:
        """A saved state; BadState if the bytes are not a state of these rules.

        The history is not saved: the record begins with this position, and earlier moves cannot be undone.
        """
        saved = decode_state(data, self.rules, self.world)
        generator = None if saved.generator is None else Generator.from_state(saved.generator)
        start = GameStart(None, None, None, (saved.memory, saved.choices))
        try:
            return self._resume(Snapshot(saved.world, saved.memory), saved.choices, generator, start)
        except Fault as fault:
            raise BadState(f"the game cannot continue from here: {fault.message}") from fault

    def from_json(self, data: object) -> State:
        """A state from its JSON (as data or text); BadPosition if it is not a position."""
        if data is None:
            raise BadPosition("a position must be an object")
        try:
            return self.new(position=data)
        except BadPosition:
            raise
        except ValueError as error:
            raise BadPosition(str(error)) from None
        except Fault as fault:
            raise BadPosition(f"the game cannot continue from here: {fault.message}") from fault

    def _resume(
        self, snapshot: Snapshot, choices: tuple[Any, ...], generator: Generator | None, start: GameStart
    ) -> State:
        """A state where a game begins or goes on, as far as that needs no player."""
        world = snapshot.world
        reference = ReferenceHistory(snapshot.resumed(choices), generator)
        runner = self._ready_runner(world)
        if runner is not None and reference.snapshot.is_between:
            history = resume_history(runner, reference)
            if isinstance(history, NativeHistory):
                return State(self, world, None, start, history)
            with expect_same_fault(history, must_fail=True):
                reference.go_on()
        else:
            reference.go_on()
        state = State(self, world, reference, start)
        if runner is not None:
            state._go_native()
        return state


@lru_cache(maxsize=16)
def _remake(
    sources: tuple[Source, ...],
    fuel: int,
    compiler: "EngineCompiler | None",
    uses: int,
    finder: "EngineCompiler | None",
    enlarger: "EngineEnlarger | None",
    starter: "EngineStarter | None",
    drawer: "Drawer | None",
) -> Game:
    """A game that was pickled, from its sources; cached for all states from another process."""
    program = compile_source(sources[0], imported_texts(sources).get)
    return Game(
        program,
        fuel=fuel,
        compiler=compiler,
        uses_before_compiling=uses,
        finder=finder,
        enlarger=enlarger,
        starter=starter,
        drawer=drawer,
    )


EngineCompiler = Callable[[Game, World], Engine | None]
"""Returns the native engine of a world; None if it cannot be compiled."""
EngineEnlarger = Callable[[Engine, Memory], Engine | None]
"""Returns the same engine with memory for the instances of a state; None if it cannot be compiled."""
Drawer = Callable[[State], str]
"""Returns the picture of a state as everybody sees it, as SVG."""


class PendingEngine(Protocol):
    """A native engine that is being compiled."""

    @property
    def is_over(self) -> bool:
        """Whether the compiler has ended."""

    def engine(self) -> Engine | None:
        """The engine, after waiting for it; None if it cannot be compiled."""


class EngineStarter(Protocol):
    """Begins to compile a world, or an engine like a smaller one for the instances of a state."""

    def __call__(
        self, game: Game, world: World, smaller: Engine | None = None, sample: Memory | None = None, /
    ) -> PendingEngine: ...
