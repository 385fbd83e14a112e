"""`ludograph simulate`: random games in numbers."""

import io
import json
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ludograph.cli import engine_selection, terminal
from ludograph.cli.commands import simulate as simulate_command
from ludograph.games import State
from ludograph.games.engines import NoNativeEngine, simulate
from ludograph.play import Outcome
from ludograph.tgdl.native.run import execution as native
from tests.cli.command import Terminal, call, written
from tests.large_games import SOMETIMES_LARGE


def test_json_has_the_promised_keys() -> None:
    result = call("simulate", "tic-tac-toe", "-n", "5", "--json", "--engine", "reference")
    assert (result.code, result.err) == (0, "")
    told = json.loads(result.out)
    assert list(told) == [
        *("playouts", "seconds", "playouts_per_second", "moves", "moves_per_second", "results"),
        *("engine", "drawn", "by_reference"),
    ]
    assert (told["engine"], told["drawn"], told["by_reference"]) == ("reference", "moves", 5)
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
    assert lines[-1] == "native engine, each complete move equally likely"


def test_people_are_told_how_moves_are_drawn(tmp_path: Path) -> None:
    path = tmp_path / "claims.tgdl"
    path.write_text(SOMETIMES_LARGE, encoding="utf-8")
    for engine, drawn in (
        ("native", "compound moves drawn choice by choice, all others equally likely"),
        ("reference", "each complete move equally likely"),
    ):
        told = call("simulate", str(path), "-n", "3", "--engine", engine).out.splitlines()
        assert told[-1] == f"{engine} engine, {drawn}"


def test_games_that_are_too_large_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "claims.tgdl"
    path.write_text(SOMETIMES_LARGE, encoding="utf-8")
    told = json.loads(call("simulate", str(path), "-n", "30", "--json").out)
    assert (told["engine"], told["drawn"], told["by_reference"]) == ("native", "choices", 0)
    monkeypatch.setattr(native, "LARGEST", native.SMALLEST)
    found = []
    for threads in ("1", "2", "3"):
        told = json.loads(call("simulate", str(path), "-n", "30", "--threads", threads, "--json").out)
        assert (told["engine"], told["drawn"]) == ("native", "both")
        found.append((told["moves"], told["results"], told["by_reference"]))
    assert found == found[:1] * 3
    count = found[0][2]
    assert 3 < count < 27
    lines = call("simulate", str(path), "-n", "30").out.splitlines()
    assert lines[-2].startswith("native engine, compound moves drawn choice by choice")
    assert lines[-1] == (
        f"{count} games were too large for it and played by the reference engine, "
        "each complete move equally likely"
    )


def test_games_that_are_all_too_large_are_drawn_by_moves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "claims.tgdl"
    path.write_text(
        SOMETIMES_LARGE.replace("cells.length == 1 and cells[0].column == 2", "cells.length > 0"),
        encoding="utf-8",
    )
    monkeypatch.setattr(native, "LARGEST", native.SMALLEST)
    told = json.loads(call("simulate", str(path), "-n", "1", "--json").out)
    assert (told["engine"], told["drawn"], told["by_reference"]) == ("native", "moves", 1)
    lines = call("simulate", str(path), "-n", "1").out.splitlines()
    assert lines[-1].startswith("1 game was too large for it and played by the reference engine, ")


def test_help_says_for_what_a_seed_gives_the_same() -> None:
    told = " ".join(call("simulate", "--help").out.split())
    assert "The same seed gives the same games on the same engine, with any number of threads" in told


def test_the_border_of_the_native_engine_is_told(tmp_path: Path) -> None:
    path = tmp_path / "wide.tgdl"
    path.write_text(WIDE, encoding="utf-8")
    border = "a table of the board with 2,560,000 entries, and native code has room for 2,000,000"
    assert call("simulate", str(path), "-n", "1").err == f"ludograph: using the reference engine: {border}\n"
    refused = call("simulate", str(path), "-n", "1", "--engine", "native")
    assert (refused.code, refused.err) == (2, f"ludograph: the native engine cannot run wide: {border}\n")


WIDE = """game "wide";
tile cell
{
  action go { trigger on player choice; effect { if distance(grid[0][0]) >= 0 win player; pass; } }
}
board { group grid square 40 by 40 { cell; } }
"""


def test_a_limit_leaves_games_unfinished() -> None:
    result = call("simulate", "tic-tac-toe", "-n", "2", "--limit", "3", "--json")
    assert json.loads(result.out)["results"] == {"unfinished": 2}
    told = call("simulate", "tic-tac-toe", "-n", "2", "--limit", "3").out
    assert "  unfinished          2  100.0 %   stopped after 3 moves (--limit)\n" in told


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

    monkeypatch.setattr(terminal, "print_message", say)
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


FAILURE = """game "faulty";
tile cell { action mark { trigger on player choice; require { this.player == none } effect {
  this.player = player;
  if 1 / grid.tiles.count(c: c.player == none) > 5 win player;
  pass; } } }
board { group grid square 2 by 2 { cell; } }
"""


def test_a_fault_is_told_as_the_reference_engine_tells_it(tmp_path: Path) -> None:
    path = tmp_path / "faulty.tgdl"
    path.write_text(FAILURE, encoding="utf-8")
    native, reference = (
        call("simulate", str(path), "-n", "3", "--engine", engine) for engine in ("native", "reference")
    )
    assert native.code == reference.code == 1
    assert "error[TG0502]: division by zero" in native.err
    assert native.err.partition("error[")[2] == reference.err.partition("error[")[2]
    kept = call("simulate", str(path), "-n", "3")
    assert (kept.code, kept.err) == (native.code, native.err)


def test_a_game_that_is_not_compiled_is_played_by_the_reference_engine(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*words: object) -> None:
        raise NoNativeEngine("llvmlite is not there")

    monkeypatch.setattr(engine_selection, "native_engine", refuse)
    monkeypatch.setattr(engine_selection, "find_start", lambda *_: None)
    result = call("simulate", "tic-tac-toe", "-n", "2", "--json")
    assert result.err == "ludograph: using the reference engine: llvmlite is not there\n"
    assert json.loads(result.out)["engine"] == "reference"
    refused = call("simulate", "tic-tac-toe", "--engine", "native")
    assert (refused.code, refused.out) == (2, "")
    assert refused.err == "ludograph: the native engine cannot run Tic-tac-toe: llvmlite is not there\n"


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
