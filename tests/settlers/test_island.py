"""The island: what lies where, equal however it was listed, and changed by making another."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludograph.geometry.hex_places import reading_order
from ludograph.settlers import (
    BEGINNERS_ISLAND,
    Face,
    Harbor,
    Hex,
    HexSide,
    Island,
    Resource,
    Terrain,
    Tile,
    standard_island,
)
from ludograph.settlers.places import FRAME, FRAME_SIDES, LAND
from ludograph.settlers.standard import HARBOR_SIDES, NUMBER_SET, TERRAIN_SET, bank_stock, deck
from tests.settlers.pasting import pasted
from tests.strategies import any_islands, islands

HILL, WOOD, SEA = Hex(0, 0), Hex(1, 0), Hex(0, 1)
COAST = HexSide(SEA, Face.NORTH_WEST)
SMALL = Island.of(
    {SEA: Terrain.SEA, WOOD: Terrain.FOREST, HILL: Terrain.HILLS},
    {WOOD: 9, HILL: 6, SEA: None},
    [Harbor(COAST, Resource.ORE)],
)


def test_an_island_lists_its_tiles_in_reading_order() -> None:
    assert SMALL.terrain == ((HILL, Terrain.HILLS), (WOOD, Terrain.FOREST), (SEA, Terrain.SEA))
    assert SMALL.numbers == ((HILL, 6), (WOOD, 9))
    assert list(SMALL.tiles) == [HILL, WOOD, SEA]


def test_a_tile_has_its_terrain_and_number() -> None:
    assert SMALL.tiles[WOOD] == Tile(WOOD, Terrain.FOREST, 9)
    assert SMALL.tiles[SEA] == Tile(SEA, Terrain.SEA, None)
    assert (SMALL.terrain_at(HILL), SMALL.number_at(HILL)) == (Terrain.HILLS, 6)


def test_outside_of_the_frame_there_is_nothing() -> None:
    away = Hex(9, 9)
    assert SMALL.terrain_at(away) is None
    assert SMALL.number_at(away) is None
    assert SMALL.harbor_at(HexSide(away, Face.WEST)) is None


def test_a_harbor_is_found_by_its_side() -> None:
    assert SMALL.harbor_at(COAST) == Harbor(COAST, Resource.ORE)


def test_the_land_is_what_is_not_sea() -> None:
    assert SMALL.land == (HILL, WOOD)


def test_replacing_changes_only_what_is_named() -> None:
    changed = SMALL.replace(terrain={SEA: Terrain.DESERT}, numbers={HILL: None, WOOD: 3})
    assert changed.terrain_at(SEA) is Terrain.DESERT
    assert changed.terrain_at(HILL) is Terrain.HILLS
    assert changed.numbers == ((WOOD, 3),)
    assert changed.harbors == SMALL.harbors
    assert SMALL.number_at(HILL) == 6


def test_replacing_the_harbors_replaces_all_of_them() -> None:
    assert SMALL.replace(harbors=[]).harbors == ()
    assert SMALL.replace().replace(harbors=[Harbor(COAST)]).harbors == (Harbor(COAST, None),)


@given(any_islands | islands, st.randoms())
def test_an_island_is_the_same_however_it_is_listed(island: Island, rng: random.Random) -> None:
    terrain, numbers, harbors = list(island.terrain), list(island.numbers), list(island.harbors)
    for listing in (terrain, numbers, harbors):
        rng.shuffle(listing)
    again = Island(tuple(terrain), tuple(numbers), tuple(harbors))
    assert again == island
    assert hash(again) == hash(island)


def test_a_place_that_is_listed_twice_is_the_same_in_either_order() -> None:
    tiles = ((HILL, Terrain.HILLS), (HILL, Terrain.DESERT))
    numbers = ((HILL, 6), (HILL, 9))
    harbors = (Harbor(COAST, Resource.ORE), Harbor(COAST, None))
    assert Island(tiles, numbers, harbors) == Island(tiles[::-1], numbers[::-1], harbors[::-1])


@given(any_islands)
def test_every_listing_of_an_island_is_in_reading_order(island: Island) -> None:
    for places in (
        [place for place, _ in island.terrain],
        [place for place, _ in island.numbers],
        [harbor.side for harbor in island.harbors],
    ):
        keys = [*map(reading_order, places)]
        assert keys == sorted(keys)


@given(islands)
def test_the_repr_of_an_island_pastes_back(island: Island) -> None:
    assert pasted(island) == island


def test_an_island_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        SMALL.harbors = ()  # type: ignore[misc]
    with pytest.raises(AttributeError):
        SMALL.tiles[HILL].number = 7  # type: ignore[misc]


# What comes in the box.


def test_the_box_has_19_tiles_18_numbers_and_9_harbors() -> None:
    assert sum(TERRAIN_SET.values()) == 19
    assert sum(NUMBER_SET.values()) == 18
    assert 7 not in NUMBER_SET
    assert len(set(HARBOR_SIDES)) == 9


def test_the_bank_has_19_of_each_resource_and_24_for_five_or_six_players() -> None:
    assert [bank_stock(players) for players in range(2, 7)] == [19, 19, 19, 24, 24]


def test_the_deck_has_25_cards_and_34_for_five_or_six_players() -> None:
    assert [deck(players).total for players in range(2, 7)] == [25, 25, 25, 34, 34]


def test_the_beginners_island_is_made_of_what_is_in_the_box() -> None:
    assert tuple(place for place, _ in BEGINNERS_ISLAND.terrain) == FRAME
    assert BEGINNERS_ISLAND.land == LAND
    kinds = [kind for _, kind in BEGINNERS_ISLAND.terrain]
    assert {kind: kinds.count(kind) for kind in TERRAIN_SET} == TERRAIN_SET
    numbers = [number for _, number in BEGINNERS_ISLAND.numbers]
    assert {number: numbers.count(number) for number in NUMBER_SET} == NUMBER_SET
    assert {harbor.side for harbor in BEGINNERS_ISLAND.harbors} == set(HARBOR_SIDES)


def test_the_places_of_a_standard_island_are_interned() -> None:
    places = {id(place) for place in (*FRAME, *FRAME_SIDES)}
    assert all(id(place) in places for place, _ in BEGINNERS_ISLAND.terrain)
    assert all(id(harbor.side) in places for harbor in BEGINNERS_ISLAND.harbors)


def test_a_standard_island_without_enough_tiles_is_refused() -> None:
    with pytest.raises(ValueError):
        standard_island((Terrain.DESERT,) * 18, (), (None,) * 9)


def test_a_standard_island_with_numbers_left_over_is_refused() -> None:
    with pytest.raises(ValueError):
        standard_island((Terrain.DESERT,) * 19, (6,), (None,) * 9)


def test_a_standard_island_numbers_only_what_produces() -> None:
    island = standard_island((Terrain.DESERT,) * 18 + (Terrain.HILLS,), (6,), (None,) * 9)
    assert island.numbers == ((LAND[-1], 6),)
