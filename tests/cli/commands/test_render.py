"""`ludograph render` for any game: pictures, steps of a record, pages."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.command import EXAMPLES, call

MARKED = "grid[1][1].mark; grid[0][0].mark"


def test_a_game_is_drawn_after_some_moves(tmp_path: Path) -> None:
    output = tmp_path / "marked.svg"
    assert call("render", "tic-tac-toe", "--moves", MARKED, "-o", str(output)).code == 0
    text = output.read_text(encoding="utf-8")
    ElementTree.fromstring(text)
    assert 'id="token.grid-1--1-"' in text
    assert 'id="changed.grid-0--0-"' in text


def test_a_seat_sees_its_own_hand_only() -> None:
    def faces(*arguments: str) -> int:
        return call("render", "crazy-eights", "--seed", "1", *arguments).out.count('class="face"')

    assert faces() == 1
    assert faces("--seat", "0") == 8


def test_choices_are_marked_on_request() -> None:
    assert call("render", "tic-tac-toe", "--seat", "0", "--choices").out.count('class="choice"') == 9
    assert 'class="choice"' not in call("render", "tic-tac-toe", "--seat", "0").out


def test_a_record_is_drawn_as_a_page_or_as_one_picture_for_each_move(tmp_path: Path) -> None:
    saved = tmp_path / "saved.txt"
    typed = f"grid[1][1].mark\ngrid[0][0].mark\nsave {saved}\n"
    call("play", "tic-tac-toe", "--seats", "human,human", given=typed)
    page = tmp_path / "game.html"
    assert call("render", str(saved), "-o", str(page)).code == 0
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    again = tmp_path / "again.html"
    assert call("render", "tic-tac-toe", "--record", str(saved), "-o", str(again)).code == 0
    assert again.read_text(encoding="utf-8") == page.read_text(encoding="utf-8")
    assert call("render", str(saved), "--frames", "-o", str(tmp_path / "step.svg")).code == 0
    assert sorted(path.name for path in tmp_path.glob("step*")) == [
        "step-000.svg",
        "step-001.svg",
        "step-002.svg",
    ]


def test_a_settlers_game_becomes_a_page(tmp_path: Path) -> None:
    page = tmp_path / "game.html"
    result = call("render", str(EXAMPLES / "game.han"), "-o", str(page))
    assert (result.code, result.err) == (0, "")
    assert "player 1 places a village at d3n" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("tic-tac-toe", "--seat", "5"), "there is no seat 5: the game has 2 players"),
        (("tic-tac-toe", "--moves", "grid[9][9].mark"), "move 1 (grid[9][9].mark): "),
        (("tic-tac-toe", "--frames"), "--frames writes several files: name them with -o"),
        (("tic-tac-toe", "--record", "1"), "--record names a file here"),
        (("tic-tac-toe", "--moves", "x", "--record", "y"), "give either --moves or --record"),
        ((str(EXAMPLES / "start.hsn"), "--record", "y"), "--record is a number here"),
    ],
)
def test_a_wrong_argument_is_reported(arguments: tuple[str, ...], message: str) -> None:
    result = call("render", *arguments)
    assert result.code in (1, 2)
    assert message in result.err
