"""Inputs and what hears of them: bounds, lists that are none, and whose events a trigger means."""

import pytest

from ludograph.play import IllegalMove, format_record, parse_record, replay
from ludograph.tgdl.game.game import Fault, Game
from ludograph.tgdl.reference import inputs as asking
from tests.tgdl.rules import game, played, texts, values


def fault_code(rules: Game, move: str) -> str:
    with pytest.raises(Fault) as caught:
        rules.new().push(move)
    return caught.value.code


def test_a_bound_of_a_list_that_is_none_is_a_fault() -> None:
    rules = """
    global state t {{ decimal nothing; }}
    action go {{
        trigger on player choice;
        effect {{ input decimal[] l from {bounds} in {{ 1, 2 }}; pass; }}
    }}
    """
    assert fault_code(game(rules.format(bounds="t.nothing to 2")), "go(l: {1})") == "TG0501"
    assert fault_code(game(rules.format(bounds="0 to t.nothing")), "go(l: {1})") == "TG0501"


def test_numbers_up_to_the_limit_can_be_asked_for_and_no_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(asking, "MOST_CANDIDATES", 3)
    rules = "action go {{ trigger on player choice; input decimal n from 1 to {most}; effect {{ pass; }} }}"
    assert texts(game(rules.format(most=3)).new()) == ["go(n: 1)", "go(n: 2)", "go(n: 3)"]
    assert fault_code(game(rules.format(most=4)), "go(n: 1)") == "TG0505"


def test_removing_a_list_that_is_none_is_a_fault_as_appending_it_is() -> None:
    rules = """
    global state t {{ decimal[] l = {{ 1 }}; decimal[][] lists; }}
    action go {{ trigger on player choice; effect {{ t.l.{what}(t.lists[9]); pass; }} }}
    """
    for what in ("removeRange", "append"):
        assert fault_code(game(rules.format(what=what)), "go") == "TG0501"


def test_no_list_is_written_as_none_and_an_empty_one_as_a_list() -> None:
    rules = game("""
    global state t { decimal n = 0; }
    action go {
        trigger on player choice;
        optional input decimal[] l in { 1, 2 };
        effect { if l == none t.n = 9; pass; }
    }
    """)
    state = rules.new()
    assert texts(state) == [
        "go(l: {1, 2})",
        "go(l: {1})",
        "go(l: {2})",
        "go(l: {})",
        "go(l: none)",
    ]
    state.push("go(l: none)")
    assert state.record.moves[-1].text == "go(l: none)"
    with pytest.raises(IllegalMove):
        state.push("go(l: {none})")


def test_the_filter_of_an_automatic_list_draws_no_card() -> None:
    rules = game("""
    interactable card stackable { decimal n = 1; }
    stack deck of card;
    setup { deck.push(new card[3]); deck.shuffle(); }
    action go {
        trigger on player choice;
        effect { auto input decimal[] l in { 1, 2 } { filter { l.length > deck.top.n } } pass; }
    }
    """)
    assert fault_code(rules, "go") == "TG0513"


def test_an_inherited_trigger_means_the_events_of_the_thing_itself() -> None:
    rules = """
    tile cell { decimal n = 0; action hear { trigger on cell.n change; effect { t.plain += 1; } } }
    tile pit : cell { override action hear { effect { t.deep += 1; } } }
    board { group row adjacency { cell a; pit b, c; a <-> b; b <-> c; } }
    global state t { decimal plain = 0; decimal deep = 0; }
    action shallow { trigger on player choice; effect { a.n += 1; pass; } }
    action sink { trigger on player choice; effect { b.n += 1; pass; } }
    """
    assert played(rules, "shallow") == {"plain": 1, "deep": 0}
    assert played(rules, "sink") == {"plain": 0, "deep": 1}


def test_a_move_says_whose_it_is_in_play_and_in_why_not() -> None:
    rules = game("players 2; action take { trigger on player choice; effect { pass; } }")
    state = rules.new()
    (move,) = state.legal_moves
    state.push(move)
    refusal = state.why_not(move)
    assert refusal is not None and refusal.message == "player 0 is not asked now, but player 1"
    with pytest.raises(IllegalMove, match="player 0 is not asked now, but player 1"):
        state.push(move)


def test_answers_that_make_no_sense_are_refused_in_words() -> None:
    rules = game("players 2; action end { trigger on player choice; effect { win player; } }")
    state = rules.new()
    with pytest.raises(TypeError, match="a move is a Move or its text, not 0"):
        state.push(0)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a seed is a whole number, not 'a'"):
        rules.new(seed="a")  # type: ignore[arg-type]
    for player in (-1, 2):
        with pytest.raises(ValueError, match=f"there is no player {player}"):
            state.view(player)
    state.push("end")
    assert not state.legal_moves


def test_a_record_with_any_string_is_read_again() -> None:
    rules = game(r"""
    action go {
        trigger on player choice;
        input string s in { "a;b", "c # d", "e\nf", "(", "\"", "{,}" };
        effect { if s == "x" win player; pass; }
    }
    """)
    state = rules.new()
    for move in texts(state):
        state.push(move)
    record = parse_record(format_record(state.record))
    assert record.moves == state.record.moves and len(record.moves) == 6
    assert replay(rules, record).state == state


def test_an_action_of_two_states_is_asked_for_by_the_names_of_both() -> None:
    rules = game("""
    players 2 has a, c;
    local state a { action go { trigger on player choice; effect { pass; } } }
    local state c { action go { trigger on player choice; effect { pass; } } }
    """)
    refusal = rules.new().why_not("go")
    assert refusal is not None
    assert refusal.message == "'go' is an action of a thing: write the thing before it, such as a.go or c.go"


def test_a_filter_of_several_statements_is_not_recited() -> None:
    rules = game("""
    action go {
        trigger on player choice;
        input decimal n from 1 to 3 { filter { decimal twice = n * 2; return twice > 4; } }
        effect { if n == 3 draw; pass; }
    }
    """)
    refusal = rules.new().why_not("go(n: 1)")
    assert refusal is not None and refusal.message == "1 does not pass the filter of 'n'"


def test_a_piece_and_its_tile_with_actions_of_one_name_are_told_apart() -> None:
    state = game("""
    global state t { decimal n = 0; }
    tile cell { action tip { trigger on player choice; effect { t.n = 1; pass; } } }
    interactable hat placeable {
        action tip { trigger on player choice; effect { t.n = 2; pass; } }
        action turn_over { trigger on player choice; effect { t.n = 3; pass; } }
    }
    board { group grid square 1 by 1 names a1 { cell; } }
    setup { move new hat to grid[0][0]; }
    """).new()
    assert sorted(texts(state)) == ["a1.tip", "a1.turn_over", "hat#1.tip"]
    for move, number in (("a1.tip", 1), ("hat#1.tip", 2), ("a1.turn_over", 3)):
        state.push(move)
        assert values(state, "t")["n"] == number


def test_passes_that_never_come_to_anybody_are_told_soon() -> None:
    rules = game(
        """
        turn m { phase a { effect { pass; } } }
        action go { trigger on player choice; effect { pass; } }
        """,
        fuel=10_000_000,
    )
    with pytest.raises(Fault, match="10,000 passes in a row, and nobody is asked"):
        rules.new()


def test_a_move_may_have_more_choices_than_calls_of_python_may_be_deep() -> None:
    rules = game(
        """
        global state t { decimal n = 0; }
        action go
        {
          trigger on player choice;
          effect { while t.n < 1200 { input decimal k from 1 to 1; t.n += k; } }
        }
        """,
        fuel=10_000_000,
    )
    assert len(rules.new().legal_moves) == 1


def test_a_listed_move_is_played_as_what_it_is_not_as_what_python_takes_it_for() -> None:
    rules = game("""
    enum side { left, right }
    global state t { object[] l = { 1, true, right }; object got = none; }
    action go { trigger on player choice; input object o in t.l; effect { t.got = o; pass; } }
    """)
    found = []
    for move in rules.new().legal_moves:
        state = rules.new()
        state.push(move)
        found.append(values(state, "t")["got"])
    assert [repr(value) for value in found] == ["1", "True", "{'member': 'side.right'}"]


def test_looking_whether_candidates_can_be_gone_on_with_has_one_budget_for_all() -> None:
    """A question whose every candidate takes long to look at comes to an end."""
    rules = """
    global state t { decimal n = 0; }
    action go {
        trigger on player choice;
        effect {
            input decimal a player (player + 1) from 1 to 50;
            for decimal i from 1 to 300 t.n += 1;
            input decimal b player (player + 1) from 1 to 2;
            if a > b fail "not that";
            pass;
        }
    }
    """
    patient, hasty = (game(rules, fuel=fuel).new() for fuel in (60_000, 20_000))
    for state in (patient, hasty):
        state.choose(state.question().candidates[0])
    assert [choice.text for choice in patient.question().candidates] == ["1", "2"]
    with pytest.raises(Fault, match="TG0506"):
        hasty.question()


def test_questions_in_loops_carry_the_values_of_the_loop_variables() -> None:
    rules = """
    enum Good { wood, clay }
    action give {
        trigger on player choice;
        effect {
            input decimal total from 0 to 1;
            for Good g in Good.all { for decimal i from 1 to 2 { input decimal give from 0 to 1; } }
            for (decimal n = 3; n < 5; n += 1) { input decimal[] some from 1 to 1 in { 7, 8 }; }
            pass;
        }
    }
    """
    state = game(rules).new()
    keys = []
    while True:
        question = state.question()
        choice = question.candidates[0]
        assert choice.key == question.key
        keys.append((question.name, question.key))
        state.choose(choice)
        if state.asked == (1,):
            break
    assert keys == [
        ("action", ""),
        ("total", ""),
        ("give", "wood, 1"),
        ("give", "wood, 2"),
        ("give", "clay, 1"),
        ("give", "clay, 2"),
        ("some", "3"),
        ("some", "4"),
    ]
