"""Parser of types, numbers and strings."""

from ludograph.text.source import Span
from ludograph.tgdl.syntax import tree
from ludograph.tgdl.syntax.lexer import TokenKind, read_string
from ludograph.tgdl.syntax.parser.stream import RESERVED, TokenStream

MAX_DIMENSIONS = 8
PREDEFINED = frozenset("decimal string bool player object position".split())
SIGNS = frozenset("+ - * / % ^".split())
TYPE_SIGNS = frozenset((".", "[", "]"))
# The maximum number of tokens of a type in a hint.
MAX_TYPE_LENGTH = 20
# Other words for `tile`.
BOARD_CELLS = frozenset(("boardCell", "boardcell"))


def parse_type(stream: TokenStream) -> tree.TypeName:
    """A type: `decimal`, `card[]`, `decimal[player][]`."""
    path = parse_type_path(stream)
    dimensions = maybe_dimensions(stream)
    return tree.TypeName(path, dimensions, stream.span_from(path.span.start))


def maybe_dimensions(stream: TokenStream) -> tuple[tree.Dimension, ...]:
    """The keys of tables, and the empty brackets of lists: `[player][]`."""
    dimensions: list[tree.Dimension] = []
    while stream.next_is("["):
        opening = stream.at
        start = stream.start()
        stream.at += 1
        key: tree.Path | tree.Number | None = None
        if stream.kinds[stream.at] is TokenKind.NUMBER:
            key = take_number(stream)
        elif not stream.next_is("]"):
            key = parse_type_path(stream)
        if stream.texts[stream.at] in SIGNS:
            hint = "the size of a table is a number or a name: write `const decimal size = …;` and `[size]`"
            stream.error("TG0204", f"expected ']', found {stream.found()}", hint=hint)
            stream.skip_expression()
        stream.expect_close(opening)
        if len(dimensions) == MAX_DIMENSIONS:
            message = f"a type has at most {MAX_DIMENSIONS} dimensions"
            stream.error("TG0210", message, stream.span_from(start))
            while stream.next_is("["):
                stream.at += 1
                stream.skip_expression()
                stream.maybe("]")
            break
        dimensions.append(tree.Dimension(key, stream.span_from(start)))
    return tuple(dimensions)


def parse_type_path(stream: TokenStream) -> tree.Path:
    """The name of a type or construct."""
    if stream.kinds[stream.at] is not TokenKind.WORD or stream.texts[stream.at] in RESERVED:
        stream.error("TG0213", f"expected a type, found {stream.found()}")
        end = stream.last_end()
        return tree.Path((tree.Word("", Span(end, end)),), Span(end, end))
    if stream.texts[stream.at] in BOARD_CELLS and not stream.declares(stream.texts[stream.at]):
        stream.respell(stream.at, "tile")
        word = stream.take_word()
        return tree.Path((tree.Word("tile", word.span),), word.span)
    return stream.expect_path("a type")


def lack_type(stream: TokenStream, hint: str = "") -> tree.TypeName:
    """Report that the type before the name here is missing."""
    text, here = stream.texts[stream.at], Span(stream.start(), stream.start())
    hint = hint or f"for example decimal {text}"
    stream.error("TG0213", f"expected a type before '{text}'", hint=hint)
    return tree.TypeName(tree.Path((tree.Word("", here),), here), (), here)


def maybe_swapped_type(stream: TokenStream) -> tuple[tree.TypeName, tree.Word] | None:
    """`n: decimal`: report that the type is after the name, and return both; None for other tokens."""
    at = stream.at
    if not stream.is_word(at) or stream.text_at(at + 1) != ":" or not stream.is_word(at + 2):
        return None
    name, end = stream.texts[at], at + 3
    while end < at + MAX_TYPE_LENGTH and (
        stream.text_at(end) in TYPE_SIGNS or stream.text_at(end - 1) in (".", "[")
    ):
        end += 1
    meant = f"{''.join(stream.texts[at + 2 : end])} {name}"
    stream.correct("TG0204", f"the type comes before the name '{name}'", meant)
    word = stream.take_word()
    stream.at += 1
    return parse_type(stream), word


def reject_brackets(stream: TokenStream, type_name: tree.TypeName, name: tree.Word) -> None:
    """`decimal points[3]`: report brackets after the name, and skip them."""
    end = stream.at
    while stream.texts[end] == "[":
        closing = end + 1 if stream.text_at(end + 1) == "]" else end + 2
        if stream.text_at(closing) != "]":
            return
        end = closing + 1
    if end == stream.at:
        return
    hint = f"write {type_name.path.text}{''.join(stream.texts[stream.at : end])} {name.text}"
    stream.error("TG0204", "brackets come after the type, not after the name", hint=hint)
    stream.at = end


def take_number(stream: TokenStream) -> tree.Number:
    """Take the next token, which is a number."""
    text, span = stream.texts[stream.at], stream.here()
    stream.at += 1
    plain = text.replace(".", "", 1).isdecimal() and len(text) <= 300  # the lexer has reported other numbers
    return tree.Number(float(text) if plain else 0.0, span)


def take_text(stream: TokenStream) -> tree.Text:
    """Take the next token, which is a string."""
    text, span = stream.texts[stream.at], stream.here()
    stream.at += 1
    return tree.Text(read_string(text), span)
