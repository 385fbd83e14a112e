"""The canonical spelling of HSN on the standard frame, read with whole-field operations.

Ten times as fast as the cursor, and it explains nothing: any text that it does not take, right
or wrong, is left to the cursor. Work inside the loops is done by the interpreter's own C code
(`map` over a table's `__getitem__`, one `findall` a field), which is what makes it fast.
"""

import re
from collections.abc import Callable
from functools import partial
from itertools import compress
from operator import getitem, itemgetter

from ludograph.notation.letters import CARD_LETTERS, PIECE_LETTERS, RESOURCE_LETTERS, TERRAIN_LETTERS
from ludograph.settlers import HexCorner, HexSide
from ludograph.settlers.goods import Cards, Goods, Pieces, Player, Resource
from ludograph.settlers.island import Harbor, Island, island_in_order
from ludograph.settlers.names import HAN_CORNERS, HAN_SIDES, HAN_TILES
from ludograph.settlers.places import FRAME
from ludograph.settlers.position import (
    Must,
    MustDiscard,
    MustMoveRobber,
    MustPlace,
    MustSteal,
    Position,
    seat_in_order,
)

FIELDS = 17
# Blanks below U+0080 that str.split takes and HSN does not.
_ODD_BLANKS = "\x0b\x0c\x1c\x1d\x1e\x1f"

# Where the rows of tiles stand in `[3SSSS/2SOWLS/…/SSSS3]`, and what stands between them.
ROWS = ((2, 6), (8, 13), (15, 21), (22, 29), (30, 36), (38, 43), (45, 49))
SKELETON = ("[3", "/2", "/1", "/", "/", "1/", "2/", "3]")
_skeleton = itemgetter(
    *(slice(end, start) for (_, end), (start, _) in zip(((0, 0), *ROWS), (*ROWS, (None, 0)), strict=True))
)
# Interned like the places themselves: a place with each terrain, and with each number.
_TILES = [{letter: (place, kind) for letter, kind in TERRAIN_LETTERS.items()} for place in FRAME]
_NUMBERED = [{str(number): (place, number) for number in range(2, 13)} for place in FRAME]

# Names are looked up once, as ranks in reading order, which tell the place and whether it is in order.
_CORNER_AT = tuple(HAN_CORNERS.values()).__getitem__
_CORNER_RANK = {name: rank for rank, name in enumerate(HAN_CORNERS)}.__getitem__
_SIDE_AT = tuple(HAN_SIDES.values()).__getitem__
_SIDE_RANK = {name: rank for rank, name in enumerate(HAN_SIDES)}.__getitem__

_HARBOR_WORDS: dict[str, tuple[HexSide, Resource | None]] = {
    f"{letter}{name}": (side, RESOURCE_LETTERS.get(letter))
    for name, side in HAN_SIDES.items()
    for letter in ("", *RESOURCE_LETTERS)
}
_HARBOR: Callable[[tuple[HexSide, Resource | None]], Harbor] = partial(tuple.__new__, Harbor)
_HARBOR_PARTS = _HARBOR_WORDS.__getitem__
_HARBOR_RANK = {
    word: rank // (1 + len(RESOURCE_LETTERS)) for rank, word in enumerate(_HARBOR_WORDS)
}.__getitem__

# A formula in standard order, one group of the pattern a letter.
_GOODS = re.compile("".join(rf"({letter}[0-9]*)?" for letter in RESOURCE_LETTERS)).fullmatch
_CARDS = re.compile("".join(rf"(D{letter}[0-9]*)?" for letter in CARD_LETTERS)).fullmatch
_PIECES = re.compile("".join(rf"({letter}[0-9]*)?" for letter in PIECE_LETTERS)).fullmatch
_MOST_OF_A_KIND = 24


def _count_table(words: list[str]) -> dict[str | None, int]:
    counts: dict[str | None, int] = {None: 0}
    for word in words:
        counts[word] = 1
        counts.update((f"{word}{count}", count) for count in range(2, _MOST_OF_A_KIND + 1))
    return counts


_GOODS_COUNT = _count_table([*RESOURCE_LETTERS]).__getitem__
_CARDS_COUNT = _count_table([f"D{letter}" for letter in CARD_LETTERS]).__getitem__
_PIECES_COUNT = _count_table([*PIECE_LETTERS]).__getitem__
_NO_GOODS, _NO_CARDS, _NO_PIECES = Goods(), Cards(), Pieces()
_KNIGHTS = {str(count): count for count in range(100)}
_HOLDER: dict[str, Player | None] = {"0": None} | {str(number): Player(number) for number in range(1, 7)}
_ROLLED = {"R": True, ".": False}
_TURN = re.compile(r"[1-9][0-9]{0,8}").fullmatch
_MUST = re.compile(r"\.|S|M|D\[[0-6](?:,[0-6])*\]|P\[[VCR](?:,[VCR])*\]")


def maybe_canonical(text: str) -> Position | None:
    """The position, if the text is spelled as `format` spells it on the standard frame."""
    fields = text.split(None, FIELDS)
    if len(fields) != FIELDS or not text.isascii() or any(map(text.__contains__, _ODD_BLANKS)):
        return None
    tiles, numbers, harbors, cities, villages, roads, robber, goods, cards, knights = fields[:10]
    army, road, turn, rolled, must, bought, may_place = fields[10:]
    if (
        not (numbers[0] == harbors[0] == cities[0] == villages[0] == roads[0] == goods[0] == cards[0] == "[")
        or not (numbers[-1] == harbors[-1] == cities[-1] == villages[-1] == roads[-1] == goods[-1] == "]")
        or not (knights[0] == "[" and cards[-1] == knights[-1] == "]")
        or not _TURN(turn)
    ):
        return None
    try:
        island = _island(tiles, numbers[1:-1], harbors[1:-1])
        if island is None:
            return None
        groups = zip(
            cities[1:-1].split("|"),
            villages[1:-1].split("|"),
            roads[1:-1].split("|"),
            goods[1:-1].split("|"),
            cards[1:-1].split("|"),
            knights[1:-1].split("|"),
            strict=True,
        )
        seats = [
            seat_in_order(
                _corners(city) if city else (),
                _corners(village) if village else (),
                _sides(road_group) if road_group else (),
                _goods(hand) if hand else _NO_GOODS,
                _cards(held) if held else _NO_CARDS,
                _KNIGHTS[used],
            )
            for city, village, road_group, hand, held, used in groups
        ]
        return Position(
            island,
            tuple(seats),
            HAN_TILES[robber],
            _HOLDER[army],
            _HOLDER[road],
            int(turn),
            _ROLLED[rolled],
            _must(must),
            _NO_CARDS if bought == "." else _cards(bought),
            _NO_PIECES if may_place == "." else _pieces(may_place),
        )
    except (KeyError, ValueError):
        # Not in a table, out of order, or lists of different lengths: the cursor will tell.
        return None


def _island(tiles: str, numbers: str, harbors: str) -> Island | None:
    if _skeleton(tiles) != SKELETON:
        return None
    rows = [tiles[start:end] for start, end in ROWS]
    # Each row of numbers must have as many as its row of tiles has producing ones.
    number_rows = numbers.split("/")
    given = [row.count(",") + 1 if row else 0 for row in number_rows]
    wanted = [len(row) - row.count("S") - row.count("D") for row in rows]
    if given + [0] * (len(wanted) - len(given)) != wanted:
        return None
    letters = "".join(rows)
    harbor_list = harbors.split(",") if harbors else []
    ranks = [*map(_HARBOR_RANK, harbor_list)]
    if ranks != sorted(set(ranks)):
        return None
    numbered = [*compress(_NUMBERED, [letter not in "SD" for letter in letters])]
    listed = numbers.strip("/").replace("/", ",").split(",")
    if len(numbered) != len(listed):
        return None
    return island_in_order(
        tuple(map(getitem, _TILES, letters)),
        tuple(map(getitem, numbered, listed)),
        tuple(map(_HARBOR, map(_HARBOR_PARTS, harbor_list))),
    )


def _corners(group: str) -> tuple[HexCorner, ...]:
    """The corners of one player; ValueError if they are not in reading order."""
    ranks = [*map(_CORNER_RANK, group.split(","))]
    if ranks != sorted(ranks):
        raise ValueError(group)
    return tuple(map(_CORNER_AT, ranks))


def _sides(group: str) -> tuple[HexSide, ...]:
    """The sides of one player; ValueError if they are not in reading order."""
    ranks = [*map(_SIDE_RANK, group.split(","))]
    if ranks != sorted(ranks):
        raise ValueError(group)
    return tuple(map(_SIDE_AT, ranks))


def _goods(formula: str) -> Goods:
    found = _GOODS(formula)
    if found is None:
        raise ValueError(formula)
    return Goods(*map(_GOODS_COUNT, found.groups()))


def _cards(formula: str) -> Cards:
    found = _CARDS(formula)
    if found is None:
        raise ValueError(formula)
    return Cards(*map(_CARDS_COUNT, found.groups()))


def _pieces(formula: str) -> Pieces:
    found = _PIECES(formula)
    if found is None:
        raise ValueError(formula)
    return Pieces(*map(_PIECES_COUNT, found.groups()))


def _must(text: str) -> Must | None:
    if text == ".":
        return None
    if not _MUST.fullmatch(text):
        raise ValueError(text)
    match text[0]:
        case "S":
            return MustSteal()
        case "M":
            return MustMoveRobber()
        case "D":
            return MustDiscard(tuple([Player(int(player)) for player in text[2:-1].split(",")]))
        case _:
            return MustPlace(tuple([PIECE_LETTERS[piece] for piece in text[2:-1].split(",")]))
