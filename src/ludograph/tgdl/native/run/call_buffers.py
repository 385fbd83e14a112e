"""Pooled call buffers: everything that a call of native code from Python needs, prepared in advance."""

import ctypes
from collections.abc import Callable
from functools import partial
from typing import Any

from ludograph.tgdl.native.layout.interface import STACKS
from ludograph.tgdl.native.layout.status import GROW, STOPPED, Refused
from ludograph.tgdl.native.run.engine import Engine
from ludograph.tgdl.native.run.execution import ExecutionContext, Outgrown, TooLarge
from ludograph.tgdl.native.run.regions import bytes_of

UNINTERRUPTED_FUEL = 1 << 16
"""A call may use so much fuel while it holds the lock of the interpreter; then it runs interruptibly."""


class CallBuffers:
    """An execution context with prepared arguments for calls. Mutable."""

    __slots__ = (
        "chosen",
        "context",
        "context_at",
        "counters",
        "execution",
        "index",
        "is_unusable",
        "moves",
        "moves_at",
        "prepared",
        "size",
        "work",
        "work_at",
    )

    def __init__(self, engine: Engine) -> None:
        fuel = None if engine.run_with_stack is None else UNINTERRUPTED_FUEL
        self.execution = ExecutionContext(engine, uninterrupted_fuel=fuel)
        self.counters = (ctypes.c_int64 * 2)()
        self.is_unusable = False
        """Whether a run overflowed the buffers and left them in an undefined state, or they are being
        grown."""
        self.prepare()

    def prepare(self) -> None:
        execution = self.execution
        self.context = execution.context
        self.context_at = ctypes.addressof(execution.context)
        self.work_at = ctypes.addressof(execution.blocks[1])
        self.work: Any = execution.blocks[1]
        self.chosen = execution.buffers["committed_choices"]
        self.moves, self.index = execution.buffers["moves"], execution.buffers["index"]
        self.moves_at = ctypes.addressof(self.moves)
        self.size = len(execution.blocks[0])
        context, work = ctypes.byref(self.context), ctypes.byref(self.work)
        self.prepared = context, work, self.size, self.context, self.work

    def grow(self) -> bool:
        """Allocate larger buffers; False if there is no memory for them."""
        return self._change(self.execution.grow)

    def reserve(self, block: bytes) -> bool:
        """Make the buffers large enough for a block; False if there is no memory for them."""
        return len(block) <= self.size or self._change(partial(self.execution.reserve, block))

    def _change(self, allocate: Callable[[], None]) -> bool:
        self.is_unusable = True  # until all is prepared: an interrupt may come at any time
        try:
            allocate()
        except (Outgrown, TooLarge):
            return False
        self.prepare()
        self.is_unusable = False
        return True

    def run(
        self,
        short: Callable[..., int],
        long: Callable[..., int],
        arguments: tuple[Any, ...],
        prepare: Callable[["CallBuffers"], None] | None = None,
        status: int | None = None,
    ) -> int:
        """Call native code, and again with larger buffers while it runs out of memory; returns its status.

        `short` runs first. If it uses up its slice of fuel, `long` starts again and runs interruptibly.
        `prepare` is called before each of them. `status` is that of a first call, if the caller has made it.
        """
        checked = self.execution.watch is not None
        while True:
            if status is None:
                if checked:
                    self.execution.allow(*(bytes_of(each) for each in arguments if not isinstance(each, int)))
                if prepare is not None:
                    prepare(self)
                status = short(self.context_at, self.work_at, *arguments)
            if status == STOPPED:
                if prepare is not None:
                    prepare(self)
                status = self.run_interruptibly(partial(long, self.context_at, self.work_at, *arguments))
            if checked:
                self.execution.check_assertions()
            if status != GROW or not self.grow():
                return status
            status = None

    def run_interruptibly(self, work: Callable[[], int]) -> int:
        """Run a long call so that other threads run at the same time and an interrupt ends it."""
        execution, run_with_stack = self.execution, self.execution.engine.run_with_stack
        assert run_with_stack is not None
        execution.put("fuel_limit", "<q", 0)
        try:
            return run_with_stack(STACKS[0], work, execution.stop)
        finally:
            execution.put("fuel_limit", "<q", execution.enough)

    def refusal(self) -> Refused:
        """The fault of the last run."""
        return Refused(f"TG{self.execution.get('fault', '<i'):04}")


class BufferPool:
    """The call buffers of one engine. Several threads may use it at the same time."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.free: list[CallBuffers] = []

    def take(self) -> CallBuffers | None:
        """Call buffers that no other thread uses; None if there is no memory for new ones."""
        try:
            return self.free.pop()
        except IndexError:  # other threads use all of them
            pass
        try:
            return CallBuffers(self.engine)
        except MemoryError:
            return None

    def give_back(self, buffers: CallBuffers) -> None:
        # A context that was stopped would stop every later run.
        execution = buffers.execution
        if not (buffers.is_unusable or execution.is_stopped) and execution.is_consistent:
            self.free.append(buffers)
