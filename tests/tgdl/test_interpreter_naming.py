"""The names of things in moves: every name that a thing is told by is understood."""

import pytest

from ludograph.play import IllegalMove
from tests.tgdl.rules import game

FROGS = """
interactable frog placeable
{
  action hop
  {
    trigger on player choice;
    input pad to in tile.adjacent { to.frog == none }
    effect { move this to to; pass; }
  }
}
tile pad holds frog { }
board { group pond square around 3 by 3 names a1 { pad; } }
setup { move new frog { player = 0; } to pond[0][0]; move new frog { player = 1; } to pond[2][2]; }
"""


@pytest.mark.parametrize(
    "text",
    [
        "a3.hop(to: b2)",
        "frog#1.hop(to: b2)",
        "pond[0][0].hop(to: pond[1][1])",
        "pond.a3.hop(to: pond.b2)",
        "frog#1.hop(to: pad#5)",
        " a3 . hop ( to: b2 )",
    ],
)
def test_a_thing_in_a_move_goes_by_every_name_it_is_told_by(text: str) -> None:
    state = game(FROGS).new()
    assert state.why_not(text) is None
    state.push(text)
    # It is written in one way only.
    assert state.record.moves[0].text == "a3.hop(to: b2)"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("frog#2.hop(to: b2)", "c1 belongs to player 1, not to player 0"),
        ("frog#3.hop(to: b2)", "there is nothing called 'frog#3'"),
        ("frog#1.hop(to: frog#2)", "'frog#2' is not a value for 'to' that can be chosen now"),
        ("pond[0][1].hop(to: b2)", "pond[0][1] has no action 'hop' now"),
        ("frog#1.hop(to: pond[0][0])", "'pond[0][0]' is not a value for 'to' that can be chosen now"),
    ],
)
def test_another_name_means_no_other_thing(text: str, reason: str) -> None:
    state = game(FROGS).new()
    refusal = state.why_not(text, 0)
    assert refusal is not None and refusal.message.startswith(reason)
    with pytest.raises(IllegalMove):
        state.push(text, 0)


def test_a_state_goes_by_its_player_and_its_number() -> None:
    rules = """
    players 2 has seat;
    local state seat { decimal n = 0; action go { trigger on player choice; effect { n += 1; } } }
    action give { trigger on player choice; input seat s; effect { s.n += 1; } }
    """
    state = game(rules).new()
    for text in ("go", "seat#1.go", "seat[0].go", "give(s: seat[1])", "give(s: seat#2)"):
        state.push(text)
    assert [move.text for move in state.record.moves] == ["go"] * 3 + ["give(s: seat[1])"] * 2


def test_a_piece_with_an_action_of_its_tile_goes_only_by_its_own_name() -> None:
    rules = """
    interactable man placeable { action act { trigger on player choice; effect { pass; } } }
    tile cell { action act { trigger on player choice; require { this.column == 1 } effect { pass; } } }
    board { group row square 1 by 2 { cell; } }
    setup { move new man to row[0][0]; }
    """
    state = game(rules).new()
    assert state.why_not("man#1.act") is None
    assert state.why_not("row[0][0].act") is not None
    with pytest.raises(IllegalMove):
        state.push("row[0][0].act")


def test_a_candidate_goes_by_every_name_too() -> None:
    state = game(FROGS).new()
    for text, wanted in (("frog#1.hop", "a3.hop"), ("pond[1][1]", "b2")):
        choice = state.candidate(text)
        assert choice is not None and choice.text == wanted
        state.choose(choice)
    assert state.candidate("frog#1.hop") is None
    assert state.candidate("(") is None


def test_programs_tell_the_parts_of_an_action_apart_by_their_codes() -> None:
    parts = """
    action other { trigger on player choice; effect { pass; } }
    action add
    {
      trigger on player choice for small;
      trigger on player choice for big;
      effect for small { pass; }
      effect for big { pass; }
    }
    """
    codes = {move.text: move.choices[0].value for move in game(parts).new().legal_moves}
    assert codes == {"other": (0, -1, 0), "add.small": (1, -1, 0), "add.big": (1, -1, 1)}
