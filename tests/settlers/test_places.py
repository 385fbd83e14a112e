"""The places of the standard frame, and the order in which notations list places."""

import random

from hypothesis import given
from hypothesis import strategies as st

from ludograph.geometry import Hex, HexCorner, HexSide
from ludograph.geometry.hex_places import corners_of, reading_order, sides_of
from ludograph.settlers.places import (
    FRAME,
    FRAME_CORNERS,
    FRAME_SIDES,
    LAND,
    LAND_CORNERS,
    LAND_SIDES,
    Place,
    in_reading_order,
    is_in_reading_order,
)
from tests.strategies import any_corners, any_sides, any_tiles


def test_the_frame_has_37_tiles_of_which_19_are_land() -> None:
    assert len(set(FRAME)) == len(FRAME) == 37
    assert len(set(LAND)) == len(LAND) == 19


def test_the_land_has_54_corners_and_72_sides() -> None:
    assert len(set(LAND_CORNERS)) == len(LAND_CORNERS) == 54
    assert len(set(LAND_SIDES)) == len(LAND_SIDES) == 72


def test_corners_and_sides_of_the_land_are_those_of_its_tiles() -> None:
    assert set(LAND_CORNERS) == {corner for tile in LAND for corner in corners_of(tile)}
    assert set(LAND_SIDES) == {side for tile in LAND for side in sides_of(tile)}


def test_16_corners_and_15_sides_are_named_after_a_tile_of_the_sea() -> None:
    assert sum(corner.cell not in LAND for corner in LAND_CORNERS) == 16
    assert sum(side.cell not in LAND for side in LAND_SIDES) == 15
    assert {corner.cell for corner in LAND_CORNERS} <= set(FRAME)
    assert {side.cell for side in LAND_SIDES} <= set(FRAME)


def test_the_frame_is_listed_in_reading_order() -> None:
    assert list(FRAME) == sorted(FRAME, key=lambda tile: (tile.r, tile.q))
    for places in (FRAME, FRAME_CORNERS, FRAME_SIDES, LAND, LAND_CORNERS, LAND_SIDES):
        assert is_in_reading_order(places)
        assert list(places) == sorted(places, key=reading_order)


def test_suffixes_of_one_tile_are_in_alphabetical_order() -> None:
    centre = Hex(0, 0)
    corners = [corner.pole.value for corner in FRAME_CORNERS if corner.cell == centre]
    sides = [side.face.value for side in FRAME_SIDES if side.cell == centre]
    assert (corners, sides) == (["n", "s"], ["ne", "nw", "w"])


@given(st.lists(any_tiles) | st.lists(any_corners) | st.lists(any_sides), st.randoms())
def test_sorting_does_not_depend_on_the_listing(
    places: list[Hex] | list[HexCorner] | list[HexSide], rng: random.Random
) -> None:
    listed: list[Place] = [*places]
    rng.shuffle(listed)
    assert [*map(reading_order, in_reading_order(listed))] == sorted(map(reading_order, places))  # type: ignore[type-var]


@given(st.lists(any_tiles) | st.lists(any_corners) | st.lists(any_sides))
def test_places_in_reading_order_are_sorted(
    places: list[Hex] | list[HexCorner] | list[HexSide],
) -> None:
    keys = [*map(reading_order, places)]
    assert keys == sorted(keys) or not is_in_reading_order(places)


def test_repeated_places_stay_repeated() -> None:
    assert in_reading_order([FRAME[5], FRAME[2], FRAME[5]]) == (FRAME[2], FRAME[5], FRAME[5])


def test_equal_places_that_are_not_interned_are_sorted_all_the_same() -> None:
    copies = [Hex(tile.q, tile.r) for tile in reversed(FRAME)]
    assert in_reading_order(copies) == FRAME
