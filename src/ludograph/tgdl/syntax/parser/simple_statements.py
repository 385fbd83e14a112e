"""Parser of statements that end with a semicolon and contain no block."""

from bisect import bisect_left
from collections.abc import Callable, Mapping

from msgspec.structs import replace

from ludograph.tgdl.syntax import tree
from ludograph.tgdl.syntax.lexer import TokenKind
from ludograph.tgdl.syntax.parser.expressions import (
    missing_expression,
    parse_before_to,
    parse_expression,
    parse_postfix,
    reject_in,
)
from ludograph.tgdl.syntax.parser.foreign_forms import LACKING_OPERANDS, hint_of_draw, hint_of_pass
from ludograph.tgdl.syntax.parser.links import parse_chain
from ludograph.tgdl.syntax.parser.messages import maybe_message
from ludograph.tgdl.syntax.parser.stream import (
    AFTER_LOCAL_NAMES,
    DECLARATION_WORDS,
    INFIX_WORDS,
    RESERVED,
    STATEMENT_WORDS,
    TokenStream,
    suggestion,
)
from ludograph.tgdl.syntax.parser.types import PREDEFINED, SIGNS, parse_type, reject_brackets

ASSIGN_SIGNS: Mapping[str, tree.AssignOperator] = {
    operator.value: operator for operator in tree.AssignOperator
}

# Keywords before the names of types, verbs and actions.
NAMING_WORDS = ("state", "tile", "interactable", "stack", "group", "enum", "verb", "function", "action")

# Statements without a keyword


def begins_declare(stream: TokenStream) -> bool:
    """Whether the declaration of a variable or attribute begins here: a type, and a name on the same line."""
    texts, at = stream.texts, maybe_end_of_type(stream)
    if at is None or stream.kinds[at] is not TokenKind.WORD:
        return False
    if texts[at] == "has" and stream.kinds[at + 1] is TokenKind.WORD:
        return False
    if texts[at] in DECLARATION_WORDS and stream.on_new_line(at) and stream.is_word(at + 1):
        return False
    if texts[at] in INFIX_WORDS or texts[at] in STATEMENT_WORDS:
        return texts[at + 1] in ("=", ";") and not stream.on_new_line(at)
    return texts[at] != "in" or texts[at + 1] in AFTER_LOCAL_NAMES


def maybe_end_of_type(stream: TokenStream) -> int | None:
    """The token after the type that begins here, or None; no token is taken."""
    texts, at = stream.texts, stream.at
    if stream.kinds[at] is not TokenKind.WORD or texts[at] in RESERVED:
        return None
    at = _end_of_path(stream, at)
    while texts[at] == "[":
        at += 1
        if stream.kinds[at] is TokenKind.NUMBER:
            at += 1
        elif stream.kinds[at] is TokenKind.WORD:
            at = _end_of_path(stream, at)
        if texts[at] in SIGNS and texts[stream.at] in PREDEFINED:
            while texts[at] not in ("]", ";", "{", "}") and stream.kinds[at] is not TokenKind.END:
                at += 1  # `decimal[n + 1]` is a type, and `parse_type` reports its error
        if texts[at] != "]":
            return None
        at += 1
    return at


def _end_of_path(stream: TokenStream, at: int) -> int:
    at += 1
    while stream.texts[at] == "." and stream.kinds[at + 1] is TokenKind.WORD:
        at += 2
    return at


def parse_declare(stream: TokenStream) -> tree.Declare:
    """`type name = value;`."""
    start = stream.start()
    declare = _parse_declare_open(stream, start)
    stream.expect_semicolon()
    return replace(declare, span=stream.span_from(start))


def _parse_declare_open(stream: TokenStream, start: int) -> tree.Declare:
    type_name = parse_type(stream)
    name = stream.expect_name("a variable")
    reject_brackets(stream, type_name, name)
    value = reject_in(stream, parse_expression(stream)) if stream.maybe("=") else None
    return tree.Declare(type_name, name, value, stream.span_from(start))


def parse_evaluate(
    stream: TokenStream, *, may_be_result: bool
) -> tree.Evaluate | tree.Assign | tree.Has | tree.Return | tree.Move:
    """`expression;`, `target = value;`, `p has state;` or `x.move_to(t);`.

    If `may_be_result`, an expression before `}` is the result of a short block and needs no semicolon.
    """
    start, first = stream.start(), stream.at
    value = reject_in(stream, parse_expression(stream))
    if may_be_result and stream.next_is("}"):
        return tree.Evaluate(value, stream.span_from(start))
    if stream.next_is("has"):
        return parse_has(stream, value, start)
    if (moved := _maybe_move_to(stream, value, first)) is not None:
        stream.expect_semicolon()
        return replace(moved, span=stream.span_from(start))
    assign = maybe_assign(stream, value, start)
    if (
        may_be_result
        and assign is not None
        and assign.operator is tree.AssignOperator.SET
        and stream.next_is("}")
    ):
        stream.error_semicolon("write ; or, to compare, == instead of =")
        return tree.Evaluate(tree.ErrorExpression(assign.span), assign.span)
    if stream.next_is("{") and isinstance(value, tree.Call) and isinstance(value.callee, tree.Name):
        _report_misspelt_head(stream, value.callee)
    if assign is None and stream.in_verb and stream.next_is("}") and not stream.is_broken:
        return _parse_missing_return(stream, value, start)
    stream.expect_semicolon()
    if assign is not None:
        return replace(assign, span=stream.span_from(start))
    return tree.Evaluate(value, stream.span_from(start))


def _maybe_move_to(stream: TokenStream, value: tree.Expression, first: int) -> tree.Move | None:
    """`x.move_to(t)` is `move x to t`, unless the program may have a verb of this name; else None."""
    if not isinstance(value, tree.Call) or not isinstance(value.callee, tree.Member):
        return None
    word, arguments = value.callee.name, value.arguments
    if word.text != "move_to" or len(arguments) != 1 or arguments[0].name is not None:
        return None
    if value.span != stream.span_from(stream.starts[first]) or stream.may_declare("move_to"):
        return None
    at = bisect_left(stream.starts, word.span.start, first, stream.at)
    stream.spelling.before[first] = "move"
    stream.spelling.instead.update({at - 1: "", at: "to", at + 1: "", stream.at - 1: ""})
    stream.hint_spelling("x.move_to(t);", "move x to t;", value.span)
    return tree.Move(value.callee.value, arguments[0].value, value.span)


def _parse_missing_return(
    stream: TokenStream, value: tree.Expression, start: int
) -> tree.Evaluate | tree.Return:
    """`y }` at the end of a verb: without `return` the block must be a single expression."""
    span = stream.span_from(start)
    if isinstance(value, tree.Call):
        stream.error_semicolon("write ; after it and, if the verb returns this value, return before it")
        return tree.Evaluate(value, span)
    written = " ".join(stream.source.text[span.start : span.end].split())
    is_short = len(written) <= 40 and "//" not in written
    stream.error_semicolon(
        f"write return {written};" if is_short else "write return before it and ; after it"
    )
    return tree.Return(value, span)


def is_result(stream: TokenStream) -> bool:
    """Whether the last statement ended before `}` without a semicolon."""
    return stream.next_is("}") and stream.texts[stream.at - 1] != ";"


def _report_misspelt_head(stream: TokenStream, name: tree.Name) -> None:
    """`whlie (a) {` was parsed as a call."""
    meant = suggestion(name.text, ("if", "while", "for"))
    if meant:
        stream.error("TG0212", f"unknown statement '{name.text}'", name.span, f"did you mean '{meant}'?")


def parse_step(stream: TokenStream) -> tree.Assign | tree.Evaluate:
    """The step of `for (…; …; …)`: an assignment or a call without a semicolon."""
    start = stream.start()
    value = parse_expression(stream)
    return maybe_assign(stream, value, start) or tree.Evaluate(value, stream.span_from(start))


def maybe_assign(stream: TokenStream, target: tree.Expression, start: int) -> tree.Assign | None:
    """`= value`, `+= value` and the like, or None."""
    operator = ASSIGN_SIGNS.get(stream.texts[stream.at])
    if operator is None:
        return None
    if not isinstance(target, tree.Name | tree.Member | tree.Index | tree.ErrorExpression):
        hint = "assign to a variable, an attribute or an entry of a list"
        stream.error_recovered("TG0218", "cannot assign to this expression", target.span, hint)
    stream.at += 1
    value = reject_in(stream, parse_expression(stream))
    return tree.Assign(target, operator, value, stream.span_from(start))


def parse_has(stream: TokenStream, player: tree.Expression, start: int) -> tree.Has:
    """`has seat, role;` after a player."""
    states = parse_states(stream)
    stream.expect_semicolon()
    return tree.Has(player, states, stream.span_from(start))


def parse_states(stream: TokenStream) -> tuple[tree.Path, ...]:
    """`has seat, role`; the next token is `has`."""
    stream.at += 1
    states = [stream.expect_path("a state")]
    while stream.maybe(","):
        states.append(stream.expect_path("a state"))
    return tuple(states)


# Statements with a keyword, which each function takes


def parse_return(stream: TokenStream) -> tree.Return:
    start = stream.start()
    stream.at += 1
    value = None
    if stream.texts[stream.at] not in (";", "}"):
        value = reject_in(stream, parse_expression(stream))
    stream.expect_semicolon()
    return tree.Return(value, stream.span_from(start))


def parse_break(stream: TokenStream) -> tree.Break:
    start = stream.start()
    stream.at += 1
    stream.expect_semicolon()
    return tree.Break(stream.span_from(start))


def parse_continue(stream: TokenStream) -> tree.Continue:
    start = stream.start()
    stream.at += 1
    stream.expect_semicolon()
    return tree.Continue(stream.span_from(start))


def parse_fail(stream: TokenStream) -> tree.Fail:
    start = stream.start()
    stream.at += 1
    message = maybe_message(stream)
    stream.expect_semicolon()
    return tree.Fail(message, stream.span_from(start))


def parse_cancel(stream: TokenStream) -> tree.Cancel:
    """`cancel "m";`, `cancel E "m";`, `cancel all "m";`."""
    start = stream.start()
    stream.at += 1
    everything = stream.maybe("all")
    named = not everything and stream.kinds[stream.at] is TokenKind.WORD
    effect = stream.expect_name("an effect") if named else None
    message = maybe_message(stream)
    stream.expect_semicolon()
    return tree.Cancel(effect, everything, message, stream.span_from(start))


def begins_move(stream: TokenStream) -> bool:
    """Whether `move` is a keyword here, and not the name of a variable, a verb or a type."""
    text, after = stream.texts[stream.at + 1], stream.texts[stream.at + 2]
    if text in ASSIGN_SIGNS or text in (".", "[", "has") or text in INFIX_WORDS:
        return False
    if _has_before_end(stream, "to"):
        return True
    if after in ("=", ";") and any((kind, "move") in stream.token_pairs() for kind in NAMING_WORDS):
        return False  # a variable of the type `move`
    return stream.is_word(stream.at + 1) or text == ";"


def _has_before_end(stream: TokenStream, word: str) -> bool:
    """Whether a word comes before the end of the statement, outside of brackets."""
    depth, at = int(stream.texts[stream.at + 1] in ("(", "[", "{")), stream.at + 2
    while stream.kinds[at] is not TokenKind.END and not (depth == 0 and stream.texts[at] in (";", "}")):
        text = stream.texts[at]
        depth += (text in ("(", "[", "{")) - (text in (")", "]", "}"))
        if depth == 0 and text in ASSIGN_SIGNS:
            return False
        if depth == 0 and text == word:
            return True
        at += 1
    return False


def parse_move(stream: TokenStream) -> tree.Move:
    start = stream.start()
    stream.at += 1
    piece = parse_before_to(stream, parse_expression)
    stream.expect("to", "between the piece and its destination")
    place = parse_expression(stream)
    stream.expect_semicolon()
    return tree.Move(piece, place, stream.span_from(start))


# Statements about states. Their keywords can also be names.


def begins_state_statement(stream: TokenStream) -> bool:
    """Whether `transfer`, `attach` or `remove` is a keyword here: an expression and `to` or `from` follow."""
    second = STATE_STATEMENTS.get(stream.texts[stream.at])
    following = stream.texts[stream.at + 1]
    if second is None or following in ASSIGN_SIGNS or following == ".":
        return False
    return _has_before_end(stream, second[0])


def parse_transfer(stream: TokenStream) -> tree.Evaluate:
    """`transfer state to p;` is `state.transfer_to(p);`."""
    start, word = stream.start(), _take_as(stream, "transfer_to")
    state = parse_before_to(stream, parse_expression)
    stream.expect("to", "between the state and the player")
    return _parse_rest_of_call(stream, start, word, state, parse_expression(stream))


def parse_attach(stream: TokenStream) -> tree.Evaluate:
    """`attach p to state;` is `state.attach(p);`."""
    start, word = stream.start(), _take_as(stream, "attach")
    player = parse_before_to(stream, parse_expression)
    stream.expect("to", "between the player and the state")
    return _parse_rest_of_call(stream, start, word, parse_expression(stream), player)


def parse_remove(stream: TokenStream) -> tree.Evaluate:
    """`remove p from state;` is `state.remove(p);`."""
    start, word = stream.start(), _take_as(stream, "remove")
    player = parse_expression(stream)
    stream.expect("from", "between the player and the state")
    return _parse_rest_of_call(stream, start, word, parse_expression(stream), player)


def _take_as(stream: TokenStream, method: str) -> tree.Word:
    """Take the keyword; the result is the name of the method that it calls."""
    return tree.Word(method, stream.take_word().span)


def _parse_rest_of_call(
    stream: TokenStream, start: int, word: tree.Word, state: tree.Expression, player: tree.Expression
) -> tree.Evaluate:
    span = stream.span_from(start)
    callee = tree.Member(state, word, span)
    call = tree.Call(callee, (tree.Argument(None, player, player.span),), span)
    stream.expect_semicolon()
    return tree.Evaluate(call, stream.span_from(start))


STATE_STATEMENTS: Mapping[str, tuple[str, Callable[[TokenStream], tree.Evaluate]]] = {
    "transfer": ("to", parse_transfer),
    "attach": ("to", parse_attach),
    "remove": ("from", parse_remove),
}


def parse_win(stream: TokenStream) -> tree.Win:
    """`win p, q;` or `winner p, q;`."""
    start = stream.start()
    if stream.next_is("winner"):
        stream.respell(stream.at, "win")
    stream.at += 1
    players = _expect_players(stream, "the winner")
    stream.expect_semicolon()
    return tree.Win(players, stream.span_from(start))


def parse_draw(stream: TokenStream) -> tree.Draw:
    start = stream.start()
    stream.at += 1
    players: tuple[tree.Expression, ...] = ()
    if hint := hint_of_draw(stream):
        stream.at -= 1
        stream.error("TG0204", "`draw` takes no card from a stack", hint=hint)
        stream.skip_statement()
    elif stream.texts[stream.at] not in (";", "}"):
        players = parse_expressions(stream)
        stream.expect_semicolon()
    else:
        stream.expect_semicolon()
    return tree.Draw(players, stream.span_from(start))


def _expect_players(stream: TokenStream, what: str) -> tuple[tree.Expression, ...]:
    """The players of `win` or `out`; the keyword is already taken."""
    if stream.texts[stream.at] not in (";", "}"):
        return parse_expressions(stream)
    return (missing_expression(stream, what, LACKING_OPERANDS[stream.texts[stream.at - 1]]),)


def parse_out(stream: TokenStream) -> tree.Out:
    start = stream.start()
    stream.at += 1
    players = _expect_players(stream, "the player who is out")
    stream.expect_semicolon()
    return tree.Out(players, stream.span_from(start))


def begins_in(stream: TokenStream) -> bool:
    """Whether `in` is a keyword here, and not the name of a variable, a verb or a type."""
    if not stream.next_is("in"):
        return False
    text = stream.texts[stream.at + 1]
    is_operator = text in INFIX_WORDS or text in ASSIGN_SIGNS or text in (".", "[", ";", "}", "has", "")
    if text == "(" and stream.texts[stream.at + 2] == ")":
        return False  # a call without arguments
    return not is_operator and not any((kind, "in") in stream.token_pairs() for kind in NAMING_WORDS)


def parse_in(stream: TokenStream) -> tree.BackIn:
    """`in p, q;`."""
    start = stream.start()
    stream.at += 1
    players = parse_expressions(stream)
    stream.expect_semicolon()
    return tree.BackIn(players, stream.span_from(start))


def parse_finish(stream: TokenStream) -> tree.Finish:
    start = stream.start()
    stream.at += 1
    payoffs: tree.Expression
    if stream.texts[stream.at] in (";", "}"):
        payoffs = missing_expression(stream, "the payoffs", LACKING_OPERANDS["finish"])
    else:
        payoffs = parse_expression(stream)
    stream.expect_semicolon()
    return tree.Finish(payoffs, stream.span_from(start))


def parse_pass(stream: TokenStream) -> tree.Pass:
    """`pass;`, `pass p;`, `pass to P;`, `pass p to P;`."""
    start = stream.start()
    stream.at += 1
    if hint := hint_of_pass(stream):
        stream.error("TG0204", f"unexpected {stream.found()} after `pass`", hint=hint)
        stream.skip_statement()
        return tree.Pass(None, None, stream.span_from(start))
    to_phase = stream.next_is("to") and stream.kinds[stream.at + 1] is TokenKind.WORD
    bare = to_phase or stream.texts[stream.at] in (";", "}")
    player = None if bare else parse_expression(stream)
    phase = parse_postfix(stream) if stream.maybe("to") else None
    stream.expect_semicolon()
    return tree.Pass(player, phase, stream.span_from(start))


def parse_use(stream: TokenStream) -> tree.UseTurn:
    start = stream.start()
    stream.at += 1
    stream.expect("turn", "after 'use'")
    turn = stream.expect_path("a turn")
    stream.expect_semicolon()
    return tree.UseTurn(turn, stream.span_from(start))


def parse_link(stream: TokenStream) -> tree.Link | tree.Unlink:
    """`link a -> b;` or `unlink a -> b;`."""
    start = stream.start()
    adds = stream.next_is("link")
    stream.at += 1
    chain = parse_chain(stream)
    if not chain.steps:
        stream.error("TG0204", f"expected '->' or '<->', found {stream.found()}")
    stream.expect_semicolon()
    span = stream.span_from(start)
    return tree.Link(chain, span) if adds else tree.Unlink(chain, span)


def parse_expressions(stream: TokenStream) -> tuple[tree.Expression, ...]:
    """One or more expressions with commas between them."""
    found = [parse_expression(stream)]
    while stream.maybe(","):
        found.append(parse_expression(stream))
    return tuple(found)


Simple = (
    tree.Return
    | tree.Break
    | tree.Continue
    | tree.Fail
    | tree.Cancel
    | tree.Move
    | tree.Win
    | tree.Draw
    | tree.Out
    | tree.Finish
    | tree.Pass
    | tree.UseTurn
    | tree.Link
    | tree.Unlink
)

SIMPLE_STATEMENTS: Mapping[str, Callable[[TokenStream], Simple]] = {
    "return": parse_return,
    "break": parse_break,
    "continue": parse_continue,
    "fail": parse_fail,
    "cancel": parse_cancel,
    "move": parse_move,
    "win": parse_win,
    "winner": parse_win,
    "draw": parse_draw,
    "out": parse_out,
    "finish": parse_finish,
    "pass": parse_pass,
    "use": parse_use,
    "link": parse_link,
    "unlink": parse_link,
}
