"""Every code of the language has one meaning, a case that raises it, and a picture of what people read."""

import io
import re
from pathlib import Path

import pytest

from ludograph.games import files
from ludograph.tgdl import SourceError
from ludograph.tgdl import check as checker
from ludograph.tgdl.reference import refused_conditions as explain
from ludograph.tgdl.syntax import lexer
from ludograph.tgdl.syntax.parser import stream as parser_stream
from ludograph.tgdl.testing import running
from ludograph.tgdl.world import faults
from tests.golden_files import Golden
from tests.tgdl.rules import game

ROOT = Path(__file__).resolve().parents[2]
TABLES = (
    files.CODES,
    lexer.CODES,
    parser_stream.CODES,
    checker.CODES,
    faults.CODES,
    explain.CODES,
    running.CODES,
)
FOLDERS = ("checker", "errors", "faults", "tests")
"""Where the pictures of codes are kept; the tests of each stage compare them."""


def test_no_two_tables_share_a_code() -> None:
    assert len({code for table in TABLES for code in table}) == sum(len(table) for table in TABLES)


def test_every_code_that_the_language_can_say_is_in_a_table() -> None:
    said = {
        code
        for path in (ROOT / "src" / "ludograph").rglob("*.py")
        for code in re.findall(r'"(TG\d{4})"', path.read_text(encoding="utf-8"))
    }
    assert said == {code for table in TABLES for code in table}


def test_every_code_has_a_picture_of_itself() -> None:
    pictures = {
        path.stem: path.read_text(encoding="utf-8")
        for folder in FOLDERS
        for path in (ROOT / "tests" / "golden" / "tgdl" / folder).glob("TG*.txt")
    }
    assert set(pictures) == {code for table in TABLES for code in table}
    for code, picture in pictures.items():
        assert re.search(rf"^(error|warning|hint)\[{code}\]: ", picture, re.M), code


def test_bytes_that_are_no_text_have_a_picture(golden: Golden) -> None:
    with pytest.raises(SourceError) as caught:
        files.decode_source(b'game "caf\xe9";\nplayers 2;\n', "game.tgdl")
    (diagnostic,) = caught.value.diagnostics
    golden("tgdl/errors/TG0001.txt", diagnostic.picture() + "\n")


def test_a_file_that_is_too_long_has_a_picture(golden: Golden) -> None:
    with pytest.raises(SourceError) as caught:
        files.read_source(io.BytesIO(bytes(files.MAX_BYTES + 2)), "game.tgdl")
    (diagnostic,) = caught.value.diagnostics
    golden("tgdl/errors/TG0002.txt", diagnostic.picture() + "\n")


def test_a_refused_move_has_a_picture(golden: Golden) -> None:
    rules = """\
global state t { decimal coins = 2; }
action buy
{
  trigger on player choice;
  require { t.coins > 3 }
  effect { t.coins -= 3; }
}
action wait { trigger on player choice; effect { pass; } }
"""
    refusal = game(rules).new().why_not("buy")
    assert refusal is not None and refusal.diagnostic is not None
    golden("tgdl/faults/TG0520.txt", refusal.diagnostic.picture() + "\n")
