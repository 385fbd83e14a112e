"""Hexil: offers between players, how they are answered and how they end."""

import pytest

from ludograph.hexil import (
    Accept,
    Agree,
    Counter,
    Decline,
    IllegalAction,
    Match,
    Offer,
    Refuse,
    Withdraw,
)
from ludograph.settlers import EndTurn, Player, Trade
from tests.games.hexil.tables import goods, hand, play, refusal, seat, table

ONE, TWO, THREE, FOUR = (Player(number) for number in (1, 2, 3, 4))


def market() -> Match:
    return table(
        seat("d4n", "d4ne", "B3L"),
        seat("b6n", "b6ne", "O2W"),
        seat("f2n", "f2ne", "OG"),
        seat("e6n", "e6nw"),
    )


def offered(*players: Player) -> Match:
    game = market()
    game.push(Offer(goods("B2"), goods("O"), players))
    return game


def hands(game: Match) -> list[str]:
    return [str(hand(game, player)) for player in (1, 2, 3, 4)]


def test_an_offer_asks_the_players_it_is_for_and_nobody_else() -> None:
    assert offered(TWO).asked == (TWO,)
    assert offered(FOUR, TWO).asked == (TWO, FOUR)
    refusal(market(), Offer(goods("B2"), goods("O"), (ONE,)))
    refusal(market(), Offer(goods("B2"), goods("O"), ()))


def test_the_first_who_accepts_gets_it() -> None:
    game = offered(TWO, THREE, FOUR)
    game.push(Accept(THREE))
    assert hand(game, 1) == goods("BLO")
    assert hand(game, 3) == goods("B2G")
    assert (game.asked, game.phase()) == ((ONE,), "build")
    refusal(game, Accept(TWO))


def test_who_cannot_pay_cannot_accept() -> None:
    assert "player 4 does not have the cards" in refusal(offered(TWO, THREE, FOUR), Accept(FOUR))


def test_an_offer_ends_when_all_have_refused() -> None:
    game = offered(TWO, THREE)
    game.push(Refuse(THREE))
    assert game.asked == (TWO,)
    game.push(Refuse(TWO))
    assert (game.asked, game.phase()) == ((ONE,), "build")
    assert hands(game) == hands(market())


def test_an_offer_ends_when_it_is_withdrawn() -> None:
    game = offered(TWO)
    game.push(Withdraw())
    assert (game.asked, game.phase()) == ((ONE,), "build")
    refusal(game, Accept(TWO))


def test_an_offer_ends_when_another_takes_its_place() -> None:
    game = offered(TWO)
    game.push(Offer(goods("L"), goods("G"), (THREE,)))
    assert game.asked == (THREE,)
    refusal(game, Accept(TWO))
    game.push(Accept(THREE))
    assert hand(game, 3) == goods("LO")


def test_an_offer_ends_with_the_turn() -> None:
    game = offered(TWO)
    game.push(EndTurn())
    assert (game.turn(), game.phase()) == (2, "roll")
    game.push("R(1+1)")
    refusal(game, Accept(THREE))


def test_nothing_else_is_done_while_an_offer_waits() -> None:
    game = offered(TWO)
    for action in ("Br", "R(1+1)", "Bd", "T(B3)(G)0"):
        refusal(game, action)


def test_an_answer_may_be_another_offer() -> None:
    game = offered(TWO, THREE)
    game.push(Counter(THREE, goods("G"), goods("L")))
    assert (game.asked, game.phase()) == ((ONE,), "consider")
    game.push(Agree())
    assert (hand(game, 1), hand(game, 3)) == (goods("B3G"), goods("LO"))
    assert game.phase() == "build"


def test_a_declined_answer_leaves_the_offer_to_the_others() -> None:
    game = offered(TWO, THREE)
    game.push(Counter(THREE, goods("G"), goods("L")))
    game.push(Decline())
    assert game.asked == (TWO,)
    game.push(Accept(TWO))
    assert hand(game, 2) == goods("B2OW")


def test_an_answer_promises_only_what_one_holds_and_is_no_gift() -> None:
    game = offered(TWO)
    refusal(game, Counter(TWO, goods("G"), goods("L")))
    assert "no gift" in refusal(game, Counter(TWO, goods("O"), goods("")))
    assert "for itself" in refusal(game, Counter(TWO, goods("OW"), goods("BO")))
    refusal(game, Counter(THREE, goods("G"), goods("L")))
    game.push(Counter(TWO, goods("O"), goods("G")))
    assert "player 1 does not have the cards" in refusal(game, Agree())
    game.push(Decline())
    assert game.phase() == "build"


def test_the_listed_offers_are_few_and_simple() -> None:
    game = market()
    listed = [action for action in game.legal_moves if isinstance(action, Offer)]
    # One or two bricks, or a lumber, for one card of another kind.
    assert len(listed) == 3 * 4
    assert all(offer.players == (TWO, THREE, FOUR) and offer.take.total == 1 for offer in listed)
    game.push(listed[0])
    for player in game.asked:
        game.push(Refuse(player))
    assert not [action for action in game.legal_moves if isinstance(action, Offer)]
    assert game.why_not(Offer(goods("B3L"), goods("O2W"), (TWO,))) is None, "but any may be made"


def test_the_listed_answers_are_few_and_simple() -> None:
    game = offered(TWO, FOUR)
    assert list(game.legal_moves) == [
        Accept(TWO),
        Refuse(TWO),
        *(Counter(TWO, goods("O"), goods(kind)) for kind in "BGLW"),
    ]
    assert list(game.legal_moves_of(FOUR)) == [Refuse(FOUR)]


def test_the_record_has_the_trades_that_came_about() -> None:
    game = offered(TWO, THREE)
    game.push(Counter(THREE, goods("G"), goods("L")))
    game.push(Agree())
    game.push(Offer(goods("B"), goods("W"), (TWO,)))
    game.push(Accept(TWO))
    assert game.record.actions == (
        Trade(goods("L"), goods("G"), THREE),
        Trade(goods("B"), goods("W"), TWO),
    )
    assert hands(play(market(), "T(L)(G)3 T(B)(W)2")) == hands(game)


def test_without_trade_between_players_there_are_no_offers() -> None:
    for trades, bank in (("bank_only", True), ("nobody", False)):
        game = table(seat("d4n", "d4ne", "B4"), seat("b6n", "b6ne", "O"), trades=trades)  # type: ignore[arg-type]
        assert "players do not trade" in refusal(game, "T(B)(O)2")
        assert (game.why_not("T(B4)(O)0") is None) is bank


def test_a_refused_trade_changes_nothing() -> None:
    game = market()
    with pytest.raises(
        IllegalAction, match=r"T\(B\)\(O2\)3 is not legal here: .*player 3 does not have the cards"
    ):
        game.push("T(B)(O2)3")
    assert (game.phase(), hands(game)) == ("build", hands(market()))
