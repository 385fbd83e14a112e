"""The page of origins: all sections of the first draft, in order, each with its place in the reference."""

import re
from pathlib import Path

from tests.markdown import anchors

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "origins.md").read_text(encoding="utf-8")
REFERENCE = (ROOT / "docs" / "language.md").read_text(encoding="utf-8")

# The headings of the first draft, without its title and its table of contents.
HEADINGS = """
Language primitives
Types
Object type
Predefined types
Supplied predefined types
Input types
None Value
Lists
Type checking
Type casting
Expressions
Binary Operations
Math Operation
Comparison Operations
Equality Operations
Logic Operations
Generic operations
Unary Operations
Order of evaluation
Statement
Flow Control statements
Actions
Inputs
Input Filters
Input Modifiers
Optional Inputs
Triggers
State category
Trigger Modifiers
Placeable Movement Events
State Events
State Attribute Events
Global and Named
Phases
Action priority
Action transaction
Action Failures
State
Attributes
Value Substate
Action Substate
Scopes
Local
Groups
Global
Transferability
Local states
Group states
Interactables
Placeable
Stackables
Stack
Players
Starting player
Winner selection and game end
Player expressions
Turns
Default turn
Board
Tile
Groups
Hex cell type
Square cell type
Adjacency cell type
Border Cells
Board Changes
Group Changes
Movement
Goals
Setup
Verbs
Inheritances
Override
Keywords
""".strip().splitlines()

LINK = re.compile(r"\[([^\]]+)\]\(([^)]*)\)")


def rows() -> list[list[str]]:
    table = PAGE.partition("\n## Sections\n")[2].partition("\n## ")[0]
    lines = [line for line in table.splitlines() if line.startswith("|")][2:]
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines]


def differences() -> dict[str, str]:
    """The text of each difference, by its heading."""
    parts = re.split(r"^### ", PAGE.partition("\n## Differences\n")[2], flags=re.MULTILINE)[1:]
    return {part.partition("\n")[0]: part.partition("\n")[2] for part in parts}


def test_every_section_of_the_draft_has_a_row_in_its_order() -> None:
    assert [row[0] for row in rows()] == HEADINGS


def test_every_section_leads_to_the_reference() -> None:
    known = anchors(REFERENCE)
    for section, reference, _ in rows():
        found = LINK.findall(reference)
        assert found, section
        for words, target in found:
            page, _, anchor = target.partition("#")
            assert page == "language.md"
            assert anchor in known, f"{section}: {target}"
            assert re.search(rf"^#+ {re.escape(words)}$", REFERENCE, re.MULTILINE), words


def test_every_row_names_its_differences_or_none() -> None:
    known = anchors(PAGE)
    for section, _, given in rows():
        found = LINK.findall(given)
        assert (given == "–") != bool(found), section
        for number, target in found:
            assert target.removeprefix("#") in known, f"{section}: {target}"
            assert target.startswith(f"#{number}-"), f"{section}: {target}"


def test_every_difference_is_numbered_has_a_reason_and_belongs_to_a_section() -> None:
    used = {number for row in rows() for number, _ in LINK.findall(row[2])}
    assert [heading.partition(".")[0] for heading in differences()] == sorted(used, key=int)
    for heading, text in differences().items():
        assert text.count("*Reason:*") == 1, heading
