"""Which engine runs a game, and that nobody notices which."""

import pytest

from ludograph import load
from ludograph.games.engines import compile_world, native_engine, perft, simulate
from ludograph.play import Generator
from ludograph.text import Source
from ludograph.tgdl import compile_source
from ludograph.tgdl.game import USES_BEFORE_COMPILING, Fault, Game, State

RISKY = """
global state t { decimal n = 1; }
setup { t.n = 1 / (1 - random 2); }
action go { trigger on player choice; effect { t.n += 1; if t.n > 3 win player; pass; } }
"""
"""A game whose setup fails when chance gives 1, as it does first for a seed of 0."""
GROWING = """
interactable stone placeable { decimal weight = 1; }
tile cell { }
board { group grid square 2 by 2 { cell; } }
action drop
{
  trigger on player choice;
  input decimal n from 1 to 3;
  effect { move new stone { weight = n; } to grid[0][0]; pass; }
}
"""
"""A game that soon has more things than the native engine made room for."""


def test_a_setup_that_fails_by_chance_fails_only_in_the_games_where_it_does() -> None:
    game = Game(compile_source(Source(RISKY, "risky.tgdl")), compiler=compile_world, uses_before_compiling=0)
    fails = {seed: Generator(seed).below(2) == 1 for seed in range(4)}
    assert fails == {0: True, 1: True, 2: False, 3: True}
    for seed, does_fail in fails.items():
        if does_fail:
            with pytest.raises(Fault, match="zero"):
                game.new(seed=seed)
            continue
        state = game.new(seed=seed)
        assert [move.text for move in state.moves()] == ["go"]
        assert [outcome.moves for outcome in simulate(state, 2)] == [3, 3]


def test_states_of_a_loaded_game_go_over_to_the_native_engine() -> None:
    state = load("tic-tac-toe").new()
    texts = [move.text for move in state.moves()]
    assert not is_native(state)
    for _ in range(USES_BEFORE_COMPILING):
        state.moves()
    assert is_native(state)
    assert [move.text for move in state.moves()] == texts
    assert not is_native(load("tic-tac-toe", engine="reference").new())


@pytest.mark.parametrize("name", ["tic-tac-toe", "connect-four", "breakthrough", "pig"])
def test_games_are_played_natively_move_by_move(name: str) -> None:
    state = load(name, engine="native").new(seed=3)
    for number in range(5):
        moves = state.moves()
        state.play(moves[number % len(moves)])
        assert is_native(state)


def test_a_state_that_outgrows_the_native_engine_goes_on_with_more_room() -> None:
    program = compile_source(Source(GROWING, "growing.tgdl"))
    games = (Game(program), Game(program, compiler=compile_world, uses_before_compiling=0))
    reference, native = (game.new(seed=1) for game in games)
    made_natively = 0
    for number in range(120):
        text = f"drop(n: {number % 3 + 1})"
        for state in (reference, native):
            state.play(text)
        made_natively += is_native(native)
        assert native.moves() == reference.moves()
    assert made_natively > 110
    assert native == reference
    assert native.record == reference.record


def test_many_games_begin_from_states_with_more_things_than_the_start() -> None:
    game = Game(compile_source(Source(GROWING, "growing.tgdl")))
    state = game.new(seed=1)
    for number in range(70):
        state.play(f"drop(n: {number % 3 + 1})")
    engine = native_engine(game, state)
    assert perft(state, 2, engine=engine) == perft(state, 2, engine="reference")
    found = [list(simulate(state, 3, seed=4, limit=5, engine=each)) for each in (engine, "reference")]
    assert found[0] == found[1]


def is_native(state: State) -> bool:
    return state._line is not None
