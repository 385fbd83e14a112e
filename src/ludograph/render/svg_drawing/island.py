"""The island in SVG: sea, beach, tiles, numbers and harbors."""

from math import hypot

from ludograph.geometry import Hex, HexCorner, HexSide
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
    fit_size,
    group,
    line,
    moved,
    polygon,
    text,
)
from ludograph.render.descriptions import format_number
from ludograph.render.island_scene import IslandScene, SceneTile
from ludograph.render.looks import HOT_NUMBERS, Looks, pips
from ludograph.render.svg_drawing.symbols import choose_ink, resource_symbol, terrain_symbol
from ludograph.settlers import Harbor, Terrain
from ludograph.settlers.places import Place

SIZE = 50.0
"""From the middle of a tile to its corners."""
TOKEN_RADIUS = 17.5
TOKEN_DROP = 1.5
"""How far a number is below the middle of its tile, to leave space for the symbol above."""
TOKEN_ASIDE, ROBBER_ASIDE = 11.0, 20.0
"""How far a number moves to the right and the robber to the left if both are on a tile."""
BADGE_RADIUS = 19.0
BADGE_DISTANCE = 29.0


def find_point(place: Place) -> Point:
    """The point of a place in the drawing: the middle of a tile or side, or a corner."""
    match place:
        case Hex():
            return hex_centre(place, size=SIZE)
        case HexCorner():
            return hex_corner(place, size=SIZE)
        case HexSide():
            return hex_side_middle(place, size=SIZE)


def draw_ground(scene: IslandScene, looks: Looks) -> str:
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


def draw_numbers(scene: IslandScene, looks: Looks) -> str:
    """A round token with number and pips on every tile that has one."""
    return group(
        *(
            _draw_token(token_point(scene, tile.place), tile.number, looks)
            for tile in scene.tiles
            if tile.number is not None
        )
    )


def token_point(scene: IslandScene, tile: Hex) -> Point:
    """The point of a tile's number: in the middle, or beside the robber if the robber is or was there."""
    x, y = find_point(tile)
    shared = tile in (scene.robber, scene.robber_was)
    return Point(x + TOKEN_ASIDE if shared else x, y + TOKEN_DROP)


def robber_point(scene: IslandScene, tile: Hex) -> Point:
    """The point of the robber on a tile: beside the number, which stays readable."""
    x, y = find_point(tile)
    return Point(x - ROBBER_ASIDE, y + 0.5) if has_number(scene, tile) else Point(x, y + 3)


def has_number(scene: IslandScene, tile: Hex) -> bool:
    return any(shown.place == tile and shown.number is not None for shown in scene.tiles)


def draw_harbors(scene: IslandScene, looks: Looks) -> str:
    """A badge in the sea for every harbor: its rate, and the resource that it trades."""
    return group(*(_draw_badge(harbor, badge_point(harbor, scene.land), looks) for harbor in scene.harbors))


def badge_point(harbor: Harbor, land: frozenset[Hex]) -> Point:
    """The point of a harbor's badge: in the sea, in front of the middle of its side."""
    own, other = harbor.side.cells
    sea = other if own in land or other not in land else own
    middle, centre = find_point(harbor.side), find_point(sea)
    away = BADGE_DISTANCE / hypot(centre.x - middle.x, centre.y - middle.y)
    return Point(middle.x + (centre.x - middle.x) * away, middle.y + (centre.y - middle.y) * away)


def _draw_land(tile: SceneTile, looks: Looks) -> str:
    ground = looks.terrains[tile.terrain].ground if tile.terrain is not None else looks.blank
    return polygon(hex_polygon(tile.place, size=SIZE), fill=ground)


def _draw_symbol(tile: SceneTile, looks: Looks) -> str:
    if tile.terrain is None:
        return ""
    x, y = find_point(tile.place)
    if tile.number is None and tile.terrain is not Terrain.DESERT:
        # A land tile without a number, as in an unfinished set-up: the symbol has the whole tile.
        return moved(x, y, terrain_symbol(tile.terrain, looks), scale=1.3)
    return moved(x, y - 26.5, terrain_symbol(tile.terrain, looks), scale=0.88)


def _draw_token(at: Point, value: int, looks: Looks) -> str:
    x, y = at
    hot = value in HOT_NUMBERS
    ink = looks.hot if hot else looks.ink
    label = format_number(value)
    size = fit_size(label, looks.hot_number_size if hot else looks.number_size, 2 * TOKEN_RADIUS - 5)
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


def _draw_piers(scene: IslandScene, looks: Looks) -> str:
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
            text(x, y + 9, "2:1", 12.5, fill=choose_ink(look.ground, looks), font_weight="bold"),
        )
    )
