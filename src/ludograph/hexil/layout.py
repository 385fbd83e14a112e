"""The places of an island and their names in the rules: `island[4][4]`, `spots[17]`, `ways[40]`.

The rules number the corners and sides of the land in reading order, so the number of a place depends on which
tiles are land. A layout is computed once for each shape of island.
"""

from functools import cache

from msgspec import Struct

from ludograph.settlers import Face, Hex, HexCorner, HexSide, Pole
from ludograph.settlers.places import (
    FRAME_CORNERS,
    FRAME_SIDES,
    Place,
    frame_of,
    in_reading_order,
)

CENTRE = 4
"""The row and column of the centre in the rules; in HAN it is d4."""


class Layout(Struct, frozen=True):
    """The places of an island, each with its name in the rules."""

    land: tuple[Hex, ...]
    shape: int
    """The option `shape` of the rules: a binary digit for each tile of the frame of the game."""
    names: dict[Place, str]
    places: dict[str, Place]
    """The inverse of `names`."""
    tiles: tuple[tuple[str, Hex], ...]
    corners: tuple[tuple[str, HexCorner], ...]
    sides: tuple[tuple[str, HexSide], ...]


def fits_frame(land: tuple[Hex, ...], players: int = 4) -> bool:
    """Whether there is land, and all of it lies on the 37 tiles of the frame, or 52 for more players.

    >>> fits_frame((Hex(0, 0),)), fits_frame((Hex(4, 0),)), fits_frame((Hex(4, 0),), 5), fits_frame(())
    (True, False, True, False)
    """
    return bool(land) and all(tile in _bits(players) for tile in land)


def decode_shape(shape: int, players: int = 4) -> tuple[Hex, ...]:
    """The tiles that the option `shape` makes land; none if the number is not a shape.

    >>> decode_shape(0b101)
    (Hex(0, -3), Hex(2, -3))
    """
    return tuple(tile for tile, bit in _bits(players).items() if shape & bit)


@cache
def layout_of(land: tuple[Hex, ...], players: int = 4) -> Layout:
    """The layout of some land on the frame of a game with so many players.

    >>> layout = layout_of((Hex(0, 0), Hex(1, 0)))
    >>> len(layout.corners), len(layout.sides), layout.names[Hex(1, 0)]
    (10, 11, 'island[4][5]')
    """
    assert fits_frame(land, players)
    frame, bits = frame_of(players), _bits(players)
    inside = frozenset(land)
    near = {Hex(tile.q + q, tile.r + r) for tile in land for q in (-1, 0, 1) for r in (-1, 0, 1)}
    corners = in_reading_order(
        _CORNERS.get(corner, corner)
        for corner in (HexCorner(tile, pole) for tile in near for pole in Pole)
        if not inside.isdisjoint(corner.cells)
    )
    sides = in_reading_order(
        _SIDES.get(side, side)
        for side in (HexSide(tile, face) for tile in near for face in Face)
        if not inside.isdisjoint(side.cells)
    )
    tiles = tuple((f"island[{tile.r + CENTRE}][{tile.q + CENTRE}]", tile) for tile in frame if tile in inside)
    named_corners = tuple((f"spots[{number}]", corner) for number, corner in enumerate(corners))
    named_sides = tuple((f"ways[{number}]", side) for number, side in enumerate(sides))
    places: dict[str, Place] = {**dict(tiles), **dict(named_corners), **dict(named_sides)}
    return Layout(
        tuple(tile for _, tile in tiles),
        sum(bits[tile] for tile in land),
        {place: name for name, place in places.items()},
        places,
        tiles,
        named_corners,
        named_sides,
    )


@cache
def _bits(players: int) -> dict[Hex, int]:
    """The binary digit of each tile of the frame."""
    return {tile: 1 << number for number, tile in enumerate(frame_of(players))}


# The interned places, because the notations write them faster.
_CORNERS: dict[HexCorner, HexCorner] = {corner: corner for corner in FRAME_CORNERS}
_SIDES: dict[HexSide, HexSide] = {side: side for side in FRAME_SIDES}
