"""The actions of players as values.

The player to move takes an action, except for `Discard`, which names its player. An unknown value is
None: the dice, the stolen card, the bought card.
"""

from msgspec import Struct
from msgspec.structs import force_setattr

from ludograph.geometry import Hex, HexCorner, HexSide
from ludograph.settlers.goods import Card, Goods, Piece, Player, Resource

Dice = tuple[int, int]


class Roll(Struct, frozen=True):
    """Roll the dice: both dice in ascending order, or only their sum, or None if they are unknown."""

    value: Dice | int | None = None

    def __post_init__(self) -> None:
        # Equal rolls must compare equal in either order of the dice.
        if isinstance(self.value, tuple) and self.value[0] > self.value[1]:
            force_setattr(self, "value", (self.value[1], self.value[0]))

    @property
    def total(self) -> int | None:
        return sum(self.value) if isinstance(self.value, tuple) else self.value


class MoveRobber(Struct, frozen=True):
    tile: Hex


class Discard(Struct, frozen=True):
    player: Player
    goods: Goods


class Steal(Struct, frozen=True):
    """Steal one card; its kind may be unknown."""

    victim: Player
    resource: Resource | None = None


class Buy(Struct, frozen=True):
    """Pay for a piece; the next action places it."""

    piece: Piece


class BuyCard(Struct, frozen=True):
    """Buy a development card; its kind may be unknown."""

    card: Card | None = None


class PlaceVillage(Struct, frozen=True):
    corner: HexCorner


class PlaceCity(Struct, frozen=True):
    corner: HexCorner


class PlaceRoad(Struct, frozen=True):
    side: HexSide


class UseKnight(Struct, frozen=True):
    pass


class UsePlenty(Struct, frozen=True):
    """Take two cards from the bank, or fewer if the bank has fewer."""

    goods: Goods


class UseMonopoly(Struct, frozen=True):
    """Take all cards of one resource from the other players."""

    resource: Resource


class UseRoads(Struct, frozen=True):
    """Place up to two roads for free."""


class Trade(Struct, frozen=True):
    """Give goods to another player or to the bank (0), and take other goods."""

    give: Goods
    take: Goods
    partner: Player


class EndTurn(Struct, frozen=True):
    pass


Action = (
    Roll
    | MoveRobber
    | Discard
    | Steal
    | Buy
    | BuyCard
    | PlaceVillage
    | PlaceCity
    | PlaceRoad
    | UseKnight
    | UsePlenty
    | UseMonopoly
    | UseRoads
    | Trade
    | EndTurn
)

PLACED_PIECE: dict[type, Piece] = {
    PlaceVillage: Piece.VILLAGE,
    PlaceCity: Piece.CITY,
    PlaceRoad: Piece.ROAD,
}
"""The piece that a placement places, by the class of the action."""
