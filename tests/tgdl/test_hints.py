"""Slips that newcomers make: one error each, with the way out in its hint."""

import pytest

from ludograph.text import Diagnostic, Source
from ludograph.tgdl import check_source

STATE = "global state t { decimal n = 0; verb twice() { n * 2 } }"
SEATS = "players 2 has seat; local state seat { decimal n = 0; }"


def found_in(text: str) -> tuple[Diagnostic, ...]:
    return check_source(Source(text, "game.tgdl"))[1]


def action(effect: str, before: str = STATE) -> str:
    return f"{before} action go {{ trigger on player choice; effect {{ {effect} pass; }} }}"


SLIPS = [
    (f"{STATE} goal g {{ require {{ t.n > 0; }} effect {{ win 0; }} }}", "TG0325", "leave out the `;`"),
    (f"{STATE} goal g {{ require {{ decimal a = t.n; a > 0; }} }}", "TG0325", "write `return` before it"),
    (action("input decimal k from 0 to 3 { k > 1; } t.n = k;"), "TG0325", "leave out the `;`"),
    (
        f"{STATE} action go {{ trigger on t.n change {{ new > 2; }} effect {{ win 0; }} }}",
        "TG0325",
        "`return`",
    ),
    (action("n += 1;"), "TG0301", "did you mean 't.n'?"),
    (action("t.n = twice();"), "TG0301", "did you mean 't.twice'?"),
    (action("n += 1;", SEATS), "TG0301", "did you mean 'seat[player].n'?"),
    (action("player.n += 1;", SEATS), "TG0306", "did you mean 'seat[player].n'?"),
]


@pytest.mark.parametrize("text, code, hint", SLIPS, ids=[text[-60:] for text, _, _ in SLIPS])
def test_a_slip_is_told_once_with_the_way_out(text: str, code: str, hint: str) -> None:
    found = found_in(text)
    assert [(one.severity, one.code) for one in found] == [("error", code)]
    assert hint in found[0].hint


def test_a_result_of_a_verb_that_ends_with_a_semicolon_is_told() -> None:
    found = found_in(action("t.double();", "global state t { decimal n = 0; verb double() { n * 2; } }"))
    assert [one.code for one in found] == ["TG0410"]
    assert found[0].hint == "if it is the result, leave out the `;` or write `return` before it"
