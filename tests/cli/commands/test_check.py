"""`ludograph check`: every diagnostic, as pictures or JSON."""

import json
from pathlib import Path

import pytest

from ludograph.games import files
from tests.cli.command import call
from tests.cli.game_files import FAULTY_NIM, NIM


def test_a_good_file_is_said_to_be_good(tmp_path: Path) -> None:
    path = tmp_path / "nim.tgdl"
    path.write_text(NIM, encoding="utf-8")
    result = call("check", str(path), "tic-tac-toe")
    assert (result.code, result.err) == (0, "")
    assert result.out == f"{path}: no errors or warnings\ntic-tac-toe: no errors or warnings\n"


def test_errors_are_pictures_on_standard_error_and_end_with_1(tmp_path: Path) -> None:
    path = tmp_path / "nim.tgdl"
    path.write_text(FAULTY_NIM, encoding="utf-8")
    result = call("check", str(path))
    assert (result.code, result.out) == (1, "")
    assert result.err.startswith("error[TG03")
    assert f"--> {path}:17:28" in result.err
    assert "^^^^^" in result.err


def test_warnings_alone_are_fine() -> None:
    result = call("check", "-", given=NIM + "const decimal unused = 1;\n")
    assert result.code == 0
    assert result.out == "standard input: no errors, 1 warning or hint\n"
    assert result.err.startswith("warning[")


def test_one_bad_file_does_not_hide_the_others(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.tgdl", tmp_path / "bad.tgdl"
    good.write_text(NIM, encoding="utf-8")
    bad.write_bytes(b"\xff")
    result = call("check", str(bad), str(good))
    assert (result.code, result.out) == (1, f"{good}: no errors or warnings\n")
    assert "error[TG0001]" in result.err


def test_json_tells_the_same() -> None:
    result = call("check", "-", "--json", given=FAULTY_NIM)
    assert (result.code, result.err) == (1, "")
    told = json.loads(result.out)
    assert told["fine"] is False
    (file,) = told["files"]
    (diagnostic,) = file["diagnostics"]
    assert (diagnostic["severity"], diagnostic["line"], diagnostic["column"]) == ("error", 17, 28)


@pytest.mark.parametrize("options", [(), ("--json",)])
def test_a_text_in_a_diagnostic_cannot_control_the_terminal(tmp_path: Path, options: tuple[str, ...]) -> None:
    path = tmp_path / "odd\u202e\x1b[31m.tgdl"
    path.write_text(f'import "x\u202e\x9b2J\x1b[31m{"y" * 9000}.tgdl";\n', encoding="utf-8")
    result = call("check", str(path), *options)
    shown = result.out + result.err
    assert result.code == 1
    assert shown.replace("\n", "").isprintable()
    assert len(shown) < 9000


def test_a_name_that_means_nothing_is_a_usage_error(tmp_path: Path) -> None:
    result = call("check", "tic-tac-tow")
    assert (result.code, result.out) == (2, "")
    assert result.err == "ludograph: there is no game 'tic-tac-tow'; did you mean 'tic-tac-toe'?\n"
    path = tmp_path / "none.tgdl"
    result = call("check", str(path))
    assert (result.code, result.err) == (2, f"ludograph: {path}: No such file or directory\n")


def test_no_more_is_read_of_a_file_than_shows_that_it_is_too_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "MAX_BYTES", 100)
    long = tmp_path / "long.tgdl"
    long.write_bytes(b" " * 101)
    game = tmp_path / "game.tgdl"
    game.write_bytes(b'import "long.tgdl";')
    message = "the file is longer than 100 bytes"
    for arguments in (("check", str(long)), ("check", str(game)), ("fmt", str(long))):
        result = call(*arguments)
        assert (result.code, f"error[TG0002]: {message}" in result.err) == (1, True)
    assert message in call("check", "-", given=b" " * 101).err
    for command in (("replay",), ("play", "pig", "--position")):
        assert call(*command, str(long)).err == f"ludograph: {long}: {message}\n"
    assert call("replay", "-", given=b" " * 101).err == f"ludograph: standard input: {message}\n"
    long.write_bytes(b" " * 100)
    assert call("check", str(long)).code == 0
