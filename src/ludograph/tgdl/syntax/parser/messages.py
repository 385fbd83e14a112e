"""Parser of messages, strings with expressions in braces: of `fail` and `cancel`, and after an `else`."""

from msgspec.structs import replace

from ludograph.text.source import Source, Span
from ludograph.tgdl.syntax import tree
from ludograph.tgdl.syntax.lexer import TokenKind, read_string, tokenize
from ludograph.tgdl.syntax.parser.expressions import parse_expression
from ludograph.tgdl.syntax.parser.stream import TokenStream


def maybe_message(stream: TokenStream) -> tree.Message | None:
    """The message of a `fail` or `cancel`, if it is the next token."""
    if stream.kinds[stream.at] is not TokenKind.STRING:
        if stream.texts[stream.at] not in (";", "}", "") and not stream.on_new_line(stream.at):
            stream.error("TG0204", f"expected a message in quotes, found {stream.found()}")
        return None
    index, span = stream.at, stream.here()
    stream.at += 1
    return tree.Message(tuple(_message_parts(stream, stream.texts[index], span.start)), span)


def maybe_words(stream: TokenStream) -> tree.Message | None:
    """`else "…";` after a condition: the words for players; None for other tokens.

    An `else` without a string may belong to an enclosing `if`.
    """
    if not stream.next_is("else") or stream.kinds[stream.at + 1] is not TokenKind.STRING:
        return None
    stream.at += 1
    words = maybe_message(stream)
    stream.expect_semicolon()
    return words


def expect_words(stream: TokenStream) -> tree.Message | None:
    """As `maybe_words`, where no `if` can have the `else`."""
    words = maybe_words(stream)
    if words is None and stream.maybe("else"):
        hint = 'write what a player reads: else "the bank is empty";'
        stream.error(
            "TG0204", f"expected a message in quotes after 'else', found {stream.found()}", hint=hint
        )
        stream.skip_statement()
    return words


def _message_parts(stream: TokenStream, piece: str, start: int) -> list[str | tree.Expression]:
    """The strings and expressions of a message; `\\{` is a literal brace."""
    parts: list[str | tree.Expression] = []
    plain = at = 1
    end = len(piece) - 1 if len(piece) > 1 and piece.endswith('"') else len(piece)
    while at < end:
        if piece[at] == "\\":
            at += 2
        elif piece[at] == "{":
            close = _closing_brace(piece, at, end)
            if close < 0:
                close = end
                stream.error(
                    "TG0216", "this '{' in a message has no matching '}'", Span(start + at, start + at + 1)
                )
            parts += _plain_part(piece[plain:at])
            parts.append(_parse_part(stream, start + at + 1, start + close))
            plain = at = close + 1
        else:
            at += 1
    return [*parts, *_plain_part(piece[plain:end])]


def _closing_brace(piece: str, at: int, end: int) -> int:
    """The index of the closing brace that matches the opening brace at `at`, or -1."""
    depth = 0
    for index in range(at, end):
        depth += (piece[index] == "{") - (piece[index] == "}")
        if depth == 0:
            return index
    return -1


def _plain_part(text: str) -> list[str | tree.Expression]:
    return [read_string(f'"{text}"')] if text else []


def _parse_part(stream: TokenStream, start: int, end: int) -> tree.Expression:
    """The expression between two offsets of the source, with its errors at their offsets in the source."""
    lexed = tokenize(Source(stream.source.text[start:end]))
    inner = TokenStream(replace(lexed, source=stream.source, starts=tuple(at + start for at in lexed.starts)))
    inner.depth = stream.depth
    for fault in lexed.diagnostics:
        stream.error(
            "TG0216", fault.message, Span(fault.span.start + start, fault.span.end + start), fault.hint
        )
    if inner.kinds[0] is TokenKind.END:
        stream.error("TG0216", "expected an expression between '{' and '}'", Span(start - 1, start + 1))
        return tree.ErrorExpression(Span(start, end))
    value = parse_expression(inner)
    if inner.kinds[inner.at] is not TokenKind.END and not inner.errors:
        inner.error("TG0216", f"expected '}}' after the expression, found {inner.found()}")
    for diagnostic in inner.diagnostics:
        message = diagnostic.message.replace("the end of the file", "'}'")
        stream.error("TG0216", message, diagnostic.span, diagnostic.hint)
    return value
