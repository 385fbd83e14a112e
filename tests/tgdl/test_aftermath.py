"""What is said of a text that cannot be read: its errors of syntax, and what does not follow from them."""

import random
from collections.abc import Iterator
from importlib.resources import files

import pytest

from ludograph.text import Source
from ludograph.tgdl import check_source
from ludograph.tgdl.lexer import Kind, tokenize

HEAD = 'game "g"; tile cell { } board { group grid square around 2 by 2 { cell; } }\n'


def told(middle: str) -> list[tuple[int, str]]:
    """The line, counted in `middle`, and the code of everything that is said."""
    text = HEAD + middle
    found = check_source(Source(text, "game.tgdl"))[1]
    return [(text.count("\n", 0, one.span.start), one.code) for one in found]


@pytest.mark.parametrize(
    ("middle", "expected"),
    [
        # Nothing is said of the meaning of a statement that cannot be read …
        ("setup {\n  decimal n = nosuch + ;\n}", [(2, "TG0201")]),
        ("setup {\n  decimal[] l = { 1, 2 3 };\n  if l.length == 3 draw;\n}", [(2, "TG0203")]),
        # … nor of what it may have declared …
        ("global state t {\n  decimal = 3;\n  decimal m = 1;\n}\nsetup { t.m = 2; }", [(2, "TG0207")]),
        ("const decimal most 3;\nsetup { if most == 3 draw; }", [(1, "TG0204")]),
        # … nor of what is torn apart by braces that do not match, nor of what uses it …
        (
            "global state t {\n  decimal m = 1;\n\nsetup { t.m = 2; bool b = t.m; nosuch = 3; }",
            [(1, "TG0203"), (4, "TG0301")],
        ),
        (
            "verb f() {\n  if nosuch { return 1;\n}\nverb g() { 2 }\nsetup { bool b = f(); bool c = g(); }",
            [(2, "TG0203"), (5, "TG0310")],
        ),
        (
            "tile t {\n}\n  decimal m = 1;\n}\nsetup { for t c in t.all c.m = 2; nosuch = 3; }",
            [(3, "TG0215"), (4, "TG0205"), (5, "TG0301")],
        ),
        # … nor of anything, where the head of a declaration is missing, or the board is torn.
        ("board {\n  group g square 2 by 2 { cell; }\nsetup { nosuch = 3; }", [(1, "TG0203")]),
        ("tile {\n  decimal m = 1;\n}\nsetup { for cell c in cell.all c.m = 2; }", [(1, "TG0207")]),
        # What does not follow is told, and what could be read in spite of the error.
        (
            "setup {\n  decimal n = 1 + ;\n  decimal m = nosuch;\n  bool b = 3;\n}",
            [(2, "TG0201"), (3, "TG0301"), (4, "TG0310")],
        ),
        (
            "setup {\n  nosuch = 1; decimal n = random(1, 6); other = 1;\n}",
            [(2, "TG0301"), (2, "TG0203"), (2, "TG0301")],
        ),
        ("setup {\n  nosuch = 1\n}", [(2, "TG0301"), (2, "TG0202")]),
        ("setup {\n  whlie nosuch draw;\n}", [(2, "TG0212"), (2, "TG0301")]),
        ("setup {\n  3 = nosuch;\n}", [(2, "TG0218"), (2, "TG0301")]),
        # Warnings wait until the text can be read.
        ("setup {\n  decimal n = ;\n  return;\n  draw;\n}", [(2, "TG0201")]),
        ("setup {\n  return;\n  draw;\n}", [(3, "TG0403")]),
    ],
)
def test_what_only_follows_from_an_error_of_syntax_is_not_told(
    middle: str, expected: list[tuple[int, str]]
) -> None:
    assert told(middle) == expected


@pytest.mark.parametrize("text", ["/* x */", "/*", "\ufeff/* */", "// x\n/* y */\n"])
def test_a_text_of_nothing_but_comments_has_its_error(text: str) -> None:
    assert [one.code for one in check_source(Source(text, "game.tgdl"))[1]] == ["TG0104"]


def test_an_error_in_one_file_hides_the_names_it_may_declare_from_the_others() -> None:
    imported = {"other.tgdl": "const decimal most 3;\nconst decimal least = nosuch;"}
    text = HEAD + 'import "other.tgdl";\nsetup { if most == 3 draw; bool b = 2; }'
    found = check_source(Source(text, "game.tgdl"), imported.get)[1]
    assert sorted(one.code for one in found) == ["TG0204", "TG0301", "TG0310"]


def test_a_missing_brace_leaves_what_was_read_whole_its_errors() -> None:
    imported = {"other.tgdl": "const decimal most = nosuch;"}
    action = "action {} {{ trigger on player choice; effect {{ {} pass; }} {}\n"
    text = (
        HEAD
        + 'import "other.tgdl";\nglobal state t { decimal n = 0; }\n'
        + action.format("before", "t.n = t.first;", "}")
        + action.format("torn", "decimal v = t.second;", "")
        + "".join(action.format(f"behind{number}", f"thing{number}();", "}") for number in range(50))
    )
    found = check_source(Source(text, "game.tgdl"), imported.get)[1]
    assert sorted(one.code for one in found) == ["TG0203", *["TG0301"] * 51, "TG0306"]
    assert all("'second'" not in one.message for one in found)


def damaged(text: str, chance: random.Random) -> str:
    """A text with one token left out, doubled or replaced by a sign."""
    lexed = tokenize(Source(text, "game.tgdl"))
    at = chance.choice([i for i, kind in enumerate(lexed.kinds) if kind not in (Kind.BLANK, Kind.COMMENT)])
    start, piece = lexed.starts[at], lexed.pieces[at]
    instead: str = chance.choice(["", f"{piece} {piece}", *";,(){}=.[]"])
    return text[:start] + instead + text[start + len(piece) :]


def shelf() -> Iterator[str]:
    for name in ("draughts", "kalah", "liars-dice", "nine-mens-morris", "go"):
        yield (files("ludograph.games") / f"{name}.tgdl").read_text("utf-8")


def test_one_mistake_of_the_hand_is_seldom_told_as_two_kinds_of_error() -> None:
    chance = random.Random(1)
    texts = list(shelf())
    broken, followed = 0, 0
    for _ in range(150):
        found = check_source(Source(damaged(chance.choice(texts), chance), "game.tgdl"))[1]
        codes = [one.code for one in found if one.severity != "hint"]
        if any(code < "TG0300" for code in codes):
            broken += 1
            followed += any(code >= "TG0300" for code in codes)
    assert broken > 100
    assert followed <= 0.08 * broken
