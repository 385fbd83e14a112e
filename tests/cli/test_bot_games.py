"""Bots at the command line: `play --seats` and `simulate --seats`."""

import json

import pytest

from tests.cli.command import call

REFERENCE = ("--engine", "reference", "--seed", "1")


def test_a_bot_plays_a_seat() -> None:
    result = call("play", "tic-tac-toe", "--seats", "mcts:60,greedy", *REFERENCE)
    assert result.code == 0
    assert "seed 1: player 0 mcts:60, player 1 greedy" in result.out
    assert "player 0 wins" in result.out


def test_a_human_plays_against_a_bot() -> None:
    result = call(
        "play", "tic-tac-toe", "--seats", "human,flat:20", *REFERENCE, given=b"grid[1][1].mark\nquit\n"
    )
    assert result.code == 0 and "\n1: grid[" in result.out


def test_games_of_bots_are_counted_by_seat() -> None:
    words = ("simulate", "tic-tac-toe", "--seats", "mcts:60,random", "-n", "4", *REFERENCE)
    found = json.loads(call(*words, "--json").out)
    assert [each["bot"] for each in found["seats"]] == ["mcts:60", "random"]
    first, second = found["seats"]
    assert first["games"] == second["games"] == 4 and first["score"] + second["score"] == 1
    assert first["interval"][0] < first["score"] < first["interval"][1] + 1e-9
    text = call(*words).out
    assert f"player 0 (mcts:60): {first['wins']} won, {first['draws']} drawn, score " in text


def test_a_tournament_counts_every_combination() -> None:
    words = ("tournament", "mcts:40", "random", "greedy", "--game", "tic-tac-toe", "-n", "2", *REFERENCE)
    found = json.loads(call(*words, "--json").out)
    players = found["players"]
    assert found["matches"] == 6 and [each["bot"] for each in players] == ["mcts:40", "random", "greedy"]
    assert all(each["games"] == 4 for each in players)
    assert sum(each["score"] * each["games"] for each in players) == pytest.approx(6)
    assert set(players[0]) == {"bot", "games", "wins", "draws", "score", "interval", "rating"}
    assert "mcts:40" in call(*words).out


def test_an_analysis_lists_the_best_moves_with_their_lines() -> None:
    moves = [f"--move=grid{place}.mark" for place in ("[0][0]", "[1][0]", "[0][1]", "[1][1]")]
    words = ("analyse", "tic-tac-toe", *moves, "--budget", "200", "--best", "2", *REFERENCE)
    found = json.loads(call(*words, "--json").out)
    assert found["player"] == 0 and len(found["moves"]) <= 2
    assert found["moves"][0]["move"] == "grid[0][2].mark" and found["moves"][0]["proven"]
    text = call(*words).out
    assert "grid[0][2].mark" in text and "+1.000 proven" in text


@pytest.mark.parametrize("budget", ["200:threads=2", "mcts:200:threads=2"])
def test_an_analysis_runs_on_threads(budget: str) -> None:
    found = json.loads(call("analyse", "tic-tac-toe", "--budget", budget, "--json", *REFERENCE).out)
    assert found["iterations"] == 200 and sum(move["visits"] for move in found["moves"]) < 200
    one = json.loads(call("analyse", "tic-tac-toe", "--budget", "200", "--json", *REFERENCE).out)
    assert found["moves"] != one["moves"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("analyse", "pig", "--budget", "2s:thread=2"), "only a number of threads may follow the budget"),
        (("play", "pig", "--seats", "mcts:x"), "the budget of 'mcts' is a number of iterations"),
        (
            ("simulate", "pig", "--seats", "human"),
            "a seat is random, greedy, flat, mcts, settlers, not 'human'",
        ),
        (("simulate", "tic-tac-toe", "--seats", "flat:1,flat:1,flat:1"), "3 bots were given for 2 players"),
        (("simulate", "pig", "--seats", "flat:1", "--trace"), "--trace shows random games"),
        (("tournament", "random", "--game", "pig"), "a tournament needs two bots"),
        (("analyse", "pig", "--budget", "x"), "the budget of 'mcts' is a number of iterations"),
        (("simulate", "chess", "-n", "1", "--seats", "settlers:easy"), "'settlers' plays only Hexil"),
    ],
)
def test_wrong_seats_are_a_usage_error(words: tuple[str, ...], message: str) -> None:
    result = call(*words)
    assert result.code == 2 and message in result.err
