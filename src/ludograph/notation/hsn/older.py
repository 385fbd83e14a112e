"""Older spellings of HSN, rewritten to the current one for lenient parsing.

The first version has no brackets. It lists the robber first and the villages before the cities. Until a later
version, development cards have no `D` (`k2m`), and the pieces that may be placed have small letters (`r2`).
"""

import re

FIELDS = 17
# Only the list of cards has these letters. A match stops at the next bracket, so the search is linear.
_CARD_LIST = re.compile(r"\[[0-9|\s]*+[krmvy][krmvy0-9|\s]*+\]")
_CARD = re.compile(r"[krmvy][0-9]*")
_CARDS = re.compile(r"(?:[krmvy][0-9]*)+")
_PIECES = re.compile(r"(?:[vcr][0-9]*)+")
BEGINNING = re.compile(r"[0-9]{0,3}[BGLOWDS]{3,}[0-9]{0,3}/")
"""The beginning of a position without brackets."""


def maybe_current(text: str) -> str | None:
    """The current spelling of an older position; None if the text has no older spelling.

    >>> older = "SSS/SWS/SSS 6 . b2 | | | | k2|v 0|1 0 0 5 R . m r2"
    >>> maybe_current(older)
    '[SSS/SWS/SSS] [6] [] [|] [|] [|] b2 [|] [Dk2|Dv] [0|1] 0 0 5 R . Dm R2'
    """
    fields = text.strip("\ufeff \t\r\n").split()
    if "[" not in text and len(fields) == FIELDS and BEGINNING.match(fields[0]):
        text = _with_brackets(fields)
        return _with_current_letters(text)
    changed = _with_current_letters(text)
    return changed if changed != text else None


def _with_brackets(fields: list[str]) -> str:
    tiles, numbers, harbors, robber, villages, cities, roads, goods, cards, knights = fields[:10]
    lists = [tiles, numbers, harbors, cities, villages, roads]
    written = [f"[{'' if each == '.' else each}]" for each in lists]
    hands = [f"[{each}]" for each in (goods, cards, knights)]
    return " ".join((*written, robber, *hands, *fields[10:]))


def _with_current_letters(text: str) -> str:
    text = _CARD_LIST.sub(lambda found: _CARD.sub(lambda card: f"D{card[0]}", found[0]), text, count=1)
    parts = text.rsplit(None, 2)
    if len(parts) < 3:
        return text
    _, bought, pieces = parts
    end_of_pieces = len(text.rstrip())
    start_of_pieces = end_of_pieces - len(pieces)
    end_of_bought = len(text[:start_of_pieces].rstrip())
    start, blank, end = (
        text[: end_of_bought - len(bought)],
        text[end_of_bought:start_of_pieces],
        text[end_of_pieces:],
    )
    if _CARDS.fullmatch(bought):
        bought = _CARD.sub(lambda card: f"D{card[0]}", bought)
    if _PIECES.fullmatch(pieces):
        pieces = pieces.upper()
    return f"{start}{bought}{blank}{pieces}{end}"
