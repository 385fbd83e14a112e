"""Why a move cannot be played."""

import re

import pytest

from ludograph.play import IllegalMove
from tests.tgdl.rules import SEALED_BIDS, draft, game

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
        state.push(move)
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
        draft("tictactoe").new().push(text)


TABLE = """
players 2 has seat;
enum kind { red, blue }
turn main
{
  phase build;
  phase trade;
  default { pass player + 1 to build; }
}
tile sq { decimal worth = 2; }
board { group row square { sq, sq, sq; sq, sq, sq; } }
interactable man placeable
{
  hidden decimal plan = 4;
  action walk
  {
    trigger on player choice in build;
    input sq to in tile.adjacent { to.worth > 1 }
    effect { move this to to; if to.worth == 7 fail "seven is too much: {to.worth}"; pass; }
  }
  action plot { trigger on player choice; require { plan > 5 and this.player == player } effect { pass; } }
}
local state seat
{
  private decimal gold = 3;
  decimal silver = 1;
  action buy { trigger on player choice in trade; effect { pass; } }
  action pay { trigger on player choice { silver > 1 } effect { pass; } }
  action spend
  {
    trigger on player choice;
    input decimal n from 1 to silver + 1;
    require { n + seat[player + 1].gold < seat[player + 1].silver and gold > 0 }
    effect { pass; }
  }
  action shout { trigger on player offturn; effect { silver += 0; } }
  action gather
  {
    trigger on player choice;
    input sq[] from_there from 1 to 2
    {
      filter sq s { s.worth < 9 }
      filter { from_there.sum(s: s.worth) > 3 }
    }
    effect { pass; }
  }
  action paint { trigger on player choice; input kind k; effect { pass; } }
}
action quiet { trigger on player choice; effect { pass; } }
action silence { trigger on player choice; effect { quiet.allowed = false; pass to build; } }
setup
{
  move new man { player = 0; } to row[0][0];
  move new man { player = 1; } to row[0][2];
  row[0][1].worth = 1;
}
"""


@pytest.mark.parametrize(
    ("move", "message", "seen"),
    [
        ("row[0][2].walk(to: row[0][1])", "row[0][2] belongs to player 1, not to player 0", {}),
        ("row[0][0].walk(to: row[0][1])", "'to' must pass: to.worth > 1", {"to.worth": "1"}),
        (
            "row[0][0].walk(to: row[0][2])",
            "'row[0][2]' is not a value for 'to' that can be chosen now: it is chosen from tile.adjacent",
            {},
        ),
        ("row[0][0].walk", "the move is not complete: 'to' is still to be chosen", {}),
        ("row[0][1].walk", "row[0][1] has no action 'walk' now", {}),
        ("row[9][9].walk", "there is nothing called 'row[9][9]'", {}),
        (
            "row[0][0].plot",
            "this is required: plan > 5 and this.player == player",
            {"this.player": "player 0"},
        ),
        ("buy", "'buy' is for the phase trade; this is build", {}),
        ("pay", "the trigger of 'pay' does not offer it now", {}),
        ("spend(n: 3)", "it goes from 1 to 2 in whole steps", {}),
        (
            "spend(n: 2)",
            "this is required: n + seat[player + 1].gold < seat[player + 1].silver and gold > 0",
            {"n": "2", "seat[player + 1].silver": "1", "gold": "3"},
        ),
        ("spend(m: 2)", "'n' is asked here, not 'm'", {}),
        ("gather(from_there: {})", "'from_there' needs at least 1, not 0", {}),
        (
            "gather(from_there: {row[0][1]})",
            "the list 'from_there' must pass: from_there.sum(s: s.worth) > 3",
            {},
        ),
        ("gather(from_there: {row[0][2], row[0][0], row[0][2]})", "is in 'from_there' already", {}),
        ("paint(k: green)", "'green' is not a value for 'k' that can be chosen now: there are red, blue", {}),
        ("fly", "'fly' is not an action to choose", {}),
        ("quiet(n: 1)", "the move is complete before '1'", {}),
        ("x)", "this is no move", {}),
    ],
)
def test_why_not_tells_what_stands_against_a_move(move: str, message: str, seen: dict[str, str]) -> None:
    state = game(TABLE).new()
    refusal = state.why_not(move, 0)
    assert refusal is not None
    assert message in refusal.message
    assert {name: value for name, value in refusal.seen if name in seen or name not in ALWAYS} == seen
    with pytest.raises(IllegalMove, match=re.escape(refusal.message)):
        state.push(move)


ALWAYS = {"from_there"}


def test_why_not_shows_what_an_effect_says() -> None:
    rules = TABLE.replace("row[0][1].worth = 1;", "row[0][1].worth = 7;")
    refusal = game(rules).new().why_not("row[0][0].walk(to: row[0][1])")
    assert refusal is not None and refusal.message == "seven is too much: 7"


def test_why_not_tells_that_a_player_is_not_asked_and_that_an_action_is_switched_off() -> None:
    state = game(TABLE).new()
    refusal = state.why_not("quiet", 1)
    assert refusal is not None and refusal.message == "player 1 is not asked now, but player 0"
    refusal = state.why_not("shout", 0)
    assert refusal is not None and "for players who are not asked" in refusal.message
    state.push("silence")
    refusal = state.why_not("quiet")
    assert refusal is not None and "switched it off" in refusal.message


def test_why_not_never_shows_what_the_asker_may_not_see() -> None:
    state = game(TABLE).new()
    refusal = state.why_not("spend(n: 2)", 0)
    assert refusal is not None
    assert "seat[player + 1].gold" not in dict(refusal.seen)
    refusal = state.why_not("row[0][0].plot", 0)
    assert refusal is not None and "plan" not in dict(refusal.seen)


def test_why_not_names_the_filter_even_when_it_leaves_nothing_to_choose() -> None:
    rules = TABLE.replace("row[0][1].worth = 1;", "row[0][1].worth = 1; row[1][0].worth = 0;")
    refusal = game(rules).new().why_not("row[0][0].walk(to: row[1][0])")
    assert refusal is not None and dict(refusal.seen) == {"to.worth": "0"}
    refusal = game(rules).new().why_not("row[0][0].walk")
    assert refusal is not None and refusal.message == "there is nothing to choose for 'to'"


def test_a_refusal_points_at_its_place() -> None:
    refusal = game(TABLE).new().why_not("row[0][0].walk(to: row[0][1])")
    assert refusal is not None and refusal.diagnostic is not None
    assert "to.worth > 1" in refusal.diagnostic.picture()


SECRETS = """
players 2 has seat;
interactable card stackable { decimal n; }
hidden stack deck of card { default { return { new card { n = 7; } }; } }
local state seat { private stack hand of card; private decimal secret = 0; decimal shown = 0; }
action take
{
  trigger on player choice;
  effect
  {
    seat[player].hand.push(deck.pop());
    seat[player].secret = 5;
    seat[player].shown = 6;
    pass;
  }
}
"""


def test_a_trace_for_readers_tells_only_what_all_of_them_may_see() -> None:
    state = game(SECRETS).new()
    everything = state.trace("take")
    assert "secret: 0 → 5" in everything and "pop card#1" in everything
    own = state.trace("take", (0,))
    assert "secret: 0 → 5" in own and "pop ? from deck" in own and "push card#1" in own
    for readers in ((1,), (0, 1)):
        others = state.trace("take", readers)
        assert "secret" not in others and "card#1" not in others and "shown: 0 → 6" in others


def test_a_trace_does_not_tell_what_a_simultaneous_phase_keeps() -> None:
    state = game(SEALED_BIDS).new()
    assert state.trace("bet(n: 2)", (1,)) == "?"
    assert "n: 2" in state.trace("bet(n: 2)", (0,))


def test_a_trace_tells_no_change_that_changes_nothing() -> None:
    rules = """
    global state t { decimal n = 1; decimal[3] row = 0; player who; }
    action go { trigger on player choice; effect { t.n = 1; t.row[1] = 0; t.who = none; t.row[2] = 4; } }
    """
    lines = game(rules).new().trace("go").splitlines()
    assert [line for line in lines if "→" in line] == ["    t.row: {0, 0, 0} → {0, 0, 4}"]
