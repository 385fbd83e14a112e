"""Nullability analysis: lists whose elements are never none, and variables that are never none."""

from collections.abc import Iterator
from contextlib import contextmanager

from ludograph.tgdl import program as p
from ludograph.tgdl.native.lower.emitter import Emitter
from ludograph.tgdl.program.types import ListType
from ludograph.tgdl.world.analysis import never_none, walk


def never_has_none(b: Emitter, node: p.Expression) -> bool:
    """Whether no element of a list is none."""
    match node:
        case p.Apply(operation) if operation.facts.elements == "distinct or none":
            topology = b.world.topology
            rows = (topology.corners, topology.sides, topology.cells)
            return not b.plan.changes and not any(None in row for each in rows for row in each.values())
        case p.Apply(operation):
            return operation.facts.elements == "distinct"
        case p.Query(operation, source) if operation.facts.selects_elements:
            return never_has_none(b, source)
        case _:
            return False


@contextmanager
def assume_not_none(b: Emitter, slot: int, *, is_not_none: bool) -> Iterator[None]:
    """A scope in which a variable is known not to be none, or may be none."""
    before = slot in b.non_null_slots
    b.non_null_slots -= {slot}
    if is_not_none:
        b.non_null_slots.add(slot)
    yield
    b.non_null_slots -= {slot}
    if before:
        b.non_null_slots.add(slot)


def never_returns_none(verb: p.Verb) -> bool:
    """Whether the result of a verb is never none."""
    match verb.block.statements:
        case (p.Return(node),) if node is not None:
            return never_none(node)
        case _:
            return False


def is_never_none_input(action: p.Action, known: p.Input) -> bool:
    """Whether an input of an action is never none after it is chosen."""
    is_chosen = known.mode in (p.InputMode.ASKED, p.InputMode.AUTO) and not known.optional
    return is_chosen and not isinstance(known.type, ListType) and not is_assigned(known.slot, action)


def is_assigned(slot: int, scope: object) -> bool:
    """Whether statements assign a variable."""
    return any(
        isinstance(node, p.Assign)
        and isinstance(node.place.root, p.Variable)
        and node.place.root.slot == slot
        for node in walk(scope)
    )
