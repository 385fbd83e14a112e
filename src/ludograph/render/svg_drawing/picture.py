"""SVG: an island, a position or an action in, a picture out.

A picture is valid XML without ids, scripts, styles or references, so that it can be saved, sent, or embedded
in a page unchanged. It has its own background, for light and dark pages.
"""

from collections.abc import Iterable

from ludograph.geometry import Hex, HexCorner, HexSide
from ludograph.geometry.plane import Point, hex_polygon
from ludograph.render.canvas import Picture, element, escape, moved, number, path
from ludograph.render.coordinates import CoordinateSystem, PlaceKind
from ludograph.render.island_scene import Arrow, Highlight, IslandScene, Subject, build_scene
from ludograph.render.looks import LOOKS, Looks
from ludograph.render.summary import make_description, make_title
from ludograph.render.svg_drawing.island import (
    BADGE_RADIUS,
    SIZE,
    badge_point,
    draw_ground,
    draw_harbors,
    draw_numbers,
    find_point,
)
from ludograph.render.svg_drawing.labels import draw_small_labels, draw_tile_labels, label_zoom
from ludograph.render.svg_drawing.legend import draw_legend
from ludograph.render.svg_drawing.pieces import (
    draw_arrows,
    draw_buildings,
    draw_corner_highlights,
    draw_roads,
    draw_robber,
    draw_side_highlights,
    draw_tile_highlights,
)
from ludograph.settlers import Action, Island, Position
from ludograph.settlers.places import Place

MARGIN = 6.0
LABEL_MARGIN = 14.0
"""How far the labels of corners may extend beyond the coast."""
LEAST_WIDTH = 120.0
LEAST_LEGEND_WIDTH = 440.0
MAX_PIXELS = 4000.0
"""The largest declared width or height of a picture, whatever the size of its board."""


def svg(
    subject: Subject,
    *,
    on: Position | Island | None = None,
    action: Action | None = None,
    player: int | None = None,
    coordinates: CoordinateSystem | None = None,
    coordinates_of: Iterable[PlaceKind] = (PlaceKind.TILES,),
    highlights: Iterable[Highlight | Place] = (),
    arrows: Iterable[Arrow | tuple[Place, Place]] = (),
    looks: Looks = LOOKS,
    title: str | None = None,
    width: float | None = None,
) -> Picture:
    """A picture of an island, a position, or an action: `svg(position, action=a)` or `svg(a, on=position)`.

    The action is that of `player`, or of the player to move. `coordinates` prints the names of tiles (and of
    corners and sides, if `coordinates_of` has them) in a coordinate system. `width` is in pixels. By default
    a tile is 100 pixels high, and higher if corners or sides have names, which are small. Screen readers read
    the title first.
    """
    scene = build_scene(
        subject,
        on=on,
        action=action,
        player=player,
        coordinates=coordinates,
        highlights=highlights,
        arrows=arrows,
    )
    kinds = frozenset(coordinates_of)
    legend = draw_legend(scene, looks)
    zoom = label_zoom(coordinates, kinds)
    low, high = _bounds(scene, LABEL_MARGIN if zoom > 1 else 0.0)
    least = LEAST_LEGEND_WIDTH if legend.height else LEAST_WIDTH
    spare = max(0.0, least - (high.x - low.x)) / 2
    left, top = low.x - spare, low.y
    board_width, board_height = high.x - low.x + 2 * spare, high.y - low.y
    scale = board_width / legend.width
    height = board_height + legend.height * scale
    pixels = (
        width if width is not None else min(board_width * zoom, MAX_PIXELS, MAX_PIXELS * board_width / height)
    )
    if not pixels > 0:
        raise ValueError(f"a picture cannot be {pixels} pixels wide")
    parts = (
        element("title", escape(title if title is not None else make_title(scene))),
        element("desc", escape(make_description(scene, coordinates))),
        _draw_background(left, top, board_width, board_height, height, looks),
        draw_ground(scene, looks),
        draw_tile_highlights(scene, looks),
        draw_harbors(scene, looks),
        draw_roads(scene, looks),
        draw_side_highlights(scene, looks),
        # An arrow is drawn under all labels, numbers and buildings.
        draw_arrows(scene, looks),
        draw_tile_labels(scene, coordinates, looks, crowded=zoom > 1)
        if coordinates and PlaceKind.TILES in kinds
        else "",
        draw_numbers(scene, looks),
        draw_buildings(scene, looks),
        draw_robber(scene, looks),
        draw_corner_highlights(scene, looks),
        draw_small_labels(scene, coordinates, kinds, looks) if coordinates else "",
        moved(left, top + board_height, legend.svg, scale=scale) if legend.svg else "",
    )
    return Picture(
        element(
            "svg",
            "\n" + "\n".join(part for part in parts if part) + "\n",
            xmlns="http://www.w3.org/2000/svg",
            viewBox=" ".join(number(value) for value in (left, top, board_width, height)),
            width=pixels,
            height=pixels * height / board_width,
            role="img",
            font_family=looks.font,
        )
        + "\n"
    )


def _bounds(scene: IslandScene, label_margin: float) -> tuple[Point, Point]:
    """The upper left and lower right corner of everything on the board."""
    xs: list[float] = []
    ys: list[float] = []

    def cover(point: Point, radius: float) -> None:
        xs.extend((point.x - radius, point.x + radius))
        ys.extend((point.y - radius, point.y + radius))

    for place in scene.places:
        match place:
            case Hex():
                for corner in hex_polygon(place, size=SIZE):
                    cover(corner, 0)
            case HexCorner() | HexSide():
                cover(find_point(place), SIZE)
    for tile in scene.land:
        for corner in hex_polygon(tile, size=SIZE):
            cover(corner, label_margin)
    for harbor in scene.harbors:
        cover(badge_point(harbor, scene.land), BADGE_RADIUS)
    if not xs:
        cover(Point(0, 0), SIZE)
    return Point(min(xs) - MARGIN, min(ys) - MARGIN), Point(max(xs) + MARGIN, max(ys) + MARGIN)


def _draw_background(
    left: float, top: float, width: float, board_height: float, height: float, looks: Looks
) -> str:
    """The sea, and below it the panel of the legend; the corners of the whole picture are rounded."""
    radius = min(16.0, width / 8)
    right, bottom, shore = left + width, top + height, top + board_height
    whole = (
        f"M{number(left + radius)},{number(top)}H{number(right - radius)}"
        f"Q{number(right)},{number(top)} {number(right)},{number(top + radius)}V{number(bottom - radius)}"
        f"Q{number(right)},{number(bottom)} {number(right - radius)},{number(bottom)}H{number(left + radius)}"
        f"Q{number(left)},{number(bottom)} {number(left)},{number(bottom - radius)}V{number(top + radius)}"
        f"Q{number(left)},{number(top)} {number(left + radius)},{number(top)}Z"
    )
    if height == board_height:
        return path(whole, fill=looks.sea)
    sea = (
        f"M{number(left)},{number(shore)}V{number(top + radius)}Q{number(left)},{number(top)} "
        f"{number(left + radius)},{number(top)}H{number(right - radius)}"
        f"Q{number(right)},{number(top)} {number(right)},{number(top + radius)}V{number(shore)}Z"
    )
    return path(whole, fill=looks.panel) + path(sea, fill=looks.sea)
