"""Facts: what several checks read from a position, worked out once and total for any position."""

from typing import TYPE_CHECKING

from msgspec import Struct

from ludograph.geometry import Hex, HexCorner, HexSide
from ludograph.settlers.duties import MustDiscard, MustMoveRobber, MustPlace, MustSteal
from ludograph.settlers.goods import Piece, Player, Terrain
from ludograph.settlers.island import Tile

if TYPE_CHECKING:
    from ludograph.settlers.position import Position, Seat


class PositionFacts(Struct, frozen=True):
    """A position with its duty taken apart and its places looked up."""

    position: "Position"
    tiles: dict[Hex, Tile]
    land: frozenset[Hex]
    deserts: tuple[Hex, ...]
    seats: tuple[tuple[Player, "Seat"], ...]
    builders: dict[HexCorner, tuple[Player, ...]]
    """For a corner with buildings: whose they are, one entry for each."""
    pavers: dict[HexSide, tuple[Player, ...]]
    """For a side with roads: whose they are, one entry for each."""
    in_setup: bool
    current: Player | None
    """None only if there are no seats."""
    moves_robber: bool
    steals: bool
    discarders: tuple[Player, ...] | None
    """None if the duty is another."""
    owed: tuple[Piece, ...] | None
    """The pieces that must be placed; None if the duty is another."""

    @property
    def rolls(self) -> int:
        """How often the dice have been rolled: once a turn."""
        return 0 if self.in_setup else max(0, self.position.turn - 1 + self.position.rolled)

    @property
    def is_before_first_roll(self) -> bool:
        return self.position.turn == 1 and not self.position.rolled

    @property
    def turns_are_shared(self) -> bool:
        """With five or six, others than the current player may buy and play cards in a turn (rule 39)."""
        return self.position.players > 4

    def turns_begun(self, player: Player) -> int:
        """How many turns of a player have begun, the current one included."""
        if self.in_setup or self.position.turn < player:
            return 0
        return (self.position.turn - player) // self.position.players + 1

    def turns_to_buy_in(self, player: Player) -> int:
        """At most so many earlier turns in which a player can have bought the cards it may play now."""
        if self.turns_are_shared:
            return self.rolls
        return max(0, self.turns_begun(player) - (player == self.current))

    def turns_to_build_in(self, player: Player) -> int:
        """At most so many turns in which a player can have built, this one included if it has rolled."""
        if self.turns_are_shared:
            return self.rolls
        is_waiting = player == self.current and not self.position.rolled
        return max(0, self.turns_begun(player) - is_waiting)

    def turns_to_play_in(self, player: Player) -> int:
        """At most so many turns in which a player can have played a card: not the first."""
        turns = self.position.turn if self.turns_are_shared else self.turns_begun(player)
        return 0 if self.in_setup else max(0, turns - 1)


def read_facts(position: "Position") -> PositionFacts:
    """The facts of a position, whatever it holds."""
    tiles, must = position.island.tiles, position.must
    seats = tuple((Player(number), seat) for number, seat in enumerate(position.seats, start=1))
    builders: dict[HexCorner, list[Player]] = {}
    pavers: dict[HexSide, list[Player]] = {}
    for player, seat in seats:
        for corner in buildings_of(seat):
            builders.setdefault(corner, []).append(player)
        for side in seat.roads:
            pavers.setdefault(side, []).append(player)
    return PositionFacts(
        position,
        tiles,
        frozenset(place for place, tile in tiles.items() if tile.terrain.is_land),
        tuple(place for place, tile in tiles.items() if tile.terrain is Terrain.DESERT),
        seats,
        {corner: tuple(players) for corner, players in builders.items()},
        {side: tuple(players) for side, players in pavers.items()},
        position.in_setup,
        position.current if seats else None,
        isinstance(must, MustMoveRobber),
        isinstance(must, MustSteal),
        must.players if isinstance(must, MustDiscard) else None,
        must.pieces if isinstance(must, MustPlace) else None,
    )


def buildings_of(seat: "Seat") -> tuple[HexCorner, ...]:
    """Villages and cities, villages first."""
    return (*seat.villages, *seat.cities)
