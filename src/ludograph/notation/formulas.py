"""The letters that HAN and HSN share, and formulas such as `B4GW3`: letters with counts.

CCN has its own letters, because it uses W for grain and S for wool.
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
LETTER_OF_RESOURCE: dict[Resource, str] = {kind: letter for letter, kind in RESOURCE_LETTERS.items()}

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
LETTER_OF_CARD: dict[Card, str] = {card: letter for letter, card in CARD_LETTERS.items()}

# Counts have at most nine digits: no game needs more, and longer numbers only cost time.
COUNT = re.compile(r"[0-9]+")
MAX_DIGITS = 9
MAX_COUNT = 10**MAX_DIGITS - 1
# A formula may repeat a resource; the limit bounds the time.
MAX_TERMS = 999

# The formulas of the fast path: nine terms of eight digits never exceed MAX_COUNT.
FORMULA = r"(?:[BGLOW](?:[1-9][0-9]{0,7})?){1,9}"
_TERMS = re.compile(r"([BGLOW])([0-9]*)")
_INDEX = {letter: index for index, letter in enumerate(RESOURCE_LETTERS)}


def goods_from_formula(formula: str) -> Goods:
    """The goods of a formula that matches FORMULA; counts of repeated resources are added.

    >>> goods_from_formula("B4GW3")
    Goods(brick=4, grain=1, wool=3)
    """
    counts = [0, 0, 0, 0, 0]
    for letter, digits in _TERMS.findall(formula):
        counts[_INDEX[letter]] += int(digits) if digits else 1
    return Goods(*counts)


def format_formula(goods: Goods) -> str:
    """The formula of goods without parentheses: in standard order, without counts of 1.

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
    """Whether a formula can express these goods: at least one card, and no negative count."""
    counts = [goods[kind] for kind in Resource]
    return min(counts) >= 0 and 0 < max(counts) <= MAX_COUNT


def take_count(cursor: Cursor, code: str, *, what: str = "a count") -> int | None:
    """Take a number without leading zeros; None if there is no digit here."""
    start = cursor.offset
    found = cursor.maybe_match(COUNT)
    if found is None:
        return None
    digits = found[0]
    if len(digits) > MAX_DIGITS:
        cursor.fail(
            code,
            f"{what} of {len(digits)} digits is too large",
            start=start,
            hint=f"write at most {MAX_DIGITS} digits",
        )
    if digits[0] == "0" and len(digits) > 1:
        hint = f"write {int(digits)}" if digits.strip("0") else "leave out the zeros"
        cursor.fail(code, f"{what} has no leading zeros", start=start, hint=hint)
    return int(digits)


def check_formula_size(cursor: Cursor, code: str, start: int, count: int, terms: int) -> None:
    """Raise BadText for a formula with too large a count or too many terms."""
    if count > MAX_COUNT or terms > MAX_TERMS:
        hint = f"a formula has at most {MAX_TERMS} terms and {MAX_COUNT} of each kind"
        cursor.fail(code, "this formula is too large", start=start, hint=hint)
