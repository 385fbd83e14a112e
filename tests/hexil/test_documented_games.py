"""The games that the documentation of the notations shows are legal."""

import ast
import doctest
from pathlib import Path

import pytest

from ludograph.hexil.replay.records import play_record
from ludograph.notation.guess import guess_notation
from ludograph.notation.located import Located, parse_located, read_located
from ludograph.settlers import MapDefined
from ludograph.text import Source, TextError
from tests.markdown import blocks

DOCS = Path(__file__).resolve().parents[2] / "docs"


def texts_in(document: str) -> list[str]:
    """The texts of a document that may be games: string literals of examples, and plain blocks."""
    found: list[str] = []
    for block in blocks(document):
        if block.language == "pycon":
            for example in doctest.DocTestParser().get_examples(block.text):
                tree = ast.walk(ast.parse(example.source))
                found += [
                    node.value
                    for node in tree
                    if isinstance(node, ast.Constant) and isinstance(node.value, str)
                ]
        elif block.language == "txt":
            found.append(block.text)
    return found


def games_in(document: str) -> list[Located]:
    """The games of a document that have a start position and actions."""
    games: list[Located] = []
    for text in texts_in(document):
        notation = guess_notation(text)
        if notation is None:
            continue
        try:
            located = read_located(Source(text), notation)
        except TextError:
            continue  # the document shows an error of this text
        record = located.record
        has_start = record.start is not None or any(isinstance(each, MapDefined) for each in record.events)
        if has_start and record.actions:
            games.append(located)
    return games


@pytest.mark.parametrize("path", sorted(DOCS.glob("*.md")), ids=lambda path: path.name)
def test_every_game_of_the_documentation_is_legal(path: Path) -> None:
    for located in games_in(path.read_text(encoding="utf-8")):
        faults = play_record(located).faults
        assert not faults, f"{located.source.text}: {faults[0].message}"


def test_the_page_about_the_notations_shows_a_game() -> None:
    assert games_in((DOCS / "notations.md").read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", sorted((DOCS / "examples").iterdir()), ids=lambda path: path.name)
def test_every_example_file_with_a_start_is_legal(path: Path) -> None:
    located = parse_located(path.read_text(encoding="utf-8"))
    if located.record.start is not None and located.record.actions:
        assert not play_record(located, seed=1).faults
