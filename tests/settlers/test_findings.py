"""Findings as a whole: the specification's own example, legal games, any position at all."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

from ludograph.geometry import Face, Hex, HexCorner, HexSide, Pole
from ludograph.settlers import (
    BEGINNERS_ISLAND,
    Cards,
    Finding,
    Flag,
    Goods,
    Harbor,
    Island,
    MustDiscard,
    MustMoveRobber,
    MustPlace,
    MustSteal,
    Piece,
    Pieces,
    Player,
    Position,
    Resource,
    Seat,
    Terrain,
    fresh_position,
)
from ludograph.settlers.findings import find_in_island
from tests.settlers.findings_cases import SEED, START, flags, sides, tile
from tests.settlers.findings_play import RandomGame
from tests.settlers.test_findings_hands import HAND_CASES
from tests.settlers.test_findings_island import ALSO_RAISED, CASES
from tests.settlers.test_findings_pieces import PIECE_CASES
from tests.settlers.test_findings_turn import TURN_CASES

# The example of the HSN specification


def seed_findings(flag: Flag) -> list[Finding]:
    return [finding for finding in SEED.findings() if finding.flag is flag]


def test_the_seed_has_three_nines_and_one_eight_and_f4_is_named() -> None:
    (finding,) = seed_findings(Flag.NUMBER_COUNTS)
    assert finding.places == (tile("f4"),)
    assert finding.message == (
        "Among the numbers are one 8 instead of two and three 9s instead of two;"
        " on f4 the beginner's island has 8."
    )


def test_the_seed_has_two_harbors_too_close() -> None:
    (finding,) = seed_findings(Flag.HARBORS_TOO_CLOSE)
    assert finding.places == sides("d2nw e2nw")


def test_the_seed_gives_the_longest_road_to_a_player_without_five() -> None:
    (finding,) = seed_findings(Flag.ROAD_TOO_SHORT)
    assert finding.message == "Player 1 has the longest road with 1 in a row: it takes five."


def test_the_seed_has_more_knights_than_its_turns_allow() -> None:
    assert [finding.message for finding in seed_findings(Flag.KNIGHTS_TOO_EARLY)] == [
        "Player 2 has played three knights, but by turn 2 it can have played none.",
        "Player 3 has played two knights, but by turn 2 it can have played none.",
    ]


def test_the_seed_has_nothing_else_but_what_turn_two_cannot_have_brought() -> None:
    assert flags(SEED.findings()) == {
        Flag.NUMBER_COUNTS,
        Flag.HARBORS_TOO_CLOSE,
        Flag.HARBOR_PLACES,
        Flag.ROAD_TOO_SHORT,
        Flag.KNIGHTS_TOO_EARLY,
        Flag.CARDS_TOO_EARLY,
        Flag.BUILT_TOO_EARLY,
        Flag.FREE_ROADS_TOO_EARLY,
        Flag.INCOME_EXCEEDED,
    }


# Legal positions


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_a_fresh_position_has_no_findings(players: int) -> None:
    assert fresh_position(BEGINNERS_ISLAND, players).findings(strict=True) == ()


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", range(8))
def test_no_step_of_a_set_up_has_findings(players: int, seed: int) -> None:
    for position in RandomGame(BEGINNERS_ISLAND, players, seed).play(turns=0):
        assert position.findings(strict=True) == (), position


@pytest.mark.parametrize("players", [2, 3, 4])
def test_no_moment_of_a_game_has_findings(players: int) -> None:
    for position in RandomGame(BEGINNERS_ISLAND, players, seed=players).play(turns=60):
        assert position.findings() == (), position


def test_a_position_before_the_first_roll_has_no_findings() -> None:
    assert START.findings(strict=True) == ()


# Any position at all

small = some.integers(-4, 5)
counts = some.integers(-2, 21) | some.integers()
cells = some.builds(Hex, small, small) | some.builds(Hex, some.integers(), some.integers())
corner_places = some.builds(HexCorner, cells, some.sampled_from(Pole))
side_places = some.builds(HexSide, cells, some.sampled_from(Face))
islands = some.just(BEGINNERS_ISLAND) | some.builds(
    Island,
    some.lists(some.tuples(cells, some.sampled_from(Terrain)), max_size=25).map(tuple),
    some.lists(some.tuples(cells, counts), max_size=12).map(tuple),
    some.lists(some.builds(Harbor, side_places, some.sampled_from((None, *Resource))), max_size=9).map(tuple),
)
goods = some.builds(Goods, counts, counts, counts, counts, counts)
cards = some.builds(Cards, counts, counts, counts, counts, counts)
players = some.integers(-1, 11).map(Player)
seats = some.builds(
    Seat,
    some.lists(corner_places, max_size=6).map(tuple),
    some.lists(corner_places, max_size=6).map(tuple),
    some.lists(side_places, max_size=20).map(tuple),
    goods,
    cards,
    counts,
)
duties = (
    some.none()
    | some.just(MustMoveRobber())
    | some.just(MustSteal())
    | some.builds(MustDiscard, some.lists(players, max_size=4).map(tuple))
    | some.builds(MustPlace, some.lists(some.sampled_from(Piece), max_size=3).map(tuple))
)
positions = some.builds(
    Position,
    islands,
    some.lists(seats, max_size=10).map(tuple),
    some.none() | cells,
    some.none() | players,
    some.none() | players,
    counts,
    some.booleans(),
    duties,
    cards,
    some.builds(Pieces, counts, counts, counts),
)


@given(positions, some.booleans())
def test_any_position_has_its_findings_and_always_the_same(position: Position, strict: bool) -> None:
    found = position.findings(strict=strict)
    assert found == position.findings(strict=strict)
    assert all(finding.message.endswith(".") and finding.message[0].isupper() for finding in found)


@given(islands)
def test_strict_findings_only_add_to_the_others(island: Island) -> None:
    assert set(find_in_island(island)) <= set(find_in_island(island, strict=True))


def test_findings_of_a_position_begin_with_those_of_its_island() -> None:
    island = find_in_island(SEED.island)
    assert SEED.findings()[: len(island)] == island


def test_numbers_that_python_refuses_to_write_are_found_all_the_same() -> None:
    huge = 10**5000
    position = START.replace(turn=-huge, longest_road=Player(huge)).replace_seat(1, goods=Goods(ore=huge))
    assert {Flag.TURN_BELOW_ONE, Flag.AWARD_HOLDER_UNKNOWN, Flag.BANK_OVERDRAWN} <= flags(position.findings())


# The flags


def test_every_flag_is_raised_by_a_case() -> None:
    cases = (*PIECE_CASES.values(), *HAND_CASES.values(), *TURN_CASES.values())
    raised = {flag for flag, _, _ in CASES.values()} | {case.flag for case in cases} | {*ALSO_RAISED}
    assert raised == set(Flag)


def test_the_names_of_flags_are_their_members_in_kebab_case() -> None:
    assert all(flag.value == flag.name.lower().replace("_", "-") for flag in Flag)


# The reference

REFERENCE = Path(__file__).resolve().parents[2] / "docs" / "notations.md"


def test_the_reference_has_a_row_for_every_flag_in_order() -> None:
    section = REFERENCE.read_text(encoding="utf-8").partition("\n## Findings\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `([a-z-]+)` \| (.+) \|$", section, re.MULTILINE)
    assert [flag for flag, _ in rows] == [flag.value for flag in Flag]
    assert len({meaning for _, meaning in rows}) == len(rows)
