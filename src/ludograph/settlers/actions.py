"""What a player can do: the seventeen actions of HAN, as values.

The subject is the player to move, except for `Discard`, which names its own. What may be
unknown to the writer is None: the dice, a stolen card, a bought card.
"""

from dataclasses import dataclass

from ludograph.geometry import Hex, HexCorner, HexSide
from ludograph.settlers.goods import Card, Goods, Piece, Player, Resource

Dice = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Roll:
    """Roll the dice: both dice in ascending order, or only their sum, or None for unknown."""

    value: Dice | int | None = None

    def __post_init__(self) -> None:
        # Equal rolls must compare equal whichever die is named first.
        if isinstance(self.value, tuple) and self.value[0] > self.value[1]:
            object.__setattr__(self, "value", (self.value[1], self.value[0]))

    @property
    def total(self) -> int | None:
        return sum(self.value) if isinstance(self.value, tuple) else self.value


@dataclass(frozen=True, slots=True)
class MoveRobber:
    tile: Hex


@dataclass(frozen=True, slots=True)
class Discard:
    player: Player
    goods: Goods


@dataclass(frozen=True, slots=True)
class Steal:
    """Steal one card; its kind may be unknown."""

    victim: Player
    resource: Resource | None = None


@dataclass(frozen=True, slots=True)
class Buy:
    """Pay for a piece; placing it is the next action."""

    piece: Piece


@dataclass(frozen=True, slots=True)
class BuyCard:
    """Buy a development card; its kind may be unknown."""

    card: Card | None = None


@dataclass(frozen=True, slots=True)
class PlaceVillage:
    corner: HexCorner


@dataclass(frozen=True, slots=True)
class PlaceCity:
    corner: HexCorner


@dataclass(frozen=True, slots=True)
class PlaceRoad:
    side: HexSide


@dataclass(frozen=True, slots=True)
class UseKnight:
    pass


@dataclass(frozen=True, slots=True)
class UsePlenty:
    """Take two cards from the bank (fewer only if it holds fewer)."""

    goods: Goods


@dataclass(frozen=True, slots=True)
class UseMonopoly:
    """Take every card of one kind; the kind is named, not the haul."""

    resource: Resource


@dataclass(frozen=True, slots=True)
class UseRoads:
    """Place up to two roads for free."""


@dataclass(frozen=True, slots=True)
class Trade:
    """The current player gives some goods and takes others from a player, or from the bank (0)."""

    give: Goods
    take: Goods
    partner: Player


@dataclass(frozen=True, slots=True)
class EndTurn:
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
