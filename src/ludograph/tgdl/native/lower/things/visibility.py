"""Lowering of visibility: who may see an attribute, the cards of a stack, or an instance.

The rules are those of `reference/visibility.py`. Players are a set of bits. A viewer is the number of a
player, or SPECTATOR, who sees everything that is public or that `visible to` shows to all players.
"""

from typing import Final

from ludograph.tgdl import program as p
from ludograph.tgdl.native.ir.builder import const, select
from ludograph.tgdl.native.ir.nodes import I1, I32, Expression, Local
from ludograph.tgdl.native.layout.plan import Family
from ludograph.tgdl.native.lower.emitter import Emitter, routine
from ludograph.tgdl.native.lower.things.player_sets import everybody, has, joined, nobody, only
from ludograph.tgdl.native.lower.things.players import is_one_of, owner_in
from ludograph.tgdl.native.lower.unit import CompilationUnit, Value
from ludograph.tgdl.native.lower.values.lists import each
from ludograph.tgdl.native.lower.values.references import cases, is_no_reference, tagged
from ludograph.tgdl.program.types import Basic, ConstructType, ListType, TableType, Type
from ludograph.tgdl.world.analysis import walk
from ludograph.tgdl.world.memory import ConstructInfo

SPECTATOR: Final = -1


def effective_secrecy(kind: ConstructInfo, attribute: p.Attribute) -> p.Secrecy:
    """The secrecy of an attribute, or that of its construct if it declares none."""
    return kind.construct.secrecy if attribute.secrecy is p.Secrecy.PUBLIC else attribute.secrecy


def sees_attribute(
    b: Emitter,
    family: Family,
    kind: ConstructInfo,
    number: Expression,
    attribute: p.Attribute,
    viewer: Expression,
) -> Expression:
    """Whether a viewer may see an attribute of an instance of this construct."""
    if attribute.visible is None:
        return _may_see(b, family, number, effective_secrecy(kind, attribute), viewer)
    (seers,) = b.run(_rule_function(b.unit, family, kind, attribute), (number,), (b.plan.seats,))
    is_player = viewer >= 0
    return b.let(select(is_player, _has(b, seers, viewer), seers.eq(_everybody(b))))


def _has(b: Emitter, players: Expression, viewer: Expression) -> Expression:
    """Whether a viewer is in a set of players; a spectator is not."""
    is_player = viewer >= 0
    return is_player & has(players, select(is_player, viewer, const(0, I32)))


def _everybody(b: Emitter) -> int:
    return int(everybody(b).value)


def _may_see(
    b: Emitter, family: Family, number: Expression, secrecy: p.Secrecy, viewer: Expression
) -> Expression:
    match secrecy:
        case p.Secrecy.PUBLIC:
            return const(1, I1)
        case p.Secrecy.HIDDEN:
            return const(0, I1)
        case _:
            pass
    if family.kind is p.ConstructKind.GROUP_STATE:
        owners = b.read_column(family.columns["owner"], number, Basic.PLAYER).only
        return b.let(_has(b, owners, viewer))
    if family.kind is p.ConstructKind.STACK:
        return _may_see_held(b, family, number, secrecy, viewer)
    owner = b.let(owner_in(b, family, number))
    return b.let((viewer >= 0) & owner.eq(viewer))


def _may_see_held(
    b: Emitter, family: Family, stack: Expression, secrecy: p.Secrecy, viewer: Expression
) -> Expression:
    """Whether a viewer may see a private stack: the players of its state may."""
    seen = b.variable(const(0, I1), "seen")
    holder = b.read_column(family.columns["holder"], stack, Basic.PLAYER).only
    with b.when(~is_no_reference(holder)):
        for keeper, place in cases(b, b.plan.holder_families(), holder):
            b.set(seen, _may_see(b, keeper, place, secrecy, viewer))
    return seen


# Rules: `visible to`


def _rule_function(unit: CompilationUnit, family: Family, kind: ConstructInfo, attribute: p.Attribute) -> str:
    """The function that returns the players of the `visible to` of an attribute."""

    @routine(f"seers.{kind.index}.{attribute.slot}", (I32,), gives=(unit.plan.seats,), apart=True)
    def make(b: Emitter, number: Local) -> None:
        b.this = Value(ConstructType(kind.name), (number,), certain=True)
        b.player = b.let(owner_in(b, family, number))
        assert attribute.visible is not None
        with b.forbidding_chance():
            seen = b.keep(b.block(attribute.visible, _result_type(attribute.visible)))
        b.done(players_named(b, seen))

    return make(unit)


def _result_type(block: p.Block) -> Type:
    """The type of the result of a block."""
    for node in walk(block):
        if isinstance(node, p.Return) and node.value is not None and node.value.type is not Basic.NONE:
            return node.value.type
    return Basic.PLAYER


def players_named(b: Emitter, value: Value) -> Expression:
    """The set of a player, or of a list of players; none is nobody."""
    found = b.variable(nobody(b), "seers")
    if not isinstance(value.type, ListType):
        player = b.coerce(value, Basic.PLAYER).only
        with b.when(player >= 0):
            b.set(found, only(b, player))
        return found
    with b.when(~b.is_none(value)), each(b, value) as (item, _):
        player = b.coerce(item, Basic.PLAYER).only
        with b.when(player >= 0):
            b.set(found, joined(found, only(b, player)))
    return found


# Stacks and instances


def sees_stack(b: Emitter, family: Family, number: Expression, viewer: Expression) -> Expression:
    """Whether a viewer may see the cards of a stack, by its secrecy and that of its attribute."""
    (seen,) = b.run(_stack_function(b.unit, family), (number, viewer), (I1,))
    return seen


def _stack_function(unit: CompilationUnit, family: Family) -> str:
    @routine(f"sees_stack.{family.index}", (I32, I32), gives=(I1,))
    def make(b: Emitter, number: Local, viewer: Local) -> None:
        for kind in family.kinds:
            with b.when(is_one_of(b, family, number, (kind.index,))):
                b.done_if(~_may_see(b, family, number, kind.construct.secrecy, viewer), const(0, I1))
        holder = b.read_column(family.columns["holder"], number, Basic.PLAYER).only
        with b.when(~is_no_reference(holder)):
            for keeper, place in cases(b, b.plan.holder_families(), holder):
                _see_held(b, family, number, keeper, place, viewer)
        b.done(const(1, I1))

    return make(unit)


def _see_held(
    b: Emitter, family: Family, stack: Expression, keeper: Family, place: Expression, viewer: Expression
) -> None:
    """Return whether a viewer sees the first attribute of the holder that is this stack."""
    for kind in keeper.kinds:
        with b.when(is_one_of(b, keeper, place, (kind.index,))):
            for attribute in kind.construct.attributes:
                if attribute.stack is None or family not in b.plan.families_of(attribute.stack):
                    continue
                column = keeper.columns[b.plan.column_key(kind, attribute.slot)]
                mine = tagged(b, family, stack, b.plan.rep(ConstructType(attribute.stack)))
                held = b.read_column(column, place, attribute.type)
                with b.when(_has_stack(b, held, mine)):
                    b.done(sees_attribute(b, keeper, kind, place, attribute, viewer))


def _has_stack(b: Emitter, held: Value, stack: Expression) -> Expression:
    """Whether an attribute is a stack, or a table with the stack."""
    if not isinstance(held.type, TableType):
        return held.only.eq(stack)
    found = b.variable(const(0, I1), "found")
    with each(b, b.as_list(held)) as (entry, _):
        b.set(found, found | _has_stack(b, entry, stack))
    return found


def sees_instance(b: Emitter, family: Family, number: Expression, viewer: Expression) -> Expression:
    """Whether a viewer may see an instance: a card in a hidden stack is not visible."""
    stacks = b.plan.families_of("stack")
    if family.kind is not p.ConstructKind.INTERACTABLE or not _can_be_stacked(b, family):
        return const(1, I1)
    place = b.read_column(family.columns["place"], number, Basic.PLAYER).only
    seen = b.variable(const(1, I1), "seen")
    with b.when(~is_no_reference(place)):
        for other, at in cases(b, b.plan.place_families(), place):
            if other in stacks:
                b.set(seen, sees_stack(b, other, at, viewer))
    return seen


def _can_be_stacked(b: Emitter, family: Family) -> bool:
    return family in b.plan.families_of("stackable") and any(
        each.kind is p.ConstructKind.STACK for each in b.plan.place_families()
    )


# Sets of viewers, for choices of chance


def attribute_seers(b: Emitter, target: Value, slot: int) -> Expression:
    """The viewers of an attribute; nobody if there is no instance."""
    assert isinstance(target.type, ConstructType)
    found = b.variable(nobody(b), "seers")
    with b.when(~b.is_none(target)):
        for family, number in cases(b, b.plan.families_of(target.type.name), target.only):
            for kind in family.kinds:
                if kind.index not in b.world.subtypes[target.type.name]:
                    continue
                attribute = kind.construct.attributes[slot]
                with b.when(is_one_of(b, family, number, (kind.index,))):
                    with b.count(const(b.world.players, I32)) as (player, _):
                        with b.when(sees_attribute(b, family, kind, number, attribute, player)):
                            b.set(found, joined(found, only(b, player)))
    return found


def stack_seers(b: Emitter, target: Value) -> Expression:
    """The viewers of the cards of a stack; nobody if there is no stack."""
    assert isinstance(target.type, ConstructType)
    found = b.variable(nobody(b), "seers")
    with b.when(~b.is_none(target)):
        for family, number in cases(b, b.plan.families_of(target.type.name), target.only):
            with b.count(const(b.world.players, I32)) as (player, _):
                with b.when(sees_stack(b, family, number, player)):
                    b.set(found, joined(found, only(b, player)))
    return found
