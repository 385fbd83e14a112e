"""Header lines: their form, their recognition, and inexpressible values."""

import re
from pathlib import Path

import pytest
from hypothesis import given

from ludograph.notation import headers
from ludograph.notation.headers import can_write_header, format_header, is_header, take_headers
from ludograph.text import BadText, Cursor, Source
from tests.strategies import header_keys, one_line_texts


def taken(text: str) -> tuple[tuple[tuple[str, str], ...], str]:
    """The headers of a text, and what comes after them."""
    cursor = Cursor(Source(text))
    found = take_headers(cursor)
    return found, text[cursor.offset :]


@pytest.mark.parametrize(
    ("text", "found", "rest"),
    [
        ("", (), ""),
        ('[Event "Final"]', (("Event", "Final"),), ""),
        ('[Event "Final"]\nR?', (("Event", "Final"),), "R?"),
        ('\n [a "1"] \r\n\r\n[b\t"2" ]\rrest', (("a", "1"), ("b", "2")), "rest"),
        ('[a "1"]\n[a "2"]', (("a", "1"), ("a", "2")), ""),
        ('[a_1 ""]', (("a_1", ""),), ""),
        (r'[a "say \"hi\" \\ bye"]', (("a", r'say "hi" \ bye'),), ""),
        ('[a "]"]', (("a", "]"),), ""),
        ("[SSS/SWS]", (), "[SSS/SWS]"),
        ("[S SS]", (), "[S SS]"),
        ("  R?", (), "R?"),
    ],
)
def test_header_lines_are_taken_and_the_rest_is_left(
    text: str, found: tuple[tuple[str, str], ...], rest: str
) -> None:
    assert taken(text) == (found, rest)


@pytest.mark.parametrize(
    "text",
    [
        '[a "1"',
        '[a "1',
        '[a "1\n"]',
        r'[a "\n"]',
        r'[a "\"]',
        '[a "1""]',
        '[a "1" "2"]',
    ],
)
def test_a_header_line_that_does_not_end_is_bad_text(text: str) -> None:
    with pytest.raises(BadText) as caught:
        taken(f"\n{text}")
    error = caught.value
    assert (error.code, error.line, error.column) == ("NT0009", 2, 1)
    assert '[Key "value"]' in error.hint


@pytest.mark.parametrize(("text", "column"), [('[a "1"] R?', 9), (r'[a "\""] [b "2"]', 10)])
def test_text_after_a_header_is_shown(text: str, column: int) -> None:
    with pytest.raises(BadText, match="text follows the header on its line") as caught:
        taken(f"\n{text}")
    assert (caught.value.code, caught.value.line, caught.value.column) == ("NT0009", 2, column)
    assert caught.value.hint == f"start a new line after {text[: column - 2]}"


def test_the_only_code_is_documented() -> None:
    source = Path(headers.__file__).read_text(encoding="utf-8")
    assert set(re.findall(r'"(NT\d{4})"(?!:)', source)) == headers.CODES.keys() == {"NT0009"}


@given(header_keys, one_line_texts)
def test_a_header_that_can_be_written_is_read_back(key: str, value: str) -> None:
    assert can_write_header(key, value)
    assert taken(format_header(key, value)) == (((key, value),), "")


@pytest.mark.parametrize(
    ("key", "value"),
    [("", ""), ("1", ""), ("a b", ""), ("a-b", ""), ("ä", ""), ("a\n", ""), ("a", "\n"), ("a", "\r")],
)
def test_other_headers_cannot_be_written(key: str, value: str) -> None:
    assert not can_write_header(key, value)


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ('[Event "Final"]\n', True),
        ('  [Event "Final', True),
        ('\ufeff[Event "Final"]', True),
        ("[SSS/SWS]", False),
        ("[]", False),
        ("", False),
        ("R(2+3)", False),
        ('["Event" "Final"]', False),
    ],
)
def test_a_line_means_to_be_a_header_or_not(line: str, answer: bool) -> None:
    assert is_header(line) is answer
