"""HSN: a position as text, sixteen fields in fixed order.

`parse` tries the spelling that `format` writes first (`canonical.py`); anything else is read by
the cursor in `reader.py`, which accepts every spelling that the grammar allows and explains
what it refuses. A test holds the two together.
"""

import re

from ludograph.notation.headers import take_headers
from ludograph.notation.hsn.canonical import maybe_canonical
from ludograph.notation.hsn.reader import CODES, take_position
from ludograph.notation.hsn.writer import format, format_lenient
from ludograph.notation.results import Reading, reading_with, refuse_huge, take_byte_order_mark
from ludograph.settlers.position import Position
from ludograph.text import Cursor, Source

__all__ = ["CODES", "format", "format_lenient", "parse", "parse_lenient", "read"]


def parse(text: str) -> Position:
    """Read a position.

    >>> parse("[SSS/SWS/SSS] [/6] [] [|] [|] [|] b2 [|] [|] [|] 0 0 1 . P[V,R] . .").players
    2
    """
    return maybe_canonical(text) or read(Source(text), lenient=False).value


def parse_lenient(text: str) -> Reading[Position]:
    """Read a position; a byte order mark and header lines are only warned of."""
    return read(Source(text), lenient=True)


def read(source: Source, *, lenient: bool) -> Reading[Position]:
    """Read a source that is one position and nothing else."""
    refuse_huge(source)
    cursor = Cursor(source)
    warnings = take_byte_order_mark(cursor, "NT0201", lenient=lenient)
    if lenient:
        start = cursor.offset
        if take_headers(cursor):
            warnings.append(
                cursor.diagnostic(
                    "NT0202",
                    "header lines are not part of a position",
                    start=start,
                    hint="a position with headers is a HAN game",
                )
            )
    position = take_position(cursor)
    cursor.maybe_match(_BLANKS)
    if not cursor.at_end:
        cursor.fail(
            "NT0203",
            f"the position ends before {cursor.found()}",
            hint="a position with actions after it is a HAN game",
        )
    return reading_with(position, warnings)


_BLANKS = re.compile(r"[ \t\r\n]*")
