"""Recognition of HAN by the beginning of a text: headers, an action, or a start position and an action."""

import re

from ludograph.notation.ccn import reader as ccn_reader
from ludograph.notation.headers import at_header
from ludograph.notation.hsn import reader as hsn_reader
from ludograph.text import Cursor, TextError

# Possessive, so that many blanks or comments are never matched in more than one way.
BLANKS_AND_COMMENTS = re.compile(r"(?:[ \t\r\n\ufeff]++|#[^\r\n]*+)*+")
_ALL_COMMENTS = re.compile(r"(?:[ \t\r\n]++|#[^\r\n]*+|\{[^}]*+\})*+")
# JSON objects start with a brace, too, before a quote.
_BRACE_COMMENT = re.compile(r"\{(?![ \t\r\n]*+[\"}])")
_ACTION = re.compile(
    r"R[(?]|M(?:\(|[a-z]+[0-9])|[0-9][DA]\(|S(?:[(?]|[BGLOW][0-9])|P(?:[vcr]\(|[VCR][a-z]+[0-9])|T\("
    r"|U(?:[ym]\(|Dy\(|Dm[BGLOW])|(?:B[vcrdVCR]|BD[?krmvy]|U[ko]|UD[kr]|E)(?=[\s#{]|$)"
)


def begins_at(cursor: Cursor) -> bool:
    """Whether a HAN game starts here; a start position without actions is not a game."""
    if at_header(cursor) or _ACTION.match(cursor.text, cursor.offset):
        return True
    if _BRACE_COMMENT.match(cursor.text, cursor.offset):
        return True
    after = Cursor(cursor.source, cursor.offset)
    try:
        if hsn_reader.begins_at(cursor):
            hsn_reader.take_position(after, in_game=True)
        elif ccn_reader.begins_at(cursor):
            ccn_reader.take_start(after)
        else:
            return False
    except TextError:
        return False  # Its own parser reports the error.
    after.maybe_match(_ALL_COMMENTS)
    return _ACTION.match(after.text, after.offset) is not None


def starts_with_action(line: str) -> bool:
    """Whether a line starts with a HAN action."""
    return _ACTION.match(line.lstrip(" \t")) is not None
