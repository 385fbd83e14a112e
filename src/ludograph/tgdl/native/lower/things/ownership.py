"""Lowering of ownership: states are attached, transferred, shared and detached."""

from collections.abc import Callable

from ludograph.tgdl.native.ir.builder import const
from ludograph.tgdl.native.ir.nodes import I32, Expression
from ludograph.tgdl.native.layout.plan import Family
from ludograph.tgdl.native.lower.actions.events import firing
from ludograph.tgdl.native.lower.emitter import Emitter, Lowering
from ludograph.tgdl.native.lower.things.creation import constructor_function
from ludograph.tgdl.native.lower.things.player_sets import has, only
from ludograph.tgdl.native.lower.things.players import state_of
from ludograph.tgdl.native.lower.unit import Value
from ludograph.tgdl.native.lower.values.references import cases, families_of, is_no_reference, write_cell
from ludograph.tgdl.program import Apply, Attach, ConstructKind
from ludograph.tgdl.program.events import Event
from ludograph.tgdl.program.operations import Operation
from ludograph.tgdl.program.types import Basic, ConstructType


def _lower_owner_change(b: Emitter, node: Apply) -> Value:
    """An operation that hands a state on."""
    state = b.keep(b.value(node.operands[0]))
    given = b.expression(node.operands[1]) if len(node.operands) > 1 else b.none(Basic.PLAYER)
    player = b.keep(b.coerce(given, Basic.PLAYER))
    for family, number in cases(b, families_of(b, state), state.only):
        one = Value(ConstructType(family.name), (number,), certain=True)
        _change_owner(b, node.operation, family, one, player)
    return Value(Basic.NOTHING, ())


def _change_owner(b: Emitter, operation: Operation, family: Family, state: Value, player: Value) -> None:
    is_local = family.kind is ConstructKind.LOCAL
    if is_local and operation is Operation.DETACH:
        assign(b, family, state, b.none(Basic.PLAYER), event=Event.REMOVE)
        return
    if not player.certain:
        b.fault_if(b.is_none(player), "TG0501")
    if is_local:
        event = Event.TRANSFERRED if operation is Operation.TRANSFER_TO else Event.ATTACH
        assign(b, family, state, player, event=event)
    elif operation is Operation.DETACH:
        _share(b, family, state, player, joins=False)
    else:
        _share(b, family, state, player, joins=True)


def assign(b: Emitter, family: Family, state: Value, to: Value, *, event: Event = Event.ATTACH) -> None:
    """Assign a local state to a player (none: detach it)."""
    old = b.read_column(family.columns["owner"], state.only, Basic.PLAYER)
    with firing(b, event, state, {"instance": state, "from": old, "to": to}):
        write_cell(b, family, state.only, "owner", to.only)


def _share(b: Emitter, family: Family, state: Value, player: Value, *, joins: bool) -> None:
    """Add a player to a group state, or remove one."""
    column = family.columns["owner"]
    bit = b.let(only(b, player.only))

    def members() -> Expression:
        return b.read_column(column, state.only, Basic.PLAYER).only

    is_in = b.let(has(members(), player.only))
    none = b.none(Basic.PLAYER)
    fields = {"instance": state, "from": none if joins else player, "to": player if joins else none}
    before = members()
    with b.when(~is_in if joins else is_in):
        with firing(b, Event.ATTACH if joins else Event.REMOVE, state, fields):
            write_cell(b, family, state.only, "owner", before ^ bit)


def attach(b: Emitter, node: Attach) -> None:
    """`p has x;`: a player gets a state of this construct, if there is none yet."""
    player = b.keep(b.value(node.player))
    kind = b.world.kind[node.construct]
    family = b.plan.family_of_kind[kind.index]
    type = ConstructType(kind.name)
    if kind.construct.kind is ConstructKind.GROUP_STATE:
        assert b.world.start is not None
        first = b.plan.number_of(b.world.start, b.world.start.families[kind.index][0])
        _share(b, family, Value(type, (const(first, I32),), certain=True), player, joins=True)
        return
    with b.when(is_no_reference(state_of(b, type, player.only).only)):
        (number,) = b.run(constructor_function(b.unit, kind), (player.only,), (I32,))
        assign(b, family, Value(type, (number,), certain=True), player)


LOWERINGS: dict[Operation, Lowering] = {
    Operation.ASSIGN_TO: _lower_owner_change,
    Operation.TRANSFER_TO: _lower_owner_change,
    Operation.ATTACH: _lower_owner_change,
    Operation.DETACH: _lower_owner_change,
}

SOURCES: dict[Event, Callable[..., object]] = {
    Event.ATTACH: _change_owner,
    Event.REMOVE: _change_owner,
    Event.TRANSFERRED: _change_owner,
}
"""The functions that raise events."""
