"""`ludograph fmt`: files in the one style, or left alone."""

from pathlib import Path

import pytest

from tests.cli.command import Result, call
from tests.cli.game_files import NIM

UGLY = NIM.replace("table.left - n", "table.left-n").replace("\n{\n", " {\n\n\n")


@pytest.fixture
def ugly(tmp_path: Path) -> Path:
    path = tmp_path / "nim.tgdl"
    path.write_text(UGLY, encoding="utf-8")
    return path


def test_a_file_is_rewritten_in_place(ugly: Path) -> None:
    assert call("fmt", str(ugly)) == Result(0, "", "")
    assert ugly.read_text(encoding="utf-8") == NIM


def test_check_lists_what_would_change_and_writes_nothing(ugly: Path, tmp_path: Path) -> None:
    fine = tmp_path / "fine.tgdl"
    fine.write_text(NIM, encoding="utf-8")
    assert call("fmt", "--check", str(fine), str(ugly)) == Result(1, f"{ugly}\n", "")
    assert ugly.read_text(encoding="utf-8") == UGLY
    assert call("fmt", "--check", str(fine)) == Result(0, "", "")


def test_standard_input_goes_to_standard_output() -> None:
    assert call("fmt", "-", given=UGLY) == Result(0, NIM, "")
    assert call("fmt", "-", given=NIM) == Result(0, NIM, "")
    assert call("fmt", "--check", "-", given=UGLY) == Result(1, "standard input\n", "")


@pytest.mark.parametrize("data", [b"game Nim", b"\xff"])
def test_a_file_with_errors_stays_as_it_is(ugly: Path, tmp_path: Path, data: bytes) -> None:
    bad = tmp_path / "bad.tgdl"
    bad.write_bytes(data)
    result = call("fmt", str(bad), str(ugly))
    assert (result.code, result.out) == (1, "")
    assert "error[TG0" in result.err
    assert result.err.endswith(f"ludograph: {bad} has errors and is left unchanged\n")
    assert bad.read_bytes() == data
    assert ugly.read_text(encoding="utf-8") == NIM


def test_nothing_is_written_if_a_file_is_missing(ugly: Path, tmp_path: Path) -> None:
    assert call("fmt", str(ugly), str(tmp_path / "none.tgdl")).code == 2
    assert ugly.read_text(encoding="utf-8") == UGLY
