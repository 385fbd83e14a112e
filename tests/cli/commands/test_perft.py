"""`ludograph perft`: sequences counted, from the start or from a position."""

import io
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ludograph.cli.commands import perft as perft_command
from ludograph.games import load
from tests.cli.command import Result, Terminal, call
from tests.cli.game_files import DIVIDING_NIM, FAULTY_NIM, NIM


@pytest.fixture
def nim(tmp_path: Path) -> Path:
    path = tmp_path / "nim.tgdl"
    path.write_text(NIM, encoding="utf-8")
    return path


def test_the_count_stands_behind_the_depth() -> None:
    assert call("perft", "tic-tac-toe", "3") == Result(0, "3 504\n", "")
    assert call("perft", "tic-tac-toe", "0") == Result(0, "0 1\n", "")


def test_json_has_depth_and_count() -> None:
    told = json.loads(call("perft", "tic-tac-toe", "2", "--json").out)
    assert (told["game"], told["depth"], told["count"]) == ("Tic-tac-toe", 2, 72)


def test_counting_begins_at_a_position(tmp_path: Path) -> None:
    state = load("tic-tac-toe").new()
    state.push("grid[1][1].mark")
    path = tmp_path / "position.json"
    path.write_text(json.dumps(state.to_json()), encoding="utf-8")
    assert call("perft", "tic-tac-toe", "1", "--position", str(path)).out == "1 8\n"


def test_options_and_players_are_taken(nim: Path) -> None:
    assert call("perft", str(nim), "2").out == "2 3\n"
    assert call("perft", str(nim), "2", "--option", "start=1").out == "2 0\n"
    assert call("perft", "pig", "1", "--players", "3").out == "1 6\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--players", "3"], "Nim is for 2 players, not 3"),
        (["--option", "start"], "an option is given as name=value, not 'start'"),
        (["--option", "begin=3"], "there is no option 'begin'"),
        (["--option", "start=11"], "the option 'start' goes from 1 to 10"),
    ],
)
def test_what_does_not_fit_the_game_is_a_usage_error(nim: Path, words: list[str], message: str) -> None:
    result = call("perft", str(nim), "1", *words)
    assert (result.code, result.out) == (2, "")
    assert message in result.err


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"\xff", b'{"instances": 3}', b'{"players": 9}'])
def test_a_bad_position_is_said(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "position.json"
    path.write_bytes(data)
    result = call("perft", "tic-tac-toe", "1", "--position", str(path))
    assert (result.code, result.out) == (1, "")
    assert result.err.startswith("ludograph: ")


def test_a_game_with_errors_cannot_be_counted(nim: Path) -> None:
    nim.write_text(FAULTY_NIM, encoding="utf-8")
    result = call("perft", str(nim), "1")
    assert (result.code, result.out) == (1, "")
    assert "error[TG03" in result.err
    assert result.err.endswith(f"ludograph: {nim} cannot be played: 1 error\n")


def test_a_fault_of_the_rules_is_shown_where_it_is(nim: Path) -> None:
    nim.write_text(DIVIDING_NIM, encoding="utf-8")
    result = call("perft", str(nim), "2")
    assert (result.code, result.out) == (1, "")
    assert "error[TG0502]" in result.err
    assert "the rules of Nim went wrong here" in result.err


@pytest.mark.parametrize("depth", ["-1", "x", "", "1001", "9" * 5000])
def test_a_depth_is_a_whole_number(depth: str) -> None:
    assert call("perft", "tic-tac-toe", depth).code == 2


def test_a_seed_deals_before_the_first_move() -> None:
    assert call("perft", "crazy-eights", "1", "--seed", "1").out == "1 44\n"


def test_too_many_deals_are_refused_with_the_way_out() -> None:
    result = call("perft", "crazy-eights", "1")
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("ludograph: Crazy Eights begins with chance: there are about ")
    assert result.err.endswith(
        " deals, too many to count; --seed S samples one of them, for example --seed 1\n"
    )
    assert call("perft", "crazy-eights", "1").err == result.err  # also from the cache


COIN = """game "Coin";
players 2;
global state s { decimal first = 0; }
setup { s.first = random 6; if s.first == 5 s.first = random 4; }
action go { trigger on player choice; effect { pass; } }
"""


@pytest.mark.parametrize("engine", ["native", "reference"])
def test_few_deals_are_counted_with_a_note(tmp_path: Path, engine: str) -> None:
    path = tmp_path / "coin.tgdl"
    path.write_text(COIN, encoding="utf-8")
    note = "note: Coin begins with chance: there are 9 deals, and all are counted; --seed S samples one\n"
    assert call("perft", str(path), "2", "--engine", engine) == Result(0, "2 9\n", note)
    assert call("perft", str(path), "2", "--engine", engine, "--seed", "1") == Result(0, "2 1\n", "")


@pytest.mark.parametrize("name, count", [("tic-tac-toe", "3024"), ("coin.tgdl", "9")])
def test_a_terminal_shows_progress(
    name: str, count: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("coin.tgdl").write_text(COIN, encoding="utf-8")
    shown: list[int] = []

    @contextmanager
    def bar(total: int) -> Iterator[Callable[[], None]]:
        shown.append(total)
        yield lambda: shown.append(1)

    monkeypatch.setattr(perft_command, "progress_bar", bar)
    assert call("perft", name, "4").out == f"4 {count}\n"
    assert not shown
    result = call("perft", name, "4", err=Terminal(io.BytesIO(), encoding="utf-8"))
    assert result.out == f"4 {count}\n"
    assert shown == ([9] + 9 * [1] if name == "tic-tac-toe" else [])  # chance is not split
