"""A text that is broken at the cursor, completed so that the parser shows what it expects there."""

from collections.abc import Callable

from ludograph.lsp.game import AnalysedGame
from ludograph.text import Source
from ludograph.tgdl.syntax.lexer import TokenKind, tokenize

PLACEHOLDER = "zzcompletionzz"

Analyse = Callable[[str], AnalysedGame]
"""Analyses the document with another text."""


def with_placeholder(text: str, start: int, end: int) -> str:
    """The text with a placeholder for the word from `start` to `end`, and with the brackets that are
    missing.
    """
    return text[:start] + PLACEHOLDER + _missing_brackets(text, start, end) + text[end:]


def _missing_brackets(text: str, start: int, end: int) -> str:
    """The brackets that the statement at the cursor has not closed, if nothing closes them on its line."""
    line_end = text.find("\n", end)
    rest = text[end : line_end if line_end >= 0 else len(text)]
    if rest.strip()[:1] in (")", "]"):
        return ""
    opened: list[str] = []
    lexed = tokenize(Source(text[:start]))
    for piece, kind in zip(lexed.pieces, lexed.kinds, strict=True):
        if kind is not TokenKind.SIGN:
            continue
        if piece in ("{", "}", ";"):
            opened.clear()
        elif piece in ("(", "["):
            opened.append(")" if piece == "(" else "]")
        elif piece in (")", "]") and opened:
            opened.pop()
    return "".join(reversed(opened)) + (";" if opened and not rest.strip() else "")
