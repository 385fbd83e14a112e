"""Queries: a body that is evaluated for each element of a list, a table, a region or all players."""

from ludograph.text import Span
from ludograph.tgdl.check.bodies.conversions import convert, fits, maybe_convert, value_of
from ludograph.tgdl.check.declarations import tiles
from ludograph.tgdl.check.scopes import Context
from ludograph.tgdl.program import Expression, Query
from ludograph.tgdl.program.operations import Operation
from ludograph.tgdl.program.types import Basic, EnumType, ListType, TableType, Type, describe
from ludograph.tgdl.syntax import tree


def query(context: Context, operation: Operation, source: Expression, node: tree.Call) -> Expression:
    """Check a query: `list.where(x: …)`, `t.region(x: …)`, `players.table(p: …)`."""
    element = _element_of_source(context, operation, source)
    slot = context.frame.take()
    body: Expression | None = None
    if node.arguments:
        argument = node.arguments[0]
        inner = context.child(context.rights.where or "a query")
        if argument.name is not None:
            check_element_name(context, argument.name)
            inner.declare(argument.name.text, element, argument.name.span, "element", slot)
        match operation.facts.body:
            case "condition":
                body = value_of(inner, argument.value, Basic.BOOL)
            case "number" | "sort key":
                body = _number_or_enum(inner, argument.value, operation)
            case _:
                body = inner.expression(argument.value)
                if body.type is Basic.NOTHING:
                    body = context.error_value(
                        "TG0325",
                        "this expression has no value, but a query needs a value for each element",
                        body.span,
                    )
    else:
        _check_plain(context, operation, element, node.span)
    return Query(operation, source, slot, body, _result(context, operation, source, element, body), node.span)


def check_element_name(context: Context, word: tree.Word) -> None:
    if word.text in ("player", "players", "phase", "game"):
        context.error("TG0304", f"'{word.text}' is a built-in name and cannot be redefined", word.span)
    context.world.report_global_name(word.text, word.span, context.file)


def _element_of_source(context: Context, operation: Operation, source: Expression) -> Type:
    if operation is Operation.REGION:
        return tiles.around(context.world, source.type, operation) or Basic.UNKNOWN
    return element_of(source.type)


def _number_or_enum(context: Context, node: tree.Expression, operation: Operation) -> Expression:
    value = context.expression(node)
    if operation is not Operation.SUM_OF and isinstance(value.type, EnumType):
        return value
    by_player = operation.facts.body == "sort key" and value.type is Basic.PLAYER  # no number is wanted of it
    return (maybe_convert(context.world, value, Basic.DECIMAL) if by_player else None) or convert(
        context, value, Basic.DECIMAL
    )


def _check_plain(context: Context, operation: Operation, element: Type, span: Span) -> None:
    """A query without a body tests the element itself."""
    if operation is Operation.REGION:
        return
    kind = operation.facts.body
    if kind == "condition" and not fits(context.world, element, Basic.BOOL):
        every = "`.length` counts all; " if operation is Operation.COUNT else ""
        hint = f"{every}write `(x: …)` with a condition"
        context.error(
            "TG0322", f"without a condition the elements must be bool, found {describe(element)}", span, hint
        )
    elif kind == "sort key":
        if element not in (Basic.DECIMAL, Basic.PLAYER, Basic.UNKNOWN) and not isinstance(element, EnumType):
            message = (
                f"cannot sort {describe(element)}: only decimals, players and enum members have an order"
            )
            context.error("TG0322", message, span, "write `(x: …)` with a sort key")
    elif kind != "condition":
        context.error("TG0322", "this needs an expression for each element", span, "write `(x: …)`")


def _result(
    context: Context, operation: Operation, source: Expression, element: Type, body: Expression | None
) -> Type:
    match operation.facts.result:
        case "bool":
            return Basic.BOOL
        case "decimal":
            return Basic.DECIMAL
        case "body":
            return body.type if body is not None else Basic.DECIMAL
        case "elements":
            return ListType(element)
        case "element":
            return element
        case "bodies":
            return ListType(body.type if body is not None else element)
        case "table of bodies":
            return TableType(Basic.PLAYER, body.type if body is not None else Basic.UNKNOWN)
        case _:
            raise AssertionError(operation)


def element_of(type: Type) -> Type:
    match type:
        case ListType(element):
            return element
        case TableType(_, value):
            return value
        case _:
            return Basic.UNKNOWN
