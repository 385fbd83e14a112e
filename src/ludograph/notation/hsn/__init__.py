"""HSN: a position as seventeen fields in a fixed order.

`parse` tries a fast path for the spelling of `format` first (`canonical.py`). Any other text is parsed
with the cursor of `reader.py`, which accepts every spelling of the grammar and reports errors. A test
checks that both agree.
"""

import re

from ludograph.notation.headers import take_headers
from ludograph.notation.hsn.canonical import maybe_canonical
from ludograph.notation.hsn.older import maybe_current
from ludograph.notation.hsn.reader import CODES, begins_at, take_position
from ludograph.notation.hsn.split import split
from ludograph.notation.hsn.writer import format, format_lenient
from ludograph.notation.results import Reading, check_size, reading_with_warnings, take_byte_order_mark
from ludograph.settlers.position import Position
from ludograph.text import Cursor, Diagnostic, Source, Span, TextError

__all__ = ["CODES", "begins_at", "format", "format_lenient", "parse", "parse_lenient", "read", "split"]


def parse(text: str) -> Position:
    """Parse a position; raises BadText or Nonsense.

    >>> parse("[SSS/SWS/SSS] [/6] [] [|] [|] [|] b2 [|] [|] [|] 0 0 1 . P[V,R] . .").players
    2
    """
    return maybe_canonical(text) or read(Source(text), lenient=False).value


def parse_lenient(text: str) -> Reading[Position]:
    """Parse a position; a byte order mark, header lines and older spellings are warnings."""
    return read(Source(text), lenient=True)


def read(source: Source, *, lenient: bool) -> Reading[Position]:
    """Parse a source with one position; lenient parsing also reads the older spellings."""
    check_size(source)
    current = maybe_current(source.text) if lenient else None
    if current is not None:
        try:
            position, warnings = _read(Source(current), lenient=True)
        except TextError:
            pass  # The error is reported at its place in the text itself.
        else:
            message = "this is an older spelling of HSN"
            hint = "convert the position to HSN for the current one"
            older = Diagnostic("NT0215", message, Span(0, 1), hint, source, "warning")
            return Reading(position, (older, *warnings))
    return _read(source, lenient=lenient)


def _read(source: Source, *, lenient: bool) -> Reading[Position]:
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
            f"expected the end of the position, found {cursor.found()}",
            hint="a position with actions after it is a HAN game",
        )
    return reading_with_warnings(position, warnings)


_BLANKS = re.compile(r"[ \t\r\n]*")
