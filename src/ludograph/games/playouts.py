"""Random games and perft of a game, a name, a path or a state.

`games.engines` runs them. This module chooses the start and the engine.
"""

import warnings
from collections.abc import Mapping
from os import PathLike
from typing import Any

from ludograph.games import (
    CompiledStart,
    Game,
    NoNativeEngine,
    ReferenceEngineWarning,
    State,
    engines,
    load,
    open_start,
)
from ludograph.games.engines import AUTOMATIC, LIMIT, NATIVE, REFERENCE, Engine, native_engine
from ludograph.games.sources import check_engine
from ludograph.play import Statistics, summarize


def simulate(
    game: Game | State | str | PathLike[str],
    playouts: int,
    *,
    players: int | None = None,
    options: Mapping[str, Any] | None = None,
    setup: str | None = None,
    seed: int = 0,
    limit: int = LIMIT,
    threads: int = 1,
    engine: str = AUTOMATIC,
) -> Statistics:
    """Play random games, and return statistics of their results.

    The games start from the start of the game, or from a state. A game that is not over after `limit` moves
    is unfinished. The statistics depend on the seed and the engine, never on the number of threads. The
    native engine plays if it can. With `engine="native"` NoNativeEngine gives the reason why it cannot.

    >>> found = simulate("tic-tac-toe", 1000, seed=7)
    >>> found.playouts, sum(found.results.values())
    (1000, 1000)
    """
    start = _start(game, players, options, setup, None, engine)
    chosen = _engine(start, engine)
    return summarize(
        engines.simulate(start, playouts, seed=seed, limit=limit, threads=threads, engine=chosen)
    )


def perft(
    game: Game | State | str | PathLike[str],
    depth: int,
    *,
    players: int | None = None,
    options: Mapping[str, Any] | None = None,
    setup: str | None = None,
    seed: int | None = None,
    engine: str = AUTOMATIC,
) -> int:
    """Count the sequences of exactly `depth` complete moves from the start of a game, or from a state.

    Each distinct outcome of chance counts as one. With a seed, chance before the first move is sampled.

    >>> perft("chess", 2)
    400
    """
    start = _start(game, players, options, setup, seed, engine)
    return engines.perft(start, depth, engine=_engine(start, engine))


def _start(
    game: Game | State | str | PathLike[str],
    players: int | None,
    options: Mapping[str, Any] | None,
    setup: str | None,
    seed: int | None,
    engine: str,
) -> State | CompiledStart:
    check_engine(engine)
    if isinstance(game, State):
        if not (players is None and options is None and setup is None and seed is None):
            raise TypeError("a state has players, options, setup and chance of its own")
        return game
    if isinstance(game, Game):
        return game.new(players=players, options=options, setup=setup, seed=seed)
    if engine == REFERENCE or seed is not None:
        return load(game, engine=REFERENCE).new(players=players, options=options, setup=setup, seed=seed)
    return open_start(game, players=players, options=options, setup=setup)


def _engine(start: State | CompiledStart, engine: str) -> Engine | str:
    if engine == REFERENCE:
        return REFERENCE
    if isinstance(start, CompiledStart):
        return start.engine
    try:
        return native_engine(start.game, start)
    except NoNativeEngine as reason:
        if engine == NATIVE:
            raise
        message = f"using the reference engine, which is slower: {reason}"
        warnings.warn(message, ReferenceEngineWarning, stacklevel=3)
        return REFERENCE
