"""Diagnostics: what is wrong with a source, where, and a hint; and the two errors with a diagnostic.

`BadText` means that the text does not parse. `Nonsense` means that it parses but has no meaning in any game.
Both are ValueErrors. A parser that recovers from an error returns diagnostics as warnings instead.
"""

import unicodedata
from dataclasses import dataclass, field
from typing import Literal

from ludograph.text.printing import printable
from ludograph.text.source import Source, Span

# A longer line is shown as a window around the error.
PICTURE_COLUMNS = 76

Severity = Literal["error", "warning", "hint"]


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One diagnostic: a stable code, a message for the author, a place, and a hint.

    The message and the hint may quote the source, so they are made `printable`.
    """

    code: str
    message: str
    span: Span
    hint: str = ""
    source: Source = field(default_factory=lambda: Source(""), repr=False, compare=False)
    severity: Severity = "error"
    notes: tuple[tuple[Span, str], ...] = ()
    """Related places in the same source, each with a message."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "message", printable(self.message))
        object.__setattr__(self, "hint", printable(self.hint))
        if self.notes:
            object.__setattr__(self, "notes", tuple((span, printable(words)) for span, words in self.notes))

    @property
    def line(self) -> int:
        return self.source.line_and_column(self.span.start)[0]

    @property
    def column(self) -> int:
        return self.source.line_and_column(self.span.start)[1]

    def place(self) -> str:
        """The place as `file:line:column`, with the record of the file."""
        line, column = self.source.line_and_column(self.span.start)
        name = f"{printable(self.source.name)}:" if self.source.name else ""
        record = f" (record {self.source.record})" if self.source.record is not None else ""
        return f"{name}{line}:{column}{record}"

    def picture(self) -> str:
        """The message with its source line and carets under the place."""
        lines = [self.source.line_and_column(span.start)[0] for span, _ in self.notes]
        digits = len(str(max(self.line, *lines))) if lines else len(str(self.line))
        gutter = " " * digits
        rows = [
            f"{self.severity}[{self.code}]: {self.message}",
            f"{gutter}--> {self.place()}",
            *_pointed(self.source, self.span, self.line, digits, "^", ""),
        ]
        text = rows[-2]
        for (span, words), line in zip(self.notes, lines, strict=True):
            shown, marks = _pointed(self.source, span, line, digits, "-", words)
            rows += [marks] if shown == text else [shown, marks]
            text = shown
        if self.hint:
            rows.append(f"{gutter} = hint: {self.hint}")
        return "\n".join(rows)


class TextError(ValueError):
    """The text has an error; `diagnostic` has the message, the place and a hint."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic)
        self.diagnostic = diagnostic

    @property
    def code(self) -> str:
        return self.diagnostic.code

    @property
    def message(self) -> str:
        return self.diagnostic.message

    @property
    def line(self) -> int:
        return self.diagnostic.line

    @property
    def column(self) -> int:
        return self.diagnostic.column

    @property
    def hint(self) -> str:
        return self.diagnostic.hint

    @property
    def picture(self) -> str:
        return self.diagnostic.picture()

    def __str__(self) -> str:
        return self.diagnostic.picture()


class BadText(TextError):
    """The text does not follow the syntax of its notation."""


class Nonsense(TextError):
    """The text parses, but has no meaning in any game."""


def _pointed(source: Source, span: Span, line: int, digits: int, mark: str, words: str) -> list[str]:
    """A source line and the marks under it, followed by a message."""
    shown, column, width = _window(source, span)
    under = f"{' ' * digits} | {' ' * column}{mark * width}{' ' if words else ''}{words}"
    return [f"{line:>{digits}} | {shown}", under]


def _window(source: Source, span: Span) -> tuple[str, int, int]:
    """The part of the line to show, the column of the first caret, and the number of carets."""
    line = source.line_span(span.start)
    fault = min(span.start, line.end)
    first = max(line.start, fault - PICTURE_COLUMNS // 2)
    last = min(line.end, first + PICTURE_COLUMNS)
    before = "…" if first > line.start else ""
    after = "…" if last < line.end else ""
    shown = before + _printable(source.text[first:last]) + after
    caret_column = _width(before + _printable(source.text[first:fault]))
    marked = _printable(source.text[fault : min(span.end, last)])
    return shown, caret_column, max(1, _width(marked))


def _printable(text: str) -> str:
    """The text with blanks as spaces and control characters as U+FFFD."""
    return "".join(" " if c in "\t\xa0" else c if c.isprintable() else "\ufffd" for c in text)


def _width(text: str) -> int:
    """The columns of a text on a terminal: wide characters take two, combining marks none."""
    return sum(
        0 if unicodedata.category(c) in ("Mn", "Me") else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )
