"""`ludograph simulate`: random games in numbers."""

import io
import json
import sys
from collections.abc import Callable, Iterator

import pytest

from ludograph.cli import simulate_command, terminal
from ludograph.play import Outcome, State, simulate
from tests.cli.command import Terminal, call, written


def test_json_has_the_promised_keys() -> None:
    result = call("simulate", "tic-tac-toe", "-n", "5", "--json", "--engine", "reference")
    assert (result.code, result.err) == (0, "")
    told = json.loads(result.out)
    assert list(told) == [
        *("playouts", "seconds", "playouts_per_second", "moves", "moves_per_second", "results")
    ]
    assert told["playouts"] == sum(told["results"].values()) == 5


def test_the_same_seed_gives_the_same_games() -> None:
    first, second, third = (
        json.loads(call("simulate", "pig", "-n", "3", "--seed", seed, "--option", "target=20", "--json").out)
        for seed in ("1", "1", "2")
    )
    assert (first["moves"], first["results"]) == (second["moves"], second["results"])
    assert first["moves"] != third["moves"]


def test_people_see_results_in_per_cent() -> None:
    lines = call("simulate", "pig", "-n", "4", "--players", "3", "--option", "target=10").out.splitlines()
    assert lines[0].startswith("4 games, ")
    assert any("%" in line for line in lines)
    assert "games and" in lines[-1]


def test_a_limit_leaves_games_unfinished() -> None:
    result = call("simulate", "tic-tac-toe", "-n", "2", "--limit", "3", "--json")
    assert json.loads(result.out)["results"] == {"unfinished": 2}


def test_an_interruption_sums_up_what_was_played(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(start: Callable[[int], State], *words: int, **options: int) -> Iterator[Outcome]:
        yield from simulate(start, 2)
        raise KeyboardInterrupt

    monkeypatch.setattr(simulate_command, "simulate", interrupted)
    result = call("simulate", "tic-tac-toe", "-n", "9", "--json")
    assert (result.code, result.err) == (130, "ludograph: stopped after 2 of 9 games\n")
    assert json.loads(result.out)["playouts"] == 2


def test_a_bar_is_drawn_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    for stream, is_drawn in (
        (Terminal(io.BytesIO(), encoding="utf-8"), True),
        (io.TextIOWrapper(io.BytesIO(), encoding="utf-8"), False),
    ):
        monkeypatch.setattr(sys, "stderr", stream)
        monkeypatch.setenv("TERM", "xterm")
        with terminal.progress_bar(3) as step:
            step()
        assert bool(written(stream)) is is_drawn


@pytest.mark.parametrize("words", [["-n", "0"], ["-n", "x"], ["--engine", "native"], ["--seed", "-1"]])
def test_wrong_numbers_are_usage_errors(words: list[str]) -> None:
    assert call("simulate", "tic-tac-toe", *words).code == 2
