"""Events: what follows from an action by the rules.

CGN records such events, HAN and SGN do not: production, awards that change hands, the cards of a monopoly,
the end of the game. They are found by comparing the state before and after the action.
"""

from msgspec import Struct

from ludograph import settlers
from ludograph.hexil.execution import ActionExecutor
from ludograph.settlers.record import HoldingChange

SETUP_PHASES = ("settle", "pave")
"""The phases of the set-up."""


class PublicState(Struct, frozen=True):
    """The part of a state that is compared: hands, awards, visible points."""

    hands: tuple[settlers.Goods, ...]
    holders: tuple[tuple[settlers.Award, settlers.Player | None], ...]
    points: tuple[int, ...]


class EventDetector:
    """Compares the states before and after every action. Mutable."""

    def __init__(self, executor: ActionExecutor) -> None:
        self._executor = executor
        self.current = read_public_state(executor)
        self.produced: dict[settlers.Player, settlers.Goods] = {}
        """The cards that the bank paid for the last roll, or in the set-up so far."""

    def find_events(self, action: settlers.Action | None, *, in_setup: bool) -> tuple[settlers.Event, ...]:
        """The events that follow from the action just executed; None for a deal."""
        before, self.current = self.current, read_public_state(self._executor)
        gained = find_gains(before.hands, self.current.hands)
        following: list[settlers.Event] = []
        match action:
            case settlers.Roll():
                # On a seven the bank pays nothing, and discards are actions.
                self.produced = gained
                if gained:
                    following.append(settlers.Produced(balance_changes(gained)))
            case settlers.PlaceVillage() if in_setup:
                for player, goods in gained.items():
                    self.produced[player] = self.produced.get(player, settlers.Goods()) + goods
            case settlers.PlaceRoad() if (
                in_setup and self._executor.state.phase() not in SETUP_PHASES and self.produced
            ):
                following.append(settlers.Produced(balance_changes(self.produced)))
            case settlers.UseMonopoly() if gained:
                following.append(settlers.Transferred(balance_changes(gained)))
            case _:
                pass
        for award, holder in self.current.holders:
            if (award, holder) not in before.holders:
                following.append(settlers.Awarded(award, holder))
        return (*following, *self._end())

    def _end(self) -> tuple[settlers.Event, ...]:
        """The end of the game: the winner reveals the point cards."""
        result = self._executor.result
        if result is None or not result.winners:
            return ()
        winner = settlers.Player(result.winners[0])
        shown = int(self._executor.seat(winner, "revealed")["revealed"])
        return (*[settlers.CardPlayed(settlers.Card.POINT, winner)] * shown, settlers.GameOver(winner))


def read_public_state(executor: ActionExecutor) -> PublicState:
    """Read the compared part of a state."""
    seats = [executor.seat(number, "hand", "villages", "cities") for number in range(1, executor.players + 1)]
    table = executor.table("longest", "largest")
    longest, largest = (
        settlers.Player(n + 1) if n is not None else None for n in (table["longest"], table["largest"])
    )
    return PublicState(
        tuple(settlers.Goods(*map(int, seat["hand"])) for seat in seats),
        ((settlers.Award.LONGEST_ROAD, longest), (settlers.Award.LARGEST_ARMY, largest)),
        tuple(
            int(5 - seat["villages"] + 2 * (4 - seat["cities"]))
            + 2 * (longest == number)
            + 2 * (largest == number)
            for number, seat in enumerate(seats, 1)
        ),
    )


def count_scores(executor: ActionExecutor) -> tuple[int, ...]:
    """The points of all players, including those of hidden cards."""
    place = list(settlers.Card).index(settlers.Card.POINT)
    seats = (executor.seat(number, "cards", "fresh") for number in range(1, executor.players + 1))
    secret = (int(seat["cards"][place] + seat["fresh"][place]) for seat in seats)
    return tuple(
        shown + hidden for shown, hidden in zip(read_public_state(executor).points, secret, strict=True)
    )


def find_gains(
    before: tuple[settlers.Goods, ...], after: tuple[settlers.Goods, ...]
) -> dict[settlers.Player, settlers.Goods]:
    """The goods that each player gained; players without a gain are left out.

    >>> from ludograph.settlers import Goods
    >>> find_gains((Goods(), Goods(ore=1)), (Goods(), Goods(ore=2)))
    {2: Goods(ore=1)}
    """
    found = (
        (settlers.Player(n), new - old) for n, (old, new) in enumerate(zip(before, after, strict=True), 1)
    )
    return {player: goods for player, goods in found if goods}


def balance_changes(gained: dict[settlers.Player, settlers.Goods]) -> tuple[HoldingChange, ...]:
    """Gains as a transfer that balances: the bank pays the difference.

    >>> from ludograph.settlers import Goods, Player
    >>> [(player, holding.goods) for player, holding in balance_changes({Player(2): Goods(ore=1)})]
    [(2, Goods(ore=1)), (0, Goods(ore=-1))]
    """
    bank = settlers.Goods()
    for goods in gained.values():
        bank -= goods
    changes = tuple((player, settlers.Holding(gained[player])) for player in sorted(gained))
    return (*changes, (settlers.BANK, settlers.Holding(bank))) if bank else changes
