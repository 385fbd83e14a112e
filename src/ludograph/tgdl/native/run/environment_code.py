"""The environment code of a world: a module of its own, compiled when somebody first steps many games."""

import ctypes
from typing import TYPE_CHECKING

from ludograph.tgdl.native.layout.environments import MAX_PLAYERS, TensorLayout
from ludograph.tgdl.native.layout.interface import STACKS, TABLE
from ludograph.tgdl.native.layout.status import Unsupported
from ludograph.tgdl.native.lower.unit import CompilationUnit
from ludograph.tgdl.native.run import machine
from ludograph.tgdl.native.run.engine import Engine, RunWithStack, find_constant_data
from ludograph.tgdl.native.run.execution import Stopped
from ludograph.tgdl.native.run.store import Poll, compile_anew, compile_cached

if TYPE_CHECKING:
    from ludograph.tgdl.native.lower.lowering import Lowered


class EnvironmentCode:
    """The function that steps many games of one engine. Never changed."""

    def __init__(self, engine: Engine, layout: TensorLayout, poll: Poll | None = None) -> None:
        if engine.world.players > MAX_PLAYERS:
            raise Unsupported(f"games of more than {MAX_PLAYERS} players")
        self.engine = engine
        self.layout = layout
        self._lowered: Lowered | None = None
        self._unit = CompilationUnit(engine.world, engine.plan, engine.checked, poll=poll)
        key, store = ["environments", layout.key(), *engine.key()], None if engine.checked else engine.store
        exports = ("step_games", TABLE) if engine.checked else ("step_games",)
        made = compile_cached(self._text, key, store, poll=poll)
        try:
            self.machine = machine.link(made, exports)
        except machine.MachineError:
            if store is None:
                raise
            # The stored object is damaged.
            self.machine = machine.link(compile_anew(self._text, key, store, poll=poll), exports)
        pointer = ctypes.c_void_p
        self.step = self.machine.function("step_games", ctypes.c_int32, pointer, pointer, pointer)

    def _text(self) -> str:
        """Generate the LLVM text. Only this imports the code generator: stored code does not need it."""
        from ludograph.tgdl.native.lower.environments.lowering import lower_environments

        self._lowered = lower_environments(self._unit, self.layout, verifies=self.engine.verifies)
        return self._lowered.text

    def data(self) -> list[tuple[int, int]]:
        """The addresses and sizes of the constant data of checked code."""
        assert self._lowered is not None
        return find_constant_data(self.machine, self.engine.plan, self._lowered.sizes)

    def describe_violation(self, number: int) -> str:
        """The check or assertion of checked code that failed."""
        assert self._lowered is not None
        return self._lowered.sites[number - 1] if number > 0 else self._unit.assertions[-number - 1]


def compile_environments(engine: Engine, layout: TensorLayout) -> EnvironmentCode:
    """The environment code of an engine; it is compiled in another thread if possible."""
    if engine.run_with_stack is None:
        return EnvironmentCode(engine, layout)
    return _compile_interruptibly(engine, layout, engine.run_with_stack)


def _compile_interruptibly(
    engine: Engine, layout: TensorLayout, run_with_stack: RunWithStack
) -> EnvironmentCode:
    made: list[EnvironmentCode] = []
    failures: list[Exception] = []
    is_stopped = False

    def poll() -> None:
        if is_stopped:
            raise Stopped

    def work() -> int:
        try:
            made.append(EnvironmentCode(engine, layout, poll))
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
