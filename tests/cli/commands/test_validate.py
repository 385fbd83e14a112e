"""`ludograph validate`: every record read, every finding said."""

import json

import pytest

from ludograph.notation import hsn
from tests.cli.command import Result, call, example, text_of

FIRST = text_of("start.ccn")


def test_a_good_file_is_said_to_be_good() -> None:
    path = example("game.han")
    assert call("validate", path) == Result(0, f"{path}: HAN, 1 record, no errors or findings\n", "")
    result = call("validate", given=FIRST * 3)
    assert result == Result(0, "standard input: CCN, 3 records, no errors or findings\n", "")


def test_findings_are_said_with_their_flags_and_end_with_1() -> None:
    path = example("seed.hsn")
    result = call("validate", path)
    assert (result.code, result.out) == (1, "")
    findings = hsn.parse(text_of("seed.hsn")).findings()
    assert result.err.splitlines() == [
        f"{path}: {finding.message} [{finding.flag.value}]" for finding in findings
    ]
    assert "number-counts" in result.err


def test_strict_adds_the_rules_about_neighbours() -> None:
    red = FIRST.replace("O10S2", "O6S8").replace("B6", "B10").replace("O8", "O2")
    assert call("validate", given=red).code == 0
    result = call("validate", "--strict", given=red)
    assert result.code == 1
    assert "[red-numbers-adjacent]" in result.err


def test_the_specifications_own_example_has_a_finding() -> None:
    given = "2/W2O3B10S8DL5O6B3S4W10O11W9B12S6L4B5S9L11W8/WTOTTLBST"
    assert "[terrain-counts]" in call("validate", given=given).err


def test_pieces_of_the_set_up_are_checked_too() -> None:
    given = FIRST.rstrip() + "/V0,-1,0Z0,0V0,-1,0Z0,0"
    result = call("validate", given=given)
    assert result.code == 1
    assert "d4n" in result.err


def test_a_whole_set_up_is_not_blamed_for_cards_that_the_rules_deal() -> None:
    for name in ("game.han", "game.cgn", "game.sgn", "setup.ccn"):
        assert call("validate", example(name)).code == 0


def test_sgn_is_not_blamed_for_players_who_have_not_acted_yet() -> None:
    lines = text_of("game.sgn").splitlines()
    for count in range(1, 17):
        assert call("validate", given="\n".join(lines[:count])).err == ""


def test_a_map_without_players_is_checked_as_an_island() -> None:
    line = text_of("game.sgn").splitlines()[0].replace('"rNumber":12', '"rNumber":2')
    result = call("validate", given=line)
    assert "[number-counts]" in result.err
    assert "player" not in result.err


def test_every_record_is_checked_though_one_is_bad() -> None:
    given = FIRST + FIRST.replace("O10", "O7") + FIRST.replace("S2L9", "L9S2").replace("4/", "9/", 1)
    result = call("validate", given=given)
    assert result.code == 1
    assert "--> 2:4 (record 2)" in result.err
    assert "--> 3:1 (record 3)" in result.err


def test_findings_of_many_records_name_the_record() -> None:
    given = FIRST + "2/W2O3B10S8DL5O6B3S4W10O11W9B12S6L4B5S9L11W8/WTOTTLBST"
    assert call("validate", given=given).err.startswith("standard input (record 2): There are ")


def test_warnings_alone_are_fine() -> None:
    result = call("validate", "--lenient", given='[{"PA":"P1"},]')
    assert result.code == 0
    assert result.err.startswith("warning[NT0617]")


def test_bytes_that_are_no_text_end_the_check_after_what_came_before() -> None:
    result = call("validate", given=FIRST.encode() + b"\xff")
    assert (result.code, result.out) == (1, "")
    assert "error[NT0001]" in result.err
    assert "--> 2:1" in result.err


# For programs.


def test_json_of_a_good_file() -> None:
    result = call("validate", "--json", given=FIRST * 2)
    assert (result.code, result.err) == (0, "")
    assert json.loads(result.out) == {
        "notation": "ccn",
        "fine": True,
        "records": [{"findings": [], "warnings": []}] * 2,
    }


def test_json_has_findings_with_flags_messages_and_places() -> None:
    result = call("validate", "--json", example("seed.hsn"))
    assert (result.code, result.err) == (1, "")
    answer = json.loads(result.out)
    assert not answer["fine"]
    findings = answer["records"][0]["findings"]
    assert all(list(finding) == ["flag", "message", "places"] for finding in findings)
    assert {"flag": "harbors-too-close", "places": ["d2nw", "e2nw"]}.items() <= {
        key: value for key, value in findings[1].items() if key != "message"
    }.items()


@pytest.mark.parametrize(
    ("given", "code", "kind", "notation"),
    [
        (b"4/W7", "NT0402", "bad text", "ccn"),
        (b"R(1+2) S?0", "NT1102", "nonsense", "han"),
        (b"", "NT0002", "bad text", None),
        (b"\xff", "NT0001", "bad text", None),
        (b"R(1+2)\n" + b"E\n" * 200 + b"\xff", "NT0001", "bad text", "han"),
    ],
)
def test_json_has_the_error(given: bytes, code: str, kind: str, notation: str | None) -> None:
    result = call("validate", "--json", given=given)
    assert (result.code, result.err) == (1, "")
    answer = json.loads(result.out)
    assert (answer["notation"], answer["fine"]) == (notation, False)
    error = answer["records"][-1]["error"]
    assert list(error) == ["kind", "code", "message", "hint", "line", "column", "record"]
    assert (error["code"], error["kind"]) == (code, kind)
