"""Sources of games for commands: read them, and print their diagnostics.

Diagnostics are printed on standard error; a source with errors ends the command with exit code 1.
"""

import sys
from argparse import Namespace
from collections.abc import Sequence
from typing import Any

from ludograph.cli.output import FAILURE, USAGE, CommandError, parse_path
from ludograph.cli.streams import print_message
from ludograph.games.files import (
    GameSource,
    TooLong,
    UnknownGame,
    find_source,
    open_source_file,
    read_limited,
    read_source,
)
from ludograph.text import Diagnostic

# Further diagnostics are counted, not shown.
MAX_SHOWN = 100


def read_source_file(name: str) -> GameSource:
    """Read a file, or standard input for `-`, which cannot import other files."""
    if name != "-":
        return open_source_file(parse_path(name))
    if sys.stdin is None:
        raise CommandError("standard input is closed; name a file", USAGE)
    return GameSource(read_source(sys.stdin.buffer, ""), lambda _: None)


def find_game_source(name: str) -> GameSource:
    """Read a shipped game, a path, or `-`."""
    if name == "-":
        return read_source_file(name)
    parse_path(name)
    try:
        return find_source(name)
    except UnknownGame as error:
        raise CommandError(str(error), USAGE) from None


def read_position(arguments: Namespace) -> str | None:
    """The text of the position file that the arguments name, or None."""
    if arguments.position is None:
        return None
    try:
        return read_bytes(arguments.position).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise CommandError(f"{arguments.position} is not UTF-8 text", FAILURE) from None


def read_bytes(name: str) -> bytes:
    """The bytes of a file, or of standard input for `-`; a CommandError if it is too long."""
    try:
        if name == "-":
            return read_limited(sys.stdin.buffer)
        with parse_path(name).open("rb") as opened:
            return read_limited(opened)
    except TooLong as error:
        raise CommandError(f"{'standard input' if name == '-' else name}: {error}", FAILURE) from None


def print_diagnostics(diagnostics: Sequence[Diagnostic]) -> None:
    """Print the diagnostics with their source lines, in the order of the source."""
    for diagnostic in diagnostics[:MAX_SHOWN]:
        print_message(diagnostic.picture())
    if len(diagnostics) > MAX_SHOWN:
        print_message(f"… and {len(diagnostics) - MAX_SHOWN} more")


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
