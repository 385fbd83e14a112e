"""What one player knows of a game: everything on the table, the own hand, and how many cards the others hold.

It is made from the view that the rules give, so a secret cannot slip in.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct

from ludograph.hexil.deals import Counter, Deal, Offer
from ludograph.hexil.layout import Layout
from ludograph.hexil.positions import read_island, read_pieces
from ludograph.play import CHANCE
from ludograph.settlers import (
    Action,
    BuyCard,
    Cards,
    Goods,
    Hex,
    HexCorner,
    HexSide,
    Island,
    Player,
    Steal,
)


class SeenSeat(Struct, frozen=True):
    """A player as another one sees it; what is secret is None."""

    cities: tuple[HexCorner, ...]
    villages: tuple[HexCorner, ...]
    roads: tuple[HexSide, ...]
    held: int
    """How many resource cards."""
    unplayed: int
    """How many development cards."""
    knights: int
    points: int
    """Those on the table."""
    goods: Goods | None
    cards: Cards | None
    bought: Cards | None


class View(Struct, frozen=True):
    """What a player or a spectator knows."""

    player: Player | None
    """None: a spectator."""
    turn: Player
    phase: str
    asked: tuple[Player, ...]
    island: Island
    robber: Hex
    seats: tuple[SeenSeat, ...]
    bank: Goods
    cards_left: int
    largest_army: Player | None
    longest_road: Player | None
    offer: Offer | None
    """The offer on the table; its players are those who have not answered."""
    bid: Counter | None
    """The offer that somebody made in answer."""
    turn_number: int
    rolled: bool
    card_played: bool
    """Whether a development card was played this turn."""
    free_roads: int
    """How many roads a road building card still gives."""
    winner: Player | None
    actions: tuple[Action | Deal, ...]
    """What happened, without the stolen and bought cards that the player did not see."""


def view_from(
    data: Mapping[str, Any],
    layout: Layout,
    sea: tuple[Hex, ...],
    actions: Iterable[tuple[Player, Action | Deal]],
    winner: Player | None,
) -> View:
    """A view from that of the rules; who has won everybody knows."""
    things: Mapping[str, Any] = data["things"]
    table = things["table"]
    player = _maybe_player(data["you"])
    count = sum(name.startswith("seat#") for name in things)
    pieces = read_pieces(things, layout, count)
    robber = layout.places[table["robber"]]
    assert isinstance(robber, Hex)
    return View(
        player,
        Player(data["active"] + 1),
        data["phase"],
        tuple(Player(number + 1) for number in data["asked"] if number != CHANCE),
        read_island(things, layout, sea),
        robber,
        tuple(_seat(things[f"seat#{number + 1}"], pieces[number]) for number in range(count)),
        Goods(*table["stock"]),
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
        tuple(_masked(action, actor, player) for actor, action in actions),
    )


def _offer(table: Mapping[str, Any]) -> Offer | None:
    if not any(table["give"]):
        return None
    asked = tuple(Player(number) for number, is_asked in enumerate(table["asked"], 1) if is_asked)
    return Offer(Goods(*table["give"]), Goods(*table["get"]), asked)


def _bid(table: Mapping[str, Any]) -> Counter | None:
    """From the other side of the table: what the rules say the active player would get, the bidder gives."""
    bidder = _maybe_player(table["bidder"])
    return None if bidder is None else Counter(bidder, Goods(*table["bid_get"]), Goods(*table["bid_give"]))


def _seat(data: Mapping[str, Any], pieces: Mapping[str, list[Any]]) -> SeenSeat:
    return SeenSeat(
        tuple(pieces["cities"]),
        tuple(pieces["villages"]),
        tuple(pieces["roads"]),
        data["held()"],
        data["unplayed()"],
        data["knights"],
        data["shown()"],
        Goods(*data["hand"]) if "hand" in data else None,
        Cards(*data["cards"]) if "cards" in data else None,
        Cards(*data["fresh"]) if "fresh" in data else None,
    )


def _masked(action: Action | Deal, actor: Player, player: Player | None) -> Action | Deal:
    match action:
        case Steal(victim) if player not in (actor, victim):
            return Steal(victim)
        case BuyCard() if player != actor:
            return BuyCard()
        case _:
            return action


def _maybe_player(number: int | None) -> Player | None:
    return Player(number + 1) if number is not None else None
