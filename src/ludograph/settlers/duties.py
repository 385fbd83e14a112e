"""Duties: actions that a player must take before the turn can continue."""

from msgspec import Struct

from ludograph.settlers.goods import Piece, Player


class MustMoveRobber(Struct, frozen=True):
    """The current player must move the robber now."""


class MustSteal(Struct, frozen=True):
    """The current player must steal a card now."""


class MustDiscard(Struct, frozen=True):
    """These players must discard now."""

    players: tuple[Player, ...]


class MustPlace(Struct, frozen=True):
    """The current player must place these pieces now: bought pieces, or pieces of the set-up."""

    pieces: tuple[Piece, ...]


Must = MustMoveRobber | MustSteal | MustDiscard | MustPlace
