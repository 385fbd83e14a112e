"""The letters that HAN and HSN share, and formulas such as `B4GW3`.

CCN has a table of its own, because it uses W for grain and S for wool.
"""

import re

from ludograph.settlers.goods import Card, Goods, Piece, Resource, Terrain
from ludograph.text import Cursor

RESOURCE_LETTERS: dict[str, Resource] = {
    "B": Resource.BRICK,
    "G": Resource.GRAIN,
    "L": Resource.LUMBER,
    "O": Resource.ORE,
    "W": Resource.WOOL,
}
LETTER_OF: dict[Resource, str] = {kind: letter for letter, kind in RESOURCE_LETTERS.items()}

TERRAIN_LETTERS: dict[str, Terrain] = {
    "B": Terrain.HILLS,
    "G": Terrain.FIELDS,
    "L": Terrain.FOREST,
    "O": Terrain.MOUNTAINS,
    "W": Terrain.PASTURE,
    "D": Terrain.DESERT,
    "S": Terrain.SEA,
}
PIECE_LETTERS: dict[str, Piece] = {"V": Piece.VILLAGE, "C": Piece.CITY, "R": Piece.ROAD}
CARD_LETTERS: dict[str, Card] = {
    "k": Card.KNIGHT,
    "r": Card.ROADS,
    "m": Card.MONOPOLY,
    "v": Card.POINT,
    "y": Card.PLENTY,
}
CARD_LETTER_OF: dict[Card, str] = {card: letter for letter, card in CARD_LETTERS.items()}

# Counts are read up to nine digits: no game comes near, and longer numbers only cost time.
COUNT = re.compile(r"[0-9]+")
MOST_DIGITS = 9
MOST_COUNT = 10**MOST_DIGITS - 1
# A formula may name a resource again and again, but not for ever.
MOST_TERMS = 999

# The formulas that are read quickly: so few terms of eight digits never add up to too much.
FORMULA = r"(?:[BGLOW](?:[1-9][0-9]{0,7})?){1,9}"
_TERMS = re.compile(r"([BGLOW])([0-9]*)")
_INDEX = {letter: index for index, letter in enumerate(RESOURCE_LETTERS)}


def goods_from_formula(formula: str) -> Goods:
    """The goods of a formula that is known to match FORMULA; repeated resources are summed.

    >>> goods_from_formula("B4GW3")
    Goods(brick=4, grain=1, wool=3)
    """
    counts = [0, 0, 0, 0, 0]
    for letter, digits in _TERMS.findall(formula):
        counts[_INDEX[letter]] += int(digits) if digits else 1
    return Goods(*counts)


def format_formula(goods: Goods) -> str:
    """The formula of some goods, without parentheses: standard order, 1 left out.

    >>> format_formula(Goods(brick=4, grain=1, wool=3))
    'B4GW3'
    """
    brick, grain, lumber, ore, wool = goods.counts
    text = ""
    if brick:
        text = "B" if brick == 1 else f"B{brick}"
    if grain:
        text += "G" if grain == 1 else f"G{grain}"
    if lumber:
        text += "L" if lumber == 1 else f"L{lumber}"
    if ore:
        text += "O" if ore == 1 else f"O{ore}"
    if wool:
        text += "W" if wool == 1 else f"W{wool}"
    return text


def is_formula(goods: Goods) -> bool:
    """Whether a formula can say these goods: counts of at least one card, none negative."""
    counts = [goods[kind] for kind in Resource]
    return min(counts) >= 0 and 0 < max(counts) <= MOST_COUNT


def read_count(cursor: Cursor, code: str, *, what: str = "a count") -> int | None:
    """Take a number without leading zeros, if one comes next."""
    start = cursor.offset
    found = cursor.maybe_match(COUNT)
    if found is None:
        return None
    digits = found[0]
    if len(digits) > MOST_DIGITS:
        cursor.fail(
            code,
            f"{what} of {len(digits)} digits is too large",
            start=start,
            hint=f"at most {MOST_DIGITS} digits are read",
        )
    if digits[0] == "0" and len(digits) > 1:
        hint = f"write {int(digits)}" if digits.strip("0") else "write no zeros at all"
        cursor.fail(code, f"{what} has no leading zeros", start=start, hint=hint)
    return int(digits)
