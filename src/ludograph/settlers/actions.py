"""What a player can do: the seventeen actions of HAN, as values.

The subject is the player to move, except for `Discard`, which names its own. What may be
unknown to the writer is None: the dice, a stolen card, a bought card.
"""

from msgspec import Struct
from msgspec.structs import force_setattr

from ludograph.geometry import Hex, HexCorner, HexSide
from ludograph.settlers.goods import Card, Goods, Piece, Player, Resource

Dice = tuple[int, int]


class Roll(Struct, frozen=True):
    """Roll the dice: both dice in ascending order, or only their sum, or None for unknown."""

    value: Dice | int | None = None

    def __post_init__(self) -> None:
        # Equal rolls must compare equal whichever die is named first.
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
    """Pay for a piece; placing it is the next action."""

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
    """Take two cards from the bank (fewer only if it holds fewer)."""

    goods: Goods


class UseMonopoly(Struct, frozen=True):
    """Take every card of one kind; the kind is named, not the haul."""

    resource: Resource


class UseRoads(Struct, frozen=True):
    """Place up to two roads for free."""


class Trade(Struct, frozen=True):
    """The current player gives some goods and takes others from a player, or from the bank (0)."""

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
"""Which piece a placing action places."""
