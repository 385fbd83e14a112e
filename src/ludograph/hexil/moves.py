"""Translation between actions and moves of the rules.

An action becomes one or more steps: the text of a move, the player, and the outcome of chance. None is an
outcome that the action leaves open (`R?`, `S?2`, `Bd`).
"""

from collections.abc import Mapping
from typing import assert_never

from msgspec import Struct

from ludograph import settlers
from ludograph.hexil.deals import Accept, Agree, Counter, Deal, Decline, Offer, Refuse, Withdraw
from ludograph.hexil.layout import Layout
from ludograph.play import Move
from ludograph.settlers.goods import goods_of
from ludograph.settlers.names import place_in_words
from ludograph.settlers.places import Place


class Step(Struct, frozen=True):
    """A move of the rules."""

    text: str
    player: settlers.Player | None = None
    """None: the player whose turn it is."""
    chance: tuple[str | None, ...] = ()
    """The outcomes of chance as texts; None if an outcome is open."""


def list_steps(action: settlers.Action | Deal, layout: Layout) -> tuple[Step, ...]:
    """The steps of an action. A trade with the bank has one step for each card taken; see `bank_trade_step`.

    >>> from ludograph.hexil.layout import layout_of
    >>> layout = layout_of((settlers.Hex(0, 0),))
    >>> [step.text for step in list_steps(settlers.MoveRobber(settlers.Hex(0, 0)), layout)]
    ['move_robber(t: island[4][4])']
    """
    match action:
        case settlers.Roll(value):
            return (Step("roll", chance=_dice(value)),)
        case settlers.PlaceVillage(corner):
            return (Step(f"place_village(c: {_name(layout, corner)})"),)
        case settlers.PlaceCity(corner):
            return (Step(f"place_city(c: {_name(layout, corner)})"),)
        case settlers.PlaceRoad(side):
            return (Step(f"place_road(s: {_name(layout, side)})"),)
        case settlers.MoveRobber(tile):
            return (Step(f"move_robber(t: {_name(layout, tile)})"),)
        case settlers.Steal(victim, resource):
            card = resource.value if resource is not None else None
            return (Step(f"steal(victim: seat[{victim - 1}])", chance=(card,)),)
        case settlers.Discard(player, goods):
            return (Step(f"discard({_counts('n', goods)})", player),)
        case settlers.Buy(piece):
            return (Step(f"buy_{piece.value}"),)
        case settlers.BuyCard(card_kind):
            return (Step("buy_card", chance=(card_kind.value if card_kind is not None else None,)),)
        case settlers.UseMonopoly(resource):
            return (Step(f"use_monopoly(r: {resource.value})"),)
        case settlers.UsePlenty(goods):
            names = [kind.value for kind, count in goods.items() for _ in range(count)]
            words = [f"{place}: {name}" for place, name in zip(_PLACES, names, strict=False)]
            return (Step(f"use_plenty({', '.join([*words, *names[2:]])})"),)
        case settlers.UseKnight() | settlers.UseRoads() | settlers.EndTurn():
            return (Step(_PLAIN[type(action)]),)
        case settlers.Trade(give, take, partner) if partner == settlers.BANK:
            raise AssertionError("the number of steps of a trade with the bank depends on its rates")
        case settlers.Trade(give, take, partner):
            return (*list_steps(Offer(give, take, (partner,)), layout), Step("accept", partner))
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


MAX_CARDS = 120
"""The resource cards of the largest game; an action with more of them is never legal."""


def count_cards(action: settlers.Action | Deal) -> int:
    """The number of resource cards that an action names on its larger side.

    >>> count_cards(settlers.UsePlenty(settlers.Goods(ore=2)))
    2
    """
    match action:
        case settlers.Trade(give, take) | Offer(give, take) | Counter(_, give, take):
            return max(give.total, take.total)
        case settlers.UsePlenty(goods) | settlers.Discard(_, goods):
            return goods.total
        case _:
            return 0


def bank_trade_step(give: settlers.Resource, take: settlers.Resource) -> Step:
    """A trade of one card from the bank, at the bank's rate.

    >>> bank_trade_step(settlers.Resource.ORE, settlers.Resource.WOOL).text
    'bank_trade(give: ore, get: wool)'
    """
    return Step(f"bank_trade(give: {give.value}, get: {take.value})")


_PLACES = ("first", "second")
_PLAIN: dict[type, str] = {
    settlers.UseKnight: "use_knight",
    settlers.UseRoads: "use_roads",
    settlers.EndTurn: "end",
    Agree: "agree",
    Decline: "decline",
    Withdraw: "withdraw",
}


def _dice(value: tuple[int, int] | int | None) -> tuple[str | None, str | None]:
    """The outcomes of the two dice, counted from 0; the lowest pair if only the sum is known."""
    if value is None:
        return None, None
    if isinstance(value, int):
        value = (max(1, value - 6), min(6, value - 1))
    return str(value[0] - 1), str(value[1] - 1)


def _counts(name: str, goods: settlers.Goods) -> str:
    return ", ".join(f"{name}: {count}" for count in goods.counts)


def _name(layout: Layout, place: Place) -> str:
    """The name of a place in the rules; a place off the island gets a name that the rules refuse."""
    return layout.names.get(place) or place_in_words(place)


# From moves to actions


def parse_move(
    move: Move, layout: Layout, players: int, rates: Mapping[str, int], wanted: settlers.Goods
) -> settlers.Action | Deal:
    """The action of a listed move; outcomes of chance stay open.

    `rates` is the bank's rate for each kind of card, `wanted` the goods that the current offer asks for.
    """
    name, words = move.choices[0].name, [choice.text for choice in move.choices[1:] if choice.text]
    player = settlers.Player(move.choices[0].chooser + 1)
    match name:
        case "place_village":
            return settlers.PlaceVillage(_corner(layout, words[0]))
        case "place_city":
            return settlers.PlaceCity(_corner(layout, words[0]))
        case "place_road":
            side = layout.places[words[0]]
            assert isinstance(side, settlers.HexSide)
            return settlers.PlaceRoad(side)
        case "move_robber":
            tile = layout.places[words[0]]
            assert isinstance(tile, settlers.Hex)
            return settlers.MoveRobber(tile)
        case "discard":
            return settlers.Discard(player, settlers.Goods(*map(int, words)))
        case "steal":
            return settlers.Steal(settlers.Player(int(words[0].removeprefix("seat[").removesuffix("]")) + 1))
        case "use_monopoly":
            return settlers.UseMonopoly(_RESOURCES[words[0]])
        case "use_plenty":
            return settlers.UsePlenty(_sum(words))
        case "bank_trade":
            give, take = words
            return settlers.Trade(
                goods_of(_RESOURCES[give], rates[give]), goods_of(_RESOURCES[take]), settlers.BANK
            )
        case "offer":
            give, count, take = words
            others = tuple(settlers.Player(number) for number in range(1, players + 1) if number != player)
            return Offer(goods_of(_RESOURCES[give], int(count)), goods_of(_RESOURCES[take]), others)
        case "accept":
            return Accept(player)
        case "refuse":
            return Refuse(player)
        case "counter":
            return Counter(player, wanted, goods_of(_RESOURCES[words[0]]))
        case _:
            return _SIMPLE[name]


def _corner(layout: Layout, name: str) -> settlers.HexCorner:
    corner = layout.places[name]
    assert isinstance(corner, settlers.HexCorner)
    return corner


def _sum(names: list[str]) -> settlers.Goods:
    total = settlers.Goods()
    for name in names:
        total += goods_of(_RESOURCES[name])
    return total


_RESOURCES = {kind.value: kind for kind in settlers.Resource}
CARDS = {card.value: card for card in settlers.Card}
_SIMPLE: dict[str, settlers.Action | Deal] = {
    "roll": settlers.Roll(),
    "buy_village": settlers.Buy(settlers.Piece.VILLAGE),
    "buy_city": settlers.Buy(settlers.Piece.CITY),
    "buy_road": settlers.Buy(settlers.Piece.ROAD),
    "buy_card": settlers.BuyCard(),
    "use_knight": settlers.UseKnight(),
    "use_roads": settlers.UseRoads(),
    "end": settlers.EndTurn(),
    "agree": Agree(),
    "decline": Decline(),
}


def fill_chance(action: settlers.Action | Deal, given: list[str]) -> settlers.Action | Deal:
    """An action with the outcomes of chance filled in, and with the players of an offer in order.

    >>> fill_chance(settlers.Steal(settlers.Player(2)), ["ore"])
    Steal(victim=2, resource=Resource.ORE)
    """
    match action:
        case settlers.Roll():
            first, second = sorted(int(text) + 1 for text in given)
            return settlers.Roll((first, second))
        case settlers.Steal(victim):
            return settlers.Steal(victim, _RESOURCES[given[0]])
        case settlers.BuyCard():
            return settlers.BuyCard(CARDS[given[0]])
        case Offer(give, take, players):
            return Offer(give, take, tuple(sorted(set(players))))
        case _:
            return action
