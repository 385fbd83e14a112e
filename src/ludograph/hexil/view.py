"""Views: what one player knows of a game. That is everything public, the own hand, and the sizes of other
hands.

A view is made from the view that the rules give, so it cannot contain a secret.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct

from ludograph import settlers
from ludograph.hexil.deals import Counter, Deal, Offer
from ludograph.hexil.layout import Layout
from ludograph.hexil.positions import read_island, read_pieces
from ludograph.play import CHANCE


class SeenSeat(Struct, frozen=True):
    """A player as another player sees it; hidden values are None."""

    cities: tuple[settlers.HexCorner, ...]
    villages: tuple[settlers.HexCorner, ...]
    roads: tuple[settlers.HexSide, ...]
    held: int
    """The number of resource cards."""
    unplayed: int
    """The number of development cards."""
    knights: int
    points: int
    """Visible points."""
    goods: settlers.Goods | None
    cards: settlers.Cards | None
    bought: settlers.Cards | None


class View(Struct, frozen=True):
    """The state of a game as a player or a spectator sees it."""

    player: settlers.Player | None
    """None: a spectator."""
    turn: settlers.Player
    phase: str
    asked: tuple[settlers.Player, ...]
    island: settlers.Island
    robber: settlers.Hex
    seats: tuple[SeenSeat, ...]
    bank: settlers.Goods
    cards_left: int
    largest_army: settlers.Player | None
    longest_road: settlers.Player | None
    offer: Offer | None
    """The open offer; its players are those who have not answered."""
    bid: Counter | None
    """The counter-offer."""
    turn_number: int
    rolled: bool
    card_played: bool
    """Whether a development card was played this turn."""
    free_roads: int
    """The number of free roads that remain of a road building card."""
    winner: settlers.Player | None
    actions: tuple[settlers.Action | Deal, ...]
    """The actions so far, without the stolen and bought cards that the player did not see."""


def make_view(
    data: Mapping[str, Any],
    layout: Layout,
    sea: tuple[settlers.Hex, ...],
    actions: Iterable[tuple[settlers.Player, settlers.Action | Deal]],
    winner: settlers.Player | None,
) -> View:
    """A view from the view of the rules; the winner is public."""
    things: Mapping[str, Any] = data["things"]
    table = things["table"]
    player = _maybe_player(data["you"])
    count = sum(name.startswith("seat#") for name in things)
    pieces = read_pieces(things, layout, count)
    robber = layout.places[table["robber"]]
    assert isinstance(robber, settlers.Hex)
    return View(
        player,
        settlers.Player(data["active"] + 1),
        data["phase"],
        tuple(settlers.Player(number + 1) for number in data["asked"] if number != CHANCE),
        read_island(things, layout, sea),
        robber,
        tuple(_seat(things[f"seat#{number + 1}"], pieces[number]) for number in range(count)),
        settlers.Goods(*table["stock"]),
        table["cards_left()"],
        _maybe_player(table["largest"]),
        _maybe_player(table["longest"]),
        _offer(table),
        _bid(table),
        table["turns"],
        table["rolled"],
        table["played"],
        table["free"] if data["phase"] == "paving" else 0,
        winner,
        tuple(_mask(action, actor, player) for actor, action in actions),
    )


def seen_position(view: View) -> settlers.Position:
    """The part of a position that is visible on the island."""
    seats = tuple(
        settlers.Seat(
            seat.cities, seat.villages, seat.roads, settlers.Goods(), settlers.Cards(), seat.knights
        )
        for seat in view.seats
    )
    return settlers.Position(view.island, seats, view.robber, view.largest_army, view.longest_road)


def _offer(table: Mapping[str, Any]) -> Offer | None:
    if not any(table["give"]):
        return None
    asked = tuple(settlers.Player(number) for number, is_asked in enumerate(table["asked"], 1) if is_asked)
    return Offer(settlers.Goods(*table["give"]), settlers.Goods(*table["get"]), asked)


def _bid(table: Mapping[str, Any]) -> Counter | None:
    """The counter-offer as the bidder sees it: the bidder gives what the active player gets."""
    bidder = _maybe_player(table["bidder"])
    return (
        None
        if bidder is None
        else Counter(bidder, settlers.Goods(*table["bid_get"]), settlers.Goods(*table["bid_give"]))
    )


def _seat(data: Mapping[str, Any], pieces: Mapping[str, list[Any]]) -> SeenSeat:
    return SeenSeat(
        tuple(pieces["cities"]),
        tuple(pieces["villages"]),
        tuple(pieces["roads"]),
        data["held()"],
        data["unplayed()"],
        data["knights"],
        data["shown()"],
        settlers.Goods(*data["hand"]) if "hand" in data else None,
        settlers.Cards(*data["cards"]) if "cards" in data else None,
        settlers.Cards(*data["fresh"]) if "fresh" in data else None,
    )


def _mask(
    action: settlers.Action | Deal, actor: settlers.Player, player: settlers.Player | None
) -> settlers.Action | Deal:
    match action:
        case settlers.Steal(victim) if player not in (actor, victim):
            return settlers.Steal(victim)
        case settlers.BuyCard() if player != actor:
            return settlers.BuyCard()
        case _:
            return action


def _maybe_player(number: int | None) -> settlers.Player | None:
    return settlers.Player(number + 1) if number is not None else None
