"""The parser of CCN: players, tiles, ports and placements, section by section."""

import re

from ludograph.notation.results import Reading, check_size, reading_with_warnings, take_byte_order_mark
from ludograph.settlers import HexCorner, HexSide
from ludograph.settlers.actions import PlaceRoad, PlaceVillage
from ludograph.settlers.goods import Resource, Terrain
from ludograph.settlers.names import maybe_ccn_corner, maybe_ccn_side
from ludograph.settlers.places import LAND, LAND_CORNERS, LAND_SIDES
from ludograph.settlers.position import Position, fresh_position, snake_player
from ludograph.settlers.record import Act, Record
from ludograph.settlers.standard import HARBOR_SIDES, standard_island
from ludograph.text import Cursor, Source, Span

CODES: dict[str, str] = {
    "NT0401": "the number of players is 2, 3 or 4",
    "NT0402": "a tile is W O B S L with a number from 2 to 12 except 7, or D without a number",
    "NT0403": "an island has nineteen tiles",
    "NT0404": "a port is W O B S L or T",
    "NT0405": "an island has nine ports",
    "NT0406": "a slash separates the sections",
    "NT0407": "a placement is V and three coordinates, then X, Y or Z and two coordinates",
    "NT0408": "text follows the end of the set-up",
    "NT0409": "the set-up starts with a byte order mark (lenient parsing accepts it)",
    "NT1401": "the corner or side is not on the island",
    "NT1402": "the set-up has too many placements",
}

TERRAIN_LETTERS: dict[str, Terrain] = {
    "W": Terrain.FIELDS,
    "O": Terrain.MOUNTAINS,
    "B": Terrain.HILLS,
    "S": Terrain.PASTURE,
    "L": Terrain.FOREST,
    "D": Terrain.DESERT,
}
PORT_LETTERS: dict[str, Resource | None] = {
    "W": Resource.GRAIN,
    "O": Resource.ORE,
    "B": Resource.BRICK,
    "S": Resource.WOOL,
    "L": Resource.LUMBER,
    "T": None,
}
LETTER_OF_TERRAIN = {kind: letter for letter, kind in TERRAIN_LETTERS.items()}
LETTER_OF_PORT = {kind: letter for letter, kind in PORT_LETTERS.items()}
ROW_LENGTHS = (3, 4, 5, 4, 3)
PORTS = len(HARBOR_SIDES)

_IGNORED = re.compile(r"[\s|]*")
# Ignored characters may also be inside a number; no number has nine digits.
_NUMBER = re.compile(r"[0-9](?:[\s|]*[0-9]){0,8}")
_COORDINATE = re.compile(r"0|-?[\s|]*[1-9][0-9]{0,2}")
_BEGINNING = re.compile(r"[\s|]*[0-9][\s|]*/")
# In a game file an action such as T(L4)(O)0 may follow the ports.
_ACTION = re.compile(r"[TS][(?]|S[BGLOW][0-6]|B[vcrdVCR]|BD[?krmvy]")
CORNERS: dict[HexCorner, HexCorner] = {corner: corner for corner in LAND_CORNERS}
SIDES: dict[HexSide, HexSide] = {side: side for side in LAND_SIDES}


def read(source: Source, *, lenient: bool, spans: list[Span] | None = None) -> Reading[Record]:
    """Parse a source with one set-up; the span of each village and road is added to `spans`."""
    check_size(source)
    cursor = Cursor(source)
    warnings = take_byte_order_mark(cursor, "NT0409", lenient=lenient)
    start, placements = take_start(cursor, spans)
    _skip(cursor)
    if not cursor.at_end:
        hint = "only placements follow the ports, each a village and its road: /V0,-2,3X-3,3"
        cursor.fail("NT0408", f"expected the end of the set-up, found {cursor.found()}", hint=hint)
    return reading_with_warnings(Record(placements, start), warnings)


def begins_at(cursor: Cursor) -> bool:
    """Whether a set-up starts here: a digit and a slash."""
    return _BEGINNING.match(cursor.text, cursor.offset) is not None


def take_start(cursor: Cursor, spans: list[Span] | None = None) -> tuple[Position, tuple[Act, ...]]:
    """Take a set-up: the fresh position, and the placements so far; their spans are added to `spans`."""
    players = _take_players(cursor)
    _take_slash(cursor, "the tiles")
    terrain, numbers = _take_tiles(cursor)
    _take_slash(cursor, "the ports")
    ports = _take_ports(cursor)
    position = fresh_position(standard_island(terrain, numbers, ports), players)
    placements: list[Act] = []
    if not cursor.maybe("/"):
        return position, ()
    while True:
        _skip(cursor)
        if cursor.peek() != "V":
            break
        placements += _take_placement(cursor, len(placements), players, [] if spans is None else spans)
    return position, tuple(placements)


def _take_players(cursor: Cursor) -> int:
    _skip(cursor)
    start = cursor.offset
    number = _maybe_number(cursor)
    if number not in ("2", "3", "4"):
        what = f"'{number}'" if number is not None else cursor.found()
        cursor.fail(
            "NT0401",
            f"expected 2, 3 or 4 players, found {what}",
            start=start,
            hint="a set-up starts with the number of players: 4/…/…",
        )
    return int(number)


def _maybe_number(cursor: Cursor) -> str | None:
    """Take the digits of a number, without ignored characters; None if there is no digit here."""
    found = cursor.maybe_match(_NUMBER)
    return _IGNORED.sub("", found[0]) if found is not None else None


def _take_slash(cursor: Cursor, before: str) -> None:
    _skip(cursor)
    if not cursor.maybe("/"):
        hint = "write players/tiles/ports: 4/…/…"
        cursor.fail("NT0406", f"expected '/' before {before}, found {cursor.found()}", hint=hint)


def _take_tiles(cursor: Cursor) -> tuple[tuple[Terrain, ...], tuple[int, ...]]:
    terrain: list[Terrain] = []
    numbers: list[int] = []
    while True:
        _skip(cursor)
        start = cursor.offset
        letter = cursor.peek()
        if letter == "/" or cursor.at_end:
            break
        kind = TERRAIN_LETTERS.get(letter)
        if kind is None:
            hint = "tiles are W (wheat), O, B, S (sheep), L and D"
            if letter == "G":
                hint = "grain is W (wheat) here, wool is S (sheep)"
            cursor.fail("NT0402", f"expected a tile, found {cursor.found()}", hint=hint)
        cursor.offset += 1
        if len(terrain) == len(LAND):
            cursor.fail(
                "NT0403", "the island has a twentieth tile", start=start, hint="an island has 19 tiles"
            )
        terrain.append(kind)
        _skip(cursor)
        number_start = cursor.offset
        number = _maybe_number(cursor)
        if kind is Terrain.DESERT:
            if number is not None:
                cursor.fail("NT0402", "the desert has no number", start=number_start, hint="write D")
            continue
        if number is None:
            cursor.fail(
                "NT0402",
                f"expected a number after {letter}, found {cursor.found()}",
                hint=f"write {letter}2",
            )
        if number not in TILE_NUMBERS:
            message = f"the number of a tile is from 2 to 12 and not 7, found {number}"
            cursor.fail("NT0402", message, start=number_start, hint=f"write {letter}2 to {letter}12")
        numbers.append(TILE_NUMBERS[number])
    if len(terrain) < len(LAND):
        cursor.fail(
            "NT0403", f"the island has {len(terrain)} tiles instead of 19", hint="an island has 19 tiles"
        )
    return tuple(terrain), tuple(numbers)


TILE_NUMBERS = {str(number): number for number in range(2, 13) if number != 7}


def _take_ports(cursor: Cursor) -> tuple[Resource | None, ...]:
    ports: list[Resource | None] = []
    while True:
        _skip(cursor)
        letter = cursor.peek()
        if letter not in PORT_LETTERS:
            break
        if len(ports) == PORTS:
            if _ACTION.match(cursor.text, cursor.offset):
                break
            cursor.fail("NT0405", f"'{letter}' is a tenth port", hint="an island has nine ports, clockwise")
        ports.append(PORT_LETTERS[letter])
        cursor.offset += 1
    if len(ports) < PORTS:
        if not cursor.at_end and cursor.peek() != "/":
            cursor.fail(
                "NT0404",
                f"expected a port, found {cursor.found()}",
                hint="ports are W O B S L, and T for 3:1",
            )
        message = f"the island has {len(ports)} ports instead of 9"
        cursor.fail("NT0405", message, hint="an island has nine ports, clockwise")
    return tuple(ports)


def _take_placement(cursor: Cursor, events: int, players: int, spans: list[Span]) -> tuple[Act, Act]:
    start = cursor.offset
    placed = events // 2
    cursor.offset += 1
    x = _take_coordinate(cursor)
    y = _take_coordinate(cursor, comma=True)
    z = _take_coordinate(cursor, comma=True)
    corner = maybe_ccn_corner(x, y, z)
    if corner is None:
        cursor.fail(
            "NT0407",
            f"the coordinates of a corner add up to 1 or -1, found {x + y + z}",
            start=start,
            hint="take one coordinate from each of the three tiles at the corner",
        )
    if corner not in CORNERS:
        hint = "the upper corner of the centre is V0,-1,0"
        cursor.fail_meaning("NT1401", "this corner is not on the island", start=start, hint=hint)
    spans.append(Span(start, cursor.offset))
    _skip(cursor)
    side_start = cursor.offset
    axis = cursor.peek()
    if axis not in ("X", "Y", "Z"):
        cursor.fail("NT0407", f"expected X, Y or Z of the road, found {cursor.found()}", hint="write X-3,3")
    cursor.offset += 1
    side = maybe_ccn_side(axis, _take_coordinate(cursor), _take_coordinate(cursor, comma=True))
    if side is None or side not in SIDES:
        hint = "the left side of the centre is Y0,0"
        cursor.fail_meaning("NT1401", "this side is not on the island", start=side_start, hint=hint)
    if placed == 2 * players:
        message = f"the set-up of {players} players has {2 * players} villages"
        cursor.fail_meaning(
            "NT1402", message, start=start, hint="each player places two villages with a road each"
        )
    spans.append(Span(side_start, cursor.offset))
    player = snake_player(placed, players)
    return Act(PlaceVillage(CORNERS[corner]), player), Act(PlaceRoad(SIDES[side]), player)


def _take_coordinate(cursor: Cursor, *, comma: bool = False) -> int:
    _skip(cursor)
    if comma and not cursor.maybe(","):
        cursor.fail("NT0407", f"expected ',', found {cursor.found()}", hint="write V0,-2,3X-3,3")
    _skip(cursor)
    found = cursor.maybe_match(_COORDINATE)
    if found is None:
        cursor.fail("NT0407", f"expected a coordinate, found {cursor.found()}", hint="write V0,-2,3X-3,3")
    return int(_IGNORED.sub("", found[0]))


def _skip(cursor: Cursor) -> None:
    cursor.maybe_match(_IGNORED)
