"""Ranges: reports literals outside the range of an attribute or option."""

from ludograph.tgdl.check.bodies.conversions import constant_number, number
from ludograph.tgdl.check.scopes import Context
from ludograph.tgdl.check.symbols import AttributeFacts
from ludograph.tgdl.program import AttributeOf, Expression
from ludograph.tgdl.program.types import Basic, Type, describe
from ludograph.tgdl.syntax import tree


def range_of(
    context: Context, node: tree.Range | None, type: Type
) -> tuple[Expression | None, Expression | None]:
    """The bounds of a range after `decimal`."""
    if node is None:
        return None, None
    if type not in (Basic.DECIMAL, Basic.UNKNOWN):
        context.error("TG0336", f"only a decimal can have a range, not {describe(type)}", node.span)
    low, high = number(context, node.low), number(context, node.high)
    first, last = constant_number(low), constant_number(high)
    if first is not None and last is not None and last < first:
        context.error(
            "TG0336", f"the range ends at {last:g}, which is less than its start {first:g}", node.span
        )
    return low, high


def check_inside(
    context: Context, value: Expression | None, low: float | None, high: float | None, node: tree.Range | None
) -> None:
    """Report a literal outside of a range, with the range."""
    known = constant_number(value)
    if known is None or value is None or node is None:
        return
    notes = ((node.span, "the range"),)
    if low is not None and known < low:
        message = f"{known:g} is less than {low:g}, the start of the range"
        context.error("TG0336", message, value.span, notes=notes)
    elif high is not None and known > high:
        message = f"{known:g} is greater than {high:g}, the end of the range"
        context.error("TG0336", message, value.span, notes=notes)


def check_range(context: Context, target: AttributeOf, value: Expression) -> None:
    """Check the value that is assigned to an attribute."""
    facts = context.world.construct_of(target.target.type)
    attribute = facts.attributes.get(target.attribute) if facts is not None else None
    if attribute is not None:
        check_attribute_range(context, attribute, value)


def check_attribute_range(context: Context, attribute: AttributeFacts, value: Expression) -> None:
    bounds = attribute.node.bounds if attribute.node is not None else None
    if bounds is None:
        return
    here = bounds if attribute.file == context.file else None
    known = constant_number(value)
    low, high = written_number(bounds.low), written_number(bounds.high)
    if here is not None:
        check_inside(context, value, low, high, here)
    elif known is not None and ((low is not None and known < low) or (high is not None and known > high)):
        context.error("TG0336", f"{known:g} is outside of the range of '{attribute.name}'", value.span)


def written_number(node: tree.Expression) -> float | None:
    """The source text of a number with its sign."""
    match node:
        case tree.Number(value):
            return float(value)
        case tree.Unary(tree.UnaryOperator.MINUS, tree.Number(value)):
            return -float(value)
        case _:
            return None
