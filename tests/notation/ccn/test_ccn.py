"""CCN: every example of its specification, every decision about it, every fault with its place."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludograph.notation import ccn, han
from ludograph.notation.results import LossKind, Unwritable
from ludograph.settlers import (
    BEGINNERS_ISLAND,
    Act,
    EndTurn,
    Flag,
    Harbor,
    Hex,
    HexCorner,
    HexSide,
    PlaceRoad,
    PlaceVillage,
    Player,
    Position,
    Record,
    Resource,
    Roll,
    Terrain,
    fresh_position,
)
from ludograph.settlers.names import ccn_side, maybe_ccn_side, maybe_han_place
from ludograph.settlers.places import LAND_SIDES
from ludograph.settlers.position import Seat
from ludograph.settlers.record import Commented
from ludograph.settlers.standard import HARBOR_SIDES
from ludograph.text import BadText, Nonsense, TextError
from tests.notation.games import setups

DATA = Path(__file__).parent
ISLAND = "W2O3B10S8DL5O6B3S4W10O11W9B12S6L4B5S9L11W8"
EXAMPLE = f"2/{ISLAND}/WTOTTLBST"
"""The specification's example: four hills instead of three, three forests instead of four."""


def cases(name: str) -> list[tuple[str, ...]]:
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    rows = (re.split(r" ==>(?: |$)", line) for line in lines if not line.startswith("//"))
    return [tuple(part.replace("⏎", "\n").replace("ISLAND", ISLAND) for part in row) for row in rows]


def position_of(text: str) -> Position:
    start = ccn.parse(text).start
    assert start is not None
    return start


@pytest.mark.parametrize(("text", "canonical"), cases("valid.txt"))
def test_valid_text_has_a_canonical_form(text: str, canonical: str) -> None:
    record = ccn.parse(text)
    assert ccn.format(record) == (canonical or text)
    assert ccn.parse(canonical or text) == record
    assert ccn.parse_lenient(text) == (record, ())


@pytest.mark.parametrize(("text", "canonical", "codes"), cases("lenient.txt"))
def test_lenient_text_is_read_with_warnings(text: str, canonical: str, codes: str) -> None:
    record, warnings = ccn.parse_lenient(text)
    assert ccn.format(record) == canonical
    assert [warning.code for warning in warnings] == codes.split()
    with pytest.raises(TextError):
        ccn.parse(text)


@pytest.mark.parametrize(("text", "place", "hint"), cases("invalid.txt"))
def test_invalid_text_is_refused_with_its_place_and_a_hint(text: str, place: str, hint: str) -> None:
    with pytest.raises(TextError) as caught:
        ccn.parse(text)
    error = caught.value
    assert f"{error.code} {error.line}:{error.column}" == place
    assert hint in error.hint
    assert isinstance(error, Nonsense if error.code.startswith("NT14") else BadText)


def test_every_code_is_documented_and_tried() -> None:
    folder = Path(ccn.__file__).parent
    source = "".join(path.read_text(encoding="utf-8") for path in folder.glob("*.py"))
    assert set(re.findall(r'"(NT\d{4})"(?!:)', source)) == ccn.CODES.keys()
    tried = {place.split()[0] for _, place, _ in cases("invalid.txt")}
    tried |= {code for _, _, codes in cases("lenient.txt") for code in codes.split()}
    assert tried == ccn.CODES.keys()


# The decisions, in the order of the design.


def test_a_box_has_one_12_so_that_there_are_18_numbers() -> None:
    # Decision 1: the specification's "12 x 2" would make 19 numbers for 18 tiles.
    two_twelves = EXAMPLE.replace("W2O3", "W12O3")
    flags = [finding.flag for finding in position_of(two_twelves).findings()]
    assert Flag.NUMBER_COUNTS in flags
    assert Flag.NUMBER_COUNTS not in [finding.flag for finding in position_of(EXAMPLE).findings()]


def test_the_misprint_of_ten_ports_is_refused_at_the_tenth() -> None:
    # Decision 2.
    text = f"2/{ISLAND}/WTSOTTLBST"
    with pytest.raises(BadText) as caught:
        ccn.parse(text)
    error = caught.value
    assert (error.code, error.message) == ("NT0405", "'T' is a tenth port")
    assert error.diagnostic.span.start == len(text) - 1


def test_the_main_example_reads_with_a_finding_about_its_tiles() -> None:
    # Decision 3.
    (finding,) = position_of(EXAMPLE).findings()
    assert finding.flag is Flag.TERRAIN_COUNTS
    assert "four hills tiles instead of three" in finding.message
    assert "three forest tiles instead of four" in finding.message


def test_neighbours_with_equal_numbers_are_a_strict_finding() -> None:
    # Decision 4.
    position = position_of(EXAMPLE.replace("W2O3B10", "O3O2B10").replace("S8D", "W3D"))
    assert Flag.EQUAL_NUMBERS_ADJACENT not in {finding.flag for finding in position.findings()}
    assert Flag.EQUAL_NUMBERS_ADJACENT in {finding.flag for finding in position.findings(strict=True)}


def test_neighbours_with_red_numbers_are_a_strict_finding_of_their_own() -> None:
    # Decision 4.
    position = position_of(EXAMPLE.replace("W2O3B10", "W6O8B10"))
    strict = {finding.flag for finding in position.findings(strict=True)}
    assert Flag.RED_NUMBERS_ADJACENT in strict - {finding.flag for finding in position.findings()}
    assert Flag.EQUAL_NUMBERS_ADJACENT not in strict


def placed(text: str) -> list[str]:
    return [han.format(action) for action in ccn.parse(f"{EXAMPLE}/{text}").actions]


@pytest.mark.parametrize(
    ("corner", "name"),
    [
        ("0,-3,2", "d2n"),  # -1: two tiles above one, here both of sea
        ("0,-1,2", "d2s"),  # +1: one tile above two
        ("0,-1,0", "d4n"),
        ("0,1,0", "d4s"),
        ("-1,1,1", "c4s"),
    ],
)
def test_the_sum_of_the_coordinates_determines_the_pole_of_a_corner(corner: str, name: str) -> None:
    # Decision 5.
    assert placed(f"V{corner}X-3,3")[0] == f"Pv({name})"


@pytest.mark.parametrize(
    ("side", "name"),
    [("X-3,3", "d2nw"), ("X0,0", "d5nw"), ("Y0,0", "d4w"), ("Z0,0", "d4ne"), ("Y1,2", "f1w")],
)
def test_the_formulas_name_a_side(side: str, name: str) -> None:
    # Decision 6; the first is the specification's own example.
    axis, first, second = side[0], *map(int, side[1:].split(","))
    found = maybe_ccn_side(axis, first, second)
    assert found == maybe_han_place(name)


def test_the_72_sides_have_72_names() -> None:
    # Decision 6.
    names = {ccn_side(side) for side in LAND_SIDES}
    assert len(names) == len(LAND_SIDES) == 72
    assert {maybe_ccn_side(*name) for name in names} == set(LAND_SIDES)


def test_placements_follow_in_snake_order() -> None:
    # Decision 7.
    record = ccn.parse(f"{EXAMPLE}/V0,-1,0Z0,0V1,0,-2X0,-1V0,2,-1X1,-1V-1,1,1Z-2,1")
    assert [event.player for event in record.events if isinstance(event, Act)] == [1, 1, 2, 2, 2, 2, 1, 1]
    assert [han.format(action) for action in record.actions] == (
        "Pv(d4n) Pr(d4ne) Pv(e5n) Pr(e5nw) Pv(d5s) Pr(d6nw) Pv(c4s) Pr(b5ne)".split()
    )


def test_a_set_up_may_stop_anywhere_between_two_players() -> None:
    # Decision 7.
    assert placed("V0,-1,0Z0,0") == ["Pv(d4n)", "Pr(d4ne)"]


def test_other_harbors_are_lost_and_the_fixed_places_get_a_port() -> None:
    # Decision 8.
    moved = [*BEGINNERS_ISLAND.harbors[1:], Harbor(_side("d3w"), Resource.ORE)]
    text, losses = ccn.format_lenient(
        Record(start=fresh_position(BEGINNERS_ISLAND.replace(harbors=moved), 2))
    )
    assert text.endswith("/TWOTTSTBL")
    assert [(loss.kind, loss.message) for loss in losses] == [
        (LossKind.INVENTED, "a 3:1 port at d2nw, where there is none"),
        (LossKind.LOST, "the harbor at d3w: CCN has nine fixed places"),
    ]


def test_two_harbors_on_one_side_are_one_port() -> None:
    first = BEGINNERS_ISLAND.harbors[0]
    doubled = [*BEGINNERS_ISLAND.harbors, Harbor(first.side, Resource.ORE)]
    _, losses = ccn.format_lenient(Record(start=fresh_position(BEGINNERS_ISLAND.replace(harbors=doubled), 2)))
    assert [loss.message for loss in losses] == ["the harbor at d2nw: CCN has nine fixed places"]


@pytest.mark.parametrize("players", [0, 1, 5, 6])
def test_more_than_four_players_are_inexpressible(players: int) -> None:
    # Decision 8.
    text, losses = ccn.format_lenient(Record(start=fresh_position(BEGINNERS_ISLAND, players)))
    assert text == ""
    assert [loss.message for loss in losses] == [f"everything: CCN has 2 to 4 players, not {players}"]


def test_what_comes_after_the_set_up_is_lost() -> None:
    # Decision 8.
    start = fresh_position(BEGINNERS_ISLAND, 2)
    record = Record((*_PLACEMENTS, Act(Roll((1, 2)), Player(1)), Commented("hm"), Act(EndTurn())), start)
    text, losses = ccn.format_lenient(record)
    assert text.count("V") == 4
    assert [loss.event for loss in losses] == [8, 9, 10]
    assert {loss.kind for loss in losses} == {LossKind.LOST}


# Writing.


def test_w_is_grain_and_s_is_wool() -> None:
    island = position_of(f"2/{'W2S3' + 'D' * 17}/WSOBLTTTT").island
    assert [kind for place, kind in island.terrain if kind.yields][:2] == [Terrain.FIELDS, Terrain.PASTURE]
    ports = [harbor.resource for side in HARBOR_SIDES if (harbor := island.harbor_at(side))]
    assert ports[:5] == [Resource.GRAIN, Resource.WOOL, Resource.ORE, Resource.BRICK, Resource.LUMBER]


def test_ports_run_clockwise_from_the_one_that_touches_the_first_tile() -> None:
    island = position_of(EXAMPLE).island
    assert Hex(0, -2) in HARBOR_SIDES[0].cells
    assert [getattr(island.harbor_at(side), "resource", "?") for side in HARBOR_SIDES] == [
        *(
            Resource.GRAIN,
            None,
            Resource.ORE,
            None,
            None,
            Resource.LUMBER,
            Resource.BRICK,
            Resource.WOOL,
            None,
        )
    ]


def test_tiles_are_in_reading_order() -> None:
    tiles = position_of(EXAMPLE).island.tiles
    first_rows = [Hex(0, -2), Hex(1, -2), Hex(2, -2), Hex(-1, -1), Hex(0, -1)]
    assert [tiles[place].number for place in first_rows] == [2, 3, 10, 8, None]


def test_the_robber_begins_on_the_desert() -> None:
    assert position_of(EXAMPLE).robber == Hex(0, -1)


def test_pretty_text_has_the_shape_of_the_island() -> None:
    assert ccn.format(ccn.parse(f"{EXAMPLE}/V0,-3,2X-3,3V1,0,-2X0,-1"), pretty=True) == (
        "2\n/\n"
        "    W2  O3  B10\n"
        "  S8  D   L5  O6\n"
        "B3  S4  W10 O11 W9\n"
        "  B12 S6  L4  B5\n"
        "    S9  L11 W8\n"
        "/\nW T O T T L B S T\n"
        "/\nV0,-3,2X-3,3\nV1,0,-2X0,-1"
    )


def test_strict_writing_refuses_what_lenient_writing_lists() -> None:
    record = Record((Act(EndTurn()),), fresh_position(BEGINNERS_ISLAND, 3))
    with pytest.raises(Unwritable) as caught:
        ccn.format(record)
    assert caught.value.losses == ccn.format_lenient(record).losses


def test_a_record_without_a_start_is_inexpressible() -> None:
    assert ccn.format_lenient(Record()).text == ""


def fresh(**changes: object) -> Record:
    return Record(start=fresh_position(BEGINNERS_ISLAND, 4).replace(**changes))


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        (fresh(island=BEGINNERS_ISLAND.replace(terrain={Hex(0, 0): Terrain.SEA})), "only the island of 19"),
        (
            fresh(island=BEGINNERS_ISLAND.replace(terrain={Hex(3, 0): Terrain.DESERT})),
            "only the island of 19",
        ),
        (fresh(island=BEGINNERS_ISLAND.replace(numbers={Hex(0, -2): 7})), "not 7, found 7"),
        (fresh(island=BEGINNERS_ISLAND.replace(numbers={Hex(0, -2): None})), "not 7, found none"),
        (fresh(island=BEGINNERS_ISLAND.replace(numbers={Hex(0, 0): 3})), "produces nothing has the number 3"),
        (fresh(island=BEGINNERS_ISLAND.replace(numbers={Hex(9, 9): 3})), "outside the island"),
    ],
)
def test_an_inexpressible_island_gives_no_text(record: Record, reason: str) -> None:
    text, losses = ccn.format_lenient(record)
    assert text == ""
    assert [loss.message for loss in losses if reason in loss.message]


@pytest.mark.parametrize(
    "changes",
    [{"turn": 2}, {"rolled": True}, {"robber": Hex(1, 0)}, {"seats": (Seat(knights=1),) * 4}, {"must": None}],
)
def test_a_start_that_is_not_fresh_loses_what_makes_it_so(changes: dict[str, object]) -> None:
    text, losses = ccn.format_lenient(fresh(**changes))
    assert text == ccn.format(fresh())
    assert [loss.message for loss in losses] == [
        "pieces, hands and turn of the start position: CCN starts with nothing placed"
    ]


def test_placements_after_a_start_with_pieces_are_not_passed_off_as_the_first() -> None:
    start = fresh_position(BEGINNERS_ISLAND, 2)
    village, road = (event for event in _PLACEMENTS[:2] if isinstance(event, Act))
    assert isinstance(road.action, PlaceRoad)
    begun = start.replace_seat(1, roads=(road.action.side,)).replace_seat(2, roads=(road.action.side,) * 2)
    assert begun.current == 1
    text, losses = ccn.format_lenient(Record((village, road), begun))
    assert "V" not in text
    assert [loss.event for loss in losses] == [None, 0, 1]


def test_an_inexpressible_placement_ends_the_placements() -> None:
    start = fresh_position(BEGINNERS_ISLAND, 2)
    out_at_sea = Act(PlaceVillage(_PLACEMENTS_AT_SEA), Player(1))
    text, losses = ccn.format_lenient(Record((out_at_sea, *_PLACEMENTS[1:]), start))
    assert "V" not in text
    assert len(losses) == len(_PLACEMENTS)


def test_a_village_whose_road_is_missing_is_lost() -> None:
    text, losses = ccn.format_lenient(Record(_PLACEMENTS[:3], fresh_position(BEGINNERS_ISLAND, 2)))
    assert text.count("V") == 1
    assert [(loss.message, loss.event) for loss in losses] == [
        ("the village at e5n: its road is not placed yet", 2)
    ]


def test_an_island_without_its_sea_gets_the_sea_of_the_frame() -> None:
    land = {place: kind for place, kind in BEGINNERS_ISLAND.terrain if kind.is_land}
    island = BEGINNERS_ISLAND.of(land, dict(BEGINNERS_ISLAND.numbers), BEGINNERS_ISLAND.harbors)
    text, losses = ccn.format_lenient(fresh(island=island))
    assert text == ccn.format(fresh())
    assert [loss.kind for loss in losses] == [LossKind.INVENTED]


def _corner(name: str) -> HexCorner:
    place = maybe_han_place(name)
    assert isinstance(place, HexCorner)
    return place


def _side(name: str) -> HexSide:
    place = maybe_han_place(name)
    assert isinstance(place, HexSide)
    return place


_PLACEMENTS = ccn.parse(f"{EXAMPLE}/V0,-1,0Z0,0V1,0,-2X0,-1V0,2,-1X1,-1V-1,1,1Z-2,1").events
_PLACEMENTS_AT_SEA = _corner("z9n")


# Laws.


@given(setups(), st.booleans())
def test_every_set_up_is_read_as_it_was_written(record: Record, pretty: bool) -> None:
    assert ccn.parse(ccn.format(record, pretty=pretty)) == record


@given(setups(), st.data())
def test_ignored_characters_change_nothing(record: Record, data: st.DataObject) -> None:
    text = ccn.format(record)
    place = data.draw(st.integers(0, len(text)))
    blanks = data.draw(st.text(" |\t\r\n", max_size=3))
    # A coordinate has one digit, so none can be cut in two.
    assert ccn.parse(text[:place] + blanks + text[place:]) == record


def check_read_or_refused(text: str) -> None:
    """Nothing but a record that is written and read again, or the error type with a known code."""
    record, error = None, None
    try:
        record = ccn.parse(text)
    except TextError as caught:
        error = caught
    if record is not None:
        assert ccn.parse(ccn.format(record)) == record
    else:
        assert error is not None
        assert error.code in ccn.CODES
        assert error.picture


@given(st.text() | st.text("0123456789WOBSLDTVXYZ,-/| \n"))
def test_any_text_is_read_or_refused(text: str) -> None:
    check_read_or_refused(text)


@given(setups(), st.data())
def test_a_spoiled_set_up_is_read_or_refused(record: Record, data: st.DataObject) -> None:
    text = list(ccn.format(record))
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(text) - 1))
        text[place] = data.draw(
            st.sampled_from(["", "7", "12", "-", ",", "/", "V", "T", "D", "\ufeff", "[", "é"])
        )
    check_read_or_refused("".join(text))


@pytest.mark.parametrize(
    "text",
    [
        "2" * 5000,
        "2/" + "W2" * 100_000,
        "2/W" + "2" * 100_000,
        f"{EXAMPLE}/" + "V0,-1,0Z0,0" * 50_000,
        "|" * 1_000_000,
        f"2/{ISLAND}/" + "T" * 100_000,
        f"{EXAMPLE}/V" + "9" * 100_000,
    ],
    ids=["players", "tiles", "number", "placements", "bars", "ports", "coordinate"],
)
def test_long_garbage_is_refused(text: str) -> None:
    with pytest.raises(TextError):
        ccn.parse(text)
