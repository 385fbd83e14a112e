"""A position: the island, the seats, and the state of the turn.

It contains exactly what HSN can express. The player to move and the bank are derived from it. The package
`findings` checks whether it is possible.
"""

from dataclasses import dataclass
from dataclasses import replace as with_fields
from typing import Any

from msgspec import Struct
from msgspec.structs import replace as with_changes

from ludograph.geometry import Hex, HexCorner, HexSide
from ludograph.settlers.actions import Buy, BuyCard
from ludograph.settlers.duties import Must, MustDiscard, MustMoveRobber, MustPlace, MustSteal
from ludograph.settlers.field_types import FieldType, check_types
from ludograph.settlers.findings import Finding, find_in_position
from ludograph.settlers.goods import Award, Cards, Goods, Piece, Pieces, Player, Resource, Terrain
from ludograph.settlers.island import Island
from ludograph.settlers.places import in_reading_order, is_in_reading_order
from ludograph.settlers.standard import SUPPLY, bank_stock
from ludograph.settlers.standings import (
    AwardStanding,
    compare_for_award,
    count_missing,
    count_points,
    count_production,
    count_visible_points,
    list_affordable,
    measure_roads,
)


@dataclass(frozen=True, slots=True)
class Seat:
    """The pieces of a player on the island (in reading order), hand, cards, and played knights."""

    cities: tuple[HexCorner, ...] = ()
    villages: tuple[HexCorner, ...] = ()
    roads: tuple[HexSide, ...] = ()
    goods: Goods = Goods()
    cards: Cards = Cards()
    """Development cards without those bought in this turn."""
    knights: int = 0
    """Knight cards played so far."""

    def __post_init__(self) -> None:
        # Equal seats must compare equal in any order of their pieces.
        if len(self.cities) > 1 and not is_in_reading_order(self.cities):
            object.__setattr__(self, "cities", in_reading_order(self.cities))
        if len(self.villages) > 1 and not is_in_reading_order(self.villages):
            object.__setattr__(self, "villages", in_reading_order(self.villages))
        if len(self.roads) > 1 and not is_in_reading_order(self.roads):
            object.__setattr__(self, "roads", in_reading_order(self.roads))


def seat_in_order(
    cities: tuple[HexCorner, ...],
    villages: tuple[HexCorner, ...],
    roads: tuple[HexSide, ...],
    goods: Goods,
    cards: Cards,
    knights: int,
) -> Seat:
    """A seat from tuples that are in reading order; it sorts nothing."""
    seat = _NEW(Seat)
    _SET(seat, "cities", cities)
    _SET(seat, "villages", villages)
    _SET(seat, "roads", roads)
    _SET(seat, "goods", goods)
    _SET(seat, "cards", cards)
    _SET(seat, "knights", knights)
    return seat


_NEW = object.__new__
_SET = object.__setattr__


class Position(Struct, frozen=True):
    """A position of a game."""

    island: Island
    seats: tuple[Seat, ...]
    robber: Hex | None
    """None only if the position comes from an island without a desert."""
    largest_army: Player | None = None
    longest_road: Player | None = None
    turn: int = 1
    rolled: bool = False
    must: Must | None = None
    bought: Cards = Cards()
    """Development cards that the current player bought this turn."""
    may_place: Pieces = Pieces()
    """Pieces that the current player may place for free (road building)."""
    acting: Player | None = None
    """With five and six players: who acts in the turn of another player; None: whose turn it is. HSN cannot
    express it.
    """

    @property
    def players(self) -> int:
        return len(self.seats)

    @property
    def in_setup(self) -> bool:
        """Whether pieces of the set-up must still be placed."""
        return (
            self.turn == 1
            and not self.rolled
            and isinstance(self.must, MustPlace)
            and self.must.pieces in SETUP_DUTIES
        )

    @property
    def current(self) -> Player:
        """The player to move: by the turn number, or in the set-up by the pieces placed (snake order)."""
        if not self.seats:
            raise ValueError("this position has no players, so no player is to move")
        if self.acting is not None:
            return self.acting
        if not self.in_setup:
            return Player((self.turn - 1) % self.players + 1)
        placed = sum(len(seat.roads) for seat in self.seats)
        return snake_player(placed, self.players)

    @property
    def bank(self) -> Goods:
        """The resource cards left in the bank."""
        stock = bank_stock(self.players)
        held = Goods()
        for seat in self.seats:
            held += seat.goods
        return Goods(*(stock - held[kind] for kind in Resource))

    def seat(self, player: int) -> Seat:
        """The seat of a player, counted from 1."""
        if not 1 <= player <= self.players:
            raise ValueError(f"there is no player {player}: this position has players 1 to {self.players}")
        return self.seats[player - 1]

    def pieces_left(self, player: int) -> Pieces:
        """The pieces that a player has not placed yet."""
        seat = self.seat(player)
        return Pieces(
            SUPPLY.village - len(seat.villages),
            SUPPLY.city - len(seat.cities),
            SUPPLY.road - len(seat.roads),
        )

    def scores(self) -> tuple[int, ...]:
        """The points of each player, player 1 first, including those of hidden point cards."""
        return count_points(self)

    def visible_scores(self) -> tuple[int, ...]:
        """The points of each player for buildings and awards, which all players see."""
        return count_visible_points(self)

    def hand_sizes(self) -> tuple[int, ...]:
        """The number of resource cards of each player."""
        return tuple(seat.goods.total for seat in self.seats)

    def road_lengths(self) -> tuple[int, ...]:
        """The length of each player's longest road; ValueError if a player has more than the supply."""
        return measure_roads(self)

    def award_standing(self, award: Award) -> AwardStanding:
        """Who has an award, who leads and by how much: `position.award_standing(Award.LONGEST_ROAD)`."""
        return compare_for_award(self, award)

    def production(self, total: int) -> tuple[Goods, ...]:
        """The goods that a roll yields to each player, with regard to the robber and the bank."""
        return count_production(self, total)

    def affordable(self, player: int) -> tuple[Buy | BuyCard, ...]:
        """The purchases that the hand of a player can pay for, each alone."""
        return list_affordable(self.seat(player).goods)

    def missing(self, player: int, purchase: Buy | BuyCard) -> Goods:
        """The cards that a player lacks for a purchase: `position.missing(1, Buy(Piece.CITY))`."""
        return count_missing(self.seat(player).goods, purchase)

    def replace(self, **changes: Any) -> "Position":
        """A copy with some fields replaced: `position.replace(turn=7, rolled=True)`.

        TypeError for an unknown field or a value of the wrong type.
        """
        check_types("a position", _FIELD_TYPES, changes)
        return with_changes(self, **changes)

    def replace_seat(self, player: int, **changes: Any) -> "Position":
        """A copy with some fields of one seat replaced: `position.replace_seat(2, knights=3)`.

        TypeError for an unknown field or a value of the wrong type.
        """
        check_types("a seat", _SEAT_TYPES, changes)
        changed = with_fields(self.seat(player), **changes)
        return with_changes(self, seats=(*self.seats[: player - 1], changed, *self.seats[player:]))

    def place(self, player: int, piece: Piece, place: HexCorner | HexSide) -> "Position":
        """A copy with one more piece on the island; no rule is checked, and nothing else changes."""
        name, kind = _PIECE_FIELDS[piece]
        if not isinstance(place, kind):
            raise ValueError(f"a {piece.value} cannot be on {place!r}: it needs a {kind.__name__}")
        placed = getattr(self.seat(player), name)
        return self.replace_seat(player, **{name: (*placed, place)})

    def remove(self, player: int, piece: Piece, place: HexCorner | HexSide) -> "Position":
        """A copy without one piece at a place."""
        name, _ = _PIECE_FIELDS[piece]
        placed = list(getattr(self.seat(player), name))
        if place not in placed:
            raise ValueError(f"player {player} has no {piece.value} on {place!r}")
        placed.remove(place)
        return self.replace_seat(player, **{name: tuple(placed)})

    def findings(self, *, strict: bool = False) -> tuple[Finding, ...]:
        """Every reason why this position is impossible or not standard; empty if there is none.

        `strict` adds the rules about numbers on neighbouring tiles.
        """
        return find_in_position(self, strict=strict)


__all__ = [
    "Must",
    "MustDiscard",
    "MustMoveRobber",
    "MustPlace",
    "MustSteal",
    "Position",
    "Seat",
    "fresh_position",
    "next_in_turn",
    "seat_in_order",
    "snake_player",
]

SETUP_DUTIES = ((Piece.VILLAGE, Piece.ROAD), (Piece.ROAD,))

_FIELD_TYPES: dict[str, FieldType] = {
    "island": FieldType("an Island", (Island,)),
    "seats": FieldType("a tuple of Seats", (Seat,), is_tuple=True),
    "robber": FieldType("a Hex or None", (Hex,), optional=True),
    "largest_army": FieldType("a player or None", (int,), optional=True),
    "longest_road": FieldType("a player or None", (int,), optional=True),
    "turn": FieldType("a whole number", (int,)),
    "rolled": FieldType("True or False", (bool,)),
    "must": FieldType("a duty or None", (MustDiscard, MustMoveRobber, MustPlace, MustSteal), optional=True),
    "bought": FieldType("Cards", (Cards,)),
    "may_place": FieldType("Pieces", (Pieces,)),
    "acting": FieldType("a player or None", (int,), optional=True),
}
_SEAT_TYPES: dict[str, FieldType] = {
    "cities": FieldType("a tuple of HexCorners", (HexCorner,), is_tuple=True),
    "villages": FieldType("a tuple of HexCorners", (HexCorner,), is_tuple=True),
    "roads": FieldType("a tuple of HexSides", (HexSide,), is_tuple=True),
    "goods": FieldType("Goods", (Goods,)),
    "cards": FieldType("Cards", (Cards,)),
    "knights": FieldType("a whole number", (int,)),
}
_PIECE_FIELDS: dict[Piece, tuple[str, type[HexCorner] | type[HexSide]]] = {
    Piece.VILLAGE: ("villages", HexCorner),
    Piece.CITY: ("cities", HexCorner),
    Piece.ROAD: ("roads", HexSide),
}


def snake_player(placed: int, players: int) -> Player:
    """The player who places after `placed` villages with their roads: 1, 2, …, n, n, …, 2, 1.

    >>> [snake_player(placed, 3) for placed in range(6)]
    [1, 2, 3, 3, 2, 1]
    """
    placed = min(placed, 2 * players - 1)
    return Player(placed + 1 if placed < players else 2 * players - placed)


def next_in_turn(
    turn: int, acting: Player | None, players: int, *, special: bool = False
) -> tuple[int, Player | None]:
    """The number of the turn, and who acts in it instead of its player, after a player has finished.

    With five and six players the player three seats on acts before the turn is over (rule 39), or all other
    players in the special building phase.

    >>> next_in_turn(1, None, 4), next_in_turn(1, None, 6), next_in_turn(1, Player(4), 6)
    ((2, None), (1, 4), (2, None))
    >>> next_in_turn(2, None, 5, special=True), next_in_turn(2, Player(1), 5, special=True)
    ((2, 3), (3, None))
    """
    owner = (turn - 1) % players + 1
    if players <= 4 or (acting is not None and not special):
        return turn + 1, None
    following = Player((acting or owner) % players + 1 if special else (owner + 2) % players + 1)
    return (turn + 1, None) if following == owner else (turn, following)


def fresh_position(island: Island, players: int) -> Position:
    """The position before the first placement; the robber is on the first desert."""
    desert = next((place for place, terrain in island.terrain if terrain is Terrain.DESERT), None)
    return Position(island, (Seat(),) * players, desert, must=MustPlace(SETUP_DUTIES[0]))
