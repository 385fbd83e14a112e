"""Completion at places marked `|`, most of them in text that is broken there."""

import pytest

from ludograph.lsp.game import analyse_game
from ludograph.lsp.writing.completion import complete
from ludograph.lsp.writing.proposals import Completion
from ludograph.lsp.writing.snippets import SNIPPETS, Where, plain_text

GAME = """game "Harbour";
players 2 has seat;
enum good { fish, salt }
const decimal width = 3;
global state bank { decimal price = 1; }
local state seat { decimal gold = 5; decimal[good] store = 0; verb rich(decimal n) { gold > n } }
interactable ship placeable { decimal crew = 1; }
interactable ticket stackable { decimal worth = 1; }
stack pile of ticket { }
tile water holds ship { decimal depth = 2; }
board { group sea square 3 by 3 { water; } }
turn main { phase sail; phase trade; }
setup { move new ship to sea[0][0]; }
"""


def labels(text: str) -> list[str]:
    return [one.label for one in proposals(text)]


def proposals(text: str) -> tuple[Completion, ...]:
    offset = text.index("|")
    return complete(text[:offset] + text[offset + 1 :], offset, analyse_game).items


def in_effect(body: str) -> str:
    return f"{GAME}action go {{ trigger on player choice; input ship s; effect {{ {body} }} }}\n"


@pytest.mark.parametrize(
    "body, wanted, unwanted",
    [
        ("s.|", {"crew", "tile", "player"}, {"worth", "gold", "top"}),
        ("s.cr|", {"crew"}, {"gold"}),
        ("s.tile.|", {"depth", "ship", "adjacent", "row"}, {"crew"}),
        ("if seat[player].|", {"gold", "rich", "transfer_to"}, {"depth"}),
        ("seat.|", {"gold", "all"}, {"off"}),
        ("bank.|", {"price"}, {"gold"}),
        ("good.|", {"fish", "salt", "all", "count"}, {"gold"}),
        ("players.|", {"count", "all", "next"}, {"add"}),
        ("decimal n = ship.all.where(x: x.|", {"crew"}, {"worth"}),
        ("pile.|", {"top", "push", "length"}, {"add"}),
        ("ship q = new |", {"ship", "ticket"}, {"water", "seat"}),
        ("pass to |;", {"sail", "trade"}, set()),
        ("decimal n = |", {"s", "width", "bank", "floor", "fish"}, {"effect"}),
        ('fail "only {s.|} left";', {"crew"}, {"worth"}),
        ("|", {"if", "move", "win", "s", "decimal"}, {"trigger", "tile water"}),
        ("for ship q in ship.all { q.| }", {"crew"}, {"worth"}),
        ("seat.store[|", {"fish", "salt"}, set()),
    ],
)
def test_a_statement_gets_the_names_that_fit(body: str, wanted: set[str], unwanted: set[str]) -> None:
    found = set(labels(in_effect(body)))
    assert wanted <= found
    assert not unwanted & found


@pytest.mark.parametrize(
    "text, wanted, unwanted",
    [
        ("|", {"tile", "game", "board", "action"}, {"effect", "if"}),
        (GAME + "action a { | }", {"trigger", "input", "require", "effect"}, {"if", "tile"}),
        (GAME + "action a { trigger on | }", {"player", "seat", "ship", "phase"}, {"if"}),
        (GAME + "action a { trigger on player | }", {"choice", "stuck"}, {"movement"}),
        (GAME + "action a { trigger on ship | }", {"movement", "placement"}, {"choice", "attach"}),
        (GAME + "action a { trigger on seat.gold | }", {"change"}, {"movement"}),
        (GAME + "action a { trigger on player choice in | }", {"sail", "trade"}, {"if"}),
        (GAME + "action a { trigger on player choice | }", {"in", "for", "else"}, {"choice"}),
        (GAME + "action a { input | }", {"ship", "decimal", "good"}, {"effect"}),
        (GAME + "action a { input decimal n | }", {"from", "in", "total"}, {"effect"}),
        (GAME + "tile reef : |", {"water"}, {"ship", "tile"}),
        (GAME + "turn other { | }", {"phase", "default"}, {"if"}),
        (GAME + "board { group g | }", {"square", "hex hexagon", "adjacency"}, {"tile"}),
        (GAME + 'test "it" { | }', {"seed", "expect", "move"}, {"if", "tile"}),
        (GAME + 'test "it" { expect | }', {"moves", "winners", "bank"}, {"effect"}),
        (GAME + "appearance { | }", {"ship", "sea", "players"}, {"if"}),
        (GAME + "appearance { ship { | } }", {"symbol", "colour", "crew"}, {"if"}),
        (GAME + "appearance { ship { colour | } }", {"blue", "sand"}, set()),
        (GAME + "verb f() { decimal count = 1; return | }", {"count", "width"}, {"trigger"}),
        (GAME + "// about s.|", set(), {"if", "ship"}),
        (GAME + 'verb f() { fail "if |"; }', set(), {"crew"}),
    ],
)
def test_a_declaration_gets_the_words_that_fit(text: str, wanted: set[str], unwanted: set[str]) -> None:
    found = set(labels(text))
    assert wanted <= found
    assert not unwanted & found


def test_the_nearest_names_come_first() -> None:
    assert labels(in_effect("decimal depth = 1; decimal n = |"))[:2] == ["depth", "s"]


def test_a_proposal_replaces_the_word_at_the_cursor() -> None:
    text = in_effect("s.cr")
    offset = text.index("s.cr") + 4
    assert complete(text, offset, analyse_game).start == offset - 2


def test_a_member_of_the_library_comes_with_its_explanation() -> None:
    adjacent = next(one for one in proposals(in_effect("s.tile.|")) if one.label == "adjacent")
    assert "neighbours" in adjacent.documentation


def test_a_verb_with_inputs_opens_its_brackets() -> None:
    rich = next(one for one in proposals(in_effect("seat.|")) if one.label == "rich")
    assert (rich.insert, rich.is_snippet) == ("rich($1)$0", True)


PLACES = {
    Where.TOP: GAME + "tile cell { }\n|",
    Where.ACTION: GAME
    + "global state g { bool condition = true; }\ntile cell { }\n"
    + "action a { trigger on player choice; | }",
    Where.CONSTRUCT: GAME + "local state other { | }",
    Where.TURN: GAME + "turn other { phase now; | }",
    Where.BOARD: GAME.replace("board {", "board { | ") + "tile cell { }",
    Where.STATEMENT: in_effect("water place = s.tile; ship piece = s; |").replace(
        "sail;", "sail; phase phase1;"
    ),
    Where.TEST: in_effect("pass;") + 'option decimal name = 1 from 0 to 2;\ntest "it" { | }',
    Where.APPEARANCE: GAME + "tile cell { }\nappearance { | }",
}
SNIPPET_CASES = [(where, one) for where, every in SNIPPETS.items() for one in every]


@pytest.mark.parametrize("where, snippet", SNIPPET_CASES, ids=lambda one: getattr(one, "label", str(one)))
def test_a_snippet_compiles_where_it_is_offered(where: Where, snippet: object) -> None:
    place = PLACES[where]
    text = plain_text(getattr(snippet, "text", ""))
    first = text.split()[0]
    if where is Where.TOP:
        place = "\n".join(
            line
            for line in place.splitlines()
            if first not in ("game", "players", "board", "turn", "setup") or not line.startswith(first)
        )
        if first == "board":
            place = place.replace("setup { move new ship to sea[0][0]; }", "")
    changed = place.replace("|", text).replace("pass to phase;", "pass to sail;")
    game = analyse_game(changed, read=lambda path: "")
    assert [one.picture() for one in game.diagnostics if one.severity == "error"] == []
