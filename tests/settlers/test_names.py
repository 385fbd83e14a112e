"""Names of places in HAN, CGN, CCN and SGN: four systems, the same places, one name each."""

from itertools import permutations

import pytest
from hypothesis import given

from ludograph.geometry import Face, Hex, HexCorner, HexSide, Pole
from ludograph.geometry.hex_places import corners_of, sides_of
from ludograph.settlers.names import (
    CGN_TILES,
    LAST_COLUMN,
    LAST_ROW,
    ccn_corner,
    ccn_side,
    cgn_corner,
    cgn_side,
    cgn_tile,
    column_letters,
    column_number,
    han_name,
    has_han_name,
    maybe_ccn_corner,
    maybe_ccn_side,
    maybe_cgn_corner,
    maybe_han_place,
    maybe_sgn_corner,
    maybe_side_between,
    place_in_words,
    sgn_corner,
    sgn_side,
    sgn_tile,
)
from ludograph.settlers.places import (
    FRAME,
    FRAME_CORNERS,
    FRAME_SIDES,
    LAND,
    LAND_CORNERS,
    LAND_SIDES,
    Place,
)
from ludograph.settlers.standard import HARBOR_SIDES
from tests.strategies import any_corners, any_places, any_sides, any_tiles, places

CENTRE = Hex(0, 0)

# Letters of columns.


@pytest.mark.parametrize(
    ("number", "letters"),
    [
        (1, "a"),
        (4, "d"),
        (26, "z"),
        (27, "aa"),
        (28, "ab"),
        (52, "az"),
        (53, "ba"),
        (702, "zz"),
        (703, "aaa"),
    ],
)
def test_columns_have_the_letters_of_a_spreadsheet(number: int, letters: str) -> None:
    assert column_letters(number) == letters
    assert column_number(letters) == number


def test_the_letters_of_columns_are_all_different_and_lead_back() -> None:
    names = [column_letters(number) for number in range(1, 20_000)]
    assert len(set(names)) == len(names)
    assert [column_number(name) for name in names] == list(range(1, 20_000))
    assert names == sorted(names, key=lambda name: (len(name), name))


def test_the_last_column_has_four_letters() -> None:
    assert column_letters(LAST_COLUMN) == "zzzz"


# HAN.


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("d4", Hex(0, 0)),
        ("a4", Hex(-3, 0)),
        ("d1", Hex(0, -3)),
        ("g1", Hex(3, -3)),
        ("a7", Hex(-3, 3)),
        ("z26", Hex(22, 22)),
        ("aa27", Hex(23, 23)),
        ("zzzz999999", Hex(LAST_COLUMN - 4, LAST_ROW - 4)),
        ("d4n", HexCorner(CENTRE, Pole.NORTH)),
        ("d4s", HexCorner(CENTRE, Pole.SOUTH)),
        ("d4ne", HexSide(CENTRE, Face.NORTH_EAST)),
        ("d4nw", HexSide(CENTRE, Face.NORTH_WEST)),
        ("d4w", HexSide(CENTRE, Face.WEST)),
        ("aa1nw", HexSide(Hex(23, -3), Face.NORTH_WEST)),
        ("n4n", HexCorner(Hex(10, 0), Pole.NORTH)),
        ("nw4w", HexSide(Hex(383, 0), Face.WEST)),
    ],
)
def test_a_han_name_means_a_place(name: str, place: Place) -> None:
    assert maybe_han_place(name) == place
    assert han_name(place) == name
    assert has_han_name(place)


@pytest.mark.parametrize(
    "text",
    [
        *("", "d", "4", "a0", "d04", "D4", "d4e", "d4se", "d4sw", "d4nn", "d4N", "d 4", "d4 ", " d4", "d4\n"),
        *("d-4", "4d", "aaaaa1", "a1000000", "d" * 5000, "d" + "4" * 5000, "d٤", "é4", "d4n\0"),
    ],
)
def test_other_texts_name_nothing(text: str) -> None:
    assert maybe_han_place(text) is None


def test_the_frame_is_the_hexagon_from_a1_to_g7() -> None:
    rows = {
        1: "defg",
        2: "cdefg",
        3: "bcdefg",
        4: "abcdefg",
        5: "abcdef",
        6: "abcde",
        7: "abcd",
    }
    assert [han_name(tile) for tile in FRAME] == [
        f"{column}{row}" for row, columns in rows.items() for column in columns
    ]


def test_the_land_is_as_the_han_specification_shows_it() -> None:
    shown = "d2 e2 f2 c3 d3 e3 f3 b4 c4 d4 e4 f4 b5 c5 d5 e5 b6 c6 d6"
    assert [han_name(tile) for tile in LAND] == shown.split()


def test_names_of_the_frame_lead_to_interned_places() -> None:
    frame: list[Place] = [*FRAME, *FRAME_CORNERS, *FRAME_SIDES]
    for place in frame:
        assert maybe_han_place(han_name(place)) is place


@given(places)
def test_every_place_from_a1_on_has_a_han_name_that_leads_back(place: Place) -> None:
    assert has_han_name(place)
    assert maybe_han_place(han_name(place)) == place


@given(any_places)
def test_a_place_has_a_han_name_exactly_if_the_name_leads_back(place: Place) -> None:
    assert has_han_name(place) == (maybe_han_place(han_name(place)) == place)


@pytest.mark.parametrize(
    ("tile", "named"),
    [
        (Hex(-3, -3), True),
        (Hex(-4, 0), False),
        (Hex(0, -4), False),
        (Hex(LAST_COLUMN - 4, 0), True),
        (Hex(LAST_COLUMN - 3, 0), False),
        (Hex(0, LAST_ROW - 4), True),
        (Hex(0, LAST_ROW - 3), False),
    ],
)
def test_columns_begin_at_a_and_rows_at_1_and_both_end(tile: Hex, named: bool) -> None:
    assert has_han_name(tile) is named
    assert has_han_name(HexCorner(tile, Pole.SOUTH)) is named
    assert has_han_name(HexSide(tile, Face.WEST)) is named


# CGN.


def test_cgn_numbers_the_frame_in_a_clockwise_spiral() -> None:
    assert sorted(CGN_TILES) == list(range(1, 38))
    assert [CGN_TILES[first] for first in (1, 19, 31, 37)] == [Hex(0, -3), Hex(0, -2), Hex(0, -1), Hex(0, 0)]
    # The corners of the outer ring, clockwise from the first tile.
    assert [CGN_TILES[number] for number in (4, 7, 10, 13, 16)] == [
        *(Hex(3, -3), Hex(3, 0), Hex(0, 3), Hex(-3, 3), Hex(-3, 0)),
    ]
    assert all(CGN_TILES[number] not in LAND for number in range(1, 19))
    assert all(CGN_TILES[number] in LAND for number in range(19, 38))


def test_cgn_names_the_37_tiles_of_the_frame_once_each() -> None:
    assert {cgn_tile(tile) for tile in FRAME} == set(range(1, 38))
    assert all(CGN_TILES[cgn_tile(tile) or 0] is tile for tile in FRAME)


def test_cgn_names_no_tile_outside_of_the_frame() -> None:
    assert cgn_tile(Hex(4, 0)) is None
    assert cgn_corner(HexCorner(Hex(0, -3), Pole.NORTH)) is None
    assert cgn_side(HexSide(Hex(0, -3), Face.NORTH_WEST)) is None


def test_cgn_names_the_54_corners_of_the_land_once_each() -> None:
    names = [cgn_corner(corner) for corner in LAND_CORNERS]
    assert None not in names
    assert len({frozenset(name) for name in names if name is not None}) == 54


def test_a_cgn_corner_is_found_by_its_tiles_in_any_order() -> None:
    for corner in LAND_CORNERS:
        name = cgn_corner(corner)
        assert name is not None
        assert {maybe_cgn_corner((a, b, c)) for a, b, c in permutations(name)} == {corner}


@pytest.mark.parametrize(
    "numbers", [(2, 20, 21), (20, 31, 31), (37, 37, 37), (0, 1, 2), (1, 2, 38), (1, 2, 3)]
)
def test_tiles_that_do_not_meet_on_the_land_are_no_cgn_corner(numbers: tuple[int, int, int]) -> None:
    assert maybe_cgn_corner(numbers) is None


def test_cgn_names_the_72_sides_of_the_land_once_each() -> None:
    names = {side: cgn_side(side) for side in LAND_SIDES}
    assert len({frozenset(map(frozenset, name)) for name in names.values() if name is not None}) == 72
    for side, name in names.items():
        assert name is not None
        first, second = (maybe_cgn_corner(end) for end in name)
        assert first is not None
        assert second is not None
        assert maybe_side_between(first, second) is side
        assert maybe_side_between(second, first) is side


# CCN.


def test_ccn_names_the_54_corners_and_72_sides_of_the_land_once_each() -> None:
    assert len({ccn_corner(corner) for corner in LAND_CORNERS}) == 54
    assert len({ccn_side(side) for side in LAND_SIDES}) == 72


@given(any_corners)
def test_a_ccn_corner_has_an_inverse_and_its_sum_determines_its_pole(corner: HexCorner) -> None:
    name = ccn_corner(corner)
    assert sum(name) == (-1 if corner.pole is Pole.NORTH else 1)
    assert maybe_ccn_corner(*name) == corner


@given(any_corners)
def test_a_ccn_corner_takes_each_coordinate_from_the_tiles_that_agree_on_it(corner: HexCorner) -> None:
    """Two of the three tiles share x, two y and two z; those are the three numbers."""
    axes = [[tile.q for tile in corner.cells], [tile.r for tile in corner.cells], [t.s for t in corner.cells]]
    assert list(ccn_corner(corner)) == [max(set(values), key=values.count) for values in axes]


@pytest.mark.parametrize("numbers", [(0, 0, 0), (1, 1, 0), (0, -2, 0), (5, 5, 5)])
def test_numbers_that_do_not_add_up_to_one_are_no_ccn_corner(numbers: tuple[int, int, int]) -> None:
    assert maybe_ccn_corner(*numbers) is None


@given(any_sides)
def test_a_ccn_side_leads_back(side: HexSide) -> None:
    assert maybe_ccn_side(*ccn_side(side)) == side


@pytest.mark.parametrize("axis", ["", "x", "W", "XY"])
def test_an_axis_is_x_y_or_z(axis: str) -> None:
    assert maybe_ccn_side(axis, 0, 0) is None


@given(any_sides)
def test_a_ccn_side_follows_the_formulas_of_its_specification(side: HexSide) -> None:
    """X(A'y, Az), Y(A'z, Ax), Z(A'x, Ay), where A' is the end whose coordinates add up to -1."""
    low, high = sorted((ccn_corner(end) for end in side.corners), key=sum)
    axis, first, second = ccn_side(side)
    x, y, z = range(3)
    expected = {"X": (low[y], high[z]), "Y": (low[z], high[x]), "Z": (low[x], high[y])}
    assert (first, second) == expected[axis]


# SGN, whose tiles are CCN's pairs.


def test_the_pairs_of_sgn_and_ccn_name_the_37_tiles_once_each() -> None:
    assert len({sgn_tile(tile) for tile in FRAME}) == 37
    assert all(Hex(*sgn_tile(tile)) == tile for tile in FRAME)


@given(any_tiles)
def test_an_sgn_tile_leads_back(tile: Hex) -> None:
    assert Hex(*sgn_tile(tile)) == tile


@given(any_corners)
def test_an_sgn_corner_leads_back_in_any_order(corner: HexCorner) -> None:
    assert {maybe_sgn_corner((a, b, c)) for a, b, c in permutations(sgn_corner(corner))} == {corner}


def test_sgn_names_the_54_corners_and_72_sides_of_the_land_once_each() -> None:
    assert len({frozenset(sgn_corner(corner)) for corner in LAND_CORNERS}) == 54
    assert len({frozenset(map(frozenset, sgn_side(side))) for side in LAND_SIDES}) == 72


@given(any_sides)
def test_an_sgn_side_leads_back(side: HexSide) -> None:
    first, second = (maybe_sgn_corner(end) for end in sgn_side(side))
    assert first is not None
    assert second is not None
    assert maybe_side_between(first, second) == maybe_side_between(second, first) == side


def test_tiles_that_do_not_meet_are_no_sgn_corner() -> None:
    assert maybe_sgn_corner(((0, 0), (1, 0), (2, 0))) is None
    assert maybe_sgn_corner(((0, 0), (0, 0), (1, 0))) is None


def test_corners_apart_have_no_side_between_them() -> None:
    north, south = HexCorner(CENTRE, Pole.NORTH), HexCorner(CENTRE, Pole.SOUTH)
    assert maybe_side_between(north, south) is None
    assert maybe_side_between(north, north) is None


# The table of coordinates, row by row.


def numbers(*tiles: Hex) -> list[int | None]:
    return [cgn_tile(tile) for tile in tiles]


@pytest.mark.parametrize("tile", LAND)
def test_the_table_of_coordinates_holds_for(tile: Hex) -> None:
    x, y, z = tile.q, tile.r, tile.s
    name = f"{'abcdefg'[x + 3]}{y + 4}"
    assert han_name(tile) == name

    north = HexCorner(tile, Pole.NORTH)
    assert han_name(north) == f"{name}n"
    assert [*(cgn_corner(north) or ())] == numbers(Hex(x + 1, y - 1), tile, Hex(x, y - 1))
    assert ccn_corner(north) == (x, y - 1, z)
    assert sgn_corner(north) == ((x + 1, y - 1), (x, y), (x, y - 1))

    south = HexCorner(tile, Pole.SOUTH)
    assert han_name(south) == f"{name}s"
    assert [*(cgn_corner(south) or ())] == numbers(tile, Hex(x, y + 1), Hex(x - 1, y + 1))
    assert ccn_corner(south) == (x, y + 1, z)
    assert sgn_corner(south) == ((x, y), (x, y + 1), (x - 1, y + 1))

    ends = {
        Face.WEST: (HexCorner(Hex(x, y - 1), Pole.SOUTH), HexCorner(Hex(x - 1, y + 1), Pole.NORTH)),
        Face.NORTH_WEST: (north, HexCorner(Hex(x, y - 1), Pole.SOUTH)),
        Face.NORTH_EAST: (north, HexCorner(Hex(x + 1, y - 1), Pole.SOUTH)),
    }
    in_ccn = {Face.WEST: ("Y", z, x), Face.NORTH_WEST: ("X", y - 1, z + 1), Face.NORTH_EAST: ("Z", x, y)}
    for face, (upper, lower) in ends.items():
        side = HexSide(tile, face)
        assert han_name(side) == name + face.value
        assert cgn_side(side) == (cgn_corner(upper), cgn_corner(lower))
        assert ccn_side(side) == in_ccn[face]
        assert sgn_side(side) == (sgn_corner(upper), sgn_corner(lower))


@pytest.mark.parametrize("tile", LAND)
def test_the_other_corners_and_sides_are_named_by_neighbours_of(tile: Hex) -> None:
    x, y = tile.q, tile.r
    north, north_east, south_east, south, south_west, north_west = corners_of(tile)
    assert (north, south) == (HexCorner(tile, Pole.NORTH), HexCorner(tile, Pole.SOUTH))
    assert north_east == HexCorner(Hex(x + 1, y - 1), Pole.SOUTH)
    assert north_west == HexCorner(Hex(x, y - 1), Pole.SOUTH)
    assert south_east == HexCorner(Hex(x, y + 1), Pole.NORTH)
    assert south_west == HexCorner(Hex(x - 1, y + 1), Pole.NORTH)
    assert sides_of(tile)[1:4] == (
        HexSide(Hex(x + 1, y), Face.WEST),
        HexSide(Hex(x, y + 1), Face.NORTH_WEST),
        HexSide(Hex(x - 1, y + 1), Face.NORTH_EAST),
    )


def test_the_standard_harbors_serve_these_sides_from_these_sea_tiles() -> None:
    table = "d2nw/1 e2ne/3 f3ne/5 g4w/7 e6nw/9 c7nw/11 a7ne/13 b5w/15 c3w/17"
    rows = []
    for side in HARBOR_SIDES:
        (sea,) = (tile for tile in side.cells if tile not in LAND)
        rows.append(f"{han_name(side)}/{cgn_tile(sea)}")
    assert " ".join(rows) == table


def test_every_system_has_different_names_for_different_places() -> None:
    everywhere: list[Place] = [*FRAME, *LAND_CORNERS, *LAND_SIDES]
    for place_names in (
        [han_name(place) for place in everywhere],
        [cgn_tile(tile) for tile in FRAME],
        [ccn_corner(corner) for corner in LAND_CORNERS],
        [ccn_side(side) for side in LAND_SIDES],
        [sgn_tile(tile) for tile in FRAME],
    ):
        assert len(set(place_names)) == len(place_names)


@pytest.mark.parametrize(
    ("place", "words"),
    [
        (Hex(0, 0), "d4"),
        (HexCorner(Hex(0, 0), Pole.SOUTH), "d4s"),
        (Hex(-4, 0), "tile (-4, 0)"),
        (HexCorner(Hex(-4, 1), Pole.NORTH), "the south-west corner of a4"),
        (HexCorner(Hex(0, -4), Pole.SOUTH), "the north-west corner of d1"),
        (HexSide(Hex(-4, 1), Face.NORTH_EAST), "the south-west side of a4"),
        (HexSide(Hex(-4, 0), Face.NORTH_WEST), "the north-west side of tile (-4, 0)"),
        (HexCorner(Hex(-9, 0), Pole.SOUTH), "the south corner of tile (-9, 0)"),
    ],
)
def test_places_have_descriptions(place: Place, words: str) -> None:
    assert place_in_words(place) == words


@pytest.mark.parametrize("tile", [Hex(-3, 0), Hex(0, -3)])
def test_places_without_a_name_are_described_from_a_neighbouring_tile(tile: Hex) -> None:
    places: list[HexCorner | HexSide] = [*corners_of(tile), *sides_of(tile)]
    for place in places:
        words = place_in_words(place)
        if not has_han_name(place):
            name = words.rpartition(" ")[2]
            assert maybe_han_place(name) in place.cells
