"""The rules of the language on the reference engine: one small game a behaviour."""

import json

import pytest

from ludograph.play import IllegalMove
from ludograph.tgdl.game.game import State
from ludograph.tgdl.game.state_check import BadPosition
from ludograph.tgdl.world.faults import Fault
from tests.tgdl.rules import draft, game, played, texts, values

CARDS = """
interactable card stackable { decimal n; }
stack pile of card
{
  default { card[] all = {}; for decimal i from 1 to 4 all.add(new card { n = i; }); return all; }
}
global state t { decimal got = 0; }
"""


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
        state.push("(a: 1, b: 1)")


def test_an_answer_of_another_player_ends_the_move() -> None:
    rules = (
        "global state t { decimal got = 0; } action ask { trigger on player choice;"
        " effect { input bool yes player (player + 1); if yes t.got = 1; pass; } }"
    )
    state = game(rules).new()
    assert texts(state) == ["ask"]
    state.push("ask")
    assert (state.asked, texts(state)) == ((1,), ["(yes: false)", "(yes: true)"])
    state.push("(yes: true)")
    assert values(state, "t")["got"] == 1


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
    state.push("promote")
    state.push("hit(other: hero[0])")
    state.push("boss.hit(other: hero[1])")
    assert (values(state, "hero#1")["hp"], values(state, "hero#2")["hp"]) == (9, 5)
    assert state.to_json()["new"] == [{"@is": "boss", "@player": 0, "hp": 11}]


def test_an_action_can_be_switched_off_for_one_thing() -> None:
    rules = """
    tile sq { action take { trigger on player choice; effect { this.take.allowed = false; pass; } } }
    board { group grid square 1 by 2 { sq; } }
    """
    state = game(rules).new()
    state.push("grid[0][0].take")
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
    state.push("grow")
    assert rules.from_bytes(state.to_bytes()) == state
    assert rules.from_json(json.dumps(state.to_json())) == state
    state.push("cut")
    assert walks(state) == ["grid[1][0]", "grid[1][2]"]
    state.push("shrink")
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
    state.push("grow")
    state.push("warm(s: grid[1][0])")
    assert values(state, "t") == {
        "heat": [3, 9, 3, 13],
        "paths": [[1, 1, 1, 1], [1, 1, 1, 7]],
        "seen": [None] * 4,
        "got": 8,
        "hottest": "sq#3",
    }
    assert grown.from_bytes(state.to_bytes()) == state
    assert grown.from_json(json.dumps(state.to_json())) == state
    state.pop()
    state.pop()
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


# Configurations


def test_options_are_checked_and_change_the_game() -> None:
    assert draft("liarsdice").new(options={"dice": 2}, seed=1).record.options == (("dice", 2.0),)
    for options in ({"dice": 9}, {"dice": "two"}, {"nothing": 1}, {"dice": None}):
        with pytest.raises(ValueError, match="option"):
            draft("liarsdice").new(options=options)
    with pytest.raises(ValueError, match="players"):
        draft("liarsdice").new(players=9)
    with pytest.raises(ValueError, match="players, not a number of thousands of digits"):
        draft("liarsdice").new(players=10**5000)


def test_an_option_is_never_minus_zero() -> None:
    rules = "option decimal komi = 1; global state t { decimal n = komi; }"
    rules += "action go { trigger on player choice; effect { pass; } }"
    state = game(rules).new(options={"komi": -0.0})
    assert str(values(state, "t")["n"]) in ("0", "0.0")
    assert "-0" not in str(state.record.options)
    assert state == game(rules).new(options={"komi": 0})


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


def test_a_setup_that_is_not_there_is_told_before_chance_is_asked() -> None:
    rules = game(
        """
        global state t { decimal n = 0; }
        setup { effect { t.n = random 6; } effect for more { t.n += 1; } }
        action go { trigger on player choice; effect { pass; } }
        """
    )
    with pytest.raises(Fault, match="there is no setup 'other' for 2 players"):
        rules.new(setup="other")
    saved = rules.new(setup="more").to_json()
    assert rules.from_json(saved).asked == (-1,)
    with pytest.raises(BadPosition, match="there is no setup 'other'"):
        rules.from_json({**saved, "setup": "other"})


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
    state.push("go")
    assert values(state, "t")["log"] == [1, 100, 12, 300]
    state.push("go")
    assert values(state, "t")["log"] == [1, 100, 12, 300, 1, 200]
    state.push("steps")
    assert values(state, "t")["log"][6:] == [500, 501, 700, 702, 12, 300]  # type: ignore[index]
    assert "steps" not in texts(state)
    state.push("stop")
    assert values(state, "t")["log"][-1] == 901  # type: ignore[index]


def test_a_rule_of_its_own_says_who_sees_an_attribute() -> None:
    state = game(STEPS).new()
    mine, theirs = (state.view(player)["things"]["seat#2"] for player in (1, 0))
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
    state.push("go")
    assert [choice.text for choice, _ in state.outcomes()] == ["card#1", "card#2", "card#3", "card#4"]
    state.push("random(card#3)")
    assert values(state, "log")["seen"] == [3, 1, 2, 4, 5]
    assert values(state, "waste")["@shuffled"] == ["card#1", "card#2", "card#3", "card#4"]


def test_what_an_element_has_no_part_in_is_the_same_for_all_elements() -> None:
    rules = """
    tile sq { }
    board { group grid square 3 by 3 { sq; } }
    global state t { decimal found = 0; decimal[] deep = {}; decimal[] walked = {}; }
    verb near(sq from, decimal far)
    {
      if far == 0 return 1;
      return grid.tiles.count(s: abs(s.row - from.next(east).row)
        + abs(s.column - from.next(east).column) == far) + near(from, far - 1);
    }
    action go
    {
      trigger on player choice;
      effect
      {
        t.found = near(grid[1][0], 2);
        t.deep = { 1, 2 }.map(a: { 10, 20 }.sum(b: a * b + grid[1][1].row + t.found));
        for decimal i from 0 to 2 t.walked.add(grid.tiles.count(s: s.row == grid[1][i].column + 0));
        pass;
      }
    }
    """
    assert played(rules, "go") == {"found": 9, "deep": [50, 80], "walked": [3, 3, 3]}


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("l[-0.5]", 5),
        ("l.find(none)", 2),
        ("l.count(none)", 2),
        ("l.find(l[2])", None),
        ("l.count(l[2])", 0),
    ],
)
def test_the_literal_none_is_found_in_a_list_and_an_index_is_cut(expression: str, value: object) -> None:
    rules = f"""
    global state t {{ decimal[] l = {{ 5, 6, none, none }}; decimal a; }}
    action go {{ trigger on player choice; effect {{ t.a = t.{expression.replace("[l", "[t.l")}; pass; }} }}
    """.replace("(l[2])", "(t.l[2])")
    assert played(rules, "go")["a"] == value


def test_the_literal_none_can_be_removed_from_a_list() -> None:
    rules = """
    global state t { decimal[] l = { none, 6, none }; bool has = false; }
    action go { trigger on player choice; effect { t.l.remove(none); t.has = t.l.contains(none); pass; } }
    """
    assert played(rules, "go") == {"l": [6, None], "has": True}


def test_a_piece_is_placed_moved_and_removed_and_a_card_kept_or_discarded() -> None:
    rules = """
    tile sq { }
    interactable man placeable, stackable { }
    board { group row square { sq, sq; } }
    stack box of man { default { return new man[2]; } }
    stack bin of man;
    global state t
    {
      decimal placed = 0; decimal moved = 0; decimal gone = 0; decimal kept = 0; decimal away = 0;
    }
    action a { trigger on man placement; effect { t.placed += 1; } }
    action b { trigger on man movement; effect { t.moved += 1; } }
    action c { trigger on man removal; effect { t.gone += 1; } }
    action d { trigger on man kept; effect { t.kept += 1; } }
    action e { trigger on man discarded; effect { t.away += 1; } }
    action go
    {
      trigger on player choice;
      effect
      {
        man m = box.pop();
        move m to row[0][0];
        move m to row[0][1];
        move m to none;
        move m to none;
        move m to row[0][0];
        move m to bin;
        move m to none;
        box.discard_to(bin);
        pass;
      }
    }
    """
    assert played(rules, "go") == {"placed": 2, "moved": 1, "gone": 2, "kept": 1, "away": 1}
