"""Code actions: each offer is applied, and the result is checked."""

import pytest

from ludograph.lsp.game import analyse_game
from ludograph.lsp.names.navigation import apply_edits
from ludograph.lsp.writing.code_actions import CodeAction, code_actions
from ludograph.text import Span

GAME = """tile cell { decimal height = 0; }
board { group grid square 3 by 3 { cell; } }
global state table { decimal points = 1; }
verb twice(decimal n) { 2 * n }
action claim
{
  trigger on player choice;
  input cell c { c.player == none }
  require { table.points > 0 }
  effect { c.player = player; c.height = twice(n: 3) + table.points; pass; }
}
"""


def offers(text: str, selected: str) -> list[CodeAction]:
    start = text.index(selected)
    return code_actions(analyse_game(text), Span(start, start + len(selected)), analyse_game)


def applied(text: str, selected: str, title: str) -> str:
    action = next(one for one in offers(text, selected) if one.title == title)
    return apply_edits(text, ((one.span, one.text) for one in action.edits))


def errors(text: str) -> list[str]:
    return [one.picture() for one in analyse_game(text).diagnostics if one.severity == "error"]


@pytest.mark.parametrize(
    "right, wrong, selected, title",
    [
        ("c.height", "c.heigth", "heigth", "Change to 'height'"),
        ("require { table.points", "require { tabel.points", "tabel", "Change to 'table'"),
        ("3) + table.points; pass;", "3) + points; pass;", "points; pass", "Change to 'table.points'"),
        ("pass;", "pass", "pass", "Add ;"),
        ("c.player == none", "c.player == none && c.height < 3", "&&", "Change to 'and'"),
        ("input cell c {", "input cel c {", "cel c", "Change to 'cell'"),
    ],
)
def test_a_mistake_has_a_fix_that_removes_it(right: str, wrong: str, selected: str, title: str) -> None:
    text = GAME.replace(right, wrong)
    fixed = applied(text, selected, title)
    assert analyse_game(fixed).diagnostics == ()


def test_missing_inputs_of_a_call_are_added() -> None:
    text = GAME.replace("twice(n: 3)", "twice()")
    assert "twice(n: 0)" in applied(text, "twice()", "Add n")


def test_an_unknown_name_becomes_an_input_of_the_right_kind() -> None:
    text = GAME.replace("twice(n: 3)", "count")
    assert errors(applied(text, "count", "Add input decimal count")) == []
    text = GAME.replace("twice(n: 3)", "place.height")
    changed = applied(text, "place.", "Add input cell place")
    assert "  input cell place;\n" in changed
    assert errors(changed) == []


@pytest.mark.parametrize(
    "added, selected",
    [
        ("  bool waste = true;\n", "waste"),
        ("  verb never() { 1 }\n", "never"),
    ],
)
def test_what_is_not_used_is_removed_with_its_lines(added: str, selected: str) -> None:
    text = GAME.replace(
        "tile cell { decimal height = 0; }", f"tile cell\n{{\n  decimal height = 0;\n{added}}}"
    )
    assert applied(text, selected, "Remove it") == text.replace(added, "")


def test_an_input_that_is_never_read_is_removed() -> None:
    text = GAME.replace("  require", "  input decimal n from 1 to 2;\n  require")
    assert applied(text, "n from", "Remove it") == GAME


def test_an_expression_becomes_a_verb_with_the_names_that_it_reads() -> None:
    changed = applied(GAME, "c.player == none", "Extract a verb")
    assert "verb extracted(cell c) { c.player == none }" in changed
    assert "input cell c { extracted(c) }" in changed
    assert errors(changed) == []


def test_a_verb_is_extracted_into_the_construct_of_the_code() -> None:
    text = "tile cell\n{\n  decimal n = 1;\n  verb f(decimal m)\n  {\n    return n + m * 2;\n  }\n}\n"
    changed = applied(text, "n + m * 2", "Extract a verb")
    assert "  verb extracted(decimal m) { n + m * 2 }\n\n  verb f" in changed
    assert "return extracted(m);" in changed
    assert errors(changed) == []


def test_no_verb_is_extracted_from_half_an_expression() -> None:
    titles = [one.title for one in offers(GAME, "+ table.points")]
    assert "Extract a verb" not in titles


def test_words_for_players_are_added_to_a_condition() -> None:
    changed = applied(GAME, "table.points > 0", "Add words for players")
    assert 'require { table.points > 0 } else "this needs: table.points > 0";' in changed
    assert errors(changed) == []
    assert "Add words for players" not in [one.title for one in offers(changed, "table.points > 0")]


def test_an_appearance_block_is_written_once() -> None:
    changed = applied(GAME, "tile", "Add an appearance block")
    assert 'claim { label "Claim"; }' in changed
    assert errors(changed) == []
    assert "Add an appearance block" not in [one.title for one in offers(changed, "tile")]


def test_no_fix_is_offered_that_leaves_the_mistake() -> None:
    text = "verb f() { undefined_thing_without_any_likeness }"
    assert [one for one in offers(text, "undefined") if one.kind == "quickfix"] == []
