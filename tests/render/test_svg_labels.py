"""Labels and arrows keep off the things that a reader wants to see."""

import re
from math import cos, hypot, radians, sin
from xml.etree import ElementTree

import pytest
from ludograph.render.svg_drawing.island import TOKEN_RADIUS, find_point, robber_point, token_point

from ludograph.geometry import Hex
from ludograph.geometry.plane import Point
from ludograph.render import CoordinateSystem, PlaceKind, svg
from ludograph.render.scenes.island.contents import list_contents
from ludograph.settlers import MoveRobber, Position
from tests.render.samples import MIDDLE_GAME

SVG = "{http://www.w3.org/2000/svg}"
TRANSFORM = re.compile(r"translate\((\S+) (\S+)\)(?: rotate\((\S+)\))?")
SMALL = (PlaceKind.CORNERS, PlaceKind.SIDES)


class Plate:
    """The pale rectangle behind a label, somewhere on the board and perhaps turned."""

    def __init__(self, element: ElementTree.Element) -> None:
        found = TRANSFORM.fullmatch(element.get("transform", ""))
        assert found is not None
        self.x, self.y, self.turn = (float(part or 0) for part in found.groups())
        rect = element[0]
        self.half_width, self.half_height = (float(rect.get(side, "")) / 2 for side in ("width", "height"))
        self.lines = tuple(line.text for line in element[1:])

    def covers(self, point: Point) -> bool:
        x, y, angle = point.x - self.x, point.y - self.y, radians(-self.turn)
        across, down = x * cos(angle) - y * sin(angle), x * sin(angle) + y * cos(angle)
        return abs(across) <= self.half_width and abs(down) <= self.half_height


def plates(position: Position, system: CoordinateSystem) -> list[Plate]:
    root = ElementTree.fromstring(svg(position, coordinates=system, coordinates_of=SMALL))
    labels = [
        element
        for element in root.iter(f"{SVG}g")
        if [child.tag for child in element][:2] == [f"{SVG}rect", f"{SVG}text"]
        and element[0].get("rx") == "2.2"
    ]
    return [Plate(label) for label in labels]


def around(point: Point, width: float, height: float) -> list[Point]:
    return [Point(point.x + x * width / 4, point.y + y * height / 4) for x in (-2, 0, 2) for y in (-2, 0, 2)]


@pytest.mark.parametrize("system", CoordinateSystem)
def test_no_label_covers_the_number_on_a_building(system: CoordinateSystem) -> None:
    numbers = [
        point
        for building in list_contents(MIDDLE_GAME).buildings
        for point in around(
            Point(find_point(building.corner).x, find_point(building.corner).y + 3.6), width=10, height=11
        )
    ]
    labels = plates(MIDDLE_GAME, system)
    assert len(labels) == 54 + 72
    assert [label.lines for label in labels if any(label.covers(number) for number in numbers)] == []


@pytest.mark.parametrize("system", CoordinateSystem)
def test_no_label_covers_the_pattern_of_a_road(system: CoordinateSystem) -> None:
    middles = [find_point(road.side) for road in list_contents(MIDDLE_GAME).roads]
    covering = [label.lines for label in plates(MIDDLE_GAME, system) if any(map(label.covers, middles))]
    assert covering == []


@pytest.mark.parametrize("system", [CoordinateSystem.HAN, CoordinateSystem.CCN])
def test_no_label_covers_the_robber_or_a_number(system: CoordinateSystem) -> None:
    scene = list_contents(MIDDLE_GAME)
    assert scene.robber is not None
    things = around(robber_point(scene, scene.robber), width=14, height=22)
    for tile in scene.tiles:
        if tile.number is not None:
            things += around(token_point(scene, tile.place), width=22, height=20)
    labels = plates(MIDDLE_GAME, system)
    assert [label.lines for label in labels if any(map(label.covers, things))] == []


def test_pictures_with_small_labels_are_larger() -> None:
    def width(*kinds: PlaceKind) -> float:
        picture = svg(MIDDLE_GAME, coordinates=CoordinateSystem.HAN, coordinates_of=kinds)
        return float(ElementTree.fromstring(picture).get("width", ""))

    assert width(PlaceKind.CORNERS) == width(PlaceKind.SIDES) > width(PlaceKind.TILES)


NEIGHBOURS = [Hex(1, 0) + step for step in (Hex(1, 0), Hex(0, 1), Hex(-1, 1), Hex(-1, 0), Hex(0, -1))]


@pytest.mark.parametrize("target", [*NEIGHBOURS, Hex(-2, 0), Hex(-1, 2), Hex(2, -2)])
def test_the_arrow_of_a_robber_covers_neither_him_nor_a_number_at_its_ends(target: Hex) -> None:
    action = MoveRobber(target)
    scene = list_contents(MIDDLE_GAME, action=action)
    assert scene.robber_was is not None
    picture = ElementTree.fromstring(svg(MIDDLE_GAME, action=action))
    (arrow,) = (
        group
        for group in picture.iter(f"{SVG}g")
        if [c.tag for c in group] == [f"{SVG}line", f"{SVG}polygon"] * 2
    )
    ends = [Point(float(arrow[2].get("x1", "")), float(arrow[2].get("y1", "")))]
    for pair in arrow[3].get("points", "").split():
        x, y = pair.split(",")
        ends.append(Point(float(x), float(y)))
    numbered = {tile.place for tile in scene.tiles if tile.number is not None}
    for tile in (target, scene.robber_was):
        robber = robber_point(scene, tile)
        assert all(abs(end.x - robber.x) > 8 or abs(end.y - robber.y) > 14 for end in ends)
        if tile in numbered:
            token = token_point(scene, tile)
            assert all(hypot(end.x - token.x, end.y - token.y) > TOKEN_RADIUS for end in ends)
