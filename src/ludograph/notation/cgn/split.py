"""Splitting of a stream of lines into CGN records; one record is in memory at a time.

A record is a list in square brackets, or a sequence of lines before the next `PS "Setup"`. Comments and
blank lines between two records belong to the second record. Those after the last record belong to the
last record. Errors in a record are left to its parser.
"""

import re
from collections.abc import Iterable, Iterator

_TOKEN = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|#.*|[\[\]]')
_NO_MESSAGE = re.compile(r"[ \t\r\n\ufeff]*(?:#.*)?[\r\n]*\Z")
_SETUP = re.compile(r'[\s\ufeff]*\{?\s*"?PS"?\s*:?\s*"SETUP"', re.IGNORECASE)
_LIST = re.compile(r"[\s\ufeff]*\[")


def split(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Each record of a stream with the number of its first line; `lines` include their line ends."""
    held, gap = _Lines(), _Lines()
    depth = 0
    has_no_list = False
    for number, line in enumerate(lines, start=1):
        if depth == 0:
            if _NO_MESSAGE.match(line):
                gap.add(number, line)
                continue
            if not has_no_list or _SETUP.match(line):
                if held.parts:
                    yield held.take()
                has_no_list = _LIST.match(line) is None
            held.move_from(gap)
        if has_no_list:
            held.add(number, line)
            continue
        begin = 0
        for token in _TOKEN.finditer(line):
            if token[0] not in "[]":
                continue
            depth += 1 if token[0] == "[" else -1
            if depth == 0:
                if not _LIST.match(line, token.end()):
                    break
                held.add(number, line[begin : token.end()])
                begin = token.end()
                yield held.take()
        held.add(number, line[begin:])
    if held.parts or any(part.strip("\ufeff \t\r\n") for part in gap.parts):
        held.move_from(gap)
        yield held.take()


class _Lines:
    """Consecutive lines and the number of the first. Mutable."""

    def __init__(self) -> None:
        self.first_line = 1
        self.parts: list[str] = []

    def add(self, number: int, text: str) -> None:
        if not self.parts:
            self.first_line = number
        self.parts.append(text)

    def move_from(self, other: "_Lines") -> None:
        """Append all lines of another object, and remove them there."""
        if other.parts and not self.parts:
            self.first_line = other.first_line
        self.parts += other.parts
        other.parts = []

    def take(self) -> tuple[int, str]:
        """Remove all lines; returns the number of the first and the joined text."""
        text = "".join(self.parts)
        self.parts = []
        return self.first_line, text
