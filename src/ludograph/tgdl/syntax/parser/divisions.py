"""Comments that are meant as a division: `7 // 2` of other languages."""

import re

from ludograph.text.source import Span

# The number of tokens between a comment that hides a bracket and the error that it causes.
NEAR_COMMENT = 4

# A comment that is probably the right operand of the `//` of other languages: an operand and its end.
QUOTIENT = re.compile(
    r"""[\ \t]*(//)[\ \t]*
    (?: [\d.]+ \s* (?: [\r\n] | $ | [;,)\]}{<>=!+\-*/%^] )
      | [^\W\d][\w.]* (?: \([^()\r\n]*\) | \[[^\[\]\r\n]*\] )? \s* [;,)\]}] )""",
    re.VERBOSE,
)


def find_division(text: str, start: int, end: int, *, must_close: bool) -> Span | None:
    """The `//` between two tokens, if its comment is probably the right operand of a division.

    With `must_close`, the comment must also contain a closing bracket whose opening one is before it.
    """
    found = QUOTIENT.match(text, start, end)
    if found is None:
        return None
    comment = text[found.end(1) : end].partition("\n")[0]
    return Span(*found.span(1)) if not must_close or _closes_bracket(comment) else None


def _closes_bracket(comment: str) -> bool:
    """Whether a comment contains more closing than opening brackets."""
    return sum(map(comment.count, ")]}")) > sum(map(comment.count, "([{"))
