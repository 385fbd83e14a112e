"""Multisets: inputs of a table with a total, such as `input decimal[gem] back total 3;`."""

from collections.abc import Iterator, Sequence

from ludograph.tgdl import program as p
from ludograph.tgdl.check.bodies.conversions import constant_number, number
from ludograph.tgdl.check.scopes import Context
from ludograph.tgdl.program.operations import Operation
from ludograph.tgdl.program.types import Basic, EnumType, TableType, Type, describe
from ludograph.tgdl.syntax import tree

EXAMPLE = "input decimal[gem] back total 3;"


def is_multiset(node: tree.Input, type: Type) -> bool:
    """Whether an input chooses a table of numbers with a total."""
    return node.total is not None and isinstance(type, TableType)


def check_total(
    context: Context, look: Context, node: tree.Input, type: Type, mode: p.InputMode
) -> tuple[p.Expression | None, p.Expression | None]:
    """Check the total of an input. Returns its bounds; an exact total has no upper bound."""
    total = node.total
    assert total is not None
    low = number(look, total.low)
    high = number(look, total.high) if total.high is not None else None
    if not _check_type(context, node, type):
        return None, None
    for word, is_written in (("in", node.candidates), ("from … to …", node.bounds)):
        if is_written is not None:
            message = f"`{word}` and `total` exclude each other: the total defines the candidates"
            context.error("TG0373", message, is_written.span)
    if mode is not p.InputMode.ASKED:
        message = "a player chooses a table with a total, so it cannot be `auto`, `all` or `verb`"
        context.error("TG0373", message, node.span)
    first, last = constant_number(low), constant_number(high)
    if high is not None and first is not None and last is not None and last < first:
        message = f"the total ends at {last:g}, which is less than its start {first:g}"
        context.error("TG0336", message, total.span)
        return low, high
    _check_numbers(context, total, (first,) if high is None else (first, last))
    return low, high


def _check_type(context: Context, node: tree.Input, type: Type) -> bool:
    """Report a total of anything other than a table of decimals with an enum or players as its keys."""
    assert node.total is not None
    if type is Basic.UNKNOWN:
        return False
    if not isinstance(type, TableType):
        message = f"`total` is only for tables of numbers, not for {describe(type)}"
        context.error("TG0373", message, node.total.span, f"write a table: `{EXAMPLE}`")
        return False
    if Basic.UNKNOWN in (type.key, type.value):
        return False
    if type.value is not Basic.DECIMAL:
        message = f"a table with a total contains numbers, not {describe(type.value)}"
        context.error("TG0373", message, node.type.span, f"write `{EXAMPLE}`")
        return False
    if not isinstance(type.key, EnumType) and type.key is not Basic.PLAYER:
        message = "the keys of a table with a total are the members of an enum or the players"
        context.error(
            "TG0373", message, node.type.span, f"declare an enum: `enum gem {{ … }}` and `{EXAMPLE}`"
        )
        return False
    return True


def _check_numbers(context: Context, total: tree.Total, written: Sequence[float | None]) -> None:
    """Report a literal bound that is no sum of whole numbers."""
    greatest = written[-1]
    if greatest is not None and greatest < 0:
        message = f"a total of {greatest:g} can never be reached: the numbers in the table are not negative"
        context.error("TG0377", message, total.span)
    elif any(each is not None and each % 1 for each in written):
        message = "a total is a sum of whole numbers, so its bounds are whole numbers too"
        context.error("TG0377", message, total.span)


def check_reach(context: Context, node: tree.Input, found: p.Input) -> None:
    """Report a total that is greater than the constant bounds of the members allow."""
    least = constant_number(found.least)
    if not isinstance(found.type, TableType) or not isinstance(found.type.key, EnumType) or least is None:
        return
    most = min((bound for body in found.filters for bound in _constant_bounds(found, body)), default=None)
    count = len(context.world.enums[found.type.key.name].members)
    if most is not None and count and max(most, 0) * count < least:
        assert node.total is not None
        message = (
            f"a total of {least:g} can never be reached: {count} members with at most {max(most, 0):g} each"
            f" make {max(most, 0) * count:g}"
        )
        context.error("TG0377", message, node.total.span)


def _constant_bounds(found: p.Input, body: p.Block) -> Iterator[int]:
    """The greatest numbers that the conditions of a filter allow, such as 2 for `back[g] < 3`."""
    for condition in conditions_of(body):
        match condition:
            case p.Apply(
                Operation.LESS | Operation.LESS_OR_EQUAL as operation,
                (p.Apply(Operation.AT, (p.Variable(table), p.Variable(key))), bound),
            ) if (table, key) == (found.slot, found.filter_slot):
                number = constant_number(bound)
                if number is not None:
                    is_below = operation is Operation.LESS and number % 1 == 0
                    yield int(number // 1) - is_below
            case _:
                continue


def conditions_of(body: p.Block) -> Iterator[p.Expression]:
    """The conditions that a filter joins with `and`."""
    last = body.statements[-1] if len(body.statements) == 1 else None
    waiting = [last.value] if isinstance(last, p.Return) and last.value is not None else []
    while waiting:
        one = waiting.pop()
        if isinstance(one, p.Logic) and one.operator == "and":
            waiting += (one.right, one.left)
        else:
            yield one
