"""The fast path for the canonical spelling of HSN on the standard frame.

It is ten times as fast as the cursor and reports no errors: any other text is left to the cursor. The
loops run in the C code of the interpreter (`map` over the `__getitem__` of a table, `bytes.translate`,
one `fullmatch` for each field). Slower alternatives were one pattern for all fields (three times the
time of `split`), a comparison of neighbouring places (twice the time of `sorted`), and a pattern for
each hand.
"""

import re
from collections.abc import Callable
from functools import cache
from itertools import compress
from operator import getitem

from ludograph import settlers
from ludograph.notation.formulas import CARD_LETTERS, PIECE_LETTERS, RESOURCE_LETTERS, TERRAIN_LETTERS
from ludograph.settlers.goods import Cards, Goods, Pieces, Player, cards_of_counts, goods_of_counts
from ludograph.settlers.island import Harbor, Island, island_in_order
from ludograph.settlers.names import HAN_CORNERS, HAN_SIDES, HAN_TILES
from ludograph.settlers.places import FRAME, AnyPlace
from ludograph.settlers.position import seat_in_order

FIELDS = 17
# Characters below U+0080 that are blanks for str.split but not for HSN.
_ODD_BLANKS = "\x0b\x0c\x1c\x1d\x1e\x1f"

# The tiles `[3SSSS/2SOWLS/…/SSSS3]`: the field with every letter as x, the rows, and the producing letters.
_LETTERS = "".join(TERRAIN_LETTERS).encode()
_TO_X = bytes.maketrans(_LETTERS, b"x" * len(_LETTERS))
_FRAME_OF_X = b"[3xxxx/2xxxxx/1xxxxxx/xxxxxxx/xxxxxx1/xxxxx2/xxxx3]"
_NO_LETTERS = b"[]/123"
_ROWS = ((0, 4), (4, 9), (9, 15), (15, 22), (22, 28), (28, 33), (33, 37))
_PRODUCES = bytes.maketrans(_LETTERS, bytes(kind.yields is not None for kind in TERRAIN_LETTERS.values()))
# The commas of a row by its number of producing tiles.
_COMMAS = (b"", b"", *(b"," * count for count in range(1, 7)))
_DIGITS = b"0123456789"
# Shared values: each place with each terrain, and with each number.
_TILES = [{ord(letter): (place, kind) for letter, kind in TERRAIN_LETTERS.items()} for place in FRAME]
_NUMBERED = [{str(number): (place, number) for number in range(2, 13)} for place in FRAME]

# A name is looked up once, as a rank in reading order; the rank gives the place and shows the order.
_CORNER_AT = tuple(HAN_CORNERS.values()).__getitem__
_CORNER_RANK = {name: rank for rank, name in enumerate(HAN_CORNERS)}.__getitem__
_SIDE_AT = tuple(HAN_SIDES.values()).__getitem__
_SIDE_RANK = {name: rank for rank, name in enumerate(HAN_SIDES)}.__getitem__

_HARBORS = {
    f"{letter}{name}": Harbor(side, RESOURCE_LETTERS.get(letter))
    for name, side in HAN_SIDES.items()
    for letter in ("", *RESOURCE_LETTERS)
}
_HARBOR = _HARBORS.__getitem__
_HARBOR_RANK = {word: rank // (1 + len(RESOURCE_LETTERS)) for rank, word in enumerate(_HARBORS)}.__getitem__

# A formula in standard order, with one group of the pattern for each letter.
# Possessive, because without backtracking a match takes half the time.
_GOODS = "".join(rf"((?:{letter}[0-9]*+)?+)" for letter in RESOURCE_LETTERS)
_CARDS = "".join(rf"((?:D{letter}[0-9]*+)?+)" for letter in CARD_LETTERS)
_PIECES = re.compile("".join(rf"((?:{letter}[0-9]*+)?+)" for letter in PIECE_LETTERS)).fullmatch
_MAX_PLAYERS = 6
_MAX_COUNT = 24


@cache
def _matcher(formula: str, players: int) -> Callable[[str], re.Match[str] | None]:
    """The pattern for the formulas of all players, compiled at first use to keep the import fast."""
    return re.compile(r"\|".join([formula] * players)).fullmatch


def _count_table(words: list[str]) -> dict[str, int]:
    counts = {"": 0}
    for word in words:
        counts[word] = 1
        counts.update((f"{word}{count}", count) for count in range(2, _MAX_COUNT + 1))
    return counts


_GOODS_COUNT = _count_table([*RESOURCE_LETTERS]).__getitem__
_CARDS_COUNT = _count_table([f"D{letter}" for letter in CARD_LETTERS]).__getitem__
_PIECES_COUNT = _count_table([*PIECE_LETTERS]).__getitem__
_NO_CARDS, _NO_PIECES = Cards(), Pieces()
_KNIGHTS = {str(count): count for count in range(100)}.__getitem__
_HOLDER: dict[str, Player | None] = {"0": None} | {str(number): Player(number) for number in range(1, 7)}
_ROLLED = {"R": True, ".": False}
_TURN = re.compile(r"[1-9][0-9]{0,8}").fullmatch
_MUST = re.compile(r"\.|S|M|D\[[0-6](?:,[0-6])*\]|P\[[VCR](?:,[VCR])*\]")


def maybe_canonical(text: str) -> settlers.Position | None:
    """The position of a text in the spelling of `format` on the standard frame; None for any other text."""
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
        used = knights[1:-1].split("|")
        count = len(used)
        if count > _MAX_PLAYERS:
            return None
        seats = map(
            seat_in_order,
            _places(cities[1:-1], count, _CORNER_RANK, _CORNER_AT),
            _places(villages[1:-1], count, _CORNER_RANK, _CORNER_AT),
            _places(roads[1:-1], count, _SIDE_RANK, _SIDE_AT),
            _goods(goods[1:-1], count),
            _cards(cards[1:-1], count),
            map(_KNIGHTS, used),
        )
        return settlers.Position(
            island,
            tuple(seats),
            HAN_TILES[robber],
            _HOLDER[army],
            _HOLDER[road],
            int(turn),
            _ROLLED[rolled],
            _must(must),
            _NO_CARDS if bought == "." else _cards(bought, 1)[0],
            _NO_PIECES if may_place == "." else _pieces(may_place),
        )
    except (LookupError, ValueError):
        # Not in a table, out of order, or lists of different lengths: left to the cursor.
        return None


def _island(tiles: str, numbers: str, harbors: str) -> Island | None:
    raw = tiles.encode()
    if raw.translate(_TO_X) != _FRAME_OF_X:
        return None
    letters = raw.translate(None, _NO_LETTERS)
    produces = letters.translate(_PRODUCES)
    # The number of numbers in each row must be that of its producing tiles.
    wanted = b"/".join([_COMMAS[produces.count(1, start, end)] for start, end in _ROWS]).rstrip(b"/")
    if numbers.encode().translate(None, _DIGITS).rstrip(b"/") != wanted:
        return None
    harbor_list = harbors.split(",") if harbors else []
    ranks = [*map(_HARBOR_RANK, harbor_list)]
    if ranks != sorted(set(ranks)):
        return None
    numbered = [*compress(_NUMBERED, produces)]
    listed = numbers.strip("/").replace("/", ",").split(",")
    if len(numbered) != len(listed):
        return None
    return island_in_order(
        tuple(map(getitem, _TILES, letters)),
        tuple(map(getitem, numbered, listed)),
        tuple(map(_HARBOR, harbor_list)),
    )


def _places(
    field: str, players: int, rank: Callable[[str], int], place_at: Callable[[int], AnyPlace]
) -> list[tuple[AnyPlace, ...]]:
    """The places of each player; ValueError if they are not in reading order."""
    lists: list[tuple[AnyPlace, ...]] = []
    group: str
    for group in field.split("|"):
        ranks = [*map(rank, group.split(","))] if group else []
        if ranks != sorted(ranks):
            raise ValueError(group)
        lists.append(tuple(map(place_at, ranks)))
    if len(lists) != players:
        raise ValueError(field)
    return lists


def _goods(field: str, players: int) -> list[Goods]:
    found = _matcher(_GOODS, players)(field)
    if found is None:
        raise ValueError(field)
    counts = map(_GOODS_COUNT, found.groups())
    return [goods_of_counts(five) for five in zip(counts, counts, counts, counts, counts, strict=True)]


def _cards(field: str, players: int) -> list[Cards]:
    found = _matcher(_CARDS, players)(field)
    if found is None:
        raise ValueError(field)
    counts = map(_CARDS_COUNT, found.groups())
    return [cards_of_counts(five) for five in zip(counts, counts, counts, counts, counts, strict=True)]


def _pieces(formula: str) -> Pieces:
    found = _PIECES(formula)
    if found is None:
        raise ValueError(formula)
    return Pieces(*map(_PIECES_COUNT, found.groups()))


def _must(text: str) -> settlers.Must | None:
    if text == ".":
        return None
    if not _MUST.fullmatch(text):
        raise ValueError(text)
    match text[0]:
        case "S":
            return settlers.MustSteal()
        case "M":
            return settlers.MustMoveRobber()
        case "D":
            return settlers.MustDiscard(tuple([Player(int(player)) for player in text[2:-1].split(",")]))
        case _:
            return settlers.MustPlace(tuple([PIECE_LETTERS[piece] for piece in text[2:-1].split(",")]))
