"""Logs of the program catanlog (`.catan`): a few header lines, then one line for each action.

A log has only what a spectator sees. It leaves out which cards are stolen, which development cards are bought
and what players discard. So the rules can check a log up to the first roll of seven or the first knight; the
events after that are imported without their check. Tiles are numbered counter-clockwise from the top left.
"""

import re
from typing import NoReturn

from ludograph import settlers
from ludograph.notation.imports.compass import (
    CORNER_DIRECTIONS,
    SIDE_DIRECTIONS,
    corner_towards,
    side_towards,
)
from ludograph.notation.imports.imported import TERRAIN_OF, ImportBuilder, Imported, goods_of
from ludograph.notation.results import Loss, LossKind, check_size
from ludograph.settlers import Hex
from ludograph.settlers.goods import BANK, Goods, Piece, Player, Resource, Terrain
from ludograph.settlers.places import FRAME, LAND
from ludograph.text import Cursor, Source, Span

_RESOURCES = {
    "wood": Resource.LUMBER,
    "brick": Resource.BRICK,
    "wheat": Resource.GRAIN,
    "sheep": Resource.WOOL,
    "ore": Resource.ORE,
}
# The numbers of the tiles in reading order.
_TILE_NUMBERS = (1, 12, 11, 2, 13, 18, 10, 3, 14, 19, 17, 9, 4, 15, 16, 8, 5, 6, 7)
_TILES: dict[int, Hex] = dict(zip(_TILE_NUMBERS, LAND, strict=True))
_NOBODY = ("nobody", "None")

_BEGIN = re.compile(r"catanlog v[0-9]")
_LINE = re.compile(r"[^\r\n]*")
_LINE_END = re.compile(r"\r\n|\r|\n")
_PLAYER = re.compile(r"name: (.*), color: (.+), seat: ([0-9]{1,3})")
_PORT = re.compile(r"([a-z0-9:]+)\(([0-9]{1,3}) ([A-Z]{1,2})\)")
_PLACE = r"\(([0-9]{1,3}) ([A-Z]{1,2})\)"
_ROLL = re.compile(r"rolls ([0-9]{1,3})(?: \.\.\.DEUCES!)?")
_ROBBER = re.compile(r"moves robber to \(?([0-9]{1,3})\)?, steals from (.+)")
_BUILD = re.compile(rf"buys (road|settlement|city), builds at {_PLACE}")
_TRADE = re.compile(r"trades \[(.*)\] to (port|player) (.+) for \[(.*)\]")
_ROAD_BUILDER = re.compile(rf"plays road builder, builds at {_PLACE} and {_PLACE}")
_PLENTY = re.compile(r"plays year of plenty, takes (\w+) and (\w+)")
_MONOPOLY = re.compile(r"plays monopoly on (\w+)")
_END = re.compile(r"ends turn after -?[0-9]{1,9}s")


def begins_at(cursor: Cursor) -> bool:
    """Whether a log of catanlog starts here."""
    return _BEGIN.match(cursor.text, cursor.offset) is not None


def read(source: Source, *, lenient: bool = False) -> Imported:
    """Parse a log; raises BadText or Nonsense. Lenient parsing accepts a byte order mark."""
    check_size(source)
    return _LogReader(source, lenient=lenient).read()


class _LogReader:
    """Reads a log line by line. Mutable."""

    def __init__(self, source: Source, *, lenient: bool) -> None:
        self.cursor = Cursor(source)
        if lenient:
            self.cursor.maybe("\ufeff")
        self.builder = ImportBuilder()
        self.players: dict[str, Player] = {}
        self.line = ""
        self.span = Span(0, 1)

    def read(self) -> Imported:
        self._read_headers()
        while self._next_line():
            self._read_action()
        losses: tuple[Loss, ...] = ()
        if self.builder.checkable is not None:
            message = "discards, and the kinds of stolen and bought cards: the log does not have them"
            losses = (Loss(LossKind.MISSING, message),)
        return self.builder.finish(losses)

    # Lines.

    def _next_line(self) -> bool:
        """Go to the next line that is not empty; false at the end."""
        cursor = self.cursor
        while not cursor.at_end:
            found = cursor.maybe_match(_LINE)
            assert found is not None, "the pattern matches any text"
            cursor.maybe_match(_LINE_END)
            if found[0].strip():
                self.line = found[0].rstrip()
                self.span = Span(found.start(), found.start() + len(self.line))
                return True
        self.line = ""
        return False

    def _fail(self, code: str, message: str, hint: str) -> NoReturn:
        self.cursor.fail(code, message, start=self.span.start, end=self.span.end, hint=hint)

    def _fail_meaning(self, code: str, message: str, hint: str) -> NoReturn:
        self.cursor.fail_meaning(code, message, start=self.span.start, end=self.span.end, hint=hint)

    def _expect_header(self, name: str) -> str:
        if not self._next_line() or not self.line.startswith(f"{name}:"):
            self._fail("NT0704", f"expected the line '{name}: …'", "is the beginning of the log missing?")
        return self.line.partition(":")[2].strip()

    # The beginning of a log.

    def _read_headers(self) -> None:
        self._next_line()
        if not _BEGIN.match(self.line):
            self._fail("NT0704", "expected the line 'catanlog v…'", "a log starts with its version")
        date = self._expect_header("timestamp").partition(" ")[0]
        if re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", date):
            self.builder.headers.append(("Date", date.replace("-", ".")))
        count = self._number(self._expect_header("players"), "a number of players")
        names: list[str] = []
        for _ in range(count):
            self._next_line()
            found = _PLAYER.fullmatch(self.line)
            if found is None:
                self._fail("NT0704", "expected the line 'name: …, color: …, seat: …'", "add the player")
            if found[2] in self.players:
                self._fail_meaning("NT1701", f"the color {found[2]} is listed twice", "change one of them")
            self.players[found[2]] = Player(len(self.players) + 1)
            names.append(found[1])
        self._expect_header("terrain")
        span = self.span
        terrain = [self._terrain(word) for word in self._words(len(_TILES))]
        self._expect_header("numbers")
        numbers = [None if word == "None" else self._dice(word) for word in self._words(len(_TILES))]
        self._expect_header("ports")
        harbors = self._read_ports()
        if not self._next_line() or self.line != "...CATAN!":
            self._fail("NT0704", "expected the line '...CATAN!'", "it ends the headers of a log")
        land = dict(zip((_TILES[number] for number in sorted(_TILES)), terrain, strict=True))
        island = settlers.Island.of(
            {place: land.get(place, Terrain.SEA) for place in FRAME},
            dict(zip((_TILES[number] for number in sorted(_TILES)), numbers, strict=True)),
            harbors,
        )
        self.builder.start(island, names, span)

    def _words(self, count: int) -> list[str]:
        words = self.line.partition(":")[2].split()
        if len(words) != count:
            self._fail("NT0704", f"expected {count} tiles, found {len(words)}", "an island has 19 tiles")
        return words

    def _terrain(self, word: str) -> Terrain:
        return Terrain.DESERT if word == "desert" else TERRAIN_OF[self._resource(word)]

    def _read_ports(self) -> list[settlers.Harbor]:
        text = self.line.partition(":")[2].strip()
        harbors: list[settlers.Harbor] = []
        for found in _PORT.finditer(text):
            kind = None if found[1] == "3:1" else self._resource(found[1])
            tile, direction = self._tile(found[2]), self._direction(found[3], SIDE_DIRECTIONS)
            harbors.append(settlers.Harbor(side_towards(tile, direction), kind))
        if _PORT.sub("", text).strip():
            self._fail("NT0704", "expected ports such as 3:1(1 NW)", "separate them by blanks")
        return harbors

    # Values.

    def _number(self, word: str, what: str) -> int:
        if not (word.isascii() and word.isdigit() and len(word) < 4):
            self._fail("NT0704", f"expected {what}, found '{word[:20]}'", "write a number")
        return int(word)

    def _dice(self, word: str) -> int:
        number = self._number(word, "a number from 2 to 12")
        if not 2 <= number <= 12:
            self._fail_meaning("NT1704", f"two dice cannot have the sum {number}", "it is from 2 to 12")
        return number

    def _resource(self, word: str) -> Resource:
        if word not in _RESOURCES:
            self._fail("NT0702", f"unknown resource: '{word[:20]}'", f"it is {', '.join(_RESOURCES)}")
        return _RESOURCES[word]

    def _tile(self, word: str) -> Hex:
        number = int(word)
        if number not in _TILES:
            self._fail_meaning("NT1703", f"there is no tile {number}", "tiles have numbers from 1 to 19")
        return _TILES[number]

    def _direction(self, word: str, known: tuple[str, ...]) -> str:
        if word not in known:
            self._fail_meaning("NT1703", f"a tile has no such direction: {word}", f"it is {', '.join(known)}")
        return word

    def _side(self, tile: str, direction: str) -> settlers.HexSide:
        return side_towards(self._tile(tile), self._direction(direction, SIDE_DIRECTIONS))

    def _corner(self, tile: str, direction: str) -> settlers.HexCorner:
        return corner_towards(self._tile(tile), self._direction(direction, CORNER_DIRECTIONS))

    def _player(self, color: str) -> Player:
        if color not in self.players:
            hint = f"the players are {', '.join(self.players)}"
            self._fail_meaning("NT1701", f"there is no player '{color[:20]}'", hint)
        return self.players[color]

    def _goods(self, text: str) -> Goods:
        """The goods of a list such as `2 wood, 1 ore`."""
        total = Goods()
        for part in text.split(","):
            count, _, word = part.strip().partition(" ")
            number = self._number(count, "a number of cards")
            total = total + Goods(**{self._resource(word).value: number})
        return total

    # Actions.

    def _read_action(self) -> None:
        builder, span = self.builder, self.span
        color = next((each for each in self.players if self.line.startswith(f"{each} ")), None)
        if color is None:
            hint = f"a line starts with the color of a player: {', '.join(self.players)}"
            self._fail("NT0703", "this line is not an action of a player", hint)
        player, text = self.players[color], self.line[len(color) + 1 :]
        if found := _ROLL.fullmatch(text):
            total = self._dice(found[1])
            builder.act(player, settlers.Roll(total), span)
            if total == 7:
                builder.hide()
        elif found := _ROBBER.fullmatch(text):
            builder.act(player, settlers.MoveRobber(self._tile(found[1])), span)
            if found[2] not in _NOBODY:
                builder.hide()
                builder.act(player, settlers.Steal(self._player(found[2])), span)
        elif found := _BUILD.fullmatch(text):
            self._build(player, found[1], found[2], found[3])
        elif text == "buys dev card":
            builder.act(player, settlers.BuyCard(), span)
        elif found := _TRADE.fullmatch(text):
            partner = BANK if found[2] == "port" else self._player(found[3])
            builder.act(player, settlers.Trade(self._goods(found[1]), self._goods(found[4]), partner), span)
        elif text == "plays knight":
            builder.act(player, settlers.UseKnight(), span)
        elif found := _ROAD_BUILDER.fullmatch(text):
            builder.act(player, settlers.UseRoads(), span)
            for tile, direction in ((found[1], found[2]), (found[3], found[4])):
                road = settlers.PlaceRoad(self._side(tile, direction))
                builder.build(player, Piece.ROAD, road, span)
        elif found := _PLENTY.fullmatch(text):
            goods = goods_of([self._resource(found[1]), self._resource(found[2])])
            builder.act(player, settlers.UsePlenty(goods), span)
        elif found := _MONOPOLY.fullmatch(text):
            builder.act(player, settlers.UseMonopoly(self._resource(found[1])), span)
        elif text == "plays victory point":
            builder.lose("that a point card is shown")
        elif _END.fullmatch(text):
            builder.end_turn(player, span)
        elif text == "wins":
            builder.add(settlers.GameOver(player), span)
        else:
            self._fail("NT0703", "this line is not a known action", "is it a log of another version?")

    def _build(self, player: Player, kind: str, tile: str, direction: str) -> None:
        builder, span = self.builder, self.span
        match kind:
            case "road":
                road = settlers.PlaceRoad(self._side(tile, direction))
                builder.build(player, Piece.ROAD, road, span)
            case "settlement":
                village = settlers.PlaceVillage(self._corner(tile, direction))
                builder.build(player, Piece.VILLAGE, village, span)
            case _:
                builder.build(player, Piece.CITY, settlers.PlaceCity(self._corner(tile, direction)), span)
