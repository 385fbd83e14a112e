"""Texts of games for commands: where they come from, and what is said about them.

A text that is at fault is shown with every diagnostic on standard error and ends the command with 1.
"""

import sys
from argparse import Namespace
from collections.abc import Sequence
from typing import Any

from ludograph.cli.output import FAULTY, USAGE, Complaint, path_of
from ludograph.cli.streams import say
from ludograph.games.files import (
    GameText,
    TooLong,
    UnknownGame,
    find_text,
    open_text,
    read_limited,
    read_source,
)
from ludograph.text import Diagnostic

# More diagnostics than these are counted, not shown.
MOST_SHOWN = 100


def read_text(name: str) -> GameText:
    """The text of a file, or of standard input for `-`; imports of the latter are not found."""
    if name != "-":
        return open_text(path_of(name))
    if sys.stdin is None:
        raise Complaint("there is no standard input to read from; name a file", USAGE)
    return GameText(read_source(sys.stdin.buffer, ""), lambda _: None)


def find_game_text(name: str) -> GameText:
    """The text of a shelf name, a path, or `-`."""
    if name == "-":
        return read_text(name)
    path_of(name)
    try:
        return find_text(name)
    except UnknownGame as error:
        raise Complaint(str(error), USAGE) from None


def read_position(arguments: Namespace) -> str | None:
    """The text of the position that the arguments name, if they do."""
    if arguments.position is None:
        return None
    try:
        return read_bytes(arguments.position).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Complaint(f"{arguments.position} is not UTF-8 text", FAULTY) from None


def read_bytes(name: str) -> bytes:
    """The bytes of a file that is not too long, or of standard input for `-`."""
    try:
        if name == "-":
            return read_limited(sys.stdin.buffer)
        with path_of(name).open("rb") as opened:
            return read_limited(opened)
    except TooLong as error:
        raise Complaint(f"{'standard input' if name == '-' else name}: {error}", FAULTY) from None


def say_diagnostics(diagnostics: Sequence[Diagnostic]) -> None:
    """All of them as pictures, in the order of the text."""
    for diagnostic in diagnostics[:MOST_SHOWN]:
        say(diagnostic.picture())
    if len(diagnostics) > MOST_SHOWN:
        say(f"… and {len(diagnostics) - MOST_SHOWN} more")


def has_errors(diagnostics: Sequence[Diagnostic]) -> bool:
    return any(one.severity == "error" for one in diagnostics)


def count_errors(diagnostics: Sequence[Diagnostic]) -> str:
    number = sum(one.severity == "error" for one in diagnostics)
    return "1 error" if number == 1 else f"{number} errors"


def diagnostic_json(diagnostic: Diagnostic) -> dict[str, Any]:
    return {
        "file": diagnostic.source.name,
        "severity": diagnostic.severity,
        "code": diagnostic.code,
        "message": diagnostic.message,
        "hint": diagnostic.hint,
        "line": diagnostic.line,
        "column": diagnostic.column,
    }
