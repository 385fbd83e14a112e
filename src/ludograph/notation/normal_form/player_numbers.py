"""Renumbering of players: CGN and SGN number them in any order, the normal form in turn order."""

from collections.abc import Iterable
from typing import TypeVar

from ludograph import settlers
from ludograph.settlers.goods import BANK, Player
from ludograph.settlers.record import HoldingChange

Renumbering = dict[Player, Player]
"""The number in turn order of each player, by the number in the record."""

SomeEvent = TypeVar("SomeEvent", bound=settlers.Event)


def number_in_turn_order(events: tuple[settlers.Event, ...]) -> Renumbering:
    """Number the players by the stated turn order, else by their first villages, else by their numbers."""
    named = _named_players(events)
    joined = [event.player for event in events if isinstance(event, settlers.PlayerJoins)]
    order = next((event.players for event in reversed(events) if isinstance(event, settlers.OrderSet)), ())
    if order:
        return _renumber_in_order((*order, *sorted(named - {*order})))
    first_villages = _first_villages(events)
    if {*first_villages} == named:
        return _renumber_in_order(first_villages)
    if joined:
        return _renumber_in_order(sorted(named))
    # The record lacks the set-up of some players: keep the numbers, up to the highest.
    return _renumber_in_order(Player(number) for number in range(1, max(named, default=0) + 1))


def _renumber_in_order(players: Iterable[Player]) -> Renumbering:
    return {player: Player(number) for number, player in enumerate(dict.fromkeys(players), start=1)}


def changes_numbers(renumbering: Renumbering) -> bool:
    """Whether the number of any player changes."""
    return any(old != new for old, new in renumbering.items())


ORDER_HEADER = "Order"
"""The header with the numbers of a CGN or SGN record, in turn order: `[Order "3 4 1 2"]`."""


def format_order(renumbering: Renumbering) -> str:
    """The value of the header for a renumbering.

    >>> format_order({Player(3): Player(1), Player(1): Player(2)})
    '3 1'
    """
    return " ".join(str(old) for old, _ in sorted(renumbering.items(), key=lambda pair: pair[1]))


def recorded_numbers(headers: Iterable[tuple[str, str]], players: int | None) -> Renumbering:
    """The number in the record of each player in turn order; empty if they are the same.

    >>> recorded_numbers((("Order", "3 1 2"),), 3)
    {1: 3, 2: 1, 3: 2}
    """
    given = [value.split() for key, value in headers if key == ORDER_HEADER]
    if len(given) != 1 or len(given[0]) != players or not {*given[0]} <= {*"123456"}:
        return {}
    numbers = {Player(turn): Player(int(old)) for turn, old in enumerate(given[0], start=1)}
    return numbers if len({*numbers.values()}) == players and changes_numbers(numbers) else {}


def _named_players(events: tuple[settlers.Event, ...]) -> set[Player]:
    """Every player who joins, acts or is affected by an action."""
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
    """The players who placed a village, in the order of their first villages."""
    builders = (
        event.player
        for event in events
        if isinstance(event, settlers.Act) and isinstance(event.action, settlers.PlaceVillage)
    )
    return list(dict.fromkeys(player for player in builders if player is not None))


def renumber_player(player: Player | None, renumbering: Renumbering) -> Player | None:
    return renumbering.get(player, player) if player is not None else None


def renumber_event(event: SomeEvent, renumbering: Renumbering) -> SomeEvent:
    """The event with the numbers of its players changed."""
    changed: settlers.Event = event
    match event:
        case settlers.Act(action, player):
            changed = settlers.Act(renumber_action(action, renumbering), renumber_player(player, renumbering))
        case settlers.Transferred(changes, offer):
            changed = settlers.Transferred(_renumber_changes(changes, renumbering), offer)
        case settlers.Produced(changes):
            changed = settlers.Produced(_renumber_changes(changes, renumbering))
        case settlers.Awarded(award, holder):
            changed = settlers.Awarded(award, renumber_player(holder, renumbering))
        case settlers.GameOver(winner):
            changed = settlers.GameOver(renumber_player(winner, renumbering))
        case settlers.CardPlayed(card, player):
            changed = settlers.CardPlayed(card, renumber_player(player, renumbering))
        case settlers.Offered(player, change, answers, offer, is_open):
            asked = _renumber_changes(answers, renumbering)
            changed = settlers.Offered(renumbering.get(player, player), change, asked, offer, is_open)
        case settlers.Withdrawn(player, offer):
            changed = settlers.Withdrawn(renumbering.get(player, player), offer)
        case settlers.Accepted(player, offer):
            changed = settlers.Accepted(renumbering.get(player, player), offer)
        case settlers.Said(player, text):
            changed = settlers.Said(renumbering.get(player, player), text)
        case settlers.TurnStarts(player):
            changed = settlers.TurnStarts(renumbering.get(player, player))
        case settlers.PlayerQuits(player):
            changed = settlers.PlayerQuits(renumbering.get(player, player))
        case settlers.PlayerLeaves(player):
            changed = settlers.PlayerLeaves(renumber_player(player, renumbering))
        case _:
            pass
    assert isinstance(changed, type(event)), "renumbering keeps the class of an event"
    return changed


def _renumber_changes(
    changes: tuple[HoldingChange, ...], renumbering: Renumbering
) -> tuple[HoldingChange, ...]:
    return tuple((renumbering.get(player, player), holding) for player, holding in changes)


def renumber_action(action: settlers.Action, renumbering: Renumbering) -> settlers.Action:
    """The action with the numbers of the players that it names changed."""
    match action:
        case settlers.Discard(player, goods):
            return settlers.Discard(renumbering.get(player, player), goods)
        case settlers.Steal(victim, resource):
            return settlers.Steal(renumbering.get(victim, victim), resource)
        case settlers.Trade(give, take, partner):
            return settlers.Trade(give, take, renumbering.get(partner, partner))
        case _:
            return action
