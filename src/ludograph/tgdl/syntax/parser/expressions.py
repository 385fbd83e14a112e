"""Parser of expressions, by operator precedence.

From low to high precedence: `or xor`, `and nand`, `not`, `== !=`, `< > <= >=`, `+ -`, `* / %`, `^` (right
associative), signs and `random`, `is as`, attribute access, calls and indexes. A sign has a higher precedence
than `^`, so `-2 ^ 2` is 4; the formatter writes `(-2) ^ 2`.
"""

from collections.abc import Callable

from ludograph.text.source import Span
from ludograph.tgdl.syntax import tree
from ludograph.tgdl.syntax.lexer import TokenKind
from ludograph.tgdl.syntax.parser.foreign_forms import (
    RANDOM_HINT,
    function_of_element,
    hint_of_comprehension,
    hint_of_empty_call,
    hint_of_in,
    quoted,
)
from ludograph.tgdl.syntax.parser.stream import (
    ASSIGNMENT_SIGNS,
    INFIX_WORDS,
    MAX_DEPTH,
    RESERVED,
    TokenStream,
)
from ludograph.tgdl.syntax.parser.types import (
    BOARD_CELLS,
    parse_type,
    parse_type_path,
    take_number,
    take_text,
)

NOT_POWER = 3
POWER_OF_POWER = 8

# The precedence of each operator; `not` has 3.
BINARY: dict[str, tuple[int, tree.BinaryOperator]] = {
    "or": (1, tree.BinaryOperator.OR),
    "xor": (1, tree.BinaryOperator.XOR),
    "and": (2, tree.BinaryOperator.AND),
    "nand": (2, tree.BinaryOperator.NAND),
    "==": (4, tree.BinaryOperator.EQUAL),
    "!=": (4, tree.BinaryOperator.UNEQUAL),
    "<": (5, tree.BinaryOperator.LESS),
    ">": (5, tree.BinaryOperator.GREATER),
    "<=": (5, tree.BinaryOperator.AT_MOST),
    ">=": (5, tree.BinaryOperator.AT_LEAST),
    "+": (6, tree.BinaryOperator.ADD),
    "-": (6, tree.BinaryOperator.SUBTRACT),
    "*": (7, tree.BinaryOperator.MULTIPLY),
    "/": (7, tree.BinaryOperator.DIVIDE),
    "%": (7, tree.BinaryOperator.MODULO),
    "^": (POWER_OF_POWER, tree.BinaryOperator.POWER),
}
# Other spellings, which are accepted with a hint.
OTHER_OPERATORS = {"&&": "and", "||": "or", "mod": "%"}
BINARY |= {written: BINARY[usual] for written, usual in OTHER_OPERATORS.items()}

# Prefix operators.
PREFIXES = frozenset(("-", "+", "not", "!", "random"))

# Tokens that may follow an operand and belong to it.
SUFFIXES = frozenset((".", "(", "[", "is", "as", ":"))

# Operators of other languages that the lexer splits into two tokens, and what to write instead.
FOREIGN_SIGNS = {
    "**": "write ^ for a power",
    "===": "write ==",
    "!==": "write !=",
    "<>": "write !=",
}

# Words after `is` in other languages, and what to write instead.
FOREIGN_TESTS = {
    "none": "write == none",
    "true": "leave out `is true`",
    "false": "write not before the condition",
    "not": "write != none, or not (… is T) for a type T",
}

# Tokens of a block that no list has, and the maximum length of a list, in tokens.
BODY_SIGNS = frozenset((";", *ASSIGNMENT_SIGNS))
MAX_LIST_LENGTH = 200

# Words with a special meaning at the beginning of an expression.
SPECIAL_WORDS = RESERVED | BOARD_CELLS | {"player", "base", "null", "move"}


def parse_expression(stream: TokenStream, minimum: int = 1) -> tree.Expression:
    """An expression whose operators have at least the precedence `minimum`."""
    if stream.depth >= MAX_DEPTH:
        return _too_deep(stream)
    stream.depth += 1
    first = stream.at
    start = stream.starts[first]
    texts = stream.texts
    prefixed = texts[first] in PREFIXES
    left = parse_unary(stream) if prefixed else parse_postfix(stream)
    while True:
        binding = BINARY.get(texts[stream.at])
        if binding is None or binding[0] < minimum:
            break
        power, operator = binding
        sign = stream.at
        if texts[sign] in OTHER_OPERATORS:
            stream.respell(sign, OTHER_OPERATORS[texts[sign]])
        if power == POWER_OF_POWER and texts[first] in ("+", "-"):
            stream.spelling.before[first] = "("
            stream.spelling.after[sign - 1] = ")"
        height = stream.height
        stream.at = sign + 1
        right = parse_expression(stream, power if power == POWER_OF_POWER else power + 1)
        height = max(height, stream.height) + 1
        stream.height = height
        left = tree.Binary(operator, left, right, stream.span_from(start))
        if height + stream.depth > tree.TREE_DEPTH:
            left = _too_deep(stream)
            break
    stream.depth -= 1
    return left


def parse_condition(stream: TokenStream) -> tree.Expression:
    """An expression in the head of a statement: a `{` after `new T` begins the body."""
    stream.in_header, before = True, stream.in_header
    condition = parse_expression(stream)
    stream.in_header = before
    return condition


def reject_assignment(stream: TokenStream, value: tree.Expression) -> tree.Expression:
    """Report an `=` in a condition, and parse the rest of the condition."""
    if not stream.next_is("="):
        return value
    stream.error("TG0204", "'=' assigns a value; it does not compare", hint="write ==")
    while stream.maybe("="):
        parse_expression(stream)
    return tree.ErrorExpression(stream.span_from(value.span.start))


def reject_in(stream: TokenStream, value: tree.Expression) -> tree.Expression:
    """`x in { a, b }`: report the `in` of other languages after a value, and parse the rest."""
    is_negated = stream.next_is("not") and stream.text_at(stream.at + 1) == "in"
    if not (is_negated or stream.next_is("in")):
        return value
    stream.at += is_negated
    hint = hint_of_in(stream, value)
    hint = f"{hint}, with `not` before it" if is_negated else hint
    stream.error("TG0204", "there is no operator 'in'", hint=hint)
    stream.at += 1
    parse_condition(stream)
    if stream.texts[stream.at] in ("..", "to"):
        stream.at += 1
        parse_condition(stream)
    return tree.ErrorExpression(stream.span_from(value.span.start))


def drop_parentheses(stream: TokenStream, first: int) -> None:
    """Let the formatter remove the parentheses from token `first` to here, if they are superfluous."""
    texts = stream.texts
    follows = stream.is_word(stream.at) or stream.next_is("{")
    # Without parentheses a list would be the body.
    is_list = texts[first + 1] == "{" and texts[stream.at - 2] == "}"
    if texts[first] != "(" or texts[stream.at - 1] != ")" or not follows or is_list:
        return
    depth = 0
    for index in range(first, stream.at):
        depth += (texts[index] == "(") - (texts[index] == ")")
        if texts[index] in ("new", "if") or (depth == 0 and index < stream.at - 1):
            return
    stream.spelling.instead[first] = stream.spelling.instead[stream.at - 1] = ""


def parse_unary(stream: TokenStream) -> tree.Expression:
    """An operand with its prefix operators."""
    text = stream.texts[stream.at]
    if text in ("-", "+"):
        return _parse_signs(stream)
    if text in ("not", "!"):
        return _parse_not(stream)
    if text == "random":
        return _parse_random(stream)
    return parse_postfix(stream)


def _parse_signs(stream: TokenStream) -> tree.Expression:
    """The signs before an operand; a loop, because there may be thousands."""
    signs = []
    while stream.texts[stream.at] in ("-", "+"):
        signs.append(stream.at)
        stream.at += 1
    if stream.texts[stream.at] in ("not", "!"):
        value = _parse_not(stream)
    elif stream.texts[stream.at] == "random":
        value = _parse_random(stream)
    else:
        value = parse_postfix(stream)
    stream.height += len(signs)
    if stream.height + stream.depth > tree.TREE_DEPTH:
        return _too_deep(stream)
    for index in reversed(signs):
        value = tree.Unary(
            tree.UnaryOperator(stream.texts[index]), value, stream.span_from(stream.starts[index])
        )
    return value


def _parse_not(stream: TokenStream) -> tree.Expression:
    start = stream.start()
    if stream.next_is("!"):
        stream.respell(stream.at, "not")
    stream.at += 1
    value = parse_expression(stream, NOT_POWER)
    stream.height += 1
    return tree.Unary(tree.UnaryOperator.NOT, value, stream.span_from(start))


def _parse_random(stream: TokenStream) -> tree.Expression:
    """`random n` or `random weights t`, and `visible to p` after it."""
    start = stream.start()
    stream.at += 1
    weighted = stream.next_is("weights") and _begins_operand(stream, stream.at + 1)
    if weighted:
        stream.at += 1
    if stream.depth >= MAX_DEPTH:
        return _too_deep(stream)
    stream.depth += 1
    value = parse_unary(stream) if not _begins_bounds(stream) else _skip_bounds(stream)
    if _begins_upper_bound(stream):
        value = _skip_upper_bound(stream, value)
    visible_to = None
    if _begins_audience(stream):
        height = stream.height
        stream.at += 2
        visible_to = parse_audience(stream)
        stream.height = max(height, stream.height)
    stream.depth -= 1
    stream.height += 1
    span = stream.span_from(start)
    return tree.RandomWeights(value, visible_to, span) if weighted else tree.Random(value, visible_to, span)


def _begins_bounds(stream: TokenStream) -> bool:
    """Whether two values follow, as in `random(1, 6)`, `random(1 to 6)` or `random from 1 to 6`."""
    if stream.next_is("from"):
        return stream.kinds[stream.at + 1] is TokenKind.NUMBER
    if not stream.next_is("("):
        return False
    depth, before = 0, ""
    for text in stream.texts[stream.at : stream.after_parentheses(stream.at)]:
        depth += (text in ("(", "[", "{")) - (text in (")", "]", "}"))
        if depth == 1 and (text in (",", "..") or (text == "to" and before != "visible")):
            return True
        before = text
    return False


def _skip_bounds(stream: TokenStream) -> tree.ErrorExpression:
    """Report the `(1, 6)` of other languages after `random`, and skip it."""
    opening, start = stream.at, stream.start()
    if stream.next_is("from"):
        stream.error("TG0204", "unexpected 'from' after `random`", hint=RANDOM_HINT)
        parse_range(stream)
        return tree.ErrorExpression(stream.span_from(start))
    stream.at += 1
    _parse_in_brackets(stream)
    stream.expect_close(opening, RANDOM_HINT)
    stream.skip_to_close(opening)
    return tree.ErrorExpression(stream.span_from(start))


def _begins_upper_bound(stream: TokenStream) -> bool:
    """Whether `to 6` or `..6` follows, as in `random 1 to 6`; `from random 2 to 6` is a range."""
    if stream.texts[stream.at] not in ("to", "..") or stream.in_range:
        return False
    return stream.next_is("..") or stream.kinds[stream.at + 1] is TokenKind.NUMBER


def _skip_upper_bound(stream: TokenStream, value: tree.Expression) -> tree.ErrorExpression:
    """Report the `to 6` of `random 1 to 6`, and skip it."""
    stream.error("TG0204", f"unexpected {stream.found()} after `random`", hint=RANDOM_HINT)
    stream.at += 1
    parse_unary(stream)
    return tree.ErrorExpression(stream.span_from(value.span.start))


def _begins_audience(stream: TokenStream) -> bool:
    """Whether `visible to` and an operand follow; with another expression it is a clause of an input."""
    if not stream.next_is("visible") or stream.text_at(stream.at + 1) != "to":
        return False
    return stream.text_at(stream.at + 2) not in ("not", "!", "+", "-", "random")


def parse_audience(stream: TokenStream) -> tree.Expression:
    """The players after `visible to`: an operand, so that `random 6 visible to p + 1` is a sum."""
    stream.in_header, before = True, stream.in_header
    players = parse_postfix(stream)
    stream.in_header = before
    return players


def _begins_operand(stream: TokenStream, index: int) -> bool:
    text = stream.text_at(index)
    word = stream.is_word(index) and (text not in RESERVED or text in ("new", "this", "random", "none"))
    return text in ("{", "(") or (word and text not in ("visible", "mod"))


def parse_postfix(stream: TokenStream) -> tree.Expression:
    """An operand with `.name`, `[index]`, `(arguments)`, `is T` and `as T` after it."""
    texts = stream.texts
    at = stream.at
    start = stream.starts[at]
    text = texts[at]
    value: tree.Expression
    can_be_called = True
    if stream.kinds[at] is TokenKind.WORD and text not in SPECIAL_WORDS:
        value = tree.Name(text, Span(start, start + len(text)))
        stream.at = at + 1
        stream.height = 1
    else:
        value = parse_primary(stream)
        can_be_called = text != "(" and isinstance(value, tree.Name | tree.Base)
    height = stream.height
    while True:
        sign = texts[stream.at]
        if sign not in SUFFIXES:
            break
        if sign == ".":
            stream.at += 1
            value = tree.Member(value, _member_name(stream), stream.span_from(start))
            height += 1
            can_be_called = True
        elif sign == "(" and can_be_called:
            arguments = parse_arguments(stream)
            height = max(height, stream.height) + 1
            value = tree.Call(value, arguments, stream.span_from(start))
            can_be_called = False
        elif sign == "[":
            opening = stream.at
            stream.at += 1
            index = _parse_in_brackets(stream)
            hint = "write each index in its own brackets: [0][1]" if stream.next_is(",") else ""
            if not stream.expect_close(opening, hint) and hint:
                stream.skip_to_close(opening)
            height = max(height, stream.height) + 1
            value = tree.Index(value, index, stream.span_from(start))
            can_be_called = False
        elif sign == "(":
            break
        elif sign == ":":
            if stream.text_at(stream.at + 1) != ":" or not stream.is_word(stream.at + 2):
                break
            stream.correct("TG0204", "expected '.', found '::'", ".")
            stream.at += 2
            value = tree.Member(value, stream.take_word(), stream.span_from(start))
            height += 1
            can_be_called = True
        elif sign == "is" and texts[stream.at + 1] in FOREIGN_TESTS:
            value = _skip_foreign_test(stream, start)
            can_be_called = False
        else:
            stream.at += 1
            type_name = parse_type(stream)
            height += 1
            node = tree.Is if sign == "is" else tree.As
            value = node(value, type_name, stream.span_from(start))
            can_be_called = False
        if height + stream.depth > tree.TREE_DEPTH:
            return _too_deep(stream)
    stream.height = height
    return value


def _skip_foreign_test(stream: TokenStream, start: int) -> tree.ErrorExpression:
    """Report `is none` or `is not T`, and skip it."""
    stream.at += 1
    hint = FOREIGN_TESTS[stream.texts[stream.at]]
    stream.error("TG0213", f"expected a type, found {stream.found()}", hint=hint)
    stream.at += 1
    if stream.texts[stream.at - 1] == "not":
        if stream.texts[stream.at] in FOREIGN_TESTS:
            stream.at += 1
        else:
            parse_type(stream)
    return tree.ErrorExpression(stream.span_from(start))


def _member_name(stream: TokenStream) -> tree.Word:
    """The name after a dot: any word, even a reserved one."""
    if stream.kinds[stream.at] is not TokenKind.WORD:
        stream.error("TG0207", f"expected the name of an attribute after '.', found {stream.found()}")
        return tree.Word("", Span(stream.last_end(), stream.last_end()))
    word = stream.take_word()
    if word.text == "lenght" and not stream.declares_length():
        stream.respell(stream.at - 1, "length")
        return tree.Word("length", word.span)
    return word


def _parse_in_brackets(stream: TokenStream) -> tree.Expression:
    """An expression inside brackets; a `{` in it never begins the body of a statement."""
    before = stream.in_header
    stream.in_header = False
    value = parse_expression(stream)
    stream.in_header = before
    return value


def parse_arguments(stream: TokenStream) -> tuple[tree.Argument, ...]:
    """`(a, name: b)`, with the parentheses."""
    opening = stream.at
    texts = stream.texts
    before = stream.in_header
    stream.in_header = False
    stream.at += 1
    arguments: list[tree.Argument] = []
    height = 1
    while texts[stream.at] not in (")", ""):
        start = stream.start()
        name = _maybe_argument_name(stream)
        value = reject_in(stream, parse_expression(stream))
        if stream.next_is("for") and not stream.is_broken:
            value = _skip_comprehension(stream, value, texts[opening - 1])
        height = max(height, stream.height)
        arguments.append(tree.Argument(name, value, stream.span_from(start)))
        if texts[stream.at] != ",":
            break
        stream.at += 1
        if texts[stream.at] == ")":
            stream.error("TG0201", "expected an argument after ',', found ')'")
    stream.expect_close(opening)
    stream.in_header = before
    stream.height = height
    return tuple(arguments)


def _maybe_argument_name(stream: TokenStream) -> tree.Word | None:
    """`name:` before an argument, or the `name =>` of other languages, which is reported; None for others."""
    if stream.texts[stream.at + 1] == ":" and stream.kinds[stream.at] is TokenKind.WORD:
        name = stream.take_word()
        stream.at += 1
        return name
    found = function_of_element(stream)
    if found is None:
        return None
    start, (stream.at, body, written) = stream.start(), found
    name = stream.take_word()
    sign = Span(start, start + len(written))
    message = f"unexpected '{written}' before the name of an element"
    if written != "lambda":
        end = stream.starts[body - 1] + len(stream.texts[body - 1])
        sign, message = Span(end - 2, end), f"expected ':' after the name of an element, found '{written}'"
    stream.error_recovered("TG0204", message, sign, f"write `{name.text}: …`")
    stream.at = body
    return name


def _skip_comprehension(stream: TokenStream, value: tree.Expression, query: str) -> tree.ErrorExpression:
    """Report the `for x in list` of other languages after an expression, and skip it."""
    stream.error(
        "TG0204", "unexpected 'for' in an expression", hint=hint_of_comprehension(stream, value, query)
    )
    stream.skip_expression()
    return tree.ErrorExpression(stream.span_from(value.span.start))


def parse_primary(stream: TokenStream) -> tree.Expression:
    """An operand that is not a plain name: a literal, a special word, or an expression in brackets."""
    stream.height = 1
    text = stream.texts[stream.at]
    match stream.kinds[stream.at]:
        case TokenKind.NUMBER:
            return take_number(stream)
        case TokenKind.STRING:
            return take_text(stream)
        case TokenKind.WORD:
            return _parse_word(stream, text)
        case TokenKind.SIGN if text == "(":
            return _parse_parentheses(stream)
        case TokenKind.SIGN if text == "{" and stream.in_header and begins_body(stream):
            return missing_expression(stream)
        case TokenKind.SIGN if text == "{":
            return parse_list(stream)
        case TokenKind.SIGN if text == "[":
            return _skip_foreign_list(stream)
        case _:
            return missing_expression(stream)


def _parse_parentheses(stream: TokenStream) -> tree.Expression:
    opening = stream.at
    stream.at += 1
    value = reject_in(stream, reject_assignment(stream, _parse_in_brackets(stream)))
    if stream.next_is("if") and not stream.is_broken:
        value = parse_conditional(stream, value)
    stream.expect_close(opening)
    return value


def parse_conditional(stream: TokenStream, then: tree.Expression) -> tree.Expression:
    """`if c else b` after the first value of `(a if c else b)`."""
    height = stream.height
    stream.at += 1
    condition = _parse_in_brackets(stream)
    height = max(height, stream.height)
    stream.expect("else", "after the condition")
    otherwise = _parse_in_brackets(stream)
    stream.height = max(height, stream.height) + 1
    if stream.height + stream.depth > tree.TREE_DEPTH:
        return _too_deep(stream)
    return tree.Conditional(condition, then, otherwise, stream.span_from(then.span.start))


def _parse_word(stream: TokenStream, text: str) -> tree.Expression:
    span = stream.here()
    match text:
        case "true" | "false":
            stream.at += 1
            return tree.Boolean(text == "true", span)
        case "none":
            stream.at += 1
            return tree.NoneValue(span)
        case "this":
            stream.at += 1
            return tree.This(span)
        case "base" if stream.derived and stream.texts[stream.at + 1] in (".", "("):
            stream.at += 1
            return tree.Base(span)
        case "player" if stream.kinds[stream.at + 1] is TokenKind.NUMBER:
            stream.at += 1
            number = take_number(stream)
            return tree.PlayerNumber(number, Span(span.start, number.span.end))
        case "boardCell" | "boardcell" if not stream.declares(text):
            stream.respell(stream.at, "tile")
            stream.at += 1
            return tree.Name("tile", span)
        case "null" if not stream.declares("null"):
            stream.respell(stream.at, "none")
            stream.at += 1
            return tree.NoneValue(span)
        case "new" if _begins_construct(stream, stream.at + 1):
            return parse_new(stream)
        case "new":
            stream.at += 1  # the new value of an attribute, in a trigger on its change
            return tree.Name(text, span)
        case "move" if stream.on_new_line(stream.at) and _begins_operand(stream, stream.at + 1):
            return missing_expression(stream)  # a statement begins here
        case _ if text in RESERVED:
            return missing_expression(stream)
        case _:
            stream.at += 1
            return tree.Name(text, span)


def _begins_construct(stream: TokenStream, index: int) -> bool:
    """Whether the token can be the name of a construct."""
    text = stream.text_at(index)
    return stream.is_word(index) and text not in RESERVED and text not in INFIX_WORDS


def parse_list(stream: TokenStream) -> tree.ListLiteral:
    """`{ a, b }`."""
    opening = stream.at
    start = stream.start()
    stream.at += 1
    before = stream.in_header
    stream.in_header = False
    items: list[tree.Expression] = []
    height = 0
    while stream.texts[stream.at] not in ("}", ""):
        items.append(parse_expression(stream))
        height = max(height, stream.height)
        if not stream.maybe(","):
            break
        if stream.next_is("}") and not stream.is_broken:
            stream.drop(stream.at - 1, "the comma after the last item is superfluous")
    if not stream.expect_close(opening):
        _skip_rest_of_list(stream)
    stream.in_header = before
    stream.height = height + 1
    return tree.ListLiteral(tuple(items), stream.span_from(start))


def begins_body(stream: TokenStream) -> bool:
    """Whether the brace here begins the body of a statement; a list has no semicolon and no assignment."""
    depth = 0
    for index in range(stream.at, min(stream.at + MAX_LIST_LENGTH, stream.end)):
        text = stream.texts[index]
        depth += (text == "{") - (text == "}")
        if depth == 0:
            return False
        if depth == 1 and text in BODY_SIGNS:
            return True
    return False


def _skip_rest_of_list(stream: TokenStream) -> None:
    """Skip past the `}` of an unreadable list, if it is in the same statement."""
    depth = 1
    for index in range(stream.at, stream.end):
        text = stream.texts[index]
        if text == ";":
            return
        depth += (text == "{") - (text == "}")
        if depth == 0:
            stream.at = index + 1
            return


def _skip_foreign_list(stream: TokenStream) -> tree.ErrorExpression:
    """Report the list `[1, 2]` or `[x for x in l]` of other languages, and skip it."""
    opening, start = stream.at, stream.start()
    end = _end_of_brackets(stream)
    hint = "write a list in braces: { 1, 2 }"
    loop = next((at for at in range(opening, end) if stream.texts[at] == "for"), None)
    if loop is not None and quoted(stream, opening + 1, loop):
        stream.at = loop
        span = Span(stream.starts[opening + 1], stream.starts[loop - 1] + len(stream.texts[loop - 1]))
        hint = hint_of_comprehension(stream, tree.ErrorExpression(span), "map")
        stream.at = opening
    stream.error("TG0201", "expected an expression, found '['", hint=hint)
    stream.at = end
    return tree.ErrorExpression(Span(start, max(start, stream.last_end())))


def _end_of_brackets(stream: TokenStream) -> int:
    """The token after the `]` of the `[` here; this token if it has none in the statement."""
    depth, end = 0, stream.at
    while stream.texts[end] not in (";", "{", "}", ""):
        depth += (stream.texts[end] == "[") - (stream.texts[end] == "]")
        end += 1
        if depth == 0:
            return end
    return stream.at


def parse_new(stream: TokenStream) -> tree.Expression:
    """`new T`, `new T[n]`, `new T { a = v; }`, also with `()` after T."""
    start, keyword = stream.start(), stream.at
    stream.at += 1
    path = parse_type_path(stream)
    stream.height = 1
    if stream.next_is("["):
        opening = stream.at
        stream.at += 1
        count = _parse_in_brackets(stream)
        stream.expect_close(opening)
        stream.height += 1
        return tree.NewList(path, count, stream.span_from(start))
    if stream.next_is("(") and stream.text_at(stream.at + 1) == ")":
        stream.spelling.instead.update({stream.at: "", stream.at + 1: ""})
        stream.at += 2
        stream.hint_spelling("new T()", "new T", stream.span_from(start))
    elif stream.next_is("("):
        name = path.text
        hint = f"write new {name}, or new {name} {{ … }} with values for its attributes"
        stream.error("TG0204", f"unexpected '(' after 'new {name}'", hint=hint)
        parse_arguments(stream)
    if stream.next_is("{") and not stream.in_header:
        fields = parse_fields(stream)
        return tree.New(path, fields, stream.span_from(start))
    if _is_board(stream, path):
        name = path.text
        stream.spelling.instead.update({keyword: name, keyword + 1: ""})
        stream.hint_spelling(f"new {name}", name, stream.span_from(start))
        return tree.Name(name, Span(start, start + len("new")))
    return tree.New(path, (), stream.span_from(start))


def _is_board(stream: TokenStream, path: tree.Path) -> bool:
    """Whether the file declares the board with this name. A game has one board, so `new` can create none."""
    return len(path.words) == 1 and path.text in stream.board_names()


def parse_fields(stream: TokenStream) -> tuple[tree.FieldValue, ...]:
    """`{ a = v; b = w; }`."""
    opening = stream.at
    stream.at += 1
    fields: list[tree.FieldValue] = []
    height = 0
    while stream.texts[stream.at] not in ("}", ""):
        start, first = stream.start(), stream.at
        name = stream.expect_name("an attribute")
        stream.expect("=", "after the name of an attribute")
        value = parse_expression(stream)
        height = max(height, stream.height)
        stream.expect_semicolon()
        fields.append(tree.FieldValue(name, value, stream.span_from(start)))
        if stream.at == first or stream.begins_declaration():
            break
    stream.expect_close(opening)
    stream.height = height + 1
    return tuple(fields)


def parse_before_to(stream: TokenStream, parse: Callable[[TokenStream], tree.Expression]) -> tree.Expression:
    """An expression before a `to` that does not belong to it, even after `random n`."""
    stream.in_range, before = True, stream.in_range
    value = parse(stream)
    stream.in_range = before
    return value


def parse_range(stream: TokenStream) -> tree.Range:
    """`from a to b`; the next token is `from`."""
    start = stream.start()
    stream.at += 1
    low = parse_before_to(stream, parse_condition)
    if stream.next_is(".."):
        stream.error("TG0204", "expected 'to' between the ends of a range, found '..'", hint="write to")
        stream.at += 1
    else:
        stream.expect("to", "between the ends of a range")
    high = parse_condition(stream)
    return tree.Range(low, high, stream.span_from(start))


def missing_expression(
    stream: TokenStream, what: str = "an expression", example: str = ""
) -> tree.ErrorExpression:
    """Report that an expression is missing here; the hint may be an example."""
    text = stream.texts[stream.at]
    before = stream.texts[stream.at - 1] if stream.at else ""
    if stream.at > 1 and before in ("+", "-") and stream.texts[stream.at - 2] == before:
        span = Span(stream.starts[stream.at - 2], stream.last_end())
        message = f"there is no operator '{before}{before}'"
        stream.error("TG0221", message, span, f"write {before}= 1")
    else:
        hint = f"'{text}' is a reserved word and cannot be a name" if text in RESERVED else ""
        hint = example or hint_of_empty_call(stream) or FOREIGN_SIGNS.get(before + text, hint)
        stream.error("TG0201", f"expected {what}, found {stream.found()}", hint=hint)
    return tree.ErrorExpression(Span(stream.last_end(), max(stream.last_end(), stream.start())))


def _too_deep(stream: TokenStream) -> tree.ErrorExpression:
    """Report that this expression is nested too deep, and skip it."""
    start = stream.start()
    message = "brackets, operators and blocks are nested too deeply here"
    stream.error("TG0210", message, hint="assign a part of it to a variable")
    stream.skip_expression()
    stream.height = 1
    return tree.ErrorExpression(stream.span_from(start))
