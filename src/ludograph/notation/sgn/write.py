"""Events in, SGN lines out, with what they cannot tell.

SGN leaves much to its reader: that a piece was paid for, that a turn ended because another player
rolls, what the bank paid out, who holds an award. Such events are not written and not lost. The
dice, unknown values, offers, talk and the end of the last turn are.
"""

from typing import assert_never

from msgspec import Struct

from ludograph import settlers
from ludograph.notation.json_text import LARGEST, Plain, format_json
from ludograph.notation.results import Loss, LossKind, Writing
from ludograph.notation.sgn.read import FARTHEST, PARTY_NAMES, maybe_act
from ludograph.notation.transfers import (
    CARD_CODES,
    HARBOR_CODES,
    NUMBERS,
    RESOURCE_CODES,
    TERRAIN_CODES,
    CannotSay,
    act_of_nobody,
    check_plenty,
    check_sayable,
    counts_in,
    negate,
    trade_changes,
)
from ludograph.settlers.goods import BANK, Card, Goods, Piece, Player, goods_of
from ludograph.settlers.names import Pair, SgnCorner, place_in_words, sgn_corner, sgn_side, sgn_tile
from ludograph.settlers.record import Change

Line = tuple[str, str, Plain]
"""Player, code, value."""

_PLACEMENTS: dict[
    Piece, type[settlers.PlaceVillage] | type[settlers.PlaceCity] | type[settlers.PlaceRoad]
] = {
    Piece.VILLAGE: settlers.PlaceVillage,
    Piece.CITY: settlers.PlaceCity,
    Piece.ROAD: settlers.PlaceRoad,
}


class Surroundings(Struct, frozen=True):
    """What comes after an event, and who acts at all: from it a reader of SGN infers the unwritten."""

    following: settlers.Event | None
    next_player: Player | None
    actors: frozenset[Player]


def write_record(record: settlers.Record) -> Writing:
    """The canonical text of a record: a JSON list on each line."""
    losses: list[Loss] = []
    if record.start is not None:
        losses.append(Loss(LossKind.LOST, "the position at the start"))
    losses += (Loss(LossKind.LOST, f"the header {key}") for key, _ in record.headers)
    lines: list[str] = []
    ahead = _players_ahead(record.events)
    actors = frozenset(player for event in record.events if (player := _actor(event)) is not None)
    for index, event in enumerate(record.events):
        following = record.events[index + 1] if index + 1 < len(record.events) else None
        around = Surroundings(following, ahead[index], actors)
        partial: list[CannotSay] = []
        try:
            lines += (format_json(line) for line in _say(event, around, partial))
        except CannotSay as reason:
            partial.append(reason)
        losses += (Loss(reason.kind, reason.message, index) for reason in partial)
    if not lines and not losses:
        losses.append(Loss(LossKind.LOST, "a record in which nothing happens: SGN has no empty text"))
    return Writing("".join(f"{line}\n" for line in lines), tuple(losses))


def _players_ahead(events: tuple[settlers.Event, ...]) -> list[Player | None]:
    """For each event, whose turn the first line after it shows; anybody discards at any time."""
    ahead: list[Player | None] = []
    player: Player | None = None
    for event in reversed(events):
        ahead.append(player)
        is_discard = isinstance(event, settlers.Act) and isinstance(event.action, settlers.Discard)
        if not is_discard:
            player = _actor(event) or player
    return ahead[::-1]


def _actor(event: settlers.Event) -> Player | None:
    """The player of the line that is written for an event, if one is."""
    match event:
        case settlers.Act(settlers.EndTurn() | settlers.Buy(), _):
            return None
        case settlers.Act(_, player) | settlers.CardPlayed(_, player):
            return player
        case _:
            return None


def _say(event: settlers.Event, around: Surroundings, partial: list[CannotSay]) -> list[Line]:
    """The lines for an event, none if others imply it; what they leave out goes to `partial`."""
    match event:
        case settlers.Act():
            return _say_act(event, around, partial)
        case settlers.MapDefined(island):
            return [("B", "DM", _map(island))]
        case settlers.Transferred(changes, offer):
            if offer is not None:
                partial.append(CannotSay("which offer the trade fulfils"))
            return _say_transfer(changes)
        case settlers.CardPlayed(card, player):
            return [_say_card(card, player)]
        case settlers.PlayerJoins(player):
            if player not in around.actors:
                raise CannotSay(f"player {player}, who never acts")
            return []
        case settlers.TurnStarts(player):
            if player != around.next_player:
                raise CannotSay("a turn in which nothing happens")
            return []
        case (
            settlers.PhaseStarts()
            | settlers.PhaseEnds()
            | settlers.RoundStarts()
            | settlers.RoundEnds()
            | settlers.RobberRoused()
            | settlers.Produced()
            | settlers.Awarded()
        ):
            return []
        case settlers.OrderRolled():
            raise CannotSay("the roll for the order of players")
        case settlers.OrderSet():
            raise CannotSay("the order of players")
        case settlers.PlayerLeaves() | settlers.PlayerQuits():
            raise CannotSay("that a player leaves")
        case settlers.GameOver():
            raise CannotSay("the end of the game")
        case settlers.Offered() | settlers.Withdrawn() | settlers.Accepted():
            raise CannotSay("an offer, its acceptance or withdrawal")
        case settlers.Said():
            raise CannotSay("chat")
        case settlers.Commented():
            raise CannotSay("a comment")
        case _:
            assert_never(event)


def _say_act(act: settlers.Act, around: Surroundings, partial: list[CannotSay]) -> list[Line]:
    if isinstance(act.action, settlers.Discard):
        return [_say_discard(act.action, act.player)]
    if act.player is None:
        raise act_of_nobody(act.action)
    name = _player_name(act.player)
    match act.action:
        case settlers.Roll(value):
            total = act.action.total
            if total is None or not 2 <= total <= 12:
                raise CannotSay("a roll whose result is unknown" if total is None else f"a roll of {total}")
            if isinstance(value, tuple):
                partial.append(CannotSay(f"the dice {value[0]}+{value[1]}, of which only the sum is written"))
            return [(name, "RD", {"result": total})]
        case settlers.MoveRobber(tile):
            return [(name, "MR", {"tile": _tile(tile)})]
        case settlers.Steal(victim, kind):
            if kind is None:
                raise CannotSay("a steal whose card is unknown")
            if victim in {BANK, act.player}:
                raise CannotSay("a steal that is not from another player")
            gain = settlers.Holding(goods_of(kind))
            return [(name, "ST", _transfer(((act.player, gain), (victim, negate(gain)))))]
        case settlers.Buy(piece):
            placement = _PLACEMENTS[piece]
            match around.following:
                case settlers.Act(action, player) if isinstance(action, placement) and player == act.player:
                    return []
            raise CannotSay(f"that a {piece.value} was bought and not placed at once")
        case settlers.BuyCard(card):
            if card is None:
                raise CannotSay("the purchase of a card whose kind is unknown")
            return [(name, "BD", {"cCode": CARD_CODES[card]})]
        case settlers.PlaceVillage(corner):
            return [(name, "BS", {"intersection": _corner(corner)})]
        case settlers.PlaceCity(corner):
            return [(name, "BC", {"intersection": _corner(corner)})]
        case settlers.PlaceRoad(side):
            return [(name, "BR", {"path": _side(side)})]
        case settlers.UseKnight():
            return [_say_card(Card.KNIGHT, act.player)]
        case settlers.UseRoads():
            return [_say_card(Card.ROADS, act.player)]
        case settlers.UsePlenty(goods):
            return [_say_card(Card.PLENTY, act.player, _resource_codes(goods))]
        case settlers.UseMonopoly(kind):
            return [_say_card(Card.MONOPOLY, act.player, [RESOURCE_CODES[kind]])]
        case settlers.Trade(give, take, partner):
            return [(name, "TR", _transfer(trade_changes(give, take, act.player, partner)))]
        case settlers.EndTurn():
            if around.next_player is None:
                raise CannotSay("the end of the last turn")
            if around.next_player == act.player:
                raise CannotSay("the end of a turn after which the same player acts")
            return []
        case _:
            assert_never(act.action)


def _say_card(card: Card, player: Player | None, kinds: list[str] | None = None) -> Line:
    if player is None:
        raise CannotSay(f"the {card.value} card that is played: nothing tells who acts", LossKind.MISSING)
    name = _player_name(player)
    if card in {Card.MONOPOLY, Card.PLENTY} and kinds is None:
        raise CannotSay(f"which resources {card.value} was played for", LossKind.MISSING)
    return (name, "PD", {"cCode": CARD_CODES[card]} | ({"rCodes": kinds} if kinds else {}))


def _resource_codes(goods: Goods) -> list[str]:
    check_plenty(goods)
    return [RESOURCE_CODES[kind] for kind, count in goods.items() for _ in range(count)]


def _say_discard(discard: settlers.Discard, player: Player | None) -> Line:
    if player not in {None, discard.player} or discard.player == BANK:
        raise CannotSay("that somebody discards for another")
    if not discard.goods or any(count < 0 for _, count in discard.goods.items()):
        raise CannotSay("a discard of nothing")
    given = settlers.Holding(-discard.goods)
    changes = ((discard.player, given), (BANK, negate(given)))
    return (_name(discard.player), "TR", _transfer(changes))


def _say_transfer(changes: tuple[Change, ...]) -> list[Line]:
    """A transfer is told by its first player, or by the bank where the line would mean an action."""
    check_sayable(changes, LARGEST)
    if any(holding != settlers.Holding(holding.goods) for _, holding in changes):
        if any(holding.goods for _, holding in changes) or BANK not in dict(changes):
            raise CannotSay("that pieces, cards or awards change hands")
        return []  # The bank hands out pieces: implied where they are placed.
    if len(changes) < 2 or not all(holding.goods for _, holding in changes):
        raise CannotSay("a transfer in which a party gains and gives nothing")
    teller = next(player for player, _ in changes if player != BANK)
    return [(_name(BANK if maybe_act(teller, changes) else teller), "TR", _transfer(changes))]


def _transfer(changes: tuple[Change, ...]) -> Plain:
    check_sayable(changes, LARGEST)
    return [{"player": _name(player), "resources": counts_in(holding)} for player, holding in changes]


def _player_name(player: Player) -> str:
    if player == BANK:
        raise CannotSay("what the bank does")
    return _name(player)


def _name(player: Player) -> str:
    if player not in PARTY_NAMES:
        raise CannotSay(f"player {player}: SGN has only players 1 to 6")
    return PARTY_NAMES[player]


def _map(island: settlers.Island) -> Plain:
    tiles = island.tiles
    numbers = dict(island.numbers)
    if (
        len(tiles) < len(island.terrain)
        or len(numbers) < len(island.numbers)
        or not tiles.keys() >= numbers.keys()
    ):
        raise CannotSay("an island that defines a tile twice, or a number without a tile")
    for tile in tiles.values():
        if tile.number is not None and (tile.number not in NUMBERS or tile.terrain.yields is None):
            raise CannotSay(f"an island with the number {tile.number} on {tile.terrain.value}")
    if len({harbor.side for harbor in island.harbors}) < len(island.harbors):
        raise CannotSay("an island with two harbors on one side")
    return {
        "tiles": [
            {"tile": _tile(tile.place), "tCode": TERRAIN_CODES[tile.terrain], "rNumber": tile.number}
            for tile in tiles.values()
        ],
        "harbors": [
            {"path": _side(harbor.side), "hCode": HARBOR_CODES[harbor.resource]} for harbor in island.harbors
        ],
    }


def _tile(tile: settlers.Hex) -> Pair:
    if max(abs(tile.q), abs(tile.r)) > FARTHEST:
        raise CannotSay(f"{place_in_words(tile)}: it is too far away")
    return sgn_tile(tile)


def _corner(corner: settlers.HexCorner) -> SgnCorner:
    for tile in corner.cells:
        _tile(tile)
    return sgn_corner(corner)


def _side(side: settlers.HexSide) -> tuple[SgnCorner, SgnCorner]:
    for corner in side.corners:
        _corner(corner)
    return sgn_side(side)
