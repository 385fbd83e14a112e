"""Who sits where: the players counted in turn order, and events with their numbers changed."""

from collections.abc import Iterable
from typing import TypeVar

from ludograph import settlers
from ludograph.settlers.goods import BANK, Player
from ludograph.settlers.record import Change

Seats = dict[Player, Player]
"""For a player's number in a record, the number in turn order."""

SomeEvent = TypeVar("SomeEvent", bound=settlers.Event)


def find_seats(events: tuple[settlers.Event, ...]) -> Seats:
    """Who sits where: as the record says, or by everybody's first village, or else by number."""
    named = _named(events)
    joined = [event.player for event in events if isinstance(event, settlers.PlayerJoins)]
    order = next((event.players for event in reversed(events) if isinstance(event, settlers.OrderSet)), ())
    if order:
        return _in_order((*order, *sorted(named - {*order})))
    first_villages = _first_villages(events)
    if {*first_villages} == named:
        return _in_order(first_villages)
    if joined:
        return _in_order(sorted(named))
    # The set-up is not told for everybody: keep the numbers, and count up to the highest.
    return _in_order(Player(number) for number in range(1, max(named, default=0) + 1))


def _in_order(players: Iterable[Player]) -> Seats:
    return {player: Player(seat) for seat, player in enumerate(dict.fromkeys(players), start=1)}


def is_renumbered(seats: Seats) -> bool:
    """Whether anybody's number changes."""
    return any(old != new for old, new in seats.items())


def _named(events: tuple[settlers.Event, ...]) -> set[Player]:
    """Every player who comes, acts or is acted upon."""
    named: set[Player] = set()
    for event in events:
        match event:
            case settlers.PlayerJoins(player) | settlers.TurnStarts(player):
                named.add(player)
            case settlers.OrderSet(players):
                named |= {*players}
            case settlers.Transferred(changes, _):
                named |= {player for player, _ in changes}
            case settlers.Act(action, player):
                named |= _players_in(action) | ({player} if player is not None else set())
            case _:
                pass
    return named - {BANK}


def _players_in(action: settlers.Action) -> set[Player]:
    match action:
        case settlers.Discard(player, _):
            return {player}
        case settlers.Steal(victim, _):
            return {victim}
        case settlers.Trade(_, _, partner):
            return {partner}
        case _:
            return set()


def _first_villages(events: tuple[settlers.Event, ...]) -> list[Player]:
    """Who placed a village, in the order of everybody's first."""
    builders = (
        event.player
        for event in events
        if isinstance(event, settlers.Act) and isinstance(event.action, settlers.PlaceVillage)
    )
    return list(dict.fromkeys(player for player in builders if player is not None))


def seated(player: Player | None, seats: Seats) -> Player | None:
    return seats.get(player, player) if player is not None else None


def reseated(event: SomeEvent, seats: Seats) -> SomeEvent:
    """The event with its players' numbers changed; one that names nobody as it is."""
    changed: settlers.Event = event
    match event:
        case settlers.Act(action, player):
            changed = settlers.Act(_reseated_action(action, seats), seated(player, seats))
        case settlers.Transferred(changes, offer):
            changed = settlers.Transferred(_reseated_changes(changes, seats), offer)
        case settlers.Produced(changes):
            changed = settlers.Produced(_reseated_changes(changes, seats))
        case settlers.Awarded(award, holder):
            changed = settlers.Awarded(award, seated(holder, seats))
        case settlers.GameOver(winner):
            changed = settlers.GameOver(seated(winner, seats))
        case settlers.CardPlayed(card, player):
            changed = settlers.CardPlayed(card, seated(player, seats))
        case settlers.Offered(player, change, answers, offer, is_open):
            asked = _reseated_changes(answers, seats)
            changed = settlers.Offered(seats.get(player, player), change, asked, offer, is_open)
        case settlers.Withdrawn(player, offer):
            changed = settlers.Withdrawn(seats.get(player, player), offer)
        case settlers.Accepted(player, offer):
            changed = settlers.Accepted(seats.get(player, player), offer)
        case settlers.Said(player, text):
            changed = settlers.Said(seats.get(player, player), text)
        case settlers.PlayerQuits(player):
            changed = settlers.PlayerQuits(seats.get(player, player))
        case settlers.PlayerLeaves(player):
            changed = settlers.PlayerLeaves(seated(player, seats))
        case _:
            pass
    assert isinstance(changed, type(event)), "an event stays of its kind"
    return changed


def _reseated_changes(changes: tuple[Change, ...], seats: Seats) -> tuple[Change, ...]:
    return tuple((seats.get(player, player), holding) for player, holding in changes)


def _reseated_action(action: settlers.Action, seats: Seats) -> settlers.Action:
    match action:
        case settlers.Discard(player, goods):
            return settlers.Discard(seats.get(player, player), goods)
        case settlers.Steal(victim, resource):
            return settlers.Steal(seats.get(victim, victim), resource)
        case settlers.Trade(give, take, partner):
            return settlers.Trade(give, take, seats.get(partner, partner))
        case _:
            return action
