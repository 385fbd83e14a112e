"""Watching: what follows from an action by the rules, told as events.

CGN tells such things, and HAN and SGN leave them to the reader: production, awards that change hands,
the haul of a monopoly, the end of the game. They are found by comparing what the rules hold before and after.
"""

from msgspec import Struct

from ludograph import settlers
from ludograph.hexil.running import Running
from ludograph.settlers.record import Change

OPENING = ("settle", "pave")
"""The phases of the set-up."""


class Sight(Struct, frozen=True):
    """What a watcher looks at: hands, awards, points on the table."""

    hands: tuple[settlers.Goods, ...]
    holders: tuple[tuple[settlers.Award, settlers.Player | None], ...]
    points: tuple[int, ...]


class EventWatcher:
    """Looks at a game before and after every action. Mutable."""

    def __init__(self, running: Running) -> None:
        self._running = running
        self.sight = see(running)
        self.produced: dict[settlers.Player, settlers.Goods] = {}
        """What the bank paid out: for the last roll, or in the set-up so far."""

    def after(self, action: settlers.Action | None, *, in_setup: bool) -> tuple[settlers.Event, ...]:
        """What follows from the action that was just carried out; None: one that is no action of HAN."""
        before, self.sight = self.sight, see(self._running)
        gained = gains(before.hands, self.sight.hands)
        following: list[settlers.Event] = []
        match action:
            case settlers.Roll():
                # On a seven nobody is paid, and discards are actions of their own.
                self.produced = gained
                if gained:
                    following.append(settlers.Produced(changes_of(gained)))
            case settlers.PlaceVillage() if in_setup:
                for player, goods in gained.items():
                    self.produced[player] = self.produced.get(player, settlers.Goods()) + goods
            case settlers.PlaceRoad() if (
                in_setup and self._running.state.phase() not in OPENING and self.produced
            ):
                following.append(settlers.Produced(changes_of(self.produced)))
            case settlers.UseMonopoly() if gained:
                following.append(settlers.Transferred(changes_of(gained)))
            case _:
                pass
        for award, holder in self.sight.holders:
            if (award, holder) not in before.holders:
                following.append(settlers.Awarded(award, holder))
        return (*following, *self._end())

    def _end(self) -> tuple[settlers.Event, ...]:
        """The end of the game: the winner shows the point cards."""
        result = self._running.result
        if result is None or not result.winners:
            return ()
        winner = settlers.Player(result.winners[0])
        shown = int(self._running.seat(winner, "revealed")["revealed"])
        return (*[settlers.CardPlayed(settlers.Card.POINT, winner)] * shown, settlers.GameOver(winner))


def see(running: Running) -> Sight:
    """What the rules hold now."""
    seats = [running.seat(number, "hand", "villages", "cities") for number in range(1, running.players + 1)]
    table = running.table("longest", "largest")
    longest, largest = (
        settlers.Player(n + 1) if n is not None else None for n in (table["longest"], table["largest"])
    )
    return Sight(
        tuple(settlers.Goods(*map(int, seat["hand"])) for seat in seats),
        ((settlers.Award.LONGEST_ROAD, longest), (settlers.Award.LARGEST_ARMY, largest)),
        tuple(
            int(5 - seat["villages"] + 2 * (4 - seat["cities"]))
            + 2 * (longest == number)
            + 2 * (largest == number)
            for number, seat in enumerate(seats, 1)
        ),
    )


def scores_of(running: Running) -> tuple[int, ...]:
    """The points of all players: those on the table, and those of their cards."""
    place = list(settlers.Card).index(settlers.Card.POINT)
    seats = (running.seat(number, "cards", "fresh") for number in range(1, running.players + 1))
    secret = (int(seat["cards"][place] + seat["fresh"][place]) for seat in seats)
    return tuple(shown + hidden for shown, hidden in zip(see(running).points, secret, strict=True))


def gains(
    before: tuple[settlers.Goods, ...], after: tuple[settlers.Goods, ...]
) -> dict[settlers.Player, settlers.Goods]:
    """What every player gained, without those who did not.

    >>> gains((Goods(), Goods(ore=1)), (Goods(), Goods(ore=2)))
    {2: Goods(ore=1)}
    """
    found = (
        (settlers.Player(n), new - old) for n, (old, new) in enumerate(zip(before, after, strict=True), 1)
    )
    return {player: goods for player, goods in found if goods}


def changes_of(gained: dict[settlers.Player, settlers.Goods]) -> tuple[Change, ...]:
    """Gains as a transfer that balances: what is left over is the bank's.

    >>> [(player, holding.goods) for player, holding in changes_of({Player(2): Goods(ore=1)})]
    [(2, Goods(ore=1)), (0, Goods(ore=-1))]
    """
    bank = settlers.Goods()
    for goods in gained.values():
        bank -= goods
    changes = tuple((player, settlers.Holding(gained[player])) for player in sorted(gained))
    return (*changes, (settlers.BANK, settlers.Holding(bank))) if bank else changes
