"""Lowering of players and states: instances in play, and their owners."""

from ludograph.tgdl.native.ir.builder import address, const, select, widen
from ludograph.tgdl.native.ir.nodes import I1, I8, I16, I32, I64, Const, Expression, Load, Local
from ludograph.tgdl.native.layout.plan import Column, Family
from ludograph.tgdl.native.lower.emitter import Emitter, Lowering, routine
from ludograph.tgdl.native.lower.fuel import pay
from ludograph.tgdl.native.lower.routine import BLOCK
from ludograph.tgdl.native.lower.things.player_sets import has
from ludograph.tgdl.native.lower.unit import Value
from ludograph.tgdl.native.lower.values.constants import list_data
from ludograph.tgdl.native.lower.values.lists import Collector
from ludograph.tgdl.native.lower.values.references import cases, creation, for_family, is_no_reference, tagged
from ludograph.tgdl.program import Apply, ConstructKind
from ludograph.tgdl.program.operations import Operation
from ludograph.tgdl.program.types import Basic, ConstructType, EnumType, ListType
from ludograph.tgdl.world import fuel
from ludograph.tgdl.world.memory import HAVE_PLAYERS, player_slot


def _all_players(b: Emitter, node: Apply) -> Value:
    count = b.world.players
    data = list_data(b.unit, tuple(range(count)), Basic.PLAYER)
    return Value(node.type, (data, const(count)), certain=True)


def _enum_members(b: Emitter, node: Apply) -> Value:
    assert isinstance(node.type, ListType) and isinstance(node.type.element, EnumType)
    members = b.world.members[node.type.element.name]
    return Value(
        node.type, (list_data(b.unit, members, node.type.element), const(len(members))), certain=True
    )


def _instances(b: Emitter, node: Apply) -> Value:
    assert isinstance(node.type, ListType) and isinstance(node.type.element, ConstructType)
    return in_play(b, node.type.element, is_off=node.operation is Operation.INSTANCES_OFF)


def _state(b: Emitter, node: Apply) -> Value:
    assert isinstance(node.type, ConstructType)
    return state_of(b, node.type, b.value(node.operands[-1]).only)


LOWERINGS: dict[Operation, Lowering] = {
    Operation.PLAYERS_ALL: _all_players,
    Operation.PLAYERS_COUNT: lambda b, node: b.number(float(b.world.players)),
    Operation.PLAYERS_ACTIVE: lambda b, node: Value(Basic.PLAYER, (b.head("active", I32),), certain=True),
    Operation.PLAYERS_IN: lambda b, node: _players_in(b),
    Operation.PLAYERS_NEXT: lambda b, node: _next_player(b, b.value(node.operands[0])),
    Operation.MEMBERS: _enum_members,
    Operation.INSTANCES: _instances,
    Operation.INSTANCES_OFF: _instances,
    Operation.STATE_OF: _state,
    Operation.OWNER: lambda b, node: owner_of(b, b.value(node.operands[0])),
    Operation.OWNERS: lambda b, node: owners_of(b, b.value(node.operands[0])),
    Operation.BOARD_OF: lambda b, node: Value(
        node.type, (const(0, b.plan.rep(node.type).kinds[0]),), certain=True
    ),
}


# Players


def is_out(b: Emitter, player: Expression) -> Expression:
    """Whether a player is out."""
    return has(b.head("out", b.plan.seats), player)


def _players_in(b: Emitter) -> Value:
    found = Collector(b, Basic.PLAYER, const(b.world.players))
    with b.count(const(b.world.players, I32)) as (player, _):
        with b.when(~is_out(b, player)):
            found.add(Value(Basic.PLAYER, (player,), certain=True))
    return found.found()


def _next_player(b: Emitter, start: Value) -> Value:
    found = b.variable(start.only, "following")
    with b.count(const(b.world.players, I32)) as (_, label):
        b.set(found, wrapped(b, found + 1))
        b.leave_if(~is_out(b, found), label)
    return Value(Basic.PLAYER, (found,), certain=True)


def wrapped(b: Emitter, player: Expression) -> Expression:
    """A number below twice the number of players, modulo the number of players."""
    count = b.world.players
    player = b.let(player)
    return select(player >= count, player - count, player)


# Families


def count_of(b: Emitter, family: Family) -> Expression:
    """The number of instances of a family."""
    if not family.grows:
        assert b.world.start is not None
        return const(len(b.plan.members(b.world.start, family)), I32)
    return b.load(BLOCK, family.count_at, I32)


def pay_for_all(b: Emitter, name: str) -> None:
    """Pay for a loop over all instances of a type; it is free if there can be only a few."""
    if sum(family.capacity for family in b.plan.families_of(name)) >= fuel.GRAIN:
        pay(b, count_related(b, name))


def count_related(b: Emitter, name: str) -> Expression:
    """The number of instances of all families of a type, in play or not."""
    known = 0
    total: Expression = const(0)
    for family in b.plan.families_of(name):
        count = count_of(b, family)
        if isinstance(count, Const):
            known += int(count.value)
        else:
            total = b.let(total + widen(count, I64))
    return b.let(total + known)


def kind_of(b: Emitter, family: Family, number: Expression) -> Expression:
    """The construct of an instance."""
    if not family.is_mixed:
        return const(family.kinds[0].index, I32)
    return b.read_column(family.columns["kind"], number, Basic.PLAYER).only


def is_one_of(b: Emitter, family: Family, number: Expression, kinds: tuple[int, ...]) -> Expression:
    """Whether an instance belongs to one of some constructs."""
    own = tuple(kind.index for kind in family.kinds)
    wanted = [kind for kind in own if kind in kinds]
    if len(wanted) == len(own):
        return const(1, I1)
    if not wanted:
        return const(0, I1)
    kind = kind_of(b, family, number)
    found: Expression = kind.eq(wanted[0])
    for each in wanted[1:]:
        found = found | kind.eq(each)
    return found


def is_present(b: Emitter, family: Family, number: Expression) -> Expression:
    """Whether an instance is in play."""
    match family.kind:
        case ConstructKind.INTERACTABLE:
            rep = b.plan.rep_of_place()
            place = b.read_column(family.columns["place"], number, Basic.PLAYER)
            return place.only.ne(int(rep.none[0]))
        case ConstructKind.LOCAL:
            return b.read_column(family.columns["owner"], number, Basic.PLAYER).only >= 0
        case ConstructKind.TILE if b.world.changes:
            return b.read_column(family.columns["group"], number, Basic.PLAYER).only >= 0
        case _:
            return const(1, I1)


FIXED = frozenset(ConstructKind) - {ConstructKind.INTERACTABLE, ConstructKind.LOCAL}
"""Instances of these kinds are always in play."""


def in_play(b: Emitter, type: ConstructType, *, is_off: bool = False) -> Value:
    """The instances of a construct that are in play, in order of creation; the loop over all is paid for.

    With `is_off`, the interactables that are not in play.
    """
    pay_for_all(b, type.name)
    families = b.plan.families_of(type.name)
    kinds = b.world.subtypes[type.name]
    is_fixed = all(family.kind in FIXED and not family.grows for family in families)
    if is_fixed and not b.world.changes:
        assert b.world.start is not None
        members = [
            each
            for family in families
            for each in b.plan.members(b.world.start, family)
            if each.kind.index in kinds
        ]
        members.sort(key=lambda each: each.number)
        data = list_data(b.unit, members, type)
        return Value(ListType(type), (data, const(len(members))), certain=True)
    if len(families) != 1:
        return _merged(b, families, kinds, type, is_off=is_off)
    family = families[0]
    count = b.let(count_of(b, family))
    found = Collector(b, type, widen(count, I64))
    with b.count(count) as (number, _):
        passes = _is_listed(b, family, number, kinds, is_off=is_off)
        with b.when(passes):
            found.add(Value(type, (number,), certain=True))
    return found.found()


def _is_listed(
    b: Emitter, family: Family, number: Expression, kinds: tuple[int, ...], *, is_off: bool
) -> Expression:
    """Whether an instance belongs to one of some constructs and is in play, or (with `is_off`) is not."""
    present = is_present(b, family, number)
    return is_one_of(b, family, number, kinds) & (~present if is_off else present)


def _merged(
    b: Emitter, families: tuple[Family, ...], kinds: tuple[int, ...], type: ConstructType, *, is_off: bool
) -> Value:
    """The instances of several families, merged in order of creation."""
    counts = [b.let(count_of(b, family)) for family in families]
    total: Expression = const(0, I32)
    for count in counts:
        total = total + count
    found = Collector(b, type, b.let(widen(total, I64)))
    rep = b.plan.rep(type)
    nexts = [b.variable(const(0, I32), "next") for _ in families]
    with b.count(b.let(total)):
        earliest = b.variable(const(LATEST, I32), "earliest")
        chosen = b.variable(const(-1, I32), "chosen")
        for place, (family, count, at) in enumerate(zip(families, counts, nexts, strict=True)):
            with b.when(at < count):
                made = creation(b, family, at)
                with b.when(made < earliest):
                    b.set(earliest, made)
                    b.set(chosen, const(place, I32))
        for place, (family, at) in enumerate(zip(families, nexts, strict=True)):
            with b.when(chosen.eq(place)):
                passes = _is_listed(b, family, at, kinds, is_off=is_off)
                with b.when(passes):
                    found.add(Value(type, (tagged(b, family, at, rep),), certain=True))
                b.set(at, at + 1)
    return found.found()


LATEST = (1 << 31) - 1


def seats_in_order(b: Emitter, family: Family) -> Expression | None:
    """Whether state number n belongs to player n.

    That is true in almost every game, but a loaded position may differ. None if there is no fast test.
    """
    count, start = b.world.players, b.world.start
    assert start is not None
    if family.kind is not ConstructKind.LOCAL or family.is_mixed or family.grows or not 1 < count <= 8:
        return None
    column = family.columns["owner"]
    if column.stride != 1 or len(b.plan.members(start, family)) != count:
        return None
    found: Expression = const(1, I1)
    at = 0
    for kind in (I64, I32, I16, I8):
        if count & kind.size:
            row = int.from_bytes(bytes(range(at, at + kind.size)), "little")
            found = found & Load(address(BLOCK, column.offset + at), kind).eq(row)
            at += kind.size
    return found


def state_of(b: Emitter, type: ConstructType, player: Expression) -> Value:
    """The local (or group) state of a player; a base construct comes before its derived constructs."""
    pay_for_all(b, type.name)
    families = b.plan.families_of(type.name)
    in_order = seats_in_order(b, families[0]) if len(families) == 1 else None
    if in_order is None:
        return _find_state(b, type, player)
    found = b.variable(player, "state")
    with b.when(~(in_order & player.ult(b.world.players)), unlikely=True):
        (other,) = b.run(_search_function(b, type), (player,), (I32,))
        b.set(found, other)
    return Value(type, (found,))


def _search_function(b: Emitter, type: ConstructType) -> str:
    """The function that searches all states for that of a player."""
    unit, name = b.unit, f"state.{type.name}"

    @routine(name, (I32,), gives=(I32,), apart=True)
    def make(b: Emitter, player: Local) -> None:
        b.done(_find_state(b, type, player).only)

    return make(unit)


def _find_state(b: Emitter, type: ConstructType, player: Expression) -> Value:
    rep = b.plan.rep(type)
    found = b.variable(const(-1, rep.kinds[0]), "state")
    for index in b.world.subtypes[type.name]:
        family = b.plan.family_of_kind[index]
        if family.kind not in HAVE_PLAYERS:
            continue
        with b.when(is_no_reference(found)), b.count(b.let(count_of(b, family))) as (number, label):
            owner = b.read_column(family.columns["owner"], number, Basic.PLAYER).only
            if family.kind is ConstructKind.LOCAL:
                mine = owner.eq(player)
            else:
                mine = has(owner, player)
            with b.when(mine & is_one_of(b, family, number, (index,))):
                b.set(found, tagged(b, family, number, rep))
                b.leave(label)
    return Value(type, (found,))


def owner_of(b: Emitter, thing: Value) -> Value:
    """The owner of an instance: of a local state, of the state of a stack, or its attribute `player`."""
    return for_family(
        b, thing, Basic.PLAYER, lambda family, number: Value(Basic.PLAYER, (owner_in(b, family, number),))
    )


def owner_in(b: Emitter, family: Family, number: Expression) -> Expression:
    match family.kind:
        case ConstructKind.LOCAL:
            return b.read_column(family.columns["owner"], number, Basic.PLAYER).only
        case ConstructKind.STACK:
            holder = b.read_column(family.columns["holder"], number, Basic.PLAYER).only
            found = b.variable(const(-1, I32), "owner")
            for keeper, place in cases(b, b.plan.holder_families(), holder):
                b.set(found, owner_in(b, keeper, place))
            return found
        case _:
            pass
    columns: dict[Column, list[int]] = {}
    for kind in family.kinds:
        slot = player_slot(kind)
        if slot is not None:
            columns.setdefault(family.columns[b.plan.column_key(kind, slot)], []).append(kind.index)
    owner = b.variable(const(-1, I32), "owner")
    for column, kinds in columns.items():
        if len(kinds) == len(family.kinds):
            return b.read_column(column, number, Basic.PLAYER).only
        with b.when(is_one_of(b, family, number, tuple(kinds))):
            b.set(owner, b.read_column(column, number, Basic.PLAYER).only)
    return owner if columns else const(-1, I32)


def owners_of(b: Emitter, state: Value) -> Value:
    """The owners of a state, in order."""

    def work(family: Family, number: Expression) -> Value:
        found = Collector(b, Basic.PLAYER, const(b.world.players))
        if "owner" not in family.columns:
            return found.found()
        owner = b.read_column(family.columns["owner"], number, Basic.PLAYER).only
        if family.kind is ConstructKind.LOCAL:
            with b.when(owner >= 0):
                found.add(Value(Basic.PLAYER, (owner,), certain=True))
            return found.found()
        with b.count(const(b.world.players, I32)) as (player, _):
            with b.when(has(owner, player)):
                found.add(Value(Basic.PLAYER, (player,), certain=True))
        return found.found()

    return for_family(b, state, ListType(Basic.PLAYER), work)
