"""Hypothesis strategies: places, goods, actions, islands, positions, HAN records.

`tiles`, `corners` and `sides` have names in HAN; `any_…` may lie anywhere. HSN can express `positions`, but
not all `any_positions`. The 2023 dialect of HAN can express `actions`; both dialects can express
`seed_actions`. Half of all places and positions are those of the standard frame, interned as the parsers
return them.
"""

from collections.abc import Sequence
from typing import TypeVar

from hypothesis import settings
from hypothesis import strategies as st
from msgspec.structs import replace

from ludograph.settlers import (
    BANK,
    Act,
    Action,
    Buy,
    BuyCard,
    Card,
    Cards,
    Commented,
    Discard,
    EndTurn,
    Event,
    Face,
    Goods,
    Harbor,
    Hex,
    HexCorner,
    HexSide,
    Island,
    MoveRobber,
    Must,
    MustDiscard,
    MustMoveRobber,
    MustPlace,
    MustSteal,
    Piece,
    Pieces,
    PlaceCity,
    PlaceRoad,
    PlaceVillage,
    Player,
    Pole,
    Position,
    Record,
    Resource,
    Roll,
    Seat,
    Steal,
    Terrain,
    Trade,
    UseKnight,
    UseMonopoly,
    UsePlenty,
    UseRoads,
    Variation,
    fresh_position,
)
from ludograph.settlers.places import FRAME, FRAME_CORNERS, FRAME_SIDES, Place
from ludograph.settlers.position import SETUP_DUTIES

Drawn = TypeVar("Drawn")

FAR = 800
"""The largest distance of named places from the centre; their names have one to three letters."""
less_often = settings(max_examples=settings().max_examples * 2 // 5)
"""Settings for properties of whole positions and games, because these take long to draw."""
MOST = 999_999_999
"""The largest count that HAN and HSN can express."""

# Places.

named_hexes = st.builds(Hex, st.integers(-3, FAR), st.integers(-3, FAR))
any_hexes = st.builds(Hex, st.integers(-FAR, FAR), st.integers(-FAR, FAR))

tiles: st.SearchStrategy[Hex] = st.sampled_from(FRAME) | named_hexes
corners: st.SearchStrategy[HexCorner] = st.sampled_from(FRAME_CORNERS) | st.builds(
    HexCorner, named_hexes, st.sampled_from(Pole)
)
sides: st.SearchStrategy[HexSide] = st.sampled_from(FRAME_SIDES) | st.builds(
    HexSide, named_hexes, st.sampled_from(Face)
)
places: st.SearchStrategy[Place] = st.one_of(tiles, corners, sides)

any_tiles: st.SearchStrategy[Hex] = tiles | any_hexes
any_corners: st.SearchStrategy[HexCorner] = corners | st.builds(HexCorner, any_hexes, st.sampled_from(Pole))
any_sides: st.SearchStrategy[HexSide] = sides | st.builds(HexSide, any_hexes, st.sampled_from(Face))
any_places: st.SearchStrategy[Place] = st.one_of(any_tiles, any_corners, any_sides)

# Goods, cards, pieces.

resources = st.sampled_from(Resource)
counts = st.integers(0, 3) | st.integers(0, 30) | st.integers(0, MOST)
any_counts = counts | st.integers(-3, 3) | st.integers(-(10**12), 10**12)

goods: st.SearchStrategy[Goods] = st.builds(Goods, counts, counts, counts, counts, counts)
some_goods: st.SearchStrategy[Goods] = goods.filter(bool)
any_goods: st.SearchStrategy[Goods] = st.builds(Goods, *[any_counts] * 5)
one_or_two: st.SearchStrategy[Goods] = st.lists(resources, min_size=1, max_size=2).map(
    lambda kinds: Goods(*(kinds.count(kind) for kind in Resource))
)
cards: st.SearchStrategy[Cards] = st.builds(Cards, counts, counts, counts, counts, counts)
pieces: st.SearchStrategy[Pieces] = st.builds(Pieces, counts, counts, counts)

# Actions.

dice = st.tuples(st.integers(1, 6), st.integers(1, 6))


def seats_up_to(most: int) -> st.SearchStrategy[Player]:
    """Players without the bank."""
    return st.integers(1, most).map(Player)


def free_actions(players: int = 6) -> st.SearchStrategy[Action]:
    """Actions that HAN allows anywhere in a turn: no purchases, no placements."""
    someone = seats_up_to(players)
    return st.one_of(
        st.builds(Roll, st.none() | dice),
        st.builds(MoveRobber, tiles),
        st.builds(Discard, someone, some_goods),
        st.builds(Steal, someone, st.none() | resources),
        st.just(BuyCard()),
        st.just(UseKnight()),
        st.builds(UsePlenty, one_or_two),
        st.builds(UseMonopoly, resources),
        st.just(UseRoads()),
        st.builds(Trade, some_goods, some_goods, someone | st.just(BANK)),
        st.just(EndTurn()),
    )


placements: st.SearchStrategy[Action] = st.one_of(
    st.builds(PlaceVillage, corners), st.builds(PlaceCity, corners), st.builds(PlaceRoad, sides)
)
purchases: st.SearchStrategy[Action] = st.builds(Buy, st.sampled_from(Piece))
known_cards: st.SearchStrategy[Action] = st.builds(BuyCard, st.sampled_from(Card))

seed_actions: st.SearchStrategy[Action] = st.one_of(free_actions(), placements, purchases)
actions: st.SearchStrategy[Action] = seed_actions | known_cards

# Islands.

harbor_kinds = st.none() | resources
tile_numbers = st.integers(2, 12) | st.integers(1, MOST)


@st.composite
def islands_on(draw: st.DrawFn, frame: Sequence[Hex], number: st.SearchStrategy[int]) -> Island:
    """Islands with all tiles of a frame, a number on each producing tile, and some harbors."""
    terrain = {place: draw(st.sampled_from(Terrain)) for place in frame}
    numbers = {place: draw(number) for place, kind in terrain.items() if kind.yields is not None}
    where = draw(st.lists(sides, max_size=4, unique=True))
    return Island.of(terrain, numbers, [Harbor(side, draw(harbor_kinds)) for side in where])


standard_islands: st.SearchStrategy[Island] = islands_on(FRAME, st.integers(2, 12))
islands: st.SearchStrategy[Island] = standard_islands | st.lists(
    st.builds(Hex, st.integers(-3, 12), st.integers(-3, 12)) | tiles, max_size=12, unique=True
).flatmap(lambda frame: islands_on(frame, tile_numbers))
any_islands: st.SearchStrategy[Island] = st.builds(
    Island,
    st.lists(st.tuples(any_tiles, st.sampled_from(Terrain)), max_size=8).map(tuple),
    st.lists(st.tuples(any_tiles, any_counts), max_size=8).map(tuple),
    st.lists(st.builds(Harbor, any_sides, harbor_kinds), max_size=4).map(tuple),
)

# Positions.


def listed(items: st.SearchStrategy[Drawn]) -> st.SearchStrategy[tuple[Drawn, ...]]:
    return st.lists(items, max_size=5).map(tuple)


seats: st.SearchStrategy[Seat] = st.builds(
    Seat, listed(corners), listed(corners), listed(sides), goods, cards, counts
)
any_seats: st.SearchStrategy[Seat] = st.builds(
    Seat, listed(any_corners), listed(any_corners), listed(any_sides), any_goods, cards, any_counts
)
duties: st.SearchStrategy[Must] = st.one_of(
    st.just(MustMoveRobber()),
    st.just(MustSteal()),
    st.builds(MustDiscard, listed(st.integers(0, 6).map(Player))),
    st.builds(MustPlace, listed(st.sampled_from(Piece))),
)
holders = st.none() | seats_up_to(6)
turns = st.integers(1, 40) | st.integers(1, MOST)

positions: st.SearchStrategy[Position] = st.builds(
    Position,
    islands,
    st.lists(seats, min_size=1, max_size=7).map(tuple),
    tiles,
    holders,
    holders,
    turns,
    st.booleans(),
    st.none() | duties,
    cards,
    pieces,
)
any_positions: st.SearchStrategy[Position] = positions | st.builds(
    Position,
    any_islands | islands,
    st.lists(any_seats, max_size=4).map(tuple),
    st.none() | any_tiles,
    st.none() | any_counts.map(Player),
    st.none() | any_counts.map(Player),
    any_counts,
    st.booleans(),
    st.none() | duties | st.builds(MustDiscard, listed(any_counts.map(Player))),
    st.builds(Cards, any_counts),
    st.builds(Pieces, any_counts),
)

# HAN records.

_LINE_ENDS = "\r\n"
one_line_texts = st.text(st.characters(exclude_characters=_LINE_ENDS), max_size=20)
comment_texts = one_line_texts | st.text(st.characters(exclude_characters="}"), max_size=20)
header_keys = st.from_regex(r"[A-Za-z][A-Za-z0-9_]{0,8}", fullmatch=True)
headers = st.lists(st.tuples(header_keys, one_line_texts), max_size=3).map(tuple)

_PLACE_OF: dict[Piece, st.SearchStrategy[Action]] = {
    Piece.VILLAGE: st.builds(PlaceVillage, corners),
    Piece.CITY: st.builds(PlaceCity, corners),
    Piece.ROAD: st.builds(PlaceRoad, sides),
}


@st.composite
def han_records(draw: st.DrawFn, *, with_cards: bool = False) -> Record:
    """Games that follow the rules of HAN: a complete set-up, and a purchase directly before each piece.

    With `with_cards`, purchases name the card, which only the 2023 dialect can express.
    """
    fresh = st.builds(fresh_position, standard_islands, st.integers(2, 4))
    start = draw(st.none() | positions.map(_quiet) | fresh | st.builds(_in_setup, positions, setup_duties))
    # On a new island without a desert the robber has no place, which HSN cannot express.
    if start is not None and start.robber is None:
        start = start.replace(robber=draw(tiles))
    acts: list[Action] = []
    is_set_up = True
    if start is None:
        acts += draw(st.lists(placements, max_size=4))
        acts.append(Roll(draw(dice)))
    elif start.in_setup:
        expected = _setup_pieces(start)
        told = draw(st.integers(0, len(expected)) | st.just(len(expected)))
        acts += [draw(_PLACE_OF[piece]) for piece in expected[:told]]
        is_set_up = told == len(expected)
        acts += [Roll(draw(dice))] if is_set_up else []
    free = free_actions(min(start.players, 6) if start is not None else 6)
    for _ in range(draw(st.integers(0, 6)) if is_set_up else 0):
        if draw(st.booleans()):
            bought = draw(st.sampled_from(Piece))
            acts += [Buy(bought), draw(_PLACE_OF[bought])]
        elif draw(st.integers(0, 3)) == 0:
            acts += [UseRoads(), *draw(st.lists(_PLACE_OF[Piece.ROAD], max_size=2))]
        else:
            acts.append(draw(free | known_cards if with_cards else free))
    events: list[Event] = [Act(action) for action in acts]
    for text in draw(st.lists(one_line_texts, max_size=3)):
        events.insert(draw(st.integers(0, len(events))), Commented(text))
    return Record(tuple(events), start, draw(headers))


@st.composite
def han_trees(draw: st.DrawFn) -> Record:
    """Games with variations: each repeats a part of its line, so it follows the rules of HAN."""
    record = draw(han_records())
    return replace(record, variations=draw(_variations(record.events, 2)))


@st.composite
def _variations(draw: st.DrawFn, line: tuple[Event, ...], depth: int) -> tuple[Variation, ...]:
    places = [index for index, event in enumerate(line) if isinstance(event, Act)]
    if not places or not depth:
        return ()
    found: list[Variation] = []
    for at in sorted(draw(st.lists(st.sampled_from(places), max_size=3))):
        events = line[at : draw(st.integers(at + 1, len(line)))]
        comments = tuple(Commented(text) for text in draw(st.lists(comment_texts, max_size=1)))
        events = (*comments, events[0], *comments, *events[1:])
        found.append(Variation(at, events, draw(_variations(events, depth - 1))))
    return tuple(found)


def _quiet(position: Position) -> Position:
    """The position without unpaid pieces, so that any action may follow."""
    return position.replace(must=None) if isinstance(position.must, MustPlace) else position


setup_duties: st.SearchStrategy[tuple[Piece, ...]] = st.sampled_from(SETUP_DUTIES)


def _in_setup(position: Position, duty: tuple[Piece, ...]) -> Position:
    return position.replace(turn=1, rolled=False, must=MustPlace(duty))


def _setup_pieces(start: Position) -> tuple[Piece, ...]:
    """The remaining pieces of the set-up in order: a village, then a road."""
    assert isinstance(start.must, MustPlace), "only the set-up is asked for"
    left = 2 * start.players - sum(len(seat.roads) for seat in start.seats)
    return (*start.must.pieces, *(Piece.VILLAGE, Piece.ROAD) * (left - 1)) if left > 0 else ()
