"""The menu of Hexil: the legal actions of a player, grouped for people.

Places are numbered on the picture of the island in reading order, and listed briefly. Offers, and discards if
there are many, are not listed: a line explains how to type them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from ludograph import settlers
from ludograph.hexil import Accept, Agree, Counter, Deal, Decline, Offer, Refuse, View
from ludograph.hexil.errors import format_action
from ludograph.notation.formulas import format_formula
from ludograph.render.coordinates import place_name
from ludograph.render.descriptions import describe_goods, describe_player
from ludograph.render.terminal_drawing.grid import find_spot
from ludograph.settlers.places import Place

WIDTH = 78
MAX_DISCARDS = 8

PlayableAction = settlers.Action | Deal


@dataclass(frozen=True, slots=True)
class Menu:
    """Lines to print, the numbered actions, and the numbers to draw on the island."""

    lines: list[str]
    numbered: tuple[PlayableAction, ...]
    labels: dict[Place, str]


@dataclass(frozen=True, slots=True)
class _Kind:
    """A group of actions: its heading and its types."""

    heading: str
    types: tuple[type, ...]


_KINDS = (
    _Kind("roll", (settlers.Roll,)),
    _Kind("place a village, Pv(…)", (settlers.PlaceVillage,)),
    _Kind("place a city, Pc(…)", (settlers.PlaceCity,)),
    _Kind("place a road, Pr(…)", (settlers.PlaceRoad,)),
    _Kind("move the robber, M(…)", (settlers.MoveRobber,)),
    _Kind("steal", (settlers.Steal,)),
    _Kind("discard", (settlers.Discard,)),
    _Kind("buy", (settlers.Buy, settlers.BuyCard)),
    _Kind("play a card", (settlers.UseKnight, settlers.UseRoads)),
    _Kind("monopoly, all of a kind", (settlers.UseMonopoly,)),
    _Kind("year of plenty, two cards", (settlers.UsePlenty,)),
    _Kind("trade with the bank, T(give)(get)0", (settlers.Trade,)),
    _Kind("answer", (Accept, Refuse, Counter, Agree, Decline)),
    _Kind("offer", (Offer,)),
    _Kind("end", (settlers.EndTurn,)),
)


def build_menu(view: View, actions: Sequence[PlayableAction]) -> Menu:
    """The menu of a player who has to choose."""
    lines = list(_describe_offer(view))
    numbered: list[PlayableAction] = []
    labels: dict[Place, str] = {}
    for kind in _KINDS:
        found = sorted((one for one in actions if isinstance(one, kind.types)), key=_reading_order)
        if not found:
            continue
        if isinstance(found[0], Offer):
            lines.append("offer: any of your cards, such as `offer G for O` or `offer G2W for O to 2`")
            continue
        if isinstance(found[0], settlers.Discard) and len(found) > MAX_DISCARDS:
            lines.append(_discard_line(found[0], view))
            continue
        first = len(numbered) + 1
        numbered += found
        entries = [_entry(number, action) for number, action in enumerate(found, first)]
        lines += _wrap(kind.heading, entries)
        places = [_place_of(action) for action in found]
        labels |= {place: str(n) for n, place in enumerate(places, first) if place is not None}
    return Menu(lines, tuple(numbered), labels)


def _describe_offer(view: View) -> Sequence[str]:
    """The offer that a player answers, which the choices do not show."""
    who = describe_player(view.turn)
    if view.phase == "answer" and view.offer is not None:
        give, take = describe_goods(view.offer.give), describe_goods(view.offer.take)
        return (f"{who} offers you {give} for {take} of yours; `counter G for O` would give G for O",)
    if view.phase == "consider" and view.bid is not None:
        give, take = describe_goods(view.bid.give), describe_goods(view.bid.take)
        bidder = describe_player(view.bid.player)
        return (f"{bidder} would give you {give} for {take} of yours",)
    return ()


def _discard_line(example: settlers.Discard, view: View) -> str:
    count, formula = example.goods.total, format_formula(example.goods)
    return (
        f"discard: {count} of your {view.seats[example.player - 1].held} cards, such as `discard {formula}`"
    )


def _entry(number: int, action: PlayableAction) -> str:
    place = _place_of(action)
    if place is not None:
        return f"{number} {place_name(place)}"
    words = _describe_action(action)
    return f"{number}) {format_action(action)}{f' {words}' if words else ''}"


def _describe_action(action: PlayableAction) -> str:
    """A description of an action whose text does not explain itself."""
    match action:
        case settlers.Roll():
            return "the dice"
        case settlers.Buy(piece):
            return _PRICES[piece]
        case settlers.BuyCard():
            return "development card (GOW)"
        case settlers.UseKnight():
            return "knight"
        case settlers.UseRoads():
            return "two roads"
        case settlers.Steal(victim):
            return f"from player {victim}"
        case settlers.EndTurn():
            return "the turn"
        case _:
            return ""


_PRICES = {
    settlers.Piece.ROAD: "road (BL)",
    settlers.Piece.VILLAGE: "village (BGLW)",
    settlers.Piece.CITY: "city (G2O3)",
}


def _place_of(action: PlayableAction) -> settlers.Hex | settlers.HexCorner | settlers.HexSide | None:
    match action:
        case settlers.PlaceVillage(corner) | settlers.PlaceCity(corner):
            return corner
        case settlers.PlaceRoad(side):
            return side
        case settlers.MoveRobber(tile):
            return tile
        case _:
            return None


def _reading_order(action: PlayableAction) -> tuple[int, int]:
    """From top to bottom and left to right, as the numbers on the picture; other actions keep their order."""
    place = _place_of(action)
    if place is None:
        return 0, 0
    spot = find_spot(place)
    return spot.line, spot.column


def _wrap(heading: str, entries: list[str]) -> list[str]:
    """A heading and its entries on one line, or in columns below it if they do not fit."""
    beside = f"{heading}: {'   '.join(entries)}"
    if len(beside) <= WIDTH:
        return [beside]
    width = max(map(len, entries)) + 3
    count = (WIDTH - 2) // width
    rows = (entries[start : start + count] for start in range(0, len(entries), count))
    return [f"{heading}:", *("  " + "".join(entry.ljust(width) for entry in row).rstrip() for row in rows)]
