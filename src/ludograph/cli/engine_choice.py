"""Which engine a command runs a game on. In a file of its own, since the native one is slow to import."""

from argparse import Namespace
from dataclasses import dataclass

from ludograph.cli.game_starts import open_game, parse_options, start_game
from ludograph.cli.game_texts import read_position
from ludograph.cli.output import USAGE, Complaint, path_of
from ludograph.cli.streams import say
from ludograph.games import CompiledStart, Game, SourceError, State, UnknownGame, find_text
from ludograph.games.engines import (
    NATIVE,
    REFERENCE,
    Engine,
    NoNativeEngine,
    missing_reason,
    native_engine,
    unavailable_reason,
)
from ludograph.games.object_store import open_object_store
from ludograph.games.starts import Configuration, find_start, keep_start


@dataclass(frozen=True, slots=True)
class Opened:
    """A game to play at random or to count, and what runs it."""

    name: str
    start: State | CompiledStart
    engine: Engine | str


def open_for_engine(arguments: Namespace, *, seed: int | None = None) -> Opened | None:
    """The game that the arguments name, as it was kept if it can be; None if the engine cannot play it."""
    keeps = seed is None and arguments.engine != REFERENCE and getattr(arguments, "position", None) is None
    found = _find(arguments) if keeps else None
    if found is not None:
        return Opened(found.name, found, found.engine)
    game = open_game(arguments.game)
    position = read_position(arguments) if hasattr(arguments, "position") else None
    state = start_game(game, arguments, seed=seed, position=position)
    engine = choose_engine(game, state, arguments.engine)
    if engine is None:
        return None
    if keeps and isinstance(engine, Engine):
        keep_start(find_text(arguments.game), _configuration(arguments), state, engine, open_object_store())
    return Opened(game.name, state, engine)


def _find(arguments: Namespace) -> CompiledStart | None:
    path_of(arguments.game)
    try:
        text = find_text(arguments.game)
    except (UnknownGame, SourceError, OSError):
        return None  # said when the game is opened
    return find_start(text, _configuration(arguments), open_object_store())


def _configuration(arguments: Namespace) -> Configuration:
    return Configuration(arguments.players, parse_options(arguments.option), arguments.setup)


def say_if_missing(wanted: str | None) -> None:
    """Before a game is played move by move: a word if the native engine is missing, or a Complaint.

    LLVM is loaded only for those who ask for it: most games at the terminal are over before it pays.
    """
    reason = unavailable_reason() if wanted == NATIVE else missing_reason()
    if reason is None or wanted == REFERENCE:
        return
    if wanted == NATIVE:
        raise Complaint(f"the native engine cannot play: {reason}", USAGE)
    say(f"ludograph: the reference engine plays: {reason}")


def choose_engine(game: Game, start: State, wanted: str | None) -> Engine | str | None:
    """The engine that plays; None, and a word why, if it is not the one that was asked for."""
    if wanted == REFERENCE:
        return REFERENCE
    try:
        return native_engine(game, start)
    except NoNativeEngine as reason:
        if wanted == NATIVE:
            say(f"ludograph: the native engine cannot play {game.name}: {reason}")
            return None
        say(f"ludograph: the reference engine plays: {reason}")
        return REFERENCE
