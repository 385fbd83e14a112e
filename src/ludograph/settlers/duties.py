"""What somebody must do before the turn goes on."""

from dataclasses import dataclass

from ludograph.settlers.goods import Piece, Player


@dataclass(frozen=True, slots=True)
class MustMoveRobber:
    """The current player must move the robber now."""


@dataclass(frozen=True, slots=True)
class MustSteal:
    """The current player must steal a card now."""


@dataclass(frozen=True, slots=True)
class MustDiscard:
    """These players must discard now."""

    players: tuple[Player, ...]


@dataclass(frozen=True, slots=True)
class MustPlace:
    """The current player must place these pieces now: bought, or owed in the set-up."""

    pieces: tuple[Piece, ...]


Must = MustMoveRobber | MustSteal | MustDiscard | MustPlace
