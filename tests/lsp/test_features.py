"""Features that show something about a text: hover, signatures, tokens, folding, hints, lenses."""

from itertools import pairwise
from pathlib import Path

import pytest

from ludograph.lsp.diagnostics import diagnostics_of
from ludograph.lsp.folding import Fold, folds, selections
from ludograph.lsp.game import AnalysedGame, analyse_game
from ludograph.lsp.hints import InlayHint, inlay_hints
from ludograph.lsp.hover import hover
from ludograph.lsp.lenses import RUN_TESTS, lenses
from ludograph.lsp.manual import SECTIONS_OF_WORDS, read_manual
from ludograph.lsp.names.navigation import apply_edits
from ludograph.lsp.positions import PositionIndex, PositionRange, TextPosition
from ludograph.lsp.rule_test_runs import run_rule_tests
from ludograph.lsp.symbols import OutlineSymbol, outline
from ludograph.lsp.tokens import DECLARED, LIBRARY, READ_ONLY, TokenType, semantic_tokens
from ludograph.lsp.writing.formatting import Edit, format_document, format_range, format_typed
from ludograph.lsp.writing.signatures import signatures
from ludograph.text import Span
from ludograph.tgdl.program.events import Event
from ludograph.tgdl.program.operation_facts import Receiver
from ludograph.tgdl.program.operations import MEMBERS

GAMES = Path(__file__).resolve().parents[2] / "src" / "ludograph" / "games"
GAME = """game "Wells";
players 2 has seat;

// A well gives water.
tile well
{
  decimal depth = 3;                       // in metres

  verb deeper(decimal by) { depth > by }
}

board { group field square 2 by 2 { well; } }
local state seat { decimal water = 0; }

action fetch
{
  trigger on player choice;
  input well source { source.deeper(1) }
  effect
  {
    seat.water += source.depth;
    source.depth = field.tiles.count(t: t.depth > 0);
    pass;
  }
}
"""


@pytest.fixture(scope="module")
def game() -> AnalysedGame:
    return analyse_game(GAME)


def shown(game: AnalysedGame, text: str, skip: int = 0) -> str:
    found = hover(game, game.text.index(text) + skip)
    return found.markdown if found is not None else ""


def test_hover_shows_a_declaration_with_its_comment(game: AnalysedGame) -> None:
    assert "tile well" in shown(game, "well source")
    assert "A well gives water." in shown(game, "well source")
    assert "decimal depth = 3" in shown(game, "depth > by")
    assert "in metres" in shown(game, "depth > by")
    assert "verb deeper(decimal by) → bool" in shown(game, "deeper(1)")
    assert "action fetch(well source)" in shown(game, "fetch")


def test_hover_shows_types_and_the_reference(game: AnalysedGame) -> None:
    assert "well t" in shown(game, "t: t.depth")
    assert "count" in shown(game, "count(t")
    assert "→ decimal" in shown(game, "count(t")
    assert "the condition is true" in shown(game, "count(t")
    assert "Inputs" in shown(game, "input")
    assert "event of `player`" in shown(game, "choice")
    assert hover(game, game.text.index("gives")) is None


@pytest.mark.parametrize("receiver", list(MEMBERS), ids=lambda one: one.value)
def test_the_reference_explains_every_member_of_the_library(receiver: Receiver) -> None:
    assert [name for name in MEMBERS[receiver] if not read_manual().member(receiver, name)] == []


def test_the_reference_explains_every_event_and_word() -> None:
    assert [one.kind for one in Event if not read_manual().event(one.kind)] == []
    assert [word for word in SECTIONS_OF_WORDS if not read_manual().word(word)] == []


@pytest.mark.parametrize(
    "written, label, active",
    [
        ("source.deeper(", "deeper(decimal by) → bool", 0),
        ("max(1, ", "max(number, …)", 1),
        ("field.tiles.where(", "where(x: condition)", 0),
        ("twice(1, ", "twice(decimal a, decimal b) → decimal", 1),
    ],
)
def test_signature_help_shows_the_inputs_of_an_unfinished_call(written: str, label: str, active: int) -> None:
    text = GAME.replace("pass;", f"decimal n = {written}") + "verb twice(decimal a, decimal b) { a + b }\n"
    found = signatures(text, text.index(written) + len(written), analyse_game)
    assert (found[0].label, found[0].active) == (label, active)


def test_there_is_no_signature_outside_of_a_call(game: AnalysedGame) -> None:
    assert signatures(GAME, GAME.index("seat.water"), analyse_game) == []


def test_tokens_know_names_words_and_the_library(game: AnalysedGame) -> None:
    found = {(one.span.start, one.span.end): one for one in semantic_tokens(game)}

    def token(text: str, word: str) -> tuple[TokenType, int]:
        start = GAME.index(text)
        one = found[start, start + len(word)]
        return one.type, one.modifiers

    assert token("well\n", "well") == (TokenType.CLASS, DECLARED)
    assert token("depth = 3", "depth") == (TokenType.PROPERTY, DECLARED)
    assert token("decimal depth", "decimal") == (TokenType.TYPE, LIBRARY)
    assert token("count(t", "count") == (TokenType.METHOD, LIBRARY)
    assert token("effect", "effect") == (TokenType.KEYWORD, 0)
    assert token("// in metres", "// in metres")[0] is TokenType.COMMENT
    assert token("t: t.depth", "t") == (TokenType.PARAMETER, DECLARED)


def test_tokens_of_a_message_show_its_names() -> None:
    text = 'local state seat { decimal gold = 1; verb f() { fail "only {gold} left"; } }'
    game = analyse_game(text)
    kinds = [(text[one.span.start : one.span.end], one.type) for one in semantic_tokens(game)]
    assert ("gold", TokenType.PROPERTY) in kinds[-6:]
    assert ('"only {', TokenType.STRING) in kinds


def test_tokens_of_constants_are_read_only() -> None:
    text = "const decimal size = 3;"
    assert semantic_tokens(analyse_game(text))[2].modifiers == DECLARED | READ_ONLY


def test_the_outline_shows_what_is_inside_of_what(game: AnalysedGame) -> None:
    def names(symbols: list[OutlineSymbol]) -> list[object]:
        return [(one.name, names(one.children)) if one.children else one.name for one in symbols]

    assert names(outline(0, game.tree)) == [
        ("well", ["depth", "deeper"]),
        ("board", ["field"]),
        ("seat", ["water"]),
        ("fetch", ["source"]),
    ]


def test_a_broken_file_has_an_outline() -> None:
    text = (
        "tile a { decimal n = ; }\naction b { trigger on }\nverb c( { }\nglobal state d { decimal m = 1; }\n"
    )
    names = [one.name for one in outline(0, analyse_game(text).tree)]
    assert {"a", "b", "d"} <= set(names)


def test_blocks_and_comments_fold() -> None:
    text = "// one\n// two\ntile a\n{\n  decimal n = 1;\n}\n"
    assert folds(analyse_game(text)) == [Fold(0, 1, is_comment=True), Fold(3, 4)]


def test_a_selection_grows_from_the_word_to_the_file(game: AnalysedGame) -> None:
    offset = GAME.index("t.depth > 0")
    texts = [GAME[one.start : one.end] for one in selections(game, offset)]
    assert texts[0] == "t"
    assert "t.depth" in texts
    assert "t.depth > 0" in texts
    assert texts[-1] == GAME
    assert all(len(inner) < len(outer) for inner, outer in pairwise(texts))


def test_inlay_hints_show_inferred_types(game: AnalysedGame) -> None:
    found = {one.offset: one.text for one in inlay_hints(game, Span(0, len(GAME)))}
    assert found == {GAME.index(" { depth > by"): " → bool", GAME.index("t: t.depth"): "well "}


def test_figures_of_self_play_are_hints_too(game: AnalysedGame) -> None:
    found = inlay_hints(
        game,
        Span(0, len(GAME)),
        figures=lambda _, one: (
            [InlayHint(one.span.end, " 40 %", is_figure=True)] if one.name == "fetch" else []
        ),
    )
    assert [one.offset for one in found if one.is_figure] == [GAME.index("fetch") + len("fetch")]


def test_lenses_play_a_game_and_not_a_broken_one(game: AnalysedGame) -> None:
    found = [(one.title, one.arguments) for one in lenses(game)]
    assert found == [
        ("Play", ()),
        ("Simulate", ()),
        ("Board", ()),
        ("Coverage", ()),
        ("Coverage", ("fetch",)),
    ]
    assert lenses(analyse_game(GAME.replace("pass;", "pas;"))) == []
    assert lenses(analyse_game("tile a { }")) == []


def test_formatting_changes_only_the_lines_that_differ() -> None:
    text = "tile a { }\ntile   b { }\n\ntile c { }\n"
    assert format_document(text) == [Edit(Span(11, 24), "tile b { }\n")]
    assert format_range(text, Span(0, 3)) == []
    assert format_document("tile a {") == []


def test_typing_indents_the_line() -> None:
    text = "tile a\n{\n  verb f()\n  {\n    return 1;\n    }"
    changed = apply_edits(text, ((one.span, one.text) for one in format_typed(text, len(text), "}")))
    assert changed.endswith("\n  }")
    text = "tile a\n{\n\n}"
    changed = apply_edits(text, ((one.span, one.text) for one in format_typed(text, 9, "\n")))
    assert changed == "tile a\n{\n  \n}"


def test_a_diagnostic_has_its_hint_and_related_places() -> None:
    found = diagnostics_of(analyse_game("tile a { }\ntile a { }\nverb f() { floot(1) }"))[0]
    assert found[0].notes[0][0] == Span(5, 6)
    assert "hint: did you mean 'floor'?" in found[1].text


def test_a_mistake_in_an_imported_file_is_reported_there() -> None:
    game = analyse_game('import "b.tgdl";\n', "/a.tgdl", lambda path: "tile x { decimal n = why; }")
    found = diagnostics_of(game)
    assert [one.code for one in found[1]] == ["TG0301"]
    assert game.files[1].source.name == "/b.tgdl"


def test_positions_count_in_utf16() -> None:
    index = PositionIndex('game "\U0001f600x";\r\ntile a { }')
    assert index.position(7) == TextPosition(0, 8)
    assert index.offset(TextPosition(0, 8)) == 7
    assert index.offset(TextPosition(0, 99)) == 10
    assert index.offset(TextPosition(9, 0)) == len(index.text)
    assert index.range(Span(12, 16)) == PositionRange(TextPosition(1, 0), TextPosition(1, 4))


TESTED = """global state table { decimal sum = 0; }
action add { trigger on player choice; effect { table.sum += 1; pass; } }
test "one" { 0: add; expect table.sum == 1; }
test "two" { 0: add; expect table.sum == 2; }
"""


def test_tests_run_together_or_alone() -> None:
    game = analyse_game(TESTED)
    assert lenses(game) == [one for one in lenses(game, runs_tests=True) if one.command != RUN_TESTS]
    found = [one.arguments for one in lenses(game, runs_tests=True) if one.command == RUN_TESTS]
    assert found == [("",), ("one",), ("two",)]
    run = run_rule_tests(game)
    assert run.count == 2
    assert [TESTED[one.span.start : one.span.end] for one in run.failures] == ["expect table.sum == 2;"]
    assert run_rule_tests(game, "one").failures == ()
    assert run_rule_tests(analyse_game(TESTED.replace("pass", "pas"))).count == 0
