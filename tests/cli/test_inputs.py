"""What commands read: files and standard input, any encoding and line end, the notation guessed."""

import json
from pathlib import Path

import pytest

from tests.cli.command import Terminal, call, example, text_of

FIRST = text_of("start.ccn")
SECOND = FIRST.replace("4/", "3/", 1)


@pytest.mark.parametrize(
    "name", ["start.hsn", "seed.hsn", "start.ccn", "setup.ccn", "game.han", "game.sgn", "game.cgn"]
)
def test_the_notation_of_every_example_is_guessed(name: str) -> None:
    for result in (call("validate", example(name)), call("validate", given=text_of(name))):
        assert result.code == (1 if name == "seed.hsn" else 0)
    assert call("validate", given=text_of(name)).out.startswith(
        "" if name == "seed.hsn" else f"standard input: {name[-3:].upper()}, 1 record"
    )


@pytest.mark.parametrize("argv", [(), ("-",)])
def test_standard_input_is_read_without_a_file_or_for_a_dash(argv: tuple[str, ...]) -> None:
    assert call("convert", "--to", "ccn", *argv, given=text_of("start.hsn")).out == FIRST


@pytest.mark.parametrize("option", ["--from", "--format"])
def test_both_names_of_the_option_say_the_notation(option: str) -> None:
    for command in ("validate", "show", "render", "convert --to ccn"):
        assert call(*command.split(), option, "ccn", given=FIRST).code == 0
        assert call(*command.split(), option, "sgn", given=FIRST).code == 1


def test_what_no_notation_looks_like_is_a_usage_error() -> None:
    result = call("validate", given="hello")
    assert (result.code, result.out) == (2, "")
    assert "cannot guess the notation; give it with --from or --format" in result.err


@pytest.mark.parametrize(
    ("name", "text", "notation"),
    [
        ("x.han", text_of("start.hsn"), "HAN"),
        ("x.HAN", "E # [", "HAN"),
        ("x.hsn", text_of("game.han"), "HAN"),
        ("x.ccn", FIRST + "Pv(d4n)", "HAN"),
        ("x.txt", text_of("game.sgn"), "SGN"),
        ("x.json", text_of("game.cgn"), "CGN"),
        ("x", FIRST, "CCN"),
    ],
)
def test_the_suffix_and_the_beginning_tell_the_notation(
    tmp_path: Path, name: str, text: str, notation: str
) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    result = call("validate", str(tmp_path / name))
    assert f": {notation}, 1 record" in result.out


@pytest.mark.parametrize("name", ["game.cgn", "game.han"])
@pytest.mark.parametrize("comments", [200, 5_000])
def test_long_comments_do_not_hide_the_notation(name: str, comments: int) -> None:
    talk = "  # so it was\n\n" * comments
    assert (
        f"standard input: {name[-3:].upper()}, 1 record" in call("validate", given=talk + text_of(name)).out
    )


def test_long_comments_inside_a_record_do_not_hide_the_notation() -> None:
    talk = "# so it was\n" * 200
    assert ": CGN, 1 record" in call("validate", given=f'[\n{talk}{{"PS":"Setup"}}\n]').out
    assert ": HAN, 1 record" in call("validate", given=f"{FIRST}{talk}Pv(d4n)").out


def test_many_headers_do_not_hide_the_notation() -> None:
    assert ": HAN, 1 record" in call("validate", given='[Note "x"]\n' * 200 + "R? E\n").out


def test_a_suffix_helps_where_the_beginning_does_not(tmp_path: Path) -> None:
    (tmp_path / "x.hsn").write_text("garbage", encoding="utf-8")
    result = call("validate", str(tmp_path / "x.hsn"))
    assert result.code == 1
    assert "error[NT0204]" in result.err
    assert "x.hsn:1:1" in result.err


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_do_not_matter(end: str) -> None:
    for name in ("game.han", "start.hsn", "setup.ccn", "game.cgn", "game.sgn"):
        given = text_of(name).replace("\n", end)
        assert (
            call("convert", "--to", name[-3:], given=given).out
            == call("convert", example(name), "--to", name[-3:]).out
        )


@pytest.mark.parametrize("name", ["game.han", "start.hsn", "setup.ccn", "game.cgn", "game.sgn"])
def test_a_byte_order_mark_is_refused_unless_reading_is_lenient(name: str) -> None:
    given = "\ufeff" + text_of(name)
    strict = call("convert", "--to", name[-3:], given=given)
    assert (strict.code, strict.out) == (1, "")
    assert "the text starts with a byte order mark\n --> 1:1\n" in strict.err
    assert "= hint: save the file as UTF-8 without one, or use lenient parsing" in strict.err
    lenient = call("convert", "--to", name[-3:], "--lenient", given=given)
    assert (lenient.code, lenient.out) == (0, call("convert", example(name), "--to", name[-3:]).out)
    assert lenient.err.startswith("warning[NT0")


def test_many_records_with_lone_carriage_returns_are_cut() -> None:
    assert "CCN, 3 records" in call("validate", given=FIRST.replace("\n", "\r") * 3).out


@pytest.mark.parametrize("command", ["convert --to hsn", "validate", "render", "show"])
@pytest.mark.parametrize(
    ("given", "line", "hint"),
    [
        (b"R(1+2)\n\xff", "2:1", "save the file as UTF-8"),
        (FIRST.encode()[:5] + b"\xc3(", "1:6", "save the file as UTF-8"),
        ("R(1+2)".encode("utf-16"), "1:1", "this looks like UTF-16"),
        ("R(1+2)".encode("utf-16-be"), None, None),
        (b"R(1+2)\rE\r\n\xe9", "3:1", "save the file as UTF-8"),
    ],
)
def test_bytes_that_are_no_text_are_refused_at_their_place(
    command: str, given: bytes, line: str | None, hint: str | None
) -> None:
    result = call(*command.split(), given=given)
    assert result.out == ""
    assert result.code == (1 if line else 2)
    if line and hint:
        assert f"--> {line}\n" in result.err
        assert "error[NT0001]" in result.err
        assert hint in result.err


@pytest.mark.parametrize(
    "command", ["convert --to hsn", "convert --from han --to han", "validate", "render", "show"]
)
@pytest.mark.parametrize("given", ["", "\n", " \r\n\t\n", "\ufeff"])
def test_an_empty_input_is_bad_text(command: str, given: str) -> None:
    result = call(*command.split(), given=given)
    assert (result.code, result.out) == (1, "")
    assert "error[NT0002]: there is nothing to read" in result.err


def test_an_error_names_the_file_the_line_and_the_record(tmp_path: Path) -> None:
    path = tmp_path / "many.ccn"
    path.write_text(FIRST + SECOND + "4/W7", encoding="utf-8")
    result = call("validate", str(path))
    assert f"--> {path}:3:4 (record 3)\n" in result.err


@pytest.mark.parametrize(("record", "players"), [("1", "4"), ("2", "3")])
def test_one_record_of_many_can_be_chosen(record: str, players: str) -> None:
    result = call("convert", "--to", "ccn", "--record", record, given=FIRST + SECOND)
    assert result.out == (FIRST if players == "4" else SECOND)
    for command in ("validate", "show", "render"):
        assert call(command, "--record", record, given=FIRST + SECOND).code == 0


def test_a_chosen_record_is_read_though_another_is_bad() -> None:
    assert call("validate", "--record", "2", given="4/W7//\n" + SECOND).code == 0
    assert call("validate", "--record", "1", given=FIRST + "2/W7").code == 0


@pytest.mark.parametrize(("given", "have"), [(FIRST, "only one record"), (FIRST + SECOND, "only 2 records")])
@pytest.mark.parametrize("command", ["convert --to hsn", "validate", "validate --json", "render", "show"])
def test_a_record_that_is_not_there_is_a_usage_error(command: str, given: str, have: str) -> None:
    result = call(*command.split(), "--record", "7", given=given)
    message = f"there is no record 7: the file has {have}"
    assert (result.code, result.err) == (2, f"ludograph: {message}\n")
    if "--json" in command:
        assert json.loads(result.out) == {"error": {"kind": "usage", "message": message}}
    else:
        assert result.out == ""


def test_a_terminal_is_told_that_its_keys_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("io.TextIOWrapper", Terminal)
    assert "reading from the terminal" in call("validate", given=FIRST).err
