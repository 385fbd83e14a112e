"""`ludograph convert`: text on standard output, losses beside it, a file only if all is well."""

import json
from pathlib import Path

import pytest

from ludograph import hexil
from ludograph.cli.game_arguments import IMPORTS
from ludograph.notation import convert as conversion
from ludograph.notation.imports import ImportFormat
from tests.cli.command import Result, call, example, text_of

FIRST = text_of("start.ccn")
SECOND = FIRST.replace("4/", "3/", 1)
NOTATIONS = ("han", "hsn", "cgn", "ccn", "sgn")


@pytest.mark.parametrize("target", NOTATIONS)
@pytest.mark.parametrize("name", ["game.han", "start.hsn", "game.cgn", "setup.ccn", "game.sgn"])
def test_every_pair_is_written_with_one_line_end_at_the_end(name: str, target: str) -> None:
    result = call("convert", example(name), "--to", target)
    expected, losses = hexil.convert(text_of(name), name[-3:], target)
    assert result.code == 0
    assert result.out == expected.rstrip("\n") + "\n"
    assert bool(result.err) == bool(losses)


@pytest.mark.parametrize("target", ["cgn", "hsn"])
def test_whole_games_are_converted_with_the_rules_help_unless_that_is_not_wanted(target: str) -> None:
    helped = call("convert", example("game.han"), "--to", target)
    alone = call("convert", example("game.han"), "--to", target, "--without-rules")
    assert "missing" in alone.err
    assert "missing" not in helped.err
    assert alone.out == conversion.convert(text_of("game.han"), "han", target).text.rstrip("\n") + "\n"


def test_a_game_that_the_rules_refuse_is_not_written() -> None:
    result = call("convert", "--to", "cgn", given=text_of("game.han").replace("Bd", "Bd Bd"))
    assert (result.code, result.out) == (1, "")
    assert result.err.startswith("error[NT2001]: action 24: Bd is not legal here: ")
    assert result.err.endswith(
        "note: --lenient leaves such actions out; --without-rules does not check them\n"
    )


def test_a_refused_action_is_left_out_leniently() -> None:
    result = call("convert", "--to", "cgn", "--lenient", given=text_of("game.han").replace("Bd", "Bd Bd"))
    assert result.code == 0
    assert result.out == call("convert", example("game.han"), "--to", "cgn").out
    assert "note: lost: Bd is not legal here: " in result.err


def test_a_game_that_the_rules_refuse_is_converted_without_them_on_request() -> None:
    game = text_of("game.han").replace("Bd", "Bd Bd")
    result = call("convert", "--to", "cgn", "--without-rules", given=game)
    assert result.code == 0
    assert "the production after 3 rolls" in result.err


def test_a_refused_action_is_in_the_json_too() -> None:
    result = call("convert", "--to", "cgn", "--json", given=text_of("game.han").replace("Bd", "Bd Bd"))
    (record,) = json.loads(result.out)["records"]
    assert (result.code, record["text"]) == (1, "")
    assert [fault["code"] for fault in record["faults"]] == ["NT2001"]


def test_a_start_that_cannot_be_played_is_not_converted() -> None:
    result = call("convert", "--to", "cgn", given=f'[Points "2"]\n{text_of("game.han")}')
    assert (result.code, result.out) == (1, "")
    assert "--without-rules converts it" in result.err


def test_options_that_a_notation_cannot_tell_are_given() -> None:
    lines = call("convert", example("game.han"), "--to", "sgn").out
    result = call("convert", "--to", "cgn", "--option", "trades=nobody", given=lines)
    assert (result.code, result.out) == (1, "")
    assert "T(O)(W)3 is not legal here" in result.err
    for wrong in ("trades=all", "colour=red", "points"):
        assert call("convert", "--to", "cgn", "--option", wrong, given=lines).code == 2


def test_what_is_lost_is_said_beside_the_text_once_for_each_kind() -> None:
    result = call("convert", example("game.han"), "--to", "ccn")
    assert result.out.startswith("4/")
    lost = "note: lost: an action: CCN has only the placements of the set-up"
    assert result.err.splitlines() == [
        "note: lost: a comment (2 times, first at event 1)",
        "note: lost: the header 'Event'",
        f"{lost} (18 times, first at event 19)",
    ]


def test_one_loss_names_its_event() -> None:
    given = '["1","RD",{"result":7}]'
    assert (
        "note: invented: the dice 1+6 of a roll of 7 (event 1)\n"
        in call("convert", "--to", "han", "--without-rules", given=given).err
    )


def test_a_record_that_the_rules_cannot_check_is_refused_unless_asked_for() -> None:
    given = '["1","RD",{"result":7}]'
    refused = call("convert", "--to", "han", given=given)
    assert (refused.code, refused.out) == (1, "")
    assert "error[NT2004]: the record has neither a start position nor a map" in refused.err
    assert "lenient conversion writes it" in refused.err
    for option in ("--lenient", "--without-rules"):
        written = call("convert", "--to", "han", option, given=given)
        assert (written.code, written.out) == (0, "R(1+6)\n")


def test_nothing_lost_is_nothing_said() -> None:
    assert call("convert", example("start.ccn"), "--to", "hsn") == Result(0, text_of("start.hsn"), "")


@pytest.mark.parametrize("dialect", ["seed", "2023"])
def test_the_dialect_of_han_is_chosen(dialect: str) -> None:
    result = call("convert", "--to", "han", "--dialect", dialect, given="Uk M(d4) S(O)2")
    assert result.out == {"seed": "Uk M(d4) S(O)2\n", "2023": "UDk Md4 SO2\n"}[dialect]


def test_bad_text_is_shown_with_its_place_and_ends_with_1() -> None:
    result = call("convert", "--to", "hsn", given="2/W7")
    assert (result.code, result.out) == (1, "")
    assert result.err == (
        "error[NT0402]: the number of a tile is from 2 to 12 and not 7, found 7\n"
        " --> 1:4\n1 | 2/W7\n  |    ^\n"
        "  = hint: write W2 to W12\n"
    )


def test_lenient_reading_warns_and_goes_on() -> None:
    given = '[{"PA":"P1"} {"PA":"P2"}]'
    assert call("convert", "--to", "cgn", given=given).code == 1
    result = call("convert", "--to", "cgn", "--lenient", given=given)
    assert (result.code, result.out) == (0, '[\n{"PA":"P1"},\n{"PA":"P2"}\n]\n')
    assert result.err.startswith("warning[NT0616]: ")


def test_many_warnings_are_counted() -> None:
    given = "[" + '{"PA":"P1"} ' * 100 + "]"
    result = call("convert", "--to", "cgn", "--lenient", given=given)
    assert result.err.count("warning[") == 20
    assert result.err.endswith("… and 79 more warnings\n")


@pytest.mark.parametrize(
    ("target", "gap"), [("hsn", "\n"), ("han", "\n"), ("ccn", ""), ("cgn", ""), ("sgn", "")]
)
def test_many_records_are_written_so_that_they_can_be_read_again(target: str, gap: str) -> None:
    result = call("convert", "--to", target, given=FIRST + SECOND + FIRST)
    alone = [call("convert", "--to", target, given=text).out for text in (FIRST, SECOND, FIRST)]
    assert result.out == gap.join(alone)
    assert ", 3 records" in call("validate", "--from", target, given=result.out).out


def test_a_loss_in_many_records_names_the_record() -> None:
    result = call("convert", "--to", "sgn", given=FIRST + SECOND)
    assert result.err.splitlines() == [
        "note: record 1: lost: the number of players (4): SGN names only players who act",
        "note: record 2: lost: the number of players (3): SGN names only players who act",
    ]


def test_records_before_a_bad_one_are_written() -> None:
    result = call("convert", "--to", "hsn", given=FIRST + "2/W7")
    assert (result.code, result.out) == (1, text_of("start.hsn"))
    assert "(record 2)" in result.err


def test_a_notation_that_can_say_nothing_is_an_error() -> None:
    result = call("convert", "--to", "hsn", given="R(1+2) E")
    assert (result.code, result.out) == (1, "")
    assert result.err.splitlines() == [
        "note: lost: everything: the record has no start position",
        "error: HSN cannot express this record",
    ]


def test_records_after_one_that_cannot_be_said_are_written() -> None:
    given = '[A "1"]\nR(1+2) E\n' + f'[A "2"]\n{text_of("start.hsn")}'
    result = call("convert", "--to", "hsn", given=given)
    assert (result.code, result.out) == (1, text_of("start.hsn"))
    assert "error: record 1: HSN cannot express this record" in result.err


# Into a file.


def test_a_file_is_written_as_utf8_and_nothing_is_printed(tmp_path: Path) -> None:
    path = tmp_path / "out.cgn"
    given = '[{"CH":{"P1":"Grüße"}}]'
    assert call("convert", "--to", "cgn", "-o", str(path), given=given) == Result(0, "", "")
    assert path.read_bytes() == '[\n{"CH":{"P1":"Grüße"}}\n]\n'.encode()


@pytest.mark.parametrize("option", ["-o", "--output"])
def test_a_dash_as_the_output_is_standard_output(option: str) -> None:
    assert call("convert", example("start.ccn"), "--to", "hsn", option, "-").out == text_of("start.hsn")


@pytest.mark.parametrize("given", [FIRST + "2/W7", "R(1+2)", FIRST + "\xff", ""])
@pytest.mark.parametrize("content", [None, "as it was"])
def test_a_file_is_left_alone_on_an_error(tmp_path: Path, given: str, content: str | None) -> None:
    path = tmp_path / "out.hsn"
    if content is not None:
        path.write_text(content, encoding="utf-8")
    result = call("convert", "--to", "hsn", "-o", str(path), given=given.encode("latin-1"))
    assert (result.code, result.out) == (1, "")
    assert result.err.endswith(f"ludograph: {path} was not written\n")
    assert (path.read_text(encoding="utf-8") if path.exists() else None) == content


def test_a_file_can_be_converted_into_itself(tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_text(FIRST + SECOND, encoding="utf-8")
    assert call("convert", str(path), "--to", "hsn", "-o", str(path)).code == 0
    assert call("convert", str(path), "--to", "ccn").out == FIRST + SECOND


# For programs.


def test_json_has_text_losses_and_warnings_of_every_record() -> None:
    result = call("convert", "--to", "sgn", "--json", given=FIRST + SECOND)
    assert (result.code, result.err) == (0, "")
    answer = json.loads(result.out)
    assert list(answer) == ["from", "to", "fine", "records"]
    assert (answer["from"], answer["to"], answer["fine"]) == ("ccn", "sgn", True)
    assert [list(record) for record in answer["records"]] == [["text", "losses", "warnings"]] * 2
    assert answer["records"][0]["losses"] == [
        {
            "kind": "lost",
            "message": "the number of players (4): SGN names only players who act",
            "event": None,
        }
    ]


SEVEN = '["1","RD",{"result":7}]'


def test_json_counts_events_from_1() -> None:
    answer = json.loads(call("convert", "--to", "han", "--json", "--without-rules", given=SEVEN).out)
    assert [loss["event"] for loss in answer["records"][0]["losses"]] == [1, 1]


def test_json_has_the_warnings_of_lenient_reading() -> None:
    given = '[{"PA":"P1"} {"PA":"P2"}]'
    answer = json.loads(call("convert", "--to", "cgn", "--json", "--lenient", given=given).out)
    (warning,) = answer["records"][0]["warnings"]
    assert list(warning) == ["code", "message", "hint", "line", "column", "record"]
    assert (warning["code"], warning["line"], warning["column"]) == ("NT0616", 1, 14)


@pytest.mark.parametrize(
    ("given", "kind", "code", "place"),
    [
        ("2/W7", "bad text", "NT0402", (1, 4)),
        ("R(1+2) S?0", "nonsense", "NT1102", (1, 10)),
        ("", "bad text", "NT0002", (1, 1)),
        ("\xff\xfe", "bad text", "NT0001", (1, 1)),
    ],
)
def test_json_has_the_error(given: str, kind: str, code: str, place: tuple[int, int]) -> None:
    result = call("convert", "--to", "hsn", "--json", given=given.encode("latin-1"))
    assert (result.code, result.err) == (1, "")
    answer = json.loads(result.out)
    assert not answer["fine"]
    (record,) = answer["records"]
    error = record["error"]
    assert list(error) == ["kind", "code", "message", "hint", "line", "column", "record"]
    assert (error["kind"], error["code"], (error["line"], error["column"])) == (kind, code, place)


def test_json_of_what_cannot_be_read_names_the_notation_that_was_given() -> None:
    answer = json.loads(call("convert", "--from", "han", "--to", "hsn", "--json", given=b"\xff").out)
    assert answer["from"] == "han"
    assert json.loads(call("convert", "--to", "hsn", "--json", given=b"\xff").out)["from"] is None


def test_json_of_a_record_that_cannot_be_said_is_not_fine() -> None:
    result = call("convert", "--to", "hsn", "--json", given="R(1+2)")
    assert result.code == 1
    answer = json.loads(result.out)
    assert not answer["fine"]
    assert answer["records"][0]["text"] == ""


def test_json_goes_into_a_file_too(tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    assert call("convert", "--to", "hsn", "--json", "-o", str(path), given=FIRST) == Result(0, "", "")
    assert json.loads(path.read_bytes())["records"][0]["text"] + "\n" == text_of("start.hsn")


@pytest.mark.parametrize("arguments", [(), ("--from", "catanlog")])
def test_a_game_of_another_program_is_converted(arguments: tuple[str, ...]) -> None:
    result = call("convert", example("game.catan"), "--to", "han", *arguments)
    assert result.code == 0
    assert result.out == hexil.convert(text_of("game.catan"), "catanlog", "han").text.rstrip("\n") + "\n"
    assert "note: missing: the check of the events from here on" in result.err


def test_an_illegal_line_of_another_program_is_shown_at_its_place() -> None:
    wrong = text_of("game.catan").replace(
        "red buys road, builds at (17 NE)", "red buys city, builds at (7 NW)"
    )
    result = call("convert", "--to", "han", given=wrong)
    assert (result.code, result.out) == (1, "")
    assert " --> 30:1" in result.err


def test_a_log_is_replayed_up_to_what_it_hides() -> None:
    result = call("replay", example("game.catan"))
    assert result.code == 0
    assert "catanlog, 3 players, 19 actions, all legal" in result.out
    assert "note: checked up to" in result.err
    assert (
        json.loads(call("convert", "--json", example("game.catan"), "--to", "han").out)["from"] == "catanlog"
    )


@pytest.mark.parametrize("command", ["validate", "render"])
def test_a_game_of_another_program_is_checked_and_drawn(command: str) -> None:
    assert call(command, example("game.catan")).code == 0


def test_the_command_line_names_every_program() -> None:
    assert tuple(each.value for each in ImportFormat) == IMPORTS


def test_a_file_of_another_program_is_recognised_by_its_suffix(tmp_path: Path) -> None:
    file = tmp_path / "broken.catan"
    file.write_text(text_of("game.catan").partition("\n")[2], encoding="utf-8")
    result = call("convert", str(file), "--to", "han")
    assert (result.code, result.out) == (1, "")
    assert "NT0704" in result.err
