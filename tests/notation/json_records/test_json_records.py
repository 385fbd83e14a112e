"""The JSON parser: accepted values, the places of errors, and bounded time."""

import json
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludograph.notation.json_records import reader as json_reader
from ludograph.notation.json_records.reader import MAX_DEPTH, JsonReader
from ludograph.notation.json_records.values import (
    Json,
    JsonArray,
    JsonBool,
    JsonNull,
    JsonNumber,
    JsonObject,
    JsonString,
    JsonValue,
    format_json,
)
from ludograph.text import BadText, Source, Span, TextError


def parse(text: str, *, lenient: bool = False, comments: bool = False, by_line: bool = False) -> Json:
    return open_reader(text, lenient=lenient, comments=comments, by_line=by_line).parse_value()


def open_reader(
    text: str, *, lenient: bool = False, comments: bool = False, by_line: bool = False
) -> JsonReader:
    return JsonReader(Source(text), lenient=lenient, comments=comments, by_line=by_line)


def plain(value: Json) -> object:
    match value:
        case JsonNull():
            return None
        case JsonBool(truth, _) | JsonNumber(truth, _) | JsonString(truth, _):
            return truth
        case JsonArray(items, _):
            return [plain(item) for item in items]
        case JsonObject(members, _):
            return {key.value: plain(member) for key, member in members}


def failure(text: str, *, by_line: bool = False, comments: bool = False) -> BadText:
    with pytest.raises(BadText) as caught:
        parse(text, by_line=by_line, comments=comments)
    return caught.value


@pytest.mark.parametrize(
    "text",
    [
        "null",
        "true",
        "false",
        "0",
        "-0",
        "-17",
        "999999999",
        '""',
        '"a\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9"',
        '"\\ud83d\\ude00 \\uD83D\\uDE00"',
        "[]",
        "[ ]",
        "[1,[2,[]]]",
        "{}",
        '{"a":{"b":[true,null]},"":0}',
        " \t\r\n[ 1 ,\n2 ] ",
    ],
)
def test_a_value_equals_that_of_the_standard_library(text: str) -> None:
    assert plain(parse(text)) == json.loads(text)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-999_999_999, 999_999_999) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(json_values)
def test_what_is_written_reads_back(value: JsonValue) -> None:
    assert plain(parse(format_json(value))) == value


@given(json_values, st.sampled_from([None, 2]), st.booleans())
def test_any_layout_and_escaping_reads_the_same(
    value: JsonValue, indent: int | None, ascii_only: bool
) -> None:
    assert plain(parse(json.dumps(value, indent=indent, ensure_ascii=ascii_only))) == value


def test_formatted_json_is_one_line_for_every_program() -> None:
    ends = "\r\n\v\f\x1c\x1d\x1e\x85\u2028\u2029\x7f"
    assert len(format_json([ends]).splitlines()) == 1
    assert plain(parse(format_json([ends]))) == [ends]


def test_every_value_knows_its_place() -> None:
    assert parse(' {"a": [1, "b"]}') == JsonObject(
        (
            (
                JsonString("a", Span(2, 5)),
                JsonArray((JsonNumber(1, Span(8, 9)), JsonString("b", Span(11, 14))), Span(7, 15)),
            ),
        ),
        Span(1, 16),
    )


def test_repeated_keys_are_kept_until_members_are_checked() -> None:
    reader = open_reader('{"a":1,"b":2,"a":3}')
    value = reader.parse_value()
    assert isinstance(value, JsonObject)
    assert [key.value for key, _ in value.members] == ["a", "b", "a"]
    with pytest.raises(BadText) as caught:
        reader.expect_members(value, "it")
    assert (caught.value.code, caught.value.column) == ("NT0613", 14)
    assert caught.value.hint == "the first one is in line 1, column 2"


def test_fractions_are_read_and_refused_at_use() -> None:
    for text in ("1.5", "1e3", "-0.25E-7", "1.0"):
        reader = open_reader(text)
        value = reader.parse_value()
        assert value == JsonNumber(None, Span(0, len(text)))
        with pytest.raises(BadText) as caught:
            reader.expect_integer(value, "it", 0, 9)
        assert caught.value.code == "NT0619"


FAILURES = [
    ("", "NT0601", 1, ""),
    ("   ", "NT0601", 4, ""),
    ("x", "NT0601", 1, "write strings in double quotes"),
    ("'x'", "NT0601", 1, "write strings in double quotes"),
    ("None", "NT0601", 1, "write null"),
    ("True", "NT0601", 1, "write true"),
    ("+1", "NT0601", 1, ""),
    ("-", "NT0601", 1, ""),
    (".5", "NT0601", 1, ""),
    ("[1,,2]", "NT0601", 4, ""),
    ("\x00", "NT0601", 1, ""),
    ("[1;2]", "NT0602", 3, ""),
    ("[1}", "NT0602", 3, ""),
    ("[1", "NT0602", 3, "the '[' in line 1, column 1 is not closed"),
    ('{"a":1', "NT0602", 7, "the '{' in line 1, column 1 is not closed"),
    ("{a:1}", "NT0603", 2, "put the key in double quotes"),
    ("{1:1}", "NT0603", 2, ""),
    ('{"a" 1}', "NT0604", 6, ""),
    ('{"a"}', "NT0604", 5, ""),
    ('"abc', "NT0605", 1, 'end it with "; write a line break as \\n'),
    ('"abc\n"', "NT0605", 1, 'end it with "; write a line break as \\n'),
    ('"abc\\', "NT0607", 5, ""),
    ('"a\tb"', "NT0606", 3, "write \\u0009"),
    ('"a\x00b"', "NT0606", 3, "write \\u0000"),
    ('"\\x41"', "NT0607", 2, ""),
    ('"\\u12G4"', "NT0607", 2, ""),
    ('"\\ud83d"', "NT0608", 2, ""),
    ('"\\ude00"', "NT0608", 2, ""),
    ('"\\ud83d\\u0041"', "NT0608", 2, ""),
    ('"a\ud83db"', "NT0608", 3, ""),
    ('"\ud83d\ude00"', "NT0608", 2, ""),
    ('"\\n\\ud83d\ud83d"', "NT0608", 4, ""),
    ("01", "NT0609", 1, "leave out the leading zero"),
    ("1.", "NT0609", 1, ""),
    ("1e", "NT0609", 1, ""),
    ("0x1F", "NT0609", 1, ""),
    ("12abc", "NT0609", 1, ""),
    ("1234567890", "NT0610", 1, ""),
    ("9" * 5000, "NT0610", 1, ""),
    ("0." + "9" * 5000, "NT0610", 1, ""),
    ("NaN", "NT0611", 1, "write an integer or null"),
    ("-Infinity", "NT0611", 1, "write an integer or null"),
    ("[Infinity]", "NT0611", 2, "write an integer or null"),
    ("[1 2]", "NT0616", 4, "a comma is missing"),
    ('{"a":1 "b":2}', "NT0616", 8, "a comma is missing"),
    ("[1,]", "NT0617", 3, "leave it out"),
    ('{"a":1,}', "NT0617", 7, "leave it out"),
    ("[1, # one\n2]", "NT0601", 5, ""),
]


@pytest.mark.parametrize(("text", "code", "column", "hint"), FAILURES)
def test_bad_json_is_refused_at_its_place(text: str, code: str, column: int, hint: str) -> None:
    error = failure(text)
    assert (error.code, error.line, error.column) == (code, 1, column)
    assert not hint or error.hint == hint


def test_nesting_is_bounded() -> None:
    deepest = "[" * MAX_DEPTH + "]" * MAX_DEPTH
    assert isinstance(parse(deepest), JsonArray)
    for text in (f"[{deepest}]", "[" * 1_000_000, '{"a":' * 1_000_000, '[{"a":' * 500_000):
        error = failure(text)
        assert error.code == "NT0612"
        assert error.message == "brackets are nested more than 64 deep"


def test_the_picture_of_a_fault_points_at_it() -> None:
    assert failure('{"a": [1,\n  2 3]}').picture == (
        "error[NT0616]: expected ',' or ']', found '3'\n"
        " --> 2:5\n"
        "2 |   2 3]}\n"
        "  |     ^\n"
        "  = hint: a comma is missing"
    )


def test_comments_are_kept_where_they_are_allowed() -> None:
    reader = open_reader('[1, # one "] \n 2 #two\r\n] #', comments=True)
    assert plain(reader.parse_value()) == [1, 2]
    reader.skip_blanks()
    assert [comment.text for comment in reader.comments] == ['one "] ', "two", ""]
    assert reader.cursor.at_end
    assert plain(parse('"# no comment"', comments=True)) == "# no comment"
    error = failure("# \\x \\u12 half \ud83d", comments=True)
    assert (error.code, error.column) == ("NT0608", 16)


def test_by_line_a_line_end_is_no_blank() -> None:
    assert plain(parse(" [ 1 ,\t2 ]\n", by_line=True)) == [1, 2]
    error = failure("[1,\n2]", by_line=True)
    assert (error.code, error.line, error.column) == ("NT0601", 1, 4)
    error = failure("[1\n,2]", by_line=True)
    assert (error.code, error.hint) == ("NT0602", "the '[' in line 1, column 1 is not closed")


def test_lenient_reading_mends_commas_with_warnings() -> None:
    reader = open_reader('[20 31 19, {"a":1 "b":[],},]', lenient=True)
    assert plain(reader.parse_value()) == [20, 31, 19, {"a": 1, "b": []}]
    assert [warning.code for warning in reader.warnings] == ["NT0616", "NT0616", "NT0616", "NT0617", "NT0617"]
    assert [warning.column for warning in reader.warnings] == [5, 8, 19, 25, 27]


def test_a_byte_order_mark_is_refused_or_warned_about() -> None:
    with pytest.raises(BadText) as caught:
        open_reader("\ufeff1").skip_mark()
    assert (caught.value.code, caught.value.hint) == (
        "NT0618",
        "save the file as UTF-8 without one, or use lenient parsing",
    )
    reader = open_reader("\ufeff1", lenient=True)
    reader.skip_mark()
    assert plain(reader.parse_value()) == 1
    assert [warning.code for warning in reader.warnings] == ["NT0618"]


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("[1]", "NT0614", "it is a string, found a list"),
        ("null", "NT0614", "it is a string, found null"),
        ("true", "NT0614", "it is a string, found true"),
        ("{}", "NT0614", "it is a string, found an object"),
        ("7", "NT0614", "it is a string, found a number"),
    ],
)
def test_a_value_of_another_kind_is_named(text: str, code: str, message: str) -> None:
    reader = open_reader(text)
    with pytest.raises(BadText) as caught:
        reader.expect_text(reader.parse_value(), "it")
    assert (caught.value.code, caught.value.message) == (code, message)


def test_a_user_can_ask_for_lengths_ranges_and_keys() -> None:
    reader = open_reader('{"list":[1,2],"number":"7"}')
    value = reader.parse_value()
    fields = reader.expect_fields(value, "it", ("list",), ("number",))
    first = reader.expect_items(fields["list"], "it")[0]
    asked: list[tuple[str, Callable[[], object]]] = [
        ("NT0615", lambda: reader.expect_items(fields["list"], "it", 3)),
        ("NT0614", lambda: reader.expect_integer(fields["number"], "it", 1, 9)),
        ("NT0620", lambda: reader.expect_integer(first, "it", 2, 9)),
        ("NT0621", lambda: reader.expect_fields(value, "it", ("list", "number", "more"))),
        ("NT0622", lambda: reader.expect_fields(value, "it", ("list",))),
    ]
    for code, ask in asked:
        with pytest.raises(BadText) as caught:
            ask()
        assert caught.value.code == code


def test_a_missing_brace_before_the_next_object_is_tolerated() -> None:
    reader = JsonReader(Source('[{"a":1, {"b":2}]'), lenient=True)
    value = reader.parse_value()
    assert isinstance(value, JsonArray) and len(value.items) == 2
    assert [warning.code for warning in reader.warnings] == ["NT0623"]


def test_every_code_is_documented_and_tried() -> None:
    source = Path(json_reader.__file__).read_text(encoding="utf-8")
    used = set(re.findall(r'"(NT\d{4})"(?!:)', source))
    tried = set(re.findall(r'"(NT\d{4})"', Path(__file__).read_text(encoding="utf-8")))
    assert used == set(json_reader.CODES) == tried


class CountingReader(JsonReader):
    """Counts how often blanks are skipped: a measure of work that does not depend on a clock."""

    steps = 0

    def skip_blanks(self) -> None:
        self.steps += 1
        super().skip_blanks()


@pytest.mark.parametrize("unit", ['{"a":[1,2,{"b":"c"}]},', "[],", '"\\n\\u0041",', "1,"])
def test_work_grows_with_the_length_of_the_text(unit: str) -> None:
    steps = []
    for count in (1_000, 2_000):
        reader = CountingReader(Source(f"[{unit * count}0]"))
        reader.parse_value()
        steps.append(reader.steps)
    assert steps[1] < 2 * steps[0] + 10


MEGABYTES = 3_000_000


@pytest.mark.parametrize(
    "text",
    [
        "[" * MEGABYTES,
        '"' + "a" * MEGABYTES,
        '"' + "\\n" * MEGABYTES,
        '"' + "\\" * MEGABYTES,
        "9" * MEGABYTES,
        "1." + "9" * MEGABYTES + "x",
        "-" * MEGABYTES,
        " " * MEGABYTES,
        "x" * MEGABYTES,
        "\x00\xff" * MEGABYTES,
        "[" + "1 " * 3 + "x" * MEGABYTES,
        "{" + '"a":1,' * 10 + '"' + "b" * MEGABYTES,
    ],
)
def test_megabytes_of_garbage_fail_with_one_error(text: str) -> None:
    error = failure(text)
    assert error.code in json_reader.CODES
    assert len(error.picture) < 1_000


@given(st.text(alphabet='[]{}",:\\ \n#0123456789.eE+-untrflsaNI\ud800\u00e9'))
def test_any_text_parses_or_raises_the_one_error(text: str) -> None:
    for lenient in (False, True):
        with suppress(TextError):
            parse(text, lenient=lenient, comments=True)
