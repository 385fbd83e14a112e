"""Splitting of a stream of lines into CCN set-ups."""

import re
from collections.abc import Iterable, Iterator

from ludograph.notation.splitting import BLANKS, Chunk, split_lines

FIRST_SECTION = re.compile(r"[0-9][ \t|]*(?:/|$)")
"""The number of players at the beginning of a set-up."""


def split(lines: Iterable[str]) -> Iterator[Chunk]:
    """Each set-up of a stream with the number of its first line."""
    return split_lines(lines, CcnBoundary())


class CcnBoundary:
    """A set-up ends where a number of players follows tiles and ports. Mutable."""

    in_comment = False

    def __init__(self) -> None:
        self.slashes = 0
        self.last = ""

    def starts_record(self, line: str) -> bool:
        text = line.strip(BLANKS + "|")
        starts = self.is_over(text)
        if starts:
            self.slashes = 0
        self.slashes += text.count("/")
        self.last = text[-1:] or self.last
        return starts

    def is_over(self, text: str) -> bool:
        # A coordinate may be alone on a line, after a comma or a minus.
        return self.slashes >= 2 and self.last not in (",", "-") and FIRST_SECTION.match(text) is not None
