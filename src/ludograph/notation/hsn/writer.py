"""The writer of HSN: one canonical spelling for every position that HSN can express.

`format` has a fast path for positions on the standard frame, and uses the general writer for other
frames. It raises Unwritable for a position that HSN cannot express. `format_lenient` leaves parts out
and lists them as losses.
"""

from collections.abc import Callable, Iterable
from itertools import compress
from operator import add, getitem

from msgspec.structs import replace

from ludograph import settlers
from ludograph.notation.formulas import (
    CARD_LETTERS,
    LETTER_OF_RESOURCE,
    MAX_DIGITS,
    PIECE_LETTERS,
    TERRAIN_LETTERS,
    format_formula,
)
from ludograph.notation.hsn.reader import MAX_COLUMNS, MAX_PLAYERS
from ludograph.notation.results import Loss, LossKind, Writing, require_lossless
from ludograph.settlers.goods import Card, Cards, Goods, Piece, Pieces, Player, Resource, Terrain
from ludograph.settlers.island import Island
from ludograph.settlers.names import HAN_CENTRE, HAN_NAMES, han_name, has_han_name, place_in_words
from ludograph.settlers.places import FRAME, AnyPlace, Place

_TERRAIN_LETTER: dict[Terrain, str] = {kind: letter for letter, kind in TERRAIN_LETTERS.items()}
_HARBOR_LETTER: dict[Resource | None, str] = {None: "", **dict(LETTER_OF_RESOURCE.items())}

_INTERNED_NAME = HAN_NAMES.__getitem__
_PIECE_LETTER: dict[Piece, str] = {piece: letter for letter, piece in PIECE_LETTERS.items()}
_MAX_COUNT = int("9" * MAX_DIGITS)
# The range of each row of the standard frame in reading order, and the letters that have numbers.
_FRAME_ROWS = ((0, 4), (4, 9), (9, 15), (15, 22), (22, 28), (28, 33), (33, 37))
_PRODUCES = bytes.maketrans(
    "".join(TERRAIN_LETTERS).encode(), bytes(kind.yields is not None for kind in TERRAIN_LETTERS.values())
)

Names = Callable[[Iterable[Place]], Iterable[str]]


def format(position: settlers.Position) -> str:
    """The text of a position in the specified layout; raises Unwritable if anything would be lost."""
    text = _maybe_standard(position)
    return text if text is not None else require_lossless("HSN", format_lenient(position))


def format_lenient(position: settlers.Position) -> Writing:
    """The text of the expressible part of a position, and the losses."""
    losses: list[Loss] = []
    expressible = _expressible(position, losses)
    tiles, numbers = _map_fields(expressible.island)
    return Writing(_layout(tiles, numbers, expressible, _names), tuple(losses))


def _maybe_standard(position: settlers.Position) -> str | None:
    """The text of an expressible position on the standard frame; None for any other position."""
    island = position.island
    if not island.terrain or position.robber is None or position.turn < 1 or position.acting is not None:
        return None
    if not 0 < len(position.seats) <= MAX_PLAYERS:
        return None
    places, kinds = zip(*island.terrain, strict=True)
    if places != FRAME:
        return None
    letters = "".join(map(_TERRAIN_LETTER.__getitem__, kinds))
    produces = letters.encode().translate(_PRODUCES)
    numbered, values = zip(*island.numbers, strict=True) if island.numbers else ((), ())
    if tuple(compress(FRAME, produces)) != numbered:
        return None
    tiles = (
        f"3{letters[:4]}/2{letters[4:9]}/1{letters[9:15]}/{letters[15:22]}"
        f"/{letters[22:28]}1/{letters[28:33]}2/{letters[33:]}3"
    )
    counts = [*map(str, values)]
    number_rows, done = [], 0
    for start, end in _FRAME_ROWS:
        count = produces.count(1, start, end)
        number_rows.append(",".join(counts[done : done + count]))
        done += count
    try:
        text = _layout(tiles, "/".join(number_rows).rstrip("/"), position, _interned_names)
    except KeyError:
        return None
    if (
        "-" in text
        or "0" in counts
        or _TOO_LONG in text.encode().translate(_ALL_ZERO)
        or not _players_fit(position)
    ):
        return None
    return text


def _interned_names(places: Iterable[Place]) -> Iterable[str]:
    return map(_INTERNED_NAME, map(id, places))


def _names(places: Iterable[Place]) -> Iterable[str]:
    return map(han_name, places)


_ALL_ZERO = bytes.maketrans(b"123456789", b"000000000")
_TOO_LONG = b"0" * (MAX_DIGITS + 1)


def _players_fit(position: settlers.Position) -> bool:
    """Whether HSN has a digit for every named player."""
    named = [position.largest_army, position.longest_road]
    if isinstance(position.must, settlers.MustDiscard):
        named += position.must.players
    return all(player is None or 0 < player <= 6 for player in named)


def _layout(tiles: str, numbers: str, position: settlers.Position, names: Names) -> str:
    """The text of the seventeen fields."""
    assert position.robber is not None, "an expressible position has a robber"
    seats, harbor_list = position.seats, position.island.harbors
    sides, resources = zip(*harbor_list, strict=True) if harbor_list else ((), ())
    harbors = ",".join(map(add, map(_HARBOR_LETTER.__getitem__, resources), names(sides)))
    cities = "|".join([",".join(names(seat.cities)) for seat in seats])
    villages = "|".join([",".join(names(seat.villages)) for seat in seats])
    roads = "|".join([",".join(names(seat.roads)) for seat in seats])
    (robber,) = names((position.robber,))
    goods = "|".join([format_formula(seat.goods) for seat in seats])
    cards = "|".join([_format_cards(seat.cards) for seat in seats])
    knights = "|".join([str(seat.knights) for seat in seats])
    return (
        f"[{tiles}]\n[{numbers}]\n[{harbors}]\n\n"
        f"[{cities}] [{villages}] [{roads}] {robber}\n\n"
        f"[{goods}] [{cards}] [{knights}] {position.largest_army or 0} {position.longest_road or 0}\n\n"
        f"{position.turn}\n\n"
        f"{'R' if position.rolled else '.'} {_format_must(position.must)} "
        f"{_format_cards(position.bought) or '.'} {_format_pieces(position.may_place) or '.'}"
    )


class _CountWords(dict[int, str]):
    """The text of each count of one kind: small counts are in the table, others are formatted."""

    def __init__(self, word: str) -> None:
        super().__init__({0: "", 1: word} | {count: f"{word}{count}" for count in range(2, 26)})
        self.word = word

    def __missing__(self, count: int) -> str:
        return f"{self.word}{count}"


_CARD_WORDS = tuple(_CountWords(f"D{letter}") for letter in CARD_LETTERS)


def _format_cards(cards: Cards) -> str:
    return "".join(map(getitem, _CARD_WORDS, cards.counts))


def _format_pieces(pieces: Pieces) -> str:
    if pieces == _NO_PIECES:
        return ""
    return "".join(
        _PIECE_LETTER[piece] + ("" if count == 1 else str(count)) for piece, count in pieces.items()
    )


_NO_PIECES = Pieces()


def _format_must(must: settlers.Must | None) -> str:
    match must:
        case None:
            return "."
        case settlers.MustSteal():
            return "S"
        case settlers.MustMoveRobber():
            return "M"
        case settlers.MustDiscard(players):
            return f"D[{','.join(map(str, players))}]"
        case settlers.MustPlace(pieces):
            return f"P[{','.join(_PIECE_LETTER[piece] for piece in pieces)}]"


# Any frame, and any position.


def _map_fields(island: Island) -> tuple[str, str]:
    """The fields of tiles and numbers, padded to the width of the frame."""
    kinds = dict(island.terrain)
    numbers = dict(island.numbers)
    if not kinds:
        return "", ""
    width = max(place.q for place in kinds) + HAN_CENTRE
    height = max(place.r for place in kinds) + HAN_CENTRE
    by_row: dict[int, list[settlers.Hex]] = {}
    for place in kinds:
        by_row.setdefault(place.r + HAN_CENTRE, []).append(place)
    rows, number_rows = [], []
    for row in range(1, height + 1):
        text, column = "", 1
        for place in by_row.get(row, ()):
            gap = place.q + HAN_CENTRE - column
            text += (str(gap) if gap else "") + _TERRAIN_LETTER[kinds[place]]
            column += gap + 1
        # A row without tiles is not padded.
        rows.append(text + (str(width - column + 1) if text and column <= width else ""))
        number_rows.append(
            ",".join(str(numbers[place]) for place in by_row.get(row, ()) if kinds[place].yields is not None)
        )
    return "/".join(rows), "/".join(number_rows).rstrip("/")


def _expressible(position: settlers.Position, losses: list[Loss]) -> settlers.Position:
    """The position without the parts that HSN cannot express."""
    island = _expressible_island(position.island, losses)
    seats = tuple(
        _expressible_seat(number, seat, losses) for number, seat in enumerate(position.seats, start=1)
    )
    if not seats:
        seats = (settlers.Seat(),)
        losses.append(Loss(LossKind.INVENTED, "a player: the position has none"))
    if len(seats) > MAX_PLAYERS:
        losses.append(Loss(LossKind.LOST, f"the players above {MAX_PLAYERS}"))
        seats = seats[:MAX_PLAYERS]
    if position.acting is not None:
        losses.append(
            Loss(LossKind.LOST, f"player {position.acting}, who acts in the turn of another player")
        )
    return replace(
        position,
        acting=None,
        island=island,
        seats=seats,
        robber=_expressible_robber(position, losses),
        largest_army=_expressible_holder("largest army", position.largest_army, losses),
        longest_road=_expressible_holder("longest road", position.longest_road, losses),
        turn=_clamp(position.turn, 1, "the turn number", losses),
        must=_expressible_must(position.must, losses),
        bought=_expressible_cards("the cards bought this turn", position.bought, losses),
        may_place=Pieces(
            *(
                _clamp(position.may_place[piece], 0, f"the {piece.value}s that may be placed", losses)
                for piece in Piece
            )
        ),
    )


def _expressible_island(island: Island, losses: list[Loss]) -> Island:
    named = set(_named("the terrain of", [place for place, _ in island.terrain], losses))
    terrain: dict[settlers.Hex, Terrain] = {}
    for place, kind in island.terrain:
        if place in terrain:
            losses.append(Loss(LossKind.LOST, f"the second tile on {han_name(place)} ({kind.value})"))
        elif place in named and max(place.q, place.r) + HAN_CENTRE > MAX_COLUMNS:
            losses.append(Loss(LossKind.LOST, f"{han_name(place)}: the frame ends at {MAX_COLUMNS}"))
        elif place in named:
            terrain[place] = kind
    numbers: dict[settlers.Hex, int] = {}
    for place, number in island.numbers:
        if place in numbers:
            losses.append(Loss(LossKind.LOST, f"a second number on {han_name(place)}: {number}"))
        else:
            numbers[place] = number
    for place in [place for place in numbers if place not in terrain or terrain[place].yields is None]:
        losses.append(Loss(LossKind.LOST, f"the number {numbers.pop(place)}: its tile produces nothing"))
    for place, kind in terrain.items():
        if kind.yields is None:
            continue
        if place not in numbers:
            numbers[place] = 7
            losses.append(Loss(LossKind.INVENTED, f"the number 7 on {han_name(place)}, which has none"))
        numbers[place] = _clamp(numbers[place], 1, f"the number on {han_name(place)}", losses)
    sides = set(_named("the harbor at", [harbor.side for harbor in island.harbors], losses))
    return Island.of(terrain, numbers, [harbor for harbor in island.harbors if harbor.side in sides])


def _expressible_seat(number: int, seat: settlers.Seat, losses: list[Loss]) -> settlers.Seat:
    who = f"player {number}'s"
    return settlers.Seat(
        _named(f"{who} city at", seat.cities, losses),
        _named(f"{who} village at", seat.villages, losses),
        _named(f"{who} road at", seat.roads, losses),
        Goods(*(_clamp(seat.goods[kind], 0, f"{who} {kind.value}", losses) for kind in Resource)),
        _expressible_cards(f"{who} cards", seat.cards, losses),
        _clamp(seat.knights, 0, f"{who} knights", losses),
    )


def _expressible_cards(what: str, cards: Cards, losses: list[Loss]) -> Cards:
    return Cards(*(_clamp(cards[kind], 0, f"{what} ({kind.value})", losses) for kind in Card))


def _expressible_robber(position: settlers.Position, losses: list[Loss]) -> settlers.Hex:
    if position.robber is not None and has_han_name(position.robber):
        return position.robber
    if position.robber is not None:
        _named("the robber on", [position.robber], losses)
    place = next(
        (tile for tile in position.island.land if has_han_name(tile)), FRAME[FRAME.index(settlers.Hex(0, 0))]
    )
    losses.append(Loss(LossKind.INVENTED, f"the robber on {han_name(place)}: its place is unknown"))
    return place


def _expressible_holder(award: str, player: Player | None, losses: list[Loss]) -> Player | None:
    if player is None or 0 < player <= 6:
        return player
    losses.append(Loss(LossKind.LOST, f"the {award} of player {player}: players are 1 to 6"))
    return None


def _expressible_must(must: settlers.Must | None, losses: list[Loss]) -> settlers.Must | None:
    if not isinstance(must, settlers.MustDiscard):
        return must
    players = tuple(player for player in must.players if 0 <= player <= 6)
    if players != must.players:
        losses.append(Loss(LossKind.LOST, "discards of players above 6"))
    return settlers.MustDiscard(players)


def _named(what: str, places: Iterable[AnyPlace], losses: list[Loss]) -> tuple[AnyPlace, ...]:
    """The places that have a name in HAN."""
    kept = []
    for place in places:
        if has_han_name(place):
            kept.append(place)
        else:
            losses.append(
                Loss(
                    LossKind.LOST,
                    f"{what} {place_in_words(place)}: it has no name in HAN",
                )
            )
    return tuple(kept)


def _clamp(count: int, least: int, what: str, losses: list[Loss]) -> int:
    """The count, limited to the range that HSN can express."""
    if least <= count <= _MAX_COUNT:
        return count
    losses.append(Loss(LossKind.LOST, f"{what}: {count} cannot be written"))
    return max(least, min(count, _MAX_COUNT))
