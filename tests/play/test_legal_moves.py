"""Legal moves as a sequence: lazy, of one position, with texts and moves as members."""

import random
from collections.abc import Sequence

import pytest

import ludograph
from ludograph.play import Choice, IllegalMove, Kind, LegalMoves, Move
from ludograph.tgdl.game.game import State
from tests.tgdl.rules import game

ASIDES = """
players 2;

global state t
{
  decimal n = 0;

  action count
  {
    trigger on player choice;
    input decimal by from 1 to 3;
    effect { n += by; pass; }
  }

  action whisper
  {
    trigger on player aside;
    effect { n += 10; }
  }
}
"""


def move(name: str) -> Move:
    return Move((Choice(0, Kind.ACTION, name, name, name),))


def unread(text: str) -> Move | None:
    return None


@pytest.fixture(params=["reference", "native"])
def state(request: pytest.FixtureRequest) -> State:
    return ludograph.load("tic-tac-toe", engine=request.param).new()


def test_moves_are_listed_once_and_only_when_they_are_read() -> None:
    calls: list[int] = []

    def listed() -> tuple[Move, ...]:
        calls.append(1)
        return (move("a"), move("b"))

    legal = LegalMoves(listed, unread)
    assert not calls
    assert (len(legal), [each.text for each in legal], legal[1].text, bool(legal)) == (
        2,
        ["a", "b"],
        "b",
        True,
    )
    assert len(calls) == 1


def test_a_text_that_is_spelt_otherwise_is_read() -> None:
    legal = LegalMoves(lambda: (move("a"),), {" a ": move("a"), "c": move("c")}.get)
    assert "a" in legal and " a " in legal
    assert "c" not in legal and "d" not in legal


def test_nothing_but_moves_and_texts_is_legal() -> None:
    legal = LegalMoves(lambda: (move("a"),), unread)
    assert move("a") in legal and move("b") not in legal
    assert 0 not in legal and None not in legal


def test_a_representation_shows_a_few_moves() -> None:
    names = ["a", "b", "c", "d", "e"]
    assert repr(LegalMoves(lambda: [move(name) for name in names], unread)) == "<LegalMoves (a, b, c, d, …)>"
    assert repr(LegalMoves(lambda: [move(name) for name in names[:4]], unread)) == "<LegalMoves (a, b, c, d)>"
    assert repr(LegalMoves(tuple, unread)) == "<LegalMoves ()>"


def test_legal_moves_are_a_sequence(state: State) -> None:
    legal = state.legal_moves
    assert isinstance(legal, Sequence)
    assert random.Random(1).choice(legal) in legal
    assert [each.text for each in legal[-2:]] == ["grid[2][1].mark", "grid[2][2].mark"]
    assert legal.index(legal[3]) == 3
    assert repr(legal).startswith("<LegalMoves (grid[0][0].mark, ")


def test_a_move_of_a_list_stays_what_it_was_when_the_state_goes_on(state: State) -> None:
    unread_before, legal = state.legal_moves, state.legal_moves
    state.push(legal[4])
    assert (len(unread_before), len(legal), len(state.legal_moves)) == (9, 9, 8)
    assert "grid[1][1].mark" in unread_before
    assert "grid[1][1].mark" not in state.legal_moves


def test_the_first_one_asked_is_meant(state: State) -> None:
    assert tuple(state.legal_moves) == tuple(state.legal_moves_of(state.asked[0]))


def test_a_text_in_other_words_is_legal(state: State) -> None:
    assert " grid[0][0] . mark" in state.legal_moves
    assert "grid[0][0].mark(to: 1)" not in state.legal_moves
    assert "grid[0][3].mark" not in state.legal_moves
    assert "" not in state.legal_moves


def test_a_finished_game_has_no_legal_moves(state: State) -> None:
    for place in ("[0][0]", "[1][0]", "[0][1]", "[1][1]", "[0][2]"):
        state.push(f"grid{place}.mark")
    assert state.is_over
    assert not state.legal_moves and not state.legal_moves_of(1)
    assert "grid[2][2].mark" not in state.legal_moves


def test_there_are_no_moves_of_a_player_that_there_is_not(state: State) -> None:
    with pytest.raises(IllegalMove, match="there is no player 2"):
        state.legal_moves_of(2)


def test_an_aside_can_be_played_but_is_not_listed() -> None:
    state = game(ASIDES).new()
    assert "whisper" not in state.legal_moves
    assert "count(by: 2)" in state.legal_moves and "count(2)" in state.legal_moves
    state.push("whisper")


def test_within_a_move_the_rest_of_it_is_legal() -> None:
    state = game(ASIDES).new()
    state.choose(state.candidates()[0])
    assert [each.text for each in state.legal_moves] == ["(by: 1)", "(by: 2)", "(by: 3)"]
    assert "(by: 2)" in state.legal_moves and "(by: 4)" not in state.legal_moves
    with pytest.raises(IllegalMove, match="player 1 is not asked now"):
        state.legal_moves_of(1)
