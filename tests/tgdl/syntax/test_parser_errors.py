"""Mistakes are named where they are, each once, and the parser goes on behind them."""

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from ludograph.text import Source
from ludograph.tgdl.syntax.dump import dump_tree
from ludograph.tgdl.syntax.formatter import format_source
from ludograph.tgdl.syntax.parser import CODES, parse
from tests.golden_files import Golden
from tests.tgdl.syntax.error_cases import CASES, RECOVERY

DRAFTS = sorted((Path(__file__).parents[1] / "drafts").glob("*.tgdl"))
GAMES = [path.read_text(encoding="utf-8") for path in DRAFTS]
WORDS = (
    "action input trigger on player choice require effect { } ( ) [ ] ; , . : = == + - * / ^ not and or is "
    "as new random if else while for in from to return pass move win draw fail cancel board group square hex "
    "adjacency -> <-> x 3 by tile state stack of verb turn phase default asks setup goal enum const option "
    'visible "text" name this none true base all auto filter optional 2 .. has link unlink use game players '
    "import local global sealed private hidden override public untracked returns interactable corners names "
    "sequence simultaneos weights adjency function _y 3x $".split()
)


def pictures(text: str) -> str:
    found = parse(Source(text, "game.tgdl")).diagnostics
    shown = found[:20]
    more = [f"… and {len(found) - 20} more, the last one:\n{found[-1].picture()}"] if len(found) > 20 else []
    return "\n\n".join([*(diagnostic.picture() for diagnostic in shown), *more]) + "\n"


def test_every_code_has_a_case() -> None:
    assert set(CASES) == set(CODES)


@pytest.mark.parametrize("code", CASES)
def test_the_case_of_a_code_gets_it(code: str, golden: Golden) -> None:
    assert code in {diagnostic.code for diagnostic in parse(Source(CASES[code])).diagnostics}
    golden(f"tgdl/errors/{code}.txt", pictures(CASES[code]))


@pytest.mark.parametrize("name", RECOVERY)
def test_the_parser_goes_on_behind_a_mistake(name: str, golden: Golden) -> None:
    golden(f"tgdl/recovery/{name}.txt", pictures(RECOVERY[name]))


def test_fifty_mistakes_are_about_fifty_diagnostics() -> None:
    mistakes = ["x = ;", "retrun x + 1;", "f(1;", "y = 3 4;", "move a b;"]
    lines = "\n".join(mistakes[number % 5] for number in range(50))
    found = parse(Source(f"action a\n{{\n  effect\n  {{\n{lines}\n  }}\n}}\ntile t {{ }}")).errors
    assert 48 <= len(found) <= 55


@pytest.mark.parametrize("game", range(len(GAMES)))
def test_a_game_without_one_token_has_few_errors(game: int) -> None:
    chance = random.Random(game)
    lexed = parse(Source(GAMES[game])).lexed
    for _ in range(30):
        missing = chance.randrange(len(lexed.pieces))
        text = "".join(lexed.pieces[:missing] + lexed.pieces[missing + 1 :])
        assert len(parse(Source(text)).errors) <= 6, text


def test_a_missing_semicolon_is_reported_behind_the_statement() -> None:
    (found,) = parse(Source("action a\n{\n  effect\n  {\n    x = 3\n    y = 4;\n  }\n}")).errors
    assert (found.code, found.line, found.column) == ("TG0202", 5, 10)


@pytest.mark.parametrize(
    "text, columns",
    [
        ("action a { trigger on player choice effect { pass; } }", [36]),
        ("action a { trigger on player choice for b require for b { true } effect { pass; } }", [42]),
        ("action a { input decimal n from 1 to 3 trigger on player choice; }", [39]),
        ("verb f() { decimal x = 3 decimal y = 4; return x + y; }", [25]),
        ("verb f() { decimal[] l = {1} lib.card c = none decimal[3] t; pass; }", [29, 47]),
        ("verb f() { x = 3 x += 4 y.z = 3; y.z = 4 return x; }", [17, 24, 41]),
        ("turn m { phase a phase b default { pass } }", [17, 25, 40]),
        ("turn m { phase a asks player phase b; }", [29]),
        ("tile t { decimal a = 1 hidden decimal b visible to player { } }", [23, 40]),
        ("tile t { player p action go { effect { pass; } } }", [18]),
        ('game "a" players 2 tile cell tile other { }', [9, 19, 29]),
        ("const decimal n = 3 setup { draw; }", [20]),
    ],
)
def test_a_missing_semicolon_within_a_line_is_reported_behind_what_lacks_it(
    text: str, columns: list[int]
) -> None:
    found = parse(Source(text)).errors
    assert [(one.code, one.column) for one in found] == [("TG0202", column) for column in columns]


@pytest.mark.parametrize("text", ["x = 3 4;", "x = y z;", "x = y z(1);"])
def test_where_an_operator_may_be_missing_no_semicolon_is_said_to_be(text: str) -> None:
    (found,) = parse(Source(f"verb f() {{ {text} }}")).errors
    assert (found.code, found.message[:12]) == ("TG0204", "expected ';'")


def test_an_unclosed_brace_is_found_by_its_indentation() -> None:
    (found,) = parse(Source(RECOVERY["a_missing_brace"])).errors
    assert (found.code, found.line) == ("TG0203", 11)


@pytest.mark.parametrize(
    "message, column",
    [("{}", 27), ("a {b +} c", 33), ("a {b $ c}", 32), ("a {b", 29), ("a {b c}", 32)],
)
def test_a_wrong_expression_in_a_message_is_reported_in_its_place(message: str, column: int) -> None:
    (found,) = parse(Source(f'action a {{ effect {{ fail "{message}"; }} }}')).errors
    assert (found.code, found.column) == ("TG0216", column)


DEEP = {
    "parentheses": "const decimal x = " + "(" * 10_000 + "1" + ")" * 10_000 + ";",
    "lists": "const decimal x = " + "{" * 10_000 + "}" * 10_000 + ";",
    "brackets": "const decimal x = a" + "[a" * 10_000 + "]" * 10_000 + ";",
    "calls": "const decimal x = " + "f(" * 10_000 + ")" * 10_000 + ";",
    "signs": "const decimal x = " + "-" * 10_000 + "1;",
    "nots": "const bool x = " + "not " * 10_000 + "true;",
    "randoms": "const decimal x = " + "random " * 10_000 + "1;",
    "sums": "const decimal x = 1" + " + 1" * 10_000 + ";",
    "powers": "const decimal x = 1" + " ^ 1" * 10_000 + ";",
    "members": "const decimal x = a" + ".a" * 10_000 + ";",
    "casts": "const decimal x = a" + " as a" * 10_000 + ";",
    "blocks": "action a { effect " + "{ if true " * 10_000 + "}" * 10_000 + "}",
    "ifs": "action a { effect { " + "if a " * 10_000 + "pass; } }",
    "loops": "action a { effect { " + "while a { " * 10_000 + "}" * 10_000 + "} }",
    "unclosed": "tile t " + "{" * 10_000,
    "closed": "}" * 10_000,
    "filters": "action a { input t x " + "{ input t x " * 10_000,
    "visibles": "tile t { " + "visible to a { " * 10_000 + "}" * 10_000 + "}",
    "everything": "action a { effect { "
    + "if a { " * 95
    + "x = "
    + "f(a: " * 10
    + "1"
    + " + a.b.c" * 300
    + ")" * 10
    + ";",
    "precedences": "const bool x = "
    + "(a or b and not c == d < e + f * g ^ " * 5_000
    + "1"
    + ")" * 5_000
    + ";",
}


@pytest.mark.parametrize("shape", DEEP)
def test_deep_nesting_is_reported(shape: str) -> None:
    parsed = parse(Source(DEEP[shape]))
    assert parsed.errors
    assert len(parsed.errors) <= 101
    dump_tree(parsed.tree)


@pytest.mark.parametrize("shape", DEEP)
def test_no_tree_is_too_deep_to_walk(shape: str) -> None:
    waiting: list[tuple[object, int]] = [(parse(Source(DEEP[shape])).tree, 1)]
    deepest = 0
    while waiting:
        node, depth = waiting.pop()
        if isinstance(node, tuple):
            waiting += [(item, depth) for item in node]
        elif isinstance(node, Struct):
            deepest = max(deepest, depth)
            waiting += [(getattr(node, name), depth + 1) for name in node.__struct_fields__]
    assert deepest <= 450


@pytest.mark.parametrize("shape", ["else if", "list", "arguments", "statements", "declarations"])
def test_what_is_long_but_not_deep_is_fine(shape: str) -> None:
    long = {
        "else if": "action a { effect { if a pass; " + "else if a pass; " * 2_000 + "} }",
        "list": "const decimal[] x = { " + "1, " * 5_000 + "1 };",
        "arguments": "const decimal x = f(" + "a: 1, " * 5_000 + "b: 1);",
        "statements": "action a { effect { " + "pass; " * 5_000 + "} }",
        "declarations": "tile t { } " * 5_000,
    }[shape]
    parsed = parse(Source(long))
    assert not parsed.diagnostics
    formatted = format_source(Source(long)).text
    assert dump_tree(parse(Source(formatted)).tree) == dump_tree(parsed.tree)


@pytest.mark.parametrize(
    "text", ["enum e { draw\ntile t { }", "enum e { a draw }", "enum e { , , }", "enum e { ("]
)
def test_an_enum_that_makes_no_sense_is_left(text: str) -> None:
    assert parse(Source(text)).errors


def check_any_text(text: str) -> None:
    parsed = parse(Source(text))
    assert all(0 <= found.span.start <= found.span.end for found in parsed.diagnostics)
    dump_tree(parsed.tree)
    for diagnostic in parsed.diagnostics[:3]:
        diagnostic.picture()
    formatted = format_source(Source(text))
    if formatted.refused:
        assert formatted.text == text
    else:
        assert format_source(Source(formatted.text)).text == formatted.text


@given(st.lists(st.sampled_from(WORDS), max_size=60))
def test_any_words_give_a_tree(words: list[str]) -> None:
    check_any_text(" ".join(words))


@given(st.text())
def test_any_text_gives_a_tree(text: str) -> None:
    check_any_text(text)


@pytest.mark.parametrize("seed", range(40))
def test_a_mutated_game_gives_a_tree(seed: int) -> None:
    chance = random.Random(seed)
    pieces = list(parse(Source(chance.choice(GAMES))).lexed.pieces)
    for _ in range(chance.randint(1, 12)):
        at, other = chance.randrange(len(pieces)), chance.randrange(len(pieces))
        match chance.randrange(4):
            case 0:
                del pieces[at : at + chance.randint(1, 20)]
                pieces = pieces or [""]
            case 1:
                pieces[at] = chance.choice(WORDS)
            case 2:
                pieces.insert(at, chance.choice(["{", "}", "(", ")", ";", '"', "//", "\x00", "if", "verb"]))
            case _:
                pieces[at], pieces[other % len(pieces)] = pieces[other % len(pieces)], pieces[at]
    check_any_text("".join(pieces))


@pytest.mark.parametrize("cut", range(0, 2_000, 37))
def test_a_text_cut_off_anywhere_gives_a_tree(cut: int) -> None:
    check_any_text(GAMES[0][:cut])
