"""Recognition of CGN by the beginning of a text."""

import re

from ludograph.notation.cgn.details import ACTION_CODES, EVENT_CODES
from ludograph.notation.cgn.messages import CODES_WITHOUT_DETAIL
from ludograph.text import Cursor

_CODES = "|".join((*EVENT_CODES, *ACTION_CODES))
# Possessive, so that many blanks or comments are never matched in more than one way.
_LIST = re.compile(r"\[(?:[ \t\r\n]++|#[^\r\n]*+)*+(?:\{|\]\s*+$)")
_MESSAGE = re.compile(
    # The keys of an object of SGN 0.4 are not codes of CGN.
    rf'\{{[ \t\r\n]*+"(?!(?:aCode|player|value)")|"?(?:{_CODES})"?(?:[ \t]*:|[ \t])[ \t]*[{{"\[]'
    r'|"?(?:PA|PR|RS|RE|TS|TE|LA|LR|GO|Q)"?(?:[ \t]*:|[ \t])[ \t]*[0-9]',
    re.IGNORECASE,
)
_CODE_ALONE = re.compile(rf"(?:{'|'.join(sorted(CODES_WITHOUT_DETAIL))})[ \t]*(?:[\r\n#,]|null|$)")


def begins_at(cursor: Cursor) -> bool:
    """Whether a CGN record starts here: a list of objects, or a message."""
    return any(pattern.match(cursor.text, cursor.offset) for pattern in (_LIST, _MESSAGE, _CODE_ALONE))
