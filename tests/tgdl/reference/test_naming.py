"""Candidates by name and the codes of actions; `tests/language/moves` tests the names of things in moves."""

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
