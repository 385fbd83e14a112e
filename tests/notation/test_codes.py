"""Every error code has one meaning and stands in the reference."""

import re
from pathlib import Path

from ludograph.cli import inputs
from ludograph.notation import ccn, cgn, han, headers, hsn, json_text, sgn

REFERENCE = Path(__file__).resolve().parents[2] / "docs" / "notations.md"
TABLES = (headers.CODES, han.CODES, hsn.CODES, cgn.CODES, ccn.CODES, sgn.CODES, json_text.CODES, inputs.CODES)


def test_no_two_tables_share_a_code() -> None:
    assert len({code for table in TABLES for code in table}) == sum(len(table) for table in TABLES)


def test_the_reference_lists_every_code_with_its_meaning() -> None:
    listed = dict(re.findall(r"^\| (NT\d{4}) \| (.+) \|$", REFERENCE.read_text(encoding="utf-8"), re.M))
    assert listed == {code: meaning for table in TABLES for code, meaning in table.items()}
