"""Memoised verbs: a verb with the same result for every offer is evaluated once, when a test first needs it.

The state does not change while offers are listed. A verb of the game itself with arguments that are the same
for all instances and choices has one result. The fuel of the first call is spent at every call.
"""

from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from ludograph.tgdl import program as p
from ludograph.tgdl.native.ir.builder import const
from ludograph.tgdl.native.ir.nodes import I1, I64, PTR, Local
from ludograph.tgdl.native.lower.emitter import Emitter
from ludograph.tgdl.native.lower.unit import Value
from ludograph.tgdl.program.types import Basic
from ludograph.tgdl.world.analysis import walk


class MemoCell(Struct, frozen=True):
    """The cached result of a verb."""

    known: Local
    parts: tuple[Local, ...]
    spent: Local


def share(b: Emitter, tests: Iterable[Any]) -> None:
    """Create the cells of the verbs in some tests, at the beginning of the function that runs them."""
    for test in tests:
        calls = [node for node in walk(test) if isinstance(node, p.CallVerb)]
        if _changes_variables(test):
            continue  # a shared list must not be changed
        for call in calls:
            key = _key(b, call)
            if key is None or key in b.shared:
                continue
            verb = b.world.program.verbs[call.verb]
            parts = tuple(b.variable(part, "shared") for part in b.none(verb.result).parts)
            cell = MemoCell(b.variable(const(0, I1), "known"), parts, b.variable(const(0), "spent"))
            b.shared[key] = cell
            if b.floor is None and b.plan.rep(verb.result).stored is None:
                b.floor = b.variable(b.get("arena_start", PTR), "floor")


def _changes_variables(test: Any) -> bool:
    for node in walk(test):
        if isinstance(node, p.Mutate) and isinstance(node.place.root, p.Variable):
            return True
        if isinstance(node, p.Assign) and node.place.indexes:
            return True
    return False


def _key(b: Emitter, call: p.CallVerb) -> Any:
    verb = b.world.program.verbs[call.verb]
    if verb.owner is not None or not verb.is_pure or verb.result in (Basic.NOTHING, Basic.NONE):
        return None
    names: list[Any] = [call.verb]
    for argument in call.arguments:
        match argument:
            case p.Ambient(name):
                names.append(("ambient", name))
            case p.Literal(value, type):
                names.append((value, type))
            case p.Setting(kind, name):
                names.append((kind, name))
            case _:
                return None
    return tuple(names)


def shared_call(b: Emitter, call: p.CallVerb, run: Any) -> Value:
    """The result of a verb; it runs if the result is not cached."""
    cell = b.shared.get(_key(b, call)) if b.shared else None
    if cell is None:
        found: Value = run()
        return found
    verb = b.world.program.verbs[call.verb]
    with b.when(~cell.known):
        before = b.get("fuel", I64)
        value = b.coerce(run(), verb.result)
        for local, part in zip(cell.parts, value.parts, strict=True):
            b.set(local, part)
        b.set(cell.known, const(1, I1))
        b.set(cell.spent, before - b.get("fuel", I64))
        if b.floor is not None:
            b.set(b.floor, b.get("arena", PTR))
    with b.otherwise():
        b.spend(cell.spent)
    return b.coerce(Value(verb.result, cell.parts), call.type)
