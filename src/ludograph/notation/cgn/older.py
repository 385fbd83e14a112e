"""Older forms of CGN, from the history of its repository, read by lenient parsing only.

The oldest records differ in three codes: G (goods are given), SR (rolls for the turn order) and E (the turn
order). Later ones use objects with the key `player`, axial coordinates, and codes that SGN took over:

    {"PS":{"phase":"Setup"}}  {"PA":{"player":"1"}}  {"TS":{"player":"1"}}  {"RS":{"round":1}}
    {"MD":[[0,-3,"HR",null],…]}                            the map: q, r, type and number of each tile
    {"BS":{"player":1,"intersection":[["0","-2"],…]}}      a settlement (BC: a city)
    {"BR":{"player":1,"path":[[…],[…]]}}                   a road; BD and PD have a type of card
    {"DR":{"player":"1","result":4}}                       a roll, also RD
    {"RM":{"tile":"1,0"}}  {"RR":{"2":{"G":1},…}}          the robber moves and robs, also RS
    {"TB":…}  {"TR":…}  {"TO":…}  {"TA":…}  {"TC":…}       trades and offers
"""

import re
from collections.abc import Iterable

from ludograph import settlers
from ludograph.notation.cgn.map import parse_map
from ludograph.notation.cgn.messages import CgnMessage
from ludograph.notation.cgn.names import PLAYERS, parse_card, parse_phase
from ludograph.notation.json_records.item_codes import RESOURCES, goods_from
from ludograph.notation.json_records.reader import MAX_NUMBER, JsonReader
from ludograph.notation.json_records.values import (
    Json,
    JsonArray,
    JsonMember,
    JsonNull,
    JsonNumber,
    JsonObject,
    JsonString,
    fold_case,
    show,
)
from ludograph.settlers.goods import BANK, Card, Goods, Piece, Player
from ludograph.settlers.names import CGN_NUMBERS, maybe_sgn_corner, maybe_side_between
from ludograph.settlers.record import HoldingChange

OLDEST_CODES = frozenset({"G", "SR", "E"})
FREE_ROADS = 2
MAX_COORDINATE = 99
_PAIR = re.compile(r"\s*(-?[0-9]{1,2})\s*,\s*(-?[0-9]{1,2})\s*")
_PIECES = {"BS": Piece.VILLAGE, "BC": Piece.CITY, "BR": Piece.ROAD}
_MESSAGE = "this is an older form of CGN"
_HINT = "lenient parsing reads it; convert the record to CGN for the current form"


def is_older(message: CgnMessage) -> bool:
    """Whether the first message of a record shows that the record has the older form with objects."""
    return message.code == "PS" and isinstance(message.detail, JsonObject)


def parse_oldest(reader: JsonReader, message: CgnMessage) -> tuple[settlers.Event, ...]:
    """The events of a message with one of the three oldest codes."""
    reader.tolerate(message.span, "NT0321", _MESSAGE, _HINT)
    if message.code == "SR":
        rolls = reader.expect_members(message.detail, "the rolls", fold=True).values()
        totals = (
            (_player(reader, name), reader.expect_integer(total, "a roll", 2, 12)) for name, total in rolls
        )
        return (settlers.OrderRolled(tuple(totals)),)
    if message.code == "E":
        players = reader.expect_items(message.detail, "the order of players")
        return (settlers.OrderSet(tuple(_player(reader, item) for item in players)),)
    members = reader.expect_members(message.detail, "the given goods", fold=True).values()
    # The pieces of the deployment are given too; the rules give them anyway.
    given = [(name, goods) for name, goods in members if not _has_pieces(reader, goods)]
    return (settlers.Produced(_balance(_changes(reader, given))),) if given else ()


def _has_pieces(reader: JsonReader, value: Json) -> bool:
    return any(key not in RESOURCES for key in reader.expect_members(value, "the goods", fold=True))


class OlderRecord:
    """The messages of a record in the older form with objects. Mutable: it follows the turns."""

    def __init__(self, reader: JsonReader, first: CgnMessage) -> None:
        reader.tolerate(first.span, "NT0321", _MESSAGE, _HINT)
        self._reader = reader
        self._phase: settlers.Phase | None = None
        self._turn: Player | None = None
        self._free_roads = 0

    def parse(self, message: CgnMessage) -> tuple[settlers.Event, ...]:
        """The events of a message."""
        reader, code, detail = self._reader, message.code, message.detail
        free_roads = self._free_roads
        if code not in ("LA", "LR", "CH"):  # awards and chat may come between two free roads
            self._free_roads = 0
        fields = dict(reader.expect_members(detail, "the detail")) if isinstance(detail, JsonObject) else {}
        match code:
            case "PS" | "PE":
                name = self._field(message, fields, "phase")
                if isinstance(name, JsonString) and fold_case(name.value) == "END":
                    return ()  # the current form has GO for it
                phase = parse_phase(reader, name)
                self._phase = phase if code == "PS" else self._phase
                return (settlers.PhaseStarts(phase) if code == "PS" else settlers.PhaseEnds(phase),)
            case "PA":
                key = "number" if "number" in fields else "player"
                return (settlers.PlayerJoins(self._player(message, fields, key)),)
            case "RS" | "RE" if "round" in fields:
                number = reader.expect_integer(fields["round"][1], "the number of a round", 1, MAX_NUMBER)
                return (settlers.RoundStarts(number) if code == "RS" else settlers.RoundEnds(number),)
            case "TS":
                self._turn = self._player(message, fields)
                return (settlers.TurnStarts(self._turn),)
            case "TE":
                return (settlers.Act(settlers.EndTurn(), self._player(message, fields)),)
            case "CH":
                return (self._parse_chat(message, fields),)
            case "MD":
                return (settlers.MapDefined(parse_map(reader, self._to_map(detail))),)
            case "RM":
                # The first one states where the robber starts: on the desert, as always.
                tile = self._parse_pair(fields["tile"][1] if "tile" in fields else detail)
                return (
                    (settlers.Act(settlers.MoveRobber(tile), self._turn),) if self._turn is not None else ()
                )
            case "BS" | "BC" | "BR":
                return self._parse_building(message, fields, free_roads)
            case "BD":
                card = parse_card(reader, self._field(message, fields, "type"))
                return (settlers.Act(settlers.BuyCard(card), self._player(message, fields)),)
            case "PD":
                card = parse_card(reader, self._field(message, fields, "type"))
                self._free_roads = FREE_ROADS if card is Card.ROADS else 0
                return (settlers.CardPlayed(card, self._player(message, fields)),)
            case "DR" | "RD" if "result" in fields:
                total = reader.expect_integer(fields["result"][1], "the result of a roll", 2, 12)
                return (settlers.Act(settlers.Roll(total), self._player(message, fields)),)
            case "RA":
                return (settlers.RobberRoused(),)
            case "RP":
                return (settlers.Produced(_balance(self._parse_changes(detail, fields))),)
            case "RS" | "RR":
                return self._parse_robbery(message, fields)
            case "RD":
                if isinstance(detail, JsonNull):
                    return ()  # nobody discards, or all have discarded
                losses = self._parse_changes(detail, fields)
                return tuple(
                    settlers.Act(settlers.Discard(player, -holding.goods), player)
                    for player, holding in losses
                    if player != BANK
                )
            case "TB" | "TR" | "YP" | "MO":
                return (settlers.Transferred(self._parse_changes(detail, fields)),)
            case "TO":
                return (self._parse_offer(message, fields),)
            case "TA" | "TC":
                offer = reader.expect_text(self._field(message, fields, "uuid"), "the name of an offer")
                player = self._player(message, fields)
                ends = settlers.Accepted if code == "TA" else settlers.Withdrawn
                return (ends(player, offer),)
            case "LA" | "LR":
                award = settlers.Award.LARGEST_ARMY if code == "LA" else settlers.Award.LONGEST_ROAD
                holder = None if isinstance(detail, JsonNull) else self._player(message, fields)
                return (settlers.Awarded(award, holder),)
            case "GO":
                winner = None if isinstance(detail, JsonNull) else self._player(message, fields)
                return (settlers.GameOver(winner),)
            case _:
                reader.fail(message.span, "NT0316", f"{show(code)} is not a code of older CGN", _HINT)

    # Parts of messages

    def _field(self, message: CgnMessage, fields: dict[str, JsonMember], key: str) -> Json:
        if key not in fields:
            self._reader.fail(message.detail.span, "NT0621", f"{message.code} lacks the key {show(key)}", "")
        return fields[key][1]

    def _player(self, message: CgnMessage, fields: dict[str, JsonMember], key: str = "player") -> Player:
        return _player(self._reader, self._field(message, fields, key))

    def _parse_chat(self, message: CgnMessage, fields: dict[str, JsonMember]) -> settlers.Event:
        text = self._reader.expect_text(self._field(message, fields, "msg"), "the chat text").rstrip("\n")
        name = self._field(message, fields, "player")
        if isinstance(name, JsonString) and name.value == "A":  # the program that runs the game
            return settlers.Commented(text)
        return settlers.Said(_player(self._reader, name), text)

    def _to_map(self, detail: Json) -> Json:
        """The map of the current form: an object with the number of each tile."""
        members: list[JsonMember] = []
        for item in self._reader.expect_items(detail, "the map"):
            q, r, *rest = self._reader.expect_items(item, "a tile of the map", 4)
            number = CGN_NUMBERS.get(self._parse_tile(q, r))
            if number is None:
                message = "this tile is outside the standard frame"
                self._reader.fail(item.span, "NT0309", message, "the centre is 0,0")
            members.append((JsonString(str(number), item.span), JsonArray(tuple(rest), item.span)))
        return JsonObject(tuple(members), detail.span)

    def _parse_tile(self, q: Json, r: Json) -> settlers.Hex:
        column, row = (
            self._reader.expect_integer(each, "a coordinate", -MAX_COORDINATE, MAX_COORDINATE)
            for each in (q, r)
        )
        return settlers.Hex(column, row)

    def _parse_pair(self, value: Json) -> settlers.Hex:
        """A tile in one string, "1,0", or a list of two coordinates."""
        if isinstance(value, JsonString) and (found := _PAIR.fullmatch(value.value)):
            return settlers.Hex(int(found[1]), int(found[2]))
        q, r = self._reader.expect_items(value, "a tile", 2)
        return self._parse_tile(q, r)

    def _parse_corner(self, value: Json) -> settlers.HexCorner:
        tiles = [self._parse_pair(item) for item in self._reader.expect_items(value, "an intersection", 3)]
        first, second, third = ((tile.q, tile.r) for tile in tiles)
        corner = maybe_sgn_corner((first, second, third))
        if corner is None:
            self._reader.fail_meaning(value.span, "NT1302", "these three tiles do not meet", "")
        return corner

    def _parse_building(
        self, message: CgnMessage, fields: dict[str, JsonMember], free_roads: int
    ) -> tuple[settlers.Event, ...]:
        """A placement, with its purchase after the deployment."""
        player, piece = self._player(message, fields), _PIECES[message.code]
        placement: settlers.Action
        if piece is Piece.ROAD:
            path = self._field(message, fields, "path")
            start, end = (self._parse_corner(item) for item in self._reader.expect_items(path, "a path", 2))
            side = maybe_side_between(start, end)
            if side is None:
                self._reader.fail_meaning(path.span, "NT1303", "no path joins these intersections", "")
            placement = settlers.PlaceRoad(side)
        else:
            corner = self._parse_corner(self._field(message, fields, "intersection"))
            placement = (
                settlers.PlaceVillage(corner) if piece is Piece.VILLAGE else settlers.PlaceCity(corner)
            )
        if self._phase is settlers.Phase.DEPLOYMENT:
            return (settlers.Act(placement, player),)
        if piece is Piece.ROAD and free_roads:
            self._free_roads = free_roads - 1
            return (settlers.Act(placement, player),)
        return settlers.Act(settlers.Buy(piece), player), settlers.Act(placement, player)

    def _parse_changes(self, detail: Json, fields: dict[str, JsonMember]) -> tuple[HoldingChange, ...]:
        value = fields["resources"][1] if "resources" in fields else detail
        return _changes(self._reader, self._reader.expect_members(value, "a transfer").values())

    def _parse_robbery(
        self, message: CgnMessage, fields: dict[str, JsonMember]
    ) -> tuple[settlers.Event, ...]:
        changes = dict(self._parse_changes(message.detail, fields))
        thief = next((player for player, holding in changes.items() if holding.goods.total == 1), None)
        victim = next((player for player in changes if player != thief), None)
        if thief is None or victim is None or len(changes) != 2 or len([*changes[thief].goods.items()]) != 1:
            text = "a steal moves one resource from one player to another"
            self._reader.fail_meaning(message.detail.span, "NT1311", text, "")
        ((kind, _),) = changes[thief].goods.items()
        return (settlers.Act(settlers.Steal(victim, kind), thief),)

    def _parse_offer(self, message: CgnMessage, fields: dict[str, JsonMember]) -> settlers.Offered:
        player = self._player(message, fields)
        name = self._reader.expect_text(self._field(message, fields, "uuid"), "the name of an offer")
        changes = dict(self._parse_changes(message.detail, fields))
        change = changes.pop(player, settlers.Holding())
        if not changes:
            text = "an offer asks at least one player, found none"
            self._reader.fail(message.detail.span, "NT0306", text, "")
        return settlers.Offered(player, change, tuple(changes.items()), name, open=len(changes) > 1)


def _changes(reader: JsonReader, members: Iterable[JsonMember]) -> tuple[HoldingChange, ...]:
    return tuple((_player(reader, name, bank=True), _holding(reader, value)) for name, value in members)


def _holding(reader: JsonReader, value: Json) -> settlers.Holding:
    counts: dict[str, int] = {}
    for code, (key, count) in reader.expect_members(value, "the gains and losses", fold=True).items():
        if code not in RESOURCES:
            hint = f"the resources are {', '.join(RESOURCES)}"
            reader.fail(key.span, "NT0317", f"{show(key.value)} is not a resource", hint)
        counts[code] = reader.expect_integer(count, "a count", -MAX_NUMBER, MAX_NUMBER)
    return settlers.Holding(goods_from(counts))


def _balance(changes: tuple[HoldingChange, ...]) -> tuple[HoldingChange, ...]:
    """Gains with what the bank gives for them."""
    total = Goods()
    for _, holding in changes:
        total += holding.goods
    return (*changes, (BANK, settlers.Holding(-total))) if total else changes


def _player(reader: JsonReader, value: Json, *, bank: bool = False) -> Player:
    """A player as 1, "1" or "P1"; the bank as "bank" or "B"."""
    match value:
        case JsonNumber(int(number)) if f"P{number}" in PLAYERS:
            return PLAYERS[f"P{number}"]
        case JsonString(text):
            name = fold_case(text)
            if bank and name in ("BANK", "B"):
                return BANK
            player = PLAYERS.get(name) or PLAYERS.get(f"P{name}")
            if player is not None:
                return player
        case _:
            pass
    reader.fail(value.span, "NT0305", "this is not a player", 'the players are "1" to "4"')
