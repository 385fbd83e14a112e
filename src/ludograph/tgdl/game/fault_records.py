"""Records that end with a fault: all choices up to the one that the rules could not execute.

A state never contains the choice that raised a fault, because a fault leaves the state unchanged. A
`FaultRecorder` keeps that choice, so that the record of the game replays to the fault.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import takewhile
from typing import Any

from msgspec.structs import replace

from ludograph.play import CHANCE, Choice, Generator, Record, RecordedMove, format_move
from ludograph.play.log import ALL, LogEntry, logged_moves
from ludograph.tgdl.game.reference_history import ReferenceHistory, SecretName, _Saved
from ludograph.tgdl.game.state import State
from ludograph.tgdl.game.trace import parts_since, trace_since
from ludograph.tgdl.native.run.choices import Candidates, choices_of
from ludograph.tgdl.native.run.engine import Engine
from ludograph.tgdl.native.run.execution import ExecutionContext
from ludograph.tgdl.reference.naming import choice_of, opener_of
from ludograph.tgdl.reference.run import TraceNode
from ludograph.tgdl.reference.transactions import execute
from ludograph.tgdl.world.faults import Fault, NeedChoice
from ludograph.tgdl.world.memory import Memory


class FaultRecorder(ReferenceHistory):
    """A history that keeps the choice that raised a fault. Mutable."""

    __slots__ = ("failed",)

    failed: tuple[Choice, Memory, tuple[Any, ...]] | None
    """The choice that raised a fault, with the base and the choices of its run."""

    @staticmethod
    def of(state: State) -> "FaultRecorder":
        """A recorder that continues a state."""
        known = state._reference_history
        recorder = FaultRecorder(known.snapshot, None if known.generator is None else known.generator.copy())
        recorder.log, recorder.runs = known.log.copy(), known.runs.copy()
        recorder._opens, recorder._seen = known._opens.copy(), known._seen.copy()
        recorder._names = known._names.copy()
        recorder._sealed, recorder._past = known._sealed, known._past.copy()
        recorder.failed = None
        return recorder

    @property
    def entries(self) -> Iterator[LogEntry]:
        yield from super().entries
        if self.failed is not None:
            choice, _, choices = self.failed
            yield LogEntry(choice, len(choices) == 1, None)

    def _push(self, value: Any, named: Choice, saved: _Saved) -> None:
        snapshot = self.snapshot
        try:
            super()._push(value, named, saved)
        except Fault:
            self.failed = named, snapshot.memory, (*snapshot.choices, value)
            raise

    def _draw_streak(
        self, generator: Generator, first: Any, its_name: Choice, secret: SecretName | None, need: NeedChoice
    ) -> None:
        self._push(first, its_name, self._save(begins=False))

    def _restore(self, saved: _Saved) -> None:
        if not isinstance(sys.exception(), Fault):  # after a fault, the choices before it stay
            super()._restore(saved)

    def push_words(self, engine: Engine, words: tuple[int, ...]) -> None:
        """Make the choices of a transaction that native code has logged."""
        base = self.snapshot.memory
        for value in choices_of(engine.plan, base, words, _candidates_of(engine, base)):
            snapshot = self.snapshot
            if snapshot.current is None:
                named = opener_of(snapshot.look(), value[0], value[1:])
            else:
                need = snapshot.need
                assert need is not None
                named = choice_of(snapshot.current.run, need.chooser, need, value)
            self.push(value, named, begins=self._begins(named.chooser))

    def trace_from(self, begin: int) -> Iterator[str]:
        """The transactions since a position in the log, each with its effects; the last may be a fault's."""
        open_choices = 0 if self.failed is None else len(self.failed[2]) - 1
        complete = len(self.log) - open_choices
        for (first, last), tree in zip(parts_since(self, begin), trace_since(self, begin, ()), strict=True):
            if last < complete:
                yield f"{_prefix(self.log[first])}{tree}"
        if self.failed is not None:
            choice, base, choices = self.failed
            first_choice, *rest = [*self.log[complete:], choice]
            move = [first_choice, *takewhile(lambda each: each.chooser == first_choice.chooser, rest)]
            root = TraceNode(f"{_prefix(first_choice)}{format_move(move)}")
            with suppress(Fault):
                execute(self.snapshot.world, base, choices, trace=root)
            yield "\n".join(root.lines())


def _candidates_of(engine: Engine, base: Memory) -> Candidates:
    """The candidates that native code has for the questions after a base."""
    context = ExecutionContext(engine)
    block = engine.block(base)
    return lambda before: context.candidates(block, before)


def _prefix(choice: Choice) -> str:
    return "*: " if choice.chooser == CHANCE else f"{choice.chooser}: "


def record_of(state: State, recorder: FaultRecorder) -> Record:
    """The record of a game that started as this state and that a recorder has continued."""
    moves = logged_moves(recorder.entries, ALL, state.players)
    known = state.record
    return replace(known, moves=tuple(RecordedMove(move.chooser, move.text) for move in moves), result=None)


def record_fault(state: State, attempt: Callable[[FaultRecorder], None]) -> Record:
    """The record of a state and of an attempt that raises a fault, up to the fault."""
    recorder = FaultRecorder.of(state)
    with suppress(Fault):
        attempt(recorder)
    return record_of(state, recorder)
