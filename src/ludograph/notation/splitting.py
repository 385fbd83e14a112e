"""Splitting of a stream of lines into records, by a rule for the lines that start a record."""

from collections.abc import Iterable, Iterator
from typing import Protocol

Chunk = tuple[int, str]
"""The number of the first line of a record, and its text."""

BLANKS = " \t\r\n\ufeff"


class Boundary(Protocol):
    """Recognises the first lines of records. Mutable: lines are passed in order."""

    def starts_record(self, line: str) -> bool: ...

    @property
    def in_comment(self) -> bool:
        """Whether a comment continues on the next line."""
        ...


def split_lines(lines: Iterable[str], boundary: Boundary) -> Iterator[Chunk]:
    """Each record with the number of its first line.

    Comments after a blank line belong to the record after them, if there is one.
    """
    first_line, held = 1, list[str]()
    gap_line, gap = 1, list[str]()
    for number, line in enumerate(lines, start=1):
        in_comment = boundary.in_comment
        if boundary.starts_record(line):
            if held:
                yield first_line, "".join(held)
            first_line, held = (gap_line if gap else number), gap
            gap = []
        elif not in_comment and (not line.strip() or (gap and line.lstrip().startswith("#"))):
            if not gap:
                gap_line = number
            gap.append(line)
            continue
        held += gap
        gap = []
        held.append(line)
    held += gap
    if any(not line.isspace() for line in held):
        yield first_line, "".join(held)
