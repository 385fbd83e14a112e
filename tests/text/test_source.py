"""Lines and columns of a text, whatever ends its lines."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludograph.text import Source, Span, split_lines
from ludograph.text.source import LONG_TEXT

TEXTS = st.text(st.sampled_from("ab\r\n\t\x0b\x85\u2028"), max_size=30)


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_lines_and_columns_are_counted_from_one(line_end: str) -> None:
    source = Source(f"ab{line_end}cd{line_end}{line_end}e")
    places = {source.text[offset]: source.line_and_column(offset) for offset in range(len(source.text))}
    assert places["a"] == (1, 1)
    assert places["b"] == (1, 2)
    assert places["c"] == (2, 1)
    assert places["d"] == (2, 2)
    assert places["e"] == (4, 1)


def test_a_line_end_is_on_the_line_that_it_ends() -> None:
    source = Source("ab\r\ncd\ref\n")
    assert [source.line_and_column(offset) for offset in (2, 3, 6, 9)] == [(1, 3), (1, 4), (2, 3), (3, 3)]
    assert [source.line_span(offset) for offset in (2, 3, 6, 9)] == [
        Span(0, 2),
        Span(0, 2),
        Span(4, 6),
        Span(7, 9),
    ]


def test_the_end_of_a_text_after_its_last_line_end_is_a_line_of_its_own() -> None:
    source = Source("ab\n")
    assert source.line_and_column(3) == (2, 1)
    assert source.line_span(3) == Span(3, 3)


def test_other_blanks_end_no_line() -> None:
    text = "a\x0bb\x0cc\x85d\u2028e"
    assert Source(text).line_and_column(8) == (1, 9)
    assert list(split_lines(text)) == [text]


def test_a_record_cut_out_of_a_file_counts_on_from_its_first_line() -> None:
    assert Source("a\nb", first_line=40).line_and_column(2) == (41, 1)


@given(TEXTS)
def test_lines_put_together_are_the_text(text: str) -> None:
    assert "".join(split_lines(text)) == text


@given(TEXTS, st.data())
def test_places_agree_with_the_lines(text: str, data: st.DataObject) -> None:
    offset = data.draw(st.integers(0, len(text)))
    line, column = Source(text).line_and_column(offset)
    lines = [*split_lines(text), ""]
    assert sum(map(len, lines[: line - 1])) + column - 1 == offset
    shown = Source(text).line_span(offset)
    assert text[shown.start : shown.end] == re.split(r"\r\n|\n|\r", text)[line - 1]


@given(TEXTS, st.integers(0, 32))
def test_a_long_text_has_the_same_lines(text: str, offset: int) -> None:
    before = "x\n" * (LONG_TEXT // 2 + 1)
    line, column = Source(text).line_and_column(offset)
    span = Source(text).line_span(offset)
    long = Source(before + text)
    assert long.line_and_column(len(before) + offset) == (line + LONG_TEXT // 2 + 1, column)
    assert long.line_span(len(before) + offset) == Span(len(before) + span.start, len(before) + span.end)
