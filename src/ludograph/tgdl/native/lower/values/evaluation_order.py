"""Evaluation order: operands are evaluated from left to right; a later one does not change an earlier one.

Lists and tables of attributes are read in place. If a later operand may change them, they are copied first.
"""

from ludograph.tgdl import program as p
from ludograph.tgdl.native.lower.emitter import Emitter
from ludograph.tgdl.program.operations import Operation
from ludograph.tgdl.program.types import ListType, TableType
from ludograph.tgdl.world.analysis import walk


def may_change(node: p.Expression) -> bool:
    """Whether an expression may have a side effect, a choice of chance, or a fault of its own."""
    return any(
        isinstance(inner, p.CallVerb | p.CallAction | p.Mutate | p.Random | p.New)
        or (isinstance(inner, p.Apply) and _may_stop(inner.operation))
        or _edits(inner)
        for inner in walk(node)
    )


def _may_stop(operation: Operation) -> bool:
    """Whether an operation asks chance, or goes wrong in a way that a list or table does not."""
    return operation.facts.is_partial or operation.facts.takes_card


def changes_in(nodes: object) -> bool:
    """Whether statements or expressions may change a list or table that is being read."""
    return any(
        isinstance(node, p.Mutate | p.CallAction | p.CallVerb | p.Move | p.Assign | p.Link | p.New)
        or _edits(node)
        for node in walk(nodes)
    )


def _edits(node: object) -> bool:
    """Whether an expression changes the board."""
    return isinstance(node, p.Apply) and node.operation.facts.changes_board


def mark_volatile_operands(b: Emitter, node: p.Expression) -> None:
    """Record the operands that later operands may change, before any is evaluated."""
    match node:
        case p.Apply():
            mark_volatile(b, node.operands)
        case p.CallVerb(receiver=receiver):
            given = tuple(each for each in (receiver, *node.arguments) if each is not None)
            mark_volatile(b, given)
        case p.MakeList() | p.MakeTable():
            mark_volatile(b, node.items)
        case p.New():
            values = tuple(value for _, value in node.values)
            mark_volatile(b, values)
            if b.world.kind[node.construct].construct.kind is p.ConstructKind.TILE:
                # The tables with tiles as keys grow after the values are evaluated.
                b.volatile.update(id(value) for value in values)
        case _:
            pass


def mark_volatile(b: Emitter, operands: tuple[p.Expression, ...]) -> None:
    for place, operand in enumerate(operands[:-1]):
        if isinstance(operand.type, ListType | TableType) and changes_in(operands[place + 1 :]):
            b.volatile.add(id(operand))
