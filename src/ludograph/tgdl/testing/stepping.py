"""Steps of a move: each statement and condition that it runs, with its values and the state before it.

A move is made on an observed copy of the game. Then its transactions are run again, so that the trials with
which the engine tests moves are no steps. To go backwards is to read an earlier step.
"""

from typing import Any

from msgspec import Struct

from ludograph.text import Span
from ludograph.tgdl import program as p
from ludograph.tgdl.game.game import Game
from ludograph.tgdl.game.internals import reference_of, state_of_memory
from ludograph.tgdl.game.state import State
from ludograph.tgdl.game.trace import parts_since
from ludograph.tgdl.reference.naming import text_of, typed_text
from ludograph.tgdl.reference.transactions import execute, resolve_stuck_players
from ludograph.tgdl.syntax.traversal import walk
from ludograph.tgdl.world.faults import Fault
from ludograph.tgdl.world.memory import Memory
from ludograph.tgdl.world.world import THIS

MAX_STEPS = 2000
"""Longer moves are cut: each step keeps the state before it."""
MAX_VALUES = 12
"""The greatest number of values that a step shows."""


class RuleStep(Struct, frozen=True):
    """A statement before it runs, or a condition after it was evaluated."""

    file: int
    span: Span
    owner: str
    """The action, verb or trigger that runs, such as `action frog.hop`."""
    depth: int
    """The number of calls around it."""
    this: str
    """The instance whose action or verb runs; "" for none."""
    values: tuple[tuple[str, str], ...]
    """The names that it reads, and their values as text."""
    result: str | None
    """The value of a condition; None for a statement."""
    number: int
    """The number of steps before it."""


class MoveSteps(Struct, frozen=True):
    """The steps of a move. The states between them are made when they are asked for."""

    steps: tuple[RuleStep, ...]
    is_cut: bool
    """Whether the move has more steps than are kept."""
    fault: Fault | None
    """The fault with which the rules ended the move."""
    after: State | None
    """The state after the move; None after a fault."""
    _state: State
    _memories: tuple[Memory, ...]

    def state_before(self, number: int) -> State:
        """The state in which a step begins."""
        return state_of_memory(self._state, self._memories[number])


class _Recorder:
    """Records the steps of the current run of the engine, after those that are kept. Mutable."""

    def __init__(self) -> None:
        self.is_over = False
        self.is_cut = False
        self.steps: list[RuleStep] = []
        self.memories: list[Memory] = []
        self._run: Any = None
        self._kept = 0
        """The number of steps of earlier runs that are kept."""

    def clear(self) -> None:
        """Forget everything."""
        self.steps, self.memories, self._run, self._kept, self.is_cut = [], [], None, 0, False

    def keep_run(self, memory: Memory) -> None:
        """Keep the steps of the current run if it made this memory; otherwise forget them."""
        if self._run is None or self._run.memory is not memory:
            self._forget_run()
        self._kept, self._run = len(self.steps), None

    def _forget_run(self) -> None:
        del self.steps[self._kept :], self.memories[self._kept :]

    def begin_statement(self, run: Any, frame: Any, file: int, node: p.Statement) -> None:
        self._add(run, frame, file, node, None)

    def judge(self, run: Any, frame: Any, file: int, node: p.Block | p.Expression, value: Any) -> None:
        self._add(run, frame, file, node, text_of(run, value))

    def _add(self, run: Any, frame: Any, file: int, node: Any, result: str | None) -> None:
        if self.is_over:
            return
        if run is not self._run:
            self._forget_run()
            self._run = run
        if len(self.steps) == MAX_STEPS:
            self.is_cut = True
            return
        call = run.calls[-1] if run.calls else None
        this = frame[THIS]
        self.steps.append(
            RuleStep(
                file=file,
                span=node.span,
                owner="" if call is None else call.what,
                depth=len(run.calls),
                this="" if this is None else text_of(run, this),
                values=_values(run, frame, node),
                result=result,
                number=len(self.steps),
            )
        )
        self.memories.append(run.memory.copy())


def _values(run: Any, frame: Any, node: Any) -> tuple[tuple[str, str], ...]:
    """The inputs, parameters and variables that a node reads. Names inside of its queries have no value."""
    bound = {each.slot for each in walk(node) if isinstance(each, p.Query | p.Declare)}
    found: dict[str, str] = {}
    for each in walk(_head(node)):
        if isinstance(each, p.Variable) and each.slot not in bound and each.slot < len(frame) - 3:
            found.setdefault(each.name, typed_text(run, frame[each.slot], each.type))
            if len(found) == MAX_VALUES:
                break
    return tuple(sorted(found.items()))


def _head(node: Any) -> Any:
    """The part of a statement that runs before the statements inside of it."""
    match node:
        case p.If() | p.While():
            return node.condition
        case p.ForEach():
            return node.source
        case p.ForRange():
            return (node.low, node.high)
        case _:
            return node


def trace_steps(before: State, move: str, player: int | None = None) -> MoveSteps:
    """Record the steps of a move from a state, which stays as it is. IllegalMove if it is not legal."""
    recorder = _Recorder()
    game = Game(before.game.program, fuel=before.game.fuel, observer=recorder)
    state = game.from_bytes(before.to_bytes())
    start = state.copy()
    begin = len(reference_of(state).log)
    fault: Fault | None = None
    try:
        state.push(move, player)
    except Fault as raised:
        fault = raised  # the steps are those of the last run, which had the fault
    else:
        recorder.clear()
        _run_again(state, begin, recorder)
    recorder.is_over = True
    return MoveSteps(
        steps=tuple(recorder.steps),
        is_cut=recorder.is_cut,
        fault=fault,
        after=None if fault is not None else state,
        _state=start,
        _memories=tuple(recorder.memories),
    )


def _run_again(state: State, begin: int, recorder: _Recorder) -> None:
    """Run the transactions since a position in the log again, and what follows from them."""
    reference = reference_of(state)
    world = reference.snapshot.world
    for _, end in parts_since(reference, begin):
        base, choices = reference.runs[end + 1]
        outcome = execute(world, base, choices)
        recorder.keep_run(outcome.memory)
        after = reference.snapshot_after(end)
        if not after.choices:
            # It also tries what players may do; only the run that made the memory has effects.
            recorder.keep_run(resolve_stuck_players(world, after.base))
