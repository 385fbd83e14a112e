"""`ludograph simulate`: random games in numbers."""

import io
import json
import re
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
        *("unfinished", "payoffs", "length", "decisions", "seed", "first", "limit"),
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
    monkeypatch.setattr(native, "MAX_SIZE", native.MIN_SIZE)
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
    monkeypatch.setattr(native, "MAX_SIZE", native.MIN_SIZE)
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
    border = "tables of the board with more than 1,000,000 entries"
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


def test_a_fault_is_told_as_the_reference_engine_tells_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # the record of the fault is saved there
    path = tmp_path / "faulty.tgdl"
    path.write_text(FAILURE, encoding="utf-8")
    native, reference = (
        call("simulate", str(path), "-n", "3", "--engine", engine) for engine in ("native", "reference")
    )
    assert native.code == reference.code == 1
    assert "error[TG0502]: division by zero" in native.err
    shown = native.err.partition("error[")[2].partition("to see it again")[0]
    assert shown == reference.err.partition("error[")[2].partition("to see it again")[0]
    kept = call("simulate", str(path), "-n", "3")
    assert (kept.code, kept.err) == (native.code, native.err.replace(" --engine native", ""))


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


def test_a_fault_names_its_game_and_saves_a_record_that_replays_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("dice.tgdl").write_text(UNLUCKY, encoding="utf-8")
    for engine in ("native", "reference"):
        found = call("simulate", "dice.tgdl", "-n", "200", "--seed", "3", "--engine", engine)
        number = re.search(r"\nthis is game (\d+) of seed 3\n", found.err)
        assert found.code == 1 and number is not None and int(number[1]) > 1
        command = f"ludograph simulate dice.tgdl --engine {engine} --seed 3 --first {number[1]} -n 1 --trace"
        assert f"\nto see it again: {command}\n" in found.err
        saved = re.search(r"\nits record is saved as (\S+);", found.err)
        assert saved is not None
        replayed = call("replay", saved[1], "--game", "dice.tgdl")
        assert (replayed.code, replayed.err) == (1, "")
        assert "(random(3)): error[TG0502]: division by zero" in replayed.out
        again = call(*command.split()[1:])
        assert again.code == 1
        assert again.out.startswith(f"game {number[1]} of seed 3\n")
        assert again.out.endswith("0: roll\n  action roll\n    random: 3\n") or again.out.endswith(
            "1: roll\n  action roll\n    random: 3\n"
        )
        assert again.err == found.err  # the same record is not saved twice
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        *("dice.tgdl", "fault-unlucky-dice-2.txt", "fault-unlucky-dice.txt")
    ]


UNLUCKY = """game "Unlucky dice";
players 2 has seat;
local state seat
{
  decimal points = 0;
  decimal tens = 0;
  action roll { trigger on player choice; effect {
    decimal n = random 40;
    if n == 3 points = 1 / points;
    if n > 10 points += 1;
    if points > 8 win player;
    points = max(points, 0);
    pass; } }
}
"""


def test_the_record_of_a_fault_overwrites_nothing(tmp_path: Path) -> None:
    path, wanted = tmp_path / "faulty.tgdl", tmp_path / "wanted.txt"
    path.write_text(FAILURE, encoding="utf-8")
    wanted.write_text("mine", encoding="utf-8")
    result = call("simulate", str(path), "--record", str(wanted), "--json")
    told = json.loads(result.out)["error"]
    assert (told["seed"], told["game"], told["code"]) == (0, 1, "TG0502")
    assert told["record"] == str(tmp_path / "wanted-2.txt")
    assert wanted.read_text(encoding="utf-8") == "mine"
    result = call("simulate", str(path), "--record", str(tmp_path / "nowhere" / "x.txt"))
    assert "\nits record cannot be saved: " in result.err


def test_a_trace_shows_the_game_that_the_statistics_count() -> None:
    counted = json.loads(call("simulate", "crazy-eights", "-n", "1", "--seed", "5", "--json").out)
    told = call("simulate", "crazy-eights", "-n", "1", "--seed", "5", "--trace").out
    assert told.startswith("game 1 of seed 5\n*: random(")
    moves = [line for line in told.splitlines() if line[:3] in ("0: ", "1: ")]
    assert len(moves) == counted["moves"]
    assert told.splitlines()[-2] == next(iter(counted["results"]))
    assert "  action play\n" in told
    refused = call("simulate", "crazy-eights", "--trace", "--json")
    assert (refused.code, "--trace" in refused.err) == (2, True)


def test_the_first_game_can_be_any_game_of_the_seed() -> None:
    whole = json.loads(call("simulate", "pig", "-n", "5", "--seed", "2", "--json").out)
    parts = [
        json.loads(call("simulate", "pig", "-n", "1", "--first", str(k), "--seed", "2", "--json").out)
        for k in range(1, 6)
    ]
    assert sum(part["moves"] for part in parts) == whole["moves"]


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_statistics_have_payoffs_lengths_and_decisions(engine: str) -> None:
    words = ("simulate", "tic-tac-toe", "-n", "30", "--engine", engine)
    told = json.loads(call(*words, "--json").out)
    first, second = told["payoffs"]
    assert first["mean"] == -second["mean"]
    low, high = first["interval"]
    assert low < first["mean"] < high
    wins = told["results"]["win 0"] - told["results"]["win 1"]
    assert first["mean"] == pytest.approx(wins / 30)
    length = told["length"]
    assert 5 <= length["shortest"] <= length["quantiles"]["50"] <= length["longest"] <= 9
    assert length["mean"] == told["moves"] / 30
    decisions = told["decisions"]
    assert decisions["sampled_games"] == 30 and decisions["sampled_decisions"] == told["moves"]
    assert decisions["most"] == 9 and 5 <= decisions["branching"] <= 7
    lines = call(*words).out.splitlines()
    assert any(line.startswith("payoff of player 0: ") and "95 % confidence" in line for line in lines)
    assert any(line.startswith(f"length: {length['shortest']} to 9 moves; quantiles 5 % ") for line in lines)
    assert any("(the branching factor), at most 9, a single one in" in line for line in lines)


def test_a_large_run_samples_its_decisions() -> None:
    told = json.loads(call("simulate", "tic-tac-toe", "-n", "2000", "--json").out)
    assert told["decisions"]["sampled_games"] == 100
    assert "of a sample: the " in call("simulate", "tic-tac-toe", "-n", "2000").out


def test_games_that_reach_the_limit_are_remarked(tmp_path: Path) -> None:
    path = tmp_path / "endless.tgdl"
    path.write_text(ENDLESS, encoding="utf-8")
    lines = call("simulate", str(path), "-n", "2").out.splitlines()
    assert "Every game reached the limit of 10,000 moves: perhaps these rules never end a game." in lines
    told = call("simulate", "tic-tac-toe", "-n", "50", "--limit", "7").out
    assert " games reached the limit of 7 moves: perhaps a game can go on for ever.\n" in told
