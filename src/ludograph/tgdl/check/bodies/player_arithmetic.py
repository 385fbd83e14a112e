"""Modular player arithmetic: warns if its result, which wraps around, is used as a number."""

from collections.abc import Iterator

from ludograph.tgdl.check.scopes import Context
from ludograph.tgdl.program import Apply, Expression
from ludograph.tgdl.program.operations import Operation

LONGEST_SHOWN = 40


def warn_of_wrapping(context: Context, value: Expression) -> None:
    """Warn about a player used as a number if it is the result of modular arithmetic."""
    step = _step(value)
    if step is None:
        return
    players = list(_players(step))
    if any(isinstance(one, Apply) and one.operation is Operation.AS_PLAYER for one in players):
        return  # reported already, or converted to a player explicitly
    sign = step.operation.facts.symbol
    message = f"'{sign}' with a player wraps around at the number of players, but a number is expected here"
    context.warn("TG0408", message, value.span, _hint(context, value, players))


def _step(value: Expression) -> Apply | None:
    """The sum in what was written with a player; None for what was made one by `… as player`.

    It is a step around the table. Every other operator with a player is an error of its own.
    """
    match value:
        case Apply(Operation.AS_PLAYER, (Apply(operation) as sum,)) if operation.facts.is_step:
            return sum if sum.span == value.span and any(_players(sum)) else None
        case _:
            return None


def _players(sum: Apply) -> Iterator[Expression]:
    """The player operands of a sum, without those converted by `as decimal`."""
    for operand in sum.operands:
        match operand:
            case Apply(Operation.AS_NUMBER, (player,)) if player.span == operand.span:
                inner = _step(player)
                if inner is not None:
                    yield from _players(inner)
                else:
                    yield player
            case _:
                pass


def _hint(context: Context, value: Expression, players: list[Expression]) -> str:
    text = context.world.files[context.file].source.text
    written = text[value.span.start : value.span.end]
    if len(written) > LONGEST_SHOWN or "\n" in written:
        return "write `(p as decimal)` for the plain number of a player p"
    plain = written
    for player in sorted(players, key=lambda one: one.span.start, reverse=True):
        start, end = player.span.start - value.span.start, player.span.end - value.span.start
        plain = f"{plain[:start]}({plain[start:end]} as decimal){plain[end:]}"
    return f"write `{plain}` for the plain number, or `({written}) as decimal` to keep the wrap-around"
