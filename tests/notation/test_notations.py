"""The table of notations: every row is complete, and states correctly what its notation can express.

A new row fails these tests until all its parts exist; the messages name the missing parts.
"""

import re
from pathlib import Path
from typing import get_args

import pytest
from msgspec.structs import replace

from ludograph import settlers
from ludograph.cli import game_arguments
from ludograph.notation.convert import read_record, write_normal
from ludograph.notation.guess import guess_notation
from ludograph.notation.han import Dialect
from ludograph.notation.normal_form.record import normalise_actions
from ludograph.notation.notations import (
    NOTATIONS,
    Content,
    Feature,
    Notation,
    check_dialect,
    find_by_suffix,
    find_notation,
)
from ludograph.settlers.goods import Goods, Player, goods_of
from ludograph.text import Cursor, Source
from tests.notation.case_files import FOLDER

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "docs" / "examples"
REFERENCE = (ROOT / "docs" / "notations.md").read_text(encoding="utf-8")
PYTHON_REFERENCE = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")
P1, P2 = Player(1), Player(2)
START = settlers.fresh_position(settlers.BEGINNERS_ISLAND, 2)


def examples_of(notation: Notation) -> list[Path]:
    return [path for path in sorted(EXAMPLES.iterdir()) if path.suffix in NOTATIONS[notation].suffixes]


def test_every_notation_has_a_row_in_the_order_of_the_enumeration() -> None:
    assert list(NOTATIONS) == list(Notation)


@pytest.mark.parametrize("notation", Notation)
def test_every_notation_has_its_package_samples_examples_and_documentation(notation: Notation) -> None:
    samples = FOLDER / notation.value
    needed = {
        f"src/ludograph/notation/{notation.value}/__init__.py": (
            ROOT / "src" / "ludograph" / "notation" / notation.value / "__init__.py"
        ).is_file(),
        f"tests/notation/{notation.value}/valid.txt": (samples / "valid.txt").is_file(),
        f"tests/notation/{notation.value}/invalid.txt": (samples / "invalid.txt").is_file(),
        f"docs/examples/*{NOTATIONS[notation].suffixes[0]}": bool(examples_of(notation)),
        f"a section '## {notation.name}: …' in docs/notations.md": bool(
            re.search(rf"^## {notation.name}: ", REFERENCE, re.MULTILINE)
        ),
        f"a row `{notation.name}` in docs/python.md with the title of the table": (
            f"| `{notation.name}` | {NOTATIONS[notation].title} |" in PYTHON_REFERENCE
        ),
        "NOTATIONS in cli/game_arguments.py": notation.value in game_arguments.NOTATIONS,
        "codes of diagnostics": bool(NOTATIONS[notation].codes),
    }
    missing = [part for part, exists in needed.items() if not exists]
    assert not missing, f"{notation.name} lacks: {'; '.join(missing)}"


def test_the_command_line_offers_the_notations_and_dialects_of_the_table() -> None:
    assert tuple(notation.value for notation in Notation) == game_arguments.NOTATIONS
    assert get_args(Dialect) == game_arguments.DIALECTS


def test_no_two_notations_share_a_suffix_or_a_code() -> None:
    suffixes = [suffix for row in NOTATIONS.values() for suffix in row.suffixes]
    codes = [code for row in NOTATIONS.values() for code in row.codes]
    assert len(set(suffixes)) == len(suffixes)
    assert len(set(codes)) == len(codes)


@pytest.mark.parametrize("notation", Notation)
def test_only_its_own_recogniser_accepts_an_example(notation: Notation) -> None:
    for path in examples_of(notation):
        text = path.read_text(encoding="utf-8")
        cursor = Cursor(Source(text), len(text) - len(text.lstrip()))
        assert [other for other, row in NOTATIONS.items() if row.begins_at(cursor)] == [notation]
        assert guess_notation(text) is notation
        assert find_by_suffix(path.name) is notation


@pytest.mark.parametrize("notation", Notation)
def test_an_example_is_split_parsed_and_written(notation: Notation) -> None:
    row = NOTATIONS[notation]
    for path in examples_of(notation):
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
        for _, text in row.split(lines):
            record = read_record(Source(text), notation, lenient=True).value
            written = row.write(record, "seed").text
            assert [chunk for _, chunk in row.split(written.splitlines(keepends=True))] == [written]


# What each notation can express.


def table_in_the_reference() -> dict[str, list[str]]:
    """The first table of docs/notations.md by the names of its rows; the first row has the notations."""
    rows = re.findall(r"^\|(.+)\|$", REFERENCE.split("\n## ", maxsplit=1)[0], re.MULTILINE)
    cells = [[cell.strip() for cell in row.split("|")] for row in rows]
    return {name: values for name, *values in cells}


def test_the_reference_has_the_features_of_the_table() -> None:
    table = table_in_the_reference()
    assert table[""] == [notation.name for notation in Notation]
    assert table["holds"] == [f"a {row.content.value}" for row in NOTATIONS.values()]
    assert table["players"] == [f"up to {row.max_players}" for row in NOTATIONS.values()]
    documented = {
        (feature, notation)
        for feature in Feature
        for notation, cell in zip(Notation, table[feature.value], strict=True)
        if cell.startswith("yes")
    }
    assert documented == {(each, notation) for notation, row in NOTATIONS.items() for each in row.features}


SETUP = tuple(
    settlers.Act(action)
    for corner, side in zip(
        (
            settlers.HexCorner(settlers.Hex(0, 0), settlers.Pole.NORTH),
            settlers.HexCorner(settlers.Hex(1, 1), settlers.Pole.NORTH),
            settlers.HexCorner(settlers.Hex(0, 1), settlers.Pole.SOUTH),
            settlers.HexCorner(settlers.Hex(-1, 0), settlers.Pole.SOUTH),
        ),
        (
            settlers.HexSide(settlers.Hex(0, 0), settlers.Face.NORTH_EAST),
            settlers.HexSide(settlers.Hex(1, 1), settlers.Face.NORTH_WEST),
            settlers.HexSide(settlers.Hex(0, 2), settlers.Face.NORTH_WEST),
            settlers.HexSide(settlers.Hex(-2, 1), settlers.Face.NORTH_EAST),
        ),
        strict=True,
    )
    for action in (settlers.PlaceVillage(corner), settlers.PlaceRoad(side))
)
"""A complete set-up of two players."""

LATER: dict[Feature, tuple[settlers.Event, ...]] = {
    Feature.COMMENTS: (settlers.Commented("well played"),),
    Feature.DICE: (settlers.Act(settlers.Roll((2, 3))),),
    Feature.UNKNOWN_CHANCE: (settlers.Act(settlers.Roll(None)), settlers.Act(settlers.Steal(P2, None))),
    Feature.KNOWN_CARDS: (settlers.Act(settlers.BuyCard(settlers.Card.KNIGHT)),),
    Feature.UNKNOWN_CARDS: (settlers.Act(settlers.BuyCard(None)),),
    Feature.OFFERS: (
        settlers.Said(P1, "wool for ore?"),
        settlers.Offered(
            P1,
            settlers.Holding(Goods(ore=1) - goods_of(settlers.Resource.WOOL)),
            ((P2, settlers.Holding(Goods(wool=1) - goods_of(settlers.Resource.ORE))),),
            "1",
        ),
    ),
}
"""Events after the set-up that need a feature."""


@pytest.mark.parametrize("feature", LATER)
@pytest.mark.parametrize(
    "notation", [notation for notation, row in NOTATIONS.items() if row.content is Content.GAME]
)
def test_a_game_loses_what_its_notation_cannot_express(notation: Notation, feature: Feature) -> None:
    row = NOTATIONS[notation]
    dialect: Dialect = row.dialects[-1] if row.dialects else "seed"
    normal = normalise_actions(settlers.Record(SETUP, START))
    before = write_normal(normal, notation, dialect=dialect).losses
    events = (*SETUP, *LATER[feature])
    record = replace(normal.record, events=events)
    after = write_normal(normalise_actions(record), notation, dialect=dialect).losses
    # Sums of rolls are written by all game notations; production is missing where CGN expects it.
    lost = [loss for loss in after if loss not in before and "the production after" not in loss.message]
    assert (lost == []) == (feature in row.features)


@pytest.mark.parametrize("notation", Notation)
def test_headers_hands_and_islands_are_lost_as_the_table_says(notation: Notation) -> None:
    row = NOTATIONS[notation]
    plain = set(write_normal(normalise_actions(settlers.Record(start=START)), notation).losses)
    probes = {
        Feature.HEADERS: settlers.Record(start=START, headers=(("Event", "final"),)),
        Feature.HANDS: settlers.Record(start=START.replace_seat(1, goods=Goods(ore=2))),
        Feature.ANY_ISLAND: settlers.Record(
            start=settlers.fresh_position(
                settlers.BEGINNERS_ISLAND.replace(terrain={settlers.Hex(9, 9): settlers.Terrain.SEA}), 2
            )
        ),
    }
    for feature, record in probes.items():
        lost = set(write_normal(normalise_actions(record), notation).losses) - plain
        assert (not lost) == (feature in row.features), feature
    assert (not plain) == (Feature.IDLE_PLAYERS in row.features)


# Look-up.


def test_a_notation_is_found_by_name_and_by_suffix() -> None:
    assert find_notation("sgn") is find_notation(Notation.SGN) is Notation.SGN
    assert find_by_suffix("notes.txt") is None
    with pytest.raises(ValueError, match="'pgn' is not a notation; the notations are han, hsn"):
        find_notation("pgn")


def test_an_unknown_dialect_is_rejected() -> None:
    check_dialect("seed")
    with pytest.raises(ValueError, match="'2024' is not a dialect of HAN; the dialects are seed, 2023"):
        check_dialect("2024")


@pytest.mark.parametrize("notation", Notation)
def test_a_kind_of_a_bought_card_depends_on_the_dialect_of_han_only(notation: Notation) -> None:
    row = NOTATIONS[notation]
    in_header = notation is Notation.CGN
    assert row.has_known_cards("2023") == (Feature.KNOWN_CARDS in row.features and not in_header)
    assert row.has_known_cards("seed") == (row.has_known_cards("2023") and notation is not Notation.HAN)
