"""Folding and selection: the blocks of a text, and the nodes around a place from the inside outwards."""

from collections.abc import Iterator

from msgspec import Struct

from ludograph.lsp.game import AnalysedGame
from ludograph.text import Span
from ludograph.tgdl.syntax.lexer import TokenKind, tokenize

MAX_FOLDS = 5000


class Fold(Struct, frozen=True):
    """Lines that can be folded, counted from 0, both included."""

    start_line: int
    end_line: int
    is_comment: bool = False


def folds(game: AnalysedGame, file: int = 0) -> list[Fold]:
    """Braces over several lines, and runs of comment lines; in a broken text those that its brackets show."""
    lexed = tokenize(game.files[file].source)
    index = game.index(file)
    found: list[Fold] = []
    opened: list[int] = []
    comments: list[int] = []
    first_on_line: dict[int, TokenKind] = {}
    for piece, kind, start in zip(lexed.pieces, lexed.kinds, lexed.starts, strict=True):
        if kind is TokenKind.BLANK:
            continue
        line = index.position(start).line
        if kind is TokenKind.COMMENT and first_on_line.get(line) is None:
            comments.append(line)
        first_on_line.setdefault(line, kind)
        if kind is TokenKind.SIGN and piece == "{":
            opened.append(line)
        elif kind is TokenKind.SIGN and piece == "}" and opened:
            first = opened.pop()
            if line > first:
                found.append(Fold(first, line - 1 if line - 1 > first else line))
    found += _runs(comments)
    return sorted(found, key=lambda one: (one.start_line, -one.end_line))[:MAX_FOLDS]


def _runs(lines: list[int]) -> Iterator[Fold]:
    """Neighbouring comment lines."""
    first = last = -2
    for line in [*lines, -2]:
        if line != last + 1:
            if last > first:
                yield Fold(first, last, is_comment=True)
            first = line
        last = line


def selections(game: AnalysedGame, offset: int, file: int = 0) -> list[Span]:
    """The spans around a place, the innermost first; the last one is the whole file."""
    found: list[Span] = []
    text = game.files[file].source.text
    for node in reversed(game.path_at(offset, file)):
        span = Span(max(node.span.start, 0), min(node.span.end, len(text)))
        if span.start <= offset <= span.end and (not found or _contains(span, found[-1])):
            found.append(span)
    whole = Span(0, len(text))
    if not found or found[-1] != whole:
        found.append(whole)
    return found


def _contains(outer: Span, inner: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end and outer != inner
