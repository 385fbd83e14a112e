"""Findings about players, pieces and robber: a table row for each rule, with the nearest legal position."""

import pytest

from ludograph.settlers import (
    BEGINNERS_ISLAND,
    Flag,
    MustMoveRobber,
    MustPlace,
    MustSteal,
    Piece,
    Terrain,
)
from tests.settlers.findings_cases import FIFTEEN, LATE, START, Case, corners, flags, sides, tile

CITY = LATE.replace_seat(1, villages=corners("d5s"), cities=corners("c3n"))
THIRD = LATE.replace_seat(1, villages=corners("c3n d5s d2n"))
ACROSS = LATE.replace_seat(1, roads=sides("d2w d6nw c6ne d5w c5ne c5nw"))
"""Player 1 has roads on both sides of player 2's village on c5n."""
BIGGER = BEGINNERS_ISLAND.replace(
    terrain={tile("d4"): Terrain.HILLS, tile("g4"): Terrain.HILLS},
    numbers={tile("d4"): 4, tile("g4"): 5},
    harbors=(),
)
"""Twenty tiles, none of them desert."""

PIECE_CASES: dict[str, Case] = {
    "a game for one": Case(
        Flag.PLAYER_COUNT, LATE.replace(seats=LATE.seats[:1]), LATE.replace(seats=LATE.seats[:2])
    ),
    "a game for nobody": Case(Flag.PLAYER_COUNT, START.replace(seats=()), START),
    "a road that touches no land": Case(
        Flag.PIECE_OFF_LAND,
        LATE.replace_seat(1, roads=sides("d2w c2ne d6nw")),
        LATE.replace_seat(1, roads=sides("d2w d2nw d6nw")),
    ),
    "a city on its own village": Case(
        Flag.CORNER_SHARED, CITY.replace_seat(1, villages=corners("c3n d5s")), CITY
    ),
    "two roads on one side": Case(Flag.SIDE_SHARED, LATE.replace_seat(1, roads=sides("d2w d2w d6nw")), LATE),
    "villages on neighbouring corners": Case(
        Flag.BUILDINGS_TOO_CLOSE, LATE.replace_seat(1, villages=corners("c3n d5s d1s")), THIRD
    ),
    "sixteen roads": Case(
        Flag.PIECES_OVERDRAWN,
        LATE.replace_seat(1, roads=(*FIFTEEN, *sides("f5nw"))),
        LATE.replace_seat(1, roads=FIFTEEN).replace(longest_road=1),
    ),
    "a village without a road": Case(
        Flag.BUILDING_WITHOUT_ROAD, LATE.replace_seat(1, villages=corners("c3n d5s f4n")), THIRD
    ),
    "a road on its own": Case(
        Flag.ROAD_WITHOUT_BUILDING,
        LATE.replace_seat(1, roads=sides("d2w d6nw b4nw")),
        LATE.replace_seat(1, roads=sides("d2w d6nw d6w")),
    ),
    "a road beyond another player's first village": Case(
        Flag.ROAD_WITHOUT_BUILDING,
        ACROSS,
        ACROSS.replace_seat(2, villages=corners("d3n c5n e2n"), roads=sides("e2w e2nw d4w")),
    ),
    "a third village far from the others": Case(
        Flag.NETWORKS_APART,
        LATE.replace_seat(1, villages=corners("c3n d5s f4n"), roads=sides("d2w d6nw f4ne")),
        THIRD,
    ),
    "no robber": Case(Flag.ROBBER_MISSING, LATE.replace(robber=None), LATE),
    "no robber after a knight": Case(
        Flag.ROBBER_MISSING,
        LATE.replace(island=BIGGER, robber=None).replace_seat(1, knights=1),
        LATE.replace(island=BIGGER, robber=None, must=MustMoveRobber()).replace_seat(1, knights=1),
    ),
    "the robber at sea": Case(Flag.ROBBER_OFF_LAND, LATE.replace(robber=tile("d1")), LATE),
    "the robber outside the island": Case(Flag.ROBBER_OFF_LAND, LATE.replace(robber=tile("z9")), LATE),
    "the robber off the desert before the first roll": Case(
        Flag.ROBBER_MOVED_EARLY,
        START.replace(robber=tile("e4")),
        START.replace(robber=tile("e4"), rolled=True),
    ),
    "a theft by a robber that never moved": Case(
        Flag.ROBBER_NOT_MOVED,
        START.replace(rolled=True, must=MustSteal()),
        START.replace(rolled=True, must=MustSteal(), robber=tile("c5")),
    ),
}


@pytest.mark.parametrize("name", PIECE_CASES)
def test_what_is_wrong_with_pieces_is_found(name: str) -> None:
    assert flags(PIECE_CASES[name].wrong.findings()) == {PIECE_CASES[name].flag}


@pytest.mark.parametrize("name", PIECE_CASES)
def test_the_nearest_legal_pieces_have_no_findings(name: str) -> None:
    assert PIECE_CASES[name].fine.findings() == ()


def test_the_village_just_placed_may_wait_for_its_road() -> None:
    waiting = START.replace(must=MustPlace((Piece.ROAD,))).replace_seat(1, roads=sides("d2w"))
    assert waiting.findings() == ()


def test_two_players_on_one_corner_are_both_named() -> None:
    position = LATE.replace_seat(2, villages=corners("d3n d5s"))
    (shared,) = [finding for finding in position.findings() if finding.flag is Flag.CORNER_SHARED]
    assert shared.message == "The corner d5s has two buildings, of players 1 and 2."
    assert shared.places == corners("d5s")
