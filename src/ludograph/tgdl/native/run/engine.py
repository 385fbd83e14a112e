"""The native engine of a world: its code, and the places it works in.

An engine is never changed and may be used by many threads; each of them works in a place of its own, which
holds blocks, the context of the run, and buffers. A run that finds too little room stops; the place is made
larger and the run begins again.
"""

import ctypes
import struct
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, partial
from typing import Any, ClassVar

from msgspec import Struct

from ludograph.play import Generator, Outcome, Result
from ludograph.play.results import drawn_by, finished_with, won_by
from ludograph.tgdl.native.layout.decoding import Decoding
from ludograph.tgdl.native.layout.encoding import ForeignText, memory_with, players_in
from ludograph.tgdl.native.layout.interface import EXPORTS, SAMPLE, SLICE, STACKS, TABLE, record_size
from ludograph.tgdl.native.layout.plan import CONTEXT_AT, CONTEXT_SIZE, HEADER_AT, REGIONS, Plan
from ludograph.tgdl.native.layout.representations import kind_of_seats
from ludograph.tgdl.native.layout.sealed_choices import image_of, memory_from
from ludograph.tgdl.native.layout.sizing import plan_of
from ludograph.tgdl.native.layout.status import FAULT, FINE, GROW, NEED, STOPPED
from ludograph.tgdl.native.lower.unit import Unit
from ludograph.tgdl.native.optimise.effects import is_combinatorial
from ludograph.tgdl.native.run import machine
from ludograph.tgdl.native.run.buffers import zeros
from ludograph.tgdl.native.run.choices import choices_of
from ludograph.tgdl.native.run.regions import MemoryWatch, bytes_of
from ludograph.tgdl.native.run.store import ObjectStore, compile_anew, compile_cached, compiled_key
from ludograph.tgdl.reference.transactions import (
    after_commit,
    endless_chance,
    endlessly_stuck,
    execute,
    list_on,
    nothing_to_choose,
    settle,
    too_many_moves,
)
from ludograph.tgdl.world.faults import Fault, NeedChoice
from ludograph.tgdl.world.memory import CHOOSING, STAGE, Instance, Memory
from ludograph.tgdl.world.world import World

SMALLEST = 1 << 16
LARGEST = 1 << 30
"""Bytes of the largest buffer."""
MOST_KNOWN = 10_000
"""Outcomes that a place keeps."""
LIMIT = 10_000
OUT_OF_FUEL = "TG0506"
"""The one fault that engines may come to at different places (docs/engine.md)."""
Deepen = Callable[[int, Callable[[], int], Callable[[], None]], int]
"""Do some work on a stack of so many bytes; the last ends it early, if whoever waits is interrupted."""


class EnginesDisagree(RuntimeError):
    """The two engines answer differently. That is a mistake in Ludograph, never in a game."""

    def __init__(self, native: str, reference: str) -> None:
        super().__init__(
            f"internal error: the native engine says that {native}, the reference engine that {reference}; "
            "please report this with the game and its record"
        )


class Stopped(Exception):
    """Somebody asked for an end."""


class Failure(Exception):
    """A run came to a fault of the rules: its code, the block where it began, and the choices made since.

    `drawing`: the state of the generator when it came to that.
    """

    def __init__(
        self,
        code: str,
        engine: "Engine",
        deepen: Deepen | None,
        block: bytes,
        words: tuple[int, ...],
        drawing: tuple[int, ...],
    ) -> None:
        super().__init__(code)
        self.code = code
        self.engine = engine
        self.deepen = deepen
        self.block = block
        self.words = words
        self.drawing = drawing

    def in_words(self) -> Exception:
        """The fault as the reference engine tells it, which runs the same choices from the same beginning."""
        world, base = self.engine.world, self.engine.memory(self.block)
        if self.code == "TG0521":
            return too_many_moves(world, base)
        choices: tuple[Any, ...] = ()
        try:
            settle(world, base)
            # Not where the run was: others may be in that place by now.
            place = ExecutionContext(self.engine, self.deepen)
            choices = choices_of(self.engine.plan, base, self.words, partial(place.candidates, self.block))
            if not choices and base.cells[STAGE] == CHOOSING:
                list_on(world, base, choices)  # nothing ran: it was while moves were listed, or after that
                if self.code == "TG0506":
                    return endlessly_stuck(world, base)
            else:
                ran = execute(world, base, choices)
                if ran.failed is not None:
                    return after_commit(ran.run, ran.failed)
                if self.code == "TG0512" and ran.need is not None:
                    return nothing_to_choose(world, ran.memory, ran.need)
                list_on(world, base, choices)
                if self.code == "TG0506" and ran.need is not None:
                    return self._one_too_many(base, choices, ran.need)
        except Fault as fault:
            found = fault if fault.code == self.code else _while_listing(world, base, choices) or fault
            if found.code == self.code or OUT_OF_FUEL in (found.code, self.code):
                return found
            return EnginesDisagree(f"a game comes to {self.code}", f"it comes to {found.code}")
        return EnginesDisagree(f"a game comes to {self.code} after {self.words}", "nothing is wrong")

    def _one_too_many(self, base: Memory, choices: tuple[Any, ...], need: NeedChoice) -> Fault:
        """Chance is asked too often: the reference engine still runs with what it would give."""
        drawn = need.values[Generator.from_state(self.drawing).pick(need.weights or [])]
        ran = execute(self.engine.world, base, (*choices, drawn))
        return endless_chance(ran.run) if ran.failed is None else after_commit(ran.run, ran.failed)


def _while_listing(world: World, base: Memory, choices: tuple[Any, ...]) -> Fault | None:
    """The fault of listing moves on the way to some choices, which came before what these lead to."""
    try:
        list_on(world, base, choices)
    except Fault as fault:
        return fault
    return None


class Broken(Exception):
    """Checked code was about to use memory that is not its own, or believed what is not so: our mistake."""


class TooLarge(Exception):
    """A state that no buffer holds."""


class Outgrown(Exception):
    """There are more things than the code has room for: it has to be made anew, for more."""


class Shape(Struct, frozen=True):
    """What must be known of a world to run its code: no rules."""

    players: int
    fuel: int
    fixed_size: int
    """Bytes of a block before the heap of lists."""
    draws_choices: bool
    """Some random moves are drawn choice by choice, because they are combinations."""


class CompiledRules(Struct, frozen=True):
    """A world, and how it was compiled."""

    world: World
    plan: Plan
    unit: Unit


class Engine:
    """Compiled code of one world."""

    verifies: ClassVar[bool] = False
    """Whether the intermediate form is verified after lowering and after every pass, as that of checked code
    always is. The tests say so; for whoever plays it would only take time, a tenth of a second for each in
    a large game."""

    def __init__(
        self,
        world: World,
        sample: Memory,
        store: ObjectStore | None = None,
        *,
        room: int = 1,
        checked: bool = False,
        level: int = 1,
        deepen: Deepen | None = None,
    ) -> None:
        """`checked`: the code tests every access to memory before it happens; it is not kept in the store.

        With `deepen` single moves that take long are made beside the thread that waits for them.
        """
        rules = _rules_of(world, sample, room=room, checked=checked)
        self.deepen = deepen
        self._prepare(lambda: rules, room=room, checked=checked, store=store)
        shape, keeps = _shape_of(rules), None if checked else store
        made = compile_cached(self._text, self.key(), keeps, level=level)
        try:
            self._link(made, shape)
        except machine.MachineError:
            if keeps is None:
                raise
            # What the store gave is no object.
            self._link(compile_anew(self._text, self.key(), keeps, level=level), shape)

    @classmethod
    def find(
        cls, world: World, sample: Memory, store: ObjectStore | None, deepen: Deepen | None = None
    ) -> "Engine | None":
        """The engine of a world whose code the store has; None if it would have to be compiled."""
        engine = cls.__new__(cls)
        engine.deepen = deepen
        rules = _rules_of(world, sample, room=1, checked=False)
        engine._prepare(lambda: rules, room=1, checked=False, store=store)
        made = None if store is None else store.get(engine.object_key)
        if made is None:
            return None
        try:
            engine._link(made, _shape_of(rules))
        except machine.MachineError:  # no object
            return None
        return engine

    @classmethod
    def from_object(cls, made: bytes, shape: Shape, rules: Callable[[], CompiledRules]) -> "Engine":
        """An engine that asks for the rules only when something cannot be told without them."""
        engine = cls.__new__(cls)
        engine.deepen = None
        engine._prepare(rules, room=1, checked=False)
        engine._link(made, shape)
        return engine

    def _prepare(
        self,
        rules: Callable[[], CompiledRules],
        *,
        room: int,
        checked: bool,
        store: ObjectStore | None = None,
    ) -> None:
        self._rules = rules
        self.checked = checked
        self.sites: tuple[str, ...] = ()
        """What checked code tests, by its number."""
        self.sizes: tuple[int, ...] = ()
        """The sizes of the constant data of checked code."""
        self.room = room
        """How many times larger families are that grow."""
        self.store = store
        self.texts: list[str] = []

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
        self.settle_from = function("settle_from", whole, *[pointer] * 3)
        self.commit = function("commit", whole, *[pointer] * 4, word)
        self.short_commit = function("commit", whole, *[pointer] * 4, word, is_short=True)
        self.prepared_commit = function("commit", whole, is_short=True)
        """Called with what needs no conversion: bytes, and what ctypes has made ready to be passed."""
        self.replay = function("replay", whole, pointer, pointer, pointer, word, pointer)

    def larger(self, sample: Memory) -> "Engine":
        """The same engine with room for what a state has, and for twice as many things that play makes."""
        return Engine(self.world, sample, self.store, checked=self.checked, deepen=self.deepen)

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
    def unit(self) -> Unit:
        return self.rules.unit

    @property
    def draws_choices(self) -> bool:
        """Whether some random moves are drawn choice by choice, because they are combinations."""
        return self.shape.draws_choices

    @property
    def object_key(self) -> str:
        """Under which key the store has the object of unchecked code."""
        return compiled_key(self.key())

    def _text(self) -> str:
        """The text of the code. Only this imports what lowers a program: code from the store needs none."""
        from ludograph.tgdl.native.lower.lowering import lower

        lowered = lower(self.unit, verifies=self.verifies)
        self.sites, self.sizes = lowered.sites, lowered.sizes
        return lowered.text

    def key(self) -> list[str]:
        """What the code depends on: the rules, the configuration, and how large the families are."""
        options = sorted((name, repr(value)) for name, value in self.world.options.items())
        sizes = [(family.name, family.capacity, family.grows) for family in self.plan.families]
        return [self.world.program.rules, str(self.world.players), repr(options), repr(sizes)]

    def data(self) -> list[tuple[int, int]]:
        """Where the constant data of checked code lie, and their sizes."""
        context = ctypes.create_string_buffer(self.plan.context_size)
        self.machine.function(TABLE, None, ctypes.c_void_p)(ctypes.addressof(context))
        (table,) = struct.unpack_from("<q", context, self.plan.context["regions"])
        sizes = self.sizes
        starts = struct.unpack(f"<{len(sizes)}q", ctypes.string_at(table, 8 * len(sizes)))
        return list(zip(starts, sizes, strict=True))

    def belief(self, number: int) -> str:
        """What checked code found not to be so."""
        return self.sites[number - 1] if number > 0 else self.unit.beliefs[-number - 1]

    def block(self, memory: Memory) -> bytes:
        strings = self.unit.strings
        known = len(strings)
        found = image_of(self.plan, memory, strings)
        if self.unit.has_positions and len(strings) > known:
            foreign = list(strings)[known:]
            for text in foreign:
                del strings[text]
            raise ForeignText(f"the rules compare positions and do not have the text {foreign[0]!r}")
        return found

    def memory(self, block: bytes) -> Memory:
        return memory_from(self.decoding, block, self.known_texts())

    def memory_with(
        self, block: bytes, instances: Iterable[Instance], wanted: tuple[str, ...]
    ) -> Memory | None:
        """A memory in which some things, or what is wanted of them, are right, and nothing else.

        None if things come and go, or the board changes.
        """
        if not self.decoding.is_fixed:
            return None
        return memory_with(self.decoding, block, self.known_texts(), instances, wanted)

    @cached_property
    def decoding(self) -> Decoding:
        return Decoding(self.plan)

    def known_texts(self) -> list[str]:
        """The texts of the rules and of positions, by their numbers."""
        if len(self.texts) < len(self.unit.strings):  # a position has brought others
            self.texts = list(self.unit.strings)
        return self.texts

    def result(self, ended: int, winners: bytes, payoffs: tuple[float, ...]) -> Result | None:
        """How a game ended, as everybody reads it."""
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


def _rules_of(world: World, sample: Memory, *, room: int, checked: bool) -> CompiledRules:
    plan = plan_of(world, sample, room)
    return CompiledRules(world, plan, Unit(world, plan, checked))


def _shape_of(rules: CompiledRules) -> Shape:
    world, actions = rules.world, rules.world.program.actions
    draws_choices = any(is_combinatorial(actions[offer.deed]) for offer in world.offers)
    return Shape(world.players, world.fuel, rules.plan.fixed_size, draws_choices)


def _players(winners: bytes) -> tuple[int, ...]:
    return players_in(int.from_bytes(winners, "little"))


class ExecutionContext:
    """Where one thread works. Mutable."""

    def __init__(self, engine: Engine, deepen: Deepen | None = None, *, patience: int | None = None) -> None:
        """`deepen` does some work on a stack of so many bytes; without it, deep runs are too large.

        With `patience` a run stops after so much fuel.
        """
        self.engine = engine
        self.deepen = deepen
        self.enough = 0 if patience is None else max(0, engine.shape.fuel - patience)
        """Runs stop when less fuel is left."""
        self.size = SMALLEST
        self.is_stopped = False
        self.is_whole = True
        """Whether nothing has interrupted it while room was made."""
        self._known_outcomes: dict[bytes, Outcome] = {}
        """How games went, as native code tells it."""
        self.stack = 0
        """Which of the sizes of stacks is used."""
        self._make_room()

    def _make_room(self) -> None:
        """Buffers of the size that is needed now. If there is no memory for them, all stays as it was."""
        shape, size = self.engine.shape, self.size
        growing = {"arena": 16 * size, "saved": 8 * size, "moves": 8 * size, "index": 8 * size}
        growing |= {"text": 4 * size, "insertion": size}
        regions = dict.fromkeys(REGIONS, 4 * size)
        plain = {"choices": size, "chosen": size, "seen": 8 * 1024}
        context = zeros(CONTEXT_SIZE)
        blocks = [zeros(shape.fixed_size + size) for _ in range(3)]
        buffers = {name: zeros(length) for name, length in (growing | regions | plain).items()}
        self.is_whole = False
        self.context, self.blocks, self.buffers = context, blocks, buffers
        self.put("spare", "<q", ctypes.addressof(blocks[0]))
        self.put("kept_base", "<q", ctypes.addressof(blocks[2]))
        for name in (*growing, *plain):
            self.put(name, "<q", ctypes.addressof(buffers[name]))
        for name in regions:
            self.put(f"{name}_start", "<q", ctypes.addressof(buffers[name]))
        for name, length in (growing | regions).items():
            self.put(f"{name}_end", "<q", ctypes.addressof(buffers[name]) + length)
        self.put("arena_start", "<q", self.get("arena", "<q"))
        self.put("moves_start", "<q", self.get("moves", "<q"))
        self.put("saved_start", "<q", self.get("saved", "<q"))
        self.put("text_start", "<q", self.get("text", "<q"))
        self.put("insertion_start", "<q", self.get("insertion", "<q"))
        self.put("choice_room", "<q", size // 8)
        self.put("heap_end", "<q", shape.fixed_size + size)
        self.put("full_fuel", "<q", shape.fuel)
        self.put("full_floor", "<q", max(0, shape.fuel - SLICE))
        self.put("enough", "<q", self.enough)
        self.put("move_limit", "<q", 1 << 62)
        self.put("stack_room", "<q", STACKS[self.stack])
        self.put("need_seen", "<4q", -1, -1, -1, -1)
        if self.is_stopped:  # perhaps while this was made
            self.put("stop", "<q", 1)
        self.watch: MemoryWatch | None = None
        if self.engine.checked:
            self.watch = MemoryWatch(self.context, self.engine.plan, self.engine.data())
            self.watch.know(self.blocks, self.buffers)
        self.is_whole = True

    def admit(self, *guests: tuple[int, int]) -> None:
        """Let checked code use addresses, and so many bytes from there, in the run that follows."""
        if self.watch is not None:
            self.watch.admit(guests)

    def hold(self, start: bytes) -> None:
        """Make room for a block."""
        while len(start) > len(self.blocks[0]):
            self._double()

    def grow(self) -> None:
        """Twice the room, for a run that found too little."""
        if self.get("outgrown", "<i"):
            self.put("outgrown", "<i", 0)
            raise Outgrown
        if self.get("shallow", "<i"):
            if self.stack + 1 == len(STACKS) or self.deepen is None:
                self.put("shallow", "<i", 0)
                raise TooLarge(f"a run needs more than {STACKS[self.stack]} bytes of stack")
            self._enlarge(self.size, self.stack + 1)
            return
        self._double()

    def _double(self) -> None:
        if self.size * 32 > LARGEST:
            raise TooLarge(f"a state needs more than {self.size} bytes")
        self._enlarge(2 * self.size, self.stack)

    def _enlarge(self, size: int, stack: int) -> None:
        before = self.size, self.stack
        self.size, self.stack = size, stack
        try:
            self._make_room()
        except MemoryError as reason:
            self.size, self.stack = before
            raise TooLarge(str(reason)) from None

    def _begin_anew(self) -> None:
        """Be small again, after a run that was too large and may have left anything behind."""
        self._enlarge(SMALLEST, 0)

    def put(self, name: str, form: str, *values: Any) -> None:
        struct.pack_into(form, self.context, CONTEXT_AT[name], *values)

    def get(self, name: str, form: str) -> Any:
        return struct.unpack_from(form, self.context, CONTEXT_AT[name])[0]

    def stop(self) -> None:
        """Let a run that another thread is in come to its end soon, and all later ones."""
        self.is_stopped = True
        self.put("stop", "<q", 1)

    def _call(self, function: Callable[..., int], *arguments: Any) -> int:
        """Run some code, in a thread of its own if it needs more stack than any thread has."""
        if not self.stack:
            return function(*arguments)
        assert self.deepen is not None
        return self.deepen(STACKS[self.stack], lambda: function(*arguments), self.stop)

    # Questions

    def load(self, block: bytes, words: tuple[int, ...]) -> None:
        """Make a block the base, and choices those since."""
        self.hold(block)
        while 8 * (len(words) + 1) > len(self.buffers["choices"]):
            self._double()
        self.admit()
        ctypes.memmove(self.blocks[0], block, len(block))
        self.put("base", "<q", ctypes.addressof(self.blocks[0]))
        self.put("saved", "<q", ctypes.addressof(self.buffers["saved"]))
        self.put("draws", "<i", 0)
        self.put("unhandled", "<i", 0)
        self.put("move_limit", "<q", 1 << 62)
        self.put("choice_count", "<q", len(words))
        struct.pack_into(f"<{len(words)}q", self.buffers["choices"], 0, *words)

    def candidates(self, block: bytes, words: tuple[int, ...]) -> tuple[int, ...] | None:
        """The candidates of the question that is asked after choices from a block on; None if none is."""
        while True:
            self.load(block, words)
            status = self._call(
                self.engine.execute, ctypes.addressof(self.context), ctypes.addressof(self.blocks[1])
            )
            self.check_beliefs()
            if status != GROW:
                break
            self.grow()
        if status == STOPPED:
            raise Stopped
        if status != NEED:
            return None
        count, at = self.get("need_count", "<q"), self.get("need_values", "<q")
        found: tuple[int, ...] = struct.unpack(f"<{count}q", ctypes.string_at(at, 8 * count))
        return found

    # Playing

    def play(self, start: bytes, generator: Generator, limit: int = LIMIT) -> tuple[Memory, int]:
        """A random game as the reference engine draws it: where it ends, and after how many moves."""
        self.hold(start)
        while True:
            ctypes.memmove(self.blocks[0], start, len(start))
            self.put("base", "<q", ctypes.addressof(self.blocks[0]))
            self.put("rng", "<QQQQ", *generator.state)
            self.put("way", "<i", 0)
            self.admit()
            status = self._call(
                self.engine.playout, ctypes.addressof(self.context), ctypes.addressof(self.blocks[1]), limit
            )
            if status != GROW:
                break
            self.grow()
        self._check(status)
        base = self.get("base", "<q")
        block = next(each for each in self.blocks if ctypes.addressof(each) == base)
        return self.engine.memory(block.raw), int(self.get("played", "<q"))

    def games(self, start: bytes, first: int, count: int, limit: int = LIMIT) -> Iterator[tuple[Any, ...]]:
        """Random games, each with a generator of its own: moves, how it ended, winners, payoffs.

        If one of them comes to no end (`Failure`, `Outgrown`, `TooLarge`), those before it come first.
        """
        rows, stopped = self._play(start, first, count, limit)
        yield from struct.iter_unpack(self._row_form(), rows)
        if stopped is not None:
            raise stopped

    def _row_form(self) -> str:
        players = self.engine.shape.players
        return f"<qq{kind_of_seats(players).size}s{players}d"

    def _play(self, start: bytes, first: int, count: int, limit: int) -> tuple[memoryview, Exception | None]:
        """Random games as rows of bytes, and what stopped the one behind them."""
        size = record_size(self.engine.shape.players)
        out = ctypes.create_string_buffer(size * count)
        done = ctypes.c_int64(0)
        at = 0
        stopped: Exception | None = None
        try:
            self.hold(start)
            self.put("in_place", "<i", 1)
            while at < count:
                self.put("way", "<i", SAMPLE)
                self.admit(bytes_of(start), bytes_of(out), bytes_of(done))
                status = self._call(
                    self.engine.batch,
                    ctypes.addressof(self.context),
                    ctypes.addressof(self.blocks[1]),
                    ctypes.addressof(self.blocks[0]),
                    start,
                    first + at,
                    count - at,
                    limit,
                    ctypes.addressof(out) + at * size,
                    ctypes.addressof(done),
                )
                at += done.value
                if status == GROW:
                    in_place = self.get("in_place", "<i")
                    self.grow()
                    self.put("in_place", "<i", in_place)
                elif status == FAULT and self.get("in_place", "<i"):
                    self.put("in_place", "<i", 0)  # once more, so that the base stays
                else:
                    self._check(status)
        except (Outgrown, TooLarge) as reason:
            stopped = reason
            self._begin_anew()
        except Failure as failure:
            stopped = failure
        return memoryview(out)[: at * size], stopped

    def outcomes(self, start: bytes, first: int, count: int, limit: int = LIMIT) -> Iterator[Outcome]:
        """The same as outcomes; those that are equal are mostly the same one."""
        rows, stopped = self._play(start, first, count, limit)
        known, form = self._known_outcomes, self._row_form()
        for (row,) in struct.iter_unpack(f"{struct.calcsize(form)}s", rows):
            outcome = known.get(row)
            if outcome is None:
                moves, ended, winners, *payoffs = struct.unpack(form, row)
                if len(known) == MOST_KNOWN:
                    known.clear()
                outcome = known[row] = Outcome(self.engine.result(ended, winners, tuple(payoffs)), moves)
            yield outcome
        if stopped is not None:
            raise stopped

    def perft(self, start: bytes, depth: int) -> int:
        """How many sequences of exactly so many complete moves begin there."""
        found = ctypes.c_int64(0)
        self.hold(start)
        while True:
            ctypes.memmove(self.blocks[0], start, len(start))
            self.put("base", "<q", ctypes.addressof(self.blocks[0]))
            self.put("saved", "<q", ctypes.addressof(self.buffers["saved"]))
            work = ctypes.addressof(self.blocks[1])
            self.admit(bytes_of(found))
            status = self._call(
                self.engine.perft, ctypes.addressof(self.context), work, depth, ctypes.addressof(found)
            )
            if status != GROW:
                break
            self.grow()
        self._check(status)
        return found.value

    def check_beliefs(self) -> None:
        """After a run of checked code: it found nothing that is not so."""
        if self.watch is not None and self.watch.broken:
            raise Broken(self.engine.belief(self.watch.broken))

    def _check(self, status: int) -> None:
        self.check_beliefs()
        if status == FINE:
            return
        if status == STOPPED:
            raise Stopped
        if status == FAULT:
            base = self.block_at(self.get("base", "<q"))
            count = self.get("choice_count", "<q")
            words = struct.unpack_from(f"<{count}q", self.buffers["choices"])
            code = f"TG{self.get('fault', '<i'):04}"
            drawing = struct.unpack_from("<4Q", self.context, CONTEXT_AT["rng"])
            raise Failure(code, self.engine, self.deepen, base, words, drawing)
        raise AssertionError(f"a run stopped with {status}")

    def block_at(self, start: int) -> bytes:
        """A block, up to the top of its heap."""
        (top,) = struct.unpack("<q", ctypes.string_at(start + HEADER_AT["heap_top"], 8))
        return ctypes.string_at(start, top)
