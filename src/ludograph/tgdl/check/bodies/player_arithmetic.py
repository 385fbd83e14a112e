"""Conversions between numbers and players that are probably mistakes.

Player arithmetic wraps around, so its result is a poor number. An amount, such as the greatest score, is not
the number of the player who has it.
"""

import re
from collections.abc import Iterator

from ludograph.tgdl.check.scopes import Context
from ludograph.tgdl.check.symbols import SymbolTable
from ludograph.tgdl.program import Apply, CallVerb, ConstructKind, Expression, Query, Return, Variable
from ludograph.tgdl.program.operations import Operation
from ludograph.tgdl.program.types import Basic, ConstructType, ListType, TableType, Type

MAX_SHOWN_LENGTH = 40

# Operations that give an amount, and the query for the elements that have it.
AMOUNTS = {
    Operation.SUM: "",
    Operation.SUM_OF: "",
    Operation.LARGEST: "most",
    Operation.LARGEST_OF: "most",
    Operation.SMALLEST: "least",
    Operation.SMALLEST_OF: "least",
}
SUMS = frozenset((Operation.ADD, Operation.SUBTRACT, Operation.MULTIPLY, Operation.DIVIDE))
OF_PLAYERS = {ConstructKind.LOCAL, ConstructKind.INTERACTABLE, ConstructKind.TILE}
BEGIN_OF_QUERY = re.compile(r"\.(max|min)\(\s*(\w+)\s*:")


def warn_of_amount(context: Context, value: Expression, *, takes_list: bool = False) -> None:
    """Warn about an amount that is used as a player, where a list of players may be allowed too."""
    amount = _amount(context, value)
    if amount is None:
        return
    word = amount.operation.facts.members[0].name
    message = f"'{word}' gives an amount, which is used as the number of a player here"
    players = _players_with(context, amount)
    hint = "write `(…) as player` if it is the number of a player"
    if players:
        hint = f"write `{players}`" if takes_list else f"write `{players}.first`"
    context.warn("TG0417", message, value.span, hint)


def _amount(context: Context, value: Expression) -> Apply | Query | None:
    """The amount that a number is, or is computed from; None if it may be the number of a player."""
    match value:
        case Apply(operation, operands) if operation in SUMS:
            return next((found for one in operands if (found := _amount(context, one)) is not None), None)
        case Variable(_, name):
            local = context.local(name)
            return local.amount if local is not None and not local.written else None
        case CallVerb(index):
            verb = context.world.verbs[index].checked
            last = verb.block.statements if verb is not None else ()
            if len(last) == 1 and isinstance(last[0], Return) and isinstance(last[0].value, Apply | Query):
                return _amount(context, last[0].value)
            return None
        case _:
            return amount_of(value)


def amount_of(value: Expression) -> Apply | Query | None:
    """The value itself, if it is an amount and not the number of a player."""
    match value:
        case Query(operation, _, _, body) if operation in AMOUNTS:
            return None if body is None or _is_number_of_player(body) else value
        case Apply(operation) if operation in AMOUNTS:
            return value
        case _:
            return None


def _is_number_of_player(value: Expression) -> bool:
    return isinstance(value, Apply) and value.operation is Operation.AS_NUMBER


def _players_with(context: Context, amount: Apply | Query) -> str:
    """The expression for the players with the greatest or smallest amount; "" if it is not clear."""
    query = AMOUNTS[amount.operation]
    source = amount.source if isinstance(amount, Query) else amount.operands[0]
    text = context.world.files[context.file].source.text
    written = text[amount.span.start : amount.span.end]
    if not query or not written.isprintable():
        return ""
    if isinstance(source.type, TableType):
        table = text[source.span.start : source.span.end]
        is_of_players = source.type.key is Basic.PLAYER and isinstance(amount, Apply)
        return f"players.all.{query}(p: {table}[p])" if is_of_players else ""
    found = BEGIN_OF_QUERY.search(written)
    if found is None or not isinstance(source.type, ListType):
        return ""
    elements = f"{written[: found.start()]}.{query}({written[found.start(2) :]}"
    if source.type.element is Basic.PLAYER:
        return elements
    name = found[2]
    return f"{elements}.map({name}: {name}.player)" if _has_player(context.world, source.type.element) else ""


def _has_player(world: SymbolTable, type: Type) -> bool:
    return isinstance(type, ConstructType) and world.kinds(type.name) <= OF_PLAYERS


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
    if len(written) > MAX_SHOWN_LENGTH or "\n" in written:
        return "write `(p as decimal)` for the plain number of a player p"
    plain = written
    for player in sorted(players, key=lambda one: one.span.start, reverse=True):
        start, end = player.span.start - value.span.start, player.span.end - value.span.start
        plain = f"{plain[:start]}({plain[start:end]} as decimal){plain[end:]}"
    return f"write `{plain}` for the plain number, or `({written}) as decimal` to keep the wrap-around"
