"""Operators: numbers and players, comparison, equality, logic, `is` and `as`."""

from ludograph.text import Span
from ludograph.tgdl import program as p
from ludograph.tgdl.check.bodies.conversions import (
    boolean,
    convert,
    fits,
    join,
    maybe_convert,
    member_for,
    type_of_name,
)
from ludograph.tgdl.check.bodies.player_arithmetic import warn_of_wrapping
from ludograph.tgdl.check.scopes import Context
from ludograph.tgdl.check.symbols import STATES
from ludograph.tgdl.program.operations import ARITHMETIC, COMPARISON, Operation
from ludograph.tgdl.program.types import Basic, ConstructType, EnumType, ListType, TableType, Type, describe
from ludograph.tgdl.syntax import tree
from ludograph.tgdl.syntax.traversal import walk

JOINING = 'strings cannot be concatenated; a message can contain expressions: fail "{n} is too few";'
# If more turns than this have a phase, the program must name the turn: a comparison would test them all.
MAX_NAMESAKES = 20
# Expressions that do more than read: they are evaluated even if their value is not used.
ACTIVE = (p.CallVerb, p.CallAction, p.New, p.Random, p.Mutate)


def unary(context: Context, node: tree.Unary, wanted: Type | None) -> p.Expression:
    if node.operator is tree.UnaryOperator.NOT:
        return p.Apply(Operation.NOT, (boolean(context, node.value),), Basic.BOOL, node.span)
    value = context.expression(node.value)
    if node.operator is tree.UnaryOperator.PLUS:
        return _as_operand(context, value, node.operator.value)
    if value.type is Basic.PLAYER:
        negated = p.Apply(Operation.NEGATE, (_as_number(value),), Basic.DECIMAL, node.span)
        return p.Apply(Operation.AS_PLAYER, (negated,), Basic.PLAYER, node.span)
    operand = _as_operand(context, value, node.operator.value)
    return p.Apply(Operation.NEGATE, (operand,), _numeric(operand.type), node.span)


def binary(context: Context, node: tree.Binary) -> p.Expression:
    operator = node.operator
    if operator.value in ARITHMETIC:
        left, right = context.expression(node.left), context.expression(node.right)
        return arithmetic(context, ARITHMETIC[operator.value], left, right, node.span)
    if operator.value in COMPARISON:
        left, right = _pair(context, node)
        return _comparison(context, node, left, right)
    match operator:
        case tree.BinaryOperator.EQUAL:
            return _equality(context, node)
        case tree.BinaryOperator.UNEQUAL:
            return p.Apply(Operation.NOT, (_equality(context, node),), Basic.BOOL, node.span)
        case tree.BinaryOperator.XOR:
            operands = (boolean(context, node.left), boolean(context, node.right))
            return p.Apply(Operation.XOR, operands, Basic.BOOL, node.span)
        case tree.BinaryOperator.AND:
            return p.Logic(
                "and", boolean(context, node.left), boolean(context, node.right), Basic.BOOL, node.span
            )
        case tree.BinaryOperator.OR:
            return p.Logic(
                "or", boolean(context, node.left), boolean(context, node.right), Basic.BOOL, node.span
            )
        case _:
            return p.Logic(
                "nand", boolean(context, node.left), boolean(context, node.right), Basic.BOOL, node.span
            )


def arithmetic(
    context: Context, operation: Operation, left: p.Expression, right: p.Expression, span: Span
) -> p.Expression:
    """Arithmetic. The result is a number; with a player operand it is a player and wraps around."""
    sign = operation.facts.symbol
    first, second = _operands(context, left, right, sign)
    unknown = Basic.UNKNOWN in (first.type, second.type)
    if unknown or Basic.PLAYER not in (first.type, second.type):
        type = Basic.UNKNOWN if unknown else Basic.DECIMAL
        return p.Apply(operation, (first, second), type, span)
    if not operation.facts.is_step:
        message = f"'{sign}' with a player returns a player and wraps around at the number of players"
        context.warn("TG0408", message, span, "write `(p as decimal)` for the player's plain number")
    result = p.Apply(operation, (_as_number(first), _as_number(second)), Basic.DECIMAL, span)
    return p.Apply(Operation.AS_PLAYER, (result,), Basic.PLAYER, span)


def _operands(
    context: Context, left: p.Expression, right: p.Expression, sign: str
) -> tuple[p.Expression, p.Expression]:
    """Two numeric operands. If both have the same wrong type, report it once."""
    first = _as_operand(context, left, sign, right)
    if first.type is Basic.UNKNOWN and left.type == right.type:
        return first, context.unknown(right.span)
    return first, _as_operand(context, right, sign, left)


def _as_operand(
    context: Context, value: p.Expression, sign: str, other: p.Expression | None = None
) -> p.Expression:
    """A numeric operand; an error also shows the other operand."""
    if value.type in (Basic.DECIMAL, Basic.PLAYER, Basic.UNKNOWN):
        context.require_value(value)
        return value
    if value.type is Basic.NONE:
        context.warn(
            "TG0409", f"none is an operand of '{sign}': this is an error when the game runs", value.span
        )
        return value
    if value.type is Basic.NOTHING:
        return context.error_value(
            "TG0325", f"'{sign}' needs a decimal, but this expression has no value", value.span
        )
    message = f"'{sign}' takes decimals, found {describe(value.type)}"
    if isinstance(value, p.Apply) and value.operation in COMPARISON.values() and sign in COMPARISON:
        return context.error_value("TG0311", message, value.span, "compare twice: `a < b and b < c`")
    hint = JOINING if value.type is Basic.STRING and sign == "+" else ""
    if other is None or other.type in (value.type, Basic.UNKNOWN):
        return context.error_value("TG0311", message, value.span, hint)
    notes = ((other.span, f"this is {describe(other.type)}"),)
    return context.error_value("TG0311", message, value.span, hint, notes)


def _as_number(value: p.Expression) -> p.Expression:
    if value.type is not Basic.PLAYER:
        return value
    return p.Apply(Operation.AS_NUMBER, (value,), Basic.DECIMAL, value.span)


def _numeric(type: Type) -> Type:
    return Basic.UNKNOWN if type is Basic.UNKNOWN else Basic.DECIMAL


def _pair(context: Context, node: tree.Binary) -> tuple[p.Expression, p.Expression]:
    """Both operands. An operand that needs the type of the other (enum member, phase) is checked second."""
    if _is_bare(node.left) and not _is_bare(node.right):
        right = context.expression(node.right)
        return context.expression(node.left, right.type), right
    if isinstance(node.left, tree.Name) and context.local(node.left.text) is None:
        is_phase = node.left.text in context.world.phases
        if isinstance(node.right, tree.Name) and is_phase:
            right = context.expression(node.right)
            return context.expression(node.left, right.type), right
    left = context.expression(node.left)
    return left, context.expression(node.right, left.type)


def _is_bare(node: tree.Expression) -> bool:
    return isinstance(node, tree.Name | tree.ListLiteral | tree.NoneValue) and not (
        isinstance(node, tree.Name) and node.text in ("phase", "player")
    )


def _comparison(context: Context, node: tree.Binary, left: p.Expression, right: p.Expression) -> p.Expression:
    operation = COMPARISON[node.operator.value]
    if isinstance(left.type, EnumType) and left.type == right.type:
        return p.Apply(operation, (left, right), Basic.BOOL, node.span)
    for side, other in ((left, right), (right, left)):
        if isinstance(side.type, EnumType) and other.type not in (Basic.UNKNOWN, Basic.NONE):
            message = (
                f"'{node.operator.value}' compares two decimals or two members of one enum, "
                f"found {describe(left.type)} and {describe(right.type)}"
            )
            return context.error_value("TG0311", message, node.span)
    if isinstance(left.type, EnumType) or isinstance(right.type, EnumType):
        return p.Apply(operation, (left, right), Basic.BOOL, node.span)
    for side, other in ((left, right), (right, left)):
        if side.type is Basic.PLAYER and other.type is Basic.DECIMAL:
            warn_of_wrapping(context, side)
    first, second = _operands(context, left, right, node.operator.value)
    return p.Apply(operation, (_as_number(first), _as_number(second)), Basic.BOOL, node.span)


def _equality(context: Context, node: tree.Binary) -> p.Expression:
    match node.left, node.right:
        case tree.NoneValue(), tree.NoneValue():
            return p.Literal(True, Basic.BOOL, node.span)
        case tree.NoneValue(), other:
            return p.Apply(Operation.IS_NONE, (_some_value(context, other),), Basic.BOOL, node.span)
        case other, tree.NoneValue():
            return p.Apply(Operation.IS_NONE, (_some_value(context, other),), Basic.BOOL, node.span)
        case _:
            several = _phase_of_several(context, node)
            if several is not None:
                return several
            left, right = _pair(context, node)
    for side in (left, right):
        if side.type is Basic.NOTHING:
            return context.error_value("TG0325", "this expression has no value to compare", side.span)
    if not _comparable(context, left.type, right.type):
        message = f"{describe(left.type)} and {describe(right.type)} are never equal"
        notes = (
            (left.span, f"this is {describe(left.type)}"),
            (right.span, f"this is {describe(right.type)}"),
        )
        world = context.world
        hint = member_for(world, left, right.type) or member_for(world, right, left.type)
        return context.error_value("TG0312", message, node.span, hint, notes)
    return p.Apply(Operation.EQUAL, (left, right), Basic.BOOL, node.span)


def _phase_of_several(context: Context, node: tree.Binary) -> p.Expression | None:
    """`phase == build` if several turns have such a phase: any of them matches."""
    for current, other in ((node.left, node.right), (node.right, node.left)):
        if not (isinstance(current, tree.Name) and current.text == "phase" and isinstance(other, tree.Name)):
            continue
        phases = context.world.phases.get(other.text, [])
        is_own = any(facts.turn == context.turn for facts in phases)
        if not 2 <= len(phases) <= MAX_NAMESAKES or is_own or context.local(other.text) is not None:
            continue
        value = context.expression(current)
        every = _phases_named(context, other)
        return p.Apply(Operation.CONTAINS, (every, value), Basic.BOOL, node.span)
    return None


def _phases_named(context: Context, node: tree.Name) -> p.Expression:
    """All phases with a name, as a list."""
    world, text = context.world, node.text
    if text not in world.phase_lists:
        literals = []
        for facts in world.phases[text]:
            facts.used = True
            literals.append(p.Literal(world.phase_number(facts.turn, facts.name), Basic.PHASE, node.span))
        world.phase_lists[text] = p.MakeList(tuple(literals), ListType(Basic.PHASE), node.span)
    return world.phase_lists[text]


def _some_value(context: Context, node: tree.Expression) -> p.Expression:
    value = context.expression(node)
    if value.type is Basic.NOTHING:
        return context.error_value("TG0325", "this expression has no value to compare", value.span)
    return value


def _comparable(context: Context, first: Type, second: Type) -> bool:
    world = context.world
    if fits(world, first, second) or fits(world, second, first):
        return True
    match first, second:
        case (Basic.DECIMAL | Basic.PLAYER, Basic.DECIMAL | Basic.PLAYER):
            return True
        case ConstructType(one), ConstructType(other):
            return one not in world.constructs or other not in world.constructs
        case (ListType(one), ListType(other)) | (TableType(_, one), TableType(_, other)):
            return _comparable(context, one, other)
        case _:
            return False


def conditional(context: Context, node: tree.Conditional, wanted: Type | None) -> p.Expression:
    condition = boolean(context, node.condition)
    then, otherwise = context.expression(node.then, wanted), context.expression(node.otherwise, wanted)
    for value in (then, otherwise):
        if value.type is Basic.NOTHING:
            return context.error_value("TG0325", "this expression has no value to choose", value.span)
    type = join(context.world, (then.type, otherwise.type))
    if type is None:
        message = (
            f"both values must have the same type, found {describe(then.type)} and {describe(otherwise.type)}"
        )
        notes = ((then.span, f"this is {describe(then.type)}"),)
        return context.error_value("TG0310", message, otherwise.span, notes=notes)
    then, otherwise = convert(context, then, type), convert(context, otherwise, type)
    return p.Conditional(condition, then, otherwise, type, node.span)


# `is` and `as`


def is_type(context: Context, node: tree.Is) -> p.Expression:
    value = context.expression(node.value)
    tested = type_of_name(context.world, context.file, node.type)
    if Basic.UNKNOWN not in (value.type, tested) and not _may_be(context, value.type, tested):
        message = f"{describe(value.type)} is never {describe(tested)}"
        context.warn("TG0413", message, node.span)
    return p.IsType(value, tested, Basic.BOOL, node.span)


def as_type(context: Context, node: tree.As) -> p.Expression:
    value = context.expression(node.value)
    wanted = type_of_name(context.world, context.file, node.type)
    if Basic.UNKNOWN in (value.type, wanted):
        return p.AsType(value, wanted, node.span)
    converted = maybe_convert(context.world, value, wanted)
    is_new = converted is not value  # a sum of a player and a number is already converted
    if is_new and isinstance(converted, p.Apply) and converted.operation is Operation.AS_PLAYER:
        return p.Apply(converted.operation, (value,), wanted, node.span)
    if isinstance(value.type, EnumType) and wanted is Basic.DECIMAL:
        numbers = (p.Literal(one, wanted, node.span) for one in context.world.enums[value.type.name].numbers)
        return p.Apply(Operation.ENUM_NUMBER, (value, *numbers), wanted, node.span)
    if value.type is Basic.PLAYER and wanted is Basic.DECIMAL:
        return p.AsType(value, wanted, node.span)
    if value.type is Basic.NOTHING:
        return context.error_value("TG0325", "this expression has no value to cast", value.span)
    if not _may_be(context, value.type, wanted):
        message = f"cannot cast {describe(value.type)} to {describe(wanted)}, so this is always none"
        hint = ""
        if isinstance(wanted, EnumType) and value.type is Basic.DECIMAL:
            hint = f"write `{wanted.name}.all[n]` for the member with index n"
        context.warn("TG0416", message, node.span, hint)
        if not any(isinstance(part, ACTIVE) for part in walk(value)):
            return p.Literal(None, wanted, node.span)
        value = p.AsType(value, Basic.OBJECT, value.span)
    return p.AsType(value, wanted, node.span)


def _may_be(context: Context, given: Type, tested: Type) -> bool:
    world = context.world
    if fits(world, given, tested) or fits(world, tested, given):
        return True
    if given is Basic.PLAYER and isinstance(tested, ConstructType):
        # A global state belongs to the game, never to a player.
        kinds = world.kinds(tested.name)
        return kinds <= STATES and kinds != {p.ConstructKind.GLOBAL}
    if isinstance(given, ConstructType) and isinstance(tested, ConstructType):
        return given.name not in world.constructs or tested.name not in world.constructs
    return False


def common_type(context: Context, values: list[p.Expression], span: Span) -> Type:
    """The common type of the elements of a list, or an error with two incompatible elements."""
    found = join(context.world, (value.type for value in values))
    if found is not None:
        return found
    first = values[0]
    odd = next((value for value in values if join(context.world, (first.type, value.type)) is None), first)
    context.error(
        "TG0313",
        f"a list holds values of one type, found {describe(first.type)} and {describe(odd.type)}",
        odd.span,
        notes=((first.span, f"this is {describe(first.type)}"),),
    )
    return Basic.UNKNOWN


def converted_all(context: Context, values: list[p.Expression], type: Type) -> tuple[p.Expression, ...]:
    return tuple(convert(context, value, type) for value in values)
