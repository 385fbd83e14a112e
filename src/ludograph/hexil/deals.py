"""Deals: offers of trades between players, and the answers to them.

HAN records only the completed trade, so deals are not actions of HAN. An offer ends when a player accepts it,
when it is withdrawn or replaced by another offer, when all players have refused it, or with the turn.
"""

from typing import assert_never

from msgspec import Struct

from ludograph.notation.formulas import format_formula
from ludograph.settlers import Goods, Player


class Offer(Struct, frozen=True):
    """The current player offers to give some goods for others, to the first of these players who accepts."""

    give: Goods
    take: Goods
    players: tuple[Player, ...]


class Accept(Struct, frozen=True):
    player: Player


class Refuse(Struct, frozen=True):
    player: Player


class Counter(Struct, frozen=True):
    """A player answers an offer with another one: what that player would give and take."""

    player: Player
    give: Goods
    take: Goods


class Agree(Struct, frozen=True):
    """The current player accepts a counter-offer."""


class Decline(Struct, frozen=True):
    """The current player declines a counter-offer; the other players may still accept."""


class Withdraw(Struct, frozen=True):
    """The current player withdraws the offer."""


Deal = Offer | Accept | Refuse | Counter | Agree | Decline | Withdraw


def format_deal(deal: Deal) -> str:
    """A deal as text, as it is typed.

    >>> format_deal(Offer(Goods(brick=2), Goods(grain=1), (Player(2), Player(3))))
    'offer B2 for G to 2 3'
    """
    match deal:
        case Offer(give, take, players):
            asked = " ".join(str(player) for player in players) or "nobody"
            return f"offer {format_formula(give)} for {format_formula(take)} to {asked}"
        case Counter(_, give, take):
            return f"counter {format_formula(give)} for {format_formula(take)}"
        case Accept() | Refuse() | Agree() | Decline() | Withdraw():
            return type(deal).__name__.lower()
        case _:
            assert_never(deal)
