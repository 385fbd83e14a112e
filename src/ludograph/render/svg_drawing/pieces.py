"""The objects on the island in SVG: roads, buildings, the robber, highlights, arrows."""

from math import hypot

from ludograph.geometry import Hex, HexCorner, HexSide
from ludograph.geometry.plane import Point, hex_polygon, hex_side_ends
from ludograph.render.canvas import circle, group, line, moved, path, polygon
from ludograph.render.island_scene import Arrow, Building, Highlight, IslandScene, Road
from ludograph.render.looks import Looks
from ludograph.render.svg_drawing.island import SIZE, find_point, has_number, robber_point
from ludograph.render.svg_drawing.symbols import building, road, robber
from ludograph.settlers import Piece
from ludograph.settlers.places import Place

ROAD_GAP = 11.0
"""The space that a road leaves at each end for buildings."""
STACK = 9.0
"""How far a piece is moved for each piece that is already on its place."""
LEAST_ARROW = 26.0
"""The minimum length of an arrow, if there is space for it."""


def draw_roads(scene: IslandScene, looks: Looks) -> str:
    return group(*(_draw_road(piece, looks) for piece in scene.roads))


def draw_buildings(scene: IslandScene, looks: Looks) -> str:
    """Villages and cities; the lower ones cover the upper ones."""
    buildings = sorted(scene.buildings, key=lambda piece: (find_point(piece.corner).y, piece.floor))
    return group(*(_draw_building(piece, looks) for piece in buildings))


def draw_robber(scene: IslandScene, looks: Looks) -> str:
    """The robber, and the tile that the robber leaves."""
    return "\n".join(
        part
        for part in (
            _draw_robber(scene, scene.robber_was, looks, leaving=True),
            _draw_robber(scene, scene.robber, looks, leaving=False),
        )
        if part
    )


def draw_tile_highlights(scene: IslandScene, looks: Looks) -> str:
    """The highlights that are drawn under everything else on a tile."""
    return group(*(_draw_highlight(mark, looks) for mark in scene.highlights if isinstance(mark.place, Hex)))


def draw_side_highlights(scene: IslandScene, looks: Looks) -> str:
    """Highlighted sides: a line around the road or its place, drawn under the buildings."""
    return group(
        *(_draw_highlight(mark, looks) for mark in scene.highlights if isinstance(mark.place, HexSide))
    )


def draw_corner_highlights(scene: IslandScene, looks: Looks) -> str:
    """Highlighted corners: a ring around the building or its place."""
    return group(
        *(_draw_highlight(mark, looks) for mark in scene.highlights if isinstance(mark.place, HexCorner))
    )


def draw_arrows(scene: IslandScene, looks: Looks) -> str:
    return group(*(_draw_arrow(scene, arrow, looks) for arrow in scene.arrows))


def _draw_road(piece: Road, looks: Looks) -> str:
    start, end = hex_side_ends(piece.side, size=SIZE)
    across_x, across_y = (end.y - start.y) / SIZE, (start.x - end.x) / SIZE
    offset = piece.floor * STACK
    start, end = _shortened(start, end)
    return road(
        Point(start.x + across_x * offset, start.y + across_y * offset),
        Point(end.x + across_x * offset, end.y + across_y * offset),
        piece.player,
        looks,
    )


def _shortened(start: Point, end: Point) -> tuple[Point, Point]:
    """The part of a side that a road covers."""
    dx, dy = (end.x - start.x) * ROAD_GAP / SIZE, (end.y - start.y) * ROAD_GAP / SIZE
    return Point(start.x + dx, start.y + dy), Point(end.x - dx, end.y - dy)


def _draw_building(piece: Building, looks: Looks) -> str:
    x, y = find_point(piece.corner)
    offset = piece.floor * STACK
    return moved(x + offset, y - offset, building(piece.piece, piece.player, looks))


def _draw_robber(scene: IslandScene, tile: Hex | None, looks: Looks, *, leaving: bool) -> str:
    if tile is None:
        return ""
    scale = 0.95 if has_number(scene, tile) else 1.05
    return moved(*robber_point(scene, tile), robber(looks, leaving=leaving), scale=scale)


def _draw_highlight(mark: Highlight, looks: Looks) -> str:
    """Two lines, pale and coloured: visible on any ground and with any colour vision."""
    colour = mark.colour or looks.highlight
    match mark.place:
        case Hex() as tile:
            centre = find_point(tile)
            corners = [
                Point(centre.x + (x - centre.x) * 0.9, centre.y + (y - centre.y) * 0.9)
                for x, y in hex_polygon(tile, size=SIZE)
            ]
            outline = {"fill": "none", "stroke_linejoin": "round"}
            back = polygon(corners, **outline, stroke=looks.pale_ink, stroke_width=8)
            return back + polygon(corners, **outline, stroke=colour, stroke_width=4.5)
        case HexCorner() as corner:
            x, y = find_point(corner)
            back = circle(x, y - 1, 22, fill="none", stroke=looks.pale_ink, stroke_width=7)
            return back + circle(x, y - 1, 22, fill="none", stroke=colour, stroke_width=4)
        case HexSide() as side:
            return _draw_capsule(*_shortened(*hex_side_ends(side, size=SIZE)), 13, colour, looks)


def _draw_capsule(start: Point, end: Point, radius: float, colour: str, looks: Looks) -> str:
    """A closed line around the line from one point to another."""
    length = hypot(end.x - start.x, end.y - start.y)
    x, y = (start.y - end.y) / length * radius, (end.x - start.x) / length * radius
    shape = (
        f"M{start.x + x:.2f},{start.y + y:.2f}L{end.x + x:.2f},{end.y + y:.2f}"
        f"A{radius:g},{radius:g} 0 0 0 {end.x - x:.2f},{end.y - y:.2f}"
        f"L{start.x - x:.2f},{start.y - y:.2f}"
        f"A{radius:g},{radius:g} 0 0 0 {start.x + x:.2f},{start.y + y:.2f}Z"
    )
    back = path(shape, fill="none", stroke=looks.pale_ink, stroke_width=7)
    return back + path(shape, fill="none", stroke=colour, stroke_width=4)


def _draw_arrow(scene: IslandScene, arrow: Arrow, looks: Looks) -> str:
    """A straight arrow that stops before the objects at its ends; a ring if it would have no length."""
    colour = arrow.colour or looks.arrow
    start, end = find_point(arrow.start), find_point(arrow.end)
    length = hypot(end.x - start.x, end.y - start.y)
    if length < 1:
        return _draw_highlight(Highlight(arrow.end, colour), looks)
    x, y = (end.x - start.x) / length, (end.y - start.y) / length
    start_gap, end_gap = (_reach(scene, place, x, y) for place in (arrow.start, arrow.end))
    least = min(LEAST_ARROW, length * 0.7)
    if length - start_gap - end_gap < least:
        crowd = (length - least) / (start_gap + end_gap)
        start_gap, end_gap = start_gap * crowd, end_gap * crowd
    # A short arrow is scaled down, so that part of its shaft stays visible.
    scale = min(1.0, (length - start_gap - end_gap) / 30)

    def point(along: float, across: float = 0) -> Point:
        return Point(start.x + x * along - y * across, start.y + y * along + x * across)

    tip = length - end_gap
    tail, neck, base = point(start_gap), point(tip - 15 * scale), tip - 19 * scale
    head = (point(tip), point(base, 11 * scale), neck, point(base, -11 * scale))
    return group(
        line(tail, neck, stroke=looks.pale_ink, stroke_width=11 * scale, stroke_linecap="round"),
        polygon(head, fill=looks.pale_ink, stroke=looks.pale_ink, stroke_width=5, stroke_linejoin="round"),
        line(tail, neck, stroke=colour, stroke_width=6 * scale, stroke_linecap="round"),
        polygon(head, fill=colour),
    )


def _reach(scene: IslandScene, place: Place, x: float, y: float) -> float:
    """How far the object at a place extends from its middle in the direction (x, y)."""
    half_width, half_height = _half_extent(scene, place)
    return min(half_width / max(abs(x), 1e-6), half_height / max(abs(y), 1e-6))


def _half_extent(scene: IslandScene, place: Place) -> tuple[float, float]:
    """Half the width and height of the object at a place, with some space around it."""
    match place:
        case Hex() as tile:
            robbed = tile in (scene.robber, scene.robber_was)
            if has_number(scene, tile):
                return (36.0, 23.0) if robbed else (23.0, 23.0)
            return (16.0, 23.0) if robbed else (4.0, 4.0)
        case HexCorner() as corner:
            pieces = {other.piece for other in scene.buildings if other.corner == corner}
            return (23.0, 20.0) if Piece.CITY in pieces else (18.0, 18.0) if pieces else (4.0, 4.0)
        case HexSide() as side:
            return (12.0, 12.0) if any(other.side == side for other in scene.roads) else (4.0, 4.0)
