"""Operands in order: they are worked out from left to right, and what one has given stays as it was.

Lists and tables of attributes are read where they lie. So where a later operand may change them, what was
read is copied first.
"""

from ludograph.tgdl import program as p
from ludograph.tgdl.native.lower.body import Body
from ludograph.tgdl.program.operations import Operation
from ludograph.tgdl.program.types import ListType, TableType
from ludograph.tgdl.world.analysis import walk


def may_change(node: p.Expression) -> bool:
    """Whether working an expression out may change anything, ask chance, or go wrong in a way of its own."""
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
    """Whether statements or expressions may change a list or table that somebody reads."""
    return any(
        isinstance(node, p.Mutate | p.CallAction | p.CallVerb | p.Move | p.Assign | p.Link | p.New)
        or _edits(node)
        for node in walk(nodes)
    )


def _edits(node: object) -> bool:
    """Whether an expression changes the board."""
    return isinstance(node, p.Apply) and node.operation.facts.changes_board


def keep_operands(b: Body, node: p.Expression) -> None:
    """Before operands are worked out: note which of them those behind may change."""
    match node:
        case p.Apply():
            keep_in_order(b, node.operands)
        case p.CallVerb(receiver=receiver):
            given = tuple(each for each in (receiver, *node.arguments) if each is not None)
            keep_in_order(b, given)
        case p.MakeList() | p.MakeTable():
            keep_in_order(b, node.items)
        case p.New():
            values = tuple(value for _, value in node.values)
            keep_in_order(b, values)
            if b.world.kind[node.construct].construct.kind is p.ConstructKind.TILE:
                # The tables by tiles of all attributes grow when the values are known.
                b.unsettled.update(id(value) for value in values)
        case _:
            pass


def keep_in_order(b: Body, operands: tuple[p.Expression, ...]) -> None:
    for place, operand in enumerate(operands[:-1]):
        if isinstance(operand.type, ListType | TableType) and changes_in(operands[place + 1 :]):
            b.unsettled.add(id(operand))
