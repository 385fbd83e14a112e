"""Actions on the reference engine: triggers, failing, cancelling, faults."""

import pytest

from ludograph.play import CHANCE
from ludograph.text import Source
from ludograph.tgdl import compile_source
from ludograph.tgdl.game import reference_history
from ludograph.tgdl.game.game import Game
from ludograph.tgdl.world.faults import Fault
from tests.tgdl.rules import game, played, texts, values

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
        state.push("go")
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
    state.push("pick(effect: B, effect: C)")
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
action range { trigger on player choice; effect { t.r = 9 + t.a; pass; } }
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
        state.push(move)
    assert caught.value.code == code
    assert f"in action {move}" in caught.value.picture()
    assert state.to_bytes() == before


def test_a_failure_after_chance_is_a_fault_and_never_rolled_again() -> None:
    rules = (
        "action roll { trigger on player choice;"
        ' effect { decimal x = random 2; if x == 1 fail "bad luck"; pass; } }'
    )
    state = game(rules).new()
    state.push("roll")
    assert len(state.outcomes()) == 2
    with pytest.raises(Fault, match="bad luck") as caught:
        state.push("random(1)")
    assert caught.value.code == "TG0512"
    assert state.asked == (CHANCE,)


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
    expected = {"a": 2, "b": 100, "seen": 0, "m": "man#1"}
    assert played(rules, "go(n: 2, k: 2)") == expected
    state = game(rules).new()
    state.push("go(n: 1, k: 2)")
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


def test_before_comes_before_the_thing_happens_whatever_it_is() -> None:
    rules = """
    players 2 has seat;
    local state seat { }
    local state crown { }
    tile sq { }
    interactable card stackable { }
    stack deck of card { default { return new card[3]; } }
    stack bin of card;
    board { group row square { sq, sq; } }
    global state t { decimal[] seen = {}; }
    action a { trigger on crown attach before; effect { t.seen.add(crown.all.length); } }
    action b { trigger on card drawn before; effect { t.seen.add(deck.length); } }
    action c { trigger on bin put before; effect { t.seen.add(bin.length); } }
    action d { trigger on board tile added before; effect { t.seen.add(row.tiles.length); } }
    action e { trigger on board tile added; effect { t.seen.add(row.tiles.length); } }
    action go
    {
      trigger on player choice;
      effect { 0 has crown; deck.draw(0); deck.discard_to(bin); row.add(sq, 0, 2); pass; }
    }
    """
    assert played(rules, "go")["seen"] == [0, 3, 0, 2, 3]


def test_chance_is_never_asked_where_rules_only_look() -> None:
    rules = """
    interactable card stackable { decimal n; }
    stack deck of card { default { return { new card { n = 1; }, new card { n = 2; } }; } }
    global state t { decimal[] l = { 1, 2 }; decimal n = 0; }
    verb top() { return deck.top.n; }
    action go { trigger on player choice; effect { deck.shuffle(); t.n = t.l.count(x: BODY == x); pass; } }
    """
    for body in ("deck.top.n", "top()"):
        with pytest.raises(Fault, match="shuffled"):
            game(rules.replace("BODY", body)).new().push("go")


def test_a_fault_about_none_shows_where_it_was_used_and_what_held_it() -> None:
    rules = """
    tile sq { decimal worth; sq far; }
    board { group row square { sq; } }
    global state t { decimal n = 0; }
    action add { trigger on player choice; effect { t.n = 1 + row[0][0].worth; pass; } }
    action reach { trigger on player choice; effect { t.n = row[0][0].far.worth; pass; } }
    """
    for move, held in (("add", "'worth' of sq held it"), ("reach", "'far' of sq held it")):
        with pytest.raises(Fault) as caught:
            game(rules).new().push(move)
        assert caught.value.code == "TG0501"
        assert [words for words, _ in caught.value.also] == ["this is none", held]
        assert held in caught.value.picture() and "this is none" in caught.value.picture()
        assert f"in action {move}" in caught.value.picture()


def test_chance_that_goes_on_for_ever_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reference_history, "MOST_CHANCE", 100)
    rules = """
    global state t { decimal n = 0; }
    turn main { phase a { effect { t.n = random 2; pass; } } default { pass player + 1; } }
    action go { trigger on player choice; effect { pass; } }
    """
    with pytest.raises(Fault) as caught:
        game(rules, fuel=5_000_000).new(seed=1)
    assert caught.value.code == "TG0506"


def test_a_fault_in_an_inherited_part_points_into_the_text_of_its_base() -> None:
    library = (
        "local state base_seat\n{\n  decimal hole;\n  action go\n  {\n    trigger on player choice;\n"
        "    effect for A { hole = hole + 1; }\n    effect { pass; }\n  }\n}\n"
    )
    own = (
        'import "base.tgdl";\nplayers 2 has seat;\nlocal state seat : base_seat\n{\n'
        "  override action go sequence { effect { pass; } }\n}\n"
    )
    program = compile_source(Source(own, "game.tgdl"), {"base.tgdl": library}.get)
    with pytest.raises(Fault) as caught:
        Game(program).new().push("go")
    assert "base.tgdl:7:" in caught.value.picture()
