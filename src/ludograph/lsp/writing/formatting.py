"""Formatting: computes the text edits that format a document.

The formatter writes a whole file, or nothing if the file has errors. The changes are the lines that differ,
so that the cursor and the marks of an editor stay where they are.
"""

from collections.abc import Iterator
from difflib import SequenceMatcher

from msgspec import Struct

from ludograph.text import Source, Span, split_lines
from ludograph.tgdl.syntax.formatter import INDENT, format_source
from ludograph.tgdl.syntax.lexer import TokenKind, tokenize

MAX_LINES = 20_000


class Edit(Struct, frozen=True):
    """A piece of text and its replacement."""

    span: Span
    text: str


def format_document(text: str) -> list[Edit]:
    """The changes of the formatter; none if the text has errors."""
    formatted = format_source(Source(text))
    if formatted.refused or formatted.text == text:
        return []
    return list(_changed_lines(text, formatted.text))


def format_range(text: str, within: Span) -> list[Edit]:
    """Those changes of the formatter that touch the lines of a range."""
    start = text.rfind("\n", 0, within.start) + 1
    end = text.find("\n", within.end)
    end = len(text) if end < 0 else end + 1
    return [one for one in format_document(text) if one.span.start < end and one.span.end > start]


def _changed_lines(old: str, new: str) -> Iterator[Edit]:
    before, after = list(split_lines(old)), list(split_lines(new))
    if len(before) + len(after) > MAX_LINES:
        yield Edit(Span(0, len(old)), new)
        return
    starts = [0]
    for line in before:
        starts.append(starts[-1] + len(line))
    matcher = SequenceMatcher(a=before, b=after, autojunk=False)
    for tag, first, last, new_first, new_last in matcher.get_opcodes():
        if tag != "equal":
            yield Edit(Span(starts[first], starts[last]), "".join(after[new_first:new_last]))


def format_typed(text: str, offset: int, typed: str) -> list[Edit]:
    """Indent the line of a typed `}`, or the new line after a line end; nothing else changes while typing."""
    start = text.rfind("\n", 0, offset) + 1
    line_end = text.find("\n", start)
    line = text[start : line_end if line_end >= 0 else len(text)]
    if typed == "}" and line.strip() != "}":
        return []
    depth = _depth(text[:start])
    if line.lstrip().startswith("}"):
        depth -= 1
    wanted = " " * (INDENT * max(depth, 0))
    indent = line[: len(line) - len(line.lstrip(" \t"))]
    return [] if indent == wanted else [Edit(Span(start, start + len(indent)), wanted)]


def _depth(text: str) -> int:
    """The number of braces that are open at the end of a text."""
    depth = 0
    lexed = tokenize(Source(text))
    for piece, kind in zip(lexed.pieces, lexed.kinds, strict=True):
        if kind is TokenKind.SIGN and piece in ("{", "}"):
            depth = max(0, depth + (1 if piece == "{" else -1))
    return depth
