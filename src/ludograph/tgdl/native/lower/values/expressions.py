"""Lowering of expressions: each node becomes statements that evaluate it, and a value in registers."""

from typing import assert_never

from ludograph.tgdl import program as p
from ludograph.tgdl.native.ir.builder import const, select
from ludograph.tgdl.native.ir.nodes import F64, I1, I32, Expression, Local, Op
from ludograph.tgdl.native.layout.representations import Tag
from ludograph.tgdl.native.lower.actions.calls import call_action, named_part
from ludograph.tgdl.native.lower.actions.chance import take_chance
from ludograph.tgdl.native.lower.actions.switches import read_allowed
from ludograph.tgdl.native.lower.board import changing_boards, edits, positions
from ludograph.tgdl.native.lower.board.changing_boards import named_tile
from ludograph.tgdl.native.lower.board.tile_tables import key_at
from ludograph.tgdl.native.lower.emitter import Emitter, Lowering
from ludograph.tgdl.native.lower.list_costs import evaluate_passed
from ludograph.tgdl.native.lower.things import ownership, players, stacks
from ludograph.tgdl.native.lower.things.creation import make_thing
from ludograph.tgdl.native.lower.things.players import is_one_of, state_of
from ludograph.tgdl.native.lower.things.viewers import set_viewers
from ludograph.tgdl.native.lower.unit import Value
from ludograph.tgdl.native.lower.values import lists, numbers
from ludograph.tgdl.native.lower.values.casts import has_type
from ludograph.tgdl.native.lower.values.constants import constant, list_data
from ludograph.tgdl.native.lower.values.evaluation_order import mark_volatile_operands
from ludograph.tgdl.native.lower.values.lists import Collector, detached, make_list, make_table, query
from ludograph.tgdl.native.lower.values.numbers import as_player
from ludograph.tgdl.native.lower.values.references import cases, for_family
from ludograph.tgdl.native.lower.values.targets import mutation
from ludograph.tgdl.native.lower.values.verbs import call_verb
from ludograph.tgdl.program.operations import Operation
from ludograph.tgdl.program.types import Basic, ConstructType, ListType, TableType, Type

LOWERINGS: dict[Operation, Lowering] = {
    **numbers.LOWERINGS,
    **lists.LOWERINGS,
    **changing_boards.LOWERINGS,
    **players.LOWERINGS,
    **stacks.LOWERINGS,
    **ownership.LOWERINGS,
    **positions.LOWERINGS,
    **edits.LOWERINGS,
}
"""The lowering of each operation that an `Apply` can name."""

NUMBERED = {Basic.DECIMAL: Tag.PLAYER, Basic.PLAYER: Tag.DECIMAL}
"""Types whose values stand for each other by number, each with what else an object may hold for it."""


def lower_expression(b: Emitter, node: p.Expression) -> Value:
    mark_volatile_operands(b, node)
    value = _lowered(b, node)
    return detached(b, value) if id(node) in b.volatile else value


def _lowered(b: Emitter, node: p.Expression) -> Value:
    match node:
        case p.Literal():
            return _literal(b, node)
        case p.Variable(slot, _, type):
            return b.keep(b.variable_of(slot, type))
        case p.This():
            assert b.this is not None
            return b.this
        case p.Singleton(construct, type):
            return _singleton(b, construct, type)
        case p.Setting("const", name, type):
            return constant(b.unit, b.world.constants[name], type)
        case p.Setting(_, name, type):
            return constant(b.unit, b.world.options[name], type)
        case p.Ambient("player"):
            return Value(Basic.PLAYER, (b.player,))
        case p.Ambient("phase"):
            return Value(Basic.PHASE, (b.head("phase", I32),))
        case p.Ambient():
            return Value(Basic.PLAYER, (b.head("active", I32),), certain=True)
        case p.NamedTile(group, name, type):
            if b.plan.changes:
                return named_tile(b, node)
            return constant(b.unit, b.world.topology.by_name.get((group, name)), type)
        case p.AttributeOf():
            return _attribute(b, node)
        case p.AllowedOf():
            return read_allowed(b, node)
        case p.NamedPart():
            return named_part(b, node)
        case p.Apply():
            kept = b.known.get(id(node))
            if kept is not None:
                return _kept_position(b, node, *kept)
            return LOWERINGS[node.operation](b, node)
        case p.Logic():
            return _logic(b, node)
        case p.Conditional():
            return _conditional(b, node)
        case p.IsType():
            return _is_type(b, node)
        case p.AsType(target, type):
            return _as_type(b, _cast(b, target, type), type)
        case p.CallVerb():
            return call_verb(b, node)
        case p.CallAction():
            return call_action(b, node)
        case p.Query():
            return query(b, node)
        case p.New():
            return make_thing(b, node)
        case p.MakeList():
            return make_list(b, node)
        case p.MakeTable():
            return make_table(b, node)
        case p.Mutate():
            return mutation(b, node)
        case p.Random():
            return _random(b, node)
        case _:
            assert_never(node)


def _kept_position(
    b: Emitter, node: p.Apply, position: Local, is_paid: Local, cost: Expression | None
) -> Value:
    """A position that is the same for all elements of a query: who needs it first pays."""
    with b.when(~is_paid):
        if cost is not None:
            b.spend(cost)
        else:
            b.set(position, LOWERINGS[node.operation](b, node).only)
        b.set(is_paid, const(1, I1))
    return Value(Basic.POSITION, (b.let(position),), certain=True)


def _literal(b: Emitter, node: p.Literal) -> Value:
    value = node.value
    if value is None:
        return b.none(node.type)
    if isinstance(value, bool):
        return Value(Basic.BOOL, (const(int(value), I32),), certain=True)
    if isinstance(value, str):
        return Value(Basic.STRING, (const(b.unit.string(value), I32),), certain=True)
    kind = b.plan.rep(node.type).kinds[0]
    return Value(node.type, (const(value, kind),), certain=True)


def _singleton(b: Emitter, construct: str, type: Type) -> Value:
    instance = b.world.singletons.get(construct) or b.world.stack_tables.get(construct)
    if instance is None:
        return b.none(type)
    return constant(b.unit, instance, type)


def _attribute(b: Emitter, node: p.AttributeOf) -> Value:
    target = b.expression(node.target)
    if not target.certain and not isinstance(node.target, p.This | p.Singleton):
        b.fault_if(b.is_none(target), "TG0501")
    assert isinstance(target.type, ConstructType)
    if target.type.name not in b.world.kind:
        # What all things of such a kind have.
        return for_family(
            b,
            target,
            node.type,
            lambda family, number: b.read_column(b.plan.column(family.name, node.slot), number, node.type),
        )
    column = b.plan.column(target.type.name, node.slot)
    found = b.read_column(column, target.only, node.type)
    if isinstance(node.type, ListType | TableType):
        return Value(found.type, found.parts, found.certain, held=("attribute", column.offset))
    return found


def _logic(b: Emitter, node: p.Logic) -> Value:
    left = b.condition(node.left)
    result = b.variable(left, "logic")
    if node.operator == "or":
        with b.when(~result):
            b.set(result, b.condition(node.right))
        return b.boolean(result)
    with b.when(result):
        b.set(result, b.condition(node.right))
    return b.boolean(~result) if node.operator == "nand" else b.boolean(result)


def _conditional(b: Emitter, node: p.Conditional) -> Value:
    parts = [b.variable(part, "chosen") for part in b.none(node.type).parts]
    condition = b.variable(b.condition(node.condition), "condition")
    is_certain = True
    for test, branch in ((condition, node.then), (~condition, node.otherwise)):
        with b.when(test):
            value = detached(b, b.coerce(evaluate_passed(b, branch), node.type))
            for local, part in zip(parts, value.parts, strict=True):
                b.set(local, part)
            is_certain = is_certain and value.certain
    return Value(node.type, tuple(b.let(part) for part in parts), certain=is_certain)


def _cast(b: Emitter, target: p.Expression, tested: Type) -> Value:
    """What may be of another type; of a list every element is looked at."""
    return evaluate_passed(b, target) if isinstance(tested, ListType | TableType) else b.expression(target)


def _is_type(b: Emitter, node: p.IsType) -> Value:
    target, tested = _cast(b, node.target, node.tested), node.tested
    there = ~b.is_none(target)
    if target.type is Basic.PLAYER and isinstance(tested, ConstructType):
        result = b.variable(const(0, I1), "has")
        with b.when(there):
            b.set(result, state_of(b, tested, target.only).only >= 0)
        return b.boolean(result)
    return b.boolean(b.let(there & _has_type(b, target, tested)))


def _has_type(b: Emitter, value: Value, type: Type) -> Expression:
    match value.type, type:
        case ConstructType(name), ConstructType(wanted):
            kinds = b.world.subtypes[wanted]
            found = b.variable(const(0, I1), "is")
            with b.when(~b.is_none(value)):
                for family, number in cases(b, b.plan.families_of(name), value.only):
                    b.set(found, is_one_of(b, family, number, kinds))
            return found
        case Basic.OBJECT, _:
            return has_type(b, value, type)
        case Basic(), ConstructType():  # the sum of a list that is empty for sure may be asked for anything
            return const(0, I1)
        case _:
            # The checker lets no other types be asked for than its own and wider ones.
            return const(1, I1)


def _as_type(b: Emitter, value: Value, type: Type) -> Value:
    if value.type == type or value.type is Basic.NONE:
        return b.coerce(value, type)
    if value.type is Basic.PLAYER and type is Basic.DECIMAL:
        found = b.let(b.as_decimal(value.only))
        if not value.certain:
            found = b.let(select(b.is_none(value), b.none(type).only, found))
        return Value(type, (found,), value.certain)
    result = b.holder(type, "cast")
    test = ~b.is_none(value) & _has_type(b, value, type)
    with b.when(test):
        b.assign(result, value)
    if value.type is Basic.OBJECT and type in NUMBERED:
        tag, low, _ = value.parts
        other = NUMBERED[type]
        with b.when(tag.eq(other)):
            number = Value(Basic.DECIMAL, (b.let(Op("bitcast", (low,), F64)),), certain=True)
            b.assign(result, b.number(b.as_decimal(low)) if other is Tag.PLAYER else as_player(b, number))
    return result


# Chance


def _random(b: Emitter, node: p.Random) -> Value:
    if node.bound is not None:
        bound = b.coerce(b.value(node.bound), Basic.DECIMAL)
        count = b.let(b.as_whole(bound.only))
        inside = (bound.only >= 1.0) & (bound.only <= 1e6)
        b.fault_if(~inside, "TG0511")
        set_viewers(b, node)
        chosen = take_chance(b, count, None, Basic.DECIMAL)
        return b.number(chosen)
    assert node.weights is not None and isinstance(node.weights.type, TableType)
    weights = b.value(node.weights)
    return _weighted(b, node, weights, node.type)


def _weighted(b: Emitter, node: p.Random, weights: Value, type: Type) -> Value:
    """A key of a table, as likely as its weight."""
    assert isinstance(weights.type, TableType)
    keys: Value | None = None
    name = weights.type.key.name if isinstance(weights.type.key, ConstructType) else ""
    count = b.as_list(weights).parts[1]
    if b.plan.is_growing(weights.type):
        found = Collector(b, type, count)
        with b.count(count) as (at, _):
            found.add(b.coerce(key_at(b, name, at), type))
        keys = found.found()
    elif name:
        tiles = sorted(b.world.key_index[name], key=lambda tile: tile.number)
        keys = Value(ListType(type), (list_data(b.unit, tiles, type), const(len(tiles))), certain=True)
    # A weight of none counts as none at all, as zero does.
    row = b.allocate(b.let(count * 8))
    total = b.variable(const(0), "total")
    with b.count(count) as (at, _):
        weight = b.read(weights.only, at * 8, Basic.DECIMAL)
        is_none = b.let(b.is_none(weight))
        whole = b.let(b.as_whole(b.let(select(is_none, const(0.0, F64), weight.only))))
        exact = b.as_decimal(whole).eq(weight.only)
        fits = exact & whole.ule(1 << 53)
        b.fault_if(~is_none & ~fits, "TG0511")
        b.store(row, b.let(at * 8), whole)
        b.set(total, total + whole)
    b.fault_if(total.eq(0), "TG0511")
    set_viewers(b, node)
    chosen = take_chance(b, count, row, type, values=keys)
    return Value(type, (chosen,), certain=True)
