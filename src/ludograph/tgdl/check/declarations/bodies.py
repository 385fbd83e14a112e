"""Bodies: pure blocks (filters, requires, triggers), and the names that may be declared in bodies."""

from ludograph.tgdl import program as p
from ludograph.tgdl.check.bodies.conversions import known_boolean
from ludograph.tgdl.check.bodies.game_statements import lower_message
from ludograph.tgdl.check.scopes import Context, Returns
from ludograph.tgdl.program.types import Basic, Type
from ludograph.tgdl.syntax import tree

# Names with a fixed meaning in every expression.
WORDS = frozenset({"player", "players", "phase", "game"})


def pure_block(
    context: Context,
    node: tree.Block,
    where: str,
    wanted: Type = Basic.BOOL,
    words: tree.Message | None = None,
) -> p.Block:
    """Check a pure block that returns a value: a filter, a require or a trigger, with its words."""
    inner = context.child(where)
    inner.returns = Returns(wanted=wanted, body=node)
    statements = inner.statements(node)
    block = p.Block(statements, node.span, lower_words(context, words))
    if inner.returns.lost:
        return block
    if not ends(statements) and (statements or node.result is None) and not _is_empty(node):
        context.warn("TG0411", f"not every path through {where} returns a value", node.span)
    if len(statements) == 1 and isinstance(statements[0], p.Return) and statements[0].value is not None:
        known = known_boolean(statements[0].value)
        if known is not None:
            context.warn(
                "TG0405", f"the condition of {where} is always {'true' if known else 'false'}", node.span
            )
    return block


def lower_words(context: Context, node: tree.Message | None) -> p.Message | None:
    """Check the words after the `else` of a condition.

    They are no part of the rules, so their queries take no slots of the frame: a refusal evaluates the words
    in a larger copy of it.
    """
    if node is None or not any(node.parts):
        return None
    size = context.frame.size
    words = lower_message(context.child("the words of a condition"), node)
    context.frame.size = size
    return words


def _is_empty(node: tree.Block) -> bool:
    return not node.statements and node.result is None


def ends(statements: tuple[p.Statement, ...]) -> bool:
    """Whether every path through the statements ends in `return`, `fail` or a result."""
    return any(_ends(statement) for statement in statements)


def _ends(statement: p.Statement) -> bool:
    match statement:
        case p.Return() | p.Fail() | p.End():
            return True
        case p.If(_, then, otherwise):
            return ends(then) and ends(otherwise)
        case p.While(p.Literal(True)):
            return True
        case _:
            return False


def check_local_name(context: Context, word: tree.Word) -> None:
    """Check the name of a variable or input: not reserved, not a global state, not declared already."""
    text = word.text
    if text in WORDS:
        context.error("TG0304", f"'{text}' is a built-in name and cannot be redefined", word.span)
        return
    if context.world.report_global_name(text, word.span, context.file):
        return
    taken = context.local(text)
    if taken is not None and taken.kind != "field" and not context.world.may_be_declared(text):
        notes = ((taken.span, f"'{text}' is declared here"),)
        context.error("TG0302", f"the name '{text}' is already declared here", word.span, notes=notes)
