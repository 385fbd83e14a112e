"""Header lines `[Key "value"]` at the top of a game: facts that no other part of the text holds.

HAN has them as lines of their own, CGN and SGN as comments before the first line: `# [Key "value"]`.
"""

import re
from typing import NoReturn

from ludograph.text import Cursor

CODES: dict[str, str] = {
    "NT0009": 'a header line is [Key "value"]',
}

# The blank and the quote after the key distinguish a header from an HSN list. Without the quote, a key of
# three letters or more and a word that is no row of a place do.
_HEADER = re.compile(
    r'\[([A-Za-z][A-Za-z0-9_]*)[ \t]+"([^"\\\r\n]*+(?:\\["\\][^"\\\r\n]*+)*+)"[ \t]*\][ \t]*(?=[\r\n]|$)'
)
_LOOKS_LIKE_HEADER = re.compile(
    r"\[[A-Za-z][A-Za-z0-9_]*[ \t]+\""
    r"|\[(?=[A-Z]*[a-z])[A-Za-z]{3}[A-Za-z0-9_]*[ \t]*[:=]?[ \t]+(?![0-9]+[ \t]*[nsw])[A-Za-z0-9'?*]"
)
_UNQUOTED = re.compile(r"\[([A-Za-z][A-Za-z0-9_]{0,19})[ \t]*+[:=]?[ \t]*+([^\"\]\s][^\"\]\r\n]{0,39})\]")
_WITH_TEXT_AFTER = re.compile(rf"(?:{_HEADER.pattern.rpartition('(?=')[0]})(?=[^\r\n])")
_BLANKS = re.compile(r"[ \t\r\n]*")
_ESCAPED = re.compile(r"\\(.)")


def take_headers(cursor: Cursor) -> tuple[tuple[str, str], ...]:
    """Take the header lines at the cursor, and the blanks around them."""
    headers: list[tuple[str, str]] = []
    while True:
        cursor.maybe_match(_BLANKS)
        found = cursor.maybe_match(_HEADER)
        if found is None:
            break
        headers.append((found[1], _ESCAPED.sub(r"\1", found[2])))
    if at_header(cursor):
        _fail_header(cursor)
    return tuple(headers)


def _fail_header(cursor: Cursor) -> NoReturn:
    """Report a malformed header line; a value without quotes is shown with them."""
    followed = _WITH_TEXT_AFTER.match(cursor.text, cursor.offset)
    if followed is not None:
        cursor.offset = followed.end()
        hint = f"start a new line after {followed[0].rstrip()}"
        cursor.fail("NT0009", "text follows the header on its line", hint=hint)
    unquoted = _UNQUOTED.match(cursor.text, cursor.offset)
    if unquoted is None:
        cursor.fail(
            "NT0009", "this header line is malformed", hint='write [Key "value"] on a line of its own'
        )
    cursor.fail(
        "NT0009",
        f"the value of the header {unquoted[1]} is not in double quotes",
        start=unquoted.start(2),
        end=unquoted.end(2),
        hint=f"write {format_header(unquoted[1], unquoted[2])} on a line of its own",
    )


def maybe_comment_header(comment: str) -> tuple[str, str] | None:
    """The key and value of a header that a comment of CGN or SGN holds; None for any other comment.

    >>> maybe_comment_header('[Points "12"]'), maybe_comment_header("a comment")
    (('Points', '12'), None)
    """
    found = _HEADER.fullmatch(comment.strip(" \t\r"))
    return None if found is None else (found[1], _ESCAPED.sub(r"\1", found[2]))


def at_header(cursor: Cursor) -> bool:
    """Whether a header line starts here, even a malformed one."""
    return _LOOKS_LIKE_HEADER.match(cursor.text, cursor.offset) is not None


def is_header(line: str) -> bool:
    """Whether a line is a header line, even a malformed one."""
    return _LOOKS_LIKE_HEADER.match(line.lstrip(" \t\ufeff")) is not None


def can_write_header(key: str, value: str) -> bool:
    """Whether a header line can express this key and value."""
    return re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", key) is not None and not re.search(r"[\r\n]", value)


def format_header(key: str, value: str) -> str:
    """One header line.

    >>> format_header("Event", 'the "big" one')
    '[Event "the \\\\"big\\\\" one"]'
    """
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{key} "{escaped}"]'
