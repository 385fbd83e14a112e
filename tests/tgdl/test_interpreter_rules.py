"""The rules of the language on the reference engine: one small game a behaviour."""

import json

import pytest

from ludograph.play import CHANCE, IllegalMove
from ludograph.tgdl.game import State
from ludograph.tgdl.interpreter.faults import Fault
from tests.tgdl.rules import draft, game, texts, values

CARDS = """
interactable card stackable { decimal n; }
stack pile of card
{
  default { card[] all = {}; for decimal i from 1 to 4 all.add(new card { n = i; }); return all; }
}
global state t { decimal got = 0; }
"""


def played(rules: str, *moves: str, thing: str = "t") -> dict[str, object]:
    """The attributes of `t` after some moves."""
    state = game(rules).new()
    for move in moves:
        state.play(move)
    return values(state, thing)


# Inputs


def test_a_set_of_elements_is_one_move_whatever_its_order() -> None:
    rules = (
        CARDS
        + "action two { trigger on player choice; input card[] cs from 2 to 2 in pile; effect { pass; } }"
    )
    assert len(texts(game(rules).new())) == 6


def test_a_sequence_counts_every_order() -> None:
    rules = (
        CARDS + "action two { trigger on player choice; input card[] cs from 2 to 2 sequence in pile;"
        " effect { pass; } }"
    )
    assert len(texts(game(rules).new())) == 12


def test_the_list_filter_only_rules_where_one_may_stop() -> None:
    rules = CARDS + (
        "action five { trigger on player choice;"
        " input card[] cs in pile { filter { return cs.sum(c: c.n) == 5; } }"
        " effect { t.got = cs.length; pass; } }"
    )
    assert texts(game(rules).new()) == ["five(cs: {card#1, card#4})", "five(cs: {card#2, card#3})"]
    assert played(rules, "five(cs: {card#2, card#3})")["got"] == 2


def test_an_optional_input_offers_none_last() -> None:
    rules = CARDS + (
        "action some { trigger on player choice; optional input card c in pile { c.n > 3 }"
        " effect { if c == none t.got = -1; else t.got = c.n; pass; } }"
    )
    assert texts(game(rules).new()) == ["some(c: card#4)", "some(c: none)"]
    assert played(rules, "some(c: none)")["got"] == -1


def test_what_would_fail_is_never_offered() -> None:
    rules = (
        "global state t { decimal got = 0; }"
        " action pick { trigger on player choice; input decimal a from 1 to 3;"
        ' effect { input decimal b from 1 to 3; if a + b != 3 fail "no"; t.got = a; pass; } }'
    )
    state = game(rules).new()
    assert texts(state) == ["pick(a: 1, b: 2)", "pick(a: 2, b: 1)"]
    state.choose(state.candidates()[0])
    assert [choice.text for choice in state.candidates()] == ["1", "2"]
    with pytest.raises(IllegalMove, match="no"):
        state.play("(a: 1, b: 1)")


def test_an_answer_of_another_player_ends_the_move() -> None:
    rules = (
        "global state t { decimal got = 0; } action ask { trigger on player choice;"
        " effect { input bool yes player (player + 1); if yes t.got = 1; pass; } }"
    )
    state = game(rules).new()
    assert texts(state) == ["ask"]
    state.play("ask")
    assert (state.choosers, texts(state)) == ((1,), ["(yes: false)", "(yes: true)"])
    state.play("(yes: true)")
    assert values(state, "t")["got"] == 1


# Triggers

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


def test_triggers_run_before_at_once_and_after_by_priority() -> None:
    assert played(EVENTS, "go")["seen"] == [500, 1, 400, 100, 2, 300, 200, 600]


def test_a_trace_shows_a_transaction_as_a_tree() -> None:
    lines = game(EVENTS).new().trace("go").splitlines()
    assert lines[:3] == ["go", "  action go", "    action called"]
    assert "    t.x: 0 → 5" in lines


def test_a_trigger_cycle_runs_out_of_fuel_and_names_the_chain() -> None:
    rules = (
        "global state t { decimal x = 0; } action go { trigger on player choice; effect { t.x += 1; pass; } }"
        " action again { trigger on t.x change fast; effect { t.x += 1; } }"
    )
    state = game(rules, fuel=5000).new()
    before = state.to_bytes()
    with pytest.raises(Fault) as caught:
        state.play("go")
    assert caught.value.code in ("TG0506", "TG0507")
    assert "again" in caught.value.picture()
    assert state.to_bytes() == before


# Failing and cancelling

CANCELS = """
global state t { decimal a = 0; decimal b = 0; decimal c = 0; }
action one { trigger on player choice; effect { t.a += 1; t.b = 7; pass; } }
action watch { trigger on t.b change; effect { t.c = 5; cancel "no"; } }
action two { trigger on player choice; effect { t.a += 10; inner(); pass; } }
action inner { effect { t.c = 3; if t.a > 0 cancel all "stop"; } }
action three sequence
{
  trigger on player choice;
  effect for A { t.a = 100; cancel A "undo"; }
  effect for B { t.c = 100; }
  effect { pass; }
}
"""


@pytest.mark.parametrize(
    ("move", "expected"),
    [
        ("one", {"a": 1, "b": 7, "c": 0}),
        ("two", {"a": 10, "b": 0, "c": 0}),
        ("three", {"a": 0, "b": 0, "c": 100}),
    ],
)
def test_cancel_undoes_its_action_or_effect_and_nothing_else(move: str, expected: dict[str, object]) -> None:
    assert played(CANCELS, move) == expected


def test_a_choice_of_effects_offers_those_whose_requires_hold() -> None:
    rules = """
    global state t { decimal a = 0; }
    action pick choice 2
    {
      trigger on player choice;
      require for C { t.a == 0 }
      effect for A { t.a += 1; }
      effect for B { t.a += 10; }
      effect for C { t.a += 100; }
      effect { pass; }
    }
    """
    state = game(rules).new()
    assert texts(state) == [
        "pick(effect: A, effect: B)",
        "pick(effect: A, effect: C)",
        "pick(effect: B, effect: C)",
    ]
    state.play("pick(effect: B, effect: C)")
    assert (values(state, "t")["a"], texts(state)) == (110, ["pick(effect: A, effect: B)"])


FAULTS = """
global state t { decimal a = 0; decimal r = 1 from 0 to 5; t other; decimal[] l = {}; }
tile sq holds man { }
interactable man placeable { }
board { group grid square 2 by 2 { sq; } }
verb deep(decimal n) { if n < 0 return 0; return deep(n + 1) + 1; }
action divide { trigger on player choice; effect { t.a = 1 / t.a; pass; } }
action power { trigger on player choice; effect { t.a = 10 ^ 400; pass; } }
action nothing { trigger on player choice; effect { t.a = t.other.a; pass; } }
action range { trigger on player choice; effect { t.r = 9; pass; } }
action index { trigger on player choice; effect { t.a = t.l[0 - 1]; pass; } }
action recursion { trigger on player choice; effect { deep(0); } }
action full { trigger on player choice; effect { move new man to grid[0][0]; move new man to grid[0][0]; } }
action huge { trigger on player choice; effect { t.l = { 1 }; while true t.l.append(t.l); } }
action endless { trigger on player choice; effect { while true t.a = 1; } }
action nobody
{
  trigger on player choice;
  effect { decimal[player] w = 0; player p = random weights w; pass; }
}
"""


@pytest.mark.parametrize(
    ("move", "code"),
    [
        ("divide", "TG0502"),
        ("power", "TG0503"),
        ("nothing", "TG0501"),
        ("range", "TG0508"),
        ("index", "TG0504"),
        ("recursion", "TG0507"),
        ("full", "TG0509"),
        ("huge", "TG0505"),
        ("endless", "TG0506"),
        ("nobody", "TG0511"),
    ],
)
def test_a_fault_has_a_code_a_place_and_changes_nothing(move: str, code: str) -> None:
    state = game(FAULTS, fuel=100_000).new()
    before = state.to_bytes()
    with pytest.raises(Fault) as caught:
        state.play(move)
    assert caught.value.code == code
    assert f"in action {move}" in caught.value.picture()
    assert state.to_bytes() == before


def test_a_failure_after_chance_is_a_fault_and_never_rolled_again() -> None:
    rules = (
        "action roll { trigger on player choice;"
        ' effect { decimal x = random 2; if x == 1 fail "bad luck"; pass; } }'
    )
    state = game(rules).new()
    state.play("roll")
    assert len(state.outcomes()) == 2
    with pytest.raises(Fault, match="bad luck") as caught:
        state.play("random(1)")
    assert caught.value.code == "TG0512"
    assert state.choosers == (CHANCE,)


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
    state.play("bet(n: 2)")
    state.play(state.moves(2)[0])
    assert (state.choosers, values(state, "t")["order"]) == ((1,), [])
    assert state.view(1)["moves"] == ["0: ?(n: ?)", "2: ?(n: ?)"]
    assert bidding.from_bytes(state.to_bytes()) == state
    state.play("bet(n: 3)")
    assert (state.phase, values(state, "t")["order"]) == ("rest", [2, 3, 1])
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
    state.play("bet(n: 2)")
    state.play(state.moves(2)[1])
    assert state.view(1)["moves"] == ["0: ?(n: ?)", "2: shout(loud: true)"]
    assert state.view(0)["moves"] == ["0: bet(n: 2)", "2: shout(loud: true)"]
    state.choose(state.candidates(1)[0])
    assert state.view(0)["moves"] == ["0: bet(n: 2)", "2: shout(loud: true)", "1: ?"]
    state.play("(n: 1)")
    assert state.view(1)["moves"] == ["0: bet(n: 2)", "2: shout(loud: true)", "1: bet(n: 1)"]
    state.undo()
    assert state.view(1)["moves"] == ["0: ?(n: ?)", "2: shout(loud: true)"]


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
    state.play("ask")
    assert (state.choosers, texts(state), texts(state, 0)) == ((1, 2), ["reply"], ["shout"])
    state.play("shout")
    state.play(state.moves(2)[0])
    assert state.choosers == (1,)
    state.play("reply")
    assert (state.choosers, state.phase) == ((1,), "work")


def test_when_every_player_in_a_row_is_stuck_the_game_is_a_draw() -> None:
    rules = """
    global state t { decimal n = 0; }
    action go { trigger on player choice; require { t.n < 2 } effect { t.n += 1; pass; } }
    """
    state = game(rules).new()
    state.play("go")
    state.play("go")
    assert state.result is not None
    assert (state.result.text, state.choosers) == ("draw", ())


STUCK_WITH_A_DIE = """
global state t { decimal die = 1; decimal lost = 0; }
action go { trigger on player choice; require { t.die > 3 } effect { t.die = 0; pass; } }
action lose { trigger on player stuck; effect { t.die = 0; t.lost += 1; pass; } }
turn main { phase throw { effect { if t.die == 0 t.die = random 6 + 1; } } default { pass player + 1; } }
"""


def test_who_does_something_about_being_stuck_does_not_count_as_stuck() -> None:
    state = game(STUCK_WITH_A_DIE).new()
    for die in (1, 2, 0):
        state.play(f"random({die})")
    assert (state.result, values(state, "t")["lost"]) == (None, 3)
    state.play("random(3)")
    assert texts(state) == ["go"]


def test_players_who_only_pass_when_stuck_are_stuck() -> None:
    rules = """
    global state t { decimal n = 0; }
    action go { trigger on player choice; require { t.n < 2 } effect { t.n += 1; pass; } }
    action give_up { trigger on player stuck; effect { pass; } }
    """
    state = game(rules).new()
    state.play("go")
    state.play("go")
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
    assert (state.choosers, state.phase) == ((1,), "answer")


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
    state.play("leave")
    assert state.choosers == (1,)
    state.play("leave")
    assert state.result is not None
    assert state.result.winners == (2,)


# Things

FAMILY = """
players 2 has hero;
local state hero
{
  decimal hp = 10;
  verb power() { return 1; }
  action hit
  {
    trigger on player choice;
    input hero other { other != this }
    effect { other.hp -= power(); pass; }
  }
}
local state boss : hero
{
  override verb power() { return base.power() + 4; }
  override action hit { effect { base(other: other); hp += 1; } }
}
action promote { trigger on player choice; effect { boss.assign_to(player); pass; } }
"""


def test_overrides_replace_and_base_reaches_what_they_replace() -> None:
    state = game(FAMILY).new()
    state.play("promote")
    state.play("hit(other: hero[0])")
    state.play("boss.hit(other: hero[1])")
    assert (values(state, "hero#1")["hp"], values(state, "hero#2")["hp"]) == (9, 5)
    assert state.to_json()["new"] == [{"@is": "boss", "@player": 0, "hp": 11}]


def test_an_action_can_be_switched_off_for_one_thing() -> None:
    rules = """
    tile sq { action take { trigger on player choice; effect { this.take.allowed = false; pass; } } }
    board { group grid square 1 by 2 { sq; } }
    """
    state = game(rules).new()
    state.play("grid[0][0].take")
    assert texts(state) == ["grid[0][1].take"]


BOARD = """
tile sq { }
interactable man placeable
{
  action walk { trigger on player choice; input sq to in tile.adjacent; effect { move this to to; pass; } }
}
board { group grid square sides { sq, sq, b; sq, b, sq; } }
global state t { decimal added = 0; decimal removed = 0; }
action grow { trigger on player choice; require { grid[0][2] == none } effect { grid.add(sq, 0, 2); pass; } }
action shrink
{
  trigger on player choice;
  require { grid[0][2] != none }
  effect { grid.remove(grid[0][2]); pass; }
}
action cut
{
  trigger on player choice;
  effect { unlink grid[0][0] <-> grid[0][1]; link grid[0][0] -> 4 grid[1][2]; pass; }
}
action seen { trigger on grid tile added; effect { t.added += 1; } }
action gone { trigger on grid tile removed; effect { t.removed += 1; } }
setup { move new man { player = 0; } to grid[0][0]; }
"""


def walks(state: State) -> list[str]:
    return [text.partition("to: ")[2].rstrip(")") for text in texts(state, 0) if "walk" in text]


def test_boards_grow_shrink_and_change_their_links_in_play() -> None:
    rules = game(BOARD)
    state = rules.new()
    assert walks(state) == ["grid[0][1]", "grid[1][0]"]
    state.play("grow")
    assert rules.from_bytes(state.to_bytes()) == state
    assert rules.from_json(json.dumps(state.to_json())) == state
    state.play("cut")
    assert walks(state) == ["grid[1][0]", "grid[1][2]"]
    state.play("shrink")
    assert values(state, "t") == {"added": 1, "removed": 1}


def test_a_tile_made_in_play_gets_the_entry_that_its_tables_were_declared_with() -> None:
    rules = """
    tile sq { }
    tile rock : sq { }
    board { group grid square { sq, sq, rock; } }
    global state t
    {
      decimal[sq] heat = 3;
      decimal[player][sq] paths = 1;
      bool[sq] seen;
      decimal got = 0;
      sq hottest;
    }
    verb total() { decimal[sq] own = 2; return own.sum(); }
    action grow { trigger on player choice; effect { t.heat[grid[0][1]] = 9; grid.add(sq, 1, 0); pass; } }
    action warm
    {
      trigger on player choice;
      input sq s;
      effect { t.heat[s] += 10; t.paths[1][s] = 7; t.got = total(); t.hottest = t.heat.find(13); pass; }
    }
    """
    grown = game(rules)
    state = grown.new()
    state.play("grow")
    state.play("warm(s: grid[1][0])")
    assert values(state, "t") == {
        "heat": [3, 9, 3, 13],
        "paths": [[1, 1, 1, 1], [1, 1, 1, 7]],
        "seen": [None] * 4,
        "got": 8,
        "hottest": "sq#3",
    }
    assert grown.from_bytes(state.to_bytes()) == state
    assert grown.from_json(json.dumps(state.to_json())) == state
    state.undo()
    state.undo()
    assert values(state, "t")["heat"] == [3, 3, 3]


# Secrets


def test_a_view_has_no_hand_but_the_players_own() -> None:
    state = draft("eights").new(players=3, seed=4)
    view = json.loads(json.dumps(state.view(0)))
    things = view["things"]
    assert things["seat.hand#1"]["length"] == things["seat.hand#2"]["length"] == 5
    assert "cards" in things["seat.hand#1"]
    assert "cards" not in things["seat.hand#2"]
    assert "cards" not in things["deck"]
    assert sum(name.startswith("card#") for name in things) == 6


def test_cards_dealt_to_others_show_as_question_marks() -> None:
    state = draft("eights").new(players=3, seed=4)
    dealt = state.view(0)["moves"]
    assert isinstance(dealt, list)
    assert dealt[0].count("?") == 10


def test_a_public_verb_publishes_what_it_gives() -> None:
    state = draft("hexil").new(players=2, seed=1)
    things = state.view(0)["things"]
    assert isinstance(things, dict)
    assert things["seat#2"]["held()"] == 0
    assert "hand" not in things["seat#2"]


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


# Configurations


def test_options_are_checked_and_change_the_game() -> None:
    assert draft("liarsdice").new(options={"dice": 2}, seed=1).record.options == (("dice", 2.0),)
    for options in ({"dice": 9}, {"dice": "two"}, {"nothing": 1}, {"dice": None}):
        with pytest.raises(ValueError, match="option"):
            draft("liarsdice").new(options=options)
    with pytest.raises(ValueError, match="players"):
        draft("liarsdice").new(players=9)


def test_a_named_setup_runs_after_the_unnamed_one() -> None:
    rules = """
    global state t { decimal a = 0; }
    action go { trigger on player choice; effect { pass; } }
    setup { effect { t.a = 1; } effect for more { t.a += 10; } }
    """
    assert values(game(rules).new(), "t")["a"] == 1
    assert values(game(rules).new(setup="more"), "t")["a"] == 11
    with pytest.raises(Fault, match="no setup"):
        game(rules).new(setup="other")


def test_cancel_of_an_effect_that_comes_later_leaves_it_out() -> None:
    rules = """
    global state t { decimal a = 0; decimal b = 0; }
    action go sequence
    {
      trigger on player choice;
      effect { cancel B "not this"; pass; }
      effect for A { t.a = 1; }
      effect for B { t.b = 1; }
    }
    """
    assert played(rules, "go") == {"a": 1, "b": 0}


def test_cancel_of_an_effect_that_has_run_undoes_it_and_keeps_what_the_others_did() -> None:
    rules = """
    tile sq { }
    interactable man placeable { }
    board { group row square { sq, sq, sq; } }
    global state t { decimal a = 0; decimal b = 0; decimal seen = 0; man m; }
    setup { t.m = new man; move t.m to row[0][0]; }
    action noticed { trigger on man movement; effect { t.seen += 1; } }
    action go sequence
    {
      trigger on player choice;
      effect for A { input decimal n from 1 to 2; t.a += 5 * n; move t.m to row[0][1]; }
      effect for B { input decimal k from 1 to 2; t.a += k; }
      effect for C { if t.a > 5 { cancel A "too much"; t.b = t.a; } }
      effect { t.b += 100; pass; }
    }
    """
    expected = {"a": 2, "b": 100, "seen": 1, "m": "man#1"}
    assert played(rules, "go(n: 2, k: 2)") == expected
    state = game(rules).new()
    state.play("go(n: 1, k: 2)")
    assert state.view(0)["moves"] == ["0: go(n: 1, k: 2)"]
    things = state.view(0)["things"]
    assert isinstance(things, dict) and things["man#1"]["at"] == "row[0][0]"


def test_cancel_reaches_an_effect_of_an_earlier_phase() -> None:
    rules = """
    global state t { decimal a = 0; decimal b = 0; }
    verb stop_it() { cancel A "from a verb"; }
    action go
    {
      trigger on player choice;
      phase first sequence { effect for A { t.a = 1; } effect { t.b += 1; } }
      phase second { effect { stop_it(); t.b += 10; pass; } }
    }
    action other { trigger on player choice; effect { stop_it(); t.b = 3; pass; } }
    """
    assert played(rules, "go") == {"a": 0, "b": 11}
    assert played(rules, "other") == {"a": 0, "b": 3}


@pytest.mark.parametrize("form", ["cancel", "cancel all"])
def test_cancel_undoes_the_triggers_of_its_action_too(form: str) -> None:
    rules = f"""
    global state t
    {{
      decimal before = 0; decimal fast = 0; decimal after = 0; decimal x = 0; decimal y = 0;
    }}
    action go {{ trigger on player choice; effect {{ t.y = 1; inner(); t.y += 1; pass; }} }}
    action inner {{ effect {{ t.x = 1; {form} "no"; }} }}
    action early {{ trigger on inner call before; effect {{ t.before += 1; }} }}
    action at_once {{ trigger on inner call fast; effect {{ t.fast += 1; }} }}
    action at_change {{ trigger on t.x change fast; effect {{ t.fast += 1; }} }}
    action late {{ trigger on inner call after; effect {{ t.after += 1; }} }}
    """
    assert played(rules, "go") == {"before": 0, "fast": 0, "after": 0, "x": 0, "y": 2}


def test_simultaneous_effects_ask_everything_before_any_takes_effect() -> None:
    rules = """
    global state t { decimal a = 0; decimal b = 0; }
    action go simultaneous
    {
      trigger on player choice;
      effect for A { t.a = 1; if t.b == 0 { input decimal n from 0 to t.a; t.a += n; } }
      effect for B { t.b = t.a; input decimal k from 0 to 1 + t.a; t.b += 10 * k; }
      effect { pass; }
    }
    """
    assert texts(game(rules).new()) == [f"go(n: {n}, k: {k})" for n in (0, 1) for k in (0, 1)]
    assert played(rules, "go(n: 1, k: 1)") == {"a": 2, "b": 12}


STEPS = """
players 2 has seat;
global state t { decimal[] log = {}; decimal x = 0; }
turn main
{
  phase a { effect { t.log.add(1); } }
  phase b { input seat[] seats all; effect { t.log.add(10 + seats.length); } }
  default { if phase == a pass to b; else pass player + 1 to a; }
}
local state seat
{
  visible to { player } { decimal secret = 3; }
  action go { trigger on player choice; effect { pass; } }
  action steps
  {
    trigger on player choice in a;
    require for A { t.x == 0 }
    require { A }
    phase first { effect { t.x = 1; t.log.add(500); } }
    phase second { require { t.x == 1 } effect { t.log.add(501); pass; } }
  }
}
action named
{
  trigger on t.x change for A;
  trigger { A }
  effect for A { t.log.add(700); }
  effect { t.log.add(702); }
}
action started { trigger on game start; effect { t.log.add(100); } }
action turned { trigger on main activation; effect { t.log.add(200); } }
action entered { trigger on b active; effect { t.log.add(300); } }
action ended { trigger on game end; effect { t.log.add(900 + winners.length); } }
action stop { trigger on player choice; effect { win player; } }
"""


def test_phases_of_turns_and_actions_run_with_their_events() -> None:
    state = game(STEPS).new()
    assert values(state, "t")["log"] == [1, 100]
    state.play("go")
    assert values(state, "t")["log"] == [1, 100, 12, 300]
    state.play("go")
    assert values(state, "t")["log"] == [1, 100, 12, 300, 1, 200]
    state.play("steps")
    assert values(state, "t")["log"][6:] == [500, 501, 700, 702, 12, 300]  # type: ignore[index]
    assert "steps" not in texts(state)
    state.play("stop")
    assert values(state, "t")["log"][-1] == 901  # type: ignore[index]


def test_a_rule_of_its_own_says_who_sees_an_attribute() -> None:
    state = game(STEPS).new()
    mine, theirs = (state.view(player)["things"]["seat#2"] for player in (1, 0))  # type: ignore[index]
    assert mine["secret"] == 3
    assert "secret" not in theirs


def test_a_group_may_fill_itself_by_options() -> None:
    rules = """
    option decimal n = 3 from 1 to 5;
    tile land { }
    board { group isle hex row { default { for decimal i from 0 to n - 1 add(land, i, i); } } }
    action go { trigger on player choice; input land at; effect { pass; } }
    """
    assert texts(game(rules).new(options={"n": 2})) == ["go(at: isle[0][0])", "go(at: isle[1][1])"]


def test_stacks_tell_when_cards_are_drawn_put_and_shuffled() -> None:
    rules = CARDS + (
        "stack waste of card; global state log { decimal[] seen = {}; }"
        " action go { trigger on player choice; effect { pile.shuffle(); card c = pile.draw(player);"
        " waste.push(c); waste.reshuffle(pile); pass; } }"
        " action a { trigger on pile draw fast; effect { log.seen.add(1); } }"
        " action b { trigger on card drawn fast; effect { log.seen.add(2); } }"
        " action c { trigger on pile shuffle fast; effect { log.seen.add(3); } }"
        " action d { trigger on waste put fast; effect { log.seen.add(4); } }"
        " action e { trigger on waste reshuffle fast; effect { log.seen.add(5); } }"
    )
    state = game(rules).new()
    state.play("go")
    assert [choice.text for choice, _ in state.outcomes()] == ["card#1", "card#2", "card#3", "card#4"]
    state.play("random(card#3)")
    assert values(state, "log")["seen"] == [3, 1, 2, 4, 5]
    assert values(state, "waste")["@shuffled"] == ["card#1", "card#2", "card#3", "card#4"]
