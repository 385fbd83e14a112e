"""The search code of a world: a module of its own, compiled when somebody first searches."""

import ctypes
import struct
from functools import partial
from typing import TYPE_CHECKING

from ludograph.play import Generator
from ludograph.tgdl.native.layout.interface import STACKS, TABLE
from ludograph.tgdl.native.layout.status import FAULT, FINE, Refused, Unsupported
from ludograph.tgdl.native.lower.unit import CompilationUnit
from ludograph.tgdl.native.run import machine
from ludograph.tgdl.native.run.call_buffers import BufferPool, CallBuffers
from ludograph.tgdl.native.run.engine import Engine, RunWithStack, find_constant_data
from ludograph.tgdl.native.run.execution import Stopped
from ludograph.tgdl.native.run.store import Poll, compile_anew, compile_cached
from ludograph.tgdl.world.analysis import hides_anything, undrawn_secrets

if TYPE_CHECKING:
    from ludograph.tgdl.native.lower.lowering import Lowered


class SearchCode:
    """The function that searches from blocks of one engine. Never changed."""

    def __init__(self, engine: Engine, poll: Poll | None = None) -> None:
        self.engine = engine
        self._poll = poll
        self._lowered: Lowered | None = None
        self._unit = CompilationUnit(engine.world, engine.plan, engine.checked, poll=poll)
        key, store = ["search", *engine.key()], None if engine.checked else engine.store
        world = engine.world
        self.resamples = (
            hides_anything(world)
            and not undrawn_secrets(world.program)
            and not any(each.phase.simultaneous for each in world.phases)
        )
        """Whether native code draws the secrets of the game anew."""
        exports: tuple[str, ...] = ("search", "values")
        exports += ("resample",) if self.resamples else ()
        exports += (TABLE,) if engine.checked else ()
        made = compile_cached(self._text, key, store, poll=poll)
        try:
            self.machine = machine.link(made, exports)
        except machine.MachineError:
            if store is None:
                raise
            # The stored object is damaged.
            self.machine = machine.link(compile_anew(self._text, key, store, poll=poll), exports)
        pointer, whole, word = ctypes.c_void_p, ctypes.c_int32, ctypes.c_int64
        self.search = self.machine.function(
            "search", whole, pointer, pointer, pointer, pointer, pointer, word, pointer, word
        )

        self.resampler = (
            self.machine.function("resample", whole, pointer, pointer, pointer, whole)
            if self.resamples
            else None
        )
        self._generator_at = engine.plan.context["rng"]
        self._values = self.machine.function("values", whole, pointer, pointer, pointer)

    def value(self, pool: BufferPool, block: bytes, player: int) -> float | Refused | None:
        """How well a player stands, by the verb `value`; a fault, or None if there is no memory for it."""
        out = (ctypes.c_double * self.engine.shape.players)()
        buffers = pool.take()
        if buffers is None:
            return None
        try:
            status = buffers.run(self._values, self._values, (out,), partial(_load, block))
            if status == FAULT:
                return buffers.refusal()
            return float(out[player]) if status == FINE else None
        finally:
            pool.give_back(buffers)

    def resample(
        self, pool: BufferPool, block: bytes, player: int, generator: Generator
    ) -> bytes | Refused | None:
        """The block with all secrets drawn anew; a fault, or None if there is no memory for it."""
        assert self.resampler is not None
        buffers = pool.take()
        if buffers is None:
            return None
        try:
            if not buffers.reserve(block):
                return None
            begin = partial(_begin_resampling, self._generator_at, block, generator)
            status = buffers.run(self.resampler, self.resampler, (block, player), begin)
            if status == FAULT:
                return buffers.refusal()
            if status != FINE:
                return None
            generator.go_on_from(_GENERATOR.unpack_from(buffers.context, self._generator_at))
            (length,) = _LENGTH.unpack_from(buffers.work, self.engine.plan.header["heap_top"])
            return ctypes.string_at(buffers.work_at, length)
        finally:
            pool.give_back(buffers)

    def _text(self) -> str:
        """Generate the LLVM text. Only this imports the code generator: stored code does not need it."""
        from ludograph.tgdl.native.lower.search.lowering import lower_search

        self._lowered = lower_search(self._unit, verifies=self.engine.verifies)
        return self._lowered.text

    def data(self) -> list[tuple[int, int]]:
        """The addresses and sizes of the constant data of checked code."""
        assert self._lowered is not None
        return find_constant_data(self.machine, self.engine.plan, self._lowered.sizes)

    def describe_violation(self, number: int) -> str:
        """The check or assertion of checked code that failed."""
        assert self._lowered is not None
        return self._lowered.sites[number - 1] if number > 0 else self._unit.assertions[-number - 1]


def _load(block: bytes, buffers: CallBuffers) -> None:
    """Copy a block into the block of a run."""
    ctypes.memmove(buffers.execution.blocks[1], block, len(block))


def _begin_resampling(at: int, block: bytes, generator: Generator, buffers: CallBuffers) -> None:
    _load(block, buffers)
    _GENERATOR.pack_into(buffers.context, at, *generator.state)


_GENERATOR, _LENGTH = struct.Struct("<4Q"), struct.Struct("<q")


def search_code_of(engine: Engine) -> SearchCode:
    """The search code of an engine. It is compiled when it is first needed, in another thread if possible."""
    known = engine.search_code
    if isinstance(known, SearchCode):
        return known
    if engine.run_with_stack is None:
        found = SearchCode(engine)
    else:
        found = _compile_interruptibly(engine, engine.run_with_stack)
    engine.search_code = found
    return found


def _compile_interruptibly(engine: Engine, run_with_stack: RunWithStack) -> SearchCode:
    made: list[SearchCode] = []
    failures: list[Exception] = []
    is_stopped = False

    def poll() -> None:
        if is_stopped:
            raise Stopped

    def work() -> int:
        try:
            made.append(SearchCode(engine, poll))
        except (Unsupported, AssertionError, machine.MachineError, Stopped) as reason:
            failures.append(reason)
        return 0

    def stop() -> None:
        nonlocal is_stopped
        is_stopped = True

    run_with_stack(STACKS[1], work, stop)
    if failures:
        raise failures[0]
    return made[0]
