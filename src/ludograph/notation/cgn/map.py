"""The map of a CGN record: an object with all 37 tiles, in which harbors are sea tiles.

Tiles 1 to 18 are sea or harbors, tiles 19 to 37 are land. An `Island` stores a harbor as a side of the
coast. The third part of a harbor tile names the land tile that it faces (`["HRG",null,20]`). On an odd
tile it may be left out: then the side is that of the standard frame. On an even tile it is required.
Lenient parsing uses the first land tile clockwise along the coast if it is missing, with a warning.
"""

import re

from ludograph.notation.cgn.places import parse_tile_number
from ludograph.notation.json_records.item_codes import HARBOR_CODES, HARBORS, NUMBERS, TERRAIN_CODES, TERRAINS
from ludograph.notation.json_records.reader import JsonReader
from ludograph.notation.json_records.values import Json, JsonNull, JsonValue, fold_case, show
from ludograph.notation.results import Inexpressible, LossKind
from ludograph.settlers import Harbor, Hex, HexSide, Island, Resource, Terrain
from ludograph.settlers.names import CGN_NUMBERS, CGN_SEA_TILES, CGN_TILES, place_in_words
from ludograph.settlers.places import LAND_SIDES
from ludograph.settlers.standard import HARBOR_SIDES

_TILE_NAME = re.compile(r"[1-9][0-9]?")
_TYPES = ", ".join((*TERRAINS, "HR", "HRB, HRG, HRL, HRO, HRW"))


def _coast() -> dict[tuple[int, int], HexSide]:
    """The sides between sea and land by the numbers of both tiles, clockwise along the coast."""
    sides = {}
    for side in LAND_SIDES:
        sea, land = sorted(CGN_NUMBERS.get(cell, 0) for cell in side.cells)
        if sea in CGN_SEA_TILES and land not in CGN_SEA_TILES:
            sides[sea, land] = side
    # The spiral runs clockwise, so land numbers increase, except where the ring of land closes: 30, then 19.
    return dict(sorted(sides.items(), key=lambda item: (item[0][0], item[0] != (18, 30), item[0][1])))


COAST = _coast()
STANDARD_COAST: dict[int, tuple[int, int]] = {
    pair[0]: pair for side in HARBOR_SIDES for pair, coast in COAST.items() if coast == side
}


def parse_map(reader: JsonReader, detail: Json) -> Island:
    """The island that a map describes."""
    terrain: dict[Hex, Terrain] = {}
    numbers: dict[Hex, int | None] = {}
    harbors: list[Harbor] = []
    for name, (key, value) in reader.expect_members(detail, "the map").items():
        if not _TILE_NAME.fullmatch(name) or int(name) not in CGN_TILES:
            reader.fail(key.span, "NT0309", f"there is no tile {show(name)}", 'the tiles are "1" to "37"')
        kind, number, side = _parse_tile(reader, int(name), value)
        place = CGN_TILES[int(name)]
        numbers[place] = number
        if side is None:
            assert isinstance(kind, Terrain), "only a harbor tile has a side"
            terrain[place] = kind
        else:
            assert not isinstance(kind, Terrain), "the kind of a harbor is a resource or None"
            terrain[place] = Terrain.SEA
            harbors.append(Harbor(side, kind))
    missing = [str(number) for number, tile in CGN_TILES.items() if tile not in terrain]
    if missing:
        more = f" and {len(missing) - 5} more" if len(missing) > 5 else ""
        message = f"the map lacks {'tile' if len(missing) == 1 else 'tiles'} {', '.join(missing[:5])}{more}"
        reader.fail(detail.span, "NT0310", message, "a map defines each of the 37 tiles")
    return Island.of(terrain, numbers, harbors)


def _parse_tile(
    reader: JsonReader, tile: int, value: Json
) -> tuple[Terrain | Resource | None, int | None, HexSide | None]:
    """The terrain or the kind of the harbor, the number, and the side of the harbor."""
    what = f"tile {tile}"
    parts = reader.expect_items(value, what)
    if len(parts) not in {2, 3}:
        hint = 'write ["P",2] or ["HR",null], with the land tile that a harbor faces as a third part'
        reader.fail(value.span, "NT0615", f"{what} has a type and a number, found {len(parts)} parts", hint)
    code = _parse_type(reader, tile, parts[0])
    number = None if isinstance(parts[1], JsonNull) else _parse_number(reader, tile, parts[1])
    if number is not None and (code in HARBORS or TERRAINS[code].yields is None):
        hint = f'write ["{code}",null]'
        reader.fail_meaning(
            parts[1].span, "NT1304", f"{what} ({code}) produces nothing and has no number", hint
        )
    if code in HARBORS:
        return HARBORS[code], None, _parse_facing(reader, tile, value, parts)
    if len(parts) == 3:
        reader.fail(
            parts[2].span, "NT0311", f"{what} is not a harbor and faces no tile", "leave out the third part"
        )
    return TERRAINS[code], number, None


def _parse_type(reader: JsonReader, tile: int, value: Json) -> str:
    text = reader.expect_text(value, f"the type of tile {tile}")
    code = fold_case(text)
    if code == "O":
        reader.tolerate(value.span, "NT0312", "'O' is a resource, not a type of tile", "mountains are M")
        code = "M"
    if code not in TERRAINS and code not in HARBORS:
        reader.fail(value.span, "NT0313", f"{show(text)} is not a type of tile", f"the types are {_TYPES}")
    is_sea = code == "S" or code in HARBORS
    if is_sea != (tile in CGN_SEA_TILES):
        message = f"tile {tile} is {'land' if is_sea else 'sea'}, not {show(code)}"
        reader.fail_meaning(
            value.span, "NT1305", message, "tiles 1 to 18 are sea or harbors, 19 to 37 are land"
        )
    return code


def _parse_number(reader: JsonReader, tile: int, value: Json) -> int:
    number = reader.expect_integer(value, f"the number on tile {tile}", 2, 12)
    if number not in NUMBERS:
        reader.fail_meaning(
            value.span, "NT1304", f"a tile cannot have the number {number}", "7 moves the robber"
        )
    return number


def _parse_facing(reader: JsonReader, tile: int, value: Json, parts: tuple[Json, ...]) -> HexSide:
    choices = [land for sea, land in COAST if sea == tile]
    facing = " or ".join(str(land) for land in choices)
    if len(parts) == 3:
        land = parse_tile_number(reader, parts[2])
        if land not in choices:
            message = f"a harbor on tile {tile} cannot face tile {land}"
            reader.fail_meaning(parts[2].span, "NT1306", message, f"it can face {facing}")
        return COAST[tile, land]
    if tile in STANDARD_COAST:
        return COAST[STANDARD_COAST[tile]]
    message = f"the harbor on tile {tile} does not name the land tile that it faces"
    hint = f"name tile {facing} as the third part; {choices[0]} is the first clockwise"
    reader.tolerate(value.span, "NT0314", message, hint)
    return COAST[tile, choices[0]]


def format_map(island: Island) -> tuple[JsonValue, list[Inexpressible]]:
    """The map of an island, and its losses; raises Inexpressible for an island outside the standard frame."""
    terrain = dict(island.terrain)
    numbers = dict(island.numbers)
    if len(terrain) < len(island.terrain) or len(numbers) < len(island.numbers):
        raise Inexpressible("an island that defines a tile twice")
    losses: list[Inexpressible] = []
    tiles = {number: _format_tile(number, terrain, numbers, losses) for number in CGN_TILES}
    for place in (*terrain, *numbers):
        if place not in CGN_NUMBERS:
            raise Inexpressible(f"an island with {place_in_words(place)}: it is outside the standard frame")
    for harbor in island.harbors:
        _add_harbor(tiles, harbor, losses)
    return {str(number): tile for number, tile in tiles.items()}, losses


def _format_tile(
    tile: int, terrain: dict[Hex, Terrain], numbers: dict[Hex, int], losses: list[Inexpressible]
) -> list[JsonValue]:
    place = CGN_TILES[tile]
    kind, number = terrain.get(place), numbers.get(place)
    if kind is None and tile in CGN_SEA_TILES:
        losses.append(
            Inexpressible(f"sea on tile {tile}, which the island does not define", LossKind.INVENTED)
        )
        kind = Terrain.SEA
    if kind is None or kind.is_land == (tile in CGN_SEA_TILES):
        found = "nothing" if kind is None else kind.value
        raise Inexpressible(f"an island with {found} on tile {tile}: CGN has only the standard frame")
    if number is not None and (number not in NUMBERS or kind.yields is None):
        losses.append(Inexpressible(f"the number {number} on tile {tile} ({kind.value})"))
        number = None
    return [TERRAIN_CODES[kind], number]


def _add_harbor(tiles: dict[int, list[JsonValue]], harbor: Harbor, losses: list[Inexpressible]) -> None:
    pair = next((pair for pair, side in COAST.items() if side == harbor.side), None)
    if pair is None:
        losses.append(
            Inexpressible(
                f"the harbor at {place_in_words(harbor.side)}: it is not on the coast of the standard frame"
            )
        )
    elif tiles[pair[0]][0] != "S":
        losses.append(
            Inexpressible(
                f"the harbor at {place_in_words(harbor.side)}: sea tile {pair[0]} has another harbor"
            )
        )
    else:
        facing = () if STANDARD_COAST.get(pair[0]) == pair else (pair[1],)
        tiles[pair[0]] = [HARBOR_CODES[harbor.resource], None, *facing]
