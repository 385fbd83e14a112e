"""Execution contexts: the memory in which a thread runs native code, and the faults that a run raises.

A context holds blocks, the context record of the run, and buffers. A run that runs out of memory stops; the
context is enlarged and the run starts again.
"""

import ctypes
import struct
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from ludograph.play import Generator, Outcome
from ludograph.tgdl.native.layout.interface import SAMPLE, SLICE, STACKS, record_size
from ludograph.tgdl.native.layout.plan import CONTEXT_AT, CONTEXT_SIZE, HEADER_AT, REGIONS
from ludograph.tgdl.native.layout.representations import kind_of_seats
from ludograph.tgdl.native.layout.status import FAULT, FINE, GROW, NEED, STOPPED
from ludograph.tgdl.native.run.buffers import zeros
from ludograph.tgdl.native.run.choices import choices_of
from ludograph.tgdl.native.run.engine import CheckedCode, Engine, RunWithStack
from ludograph.tgdl.native.run.regions import MemoryWatch, bytes_of
from ludograph.tgdl.reference.building import NOWHERE
from ludograph.tgdl.reference.run import Run
from ludograph.tgdl.reference.transactions import (
    Budget,
    after_commit,
    endless_chance,
    endlessly_stuck,
    execute,
    list_on,
    nothing_to_choose,
    resolve_stuck_players,
    too_many_moves,
)
from ludograph.tgdl.world.faults import Fault, NeedChoice
from ludograph.tgdl.world.memory import CHOOSING, STAGE, Memory
from ludograph.tgdl.world.world import World

MIN_SIZE = 1 << 16
MAX_SIZE = 1 << 30
"""Bytes of the largest buffer."""
MAX_KNOWN = 10_000
"""The number of outcomes that an execution context caches."""
LIMIT = 10_000
Words = tuple[int, ...]
"""Choices, one word each."""
OUT_OF_FUEL = "TG0506"
"""The only fault that the engines may raise at different points (docs/engine.md)."""


class EnginesDisagree(RuntimeError):
    """The two engines give different answers. That is a bug in Ludograph, never in a game."""

    def __init__(self, native: str, reference: str) -> None:
        super().__init__(
            f"internal error: the native engine says that {native}, the reference engine that {reference}; "
            "please report this with the game and its record"
        )


class Stopped(Exception):
    """The caller stopped the run."""


class Failure(Exception):
    """A run raised a fault of the rules: its code, the block where the run began, and the choices since.

    `generator_state`: the state of the generator at the fault.
    """

    def __init__(
        self,
        code: str,
        engine: "Engine",
        run_with_stack: RunWithStack | None,
        block: bytes,
        words: tuple[int, ...],
        generator_state: tuple[int, ...],
    ) -> None:
        super().__init__(code)
        self.code = code
        self.engine = engine
        self.run_with_stack = run_with_stack
        self.block = block
        self.words = words
        self.generator_state = generator_state

    def to_exception(self) -> Exception:
        """The exception of the reference engine, which runs the same choices from the same block."""
        world, base = self.engine.world, self.engine.memory(self.block)
        if self.code == "TG0521":
            return too_many_moves(world, base)
        choices: tuple[Any, ...] = ()
        try:
            resolve_stuck_players(world, base)
            # A new context: another thread may already use that of the run.
            execution = ExecutionContext(self.engine, self.run_with_stack)
            candidates = partial(execution.candidates, self.block)
            choices = choices_of(self.engine.plan, base, self.words, candidates)
            if not choices and base.cells[STAGE] == CHOOSING:
                list_on(world, base, choices)  # the fault came while moves were listed, or later
                if self.code == "TG0506":
                    return endlessly_stuck(world, base)
            else:
                ran = execute(world, base, choices)
                if ran.failed is not None:
                    return after_commit(ran.run, ran.failed)
                if ran.need is None and self.code == OUT_OF_FUEL:  # in the tests for stuck players after it
                    left = Budget(world, ran.run.fuel)
                    list_on(world, resolve_stuck_players(world, ran.memory, left=left), ())
                if self.code == "TG0512" and ran.need is not None:
                    return nothing_to_choose(world, ran.memory, ran.need)
                list_on(world, base, choices)
                if self.code == "TG0506" and ran.need is not None and any(self.generator_state):
                    return self._after_one_more_choice(base, choices, ran.need)
        except Fault as fault:
            found = fault if fault.code == self.code else _fault_while_listing(world, base, choices) or fault
            if found.code == self.code or OUT_OF_FUEL in (found.code, self.code):
                return found
            return EnginesDisagree(f"the result is {self.code}", f"it is {found.code}")
        if self.code == OUT_OF_FUEL:  # native code may look further ahead in a test for stuck players
            message = (
                "the transaction ran out of fuel for stuck players or the tests whether players are stuck"
            )
            return Run(world, base).new_fault(OUT_OF_FUEL, message, NOWHERE)
        return EnginesDisagree(f"the result is {self.code} after {self.words}", "there is no fault")

    def _after_one_more_choice(self, base: Memory, choices: tuple[Any, ...], need: NeedChoice) -> Fault:
        """Chance has chosen too often in a row: the reference engine runs the next choice as well."""
        drawn = need.values[Generator.from_state(self.generator_state).pick(need.weights or [])]
        ran = execute(self.engine.world, base, (*choices, drawn))
        return endless_chance(ran.run) if ran.failed is None else after_commit(ran.run, ran.failed)


def _fault_while_listing(world: World, base: Memory, choices: tuple[Any, ...]) -> Fault | None:
    """The fault of listing the moves before some choices, if there is one: it comes first."""
    try:
        list_on(world, base, choices)
    except Fault as fault:
        return fault
    return None


class Broken(Exception):
    """Checked code tried to access memory outside its regions, or an assertion failed: a bug in Ludograph."""


class TooLarge(Exception):
    """A state is too large for any buffer."""


class Outgrown(Exception):
    """There are more instances than the code was compiled for: it must be compiled again."""


class ExecutionContext:
    """The memory in which one thread runs native code. Mutable."""

    def __init__(
        self,
        engine: Engine,
        run_with_stack: RunWithStack | None = None,
        *,
        uninterrupted_fuel: int | None = None,
        code: CheckedCode | None = None,
    ) -> None:
        """Without `run_with_stack`, a run that recurses deeply raises `TooLarge`.

        With `uninterrupted_fuel`, a run stops after so much fuel. `code`: the module that runs, if it is not
        that of the engine.
        """
        self.engine = engine
        self.code = engine if code is None else code
        self.run_with_stack = run_with_stack
        self.enough = 0 if uninterrupted_fuel is None else max(0, engine.shape.fuel - uninterrupted_fuel)
        """A run stops when less fuel is left."""
        self.size = MIN_SIZE
        self.is_stopped = False
        self.is_consistent = True
        """False if an interrupt came during an allocation."""
        self._known_outcomes: dict[bytes, Outcome] = {}
        """Outcomes by the rows in which native code writes them."""
        self.stack = 0
        """The index of the stack size in STACKS."""
        self._game_log: tuple[str, ctypes.Array[ctypes.c_char]] | None = None
        """The field and the buffer of the log of a game, if one is kept."""
        self._allocate()

    def _allocate(self) -> None:
        """Allocate buffers of the current size. If there is no memory for them, nothing changes."""
        shape, size = self.engine.shape, self.size
        growing = {"arena": 16 * size, "saved": 8 * size, "moves": 8 * size, "index": 8 * size}
        growing |= {"text": 4 * size, "insertion": size}
        regions = dict.fromkeys(REGIONS, 4 * size)
        plain = {"choices": size, "committed_choices": size, "stuck_moments": 8 * 1024}
        context = zeros(CONTEXT_SIZE)
        blocks = [zeros(shape.fixed_size + size) for _ in range(3)]
        buffers = {name: zeros(length) for name, length in (growing | regions | plain).items()}
        self.is_consistent = False
        self.context, self.blocks, self.buffers = context, blocks, buffers
        self.put("spare_block", "<q", ctypes.addressof(blocks[0]))
        self.put("script_base", "<q", ctypes.addressof(blocks[2]))
        for name in (*growing, *plain):
            self.put(name, "<q", ctypes.addressof(buffers[name]))
        for name in regions:
            self.put(f"{name}_start", "<q", ctypes.addressof(buffers[name]))
        for name, length in (growing | regions).items():
            self.put(f"{name}_end", "<q", ctypes.addressof(buffers[name]) + length)
        for name in ("arena", "moves", "saved", "text", "insertion"):
            self.put(f"{name}_start", "<q", ctypes.addressof(buffers[name]))
        self.put("choice_capacity", "<q", size // 8)
        self.put("heap_end", "<q", shape.fixed_size + size)
        self.put("full_fuel", "<q", shape.fuel)
        self.put("full_floor", "<q", max(0, shape.fuel - SLICE))
        self.put("fuel_limit", "<q", self.enough)
        self.put("move_limit", "<q", 1 << 62)
        self.put("stack_size", "<q", STACKS[self.stack])
        self.put("need_seen", "<4q", -1, -1, -1, -1)
        if self.is_stopped:  # `stop` may have been called during the allocation
            self.put("stop", "<q", 1)
        self.watch: MemoryWatch | None = None
        if self.engine.checked:
            self.watch = MemoryWatch(self.context, self.engine.plan, self.code.data())
            self.watch.add_buffers(self.blocks, self.buffers)
        self.is_consistent = True

    def allow(self, *regions: tuple[int, int]) -> None:
        """Let checked code access further regions (address and size) in the next run."""
        if self.watch is not None:
            self.watch.allow(regions)

    def reserve(self, start: bytes) -> None:
        """Enlarge the buffers until they can hold a block."""
        while len(start) > len(self.blocks[0]):
            self._double()

    def grow(self) -> None:
        """Double the buffers, or take a larger stack, after a run overflowed them."""
        if self.get("family_full", "<i"):
            self.put("family_full", "<i", 0)
            raise Outgrown
        if self.get("stack_overflow", "<i"):
            if self.stack + 1 == len(STACKS) or self.run_with_stack is None:
                self.put("stack_overflow", "<i", 0)
                raise TooLarge(f"a run needs more than {STACKS[self.stack]} bytes of stack")
            self._enlarge(self.size, self.stack + 1)
            return
        self._double()

    def _double(self) -> None:
        if self.size * 32 > MAX_SIZE:
            raise TooLarge(f"a state needs more than {self.size} bytes")
        self._enlarge(2 * self.size, self.stack)

    def _enlarge(self, size: int, stack: int) -> None:
        before = self.size, self.stack
        self.size, self.stack = size, stack
        try:
            self._allocate()
        except MemoryError as reason:
            self.size, self.stack = before
            raise TooLarge(str(reason)) from None

    def _reset_size(self) -> None:
        """Allocate new small buffers, after a run that was too large left the old ones undefined."""
        self._enlarge(MIN_SIZE, 0)

    def put(self, name: str, form: str, *values: Any) -> None:
        struct.pack_into(form, self.context, CONTEXT_AT[name], *values)

    def get(self, name: str, form: str) -> Any:
        return struct.unpack_from(form, self.context, CONTEXT_AT[name])[0]

    def stop(self) -> None:
        """Stop the run of another thread soon, and all later runs at once."""
        self.is_stopped = True
        self.put("stop", "<q", 1)

    def call(self, function: Callable[..., int], *arguments: Any) -> int:
        """Call native code, in a thread of its own if it needs a larger stack."""
        if not self.stack:
            return function(*arguments)
        assert self.run_with_stack is not None
        return self.run_with_stack(STACKS[self.stack], lambda: function(*arguments), self.stop)

    # Questions

    def load(self, block: bytes, words: tuple[int, ...]) -> None:
        """Set the base block and the choices since."""
        self.reserve(block)
        while 8 * (len(words) + 1) > len(self.buffers["choices"]):
            self._double()
        self.allow()
        ctypes.memmove(self.blocks[0], block, len(block))
        self.put("base", "<q", ctypes.addressof(self.blocks[0]))
        self.put("saved", "<q", ctypes.addressof(self.buffers["saved"]))
        self.put("draws_chance", "<i", 0)
        self.put("unhandled", "<i", 0)
        self.put("move_limit", "<q", 1 << 62)
        self.put("choice_count", "<q", len(words))
        struct.pack_into(f"<{len(words)}q", self.buffers["choices"], 0, *words)

    def candidates(self, block: bytes, words: tuple[int, ...]) -> tuple[int, ...] | None:
        """The candidates of the question after some choices since a block; None if there is no question."""
        while True:
            self.load(block, words)
            status = self.call(
                self.engine.execute, ctypes.addressof(self.context), ctypes.addressof(self.blocks[1])
            )
            self.check_assertions()
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
        """A random game with the draws of the reference engine: its final memory and its number of moves."""

        def prepare() -> None:
            self.put("rng", "<QQQQ", *generator.state)
            self.put("list_mode", "<i", 0)

        self._run_from(start, self.engine.playout, limit, prepare=prepare)
        base = self.get("base", "<q")
        block = next(each for each in self.blocks if ctypes.addressof(each) == base)
        return self.engine.memory(block.raw), int(self.get("played", "<q"))

    def perft(self, start: bytes, depth: int) -> int:
        """The number of sequences of exactly `depth` complete moves from a block."""
        found = ctypes.c_int64(0)
        self._run_from(start, self.engine.perft, depth, ctypes.addressof(found), regions=(bytes_of(found),))
        return found.value

    def _run_from(
        self,
        start: bytes,
        function: Callable[..., int],
        *arguments: Any,
        prepare: Callable[[], None] | None = None,
        regions: tuple[tuple[int, int], ...] = (),
    ) -> None:
        """Call native code on a base, and again with larger buffers while it runs out of memory."""
        self.reserve(start)
        while True:
            ctypes.memmove(self.blocks[0], start, len(start))
            self.put("base", "<q", ctypes.addressof(self.blocks[0]))
            self.put("saved", "<q", ctypes.addressof(self.buffers["saved"]))
            if prepare is not None:
                prepare()
            self.allow(*regions)
            context, work = ctypes.addressof(self.context), ctypes.addressof(self.blocks[1])
            status = self.call(function, context, work, *arguments)
            if status != GROW:
                break
            self.grow()
        self.check_status(status)

    def games(self, start: bytes, first: int, count: int, limit: int = LIMIT) -> Iterator[tuple[Any, ...]]:
        """Random games, each with its own generator: moves, kind of result, winners, payoffs.

        If a game raises (`Failure`, `Outgrown`, `TooLarge`), the games before it are yielded first.
        """
        rows, stopped = self._play(start, first, count, limit)
        yield from struct.iter_unpack(self._row_form(), rows)
        if stopped is not None:
            raise stopped

    def _row_form(self) -> str:
        players = self.engine.shape.players
        return f"<qq{kind_of_seats(players).size}s{players}d"

    def log_game(self, start: bytes, seed: int, limit: int = LIMIT) -> tuple[list[Words], Exception | None]:
        """The choices of one of these games, transaction by transaction, and its exception, if any."""
        numbers, stopped = self._log("game_log", start, seed, limit)
        words: list[Words] = []
        at = 0
        while at < len(numbers):
            end = at + 1 + numbers[at]
            words.append(numbers[at + 1 : end])
            at = end
        return words, stopped

    def count_moves(self, start: bytes, seed: int, limit: int = LIMIT) -> tuple[Words, Exception | None]:
        """The number of legal moves at each decision of one of these games, and its exception, if any."""
        return self._log("count_log", start, seed, limit)

    def _log(self, name: str, start: bytes, seed: int, limit: int) -> tuple[Words, Exception | None]:
        """Play one game with a log of words."""
        self._game_log = name, ctypes.create_string_buffer(MIN_SIZE)
        try:
            _, stopped = self._play(start, seed, 1, limit)
            log = self._game_log[1]
            used = max(0, self.get(name, "<q") - ctypes.addressof(log))  # 0: the context is a new one
            return struct.unpack_from(f"<{used // 8}q", log), stopped
        finally:
            self._game_log = None
            self.put(name, "<q", 0)

    def _begin_log(self) -> tuple[tuple[int, int], ...]:
        """Empty the log of a game, if one is kept; returns its region."""
        if self._game_log is None:
            return ()
        name, log = self._game_log
        self.put(name, "<q", ctypes.addressof(log))
        self.put(f"{name}_end", "<q", ctypes.addressof(log) + len(log))
        return (bytes_of(log),)

    def _play(self, start: bytes, first: int, count: int, limit: int) -> tuple[memoryview, Exception | None]:
        """Random games as rows of bytes, and the exception of the game after them, if any."""
        size = record_size(self.engine.shape.players)
        out = ctypes.create_string_buffer(size * count)
        done = ctypes.c_int64(0)
        at = 0
        stopped: Exception | None = None
        try:
            self.reserve(start)
            self.put("in_place", "<i", 1)
            while at < count:
                self.put("list_mode", "<i", SAMPLE)
                self.allow(bytes_of(start), bytes_of(out), bytes_of(done), *self._begin_log())
                status = self.call(
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
                    if self._game_log is not None:  # one of the buffers was full, perhaps this one
                        name, log = self._game_log
                        self._game_log = name, ctypes.create_string_buffer(2 * len(log))
                    self.grow()
                    self.put("in_place", "<i", in_place)
                elif status == FAULT and self.get("in_place", "<i"):
                    self.put("in_place", "<i", 0)  # run it again, keeping the base for the report
                else:
                    self.check_status(status)
        except (Outgrown, TooLarge) as reason:
            stopped = reason
            self._reset_size()
        except Failure as failure:
            stopped = failure
        return memoryview(out)[: at * size], stopped

    def outcomes(self, start: bytes, first: int, count: int, limit: int = LIMIT) -> Iterator[Outcome]:
        """The same games as outcomes; equal outcomes are usually the same object."""
        rows, stopped = self._play(start, first, count, limit)
        known, form = self._known_outcomes, self._row_form()
        for (row,) in struct.iter_unpack(f"{struct.calcsize(form)}s", rows):
            outcome = known.get(row)
            if outcome is None:
                moves, ended, winners, *payoffs = struct.unpack(form, row)
                if len(known) == MAX_KNOWN:
                    known.clear()
                outcome = known[row] = Outcome(self.engine.result(ended, winners, tuple(payoffs)), moves)
            yield outcome
        if stopped is not None:
            raise stopped

    def check_assertions(self) -> None:
        """Raise `Broken` if a check or an assertion failed in a run of checked code."""
        if self.watch is not None and self.watch.broken:
            raise Broken(self.code.describe_violation(self.watch.broken))

    def check_status(self, status: int) -> None:
        """Raise the exception of a status, if it means one."""
        self.check_assertions()
        if status == FINE:
            return
        if status == STOPPED:
            raise Stopped
        if status == FAULT:
            base = self.block_at(self.get("base", "<q"))
            count = self.get("choice_count", "<q")
            words = struct.unpack_from(f"<{count}q", self.buffers["choices"])
            code = f"TG{self.get('fault', '<i'):04}"
            generator_state = struct.unpack_from("<4Q", self.context, CONTEXT_AT["rng"])
            raise Failure(code, self.engine, self.run_with_stack, base, words, generator_state)
        raise AssertionError(f"unexpected status {status}")

    def block_at(self, start: int) -> bytes:
        """A block, up to the top of its heap."""
        (top,) = struct.unpack("<q", ctypes.string_at(start + HEADER_AT["heap_top"], 8))
        return ctypes.string_at(start, top)
