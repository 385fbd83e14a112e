"""Cases: what the lines of the suite say, read from the files and written to them.

The fields are explained in README.md. Nothing here knows a rule of the game.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent

Option = int | bool | str


@dataclass(frozen=True, slots=True)
class Case:
    """One question to an engine, and the answer that the rules give."""

    id: str
    rows: tuple[int, ...]
    """The rows of the rules that it is about."""
    why: str
    """The rule in words."""
    position: str
    """In HSN, on one line."""
    legal: bool
    action: str | None = None
    """In HAN; None: may chance deal the island of the position?"""
    before: tuple[str, ...] = ()
    """Actions in HAN that come first, all of them legal."""
    after: str | None = None
    """The position after a legal action, in HSN."""
    winner: int | None = None
    """Who has won then."""
    options: Mapping[str, Option] | None = None
    seen: Mapping[str, str] | None = None
    """The action as each player is told of it, in HAN."""
    hands: Mapping[str, tuple[str, ...]] | None = None
    """What each player sees of every hand: a formula, or ? and how many cards."""
    cards: Mapping[str, tuple[str, ...]] | None = None
    """The same for development cards that are not played."""
    shown: tuple[int, ...] | None = None
    """The points of each player that all can see."""


def format_case(case: Case) -> str:
    """A case as a line of JSON; what is not said is left out."""
    found = {
        field.name: getattr(case, field.name)
        for field in fields(Case)
        if getattr(case, field.name) != field.default or field.name == "action"
    }
    order = ("id", "rows", "why", "options", "position", "before", "action", "legal")
    first = {name: found.pop(name) for name in order if name in found}
    return json.dumps({**first, **found}, ensure_ascii=False)


def parse_case(line: str) -> Case:
    """The way back of `format_case`."""
    found: dict[str, Any] = json.loads(line)
    for name in ("rows", "before", "shown"):
        if name in found:
            found[name] = tuple(found[name])
    for name in ("hands", "cards"):
        if name in found:
            found[name] = {player: tuple(seen) for player, seen in found[name].items()}
    return Case(**found)


def read_cases() -> list[Case]:
    """All cases of the suite."""
    return [
        parse_case(line)
        for path in sorted(FOLDER.glob("*.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
