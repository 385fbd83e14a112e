"""Hexil: the course of a turn, development cards, dice and robber (rows 8 to 17 of the rules)."""

import pytest

from ludograph.hexil import Facts, Match
from ludograph.settlers import (
    BuyCard,
    Card,
    Cards,
    Discard,
    Goods,
    Must,
    MustDiscard,
    MustMoveRobber,
    MustSteal,
    Player,
    Roll,
    Steal,
    UseKnight,
)
from tests.games.hexil.tables import goods, hand, play, refusal, seat, table
from tests.places import tile


def test_row_08_rolling_is_compulsory_and_only_a_card_may_come_before_it() -> None:
    game = table(seat("d4n", "d4ne e4w", "B4G4L4O4W4", cards=Cards(knight=1)), rolled=False)
    assert list(game.legal_moves) == [Roll(), UseKnight()]
    for action in ("E", "Bd", "Bv", "Bc", "Br", "T(B4)(G)0", "T(B)(G)2"):
        assert "roll the dice first" in refusal(game, action)
    game.push("R(1+1)")
    assert "rolled the dice already" in refusal(game, "R(1+1)")


def test_row_08_free_roads_before_the_roll_do_not_replace_it() -> None:
    game = table(seat("d4n", "d4ne", "B4G4L4O4W4", cards=Cards(roads=1)), rolled=False)
    play(game, "Uo Pr(e4w)")
    for action in ("E", "Bd", "Br", "T(B4)(G)0", "T(B)(G)2"):
        refusal(game, action)
    play(game, "R(1+1) E")


def test_row_09_at_most_one_development_card_a_turn() -> None:
    cards = Cards(knight=2, monopoly=1, plenty=1, roads=1)
    game = table(seat("d4n", "d4ne", cards=cards), rolled=False)
    play(game, "Uk M(b4)")
    for action in ("Uk", "Um(B)", "Uy(BG)", "Uo"):
        assert "played a development card this turn" in refusal(game, action)
    game.push("R(1+1)")
    for action in ("Uk", "Um(B)", "Uy(BG)", "Uo"):
        assert "played a development card this turn" in refusal(game, action)
    play(game, "E R(1+1) E R(1+1) Uk")


def test_row_09_a_card_may_be_played_after_the_roll() -> None:
    assert table(seat("d4n", "d4ne", cards=Cards(knight=1))).why_not("Uk") is None
    played = table(seat("d4n", "d4ne", cards=Cards(knight=1)), facts=Facts(card_played=True))
    assert "played a development card this turn" in refusal(played, "Uk")


def test_row_10_never_the_turn_it_was_bought() -> None:
    game = table(seat("d4n", "d4ne", "GOW"))
    assert game.push(BuyCard(Card.KNIGHT)) == BuyCard(Card.KNIGHT)
    assert refusal(game, "Uk") == "you bought this card this turn"
    play(game, "E R(1+1) E")
    game.push("Uk")


def test_row_11_victory_point_cards_count_at_once_and_are_shown_when_they_win() -> None:
    game = table(seat("d4n b5n", "d4ne b5ne", "GOW"), points=3)
    game.push(BuyCard(Card.POINT))
    assert game.winner() == 1
    assert game.scores() == (3, 1)
    assert game.view(2).seats[0].points == 3


def test_row_11_until_then_they_are_secret() -> None:
    game = table(seat("d4n", "d4ne", cards=Cards(point=1)))
    assert game.scores()[0] == 2
    assert game.view(2).seats[0].points == 1


def test_row_12_development_cards_do_not_count_for_discards() -> None:
    cards = Cards(knight=3, point=2)
    game = table(seat("d4n", "d4ne", "B7", cards=cards), rolled=False)
    game.push("R(3+4)")
    assert game.position().must == MustMoveRobber()


def test_row_12_development_cards_are_not_stolen() -> None:
    game = table(seat("d4n", "d4ne"), seat("b6n", "b6ne", cards=Cards(knight=2)), must=MustMoveRobber())
    game.push("M(b6)")
    assert game.phase() == "build"


def test_row_13_on_a_seven_everyone_with_eight_or_more_discards_half() -> None:
    game = table(
        seat("d4n", "d4ne", "B9"), seat("b6n", "b6ne", "G7"), seat("f2n", "f2ne", "L4O4"), rolled=False
    )
    game.push("R(3+4)")
    assert game.position().must == MustDiscard((Player(1), Player(3)))
    assert "discard first" in refusal(game, "M(b4)")
    for action in ("1D(B5)", "1D(B3)", "2D(G3)", "3D(B4)"):
        refusal(game, action)
    play(game, "3D(L3O) 1D(B4)")
    assert [hand(game, player) for player in (1, 2, 3)] == [goods("B5"), goods("G7"), goods("LO3")]
    assert game.phase() == "robber"


def test_row_13_a_discard_is_the_own_choice() -> None:
    game = table(seat("d4n", "d4ne", "B2G3L3"), must=MustDiscard((Player(1),)))
    found = set(game.legal_moves)
    expected = {
        Discard(Player(1), Goods(brick, grain, lumber))
        for brick in range(3)
        for grain in range(4)
        for lumber in range(4)
        if brick + grain + lumber == 4
    }
    assert found == expected


def test_row_14_a_knight_never_causes_discards() -> None:
    game = table(seat("d4n", "d4ne", "B12", cards=Cards(knight=1)), seat("b6n", "b6ne", "G12"))
    game.push("Uk")
    assert game.position().must == MustMoveRobber()


def test_row_15_the_robber_must_move_to_a_different_land_tile() -> None:
    game = table(seat("d4n", "d4ne"), robber="b4", must=MustMoveRobber())
    assert len(game.legal_moves) == 18
    refusal(game, "M(b4)")
    refusal(game, "M(d1)")
    assert game.why_not("M(d4)") is None, "the desert is allowed"


def test_row_16_steal_one_random_card_from_one_chosen_opponent() -> None:
    game = table(
        seat("d4n", "d4ne", "W"),
        seat("e4s", "e4w", "BO2"),
        seat("d5s", "d6nw", "G"),
        seat("f2n", "f2ne", "L3"),
        must=MustMoveRobber(),
    )
    game.push("M(d5)")
    assert list(game.legal_moves) == [Steal(Player(2)), Steal(Player(3))]
    assert "no building next to the robber" in refusal(game, "S?4")
    assert "chance cannot give wool" in refusal(game, "S(W)2")
    assert game.push("S?3") == game.pop()
    game.push("S(O)2")
    assert (hand(game, 1), hand(game, 2), game.phase()) == (goods("OW"), goods("BO"), "build")


def test_row_16_every_card_of_the_victim_is_as_likely_as_the_others() -> None:
    game = table(seat("d4n", "d4ne"), seat("e4s", "e4w", "BO2"), robber="d5", must=MustSteal())
    state = game._executor.state
    state.push("steal(victim: seat[1])")
    assert {choice.text: str(share) for choice, share in state.outcomes()} == {"brick": "1/3", "ore": "2/3"}


@pytest.mark.parametrize("others", ["", "the own"])
def test_row_16_nothing_if_there_is_nobody_to_rob(others: str) -> None:
    poor = seat("e4s", "e4w")
    game = table(seat("d5s" if others else "d4n", "d4ne", "B3"), poor, must=MustMoveRobber())
    game.push("M(d5)")
    assert game.phase() == "build"


def test_row_17_the_robber_blocks_that_tile_only() -> None:
    # Both b5 (lumber) and f4 (ore) have an eight.
    seats = (seat("b5n f3s", "b5ne f4w"), seat("b6n", "b6ne"))
    game = play(table(*seats, robber="b5", rolled=False), "R(4+4)")
    assert hand(game, 1) == goods("O")
    assert hand(game, 2) == Goods()
    game = play(table(*seats, robber="d4", rolled=False), "R(4+4)")
    assert (hand(game, 1), hand(game, 2)) == (goods("LO"), goods("L"))


def test_a_city_yields_two_cards() -> None:
    game = play(table(seat("", "b5ne", cities="b5n"), seat("f3s", "f4w"), rolled=False), "R(4+4)")
    assert (hand(game, 1), hand(game, 2)) == (goods("L2"), goods("O"))


def test_dice_are_two_with_six_faces_each() -> None:
    state = table(seat("d4n", "d4ne"), rolled=False)._executor.state
    state.push("roll")
    assert [str(share) for _, share in state.outcomes()] == ["1/6"] * 6
    state.choose(state.outcomes()[2][0])
    assert [str(share) for _, share in state.outcomes()] == ["1/6"] * 6


@pytest.mark.parametrize("must", [MustMoveRobber(), MustSteal(), MustDiscard((Player(2),))])
def test_a_duty_comes_before_everything_else(must: Must) -> None:
    game = table(seat("d4n", "d4ne", "B4G4L4O4W4"), seat("e4s", "e4w", "B9"), robber="d5", must=must)
    for action in ("E", "Bd", "Br", "Uk", "R(1+1)", "T(B4)(G)0", "T(B)(G)2"):
        refusal(game, action)
    assert isinstance(game, Match)
    assert game.position().robber == tile("d5")
