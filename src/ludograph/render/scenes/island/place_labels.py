"""The names of corners and sides, as items on small pale plates.

A name covers neither a piece, nor a number, nor another name: the name of a corner moves away from what is
there, and the name of a side, which runs along the side, from its road. Names are therefore small, and a
picture with such names is larger.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from math import cos, hypot, pi, radians, sin

from msgspec import Struct

from ludograph.geometry import Face, HexCorner, HexSide
from ludograph.geometry.boards import HexBoard
from ludograph.geometry.plane import Point
from ludograph.render.canvas import fit_size, text_width
from ludograph.render.coordinates import CoordinateSystem, PlaceKind, coordinate_lines
from ludograph.render.scenes.island.contents import IslandContents
from ludograph.render.scenes.island.drawing import plate_height
from ludograph.render.scenes.island.ground import (
    BADGE_RADIUS,
    CROWDED,
    CROWDED_WIDTH,
    NAMES,
    TOKEN_DROP,
    TOKEN_RADIUS,
    badge_point,
    name_point,
)
from ludograph.render.scenes.island.pieces import robber_point
from ludograph.render.scenes.island.places import SIZE, find_point, id_of
from ludograph.render.scenes.island.theme import Theme
from ludograph.render.scenes.items import ItemKind, SceneItem
from ludograph.settlers import Piece

CORNER_WIDTH, SIDE_WIDTH, LONE_SIDE_WIDTH = 20.0, 22.0, 38.0
"""The widest line of a name; a side has more space if corners have no names."""
TALL_SIZE = 5.2
"""The largest size of a name with several lines."""
PADDING = 2.4
READABLE_PIXELS = 9.5
"""The size that the smallest name has in a picture of the usual width."""
MAX_ZOOM = 4.5
CELL = 54.0
"""The size of a cell of the index of plates; no plate is larger."""
TURNS = {Face.WEST: -90.0, Face.NORTH_WEST: -30.0, Face.NORTH_EAST: 30.0}


class Plate(Struct, frozen=True):
    """A rectangle around a point, turned by some degrees."""

    x: float
    y: float
    width: float
    height: float
    turn: float = 0

    def overlaps(self, other: "Plate") -> bool:
        """Whether two rectangles have an area in common (by the separating axis theorem)."""
        dx, dy = other.x - self.x, other.y - self.y
        between = _cosine_and_sine(self.turn - other.turn)
        return not (_is_apart(self, other, dx, dy, between) or _is_apart(other, self, dx, dy, between))


def _is_apart(one: Plate, two: Plate, dx: float, dy: float, between: tuple[float, float]) -> bool:
    """Whether a line along a side of the first rectangle separates them."""
    cosine, sine = between
    x, y = _cosine_and_sine(one.turn)
    across = one.width + two.width * abs(cosine) + two.height * abs(sine)
    if 2 * abs(dx * x + dy * y) >= across:
        return True
    down = one.height + two.width * abs(sine) + two.height * abs(cosine)
    return 2 * abs(dy * x - dx * y) >= down


@lru_cache(maxsize=64)
def _cosine_and_sine(turn: float) -> tuple[float, float]:
    return cos(radians(turn)), sin(radians(turn))


class _Index:
    """Plates that are placed, by the cells around them. Mutable while names are placed."""

    def __init__(self) -> None:
        self._cells: dict[tuple[int, int], list[tuple[float, Plate]]] = {}
        self._blocker: Plate | None = None

    def add(self, plate: Plate) -> None:
        column, row = int(plate.x // CELL), int(plate.y // CELL)
        for x in (column - 1, column, column + 1):
            for y in (row - 1, row, row + 1):
                self._cells.setdefault((x, y), []).append((_radius(plate), plate))

    def is_free(self, plate: Plate) -> bool:
        if self._blocker is not None and plate.overlaps(self._blocker):
            return False  # what was in the way of the last plate is often in the way of the next
        x, y, reach = plate.x, plate.y, _radius(plate)
        for radius, other in self._cells.get((int(x // CELL), int(y // CELL)), ()):
            # Most plates are too far away, which is quick to see.
            if (x - other.x) ** 2 + (y - other.y) ** 2 < (reach + radius) ** 2 and plate.overlaps(other):
                self._blocker = other
                return False
        return True


def _radius(plate: Plate) -> float:
    return hypot(plate.width, plate.height) / 2


def names_zoom(items: tuple[SceneItem, ...], width: float, max_width: float) -> float:
    """How much larger a picture must be to make the names of corners and sides readable."""
    sizes = [item.height for item in items if item.layer == NAMES]
    if not sizes:
        return 1.0
    return min(max(1.0, READABLE_PIXELS / min(sizes)), MAX_ZOOM, max(1.0, max_width / width))


def lay_out_labels(
    contents: IslandContents,
    system: CoordinateSystem,
    kinds: frozenset[PlaceKind],
    origin: Point,
    theme: Theme,
) -> tuple[SceneItem, ...]:
    """The names of the corners and sides of the land, of the given kinds."""
    # Most actions move no piece, so the names often stay where they are.
    objects = IslandContents(
        contents.tiles,
        contents.harbors,
        contents.roads,
        contents.buildings,
        contents.robber,
        contents.robber_was,
    )
    return _place_labels(objects, system, kinds, origin, theme)


@lru_cache(maxsize=32)
def _place_labels(
    contents: IslandContents,
    system: CoordinateSystem,
    kinds: frozenset[PlaceKind],
    origin: Point,
    theme: Theme,
) -> tuple[SceneItem, ...]:
    board = HexBoard(contents.land)
    index = _Index()
    built, paved = _add_objects(index, contents, system, kinds, theme)
    has_corners = PlaceKind.CORNERS in kinds
    waiting: list[tuple[HexCorner | HexSide, tuple[str, ...], float, _Spots]] = []
    placed: list[SceneItem] = []
    for corner in board.corners() if has_corners else ():
        lines = coordinate_lines(corner, system)
        size = _size_of(lines, CORNER_WIDTH, theme)
        if lines:
            waiting.append((corner, lines, size, partial(_corner_spots, corner, lines)))
    for side in board.sides() if PlaceKind.SIDES in kinds else ():
        lines = coordinate_lines(side, system)
        size = _size_of(lines, SIDE_WIDTH if has_corners else LONE_SIDE_WIDTH, theme)
        if lines:
            waiting.append((side, lines, size, partial(_side_spots, side, lines, theme, side in paved)))
    # What can stay at its place is placed first; the others find a space between.
    moved = []
    for place, lines, size, spots in waiting:
        plate = next(spots(size)) if place not in built and place not in paved else None
        if plate is not None and index.is_free(plate):
            index.add(plate)
            placed.append(_label(place, lines, size, plate, origin))
        else:
            moved.append((place, lines, size, spots))
    for place, lines, size, spots in moved:
        plate, size = _find_free(index, spots, size)
        index.add(plate)
        placed.append(_label(place, lines, size, plate, origin))
    return tuple(placed)


def _find_free(index: _Index, spots: "_Spots", size: float) -> tuple[Plate, float]:
    """A free plate for a name, with smaller letters if there is none of full size, and the size."""
    for factor in (1.0, 0.85, 0.7, 0.55):
        for plate in spots(size * factor):
            if index.is_free(plate):
                return plate, size * factor
    return next(spots(size)), size


_Spots = Callable[[float], Iterator[Plate]]
"""The plates where a name of some size can be, the best first."""


def _add_objects(
    index: _Index,
    contents: IslandContents,
    system: CoordinateSystem,
    kinds: frozenset[PlaceKind],
    theme: Theme,
) -> tuple[frozenset[HexCorner], frozenset[HexSide]]:
    """Add everything that a name must not cover; return the corners and sides with pieces."""
    numbers = frozenset(tile.place for tile in contents.tiles if tile.number is not None)
    badges = [badge_point(harbor, contents.land) for harbor in contents.harbors]
    for x, y in badges:
        index.add(Plate(x, y, 1.9 * BADGE_RADIUS, 1.9 * BADGE_RADIUS))
    for tile in contents.tiles:
        x, y = find_point(tile.place)
        if tile.place in numbers:
            index.add(Plate(x, y + TOKEN_DROP, 2 * TOKEN_RADIUS, 2 * TOKEN_RADIUS))
        label = "".join(coordinate_lines(tile.place, system)) if PlaceKind.TILES in kinds else ""
        if label:
            size = fit_size(label, theme.coordinate_size * CROWDED, CROWDED_WIDTH)
            x, y = name_point(tile, badges)
            index.add(Plate(x, y, text_width(label, size), size))
    for building in contents.buildings:
        x, y = find_point(building.corner)
        width, height = (38.0, 33.0) if building.piece is Piece.CITY else (26.0, 29.0)
        index.add(Plate(x, y, width, height))
    breadth = theme.road_width + 2 * theme.outline
    for road in contents.roads:
        x, y = find_point(road.side)
        index.add(Plate(x, y, SIZE, breadth, TURNS[road.side.face]))
    for robbed in (contents.robber, contents.robber_was):
        if robbed is not None:
            x, y = robber_point(robbed, numbers)
            index.add(Plate(x, y, 18, 30))
    built = {building.corner for building in contents.buildings}
    paved = {road.side for road in contents.roads}
    built |= {corner for side in paved for corner in side.corners}
    return frozenset(built), frozenset(paved)


def _corner_spots(corner: HexCorner, lines: tuple[str, ...], size: float) -> Iterator[Plate]:
    """Places for the name of a corner: the corner, then rings around it."""
    x, y = find_point(corner)
    width, height = _width_of(lines, size), plate_height(len(lines), size)
    yield Plate(x, y, width, height)
    yield from _rings(x, y, width, height)


def _rings(x: float, y: float, width: float, height: float) -> Iterator[Plate]:
    for distance in range(12, 54, 4):
        for step_x, step_y in _DIRECTIONS:
            yield Plate(x + step_x * (distance + width * 0.3), y + step_y * distance, width, height)


_DIRECTIONS = tuple((cos(step * pi / 8 - pi / 2), sin(step * pi / 8 - pi / 2)) for step in range(16))


def _side_spots(
    side: HexSide, lines: tuple[str, ...], theme: Theme, is_paved: bool, size: float
) -> Iterator[Plate]:
    """Places for the name of a side: its middle, beside its road, or near it without a turn."""
    x, y = find_point(side)
    turn = TURNS[side.face]
    width, height = _width_of(lines, size), plate_height(len(lines), size)
    if not is_paved:
        yield Plate(x, y, width, height, turn)
    least = theme.road_width / 2 + theme.outline + height / 2 + 0.4
    (along_x, along_y), (across_x, across_y) = _cosine_and_sine(turn), _cosine_and_sine(turn - 90)
    for distance in (least, least + 3, least + 6, least + 10):
        for shift in (0, 4, -4, 8, -8, 12, -12, 16, -16):
            for away in (distance, -distance):
                yield Plate(
                    x + across_x * away + along_x * shift,
                    y + across_y * away + along_y * shift,
                    width,
                    height,
                    turn,
                )
    yield from _rings(x, y, width, height)


def _label(
    place: HexCorner | HexSide, lines: tuple[str, ...], size: float, plate: Plate, origin: Point
) -> SceneItem:
    return SceneItem(
        f"name.{id_of(place)}",
        ItemKind.LABEL,
        plate.x + origin.x,
        plate.y + origin.y,
        plate.width,
        size,
        text=lines[0],
        notes=lines[1:],
        symbol=f"{plate.turn:g}" if plate.turn else "",
        style="place" if isinstance(place, HexCorner) else "place quiet",
        layer=NAMES,
    )


def _size_of(lines: tuple[str, ...], max_width: float, theme: Theme) -> float:
    size = min((fit_size(line, theme.small_coordinate_size, max_width) for line in lines), default=0)
    return min(size, TALL_SIZE) if len(lines) > 1 else size


def _width_of(lines: tuple[str, ...], size: float) -> float:
    return max(text_width(line, size) for line in lines) + PADDING
