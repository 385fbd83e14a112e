"""Coordinates printed on the board in SVG.

A label never covers a piece: the label of a corner moves away from the building there, and the label of a
side, which runs along the side, from the road. To leave space for this, the labels of corners and sides are
small, and a picture with such labels is larger.
"""

from collections.abc import Iterable
from math import cos, hypot, radians, sin

from ludograph.geometry import Face, HexCorner, HexSide, Pole
from ludograph.geometry.boards import HexBoard
from ludograph.geometry.plane import Point
from ludograph.render.canvas import fit_size, group, moved, rect, text, text_width
from ludograph.render.coordinates import CoordinateSystem, PlaceKind, coordinate_lines
from ludograph.render.island_scene import IslandScene, SceneTile
from ludograph.render.looks import Looks
from ludograph.render.svg_drawing.island import badge_point, find_point, robber_point
from ludograph.render.svg_drawing.symbols import choose_ink

LINE_HEIGHT = 1.12
"""From one line of a label to the next, in multiples of the font size."""
CORNER_ROOM, BUILT_CORNER_ROOM = 24.0, 17.0
SIDE_ROOM, BUILT_SIDE_ROOM = 33.0, 25.0
"""The longest line of a label before its font shrinks; less beside a building."""
TALL_LABEL_SIZE = 5.2
"""The font size of a label with several lines."""
ZOOM, TALL_LABEL_ZOOM = 1.6, 2.2
"""How much larger a picture with small labels is, for labels of one line or of several."""
CROWDED = 0.8
"""How much smaller the labels of tiles are if corners and sides have labels too."""


def label_zoom(system: CoordinateSystem | None, kinds: frozenset[PlaceKind]) -> float:
    """How much larger a picture must be to make its labels readable."""
    if system is None or kinds <= {PlaceKind.TILES}:
        return 1.0
    return TALL_LABEL_ZOOM if system in (CoordinateSystem.CGN, CoordinateSystem.SGN) else ZOOM


def draw_tile_labels(
    scene: IslandScene, system: CoordinateSystem, looks: Looks, *, crowded: bool = False
) -> str:
    """The coordinates of all tiles."""
    badges = [badge_point(harbor, scene.land) for harbor in scene.harbors]
    wanted = looks.coordinate_size * (CROWDED if crowded else 1)
    parts: list[str] = []
    for tile in scene.tiles:
        label = "".join(coordinate_lines(tile.place, system))
        ground = looks.terrains[tile.terrain].ground if tile.terrain is not None else looks.blank
        size = fit_size(label, wanted, 24 if crowded else 40)
        x, y = _tile_label_point(tile, badges)
        if label and scene.arrows:
            # An arrow may run under the label, which must stay readable.
            width = text_width(label, size)
            parts.append(rect(x - width / 2, y - size / 2, width, size, rx=3, fill=ground, fill_opacity=0.8))
        if label:
            parts.append(text(x, y, label, size, fill=choose_ink(ground, looks)))
    return group(*parts)


def draw_small_labels(
    scene: IslandScene, system: CoordinateSystem, kinds: Iterable[PlaceKind], looks: Looks
) -> str:
    """The coordinates of the corners and sides of the land, of the given kinds."""
    board = HexBoard(scene.land)
    built = frozenset(building.corner for building in scene.buildings)
    parts: list[str] = []
    if PlaceKind.SIDES in kinds:
        roads = {road.side for road in scene.roads}
        for side in board.sides():
            max_width = SIDE_ROOM if built.isdisjoint(side.corners) else BUILT_SIDE_ROOM
            parts.append(_draw_side_label(side, system, max_width, side in roads, looks))
    if PlaceKind.CORNERS in kinds:
        for corner in board.corners():
            parts.append(_draw_corner_label(corner, system, scene, corner in built, looks))
    return group(*parts)


def _tile_label_point(tile: SceneTile, badges: list[Point]) -> Point:
    x, y = find_point(tile.place)
    if tile.is_land:
        return Point(x, y + 28)
    # In the sea a label keeps away from the badges of harbors, and from a number, which is unusual there.
    spots = [Point(x, y + 26), Point(x, y - 26)]
    if tile.number is None:
        spots = [Point(x, y), *spots, Point(x - 22, y), Point(x + 22, y)]
    return max(spots, key=lambda spot: all(hypot(spot.x - b.x, spot.y - b.y) > 29 for b in badges))


def _draw_corner_label(
    corner: HexCorner, system: CoordinateSystem, scene: IslandScene, is_built: bool, looks: Looks
) -> str:
    lines = coordinate_lines(corner, system)
    if not lines:
        return ""
    at, size = find_point(corner), _size_of(lines, CORNER_ROOM, looks)
    if is_built:
        size = _size_of(lines, BUILT_CORNER_ROOM, looks)
        at = _point_beside_building(corner, scene, _width_of(lines, size), _height_of(lines, size))
    return moved(*at, _draw_plate(lines, size, looks.ink, looks))


def _point_beside_building(corner: HexCorner, scene: IslandScene, width: float, height: float) -> Point:
    """Between the building and the vertical side that meets it: on the right if nothing is there."""
    x, y = find_point(corner)
    away = 15 + height / 2
    y = y - away if corner.pole is Pole.NORTH else y + away
    spots = [Point(x + 10.5 + width / 2, y), Point(x - 10.5 - width / 2, y)]
    taken = [badge_point(harbor, scene.land) for harbor in scene.harbors]
    if scene.robber is not None:
        taken.append(robber_point(scene, scene.robber))
    return max(spots, key=lambda spot: all(hypot(spot.x - t.x, spot.y - t.y) > 24 for t in taken))


def _draw_side_label(
    side: HexSide, system: CoordinateSystem, max_width: float, has_road: bool, looks: Looks
) -> str:
    lines = coordinate_lines(side, system)
    if not lines:
        return ""
    turn = {Face.WEST: -90.0, Face.NORTH_WEST: -30.0, Face.NORTH_EAST: 30.0}[side.face]
    x, y = find_point(side)
    size = _size_of(lines, max_width, looks)
    if has_road:
        # Beside the road, above the baseline of the letters, and away from the label of the tile above.
        off = looks.road_width / 2 + looks.outline + looks.halo + _height_of(lines, size) / 2
        along = {Face.WEST: 0.0, Face.NORTH_WEST: 5.0, Face.NORTH_EAST: -5.0}[side.face]
        angle = radians(turn)
        x += sin(angle) * off + cos(angle) * along
        y += -cos(angle) * off + sin(angle) * along
    return moved(x, y, _draw_plate(lines, size, looks.quiet_ink, looks), turn=turn)


def _draw_plate(lines: tuple[str, ...], size: float, ink: str, looks: Looks) -> str:
    """A label around (0, 0) on a pale background."""
    width, height = _width_of(lines, size), _height_of(lines, size)
    back = rect(-width / 2, -height / 2, width, height, rx=2.2, fill=looks.token, fill_opacity=0.9)
    middle = (len(lines) - 1) / 2
    return back + "".join(
        text(0, (row - middle) * size * LINE_HEIGHT, line, size, fill=ink) for row, line in enumerate(lines)
    )


def _size_of(lines: tuple[str, ...], max_width: float, looks: Looks) -> float:
    size = min(fit_size(line, looks.small_coordinate_size, max_width) for line in lines)
    return min(size, TALL_LABEL_SIZE) if len(lines) > 1 else size


def _width_of(lines: tuple[str, ...], size: float) -> float:
    return max(text_width(line, size) for line in lines) + 2.4


def _height_of(lines: tuple[str, ...], size: float) -> float:
    return len(lines) * size * LINE_HEIGHT + 1.8
