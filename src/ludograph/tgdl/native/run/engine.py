"""The native engine of a world: its layout and its machine code.

An engine never changes, and several threads may use it. Each thread has its own execution context
(`execution`).
"""

import ctypes
import struct
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import ClassVar, Protocol

from msgspec import Struct

from ludograph.play import Result
from ludograph.play.results import drawn_by, finished_with, won_by
from ludograph.tgdl.native.layout.decoding import Decoding
from ludograph.tgdl.native.layout.encoding import ForeignText, decode_instances, players_in
from ludograph.tgdl.native.layout.interface import EXPORTS, TABLE
from ludograph.tgdl.native.layout.plan import Plan
from ludograph.tgdl.native.layout.sealed_choices import decode_block, encode_memory
from ludograph.tgdl.native.layout.sizing import plan_of
from ludograph.tgdl.native.lower.unit import CompilationUnit
from ludograph.tgdl.native.optimise.effects import is_combinatorial
from ludograph.tgdl.native.run import machine
from ludograph.tgdl.native.run.store import ObjectStore, Poll, compile_anew, compile_cached, compiled_key
from ludograph.tgdl.world.memory import Instance, Memory
from ludograph.tgdl.world.world import World


class RunWithStack(Protocol):
    """Runs work in another thread, and more work at the same time in further threads."""

    def __call__(
        self, size: int, work: Callable[[], int], stop: Callable[[], None], /, *others: Callable[[], int]
    ) -> int:
        """Run work on a stack of so many bytes; `stop` ends all of it if the caller is interrupted."""


class Shape(Struct, frozen=True):
    """The facts of a world that are needed to run its code, without its rules."""

    players: int
    fuel: int
    fixed_size: int
    """Bytes of a block before the heap of lists."""
    draws_choices: bool
    """Whether some random moves are sampled choice by choice, because they are combinations."""


class CompiledRules(Struct, frozen=True):
    """A world, with the layout and the unit that its code was compiled with."""

    world: World
    plan: Plan
    unit: CompilationUnit


class Engine:
    """Compiled code of one world."""

    verifies: ClassVar[bool] = False
    """Whether the IR is verified after the last pass. The IR of checked code always is. The tests set this;
    for players it would only take time, a tenth of a second in a large game."""

    def __init__(
        self,
        world: World,
        sample: Memory,
        store: ObjectStore | None = None,
        *,
        growth: int = 1,
        checked: bool = False,
        level: int = 1,
        run_with_stack: RunWithStack | None = None,
        poll: Poll | None = None,
    ) -> None:
        """`checked`: the code tests every memory access before it happens; it is not stored.

        With `run_with_stack`, long single moves run in another thread while the caller waits. `poll` is
        called between the steps of the compiler and may raise an exception to end it.
        """
        rules = _rules_of(world, sample, growth=growth, checked=checked)
        rules.unit.poll = poll
        self.run_with_stack = run_with_stack
        self._prepare(lambda: rules, growth=growth, checked=checked, store=store)
        shape, keeps = _shape_of(rules), None if checked else store
        made = compile_cached(self._text, self.key(), keeps, level=level, poll=poll)
        try:
            self._link(made, shape)
        except machine.MachineError:
            if keeps is None:
                raise
            # The stored object is damaged.
            self._link(compile_anew(self._text, self.key(), keeps, level=level, poll=poll), shape)

    @classmethod
    def find(
        cls,
        world: World,
        sample: Memory,
        store: ObjectStore | None,
        run_with_stack: RunWithStack | None = None,
    ) -> "Engine | None":
        """The engine of a world whose code is in the store; None if it would have to be compiled."""
        engine = cls.__new__(cls)
        engine.run_with_stack = run_with_stack
        rules = _rules_of(world, sample, growth=1, checked=False)
        engine._prepare(lambda: rules, growth=1, checked=False, store=store)
        made = None if store is None else store.get(engine.object_key)
        if made is None:
            return None
        try:
            engine._link(made, _shape_of(rules))
        except machine.MachineError:  # the stored object is damaged
            return None
        return engine

    @classmethod
    def from_object(cls, made: bytes, shape: Shape, rules: Callable[[], CompiledRules]) -> "Engine":
        """An engine that loads the rules only when they are needed."""
        engine = cls.__new__(cls)
        engine.run_with_stack = None
        engine._prepare(rules, growth=1, checked=False)
        engine._link(made, shape)
        return engine

    def _prepare(
        self,
        rules: Callable[[], CompiledRules],
        *,
        growth: int,
        checked: bool,
        store: ObjectStore | None = None,
    ) -> None:
        self._rules = rules
        self.checked = checked
        self.sites: tuple[str, ...] = ()
        """The descriptions of the memory checks in checked code, by number."""
        self.sizes: tuple[int, ...] = ()
        """The sizes of the constant data of checked code."""
        self.growth = growth
        """The factor by which growing families are enlarged."""
        self.store = store
        self.texts: list[str] = []
        self.presentation: object | None = None
        """The code that writes texts (`presentation_code.py`), if it is already loaded."""
        self.search_code: object | None = None
        """The code that searches (`search_code.py`), if it is already loaded."""

    def _link(self, made: bytes, shape: Shape) -> None:
        self.shape = shape
        self.machine = machine.link(made, (*EXPORTS, TABLE) if self.checked else EXPORTS)
        pointer, whole, word = ctypes.c_void_p, ctypes.c_int32, ctypes.c_int64
        function = self.machine.function
        self.execute = function("execute", whole, pointer, pointer)
        self.ask_from = function("ask_from", whole, *[pointer] * 4, word)
        self.short_ask_from = function("ask_from", whole, *[pointer] * 4, word, is_short=True)
        listing = (*[pointer] * 4, word, whole, whole, word)
        self.list_from = function("list_from", whole, *listing)
        self.short_list_from = function("list_from", whole, *listing, is_short=True)
        self.playout = function("playout", whole, pointer, pointer, word)
        self.explore = function("explore", whole, pointer, pointer, word, whole, whole)
        self.batch = function("batch", whole, *[pointer] * 4, *[word] * 3, pointer, pointer)
        self.perft = function("perft", whole, pointer, pointer, word, pointer)
        self.resolve_stuck_from = function("resolve_stuck_from", whole, *[pointer] * 3)
        self.commit = function("commit", whole, *[pointer] * 4, word)
        self.short_commit = function("commit", whole, *[pointer] * 4, word, is_short=True)
        self.prepared_commit = function("commit", whole, is_short=True)
        """Called with arguments that need no conversion: bytes and prepared ctypes arguments."""
        self.replay = function("replay", whole, pointer, pointer, pointer, word, pointer)

    def enlarged(self, sample: Memory, poll: Poll | None = None) -> "Engine":
        """The same engine with memory for the instances of a state, and for twice as many created in play."""
        return Engine(
            self.world,
            sample,
            self.store,
            checked=self.checked,
            run_with_stack=self.run_with_stack,
            poll=poll,
        )

    @property
    def rules(self) -> CompiledRules:
        return self._rules()

    @property
    def world(self) -> World:
        return self.rules.world

    @property
    def plan(self) -> Plan:
        return self.rules.plan

    @property
    def unit(self) -> CompilationUnit:
        return self.rules.unit

    @property
    def draws_choices(self) -> bool:
        """Whether some random moves are sampled choice by choice, because they are combinations."""
        return self.shape.draws_choices

    @property
    def object_key(self) -> str:
        """The key of the object of unchecked code in the store."""
        return compiled_key(self.key())

    def _text(self) -> str:
        """Generate the LLVM text. Only this imports the code generator: stored code does not need it."""
        from ludograph.tgdl.native.lower.lowering import lower

        lowered = lower(self.unit, verifies=self.verifies)
        self.sites, self.sizes = lowered.sites, lowered.sizes
        return lowered.text

    def key(self) -> list[str]:
        """All that the code depends on: the rules, the configuration, and the sizes of the families."""
        options = sorted((name, repr(value)) for name, value in self.world.options.items())
        sizes = [(family.name, family.capacity, family.grows) for family in self.plan.families]
        return [self.world.program.rules, str(self.world.players), repr(options), repr(sizes)]

    def data(self) -> list[tuple[int, int]]:
        """The addresses and sizes of the constant data of checked code."""
        return find_constant_data(self.machine, self.plan, self.sizes)

    def describe_violation(self, number: int) -> str:
        """The check or assertion of checked code that failed."""
        return self.sites[number - 1] if number > 0 else self.unit.assertions[-number - 1]

    def block(self, memory: Memory) -> bytes:
        strings = self.unit.strings
        known = len(strings)
        found = encode_memory(self.plan, memory, strings)
        if self.unit.has_positions and len(strings) > known:
            foreign = list(strings)[known:]
            for text in foreign:
                del strings[text]
            raise ForeignText(f"the rules compare positions and do not have the text {foreign[0]!r}")
        return found

    def memory(self, block: bytes) -> Memory:
        return decode_block(self.decoding, block, self.known_texts())

    def memory_with(
        self, block: bytes, instances: Iterable[Instance], wanted: tuple[str, ...]
    ) -> Memory | None:
        """A memory in which only some instances, or only some of their attributes, are decoded.

        None if play creates instances or changes the board.
        """
        if not self.decoding.is_fixed:
            return None
        return decode_instances(self.decoding, block, self.known_texts(), instances, wanted)

    @cached_property
    def decoding(self) -> Decoding:
        return Decoding(self.plan)

    def known_texts(self) -> list[str]:
        """The strings of the rules and of loaded positions, by their numbers."""
        if len(self.texts) < len(self.unit.strings):  # a loaded position has added others
            self.texts = list(self.unit.strings)
        return self.texts

    def result(self, ended: int, winners: bytes, payoffs: tuple[float, ...]) -> Result | None:
        """The result of a game from the fields of its block."""
        count = self.shape.players
        match ended:
            case 0:
                return None
            case 1:
                return won_by(_players(winners), count)
            case 2:
                return drawn_by(_players(winners), count)
            case _:
                return finished_with(payoffs)


def find_constant_data(module: machine.Machine, plan: Plan, sizes: tuple[int, ...]) -> list[tuple[int, int]]:
    """The addresses and sizes of the constant data of a module of checked code."""
    context = ctypes.create_string_buffer(plan.context_size)
    module.function(TABLE, None, ctypes.c_void_p)(ctypes.addressof(context))
    (table,) = struct.unpack_from("<q", context, plan.context["regions"])
    starts = struct.unpack(f"<{len(sizes)}q", ctypes.string_at(table, 8 * len(sizes)))
    return list(zip(starts, sizes, strict=True))


class CheckedCode(Protocol):
    """A module of code that may be checked."""

    def data(self) -> list[tuple[int, int]]:
        """The addresses and sizes of its constant data."""

    def describe_violation(self, number: int) -> str:
        """The check or assertion that failed."""


def _rules_of(world: World, sample: Memory, *, growth: int, checked: bool) -> CompiledRules:
    plan = plan_of(world, sample, growth)
    return CompiledRules(world, plan, CompilationUnit(world, plan, checked))


def _shape_of(rules: CompiledRules) -> Shape:
    world, actions = rules.world, rules.world.program.actions
    draws_choices = any(is_combinatorial(actions[offer.action]) for offer in world.offers)
    return Shape(world.players, world.fuel, rules.plan.fixed_size, draws_choices)


def _players(winners: bytes) -> tuple[int, ...]:
    return players_in(int.from_bytes(winners, "little"))
