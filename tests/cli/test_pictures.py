"""`ludograph render` and `ludograph show`: what is drawn of a file, and how it is printed."""

import io
import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.command import Result, Terminal, call, example, text_of, written

NAMES = ("start.hsn", "seed.hsn", "start.ccn", "setup.ccn", "game.han", "game.sgn", "game.cgn")
FIRST = text_of("start.ccn")


@pytest.mark.parametrize("name", NAMES)
def test_every_example_is_drawn_as_svg(name: str) -> None:
    result = call("render", example(name))
    assert result.code == 0
    root = ElementTree.fromstring(result.out)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("system", ["han", "cgn", "ccn", "sgn"])
def test_every_example_is_drawn_in_the_terminal(name: str, system: str) -> None:
    result = call("show", example(name), "--coordinates", system)
    assert result.code == 0
    assert "\x1b" not in result.out
    assert max(map(len, result.out.splitlines())) <= 100


def test_a_set_up_is_drawn_with_its_pieces() -> None:
    assert call("show", example("setup.ccn")).out != call("show", example("start.ccn")).out


def test_the_same_position_is_the_same_picture_in_every_notation() -> None:
    assert call("render", example("start.ccn")).out == call("render", example("start.hsn")).out
    setup = call("convert", example("setup.ccn"), "--to", "hsn").out
    assert call("render", given=setup).out == call("render", example("setup.ccn")).out


def test_the_first_action_after_the_set_up_is_drawn_and_the_rest_is_counted() -> None:
    game = text_of("game.han")
    result = call("show", given=game)
    hands = "note: not drawn, because only the rules know it: the cards that the second villages yield\n"
    hint = "`ludograph replay FILE --print board` plays them"
    assert (
        result.err
        == f"{hands}note: 17 more actions are not drawn, because only the rules know the result; {hint}\n"
    )
    assert "`ludograph replay FILE --print svg`" in call("render", given=game).err
    begun = game[: game.index("R(2+6)") + 6]
    assert call("show", given=begun) == Result(0, result.out, hands)
    assert call("show", given=f"{begun} E").err.startswith(f"{hands}note: 1 more action is not drawn")


@pytest.mark.parametrize("command", ["render", "show"])
def test_an_action_alone_is_drawn(command: str) -> None:
    result = call(command, given="Pv(d4n)")
    assert (result.code, result.err) == (0, "")
    assert result.out


@pytest.mark.parametrize("command", ["render", "show"])
def test_nothing_to_draw_is_said(command: str) -> None:
    result = call(command, "--from", "han", given="# only a comment")
    assert (result.code, result.out) == (1, "")
    assert result.err == "ludograph: there is neither a position nor an action to draw\n"


@pytest.mark.parametrize("command", ["render", "show"])
def test_one_record_of_many_is_drawn(command: str) -> None:
    other = text_of("setup.ccn")
    result = call(command, given=FIRST + other)
    assert result.out == call(command, given=FIRST).out
    assert result.err == "note: the file has more records; --record 2 draws the next one\n"
    assert call(command, "--record", "2", given=FIRST + other) == call(command, given=other)


def test_names_without_a_system_are_those_of_han() -> None:
    named = call("render", example("start.hsn"), "--names", "corners")
    assert named.out == call("render", example("start.hsn"), "--names", "corners", "--coordinates", "han").out
    assert "d4n" in named.out
    both = call(
        "render", example("start.hsn"), "--names", "corners", "--names", "sides", "--coordinates", "ccn"
    )
    assert both.code == 0


def test_the_width_is_in_pixels() -> None:
    root = ElementTree.fromstring(call("render", example("start.hsn"), "--width", "321").out)
    assert root.get("width") == "321"


def test_a_picture_goes_into_a_file(tmp_path: Path) -> None:
    path = tmp_path / "start.svg"
    assert call("render", example("start.hsn"), "-o", str(path)) == Result(0, "", "")
    assert path.read_bytes().decode() == call("render", example("start.hsn")).out


@pytest.mark.parametrize("given", ["4/W7", ""])
def test_a_picture_of_bad_text_leaves_no_file(tmp_path: Path, given: str) -> None:
    path = tmp_path / "start.svg"
    result = call("render", "-o", str(path), given=given)
    assert (result.code, result.out) == (1, "")
    assert "error[NT0" in result.err
    assert not path.exists()


@pytest.mark.parametrize("command", ["render", "show"])
def test_lenient_reading_warns_and_draws(command: str) -> None:
    text = text_of("game.cgn").replace("},\n{", "}\n{", 1)
    assert call(command, given=text).code == 1
    result = call(command, "--lenient", given=text)
    assert result.code == 0
    assert result.err.startswith("note: ") or "warning[NT0616]" in result.err


# For programs.


@pytest.mark.parametrize(("command", "key"), [("render", "svg"), ("show", "picture")])
def test_json_has_the_picture(command: str, key: str) -> None:
    result = call(command, "--json", given=FIRST)
    assert (result.code, result.err) == (0, "")
    answer = json.loads(result.out)
    assert list(answer) == [key, "warnings"]
    assert answer["warnings"] == []
    assert answer[key] == call(command, given=FIRST).out


@pytest.mark.parametrize("command", ["render", "show"])
@pytest.mark.parametrize(("given", "code"), [(b"4/W7", "NT0402"), (b"\xff", "NT0001"), (b"", "NT0002")])
def test_json_has_the_error(command: str, given: bytes, code: str) -> None:
    result = call(command, "--json", given=given)
    assert (result.code, result.err) == (1, "")
    answer = json.loads(result.out)
    assert list(answer) == ["error"]
    assert answer["error"]["code"] == code


def test_json_of_a_picture_goes_into_a_file_too(tmp_path: Path) -> None:
    path = tmp_path / "start.json"
    assert call("render", "--json", "-o", str(path), given=FIRST) == Result(0, "", "")
    assert json.loads(path.read_bytes())["svg"].startswith("<svg")


# Colour and characters.


def shown_on(stream: io.TextIOWrapper, **environment: str) -> str:
    result = call("show", given=FIRST, out=stream, environment=environment)
    assert result.code == 0
    return written(stream)


def terminal(encoding: str = "utf-8") -> Terminal:
    return Terminal(io.BytesIO(), encoding=encoding)


def pipe(encoding: str = "utf-8") -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(), encoding=encoding)


COLOURFUL = {"TERM": "xterm-256color", "COLORTERM": "truecolor"}


def test_a_terminal_with_colour_gets_colour() -> None:
    assert "\x1b[" in shown_on(terminal(), **COLOURFUL)


def test_a_pipe_gets_none() -> None:
    assert "\x1b" not in shown_on(pipe(), **COLOURFUL)


def test_colour_can_be_switched_off_and_forced() -> None:
    assert "\x1b" not in shown_on(terminal(), NO_COLOR="1", **COLOURFUL)
    assert "\x1b[" in shown_on(pipe(), FORCE_COLOR="1", **COLOURFUL)
    assert "\x1b" not in shown_on(pipe(), FORCE_COLOR="1", NO_COLOR="1", **COLOURFUL)


def test_an_empty_no_color_is_none() -> None:
    assert "\x1b[" in shown_on(terminal(), NO_COLOR="", **COLOURFUL)


def test_a_dumb_terminal_gets_no_colour() -> None:
    assert "\x1b" not in shown_on(terminal(), TERM="dumb", COLORTERM="")


def test_a_terminal_with_sixteen_colours_gets_those() -> None:
    shown = shown_on(terminal(), TERM="xterm", COLORTERM="")
    assert "\x1b[30;42m" in shown  # a forest is green, with black letters
    assert "38;" not in shown
    assert "48;" not in shown


def test_a_narrow_terminal_is_told_how_wide_the_picture_is() -> None:
    result = call("show", given=FIRST, out=terminal(), environment={"COLUMNS": "60", **COLOURFUL})
    assert result.err == "note: the picture is 74 columns wide, this terminal has 60\n"
    assert call("show", given=FIRST, environment={"COLUMNS": "60"}).err == ""


def test_colour_changes_no_character() -> None:
    coloured = shown_on(terminal(), **COLOURFUL)
    plain = re.sub(r"\x1b\[[0-9;]*m", "", coloured)
    assert [line.rstrip() for line in plain.splitlines()] == shown_on(pipe()).splitlines()


@pytest.mark.parametrize("encoding", ["ascii", "cp437", "latin-1", "cp1252"])
def test_a_terminal_without_the_characters_gets_ascii(encoding: str) -> None:
    picture = shown_on(terminal(encoding), NO_COLOR="1")
    assert picture.isascii()
    assert picture == call("show", "--ascii", given=FIRST).out


def test_a_terminal_with_unicode_gets_its_characters() -> None:
    assert not shown_on(terminal(), NO_COLOR="1").isascii()


def test_a_pipe_gets_utf8_unless_another_encoding_is_chosen() -> None:
    assert not shown_on(pipe("ascii")).isascii()
    assert shown_on(pipe("ascii"), PYTHONIOENCODING="ascii").isascii()


def test_ascii_can_be_asked_for() -> None:
    assert call("show", "--ascii", given=FIRST).out.isascii()
    assert json.loads(call("show", "--ascii", "--json", given=FIRST).out)["picture"].isascii()
