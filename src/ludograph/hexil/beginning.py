"""Beginnings: the rules with a new island or a position, ready to run."""

from functools import cache
from typing import Any

from ludograph.games import Game as Rules
from ludograph.games import load, world_of
from ludograph.games.engines import AUTOMATIC
from ludograph.hexil.layout import land_of, layout_of
from ludograph.hexil.options import Options
from ludograph.hexil.positions import Facts, Unplayable, check_playable, position_data
from ludograph.hexil.running import Running
from ludograph.play import Generator
from ludograph.settlers import Position
from ludograph.settlers.places import LAND


@cache
def rules(engine: str | None = None) -> Rules:
    """The rules, read when first needed. Without a word on the engine, the native one when that pays."""
    return load("hexil", engine=engine or AUTOMATIC)


def _generator(seed: int) -> Generator:
    if not isinstance(seed, int) or isinstance(seed, bool):
        raise TypeError(f"a seed is a whole number, not {seed!r}")
    return Generator(seed)


def run_new(players: int, seed: int, options: Options, engine: str | None = None) -> Running:
    """A game from its beginning, on an island that the seed decides."""
    chance = _generator(seed)
    # The shape is said as in a game that goes on from a position, so that both have one world.
    state = rules(engine).new(players, options={"shape": layout_of(LAND).shape, **_given(options)})
    land = land_of(int(options["shape"])) if "shape" in options else LAND
    running = Running(state, layout_of(land), chance, engine)
    running.settle()
    return running


def run_from(
    position: Position, facts: Facts, seed: int | None, options: Options, engine: str | None = None
) -> Running:
    """A game that goes on from a position; Unplayable says why none can."""
    chance = None if seed is None else _generator(seed)
    check_playable(position, facts)
    layout = layout_of(position.island.land)
    given = {**_given(options), "shape": layout.shape}
    state = rules(engine).new(
        position.players, options=given, position=position_data(position, facts, layout)
    )
    return Running(state, layout, chance, engine)


def options_of(running: Running) -> Options:
    """How a game differs from the usual one, every option said.

    >>> options_of(run_new(2, 0, {"points": 12}))["points"]
    12
    """
    said = world_of(running.state).options.items()
    return {name: value if isinstance(value, bool) else _plain(value) for name, value in said}  # type: ignore[return-value]


def _plain(value: Any) -> int | str:
    """A number, or the name of a member."""
    return int(value) if isinstance(value, float) else str(value.name)


def _given(options: Options) -> dict[str, bool | float | str]:
    for name, value in options.items():
        if isinstance(value, float):
            raise Unplayable(f"the option {name} is a whole number, not {value}")
    return dict(options)  # type: ignore[arg-type]
