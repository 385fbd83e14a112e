"""Parser of blocks, of statements that contain blocks, and of inputs.

An error node replaces an unreadable statement, and the parser continues after it. The parser corrects a
misspelt first word (`whlie`), so that it can read the rest of the statement.
"""

from bisect import bisect_left

from ludograph.text.source import Span
from ludograph.text.spelling import FOREIGN_ELSE, FOREIGN_STATEMENTS, FOREIGN_TAILS
from ludograph.tgdl.syntax import tree
from ludograph.tgdl.syntax.lexer import TokenKind
from ludograph.tgdl.syntax.parser.braces import (
    is_misplaced,
    parse_misplaced,
    recover_opening_brace,
    report_unclosed,
    skip_stray_brace,
    skip_to_brace,
)
from ludograph.tgdl.syntax.parser.expressions import (
    BINARY,
    begins_body,
    drop_parentheses,
    missing_expression,
    parse_before_to,
    parse_condition,
    parse_expression,
    parse_range,
    reject_assignment,
    reject_in,
)
from ludograph.tgdl.syntax.parser.foreign_forms import (
    LOOP_VARIABLES,
    LOOP_WORDS,
    hint_of_assignment,
    hint_of_chooser,
    hint_of_loop,
    hint_of_turn_end,
)
from ludograph.tgdl.syntax.parser.messages import expect_words, maybe_words
from ludograph.tgdl.syntax.parser.simple_statements import (
    ASSIGN_SIGNS,
    SIMPLE_STATEMENTS,
    STATE_STATEMENTS,
    begins_declare,
    begins_in,
    begins_move,
    begins_state_statement,
    is_result,
    maybe_end_of_type,
    parse_declare,
    parse_evaluate,
    parse_in,
    parse_step,
)
from ludograph.tgdl.syntax.parser.stream import (
    INFIX_WORDS,
    MAX_DEPTH,
    STATEMENT_WORDS,
    VALUE_WORDS,
    TokenStream,
    suggestion,
)
from ludograph.tgdl.syntax.parser.types import lack_type, maybe_swapped_type, parse_type
from ludograph.tgdl.syntax.traversal import walk

INPUT_FLAGS = ("optional", "auto", "all", "verb", "sequence")
INPUT_STARTS = frozenset(("input", "player", "function", *INPUT_FLAGS))
# Words that may follow the name of an input. One of them also follows a `player` without an expression.
INPUT_CLAUSES = frozenset((*INPUT_FLAGS, "player", "in", "from", "total", "visible"))
AFTER_PLAYER = (INPUT_CLAUSES - {"player"}) | {";", "{", "}", ""}

# First words of statements that the parser suggests for a misspelt word.
CORRECTED = STATEMENT_WORDS - {"else", "winner"}

# Words before a value in an expression, and words of clauses after one.
PREFIX_WORDS = frozenset(("in", "not", "new", "random", "weights", "visible", "to", "player"))
CLAUSE_WORDS = frozenset(("weights", "visible", "to"))
# The maximum length of a list in a condition, in tokens, and the tokens that may follow the list.
MAX_CONDITION_LENGTH = 200
AFTER_LIST = frozenset((".", "[", "is", "as", *BINARY))


# Blocks


def parse_block(stream: TokenStream, *, has_result: bool = False) -> tree.Block:
    """`{ statements }`; if `has_result`, also the short form `{ expression }`."""
    if not stream.next_is("{") and not skip_to_brace(stream):
        hint = "write it in braces: { … }" if stream.is_word(stream.at) else ""
        stream.error("TG0204", f"expected '{{', found {stream.found()}", hint=hint)
        if recover_opening_brace(stream):
            statements, result = parse_statements(stream, stream.at - 1, has_result=has_result)
            return tree.Block(tuple(statements), result, stream.span_from(stream.starts[stream.at - 1]))
        block = _parse_unbraced(stream, has_result=has_result)
        if stream.next_is("}") and not stream.on_new_line(stream.at) and stream.unclosed_braces() < 0:
            stream.at += 1  # only the `{` is missing
        return block
    opening, start = stream.at, stream.start()
    if stream.depth >= MAX_DEPTH:
        return _too_deep(stream)
    stream.depth += 1
    before = stream.in_header
    stream.in_header = False
    stream.at += 1
    statements, result = parse_statements(stream, opening, has_result=has_result)
    stream.in_header = before
    stream.depth -= 1
    return tree.Block(tuple(statements), result, stream.span_from(start))


def parse_statements(
    stream: TokenStream, opening: int, *, has_result: bool
) -> tuple[list[tree.Statement], tree.Expression | None]:
    """The statements and the result up to the brace that closes the one at token `opening`."""
    statements: list[tree.Statement] = []
    result = None
    while True:
        text = stream.texts[stream.at]
        if text == "}":
            stream.at += 1
            return statements, result
        if not text or stream.begins_declaration() or stream.begins_action_part():
            if text and is_misplaced(stream, opening):
                statements.append(parse_misplaced(stream))
                continue
            report_unclosed(stream, opening)
            return statements, result
        if text == ";":
            skip_stray_semicolon(stream)
            continue
        first = stream.at
        stream.allow_error_on_new_line()
        may_be_result = has_result and not statements
        statement = _parse_statement_or_error(stream, may_be_result=may_be_result)
        if may_be_result and isinstance(statement, tree.Evaluate) and is_result(stream):
            result = statement.value
        elif statement is not None:
            statements.append(statement)
        if stream.at == first:
            stream.error("TG0204", f"expected a statement, found {stream.found()}")
            stream.at += 1


def skip_stray_semicolon(stream: TokenStream) -> None:
    """Skip a superfluous semicolon; the formatter removes it."""
    stream.report("TG0251", "this semicolon does nothing", stream.here(), "remove it", "hint")
    stream.spelling.instead[stream.at] = ""
    stream.at += 1


def parse_body(stream: TokenStream) -> tree.Block:
    """The body of a condition or loop: a block, or one statement without braces."""
    return parse_block(stream) if stream.next_is("{") else _parse_unbraced(stream)


def _parse_unbraced(stream: TokenStream, *, has_result: bool = False) -> tree.Block:
    start, is_on_line = stream.start(), not stream.on_new_line(stream.at)
    if stream.texts[stream.at] in ("}", ";", ")", "") or stream.begins_declaration():
        stream.error("TG0204", f"expected a statement or '{{', found {stream.found()}")
        stream.maybe(";")
        return tree.Block((), None, Span(start, start))
    if stream.depth >= MAX_DEPTH:
        return _too_deep(stream)
    stream.depth += 1
    before = stream.in_header
    stream.in_header = False
    statement = _parse_statement_or_error(stream, may_be_result=has_result)
    stream.in_header = before
    stream.depth -= 1
    if is_on_line and isinstance(statement, tree.ErrorNode):
        stream.is_broken = True  # it may be the rest of the condition: `if a b > 3 draw;`
    return tree.Block(() if statement is None else (statement,), None, stream.span_from(start))


def _too_deep(stream: TokenStream) -> tree.Block:
    """Report that this block is nested too deep, and skip it."""
    start = stream.start()
    message = "brackets, operators and blocks are nested too deeply here"
    stream.error("TG0210", message, hint="move a part of it into a verb")
    if stream.next_is("{"):
        stream.skip_braces()
    else:
        stream.skip_statement()
    return tree.Block((), None, stream.span_from(start))


# Statements


def _parse_statement_or_error(stream: TokenStream, *, may_be_result: bool) -> tree.Statement | None:
    """One statement, or an error node if it is unreadable."""
    first, outer = stream.at, stream.begin_node()
    statement = parse_statement(stream, may_be_result=may_be_result)
    return stream.error_node(first) if stream.end_node(first, outer) else statement


def parse_statement(stream: TokenStream, *, may_be_result: bool) -> tree.Statement | None:
    """One statement, or None if it is unreadable; `may_be_result` as in `parse_evaluate`."""
    text = stream.texts[stream.at]
    simple = SIMPLE_STATEMENTS.get(text)
    is_name = text == "move" and not begins_move(stream)
    if simple is not None and not is_name and stream.kinds[stream.at] is TokenKind.WORD:
        if stream.texts[stream.at + 1] in ASSIGN_SIGNS or stream.texts[stream.at + 1] == ".":
            _parse_reserved(stream)
            return None
        return simple(stream)
    if begins_state_statement(stream):
        return STATE_STATEMENTS[text][1](stream)
    if begins_in(stream):
        return parse_in(stream)
    match text:
        case "if":
            return parse_if(stream)
        case "while":
            return parse_while(stream)
        case "for":
            return parse_for(stream)
        case "else":
            _parse_stray_else(stream)
            return None
        case "{" if begins_body(stream):
            _parse_stray_block(stream)
            return None
        case _ if text in INPUT_STARTS and begins_input(stream):
            return parse_input(stream)
        case _ if stream.kinds[stream.at] is TokenKind.WORD:
            return _parse_word_statement(stream, may_be_result)
        case _:
            return parse_evaluate(stream, may_be_result=may_be_result)


def _parse_word_statement(stream: TokenStream, may_be_result: bool) -> tree.Statement | None:
    """A statement that begins with a name, or with a misspelt keyword."""
    declares = begins_declare(stream)
    if hint := hint_of_turn_end(stream):
        stream.error("TG0212", f"unknown statement '{stream.texts[stream.at]}'", hint=hint)
        stream.skip_statement()
        return None
    if _is_foreign(stream):
        written = stream.texts[stream.at]
        stream.error("TG0212", f"unknown statement '{written}'", hint=FOREIGN_STATEMENTS[written])
        stream.skip_statement()
        if stream.texts[stream.at] == FOREIGN_TAILS.get(written):
            stream.skip_statement()
        return None
    corrected = _misspelt(stream, declares)
    if corrected:
        written = stream.texts[stream.at]
        stream.correct("TG0212", f"unknown statement '{written}'", corrected)
        stream.texts[stream.at] = corrected
        return parse_statement(stream, may_be_result=may_be_result)
    if declares:
        return parse_declare(stream)
    return parse_evaluate(stream, may_be_result=may_be_result)


def _is_foreign(stream: TokenStream) -> bool:
    """`place new king on c1;`: a statement of another language, not a declaration with such a type."""
    at = stream.at
    if stream.texts[at] not in FOREIGN_STATEMENTS:
        return False
    following = stream.texts[at + 1]
    if following == "(":
        after = stream.after_parentheses(at + 1)
        return stream.text_at(after) == "{" or _goes_on(stream, after)
    if following == "{":
        return True
    if stream.on_new_line(at + 1):
        return False
    if following in ("player", "new", "this") or stream.kinds[at + 1] in (TokenKind.NUMBER, TokenKind.STRING):
        return True
    return (
        stream.is_word(at + 1)
        and following not in INFIX_WORDS
        and stream.texts[at + 2] not in ("=", ";", "[")
    )


def _goes_on(stream: TokenStream, index: int) -> bool:
    """Whether the token is a word on the same line that cannot continue an expression."""
    word = stream.is_word(index) and stream.texts[index] not in INFIX_WORDS and stream.texts[index] != "has"
    return word and not stream.on_new_line(index)


def _misspelt(stream: TokenStream, declares: bool) -> str:
    """The keyword that is misspelt here; "" if the tokens are a declaration or an expression."""
    at = stream.at
    following = stream.texts[at + 1]
    if declares and following in STATEMENT_WORDS:
        return suggestion(stream.texts[at], STATEMENT_WORDS)
    if declares and following in VALUE_WORDS and stream.texts[at + 2] != "=":
        return suggestion(stream.texts[at], CORRECTED)
    if declares:
        fits = stream.texts[at + 2] in ("=", ";", "[") or following in ("[", ".")
    else:
        sign = stream.kinds[at + 1] is TokenKind.SIGN and following != "{"
        fits = sign or following in INFIX_WORDS or following == "has" or stream.texts[at] == "player"
    return "" if fits or stream.on_new_line(at + 1) else suggestion(stream.texts[at], CORRECTED)


def _parse_reserved(stream: TokenStream) -> None:
    """`draw = 3;`: a reserved word used as a variable, or `win = player;` for `win player;`."""
    stream.error_reserved(hint_of_assignment(stream))
    stream.skip_statement()


def _parse_stray_block(stream: TokenStream) -> None:
    """A block without a head; `if`, `while` or `for` may be missing."""
    if stream.semicolon_at != stream.at:  # otherwise the missing semicolon is reported
        stream.error("TG0204", "this block belongs to no statement", hint="write if, while or for before it")
    if not skip_stray_brace(stream):
        parse_block(stream)


def _parse_stray_else(stream: TokenStream) -> None:
    """An `else` without an `if`; an unreadable statement before it may be its `if`."""
    stream.is_broken = True
    if not stream.is_after_error:
        hint = "if its 'if' has several statements, write them in braces"
        stream.error("TG0204", "this 'else' has no matching 'if'", hint=hint)
    stream.at += 1
    parse_body(stream)


def parse_if(stream: TokenStream) -> tree.If:
    """`if a … else if b … else …`."""
    start = stream.start()
    branches = []
    otherwise = None
    begin = start
    while True:
        stream.at += 1
        condition = _parse_head(stream)
        has_colon = stream.texts[stream.at - 1] == ":"
        body = parse_body(stream)
        branches.append(tree.Branch(condition, body, stream.span_from(begin)))
        begin = stream.start()
        if _is_foreign_else(stream):
            written = stream.texts[stream.at]
            stream.correct("TG0212", f"unknown statement '{written}'", "else if")
            continue
        if not stream.maybe("else"):
            break
        if not stream.next_is("if"):
            if not has_colon:
                _reject_after_head(stream, "an 'else'")
            stream.at += stream.next_is(":")
            otherwise = parse_body(stream)
            break
    return tree.If(tuple(branches), otherwise, stream.span_from(start))


def _is_foreign_else(stream: TokenStream) -> bool:
    """`elif a > 1 {` after a branch: neither a declaration with a type of that name nor a call."""
    if stream.texts[stream.at] not in FOREIGN_ELSE:
        return False
    following = stream.texts[stream.at + 1]
    if following == "(":
        return stream.text_at(stream.after_parentheses(stream.at + 1)) not in (";", ".", "")
    if stream.is_word(stream.at + 1) and following not in VALUE_WORDS:
        return stream.texts[stream.at + 2] not in ("=", ";")
    return following not in ASSIGN_SIGNS and following not in (".", "[", ";", "}", "")


def _parse_head(stream: TokenStream) -> tree.Expression:
    """A condition. The formatter removes parentheses around the whole condition."""
    first, outer = stream.at, stream.begin_node()
    condition: tree.Expression
    if stream.next_is("{") and not _begins_list(stream):
        condition = missing_expression(stream, "a condition")
    else:
        condition = reject_assignment(stream, parse_condition(stream))
        drop_parentheses(stream, first)
        if not _is_back_in(stream):
            condition = reject_in(stream, condition)
        _reject_after_head(stream, "a condition")
    if stream.end_node(first, outer):
        stream.is_next_doubtful = True  # a statement on the same line may be the rest of the condition
        return tree.ErrorExpression(stream.span_from(stream.starts[first]))
    return condition


def _is_back_in(stream: TokenStream) -> bool:
    """Whether `in` after a condition begins the statement `in p;`, and not `x in { a, b }` and a body."""
    if not stream.next_is("in"):
        return False
    depth, before = 0, "in"
    for at in range(stream.at + 1, len(stream.texts)):
        text = stream.texts[at]
        if text == ";" or not text:
            return text == ";" and depth == 0 and before != "in"
        if depth == 0:
            is_plain = stream.is_word(at) and text not in INFIX_WORDS and text not in CLAUSE_WORDS
            is_after_value = before in (")", "]", "}") or (
                stream.is_word(at - 1) and before not in INFIX_WORDS and before not in PREFIX_WORDS
            )
            if text in STATEMENT_WORDS or text in ASSIGN_SIGNS or (is_plain and is_after_value):
                return False
        depth += (text in ("(", "[", "{")) - (text in (")", "]", "}"))
        if depth < 0:
            return False
        before = text
    return False


def _reject_after_head(stream: TokenStream, what: str) -> None:
    """Report and skip `then`, `do` or a colon before the body."""
    if stream.texts[stream.at] not in ("then", "do", ":"):
        return
    if stream.next_is(":"):
        hint = "remove it: write one statement, or a block in braces"
        stream.error("TG0204", f"unexpected ':' after {what}", hint=hint)
        stream.at += 1
    elif stream.is_word(stream.at + 1) or stream.texts[stream.at + 1] == "{":
        stream.error_recovered("TG0204", f"unexpected {stream.found()} after {what}", hint="remove it")
        stream.at += 1


def _begins_list(stream: TokenStream) -> bool:
    """Whether the brace here begins a list in the condition, and not the body."""
    if stream.texts[stream.at + 1] in STATEMENT_WORDS:
        return False
    depth = 0
    for index in range(stream.at, min(stream.at + MAX_CONDITION_LENGTH, stream.end)):
        text = stream.texts[index]
        if text == "{":
            depth += 1
        elif text == "}":
            depth -= 1
            if depth == 0:
                return stream.text_at(index + 1) in AFTER_LIST
        elif text == ";" and depth == 1:
            return False
    return True


def parse_while(stream: TokenStream) -> tree.While:
    start = stream.start()
    stream.at += 1
    condition = _parse_head(stream)
    body = parse_body(stream)
    return tree.While(condition, body, stream.span_from(start))


def parse_for(stream: TokenStream) -> tree.ForEach | tree.ForRange | tree.ForSteps | None:
    """`for T x in list`, `for decimal i from a to b`, `for (first; condition; step)`."""
    start = stream.start()
    opening = stream.at + 1
    stream.at += 1
    in_parentheses = stream.maybe("(")
    if in_parentheses and not _begins_each(stream):
        return _parse_for_steps(stream, start, opening)
    if _lacks_loop_type(stream):
        type_name = lack_type(stream, hint_of_loop(stream))
    else:
        type_name = parse_type(stream)
    name = stream.expect_name("the loop variable")
    first, outer = stream.at, stream.begin_node()
    source: tree.Expression | tree.Range
    if stream.next_is("from"):
        source = parse_range(stream)
    else:
        if stream.texts[stream.at] in ("of", ":"):
            stream.correct("TG0204", f"expected 'in' after the loop variable, found {stream.found()}", "in")
            stream.at += 1
        elif not stream.expect("in", "or 'from' after the loop variable"):
            stream.at += stream.is_word(stream.at + 1)
        source = parse_condition(stream)
        if stream.texts[stream.at] in ("to", ".."):
            source = _parse_rest_of_range(stream, source)
    if in_parentheses:
        stream.expect_close(opening)
        drop_parentheses(stream, opening)
    _reject_after_head(stream, "the head of a loop")
    if stream.end_node(first, outer):
        source = tree.ErrorExpression(stream.span_from(stream.starts[first]))
    body = parse_body(stream)
    span = stream.span_from(start)
    if isinstance(source, tree.Range):
        return tree.ForRange(type_name, name, source, body, span)
    return tree.ForEach(type_name, name, source, body, span)


def _lacks_loop_type(stream: TokenStream) -> bool:
    """Whether the variable of a loop has no type: `p in l`, and `const p of l` of other languages."""
    texts, at = stream.texts, stream.at
    if texts[at] in LOOP_VARIABLES and stream.is_word(at + 1) and texts[at + 2] in LOOP_WORDS:
        at = stream.at = at + 1
    elif texts[at] in ("each", "every") and stream.is_word(at + 1):
        stream.error("TG0204", f"unexpected '{texts[at]}' after 'for'", hint="write `for T x in list`")
        stream.at += 1
        return False
    if texts[at + 1] not in ("in", "from", "of") or texts[at + 2] in ("in", "from", "of"):
        return False
    return stream.is_word(at)


def _parse_rest_of_range(stream: TokenStream, low: tree.Expression) -> tree.Range:
    """`in 1 to 3` instead of `from 1 to 3`."""
    stream.error("TG0204", f"expected a list after 'in', found {stream.found()}", hint="write from … to …")
    stream.at += 1
    return tree.Range(low, parse_condition(stream), stream.span_from(low.span.start))


def _begins_each(stream: TokenStream) -> bool:
    """Whether the next tokens are a type, a name, and `in`, `from` or a word for them in other languages."""
    at = maybe_end_of_type(stream)
    if at == stream.at + 1 and stream.text_at(at) in ("in", "of"):
        return True  # the type is missing
    return at is not None and stream.is_word(at) and stream.text_at(at + 1) in LOOP_WORDS


def _parse_for_steps(stream: TokenStream, start: int, opening: int) -> tree.ForSteps:
    first: tree.Declare | tree.Assign | tree.Evaluate | None = None
    if not stream.maybe(";"):
        if begins_declare(stream):
            first = parse_declare(stream)
        else:
            first = parse_step(stream)
            stream.expect_semicolon()
    condition = None if stream.next_is(";") else parse_expression(stream)
    stream.expect_semicolon()
    step = None if stream.next_is(")") else parse_step(stream)
    stream.expect_close(opening)
    body = parse_body(stream)
    return tree.ForSteps(first, condition, step, body, stream.span_from(start))


# Inputs


def begins_input(stream: TokenStream) -> bool:
    """Whether an input begins here, with or without modifiers before the word `input`."""
    at = stream.at
    while stream.texts[at] in INPUT_STARTS:
        if stream.texts[at] == "input":
            return True
        at += 1
        if stream.texts[at - 1] == "player" and stream.texts[at] not in INPUT_STARTS:
            at += 1
            if at >= len(stream.texts):
                return False
    return False


def maybe_empty_input(stream: TokenStream) -> bool:
    """Skip `input { }`, a placeholder without meaning."""
    empty = stream.next_is("input") and [*map(stream.text_at, (stream.at + 1, stream.at + 2))] == ["{", "}"]
    stream.at += 3 * empty
    return empty


class _InputClauses:
    """The modifiers and clauses of an input so far. Mutable."""

    def __init__(self) -> None:
        self.flags: set[str] = set()
        self.player: tree.Expression | None = None
        self.candidates: tree.Expression | None = None
        self.bounds: tree.Range | None = None
        self.total: tree.Total | None = None
        self.visible_to: tree.Expression | None = None


def parse_input(stream: TokenStream) -> tree.Input | None:
    """An input with its modifiers before and after the keyword, and its filters."""
    start = stream.start()
    clauses = _InputClauses()
    while not stream.next_is("input"):
        _parse_modifier(stream, clauses)
    stream.at += 1
    if stream.next_is("{"):
        hint = "write a separate input for each: input decimal n from 1 to 3;"
        stream.error("TG0213", "expected a type, found '{'", hint=hint)
        stream.skip_braces()
        return None
    type_name, name = maybe_swapped_type(stream) or (parse_type(stream), _expect_input_name(stream))
    while stream.texts[stream.at] in INPUT_CLAUSES and stream.kinds[stream.at] is TokenKind.WORD:
        _parse_clause(stream, clauses)
    if "player" not in clauses.flags and (hint := hint_of_chooser(stream)):
        stream.error_recovered("TG0204", f"expected 'player' before {stream.found()}", hint=hint)
        clauses.player = parse_condition(stream)
    if stream.kinds[stream.at] is TokenKind.NUMBER and stream.text_at(stream.at + 1) in ("to", ".."):
        stream.error("TG0204", f"expected 'from', found {stream.found()}", hint="write from … to …")
        low = parse_condition(stream)
        stream.at += 1
        clauses.bounds = tree.Range(low, parse_condition(stream), stream.span_from(low.span.start))
    filters: tuple[tree.Filter, ...] = ()
    if stream.next_is("filter") and _begins_filter(stream, stream.at):
        stream.error("TG0204", "expected '{' before 'filter'", hint="write { filter { … } }")
    if stream.next_is("{"):
        opening = stream.at
        filters = parse_filters(stream)
        if (found := _maybe_candidates(stream, clauses, type_name, name, filters, opening)) is not None:
            clauses.candidates, filters = found, ()
        words = None if stream.texts[opening + 1] != "filter" else maybe_words(stream)
    else:
        words = maybe_words(stream)
        if words is None:
            stream.expect_semicolon()
    return _input(clauses, type_name, name, filters, stream.span_from(start), words)


def _maybe_candidates(
    stream: TokenStream,
    clauses: _InputClauses,
    type_name: tree.TypeName,
    name: tree.Word,
    filters: tuple[tree.Filter, ...],
    opening: int,
) -> tree.Expression | None:
    """`input string s { list.contains(s) }` is `input string s in list;`: the list of candidates, or None.

    Only numbers and strings need it: they have no candidates of their own.
    """
    is_endless = type_name.path.text in ("string", "decimal") and not type_name.dimensions
    if not is_endless or clauses.candidates or clauses.bounds or "verb" in clauses.flags or len(filters) != 1:
        return None
    body, filtered = filters[0].body, filters[0].name
    tested = body.result
    if len(body.statements) == 1 and isinstance(body.statements[0], tree.Return):
        tested = body.statements[0].value
    match tested:
        case tree.Call(tree.Member(listed, tree.Word("contains")), (tree.Argument(None, tree.Name(text)),)):
            pass
        case _:
            return None
    if text != name.text or filtered is not None or stream.texts[opening + 1] == "filter":
        return None
    if any(isinstance(node, tree.Name) and node.text == text for node in walk(listed)):
        return None
    first, last = (bisect_left(stream.starts, at) for at in (listed.span.start, listed.span.end))
    dropped = (*range(opening + 1, first), *range(last, stream.at - 1))
    stream.spelling.instead.update(dict.fromkeys(dropped, ""))
    stream.spelling.instead.update({opening: "in", stream.at - 1: ";"})
    stream.hint_spelling("{ list.contains(x) }", "in list", filters[0].span)
    return listed


def _expect_input_name(stream: TokenStream) -> tree.Word:
    """The name of an input; it is missing if `from 1` or `in {` follows the type."""
    text, following = stream.texts[stream.at], stream.at + 1
    lacks_name = (text == "from" and stream.kinds[following] is TokenKind.NUMBER) or (
        text == "in" and stream.texts[following] == "{"
    )
    if not lacks_name:
        return stream.expect_name("an input")
    return stream.lack_name("an input", "write the type, then the name: input decimal n")


def _input(
    clauses: _InputClauses,
    type_name: tree.TypeName,
    name: tree.Word,
    filters: tuple[tree.Filter, ...],
    span: Span,
    words: tree.Message | None = None,
) -> tree.Input:
    return tree.Input(
        type=type_name,
        name=name,
        optional="optional" in clauses.flags,
        auto="auto" in clauses.flags,
        all="all" in clauses.flags,
        verb="verb" in clauses.flags,
        sequence="sequence" in clauses.flags,
        by_player="player" in clauses.flags,
        player=clauses.player,
        candidates=clauses.candidates,
        bounds=clauses.bounds,
        total=clauses.total,
        visible_to=clauses.visible_to,
        filters=filters,
        span=span,
        words=words,
    )


def _parse_modifier(stream: TokenStream, clauses: _InputClauses) -> None:
    """A modifier before `input`; a name or number may follow `player`."""
    text = stream.texts[stream.at]
    if text == "function":
        stream.respell(stream.at, text := "verb")
    _take_flag(stream, clauses, text)
    with_number = stream.texts[stream.at - 1] == "player" and stream.texts[stream.at] not in INPUT_STARTS
    if with_number:
        clauses.player = parse_expression(stream)


def _parse_clause(stream: TokenStream, clauses: _InputClauses) -> None:
    """A modifier or a clause with the candidates, after the name of an input."""
    text = stream.texts[stream.at]
    _take_flag(stream, clauses, text)
    match text:
        case "player" if stream.texts[stream.at] in ("+", "-", "*", "/", "%", "."):
            stream.at -= 1  # `player + 1`: the word is part of the expression
            clauses.player = parse_condition(stream)
        case "player":
            following = stream.texts[stream.at]
            is_name = following == "total" and not _begins_total(stream)
            if is_name or following not in AFTER_PLAYER:
                clauses.player = parse_condition(stream)
        case "in":
            clauses.candidates = parse_condition(stream)
            if stream.texts[stream.at] in ("to", ".."):
                clauses.bounds = _parse_rest_of_range(stream, clauses.candidates)
                clauses.candidates = None
        case "from":
            stream.at -= 1
            clauses.bounds = parse_range(stream)
        case "total":
            stream.at -= 1
            clauses.total = parse_total(stream)
        case "visible":
            stream.expect("to", "after 'visible'")
            clauses.visible_to = parse_condition(stream)
        case _:
            pass


def _begins_total(stream: TokenStream) -> bool:
    """Whether a number follows the word `total`. Otherwise the word is the name of a player."""
    kind, text = stream.kinds[stream.at + 1], stream.texts[stream.at + 1]
    is_word = kind is TokenKind.WORD and text not in INPUT_CLAUSES and text not in INFIX_WORDS
    return is_word or kind is TokenKind.NUMBER or text == "("


def parse_total(stream: TokenStream) -> tree.Total:
    """`total 3` or `total 1 to 3`; the next token is `total`."""
    start = stream.start()
    stream.at += 1
    if stream.next_is("from") and stream.kinds[stream.at + 1] in (TokenKind.NUMBER, TokenKind.WORD):
        stream.error("TG0204", "expected a number after 'total', found 'from'", hint="write total 1 to 3")
        bounds = parse_range(stream)
        return tree.Total(bounds.low, bounds.high, stream.span_from(start))
    low = parse_before_to(stream, parse_condition)
    high: tree.Expression | None = None
    if stream.next_is(".."):
        stream.error("TG0204", "expected 'to' between the ends of a total, found '..'", hint="write to")
    if stream.next_is("to") or stream.next_is(".."):
        stream.at += 1
        high = parse_condition(stream)
    return tree.Total(low, high, stream.span_from(start))


def _take_flag(stream: TokenStream, clauses: _InputClauses, text: str) -> None:
    """Take the keyword of a modifier, and check that it does not contradict the others."""
    if text in clauses.flags:
        stream.error_recovered("TG0214", f"duplicate modifier '{text}' of this input")
    for one, other in (("auto", "player"), ("verb", "player"), ("verb", "auto")):
        if {one, other} <= clauses.flags | {text} and text in (one, other):
            stream.error_recovered("TG0214", f"an input cannot be both '{one}' and '{other}'")
    clauses.flags.add(text)
    stream.at += 1


def parse_filters(stream: TokenStream) -> tuple[tree.Filter, ...]:
    """`{ condition }`, `{ statements }` or `{ filter … filter … }` after an input."""
    if not _begins_filter(stream, stream.at + 1):
        block = parse_block(stream, has_result=True)
        words = maybe_words(stream)
        if not (block.statements or block.result or words):
            return ()
        return (tree.Filter(None, None, block, stream.span_from(block.span.start), words),)
    opening = stream.at
    stream.at += 1
    filters = []
    while _begins_filter(stream, stream.at):
        filters.append(parse_filter(stream))
    if not stream.expect_close(opening):
        stream.skip_statement()
    return tuple(filters)


def _begins_filter(stream: TokenStream, index: int) -> bool:
    if stream.text_at(index) != "filter":
        return False
    following = stream.text_at(index + 1)
    return following == "{" or (stream.is_word(index + 1) and following not in INFIX_WORDS)


def parse_filter(stream: TokenStream) -> tree.Filter:
    """`filter { … }` or `filter type name { … }`."""
    start = stream.start()
    stream.at += 1
    type_name = name = None
    if not stream.next_is("{"):
        type_name, name = parse_type(stream), stream.expect_name("the filtered value")
    body = parse_block(stream, has_result=True)
    words = expect_words(stream)
    return tree.Filter(type_name, name, body, stream.span_from(start), words)
