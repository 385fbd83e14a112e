"""Records as text, there and back."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from ludograph.play import CHANCE, BadRecord, Record, RecordedMove, format_record, parse_record

RECORD = Record(
    "Go",
    "91c0",
    1,
    2,
    (("komi", 7.5), ("name", 'a "b" \\'), ("quick", True)),
    42,
    "short",
    (
        RecordedMove(0, "grid[1][2].play"),
        RecordedMove(CHANCE, "random(3)"),
        RecordedMove(1, "man#3.jump(to: c5)"),
    ),
    "win 0",
    '{"active":1}',
)


def test_a_record_is_readable_text() -> None:
    lines = format_record(RECORD).splitlines()
    assert lines[0] == '[Game "Go"]'
    assert lines[-3:] == ["0: grid[1][2].play", "*: random(3)", "1: man#3.jump(to: c5)"]


def test_a_record_is_read_back() -> None:
    assert parse_record(format_record(RECORD)) == RECORD


def test_whole_numbers_are_written_without_a_point() -> None:
    text = format_record(replace(RECORD, options=(("size", 3.0),)))
    assert '[Option "size=3"]' in text
    assert parse_record(text).options == (("size", 3.0),)


def test_comments_blank_lines_and_several_moves_a_line_are_read() -> None:
    text = '# a game\n[Rules "r"]\n[Players "2"] # two\n\n0: a; 1: man#2.b # why\n# end\n'
    assert parse_record(text).moves == (RecordedMove(0, "a"), RecordedMove(1, "man#2.b"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "Rules"),
        ('[Rules "r"]', "Players"),
        ('[Rules "r"]\n[Rules "r"]', "two headers Rules"),
        ('[Rules "r"]\n[Players "two"]', "whole number"),
        ('[Rules "r"]\n[Players "2"]\nx', "line 3"),
        ('[Rules "r"]\n[Players "2"]\n-1: x', "line 3"),
        ('[Rules "r"]\n[Players "2"]\n0:', "line 3"),
        ('[Rules "r"]\n[Players "2"]\n[Option "a"]', "line 3"),
        ('[Rules "r"]\n[Players "2"]\n[Option "a={}"]', "line 3"),
        ('[Rules "r"]\n[Players "2"]\n99999999999: x', "no player"),
    ],
)
def test_a_text_that_is_no_record_names_its_line(text: str, message: str) -> None:
    with pytest.raises(BadRecord, match=message):
        parse_record(text)


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_lines_end_as_in_the_texts_of_games(line_end: str) -> None:
    assert parse_record(format_record(RECORD).replace("\n", line_end)) == RECORD


def test_a_header_has_room_for_line_ends() -> None:
    record = replace(RECORD, game="one\ntwo\r\\n", position='{\n"active": 1\r\n}')
    assert parse_record(format_record(record)) == record


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[Rules "r"]\n[Players "2"]\n[Seed "' + "9" * 5_000 + '"]', "Seed has 5,000 digits"),
        ('[Rules "r"]\n[Players "2"]\n[Language "0"]', "Language is 1 or more, not 0"),
        ('[Rules "r"]\n[Players "' + "x" * 5_000 + '"]', "Players is a whole number, not `x{59}…`"),
        ("0: go\n" + "y" * 5_000, "line 2: expected a move such as `0: pass`, found `y{59}…`"),
        ("9" * 5_000 + ": go", "there is no player 9{59}…$"),
        ('[Option "' + "z" * 5_000 + '"]', "found `z{59}…`"),
        ("0: go\n\x1b[31mred\x07", r"found `\\u001b\[31mred\\u0007`"),
    ],
)
def test_a_message_shows_neither_all_of_a_long_text_nor_what_a_terminal_obeys(
    text: str, message: str
) -> None:
    with pytest.raises(BadRecord, match=message):
        parse_record(text)


@given(st.text())
def test_any_text_is_a_record_or_refused(text: str) -> None:
    with contextlib.suppress(BadRecord):
        parse_record(text)
