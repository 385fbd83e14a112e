"""Lowering of switched actions (`x.action.allowed`)."""

from ludograph.tgdl.native.ir.builder import const, widen
from ludograph.tgdl.native.ir.nodes import I1, I8, I32, Expression
from ludograph.tgdl.native.layout.plan import Family
from ludograph.tgdl.native.lower.emitter import Emitter
from ludograph.tgdl.native.lower.routine import BLOCK
from ludograph.tgdl.native.lower.things.players import is_one_of
from ludograph.tgdl.native.lower.unit import Value
from ludograph.tgdl.program import AllowedOf, Literal
from ludograph.tgdl.program import Expression as Node
from ludograph.tgdl.program.types import Basic, ConstructType


def is_allowed(b: Emitter, action: int, family: Family | None, number: Expression) -> Expression:
    """Whether an action of an instance, or (without a family) of the game itself, is not switched off."""
    if action not in b.plan.switched:
        return const(1, I1)
    if family is None:
        return b.load(BLOCK, b.plan.off[action], I8).eq(0)
    column = family.columns.get(("off", action))
    if column is None:
        return const(1, I1)
    return b.read_column(column, number, Basic.BOOL).only.eq(0)


def versions_of(b: Emitter, type: ConstructType, action: int) -> dict[int, list[int]]:
    """The overrides of an action in the constructs of a type: for each one the constructs that use it."""
    found: dict[int, list[int]] = {}
    for index in b.world.subtypes[type.name]:
        real = b.world.action_dispatch.get((b.world.kinds[index].name, action), action)
        found.setdefault(real, []).append(index)
    return found


def read_allowed(b: Emitter, node: AllowedOf) -> Value:
    """`x.action.allowed`."""
    if isinstance(node.target, Literal):
        return b.boolean(b.let(is_allowed(b, node.action, None, const(-1, I32))))
    target = b.value(node.target)
    assert isinstance(target.type, ConstructType)
    family = b.family_of(target)
    result = b.variable(const(1, I1), "allowed")
    for action, kinds in versions_of(b, target.type, node.action).items():
        with b.when(is_one_of(b, family, target.only, tuple(kinds))):
            b.set(result, is_allowed(b, action, family, target.only))
    return b.boolean(result)


def assign_allowed(b: Emitter, root: AllowedOf, given: Node) -> None:
    """`x.action.allowed = false;`."""
    if isinstance(root.target, Literal):
        off = b.expression(given).only.ne(1)
        b.store(BLOCK, b.plan.off[root.action], widen(off, I8, signed=False))
        return
    target = b.value(root.target)
    assert isinstance(target.type, ConstructType)
    family = b.family_of(target)
    off = b.let(widen(b.expression(given).only.ne(1), I32, signed=False))
    for real, kinds in versions_of(b, target.type, root.action).items():
        column = family.columns.get(("off", real))
        if column is not None:
            with b.when(is_one_of(b, family, target.only, tuple(kinds))):
                b.write_column(column, target.only, Value(Basic.BOOL, (off,), certain=True))
