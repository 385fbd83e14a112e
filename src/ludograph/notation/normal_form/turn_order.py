"""The player to move at each action, derived from the snake order of the set-up and from the turn ends."""

from msgspec import Struct

from ludograph import settlers
from ludograph.settlers.goods import Player
from ludograph.settlers.position import next_in_turn, snake_player


def count_players(record: settlers.Record) -> int | None:
    """The number of players, from the start position or from a complete set-up; None if it is unknown."""
    if record.start is not None:
        return record.start.players
    villages = 0
    for action in record.actions:
        if isinstance(action, settlers.PlaceVillage):
            villages += 1
        elif not isinstance(action, settlers.PlaceRoad):
            return villages // 2 if villages and villages % 2 == 0 else None
    return None


class TurnOrder(Struct):
    """The turn at one point of a record. Mutable."""

    players: int | None
    placed: int
    """The number of villages placed in the set-up, each with its road."""
    turn: int
    acting: Player | None = None
    """Who acts in the turn of another player, with five and six players."""
    special: bool = False
    """Whether there is a special building phase, as a header says."""

    @staticmethod
    def at_start(record: settlers.Record) -> "TurnOrder":
        """The turn order before the first event of a record."""
        start, players = record.start, count_players(record)
        special = ("Special", "yes") in record.headers
        if start is None:
            return TurnOrder(players, 0, 1, None, special)
        placed = sum(len(seat.roads) for seat in start.seats) if start.in_setup else 2 * start.players
        return TurnOrder(players, placed, start.turn, start.acting, special)

    @property
    def in_setup(self) -> bool:
        return self.players is not None and self.placed < 2 * self.players

    def is_setup(self, act: settlers.Act) -> bool:
        """Whether an action belongs to the set-up; an action that places nothing ends the set-up."""
        return self.in_setup and isinstance(act.action, settlers.PlaceVillage | settlers.PlaceRoad)

    def player_of(self, act: settlers.Act) -> Player | None:
        """The player that the event names, or else the expected player."""
        return act.player if act.player is not None else self.expected_player(act)

    def expected_player(self, act: settlers.Act) -> Player | None:
        """The discarding player, or else the player to move; None if the number of players is unknown."""
        if isinstance(act.action, settlers.Discard):
            return act.action.player
        if not self.players:
            return None
        if self.is_setup(act):
            return snake_player(self.placed, self.players)
        return self.acting or Player((self.turn - 1) % self.players + 1)

    def advance(self, act: settlers.Act) -> None:
        """Update the turn after an action."""
        if self.is_setup(act):
            self.placed += isinstance(act.action, settlers.PlaceRoad)
        elif self.players is not None:
            self.placed = 2 * self.players
        if isinstance(act.action, settlers.EndTurn):
            if self.players is None:
                self.turn += 1
            else:
                self.turn, self.acting = next_in_turn(
                    self.turn, self.acting, self.players, special=self.special
                )
