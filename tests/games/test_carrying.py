"""Games, states, moves and errors go to another process and come back the same."""

import copy
import multiprocessing
import pickle
from collections.abc import Callable
from pathlib import Path

import pytest

import ludograph
from ludograph import hexil
from ludograph.games import State, list_games
from ludograph.notation import han
from ludograph.play import Generator, random_playout
from ludograph.settlers import BuyCard, Card
from ludograph.text import Source
from ludograph.tgdl import compile_source
from ludograph.tgdl.game.game import Game

DIVIDES = (
    "global state t { decimal n; } action go { trigger on player choice; effect { t.n = 1 / t.n; pass; } }"
)


@pytest.mark.parametrize("name", list_games())
def test_a_state_is_pickled_with_its_rules_and_its_chance(name: str) -> None:
    state = ludograph.load(name).new(seed=4)
    random_playout(state, Generator(1), limit=3)
    twin = pickle.loads(pickle.dumps(state))
    assert twin == state and twin.digest() == state.digest()
    for one in (state, twin):
        random_playout(one, Generator(2), limit=4)
    assert twin == state


def test_a_state_is_pickled_in_the_middle_of_a_move() -> None:
    state = ludograph.load("chess").new()
    state.choose(state.candidates()[0])
    assert not state.can_be_restarted()
    assert pickle.loads(pickle.dumps(state)) == state


@pytest.mark.parametrize("make", [copy.copy, copy.deepcopy])
def test_a_copy_goes_its_own_way(make: Callable[[State], State]) -> None:
    state = ludograph.load("connect-four").new()
    twin = make(state)
    assert twin == state and twin.game is state.game
    twin.push(twin.legal_moves[0])
    assert twin != state
    twin.pop()
    assert twin == state


def test_the_native_engine_pickles_its_generator() -> None:
    state = ludograph.load("pig", engine="native").new(seed=9)
    for _ in range(5):
        state.push(state.legal_moves[0])
    twin = pickle.loads(pickle.dumps(state))
    for one in (state, twin):
        one.push(one.legal_moves[0])
    assert twin == state


def test_a_game_of_several_files_needs_none_of_them_again(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "main.tgdl").write_text('import "parts/one.tgdl"; players 1;')
    (tmp_path / "parts/one.tgdl").write_text('import "../two.tgdl";')
    (tmp_path / "two.tgdl").write_text("action go { trigger on player choice; effect { pass; } }")
    game = ludograph.load(tmp_path / "main.tgdl")
    data = pickle.dumps(game)
    for path in tmp_path.rglob("*.tgdl"):
        path.unlink()
    assert pickle.loads(data).rules == game.rules


def test_moves_of_both_engines_are_pickled() -> None:
    for engine in ("reference", "native"):
        state = ludograph.load("othello", engine=engine).new()
        move = state.legal_moves[1]
        state.push(pickle.loads(pickle.dumps(move)))


WRONG: tuple[Callable[[], object], ...] = (
    lambda: ludograph.load("ches"),
    lambda: compile_source(Source("action {")),
    lambda: ludograph.load("chess").new(options={"speed": 1}),
    lambda: ludograph.load("chess").new().push("king(e2)"),
    lambda: Game(compile_source(Source(DIVIDES))).new().push("go"),
    lambda: hexil.Match.new(players=3, seed=1).push("E"),
    lambda: hexil.Match.new(players=3, seed=1).push("?!"),
    lambda: hexil.Match.from_hsn("?!"),
    lambda: hexil.Match.from_record("R(2+3)", "han"),
    lambda: han.format(BuyCard(Card.KNIGHT)),
)


@pytest.mark.parametrize("number", range(len(WRONG)))
def test_an_error_is_pickled_with_all_that_it_carries(number: int) -> None:
    with pytest.raises(Exception) as raised:
        WRONG[number]()
    error = raised.value
    twin = pickle.loads(pickle.dumps(error))
    assert type(twin) is type(error)
    assert str(twin) == str(error)
    assert vars(twin).keys() == vars(error).keys()


def _play_on(state: State) -> State:
    random_playout(state, Generator(5), limit=6)
    return state


def test_processes_play_on_what_they_are_given() -> None:
    state = ludograph.load("kalah").new()
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        there = pool.map(_play_on, [state.copy(), state.copy()])
    assert there == [_play_on(state.copy())] * 2
