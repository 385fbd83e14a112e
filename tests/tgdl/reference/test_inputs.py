"""Inputs from Python: limits, wrong arguments, records, and the keys of questions in loops."""

import pytest

from ludograph.play import IllegalMove, format_record, parse_record, replay
from ludograph.tgdl.game.game import Fault, Game
from ludograph.tgdl.reference import inputs as asking
from tests.tgdl.rules import game, texts


def fault_code(rules: Game, move: str) -> str:
    with pytest.raises(Fault) as caught:
        rules.new().push(move)
    return caught.value.code


def test_numbers_up_to_the_limit_can_be_asked_for_and_no_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(asking, "MAX_CANDIDATES", 3)
    rules = "action go {{ trigger on player choice; input decimal n from 1 to {most}; effect {{ pass; }} }}"
    assert texts(game(rules.format(most=3)).new()) == ["go(n: 1)", "go(n: 2)", "go(n: 3)"]
    assert fault_code(game(rules.format(most=4)), "go(n: 1)") == "TG0505"


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
