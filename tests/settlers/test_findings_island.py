"""Findings about islands: one table row for each flag, with the nearest island that is fine."""

import pytest

from ludograph.geometry import Hex
from ludograph.settlers import BEGINNERS_ISLAND, Flag, Harbor, Island, Resource, Terrain
from ludograph.settlers.findings import find_in_island
from ludograph.settlers.standard import HARBOR_SIDES
from tests.settlers.findings_cases import flags, harbors, sides, tile

FIELD = Island.of({tile("d4"): Terrain.FIELDS, tile("e4"): Terrain.SEA}, {tile("d4"): 5})
PAIR = Island.of(dict.fromkeys((tile("d4"), tile("e4")), Terrain.HILLS), {tile("d4"): 6, tile("e4"): 5})
STANDARD = BEGINNERS_ISLAND.harbors

CASES: dict[str, tuple[Flag, Island, Island]] = {
    "an island of sea has no land": (Flag.NO_LAND, Island.of({tile("d4"): Terrain.SEA}), FIELD),
    "a tile listed twice": (
        Flag.TILE_TWICE,
        Island((*FIELD.terrain, (tile("d4"), Terrain.FIELDS)), FIELD.numbers),
        FIELD,
    ),
    "a tile with two numbers": (
        Flag.NUMBER_TWICE,
        Island(FIELD.terrain, (*FIELD.numbers, (tile("d4"), 6))),
        FIELD,
    ),
    "a field without a number": (Flag.NUMBER_MISSING, Island(FIELD.terrain), FIELD),
    "a number at sea": (Flag.NUMBER_MISPLACED, FIELD.replace(numbers={tile("e4"): 4}), FIELD),
    "a number on the desert": (
        Flag.NUMBER_MISPLACED,
        FIELD.replace(terrain={tile("d4"): Terrain.DESERT}),
        FIELD.replace(terrain={tile("d4"): Terrain.DESERT}, numbers={tile("d4"): None}),
    ),
    "a number outside the island": (Flag.NUMBER_MISPLACED, FIELD.replace(numbers={tile("z9"): 4}), FIELD),
    "the robber's number on a tile": (
        Flag.NUMBER_IMPOSSIBLE,
        FIELD.replace(numbers={tile("d4"): 7}),
        FIELD.replace(numbers={tile("d4"): 12}),
    ),
    "a number that dice never make": (
        Flag.NUMBER_IMPOSSIBLE,
        FIELD.replace(numbers={tile("d4"): 13}),
        FIELD.replace(numbers={tile("d4"): 2}),
    ),
    "five pastures in the standard frame": (
        Flag.TERRAIN_COUNTS,
        BEGINNERS_ISLAND.replace(terrain={tile("d5"): Terrain.PASTURE}),
        BEGINNERS_ISLAND.replace(terrain={tile("d5"): Terrain.PASTURE, tile("e5"): Terrain.FIELDS}),
    ),
    "three fives in the standard frame": (
        Flag.NUMBER_COUNTS,
        BEGINNERS_ISLAND.replace(numbers={tile("d2"): 5}),
        BEGINNERS_ISLAND.replace(numbers={tile("d2"): 5, tile("b6"): 10}),
    ),
    "a harbor inland": (
        Flag.HARBOR_OFF_COAST,
        PAIR.replace(harbors=harbors("e4w")),
        PAIR.replace(harbors=harbors("d4w")),
    ),
    "a harbor out at sea": (
        Flag.HARBOR_OFF_COAST,
        FIELD.replace(harbors=harbors("e4ne")),
        FIELD.replace(harbors=harbors("e4w")),
    ),
    "two harbors on one side": (
        Flag.HARBOR_TWICE,
        FIELD.replace(harbors=harbors("d4w Bd4w")),
        FIELD.replace(harbors=harbors("d4w Bd4ne")),
    ),
    "two harbors at one corner": (
        Flag.HARBORS_SHARE_CORNER,
        FIELD.replace(harbors=harbors("d4w d4nw")),
        FIELD.replace(harbors=harbors("d4w d4ne")),
    ),
    "nine other harbors than the box has": (
        Flag.HARBOR_KINDS,
        BEGINNERS_ISLAND.replace(harbors=[Harbor(harbor.side) for harbor in STANDARD]),
        BEGINNERS_ISLAND.replace(
            harbors=[
                Harbor(side, kind) for side, kind in zip(HARBOR_SIDES, [*Resource, *4 * [None]], strict=True)
            ]
        ),
    ),
    "equal numbers on neighbours": (
        Flag.EQUAL_NUMBERS_ADJACENT,
        PAIR.replace(numbers={tile("d4"): 5}),
        PAIR.replace(numbers={tile("d4"): 9}),
    ),
    "six and eight on neighbours": (
        Flag.RED_NUMBERS_ADJACENT,
        PAIR.replace(numbers={tile("e4"): 8}),
        PAIR.replace(numbers={tile("e4"): 9}),
    ),
}
ALSO_RAISED = (Flag.HARBORS_TOO_CLOSE, Flag.HARBOR_PLACES)
"""Flags of islands that have tests of their own below."""


@pytest.mark.parametrize("name", CASES)
def test_what_is_wrong_with_an_island_is_found(name: str) -> None:
    flag, wrong, _ = CASES[name]
    assert flags(find_in_island(wrong, strict=True)) == {flag}


@pytest.mark.parametrize("name", CASES)
def test_the_nearest_sound_island_has_no_findings(name: str) -> None:
    _, _, fine = CASES[name]
    assert find_in_island(fine, strict=True) == ()


def test_the_beginners_island_has_no_findings() -> None:
    assert find_in_island(BEGINNERS_ISLAND, strict=True) == ()


def test_a_harbor_moved_one_side_too_close_is_found_with_its_place() -> None:
    island = BEGINNERS_ISLAND.replace(harbors=(*STANDARD[:1], *harbors("Ge2nw"), *STANDARD[2:]))
    found = {finding.flag: finding for finding in find_in_island(island)}
    assert found.keys() == {Flag.HARBORS_TOO_CLOSE, Flag.HARBOR_PLACES}
    assert found[Flag.HARBORS_TOO_CLOSE].places == sides("d2nw e2nw")
    assert found[Flag.HARBOR_PLACES].message == "The standard frame has no harbor on e2nw, but on e2ne."


def test_a_frame_turned_by_one_part_is_standard() -> None:
    turned = harbors("e2nw Bf2ne Gc3nw Lg3w Ob4w Wf5w a6ne b7ne d7nw")
    assert find_in_island(BEGINNERS_ISLAND.replace(harbors=turned)) == ()


def test_a_missing_harbor_is_named() -> None:
    island = BEGINNERS_ISLAND.replace(harbors=STANDARD[1:])
    messages = [finding.message for finding in find_in_island(island)]
    assert messages == [
        "The standard frame also has a harbor on d2nw.",
        "There are three 3:1 harbors instead of four.",
    ]


def test_an_island_close_to_the_beginners_has_its_odd_tile_named() -> None:
    (finding,) = find_in_island(BEGINNERS_ISLAND.replace(terrain={tile("d5"): Terrain.PASTURE}))
    assert finding.places == (tile("d5"),)
    assert finding.message == (
        "There are three fields tiles instead of four and five pasture tiles instead of four;"
        " on d5 the beginner's island has fields."
    )


def test_an_island_of_its_own_has_all_tiles_with_surplus_numbers_named() -> None:
    changes = {tile("d2"): 5, tile("e2"): 10, tile("f2"): 2, tile("c3"): 9}
    (finding,) = find_in_island(BEGINNERS_ISLAND.replace(numbers=changes))
    assert finding.places == tuple(map(tile, ("d2", "e5", "b6")))


def test_neighbouring_numbers_are_asked_in_strict_mode_only() -> None:
    assert find_in_island(PAIR.replace(numbers={tile("e4"): 8})) == ()


def test_a_place_without_a_name_is_written_by_its_coordinates() -> None:
    (finding,) = find_in_island(Island.of({Hex(-9, 2): Terrain.FIELDS}))
    assert finding.message == "The fields tile (-9,2) has no number."


@pytest.mark.parametrize("zeros", [4, 13, 5000])
def test_no_number_or_coordinate_is_too_large(zeros: int) -> None:
    far = 10**zeros
    island = Island.of({Hex(far, far): Terrain.FIELDS, Hex(-far, 0): Terrain.DESERT}, {Hex(far, far): -far})
    assert flags(find_in_island(island)) == {Flag.NUMBER_IMPOSSIBLE}
