"""Labels and arrows keep off the things that a reader wants to see."""

from collections.abc import Iterator
from itertools import combinations

import pytest

from ludograph.geometry import Hex
from ludograph.render import CoordinateSystem, PlaceKind
from ludograph.render.scenes.island.drawing import plate_height
from ludograph.render.scenes.island.picture import island_scene, svg
from ludograph.render.scenes.island.place_labels import Plate
from ludograph.render.scenes.items import ItemKind, Scene, SceneItem
from ludograph.settlers import BEGINNERS_ISLAND, Island, MoveRobber, Position
from tests.render.samples import MIDDLE_GAME, SIX_PLAYERS, SMALL_ISLAND

KINDS = [tuple(PlaceKind), (PlaceKind.CORNERS,), (PlaceKind.SIDES,), (PlaceKind.TILES, PlaceKind.CORNERS)]
BOARDS: dict[str, Island | Position] = {
    "empty": BEGINNERS_ISLAND,
    "small": SMALL_ISLAND,
    "middle game": MIDDLE_GAME,
    "six players": SIX_PLAYERS,
}


def items_of(scene: Scene) -> tuple[SceneItem, ...]:
    return (*scene.static.items, *scene.changing.items)


def plates(scene: Scene) -> Iterator[tuple[str, Plate]]:
    """The area of each name on the board."""
    for item in items_of(scene):
        if item.style.startswith("place"):
            bare = "bare" in item.style
            height = item.height if bare else plate_height(1 + len(item.notes), item.height)
            yield item.id, Plate(item.x, item.y, item.width, height, float(item.symbol or 0))


def objects(scene: Scene) -> Iterator[tuple[str, Plate]]:
    """The parts of things that must stay visible."""
    for item in items_of(scene):
        if item.kind is ItemKind.TOKEN:
            yield item.id, Plate(item.x, item.y, 24, 26)
        elif item.kind is ItemKind.HARBOR:
            yield item.id, Plate(item.x, item.y, 28, 28)
        elif item.id.startswith(("building.", "robber")):
            yield item.id, Plate(item.x, item.y, 16, 24)
        elif item.id.startswith("road."):
            yield item.id, Plate(item.x, item.y, 8, 8)


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("kinds", KINDS)
@pytest.mark.parametrize("system", CoordinateSystem)
def test_no_name_covers_another_name_or_a_piece(
    system: CoordinateSystem, kinds: tuple[PlaceKind, ...], board: str
) -> None:
    scene = island_scene(BOARDS[board], coordinates=system, coordinates_of=kinds)
    names, things = list(plates(scene)), list(objects(scene))
    assert names
    covering = [(a, b) for (a, one), (b, two) in combinations(names, 2) if one.overlaps(two)]
    covering += [(a, b) for a, one in names for b, two in things if one.overlaps(two)]
    assert covering == []


@pytest.mark.parametrize("system", CoordinateSystem)
def test_every_corner_and_side_has_its_name(system: CoordinateSystem) -> None:
    kinds = (PlaceKind.CORNERS, PlaceKind.SIDES)
    scene = island_scene(MIDDLE_GAME, coordinates=system, coordinates_of=kinds)
    assert len(list(plates(scene))) == 54 + 72


@pytest.mark.parametrize("system", CoordinateSystem)
def test_the_smallest_name_can_be_read(system: CoordinateSystem) -> None:
    picture = svg(BEGINNERS_ISLAND, coordinates=system, coordinates_of=PlaceKind)
    scene = island_scene(BEGINNERS_ISLAND, coordinates=system, coordinates_of=PlaceKind)
    scale = float(picture.split(' width="')[1].split('"')[0]) / scene.changing.width
    assert min(item.height for item in items_of(scene) if item.style.startswith("place")) * scale >= 9


NEIGHBOURS = [Hex(1, 0) + step for step in (Hex(1, 0), Hex(0, 1), Hex(-1, 1), Hex(-1, 0), Hex(0, -1))]


@pytest.mark.parametrize("target", [*NEIGHBOURS, Hex(-2, 0), Hex(-1, 2), Hex(2, -2)])
def test_the_tip_of_the_arrow_of_a_robber_covers_neither_him_nor_a_number(target: Hex) -> None:
    scene = island_scene(MIDDLE_GAME, action=MoveRobber(target))
    (arrow,) = (item for item in scene.changing.effects if item.kind is ItemKind.ARROW)
    tip = Plate(*arrow.points[1], 1, 1)
    assert [name for name, thing in objects(scene) if thing.overlaps(tip)] == []
