"""The viewers of choices of chance and of players: the set of players in a question.

The viewers of an outcome of chance are those who see the target in which a statement stores it, as in
`reference/compile/compiler.py`, or those that `visible to` names. The target is a static property, so it is
found once for each node before lowering.
"""

from typing import Any

from ludograph.tgdl import program as p
from ludograph.tgdl.native.ir.builder import const, widen
from ludograph.tgdl.native.ir.nodes import I32, I64, I256, Expression
from ludograph.tgdl.native.lower.emitter import Emitter
from ludograph.tgdl.native.lower.things.visibility import attribute_seers, players_named, stack_seers
from ludograph.tgdl.program.declarations import is_secret
from ludograph.tgdl.program.operations import Operation
from ludograph.tgdl.program.types import ConstructType
from ludograph.tgdl.syntax.traversal import CHILDREN
from ludograph.tgdl.world.world import World

EVERYBODY = const(-1, I256)

Stored = p.AttributeOf | tuple[str, p.Expression] | None
"""The target of an outcome: a secret attribute, or ("stack", its expression); None: it is public."""


def find_stored(world: World) -> dict[int, Stored]:
    """The target of the outcome of each node with a choice of chance, by its identity."""
    found: dict[int, Stored] = {}
    if not world.has_secrets:
        return found
    program = world.program
    roots = (program.actions, program.verbs, program.turns, program.setups, program.constructs)
    waiting: list[tuple[Any, Stored]] = [(root, None) for root in roots]
    while waiting:
        node, stored = waiting.pop()
        if isinstance(node, tuple):
            waiting += [(each, stored) for each in node]
            continue
        match node:
            case p.Random():
                found[id(node)] = stored
            case p.Assign(place, value):
                inner = _into(world, place.root, stored)
                waiting += [(place, stored), (value, inner)]
                continue
            case p.Mutate():
                inner = _into(world, node.place.root, stored)
                found[id(node)] = inner
                waiting += [(node.place, stored), (node.operands, inner)]
                continue
            case p.Move():
                inner = _onto(world, node.to, stored)
                waiting += [(node.what, inner), (node.to, inner)]
                continue
            case p.Apply(operation) if operation.facts.takes_card or operation.facts.stores:
                own = stored
                if operation is Operation.DISCARD_TO:
                    own = _onto(world, node.operands[1], stored)
                found[id(node)] = own
                inner = _onto(world, node.operands[0], stored)
                waiting += [(node.operands[0], stored), (node.operands[1:], inner)]
                continue
            case _:
                pass
        below = CHILDREN[type(node)]
        if below is not None:
            waiting += [(each, stored) for each in below(node)]
    return found


def _into(world: World, root: Any, outer: Stored) -> Stored:
    """The target of the value of an assignment."""
    if not isinstance(root, p.AttributeOf):
        return outer
    type = root.target.type
    if not isinstance(type, ConstructType) or type.name not in world.kind:
        return None
    kinds = [world.kinds[index].construct for index in world.subtypes[type.name]]
    return root if any(is_secret(one, one.attributes[root.slot]) for one in kinds) else None


def _onto(world: World, target: p.Expression, outer: Stored) -> Stored:
    """The target of a card that is put onto a stack."""
    type = target.type
    if not isinstance(type, ConstructType) or type.name not in world.kind:
        return outer
    construct = world.kind[type.name].construct
    if construct.kind is not p.ConstructKind.STACK:
        return outer
    everything = [kind.construct for kind in world.kinds]
    is_open = construct.secrecy is p.Secrecy.PUBLIC and not any(
        is_secret(one, attribute) for one in everything for attribute in one.attributes
    )
    return None if is_open else ("stack", target)


# Lowering


def is_asking(b: Emitter) -> Expression:
    """Whether the next choice is a question, neither given nor drawn."""
    is_last = b.get("choice_index", I64) >= b.get("choice_count", I64)
    return is_last & b.get("draws_chance", I32).eq(0)


def set_viewers(b: Emitter, node: p.Expression, *, several: bool = False) -> None:
    """Record the viewers before chance chooses, once or several times. That costs no fuel."""
    if not b.world.has_secrets:
        return
    with b.when(b.get("draws_chance", I32).eq(0) if several else is_asking(b)):
        b.put("need_seen", _viewers_of(b, node))


def _viewers_of(b: Emitter, node: p.Expression) -> Expression:
    if isinstance(node, p.Random) and node.visible is not None:
        return _free(b, lambda: players_named(b, b.keep(b.expression(node.visible))))
    match b.unit.stored.get(id(node)):
        case None:
            return EVERYBODY
        case ("stack", target):
            return _free(b, lambda: stack_seers(b, b.keep(b.expression(target))))
        case root:
            return _free(b, lambda: attribute_seers(b, b.keep(b.expression(root.target)), root.slot))


def _free(b: Emitter, evaluate: Any) -> Expression:
    """The set of viewers in the width of a question, evaluated without fuel."""
    fuel, floor = b.get("fuel", I64), b.get("floor", I64)
    seers = evaluate()
    b.put("fuel", fuel)
    b.put("floor", floor)
    return widen(seers, I256, signed=False)


def seers_of_input(b: Emitter, visible: p.Expression | None) -> Expression:
    """The viewers of the answer to an input, in the width of a question."""
    if visible is None:
        return EVERYBODY
    return _free(b, lambda: players_named(b, b.keep(b.expression(visible))))
