"""The coordinates of the classic board of JSettlers: two hexadecimal digits for a tile, a corner or a side.

A step to the east adds 0x22, a step to the south-east 0x20. A corner or a side has the coordinate of any of
its tiles plus an offset for its direction.
"""

from ludograph.notation.imports.compass import corner_towards, side_towards
from ludograph.settlers import Hex, HexCorner, HexSide
from ludograph.settlers.places import FRAME, LAND

_CENTRE, _EAST, _SOUTH_EAST = 0x77, 0x22, 0x20
_CORNER_OFFSETS = {"N": 0x01, "NE": 0x12, "SE": 0x21, "S": 0x10, "SW": -0x01, "NW": -0x10}
_SIDE_OFFSETS = {"NE": 0x01, "E": 0x11, "SE": 0x10, "SW": -0x01, "W": -0x11, "NW": -0x10}

ROW_TILES: tuple[Hex, ...] = tuple(sorted(FRAME, key=lambda tile: (tile.r, tile.q)))
"""The tiles in reading order, as the map of a log lists them."""


def _coordinate(tile: Hex) -> int:
    return _CENTRE + tile.q * _EAST + tile.r * _SOUTH_EAST


TILES: dict[int, Hex] = {_coordinate(tile): tile for tile in LAND}
CORNERS: dict[int, HexCorner] = {
    _coordinate(tile) + offset: corner_towards(tile, direction)
    for tile in LAND
    for direction, offset in _CORNER_OFFSETS.items()
}
SIDES: dict[int, HexSide] = {
    _coordinate(tile) + offset: side_towards(tile, direction)
    for tile in LAND
    for direction, offset in _SIDE_OFFSETS.items()
}
