"""Who sits where: the players counted in turn order, and events with their numbers changed."""

from collections.abc import Iterable
from typing import TypeVar

from ludograph.settlers.actions import Action, Discard, PlaceVillage, Steal, Trade
from ludograph.settlers.goods import BANK, Player
from ludograph.settlers.record import (
    Accepted,
    Act,
    Awarded,
    CardPlayed,
    Change,
    Event,
    GameOver,
    Offered,
    OrderSet,
    PlayerJoins,
    PlayerLeaves,
    PlayerQuits,
    Produced,
    Said,
    Transferred,
    TurnStarts,
    Withdrawn,
)

Seats = dict[Player, Player]
"""For a player's number in a record, the number in turn order."""

SomeEvent = TypeVar("SomeEvent", bound=Event)


def find_seats(events: tuple[Event, ...]) -> Seats:
    """Who sits where: as the record says, or by everybody's first village, or else by number."""
    named = _named(events)
    joined = [event.player for event in events if isinstance(event, PlayerJoins)]
    order = next((event.players for event in reversed(events) if isinstance(event, OrderSet)), ())
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


def _named(events: tuple[Event, ...]) -> set[Player]:
    """Every player who comes, acts or is acted upon."""
    named: set[Player] = set()
    for event in events:
        match event:
            case PlayerJoins(player) | TurnStarts(player):
                named.add(player)
            case OrderSet(players):
                named |= {*players}
            case Transferred(changes, _):
                named |= {player for player, _ in changes}
            case Act(action, player):
                named |= _players_in(action) | ({player} if player is not None else set())
            case _:
                pass
    return named - {BANK}


def _players_in(action: Action) -> set[Player]:
    match action:
        case Discard(player, _):
            return {player}
        case Steal(victim, _):
            return {victim}
        case Trade(_, _, partner):
            return {partner}
        case _:
            return set()


def _first_villages(events: tuple[Event, ...]) -> list[Player]:
    """Who placed a village, in the order of everybody's first."""
    builders = (
        event.player for event in events if isinstance(event, Act) and isinstance(event.action, PlaceVillage)
    )
    return list(dict.fromkeys(player for player in builders if player is not None))


def seated(player: Player | None, seats: Seats) -> Player | None:
    return seats.get(player, player) if player is not None else None


def reseated(event: SomeEvent, seats: Seats) -> SomeEvent:
    """The event with its players' numbers changed; one that names nobody as it is."""
    changed: Event = event
    match event:
        case Act(action, player):
            changed = Act(_reseated_action(action, seats), seated(player, seats))
        case Transferred(changes, offer):
            changed = Transferred(_reseated_changes(changes, seats), offer)
        case Produced(changes):
            changed = Produced(_reseated_changes(changes, seats))
        case Awarded(award, holder):
            changed = Awarded(award, seated(holder, seats))
        case GameOver(winner):
            changed = GameOver(seated(winner, seats))
        case CardPlayed(card, player):
            changed = CardPlayed(card, seated(player, seats))
        case Offered(player, change, answers, offer, is_open):
            asked = _reseated_changes(answers, seats)
            changed = Offered(seats.get(player, player), change, asked, offer, is_open)
        case Withdrawn(player, offer):
            changed = Withdrawn(seats.get(player, player), offer)
        case Accepted(player, offer):
            changed = Accepted(seats.get(player, player), offer)
        case Said(player, text):
            changed = Said(seats.get(player, player), text)
        case PlayerQuits(player):
            changed = PlayerQuits(seats.get(player, player))
        case PlayerLeaves(player):
            changed = PlayerLeaves(seated(player, seats))
        case _:
            pass
    assert isinstance(changed, type(event)), "an event stays of its kind"
    return changed


def _reseated_changes(changes: tuple[Change, ...], seats: Seats) -> tuple[Change, ...]:
    return tuple((seats.get(player, player), holding) for player, holding in changes)


def _reseated_action(action: Action, seats: Seats) -> Action:
    match action:
        case Discard(player, goods):
            return Discard(seats.get(player, player), goods)
        case Steal(victim, resource):
            return Steal(seats.get(victim, victim), resource)
        case Trade(give, take, partner):
            return Trade(give, take, seats.get(partner, partner))
        case _:
            return action
