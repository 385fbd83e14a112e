"""`ludograph dump`: each stage as text."""

import pytest

from tests.cli.command import call
from tests.cli.game_files import FAULTY_NIM, NIM


@pytest.mark.parametrize(
    ("stage", "beginning"),
    [
        ("tokens", "1:1 word game\n1:6 string"),
        ("tree", "File\n"),
        ("program", "Program name=Nim"),
        ("ir", "data "),
        ("llvm", "declare void @llvm.memmove"),
    ],
)
def test_every_stage_can_be_shown(stage: str, beginning: str) -> None:
    result = call("dump", "--stage", stage, "-", given=NIM)
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith(beginning)


def test_a_game_of_the_shelf_can_be_shown() -> None:
    assert call("dump", "tic-tac-toe", "--stage", "program").out.startswith("Program name='Tic-tac-toe'")


def test_a_stage_shows_what_it_has_though_a_later_one_would_complain() -> None:
    assert call("dump", "--stage", "tree", "-", given=FAULTY_NIM).code == 0
    result = call("dump", "--stage", "program", "-", given=FAULTY_NIM)
    assert (result.code, result.out) == (1, "")
    assert "plyer" in result.err


def test_a_broken_text_shows_its_tree_and_its_errors() -> None:
    result = call("dump", "--stage", "tree", "-", given="game Nim")
    assert result.code == 1
    assert result.out.startswith("File")
    assert "error[TG02" in result.err


def test_bytes_that_are_no_text_are_said() -> None:
    assert "error[TG0001]" in call("dump", "--stage", "tokens", "-", given=b"\xff").err


def test_a_game_that_cannot_begin_can_be_shown() -> None:
    text = "global state t { decimal n = 0; } setup { t.n = 1 / t.n; }"
    assert call("dump", "--stage", "ir", "-", given=text).code == 0
    result = call("dump", "--stage", "ir", "-", given="global state t { decimal n = 0; decimal m = 1 / n; }")
    assert (result.code, result.out) == (1, "")
    assert "error[TG0502]: division by zero" in result.err
