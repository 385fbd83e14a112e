"""CCN: the set-up in cube coordinates: players, tiles, ports, and our continuation, placements.

Blanks and `|` may stand anywhere. Letters are CCN's own: W is wheat (grain), S is sheep
(wool). The value is a record: a fresh position on the standard frame, then the villages and
roads placed so far, in snake order.
"""

import re

from ludograph.notation.results import (
    Loss,
    LossKind,
    Reading,
    Writing,
    lossless,
    reading_with,
    refuse_huge,
    take_byte_order_mark,
)
from ludograph.settlers import HexCorner, HexSide
from ludograph.settlers.actions import PlaceRoad, PlaceVillage
from ludograph.settlers.goods import Resource, Terrain
from ludograph.settlers.island import Island
from ludograph.settlers.names import ccn_corner, ccn_side, han_name, maybe_ccn_corner, maybe_ccn_side
from ludograph.settlers.places import FRAME, LAND, LAND_CORNERS, LAND_SIDES
from ludograph.settlers.position import Position, fresh_position, snake_player
from ludograph.settlers.record import Act, Commented, Event, Record
from ludograph.settlers.standard import HARBOR_SIDES, standard_island
from ludograph.text import Cursor, Source

CODES: dict[str, str] = {
    "NT0401": "the number of players is 2, 3 or 4",
    "NT0402": "a tile is W O B S L with a number from 2 to 12, not 7, or D without one",
    "NT0403": "there are nineteen tiles",
    "NT0404": "a port is W O B S L or T",
    "NT0405": "there are nine ports",
    "NT0406": "sections are separated by a slash",
    "NT0407": "a placement is V and three coordinates, then X, Y or Z and two",
    "NT0408": "something stands after the end",
    "NT0409": "the set-up begins with a byte order mark (lenient reading goes on)",
    "NT1401": "this corner or side is not on the island",
    "NT1402": "everybody has placed two villages with their roads",
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
TERRAIN_LETTER = {kind: letter for letter, kind in TERRAIN_LETTERS.items()}
PORT_LETTER = {kind: letter for letter, kind in PORT_LETTERS.items()}
ROW_LENGTHS = (3, 4, 5, 4, 3)
PORTS = len(HARBOR_SIDES)

_IGNORED = re.compile(r"[\s|]*")
# Ignored characters are ignored inside a number too; nine digits are more than any number has.
_NUMBER = re.compile(r"[0-9](?:[\s|]*[0-9]){0,8}")
_COORDINATE = re.compile(r"0|-?[\s|]*[1-9][0-9]{0,2}")
_BEGINNING = re.compile(r"[\s|]*[0-9][\s|]*/")
# In a game file an action such as T(L4)(O)0 may follow the ports.
_ACTION = re.compile(r"[TS][(?]|S[BGLOW][0-6]|B[vcrdVCR]|BD[?krmvy]")
_CORNERS: dict[HexCorner, HexCorner] = {corner: corner for corner in LAND_CORNERS}
_SIDES: dict[HexSide, HexSide] = {side: side for side in LAND_SIDES}


def parse(text: str) -> Record:
    """Read a set-up.

    >>> record = parse("2/W2O3B10S8DL5O6B3S4W10O11W9B12S6L4B5S9L11W8/WTOTTLBST")
    >>> record.start.players
    2
    """
    return read(Source(text), lenient=False).value


def parse_lenient(text: str) -> Reading[Record]:
    """Read a set-up; a byte order mark is only warned of."""
    return read(Source(text), lenient=True)


def read(source: Source, *, lenient: bool) -> Reading[Record]:
    """Read a source that is one set-up and nothing else."""
    refuse_huge(source)
    cursor = Cursor(source)
    warnings = take_byte_order_mark(cursor, "NT0409", lenient=lenient)
    start, placements = take_start(cursor)
    _skip(cursor)
    if not cursor.at_end:
        hint = "after the ports only placements come, each a village and its road: /V0,-2,3X-3,3"
        cursor.fail("NT0408", f"the set-up ends before {cursor.found()}", hint=hint)
    return reading_with(Record(placements, start), warnings)


def begins_at(cursor: Cursor) -> bool:
    """Whether a set-up in CCN comes next: a digit and a slash."""
    return _BEGINNING.match(cursor.text, cursor.offset) is not None


def take_start(cursor: Cursor) -> tuple[Position, tuple[Act, ...]]:
    """Take a set-up: the fresh position and the placements made so far."""
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
        placements += _take_placement(cursor, len(placements), players)
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
            hint="a set-up begins with the number of players: 4/…/…",
        )
    return int(number)


def _maybe_number(cursor: Cursor) -> str | None:
    """Take the digits of a number, if there are any, without the blanks between them."""
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
            cursor.fail("NT0403", "this is the twentieth tile", start=start, hint="an island has 19 tiles")
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
                "NT0402", f"a number follows {letter}, found {cursor.found()}", hint=f"write {letter}2"
            )
        if number not in _VALUES:
            message = f"a tile's number is 2 to 12 without 7, not {number}"
            cursor.fail("NT0402", message, start=number_start, hint=f"write {letter}2 to {letter}12")
        numbers.append(_VALUES[number])
    if len(terrain) < len(LAND):
        cursor.fail("NT0403", f"there are {len(terrain)} tiles, not 19", hint="an island has 19 tiles")
    return tuple(terrain), tuple(numbers)


_VALUES = {str(number): number for number in range(2, 13) if number != 7}


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
            cursor.fail("NT0405", f"'{letter}' is a tenth port", hint="there are nine ports, clockwise")
        ports.append(PORT_LETTERS[letter])
        cursor.offset += 1
    if len(ports) < PORTS:
        if not cursor.at_end and cursor.peek() != "/":
            cursor.fail(
                "NT0404",
                f"expected a port, found {cursor.found()}",
                hint="ports are W O B S L, and T for 3:1",
            )
        cursor.fail("NT0405", f"there are {len(ports)} ports, not 9", hint="there are nine ports, clockwise")
    return tuple(ports)


def _take_placement(cursor: Cursor, events: int, players: int) -> tuple[Act, Act]:
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
            f"the coordinates of a corner add up to 1 or -1, not {x + y + z}",
            start=start,
            hint="take x, y and z from the three tiles that meet there",
        )
    if corner not in _CORNERS:
        hint = "the centre's upper corner is V0,-1,0"
        cursor.fail_meaning("NT1401", "this corner is not on the island", start=start, hint=hint)
    _skip(cursor)
    side_start = cursor.offset
    axis = cursor.peek()
    if axis not in ("X", "Y", "Z"):
        cursor.fail("NT0407", f"expected the road's X, Y or Z, found {cursor.found()}", hint="write X-3,3")
    cursor.offset += 1
    side = maybe_ccn_side(axis, _take_coordinate(cursor), _take_coordinate(cursor, comma=True))
    if side is None or side not in _SIDES:
        hint = "the centre's left side is Y0,0"
        cursor.fail_meaning("NT1401", "this side is not on the island", start=side_start, hint=hint)
    if placed == 2 * players:
        message = f"the set-up of {players} players has {2 * players} villages"
        cursor.fail_meaning("NT1402", message, start=start, hint="everybody places two, each with a road")
    player = snake_player(placed, players)
    return Act(PlaceVillage(_CORNERS[corner]), player), Act(PlaceRoad(_SIDES[side]), player)


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


def format(record: Record, *, pretty: bool = False) -> str:
    """Write a set-up on one line, or (`pretty`) with the tiles in the shape of the island."""
    return lossless("CCN", format_lenient(record, pretty=pretty))


def format_lenient(record: Record, *, pretty: bool = False) -> Writing:
    """Write what CCN can say of a record, and list the rest; no text at all if the island cannot be said."""
    start = record.start
    if start is None:
        return Writing("", (Loss(LossKind.LOST, "everything: the record has no start position"),))
    unsayable = _why_unsayable(start)
    if unsayable:
        return Writing("", (Loss(LossKind.LOST, f"everything: {unsayable}"),))
    losses: list[Loss] = []
    tiles = start.island.tiles
    words = [TERRAIN_LETTER[tiles[place].terrain] + str(tiles[place].number or "") for place in LAND]
    ports = _ports(start.island, losses)
    is_fresh = start == fresh_position(start.island, start.players)
    if not is_fresh:
        message = "pieces, hands and turn of the start position: CCN starts with nothing placed"
        losses.append(Loss(LossKind.LOST, message))
    losses += [Loss(LossKind.LOST, f"the header {key!r}") for key, _ in record.headers]
    # Placements are told from the first one on, so after another start they would be others'.
    placements = _placements(record, start.players if is_fresh else 0, losses)
    if pretty:
        sections = [str(start.players), _shaped(words), " ".join(ports), *placements[:1]]
        text = "\n/\n".join(sections) + "".join(f"\n{placement}" for placement in placements[1:])
    else:
        text = "/".join(
            [
                str(start.players),
                "".join(words),
                "".join(ports),
                *(["".join(placements)] if placements else []),
            ]
        )
    return Writing(text, tuple(losses))


def _why_unsayable(start: Position) -> str:
    """The reason why CCN has no words for this island or table; empty if it has."""
    if not 2 <= start.players <= 4:
        return f"CCN has 2 to 4 players, not {start.players}"
    island = start.island
    if island.land != LAND or len(island.tiles) < len(island.terrain):
        return "CCN has only the island of 19 tiles"
    if (
        len(dict(island.numbers)) < len(island.numbers)
        or not island.tiles.keys() >= dict(island.numbers).keys()
    ):
        return "a number lies outside the island, or two on one tile"
    for tile in island.tiles.values():
        if tile.terrain.yields is not None and str(tile.number) not in _VALUES:
            return f"a tile's number is 2 to 12 without 7, not {tile.number or 'none'}"
        if tile.terrain.yields is None and tile.number is not None:
            return f"a tile that produces nothing has the number {tile.number}"
    return ""


def _ports(island: Island, losses: list[Loss]) -> list[str]:
    ports: list[str] = []
    for side in HARBOR_SIDES:
        harbor = island.harbor_at(side)
        if harbor is None:
            losses.append(Loss(LossKind.INVENTED, f"a 3:1 port at {han_name(side)}, where there is none"))
        ports.append("T" if harbor is None else PORT_LETTER[harbor.resource])
    losses += [
        Loss(LossKind.LOST, f"the harbor at {han_name(harbor.side)}: CCN has nine fixed places")
        for harbor in island.harbors
        if harbor.side not in HARBOR_SIDES or harbor is not island.harbor_at(harbor.side)
    ]
    if tuple(island.tiles) != FRAME:
        losses.append(Loss(LossKind.INVENTED, "the sea of the standard frame"))
    return ports


def _placements(record: Record, players: int, losses: list[Loss]) -> list[str]:
    """The leading placements in snake order; everything after them is lost."""
    words: list[str] = []
    village: tuple[int, HexCorner] | None = None
    is_over = False
    for index, event in enumerate(record.events):
        due = snake_player(len(words), players) if len(words) < 2 * players and not is_over else None
        match event:
            case Act(PlaceVillage(corner), player) if due and player in (None, due):
                if village is None and corner in _CORNERS:
                    village = (index, corner)
                    continue
            case Act(PlaceRoad(side), player) if due and player in (None, due):
                if village is not None and side in _SIDES:
                    words.append(_format_placement(village[1], side))
                    village = None
                    continue
            case _:
                pass
        # A placement that is not told would shift those after it to other players.
        is_over = is_over or isinstance(event, Act)
        losses.append(Loss(LossKind.LOST, _what_is_lost(event), index))
    if village is not None:
        message = f"the village at {han_name(village[1])}: its road is not placed yet"
        losses.append(Loss(LossKind.LOST, message, village[0]))
    return words


def _what_is_lost(event: Event) -> str:
    match event:
        case Act():
            return "an action: CCN tells the placements of the set-up and no more"
        case Commented():
            return "a comment"
        case _:
            return f"{event!r}"


def _format_placement(corner: HexCorner, side: HexSide) -> str:
    x, y, z = ccn_corner(corner)
    axis, first, second = ccn_side(side)
    return f"V{x},{y},{z}{axis}{first},{second}"


def _shaped(words: list[str]) -> str:
    """The tiles in rows, indented like the island."""
    rows: list[str] = []
    done = 0
    for length in ROW_LENGTHS:
        row = "".join(f"{word:<4}" for word in words[done : done + length])
        rows.append(" " * (2 * (max(ROW_LENGTHS) - length)) + row.rstrip())
        done += length
    return "\n".join(rows)
