"""What stands and happens on the island, in SVG: roads, buildings, the robber, highlights, arrows."""

from math import atan2, cos, hypot, sin

from ludograph.geometry import Hex, HexCorner, HexSide
from ludograph.geometry.plane import Point, hex_polygon, hex_side_ends
from ludograph.render.canvas import circle, group, line, moved, path, polygon
from ludograph.render.looks import Looks
from ludograph.render.scene import Arrow, Building, Highlight, Road, Scene
from ludograph.render.svg_island import SIZE, TOKEN_DROP, point_of
from ludograph.render.svg_symbols import building, road, robber

ROAD_GAP = 11.0
"""What a road leaves free at each end for the buildings there."""
STACK = 9.0
"""How far a piece is moved aside for each one that stands on its place already."""


def draw_pieces(scene: Scene, looks: Looks) -> str:
    """Roads, then buildings (the lower ones over the upper ones), then the robber."""
    standing = sorted(scene.buildings, key=lambda piece: (point_of(piece.corner).y, piece.floor))
    return "\n".join(
        part
        for part in (
            group(*(_draw_road(piece, looks) for piece in scene.roads)),
            group(*(_draw_building(piece, looks) for piece in standing)),
            _draw_robber(scene, scene.robber_was, looks, leaving=True),
            _draw_robber(scene, scene.robber, looks, leaving=False),
        )
        if part
    )


def draw_tile_highlights(scene: Scene, looks: Looks) -> str:
    """The highlights that lie under the pieces."""
    tiles = (mark for mark in scene.highlights if isinstance(mark.place, Hex))
    return group(*(_draw_highlight(mark, looks) for mark in tiles))


def draw_other_highlights(scene: Scene, looks: Looks) -> str:
    """Corners and sides pointed out by a ring around whatever stands there."""
    others = (mark for mark in scene.highlights if not isinstance(mark.place, Hex))
    return group(*(_draw_highlight(mark, looks) for mark in others))


def draw_arrows(scene: Scene, looks: Looks) -> str:
    return group(*(_draw_arrow(arrow, looks) for arrow in scene.arrows))


def _draw_road(piece: Road, looks: Looks) -> str:
    start, end = hex_side_ends(piece.side, size=SIZE)
    across_x, across_y = (end.y - start.y) / SIZE, (start.x - end.x) / SIZE
    aside = piece.floor * STACK
    share = ROAD_GAP / SIZE
    dx, dy = (end.x - start.x) * share, (end.y - start.y) * share
    return road(
        Point(start.x + dx + across_x * aside, start.y + dy + across_y * aside),
        Point(end.x - dx + across_x * aside, end.y - dy + across_y * aside),
        piece.player,
        looks,
    )


def _draw_building(piece: Building, looks: Looks) -> str:
    x, y = point_of(piece.corner)
    aside = piece.floor * STACK
    return moved(x + aside, y - aside, building(piece.piece, piece.player, looks))


def _draw_robber(scene: Scene, tile: Hex | None, looks: Looks, *, leaving: bool) -> str:
    if tile is None:
        return ""
    x, y = point_of(tile)
    shown = next((other for other in scene.tiles if other.place == tile), None)
    if shown is not None and shown.number is not None:
        # Beside the number, which the players still want to read.
        return moved(x - 30, y + TOKEN_DROP - 1, robber(looks, leaving=leaving), scale=0.95)
    return moved(x, y + 3, robber(looks, leaving=leaving), scale=1.05)


def _draw_highlight(mark: Highlight, looks: Looks) -> str:
    """Two lines, pale and coloured: seen on any ground, in any colour vision."""
    colour = mark.colour or looks.highlight
    match mark.place:
        case Hex() as tile:
            centre = point_of(tile)
            corners = [
                Point(centre.x + (x - centre.x) * 0.9, centre.y + (y - centre.y) * 0.9)
                for x, y in hex_polygon(tile, size=SIZE)
            ]
            outline = {"fill": "none", "stroke_linejoin": "round"}
            back = polygon(corners, **outline, stroke=looks.pale_ink, stroke_width=8)
            return back + polygon(corners, **outline, stroke=colour, stroke_width=4.5)
        case HexCorner() as corner:
            x, y = point_of(corner)
            back = circle(x, y - 1, 22, fill="none", stroke=looks.pale_ink, stroke_width=7)
            return back + circle(x, y - 1, 22, fill="none", stroke=colour, stroke_width=4)
        case HexSide() as side:
            start, end = hex_side_ends(side, size=SIZE)
            return _draw_capsule(start, end, 12.5, colour, looks)


def _draw_capsule(start: Point, end: Point, radius: float, colour: str, looks: Looks) -> str:
    """A closed line around the way from one point to another."""
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


def _draw_arrow(arrow: Arrow, looks: Looks) -> str:
    """A straight arrow; a ring where it would have no length."""
    colour = arrow.colour or looks.arrow
    start, end = point_of(arrow.start), point_of(arrow.end)
    length = hypot(end.x - start.x, end.y - start.y)
    if length < 1:
        return _draw_highlight(Highlight(arrow.end, colour), looks)
    angle = atan2(end.y - start.y, end.x - start.x)
    spare = min(24.0, length / 4)
    # Both ends keep off the things that the arrow is about.
    tail = Point(start.x + cos(angle) * spare, start.y + sin(angle) * spare)
    tip = Point(end.x - cos(angle) * spare, end.y - sin(angle) * spare)
    neck = Point(tip.x - cos(angle) * 15, tip.y - sin(angle) * 15)
    wing_x, wing_y = -sin(angle) * 11, cos(angle) * 11
    base = Point(tip.x - cos(angle) * 19, tip.y - sin(angle) * 19)
    head = (tip, Point(base.x + wing_x, base.y + wing_y), neck, Point(base.x - wing_x, base.y - wing_y))
    return group(
        line(tail, neck, stroke=looks.pale_ink, stroke_width=11, stroke_linecap="round"),
        polygon(head, fill=looks.pale_ink, stroke=looks.pale_ink, stroke_width=5, stroke_linejoin="round"),
        line(tail, neck, stroke=colour, stroke_width=6, stroke_linecap="round"),
        polygon(head, fill=colour),
    )
