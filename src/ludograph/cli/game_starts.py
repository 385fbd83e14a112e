"""Games for commands: opened by name or path, started as the arguments want it, faults of rules shown."""

from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any
from warnings import catch_warnings, simplefilter

from ludograph.cli.game_texts import count_errors, say_diagnostics
from ludograph.cli.output import FAULTY, USAGE, Complaint, path_of
from ludograph.cli.streams import in_one_line, say
from ludograph.games.engines import ReferenceEngineWarning
from ludograph.games.files import UnknownGame
from ludograph.games.loading import load
from ludograph.tgdl import SourceError
from ludograph.tgdl.game.game import Game, State
from ludograph.tgdl.world.faults import Fault


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
