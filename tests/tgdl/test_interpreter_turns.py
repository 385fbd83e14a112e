"""Turns on the reference engine: who is asked, who is stuck, what happens at the same time."""

import pytest

from ludograph.play import replay
from ludograph.tgdl.world.faults import Fault
from tests.tgdl.rules import game, played, texts, values

# Turns


def test_everybody_in_a_simultaneous_phase_chooses_before_anything_happens() -> None:
    rules = """
    players 3 has seat;
    global state t { decimal[] order = {}; }
    turn main
    {
      phase bid simultaneous asks players.all;
      phase rest;
      default { if phase == bid pass to rest; else pass player + 1 to bid; }
    }
    local state seat
    {
      action bet { trigger on player choice in bid; input decimal n from 1 to 3; effect { t.order.add(n); } }
      action next { trigger on player choice in rest; effect { pass; } }
    }
    """
    bidding = game(rules)
    state = bidding.new()
    state.push("bet(n: 2)")
    state.push(state.legal_moves_of(2)[0])
    assert (state.asked, values(state, "t")["order"]) == ((1,), [])
    assert state.view(1)["moves"] == ["0: ?", "2: ?"]
    assert bidding.from_bytes(state.to_bytes()) == state
    state.push("bet(n: 3)")
    assert (state.phase(), values(state, "t")["order"]) == ("rest", [2, 3, 1])
    assert state.view(1)["moves"] == ["0: bet(n: 2)", "2: bet(n: 1)", "1: bet(n: 3)"]


def test_what_a_simultaneous_phase_keeps_stays_hidden_whatever_others_do_meanwhile() -> None:
    rules = """
    players 3 has seat;
    global state t { decimal sum = 0; }
    turn main
    {
      phase bid simultaneous asks players.all.where(p: p != 2);
      phase rest;
      default { if phase == bid pass to rest; else pass player + 1 to bid; }
    }
    local state seat
    {
      decimal shouts = 0;
      action bet { trigger on player choice in bid; input decimal n from 1 to 3; effect { t.sum += n; } }
      action shout { trigger on player offturn in bid; input bool loud; effect { shouts += 1; } }
      action next { trigger on player choice in rest; effect { pass; } }
    }
    """
    state = game(rules).new()
    state.push("bet(n: 2)")
    state.push(state.legal_moves_of(2)[1])
    assert state.view(1)["moves"] == ["0: ?", "2: shout(loud: true)"]
    assert state.view(0)["moves"] == ["0: bet(n: 2)", "2: shout(loud: true)"]
    state.choose(state.candidates(1)[0])
    assert state.view(0)["moves"] == ["0: bet(n: 2)", "2: shout(loud: true)", "1: ?"]
    state.push("(n: 1)")
    assert state.view(1)["moves"] == ["0: bet(n: 2)", "2: shout(loud: true)", "1: bet(n: 1)"]
    state.pop()
    assert state.view(1)["moves"] == ["0: ?", "2: shout(loud: true)"]


ASKS = """
players 3 has seat;
turn main
{
  phase work;
  phase answer asks players.all.where(p: p != players.active);
  default { if phase == work pass to answer; else pass player + 1 to work; }
}
local state seat
{
  bool done = false;
  decimal shouts = 0;
  action ask { trigger on player choice in work; effect { for seat s in seat.all s.done = false; pass; } }
  action reply { trigger on player choice in answer; require { not done } effect { done = true; } }
  action shout { trigger on player offturn in answer; effect { shouts += 1; } }
}
"""


def test_those_asked_answer_in_any_order_and_others_only_offturn() -> None:
    state = game(ASKS).new()
    state.push("ask")
    assert (state.asked, texts(state), texts(state, 0)) == ((1, 2), ["reply"], ["shout"])
    state.push("shout")
    state.push(state.legal_moves_of(2)[0])
    assert state.asked == (1,)
    state.push("reply")
    assert (state.asked, state.phase()) == ((1,), "work")


def test_a_record_tells_apart_who_of_several_moved() -> None:
    rules = game(ASKS)
    state = rules.new()
    state.push("ask")
    state.push("reply", 2)
    again = replay(rules, state.record)
    assert (again.broken_at, again.state == state, again.state.asked) == (None, True, (1,))


def test_when_every_player_in_a_row_is_stuck_the_game_is_a_draw() -> None:
    rules = """
    global state t { decimal n = 0; }
    action go { trigger on player choice; require { t.n < 2 } effect { t.n += 1; pass; } }
    """
    state = game(rules).new()
    state.push("go")
    state.push("go")
    assert state.result is not None
    assert (state.result.text, state.asked) == ("draw", ())


STUCK_WITH_A_DIE = """
global state t { decimal die = 1; decimal lost = 0; }
action go { trigger on player choice; require { t.die > 3 } effect { t.die = 0; pass; } }
action lose { trigger on player stuck; effect { t.die = 0; t.lost += 1; pass; } }
turn main { phase throw { effect { if t.die == 0 t.die = random 6 + 1; } } default { pass player + 1; } }
"""


def test_who_does_something_about_being_stuck_does_not_count_as_stuck() -> None:
    state = game(STUCK_WITH_A_DIE).new()
    for die in (1, 2, 0):
        state.push(f"random({die})")
    assert (state.result, values(state, "t")["lost"]) == (None, 3)
    state.push("random(3)")
    assert texts(state) == ["go"]


def test_players_who_only_pass_when_stuck_are_stuck() -> None:
    rules = """
    global state t { decimal n = 0; }
    action go { trigger on player choice; require { t.n < 2 } effect { t.n += 1; pass; } }
    action give_up { trigger on player stuck; effect { pass; } }
    """
    state = game(rules).new()
    state.push("go")
    state.push("go")
    assert state.result is not None and state.result.text == "draw"


def test_an_asked_player_who_stays_stuck_is_not_asked_again() -> None:
    rules = """
    players 2 has seat;
    global state t { decimal told = 0; }
    turn main { phase answer asks players.all; phase rest; default { pass to rest; } }
    local state seat
    {
      action go { trigger on player choice in answer; require { player == 1 } effect { pass to rest; } }
      action on_and_on { trigger on player choice in rest; effect { pass player + 1 to rest; } }
      action shrug { trigger on player stuck; effect { t.told += 0; } }
    }
    """
    state = game(rules).new()
    assert (state.asked, state.phase()) == ((1,), "answer")


def test_who_is_out_is_never_asked_again() -> None:
    rules = """
    players 3;
    action leave
    {
      trigger on player choice;
      effect { out player; if players.in.length == 1 win players.in[0]; pass; }
    }
    """
    state = game(rules).new()
    state.push("leave")
    assert state.asked == (1,)
    state.push("leave")
    assert state.result is not None
    assert state.result.winners == (2,)


def test_use_turn_wins_over_a_phase_of_the_turn_that_it_leaves() -> None:
    rules = """
    turn one { phase a; phase b; default { pass player + 1 to b; } }
    turn two { phase c; phase d; default { pass to d; } }
    action go { trigger on player choice; effect { use turn two; pass; } }
    action jump { trigger on player choice; effect { use turn two; pass to d; } }
    """
    state = game(rules).new()
    state.push("go")
    assert (state.phase(), state.active()) == ("c", 1)
    state = game(rules).new()
    state.push("jump")
    assert (state.phase(), state.active()) == ("d", 0)


def test_a_phase_is_shown_by_its_name() -> None:
    rules = """
    turn one { phase a; phase b; default { if phase == a pass to b; else pass player + 1 to a; } }
    turn two { phase b; }
    global state t { phase last; phase[] seen = {}; }
    action go { trigger on player choice; effect { t.last = phase; t.seen.add(phase); pass; } }
    action stop { trigger on player choice; effect { fail "not in {phase}"; } }
    """
    phases = game(rules)
    state = phases.new()
    state.push("go")
    refusal = state.why_not("stop")
    assert refusal is not None and refusal.message == "not in one.b"
    state.push("go")
    assert values(state, "t") == {"last": "one.b", "seen": ["a", "one.b"]}
    things = state.view(0)["things"]
    assert isinstance(things, dict) and things["t"]["seen"] == ["a", "one.b"]
    assert phases.from_json(state.to_json()) == state


def test_a_fault_in_what_is_asked_next_is_one_of_the_move_that_led_there() -> None:
    rules = """
    global state t { decimal zero = 1; }
    action go { trigger on player choice; require { 1 / t.zero > 0 } effect { t.zero = 0; pass; } }
    """
    state = game(rules).new()
    with pytest.raises(Fault, match="divides by zero"):
        state.push("go")
    assert (values(state, "t")["zero"], texts(state)) == (1, ["go"])


def test_the_end_of_the_game_tells_who_has_the_greatest_payoff() -> None:
    rules = """
    global state t { player[] w = {}; }
    action go { trigger on player choice; effect { finish { 3, 7 }; } }
    action over { trigger on game end; effect { t.w = winners; } }
    """
    assert played(rules, "go")["w"] == [1]
