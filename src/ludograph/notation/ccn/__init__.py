"""CCN: the set-up of a game in cube coordinates: players, tiles, ports, and (our extension) placements.

Blanks and `|` are ignored everywhere. CCN has its own letters: W is wheat (grain), S is sheep (wool). A
parsed value is a record: a fresh position on the standard frame, then the villages and roads placed so
far, in snake order.
"""

from ludograph.notation.ccn.reader import CODES, begins_at, read
from ludograph.notation.ccn.split import split
from ludograph.notation.ccn.writer import format, format_lenient
from ludograph.notation.results import Reading
from ludograph.settlers.record import Record
from ludograph.text import Source

__all__ = ["CODES", "begins_at", "format", "format_lenient", "parse", "parse_lenient", "read", "split"]


def parse(text: str) -> Record:
    """Parse a set-up; raises BadText or Nonsense.

    >>> record = parse("2/W2O3B10S8DL5O6B3S4W10O11W9B12S6L4B5S9L11W8/WTOTTLBST")
    >>> record.start.players
    2
    """
    return read(Source(text), lenient=False).value


def parse_lenient(text: str) -> Reading[Record]:
    """Parse a set-up; a byte order mark is a warning."""
    return read(Source(text), lenient=True)
