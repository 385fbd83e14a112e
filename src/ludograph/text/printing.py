"""Untrusted text for one line of a message, with escapes for control characters.

A message may quote a source or a path. Escape sequences in it could change what a terminal shows,
bidirectional overrides could reorder the line, and a million characters would hide the message.
"""

MAX_LENGTH = 2_000
"""A longer text is cut."""


def printable(text: str, most: int = MAX_LENGTH) -> str:
    """The text with escapes for unprintable characters; a long text is cut.

    >>> printable("red: \x1b[31m")
    'red: \\\\u001b[31m'
    >>> printable("abcdef", most=3)
    'abc… (3 more characters)'
    """
    text = cut(text, most)
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() or each == "\xa0" else _escape(each) for each in text)


def cut(text: str, most: int = MAX_LENGTH) -> str:
    """The text without its end, if it is long."""
    return text if len(text) <= most else f"{text[:most]}… ({len(text) - most:,} more characters)"


_SHORT_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def _escape(character: str) -> str:
    if character in _SHORT_ESCAPES:
        return _SHORT_ESCAPES[character]
    code = ord(character)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
