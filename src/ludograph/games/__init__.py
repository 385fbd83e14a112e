"""The shelf: shipped games by name, any other by its path.

    >>> from ludograph.games import list_games, load
    >>> games = list_games()

Read downward: `files`, which opens the texts, `starts` of games that are ready to play, `engines`, which run
them, `sources`, which makes games of texts, then this, and `playouts`.
"""

import importlib.resources
from collections.abc import Mapping
from difflib import get_close_matches
from importlib.resources.abc import Traversable
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from ludograph.games.engines import (
    AUTOMATIC,
    NoNativeEngine,
    ReferenceEngineWarning,
    native_engine,
    warn_if_missing,
)
from ludograph.games.files import CODES, SUFFIX, GameText, open_shipped, open_text
from ludograph.games.object_store import open_object_store
from ludograph.games.programs import read_program
from ludograph.games.sources import check_engine, game_of
from ludograph.games.starts import Configuration, Start, find_start, keep_start
from ludograph.text import Portable
from ludograph.tgdl import SourceError
from ludograph.tgdl.game import BadOption, Game, Refusal, State
from ludograph.tgdl.native.phrases import Change, Phrase, Script

__all__ = [
    "CODES",
    "BadOption",
    "Change",
    "Game",
    "GameText",
    "NoNativeEngine",
    "Phrase",
    "ReferenceEngineWarning",
    "Refusal",
    "Script",
    "SourceError",
    "Start",
    "State",
    "UnknownGame",
    "find_text",
    "list_games",
    "load",
    "open_start",
]


class UnknownGame(Portable, LookupError):
    """There is no game of this name on the shelf, and no such file."""

    def __init__(self, name: str, hint: str) -> None:
        super().__init__(f"there is no game '{name}'; {hint}")
        self.name = name


def list_games() -> tuple[str, ...]:
    """The names on the shelf, in the order of the alphabet."""
    names = (entry.name for entry in _shelf().iterdir())
    return tuple(sorted(name.removesuffix(SUFFIX) for name in names if name.endswith(SUFFIX)))


def load(name_or_path: str | PathLike[str], *, engine: str = AUTOMATIC) -> Game:
    """A game of the shelf by its name, or one from a file by its path.

    A name with a slash, or one that ends in `.tgdl`, is a path. A SourceError lists everything that is
    wrong with the text; an UnknownGame or an OSError says that there is none.

    States begin on the reference engine and go over to the native one where it can run the game and when that
    pays: soon if the game was compiled before, after some thousand moves if not. Nothing else changes.
    With `engine="native"` they run natively from the first move on, or NoNativeEngine says why not; with
    `engine="reference"` they never do. A ReferenceEngineWarning says if there is no native engine at all.
    """
    check_engine(engine)
    program = read_program(find_text(name_or_path), open_object_store())
    if engine == AUTOMATIC:
        warn_if_missing()
    return game_of(program, engine)


def open_start(
    name_or_path: str | PathLike[str],
    *,
    players: int | None = None,
    options: Mapping[str, Any] | None = None,
    setup: str | None = None,
) -> Start | State:
    """The start of a game for `simulate` and `perft` of `games.engines`, at once if it was opened before.

    >>> from ludograph.games.engines import perft
    >>> perft(open_start("tic-tac-toe"), 3)
    504

    Where only the reference engine can play it is a new state. Raises what `load` and `Game.new` raise.
    """
    text, configuration, store = (
        find_text(name_or_path),
        Configuration(players, options, setup),
        open_object_store(),
    )
    found = find_start(text, configuration, store)
    if found is not None:
        return found
    game = Game(read_program(text, store))
    state = configuration.new(game)
    try:
        engine = native_engine(game, state)
    except NoNativeEngine:
        return state
    keep_start(text, configuration, state, engine, store)
    return Start(game.name, engine, engine.block(state.memory), lambda: state)


def find_text(name_or_path: str | PathLike[str]) -> GameText:
    """The text that a name or path means, with a way to the files it imports."""
    if not isinstance(name_or_path, str):
        return open_text(Path(fspath(name_or_path)))
    if name_or_path in list_games():
        return open_shipped(_shelf().joinpath(name_or_path + SUFFIX))
    path = Path(name_or_path)
    if _is_path(name_or_path) or path.is_file():
        return open_text(path)
    raise UnknownGame(name_or_path, _hint(name_or_path))


def _is_path(name: str) -> bool:
    return name.endswith(SUFFIX) or "/" in name or "\\" in name


def _hint(name: str) -> str:
    names = list_games()
    close = get_close_matches(name.lower(), names, n=1)
    if close:
        return f"did you mean '{close[0]}'?"
    return f"the shelf has {', '.join(names)}" if names else "the shelf is empty"


def _shelf() -> Traversable:
    return importlib.resources.files("ludograph.games")
