"""Positions of the language server protocol: a line and a count of UTF-16 units, both from 0.

The parser counts characters from the start of the text. A character above U+FFFF, such as an emoji, is two
units. A position beyond a line means its end, and one beyond the text means the end of the text, as the
protocol says.
"""

from bisect import bisect_right

from msgspec import Struct

from ludograph.text import Span
from ludograph.text.source import LINE_END


class TextPosition(Struct, frozen=True, order=True):
    """A place between two characters."""

    line: int
    character: int


class PositionRange(Struct, frozen=True, order=True):
    """The text between two positions."""

    start: TextPosition
    end: TextPosition


class PositionIndex:
    """The lines of a text, to convert offsets to positions and back.

    >>> index = PositionIndex("a\\n\U0001f600b")
    >>> index.position(3), index.offset(TextPosition(1, 2))
    (TextPosition(line=1, character=2), 3)
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.starts = [0, *(end.end() for end in LINE_END.finditer(text))]
        self.is_plain = text.isascii()

    def position(self, offset: int) -> TextPosition:
        offset = min(max(offset, 0), len(self.text))
        line = bisect_right(self.starts, offset) - 1
        start = self.starts[line]
        units = offset - start if self.is_plain else _units(self.text[start:offset])
        return TextPosition(line, units)

    def range(self, span: Span) -> PositionRange:
        return PositionRange(self.position(span.start), self.position(span.end))

    def offset(self, position: TextPosition) -> int:
        if position.line < 0:
            return 0
        if position.line >= len(self.starts):
            return len(self.text)
        start, end = self.starts[position.line], self.line_end(position.line)
        if self.is_plain:
            return min(start + max(position.character, 0), end)
        at, units = start, 0
        while at < end and units < position.character:
            units += 2 if ord(self.text[at]) > 0xFFFF else 1
            at += 1
        return at

    def span(self, place: PositionRange) -> Span:
        start = self.offset(place.start)
        return Span(start, max(start, self.offset(place.end)))

    def line_end(self, line: int) -> int:
        """The offset of the end of a line, before its line end."""
        end = self.starts[line + 1] if line + 1 < len(self.starts) else len(self.text)
        while end > self.starts[line] and self.text[end - 1] in "\r\n":
            end -= 1
        return end


def _units(text: str) -> int:
    return sum(2 if ord(character) > 0xFFFF else 1 for character in text)


def utf16_length(text: str) -> int:
    """The number of UTF-16 units of a text."""
    return len(text) if text.isascii() else _units(text)
