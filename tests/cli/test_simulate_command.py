"""`ludograph simulate`: random games in numbers."""

import io
import json
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ludograph.cli import engine_choice, simulate_command, terminal
from ludograph.games import State
from ludograph.games.engines import NoNativeEngine, simulate
from ludograph.play import Outcome
from tests.cli.command import Terminal, call, written


def test_json_has_the_promised_keys() -> None:
    result = call("simulate", "tic-tac-toe", "-n", "5", "--json", "--engine", "reference")
    assert (result.code, result.err) == (0, "")
    told = json.loads(result.out)
    assert list(told) == [
        *("playouts", "seconds", "playouts_per_second", "moves", "moves_per_second", "results"),
        *("engine", "drawn"),
    ]
    assert (told["engine"], told["drawn"]) == ("reference", "moves")
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
    assert "games and" in lines[-2]
    assert lines[-1] == "native engine"


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
    def interrupted(start: State, *words: int, **options: object) -> Iterator[Outcome]:
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


@pytest.mark.parametrize("words", [["-n", "0"], ["-n", "x"], ["--engine", "other"], ["--seed", "-1"]])
def test_wrong_numbers_are_usage_errors(words: list[str]) -> None:
    assert call("simulate", "tic-tac-toe", *words).code == 2


def test_the_number_of_threads_changes_nothing() -> None:
    one, two = (
        json.loads(call("simulate", "pig", "-n", "40", "--seed", "3", "--threads", threads, "--json").out)
        for threads in ("1", "2")
    )
    assert (one["moves"], one["results"]) == (two["moves"], two["results"])


FAULTY = """game "faulty";
tile cell { action mark { trigger on player choice; require { this.player == none } effect {
  this.player = player;
  if 1 / grid.tiles.count(c: c.player == none) > 5 win player;
  pass; } } }
board { group grid square 2 by 2 { cell; } }
"""


def test_a_fault_is_told_as_the_reference_engine_tells_it(tmp_path: Path) -> None:
    path = tmp_path / "faulty.tgdl"
    path.write_text(FAULTY, encoding="utf-8")
    native, reference = (
        call("simulate", str(path), "-n", "3", "--engine", engine) for engine in ("native", "reference")
    )
    assert native.code == reference.code == 1
    assert "error[TG0502]: this divides by zero" in native.err
    assert native.err.partition("error[")[2] == reference.err.partition("error[")[2]
    kept = call("simulate", str(path), "-n", "3")
    assert (kept.code, kept.err) == (native.code, native.err)


def test_a_game_that_is_not_compiled_is_played_by_the_reference_engine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*words: object) -> None:
        raise NoNativeEngine("llvmlite is not there")

    monkeypatch.setattr(engine_choice, "native_engine", refuse)
    monkeypatch.setattr(engine_choice, "find_start", lambda *_: None)
    result = call("simulate", "tic-tac-toe", "-n", "2", "--json")
    assert result.err == "ludograph: the reference engine plays: llvmlite is not there\n"
    assert json.loads(result.out)["engine"] == "reference"
    refused = call("simulate", "tic-tac-toe", "--engine", "native")
    assert (refused.code, refused.out) == (2, "")
    assert refused.err == "ludograph: the native engine cannot play Tic-tac-toe: llvmlite is not there\n"


GROWING = """game "growing";
global state t { decimal n = 0; }
interactable stone placeable { }
tile cell { }
board { group grid square 2 by 2 { cell; } }
action drop { trigger on player choice; effect {
  move new stone to grid[0][0]; t.n += 1; if t.n == 100 win player; pass; } }
"""


def test_a_game_that_makes_many_things_gets_room_for_them(tmp_path: Path) -> None:
    path = tmp_path / "growing.tgdl"
    path.write_text(GROWING, encoding="utf-8")
    told = json.loads(call("simulate", str(path), "-n", "3", "--engine", "native", "--json").out)
    assert (told["engine"], told["moves"], told["results"]) == ("native", 300, {"win 1": 3})
    kept = json.loads(call("simulate", str(path), "-n", "3", "--json").out)
    assert (kept["engine"], kept["moves"], kept["results"]) == ("native", 300, {"win 1": 3})
