"""A cursor over a source, for parsers: peek, accept, expect, or fail.

A cursor is mutable: it moves forward when text is accepted. `maybe_…` returns None and does not move if the
text is not there; `expect` accepts it or raises BadText.
"""

import re
from typing import NoReturn

from ludograph.text.diagnostic import BadText, Diagnostic, Nonsense
from ludograph.text.source import Source, Span


class Cursor:
    """A position in a source. Mutable."""

    def __init__(self, source: Source, offset: int = 0) -> None:
        self.source = source
        self.text = source.text
        self.offset = offset

    @property
    def at_end(self) -> bool:
        return self.offset >= len(self.text)

    def peek(self) -> str:
        """The next character, or "" at the end."""
        return self.text[self.offset : self.offset + 1]

    def maybe(self, literal: str) -> bool:
        """Accept the literal if it comes next."""
        if self.text.startswith(literal, self.offset):
            self.offset += len(literal)
            return True
        return False

    def maybe_match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Accept a match of the pattern here, if there is one."""
        found = pattern.match(self.text, self.offset)
        if found is not None:
            self.offset = found.end()
        return found

    def expect(self, literal: str, code: str, hint: str = "") -> None:
        """Accept the literal, or report what was found instead."""
        if not self.maybe(literal):
            self.fail(code, f"expected '{literal}', found {self.found()}", hint=hint)

    def found(self) -> str:
        """A description of the next character for a message."""
        if self.at_end:
            return "the end of the text"
        character = self.text[self.offset]
        if character in "\r\n":
            return "the end of the line"
        return f"'{character}'" if character.isprintable() else f"the character U+{ord(character):04X}"

    def diagnostic(
        self, code: str, message: str, *, hint: str = "", start: int | None = None, end: int | None = None
    ) -> Diagnostic:
        """A diagnostic about the text from `start` (default: here) to `end` (default: one character)."""
        first = self.offset if start is None else start
        last = (self.offset if start is not None else first + 1) if end is None else end
        return Diagnostic(code, message, Span(first, max(last, first + 1)), hint, self.source)

    def fail(
        self, code: str, message: str, *, hint: str = "", start: int | None = None, end: int | None = None
    ) -> NoReturn:
        """Raise BadText at the current position."""
        raise BadText(self.diagnostic(code, message, hint=hint, start=start, end=end))

    def fail_meaning(
        self, code: str, message: str, *, hint: str = "", start: int | None = None, end: int | None = None
    ) -> NoReturn:
        """Raise Nonsense at the current position."""
        raise Nonsense(self.diagnostic(code, message, hint=hint, start=start, end=end))
