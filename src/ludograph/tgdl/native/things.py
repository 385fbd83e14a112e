"""Players, states and pieces, lowered."""

from ludograph.tgdl.interpreter.instances import player_slot
from ludograph.tgdl.library import Operation
from ludograph.tgdl.native.code import binary, compare, const, either, negate, select, widen
from ludograph.tgdl.native.constants import list_data
from ludograph.tgdl.native.ir import I1, I32, I64, Expression, Op
from ludograph.tgdl.native.lists import Collector
from ludograph.tgdl.native.plan import Family
from ludograph.tgdl.native.unit import BLOCK, Body, Unsupported, Value
from ludograph.tgdl.program import Apply, ConstructKind
from ludograph.tgdl.types import Basic, ConstructType, EnumType, ListType


def lower_thing(b: Body, node: Apply) -> Value | None:
    """An operation on players, states and pieces; None if it is another kind."""
    count = b.world.players
    match node.operation:
        case Operation.PLAYERS_ALL:
            data = list_data(b.unit, tuple(range(count)), Basic.PLAYER)
            return Value(node.type, (data, const(count)), certain=True)
        case Operation.PLAYERS_COUNT:
            return b.number(float(count))
        case Operation.PLAYERS_ACTIVE:
            return Value(Basic.PLAYER, (b.head("active", I32),), certain=True)
        case Operation.PLAYERS_IN:
            return _players_in(b)
        case Operation.PLAYERS_NEXT:
            return _next_player(b, b.value(node.operands[0]))
        case Operation.MEMBERS:
            assert isinstance(node.type, ListType) and isinstance(node.type.element, EnumType)
            members = b.world.members[node.type.element.name]
            return Value(
                node.type, (list_data(b.unit, members, node.type.element), const(len(members))), certain=True
            )
        case Operation.INSTANCES:
            assert isinstance(node.type, ListType) and isinstance(node.type.element, ConstructType)
            return in_play(b, node.type.element)
        case Operation.STATE_OF:
            assert isinstance(node.type, ConstructType)
            return state_of(b, node.type, b.value(node.operands[-1]).only)
        case Operation.OWNER:
            return owner_of(b, b.value(node.operands[0]))
        case Operation.HELD:
            assert isinstance(node.type, ConstructType)
            return held_on(b, b.value(node.operands[0]), node.type)
        case Operation.TILE_OF | Operation.STACK_OF:
            assert isinstance(node.type, ConstructType)
            return place_of(b, b.value(node.operands[0]), node.type)
        case Operation.BOARD_OF:
            return Value(node.type, (const(0, b.plan.rep(node.type).kinds[0]),), certain=True)
        case _:
            return None


# Players


def is_out(b: Body, player: Expression) -> Expression:
    """Whether a player is out."""
    bit = Op("lshr", (b.head("out", I64), widen(player, I64)), I64)
    return compare("ne", Op("and", (bit, const(1)), I64), 0)


def _players_in(b: Body) -> Value:
    found = Collector(b, Basic.PLAYER, const(b.world.players))
    with b.count(const(b.world.players, I32)) as (player, _):
        with b.when(negate(is_out(b, player))):
            found.add(Value(Basic.PLAYER, (player,), certain=True))
    return found.found()


def _next_player(b: Body, start: Value) -> Value:
    found = b.variable(start.only, "following")
    with b.count(const(b.world.players, I32)) as (_, label):
        b.set(found, wrapped(b, binary("add", found, 1)))
        with b.when(negate(is_out(b, found))):
            b.leave(label)
    return Value(Basic.PLAYER, (found,), certain=True)


def wrapped(b: Body, player: Expression) -> Expression:
    """A number from 0 to twice the players, less one round."""
    count = b.world.players
    player = b.let(player)
    return select(compare("sge", player, count), binary("sub", player, count), player)


# Families


def count_of(b: Body, family: Family) -> Expression:
    """How many things a family has now."""
    if not family.grows:
        assert b.world.start is not None
        return const(len(b.plan.members(b.world.start, family)), I32)
    return b.load(BLOCK, family.count_at, I32)


def kind_of(b: Body, family: Family, number: Expression) -> Expression:
    """The construct of a thing."""
    if not family.is_mixed:
        return const(family.kinds[0].index, I32)
    return b.read_column(family.columns["kind"], number, Basic.PLAYER).only


def is_one_of(b: Body, family: Family, number: Expression, kinds: tuple[int, ...]) -> Expression:
    """Whether a thing is of one of some constructs."""
    own = tuple(kind.index for kind in family.kinds)
    wanted = [kind for kind in own if kind in kinds]
    if len(wanted) == len(own):
        return const(1, I1)
    if not wanted:
        return const(0, I1)
    kind = kind_of(b, family, number)
    found: Expression = compare("eq", kind, wanted[0])
    for each in wanted[1:]:
        found = either(found, compare("eq", kind, each))
    return found


def is_present(b: Body, family: Family, number: Expression) -> Expression:
    """Whether a thing is in play."""
    match family.kind:
        case ConstructKind.INTERACTABLE:
            rep = b.plan.rep_of_place()
            place = b.read_column(family.columns["place"], number, Basic.PLAYER)
            return compare("ne", place.only, int(rep.none[0]))
        case ConstructKind.LOCAL:
            return compare("sge", b.read_column(family.columns["owner"], number, Basic.PLAYER).only, 0)
        case _:
            return const(1, I1)


def in_play(b: Body, type: ConstructType) -> Value:
    """The things of a construct that are in play, in order of creation."""
    families = b.plan.families_of(type.name)
    kinds = b.world.lineage[type.name] or tuple(kind.index for family in families for kind in family.kinds)
    if len(families) != 1:
        raise Unsupported("all things of several families")
    family = families[0]
    is_fixed = family.kind in (
        ConstructKind.TILE,
        ConstructKind.GLOBAL,
        ConstructKind.STACK,
        ConstructKind.GROUP,
    )
    if is_fixed and not family.grows and not b.world.changes:
        assert b.world.start is not None
        members = [each for each in b.plan.members(b.world.start, family) if each.kind.index in kinds]
        data = list_data(b.unit, members, type)
        return Value(ListType(type), (data, const(len(members))), certain=True)
    count = b.let(count_of(b, family))
    found = Collector(b, type, widen(count, I64))
    with b.count(count) as (number, _):
        passes = Op("and", (is_one_of(b, family, number, kinds), is_present(b, family, number)), I1)
        with b.when(passes):
            found.add(Value(type, (number,), certain=True))
    return found.found()


def state_of(b: Body, type: ConstructType, player: Expression) -> Value:
    """A player's local (or group) state of a construct."""
    family = b.plan.family(type.name)
    kinds = b.world.lineage[type.name]
    found = b.variable(const(-1, I32), "state")
    with b.count(b.let(count_of(b, family))) as (number, label):
        owner = b.read_column(family.columns["owner"], number, Basic.PLAYER).only
        if family.kind is ConstructKind.LOCAL:
            mine = compare("eq", owner, player)
        else:
            bit = Op("lshr", (owner, widen(player, I64)), I64)
            mine = compare("ne", Op("and", (bit, const(1)), I64), 0)
        with b.when(Op("and", (mine, is_one_of(b, family, number, kinds)), I1)):
            b.set(found, number)
            b.leave(label)
    return Value(type, (found,))


def owner_of(b: Body, thing: Value) -> Value:
    """The player of a thing: a local state's, that of a stack's state, or its attribute `player`."""
    assert isinstance(thing.type, ConstructType)
    families = b.plan.families_of(thing.type.name)
    if len(families) != 1:
        raise Unsupported("the owner of a thing of several families")
    return Value(Basic.PLAYER, (owner_in(b, families[0], thing.only),))


def owner_in(b: Body, family: Family, number: Expression) -> Expression:
    match family.kind:
        case ConstructKind.LOCAL:
            return b.read_column(family.columns["owner"], number, Basic.PLAYER).only
        case ConstructKind.STACK:
            raise Unsupported("stacks")
        case _:
            pass
    slots = {kind.index: player_slot(kind) for kind in family.kinds}
    if all(slot is None for slot in slots.values()):
        return const(-1, I32)
    if len({(b.plan.column_key(kind, slots[kind.index] or 0)) for kind in family.kinds}) > 1:
        raise Unsupported("players of derived constructs")
    slot = next(iter(slots.values()))
    assert slot is not None
    column = family.columns[b.plan.column_key(family.kinds[0], slot)]
    return b.read_column(column, number, Basic.PLAYER).only


# Pieces


def held_on(b: Body, tile: Value, type: ConstructType) -> Value:
    """The first piece of a kind on a tile."""
    assert isinstance(tile.type, ConstructType)
    families = b.plan.families_of(tile.type.name)
    if len(families) != 1:
        raise Unsupported("pieces on tiles of several families")
    family = families[0]
    pieces = b.plan.families_of("placeable")
    if not pieces:
        return b.none(type)
    first = b.read_column(family.columns["first"], tile.only, Basic.PLAYER).only
    kinds = b.world.lineage[type.name]
    if b.plan.single_held is not None:
        own = tuple(kind.index for kind in b.plan.single_held.kinds)
        if all(kind in kinds for kind in own):
            return Value(type, (first,))
    if len(pieces) != 1:
        raise Unsupported("pieces of several families")
    found = b.variable(first, "piece")
    with b.loop() as label:
        with b.when(compare("slt", found, 0)):
            b.leave(label)
        with b.when(is_one_of(b, pieces[0], found, kinds)):
            b.leave(label)
        if b.plan.single_held is not None:
            b.set(found, const(-1, I32))
        else:
            b.set(found, b.read_column(pieces[0].columns["next"], found, Basic.PLAYER).only)
    return Value(type, (found,))


def place_of(b: Body, piece: Value, type: ConstructType) -> Value:
    """The tile (or stack) that a piece lies on."""
    assert isinstance(piece.type, ConstructType)
    families = b.plan.families_of(piece.type.name)
    if len(families) != 1:
        raise Unsupported("the place of a piece of several families")
    places, wanted = b.plan.place_families(), b.plan.families_of(type.name)
    found = b.read_column(families[0].columns["place"], piece.only, Basic.PLAYER).only
    if len(places) == 1:
        return Value(type, (found,)) if places == wanted else b.none(type)
    index = b.let(binary("lshr", found, 32))
    is_wanted: Expression = const(0, I1)
    for family in wanted:
        is_wanted = either(is_wanted, compare("eq", index, family.index))
    rep = b.plan.rep(type)
    if rep.shape == "wide":
        return Value(type, (b.let(select(is_wanted, found, const(-1))),))
    return Value(type, (b.let(select(is_wanted, widen(found, I32), const(-1, I32))),))


def put_piece(b: Body, piece: Value, tile: Value | None) -> None:
    """Lift a piece from its tile and, if there is one, put it on another."""
    family = b.family_of(piece)
    number = piece.only
    if b.plan.single_held is None or len(b.plan.place_families()) != 1:
        raise Unsupported("tiles for several pieces")
    tiles = b.plan.place_families()[0]
    place, first = family.columns["place"], tiles.columns["first"]
    old = b.read_column(place, number, Basic.PLAYER).only
    with b.when(compare("sge", old, 0)):
        b.write_column(first, old, Value(Basic.PLAYER, (const(-1, I32),)))
        b.write_column(place, number, Value(Basic.PLAYER, (const(-1, I32),)))
    if tile is None:
        return
    to = tile.only
    with b.when(compare("sge", to, 0)):
        there = b.read_column(first, to, Basic.PLAYER).only
        b.fault_if(compare("sge", there, 0), "TG0509")
        b.write_column(first, to, Value(Basic.PLAYER, (number,)))
        b.write_column(place, number, Value(Basic.PLAYER, (to,)))
