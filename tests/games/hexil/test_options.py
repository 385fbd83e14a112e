"""Hexil: what can be played differently: points, discard limit, friendly robber, islands."""

import pytest

from ludograph.games import BadOption
from ludograph.hexil import Match
from ludograph.play import Generator
from ludograph.settlers import (
    BEGINNERS_ISLAND,
    Harbor,
    Hex,
    Island,
    MoveRobber,
    MustDiscard,
    MustMoveRobber,
    Player,
    Resource,
    Terrain,
)
from ludograph.settlers.places import FRAME
from tests.games.hexil.tables import play, refusal, seat, table
from tests.games.shipped import load
from tests.places import corner, side, tile


def test_the_points_that_win() -> None:
    assert play(table(seat("d4n b5n", "d4ne", "G2O3"), points=3), "Bc Pc(d4n)").winner() == 1
    assert play(table(seat("d4n b5n", "d4ne", "G2O3"), points=4), "Bc Pc(d4n)").winner() is None


def test_the_discard_limit() -> None:
    game = play(table(seat("d4n", "d4ne", "B9"), rolled=False, limit=9), "R(3+4)")
    assert game.position().must == MustMoveRobber()
    game = play(table(seat("d4n", "d4ne", "B6"), rolled=False, limit=5), "R(3+4)")
    assert game.position().must == MustDiscard((Player(1),))


def test_a_friendly_robber_spares_who_shows_two_points() -> None:
    seats = (seat("d4n", "d4ne"), seat("b6n", "b6ne", "O"), seat("f2n", "f2ne", "O", cities="e6n"))
    game = table(*seats, must=MustMoveRobber(), friendly=True)
    found = {action for action in game.legal_moves if isinstance(action, MoveRobber)}
    assert not found & {MoveRobber(tile(name)) for name in ("b6", "c5", "b5")}
    game.push("M(f2)")
    assert game.phase() == "steal"
    hostile = table(*seats, must=MustMoveRobber())
    hostile.push("M(b6)")
    assert hostile.phase() == "steal"


def test_a_friendly_robber_does_not_spare_its_mover() -> None:
    game = table(seat("d4n", "d4ne"), seat("b6n", "b6ne"), must=MustMoveRobber(), friendly=True)
    game.push("M(d3)")


def test_a_friendly_robber_with_nowhere_else_to_go_goes_anywhere_and_steals_nothing() -> None:
    island = Island.of(
        {Hex(0, 0): Terrain.DESERT, Hex(1, 0): Terrain.HILLS}, {Hex(1, 0): 6}, [Harbor(side("d4w"))]
    )
    position = table(seat("d4n", "d4ne"), seat("e4s", "e4w", "B")).position()
    start = position.replace(island=island, must=MustMoveRobber())
    game = Match.from_position(start, seed=1, friendly=True, lenient=True)
    game.push("M(e4)")
    assert game.phase() == "build"


def test_the_beginners_island_is_that_of_the_rule_book() -> None:
    assert Match.new(players=4, seed=3, beginners=True).position().island == BEGINNERS_ISLAND


def test_a_random_island_follows_from_its_seed() -> None:
    islands = [Match.new(players=3, seed=seed).position().island for seed in (1, 1, 2)]
    assert islands[0] == islands[1] != islands[2]


def test_an_option_out_of_range_is_refused() -> None:
    with pytest.raises(BadOption, match="points"):
        Match.new(points=2)


def test_any_island_of_the_frame_can_be_played() -> None:
    # Two islands, one with a harbor on its inner coast, all else sea.
    land = {
        Hex(-3, 3): Terrain.HILLS,
        Hex(-2, 2): Terrain.FIELDS,
        Hex(3, -3): Terrain.FOREST,
        Hex(2, -2): Terrain.DESERT,
    }
    island = Island.of(
        {place: land.get(place, Terrain.SEA) for place in FRAME},
        {Hex(-3, 3): 6, Hex(-2, 2): 8, Hex(3, -3): 5},
        [Harbor(side("c6w"), Resource.BRICK)],
    )
    game = Match.new(players=2, seed=1, island=island)
    # Two pairs of tiles that touch: twice ten corners.
    assert len(game.legal_moves) == 20
    assert game.position().island == island
    play(game, "Pv(a7n) Pr(a7ne)")
    assert "no such corner" in refusal(game, "Pv(d4n)")
    assert corner("a7n") in game.position().seats[0].villages


@pytest.mark.parametrize("shape, tiles", [(2**37 - 1, 37), (0b1111, 4)])
def test_islands_of_other_shapes_get_land_numbers_and_harbors_too(shape: int, tiles: int) -> None:
    state = load("hexil").new(players=2, options={"shape": shape})
    state.sample_chance(Generator(5))
    things = state.to_json()["instances"]
    assert isinstance(things, dict)
    land = [thing for name, thing in things.items() if name.startswith("island[")]
    assert len(land) == tiles
    deserts = [thing for thing in land if thing["yields"] is None]
    assert len(deserts) == -(-tiles // 19)
    assert all((thing["number"] is None) == (thing["yields"] is None) for thing in land)
    assert sum(thing["harbor"] for name, thing in things.items() if name.startswith("ways[")) >= tiles // 4
    assert things["table"]["robber"] is not None
