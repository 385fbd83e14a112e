"""Aftermath: what the checker says only because a part of the text could not be read.

A syntax error leaves a statement half understood, and what it declares unknown. So nothing is said of the
meaning of that statement, nor of the names in it anywhere; warnings wait until the text can be read. Where
the head of a declaration cannot be read, or braces do not match, everything may follow from that, and only
that is told. All else is reported as ever.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import compress

from ludograph.text import Diagnostic, Source, Span
from ludograph.tgdl.lexer import Kind, tokenize

_QUOTED = re.compile(r"'([^']*)'")
_BORDERS = frozenset((";", "{", "}"))
_HEADS = frozenset("tile interactable stack state board group turn verb function enum".split())
_UNREAD = frozenset((Kind.BLANK, Kind.COMMENT))
_SEMICOLON_MISSING = "TG0202"
_CORRECTED = "did you mean"
# Modifiers that do not fit, values given to what has none.
_READ_ALL_THE_SAME = frozenset(("TG0214", "TG0218"))

# How far a part that could not be read reaches at most, in tokens, and how long a line is looked at.
_FURTHEST = 500
_LONGEST_LINE = 1000


@dataclass(frozen=True, slots=True)
class _Unread:
    """The parts of a text that could not be read."""

    is_torn: bool
    """Whether nobody knows what belongs to what."""
    spans: Sequence[Span]
    words: frozenset[str]


def without_aftermath(syntax: Iterable[Diagnostic], found: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """What the checker found, without what may only follow from errors of the syntax."""
    errors: dict[int, list[Diagnostic]] = {}
    for one in syntax:
        if one.severity == "error":
            errors.setdefault(id(one.source), []).append(one)
    if not errors:
        return tuple(found)
    unread = {source: _unread(told[0].source, told) for source, told in errors.items()}
    words = frozenset().union(*(part.words for part in unread.values()))
    if any(part.is_torn for part in unread.values()):
        return ()
    return tuple(one for one in found if not _may_follow(one, unread.get(id(one.source)), words))


def _may_follow(one: Diagnostic, unread: _Unread | None, words: frozenset[str]) -> bool:
    if one.severity != "error" or any(name in words for name in _QUOTED.findall(one.message)):
        return True
    return unread is not None and any(
        one.span.start < span.end and span.start < one.span.end for span in unread.spans
    )


def _unread(source: Source, errors: Sequence[Diagnostic]) -> _Unread:
    """What the errors of one text leave unclear."""
    lexed = tokenize(source)
    is_meant = [kind not in _UNREAD for kind in lexed.kinds]
    texts = list(compress(lexed.pieces, is_meant))
    kinds = list(compress(lexed.kinds, is_meant))
    starts = list(compress(lexed.starts, is_meant))
    spans: list[Span] = []
    words: set[str] = set()
    is_torn = texts.count("{") != texts.count("}")
    for error in errors:
        if not texts or _is_understood(error):
            continue
        at = max(0, bisect_right(starts, error.span.start) - 1)
        first = last = at
        while first > max(0, at - _FURTHEST) and texts[first - 1] not in _BORDERS:
            first -= 1
        while last < min(len(texts) - 1, at + _FURTHEST) and texts[last] not in _BORDERS:
            last += 1
        # Lists have braces too: what stands in the same line belongs to it.
        begin, end = _lines(source.text, starts[first], starts[last] + len(texts[last]))
        spans.append(Span(begin, end))
        inside = range(bisect_left(starts, begin), bisect_left(starts, end))
        words.update(texts[index] for index in inside if kinds[index] is Kind.WORD)
        is_torn = is_torn or (texts[last] == "{" and not _HEADS.isdisjoint(texts[first:last]))
    return _Unread(is_torn, spans, frozenset(words))


def _is_understood(error: Diagnostic) -> bool:
    """Whether the parser has read on as if the error were mended."""
    if error.code != _SEMICOLON_MISSING:
        return error.code in _READ_ALL_THE_SAME or error.hint.startswith(_CORRECTED)
    text, at = error.source.text, error.span.start
    rest = text[at : _line_end(text, at)].strip()
    return not rest or rest.startswith(("//", "}"))


def _lines(text: str, begin: int, end: int) -> tuple[int, int]:
    """The whole lines around a part of a text, unless they are very long."""
    line = text.rfind("\n", max(0, begin - _LONGEST_LINE), begin) + 1
    return line or begin, _line_end(text, end)


def _line_end(text: str, at: int) -> int:
    found = text.find("\n", at, at + _LONGEST_LINE)
    return found if found >= 0 else min(at + _LONGEST_LINE, len(text))
