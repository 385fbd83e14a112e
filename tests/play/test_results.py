"""Who won, and what everybody gets."""

from ludograph.play.results import Ending, drawn_by, finished_with, won_by


def test_a_winner_takes_one_from_the_others() -> None:
    result = won_by((1,), 3)
    assert result.payoffs == (-0.5, 1.0, -0.5)
    assert result.text == "win 1"


def test_several_winners_share() -> None:
    assert won_by((0, 2), 4).payoffs == (0.5, -0.5, 0.5, -0.5)


def test_when_all_win_nobody_pays() -> None:
    assert won_by((0, 1), 2).payoffs == (0.5, 0.5)


def test_a_draw_of_all_gives_nothing() -> None:
    result = drawn_by((0, 1), 2)
    assert (result.payoffs, result.text) == ((0.0, 0.0), "draw")


def test_who_is_not_in_a_draw_has_lost() -> None:
    assert drawn_by((0, 1), 3).payoffs == (0.5, 0.5, -1.0)


def test_the_greatest_payoff_wins() -> None:
    result = finished_with((3.0, 7.5))
    assert (result.ending, result.winners, result.text) == (Ending.FINISH, (1,), "win 1")


def test_equal_greatest_payoffs_draw() -> None:
    result = finished_with((4.0, 4.0, 1.0))
    assert (result.winners, result.drawn, result.text) == ((), (0, 1), "draw 0, 1")
