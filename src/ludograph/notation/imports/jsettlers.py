"""Game event logs of the program JSettlers (`.soclog`), of games on the classic board for four players.

After a header line, each line is a message between the server and the players: an optional time, the audience
(`all`, `p3` for player 3, `!p3` for all others, `f3` from player 3), the name of the message, and its
parameters. Only messages from the server count. A message to one player may show a card that the message to
the others hides, so both describe one event. A full log (type F) has all of them; a log of one client hides
cards, and the rules can check it up to the first hidden one. Coordinates are hexadecimal, in the system of
the classic board.
"""

import re
from typing import NoReturn

from msgspec import Struct

from ludograph import settlers
from ludograph.notation.imports.compass import side_towards
from ludograph.notation.imports.imported import TERRAIN_OF, ImportBuilder, Imported
from ludograph.notation.imports.jsettlers_places import CORNERS, ROW_TILES, SIDES, TILES
from ludograph.notation.results import Loss, LossKind, check_size
from ludograph.settlers import Hex
from ludograph.settlers.goods import BANK, Card, Goods, Piece, Player, Resource, Terrain
from ludograph.text import Cursor, Source, Span, split_lines

# The numbers of resources; 6 is an unknown one.
_RESOURCES = {1: Resource.BRICK, 2: Resource.ORE, 3: Resource.WOOL, 4: Resource.GRAIN, 5: Resource.LUMBER}
_RESOURCE_NAMES = {"clay": "brick", "ore": "ore", "sheep": "wool", "wheat": "grain", "wood": "lumber"}
_CARDS = {
    1: Card.ROADS,
    2: Card.PLENTY,
    3: Card.MONOPOLY,
    **dict.fromkeys(range(4, 9), Card.POINT),
    9: Card.KNIGHT,
}
_DICE = (2, 3, 4, 5, 6, 8, 9, 10, 11, 12)
_DESERT, _SEA = 0, 6
_FACINGS = {1: "NE", 2: "E", 3: "SE", 4: "SW", 5: "W", 6: "NW"}
_ROLL_OR_CARD, _OVER = 15, 1000
_PICKED_FOR_PLENTY, _MONOPOLIZED = 2, 3
_PLAYED_CARD_FLAG = "19"

_BEGIN = re.compile(r"SOC game event log: ")
_ENTRY = re.compile(
    r"(?:[0-9]+:[0-9]{2}\.[0-9]{3}:)?(all|ob|un|!?p[0-9]|!?p\[[0-9, ]*\]|f[0-9o]):(SOC[A-Za-z0-9]+)(?::(.*))?"
)
_LAYOUT = re.compile(r"\{([-0-9 ]*)\}")
_SET_OF_CARDS = re.compile(
    r"(\w+)=clay=(\d+)\|ore=(\d+)\|sheep=(\d+)\|wheat=(\d+)\|wood=(\d+)\|unknown=(\d+)"
)
_OPTION_POINTS = re.compile(r"(?:^|[,=])VP=t([0-9]{1,2})(?:,|$)")
_BASE_GAME = "only games of the base rules on the classic board can be imported"
_UNSUPPORTED = {
    "SOCBoardLayout2": "the sea board",
    "SOCMovePiece": "ships",
    "SOCRevealFogHex": "hidden tiles",
    "SOCInventoryItemAction": "items of scenarios",
}

_Placement = settlers.PlaceVillage | settlers.PlaceCity | settlers.PlaceRoad


class _Message(Struct, frozen=True):
    audience: str
    name: str
    text: str
    fields: dict[str, str]
    span: Span


def begins_at(cursor: Cursor) -> bool:
    """Whether a log of JSettlers starts here."""
    return _BEGIN.match(cursor.text, cursor.offset) is not None


def read(source: Source, *, lenient: bool = False) -> Imported:
    """Parse a log; raises BadText or Nonsense. Lenient parsing accepts a byte order mark."""
    check_size(source)
    return _LogReader(source, lenient=lenient).read()


class _LogReader:
    """Reads the messages of a log. Mutable."""

    def __init__(self, source: Source, *, lenient: bool) -> None:
        self.cursor = Cursor(source)
        if lenient:
            self.cursor.maybe("\ufeff")
        self.builder = ImportBuilder()
        self.players: dict[str, Player] = {}
        """The players by the numbers of their seats, in turn order."""
        self.turn: Player | None = None
        self.has_rolled_turns = False
        self.last_name = ""
        self.is_over = False

    def read(self) -> Imported:
        messages = self._parse_messages()
        self._start(messages)
        for message in messages:
            if not self.is_over:
                self._read_message(message)
                self.last_name = message.name
        losses: tuple[Loss, ...] = ()
        if self.builder.checkable is not None:
            losses = (Loss(LossKind.MISSING, "cards that the log hides: it is the log of one player"),)
        return self.builder.finish(losses)

    def _fail(self, span: Span, code: str, message: str, hint: str) -> NoReturn:
        self.cursor.fail(code, message, start=span.start, end=span.end, hint=hint)

    # Lines.

    def _parse_messages(self) -> list[_Message]:
        """All messages of the log from the server to players."""
        if not begins_at(self.cursor):
            hint = "a log starts with its type, version and name"
            self.cursor.fail("NT0704", "expected the line 'SOC game event log: …'", hint=hint)
        messages: list[_Message] = []
        offset, is_first = self.cursor.offset, True
        for line in split_lines(self.cursor.text[offset:]):
            text = line.strip()
            start = offset + len(line) - len(line.lstrip())
            span = Span(start, start + max(1, len(text)))
            offset += len(line)
            if is_first or not text or text.startswith("#"):
                is_first = False
                continue
            found = _ENTRY.fullmatch(text)
            if found is None:
                hint = "a line is an audience, the name of a message, and its parameters"
                self._fail(span, "NT0703", "this line is not a message", hint)
            if not found[1].startswith("f") and found[1] != "ob":
                body = found[3] or ""
                parts = (part.partition("=") for part in body.split("|"))
                messages.append(
                    _Message(found[1], found[2], body, {key: value for key, _, value in parts}, span)
                )
        return messages

    # The start of the game.

    def _start(self, messages: list[_Message]) -> None:
        layout: _Message | None = None
        names: dict[str, str] = {}
        for message in messages:
            fields = message.fields
            match message.name:
                case "SOCNewGameWithOptions":
                    if points := _OPTION_POINTS.search(message.text):
                        self.builder.headers.append(("Points", points[1]))
                case "SOCBoardLayout" if fields.get("robberHex") != "0xffffffff":
                    layout = message
                case "SOCSitDown":
                    names[fields.get("playerNumber", "")] = fields.get("nickname", "")
                case "SOCPutPiece" if fields.get("pieceType") == "1":
                    seat = fields.get("playerNumber", "")
                    self.players.setdefault(seat, Player(len(self.players) + 1))
                case name if name in _UNSUPPORTED:
                    what = _UNSUPPORTED[name]
                    self._fail(
                        message.span, "NT0705", f"the log has {what}, which has no place here", _BASE_GAME
                    )
                case _:
                    pass
        if layout is None:
            span = Span(self.cursor.offset, self.cursor.offset + 1)
            self._fail(span, "NT0704", "the log has no map (SOCBoardLayout)", "is its beginning missing?")
        seats = list(self.players)
        self.builder.start(
            self._read_island(layout), [names.get(seat) or f"player {seat}" for seat in seats], layout.span
        )

    def _read_island(self, message: _Message) -> settlers.Island:
        lists = [found[1].split() for found in _LAYOUT.finditer(message.text)]
        if len(lists) != 2 or any(len(each) != len(ROW_TILES) for each in lists):
            hint = "the classic board has 37 tiles"
            self._fail(message.span, "NT0705", "this is not the map of a classic board", hint)
        terrain: dict[Hex, Terrain] = {}
        numbers: dict[Hex, int | None] = {}
        harbors: list[settlers.Harbor] = []
        for tile, kind, number in zip(ROW_TILES, *lists, strict=True):
            code, index = self._integer(kind, message), self._integer(number, message)
            if code in _RESOURCES:
                terrain[tile] = TERRAIN_OF[_RESOURCES[code]]
                if not 0 <= index < len(_DICE):
                    hint = "numbers are counted from 0 (for 2) to 9 (for 12)"
                    self._fail(message.span, "NT0702", f"unknown number of a tile: {index}", hint)
                numbers[tile] = _DICE[index]
                continue
            terrain[tile] = Terrain.DESERT if code == _DESERT else Terrain.SEA
            if code not in (_DESERT, _SEA):
                facing, resource = (code >> 4, code & 15) if code > 15 else (code - _SEA, 0)
                if facing not in _FACINGS or (resource and resource not in _RESOURCES):
                    self._fail(message.span, "NT0702", f"unknown type of a tile: {code}", "is it a port?")
                side = side_towards(tile, _FACINGS[facing])
                harbors.append(settlers.Harbor(side, _RESOURCES[resource] if resource else None))
        return settlers.Island.of(terrain, numbers, harbors)

    # Values.

    def _integer(self, text: str, message: _Message, base: int = 10) -> int:
        try:
            return int(text[:12], base)
        except ValueError:
            hint = "write a number"
            self._fail(message.span, "NT0706", f"expected a number, found '{text[:20]}'", hint)

    def _number(self, message: _Message, key: str, base: int = 10) -> int:
        if key not in message.fields:
            hint = f"is it a log of another version? Its messages have {key}=…"
            self._fail(message.span, "NT0706", f"{message.name} has no {key}", hint)
        return self._integer(message.fields[key], message, base)

    def _player(self, message: _Message, key: str) -> Player:
        seat = str(self._number(message, key))
        if seat not in self.players:
            hint = f"the players have the seats {', '.join(self.players)}"
            self.cursor.fail_meaning(
                "NT1701",
                f"nobody sits on seat {seat}",
                start=message.span.start,
                end=message.span.end,
                hint=hint,
            )
        return self.players[seat]

    def _cards(self, message: _Message, key: str) -> tuple[Goods, int]:
        """The goods of a parameter, and the number of unknown cards."""
        for found in _SET_OF_CARDS.finditer(message.text):
            if found[1] == key:
                counts = [int(count[:6]) for count in found.groups()[1:]]
                return Goods(**dict(zip(_RESOURCE_NAMES.values(), counts[:5], strict=True))), counts[5]
        self._fail(message.span, "NT0706", f"{message.name} has no {key}", f"add {key}=clay=…")

    def _fail_place(self, message: _Message, coordinate: int) -> NoReturn:
        self.cursor.fail_meaning(
            "NT1703",
            f"there is no such place: {coordinate:x}",
            start=message.span.start,
            end=message.span.end,
            hint="coordinates are those of the classic board",
        )

    # Events.

    def _read_message(self, message: _Message) -> None:
        builder, span, fields = self.builder, message.span, message.fields
        match message.name:
            case "SOCTurn":
                self._begin_turn(message)
            case "SOCGameElements" if "e4" in fields and fields["e4"] != "-1":
                self.turn = self._player(message, "e4")
            case "SOCGameState" if fields.get("state") == str(_OVER) and self.turn is not None:
                builder.add(settlers.GameOver(self.turn), span)
                self.is_over = True
            case "SOCPutPiece":
                self._place(message)
            case "SOCUndoPutPiece":
                self._undo_piece(message)
            case "SOCCancelBuildRequest" if builder.in_setup and fields.get("pieceType") == "1":
                builder.cancel_setup_piece()
            case "SOCDiceResult" if self.turn is not None and self._number(message, "param") > 0:
                builder.act(self.turn, settlers.Roll(self._number(message, "param")), span)
            case "SOCDiscard":
                goods, unknown = self._cards(message, "resources")
                if not unknown:
                    player = self._player(message, "playerNum")
                    builder.act(player, settlers.Discard(player, goods), span)
                elif self.last_name != "SOCDiscard":
                    builder.hide()
            case "SOCMoveRobber":
                coordinate = self._number(message, "coord", 16)
                if coordinate not in TILES:
                    self._fail_place(message, coordinate)
                builder.act(
                    self._player(message, "playerNumber"), settlers.MoveRobber(TILES[coordinate]), span
                )
            case "SOCRobberyResult" if self.last_name != "SOCRobberyResult":
                resource = _RESOURCES.get(self._number(message, "resType"))
                if resource is None:
                    builder.hide()
                steal = settlers.Steal(self._player(message, "victim"), resource)
                builder.act(self._player(message, "perp"), steal, span)
            case "SOCDevCardAction":
                self._read_card(message)
            case "SOCPlayerElement" if fields.get("elementType") == _PLAYED_CARD_FLAG:
                if fields.get("amount") == "0" and fields.get("playerNum") != "-1":
                    builder.cancel_road_building()
            case "SOCPickResources" if self._number(message, "reason") == _PICKED_FOR_PLENTY:
                goods, _ = self._cards(message, "resources")
                builder.act(self._player(message, "pn"), settlers.UsePlenty(goods), span)
            case "SOCSimpleAction" if self._number(message, "actType") == _MONOPOLIZED:
                kind = _RESOURCES.get(self._number(message, "v2"))
                if kind is None:
                    self._fail(span, "NT0702", "unknown resource of a monopoly", "it is from 1 to 5")
                builder.act(self._player(message, "pn"), settlers.UseMonopoly(kind), span)
            case "SOCBankTrade":
                (give, _), (take, _) = self._cards(message, "give"), self._cards(message, "get")
                player, trade = self._player(message, "pn"), settlers.Trade(give, take, BANK)
                if not builder.undo_bank_trade(player, trade):
                    builder.act(player, trade, span)
            case "SOCAcceptOffer":
                self._trade(message)
            case "SOCMakeOffer" | "SOCRejectOffer":
                builder.lose("an offer, its acceptance or refusal")
            case "SOCGameTextMsg":
                builder.lose("chat")
            case _:
                pass

    def _begin_turn(self, message: _Message) -> None:
        if self._number(message, "gameState") == _ROLL_OR_CARD:
            if self.has_rolled_turns and self.turn is not None:
                self.builder.end_turn(self.turn, message.span)
            self.has_rolled_turns = True
        self.turn = self._player(message, "playerNumber")

    def _place(self, message: _Message) -> None:
        piece, action = self._read_piece(message)
        self.builder.build(self._player(message, "playerNumber"), piece, action, message.span)

    def _undo_piece(self, message: _Message) -> None:
        _, action = self._read_piece(message)
        if not self.builder.undo_build(self._player(message, "playerNumber"), action):
            hint = "only the piece that was bought last can be taken back"
            self._fail(message.span, "NT0705", "the log takes back a piece out of turn", hint)

    def _read_piece(self, message: _Message) -> tuple[Piece, _Placement]:
        coordinate = self._number(message, "coord", 16)
        match self._number(message, "pieceType"):
            case 0 if coordinate in SIDES:
                return Piece.ROAD, settlers.PlaceRoad(SIDES[coordinate])
            case 1 if coordinate in CORNERS:
                return Piece.VILLAGE, settlers.PlaceVillage(CORNERS[coordinate])
            case 2 if coordinate in CORNERS:
                return Piece.CITY, settlers.PlaceCity(CORNERS[coordinate])
            case 0 | 1 | 2:
                self._fail_place(message, coordinate)
            case piece:
                hint = "only roads, settlements and cities (0, 1 and 2) have a place here"
                self._fail(message.span, "NT0705", f"unknown piece: {piece}", hint)

    def _read_card(self, message: _Message) -> None:
        builder, span = self.builder, message.span
        kind = message.fields.get("actionType")
        if kind == "DRAW" and not (message.audience.startswith("!") and self.last_name == message.name):
            card = _CARDS.get(self._number(message, "cardType"))
            builder.act(self._player(message, "playerNum"), settlers.BuyCard(card), span)
        elif kind == "PLAY":
            # A year of plenty and a monopoly follow with their resources.
            match _CARDS.get(self._number(message, "cardType")):
                case Card.KNIGHT:
                    builder.act(self._player(message, "playerNum"), settlers.UseKnight(), span)
                case Card.ROADS:
                    builder.act(self._player(message, "playerNum"), settlers.UseRoads(), span)
                case _:
                    pass

    def _trade(self, message: _Message) -> None:
        """A trade between two players; it belongs to the player whose turn it is."""
        offering, accepting = self._player(message, "offering"), self._player(message, "accepting")
        (gain, _), (loss, _) = self._cards(message, "toOffering"), self._cards(message, "toAccepting")
        if accepting == self.turn:
            offering, accepting, gain, loss = accepting, offering, loss, gain
        self.builder.act(offering, settlers.Trade(loss, gain, accepting), message.span)
