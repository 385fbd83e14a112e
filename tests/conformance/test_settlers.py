"""The conformance suite of the settlers game: complete, well made, and passed by Hexil."""

import re

import pytest

from conformance.settlers.cases import FOLDER, Case, format_case, parse_case, read_cases
from conformance.settlers.catanatron_report import report
from conformance.settlers.source.write import FILES, text_of
from ludograph.notation import hsn
from ludograph.settlers import Flag, Goods, Player, Position
from ludograph.settlers.standard import bank_stock
from tests.conformance.settlers_hexil import check_hexil
from tests.games.hexil.expectations import expected_army, expected_holder, expected_points, income

CASES = read_cases()
PLAYED = [case for case in CASES if case.action is not None]
LEGAL = [case for case in PLAYED if case.legal]
ROWS = set(range(1, 41))
# These say what comes of something that is allowed anyway.
FORBID_NOTHING = {7, 11, 17, 18, 19, 20, *range(28, 36), 38}


def name_of(case: Case) -> str:
    return case.id


# Hexil


@pytest.mark.parametrize("case", PLAYED, ids=name_of)
def test_hexil_answers_as_the_suite_says(case: Case) -> None:
    check_hexil(case)


@pytest.mark.parametrize("case", [case for case in CASES if case.action is None], ids=name_of)
def test_islands_are_told_apart(case: Case) -> None:
    # That the dealer keeps to it is tested with the rules (row 40).
    flags = {finding.flag for finding in hsn.parse(case.position).findings(strict=True)}
    barred = {Flag.RED_NUMBERS_ADJACENT}
    if case.options is not None and case.options.get("strict"):
        barred.add(Flag.EQUAL_NUMBERS_ADJACENT)
    assert bool(flags & barred) is not case.legal
    assert flags <= {Flag.RED_NUMBERS_ADJACENT, Flag.EQUAL_NUMBERS_ADJACENT}


# The suite itself


@pytest.mark.parametrize("name", FILES)
def test_the_files_are_those_that_the_cases_write(name: str) -> None:
    assert (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8") == text_of(FILES[name])


def test_there_are_no_other_files() -> None:
    assert {path.stem for path in FOLDER.glob("*.jsonl")} == set(FILES)


def test_every_row_has_cases_legal_and_not() -> None:
    assert {row for case in CASES if case.legal for row in case.rows} == ROWS
    assert {row for case in CASES if not case.legal for row in case.rows} == ROWS - FORBID_NOTHING


def test_names_are_unique_and_begin_with_their_row() -> None:
    names = [case.id for case in CASES]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(rf"{case.rows[0]:02}-[a-z-]+", case.id) for case in CASES)


def test_a_line_is_read_as_it_was_written() -> None:
    assert [parse_case(format_case(case)) for case in CASES] == CASES


def test_the_page_explains_every_field() -> None:
    page = (FOLDER / "README.md").read_text(encoding="utf-8")
    for field in Case.__dataclass_fields__:
        assert f"| `{field}` |" in page


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_positions_can_have_come_about(case: Case) -> None:
    for text in (case.position, case.after):
        if text is not None:
            position = hsn.parse(text)
            assert hsn.format(position).split() == text.split(), "not canonical"
            flags = [
                finding for finding in position.findings() if finding.flag is not Flag.DISCARD_SMALL_HAND
            ]
            assert not flags


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_nobody_has_won_before_it_begins(case: Case) -> None:
    position = hsn.parse(case.position)
    needed = int((case.options or {}).get("points", 10))
    assert all(expected_points(position, Player(n)) < needed for n in range(1, position.players + 1))


# The expected positions, checked by a reckoning that has nothing to do with Hexil or with who wrote them


@pytest.mark.parametrize("case", LEGAL, ids=name_of)
def test_expected_awards_and_winners_are_those_of_a_slow_reckoning(case: Case) -> None:
    before, after = positions(case)
    if not after.in_setup:
        assert after.longest_road == expected_holder(after, before.longest_road)
    assert after.largest_army == expected_army(after, before.largest_army)
    needed = (case.options or {}).get("points", 10)
    points = expected_points(after, after.current)
    assert case.winner == (after.current if points >= int(needed) else None)


@pytest.mark.parametrize("case", LEGAL, ids=name_of)
def test_expected_income_is_that_of_a_slow_reckoning(case: Case) -> None:
    rolls = re.fullmatch(r"R\(([1-6])\+([1-6])\)", case.action or "")
    if rolls is None or case.before:
        return
    before, after = positions(case)
    total = int(rolls[1]) + int(rolls[2])
    paid = income(before, total) if total != 7 else {}
    for number, (seat, then) in enumerate(zip(before.seats, after.seats, strict=True), 1):
        assert then.goods == seat.goods + paid.get(Player(number), Goods())


@pytest.mark.parametrize("case", LEGAL, ids=name_of)
def test_expected_cards_come_from_somewhere(case: Case) -> None:
    """Whatever hands gain the bank has lost; it never holds less than nothing."""
    _, after = positions(case)
    assert all(0 <= count <= bank_stock(after.players) for count in after.bank.counts)


def positions(case: Case) -> tuple[Position, Position]:
    assert case.after is not None
    return hsn.parse(case.position), hsn.parse(case.after)


# catanatron


def test_the_page_shows_what_catanatron_answers() -> None:
    page = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert report(CASES) in page, "python -m conformance.settlers.catanatron_report writes it"
