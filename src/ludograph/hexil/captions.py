"""Captions of pictures: actions, deals and moves of the rules in, sentences out."""

import re
from collections.abc import Mapping, Sequence

from ludograph import settlers
from ludograph.hexil.deals import Accept, Agree, Counter, Deal, Decline, Offer, Refuse, Withdraw
from ludograph.hexil.layout import Layout
from ludograph.render.coordinates import place_name
from ludograph.render.descriptions import (
    ResourceShown,
    Sentence,
    SentencePart,
    Who,
    describe_action,
)
from ludograph.settlers import Goods, HexCorner, HexSide, Player
from ludograph.settlers.goods import goods_of


def describe_step(action: settlers.Action | Deal, player: int) -> Sentence:
    """An action or a deal of a player as a sentence.

    >>> from ludograph.render.descriptions import format_plain
    >>> format_plain(describe_step(Offer(Goods(ore=1), Goods(wool=2), (Player(3),)), 1))
    'player 1 offers 1 ore for 2 wool to player 3'
    """
    who = Who(player)
    match action:
        case Offer(give, take, players):
            asked: list[SentencePart] = []
            for number in players:
                asked += ("and", Who(number))
            return (who, "offers", give, "for", take, *(("to", *asked[1:]) if asked else ()))
        case Accept():
            return (who, "accepts the offer")
        case Refuse():
            return (who, "refuses the offer")
        case Counter(_, give, take):
            return (who, "offers instead", give, "for", take)
        case Agree():
            return (who, "accepts the other offer")
        case Decline():
            return (who, "declines the other offer")
        case Withdraw():
            return (who, "withdraws the offer")
        case _:
            return describe_action(action, player, place_name)


def describe_moves(moves: Sequence[str], layout: Layout) -> Sentence:
    """The last of some moves of the rules, with the chance after it, as a sentence.

    >>> from ludograph.hexil.layout import layout_of
    >>> from ludograph.render.descriptions import format_plain
    >>> layout = layout_of((settlers.Hex(0, 0),))
    >>> format_plain(describe_moves(["0: place_village(c: spots[0])"], layout))
    'player 1 places a village at d3s'
    >>> format_plain(describe_moves(["1: roll", "*: random(4, 1)"], layout))
    'player 2 rolls 2 + 5 = 7'
    """
    last = next((number for number in range(len(moves) - 1, -1, -1) if moves[number][:1] != "*"), None)
    if last is None:
        return ()
    player, name, arguments = split_line(moves[last])
    traded = read_bank_trade(name, arguments)
    if traded is not None:
        give, take = (ResourceShown(kind) for kind in traded)
        return (Who(player), "gives", give, "to the bank for", take)
    action = read_move(moves[last], moves[last + 1 :], layout)
    if action is None:
        return (Who(player), f"– {name.replace('_', ' ')} {', '.join(arguments)}".strip())
    return describe_step(action, player)


def split_line(line: str) -> tuple[Player, str, list[str]]:
    """The player, the action and the values of a move of a player in a view.

    >>> split_line("0: bank_trade(give: ore, get: wool)")
    (1, 'bank_trade', ['ore', 'wool'])
    """
    who, _, move = line.partition(": ")
    return Player(int(who) + 1), *split_move(move)


def read_bank_trade(name: str, values: Sequence[str]) -> tuple[settlers.Resource, settlers.Resource] | None:
    """The kinds that a trade with the bank gives and gets; None for another move."""
    if name == "bank_trade" and len(values) == 2 and all(value in _RESOURCES for value in values):
        return _RESOURCES[values[0]], _RESOURCES[values[1]]
    return None


def read_move(line: str, later: Sequence[str], layout: Layout) -> settlers.Action | Deal | None:
    """The action or deal of a move of a player, with the chance in the lines after it.

    None for a trade with the bank, whose rate the move does not tell, and for an unknown move.

    >>> from ludograph.hexil.layout import layout_of
    >>> read_move("1: steal(victim: seat#1)", ["*: random(ore)"], layout_of((settlers.Hex(0, 0),)))
    Steal(victim=1, resource=Resource.ORE)
    """
    player, name, values = split_line(line)
    chance = []
    for each in later:
        chooser, _, text = each.partition(": ")
        if chooser != "*":
            break
        chance.append(text)
    action = read_rules_action(name, values, player, chance, layout)
    if isinstance(action, settlers.Steal) and chance:
        found = re.fullmatch(r"random\((\w+)\)", chance[0])
        if found and found[1] in _RESOURCES:
            return settlers.Steal(action.victim, _RESOURCES[found[1]])
    return action


def split_move(text: str) -> tuple[str, list[str]]:
    """The action of a move of the rules, and its values without their names.

    >>> split_move("bank_trade(give: wool, get: ore)")
    ('bank_trade', ['wool', 'ore'])
    """
    name, _, arguments = text.removesuffix(")").partition("(")
    return name, [value.partition(": ")[2] or value for value in re.split(r", (?![^{]*})", arguments)]


def read_rules_action(
    name: str, values: Sequence[str], player: Player, chance: Sequence[str], layout: Layout
) -> settlers.Action | Deal | None:
    """The action or deal of a move of the rules; None for a move that has none, or with other arguments.

    `name` and `values` are the parts of its text, `chance` the texts of the chance after it.
    """
    match name, *values:
        case "roll", _:
            # The rules count the faces of a die from 0.
            dice = re.fullmatch(r"random\(([0-5]), ([0-5])\)", chance[0]) if chance else None
            return settlers.Roll((int(dice[1]) + 1, int(dice[2]) + 1) if dice else None)
        case (("place_village" | "place_city" | "place_road" | "move_robber"), place):
            return _read_placement(name, layout.places.get(place))
        case "steal", victim:
            number = re.fullmatch(r"seat\[([0-5])\]|seat#([1-6])", victim)
            if number is None:
                return None
            return settlers.Steal(Player(int(number[1]) + 1 if number[1] else int(number[2])))
        case "discard", *counts if len(counts) == len(settlers.Resource):
            return settlers.Discard(player, _read_goods(counts))
        case "use_monopoly", kind if kind in _RESOURCES:
            return settlers.UseMonopoly(_RESOURCES[kind])
        case "use_plenty", *kinds if all(kind in _RESOURCES for kind in kinds):
            return settlers.UsePlenty(sum((goods_of(_RESOURCES[kind]) for kind in kinds), Goods()))
        case "offer", give, count, take if give in _RESOURCES and take in _RESOURCES and count.isdigit():
            return Offer(goods_of(_RESOURCES[give], int(count)), goods_of(_RESOURCES[take]), ())
        case "propose", *counts if len(counts) == 11:
            return Offer(_read_goods(counts[:5]), _read_goods(counts[5:10]), _read_players(counts[10]))
        case "accept", _:
            return Accept(player)
        case "refuse", _:
            return Refuse(player)
        case _:
            return _PLAIN.get(name)


def _read_placement(name: str, place: object) -> settlers.Action | None:
    match name, place:
        case "place_village", HexCorner():
            return settlers.PlaceVillage(place)
        case "place_city", HexCorner():
            return settlers.PlaceCity(place)
        case "place_road", HexSide():
            return settlers.PlaceRoad(place)
        case "move_robber", settlers.Hex():
            return settlers.MoveRobber(place)
        case _:
            return None


def _read_goods(counts: Sequence[str]) -> Goods:
    return Goods(*(int(count) if count.isdigit() else 0 for count in counts))


def _read_players(text: str) -> tuple[Player, ...]:
    return tuple(Player(int(number) + 1) for number in re.findall("[0-5]", text))


_RESOURCES: Mapping[str, settlers.Resource] = {kind.value: kind for kind in settlers.Resource}
_PLAIN: Mapping[str, settlers.Action | Deal] = {
    "buy_village": settlers.Buy(settlers.Piece.VILLAGE),
    "buy_city": settlers.Buy(settlers.Piece.CITY),
    "buy_road": settlers.Buy(settlers.Piece.ROAD),
    "buy_card": settlers.BuyCard(),
    "use_knight": settlers.UseKnight(),
    "use_roads": settlers.UseRoads(),
    "end": settlers.EndTurn(),
    "withdraw": Withdraw(),
    "agree": Agree(),
    "decline": Decline(),
}
