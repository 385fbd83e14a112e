"""What HAN itself says about the order of actions, whatever the rules of the game.

The set-up has a village and its road in turns, twice for every player, and nothing else: no
purchases, no turn ends. HAN leaves the players to the snake order, so the kinds of pieces are all
that a text can get wrong. Later, what is bought is placed by the very next action, and a card for
roads pays for two at most, which follow it at once. No other piece is placed: nothing paid for it.

How long the set-up lasts follows from the start position. Without one nobody knows how many play,
or whether the game is told from its beginning: then any action may come at any time, but for a
turn end right after villages and roads in turns, with which only a set-up begins, and for pieces
that nothing paid for once a card for roads was used, which shows that the set-up is over.
"""

from msgspec import Struct
from msgspec.structs import replace

from ludograph.settlers.actions import PLACED_PIECE, Action, Buy, BuyCard, EndTurn, UseRoads
from ludograph.settlers.goods import Piece, Pieces
from ludograph.settlers.position import MustPlace, Position

FREE_ROADS = 2
SETUP_ROADS = 2
_BUY_IT = {
    Piece.VILLAGE: "write Bv before it",
    Piece.CITY: "write Bc before it",
    Piece.ROAD: "write Br before it; Uo pays for two roads at most, which follow it at once",
}
_PLACE_IT = {Piece.VILLAGE: "write Pv(…)", Piece.CITY: "write Pc(…)", Piece.ROAD: "write Pr(…)"}

Fault = tuple[str, str, str]
"""Code, message, hint."""


class Progress(Struct, frozen=True):
    """Where a game stands, as far as the order of actions goes."""

    roads_owed: int = 0
    """Roads that the set-up still has to place; 0 after it, or if there is no start position."""
    next_piece: Piece = Piece.VILLAGE
    """What the set-up goes on with."""
    just_set_up: bool = False
    """Whether the last action ended the set-up, or may have."""
    owed: tuple[Piece, ...] = ()
    """The pieces that were bought and must be placed now."""
    free: Pieces = Pieces()
    """The pieces that may be placed now without buying them: the roads that a card pays for."""
    is_set_up: bool = False
    """Whether the set-up is known to be complete, so that every piece must be paid for."""
    opening: tuple[Piece, ...] | None = None
    """Without a start position: what an opening of villages and roads in turns has placed last."""

    @staticmethod
    def from_start(start: Position | None) -> "Progress":
        if start is None:
            return Progress(opening=())
        pieces = start.must.pieces if isinstance(start.must, MustPlace) else ()
        if not start.in_setup:
            return Progress(owed=pieces, free=start.may_place, is_set_up=_shows_end_of_setup(start))
        # A set-up in which all roads stand already contradicts itself, and demands nothing.
        placed = sum(len(seat.roads) for seat in start.seats)
        return Progress(max(0, SETUP_ROADS * start.players - placed), pieces[0])

    @property
    def in_setup(self) -> bool:
        """Whether the set-up is known to go on."""
        return self.roads_owed > 0

    def fault_of(self, action: Action) -> Fault | None:
        """What is wrong with an action in this place."""
        placed = PLACED_PIECE.get(type(action))
        if self.owed:
            if placed in self.owed:
                return None
            pieces = " and a ".join(piece.value for piece in self.owed)
            return "NT1108", f"a {pieces} was bought, so placing it comes next", _PLACE_IT[self.owed[0]]
        if isinstance(action, EndTurn) and self._has_no_turn_ends:
            return "NT1107", "the set-up has no turn ends", "leave out the E"
        if placed is not None and self.is_set_up and self.free[placed] <= 0:
            return "NT1109", f"nothing paid for this {placed.value}", _BUY_IT[placed]
        if not self.in_setup or placed is self.next_piece:
            return None
        if isinstance(action, Buy | BuyCard):
            hint = "in the set-up pieces are placed without buying them"
            return "NT1107", "nothing is bought in the set-up", hint
        message = f"the set-up is not complete: a {self.next_piece.value} comes next"
        return "NT1107", message, _PLACE_IT[self.next_piece]

    def after(self, action: Action) -> "Progress":
        """Where the game stands after an action; one that does not belong to the set-up ends it."""
        if isinstance(action, EndTurn) and self._has_no_turn_ends:
            return self
        placed = PLACED_PIECE.get(type(action))
        if placed in self.owed:
            index = self.owed.index(placed)
            return replace(self, owed=self.owed[:index] + self.owed[index + 1 :])
        if self.in_setup and placed is Piece.VILLAGE:
            return replace(self, next_piece=Piece.ROAD)
        if self.in_setup and placed is Piece.ROAD:
            left = self.roads_owed - 1
            return Progress(left, Piece.VILLAGE, just_set_up=left == 0, is_set_up=left == 0)
        opening = _opening_after(self.opening, placed)
        return Progress(
            just_set_up=opening == (Piece.VILLAGE, Piece.ROAD),
            owed=(action.piece,) if isinstance(action, Buy) else (),
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
    """Whether play has begun; a first turn without the roads of the set-up leaves that open."""
    return start.turn > 1 or start.rolled or all(len(seat.roads) >= SETUP_ROADS for seat in start.seats)


def _opening_after(opening: tuple[Piece, ...] | None, placed: Piece | None) -> tuple[Piece, ...] | None:
    match opening, placed:
        case ((() | (Piece.VILLAGE, Piece.ROAD)), Piece.VILLAGE):
            return (Piece.VILLAGE,)
        case (Piece.VILLAGE,), Piece.ROAD:
            return (Piece.VILLAGE, Piece.ROAD)
        case _:
            return None
