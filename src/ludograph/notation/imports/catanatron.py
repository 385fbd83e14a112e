"""Games of the program catanatron as its `GameEncoder` writes them: one JSON object.

The object has the map, the actions of the whole game, and the state after the last of them. Version 3.2
has the actions with their outcomes in `actions`. Version 3.3 has `action_records`, each an action and its
outcome, and discards one card at a time. Only the map, the players, the actions and the winner are read:
the rules derive the rest. Tiles have cube coordinates [x, y, z]; x and z are our q and r. Corners and sides
are named by the numbers of `nodes`.
"""

import re

from msgspec import Struct

from ludograph import settlers
from ludograph.notation.imports.compass import (
    CORNER_DIRECTIONS,
    SIDE_DIRECTIONS,
    corner_towards,
    side_towards,
)
from ludograph.notation.imports.imported import TERRAIN_OF, ImportBuilder, Imported, goods_of
from ludograph.notation.json_records.reader import JsonReader
from ludograph.notation.json_records.values import Json, JsonNull, JsonString, show
from ludograph.notation.results import check_size
from ludograph.settlers import Hex, HexCorner, HexSide
from ludograph.settlers.goods import BANK, Card, Goods, Piece, Player, Resource, Terrain
from ludograph.text import Cursor, Source, Span

_RESOURCES = {
    "WOOD": Resource.LUMBER,
    "BRICK": Resource.BRICK,
    "SHEEP": Resource.WOOL,
    "WHEAT": Resource.GRAIN,
    "ORE": Resource.ORE,
}
_CARDS = {
    "KNIGHT": Card.KNIGHT,
    "YEAR_OF_PLENTY": Card.PLENTY,
    "MONOPOLY": Card.MONOPOLY,
    "ROAD_BUILDING": Card.ROADS,
    "VICTORY_POINT": Card.POINT,
}
_OFFERS = ("OFFER_TRADE", "ACCEPT_TRADE", "REJECT_TRADE", "CANCEL_TRADE")
_MAX_DISTANCE = 99
_MAX_NODE = 99_999
_BEGIN = re.compile(
    r'\{[\s]*+"(?:tiles|adjacent_tiles|colors|actions|action_records|nodes|edges|player_state)"[\s]*+:'
)


def begins_at(cursor: Cursor) -> bool:
    """Whether a game of catanatron starts here."""
    return _BEGIN.match(cursor.text, cursor.offset) is not None


def read(source: Source, *, lenient: bool = False) -> Imported:
    """Parse a game; raises BadText or Nonsense."""
    check_size(source)
    reader = JsonReader(source, lenient=lenient)
    reader.skip_mark()
    value = reader.parse_value()
    reader.skip_blanks()
    if not reader.cursor.at_end:
        reader.cursor.fail("NT0701", "text follows the end of the game", hint="a file has one game")
    return _GameReader(reader, value).read()


class _Places(Struct, frozen=True):
    """The corners by the numbers of their nodes, and the sides by the numbers of both ends."""

    corners: dict[int, HexCorner]
    sides: dict[tuple[int, int], HexSide]


class _GameReader:
    """Reads the parts of a game. Mutable: it collects the events."""

    def __init__(self, reader: JsonReader, value: Json) -> None:
        self.reader = reader
        self.builder = ImportBuilder()
        self.fields = {name: member for name, (_, member) in reader.expect_members(value, "a game").items()}
        self.has_records = "action_records" in self.fields
        self.actions = "action_records" if self.has_records else "actions"
        for name in ("tiles", "nodes", "edges", "colors", self.actions):
            if name not in self.fields:
                hint = "write the game with catanatron's GameEncoder; its versions 3.2 and 3.3 are known"
                reader.fail(value.span, "NT0621", f'a game of catanatron needs the key "{name}"', hint)
        self.players: dict[str, Player] = {}
        self.places = _Places({}, {})
        self.discarding: tuple[Player, list[Resource], Span] | None = None
        """The cards that a player discards one at a time, and the first action of them."""

    def read(self) -> Imported:
        reader, fields = self.reader, self.fields
        for item in reader.expect_items(fields["colors"], "the list of colors"):
            color = reader.expect_text(item, "a color")
            if color in self.players:
                reader.fail_meaning(item.span, "NT1701", f"the player {show(color)} is listed twice", "")
            self.players[color] = Player(len(self.players) + 1)
        self.places = self._read_places()
        self.builder.start(self._read_island(), list(self.players), fields["tiles"].span)
        for item in reader.expect_items(fields[self.actions], "the list of actions"):
            if self.has_records:
                action, outcome = reader.expect_items(item, "the record of an action", 2)
                self._read_action(action, None if isinstance(outcome, JsonNull) else outcome)
            else:
                self._read_action(item)
        self._finish_discard()
        winner = fields.get("winning_color")
        if winner is not None and not isinstance(winner, JsonNull):
            self.builder.add(settlers.GameOver(self._player(winner)), winner.span)
        return self.builder.finish(warnings=tuple(reader.warnings))

    # The map.

    def _read_island(self) -> settlers.Island:
        reader = self.reader
        terrain: dict[Hex, Terrain] = {}
        numbers: dict[Hex, int | None] = {}
        harbors: list[settlers.Harbor] = []
        for item in reader.expect_items(self.fields["tiles"], "the list of tiles"):
            parts = reader.expect_fields(item, "a tile", ("coordinate", "tile"))
            place = self._hex(parts["coordinate"])
            if place in terrain:
                reader.fail_meaning(item.span, "NT1702", "this tile is defined twice", "leave one out")
            tile = {
                name: member for name, (_, member) in reader.expect_members(parts["tile"], "a tile").items()
            }
            kind = self._word(tile.get("type"), item, "the type of a tile")
            match kind:
                case "WATER" | "PORT":
                    terrain[place] = Terrain.SEA
                case "DESERT":
                    terrain[place] = Terrain.DESERT
                case "RESOURCE_TILE":
                    terrain[place] = TERRAIN_OF[self._resource(tile.get("resource"), item)]
                    number = tile.get("number")
                    if number is None:
                        reader.fail(item.span, "NT0621", 'a tile needs the key "number"', "add its number")
                    numbers[place] = reader.expect_integer(number, "the number of a tile", 2, 12)
                case _:
                    hint = "a tile is WATER, PORT, DESERT or RESOURCE_TILE"
                    reader.fail(item.span, "NT0702", f"unknown type of a tile: {show(kind)}", hint)
            if kind == "PORT":
                side = side_towards(place, self._direction(tile.get("direction"), item, SIDE_DIRECTIONS))
                given = tile.get("resource")
                is_any = given is None or isinstance(given, JsonNull)
                harbors.append(settlers.Harbor(side, None if is_any else self._resource(given, item)))
        return settlers.Island.of(terrain, numbers, harbors)

    def _read_places(self) -> _Places:
        reader = self.reader
        corners: dict[int, HexCorner] = {}
        for _, item in reader.expect_members(self.fields["nodes"], "the nodes").values():
            node = {name: member for name, (_, member) in reader.expect_members(item, "a node").items()}
            number, place = self._located(node, item)
            key = reader.expect_integer(number, "the number of a node", 0, _MAX_NODE)
            corners[key] = corner_towards(
                place, self._direction(node.get("direction"), item, CORNER_DIRECTIONS)
            )
        sides: dict[tuple[int, int], HexSide] = {}
        for item in reader.expect_items(self.fields["edges"], "the list of edges"):
            edge = {name: member for name, (_, member) in reader.expect_members(item, "an edge").items()}
            ends, place = self._located(edge, item)
            sides[self._ends(ends)] = side_towards(
                place, self._direction(edge.get("direction"), item, SIDE_DIRECTIONS)
            )
        return _Places(corners, sides)

    def _located(self, fields: dict[str, Json], item: Json) -> tuple[Json, Hex]:
        """The id of a node or an edge, and the tile that it belongs to."""
        for name in ("id", "tile_coordinate"):
            if name not in fields:
                self.reader.fail(item.span, "NT0621", f'this place needs the key "{name}"', f'add "{name}"')
        return fields["id"], self._hex(fields["tile_coordinate"])

    def _ends(self, value: Json) -> tuple[int, int]:
        first, last = (
            self.reader.expect_integer(item, "the number of a node", 0, _MAX_NODE)
            for item in self.reader.expect_items(value, "an edge", 2)
        )
        return min(first, last), max(first, last)

    def _hex(self, value: Json) -> Hex:
        x, y, z = (
            self.reader.expect_integer(item, "a coordinate", -_MAX_DISTANCE, _MAX_DISTANCE)
            for item in self.reader.expect_items(value, "a coordinate", 3)
        )
        if x + y + z:
            hint = "the three numbers of a coordinate add up to 0"
            self.reader.fail_meaning(value.span, "NT1703", "this is not the coordinate of a tile", hint)
        return Hex(x, z)

    # Values.

    def _word(self, value: Json | None, around: Json, what: str) -> str:
        if value is None:
            self.reader.fail(around.span, "NT0621", f"{what} is missing", "")
        return self.reader.expect_text(value, what)

    def _direction(self, value: Json | None, around: Json, known: tuple[str, ...]) -> str:
        """The letters of a direction: NORTHEAST is NE."""
        word = self._word(value, around, "a direction")
        short = word.replace("NORTH", "N").replace("SOUTH", "S").replace("EAST", "E").replace("WEST", "W")
        if short not in known:
            hint = "a direction is NORTH, NORTHEAST and so on"
            self.reader.fail(around.span, "NT0702", f"unknown direction: {show(word)}", hint)
        return short

    def _resource(self, value: Json | None, around: Json) -> Resource:
        word = self._word(value, around, "a resource")
        if word not in _RESOURCES:
            hint = f"a resource is {', '.join(_RESOURCES)}"
            span = value.span if value is not None else around.span
            self.reader.fail(span, "NT0702", f"unknown resource: {show(word)}", hint)
        return _RESOURCES[word]

    def _player(self, value: Json) -> Player:
        color = self.reader.expect_text(value, "a color")
        if color not in self.players:
            hint = f"the players are {', '.join(self.players)}"
            self.reader.fail_meaning(value.span, "NT1701", f"there is no player {show(color)}", hint)
        return self.players[color]

    def _corner(self, value: Json) -> HexCorner:
        number = self.reader.expect_integer(value, "the number of a node", 0, _MAX_NODE)
        if number not in self.places.corners:
            self.reader.fail_meaning(value.span, "NT1703", f"there is no node {number}", "see `nodes`")
        return self.places.corners[number]

    def _side(self, value: Json) -> HexSide:
        ends = self._ends(value)
        if ends not in self.places.sides:
            self.reader.fail_meaning(value.span, "NT1703", f"there is no edge {list(ends)}", "see `edges`")
        return self.places.sides[ends]

    def _goods(self, items: tuple[Json, ...]) -> Goods:
        """The goods of a list of resources; null stands for no card."""
        return goods_of([self._resource(item, item) for item in items if not isinstance(item, JsonNull)])

    # Actions.

    def _read_action(self, item: Json, outcome: Json | None = None) -> None:
        """Read an action; since version 3.3 its outcome is beside it."""
        reader, builder, span = self.reader, self.builder, item.span
        color, kind, value = reader.expect_items(item, "an action", 3)
        player, name = self._player(color), reader.expect_text(kind, "the type of an action")
        if name == "DISCARD_RESOURCE":
            self._add_discarded(player, self._resource(value, item), span)
            return
        self._finish_discard()
        match name:
            case "ROLL":
                dice = reader.expect_items(outcome or value, "a roll", 2)
                first, second = (reader.expect_integer(die, "a die", 1, 6) for die in dice)
                builder.act(player, settlers.Roll((first, second)), span)
            case "BUILD_SETTLEMENT":
                corner = self._corner(value)
                builder.build(player, Piece.VILLAGE, settlers.PlaceVillage(corner), span)
            case "BUILD_CITY":
                builder.build(player, Piece.CITY, settlers.PlaceCity(self._corner(value)), span)
            case "BUILD_ROAD":
                builder.build(player, Piece.ROAD, settlers.PlaceRoad(self._side(value)), span)
            case "BUY_DEVELOPMENT_CARD":
                builder.act(player, settlers.BuyCard(self._maybe_card(outcome or value)), span)
            case "MOVE_ROBBER":
                parts = reader.expect_items(value, "a move of the robber", 2 if self.has_records else 3)
                tile, victim = parts[:2]
                stolen = outcome if self.has_records else parts[2]
                builder.act(player, settlers.MoveRobber(self._hex(tile)), span)
                if not isinstance(victim, JsonNull):
                    is_hidden = stolen is None or isinstance(stolen, JsonNull)
                    resource = None if is_hidden else self._resource(stolen, value)
                    builder.act(player, settlers.Steal(self._player(victim), resource), span)
            case "DISCARD":
                goods = self._goods(reader.expect_items(value, "the discarded cards"))
                builder.act(player, settlers.Discard(player, goods), span)
            case "MARITIME_TRADE":
                *given, taken = reader.expect_items(value, "a trade with the bank", 5)
                take = self._goods((taken,))
                builder.act(player, settlers.Trade(self._goods(tuple(given)), take, BANK), span)
            case "CONFIRM_TRADE":
                *counts, partner = reader.expect_items(value, "a trade", 11)
                give, take = self._counts(counts[:5]), self._counts(counts[5:])
                builder.act(player, settlers.Trade(give, take, self._player(partner)), span)
            case "PLAY_KNIGHT_CARD":
                builder.act(player, settlers.UseKnight(), span)
            case "PLAY_YEAR_OF_PLENTY":
                goods = self._goods(reader.expect_items(value, "the cards of a year of plenty"))
                builder.act(player, settlers.UsePlenty(goods), span)
            case "PLAY_MONOPOLY":
                builder.act(player, settlers.UseMonopoly(self._resource(value, item)), span)
            case "PLAY_ROAD_BUILDING":
                builder.act(player, settlers.UseRoads(), span)
            case "END_TURN":
                builder.end_turn(player, span)
            case _ if name in _OFFERS:
                builder.lose("an offer, its acceptance or refusal")
            case _:
                reader.fail(kind.span, "NT0703", f"unknown action: {show(name)}", "is it a newer version?")

    def _add_discarded(self, player: Player, resource: Resource, span: Span) -> None:
        """Add one card to a discard, which ends with the first other action or another player."""
        if self.discarding is None or self.discarding[0] != player:
            self._finish_discard()
            self.discarding = player, [], span
        self.discarding[1].append(resource)

    def _finish_discard(self) -> None:
        if self.discarding is not None:
            player, cards, span = self.discarding
            self.discarding = None
            self.builder.act(player, settlers.Discard(player, goods_of(cards)), span)

    def _maybe_card(self, value: Json) -> Card | None:
        """The kind of a bought card; None if it is hidden."""
        if isinstance(value, JsonNull):
            return None
        if not isinstance(value, JsonString) or value.value not in _CARDS:
            hint = f"a card is {', '.join(_CARDS)}"
            self.reader.fail(value.span, "NT0702", "unknown development card", hint)
        return _CARDS[value.value]

    def _counts(self, items: list[Json]) -> Goods:
        """The goods of five numbers, in the order of the resources."""
        numbers = [self.reader.expect_integer(item, "a number of cards", 0, 99) for item in items]
        return Goods(**{kind.value: count for kind, count in zip(_RESOURCES.values(), numbers, strict=True)})
