"""Which notation is this? Looked at from the beginning of a text only.

A position or set-up with actions after it is a HAN game; alone it is HSN or CCN. However many
blanks and comments come first, they are passed over; no more is looked at than a record may hold.
"""

import re

from ludograph.notation import ccn
from ludograph.notation.convert import Notation
from ludograph.notation.headers import at_header
from ludograph.notation.hsn.reader import take_position
from ludograph.notation.results import MOST_CHARACTERS
from ludograph.text import Cursor, Source, TextError

# Possessive here and below: what is passed over is never taken back, or many blanks would be divided
# in every way and many comments would fill the memory.
_BLANKS_AND_COMMENTS = re.compile(r"(?:[ \t\r\n\ufeff]++|#[^\r\n]*+)*+")
_SGN_LINE = re.compile(r'\[[ \t]*"[^"\r\n]*"[ \t]*,')
_CGN_ARRAY = re.compile(r"\[(?:[ \t\r\n]++|#[^\r\n]*+)*+(?:\{|\]\s*+$)")
_HSN_TILES = re.compile(r"\[\s*+[0-9]{0,3}+\s*+[BGLOWDS/\]]")
_CGN_CODES = "PA|PR|MD|PS|PE|RS|RE|RP|R!|TS|TE|SP|LA|LR|CH|GO|O|W|A|B|R|C|D|T|P|S|M|Q"
_CGN_MESSAGE = re.compile(
    rf'\{{[ \t\r\n]*"|"?(?:{_CGN_CODES})"?(?:[ \t]*:|[ \t])[ \t]*[{{"\[]'
    r'|"?(?:PA|PR|RS|RE|TS|TE|LA|LR|GO|Q)"?(?:[ \t]*:|[ \t])[ \t]*[0-9]',
    re.IGNORECASE,
)
_CGN_CODE_ALONE = re.compile(r"(?:PR|R!|LA|LR|GO)[ \t]*(?:[\r\n#,]|null|$)")
_HAN_ACTION = re.compile(
    r"R[(?]|M(?:\(|[a-z]+[0-9])|[0-9][DA]\(|S(?:[(?]|[BGLOW][0-9])|P(?:[vcr]\(|[VCR][a-z]+[0-9])|T\("
    r"|U(?:[ym]\(|Dy\(|Dm[BGLOW])|(?:B[vcrdVCR]|BD[?krmvy]|U[ko]|UD[kr]|E)(?=[\s#]|$)"
)


def guess_notation(beginning: str) -> Notation | None:
    """The notation of a text that begins like this; None if it looks like none of the five.

    >>> guess_notation("R(2+3) E"), guess_notation('R {"P1":7}')
    (<Notation.HAN: 'han'>, <Notation.CGN: 'cgn'>)
    """
    cursor = Cursor(Source(beginning[:MOST_CHARACTERS]))
    cursor.maybe_match(_BLANKS_AND_COMMENTS)
    if at_header(cursor):
        return Notation.HAN
    rest = cursor.text, cursor.offset
    if _SGN_LINE.match(*rest):
        return Notation.SGN
    if _CGN_ARRAY.match(*rest) or _CGN_MESSAGE.match(*rest) or _CGN_CODE_ALONE.match(*rest):
        return Notation.CGN
    if _HSN_TILES.match(*rest):
        return _alone_or_game(cursor, Notation.HSN)
    if ccn.begins_at(cursor):
        return _alone_or_game(cursor, Notation.CCN)
    return Notation.HAN if _HAN_ACTION.match(*rest) else None


def looks_like_action(line: str) -> bool:
    """Whether a line begins with a HAN action."""
    return _HAN_ACTION.match(line.lstrip(" \t")) is not None


def _alone_or_game(cursor: Cursor, notation: Notation) -> Notation:
    """HAN if actions follow the start position, else the position's own notation."""
    try:
        if notation is Notation.HSN:
            take_position(cursor, in_game=True)
        else:
            ccn.take_start(cursor)
    except TextError:
        return notation  # its reader will say what is wrong
    cursor.maybe_match(_BLANKS_AND_COMMENTS)
    return Notation.HAN if _HAN_ACTION.match(cursor.text, cursor.offset) else notation
