"""The rules of HAN about the order of actions, which do not depend on the rules of the game.

In the set-up each player places a village and a road, twice. The set-up has no purchases and no turn
ends. HAN derives the players from the snake order, so only the kinds of the placed pieces can be wrong.
After the set-up, the action after a purchase places the piece. A road building card pays for at most
two roads, which follow it at once. Any other placement is an error, because no purchase pays for it.

The start position determines the length of the set-up. Without a start position the number of players
and the phase of the game are unknown. Then any action is allowed at any time, with two exceptions. A
turn end is an error directly after alternating villages and roads, because only a set-up starts like
this. A placement without a purchase is an error after the first road building card, because that card
shows that the set-up is complete.
"""

from msgspec import Struct
from msgspec.structs import replace

from ludograph.settlers.actions import PLACED_PIECE, Action, Buy, BuyCard, EndTurn, UseRoads
from ludograph.settlers.goods import Piece, Pieces
from ludograph.settlers.position import MustPlace, Position

FREE_ROADS = 2
SETUP_ROADS = 2
_PURCHASE_HINTS = {
    Piece.VILLAGE: "write Bv before it",
    Piece.CITY: "write Bc before it",
    Piece.ROAD: "write Br before it; Uo pays for two roads at most, which follow it at once",
}
_PLACEMENT_HINTS = {Piece.VILLAGE: "write Pv(…)", Piece.CITY: "write Pc(…)", Piece.ROAD: "write Pr(…)"}

OrderError = tuple[str, str, str]
"""Code, message, hint."""


class Progress(Struct, frozen=True):
    """The state of the order of actions at one point of a game."""

    setup_roads: int = 0
    """The number of roads that the set-up still needs; 0 after the set-up or without a start position."""
    next_piece: Piece = Piece.VILLAGE
    """The next piece of the set-up."""
    just_set_up: bool = False
    """Whether the last action completed the set-up, or may have completed it."""
    bought: tuple[Piece, ...] = ()
    """The bought pieces, which must be placed now."""
    free: Pieces = Pieces()
    """The pieces that may be placed without a purchase: the roads of a road building card."""
    is_set_up: bool = False
    """Whether the set-up is complete for certain, so that every piece needs a purchase."""
    opening: tuple[Piece, ...] | None = None
    """Without a start position: the last pieces of an opening of alternating villages and roads."""

    @staticmethod
    def from_start(start: Position | None) -> "Progress":
        if start is None:
            return Progress(opening=())
        pieces = start.must.pieces if isinstance(start.must, MustPlace) else ()
        if not start.in_setup:
            return Progress(bought=pieces, free=start.may_place, is_set_up=_shows_end_of_setup(start))
        # A position in the set-up with all roads placed is contradictory; it requires no placement.
        placed = sum(len(seat.roads) for seat in start.seats)
        return Progress(max(0, SETUP_ROADS * start.players - placed), pieces[0])

    @property
    def in_setup(self) -> bool:
        """Whether the set-up is incomplete for certain."""
        return self.setup_roads > 0

    def fault_of(self, action: Action) -> OrderError | None:
        """The fault of an action at this point; None if it is allowed."""
        placed = PLACED_PIECE.get(type(action))
        if self.bought:
            if placed in self.bought:
                return None
            pieces = " and a ".join(piece.value for piece in self.bought)
            hint = _PLACEMENT_HINTS[self.bought[0]]
            return "NT1108", f"a {pieces} was bought, so the next action must place it", hint
        if isinstance(action, EndTurn) and self._has_no_turn_ends:
            return "NT1107", "the set-up has no turn ends", "leave out the E"
        if placed is not None and self.is_set_up and self.free[placed] <= 0:
            return "NT1109", f"no purchase pays for this {placed.value}", _PURCHASE_HINTS[placed]
        if not self.in_setup or placed is self.next_piece:
            return None
        if isinstance(action, Buy | BuyCard):
            hint = "in the set-up pieces are placed without a purchase"
            return "NT1107", "the set-up has no purchases", hint
        message = f"the set-up is not complete: expected the placement of a {self.next_piece.value}"
        return "NT1107", message, _PLACEMENT_HINTS[self.next_piece]

    def after(self, action: Action) -> "Progress":
        """The state after an action; an action that does not belong to the set-up ends the set-up."""
        if isinstance(action, EndTurn) and self._has_no_turn_ends:
            return self
        placed = PLACED_PIECE.get(type(action))
        if placed in self.bought:
            index = self.bought.index(placed)
            return replace(self, bought=self.bought[:index] + self.bought[index + 1 :])
        if self.in_setup and placed is Piece.VILLAGE:
            return replace(self, next_piece=Piece.ROAD)
        if self.in_setup and placed is Piece.ROAD:
            left = self.setup_roads - 1
            return Progress(left, Piece.VILLAGE, just_set_up=left == 0, is_set_up=left == 0)
        opening = _opening_after(self.opening, placed)
        return Progress(
            just_set_up=opening == (Piece.VILLAGE, Piece.ROAD),
            bought=(action.piece,) if isinstance(action, Buy) else (),
            free=self._free_after(action, placed),
            is_set_up=self.is_set_up or isinstance(action, UseRoads),
            opening=opening,
        )

    def _free_after(self, action: Action, placed: Piece | None) -> Pieces:
        if isinstance(action, UseRoads):
            return Pieces(road=FREE_ROADS)
        if placed is None or self.free[placed] <= 0:
            return Pieces()
        return replace(self.free, **{placed.value: self.free[placed] - 1})

    @property
    def _has_no_turn_ends(self) -> bool:
        return self.in_setup or self.just_set_up


def _shows_end_of_setup(start: Position) -> bool:
    """Whether the set-up is complete for certain; in turn 1 it is only if all its roads are placed."""
    return start.turn > 1 or start.rolled or all(len(seat.roads) >= SETUP_ROADS for seat in start.seats)


def _opening_after(opening: tuple[Piece, ...] | None, placed: Piece | None) -> tuple[Piece, ...] | None:
    match opening, placed:
        case ((() | (Piece.VILLAGE, Piece.ROAD)), Piece.VILLAGE):
            return (Piece.VILLAGE,)
        case (Piece.VILLAGE,), Piece.ROAD:
            return (Piece.VILLAGE, Piece.ROAD)
        case _:
            return None
