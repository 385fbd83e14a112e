"""Why a move cannot be played."""

import pytest

from ludograph.play import IllegalMove
from tests.tgdl.rules import draft, game

# Why not


def test_a_refused_move_tells_which_require_refused_it_and_what_it_saw() -> None:
    rules = """
    global state t { decimal n = 3; }
    action go { trigger on player choice; require { t.n > 5 } effect { pass; } }
    action no { trigger on player choice; effect { pass; } }
    """
    refusal = game(rules).new().why_not("go")
    assert refusal is not None
    assert str(refusal) == "this is required: t.n > 5 (t.n is 3)"
    assert refusal.diagnostic is not None
    assert "t.n > 5" in refusal.diagnostic.picture()


def test_a_refused_value_tells_which_filter_refused_it() -> None:
    rules = "action go { trigger on player choice; input decimal n from 1 to 9 { n > 5 } effect { pass; } }"
    refusal = game(rules).new().why_not("go(n: 4)")
    assert refusal is not None
    assert str(refusal) == "'n' must pass: n > 5 (n is 4)"


def test_a_failure_gives_its_message() -> None:
    state = draft("go").new()
    for move in ("grid[0][1].play", "grid[8][8].play", "grid[1][0].play"):
        state.play(move)
    refusal = state.why_not("grid[0][0].play")
    assert refusal is not None
    assert refusal.message == "no liberty is left"


def test_a_legal_move_is_not_refused() -> None:
    assert draft("tictactoe").new().why_not("grid[0][0].mark") is None


@pytest.mark.parametrize(
    "text", ["", "nonsense", "grid[0][0].mark(x: 1)", "grid[9][9].mark", "((", "random(3)"]
)
def test_a_text_that_is_no_move_is_refused(text: str) -> None:
    with pytest.raises(IllegalMove):
        draft("tictactoe").new().play(text)
