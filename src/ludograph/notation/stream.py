"""Files with many records: the lines are split and parsed record by record.

At most two records are in memory at a time. An error names the line of the file and, if the file has
several records, the number of the record.
"""

from collections.abc import Iterable, Iterator
from typing import TypeVar

from ludograph.notation.convert import read_record
from ludograph.notation.notations import NOTATIONS, Notation, find_notation
from ludograph.notation.results import MAX_CHARACTERS, MAX_LINES, Reading, size_error
from ludograph.notation.splitting import Chunk
from ludograph.settlers.record import Record
from ludograph.settlers.visitors import RecordVisitor, visit_record
from ludograph.text import Source

AnyResult = TypeVar("AnyResult")


def read_records(
    lines: Iterable[str], notation: Notation | str, *, name: str = "", lenient: bool = False
) -> Iterator[Reading[Record]]:
    """Parse every record of a file, given line by line; messages contain the `name` of the file.

    >>> lines = ["2/W2O3B10S8DL5O6B3S4W10O11W9B12S6L4B5S9L11W8/WTOTTLBST\\n"] * 3
    >>> sum(1 for record, warnings in read_records(lines, "ccn"))
    3
    """
    given = find_notation(notation)
    return (read_record(source, given, lenient=lenient) for source in sources(lines, given, name=name))


def visit_records(
    lines: Iterable[str],
    notation: Notation | str,
    visitor: RecordVisitor[AnyResult],
    *,
    name: str = "",
    lenient: bool = False,
) -> Iterator[Reading[AnyResult]]:
    """Show every record of a file to a visitor, and yield the result of the visitor for each.

    A HAN game is not built as a record, so a visitor that skips most games reads a file quickly.

    >>> class Players(RecordVisitor[str]):
    ...     def visit_header(self, key, value):
    ...         self.found = value
    ...     def result(self):
    ...         return self.found
    >>> lines = ['[Player1 "Ada"]\\n', "R? E\\n", '[Player1 "Grace"]\\n', "R? E\\n"]
    >>> [player for player, warnings in visit_records(lines, "han", Players())]
    ['Ada', 'Grace']
    """
    given = find_notation(notation)
    for source in sources(lines, given, name=name):
        visit = NOTATIONS[given].visit
        if visit is not None:
            yield visit(source, visitor, lenient=lenient)
        else:
            record, warnings = read_record(source, given, lenient=lenient)
            yield Reading(visit_record(record, visitor), warnings)


def sources(lines: Iterable[str], notation: Notation, *, name: str = "") -> Iterator[Source]:
    """Split a file into its records; a file without records is one empty record."""
    limited = _LimitedLines(lines, name)
    chunks = limited.reset_after(NOTATIONS[notation].split(limited))
    first = next(chunks, (1, ""))
    second = next(chunks, None)
    if second is None:
        yield Source(first[1], name, first[0])
        return
    yield Source(first[1], name, first[0], 1)
    yield Source(second[1], name, second[0], 2)
    for number, (line, text) in enumerate(chunks, start=3):
        yield Source(text, name, line, number)


class _LimitedLines:
    """An iterator over lines that raises BadText if one record is too large. Mutable."""

    def __init__(self, lines: Iterable[str], name: str) -> None:
        self.lines, self.name = lines, name
        self.number = self.record_lines = self.record_characters = 0

    def __iter__(self) -> Iterator[str]:
        for line in self.lines:
            self.number += 1
            self.record_lines += 1
            self.record_characters += len(line)
            if self.record_lines > MAX_LINES or self.record_characters > MAX_CHARACTERS:
                raise size_error(Source(line[:80], self.name, self.number))
            yield line

    def reset_after(self, chunks: Iterator[Chunk]) -> Iterator[Chunk]:
        """The chunks; the size of a record is counted from 0 after each of them."""
        for chunk in chunks:
            self.record_lines = self.record_characters = 0
            yield chunk
