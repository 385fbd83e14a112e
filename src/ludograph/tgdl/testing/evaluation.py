"""Evaluates the expectations of a test in a state, on the reference engine."""

from typing import Any

from ludograph.play import CHANCE
from ludograph.tgdl import program as p
from ludograph.tgdl.game.internals import snapshot_of
from ludograph.tgdl.game.state import State
from ludograph.tgdl.program.operations import Operation
from ludograph.tgdl.reference.building import NODE_COMPILERS
from ludograph.tgdl.reference.compile.compiler import Compiler
from ludograph.tgdl.reference.naming import typed_text
from ludograph.tgdl.reference.run import Run
from ludograph.tgdl.reference.transactions import deep_recursion
from ludograph.tgdl.world.memory import ACTIVE
from ludograph.tgdl.world.world import Closure

COMPARISONS = frozenset(
    (
        Operation.EQUAL,
        Operation.IS_NONE,
        Operation.CONTAINS,
        Operation.LESS,
        Operation.LESS_OR_EQUAL,
        Operation.GREATER,
        Operation.GREATER_OR_EQUAL,
    )
)


def evaluate_expectation(state: State, frame_size: int, expected: p.Expectation) -> str | None:
    """None if an expectation holds; otherwise the values that its comparison has, "" for other conditions.

    A `Fault` is raised if the condition cannot be evaluated.
    """
    snapshot = snapshot_of(state)
    run = snapshot.look()
    compiler = Compiler(snapshot.world, NODE_COMPILERS)
    values = _values_of_names(state)

    def value(node: p.Expression, *, must_exist: bool) -> Any:
        with compiler.frame(frame_size) as size:
            code = compiler.boolean(node) if must_exist else compiler.expression(node)
            return _run(run, code, size(), values)

    condition = expected.condition
    with deep_recursion(run):
        if value(condition, must_exist=True):
            return None
        while isinstance(condition, p.Apply) and condition.operation is Operation.NOT:
            condition = condition.operands[0]
        if not isinstance(condition, p.Apply) or condition.operation not in COMPARISONS:
            return ""
        shown = [side for side in condition.operands if not isinstance(side, p.Literal)]
        return " and ".join(typed_text(run, value(side, must_exist=False), side.type) for side in shown)


def _run(run: Run, code: Closure, size: int, values: list[Any]) -> Any:
    frame: list[Any] = [*values, *[None] * (size + 3 - len(values))]
    frame[-2] = run.cells[ACTIVE]
    return code(run, frame)


def _values_of_names(state: State) -> list[Any]:
    """The values of the names of `EXPECTED_NAMES`, in their order."""
    players = [player for player in state.asked if player != CHANCE]
    moves = tuple(move.text for player in players for move in state.legal_moves_of(player))
    result = state.result
    winners = () if result is None else result.winners
    return [moves, tuple(players), winners, result is not None]
