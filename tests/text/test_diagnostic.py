"""Diagnostics: what they carry, and the picture of the line with carets under the fault."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludograph.text import BadText, Diagnostic, Nonsense, Source, Span, TextError
from ludograph.text.diagnostic import PICTURE_COLUMNS


def picture_rows(text: str, start: int, end: int) -> tuple[str, str]:
    """The line shown and the line of carets, both after their gutter."""
    rows = Diagnostic("NT9999", "odd", Span(start, end), "", Source(text)).picture().split("\n")
    return rows[2].split(" | ", 1)[1], rows[3].split(" | ", 1)[1]


def test_a_picture_has_code_message_place_line_carets_and_hint() -> None:
    source = Source("ab\ncde\n", "game.han", 7, 3)
    diagnostic = Diagnostic("NT9999", "odd", Span(4, 6), "try this", source)
    assert diagnostic.picture() == (
        "error[NT9999]: odd\n"
        " --> game.han:8:2 (record 3)\n"
        "8 | cde\n"
        "  |  ^^\n"
        "  = hint: try this"
    )  # fmt: skip


def test_a_warning_is_called_a_warning() -> None:
    assert (
        Diagnostic("NT9999", "odd", Span(0, 1), severity="warning")
        .picture()
        .startswith("warning[NT9999]: odd\n")
    )


def test_a_place_without_name_or_record_is_line_and_column() -> None:
    assert Diagnostic("NT9999", "odd", Span(1, 2), "", Source("abc")).place() == "1:2"


def test_the_gutter_grows_with_the_line_number() -> None:
    rows = Diagnostic("NT9999", "odd", Span(0, 1), "x", Source("a", first_line=1234)).picture().split("\n")
    assert rows[1:] == ["    --> 1234:1", "1234 | a", "     | ^", "     = hint: x"]


def test_a_picture_without_hint_ends_with_the_carets() -> None:
    assert Diagnostic("NT9999", "odd", Span(0, 1), "", Source("a")).picture().endswith("\n  | ^")


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_only_the_line_of_the_fault_is_shown(line_end: str) -> None:
    text = f"first{line_end}second{line_end}third"
    start = text.index("cond")
    assert picture_rows(text, start, start + 4) == ("second", "  ^^^^")


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_a_fault_at_the_end_of_a_line_stands_after_it(line_end: str) -> None:
    assert picture_rows(f"ab{line_end}c", 2, 3) == ("ab", "  ^")


def test_a_fault_on_the_second_half_of_a_crlf_stands_after_the_line() -> None:
    assert picture_rows("ab\r\nc", 3, 4) == ("ab", "  ^")


def test_a_fault_at_the_end_of_the_text_stands_after_it() -> None:
    assert picture_rows("ab", 2, 3) == ("ab", "  ^")


def test_a_fault_over_several_lines_is_marked_on_its_first() -> None:
    assert picture_rows("abc\ndef", 1, 6) == ("abc", " ^^")


def test_an_empty_text_has_a_picture() -> None:
    assert picture_rows("", 0, 1) == ("", "^")


def test_tabs_are_one_blank_wide() -> None:
    assert picture_rows("\ta\tb", 3, 4) == (" a b", "   ^")


def test_wide_characters_take_two_carets_and_push_the_next() -> None:
    assert picture_rows("世界x", 1, 2) == ("世界x", "  ^^")
    assert picture_rows("世界x", 2, 3) == ("世界x", "    ^")


def test_marks_on_other_characters_take_no_place() -> None:
    assert picture_rows("e\u0301x", 2, 3) == ("e\u0301x", " ^")
    assert picture_rows("☺\ufe0fx", 2, 3) == ("☺\ufe0fx", " ^")


def test_what_a_terminal_would_act_on_is_not_shown() -> None:
    assert picture_rows("a\x1b[31m\0\ud800b", 8, 9) == ("a\ufffd[31m\ufffd\ufffdb", " " * 8 + "^")


def test_a_long_line_is_shown_as_a_window_around_the_fault() -> None:
    shown, carets = picture_rows("a" * 500 + "X" + "b" * 500, 500, 501)
    assert shown == "…" + "a" * 38 + "X" + "b" * 37 + "…"
    assert shown[len(carets) - 1] == "X"


def test_the_beginning_of_a_long_line_is_not_cut() -> None:
    assert picture_rows("X" + "b" * 500, 0, 1) == ("X" + "b" * 75 + "…", "^")


def test_the_end_of_a_long_line_is_not_cut() -> None:
    shown, carets = picture_rows("a" * 500 + "X", 500, 501)
    assert shown == "…" + "a" * 38 + "X"
    assert shown[len(carets) - 1] == "X"


def test_carets_end_where_the_window_ends() -> None:
    shown, carets = picture_rows("a" * 1000, 400, 1000)
    assert carets.count("^") == 38
    assert len(carets) == len(shown) - 1


@given(st.text(max_size=200), st.data())
def test_every_fault_has_a_picture_of_modest_width(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start + 1, len(text) + 1))
    shown, carets = picture_rows(text, start, end)
    assert len(shown) <= PICTURE_COLUMNS + 2
    assert carets.strip(" ").strip("^") == ""
    assert carets.endswith("^")
    assert "\n" not in shown
    assert "\r" not in shown


def test_errors_carry_code_message_place_hint_and_picture() -> None:
    diagnostic = Diagnostic("NT9999", "odd", Span(4, 6), "try this", Source("ab\ncde"))
    error = BadText(diagnostic)
    assert (error.code, error.message, error.hint) == ("NT9999", "odd", "try this")
    assert (error.line, error.column) == (diagnostic.line, diagnostic.column) == (2, 2)
    assert error.picture == str(error) == diagnostic.picture()


@pytest.mark.parametrize("kind", [BadText, Nonsense])
def test_both_errors_are_value_errors(kind: type[TextError]) -> None:
    assert issubclass(kind, ValueError)
    assert issubclass(kind, TextError)


def test_bad_text_is_not_nonsense() -> None:
    assert not issubclass(BadText, Nonsense)
    assert not issubclass(Nonsense, BadText)


def test_an_error_survives_pickling() -> None:
    error = BadText(Diagnostic("NT9999", "odd", Span(0, 1), "", Source("abc")))
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is BadText
    assert str(again) == str(error)


def test_diagnostics_compare_by_what_they_say_and_where() -> None:
    first = Diagnostic("NT9999", "odd", Span(0, 1), "", Source("abc"))
    assert first == Diagnostic("NT9999", "odd", Span(0, 1), "", Source("abd"))
    assert first != Diagnostic("NT9999", "odd", Span(1, 2), "", Source("abc"))


HOSTILE = "a\x1b[2J\u202eb\nc\x9bd"


def test_a_message_and_a_hint_have_escapes_for_characters_that_control_a_terminal() -> None:
    diagnostic = Diagnostic("NT9999", HOSTILE, Span(0, 1), HOSTILE, notes=((Span(0, 1), HOSTILE),))
    escaped = "a\\u001b[2J\\u202eb\\nc\\u009bd"
    assert (diagnostic.message, diagnostic.hint, diagnostic.notes[0][1]) == (escaped, escaped, escaped)


def test_a_file_name_has_escapes_for_characters_that_control_a_terminal() -> None:
    source = Source("abc", "x\x1b[31m\u2066.tgdl")
    assert Diagnostic("NT9999", "odd", Span(0, 1), "", source).place() == "x\\u001b[31m\\u2066.tgdl:1:1"


def test_a_long_message_is_cut() -> None:
    message = Diagnostic("NT9999", "x" * 1_000_000, Span(0, 1)).message
    assert message == f"{'x' * 2_000}… (998,000 more characters)"
