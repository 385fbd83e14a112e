"""Shown games: what a picture shows of the seats, the bank and the end of a game.

A position knows everything. A player of a running game knows less: hidden hands are None, and only their
sizes are known.
"""

from collections.abc import Sequence
from functools import lru_cache

from msgspec import Struct

from ludograph import settlers
from ludograph.settlers.standard import SUPPLY
from ludograph.settlers.standings import measure_roads


class ShownSeat(Struct, frozen=True):
    """A seat as a picture shows it."""

    left: settlers.Pieces
    """The pieces that are not placed yet."""
    held: int
    """The number of resource cards."""
    unplayed: int
    """The number of development cards, with those bought in this turn."""
    knights: int
    points: int
    road_length: int | None
    """None: it has too many roads to measure them."""
    goods: settlers.Goods | None
    """None: hidden."""
    cards: settlers.Cards | None
    """Development cards without those bought in this turn; None: hidden."""
    bought: settlers.Cards
    """Development cards bought in this turn, as far as they are known."""


class ShownGame(Struct, frozen=True):
    """A game as a picture shows it."""

    seats: tuple[ShownSeat, ...]
    current: int | None
    """The player to move; None: nobody, because the game is over."""
    bank: settlers.Goods | None
    largest_army: int | None
    longest_road: int | None
    cards_left: int | None = None
    """The number of development cards that nobody has bought; None: unknown."""
    winner: int | None = None
    names: tuple[str, ...] = ()
    """What the players are called; empty: by their numbers."""


def show_position(
    position: settlers.Position, *, winner: int | None = None, cards_left: int | None = None
) -> ShownGame:
    """Everything that a position knows."""
    if not position.seats:
        return ShownGame((), None, None, None, None)
    current = position.current
    scores, lengths = position.scores(), list_road_lengths(position)
    seats = tuple(
        ShownSeat(
            position.pieces_left(player),
            seat.goods.total,
            seat.cards.total + (position.bought.total if player == current else 0),
            seat.knights,
            scores[player - 1],
            lengths[player - 1],
            seat.goods,
            seat.cards,
            position.bought if player == current else settlers.Cards(),
        )
        for player, seat in enumerate(position.seats, start=1)
    )
    return ShownGame(
        seats,
        current if winner is None else None,
        position.bank,
        position.largest_army,
        position.longest_road,
        cards_left,
        winner,
    )


def list_road_lengths(position: settlers.Position) -> Sequence[int | None]:
    """The length of each player's longest road; None for players with more roads than the supply has."""
    if any(len(seat.roads) > SUPPLY.road for seat in position.seats):
        return (None,) * len(position.seats)
    return _measure(tuple((seat.roads, seat.villages, seat.cities) for seat in position.seats))


@lru_cache(maxsize=256)
def _measure(
    pieces: tuple[
        tuple[tuple[settlers.HexSide, ...], tuple[settlers.HexCorner, ...], tuple[settlers.HexCorner, ...]],
        ...,
    ],
) -> tuple[int, ...]:
    """The road lengths of the pieces of all players, which stay the same during most turns."""
    seats = tuple(settlers.Seat(cities, villages, roads) for roads, villages, cities in pieces)
    return measure_roads(settlers.Position(settlers.Island(()), seats, None))
