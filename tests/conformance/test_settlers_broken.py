"""The settlers suite put to the test: an engine with one broken rule fails it."""

import pytest

from conformance.settlers.cases import Case, read_cases
from tests.conformance.settlers_hexil import check_hexil
from tests.games.hexil.test_broken import BROKEN, play_by, rules_with

# What no position and no action in HAN shows, by its row and what stands there instead: trade off turn and
# gifts, the whole deck of a new game, secrets that the library keeps besides, and conditions that two lines
# of the rules state. Row 40 is about the dealer.
BEYOND = (
    ("row_08", "trigger on player choice in build, paving, roll;\n    trigger on player offturn"),
    ("row_08", "trigger on player choice in roll, paving, build;"),
    ("row_25", "table.stock[get] > 0"),
    ("row_26", "trades == everyone"),
    ("row_26", ""),
    ("row_37", "{ 14, 2, 2, 5, 3 }"),
    ("row_38", "visible to players.all"),
    ("row_38", "random weights table.deck visible to players.all"),
    ("row_38", "decimal[card] deck"),
)
SHOWN = [each for each in BROKEN if (each[0][:6], each[2]) not in BEYOND and not each[0].startswith("row_40")]


@pytest.mark.slow
@pytest.mark.parametrize(
    "row, text, instead", SHOWN, ids=[f"{number}-{each[0]}" for number, each in enumerate(SHOWN)]
)
def test_a_broken_rule_fails_the_suite(
    monkeypatch: pytest.MonkeyPatch, row: str, text: str, instead: str
) -> None:
    play_by(rules_with(text, instead), monkeypatch)
    number = int(row.removeprefix("row_")[:2])
    assert any(fails(case) for case in read_cases() if number in case.rows)


def test_unbroken_rules_pass_the_suite(monkeypatch: pytest.MonkeyPatch) -> None:
    play_by(rules_with("", ""), monkeypatch)
    assert not any(fails(case) for case in read_cases() if 7 in case.rows)


def test_what_the_suite_cannot_show_is_in_the_rules() -> None:
    assert len(SHOWN) == len(BROKEN) - len(BEYOND) - 2


def fails(case: Case) -> bool:
    try:
        check_hexil(case)
    except (Exception, pytest.fail.Exception):
        return True
    return False
