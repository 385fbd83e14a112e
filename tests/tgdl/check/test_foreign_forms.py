"""Forms of other languages: each gives one error, and the program that follows the hint has none."""

import re

import pytest

from ludograph.text import Diagnostic, Source
from ludograph.tgdl import check_source

SEATS = "players 2 has seat; local state seat { decimal n = 0; verb add() { n += 1; } }"
STATE = "enum kind { a, b, c } global state t { kind k = a; decimal n = 0; decimal[] l = {}; }"
BOARD = (
    "interactable man placeable { decimal hp = 1; } tile cell { } board { group g square 3 by 3 { cell; } }"
)
CARDS = "interactable card stackable { } stack deck of card;"
TURNS = "turn main { phase day; phase night; }"


def errors(text: str) -> list[Diagnostic]:
    return [one for one in check_source(Source(text, "game.tgdl"))[1] if one.severity == "error"]


def action(effect: str) -> str:
    return f"action go {{ trigger on player choice; effect {{ {effect} pass; }} }}"


def seat_action(effect: str) -> str:
    hand = "players 2 has seat; local state seat { stack hand of card;"
    return f"{CARDS} {hand} action take {{ trigger on player choice; effect {{ {effect} pass; }} }} }}"


def filtered(filter: str) -> str:
    return f"{BOARD} action go {{ trigger on player choice; input man[] v {filter} effect {{ v.clear(); }} }}"


# The program, what is written and what the hint says to write instead; `…` in the hint is the rest.
FORMS = [
    (filtered("OLD"), "{ v.hp == 1 }", "{ filter man e { e.hp == 1 } }", "hp"),
    (filtered("OLD"), "{ filter { v.hp > 1 } }", "{ filter man e { e.hp > 1 } }", "hp"),
    (filtered("OLD"), "{ hp > 1 }", "{ filter man e { e.hp > 1 } }", "hp"),
    (f"{SEATS} setup {{ for player p in players.all OLD += 1; }}", "p.n", "seat[p].n", "n"),
    (f"{SEATS} setup {{ for player p in players.all OLD(); }}", "p.add", "seat[p].add", "add"),
    (f"{SEATS} {action('OLD += 1;')}", "players.active.n", "seat[players.active].n", "n"),
    (f"{SEATS} {action('OLD.n += 1;')}", "player.seat", "seat[player]", "seat"),
    (f"{SEATS} {action('OLD seat[p].n += 1;')}", "for p in players", "for player p in players.all", "p"),
    (f"{SEATS} {action('OLD seat[p].n += 1;')}", "for p in players.in", "for player p in players.in", "p"),
    (f"{SEATS} {action('OLD { s.n = 1; }')}", "for s in seat.all", "for seat s in seat.all", "s"),
    (f"{SEATS} {action('OLD { s.n = 1; }')}", "for (const s of seat.all)", "for seat s in seat.all", "s"),
    (
        f"{SEATS} {action('OLD { seat[p].n = 1; }')}",
        "for each p in players",
        "for player p in players.all",
        "p",
    ),
    (f"{SEATS} {action('OLD { s.n = 1; }')}", "for (seat s : seat.all)", "for seat s in seat.all", ":"),
    (seat_action("OLD"), "draw deck to hand;", "hand.push(deck.draw(player));", "draw"),
    (seat_action("OLD"), "draw card from deck;", "hand.push(deck.draw(player));", "draw"),
    (seat_action("OLD"), "draw a card;", "hand.push(deck.draw(player));", "draw"),
    (seat_action("OLD"), "draw 2 from deck;", "hand.push(deck.draw(player));", "draw"),
    (
        seat_action("OLD"),
        "draw from deck to seat[player].hand;",
        "seat[player].hand.push(deck.draw(player));",
        "draw",
    ),
    (seat_action("OLD"), "draw deck;", "hand.push(deck.draw(player));", "deck"),
    (f"{STATE} {action('if OLD t.n = 1;')}", "t.k in { a, b }", "{ a, b }.contains(t.k)", "in"),
    (f"{STATE} {action('if t.n > 0 and OLD t.n = 1;')}", "t.n in t.l", "t.l.contains(t.n)", "in"),
    (
        f"{STATE} verb f() {{ OLD }} {action('if f() t.n = 1;')}",
        "t.k in { a, b }",
        "{ a, b }.contains(t.k)",
        "in",
    ),
    (
        f"{STATE} goal g {{ require {{ OLD }} effect {{ draw; }} }}",
        "t.k in { a, b }",
        "{ a, b }.contains(t.k)",
        "in",
    ),
    (
        f"{STATE} verb f() {{ return OLD; }} {action('if f() t.n = 1;')}",
        "t.n in t.l",
        "t.l.contains(t.n)",
        "in",
    ),
    (f"{STATE} {action('bool b = OLD; if b t.n = 1;')}", "(t.n in t.l)", "t.l.contains(t.n)", "in"),
    (f"{STATE} {action('t.n = OLD')}", "7 // 2;\n", "floor(7 / 2);", "//"),
    (f"{STATE} {action('t.n = 1 + OLD')}", "t.n // 2;\n", "floor(t.n / 2);", "//"),
    (f"{STATE} {action('decimal k = OLD t.n = k;')}", "t.n // t.n;\n", "floor(t.n / t.n);", "//"),
    (f"{STATE} verb f() {{ OLD{action('t.n = f();')}", "t.n // 2 }\n", "floor(t.n / 2) }", "//"),
    (f"{STATE} verb f() {{ return OLD{action('t.n = f();')}", "t.n // 2; }\n", "floor(t.n / 2); }", "//"),
    (action("if players.count > 1 OLD"), "win;", "win player;", ";"),
    (action("if players.count > 1 OLD"), "out;", "out player;", ";"),
    (f"{STATE} {action('t.n = OLD;')}", "random 1 to 6", "random 6 + 1", "to"),
    (f"{STATE} {action('t.n = OLD;')}", "random 1..6", "random 6 + 1", ".."),
    (f"{STATE} {action('t.n = OLD;')}", "random(1 to 6)", "random 6 + 1", "to"),
    (f"{STATE} {action('t.n = OLD;')}", "random from 1 to 6", "random 6 + 1", "from"),
    (action("OLD"), "pass turn;", "pass;", "turn"),
    (action("OLD"), "pass the turn;", "pass;", "the"),
    (action("OLD"), "end turn;", "pass;", "end"),
    (action("OLD"), "end my turn;", "pass;", "end"),
    (action("OLD"), "next turn;", "pass;", "next"),
    (action("OLD"), "end_turn();", "pass;", "end_turn"),
    (action("OLD"), "pass turn to player + 1;", "pass player + 1;", "turn"),
    (action("OLD"), "pass to player + 1;", "pass player + 1;", "to"),
    (f"{TURNS} {action('OLD')}", "pass to opponent;", "pass player + 1;", "opponent"),
    (action("if players.count > 1 OLD"), "end game;", "draw;", "end"),
    (f"{SEATS} {action('if seat.all.any(OLD) win 0;')}", "s => s.n > 1", "s: s.n > 1", "=>"),
    (f"{SEATS} {action('if seat.all.any(OLD) win 0;')}", "s -> s.n > 1", "s: s.n > 1", "->"),
    (f"{SEATS} {action('if seat.all.any(OLD) win 0;')}", "(s) => s.n > 1", "s: s.n > 1", "=>"),
    (f"{SEATS} {action('if seat.all.any(OLD) win 0;')}", "lambda s: s.n > 1", "s: s.n > 1", "lambda"),
    (
        f"{SEATS} {action('if OLD win 0;')}",
        "any(s.n > 1 for s in seat.all)",
        "seat.all.any(s: s.n > 1)",
        "for",
    ),
    (
        f"{SEATS} {action('if OLD > 2 win 0;')}",
        "sum(s.n for s in seat.all if s.n > 1)",
        "seat.all.where(s: s.n > 1).sum(s: s.n)",
        "for",
    ),
    (f"{SEATS} {action('if OLD.length > 2 win 0;')}", "[s.n for s in seat.all]", "seat.all.map(s: s.n)", "["),
    (
        f"{STATE} OLD {{ return x + 1; }} {action('t.n = f(2);')}",
        "decimal verb f(decimal x)",
        "verb f(decimal x)",
        "decimal",
    ),
    (
        f"{STATE} OLD {{ return x + 1; }} {action('t.n = f(2);')}",
        "verb decimal f(decimal x)",
        "verb f(decimal x)",
        "decimal",
    ),
    (f"global state t {{ OLD {{ true }} }} {action('if t.f() draw;')}", "bool verb f()", "verb f()", "bool"),
    (action("if players.count > 1 OLD"), "win = player;", "win player;", "win"),
    (action("if players.count > 1 OLD"), "winner = player + 1;", "win player + 1;", "winner"),
    (action("if players.count > 1 win OLD;"), "opponent", "player + 1", "opponent"),
    (action("OLD"), "player = player + 1;", "pass;", "player"),
    (action("OLD"), "player += 1;", "pass;", "player"),
    (action("OLD"), "players.active = player + 1;", "pass;", "players.active"),
    (
        f"{BOARD} verb f(cell c) {{ c.OLD.length }} {action('if f(g[0][0]) > 2 draw;')}",
        "neighbors",
        "adjacent",
        "neighbors",
    ),
    (
        f"{BOARD} verb f(cell c) {{ c.OLD.length }} {action('if f(g[0][0]) > 2 draw;')}",
        "neighbours()",
        "adjacent",
        "neighbours",
    ),
    (f"{BOARD} verb f(man m) {{ OLD }} {action('if f(new man) == 0 draw;')}", "m.owner", "m.player", "owner"),
    (
        f"interactable pawn placeable {{ OLD }} {BOARD}",
        "movement slide { }",
        "action slide { trigger on player choice; input tile t; effect { move this to t; pass; } }",
        "movement",
    ),
    (f"{BOARD} OLD", "movement slide { }", "", "movement"),
    (action("OLD"), "pass();", "pass;", ")"),
    (action("if players.count > 1 OLD"), "win();", "win player;", ")"),
    (action("if players.count > 1 OLD"), "draw();", "draw;", ")"),
    (f"{STATE} {action('t.n = OLD;')}", "random.randint(1, 6)", "random 6 + 1", "."),
    (f"{STATE} {action('t.n = OLD;')}", "Math.floor(2.5)", "floor(2.5)", "Math"),
    (action("if players.count > 1 OLD"), "return player;", "return;", "return player;"),
    ("action go { OLD effect { pass; } }", "on player choice;", "trigger on player choice;", "on"),
    (
        f"{STATE} action go {{ trigger on player choice; OLD effect {{ pass; }} }}",
        "condition { t.n > 0 }",
        "require { t.n > 0 }",
        "condition",
    ),
    (
        "action go { trigger on player choice; input decimal n OLD; effect { if n > 1 draw; } }",
        "between 1 and 3",
        "from 1 to 3",
        "between",
    ),
]


@pytest.mark.parametrize("program, old, new, place", FORMS, ids=[old for _, old, _, _ in FORMS])
def test_a_foreign_form_gives_one_error_at_its_place(program: str, old: str, new: str, place: str) -> None:
    text = program.replace("OLD", old)
    (found,) = errors(text)
    assert text[found.span.start : found.span.end] == place


@pytest.mark.parametrize("program, old, new, place", FORMS, ids=[old for _, old, _, _ in FORMS])
def test_the_program_that_follows_the_hint_has_no_error(program: str, old: str, new: str, place: str) -> None:
    (found,) = errors(program.replace("OLD", old))
    assert _follows(found.hint, new)
    assert errors(program.replace("OLD", new)) == []


def _follows(hint: str, new: str) -> bool:
    """Whether the new text is what the hint says; a letter stands for any operand, `…` for any text."""
    if new in hint or hint.startswith(("write `.adjacent`", "write `.player`")):
        return True
    shown = re.findall(r"`([^`]+)`|write (verb [^;]+)|did you mean '([^']+)'", hint)
    patterns = [re.escape("".join(one)).replace("…", ".*").replace("\\ ", " ") for one in shown]
    patterns += [re.sub(r"\b[abpsx]\b", ".+", one) for one in patterns]
    return any(re.search(one, new) for one in patterns)


@pytest.mark.parametrize(
    "text",
    [
        f"{TURNS} {STATE} {action('for decimal i from random 2 to 4 t.n += i;')}",
        f"{TURNS} {action('pass random 2 to night;')}",
        f"enum end {{ yes, no }} {action('end turn; turn = yes;')}",
        f"{action('player turn = player + 1; pass turn;')}",
        f"{STATE} {action('t.n = 7; // 2;' + chr(10))}",
        f"{STATE} {action('decimal in = 3; t.n = in;')}",
        f"interactable movement placeable {{ }} tile pit {{ movement slide; }} {BOARD}",
    ],
)
def test_names_and_forms_of_the_language_are_no_foreign_forms(text: str) -> None:
    assert errors(text) == []


def test_a_missing_semicolon_before_a_comment_is_no_division() -> None:
    (found,) = errors(f"{STATE} {action('t.n = 7 // seven stones' + chr(10))}")
    assert (found.code, found.hint) == ("TG0202", "write ;")
