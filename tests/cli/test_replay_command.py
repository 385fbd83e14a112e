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
        state.play(move)
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
    assert "breaks here: move 2 (go(n: 3)): '3' is not a value for 'n'" in result.out
    told = json.loads(call("replay", record, "--game", str(game), "--json").out)
    assert (told["rules_changed"], told["broken_at"]) == (True, 2)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0: go\nnonsense", "line 2: expected a move"),
        ('[Game "Mine"]\n[Rules "x"]\n[Players "2"]\n', "the shelf has no"),
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
    assert "it is of language 2, and these rules of language 1; a newer Ludograph may replay it" in result.err


def test_a_record_may_have_the_line_ends_of_other_machines(tmp_path: Path) -> None:
    record = Path(recorded(tmp_path, "tic-tac-toe"))
    for line_end in (b"\r\n", b"\r"):
        record.write_bytes(record.read_bytes().replace(b"\n", line_end))
        assert call("replay", str(record)).out == "Tic-tac-toe: 0 moves, unfinished\n"
