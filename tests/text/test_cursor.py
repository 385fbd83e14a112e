"""The cursor: what it takes, what it leaves, and what it says about the rest."""

import re

import pytest

from ludograph.text import BadText, Cursor, Nonsense, Source, Span

WORD = re.compile(r"[a-z]+")


def test_a_literal_that_comes_next_is_taken() -> None:
    cursor = Cursor(Source("abc"))
    assert cursor.maybe("ab")
    assert cursor.offset == 2
    assert cursor.peek() == "c"


def test_a_literal_that_does_not_come_next_moves_nothing() -> None:
    cursor = Cursor(Source("abc"))
    assert not cursor.maybe("b")
    assert cursor.offset == 0


def test_a_pattern_is_taken_as_far_as_it_goes() -> None:
    cursor = Cursor(Source("abc1"))
    found = cursor.maybe_match(WORD)
    assert found is not None
    assert (found[0], cursor.offset) == ("abc", 3)
    assert cursor.maybe_match(WORD) is None
    assert cursor.offset == 3


def test_the_end_of_a_text_has_no_next_character() -> None:
    cursor = Cursor(Source("a"), 1)
    assert cursor.at_end
    assert cursor.peek() == ""


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "the end of the text"),
        ("\n", "the end of the line"),
        ("\r\n", "the end of the line"),
        ("x", "'x'"),
        ("世", "'世'"),
        ("\t", "the character U+0009"),
        ("\0", "the character U+0000"),
        ("\ufeff", "the character U+FEFF"),
        ("\ud800", "the character U+D800"),
        ("\U000e0001", "the character U+E0001"),
    ],
)
def test_what_stands_here_is_said_in_words(text: str, words: str) -> None:
    assert Cursor(Source(text)).found() == words


def test_an_expected_literal_that_is_not_there_is_bad_text() -> None:
    cursor = Cursor(Source("a)"), 1)
    with pytest.raises(BadText) as caught:
        cursor.expect("(", "NT9999", "open it")
    error = caught.value
    assert (error.code, error.message, error.hint) == ("NT9999", "expected '(', found ')'", "open it")
    assert (error.line, error.column) == (1, 2)


def test_a_meaning_that_fails_is_nonsense_about_the_text_taken() -> None:
    cursor = Cursor(Source("abc"), 3)
    with pytest.raises(Nonsense) as caught:
        cursor.fail_meaning("NT9999", "odd", start=1)
    assert caught.value.diagnostic.span == Span(1, 3)


def test_a_fault_is_at_least_one_character_wide() -> None:
    cursor = Cursor(Source("abc"), 2)
    assert cursor.diagnostic("NT9999", "odd").span == Span(2, 3)
    assert cursor.diagnostic("NT9999", "odd", start=2).span == Span(2, 3)
    assert cursor.diagnostic("NT9999", "odd", start=1, end=1).span == Span(1, 2)
