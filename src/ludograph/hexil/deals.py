"""Talking about a trade: offers and what can be said to them.

HAN knows only the trade that comes of it, so these are no actions of HAN. An offer ends when somebody
accepts it, when it is withdrawn, when another one takes its place, with the turn, or when all have refused.
"""

from typing import assert_never

from msgspec import Struct

from ludograph.notation.formulas import format_formula
from ludograph.settlers import Goods, Player


class Offer(Struct, frozen=True):
    """The current player would give some goods and take others, from the first of these who accepts."""

    give: Goods
    take: Goods
    players: tuple[Player, ...]


class Accept(Struct, frozen=True):
    player: Player


class Refuse(Struct, frozen=True):
    player: Player


class Counter(Struct, frozen=True):
    """An asked player answers with another offer: what it would give and take."""

    player: Player
    give: Goods
    take: Goods


class Agree(Struct, frozen=True):
    """The current player takes the offer that was made in answer."""


class Decline(Struct, frozen=True):
    """The current player does not; the others may still accept."""


class Withdraw(Struct, frozen=True):
    """The current player takes its offer back."""


Deal = Offer | Accept | Refuse | Counter | Agree | Decline | Withdraw


def deal_words(deal: Deal) -> str:
    """What is said, as one types it at the table.

    >>> deal_words(Offer(Goods(brick=2), Goods(grain=1), (Player(2), Player(3))))
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
