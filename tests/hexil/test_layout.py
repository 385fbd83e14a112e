"""Layouts: the names of places agree with those of the rules, whatever the island's shape."""

import pytest

from ludograph.hexil.layout import fits_frame, layout_of
from ludograph.play import Generator
from ludograph.settlers import Hex
from ludograph.settlers.places import FRAME, LAND
from tests.games.shipped import load


def land(seed: int) -> tuple[Hex, ...]:
    if seed == 0:
        return LAND
    chance = Generator(seed)
    return tuple(tile for tile in FRAME if chance.below(3)) if seed < 5 else FRAME


@pytest.mark.parametrize("seed", range(6))
def test_places_are_called_as_in_the_rules(seed: int) -> None:
    layout = layout_of(land(seed))
    topology = load("hexil").world(2, {"shape": layout.shape}).topology
    tiles = {name: topology.by_name["island", name] for name, _ in layout.tiles}
    assert tuple(tiles.values()) == topology.tiles["island"]
    assert len(layout.corners) == len(topology.tiles["spots"])
    assert len(layout.sides) == len(topology.tiles["ways"])
    for group, places in (("spots", layout.corners), ("ways", layout.sides)):
        for name, place in places:
            around = {tiles[layout.names[cell]] for cell in place.cells if cell in layout.names}
            assert set(topology.cells[topology.by_name[group, name]]) == around


@pytest.mark.parametrize("seed", range(6))
def test_a_name_leads_back_to_its_place(seed: int) -> None:
    layout = layout_of(land(seed))
    assert all(layout.places[name] == place for place, name in layout.names.items())
    assert len(layout.names) == len(layout.tiles) + len(layout.corners) + len(layout.sides)


def test_land_outside_the_frame_does_not_fit() -> None:
    assert fits_frame(LAND)
    assert not fits_frame((*LAND, Hex(4, 0)))
    assert not fits_frame(())
