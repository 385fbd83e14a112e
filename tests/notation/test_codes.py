"""Every error code has one meaning and is in the reference."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from ludograph import BadText, Nonsense
from ludograph.cli import inputs
from ludograph.hexil.replay import faults
from ludograph.notation import bought_cards, ccn, cgn, han, headers, hsn, imports, sgn
from ludograph.notation.json_records import reader as json_reader
from ludograph.notation.notations import NOTATIONS
from tests.notation.case_files import cases

REFERENCE = Path(__file__).resolve().parents[2] / "docs" / "notations.md"
TABLES = (
    *(headers.CODES, bought_cards.CODES, json_reader.CODES, inputs.CODES, faults.CODES),
    *(row.codes for row in NOTATIONS.values()),
    imports.CODES,
)


def test_no_two_tables_share_a_code() -> None:
    assert len({code for table in TABLES for code in table}) == sum(len(table) for table in TABLES)


def test_the_reference_lists_every_code_with_its_meaning() -> None:
    listed = dict(re.findall(r"^\| (NT\d{4}) \| (.+) \|$", REFERENCE.read_text(encoding="utf-8"), re.M))
    assert listed == {code: meaning for table in TABLES for code, meaning in table.items()}


@pytest.mark.parametrize(
    "name, parse",
    [
        ("ccn/invalid.txt", ccn.parse),
        ("cgn/invalid.txt", cgn.parse),
        ("han/invalid.txt", han.parse),
        ("han/invalid_games.txt", han.parse_game),
        ("hsn/invalid.txt", hsn.parse),
        ("sgn/invalid.txt", sgn.parse),
    ],
)
def test_whatever_is_rejected_comes_with_a_hint(name: str, parse: Callable[[str], object]) -> None:
    without: list[str] = []
    for text, *_ in cases(name):
        with pytest.raises((BadText, Nonsense)) as caught:
            parse(text)
        if not caught.value.diagnostic.hint:
            without.append(f"{caught.value.diagnostic.code}: {text}")
    assert without == []
