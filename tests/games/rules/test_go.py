"""Go: what may not be played, and how the area is counted."""

import pytest

from ludograph.play import IllegalMove
from ludograph.tgdl.game.game import State
from tests.games.shipped import load

KO = "d4 e4 c5 f5 d6 e6 e5 d5"
"""White's last stone takes the one on e5."""


def played(points: str, komi: float = 7.5) -> State:
    state = load("go").new(options={"komi": komi})
    for point in points.split():
        state.push("stand" if point == "stand" else f"{point}.play")
    return state


def texts(state: State) -> list[str]:
    return [move.text for move in state.legal_moves]


def test_a_stone_without_a_liberty_is_taken() -> None:
    assert "a1.play" in texts(played("a2 a1 b1 e5"))


def test_a_ko_is_not_taken_back_at_once() -> None:
    state = played(KO)
    assert "e5.play" not in texts(state)
    with pytest.raises(IllegalMove, match="the position was there before"):
        state.push("e5.play")


def test_a_ko_is_taken_back_after_an_exchange_elsewhere() -> None:
    assert "e5.play" in texts(played(f"{KO} a1 a9"))


def test_a_stone_may_not_take_its_own_last_liberty() -> None:
    assert "a1.play" not in texts(played("a2 e5 b1"))


def test_a_stone_that_takes_may_go_where_it_has_no_liberty() -> None:
    # White's a1 and b1 have a last liberty on c1, black's on c1 would have none but for taking them.
    state = played("a2 a1 b2 b1 e5 c2 e6 d1")
    state.push("c1.play")
    assert {"a1.play", "b1.play"} <= set(texts(state))


def test_stones_and_what_only_they_surround_are_counted_and_the_komi() -> None:
    state = played("b1 i9 b2 stand a2 stand stand", komi=0.5)
    assert state.result is not None
    # Three stones and a1; the rest of the board touches both.
    assert state.result.payoffs == (4, 1.5)


def test_two_passes_on_an_empty_board_leave_the_komi() -> None:
    state = played("stand stand")
    assert state.result is not None
    assert state.result.payoffs == (0, 7.5)
