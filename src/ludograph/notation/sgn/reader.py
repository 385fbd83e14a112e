"""The parser of SGN lines: each line is a JSON list, or an object of SGN 0.4, of player, code and value."""

import re
from typing import Any

from ludograph import settlers
from ludograph.notation.headers import maybe_comment_header
from ludograph.notation.json_records.item_codes import (
    CARDS,
    HARBORS,
    NUMBERS,
    RESOURCES,
    TERRAINS,
    goods_from,
)
from ludograph.notation.json_records.reader import JsonReader
from ludograph.notation.json_records.transfers import check_balance, parse_count, trade_in
from ludograph.notation.json_records.values import (
    Json,
    JsonNull,
    JsonNumber,
    JsonObject,
    JsonString,
    format_json,
    show,
)
from ludograph.settlers.goods import BANK, Card, Goods, Player, Resource, goods_of
from ludograph.settlers.names import maybe_sgn_corner, maybe_side_between, nearest_corners, sgn_corner
from ludograph.settlers.record import HoldingChange
from ludograph.text import Span

LINE_CODES = ("DM", "MR", "BS", "BC", "BR", "BD", "PD", "RD", "ST", "TR")
PARTIES: dict[str, Player] = {str(number): Player(number) for number in range(1, 7)} | {"B": BANK}
PARTY_NAMES: dict[Player, str] = {player: name for name, player in PARTIES.items()}
MAX_SUGGESTIONS = 4
MIN_TILES, MIN_HARBORS = 37, 8
"""The limits of SGN for a map: the standard frame with its sea has 37 tiles."""
MAX_COORDINATE = 999_999
"""The largest coordinate; no board is so large."""

_WHOLE = re.compile(r"-?(?:0|[1-9][0-9]{0,6})")
_COMMENT = re.compile(r"#[ \t]*([^\r\n]*)")
_BLANK_LINES = re.compile(r"[ \t\r\n]*")


def take_comment_headers(reader: JsonReader) -> tuple[tuple[str, str], ...]:
    """The headers in comments before the first line, such as `# [Points "12"]`."""
    reader.skip_mark()
    cursor, headers = reader.cursor, list[tuple[str, str]]()
    while True:
        cursor.maybe_match(_BLANK_LINES)
        comment = cursor.maybe_match(_COMMENT)
        if comment is None:
            return tuple(headers)
        header = maybe_comment_header(comment[1])
        if header is None:
            cursor.offset = comment.start()
            hint = 'only headers such as # [Points "12"] may precede the lines'
            cursor.fail("NT0502", "SGN has no comments", hint=hint)
        headers.append(header)


def parse_lines(reader: JsonReader) -> list[tuple[settlers.Event, Span]]:
    """The events of a record with their spans, one for each line that is not blank."""
    cursor = reader.cursor
    events: list[tuple[settlers.Event, Span]] = []
    cursor.maybe_match(_BLANK_LINES)
    while not cursor.at_end:
        line = reader.parse_value()
        events.append((_parse_line(reader, line), line.span))
        reader.skip_blanks()
        if not cursor.at_end and cursor.peek() not in "\r\n":
            expected = f"expected the end of the line, found {cursor.found()}"
            cursor.fail("NT0502", expected, hint="write one list on each line")
        cursor.maybe_match(_BLANK_LINES)
    if not events:
        reader.fail(
            Span(0, 1), "NT0501", "the text has no line", 'write a line such as ["1","RD",{"result":7}]'
        )
    return events


def _parse_line(reader: JsonReader, line: Json) -> settlers.Event:
    if isinstance(line, JsonObject):
        fields = reader.expect_fields(line, "a line of SGN 0.4", ("player", "aCode", "value"))
        name, code, value = fields["player"], fields["aCode"], fields["value"]
    else:
        name, code, value = reader.expect_items(line, "a line (player, code, value)", 3)
    player = _parse_party(reader, name)
    text = reader.expect_text(code, "the code")
    if text not in LINE_CODES:
        hint = f"the codes are {' '.join(LINE_CODES)}"
        reader.fail(code.span, "NT0504", f"{show(text)} is not a code", hint)
    if player == BANK and text not in {"DM", "TR"}:
        reader.fail_meaning(name.span, "NT1507", f"the bank cannot act ({text})", 'players are "1" to "6"')
    match text:
        case "DM":
            return settlers.MapDefined(_parse_map(reader, value))
        case "TR":
            changes = _parse_changes(reader, value)
            return maybe_act(player, changes) or settlers.Transferred(changes)
        case "ST":
            return settlers.Act(_parse_steal(reader, value, player), player)
        case "PD":
            return _parse_card_played(reader, value, player)
        case _:
            return settlers.Act(_parse_action(reader, text, value), player)


def _parse_action(reader: JsonReader, code: str, value: Json) -> settlers.Action:
    match code:
        case "RD":
            result = reader.expect_fields(value, "the value of RD", ("result",))["result"]
            return settlers.Roll(reader.expect_integer(result, "the result of a roll", 2, 12))
        case "MR":
            return settlers.MoveRobber(
                _parse_tile(reader, reader.expect_fields(value, "the value of MR", ("tile",))["tile"])
            )
        case "BD":
            card = reader.expect_fields(value, "the value of BD", ("cCode",))["cCode"]
            return settlers.BuyCard(CARDS[_parse_code(reader, card, "cCode", CARDS)])
        case "BR":
            return settlers.PlaceRoad(
                _parse_side(reader, reader.expect_fields(value, "the value of BR", ("path",))["path"])
            )
        case _:
            fields = reader.expect_fields(value, f"the value of {code}", ("intersection",))
            corner = _parse_corner(reader, fields["intersection"])
            return settlers.PlaceVillage(corner) if code == "BS" else settlers.PlaceCity(corner)


_NAMED_RESOURCES = {Card.MONOPOLY: 'write "rCodes":["W"]', Card.PLENTY: 'write "rCodes":["O","W"]'}


def _parse_card_played(reader: JsonReader, value: Json, player: Player) -> settlers.Event:
    fields = reader.expect_fields(value, "the value of PD", ("cCode",), ("rCodes",))
    card = CARDS[_parse_code(reader, fields["cCode"], "cCode", CARDS)]
    named = reader.expect_items(fields["rCodes"], "rCodes") if "rCodes" in fields else ()
    kinds = [RESOURCES[_parse_code(reader, item, "rCode", RESOURCES)] for item in named]
    allowed = {Card.MONOPOLY: {1}, Card.PLENTY: {1, 2}}.get(card, {0})
    if len(kinds) not in allowed:
        wanted = f"{' or '.join(str(count) for count in sorted(allowed))} resource{'s' * (allowed != {1})}"
        message = f"{card.value} names {wanted} in rCodes, found {len(kinds)}"
        reader.fail(value.span, "NT0507", message, _NAMED_RESOURCES.get(card, "leave rCodes out"))
    match card:
        case Card.KNIGHT:
            return settlers.Act(settlers.UseKnight(), player)
        case Card.ROADS:
            return settlers.Act(settlers.UseRoads(), player)
        case Card.MONOPOLY:
            return settlers.Act(settlers.UseMonopoly(kinds[0]), player)
        case Card.PLENTY:
            return settlers.Act(settlers.UsePlenty(_sum(kinds)), player)
        case Card.POINT:
            return settlers.CardPlayed(Card.POINT, player)


def _sum(kinds: list[Resource]) -> Goods:
    goods = Goods()
    for kind in kinds:
        goods += goods_of(kind)
    return goods


def _parse_steal(reader: JsonReader, value: Json, thief: Player) -> settlers.Action:
    changes = dict(_parse_changes(reader, value))
    gain = changes.get(thief, settlers.Holding()).goods
    victim = next((player for player in changes if player != thief), BANK)
    if len(changes) != 2 or victim == BANK or [count for _, count in gain.items()] != [1]:
        message = "a steal moves one resource from another player to the player of the line"
        hint = f'write [{{"player":"{thief}","resources":{{"G":1}}}},{{"player":"…","resources":{{"G":-1}}}}]'
        reader.fail_meaning(value.span, "NT1506", message, hint)
    (kind,) = (kind for kind, _ in gain.items())
    return settlers.Steal(victim, kind)


def maybe_act(player: Player, changes: tuple[HoldingChange, ...]) -> settlers.Act | None:
    """The trade or discard of a TR line by a player; None for any other transfer."""
    if len(changes) != 2 or player == BANK:
        return None
    parties = dict(changes)
    other = next((party for party in parties if party != BANK), BANK)
    lost = parties[other].goods
    if BANK in parties and all(count < 0 for _, count in lost.items()):
        return settlers.Act(settlers.Discard(other, -lost), other)
    if player not in parties:
        return None
    trade = trade_in(parties, player)
    return settlers.Act(trade, player) if trade is not None else None


def _parse_changes(reader: JsonReader, value: Json) -> tuple[HoldingChange, ...]:
    """The balanced gains and losses of each party."""
    changes: dict[Player, settlers.Holding] = {}
    for item in reader.expect_items(value, "a transfer"):
        fields = reader.expect_fields(item, "a party of a transfer", ("player", "resources"))
        player = _parse_party(reader, fields["player"])
        if player in changes:
            reader.fail_meaning(
                item.span,
                "NT1508",
                f"player {PARTY_NAMES[player]} is listed twice",
                "list all gains and losses of a player in one entry",
            )
        changes[player] = settlers.Holding(_parse_goods(reader, fields["resources"]))
    if len(changes) < 2:
        reader.fail_meaning(
            value.span,
            "NT1508",
            f"a transfer has two parties or more, found {len(changes)}",
            'the bank is "B"',
        )
    check_balance(reader, value, "NT1501", changes.items())
    return tuple(changes.items())


def _parse_goods(reader: JsonReader, value: Json) -> Goods:
    counts: dict[str, int] = {}
    for code, (key, count) in reader.expect_members(value, "resources").items():
        _parse_code(reader, key, "rCode", RESOURCES)
        counts[code] = parse_count(reader, count, code, "NT1509")
    goods = goods_from(counts)
    if not goods:
        reader.fail_meaning(
            value.span,
            "NT1508",
            "a party of a transfer gains or gives something",
            "leave out a party that does neither",
        )
    return goods


# The map.


def _parse_map(reader: JsonReader, value: Json) -> settlers.Island:
    fields = reader.expect_fields(value, "the value of DM", ("tiles", "harbors"))
    tiles = reader.expect_items(fields["tiles"], "tiles")
    terrain: dict[settlers.Hex, settlers.Terrain] = {}
    numbers: dict[settlers.Hex, int | None] = {}
    for item in tiles:
        place, kind, number = _parse_map_tile(reader, item)
        if place in terrain:
            reader.fail_meaning(
                item.span,
                "NT1505",
                f"the tile [{place.q},{place.r}] is defined twice",
                "leave one of them out",
            )
        terrain[place] = kind
        numbers[place] = number
    harbors: dict[settlers.HexSide, settlers.Harbor] = {}
    paths = reader.expect_items(fields["harbors"], "harbors")
    for item in paths:
        parts = reader.expect_fields(item, "a harbor", ("path", "hCode"))
        side = _parse_side(reader, parts["path"])
        if side in harbors:
            reader.fail_meaning(
                item.span, "NT1505", "this path already has a harbor", "leave one of them out"
            )
        harbors[side] = settlers.Harbor(side, HARBORS[_parse_code(reader, parts["hCode"], "hCode", HARBORS)])
    _check_size(reader, fields["tiles"], "tiles", len(tiles), MIN_TILES)
    _check_size(reader, fields["harbors"], "harbors", len(paths), MIN_HARBORS)
    return settlers.Island.of(terrain, numbers, harbors.values())


def _check_size(reader: JsonReader, value: Json, what: str, count: int, least: int) -> None:
    if count < least:
        hint = "list the sea tiles too" if what == "tiles" else "list all harbors"
        reader.tolerate(value.span, "NT0508", f"a map has at least {least} {what}, found {count}", hint)


def _parse_map_tile(reader: JsonReader, item: Json) -> tuple[settlers.Hex, settlers.Terrain, int | None]:
    fields = reader.expect_fields(item, "a tile of the map", ("tile", "tCode", "rNumber"))
    place = _parse_tile(reader, fields["tile"])
    kind = TERRAINS[_parse_code(reader, fields["tCode"], "tCode", TERRAINS)]
    given = fields["rNumber"]
    if isinstance(given, JsonNull):
        return place, kind, None
    number = reader.expect_integer(given, "rNumber", 2, 12)
    if number not in NUMBERS or kind.yields is None:
        message = f"a tile of {kind.value} cannot have the number {number}"
        reader.fail_meaning(
            given.span, "NT1504", message, "7 moves the robber; write null for sea and desert"
        )
    return place, kind, number


# Players, codes and places.


def _parse_party(reader: JsonReader, value: Json) -> Player:
    text = reader.expect_text(value, "a player")
    if text not in PARTIES:
        hint = 'players are "1" to "6"; the bank is "B"'
        reader.fail(value.span, "NT0503", f"{show(text)} is not a player", hint)
    return PARTIES[text]


def _parse_code(reader: JsonReader, value: Json, what: str, known: dict[str, Any]) -> str:
    code = reader.expect_text(value, what)
    if code not in known:
        reader.fail(
            value.span, "NT0506", f"{show(code)} is not a known {what}", f"write one of {' '.join(known)}"
        )
    return code


def _parse_tile(reader: JsonReader, value: Json) -> settlers.Hex:
    q, r = (_parse_coordinate(reader, item) for item in reader.expect_items(value, "a tile", 2))
    return settlers.Hex(q, r)


def _parse_coordinate(reader: JsonReader, value: Json) -> int:
    """An integer, bare or in quotes: files have both."""
    match value:
        case JsonNumber(int(number), _):
            pass
        case JsonString(text, _) if _WHOLE.fullmatch(text):
            number = int(text)
        case _:
            hint = "write an integer"
            reader.fail(value.span, "NT0505", "a coordinate is an integer", hint)
    if abs(number) > MAX_COORDINATE:
        reader.fail(
            value.span,
            "NT0505",
            f"a coordinate is from {-MAX_COORDINATE} to {MAX_COORDINATE}",
            "the centre is [0,0]",
        )
    return number


def _parse_corner(reader: JsonReader, value: Json) -> settlers.HexCorner:
    items = reader.expect_items(value, "an intersection", 3)
    first, second, third = (_parse_tile(reader, item) for item in items)
    corner = maybe_sgn_corner(((first.q, first.r), (second.q, second.r), (third.q, third.r)))
    if corner is None:
        nearest = nearest_corners((first, second, third))
        hint = "the nearest intersections are " + ", ".join(
            _show(corner) for corner in nearest[:MAX_SUGGESTIONS]
        )
        reader.fail_meaning(value.span, "NT1502", "these three tiles do not meet", hint)
    return corner


def _parse_side(reader: JsonReader, value: Json) -> settlers.HexSide:
    first, second = (_parse_corner(reader, item) for item in reader.expect_items(value, "a path", 2))
    side = maybe_side_between(first, second)
    if side is None:
        ends = ", ".join(_show(end) for end in first.neighbours)
        hint = f"from {_show(first)} paths lead to {ends}"
        reader.fail_meaning(value.span, "NT1503", "no path joins these intersections", hint)
    return side


def _show(corner: settlers.HexCorner) -> str:
    return format_json(sgn_corner(corner))
