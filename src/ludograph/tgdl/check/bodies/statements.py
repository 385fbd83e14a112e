"""Statements: the dispatch over all of them. One statement may become several typed ones."""

from collections.abc import Iterable
from typing import assert_never

from ludograph.text import Span
from ludograph.tgdl import program as p
from ludograph.tgdl.check.bodies.conversions import (
    as_list,
    boolean,
    convert,
    initial_of,
    known_boolean,
    number,
    players_of,
    type_of_name,
    value_of,
)
from ludograph.tgdl.check.bodies.expressions import place
from ludograph.tgdl.check.bodies.game_statements import (
    cancel,
    for_each_player,
    has,
    link,
    maybe_clear_tile,
    maybe_move_to,
    message_of,
    move,
    pass_turn,
    use_turn,
)
from ludograph.tgdl.check.bodies.library_calls import note_change
from ludograph.tgdl.check.bodies.operators import arithmetic
from ludograph.tgdl.check.bodies.player_arithmetic import amount_of
from ludograph.tgdl.check.bodies.ranges import check_range
from ludograph.tgdl.check.declarations.bodies import check_local_name
from ludograph.tgdl.check.declarations.inputs import lower_input
from ludograph.tgdl.check.scopes import Context
from ludograph.tgdl.check.symbols import BASIC_WORDS, KIND_WORDS
from ludograph.tgdl.program.operations import ARITHMETIC, Operation
from ludograph.tgdl.program.types import Basic, ListType, TableType, describe
from ludograph.tgdl.syntax import tree

# An `else if` chain becomes nested `if`s, and later passes recurse into them.
MAX_BRANCHES = 250

ASSIGNED = {
    operator: ARITHMETIC[operator.value.removesuffix("=")]
    for operator in tree.AssignOperator
    if operator is not tree.AssignOperator.SET
}

DRAW_HINT = "`draw` ends the game without a winner; to take a card, write `hand.push(deck.draw(player));`"


def block(context: Context, node: tree.Block) -> tuple[p.Statement, ...]:
    """Check the statements of a block in a new scope; `{ expression }` returns the expression."""
    found: list[p.Statement] = []
    with context.scope():
        for statement in node.statements:
            if found and _leaves(found[-1]):
                context.warn("TG0403", "this statement is unreachable", statement.span)
            found.extend(_statement(context, statement))
        if node.result is not None:
            found.append(_result(context, node.result))
    return tuple(found)


def _leaves(statement: p.Statement) -> bool:
    match statement:
        case p.Return() | p.Break() | p.Continue() | p.Fail() | p.End():
            return True
        case p.If(_, then, otherwise):
            return bool(then) and bool(otherwise) and _leaves(then[-1]) and _leaves(otherwise[-1])
        case p.While(p.Literal(True), body):
            return not any(_breaks(one) for one in body)
        case _:
            return False


def _breaks(statement: p.Statement) -> bool:
    """Whether a statement can leave its loop."""
    match statement:
        case p.Break():
            return True
        case p.If(_, then, otherwise):
            return any(_breaks(one) for one in (*then, *otherwise))
        case _:
            return False


def _result(context: Context, node: tree.Expression) -> p.Statement:
    """The short form `{ expression }`: returns the value if one is expected, else evaluates it."""
    returns = context.returns
    if returns.wanted is not None and returns.wanted is not Basic.NOTHING:
        value = value_of(context, node, returns.wanted, returns.because)
        return p.Return(value, node.span)
    value = context.expression(node)
    if value.type is Basic.NOTHING or returns.wanted is Basic.NOTHING:
        return p.Evaluate(value, node.span)
    returns.types.append((value.type, node.span))
    return p.Return(value, node.span)


def _statement(context: Context, node: tree.Statement) -> tuple[p.Statement, ...]:
    match node:
        case tree.Evaluate():
            return (_evaluate(context, node),)
        case tree.Assign():
            return _assign(context, node)
        case tree.Declare():
            return (_declare(context, node),)
        case tree.Input():
            return (p.Ask(lower_input(context, node), node.span),)
        case tree.Return():
            return (_return(context, node),)
        case tree.If():
            return (_if(context, node),)
        case tree.While():
            return (_while(context, node),)
        case tree.ForEach():
            return (_for_each(context, node),)
        case tree.ForRange():
            return (_for_range(context, node),)
        case tree.ForSteps():
            return _for_steps(context, node)
        case tree.Break():
            _check_loop(context, "break", node.span)
            return (p.Break(node.span),)
        case tree.Continue():
            _check_loop(context, "continue", node.span)
            return (p.Continue(node.span),)
        case tree.Fail():
            context.record_side_effect("`fail`", node.span)
            return (p.Fail(message_of(context, node.message, "fails"), node.span),)
        case tree.Cancel():
            return (cancel(context, node),)
        case tree.Move():
            return (move(context, node),)
        case tree.Win():
            context.record_side_effect("`win`", node.span)
            return (
                p.End("win", tuple(players_of(context, one, needs=True) for one in node.players), node.span),
            )
        case tree.Draw():
            context.record_side_effect("`draw`", node.span)
            drawn = (players_of(context, one, needs=True, hint=DRAW_HINT) for one in node.players)
            return (p.End("draw", tuple(drawn), node.span),)
        case tree.Finish():
            context.record_side_effect("`finish`", node.span)
            payoffs = value_of(context, node.payoffs, TableType(Basic.PLAYER, Basic.DECIMAL))
            return (p.End("finish", (payoffs,), node.span),)
        case tree.Out():
            context.record_side_effect("`out`", node.span)
            return tuple(
                for_each_player(
                    context, players_of(context, one, needs=True), lambda who: p.Out(who, node.span)
                )
                for one in node.players
            )
        case tree.BackIn():
            context.record_side_effect("`in`", node.span)
            return tuple(
                for_each_player(
                    context, players_of(context, one, needs=True), lambda who: p.BackIn(who, node.span)
                )
                for one in node.players
            )
        case tree.Pass():
            return (pass_turn(context, node),)
        case tree.UseTurn():
            return use_turn(context, node)
        case tree.Link():
            return link(context, node.chain, adds=True)
        case tree.Unlink():
            return link(context, node.chain, adds=False)
        case tree.Has():
            return has(context, node)
        case tree.ErrorNode():
            context.returns.has_error_node = True
            context.declare_unknown(node)
            return ()
        case _:
            assert_never(node)


# Values and variables

# Keywords of statements without operands, and of statements that a single name can follow.
ALONE = ("pass", "draw", "break", "continue", "return", "fail", "cancel")
BEFORE_A_NAME = ("return", "win", "draw", "out", "finish", "pass", "cancel")


def _is_member(context: Context, text: str) -> bool:
    return context.this is not None and (
        text in context.this.attributes or text in context.this.verbs or text in context.this.actions
    )


def _evaluate(context: Context, node: tree.Evaluate) -> p.Statement:
    if isinstance(node.value, tree.Name):
        word = tree.Word(node.value.text, node.value.span)
        if not _is_member(context, word.text) and _misspelt(context, word, ALONE):
            return p.Evaluate(context.unknown(node.span), node.span)
    moved = maybe_move_to(context, node) or maybe_clear_tile(context, node)
    if moved is not None:
        return moved
    value = context.expression(node.value)
    given = value.type in (context.returns.wanted, Basic.UNKNOWN)
    if context.rights.where and context.returns.is_last(node) and given:
        _report_lost_result(context, node, value)
    elif not isinstance(value, p.CallVerb | p.CallAction | p.Mutate | p.New | p.Random) and not _changes(
        value
    ):
        if value.type is not Basic.UNKNOWN:
            is_result = context.returns.is_last(node)
            hint = f"if it is the result, {context.returns.advice()}" if is_result else ""
            if isinstance(node.value, tree.Binary) and node.value.operator is tree.BinaryOperator.EQUAL:
                hint = f"`==` compares; to assign a value, write `=`{'; ' if hint else ''}{hint}"
            context.warn("TG0410", "the value of this expression is not used", node.span, hint)
    return p.Evaluate(value, node.span)


def _report_lost_result(context: Context, node: tree.Evaluate, value: p.Expression) -> None:
    """Report `require { n > 0; }`: the semicolon makes the value a statement."""
    context.returns.lost = True
    body = context.returns.body
    lacks_braces = body is not None and context.world.files[context.file].source.text[body.span.start] != "{"
    if value.type is Basic.UNKNOWN or lacks_braces:
        return  # the expression has its own error
    message = f"{context.rights.where} needs a value, but the `;` makes this a statement without a value"
    context.error("TG0325", message, node.span, context.returns.advice())


def _changes(value: p.Expression) -> bool:
    return isinstance(value, p.Apply) and value.operation.facts.changes


def _assign(context: Context, node: tree.Assign) -> tuple[p.Statement, ...]:
    target = place(context, node.target)
    if target is None:
        context.expression(node.value, Basic.UNKNOWN)
        return ()
    note_change(context, target.root, node.span)
    if node.operator is tree.AssignOperator.SET:
        value = value_of(context, node.value, target.type, node.target.span)
        if isinstance(target.root, p.AttributeOf) and not target.indexes:
            check_range(context, target.root, value)
        return (p.Assign(target, value, None, node.span),)
    operation = ASSIGNED[node.operator]
    value = context.expression(node.value)
    return _assign_changed(context, node, target, operation, value)


def _assign_changed(
    context: Context, node: tree.Assign, target: p.Place, operation: Operation, value: p.Expression
) -> tuple[p.Statement, ...]:
    """`+=` and the like: between numbers, or a player and a number."""
    if target.type is Basic.UNKNOWN or value.type is Basic.UNKNOWN:
        return (p.Assign(target, value, operation, node.span),)
    current: p.Expression = target.root
    for index in target.indexes:
        inner = current.type
        element = (
            inner.element
            if isinstance(inner, ListType)
            else inner.value
            if isinstance(inner, TableType)
            else inner
        )
        current = p.Apply(Operation.AT, (current, index), element, node.target.span)
    if target.type is Basic.DECIMAL and value.type is Basic.PLAYER:
        value = convert(context, value, Basic.DECIMAL)  # a number target does not wrap around
    whole = arithmetic(context, operation, current, value, node.span)
    if whole.type is Basic.UNKNOWN:
        return (p.Assign(target, value, operation, node.span),)
    if target.type is Basic.PLAYER:
        # A player target wraps around, so the operation is expanded.
        return (p.Assign(target, convert(context, whole, Basic.PLAYER), None, node.span),)
    return (p.Assign(target, value, operation, node.span),)


def _misspelt(context: Context, written: tree.Word, meant: Iterable[str]) -> str:
    """Report a misspelt keyword and return the keyword; "" if no keyword is similar."""
    world, text = context.world, written.text
    is_known = context.local(text) is not None or world.find(context.file, (text,)) is not None
    if is_known or text in BASIC_WORDS or text in KIND_WORDS:
        return ""
    near = world.reports.closest(text, meant)
    if near:
        context.error("TG0212", f"unknown statement '{text}'", written.span, f"did you mean '{near}'?")
    return near


def _declare(context: Context, node: tree.Declare) -> p.Statement:
    words = node.type.path.words
    if node.value is None and len(words) == 1 and not node.type.dimensions:
        # `retrun x;` parses as a variable x of the type `retrun`.
        meant = _misspelt(context, words[0], BEFORE_A_NAME)
        value_meant = tree.Name(node.name.text, node.name.span)
        if meant == "return" and context.rights.in_verb:
            return _return(context, tree.Return(value_meant, node.span))
        if meant:
            return p.Evaluate(context.expression(value_meant), node.span)
    type = type_of_name(context.world, context.file, node.type)
    value = (
        value_of(context, node.value, type, node.type.span)
        if node.value is not None
        else initial_of(type, node.span)
    )
    if type is not Basic.UNKNOWN:  # an unknown type may not be a declaration: `points n;`
        check_local_name(context, node.name)
    local = context.declare(node.name.text, type, node.name.span, "variable")
    local.starts_none = (
        isinstance(value, p.Literal) and value.value is None and Basic.UNKNOWN not in (type, value.type)
    )
    local.amount = amount_of(value)
    return p.Declare(local.slot, local.name, value, node.span)


def _return(context: Context, node: tree.Return) -> p.Statement:
    returns = context.returns
    if node.value is None:
        if returns.wanted is not None and returns.wanted is not Basic.NOTHING:
            context.error("TG0321", f"expected a return value of type {describe(returns.wanted)}", node.span)
        returns.nothing = node.span
        return p.Return(None, node.span)
    if returns.wanted is Basic.NOTHING:
        context.expression(node.value)
        hint = "write `return;` to leave the block, or `win p;` to end the game"
        context.error("TG0351", "this block cannot return a value", node.span, hint)
        return p.Return(None, node.span)
    if returns.wanted is not None:
        return p.Return(value_of(context, node.value, returns.wanted, returns.because), node.span)
    value = context.expression(node.value, returns.types[0][0] if returns.types else None)
    if value.type is Basic.NOTHING:
        value = context.error_value("TG0325", "this expression has no value to return", value.span)
    returns.types.append((value.type, node.value.span))
    return p.Return(value, node.span)


# Control flow


def _if(context: Context, node: tree.If) -> p.Statement:
    """Expand branches to nested `if`s."""
    made: p.If | None = None
    branches = []
    outer = context.branches
    for branch in node.branches:
        if context.branches >= MAX_BRANCHES:
            message = f"at most {MAX_BRANCHES} branches can be nested or chained"
            context.error(
                "TG0396", message, branch.condition.span, "move a part of it into a table or a verb"
            )
            break
        condition = boolean(context, branch.condition)
        _check_known(context, condition, branch.condition.span)
        context.branches += 1
        branches.append((condition, context.statements(branch.body), branch.span))
    otherwise = context.statements(node.otherwise) if node.otherwise is not None and branches else ()
    context.branches = outer
    if not branches:
        return p.Evaluate(context.unknown(node.span), node.span)
    for condition, body, span in reversed(branches):
        made = p.If(condition, body, otherwise, span)
        otherwise = (made,)
    assert made is not None
    return made


def _check_known(context: Context, condition: p.Expression, span: Span) -> None:
    known = known_boolean(condition)
    if known is not None:
        context.warn("TG0405", f"this condition is always {'true' if known else 'false'}", span)


def _while(context: Context, node: tree.While) -> p.Statement:
    condition = boolean(context, node.condition)
    return p.While(condition, _loop_body(context, node.body), (), node.span)


def _loop_body(
    context: Context, node: tree.Block, variable: p.LoopVariable | None = None
) -> tuple[p.Statement, ...]:
    rights = context.rights
    outer = rights.in_loop, rights.loops
    rights.in_loop = True
    if variable is not None:
        rights.loops = (*rights.loops, variable)
    body = context.statements(node)
    rights.in_loop, rights.loops = outer
    return body


def _for_each(context: Context, node: tree.ForEach) -> p.Statement:
    type = type_of_name(context.world, context.file, node.type)
    source = as_list(context.world, context.expression(node.source, ListType(type)))
    if isinstance(source.type, TableType):
        message = f"expected a list, found a table of {describe(source.type.value)}"
        hint = "iterate over its keys: `for K k in K.all`"
        if source.type.index is Basic.DECIMAL:
            hint = "iterate over its indexes: `for decimal i from 0 to table.length - 1`"
        source = context.error_value("TG0310", message, source.span, hint)
    elif source.type is not Basic.UNKNOWN and not isinstance(source.type, ListType):
        source = context.error_value("TG0310", f"expected a list, found {describe(source.type)}", source.span)
    elif isinstance(source.type, ListType):
        source = convert(context, source, ListType(type), node.type.span, f"this is {describe(type)}")
    with context.scope():
        check_local_name(context, node.name)
        local = context.declare(node.name.text, type, node.name.span, "element")
        body = _loop_body(context, node.body, (local.slot, type))
    return p.ForEach(local.slot, source, body, node.span)


def _for_range(context: Context, node: tree.ForRange) -> p.Statement:
    type = type_of_name(context.world, context.file, node.type)
    if type not in (Basic.DECIMAL, Basic.UNKNOWN):
        context.error(
            "TG0310",
            f"the variable of a loop over numbers must be a decimal, not {describe(type)}",
            node.type.span,
        )
    low, high = number(context, node.bounds.low), number(context, node.bounds.high)
    with context.scope():
        check_local_name(context, node.name)
        local = context.declare(node.name.text, Basic.DECIMAL, node.name.span, "element")
        body = _loop_body(context, node.body, (local.slot, Basic.DECIMAL))
    return p.ForRange(local.slot, low, high, body, node.span)


def _for_steps(context: Context, node: tree.ForSteps) -> tuple[p.Statement, ...]:
    with context.scope():
        first = _statement(context, node.first) if node.first is not None else ()
        condition = (
            boolean(context, node.condition)
            if node.condition is not None
            else p.Literal(True, Basic.BOOL, node.span)
        )
        body = _loop_body(context, node.body, _counter_of(first))
        step = _statement(context, node.step) if node.step is not None else ()
    return (*first, p.While(condition, body, step, node.span))


def _counter_of(first: tuple[p.Statement, ...]) -> p.LoopVariable | None:
    """The variable that a `for` with steps declares."""
    match first:
        case (p.Declare(slot, value=value),):
            return slot, value.type
        case _:
            return None


def _check_loop(context: Context, word: str, span: Span) -> None:
    if not context.rights.in_loop:
        context.error("TG0350", f"`{word}` is not in a loop", span)
