"""Positions and actions that the tests of pictures share."""

from ludograph.geometry import Hex, HexCorner, HexSide
from ludograph.settlers import (
    BANK,
    BEGINNERS_ISLAND,
    Action,
    Buy,
    BuyCard,
    Card,
    Cards,
    Discard,
    EndTurn,
    Goods,
    Harbor,
    Island,
    MoveRobber,
    Piece,
    PlaceCity,
    PlaceRoad,
    PlaceVillage,
    Player,
    Position,
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
)
from ludograph.settlers.places import standard_land
from tests.places import corner, side


def corners(names: str) -> tuple[HexCorner, ...]:
    return tuple(corner(name) for name in names.split())


def sides(names: str) -> tuple[HexSide, ...]:
    return tuple(side(name) for name in names.split())


SMALL_ISLAND = Island.of(
    {
        Hex(0, 0): Terrain.FOREST,
        Hex(1, 0): Terrain.HILLS,
        Hex(0, 1): Terrain.DESERT,
        Hex(-1, 1): Terrain.SEA,
    },
    {Hex(0, 0): 8, Hex(1, 0): 3},
    (Harbor(side("d4w"), Resource.WOOL), Harbor(side("e4ne"))),
)

SMALL_POSITION = Position(
    SMALL_ISLAND,
    (
        Seat(villages=corners("d4n"), roads=sides("d4ne"), goods=Goods(ore=2)),
        Seat(cities=corners("d5n"), roads=sides("e4w"), cards=Cards(knight=1), knights=3),
    ),
    Hex(0, 1),
    largest_army=Player(2),
    turn=6,
)

MIDDLE_GAME = Position(
    BEGINNERS_ISLAND,
    (
        Seat(
            cities=corners("d3n"),
            villages=corners("c5n e4s"),
            roads=sides("d3nw d3ne e2w c5ne c5nw e5nw e5w"),
            goods=Goods(2, 1, 0, 3, 1),
            cards=Cards(knight=1, point=1),
            knights=3,
        ),
        Seat(
            cities=corners("f4n b5s"),
            villages=corners("e2n"),
            roads=sides("f4nw f4ne f4w e2ne e2nw b6ne b6nw"),
            goods=Goods(lumber=4, wool=12),
            cards=Cards(roads=1, point=2),
            knights=1,
        ),
        Seat(
            villages=corners("d5s c4n f2s"),
            roads=sides("d6nw d6w c4nw c4ne c4w f3nw"),
            goods=Goods(1, 1, 1, 1, 1),
        ),
        Seat(
            cities=corners("e6n"),
            villages=corners("c6s b4s"),
            roads=sides("e6nw e6ne c7nw c7ne b5nw b5ne a6ne"),
            cards=Cards(plenty=1, monopoly=1),
        ),
    ),
    Hex(1, 0),
    largest_army=Player(1),
    longest_road=Player(2),
    turn=27,
    rolled=True,
)

SIX_PLAYERS = Position(
    Island.of(
        {place: list(Terrain)[(place.q * 2 + place.r * 5) % 6] for place in standard_land(6)},
        {
            place: (2, 3, 4, 5, 6, 8, 9, 10, 11, 12)[(place.q * 3 + place.r * 7) % 10]
            for place in standard_land(6)
        },
        (Harbor(side("e2w")), Harbor(side("f2ne"), Resource.ORE)),
    ),
    tuple(
        Seat(
            cities=corners(f"{column}4n") if column in "deg" else (),
            villages=corners(f"{column}6n"),
            roads=sides(f"{column}6nw {column}6ne {column}6w"),
            goods=Goods(wool=number),
            cards=Cards(knight=number),
            knights=number,
        )
        for number, column in enumerate("bcdefg")
    ),
    Hex(0, 0),
    largest_army=Player(6),
    turn=8,
    rolled=True,
    bought=Cards(plenty=1),
)

ACTIONS: dict[str, Action] = {
    "dice": Roll((3, 5)),
    "sum": Roll(8),
    "unknown roll": Roll(),
    "robber": MoveRobber(Hex(-1, 2)),
    "discard": Discard(Player(2), Goods(lumber=2, wool=6)),
    "discard nothing": Discard(Player(2), Goods()),
    "unknown theft": Steal(Player(2)),
    "theft": Steal(Player(1), Resource.ORE),
    "buy village": Buy(Piece.VILLAGE),
    "buy city": Buy(Piece.CITY),
    "buy road": Buy(Piece.ROAD),
    "buy unknown card": BuyCard(),
    "buy card": BuyCard(Card.PLENTY),
    "village": PlaceVillage(corner("e5s")),
    "city": PlaceCity(corner("d5s")),
    "road": PlaceRoad(side("e5ne")),
    "knight": UseKnight(),
    "plenty": UsePlenty(Goods(ore=2)),
    "monopoly": UseMonopoly(Resource.WOOL),
    "roads": UseRoads(),
    "trade": Trade(Goods(lumber=1, ore=2), Goods(brick=3), Player(1)),
    "bank trade": Trade(Goods(lumber=4), Goods(grain=1), BANK),
    "end": EndTurn(),
}
"""At least one of every kind."""
