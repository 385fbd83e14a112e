"""Loading a game: a name or a path in; a game, or a start that is ready to play, out.

`files` reads the sources, `programs` checks them or finds them in the cache, `starts` has starts that are
ready to play, `engines` run them.
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
from ludograph.games.files import find_source
from ludograph.games.object_store import open_object_store
from ludograph.games.programs import read_program
from ludograph.games.sources import check_engine, game_of
from ludograph.games.starts import CompiledStart, Configuration, find_start, store_start
from ludograph.tgdl.game.game import Game, State
from ludograph.tgdl.game.internals import memory_of


def load(name_or_path: str | PathLike[str], *, engine: str = AUTOMATIC) -> Game:
    """Load a shipped game by its name, or a game from a file by its path.

    A name with a slash, or one that ends in `.tgdl`, is a path. A SourceError lists all errors of the source;
    an UnknownGame or an OSError means that there is none.

    States start on the reference engine. They switch to the native engine if it can run the game, once that
    is faster: soon if the game was compiled before, otherwise after some thousand moves. Results do not
    change. With `engine="native"` states run natively from the first move, or NoNativeEngine gives the reason
    why not; with `engine="reference"` they never do. A ReferenceEngineWarning means that there is no native
    engine at all.
    """
    check_engine(engine)
    program = read_program(find_source(name_or_path), open_object_store())
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
    """The start of a game for `simulate` and `perft` of `games.engines`; immediate if the cache has it.

    >>> from ludograph.games.engines import perft
    >>> perft(open_start("tic-tac-toe"), 3)
    504

    The result is a new state if only the reference engine can run the game. Raises what `load` and `Game.new`
    raise.
    """
    text, configuration, store = (
        find_source(name_or_path),
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
    store_start(text, configuration, state, engine, store)
    return CompiledStart(game.name, engine, engine.block(memory_of(state)), lambda: state)
