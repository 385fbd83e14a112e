"""`ludograph simulate`: random games in numbers."""

import io
import json
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

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
    told = call("simulate", "tic-tac-toe", "-n", "2", "--limit", "3").out
    assert "  unfinished          2  100.0 %   given up after 3 moves (--limit)\n" in told


ENDLESS = "players 2; action go { trigger on player choice; effect { pass; } }"


def test_an_endless_game_is_given_up_without_being_told_to(tmp_path: Path) -> None:
    path = tmp_path / "endless.tgdl"
    path.write_text(ENDLESS, encoding="utf-8")
    result = call("simulate", str(path), "-n", "1")
    assert result.out.startswith("1 game, 10000 moves, 10000.0 a game\n  unfinished          1  100.0 %")


def test_a_long_run_says_so_where_there_is_no_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terminal, "FIRST_LINE_SECONDS", 0.01)
    monkeypatch.setattr(terminal, "LINE_SECONDS", 0.01)
    said = []
    told = threading.Event()

    def say(line: str) -> None:
        said.append(line)
        if line.startswith("ludograph: 1 of 3 games after "):
            told.set()

    monkeypatch.setattr(terminal, "say", say)
    monkeypatch.setattr(sys, "stderr", io.TextIOWrapper(io.BytesIO(), encoding="utf-8"))
    with terminal.progress_bar(3) as step:
        step()
        assert told.wait(10)
    said.clear()
    with terminal.progress_bar(3, in_lines=False) as step:
        step()
        time.sleep(0.05)
    assert not said


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
