"""The lexer loses nothing, knows every kind of token, and names what is wrong with one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludograph.text import Source
from ludograph.tgdl.syntax.lexer import TokenKind, read_string, tokenize

ODD_LETTERS = "{}()[];,.:=<>+-*/%^!&|\"'\\ \t\r\n_a1é٣²\x00\ufeff\ud800#$"


def kinds(text: str) -> list[tuple[str, str]]:
    lexed = tokenize(Source(text))
    both = zip(lexed.pieces, lexed.kinds, strict=True)
    return [(piece, kind.value) for piece, kind in both if kind is not TokenKind.BLANK]


def codes(text: str) -> list[str]:
    return [diagnostic.code for diagnostic in tokenize(Source(text)).diagnostics]


@given(st.text(alphabet=ODD_LETTERS) | st.text())
def test_the_pieces_are_the_text(text: str) -> None:
    lexed = tokenize(Source(text))
    assert "".join(lexed.pieces) == text
    assert [
        text[start:][: len(piece)] for piece, start in zip(lexed.pieces, lexed.starts, strict=True)
    ] == list(lexed.pieces)


def test_words_numbers_strings_and_signs_are_told_apart() -> None:
    assert kinds('row1 = 7.5 + "a";') == [
        ("row1", "word"),
        ("=", "sign"),
        ("7.5", "number"),
        ("+", "sign"),
        ('"a"', "string"),
        (";", "sign"),
    ]


@pytest.mark.parametrize("sign", "<-> -> == != <= >= && || += -= *= /= ..".split())
def test_signs_of_several_letters_stay_together(sign: str) -> None:
    assert kinds(f"a{sign}c") == [("a", "word"), (sign, "sign"), ("c", "word")]


def test_a_range_of_numbers_is_no_decimal_point() -> None:
    assert [piece for piece, _ in kinds("2..4")] == ["2", "..", "4"]


@pytest.mark.parametrize("comment", ["// to the end", "\\\\ to the end", "//"])
def test_comments_go_to_the_end_of_the_line(comment: str) -> None:
    assert kinds(f"a {comment}\nc") == [("a", "word"), (comment, "comment"), ("c", "word")]


def test_letters_of_any_alphabet_make_names() -> None:
    assert kinds("größe Ελλάς 石") == [("größe", "word"), ("Ελλάς", "word"), ("石", "word")]


def test_a_byte_order_mark_is_a_blank_only_at_the_beginning() -> None:
    assert codes("\ufeffgame") == []
    assert codes("game\ufeff") == ["TG0101"]


@pytest.mark.parametrize(
    "piece, said",
    [
        ('"a"', "a"),
        ('""', ""),
        (r'"say \"yes\"\n"', 'say "yes"\n'),
        (r'"\\ \{ \} \t"', "\\ { } \t"),
        ('"open', "open"),
        ('"', ""),
    ],
)
def test_strings_say_what_stands_between_their_quotes(piece: str, said: str) -> None:
    assert read_string(piece) == said


def test_a_string_ends_with_its_line() -> None:
    assert codes('"open\n"closed"') == ["TG0102"]


def test_strange_characters_side_by_side_are_one_fault() -> None:
    assert codes("a $$$$ $ c") == ["TG0101", "TG0101"]


def test_a_text_of_strange_characters_has_no_endless_list_of_faults() -> None:
    assert len(codes("$ " * 10_000)) == 100


@pytest.mark.parametrize("text", ["", " ", "\n", "\r\n\r\n", "\ufeff"])
def test_an_empty_text_has_no_tokens(text: str) -> None:
    assert kinds(text) == []
    assert codes(text) == []
