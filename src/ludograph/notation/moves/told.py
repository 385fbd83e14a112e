"""Moves: the common way to tell a game, between any two notations.

A game told in moves has a start position (if any notation gave one), every act with its
player, purchases and turn ends spelled out, players numbered in turn order. What a notation
merely repeats (phases, rounds, production, awards) is left out, or kept aside as a claim. Each
event remembers which event of the original it came from, so that a loss can be reported at its
place.
"""

from collections.abc import Iterable

from msgspec import Struct, field
from msgspec.structs import replace

from ludograph import settlers
from ludograph.notation.results import Loss, LossKind, Writing
from ludograph.settlers.goods import Player
from ludograph.settlers.position import snake_player


class Claim(Struct, frozen=True):
    """What a record tells though it follows from the rules; whoever has them can check it."""

    event: settlers.Event
    origin: int
    after: int
    """How many of the moves come before it."""


class Moves(Struct, frozen=True):
    """A game told in moves, where each event came from, and what was lost on the way."""

    record: settlers.Record
    origins: tuple[int | None, ...]
    losses: tuple[Loss, ...] = ()
    claims: tuple[Claim, ...] = ()

    def at_origins(self, writing: Writing) -> Writing:
        """A writing of this record, its losses placed at the events of the original."""
        moved = tuple(
            replace(loss, event=self.origins[loss.event]) if loss.event is not None else loss
            for loss in writing.losses
        )
        return Writing(writing.text, self.losses + moved)


class Telling(Struct):
    """A game while it is being retold. Mutable."""

    events: list[settlers.Event] = field(default_factory=list)
    origins: list[int | None] = field(default_factory=list)
    losses: list[Loss] = field(default_factory=list)
    claims: list[Claim] = field(default_factory=list)

    def tell(self, origin: int | None, *events: settlers.Event) -> None:
        self.events += events
        self.origins += [origin] * len(events)

    def claim(self, origin: int, event: settlers.Event) -> None:
        self.claims.append(Claim(event, origin, len(self.events)))

    def lose(self, kind: LossKind, message: str, origin: int | None = None) -> None:
        self.losses.append(Loss(kind, message, origin))

    def lose_headers(self, headers: Iterable[tuple[str, str]]) -> None:
        for key, _ in headers:
            self.lose(LossKind.LOST, f"the header {key!r}")

    def done(self, start: settlers.Position | None, headers: Iterable[tuple[str, str]] = ()) -> Moves:
        record = settlers.Record(tuple(self.events), start, tuple(headers))
        return Moves(record, tuple(self.origins), tuple(self.losses), tuple(self.claims))


def told(record: settlers.Record) -> Moves:
    """A record that is told in moves already, but for the players: HAN, CCN, HSN."""
    telling = Telling()
    turn = TurnOrder.of(record)
    for index, event in enumerate(record.events):
        if isinstance(event, settlers.Act):
            event = replace(event, player=turn.player_of(event))
            turn.after(event)
        telling.tell(index, event)
    return telling.done(record.start, record.headers)


def count_players(record: settlers.Record) -> int | None:
    """The number of players, from the start position or from a set-up that is told to its end."""
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
    """Whose turn it is, from the set-up's snake and the turn ends. Mutable."""

    players: int | None
    placed: int
    """Villages with their roads placed in the set-up."""
    turn: int

    @staticmethod
    def of(record: settlers.Record) -> "TurnOrder":
        """The turn order at the beginning of a record."""
        start, players = record.start, count_players(record)
        if start is None:
            return TurnOrder(players, 0, 1)
        placed = sum(len(seat.roads) for seat in start.seats) if start.in_setup else 2 * start.players
        return TurnOrder(players, placed, start.turn)

    @property
    def in_setup(self) -> bool:
        return self.players is not None and self.placed < 2 * self.players

    def is_setup(self, act: settlers.Act) -> bool:
        """Whether an act belongs to the set-up; one that places nothing ends it."""
        return self.in_setup and isinstance(act.action, settlers.PlaceVillage | settlers.PlaceRoad)

    def player_of(self, act: settlers.Act) -> Player | None:
        """Who acts: as told, or the discarder, or whose turn it is."""
        return act.player if act.player is not None else self.expected_player(act)

    def expected_player(self, act: settlers.Act) -> Player | None:
        """Who acts, if nobody said so: the discarder, or whose turn it is."""
        if isinstance(act.action, settlers.Discard):
            return act.action.player
        if not self.players:
            return None
        if self.is_setup(act):
            return snake_player(self.placed, self.players)
        return Player((self.turn - 1) % self.players + 1)

    def after(self, act: settlers.Act) -> None:
        """Take note of an act."""
        if self.is_setup(act):
            self.placed += isinstance(act.action, settlers.PlaceRoad)
        elif self.players is not None:
            self.placed = 2 * self.players
        if isinstance(act.action, settlers.EndTurn):
            self.turn += 1
