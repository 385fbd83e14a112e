"""Loading a game: a name of the shelf or a path in, its text, its rules or a ready start out.

Read upward: `files` opens the texts, `programs` checks them or finds them checked, `starts` has games that
are ready to play, `engines` run them.
"""

from collections.abc import Mapping
from os import PathLike
from typing import Any

from ludograph.games.engines import (
    AUTOMATIC,
    NoNativeEngine,
    native_engine,
    warn_if_missing,
)
from ludograph.games.files import find_text
from ludograph.games.object_store import open_object_store
from ludograph.games.programs import read_program
from ludograph.games.sources import check_engine, game_of
from ludograph.games.starts import CompiledStart, Configuration, find_start, keep_start
from ludograph.tgdl.game.game import Game, State
from ludograph.tgdl.game.internals import memory_of


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
) -> CompiledStart | State:
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
    return CompiledStart(game.name, engine, engine.block(memory_of(state)), lambda: state)
