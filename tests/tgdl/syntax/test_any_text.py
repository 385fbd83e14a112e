"""Any text gives a game or diagnostics: never another exception, and never without end."""

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludograph.games.files import decode_source, open_source_file
from ludograph.text import Source
from ludograph.tgdl import SourceError, check_source
from ludograph.tgdl.program.dump import dump_program
from ludograph.tgdl.syntax.dump import dump_tokens, dump_tree
from ludograph.tgdl.syntax.formatter import format_source
from ludograph.tgdl.syntax.lexer import tokenize
from ludograph.tgdl.syntax.parser import parse
from tests.language.runner import cases

SHELF = sorted((Path(__file__).parents[3] / "src" / "ludograph" / "games").glob("*.tgdl"))
GAMES = [path.read_text(encoding="utf-8") for path in SHELF]
PROGRAMS = [case.text for case in cases()]
WORDS = sorted({word for text in GAMES for word in tokenize(Source(text)).pieces if word.strip()})
STRANGE = (
    "\x00",
    "\ud800",
    "\ufeff",
    "\r",
    "\r\n",
    "'",
    '"',
    "/*",
    "//x\n",
    "\\\\y\n",
    "1e9",
    "²",
    "１",
    "_x",
)


def check_text(text: str) -> None:
    """Through all stages, and back through the formatter to the same program."""
    source = Source(text, "game.tgdl")
    program, found = check_source(source)
    assert program is not None or any(one.severity == "error" for one in found)
    assert all(0 <= one.span.start <= one.span.end <= len(text) + 1 for one in found)
    for one in found[:3]:
        one.picture()
    dump_tokens(tokenize(source))
    dump_tree(parse(source).tree)
    formatted = format_source(source)
    if formatted.refused:
        return
    again = Source(formatted.text, "game.tgdl")
    assert format_source(again).text == formatted.text
    same, _ = check_source(again)
    assert (program and program.rules) == (same and same.rules)
    if program is not None:
        dump_program(program)


def mutated(chance: random.Random, text: str) -> str:
    pieces = list(tokenize(Source(text)).pieces)
    for _ in range(chance.randint(1, 5)):
        at = chance.randrange(len(pieces) + 1)
        other = chance.randrange(len(pieces) + 1)
        match chance.randrange(5):
            case 0:
                del pieces[at : at + chance.randint(1, 8)]
            case 1:
                pieces[at : at + 1] = [chance.choice(WORDS)]
            case 2:
                pieces.insert(at, chance.choice((chance.choice(WORDS), chance.choice(STRANGE))) + " ")
            case 3:
                pieces[at:at] = pieces[other : other + chance.randint(1, 20)]
            case _:
                pieces[at : at + 1], pieces[other : other + 1] = (
                    pieces[other : other + 1],
                    pieces[at : at + 1],
                )
    return "".join(pieces)


@given(st.integers(0, 2**32))
def test_a_mutated_program_gives_a_game_or_diagnostics(seed: int) -> None:
    chance = random.Random(seed)
    check_text(mutated(chance, chance.choice(PROGRAMS)))


@pytest.mark.parametrize("game", range(len(GAMES)), ids=[path.stem for path in SHELF])
def test_a_mutated_game_gives_a_game_or_diagnostics(game: int) -> None:
    chance = random.Random(game)
    for _ in range(3):
        check_text(mutated(chance, GAMES[game]))


@pytest.mark.parametrize("game", range(len(GAMES)), ids=[path.stem for path in SHELF])
def test_a_game_cut_off_anywhere_gives_diagnostics(game: int) -> None:
    chance = random.Random(game)
    for _ in range(3):
        check_text(GAMES[game][: chance.randrange(len(GAMES[game]))])


@given(st.lists(st.sampled_from(WORDS), max_size=40))
def test_random_words_give_a_game_or_diagnostics(words: list[str]) -> None:
    check_text(" ".join(words))


@given(st.text(st.characters(exclude_categories=())))
def test_random_letters_give_a_game_or_diagnostics(text: str) -> None:
    check_text(text)


@given(st.binary(max_size=200))
def test_random_bytes_give_a_game_or_diagnostics(data: bytes) -> None:
    try:
        text = decode_source(data, "game.tgdl").text
    except SourceError as error:
        text = error.diagnostics[0].source.text
    check_text(text)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("start", ["", "\ufeff"])
def test_line_ends_and_a_byte_order_mark_change_nothing(end: str, start: str) -> None:
    for text in GAMES:
        plain, _ = check_source(Source(text, "game.tgdl"))
        other, _ = check_source(Source(start + text.replace("\n", end), "game.tgdl"))
        assert plain is not None
        assert other is not None
        assert other.rules == plain.rules


NESTED = {
    "parentheses": "setup { if " + "(" * 10_000 + "true" + ")" * 10_000 + " draw; }",
    "lists": "setup { decimal[] x = " + "{" * 10_000 + "}" * 10_000 + "; }",
    "calls": "setup { f(" + "f(" * 10_000 + ")" * 10_000 + "); }",
    "queries": "setup { if " + "players.any(p: " * 10_000 + "true" + ")" * 10_000 + " draw; }",
    "indexes": "setup { x = a" + "[a" * 10_000 + "]" * 10_000 + "; }",
    "members": "setup { x = a" + ".a" * 10_000 + "; }",
    "sums": "setup { decimal x = 1" + " + 1" * 10_000 + "; }",
    "nots": "setup { if " + "not " * 10_000 + "true draw; }",
    "dimensions": "global state s { decimal" + "[]" * 10_000 + " x; }",
    "tables": "global state s { decimal" + "[2]" * 10_000 + " x = 0; }",
    "paths": "global state s { a" + ".a" * 10_000 + " x; }",
    "blocks": "setup { " + "if true { " * 10_000 + "}" * 10_000 + "}",
    "else": "setup { " + "if true { draw; } else { " * 10_000 + "}" * 10_000 + "}",
    "else if": "setup { if true draw; " + "else if true draw; " * 10_000 + "}",
    "loops": "setup { " + "while true { " * 10_000 + "}" * 10_000 + "}",
    "new": "setup { x = " + "new c { a = " * 10_000 + "1" + "; }" * 10_000 + "; }",
    "random": "setup { decimal x = " + "random " * 10_000 + "2; }",
    "visible": "local state s { " + "visible to player { " * 10_000 + "}" * 10_000 + "}",
    "filters": "action a { " + "input bool b { " * 10_000 + "}" * 10_000 + "}",
    "phases": "action a { " + "phase { " * 10_000 + "}" * 10_000 + "}",
    "groups": "board { " + "group g square { " * 10_000 + "}" * 10_000 + "}",
    "chains": "tile t { }\nboard { group g adjacency { " + "a -> " * 10_000 + "a; } }",
    "messages": 'setup { fail "' + "{a" * 3_000 + '"; }',
    "casts": "setup { x = a" + " as a" * 10_000 + "; }",
    "bases": "tile t0 { }\n" + "".join(f"tile t{i} : t{i - 1} {{ }}\n" for i in range(1, 3_000)),
    "circle": "".join(f"tile t{i} : t{(i + 1) % 3_000} {{ }}\n" for i in range(3_000)),
    "verbs": "".join(f"verb f{i}() {{ f{i + 1}() }}\n" for i in range(1_000)) + "verb f1000() { 1 }",
    "verbs that call all": "verb f0() { 1 }\n"
    + "".join(f"verb f{i}() {{ f{i - 1}() + f{i // 2}() }}\n" for i in range(1, 1_000)),
    "number": "const decimal x = " + "9" * 100_000 + ";",
    "string": 'const string x = "' + "x" * 1_000_000 + '";',
    "name": "tile " + "x" * 1_000_000 + " { }",
    "player": "setup { win player 99999999999999999999; }",
    "players": "players 1..99999999999999999999;",
    "priority": "action a priority 99999999999999999999999999999999999999999 { trigger on player choice; }",
    "choice": "action a choice 99999999999999999999 { trigger on player choice; }",
    "language": "language 99999999999999999999;",
    "table": "global state s { decimal[99999999999999999999] x = 0; }",
    "tables of tables": "global state s { decimal[65535][65535][65535] x = 0; }",
}


@pytest.mark.parametrize("shape", NESTED)
def test_what_is_deep_long_or_huge_gives_a_game_or_diagnostics(shape: str) -> None:
    check_text(NESTED[shape])


def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    folder = tmp_path / "game"
    folder.mkdir()
    (tmp_path / "secret.tgdl").write_text("tile secret { }", encoding="utf-8")
    (folder / "link.tgdl").symlink_to(tmp_path / "secret.tgdl")
    names = (
        "link.tgdl",
        "../secret.tgdl",
        str(tmp_path / "secret.tgdl"),
        "~/x.tgdl",
        "a/../../secret.tgdl",
        ".",
    )
    (folder / "main.tgdl").write_text("".join(f'import "{name}";\n' for name in names), encoding="utf-8")
    text = open_source_file(folder / "main.tgdl")
    found = [one.code for one in check_source(text.source, text.read)[1]]
    assert found == ["TG0393"] * 6


def test_a_link_to_a_file_that_is_no_source_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "passwords.env").write_text("KEY=secret", encoding="utf-8")
    (tmp_path / "link.tgdl").symlink_to(tmp_path / "passwords.env")
    (tmp_path / "main.tgdl").write_text('import "link.tgdl";\n', encoding="utf-8")
    text = open_source_file(tmp_path / "main.tgdl")
    (found,) = check_source(text.source, text.read)[1]
    assert (found.code, "secret" in found.picture()) == ("TG0393", False)


def test_an_import_of_a_link_that_leads_to_itself_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "loop.tgdl").symlink_to(tmp_path / "loop.tgdl")
    (tmp_path / "main.tgdl").write_text('import "loop.tgdl";\nimport "loop.tgdl/x.tgdl";\n', encoding="utf-8")
    text = open_source_file(tmp_path / "main.tgdl")
    assert [one.code for one in check_source(text.source, text.read)[1]] == ["TG0392"] * 2


@pytest.mark.parametrize("path", SHELF, ids=[path.stem for path in SHELF])
def test_a_formatted_game_is_the_same_game(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    before, _ = check_source(Source(text))
    after, _ = check_source(Source(format_source(Source(text)).text))
    assert before is not None
    assert after is not None
    assert before.rules == after.rules


def test_a_formatted_program_of_the_corpus_is_the_same_program() -> None:
    for case in cases():
        source = case.files[0]
        formatted = format_source(source)
        if len(case.files) > 1 or formatted.refused:
            continue
        before, _ = check_source(source)
        after, _ = check_source(Source(formatted.text, source.name))
        assert (before and before.rules) == (after and after.rules), case.name
        assert format_source(Source(formatted.text)).text == formatted.text, case.name
