"""Files with many records: lines in, one record after another out.

No more than two records are held at a time. An error names the line of the file and, if the
file has more than one record, which record it is in.
"""

import re
from collections.abc import Iterable, Iterator

from ludograph.notation import cgn, sgn
from ludograph.notation.convert import Notation, find_notation, read_record
from ludograph.notation.guess import looks_like_action
from ludograph.notation.headers import is_header
from ludograph.notation.results import MOST_CHARACTERS, MOST_LINES, Reading, too_huge
from ludograph.settlers.record import Record
from ludograph.text import Source

Chunk = tuple[int, str]
"""The number of a record's first line, and its text."""

HSN_LISTS = 9
_BLANKS = " \t\r\n\ufeff"
_HSN_LIST = re.compile(r"(?<![DP])\[")
_CCN_BEGINNING = re.compile(r"[0-9][ \t|]*(?:/|$)")


def read_records(
    lines: Iterable[str], notation: Notation | str, *, name: str = "", lenient: bool = False
) -> Iterator[Reading[Record]]:
    """Read every record of a file, given line by line; `name` is what messages call it.

    >>> lines = ["2/W2O3B10S8DL5O6B3S4W10O11W9B12S6L4B5S9L11W8/WTOTTLBST\\n"] * 3
    >>> sum(1 for record, warnings in read_records(lines, "ccn"))
    3
    """
    given = find_notation(notation)
    return (read_record(source, given, lenient=lenient) for source in sources(lines, given, name=name))


def sources(lines: Iterable[str], notation: Notation, *, name: str = "") -> Iterator[Source]:
    """Cut a file into its records; a file without any is one empty record."""
    meter = _Meter(lines, name)
    chunks = meter.each(split(meter, notation))
    first = next(chunks, (1, ""))
    second = next(chunks, None)
    if second is None:
        yield Source(first[1], name, first[0])
        return
    yield Source(first[1], name, first[0], 1)
    yield Source(second[1], name, second[0], 2)
    for number, (line, text) in enumerate(chunks, start=3):
        yield Source(text, name, line, number)


class _Meter:
    """Lines that pass until one record has too many of them. Mutable."""

    def __init__(self, lines: Iterable[str], name: str) -> None:
        self.lines, self.name = lines, name
        self.number = self.held_lines = self.held_characters = 0

    def __iter__(self) -> Iterator[str]:
        for line in self.lines:
            self.number += 1
            self.held_lines += 1
            self.held_characters += len(line)
            if self.held_lines > MOST_LINES or self.held_characters > MOST_CHARACTERS:
                raise too_huge(Source(line[:80], self.name, self.number))
            yield line

    def each(self, chunks: Iterator[Chunk]) -> Iterator[Chunk]:
        """The chunks, each of which lets the meter begin anew."""
        for chunk in chunks:
            self.held_lines = self.held_characters = 0
            yield chunk


def split(lines: Iterable[str], notation: Notation) -> Iterator[Chunk]:
    """Cut lines into records."""
    match notation:
        case Notation.HAN:
            return _split(lines, _HanProgress())
        case Notation.HSN:
            return _split(lines, _HsnProgress())
        case Notation.CCN:
            return _split(lines, _CcnProgress())
        case Notation.CGN:
            return cgn.split(lines)
        case Notation.SGN:
            return sgn.split(lines)


class _HanProgress:
    """A game ends where headers or a start position come after its start position or actions. Mutable."""

    def __init__(self) -> None:
        self.has_actions = False
        self.position = _HsnProgress()
        self.setup = _CcnProgress()

    def begins_record(self, line: str) -> bool:
        text = line.partition("#")[0]
        begins = self._is_over(text.strip(_BLANKS))
        if begins:
            self.has_actions = False
            self.position, self.setup = _HsnProgress(), _CcnProgress()
        self.position.begins_record(text)
        if not self.position.lists:
            self.setup.begins_record(text)
        self.has_actions = self.has_actions or looks_like_action(text)
        return begins

    def _is_over(self, text: str) -> bool:
        if is_header(text):
            return self.has_actions or self.position.lists > 0 or self.setup.slashes > 0
        if self.has_actions:
            return text.startswith("[") or _CCN_BEGINNING.match(text) is not None
        return self.setup.is_over(text) if not self.position.lists else self.position.is_over(text)


class _HsnProgress:
    """A position ends where headers or a list come after its nine lists. Mutable."""

    def __init__(self) -> None:
        self.lists = 0
        self.last = ""

    def begins_record(self, line: str) -> bool:
        text = line.strip(_BLANKS)
        begins = self.is_over(text)
        if begins:
            self.lists, self.last = 0, ""
        if text and not is_header(text):
            # What must be done has a list of its own: D[1,3] or P[V,R].
            self.lists += len(_HSN_LIST.findall(text)) - (text[0] == "[" and self.last in ("D", "P"))
            self.last = text[-1]
        return begins

    def is_over(self, text: str) -> bool:
        return self.lists >= HSN_LISTS and text.startswith("[") and self.last not in ("D", "P")


class _CcnProgress:
    """A set-up ends where a number of players comes after tiles and ports. Mutable."""

    def __init__(self) -> None:
        self.slashes = 0
        self.last = ""

    def begins_record(self, line: str) -> bool:
        text = line.strip(_BLANKS + "|")
        begins = self.is_over(text)
        if begins:
            self.slashes = 0
        self.slashes += text.count("/")
        self.last = text[-1:] or self.last
        return begins

    def is_over(self, text: str) -> bool:
        # A coordinate may stand on a line of its own, after a comma or a minus.
        return self.slashes >= 2 and self.last not in (",", "-") and _CCN_BEGINNING.match(text) is not None


def _split(lines: Iterable[str], progress: _HanProgress | _HsnProgress | _CcnProgress) -> Iterator[Chunk]:
    """Records with the number of their first line.

    Comments after a blank line go with the record that follows them, if one does.
    """
    first_line, held = 1, list[str]()
    pause_line, pause = 1, list[str]()
    for number, line in enumerate(lines, start=1):
        if progress.begins_record(line):
            if held:
                yield first_line, "".join(held)
            first_line, held = (pause_line if pause else number), pause
            pause = []
        elif not line.strip() or (pause and line.lstrip().startswith("#")):
            if not pause:
                pause_line = number
            pause.append(line)
            continue
        held += pause
        pause = []
        held.append(line)
    held += pause
    if any(not line.isspace() for line in held):
        yield first_line, "".join(held)
