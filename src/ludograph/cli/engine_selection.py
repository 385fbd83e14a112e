"""Select the engine that runs a game. A module of its own: the native engine is slow to import."""

import warnings
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from ludograph.cli.game_opening import open_game, parse_options, start_game
from ludograph.cli.game_sources import read_position
from ludograph.cli.output import USAGE, CommandError, parse_path
from ludograph.cli.streams import print_message
from ludograph.games import CompiledStart, Game, SourceError, State, UnknownGame, find_source
from ludograph.games.engines import (
    NATIVE,
    REFERENCE,
    Engine,
    NoNativeEngine,
    ReferenceEngineWarning,
    missing_reason,
    native_engine,
    unavailable_reason,
)
from ludograph.games.object_store import open_object_store
from ludograph.games.starts import Configuration, find_start, store_start


@dataclass(frozen=True, slots=True)
class OpenedGame:
    """A started game, and the engine that runs it."""

    name: str
    start: State | CompiledStart
    engine: Engine | str


def open_with_engine(arguments: Namespace, *, seed: int | None = None) -> OpenedGame | None:
    """Open the game that the arguments name, from the cache if possible; None if the engine cannot run it."""
    keeps = seed is None and arguments.engine != REFERENCE and getattr(arguments, "position", None) is None
    found = _find(arguments) if keeps else None
    if found is not None:
        return OpenedGame(found.name, found, found.engine)
    game = open_game(arguments.game)
    position = read_position(arguments) if hasattr(arguments, "position") else None
    state = start_game(game, arguments, seed=seed, position=position)
    engine = select_engine(game, state, arguments.engine)
    if engine is None:
        return None
    if keeps and isinstance(engine, Engine):
        store_start(
            find_source(arguments.game), _configuration(arguments), state, engine, open_object_store()
        )
    return OpenedGame(game.name, state, engine)


def _find(arguments: Namespace) -> CompiledStart | None:
    parse_path(arguments.game)
    try:
        text = find_source(arguments.game)
    except (UnknownGame, SourceError, OSError):
        return None  # reported when the game is opened
    return find_start(text, _configuration(arguments), open_object_store())


def _configuration(arguments: Namespace) -> Configuration:
    return Configuration(arguments.players, parse_options(arguments.option), arguments.setup)


def report_missing_engine(wanted: str | None) -> None:
    """Report a missing native engine before a game is played move by move.

    A CommandError if the arguments require the native engine. LLVM is loaded only in that case: most games in
    the terminal are over before compiling pays off.
    """
    reason = unavailable_reason() if wanted == NATIVE else missing_reason()
    if reason is None or wanted == REFERENCE:
        return
    if wanted == NATIVE:
        raise CommandError(f"the native engine cannot run: {reason}", USAGE)
    print_message(f"ludograph: using the reference engine: {reason}")


@contextmanager
def printing_engine_warnings() -> Iterator[None]:
    """Print a warning about the engine as one line, while a game is played move by move."""
    with warnings.catch_warnings():
        warnings.simplefilter("always", ReferenceEngineWarning)
        warnings.showwarning = lambda message, *_, **__: print_message(f"ludograph: {message}")
        yield


def select_engine(game: Game, start: State, wanted: str | None) -> Engine | str | None:
    """The engine that runs a game; None, after a message, if the wanted engine cannot run it."""
    if wanted == REFERENCE:
        return REFERENCE
    try:
        return native_engine(game, start)
    except NoNativeEngine as reason:
        if wanted == NATIVE:
            print_message(f"ludograph: the native engine cannot run {game.name}: {reason}")
            return None
        print_message(f"ludograph: using the reference engine: {reason}")
        return REFERENCE
