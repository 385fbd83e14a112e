"""Chess: the moves with rules of their own, and every way a game ends."""

from typing import Any

import pytest

from ludograph.play.generator import Generator
from ludograph.play.match import random_playout
from tests.games.shipped import chess, load


def test_both_castles_move_the_rook_too() -> None:
    state = chess("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    state.push("e1.castle(side: 2)")
    state.push("e8.castle(side: 6)")
    texts = [move.text for move in state.legal_moves]
    assert "f1.play(to: f8)" in texts
    assert not any("castle" in text for text in texts)


def test_a_pawn_that_jumped_is_taken_on_the_square_it_passed_but_only_at_once() -> None:
    state = chess("4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1")
    state.push("d7.play(to: d5)")
    assert "e5.play(to: d6)" in [move.text for move in state.legal_moves]
    state.push("e1.play(to: e2)")
    state.push("e8.play(to: e7)")
    assert "e5.play(to: d6)" not in [move.text for move in state.legal_moves]


def test_a_pawn_becomes_any_of_four() -> None:
    state = chess("8/1P6/8/8/8/k7/8/2K5 w - - 0 1")
    found = [move.text for move in state.legal_moves if move.text.startswith("b7")]
    kinds = ("queen", "rook", "bishop", "knight")
    assert found == [f"b7.play(to: b8, promotion: {kind})" for kind in kinds]


def test_the_shortest_mate() -> None:
    state = load("chess").new()
    for text in ("f2.play(to: f3)", "e7.play(to: e5)", "g2.play(to: g4)", "d8.play(to: h4)"):
        state.push(text)
    assert state.result is not None
    assert state.result.text == "win 1"


def test_a_stalemate_is_a_draw() -> None:
    state = chess("7k/8/5KQ1/8/8/8/8/8 w - - 0 1")
    state.push("g6.play(to: f7)")
    assert state.result is not None
    assert state.result.text == "draw"


def test_fifty_moves_without_progress_are_a_draw() -> None:
    state = chess("4k3/8/8/8/8/8/8/R3K3 w - - 99 80")
    state.push("a1.play(to: a2)")
    assert state.result is not None
    assert state.result.text == "draw"


@pytest.mark.parametrize(("king", "result"), [("g6", "win 0"), ("g5", "draw")])
def test_a_mate_counts_in_the_last_of_fifty_moves_and_a_check_does_not(king: str, result: str) -> None:
    row = {"g6": "7k/8/6K1/8", "g5": "7k/8/8/6K1"}[king]
    state = chess(f"{row}/8/8/8/R7 w - - 99 80")
    state.push("a1.play(to: a8)")
    assert state.result is not None
    assert state.result.text == result


def test_a_capture_en_passant_that_leaves_the_king_in_check_is_no_right() -> None:
    for rook, passed in (("3RK3", None), ("R3K3", "grid.e3")):
        state = chess(f"3k4/8/8/8/3p4/8/4P3/{rook} w - - 0 1")
        state.push("e2.play(to: e4)")
        found: Any = state.to_json()
        assert found["instances"]["table"]["passing"] == passed


def test_kings_that_have_no_rook_to_castle_with_repeat_a_position() -> None:
    state = chess("r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1")
    there_and_back = ("e1.play(to: e2)", "e8.play(to: e7)", "e2.play(to: e1)", "e7.play(to: e8)")
    played = 0
    while state.result is None:
        state.push(there_and_back[played % 4])
        played += 1
    # Nothing comes before a position that is given, so its first move leads to the first time.
    assert (state.result.text, played) == ("draw", 9)


def test_the_third_time_is_a_draw() -> None:
    state = load("chess").new()
    there_and_back = ("g1.play(to: f3)", "g8.play(to: f6)", "f3.play(to: g1)", "f6.play(to: g8)")
    played = 0
    while state.result is None:
        state.push(there_and_back[played % 4])
        played += 1
    assert state.result.text == "draw"
    assert played == 8  # the start itself is the first time


def test_a_random_endgame_comes_to_an_end() -> None:
    assert random_playout(chess("4k3/8/8/8/8/8/8/R3K3 w - - 60 80"), Generator(1)).result is not None
