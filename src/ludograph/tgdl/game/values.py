"""How well a player stands: the verb `value` of the rules, on both engines."""

from contextlib import suppress
from typing import Any

from ludograph.tgdl.game.native_state import expect_same_fault
from ludograph.tgdl.game.reference_bridge import snapshot_at
from ludograph.tgdl.game.snapshot import Snapshot
from ludograph.tgdl.native.layout.status import Refused, Unsupported
from ludograph.tgdl.native.run.execution import TooLarge
from ludograph.tgdl.native.run.history import NativeHistory
from ludograph.tgdl.native.run.search_code import search_code_of
from ludograph.tgdl.reference.run import Run
from ludograph.tgdl.reference.transactions import deep_recursion
from ludograph.tgdl.world.analysis import find_value_verb


def value_of(snapshot: Snapshot, player: int) -> float | None:
    """The value of a player on the reference engine; None if the rules have no verb `value`."""
    verb = find_value_verb(snapshot.world.program)
    if verb is None:
        return None
    function = snapshot.world.verbs[verb]
    run = Run(snapshot.world, snapshot.memory)
    frame: list[Any] = [None] * (function.frame + 3)
    frame[-2] = player
    frame[function.verb.parameters[0].slot] = player
    run.is_pure += 1
    with deep_recursion(run):
        value = function.code(run, frame)
    found = value if function.is_expression else frame[-3]
    return 0.0 if found is None else float(found)


def value_at(history: NativeHistory, player: int) -> float | None:
    """The value of a player on the native engine."""
    if find_value_verb(history.runner.plan.world.program) is None:
        return None
    found: float | Refused | None = None
    with suppress(Unsupported, TooLarge):
        found = search_code_of(history.runner.engine).value(history.runner.pool, history.block, player)
    if isinstance(found, float):
        return found
    with expect_same_fault(found, must_fail=True):
        return value_of(snapshot_at(history), player)
