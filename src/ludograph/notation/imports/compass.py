"""Corners and sides of a tile by their directions, as other programs name them.

A tile has its own name for two corners and three sides. The others are corners and sides of its neighbours.
"""

from ludograph.settlers import Face, Hex, HexCorner, HexSide, Pole

_CORNERS: dict[str, tuple[Hex, Pole]] = {
    "N": (Hex(0, 0), Pole.NORTH),
    "NE": (Hex(1, -1), Pole.SOUTH),
    "SE": (Hex(0, 1), Pole.NORTH),
    "S": (Hex(0, 0), Pole.SOUTH),
    "SW": (Hex(-1, 1), Pole.NORTH),
    "NW": (Hex(0, -1), Pole.SOUTH),
}
_SIDES: dict[str, tuple[Hex, Face]] = {
    "NE": (Hex(0, 0), Face.NORTH_EAST),
    "E": (Hex(1, 0), Face.WEST),
    "SE": (Hex(0, 1), Face.NORTH_WEST),
    "SW": (Hex(-1, 1), Face.NORTH_EAST),
    "W": (Hex(0, 0), Face.WEST),
    "NW": (Hex(0, 0), Face.NORTH_WEST),
}
CORNER_DIRECTIONS = tuple(_CORNERS)
SIDE_DIRECTIONS = tuple(_SIDES)


def corner_towards(tile: Hex, direction: str) -> HexCorner:
    """The corner of a tile in a direction.

    >>> corner_towards(Hex(0, 0), "SW")
    HexCorner(Hex(-1, 1), Pole.NORTH)
    """
    step, pole = _CORNERS[direction]
    return HexCorner(Hex(tile.q + step.q, tile.r + step.r), pole)


def side_towards(tile: Hex, direction: str) -> HexSide:
    """The side of a tile in a direction.

    >>> side_towards(Hex(0, 0), "E")
    HexSide(Hex(1, 0), Face.WEST)
    """
    step, face = _SIDES[direction]
    return HexSide(Hex(tile.q + step.q, tile.r + step.r), face)
