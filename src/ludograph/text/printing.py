"""Text from strangers on one line: escapes instead of characters that control a terminal or hide other text.

A message may quote a source or a path. Escape sequences could change what a terminal shows, bidirectional
overrides could reorder it, and a line of a million letters would bury it.
"""

MAX_LETTERS = 2_000
"""A longer text is cut."""


def printable(text: str, most: int = MAX_LETTERS) -> str:
    """The text with unprintable characters as escapes, and without the end of a long text.

    >>> printable("red: \x1b[31m")
    'red: \\\\u001b[31m'
    >>> printable("abcdef", most=3)
    'abc… (3 more letters)'
    """
    text = cut(text, most)
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() or each == "\xa0" else _escape(each) for each in text)


def cut(text: str, most: int = MAX_LETTERS) -> str:
    """The text without its end, if it is long."""
    return text if len(text) <= most else f"{text[:most]}… ({len(text) - most:,} more letters)"


_SHORT_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def _escape(character: str) -> str:
    if character in _SHORT_ESCAPES:
        return _SHORT_ESCAPES[character]
    code = ord(character)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
