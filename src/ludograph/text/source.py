"""A source text with a name, and places in it.

Lines end with LF, CRLF or a lone CR. A source may be one record of a longer file; then `first_line` and
`record` give its place, so that messages name the place in the file.
"""

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache

from msgspec import Struct

# The line starts of a longer text are stored instead of being searched again for each message.
LONG_TEXT = 100_000

LINE_END = re.compile(r"\r\n|\n|\r")


class Span(Struct, frozen=True):
    """A range of text: from the character at `start` up to, not including, `end`."""

    start: int
    end: int


class Source(Struct, frozen=True):
    """A text to parse, and its name for messages."""

    text: str
    name: str = ""
    first_line: int = 1
    record: int | None = None

    def line_and_column(self, offset: int) -> tuple[int, int]:
        """Line and column of a character, both counted from 1.

        >>> Source("ab\\ncd").line_and_column(4)
        (2, 2)
        """
        if len(self.text) > LONG_TEXT:
            starts = _line_starts(self.text)
            line = bisect_right(starts, offset)
            return self.first_line + line - 1, offset - starts[line - 1] + 1
        # `str.count` is fast: a text may have millions of lines.
        start = self.line_span(offset).start
        ends = self.text.count("\n", 0, start) + self.text.count("\r", 0, start)
        return self.first_line + ends - self.text.count("\r\n", 0, start), offset - start + 1

    def line_span(self, offset: int) -> Span:
        """The line of a character, without its line end; a line end belongs to the line that it ends."""
        text = self.text
        if len(text) > LONG_TEXT:
            starts = _line_starts(text)
            line = bisect_right(starts, offset)
            end = starts[line] - 1 if line < len(starts) else len(text)
            return Span(starts[line - 1], end - (text[end - 1 : end + 1] == "\r\n"))
        if offset > 0 and text[offset - 1 : offset + 1] == "\r\n":
            offset -= 1
        start = max(text.rfind("\n", 0, offset), text.rfind("\r", 0, offset)) + 1
        line_feed = text.find("\n", offset)
        end = line_feed if line_feed >= 0 else len(text)
        carriage_return = text.find("\r", offset, end)
        return Span(start, carriage_return if carriage_return >= 0 else end)


@lru_cache(maxsize=4)
def _line_starts(text: str) -> Sequence[int]:
    """Where the lines of a long text start; computed once for all messages."""
    return array("Q", [0, *(line_end.end() for line_end in LINE_END.finditer(text))])


def split_lines(text: str) -> Iterator[str]:
    """The lines of a text, each with its line end, split as `Source` counts them."""
    start = 0
    for line_end in LINE_END.finditer(text):
        yield text[start : line_end.end()]
        start = line_end.end()
    if start < len(text):
        yield text[start:]
