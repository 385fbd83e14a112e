"""Random games and counted moves, of whatever a game is given by."""

import shutil
from pathlib import Path
from typing import Any

import pytest

import ludograph
from ludograph.games import NoNativeEngine, ReferenceEngineWarning
from ludograph.games.playouts import perft, simulate

ENGINES = ("auto", "native", "reference")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    copy = tmp_path / "copy.tgdl"
    shutil.copy(Path(ludograph.__file__).parent / "games" / "tic-tac-toe.tgdl", copy)
    return copy


@pytest.mark.parametrize("engine", ENGINES)
def test_moves_are_counted_of_a_name_a_path_a_game_and_a_state(path: Path, engine: str) -> None:
    game = ludograph.load("tic-tac-toe")
    for given in ("tic-tac-toe", path, str(path), game, game.new()):
        assert perft(given, 3, engine=engine) == 504


def test_moves_are_counted_from_where_a_state_stands() -> None:
    state = ludograph.load("tic-tac-toe").new()
    state.push("grid[1][1].mark")
    assert perft(state, 2) == 8 * 7
    assert perft(state, 0) == 1


@pytest.mark.parametrize("engine", ENGINES)
def test_a_seed_decides_what_chance_gives_before_the_first_move(engine: str) -> None:
    counted = perft("backgammon", 1, seed=3, engine=engine)
    assert counted == len(ludograph.load("backgammon").new(seed=3).legal_moves)


def test_random_games_are_the_same_however_the_game_is_given(path: Path) -> None:
    game = ludograph.load("tic-tac-toe")
    found = [simulate(given, 50, seed=4) for given in ("tic-tac-toe", path, game, game.new())]
    assert found[0].playouts == 50 and found.count(found[0]) == len(found)
    assert simulate(game, 50, seed=5) != found[0]
    assert simulate(game, 50, seed=4, threads=2) == found[0]


def test_a_limit_leaves_games_unfinished() -> None:
    for engine in ENGINES:
        found = simulate("chess", 3, limit=5, engine=engine)
        assert (dict(found.results), found.moves, found.longest) == ({"unfinished": 3}, 15, 5)


def test_players_options_and_setup_are_those_of_a_new_game() -> None:
    given = simulate("hexil", 2, players=3, options={"points": 3, "trades": "bank_only"}, limit=50)
    assert given.playouts == 2
    with pytest.raises(ValueError, match="players, not 9"):
        simulate("tic-tac-toe", 1, players=9)
    with pytest.raises(ValueError, match="komi"):
        perft("tic-tac-toe", 1, options={"komi": 3})


def test_a_state_takes_no_settings() -> None:
    state = ludograph.load("tic-tac-toe").new()
    every: list[dict[str, Any]] = [{"players": 2}, {"options": {}}, {"setup": "x"}]
    for settings in every:
        with pytest.raises(TypeError, match="a state has players, options, setup and chance of its own"):
            simulate(state, 1, **settings)


def test_there_are_three_engines_to_name() -> None:
    for call in (lambda: simulate("chess", 1, engine="fast"), lambda: perft("chess", 1, engine="fast")):
        with pytest.raises(ValueError, match="there is no engine 'fast'"):
            call()


def test_what_the_native_engine_cannot_run_is_said() -> None:
    state = ludograph.load("chess").new()
    state.choose(state.candidates()[0])
    with pytest.raises(NoNativeEngine, match="in the middle of a move"):
        perft(state, 1, engine="native")
    with pytest.warns(ReferenceEngineWarning, match="in the middle of a move") as found:
        perft(state, 1)
    assert found[0].filename == __file__
