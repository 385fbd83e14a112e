"""Recognition of the notation of a text by its beginning.

A position or set-up with actions after it is a HAN game; alone it is HSN or CCN. Blanks and comments
before the text are skipped. The recognisers of two notations never accept the same text.
"""

from ludograph.notation.han.recognise import BLANKS_AND_COMMENTS
from ludograph.notation.imports import guess_import
from ludograph.notation.notations import NOTATIONS, Notation
from ludograph.notation.results import MAX_CHARACTERS
from ludograph.text import Cursor, Source


def guess_notation(beginning: str) -> Notation | None:
    """The notation of a text with this beginning; None if no notation is recognised.

    The game of another program is in no notation.

    >>> guess_notation("R(2+3) E"), guess_notation('R {"P1":7}')
    (<Notation.HAN: 'han'>, <Notation.CGN: 'cgn'>)
    """
    if guess_import(beginning) is not None:
        return None
    cursor = Cursor(Source(beginning[:MAX_CHARACTERS]))
    cursor.maybe_match(BLANKS_AND_COMMENTS)
    return next((notation for notation, row in NOTATIONS.items() if row.begins_at(cursor)), None)
