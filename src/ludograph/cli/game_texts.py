"""Texts of games for commands: where they come from, and what is said about them.

A text that is at fault is shown with every diagnostic on standard error and ends the command with 1.
"""

import sys
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any
from warnings import catch_warnings, simplefilter

from ludograph.cli.report import FAULTY, USAGE, Complaint, path_of
from ludograph.cli.streams import in_one_line, say
from ludograph.games import GameText, ReferenceEngineWarning, UnknownGame, find_text, load
from ludograph.games.files import TooLong, open_text, read_limited, read_source
from ludograph.text import Diagnostic
from ludograph.tgdl import SourceError
from ludograph.tgdl.game import Game, State
from ludograph.tgdl.interpreter.faults import Fault

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


def open_game(name: str, engine: str | None = None) -> Game:
    """The game that a shelf name or path means; what is wrong with its text is said."""
    path_of(name)
    try:
        with catch_warnings():
            simplefilter("ignore", ReferenceEngineWarning)  # commands say it in their own way
            return load(name) if engine is None else load(name, engine=engine)
    except UnknownGame as error:
        raise Complaint(str(error), USAGE) from None
    except SourceError as error:
        say_diagnostics(error.diagnostics)
        raise Complaint(f"{name} cannot be played: {count_errors(error.diagnostics)}", FAULTY) from None


@contextmanager
def playing(game: str, *, to_players: bool = False) -> Iterator[None]:
    """Where the rules run: a fault in them is shown with its place, and ends the command with 1.

    What players are shown tells no secrets.
    """
    try:
        yield
    except Fault as fault:
        told = fault.for_players() if to_players else fault
        say(told.picture() if told.sources else f"error[{told.code}]: {told.message}")
        name = in_one_line(game)
        raise Complaint(f"the rules of {name} went wrong here; the game is unfinished", FAULTY) from None


def start_game(
    game: Game,
    arguments: Namespace,
    *,
    seed: int | None,
    position: str | None = None,
    to_players: bool = False,
) -> State:
    """A new state as the arguments want it; players and options that do not fit are a usage error."""
    options = parse_options(arguments.option)
    with playing(game.name, to_players=to_players):
        try:
            return game.new(
                players=arguments.players,
                seed=seed,
                options=options,
                position=position,
                setup=arguments.setup,
            )
        except Fault as fault:
            if fault.code != "TG0518":
                raise
            raise Complaint(fault.message, USAGE) from None
        except ValueError as error:
            raise Complaint(str(error), USAGE if position is None else FAULTY) from None


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


def parse_options(words: Sequence[str]) -> Mapping[str, Any] | None:
    """Options from `name=value`: true and false, numbers, everything else a name."""
    return dict(_parse_option(word) for word in words) or None


def _parse_option(word: str) -> tuple[str, bool | float | str]:
    name, equals, value = word.partition("=")
    if not name or not equals:
        raise Complaint(f"an option is given as name=value, not '{word}'", USAGE)
    if value in ("true", "false"):
        return name, value == "true"
    try:
        return name, float(value)
    except ValueError:
        return name, value


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
