"""The standard set of the game: tiles, numbers and harbors of the standard frame, pieces, bank and deck.

Five and six players have the large set. Its harbors are three or four sides of the coast apart.
"""

from ludograph.geometry import Face, Hex, HexSide
from ludograph.geometry.boards import HexBoard
from ludograph.settlers.goods import Cards, Pieces, Resource, Terrain
from ludograph.settlers.island import Harbor, Island
from ludograph.settlers.places import FRAME, FRAME_SIDES, LAND, LARGE_LAND

SUPPLY = Pieces(village=5, city=4, road=15)
"""The pieces of each player."""

TERRAIN_SET: dict[Terrain, int] = {
    Terrain.HILLS: 3,
    Terrain.FIELDS: 4,
    Terrain.FOREST: 4,
    Terrain.MOUNTAINS: 3,
    Terrain.PASTURE: 4,
    Terrain.DESERT: 1,
}
NUMBER_SET: dict[int, int] = {2: 1, 3: 2, 4: 2, 5: 2, 6: 2, 8: 2, 9: 2, 10: 2, 11: 2, 12: 1}

HARBOR_SIDES: tuple[HexSide, ...] = tuple(
    FRAME_SIDES[FRAME_SIDES.index(HexSide(tile, face))]
    for tile, face in (
        (Hex(0, -2), Face.NORTH_WEST),
        (Hex(1, -2), Face.NORTH_EAST),
        (Hex(2, -1), Face.NORTH_EAST),
        (Hex(3, 0), Face.WEST),
        (Hex(1, 2), Face.NORTH_WEST),
        (Hex(-1, 3), Face.NORTH_WEST),
        (Hex(-3, 3), Face.NORTH_EAST),
        (Hex(-2, 1), Face.WEST),
        (Hex(-1, -1), Face.WEST),
    )
)
"""The sides of the nine harbors of the standard frame, clockwise from the one above the first tile."""
HARBOR_SET: dict[Resource | None, int] = {None: 4, **dict.fromkeys(Resource, 1)}

LARGE_TERRAIN_SET: dict[Terrain, int] = {
    Terrain.HILLS: 5,
    Terrain.FIELDS: 6,
    Terrain.FOREST: 6,
    Terrain.MOUNTAINS: 5,
    Terrain.PASTURE: 6,
    Terrain.DESERT: 2,
}
LARGE_NUMBER_SET: dict[int, int] = {2: 2, 3: 3, 4: 3, 5: 3, 6: 3, 8: 3, 9: 3, 10: 3, 11: 3, 12: 2}
LARGE_HARBOR_SET: dict[Resource | None, int] = {**HARBOR_SET, None: 5, Resource.WOOL: 2}
_LARGE_COAST = HexBoard(LARGE_LAND).coasts()[0].sides
LARGE_HARBOR_SIDES: tuple[HexSide, ...] = tuple(
    _LARGE_COAST[number * len(_LARGE_COAST) // 11 - 1] for number in range(11)
)
"""The sides of the eleven harbors of the large frame, clockwise from the one above the first tile."""


def bank_stock(players: int) -> int:
    """The number of cards of each resource: 19, or 24 for five and six players."""
    return 19 if players <= 4 else 24


def deck(players: int) -> Cards:
    """The development cards of the standard set."""
    if players <= 4:
        return Cards(knight=14, roads=2, monopoly=2, point=5, plenty=2)
    return Cards(knight=20, roads=3, monopoly=3, point=5, plenty=3)


def standard_island(
    terrain: tuple[Terrain, ...], numbers: tuple[int, ...], harbors: tuple[Resource | None, ...]
) -> Island:
    """An island on the standard frame.

    The 19 terrains are in reading order, with a number for each producing tile. The nine harbors are
    clockwise from the one above the first tile.
    """
    land = dict(zip(LAND, terrain, strict=True))
    producing = [place for place, kind in land.items() if kind.yields is not None]
    return Island(
        tuple((place, land.get(place, Terrain.SEA)) for place in FRAME),
        tuple(zip(producing, numbers, strict=True)),
        tuple(Harbor(side, kind) for side, kind in zip(HARBOR_SIDES, harbors, strict=True)),
    )


def _beginners_island() -> Island:
    hills, fields, forest = Terrain.HILLS, Terrain.FIELDS, Terrain.FOREST
    mountains, pasture, desert = Terrain.MOUNTAINS, Terrain.PASTURE, Terrain.DESERT
    return standard_island(
        (
            *(mountains, pasture, forest),
            *(fields, hills, pasture, hills),
            *(fields, forest, desert, forest, mountains),
            *(forest, mountains, fields, pasture),
            *(hills, fields, pasture),
        ),
        (10, 2, 9, 12, 6, 4, 10, 9, 11, 3, 8, 8, 3, 4, 5, 5, 6, 11),
        (
            *(None, Resource.GRAIN, Resource.ORE, None, None),
            *(Resource.WOOL, None, Resource.BRICK, Resource.LUMBER),
        ),
    )


BEGINNERS_ISLAND = _beginners_island()
"""The first island of the rule book, which the specification of CGN lists tile by tile."""
