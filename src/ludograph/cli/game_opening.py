"""Games for commands: open a game by name or path, start it, and report faults of its rules."""

from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any
from warnings import catch_warnings, simplefilter

from ludograph.cli.fault_reports import print_fault
from ludograph.cli.game_sources import count_errors, print_diagnostics
from ludograph.cli.output import FAILURE, USAGE, CommandError, parse_path
from ludograph.cli.streams import escape_line
from ludograph.games.engines import ReferenceEngineWarning
from ludograph.games.files import UnknownGame
from ludograph.games.loading import load
from ludograph.tgdl import SourceError
from ludograph.tgdl.game.game import Game, State
from ludograph.tgdl.world.faults import Fault


def open_game(name: str, engine: str | None = None) -> Game:
    """Open a shipped game or a path; print the diagnostics if its source has errors."""
    parse_path(name)
    try:
        with catch_warnings():
            simplefilter("ignore", ReferenceEngineWarning)  # commands print their own message
            return load(name) if engine is None else load(name, engine=engine)
    except UnknownGame as error:
        raise CommandError(str(error), USAGE) from None
    except SourceError as error:
        print_diagnostics(error.diagnostics)
        raise CommandError(f"{name} cannot be played: {count_errors(error.diagnostics)}", FAILURE) from None


@contextmanager
def report_rule_faults(game: str, *, to_players: bool = False, seed: int | None = None) -> Iterator[None]:
    """Run the rules: a fault is shown with its place and ends the command with exit code 1.

    Messages for players contain no secrets. A seed is part of the message.
    """
    try:
        yield
    except Fault as fault:
        print_fault(fault, to_players=to_players)
        name = escape_line(game)
        message = f"the rules of {name} went wrong here; the game is unfinished"
        remark = "" if seed is None else f"\nthe seed is {seed}"
        raise CommandError(f"{message}{remark}", FAILURE) from None


def start_game(
    game: Game,
    arguments: Namespace,
    *,
    seed: int | None,
    position: str | None = None,
    to_players: bool = False,
) -> State:
    """Start a game with the arguments; a wrong number of players or a wrong option is a usage error."""
    options = parse_options(arguments.option)
    with report_rule_faults(game.name, to_players=to_players, seed=seed):
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
            raise CommandError(fault.message, USAGE) from None
        except ValueError as error:
            raise CommandError(str(error), USAGE if position is None else FAILURE) from None


def parse_options(words: Sequence[str]) -> Mapping[str, Any] | None:
    """Parse `name=value` options: true and false, numbers, and names for all other values."""
    return dict(_parse_option(word) for word in words) or None


def _parse_option(word: str) -> tuple[str, bool | float | str]:
    name, equals, value = word.partition("=")
    if not name or not equals:
        raise CommandError(f"an option is given as name=value, not '{word}'", USAGE)
    if value in ("true", "false"):
        return name, value == "true"
    try:
        return name, float(value)
    except ValueError:
        return name, value
