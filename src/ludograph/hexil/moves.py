"""Actions as moves of the rules, and moves as actions.

An action becomes one or more steps: a move by its text, who makes it, and what chance must give. What an
action leaves unknown (`R?`, `S?2`, `Bd`) is None there.
"""

from collections.abc import Mapping
from typing import assert_never

from msgspec import Struct

from ludograph.hexil.deals import Accept, Agree, Counter, Deal, Decline, Offer, Refuse, Withdraw
from ludograph.hexil.layout import Layout
from ludograph.play import Move
from ludograph.settlers import (
    BANK,
    Action,
    Buy,
    BuyCard,
    Card,
    Discard,
    EndTurn,
    Goods,
    Hex,
    HexCorner,
    HexSide,
    MoveRobber,
    Piece,
    PlaceCity,
    PlaceRoad,
    PlaceVillage,
    Player,
    Resource,
    Roll,
    Steal,
    Trade,
    UseKnight,
    UseMonopoly,
    UsePlenty,
    UseRoads,
)
from ludograph.settlers.goods import goods_of
from ludograph.settlers.names import place_in_words
from ludograph.settlers.places import Place


class Step(Struct, frozen=True):
    """A move of the rules."""

    text: str
    player: Player | None = None
    """None: the player whose turn it is."""
    chance: tuple[str | None, ...] = ()
    """What chance gives, by its texts; None where it is unknown."""


def steps_of(action: Action | Deal, layout: Layout) -> tuple[Step, ...]:
    """The steps of an action; a trade with the bank is made of a `lot` for every card taken.

    >>> from ludograph.hexil.layout import layout_of
    >>> layout = layout_of((Hex(0, 0),))
    >>> [step.text for step in steps_of(MoveRobber(Hex(0, 0)), layout)]
    ['move_robber(t: island[4][4])']
    """
    match action:
        case Roll(value):
            return (Step("roll", chance=_dice(value)),)
        case PlaceVillage(corner):
            return (Step(f"place_village(c: {_name(layout, corner)})"),)
        case PlaceCity(corner):
            return (Step(f"place_city(c: {_name(layout, corner)})"),)
        case PlaceRoad(side):
            return (Step(f"place_road(s: {_name(layout, side)})"),)
        case MoveRobber(tile):
            return (Step(f"move_robber(t: {_name(layout, tile)})"),)
        case Steal(victim, resource):
            card = resource.value if resource is not None else None
            return (Step(f"steal(victim: seat[{victim - 1}])", chance=(card,)),)
        case Discard(player, goods):
            return (Step(f"discard({_counts('n', goods)})", player),)
        case Buy(piece):
            return (Step(f"buy_{piece.value}"),)
        case BuyCard(card_kind):
            return (Step("buy_card", chance=(card_kind.value if card_kind is not None else None,)),)
        case UseMonopoly(resource):
            return (Step(f"use_monopoly(r: {resource.value})"),)
        case UsePlenty(goods):
            names = [kind.value for kind, count in goods.items() for _ in range(count)]
            words = [f"{place}: {name}" for place, name in zip(_PLACES, names, strict=False)]
            return (Step(f"use_plenty({', '.join([*words, *names[2:]])})"),)
        case UseKnight() | UseRoads() | EndTurn():
            return (Step(_PLAIN[type(action)]),)
        case Trade(give, take, partner) if partner == BANK:
            raise AssertionError("how many steps a trade with the bank takes depends on its rates")
        case Trade(give, take, partner):
            return (*steps_of(Offer(give, take, (partner,)), layout), Step("accept", partner))
        case Offer(give, take, players):
            asked = ", ".join(str(player - 1) for player in sorted(set(players)))
            return (Step(f"propose({_counts('give', give)}, {_counts('get', take)}, to: {{{asked}}})"),)
        case Accept(player):
            return (Step("accept", player),)
        case Refuse(player):
            return (Step("refuse", player),)
        case Counter(player, give, take):
            return (Step(f"counter_propose({_counts('give', give)}, {_counts('want', take)})", player),)
        case Agree() | Decline() | Withdraw():
            return (Step(_PLAIN[type(action)]),)
        case _:
            assert_never(action)


def lot(give: Resource, take: Resource) -> Step:
    """One card from the bank, for as many of a kind as it wants.

    >>> lot(Resource.ORE, Resource.WOOL).text
    'bank_trade(give: ore, get: wool)'
    """
    return Step(f"bank_trade(give: {give.value}, get: {take.value})")


_PLACES = ("first", "second")
_PLAIN: dict[type, str] = {
    UseKnight: "use_knight",
    UseRoads: "use_roads",
    EndTurn: "end",
    Agree: "agree",
    Decline: "decline",
    Withdraw: "withdraw",
}


def _dice(value: tuple[int, int] | int | None) -> tuple[str | None, str | None]:
    """What the two dice give, counted from 0; the lowest pair where only the sum is known."""
    if value is None:
        return None, None
    if isinstance(value, int):
        value = (max(1, value - 6), min(6, value - 1))
    return str(value[0] - 1), str(value[1] - 1)


def _counts(name: str, goods: Goods) -> str:
    return ", ".join(f"{name}: {count}" for count in goods.counts)


def _name(layout: Layout, place: Place) -> str:
    """A place in the rules' words; one that is not on the island keeps a name that the rules refuse."""
    return layout.names.get(place) or place_in_words(place)


# Back


def action_of(
    move: Move, layout: Layout, players: int, rates: Mapping[str, int], wanted: Goods
) -> Action | Deal:
    """The action that a listed move is; chance's part stays unknown.

    `rates` says what the bank wants of each kind, `wanted` what the offer on the table asks for.
    """
    name, words = move.choices[0].name, [choice.text for choice in move.choices[1:] if choice.text]
    player = Player(move.choices[0].chooser + 1)
    match name:
        case "place_village":
            return PlaceVillage(_corner(layout, words[0]))
        case "place_city":
            return PlaceCity(_corner(layout, words[0]))
        case "place_road":
            side = layout.places[words[0]]
            assert isinstance(side, HexSide)
            return PlaceRoad(side)
        case "move_robber":
            tile = layout.places[words[0]]
            assert isinstance(tile, Hex)
            return MoveRobber(tile)
        case "discard":
            return Discard(player, Goods(*map(int, words)))
        case "steal":
            return Steal(Player(int(words[0].removeprefix("seat[").removesuffix("]")) + 1))
        case "use_monopoly":
            return UseMonopoly(_RESOURCES[words[0]])
        case "use_plenty":
            return UsePlenty(_sum(words))
        case "bank_trade":
            give, take = words
            return Trade(goods_of(_RESOURCES[give], rates[give]), goods_of(_RESOURCES[take]), BANK)
        case "offer":
            give, count, take = words
            others = tuple(Player(number) for number in range(1, players + 1) if number != player)
            return Offer(goods_of(_RESOURCES[give], int(count)), goods_of(_RESOURCES[take]), others)
        case "accept":
            return Accept(player)
        case "refuse":
            return Refuse(player)
        case "counter":
            return Counter(player, wanted, goods_of(_RESOURCES[words[0]]))
        case _:
            return _SIMPLE[name]


def _corner(layout: Layout, name: str) -> HexCorner:
    corner = layout.places[name]
    assert isinstance(corner, HexCorner)
    return corner


def _sum(names: list[str]) -> Goods:
    total = Goods()
    for name in names:
        total += goods_of(_RESOURCES[name])
    return total


_RESOURCES = {kind.value: kind for kind in Resource}
CARDS = {card.value: card for card in Card}
_SIMPLE: dict[str, Action | Deal] = {
    "roll": Roll(),
    "buy_village": Buy(Piece.VILLAGE),
    "buy_city": Buy(Piece.CITY),
    "buy_road": Buy(Piece.ROAD),
    "buy_card": BuyCard(),
    "use_knight": UseKnight(),
    "use_roads": UseRoads(),
    "end": EndTurn(),
    "agree": Agree(),
    "decline": Decline(),
}


def filled(action: Action | Deal, given: list[str]) -> Action | Deal:
    """An action with what chance gave in the place of what was unknown, and the players of an offer in order.

    >>> filled(Steal(Player(2)), ["ore"])
    Steal(victim=2, resource=Resource.ORE)
    """
    match action:
        case Roll():
            first, second = sorted(int(text) + 1 for text in given)
            return Roll((first, second))
        case Steal(victim):
            return Steal(victim, _RESOURCES[given[0]])
        case BuyCard():
            return BuyCard(CARDS[given[0]])
        case Offer(give, take, players):
            return Offer(give, take, tuple(sorted(set(players))))
        case _:
            return action
