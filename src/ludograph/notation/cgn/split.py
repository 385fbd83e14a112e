"""Cutting a stream of lines into CGN records, one held at a time.

A record is a list in square brackets, found by its brackets alone, or loose lines up to the next
`PS "Setup"`. Comments and blank lines between two records go with the second, those after the
last record with that. What is wrong with a record is left for its reader to say.
"""

import re
from collections.abc import Iterable, Iterator

_TOKEN = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?|#.*|[\[\]]')
_NO_MESSAGE = re.compile(r"[ \t\r\n\ufeff]*(?:#.*)?[\r\n]*\Z")
_SETUP = re.compile(r'[\s\ufeff]*\{?\s*"?PS"?\s*:?\s*"SETUP"', re.IGNORECASE)
_LIST = re.compile(r"[\s\ufeff]*\[")


def split(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Each record of a stream with the number of its first line; `lines` keep their line ends."""
    held, pause = _Stretch(), _Stretch()
    depth = 0
    is_loose = False
    for number, line in enumerate(lines, start=1):
        if depth == 0:
            if _NO_MESSAGE.match(line):
                pause.add(number, line)
                continue
            if not is_loose or _SETUP.match(line):
                if held.parts:
                    yield held.take()
                is_loose = _LIST.match(line) is None
            held.move_from(pause)
        if is_loose:
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
    if held.parts or any(part.strip("\ufeff \t\r\n") for part in pause.parts):
        held.move_from(pause)
        yield held.take()


class _Stretch:
    """Some lines in a row and the number of the first. Mutable."""

    def __init__(self) -> None:
        self.first_line = 1
        self.parts: list[str] = []

    def add(self, number: int, text: str) -> None:
        if not self.parts:
            self.first_line = number
        self.parts.append(text)

    def move_from(self, other: "_Stretch") -> None:
        """Append all of another stretch and empty it."""
        if other.parts and not self.parts:
            self.first_line = other.first_line
        self.parts += other.parts
        other.parts = []

    def take(self) -> tuple[int, str]:
        """The stretch as first line and text, leaving nothing."""
        text = "".join(self.parts)
        self.parts = []
        return self.first_line, text
