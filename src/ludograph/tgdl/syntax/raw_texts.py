"""Spacing of texts that are no TGDL: moves and JSON in `test` blocks. Parser and formatter share it."""


def needs_blank(before: str, after: str) -> bool:
    """Whether a blank is between two tokens: between words, and after a comma or a colon.

    >>> [needs_blank(*pair) for pair in (("player", "1"), (",", "b2"), ("hop", "("), ("-", "7"))]
    [True, True, False, False]
    """
    return before in (",", ":") or (_is_wordlike(before[-1:]) and _is_wordlike(after[:1]))


def _is_wordlike(letter: str) -> bool:
    return letter.isalnum() or letter in ('"', "_")
