"""Files full of mistakes: each is named once, where it is, with what may have been meant."""

from pathlib import Path

import pytest

from ludograph.text import Diagnostic, Source
from ludograph.text.spelling import closest
from ludograph.tgdl import check_source
from tests.golden_files import Golden

FILES = sorted((Path(__file__).parent / "mistakes").glob("*.tgdl"))


def diagnostics(text: str) -> tuple[Diagnostic, ...]:
    return check_source(Source(text, "game.tgdl"))[1]


def only_error(text: str) -> Diagnostic:
    (found,) = (one for one in diagnostics(text) if one.severity == "error")
    return found


def listed(found: tuple[Diagnostic, ...]) -> str:
    rows = []
    for one in found:
        notes = "".join(f" [{one.source.line_and_column(span.start)[0]}: {text}]" for span, text in one.notes)
        hint = f" ({one.hint})" if one.hint else ""
        rows.append(f"{one.line}:{one.column} {one.severity} {one.code} {one.message}{notes}{hint}\n")
    return "".join(rows)


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_every_mistake_of_a_file_is_named(path: Path, golden: Golden) -> None:
    golden(f"tgdl/mistakes/{path.stem}.txt", listed(diagnostics(path.read_text(encoding="utf-8"))))


@pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
def test_diagnostics_come_in_the_order_of_the_text(path: Path) -> None:
    places = [(one.line, one.column) for one in diagnostics(path.read_text(encoding="utf-8"))]
    assert places == sorted(places)


@pytest.mark.parametrize(
    "first, line, column",
    [
        ('game "Nim"', 1, 11),
        ("players 2", 1, 10),
        ("const decimal n = 3", 1, 20),
        ("language 1", 1, 11),
        ("stack deck of card", 1, 19),
        ("tile field", 1, 11),
    ],
)
def test_a_semicolon_is_missing_at_the_end_of_the_line_before(first: str, line: int, column: int) -> None:
    found = [one for one in diagnostics(f"{first}\n\nsetup {{ draw; }}\n") if one.severity == "error"]
    assert [(one.code, one.line, one.column) for one in found if one.code != "TG0301"] == [
        ("TG0202", line, column)
    ]


@pytest.mark.parametrize(
    "written, meant",
    [
        ("retrun n;", "return"),
        ("drwa;", "draw"),
        ("pas;", "pass"),
        ("wni player;", "win"),
        ("mvoe n to n;", "move"),
        ("iff n > 1 pass;", "if"),
        ("whlie n > 1 { pass; }", "while"),
        ('fial "m";', "fail"),
    ],
)
def test_a_misspelt_statement_gets_a_suggestion(written: str, meant: str) -> None:
    text = f"action a {{ input decimal n from 1 to 2; trigger on player choice; effect {{ {written} }} }}"
    found = next(one for one in diagnostics(text) if one.severity == "error")
    assert (found.code, found.hint) == ("TG0212", f"did you mean '{meant}'?")


def test_a_wrong_type_shows_where_the_value_was_declared() -> None:
    found = only_error("global state table { decimal heap = 3; }\nsetup { if table.heap draw; }")
    assert found.message == "expected bool, found decimal"
    assert [words for _, words in found.notes] == ["'heap' is decimal"]


def test_a_wrong_result_shows_where_it_was_promised() -> None:
    found = only_error("verb f() returns bool { 3 }\nsetup { if f() draw; }")
    assert [words for _, words in found.notes] == ["this is bool"]


def test_a_fault_of_the_lexer_is_not_reported_again() -> None:
    assert only_error("tile 3rd { }").code == "TG0103"


@pytest.mark.parametrize(
    "word, known, expected",
    [
        ("Points", ("points",), "points"),
        ("wni", ("win", "wine"), "win"),
        ("ponts", ("parts", "points"), "points"),
        ("colr", ("colour", "card"), "colour"),
        ("ab", ("ac", "bb"), ""),
        ("points", ("points",), ""),
        ("xyz", ("points",), ""),
        ("foo", ("floor",), ""),
        ("nort", ("first", "north"), "north"),
    ],
)
def test_the_closest_word(word: str, known: tuple[str, ...], expected: str) -> None:
    assert closest(word, known) == expected


@pytest.mark.parametrize(
    "text, wrong, said_at",
    [
        ('setup { decimal[] l = {1, "a"}; l = { }; }', '"a"', "decimal[]"),
        ('setup { decimal[][] l = {{1}, {"a"}}; l = { }; }', '"a"', "decimal[][]"),
        ('setup { decimal[2] l = {1, "a"}; l[0] = 1; }', '"a"', "decimal[2]"),
        ('setup { decimal[] l; l = {1, "a"}; }', '"a"', "l"),
        ('setup { decimal[] l; l.add("a"); }', '"a"', "l"),
        ('verb f(decimal[] l) { l.contains("a") }', '"a"', "l"),
        ('const decimal[2] c = {1, "a"};', '"a"', "decimal[2]"),
        ('option decimal size = 3 in { 3, "a" };', '"a"', "decimal"),
        ('global state t { decimal[] l = {1, "a"}; }', '"a"', "decimal[]"),
        ('verb f(decimal n) { n } setup { f("a"); }', '"a"', "n"),
        ('verb f(decimal[] n) { n } setup { f({"a"}); }', '"a"', "n"),
        ('verb f() returns decimal { return "a"; }', '"a"', "decimal"),
        ('verb f() returns decimal[] { return {"a"}; }', '"a"', "decimal[]"),
        ('verb f() returns decimal[] { {"a"} }', '"a"', "decimal[]"),
        ('interactable man { decimal n; } setup { new man { n = "a"; }; }', '"a"', "n"),
        ('tile t { decimal n; } board { group g adjacency { t a { n = "a"; } } }', '"a"', "n"),
        ('action a { input decimal n in {1, "a"}; trigger on player choice; }', '"a"', "decimal"),
        ("interactable card stackable; stack deck of card; setup { deck.push(3); }", "3", "deck"),
    ],
)
def test_a_wrong_type_is_shown_beside_what_wants_another(text: str, wrong: str, said_at: str) -> None:
    found = only_error(text)
    assert (found.code, text[found.span.start : found.span.end]) == ("TG0310", wrong)
    ((place, words),) = found.notes
    assert text[place.start : place.end] == said_at
    assert "is " in words


@pytest.mark.parametrize(
    "text, hint",
    [
        ("verb f() { return True; }", "did you mean 'true'?"),
        ("verb f() { return foo; }", ""),
        (
            "tile t; board { group g square 3 by 3 { t; } } verb f(tile a) { a.next(nort) }",
            "did you mean 'north'?",
        ),
        ("verb f(tile a) { a.next(nort) }", ""),
    ],
)
def test_a_name_that_is_nothing_gets_a_suggestion_if_one_is_near(text: str, hint: str) -> None:
    found = only_error(text)
    assert (found.code, found.hint) == ("TG0301", hint)


@pytest.mark.parametrize("text", ["verb f(bool a) { a ? 1 : 2 }", "verb f(bool a) { return a ? 1 : 2; }"])
def test_a_conditional_expression_is_told_once_with_what_to_write(text: str) -> None:
    found = only_error(text)
    assert (found.code, found.hint[:24]) == ("TG0101", "write `(a if c else b)` ")
