"""The static part of an island: sea, tiles, numbers, harbors, and the names of tiles.

Everything is placed relative to the middle of d4; `origin` is the point of d4 in the picture.
"""

from collections.abc import Iterator
from functools import lru_cache
from math import hypot

from msgspec import Struct

from ludograph.geometry import Hex
from ludograph.geometry.plane import Point
from ludograph.render.canvas import fit_size, text_width
from ludograph.render.coordinates import CoordinateSystem, coordinate_lines
from ludograph.render.descriptions import format_number
from ludograph.render.looks import HOT_NUMBERS, RESOURCE_TERRAINS, pips
from ludograph.render.scenes.island.contents import IslandContents, ShownTile
from ludograph.render.scenes.island.places import SIZE, ends_of, find_point, id_of, outline_of
from ludograph.render.scenes.island.theme import Theme
from ludograph.render.scenes.items import ItemKind, SceneItem
from ludograph.settlers import Harbor, Terrain

GROUND, LINES, TOKENS, PIECES, NAMES = range(1, 6)
"""The layers: tiles; roads, arrows and highlights; numbers; buildings; names of corners and sides."""

TOKEN_RADIUS = 17.5
TOKEN_DROP = 1.5
"""How far a number is below the middle of its tile, to leave space for the symbol above."""
BADGE_RADIUS = 19.0
BADGE_DISTANCE = 29.0
SHORE = 24.0
"""The water around the land that is always visible."""
MARGIN = 8.0
TILE_LABEL_DROP = 28.0
CROWDED, CROWDED_WIDTH = 0.8, 24.0
"""How much smaller the names of tiles are if corners and sides have names too, and how wide at most."""


class TileNames(Struct, frozen=True):
    """The names of tiles to print."""

    system: CoordinateSystem
    is_crowded: bool
    """Whether corners and sides have names, too."""


class Bounds(Struct, frozen=True):
    """The upper left and the lower right corner of everything on the board."""

    left: float
    top: float
    right: float
    bottom: float

    def with_margin(self, margin: float) -> "Bounds":
        return Bounds(self.left - margin, self.top - margin, self.right + margin, self.bottom + margin)


def find_bounds(contents: IslandContents, names: TileNames | None) -> Bounds:
    """The bounds of the land with its shore, of harbors, pieces and highlights, and of printed names."""
    xs: list[float] = []
    ys: list[float] = []
    land = contents.land
    badges = [badge_point(harbor, land) for harbor in contents.harbors]
    for tile in contents.tiles:
        x, y = find_point(tile.place) if tile.is_land else name_point(tile, badges)
        if tile.is_land:
            xs += (x - _HALF_WIDTH - SHORE, x + _HALF_WIDTH + SHORE)
            ys += (y - SIZE - SHORE, y + SIZE + SHORE)
        elif names is not None or tile.number is not None:
            reach = 8 if tile.number is None else SIZE
            xs += (x - 24, x + 24)
            ys += (y - reach, y + reach)
    for x, y in badges:
        xs += (x - BADGE_RADIUS, x + BADGE_RADIUS)
        ys += (y - BADGE_RADIUS, y + BADGE_RADIUS)
    for place in contents.piece_places:
        x, y = find_point(place)
        reach = SIZE if isinstance(place, Hex) else SIZE / 2
        xs += (x - reach, x + reach)
        ys += (y - reach, y + reach)
    if not xs:
        xs, ys = [-SIZE, SIZE], [-SIZE, SIZE]
    return Bounds(min(xs), min(ys), max(xs), max(ys)).with_margin(MARGIN)


_HALF_WIDTH = SIZE * 3**0.5 / 2


def badge_point(harbor: Harbor, land: frozenset[Hex]) -> Point:
    """The point of a harbor's badge: in the sea, in front of the middle of its side."""
    own, other = harbor.side.cells
    sea = other if own in land or other not in land else own
    middle, centre = find_point(harbor.side), find_point(sea)
    away = BADGE_DISTANCE / hypot(centre.x - middle.x, centre.y - middle.y)
    return Point(middle.x + (centre.x - middle.x) * away, middle.y + (centre.y - middle.y) * away)


@lru_cache(maxsize=64)
def list_ground(
    tiles: tuple[ShownTile, ...],
    harbors: tuple[Harbor, ...],
    origin: Point,
    names: TileNames | None,
    theme: Theme,
) -> tuple[SceneItem, ...]:
    """The items of the static part without the sea."""
    land = frozenset(tile.place for tile in tiles if tile.is_land)
    items = [_tile_item(tile, origin) for tile in tiles if tile.is_land]
    items += (_harbor_item(harbor, land, origin, theme) for harbor in harbors)
    items += (_token_item(tile, origin, theme) for tile in tiles if tile.number is not None)
    if names is not None:
        badges = [badge_point(harbor, land) for harbor in harbors]
        items += _name_items(tiles, badges, origin, names, theme)
    return tuple(items)


def _tile_item(tile: ShownTile, origin: Point) -> SceneItem:
    x, y = find_point(tile.place)
    # A tile without a number, as in an unfinished set-up: the symbol has the whole tile.
    is_wide = tile.number is None and tile.terrain not in (None, Terrain.DESERT)
    return SceneItem(
        f"tile.{id_of(tile.place)}",
        ItemKind.TERRAIN,
        x + origin.x,
        y + origin.y,
        2 * _HALF_WIDTH,
        2 * SIZE,
        tuple((a + origin.x, b + origin.y) for a, b in outline_of(tile.place)),
        symbol=tile.terrain.value if tile.terrain is not None else "",
        style="wide" if is_wide else "",
        layer=GROUND,
    )


def _token_item(tile: ShownTile, origin: Point, theme: Theme) -> SceneItem:
    assert tile.number is not None
    x, y = find_point(tile.place)
    x, y = x + origin.x, y + origin.y + TOKEN_DROP
    is_hot, count = tile.number in HOT_NUMBERS, pips(tile.number)
    return SceneItem(
        f"number.{id_of(tile.place)}",
        ItemKind.TOKEN,
        x,
        y,
        2 * TOKEN_RADIUS,
        theme.hot_number_size if is_hot else theme.number_size,
        tuple((x + (dot - (count - 1) / 2) * 4.8, y + 11) for dot in range(count)),
        text=format_number(tile.number),
        style="hot" if is_hot else "",
        layer=TOKENS,
    )


def _harbor_item(harbor: Harbor, land: frozenset[Hex], origin: Point, theme: Theme) -> SceneItem:
    x, y = badge_point(harbor, land)
    ground = RESOURCE_TERRAINS[harbor.resource].value if harbor.resource is not None else ""
    return SceneItem(
        f"harbor.{id_of(harbor.side)}",
        ItemKind.HARBOR,
        x + origin.x,
        y + origin.y,
        2 * BADGE_RADIUS,
        2 * BADGE_RADIUS,
        tuple((a + origin.x, b + origin.y) for a, b in ends_of(harbor.side)),
        text="2:1" if ground else "3:1",
        symbol=ground,
        style=theme.ink_on(ground),
        title=f"harbor: two {harbor.resource.value} for one card"
        if harbor.resource is not None
        else "harbor: three equal cards for one",
        layer=GROUND,
    )


def _name_items(
    tiles: tuple[ShownTile, ...], badges: list[Point], origin: Point, names: TileNames, theme: Theme
) -> Iterator[SceneItem]:
    """The names of the tiles: below the number on land, and off the badges at sea."""
    wanted = theme.coordinate_size * (CROWDED if names.is_crowded else 1)
    for tile in tiles:
        label = "".join(coordinate_lines(tile.place, names.system))
        if not label:
            continue
        ground = ("blank" if tile.terrain is None else tile.terrain.value) if tile.is_land else "water"
        size = fit_size(label, wanted, CROWDED_WIDTH if names.is_crowded else 40)
        x, y = name_point(tile, badges)
        yield SceneItem(
            f"name.{id_of(tile.place)}",
            ItemKind.LABEL,
            x + origin.x,
            y + origin.y,
            text_width(label, size),
            size,
            text=label,
            style=f"place bare {theme.ink_on(ground)}".strip(),
            layer=TOKENS,
        )


def name_point(tile: ShownTile, badges: list[Point]) -> Point:
    """The point of the name of a tile."""
    x, y = find_point(tile.place)
    if tile.is_land:
        return Point(x, y + TILE_LABEL_DROP)
    # In the sea a name keeps away from the badges of harbors, and from a number, which is unusual there.
    spots = [Point(x, y + 26), Point(x, y - 26)]
    if tile.number is None:
        spots = [Point(x, y), *spots, Point(x - 22, y), Point(x + 22, y)]
    return max(spots, key=lambda spot: all(hypot(spot.x - b.x, spot.y - b.y) > 29 for b in badges))
