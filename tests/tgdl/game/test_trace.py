"""Traces of what has been done: with chance, in parts, and only what the readers may see."""

from ludograph.tgdl.game.game import State
from tests.tgdl.rules import SEALED_BIDS, game

ROLL = """
global state t { decimal n = 0; decimal m = 0; }
action roll { trigger on player choice; effect { t.n = 1; t.m = random 6; t.n = 5; pass; } }
action hear { trigger on t.n change { new == 5 } effect { t.m += 100; } }
goal never { require { t.n == 9 } effect { win player; } }
"""

ANSWERED = """
players 2 has seat;
local state seat { decimal n = 0; private decimal secret = 0; }
action ask
{
  trigger on player choice;
  input decimal k from 1 to 3;
  effect
  {
    seat[player].n = k;
    seat[player].secret = random 6;
    input bool again player + 1;
    if again seat[player].n = 7;
    pass;
  }
}
"""


def traced(state: State, move: str, *readers: int) -> list[list[str]]:
    before = state.copy()
    state.push(move)
    return [tree.splitlines() for tree in state.traced_since(before, readers)]


def test_a_trace_of_what_was_done_goes_on_behind_chance() -> None:
    state = game(ROLL).new(seed=1)
    ((*lines,),) = traced(state, "roll")
    thrown = state.record.moves[-1].text.removeprefix("random(").removesuffix(")")
    assert lines == [
        "roll",
        "  action roll",
        "    t.n: 0 → 1",
        f"    random: {thrown}",
        f"    t.m: 0 → {thrown}",
        "    t.n: 1 → 5",
        "    action hear",
        f"      t.m: {thrown} → 10{thrown}",
        "  pass player 1",
    ]


def test_chance_that_is_still_open_is_not_foretold() -> None:
    assert game(ROLL).new(seed=1).trace("roll").splitlines() == ["roll", "  action roll", "    t.n: 0 → 1"]


def test_an_answer_in_the_middle_tells_only_what_is_new() -> None:
    state = game(ANSWERED).new(seed=1)
    assert traced(state, "ask(k: 2)")[0][1:4] == ["  action ask", "    k: 2", "    seat[0].n: 0 → 2"]
    assert traced(state, "(again: true)") == [
        ["(again: true)", "  action ask", "    again: true", "    seat[0].n: 2 → 7", "  pass player 1"]
    ]


def test_what_chance_gives_is_told_to_those_who_may_see_it() -> None:
    for readers, is_told in (((0,), True), ((1,), False), ((0, 1), False)):
        state = game(ANSWERED).new(seed=1)
        ((*lines,),) = traced(state, "ask(k: 2)", *readers)
        assert ("    random: ?" not in lines) is is_told
        assert any("secret" in line for line in lines) is is_told


def test_chance_of_its_own_has_a_tree_of_its_own() -> None:
    state = game(ROLL).new()
    state.push("roll")
    assert traced(state, "random(3)")[0][:4] == [
        "random(3)",
        "  action roll",
        "    random: 3",
        "    t.m: 0 → 3",
    ]


def test_a_player_who_is_stuck_is_told_of() -> None:
    rules = """
    players 2;
    global state t { decimal n = 0; }
    action go { trigger on player choice; require { player == 0 } effect { pass; } }
    action wait { trigger on player stuck; effect { t.n += 1; pass; } }
    """
    assert traced(game(rules).new(), "go") == [
        [
            "go",
            "  action go",
            "  pass player 1",
            "  player 1 is stuck",
            "    action wait",
            "      t.n: 0 → 1",
            "  pass player 0",
        ]
    ]


def test_what_a_simultaneous_phase_keeps_is_told_when_all_have_chosen() -> None:
    state = game(SEALED_BIDS).new()
    assert traced(state, "bet(n: 2)", 1) == [["?"]]
    ((*lines,),) = traced(state, "bet(n: 3)", 1)
    assert "    seat[0].bid: 0 → 2" in lines and "    seat[1].bid: 0 → 3" in lines


def test_what_the_last_of_a_simultaneous_phase_brings_about_is_told_to_all() -> None:
    whole = ["  action bet", "    n: 2", "    seat[0].bid: 0 → 2"]
    whole += ["  action bet", "    n: 3", "    seat[1].bid: 0 → 3", "  pass player 1 to bid"]
    for readers in ((0,), (0, 1)):
        state = game(SEALED_BIDS).new()
        before = traced(state, "bet(n: 2)", *readers)
        assert before == ([["?"]] if len(readers) > 1 else [["bet(n: 2)", "  action bet", "    n: 2"]])
        ((title, *lines),) = traced(state, "bet(n: 3)", *readers)
        assert (title, lines) == ("bet(n: 3)", whole)


def test_a_stack_of_a_state_is_named_as_the_rules_name_it() -> None:
    rules = """
        players 2 has purse;
        interactable coin stackable;
        local state purse { stack owned of coin; }
        action pay { trigger on player choice; effect { purse[1].owned.push(new coin); } }
    """
    ((*lines,),) = traced(game(rules).new(), "pay")
    assert "    push coin#1 on purse[1].owned" in lines


def test_a_trial_of_the_last_choice_of_a_simultaneous_phase_shows_no_choice_of_others() -> None:
    state = game(SEALED_BIDS).new()
    state.push("bet(n: 2)")
    assert state.trace("bet(n: 3)", readers=(1,)).splitlines() == ["bet(n: 3)", "  action bet", "    n: 3"]
    assert state.trace("bet(n: 3)", readers=(0, 1)) == "bet(n: 3)"
    assert "    seat[0].bid: 0 → 2" in state.trace("bet(n: 3)").splitlines()


def test_sealed_choices_are_open_only_when_their_transaction_has_ended() -> None:
    rules = """
    players 2 has seat;
    turn main { phase bid simultaneous asks players.all; }
    local state seat
    {
      decimal bid = 0;
      action bet { trigger on player choice; input decimal n from 1 to 3; effect { bid = n + random 2; } }
    }
    """
    state = game(rules).new()
    state.push("bet(n: 2)")
    assert traced(state, "bet(n: 3)", 1) == [["bet(n: 3)", "  action bet", "    n: 3"]]
    assert traced(state, "random(1)", 1) == [["random(?)"]]
    ((*lines,),) = traced(state, "random(0)", 1)
    assert lines[1:3] == ["  action bet", "    n: 2"]
    assert {"    seat[0].bid: 0 → 3", "    seat[1].bid: 0 → 3"} <= {*lines}


EVENTS = """
global state t { decimal[] seen = {}; decimal x = 0; decimal y = 0; }
action go { trigger on player choice; effect { t.seen.add(1); t.x = 5; t.seen.add(2); t.x = 5; pass; } }
action at_once { trigger on t.x change fast { old < 3 } effect { t.seen.add(100 + old); } }
action later { trigger on t.x change; effect { t.seen.add(200); t.y += 1; } }
action first priority 5 { trigger on t.x change; effect { t.seen.add(300); } }
action sooner { trigger on t.x change before; effect { t.seen.add(400 + t.x); } }
action called { trigger on go call before; effect { t.seen.add(500); } }
action chain { trigger on t.y change; effect { t.seen.add(600); } }
"""


def test_a_trace_shows_a_transaction_as_a_tree() -> None:
    lines = game(EVENTS).new().trace("go").splitlines()
    assert lines[:3] == ["go", "  action go", "    action called"]
    assert "    t.x: 0 → 5" in lines
