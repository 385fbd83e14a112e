"""Lowering of arithmetic, comparison and logic. None is a NaN, so one test of the result finds it."""

from collections.abc import Callable

from ludograph.tgdl.native.ir import builder as build
from ludograph.tgdl.native.ir.builder import const, intrinsic, select, widen
from ludograph.tgdl.native.ir.nodes import F64, I1, I32, I64, Expression, Local, Op, compare
from ludograph.tgdl.native.lower.emitter import Emitter, Lowering
from ludograph.tgdl.native.lower.fuel import pay, times
from ludograph.tgdl.native.lower.unit import CompilationUnit, Value, emitted
from ludograph.tgdl.native.lower.values.objects import box, pay_for_pair, same_objects
from ludograph.tgdl.program import Apply
from ludograph.tgdl.program.operations import Operation
from ludograph.tgdl.program.types import Basic, ConstructType, ListType, TableType
from ludograph.tgdl.world.fuel import GENERAL
from ludograph.tgdl.world.values import are_alike, element_of, is_compound, is_flat

COMPARISON = {
    Operation.LESS: ("olt", "slt"),
    Operation.GREATER: ("ogt", "sgt"),
    Operation.LESS_OR_EQUAL: ("ole", "sle"),
    Operation.GREATER_OR_EQUAL: ("oge", "sge"),
}
UNARY: dict[Operation, Callable[[Expression], Expression]] = {
    Operation.NEGATE: lambda part: const(0.0, F64) - part,
    Operation.FLOOR: lambda part: intrinsic("floor", part),
    Operation.CEIL: lambda part: intrinsic("ceil", part),
    Operation.ABS: lambda part: intrinsic("fabs", part),
    Operation.ROUND: lambda part: intrinsic("floor", part + 0.5),
}


def _arithmetic(b: Emitter, node: Apply) -> Value:
    left, right = _operands(b, node)
    return combine(b, node.operation, left, right)


def _compare(b: Emitter, node: Apply) -> Value:
    left, right = _operands(b, node)
    return _comparison(b, node.operation, left, right)


def _equal(b: Emitter, node: Apply) -> Value:
    left, right = (b.expression(each) for each in node.operands)
    return b.boolean(b.let(equal(b, left, right)))


def _is_none(b: Emitter, node: Apply) -> Value:
    return b.boolean(b.let(b.is_none(b.expression(node.operands[0]))))


def _not(b: Emitter, node: Apply) -> Value:
    return b.boolean(b.let(~b.condition(node.operands[0])))


def _xor(b: Emitter, node: Apply) -> Value:
    first = b.condition(node.operands[0])
    return b.boolean(b.let(first ^ b.condition(node.operands[1])))


def _as_number(b: Emitter, node: Apply) -> Value:
    value = b.expression(node.operands[0])
    if not value.certain:
        b.fault_if(b.is_none(value), "TG0501")
    return b.number(b.let(b.as_decimal(value.only)))


def _as_player(b: Emitter, node: Apply) -> Value:
    return as_player(b, b.expression(node.operands[0]))


def _operands(b: Emitter, node: Apply) -> list[Value]:
    """The operands; the literal `none` gets the type of the others."""
    values = [b.expression(each) for each in node.operands]
    type = next((value.type for value in values if value.type is not Basic.NONE), Basic.DECIMAL)
    return [b.none(type) if value.type is Basic.NONE else value for value in values]


def combine(b: Emitter, operation: Operation, left: Value, right: Value) -> Value:
    """An arithmetic operation; none, division by zero and overflow are faults."""
    result = ARITHMETIC[operation](b, left, right)
    spread = result - result
    with b.when(spread.is_nan(), unlikely=True):
        _require_numbers(b, left, right)
        b.fault("TG0503")
    return b.number(result)


def _add(b: Emitter, left: Value, right: Value) -> Expression:
    return b.let(left.only + right.only)


def _subtract(b: Emitter, left: Value, right: Value) -> Expression:
    return b.let(left.only - right.only)


def _multiply(b: Emitter, left: Value, right: Value) -> Expression:
    return b.let(left.only * right.only + 0.0)


def _divide(b: Emitter, left: Value, right: Value) -> Expression:
    _require_divisor(b, left, right)
    return b.let(left.only / right.only + 0.0)


def _power(b: Emitter, left: Value, right: Value) -> Expression:
    _require_numbers(b, left, right)
    return b.let(intrinsic("pow", left.only, right.only) + 0.0)


def _modulo(b: Emitter, left: Value, right: Value) -> Expression:
    _require_divisor(b, left, right)
    (result,) = b.call(need_modulo(b.unit), (left.only, right.only), (F64,))
    return result


def _require_divisor(b: Emitter, left: Value, right: Value) -> None:
    _require_numbers(b, left, right)
    b.fault_if(right.only.eq(0.0), "TG0502")


ARITHMETIC: dict[Operation, Callable[[Emitter, Value, Value], Expression]] = {
    Operation.ADD: _add,
    Operation.SUBTRACT: _subtract,
    Operation.MULTIPLY: _multiply,
    Operation.DIVIDE: _divide,
    Operation.POWER: _power,
    Operation.MODULO: _modulo,
}
"""The code of each operation; the caller tests the result."""


def _require_numbers(b: Emitter, *values: Value) -> None:
    for value in values:
        if not value.certain:
            b.fault_if(b.is_none(value), "TG0501")


@emitted("modulo")
def need_modulo(unit: CompilationUnit) -> None:
    """The function for the remainder with the sign of the divisor."""
    a, d = Local("a", F64), Local("d", F64)
    code = build.FunctionBuilder(unit.module, "modulo", (a, d), (F64,))
    whole_a = code.let(Op("fptosi", (a,), I64))
    whole_d = code.let(Op("fptosi", (d,), I64))
    exact = Op("sitofp", (whole_a,), F64).eq(a) & Op("sitofp", (whole_d,), F64).eq(d)
    small = _is_small(whole_a) & _is_small(whole_d)
    with code.when(exact & small):
        left = code.let(Op("srem", (whole_a, whole_d), I64))
        wrong = left.ne(0) & (left ^ whole_d < 0)
        code.give(Op("sitofp", (select(wrong, left + whole_d, left),), F64))
    rest = code.let(Op("frem", (a, d), F64))
    differs = (rest < 0.0) ^ (d < 0.0)
    wrong = rest.ne(0.0) & differs
    code.give(select(wrong, rest + d, rest) + 0.0)
    code.finish()


def _is_small(value: Expression) -> Expression:
    return (value + (1 << 52)).ult(1 << 53)


def _comparison(b: Emitter, operation: Operation, left: Value, right: Value) -> Value:
    if Basic.NONE in (left.type, right.type):
        b.fault_if(const(1, I1), "TG0501")
        return b.boolean(const(0, I1))
    _require_numbers(b, left, right)
    floating, whole = COMPARISON[operation]
    name = floating if left.only.kind is F64 else whole
    return b.boolean(b.let(Op(name, (left.only, right.only), I1)))


def _unary(b: Emitter, node: Apply) -> Value:
    (value,) = _operands(b, node)
    _require_numbers(b, value)
    found = UNARY[node.operation](value.only)
    return b.number(b.let(found + 0.0))


def equal(b: Emitter, left: Value, right: Value) -> Expression:
    """`==` of two values: none equals nothing."""
    if left.type is Basic.NONE or right.type is Basic.NONE:
        return const(0, I1)
    if Basic.OBJECT in (left.type, right.type):
        return same_objects(b, left, right)
    if isinstance(left.type, ListType | TableType) or isinstance(right.type, ListType | TableType):
        return _equal_lists(b, left, right)
    left, right = alike(b, left, right)
    if left.only.kind is F64 and right.only.kind is F64:
        return left.only.eq(right.only)
    if F64 in (left.only.kind, right.only.kind):  # a player and a number
        number, other = (left, right) if left.only.kind is F64 else (right, left)
        same: Expression = number.only.eq(b.as_decimal(other.only))
        return same if other.certain else same & ~b.is_none(other)
    same = left.only.eq(right.only)
    if left.certain or right.certain:
        return same
    return same & ~b.is_none(left)


def equal_inside(b: Emitter, left: Value, right: Value, *, is_general: bool = False) -> Expression:
    """`==` of an element and a value: a pair of lists costs one more.

    `is_general`: the reference engine compares the elements one by one, which costs more.
    """
    if not is_compound(left.type) or not is_compound(right.type):
        return equal(b, left, right)
    if Basic.OBJECT in (left.type, right.type):
        left, right = b.keep(box(b, left)), b.keep(box(b, right))
        pay_for_pair(b, left, right)
        return same_objects(b, left, right)
    with b.when(~(b.is_none(left) | b.is_none(right))):
        b.spend(1)
    return _equal_lists(b, left, right, is_general=is_general)


def alike(b: Emitter, left: Value, right: Value) -> tuple[Value, Value]:
    """Two instances in one representation."""
    if isinstance(left.type, ConstructType) and isinstance(right.type, ConstructType):
        mine, other = b.plan.rep(left.type), b.plan.rep(right.type)
        if mine.shape != other.shape:
            wide = left.type if mine.shape == "wide" else right.type
            return b.as_thing(left, wide), b.as_thing(right, wide)
        if mine.shape == "small" and b.family_of(left) is not b.family_of(right):
            # Never equal: numbers that no instance has.
            return Value(left.type, (const(-2, I32),), certain=True), Value(left.type, (const(-3, I32),))
    return left, right


def _equal_lists(b: Emitter, left: Value, right: Value, *, is_general: bool = False) -> Expression:
    is_plain = is_flat(left.type) and is_flat(right.type)
    is_general |= not is_plain or not are_alike(element_of(left.type), element_of(right.type))
    first, second = b.as_list(left), b.as_list(right)
    assert isinstance(first.type, ListType) and isinstance(second.type, ListType)
    result = b.variable(const(0, I1), "same")
    there = ~b.is_none(first) & ~b.is_none(second)
    with b.when(first.parts[1].eq(second.parts[1]) & there):
        b.set(result, const(1, I1))
        pay(b, times(b, first.parts[1], GENERAL if is_general else 1))
        item, other = b.plan.rep(first.type.element), b.plan.rep(second.type.element)
        with b.count(first.parts[1]) as (at, label):
            one = b.read(first.parts[0], b.let(at * item.size), first.type.element)
            two = b.read(second.parts[0], b.let(at * other.size), second.type.element)
            with b.when(~equal_inside(b, one, two, is_general=is_general)):
                b.set(result, const(0, I1))
                b.leave(label)
    return result


def as_player(b: Emitter, value: Value) -> Value:
    """A number as a player, modulo the number of players."""
    count = b.world.players
    player = widen(b.wrapped(value.only, count), I32)
    if not value.certain:
        player = select(b.is_none(value), const(-1, I32), player)
    return Value(Basic.PLAYER, (b.let(player),), value.certain)


def _extreme(b: Emitter, node: Apply) -> Value:
    values = _operands(b, node)
    _require_numbers(b, *values)
    best = values[0].only
    is_least = node.operation is Operation.LEAST
    for value in values[1:]:
        if value.only.kind is F64:
            better: Expression = Op("olt" if is_least else "ogt", (value.only, best), I1)
        else:
            better = compare("slt" if is_least else "sgt", value.only, best)
        best = b.let(select(better, value.only, best))
    return Value(node.type, (best,), certain=True)


LOWERINGS: dict[Operation, Lowering] = {
    **dict.fromkeys(ARITHMETIC, _arithmetic),
    **dict.fromkeys(COMPARISON, _compare),
    **dict.fromkeys(UNARY, _unary),
    Operation.EQUAL: _equal,
    Operation.IS_NONE: _is_none,
    Operation.NOT: _not,
    Operation.XOR: _xor,
    Operation.AS_NUMBER: _as_number,
    Operation.AS_PLAYER: _as_player,
    Operation.LEAST: _extreme,
    Operation.GREATEST: _extreme,
}
