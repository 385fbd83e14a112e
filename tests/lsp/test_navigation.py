"""Definitions, references and renaming over real games, and across files."""

from pathlib import Path

import pytest

from ludograph.lsp.game import analyse_game
from ludograph.lsp.names.declarations import DeclarationKind
from ludograph.lsp.names.navigation import (
    CannotRename,
    apply_edits,
    definition,
    highlights,
    references,
    rename,
    renamed_word,
)
from ludograph.lsp.rule_test_runs import run_rule_tests
from ludograph.lsp.workspace import Workspace
from ludograph.play.appearance_words import COLOURS, STYLES, SYMBOLS
from ludograph.tgdl.check.appearance.hints import HINTS
from ludograph.tgdl.program.events import Event
from ludograph.tgdl.program.operations import DIRECTIONS
from ludograph.tgdl.program.rule_tests import EXPECTED_NAMES
from ludograph.tgdl.syntax.lexer import TokenKind, tokenize

GAMES = Path(__file__).resolve().parents[2] / "src" / "ludograph" / "games"
REFERENCE = Path(__file__).resolve().parents[2] / "docs" / "language.md"
SHIPPED = sorted(GAMES.glob("*.tgdl"))
SMALL = [GAMES / f"{name}.tgdl" for name in ("crazy-eights", "kalah", "pig", "tic-tac-toe", "two-lagoons")]

PATH = "/game.tgdl"
FIXED = (DeclarationKind.SETUP, DeclarationKind.APPEARANCE, DeclarationKind.TEST, DeclarationKind.BOARD)
BIRDS = """tile nest { decimal eggs = 0; }
tile high : nest { }
verb full(nest n) { n.eggs > 2 }
"""
MAIN = """import "birds.tgdl" as birds;
board { group wood square 2 by 2 { birds.high; } }
action lay
{
  trigger on player choice;
  input birds.high place { not birds.full(n: place) }
  effect { place.eggs += 1; pass; }
}
"""


def workspace_of(text: str) -> Workspace:
    workspace = Workspace()
    workspace.put(PATH, text, 1)
    return workspace


def words_of_the_language() -> set[str]:
    keywords = REFERENCE.read_text(encoding="utf-8").partition("\n## Keywords")[2].partition("\n## ")[0]
    known = {word for word in keywords.split("`") if word.isidentifier()}
    known |= {
        "decimal",
        "bool",
        "string",
        "object",
        "position",
        *EXPECTED_NAMES,
        *HINTS,
        *COLOURS,
        *SYMBOLS,
        *STYLES,
    }
    known |= {word for event in Event for word in event.kind.split()}
    known |= {name for event in Event for name, _ in event.fields}
    return known | {word for names in DIRECTIONS.values() for word in names}


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_every_word_of_a_shipped_game_is_known(path: Path) -> None:
    game = analyse_game(path.read_text(encoding="utf-8"))
    table = game.references
    known = {one.span.start for one in table.references[0]} | {start for _, start in table.library}
    lexed = tokenize(game.source)
    words = zip(lexed.pieces, lexed.kinds, lexed.starts, strict=True)
    others = {piece for piece, kind, start in words if kind is TokenKind.WORD and start not in known}
    others -= words_of_the_language()
    # Squares of a group with `names a1` and keys of actions have no declaration.
    assert {word for word in others if len(word) > 1 and not (len(word) == 2 and word[1].isdigit())} == set()


@pytest.mark.parametrize("path", SMALL, ids=lambda path: path.stem)
def test_everything_that_a_game_declares_can_be_renamed(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    workspace = workspace_of(text)
    game = workspace.game(PATH)
    for one in game.references.declarations.values():
        if one.kind in FIXED:
            continue
        places = rename(workspace, PATH, one.span.start, "zz_new")
        changed = analyse_game(apply_edits(text, ((place.span, "zz_new") for place in places)))
        assert not changed.has_errors, (one.kind, one.name)
        back = [found.name for found in changed.references.declarations.values()]
        assert back.count("zz_new") >= 1


def test_the_definition_of_a_name_is_found_across_files() -> None:
    workspace = workspace_of(MAIN)
    workspace.put("/birds.tgdl", BIRDS, 1)
    game = workspace.game(PATH)
    eggs = definition(game, MAIN.index("eggs"))
    assert eggs is not None
    assert (eggs.path, eggs.start) == ("/birds.tgdl", BIRDS.index("eggs"))
    alias = definition(game, MAIN.index("birds.high"))
    assert alias is not None
    assert (alias.path, alias.start) == (PATH, MAIN.index("birds;"))
    file = definition(game, MAIN.index("birds.tgdl"))
    assert file is not None
    assert (file.path, file.start) == ("/birds.tgdl", 0)


def test_a_name_is_renamed_in_the_file_that_declares_it_and_in_those_that_import_it() -> None:
    workspace = workspace_of(MAIN)
    workspace.put("/birds.tgdl", BIRDS, 1)
    for path, offset in ((PATH, MAIN.index("eggs")), ("/birds.tgdl", BIRDS.index("eggs"))):
        places = rename(workspace, path, offset, "young")
        found = {(one.path, one.start) for one in places}
        second = BIRDS.index("eggs", BIRDS.index("full"))
        assert found == {
            (PATH, MAIN.index("eggs")),
            ("/birds.tgdl", BIRDS.index("eggs")),
            ("/birds.tgdl", second),
        }


def test_files_that_are_not_open_are_searched() -> None:
    texts = {"/birds.tgdl": BIRDS, PATH: MAIN}
    workspace = Workspace(lambda folder, path: texts.get(f"/{path}"), lambda folder: tuple(texts))
    places = references(workspace, "/birds.tgdl", BIRDS.index("full"))
    assert {one.path for one in places} == {"/birds.tgdl", PATH}


def test_members_that_override_each_other_are_renamed_together() -> None:
    text = "tile a { verb f() { 1 } }\ntile b : a { override verb f() { base.f() + 1 } }\n"
    places = rename(workspace_of(text), PATH, text.index("f()"), "g")
    assert apply_edits(text, ((one.span, "g") for one in places)) == text.replace("f()", "g()")


def test_a_field_in_a_message_is_a_reference() -> None:
    text = 'local state seat { decimal gold = 1; verb f() { fail "only {gold} left"; } }'
    assert len(references(workspace_of(text), PATH, text.index("gold"))) == 2


@pytest.mark.parametrize(
    "name, reason",
    [
        ("gold", "there is already an attribute 'gold'"),
        ("if", "a word of the language"),
        ("2x", "is not a name"),
        ("a b", "is not a name"),
        ("n", "already means something else"),
    ],
)
def test_an_impossible_name_is_refused_with_the_reason(name: str, reason: str) -> None:
    text = "local state seat { decimal coins = 1; decimal gold = 2; verb f(decimal n) { n + coins } }"
    with pytest.raises(CannotRename, match=reason):
        rename(workspace_of(text), PATH, text.index("coins"), name)


def test_a_word_of_the_language_cannot_be_renamed() -> None:
    game = analyse_game("board { }")
    with pytest.raises(CannotRename):
        renamed_word(game, 2)


def test_highlights_tell_reads_from_writes() -> None:
    text = "global state t { decimal n = 1; verb f() { n += 1; return n; } }"
    found = highlights(analyse_game(text), text.index("n ="))
    assert [(one.is_declaration, one.is_write) for one in found] == [
        (True, False),
        (False, True),
        (False, False),
    ]


def test_a_broken_file_still_has_references() -> None:
    text = "tile cell { decimal n = 1; }\nverb f(cell c) { decimal m = c.n; m + }\nverb g(cell c) { c.n"
    assert len(references(workspace_of(text), PATH, text.index("n ="))) == 2


def test_the_moves_and_positions_of_tests_follow_a_renaming() -> None:
    text = (
        "global state table { decimal sum = 0; }\n"
        "option decimal goal_sum = 4 from 1 to 9;\n"
        "action add { trigger on player choice; input decimal n from 1 to 3; "
        "effect { table.sum += n; if table.sum >= goal_sum win player; pass; } }\n"
        'test "it ends"\n{\n  option goal_sum = 5;\n  position {"instances": {"table": {"sum": 1}}};\n'
        "  0: add(n: 3);\n"
        '  1: refuses add(n: 4) "from 1";\n  expect table.sum == 4 and moves.length == 3;\n}\n'
    )
    assert run_rule_tests(analyse_game(text)).failures == ()
    for word, count in (("sum", 5), ("add", 3), ("n from", 4), ("goal_sum", 3), ("table", 5)):
        places = rename(workspace_of(text), PATH, text.index(word), "zz_new")
        changed = analyse_game(apply_edits(text, ((one.span, "zz_new") for one in places)))
        run = run_rule_tests(changed)
        assert (len(places), run.count, run.failures) == (count, 1, ()), word


def test_a_local_name_that_is_only_assigned_is_a_reference() -> None:
    text = "verb f() { decimal n = 1; n = 2; return 3; }"
    found = highlights(analyse_game(text), text.index("n = 1"))
    assert [one.is_write for one in found] == [False, True]
