"""Header lines `[Key "value"]` at the top of our files: facts that a notation itself cannot say."""

import re

from ludograph.text import Cursor

CODES: dict[str, str] = {
    "NT0009": 'a header line is [Key "value"]',
}

# A header is told from an HSN list by the blank and the quote after its key.
_HEADER = re.compile(
    r'\[([A-Za-z][A-Za-z0-9_]*)[ \t]+"([^"\\\r\n]*+(?:\\["\\][^"\\\r\n]*+)*+)"[ \t]*\][ \t]*(?=[\r\n]|$)'
)
_LOOKS_LIKE_HEADER = re.compile(r"\[[A-Za-z][A-Za-z0-9_]*[ \t]+\"")
_BLANKS = re.compile(r"[ \t\r\n]*")
_ESCAPED = re.compile(r"\\(.)")


def take_headers(cursor: Cursor) -> tuple[tuple[str, str], ...]:
    """Take the header lines that come next, and the blanks round them."""
    headers: list[tuple[str, str]] = []
    while True:
        cursor.maybe_match(_BLANKS)
        found = cursor.maybe_match(_HEADER)
        if found is None:
            break
        headers.append((found[1], _ESCAPED.sub(r"\1", found[2])))
    if at_header(cursor):
        cursor.fail(
            "NT0009",
            "this header line does not end as it should",
            hint='write [Key "value"] on a line of its own',
        )
    return tuple(headers)


def at_header(cursor: Cursor) -> bool:
    """Whether a header line comes next, or something that means to be one."""
    return _LOOKS_LIKE_HEADER.match(cursor.text, cursor.offset) is not None


def is_header(line: str) -> bool:
    """Whether a line is a header line, or means to be one."""
    return _LOOKS_LIKE_HEADER.match(line.lstrip(" \t\ufeff")) is not None


def can_write_header(key: str, value: str) -> bool:
    """Whether a header line can say this key and value."""
    return re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", key) is not None and not re.search(r"[\r\n]", value)


def format_header(key: str, value: str) -> str:
    """One header line.

    >>> format_header("Event", 'the "big" one')
    '[Event "the \\\\"big\\\\" one"]'
    """
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{key} "{escaped}"]'
