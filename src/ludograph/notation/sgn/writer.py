"""The writer of SGN: from events to lines and losses.

SGN implies many events: purchases, turn ends, production, awards. Implied events are neither written
nor lost. The two dice, unknown values, offers, chat and the end of the last turn are lost.
"""

from typing import assert_never

from msgspec import Struct

from ludograph import settlers
from ludograph.notation.headers import can_write_header
from ludograph.notation.json_records.item_codes import (
    CARD_CODES,
    HARBOR_CODES,
    NUMBERS,
    RESOURCE_CODES,
    TERRAIN_CODES,
    counts_in,
)
from ludograph.notation.json_records.transfers import (
    check_plenty,
    check_transfer,
    discard_changes,
    steal_changes,
    trade_changes,
)
from ludograph.notation.json_records.values import JsonValue, format_json
from ludograph.notation.json_records.writing import (
    Losses,
    following_event,
    missing_player,
    total_of,
    write_events,
)
from ludograph.notation.results import Inexpressible, Loss, LossKind, Writing
from ludograph.notation.sgn.reader import MAX_COORDINATE, MIN_HARBORS, MIN_TILES, PARTY_NAMES, maybe_act
from ludograph.settlers.goods import BANK, Card, Goods, Piece, Player
from ludograph.settlers.names import AxialPair, SgnCorner, place_in_words, sgn_corner, sgn_side, sgn_tile
from ludograph.settlers.record import HoldingChange

SgnLine = tuple[str, str, JsonValue]
"""Player, code, value."""

_PLACEMENTS: dict[
    Piece, type[settlers.PlaceVillage] | type[settlers.PlaceCity] | type[settlers.PlaceRoad]
] = {
    Piece.VILLAGE: settlers.PlaceVillage,
    Piece.CITY: settlers.PlaceCity,
    Piece.ROAD: settlers.PlaceRoad,
}


class EventContext(Struct, frozen=True):
    """The events around an event, from which a parser of SGN infers the implied events."""

    following: settlers.Event | None
    next_player: Player | None
    actors: frozenset[Player]


def write_record(record: settlers.Record) -> Writing:
    """The canonical text of a record: a JSON list on each line."""
    next_players = _next_players(record.events)
    actors = frozenset(player for event in record.events if (player := _actor(event)) is not None)

    def format_event(index: int, event: settlers.Event, losses: Losses) -> list[str]:
        context = EventContext(following_event(record, index), next_players[index], actors)
        return [format_json(line) for line in _lines(event, context, losses)]

    lines, losses = write_events(record, format_event)
    if all(line.startswith("#") for line in lines):  # a text with headers only cannot be read
        written = [key for key, value in record.headers if can_write_header(key, value)]
        losses += [Loss(LossKind.LOST, f"the header {key!r}") for key in written]
        lines = []
    if not lines and not losses:
        losses.append(Loss(LossKind.LOST, "an empty record: SGN has no empty text"))
    return Writing("".join(f"{line}\n" for line in lines), tuple(losses))


def _next_players(events: tuple[settlers.Event, ...]) -> list[Player | None]:
    """For each event, the player to move in the next line; discards do not show the player to move."""
    following: list[Player | None] = []
    player: Player | None = None
    for event in reversed(events):
        following.append(player)
        is_discard = isinstance(event, settlers.Act) and isinstance(event.action, settlers.Discard)
        if not is_discard:
            player = _actor(event) or player
    return following[::-1]


def _actor(event: settlers.Event) -> Player | None:
    """The player of the line that is written for an event; None if no line is written."""
    match event:
        case settlers.Act(settlers.EndTurn() | settlers.Buy(), _):
            return None
        case settlers.Act(_, player) | settlers.CardPlayed(_, player):
            return player
        case _:
            return None


def _lines(event: settlers.Event, context: EventContext, losses: Losses) -> list[SgnLine]:
    """The lines for an event; no lines if other lines imply it."""
    match event:
        case settlers.Act():
            return _act_lines(event, context, losses)
        case settlers.MapDefined(island):
            return [("B", "DM", _map(island))]
        case settlers.Transferred(changes, offer):
            if offer is not None:
                losses.append(Inexpressible("the offer that the trade fulfils"))
            return _transfer_lines(changes)
        case settlers.CardPlayed(card, player):
            return [_card_line(card, player)]
        case settlers.PlayerJoins(player):
            if player not in context.actors:
                raise Inexpressible(f"player {player}, who never acts")
            return []
        case settlers.TurnStarts(player):
            if player != context.next_player:
                raise Inexpressible("a turn without actions")
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
            raise Inexpressible("the rolls for the turn order")
        case settlers.OrderSet():
            raise Inexpressible("the turn order")
        case settlers.PlayerLeaves() | settlers.PlayerQuits():
            raise Inexpressible("that a player leaves")
        case settlers.GameOver():
            raise Inexpressible("the end of the game")
        case settlers.Offered() | settlers.Withdrawn() | settlers.Accepted():
            raise Inexpressible("an offer, its acceptance or withdrawal")
        case settlers.Said():
            raise Inexpressible("chat")
        case settlers.Commented():
            raise Inexpressible("a comment")
        case _:
            assert_never(event)


def _act_lines(act: settlers.Act, context: EventContext, losses: Losses) -> list[SgnLine]:
    if isinstance(act.action, settlers.Discard):
        changes = discard_changes(act.action, act.player)
        return [(_name(act.action.player), "TR", _transfer(changes))]
    if act.player is None:
        raise missing_player(act.action)
    name = _player_name(act.player)
    match act.action:
        case settlers.Roll():
            return [(name, "RD", {"result": total_of(act.action, losses)})]
        case settlers.MoveRobber(tile):
            return [(name, "MR", {"tile": _tile(tile)})]
        case settlers.Steal():
            return [(name, "ST", _transfer(steal_changes(act.action, act.player)))]
        case settlers.Buy(piece):
            placement = _PLACEMENTS[piece]
            match context.following:
                case settlers.Act(action, player) if isinstance(action, placement) and player == act.player:
                    return []
            raise Inexpressible(f"the purchase of a {piece.value} that is not placed at once")
        case settlers.BuyCard(card):
            if card is None:
                raise Inexpressible("the purchase of a card whose kind is unknown")
            return [(name, "BD", {"cCode": CARD_CODES[card]})]
        case settlers.PlaceVillage(corner):
            return [(name, "BS", {"intersection": _corner(corner)})]
        case settlers.PlaceCity(corner):
            return [(name, "BC", {"intersection": _corner(corner)})]
        case settlers.PlaceRoad(side):
            return [(name, "BR", {"path": _side(side)})]
        case settlers.UseKnight():
            return [_card_line(Card.KNIGHT, act.player)]
        case settlers.UseRoads():
            return [_card_line(Card.ROADS, act.player)]
        case settlers.UsePlenty(goods):
            return [_card_line(Card.PLENTY, act.player, _resource_codes(goods))]
        case settlers.UseMonopoly(kind):
            return [_card_line(Card.MONOPOLY, act.player, [RESOURCE_CODES[kind]])]
        case settlers.Trade(give, take, partner):
            return [(name, "TR", _transfer(trade_changes(give, take, act.player, partner)))]
        case settlers.EndTurn():
            if context.next_player is None:
                raise Inexpressible("the end of the last turn")
            if context.next_player == act.player:
                raise Inexpressible("the end of a turn after which the same player acts")
            return []
        case _:
            assert_never(act.action)


def _card_line(card: Card, player: Player | None, kinds: list[str] | None = None) -> SgnLine:
    if player is None:
        raise Inexpressible(f"the played {card.value} card: its player is unknown", LossKind.MISSING)
    name = _player_name(player)
    if card in {Card.MONOPOLY, Card.PLENTY} and kinds is None:
        raise Inexpressible(f"the resources of the played {card.value} card", LossKind.MISSING)
    return (name, "PD", {"cCode": CARD_CODES[card]} | ({"rCodes": kinds} if kinds else {}))


def _resource_codes(goods: Goods) -> list[str]:
    check_plenty(goods)
    return [RESOURCE_CODES[kind] for kind, count in goods.items() for _ in range(count)]


def _transfer_lines(changes: tuple[HoldingChange, ...]) -> list[SgnLine]:
    """The line of a transfer by its first player, or by the bank if that line would be an action."""
    check_transfer(changes)
    if not all(holding.is_goods_only for _, holding in changes):
        if any(holding.goods for _, holding in changes) or BANK not in dict(changes):
            raise Inexpressible("a transfer of pieces, cards or awards")
        return []  # The bank hands out pieces: the placements imply it.
    if len(changes) < 2 or not all(holding.goods for _, holding in changes):
        raise Inexpressible("a transfer with a party that neither gains nor gives")
    first = next(player for player, _ in changes if player != BANK)
    return [(_name(BANK if maybe_act(first, changes) else first), "TR", _transfer(changes))]


def _transfer(changes: tuple[HoldingChange, ...]) -> JsonValue:
    check_transfer(changes)
    return [{"player": _name(player), "resources": counts_in(holding)} for player, holding in changes]


def _player_name(player: Player) -> str:
    if player == BANK:
        raise Inexpressible("an action of the bank")
    return _name(player)


def _name(player: Player) -> str:
    if player not in PARTY_NAMES:
        raise Inexpressible(f"player {player}: SGN has only players 1 to 6")
    return PARTY_NAMES[player]


def _map(island: settlers.Island) -> JsonValue:
    tiles = island.tiles
    numbers = dict(island.numbers)
    if (
        len(tiles) < len(island.terrain)
        or len(numbers) < len(island.numbers)
        or not tiles.keys() >= numbers.keys()
    ):
        raise Inexpressible("an island that defines a tile twice, or a number without a tile")
    if len(tiles) < MIN_TILES or len(island.harbors) < MIN_HARBORS:
        message = f"an island of {len(tiles)} tiles and {len(island.harbors)} harbors"
        raise Inexpressible(f"{message}: SGN has at least {MIN_TILES} and {MIN_HARBORS}")
    for tile in tiles.values():
        if tile.number is not None and (tile.number not in NUMBERS or tile.terrain.yields is None):
            raise Inexpressible(f"an island with the number {tile.number} on {tile.terrain.value}")
    if len({harbor.side for harbor in island.harbors}) < len(island.harbors):
        raise Inexpressible("an island with two harbors on one side")
    return {
        "tiles": [
            {"tile": _tile(tile.place), "tCode": TERRAIN_CODES[tile.terrain], "rNumber": tile.number}
            for tile in tiles.values()
        ],
        "harbors": [
            {"path": _side(harbor.side), "hCode": HARBOR_CODES[harbor.resource]} for harbor in island.harbors
        ],
    }


def _tile(tile: settlers.Hex) -> AxialPair:
    if max(abs(tile.q), abs(tile.r)) > MAX_COORDINATE:
        raise Inexpressible(f"{place_in_words(tile)}: its coordinates are too large")
    return sgn_tile(tile)


def _corner(corner: settlers.HexCorner) -> SgnCorner:
    for tile in corner.cells:
        _tile(tile)
    return sgn_corner(corner)


def _side(side: settlers.HexSide) -> tuple[SgnCorner, SgnCorner]:
    for corner in side.corners:
        _corner(corner)
    return sgn_side(side)
