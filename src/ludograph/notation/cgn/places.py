"""Places in CGN: a tile is a number, an intersection is three tiles, a path is two intersections."""

from ludograph.notation.json_records.reader import JsonReader
from ludograph.notation.json_records.values import Json, JsonValue
from ludograph.notation.results import Inexpressible
from ludograph.settlers import Hex, HexCorner, HexSide
from ludograph.settlers.names import (
    CGN_TILES,
    cgn_corner,
    cgn_side,
    cgn_tile,
    maybe_cgn_corner,
    maybe_side_between,
    nearest_corners,
    place_in_words,
)
from ludograph.settlers.places import LAND_CORNERS

MAX_SUGGESTIONS = 4


def parse_tile_number(reader: JsonReader, value: Json) -> int:
    return reader.expect_integer(value, "a tile", 1, len(CGN_TILES))


def parse_tile(reader: JsonReader, value: Json) -> Hex:
    return CGN_TILES[parse_tile_number(reader, value)]


def parse_corner(reader: JsonReader, value: Json) -> HexCorner:
    """The intersection of three tile numbers, in any order."""
    items = reader.expect_items(value, "an intersection", 3)
    first, second, third = (parse_tile_number(reader, item) for item in items)
    corner = maybe_cgn_corner((first, second, third))
    if corner is None:
        nearest = nearest_corners([CGN_TILES[number] for number in (first, second, third)])
        shown = sorted(nearest, key=lambda corner: sorted(cgn_corner(corner) or ()))[:MAX_SUGGESTIONS]
        hint = "the nearest intersections are " + ", ".join(_show(corner) for corner in shown)
        reader.fail_meaning(
            value.span, "NT1302", f"the tiles {first}, {second} and {third} do not meet", hint
        )
    return corner


def parse_side(reader: JsonReader, value: Json) -> HexSide:
    """The path between two intersections, in any order."""
    items = reader.expect_items(value, "a path", 2)
    first, second = (parse_corner(reader, item) for item in items)
    side = maybe_side_between(first, second)
    if side is None:
        message = f"no path leads from {_show(first)} to {_show(second)}"
        ends = ", ".join(_show(end) for end in first.neighbours if end in _LAND_CORNERS)
        reader.fail_meaning(value.span, "NT1303", message, f"from {_show(first)} paths lead to {ends}")
    return side


def format_tile(tile: Hex) -> int:
    number = cgn_tile(tile)
    if number is None:
        raise Inexpressible(f"{place_in_words(tile)}: it is outside the standard frame")
    return number


def format_corner(corner: HexCorner) -> JsonValue:
    numbers = cgn_corner(corner)
    if corner not in _LAND_CORNERS or numbers is None:
        raise Inexpressible(f"{place_in_words(corner)}: it is outside the standard frame")
    return numbers


def format_side(side: HexSide) -> JsonValue:
    numbers = cgn_side(side)
    if numbers is None or not _LAND_CORNERS.issuperset(side.corners):
        raise Inexpressible(f"{place_in_words(side)}: it is outside the standard frame")
    return numbers


_LAND_CORNERS = frozenset(LAND_CORNERS)


def _show(corner: HexCorner) -> str:
    return str(list(cgn_corner(corner) or ()))
