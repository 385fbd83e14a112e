"""Parser of `{ parts }`, for parts of any kind."""

from collections.abc import Callable
from typing import TypeVar

from ludograph.tgdl.syntax import tree
from ludograph.tgdl.syntax.parser.braces import (
    is_misplaced,
    parse_misplaced,
    recover_opening_brace,
    report_unclosed,
    skip_to_brace,
)
from ludograph.tgdl.syntax.parser.statements import skip_stray_semicolon
from ludograph.tgdl.syntax.parser.stream import MAX_DEPTH, TokenStream

AnyPart = TypeVar("AnyPart")


def parse_braced(
    stream: TokenStream,
    parse_part: Callable[[TokenStream], AnyPart | None],
    ends_before: Callable[[TokenStream], bool] = TokenStream.begins_declaration,
) -> tuple[AnyPart | tree.ErrorNode, ...]:
    """`{ parts }`. If `ends_before` holds, the next token is not a part: the closing brace is missing."""
    if not stream.next_is("{") and not skip_to_brace(stream):
        stream.error("TG0204", f"expected '{{', found {stream.found()}")
        if recover_opening_brace(stream):
            return tuple(parse_rest(stream, stream.at - 1, parse_part, ends_before))
        stream.maybe(";")
        return ()
    if stream.depth >= MAX_DEPTH:
        stream.error("TG0210", "the blocks are nested too deeply here")
        stream.skip_braces()
        return ()
    opening = stream.at
    stream.at += 1
    stream.depth += 1
    parts = parse_rest(stream, opening, parse_part, ends_before)
    stream.depth -= 1
    return tuple(parts)


def parse_rest(
    stream: TokenStream,
    opening: int,
    parse_part: Callable[[TokenStream], AnyPart | None],
    ends_before: Callable[[TokenStream], bool] = TokenStream.begins_declaration,
) -> list[AnyPart | tree.ErrorNode]:
    """The parts up to the brace that closes the one at token `opening`."""
    parts: list[AnyPart | tree.ErrorNode] = []
    while True:
        text = stream.texts[stream.at]
        if text == "}":
            stream.at += 1
            return parts
        if not text or ends_before(stream):
            if text and is_misplaced(stream, opening):
                parts.append(parse_misplaced(stream))
                continue
            report_unclosed(stream, opening)
            return parts
        if text == ";":
            skip_stray_semicolon(stream)
            continue
        first, outer = stream.at, stream.begin_node()
        stream.allow_error_on_new_line()
        part = parse_part(stream)
        if stream.at == first:
            stream.error("TG0209", f"unexpected {stream.found()}")
            stream.at += 1
        if stream.end_node(first, outer):
            parts.append(stream.error_node(first))
        elif part is not None:
            parts.append(part)
