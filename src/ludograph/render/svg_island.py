"""The island in SVG: sea, beach, tiles, numbers, harbors, and coordinates printed on all of it."""

from math import hypot

from ludograph.geometry import Hex, HexCorner, HexSide
from ludograph.geometry.boards import HexBoard
from ludograph.geometry.plane import (
    Point,
    hex_centre,
    hex_corner,
    hex_polygon,
    hex_side_ends,
    hex_side_middle,
)
from ludograph.render.canvas import (
    circle,
    fitting_size,
    group,
    line,
    moved,
    polygon,
    rect,
    text,
    text_width,
)
from ludograph.render.coordinates import CoordinateSystem, PlaceKind, coordinate_lines
from ludograph.render.looks import HOT_NUMBERS, Looks, pips
from ludograph.render.scene import Scene, SceneTile
from ludograph.render.svg_symbols import ink_on, resource_symbol, terrain_symbol
from ludograph.render.words import number_text
from ludograph.settlers import Harbor, Terrain
from ludograph.settlers.places import Place

SIZE = 50.0
"""From the middle of a tile to its corners."""
TOKEN_RADIUS = 17.5
TOKEN_DROP = 1.5
"""How far below the middle of its tile a number is, to leave room for the symbol above."""
BADGE_RADIUS = 19.0
BADGE_DISTANCE = 29.0


def point_of(place: Place) -> Point:
    """Where a place is in the drawing: the middle of a tile or side, or a corner."""
    match place:
        case Hex():
            return hex_centre(place, size=SIZE)
        case HexCorner():
            return hex_corner(place, size=SIZE)
        case HexSide():
            return hex_side_middle(place, size=SIZE)


def draw_ground(scene: Scene, looks: Looks) -> str:
    """Sea tiles, then piers, beach and land, so that each covers the edge of the one before."""
    sea = looks.terrains[Terrain.SEA]
    land = [tile for tile in scene.tiles if tile.is_land]
    outlines = (hex_polygon(tile.place, size=SIZE) for tile in scene.tiles if not tile.is_land)
    return "\n".join(
        part
        for part in (
            group(*(polygon(o) for o in outlines), fill=sea.ground, stroke=sea.light, stroke_width=1),
            _draw_piers(scene, looks),
            group(
                *(polygon(hex_polygon(tile.place, size=SIZE)) for tile in land),
                fill=looks.beach,
                stroke=looks.beach,
                stroke_width=13,
                stroke_linejoin="round",
            ),
            group(*(_draw_land(tile, looks) for tile in land), stroke=looks.seam, stroke_width=2.5),
            group(*(_draw_symbol(tile, looks) for tile in land)),
        )
        if part
    )


def draw_numbers(scene: Scene, looks: Looks) -> str:
    """A round token with number and pips on every tile that has one."""
    return group(
        *(_draw_token(tile.place, tile.number, looks) for tile in scene.tiles if tile.number is not None)
    )


def draw_harbors(scene: Scene, looks: Looks) -> str:
    """A badge in the sea for every harbor: its rate, and what it trades."""
    return group(*(_draw_badge(harbor, badge_point(harbor, scene.land), looks) for harbor in scene.harbors))


def badge_point(harbor: Harbor, land: frozenset[Hex]) -> Point:
    """Where a harbor's badge is: before the middle of its side, on the water."""
    own, other = harbor.side.cells
    sea = other if own in land or other not in land else own
    middle, centre = point_of(harbor.side), point_of(sea)
    away = BADGE_DISTANCE / hypot(centre.x - middle.x, centre.y - middle.y)
    return Point(middle.x + (centre.x - middle.x) * away, middle.y + (centre.y - middle.y) * away)


def draw_coordinates(
    scene: Scene, system: CoordinateSystem, kinds: frozenset[PlaceKind], looks: Looks
) -> str:
    """The coordinates of tiles, and of the corners and sides of the land if asked for."""
    board = HexBoard(scene.land)
    parts: list[str] = []
    if PlaceKind.TILES in kinds:
        badges = [badge_point(harbor, scene.land) for harbor in scene.harbors]
        parts += (_draw_tile_label(tile, system, badges, looks) for tile in scene.tiles)
    if PlaceKind.SIDES in kinds:
        parts += (_draw_small_label(side, system, looks) for side in board.sides())
    if PlaceKind.CORNERS in kinds:
        parts += (_draw_small_label(corner, system, looks) for corner in board.corners())
    return group(*parts)


def _draw_land(tile: SceneTile, looks: Looks) -> str:
    ground = looks.terrains[tile.terrain].ground if tile.terrain is not None else looks.blank
    return polygon(hex_polygon(tile.place, size=SIZE), fill=ground)


def _draw_symbol(tile: SceneTile, looks: Looks) -> str:
    if tile.terrain is None:
        return ""
    x, y = point_of(tile.place)
    if tile.number is None and tile.terrain is not Terrain.DESERT:
        # A land tile without its number, as in a set-up not finished: the symbol has the room to itself.
        return moved(x, y, terrain_symbol(tile.terrain, looks), scale=1.3)
    return moved(x, y - 26.5, terrain_symbol(tile.terrain, looks), scale=0.88)


def _draw_token(place: Hex, value: int, looks: Looks) -> str:
    x, y = point_of(place)
    y += TOKEN_DROP
    hot = value in HOT_NUMBERS
    ink = looks.hot if hot else looks.ink
    label = number_text(value)
    size = fitting_size(label, looks.hot_number_size if hot else looks.number_size, 2 * TOKEN_RADIUS - 5)
    dots = pips(value)
    return "".join(
        (
            circle(
                x, y, TOKEN_RADIUS, fill=looks.token, stroke=looks.ink, stroke_width=1, stroke_opacity=0.55
            ),
            text(x, y - 3 if dots else y, label, size, fill=ink, font_weight="bold" if hot else "600"),
            *(circle(x + (dot - (dots - 1) / 2) * 4.8, y + 11, 1.9, fill=ink) for dot in range(dots)),
        )
    )


def _draw_piers(scene: Scene, looks: Looks) -> str:
    planks: list[str] = []
    for harbor in scene.harbors:
        badge = badge_point(harbor, scene.land)
        planks += (line(badge, end) for end in hex_side_ends(harbor.side, size=SIZE))
    wide = group(*planks, stroke=looks.pier, stroke_width=7)
    return wide + group(*planks, stroke=looks.beach, stroke_width=3.4, stroke_dasharray="2.4 2")


def _draw_badge(harbor: Harbor, at: Point, looks: Looks) -> str:
    x, y = at
    if harbor.resource is None:
        disc = circle(x, y, BADGE_RADIUS, fill=looks.token, stroke=looks.pier, stroke_width=2.5)
        return disc + text(x, y, "3:1", 16, fill=looks.ink, font_weight="bold")
    look = looks.resource(harbor.resource)
    return "".join(
        (
            circle(x, y, BADGE_RADIUS, fill=look.ground, stroke=looks.pier, stroke_width=2.5),
            moved(x, y - 6.5, resource_symbol(harbor.resource, looks), scale=0.72),
            text(x, y + 9, "2:1", 12.5, fill=ink_on(look.ground, looks), font_weight="bold"),
        )
    )


def _draw_tile_label(tile: SceneTile, system: CoordinateSystem, badges: list[Point], looks: Looks) -> str:
    label = "".join(coordinate_lines(tile.place, system))
    if not label:
        return ""
    x, y = point_of(tile.place)
    ground = looks.terrains[tile.terrain].ground if tile.terrain is not None else looks.blank
    size = fitting_size(label, looks.coordinate_size, 40)
    if tile.is_land:
        return text(x, y + 28, label, size, fill=ink_on(ground, looks))
    # In the sea the label keeps away from the badge of a harbor.
    spots = [(x, y), (x, y + 26), (x, y - 26), (x - 22, y), (x + 22, y)]
    best = max(
        spots, key=lambda spot: min((hypot(spot[0] - b.x, spot[1] - b.y) for b in badges), default=0) > 29
    )
    return text(*best, label, size, fill=ink_on(ground, looks))


def _draw_small_label(place: HexCorner | HexSide, system: CoordinateSystem, looks: Looks) -> str:
    lines = coordinate_lines(place, system)
    if not lines:
        return ""
    x, y = point_of(place)
    size = min(fitting_size(line, looks.small_coordinate_size, 42) for line in lines)
    if len(lines) > 2:
        size = min(size, 7.5)
    width = max(text_width(line, size) for line in lines) + 3
    height = len(lines) * size * 1.12 + 2.5
    back = rect(x - width / 2, y - height / 2, width, height, rx=3, fill=looks.token, fill_opacity=0.9)
    middle = (len(lines) - 1) / 2
    ink = looks.ink if isinstance(place, HexCorner) else looks.quiet_ink
    return back + "".join(
        text(x, y + (row - middle) * size * 1.12, line, size, fill=ink) for row, line in enumerate(lines)
    )
