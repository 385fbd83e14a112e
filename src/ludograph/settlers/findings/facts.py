"""Facts about a position that several checks use, computed once and defined for any position."""

from typing import TYPE_CHECKING

from msgspec import Struct

from ludograph.geometry import Hex, HexCorner, HexSide
from ludograph.settlers.duties import MustDiscard, MustMoveRobber, MustPlace, MustSteal
from ludograph.settlers.goods import Piece, Player, Terrain
from ludograph.settlers.island import Tile

if TYPE_CHECKING:
    from ludograph.settlers.position import Position, Seat


class PositionFacts(Struct, frozen=True):
    """A position with its duty, its tiles and the owners of its pieces."""

    position: "Position"
    tiles: dict[Hex, Tile]
    land: frozenset[Hex]
    deserts: tuple[Hex, ...]
    seats: tuple[tuple[Player, "Seat"], ...]
    building_owners: dict[HexCorner, tuple[Player, ...]]
    """The owners of the buildings on each corner, one entry for each building."""
    road_owners: dict[HexSide, tuple[Player, ...]]
    """The owners of the roads on each side, one entry for each road."""
    in_setup: bool
    current: Player | None
    """The player to move; None if no such player exists."""
    moves_robber: bool
    steals: bool
    discarders: tuple[Player, ...] | None
    """The players who must discard; None for another duty."""
    pieces_to_place: tuple[Piece, ...] | None
    """The pieces that must be placed; None for another duty."""

    @property
    def rolls(self) -> int:
        """The number of rolls so far: one in each turn."""
        return 0 if self.in_setup else max(0, self.position.turn - 1 + self.position.rolled)

    @property
    def is_before_first_roll(self) -> bool:
        return self.position.turn == 1 and not self.position.rolled

    @property
    def turns_are_shared(self) -> bool:
        """Whether other players may buy and play cards in a turn: with five or six players (rule 39)."""
        return self.position.players > 4

    def turns_begun(self, player: Player) -> int:
        """The number of turns of a player so far, including the current turn."""
        if self.in_setup or self.position.turn < player:
            return 0
        return (self.position.turn - player) // self.position.players + 1

    def turns_to_buy_in(self, player: Player) -> int:
        """The maximum number of earlier turns in which a player can have bought cards."""
        if self.turns_are_shared:
            return self.rolls
        return max(0, self.turns_begun(player) - (player == self.current))

    def turns_to_build_in(self, player: Player) -> int:
        """The maximum number of turns in which a player can have built; this turn counts after the roll."""
        if self.turns_are_shared:
            return self.rolls
        has_not_rolled = player == self.current and not self.position.rolled
        return max(0, self.turns_begun(player) - has_not_rolled)

    def turns_to_play_in(self, player: Player) -> int:
        """The maximum number of turns in which a player can have played a card: all but the first."""
        turns = self.position.turn if self.turns_are_shared else self.turns_begun(player)
        return 0 if self.in_setup else max(0, turns - 1)


def read_facts(position: "Position") -> PositionFacts:
    """The facts of a position."""
    tiles, must = position.island.tiles, position.must
    seats = tuple((Player(number), seat) for number, seat in enumerate(position.seats, start=1))
    building_owners: dict[HexCorner, list[Player]] = {}
    road_owners: dict[HexSide, list[Player]] = {}
    for player, seat in seats:
        for corner in buildings_of(seat):
            building_owners.setdefault(corner, []).append(player)
        for side in seat.roads:
            road_owners.setdefault(side, []).append(player)
    return PositionFacts(
        position,
        tiles,
        frozenset(place for place, tile in tiles.items() if tile.terrain.is_land),
        tuple(place for place, tile in tiles.items() if tile.terrain is Terrain.DESERT),
        seats,
        {corner: tuple(players) for corner, players in building_owners.items()},
        {side: tuple(players) for side, players in road_owners.items()},
        position.in_setup,
        position.current if _has_current(position) else None,
        isinstance(must, MustMoveRobber),
        isinstance(must, MustSteal),
        must.players if isinstance(must, MustDiscard) else None,
        must.pieces if isinstance(must, MustPlace) else None,
    )


def _has_current(position: "Position") -> bool:
    """Whether the player to move exists: there are seats, and the acting player has one."""
    return position.players > 0 and (position.acting is None or 1 <= position.acting <= position.players)


def buildings_of(seat: "Seat") -> tuple[HexCorner, ...]:
    """Villages and cities, villages first."""
    return (*seat.villages, *seat.cities)
