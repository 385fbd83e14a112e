"""What HAN itself says about the order of actions, whatever the rules of the game.

The set-up has placements only, without purchases and turn ends, and what is bought is placed by
the very next action. How long the set-up lasts follows from the start position; without one,
turn ends are refused only right after villages and roads in turns, with which a set-up begins.
"""

from dataclasses import dataclass, replace

from ludograph.settlers.actions import PLACED_PIECE, Action, Buy, BuyCard, EndTurn
from ludograph.settlers.goods import Piece
from ludograph.settlers.position import MustPlace, Position

_PLACE_IT = {Piece.VILLAGE: "write Pv(…)", Piece.CITY: "write Pc(…)", Piece.ROAD: "write Pr(…)"}

Fault = tuple[str, str, str]
"""Code, message, hint."""


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a game stands, as far as the order of actions goes."""

    roads_owed: int = 0
    """Roads that the set-up still has to place; 0 after it, or if there is no start position."""
    owed: Piece | None = None
    """The piece that was bought and must be placed now."""
    opening: tuple[Piece, ...] | None = None
    """Without a start position: what an opening of villages and roads in turns has placed last."""

    @staticmethod
    def from_start(start: Position | None) -> "Progress":
        if start is None:
            return Progress(opening=())
        if start.in_setup:
            return Progress(2 * start.players - sum(len(seat.roads) for seat in start.seats))
        pieces = start.must.pieces if isinstance(start.must, MustPlace) else ()
        return Progress(owed=pieces[0] if pieces else None)

    def fault_of(self, action: Action) -> Fault | None:
        """What is wrong with an action in this place."""
        placed = PLACED_PIECE.get(type(action))
        if self.owed is not None:
            if placed is self.owed:
                return None
            return "NT1108", f"a {self.owed.value} was bought, so placing it comes next", _PLACE_IT[self.owed]
        if isinstance(action, EndTurn) and (self.roads_owed or self.opening == (Piece.VILLAGE, Piece.ROAD)):
            return "NT1107", "the set-up has no turn ends", "leave out the E"
        if self.roads_owed and isinstance(action, Buy | BuyCard):
            return (
                "NT1107",
                "nothing is bought in the set-up",
                "in the set-up pieces are placed without buying them",
            )
        return None

    def after(self, action: Action) -> "Progress":
        """Where the game stands after an action, faulty or not."""
        placed = PLACED_PIECE.get(type(action))
        if self.roads_owed and placed in (Piece.VILLAGE, Piece.ROAD):
            return replace(self, roads_owed=self.roads_owed - (placed is Piece.ROAD))
        if isinstance(action, EndTurn) and self.opening:
            return self
        return Progress(
            owed=action.piece if isinstance(action, Buy) else None,
            opening=_opening_after(self.opening, placed),
        )


def _opening_after(opening: tuple[Piece, ...] | None, placed: Piece | None) -> tuple[Piece, ...] | None:
    match opening, placed:
        case ((() | (Piece.VILLAGE, Piece.ROAD)), Piece.VILLAGE):
            return (Piece.VILLAGE,)
        case (Piece.VILLAGE,), Piece.ROAD:
            return (Piece.VILLAGE, Piece.ROAD)
        case _:
            return None
