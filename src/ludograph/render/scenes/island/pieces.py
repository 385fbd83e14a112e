"""The objects on an island: roads, buildings, the robber, highlights and arrows, as items of a scene."""

from collections import Counter
from math import hypot

from msgspec import Struct

from ludograph.geometry import Hex, HexCorner, HexSide
from ludograph.geometry.plane import Point
from ludograph.render.descriptions import describe_player, format_number
from ludograph.render.scenes.island.contents import Arrow, Building, Highlight, IslandContents, Road
from ludograph.render.scenes.island.ground import GROUND, LINES, PIECES, TOKEN_DROP, TOKEN_RADIUS
from ludograph.render.scenes.island.places import SIZE, ends_of, find_point, id_of, outline_of
from ludograph.render.scenes.island.theme import Theme
from ludograph.render.scenes.items import ItemKind, SceneItem
from ludograph.settlers import Piece
from ludograph.settlers.places import Place

OPEN_GAP, BUILT_GAP, MET_GAP = 9.0, 6.0, 13.0
"""The space between a road and a corner: one that is empty, one with a building, one with another's road."""
STACK = 9.0
"""How far a piece is moved for each piece that is already on its place."""
ROBBER_ASIDE = 26.5
"""How far the robber is to the left of a number."""
RING = 44.0
"""The size of the ring around a corner."""
CAPSULE = 26.0
"""The breadth of the line around a side."""


class PieceLayout(Struct, frozen=True):
    """Items of the pieces, and items of what an action did."""

    pieces: tuple[SceneItem, ...]
    effects: tuple[SceneItem, ...]


def lay_out_pieces(contents: IslandContents, origin: Point, theme: Theme) -> PieceLayout:
    """The items of all objects on the board."""
    numbers = frozenset(tile.place for tile in contents.tiles if tile.number is not None)
    joints = _Joints(contents)
    pieces = [_road_item(road, joints, origin, theme) for road in contents.roads]
    pieces += (_building_item(each, origin, theme) for each in sorted(contents.buildings, key=_depth))
    if contents.robber_was is not None:
        pieces.append(_robber_item(contents.robber_was, numbers, origin, leaving=True))
    if contents.robber is not None:
        pieces.append(_robber_item(contents.robber, numbers, origin, leaving=False))
    effects = [
        _highlight_item(number, mark, joints, origin) for number, mark in enumerate(contents.highlights)
    ]
    effects += (
        _arrow_item(number, arrow, contents, numbers, origin) for number, arrow in enumerate(contents.arrows)
    )
    return PieceLayout(tuple(pieces), tuple(effects))


def robber_point(tile: Hex, numbers: frozenset[Hex]) -> Point:
    """The point of the robber on a tile: beside the number, which stays readable."""
    x, y = find_point(tile)
    return Point(x - ROBBER_ASIDE, y + 0.5) if tile in numbers else Point(x, y + 3)


class _Joints:
    """What meets at each corner: buildings, and the roads of each player. It is not changed."""

    def __init__(self, contents: IslandContents) -> None:
        self.built = {building.corner: building.piece for building in contents.buildings}
        self.roads: dict[HexCorner, Counter[int | None]] = {}
        for road in contents.roads:
            if not road.floor:
                for corner in road.side.corners:
                    self.roads.setdefault(corner, Counter())[road.player] += 1

    def gap_at(self, corner: HexCorner, player: int | None) -> float:
        """How far before a corner a road of a player ends. Roads of a player join."""
        if corner in self.built:
            return BUILT_GAP
        here = self.roads.get(corner, Counter())
        if here[player] > 1:
            return 0.0
        return MET_GAP if len(here) > 1 or (here and player not in here) else OPEN_GAP


def _road_item(road: Road, joints: _Joints, origin: Point, theme: Theme) -> SceneItem:
    (x1, y1), (x2, y2) = _shortened(road.side, joints, road.player, alone=bool(road.floor))
    offset = road.floor * STACK
    across_x, across_y = (y2 - y1) / SIZE * offset + origin.x, (x1 - x2) / SIZE * offset + origin.y
    owner = theme.player(road.player)
    pattern = theme.patterns[-1 if owner is None else owner]
    return SceneItem(
        _numbered(f"road.{id_of(road.side)}", road.floor),
        ItemKind.ROAD,
        (x1 + x2) / 2 + across_x,
        (y1 + y2) / 2 + across_y,
        theme.road_width,
        theme.outline,
        ((x1 + across_x, y1 + across_y), (x2 + across_x, y2 + across_y)),
        text=f"{theme.halo:g}",
        owner=owner,
        style=theme.ink_on("nobody" if owner is None else f"p{owner}"),
        notes=pattern,
        title=f"road of {describe_player(road.player)}",
        place=f"side.{id_of(road.side)}",
        layer=LINES,
    )


def _shortened(
    side: HexSide, joints: _Joints, player: int | None, *, alone: bool = False
) -> tuple[Point, Point]:
    """The part of a side that a road of a player covers."""
    start, end = ends_of(side)
    first, second = side.corners
    before = OPEN_GAP if alone else joints.gap_at(first, player)
    after = OPEN_GAP if alone else joints.gap_at(second, player)
    x, y = (end.x - start.x) / SIZE, (end.y - start.y) / SIZE
    return Point(start.x + x * before, start.y + y * before), Point(end.x - x * after, end.y - y * after)


def _numbered(name: str, floor: int) -> str:
    return f"{name}.{floor + 1}" if floor else name


def _depth(building: Building) -> tuple[float, int]:
    """Lower buildings cover upper ones."""
    return find_point(building.corner).y, building.floor


def _building_item(building: Building, origin: Point, theme: Theme) -> SceneItem:
    x, y = find_point(building.corner)
    offset = building.floor * STACK
    owner = theme.player(building.player)
    return SceneItem(
        _numbered(f"building.{id_of(building.corner)}", building.floor),
        ItemKind.PIECE,
        x + offset + origin.x,
        y - offset + origin.y,
        34,
        34,
        text=format_number(building.player) if building.player else "",
        symbol=building.piece.value,
        owner=owner,
        style=f"building {theme.ink_on('nobody' if owner is None else f'p{owner}')}".strip(),
        notes=(f"{theme.halo:g}", f"{theme.outline:g}"),
        title=f"{building.piece.value} of {describe_player(building.player)}",
        place=f"corner.{id_of(building.corner)}",
        layer=PIECES,
    )


def _robber_item(tile: Hex, numbers: frozenset[Hex], origin: Point, *, leaving: bool) -> SceneItem:
    x, y = robber_point(tile, numbers)
    return SceneItem(
        "robber.leaving" if leaving else "robber",
        ItemKind.PIECE,
        x + origin.x,
        y + origin.y,
        16,
        27 if tile in numbers else 32,
        symbol="robber",
        style="robber leaving" if leaving else "robber",
        title="the robber was here" if leaving else "robber",
        place=f"tile.{id_of(tile)}",
        layer=PIECES,
    )


# Highlights and arrows


def _highlight_item(number: int, mark: Highlight, joints: _Joints, origin: Point) -> SceneItem:
    return _ring_item(f"highlight.{number}", mark.place, mark.colour or "", joints, origin)


def _ring_item(name: str, place: Place, colour: str, joints: _Joints, origin: Point) -> SceneItem:
    x, y = find_point(place)
    points: tuple[Point, ...] = ()
    size, style, layer = RING, "corner", PIECES
    match place:
        case Hex():
            points, size, style, layer = outline_of(place), 2 * SIZE, "tile", GROUND
        case HexSide():
            points, size, style, layer = _shortened(place, joints, None, alone=True), CAPSULE, "side", LINES
        case HexCorner():
            size = RING + 6 if joints.built.get(place) is Piece.CITY else RING
    return SceneItem(
        name,
        ItemKind.RING,
        x + origin.x,
        y + origin.y,
        size,
        size,
        tuple((a + origin.x, b + origin.y) for a, b in points),
        colour=colour,
        style=f"highlight {style}",
        place=f"{style}.{id_of(place)}",
        layer=layer,
    )


def _arrow_item(
    number: int, arrow: Arrow, contents: IslandContents, numbers: frozenset[Hex], origin: Point
) -> SceneItem:
    """A straight arrow from the middle of a place to that of another, or to the border of what is there.

    It begins below the number or building of its first place. Without a length it is a ring.
    """
    start, end = find_point(arrow.start), find_point(arrow.end)
    length = hypot(end.x - start.x, end.y - start.y)
    colour = arrow.colour or ""
    if length < 1:
        return _ring_item(f"arrow.{number}", arrow.end, colour, _Joints(contents), origin)
    x, y = (end.x - start.x) / length, (end.y - start.y) / length
    gap = min(_reach(contents, numbers, arrow.end, x, y), length * 0.6)
    tip = Point(end.x - x * gap, end.y - y * gap)
    return SceneItem(
        f"arrow.{number}",
        ItemKind.ARROW,
        (start.x + tip.x) / 2 + origin.x,
        (start.y + tip.y) / 2 + origin.y,
        points=((start.x + origin.x, start.y + origin.y), (tip.x + origin.x, tip.y + origin.y)),
        colour=colour,
        style="outlined",
        layer=LINES,
    )


def _reach(contents: IslandContents, numbers: frozenset[Hex], place: Place, x: float, y: float) -> float:
    """How far the object at a place extends from its middle against the direction (x, y)."""
    match place:
        case Hex() as tile:
            if tile in numbers and tile == contents.robber and x > 0 and abs(y) < 0.6 * x:
                return (ROBBER_ASIDE + 10) / x  # the robber is between the arrow and the number
            if tile in numbers:
                # The number is a little below the middle of its tile.
                return TOKEN_RADIUS + 2 - y * TOKEN_DROP
            return 22.0 if tile in (contents.robber, contents.robber_was) else 0.0
        case HexCorner() as corner:
            pieces = {other.piece for other in contents.buildings if other.corner == corner}
            half_width, half_height = (
                (20.0, 18.0) if Piece.CITY in pieces else (14.0, 16.0) if pieces else (0.0, 0.0)
            )
            return min(half_width / max(abs(x), 1e-6), half_height / max(abs(y), 1e-6))
        case HexSide() as side:
            return 9.0 if any(other.side == side for other in contents.roads) else 0.0
