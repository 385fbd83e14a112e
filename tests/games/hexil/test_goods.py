"""Hexil: bank, deck, progress cards and trade (rows 18 to 27 and 37 of the rules)."""

import pytest

from ludograph.hexil import Facts, Match
from ludograph.play import IllegalMove
from ludograph.settlers import BANK, BuyCard, Cards, Goods, Pieces, PlaceRoad, Player, Trade, UsePlenty
from tests.games.hexil.tables import goods, hand, play, refusal, seat, table
from tests.places import side


def test_row_18_the_bank_is_finite() -> None:
    assert Match.new(players=4).position().bank == Goods(19, 19, 19, 19, 19)
    game = table(seat("f3s", "f4w"), seat("b6n", "b6ne", "O19"), rolled=False)
    play(game, "R(4+4)")
    assert hand(game, 1) == Goods()
    assert game.position().bank.ore == 0


def test_row_19_shortage_with_two_claimants_gives_nobody_that_kind() -> None:
    # An eight: f4 owes ore to both, of which one is left; b5 owes lumber to the first.
    game = table(seat("f3s b5n", "f4w b5ne"), seat("f4s", "f5nw", "O18"), rolled=False)
    play(game, "R(4+4)")
    assert hand(game, 1) == goods("L")
    assert hand(game, 2) == goods("O18")
    assert game.position().bank.ore == 1


def test_row_20_shortage_with_one_claimant_gives_what_is_left() -> None:
    game = table(seat("", "f4w", cities="f3s f4s"), seat("b6n", "b6ne", "O16"), rolled=False)
    play(game, "R(4+4)")
    assert hand(game, 1) == goods("O3")
    assert game.position().bank.ore == 0


def test_row_21_year_of_plenty_gives_two_of_any_kind() -> None:
    game = table(seat("d4n", "d4ne", cards=Cards(plenty=1)))
    assert len([action for action in game.legal_moves if isinstance(action, UsePlenty)]) == 15
    for formula in ("B", "LOW", "B3"):
        refusal(game, UsePlenty(goods(formula)))
    game.push("Uy(O2)")
    assert hand(game, 1) == goods("O2")


@pytest.mark.parametrize(
    "others, fine, wrong",
    [
        ("B19G19L19O19W18", "W", "W2"),
        ("B18G19L19O19W18", "BW", "W"),
        ("B19G19L19O18W18", "OW", "O2"),
        ("B19G19L19O19W17", "W2", "W"),
    ],
)
def test_row_21_fewer_only_if_the_bank_holds_fewer(others: str, fine: str, wrong: str) -> None:
    game = table(seat("d4n", "d4ne", cards=Cards(plenty=1)), seat("b6n", "b6ne", others))
    refusal(game, UsePlenty(goods(wrong)))
    game.push(UsePlenty(goods(fine)))
    assert hand(game, 1) == goods(fine)


def test_row_22_monopoly_takes_all_of_a_kind_from_all_others() -> None:
    seats = (
        seat("d4n", "d4ne", "WO", cards=Cards(monopoly=1)),
        seat("b6n", "b6ne", "O3W"),
        seat("f2n", "f2ne", "O2G"),
    )
    game = play(table(*seats), "Um(O)")
    assert [hand(game, player) for player in (1, 2, 3)] == [goods("O6W"), goods("W"), goods("G")]
    game = play(table(*seats), "Um(B)")
    assert [hand(game, player) for player in (1, 2, 3)] == [goods("OW"), goods("O3W"), goods("GO2")]


def test_row_23_road_building_gives_up_to_two_roads_and_the_second_may_extend_the_first() -> None:
    game = table(seat("d4n", "d4ne", cards=Cards(roads=1)))
    play(game, "Uo Pr(e4w)")
    assert PlaceRoad(side("d5ne")) in game.legal_moves
    game.push("Pr(d5ne)")
    assert game.phase() == "build"
    assert hand(game, 1) == Goods()
    refusal(game, "Pr(d5nw)")


def test_row_23_any_other_action_ends_it() -> None:
    game = table(seat("d4n", "d4ne", "GOW", cards=Cards(roads=1)))
    play(game, "Uo Pr(e4w) Bd")
    refusal(game, "Pr(d5ne)")
    play(table(seat("d4n", "d4ne", cards=Cards(roads=1))), "Uo E")


def test_row_23_playable_with_one_piece_left() -> None:
    roads = "d4ne e4w d5nw c5ne d4w d4nw e3w e3nw e2w d5ne d5w c5nw c4ne e4nw"
    game = table(seat("d4n", roads, cards=Cards(roads=1)))
    game.push("Uo")
    assert game.position().may_place == Pieces(road=1)
    game.push("Pr(e3ne)")
    assert game.phase() == "build"
    assert "no road left" in refusal(table(seat("d4n", f"{roads} e3ne", cards=Cards(roads=1))), "Uo")


def test_row_23_playable_with_one_legal_edge() -> None:
    # The corner d2n of the coast has two sides; behind both stands a village of the other.
    game = table(seat("d2n", "d2ne", cards=Cards(roads=1)), seat("d1s e1s", "d2w e2nw"))
    assert next(iter(play(game, "Uo").legal_moves)) == PlaceRoad(side("d2nw"))
    game.push("Pr(d2nw)")
    assert game.phase() == "build"


@pytest.mark.parametrize(
    "villages, give, fine",
    [
        ("d4n", "B4", True),
        ("d4n", "B3", False),
        ("d2n", "B3", True),  # the 3:1 harbor at d2nw
        ("d2n", "B4", False),
        ("b5n", "L3", False),  # the harbor at b5w is for brick
        ("a6n", "B2", True),
        ("a6n", "L4", True),
        ("a6n", "B3", False),
        ("a6n d2n", "B2", True),  # the best of both
    ],
)
def test_row_24_bank_trade_at_the_best_rate(villages: str, give: str, fine: bool) -> None:
    game = table(seat(villages, "d4ne", "B9L9"), seat("f4s", "f5nw"))
    trade = Trade(goods(give), goods("O"), BANK)
    assert (trade in game.legal_moves) is fine
    assert (trade in list(game.legal_moves)) is fine


def test_row_24_lots_may_be_bundled() -> None:
    game = table(seat("d2n", "d2ne", "B3L6"))
    game.push("T(B3L6)(GO2)0")
    assert hand(game, 1) == goods("GO2")
    game.pop()
    assert hand(game, 1) == goods("B3L6")
    for wrong in ("T(B3L6)(G2)0", "T(B3L3)(G3)0", "T(B2L4)(G2)0"):
        refusal(game, wrong)


def test_row_24_own_turn_after_the_roll_and_identical_cards() -> None:
    assert "roll the dice first" in refusal(table(seat("d4n", "d4ne", "B4"), rolled=False), "T(B4)(G)0")
    refusal(table(seat("d4n", "d4ne"), seat("b6n", "b6ne", "B4")), "T(B4)(G)0")
    refusal(table(seat("d4n", "d4ne", "B2L2")), "T(B2L2)(G)0")


def test_row_25_no_like_for_like_and_the_bank_must_hold_the_card() -> None:
    game = table(seat("d4n", "d4ne", "B5"), seat("b6n", "b6ne", "O19"))
    assert "not traded for itself" in refusal(game, "T(B4)(B)0")
    assert "the bank has no ore left" in refusal(game, "T(B4)(O)0")
    game.push("T(B4)(W)0")


def test_row_26_players_trade_only_with_the_active_player() -> None:
    game = table(seat("d4n", "d4ne", "B2"), seat("b6n", "b6ne", "O2"), seat("f2n", "f2ne", "W2"))
    state = game._executor.state
    ore, wool = "give: 0, give: 0, give: 0, give: 1, give: 0", "get: 0, get: 0, get: 0, get: 0, get: 1"
    with pytest.raises(IllegalMove):
        state.push(f"propose({ore}, {wool}, to: {{2}})", 1)
    refusal(game, Trade(goods("B"), goods("B"), Player(1)))
    game.push("T(B)(O)2")
    assert (hand(game, 1), hand(game, 2)) == (goods("BO"), goods("BO"))


def test_row_26_no_gifts() -> None:
    game = table(seat("d4n", "d4ne", "B2"), seat("b6n", "b6ne", "O2"))
    for give, take in (("", "O"), ("B", ""), ("", "")):
        assert "no gift" in refusal(game, Trade(goods(give), goods(take), Player(2)))
    assert "for itself" in refusal(game, Trade(goods("B2"), goods("BO"), Player(2)))


def test_row_27_both_sides_must_hold_the_cards() -> None:
    game = table(seat("d4n", "d4ne", "B"), seat("b6n", "b6ne", "O"))
    refusal(game, "T(B2)(O)2")
    assert "player 2 does not have the cards" in refusal(game, "T(B)(O2)2")
    assert "player 2 does not have the cards" in refusal(game, "T(B)(W)2")
    game.push("T(B)(O)2")


def test_row_37_the_deck() -> None:
    assert Match.new(players=4).facts().deck == Cards(knight=14, roads=2, monopoly=2, point=5, plenty=2)
    game = table(seat("d4n", "d4ne", "G2O2W2"), facts=Facts(deck=Cards(plenty=1)))
    assert str(game.push(BuyCard())) == "BuyCard(card=Card.PLENTY)"
    assert "no development card is left" in refusal(game, "Bd")


def test_row_37_the_deck_is_never_shuffled_again() -> None:
    game = table(seat("d4n", "d4ne", "GOW", cards=Cards(monopoly=1)), facts=Facts(deck=Cards()))
    game.push("Um(B)")
    assert "no development card is left" in refusal(game, "Bd")


def test_row_37_each_card_is_as_likely_as_it_is_frequent() -> None:
    game = table(seat("d4n", "d4ne", "GOW"), facts=Facts(deck=Cards(knight=3, point=1)))
    state = game._executor.state
    state.push("buy_card")
    assert {choice.text: str(share) for choice, share in state.outcomes()} == {
        "knight": "3/4",
        "point": "1/4",
    }
