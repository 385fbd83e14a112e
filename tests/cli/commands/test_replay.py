"""`ludograph replay`: records played again."""

import json
from pathlib import Path

import pytest

from ludograph.games import load
from ludograph.play import format_record
from tests.cli.command import call

MINE = """game "Mine";
players 2;
action go { trigger on player choice; input decimal n from 1 to 3; effect { pass; } }
"""


def recorded(folder: Path, game: str, *moves: str) -> str:
    state = load(game).new()
    for move in moves:
        state.push(move)
    path = folder / "record.txt"
    path.write_text(format_record(state.record), encoding="utf-8")
    return str(path)


def test_a_game_of_the_shelf_is_found_by_the_name_in_the_record(tmp_path: Path) -> None:
    record = recorded(tmp_path, "tic-tac-toe", "grid[1][1].mark", "grid[0][0].mark")
    result = call("replay", record)
    assert (result.code, result.err) == (0, "")
    assert result.out == "Tic-tac-toe: 2 moves, unfinished\n"


def test_changed_rules_are_told_and_where_the_record_breaks(tmp_path: Path) -> None:
    game = tmp_path / "mine.tgdl"
    game.write_text(MINE, encoding="utf-8")
    record = recorded(tmp_path, str(game), "go(n: 1)", "go(n: 3)")
    assert call("replay", record, "--game", str(game)).code == 0
    game.write_text(MINE.replace("to 3", "to 4"), encoding="utf-8")
    result = call("replay", record, "--game", str(game))
    assert (result.code, "the rules have changed" in result.out) == (0, True)
    game.write_text(MINE.replace("to 3", "to 2"), encoding="utf-8")
    result = call("replay", record, "--game", str(game))
    assert result.code == 1
    assert "cannot be replayed: move 2 (go(n: 3)): '3' is not a value for 'n'" in result.out
    told = json.loads(call("replay", record, "--game", str(game), "--json").out)
    assert (told["rules_changed"], told["broken_at"]) == (True, 2)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0: go\nnonsense", "line 2: expected a move"),
        ('[Game "Mine"]\n[Rules "x"]\n[Players "2"]\n', "there is no shipped"),
    ],
)
def test_what_is_no_record_of_a_known_game_is_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "record.txt"
    path.write_text(text, encoding="utf-8")
    result = call("replay", str(path))
    assert (result.code, message in result.err) == (1, True)


def test_a_record_of_a_newer_language_is_refused_with_both_numbers(tmp_path: Path) -> None:
    record = Path(recorded(tmp_path, "tic-tac-toe", "grid[1][1].mark"))
    text = record.read_text(encoding="utf-8")
    assert '[Language "1"]' in text
    record.write_text(text.replace('[Language "1"]', '[Language "2"]'), encoding="utf-8")
    result = call("replay", str(record))
    assert (result.code, result.out) == (1, "")
    languages = "the record has language 2, and these rules have language 1"
    assert f"{languages}; a newer Ludograph may replay it" in result.err


def test_a_record_may_have_the_line_ends_of_other_machines(tmp_path: Path) -> None:
    record = Path(recorded(tmp_path, "tic-tac-toe"))
    for line_end in (b"\r\n", b"\r"):
        record.write_bytes(record.read_bytes().replace(b"\n", line_end))
        assert call("replay", str(record)).out == "Tic-tac-toe: 0 moves, unfinished\n"


HEAD = '[Game "Tic-tac-toe"]\n[Rules "x"]\n[Players "2"]\n'


@pytest.mark.parametrize(
    "text",
    [
        f"{HEAD}\n0: \x1b[31mfoo\n",
        HEAD.replace("Tic", "T\x1b[31mic"),
        HEAD.replace('"x"', '"\x1b[31mx"') + "0: foo\n",
        f'{HEAD}[Option "\x1b[31m=1"]\n',
        f'{HEAD}[Setup "\x1b[31m"]\n',
        f'{HEAD}[Result "\x1b[31m"]\n',
        f'{HEAD}[Position "\x1b[31m"]\n',
        f"{HEAD}\x1b[31m\n",
    ],
    ids=["move", "game", "rules", "option", "setup", "result", "position", "line"],
)
def test_a_record_says_nothing_that_a_terminal_obeys(tmp_path: Path, text: str) -> None:
    path = tmp_path / "record.txt"
    path.write_text(text, encoding="utf-8")
    result = call("replay", str(path))
    assert result.code == 1
    assert "\\u001b[31m" in result.out + result.err or "not JSON" in result.err
    assert "\x1b" not in result.out + result.err


@pytest.mark.parametrize(
    ("header", "reason"),
    [
        ('[Setup "x"]', "there is no setup 'x' for 2 players"),
        ('[Setup "a\\nb"]', "there is no setup 'a\\nb' for 2 players"),
        ('[Option "x=1"]', "Tic-tac-toe: there is no option 'x'"),
    ],
)
def test_a_record_of_a_game_that_cannot_begin_so_is_told_alike(
    tmp_path: Path, header: str, reason: str
) -> None:
    path = tmp_path / "record.txt"
    path.write_text(f"{HEAD}{header}\n", encoding="utf-8")
    result = call("replay", str(path))
    assert result.code == 1
    assert result.err.startswith(f"ludograph: the record cannot be played under these rules: {reason}")


@pytest.mark.parametrize("move", ["-1: grid[1][1].mark", "x: grid[1][1].mark", "a: road"])
def test_headers_that_tell_of_rules_make_it_a_record_whatever_its_moves_say(
    tmp_path: Path, move: str
) -> None:
    path = tmp_path / "record.txt"
    path.write_text(f"{HEAD}\n{move}\n", encoding="utf-8")
    result = call("replay", str(path))
    assert result.code == 1
    assert f"line 5: expected a move such as `0: pass`, found `{move}`" in result.err
