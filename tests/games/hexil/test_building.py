"""Hexil: the set-up, and where pieces may stand (rows 1 to 7 and 40 of the rules)."""

import pytest

from ludograph.hexil import Match
from ludograph.settlers import Flag, Goods, MustPlace, Piece, PlaceRoad, PlaceVillage
from tests.games.hexil.tables import hand, play, refusal, seat, table
from tests.hexil.random_games import ODD_SHAPE
from tests.places import corner, side

PUT_VILLAGE = MustPlace((Piece.VILLAGE,))
PUT_ROAD = MustPlace((Piece.ROAD,))


def test_row_01_set_up_in_snake_order_and_only_the_second_village_yields() -> None:
    game = Match.new(players=3, beginners=True)
    turns = []
    for placement in (
        *("Pv(d4n) Pr(d4ne)", "Pv(b5n) Pr(b5ne)", "Pv(f3s) Pr(f4w)"),
        *("Pv(d6n) Pr(d6nw)", "Pv(c3n) Pr(c3ne)", "Pv(d2n) Pr(d2ne)"),
    ):
        turns.append(game.turn())
        play(game, placement)
        if len(turns) == 3:
            assert [hand(game, player) for player in (1, 2, 3)] == [Goods()] * 3
    assert turns == [1, 2, 3, 3, 2, 1]
    assert (game.turn(), game.phase()) == (1, "roll")
    # d2n lies at one tile, c3n at two, d6n at three; d4n gave nothing.
    assert [hand(game, player) for player in (1, 2, 3)] == [
        Goods(ore=1),
        Goods(grain=1, ore=1),
        Goods(grain=1, wool=2),
    ]


def test_row_01_a_village_at_the_desert_yields_nothing_for_it() -> None:
    game = play(Match.new(players=2, beginners=True), "Pv(b5n) Pr(b5ne) Pv(f3s) Pr(f4w) Pv(d4n) Pr(d4ne)")
    assert hand(game, 2) == Goods(brick=1, wool=1)


def test_row_02_a_set_up_road_touches_the_village_just_placed() -> None:
    game = play(Match.new(players=2, beginners=True), "Pv(d4n) Pr(d4ne) Pv(b5n) Pr(b5ne) Pv(c3n)")
    assert "must touch the village" in refusal(game, "Pr(b5nw)")
    assert "must touch the village" in refusal(game, "Pr(c5w)")
    assert list(game.legal_moves) == [PlaceRoad(side(name)) for name in ("d2w", "c3ne", "c3nw")]


def test_row_03_distance_rule_in_the_set_up_too() -> None:
    game = play(Match.new(players=2, beginners=True), "Pv(d4n) Pr(d4ne)")
    for name in ("d4n", "e3s", "d3s", "e2s"):
        assert refusal(game, f"Pv({name})") in (
            "there is a building already",
            "another building is one side away",
        )
    assert PlaceVillage(corner("d5n")) in game.legal_moves
    later = table(seat("d4n", "d4ne e4w"), must=PUT_VILLAGE)
    assert "one side away" in refusal(later, "Pv(e3s)")
    later.push("Pv(d5n)")


def test_row_03_a_city_keeps_its_distance_as_a_village_does() -> None:
    game = table(seat("", "d4ne e4w", cities="d4n"), must=PUT_VILLAGE)
    assert "one side away" in refusal(game, "Pv(e3s)")


def test_row_04_later_villages_need_an_own_road_to_the_corner() -> None:
    game = table(seat("d4n", "d4ne e4w"), seat("b6n", "b6ne c6w"), must=PUT_VILLAGE)
    assert "no road of yours" in refusal(game, "Pv(f2n)")
    assert "no road of yours" in refusal(game, "Pv(b7n)")
    game.push("Pv(d5n)")


def test_row_04_a_village_with_no_corner_for_it_is_not_bought() -> None:
    assert "no corner on your roads" in refusal(table(seat("d4n", "d4ne", "BGLW")), "Bv")


def test_row_05_a_road_joins_an_own_road_or_building() -> None:
    game = table(seat("d4n", "d4ne"), must=PUT_ROAD)
    found = set(game.legal_moves)
    assert found == {PlaceRoad(side(name)) for name in ("e3w", "d4nw", "e4nw", "e4w")}


def test_row_05_a_road_never_passes_through_the_building_of_another() -> None:
    game = table(seat("d4n", "d4ne e4w"), seat("d5n", "d5w"), must=PUT_ROAD)
    assert "the building of another player is between" in refusal(game, "Pr(d5ne)")
    assert "the building of another player is between" in refusal(game, "Pr(d5nw)")
    game.push("Pr(e4nw)")


FIFTEEN = "d4ne e4w d5nw c5ne d4w d4nw e3w e3nw e2w d5ne d5w c5nw c4ne e4nw e3ne"


def test_row_06_fifteen_roads_are_all() -> None:
    game = table(seat("d4n", FIFTEEN, "BL"))
    assert "no road left" in refusal(game, "Br")
    assert table(seat("d4n", FIFTEEN.removesuffix(" e3ne"), "BL")).why_not("Br") is None


def test_row_06_five_villages_are_all_and_upgrading_returns_one() -> None:
    game = table(seat("d4n b5n c3n f3s d6n", "d4ne e4w", "BG3LO3W"))
    assert "no village left" in refusal(game, "Bv")
    play(game, "Bc Pc(b5n) Bv Pv(d5n)")


def test_row_06_four_cities_are_all() -> None:
    game = table(seat("d6n", "d6nw", "G2O3", cities="d4n b5n c3n f3s"))
    assert "no city left" in refusal(game, "Bc")


def test_row_06_a_city_needs_an_own_village() -> None:
    game = table(seat("d4n", "d4ne", "G2O3"), seat("b6n", "b6ne"))
    game.push("Bc")
    assert "no village there" in refusal(game, "Pc(b6n)")
    game.push("Pc(d4n)")
    assert "no village that could become a city" in refusal(
        table(seat("", "d4ne", "G2O3", cities="d4n")), "Bc"
    )


def test_row_07_a_village_may_be_built_and_upgraded_in_the_same_turn() -> None:
    game = table(seat("d4n", "d4ne e4w", "BG3LO3W"))
    play(game, "Bv Pv(d5n) Bc Pc(d5n)")
    assert hand(game, 1) == Goods()
    assert game.scores()[0] == 3


@pytest.mark.parametrize("price, purchase", [("BGLW", "Bv"), ("G2O3", "Bc"), ("BL", "Br"), ("GOW", "Bd")])
def test_what_is_bought_costs_what_the_rules_say(price: str, purchase: str) -> None:
    game = table(seat("d4n", "d4ne e4w", price))
    game.push(purchase)
    assert hand(game, 1) == Goods()
    for missing in set(price) & set("BGLOW"):
        poorer = price.replace(missing, "", 1) if "2" not in price else price.replace("2", "")
        assert "you need" in refusal(table(seat("d4n", "d4ne e4w", poorer)), purchase)


def test_row_40_sixes_and_eights_are_never_neighbors() -> None:
    for seed in range(8):
        island = Match.new(players=2, seed=seed).position().island
        flags = {finding.flag for finding in Match.new(players=2, seed=seed).position().findings(strict=True)}
        assert Flag.RED_NUMBERS_ADJACENT not in flags
        assert not flags & {Flag.TERRAIN_COUNTS, Flag.NUMBER_COUNTS, Flag.HARBOR_KINDS, Flag.HARBOR_PLACES}
        assert len(island.land) == 19


def test_row_40_strict_numbers_are_never_beside_their_equals() -> None:
    for seed in range(8):
        flags = {
            finding.flag
            for finding in Match.new(players=2, seed=seed, strict=True).position().findings(strict=True)
        }
        assert not flags & {Flag.RED_NUMBERS_ADJACENT, Flag.EQUAL_NUMBERS_ADJACENT, Flag.NUMBER_COUNTS}


@pytest.mark.parametrize("shape", [ODD_SHAPE, 2**37 - 1])
def test_row_40_holds_on_larger_islands_too(shape: int) -> None:
    for seed in range(3):
        usual, strict = (
            Match.new(2, seed, shape=shape, strict=strict).position() for strict in (False, True)
        )
        assert Flag.RED_NUMBERS_ADJACENT not in {finding.flag for finding in usual.findings()}
        flags = {finding.flag for finding in strict.findings(strict=True)}
        assert not flags & {Flag.RED_NUMBERS_ADJACENT, Flag.EQUAL_NUMBERS_ADJACENT}
