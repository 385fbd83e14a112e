"""Strategies for islands and positions that no rule book would allow, but a picture must survive."""

from hypothesis import strategies as st

from ludograph.geometry import Face, Hex, HexCorner, HexSide, Pole
from ludograph.settlers import (
    Cards,
    Goods,
    Harbor,
    Island,
    MustDiscard,
    MustMoveRobber,
    MustPlace,
    MustSteal,
    Piece,
    Pieces,
    Player,
    Position,
    Resource,
    Seat,
    Terrain,
)

NEAR = st.integers(-4, 4)
ANY = NEAR | st.integers(-100, 100) | st.integers(-(10**12), 10**12) | st.just(10**400)
COUNTS = st.integers(0, 5) | st.integers(-(10**12), 10**12) | st.just(-(10**400))

hexes = st.builds(Hex, NEAR, NEAR) | st.builds(Hex, ANY, ANY)
hex_corners = st.builds(HexCorner, hexes, st.sampled_from(Pole))
hex_sides = st.builds(HexSide, hexes, st.sampled_from(Face))
places = hexes | hex_corners | hex_sides
players = st.integers(-2, 9).map(Player)
goods = st.builds(Goods, *[COUNTS] * 5)

islands = st.builds(
    Island.of,
    st.dictionaries(hexes, st.sampled_from(Terrain), max_size=12),
    st.dictionaries(hexes, st.integers(2, 12) | COUNTS, max_size=6),
    st.lists(st.builds(Harbor, hex_sides, st.none() | st.sampled_from(Resource)), max_size=6),
)
seats = st.builds(
    Seat,
    cities=st.lists(hex_corners, max_size=3).map(tuple),
    villages=st.lists(hex_corners, max_size=3).map(tuple),
    roads=st.lists(hex_sides, max_size=4).map(tuple),
    goods=goods,
    cards=st.builds(Cards, *[COUNTS] * 5),
    knights=COUNTS,
)
duties = st.one_of(
    st.just(MustMoveRobber()),
    st.just(MustSteal()),
    st.builds(MustDiscard, st.lists(players, max_size=3).map(tuple)),
    st.builds(MustPlace, st.lists(st.sampled_from(Piece), max_size=3).map(tuple)),
)
positions = st.builds(
    Position,
    island=islands,
    seats=st.lists(seats, max_size=7).map(tuple),
    robber=st.none() | hexes,
    largest_army=st.none() | players,
    longest_road=st.none() | players,
    turn=st.integers(1, 9) | COUNTS,
    rolled=st.booleans(),
    must=st.none() | duties,
    bought=st.builds(Cards, *[COUNTS] * 5),
    may_place=st.builds(Pieces, *[COUNTS] * 3),
)
