"""Splitting of a stream of lines into HSN positions."""

import re
from collections.abc import Iterable, Iterator

from ludograph.notation.headers import is_header
from ludograph.notation.splitting import BLANKS, Chunk, split_lines

HSN_LISTS = 9
_LIST = re.compile(r"(?<![DP])\[")


def split(lines: Iterable[str]) -> Iterator[Chunk]:
    """Each position of a stream with the number of its first line."""
    return split_lines(lines, HsnBoundary())


class HsnBoundary:
    """A position ends where headers or a list follow its nine lists. Mutable."""

    in_comment = False

    def __init__(self) -> None:
        self.lists = 0
        self.last = ""

    def starts_record(self, line: str) -> bool:
        text = line.strip(BLANKS)
        starts = self.is_over(text)
        if starts:
            self.lists, self.last = 0, ""
        if text and not is_header(text):
            # The list of a duty does not count: D[1,3] or P[V,R].
            self.lists += len(_LIST.findall(text)) - (text[0] == "[" and self.last in ("D", "P"))
            self.last = text[-1]
        return starts

    def is_over(self, text: str) -> bool:
        return self.lists >= HSN_LISTS and text.startswith("[") and self.last not in ("D", "P")
