"""The shipped games by name, and any other game by its path.

    >>> from ludograph.games import list_games, load
    >>> games = list_games()

Read in this order: `catalog`, which lists the names; `files`, which reads the sources; `programs` and
`starts`, the caches; `engines`, which run the games; `loading`, which combines all of them. A module is
imported when it is first used: a list of the games needs no engine.
"""

from importlib import import_module

TYPE_CHECKING = False  # true for type checkers; importing it from typing would cost time at start-up

if TYPE_CHECKING:
    from ludograph.games.catalog import list_games
    from ludograph.games.engines import NoNativeEngine, ReferenceEngineWarning
    from ludograph.games.files import CODES, GameSource, UnknownGame, find_source
    from ludograph.games.loading import load, open_start
    from ludograph.games.starts import CompiledStart
    from ludograph.tgdl import SourceError
    from ludograph.tgdl.game.game import BadOption, Game, Refusal, State
    from ludograph.tgdl.game.internals import (
        asides_of,
        compile_move,
        compiled_moves,
        expect_uses,
        find_forms,
        number_in,
        play_compiled,
        replay_script,
        world_of,
    )
    from ludograph.tgdl.native.run.compiled_moves import Change, CompiledMove, Script

__all__ = [
    "CODES",
    "BadOption",
    "Change",
    "CompiledMove",
    "CompiledStart",
    "Game",
    "GameSource",
    "NoNativeEngine",
    "ReferenceEngineWarning",
    "Refusal",
    "Script",
    "SourceError",
    "State",
    "UnknownGame",
    "asides_of",
    "compile_move",
    "compiled_moves",
    "expect_uses",
    "find_forms",
    "find_source",
    "list_games",
    "load",
    "number_in",
    "open_start",
    "play_compiled",
    "replay_script",
    "world_of",
]

_MODULES = {
    "CODES": "ludograph.games.files",
    "BadOption": "ludograph.tgdl.game.game",
    "Change": "ludograph.tgdl.native.run.compiled_moves",
    "Game": "ludograph.tgdl.game.game",
    "GameSource": "ludograph.games.files",
    "NoNativeEngine": "ludograph.games.engines",
    "CompiledMove": "ludograph.tgdl.native.run.compiled_moves",
    "ReferenceEngineWarning": "ludograph.games.engines",
    "Refusal": "ludograph.tgdl.game.game",
    "Script": "ludograph.tgdl.native.run.compiled_moves",
    "SourceError": "ludograph.tgdl",
    "CompiledStart": "ludograph.games.starts",
    "State": "ludograph.tgdl.game.game",
    "UnknownGame": "ludograph.games.files",
    "asides_of": "ludograph.tgdl.game.internals",
    "compile_move": "ludograph.tgdl.game.internals",
    "compiled_moves": "ludograph.tgdl.game.internals",
    "expect_uses": "ludograph.tgdl.game.internals",
    "find_forms": "ludograph.tgdl.game.internals",
    "find_source": "ludograph.games.files",
    "list_games": "ludograph.games.catalog",
    "load": "ludograph.games.loading",
    "number_in": "ludograph.tgdl.game.internals",
    "open_start": "ludograph.games.loading",
    "play_compiled": "ludograph.tgdl.game.internals",
    "replay_script": "ludograph.tgdl.game.internals",
    "world_of": "ludograph.tgdl.game.internals",
}


def __getattr__(name: str) -> object:
    where = _MODULES.get(name)
    if where is None:
        raise AttributeError(f"module 'ludograph.games' has no attribute {name!r}")
    value: object = getattr(import_module(where), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_MODULES])
