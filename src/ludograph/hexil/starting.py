"""Starting a game: load the rules, and start them on a new island or from a position."""

from functools import cache
from typing import Any

from ludograph.games import Game as Rules
from ludograph.games import load, world_of
from ludograph.games.engines import AUTOMATIC
from ludograph.hexil.execution import ActionExecutor
from ludograph.hexil.layout import decode_shape, layout_of
from ludograph.hexil.options import Options
from ludograph.hexil.positions import Facts, Unplayable, check_playable, encode_position
from ludograph.play import Generator
from ludograph.settlers import Position
from ludograph.settlers.places import standard_land


@cache
def rules(engine: str | None = None) -> Rules:
    """The rules, loaded when first needed. By default the native engine runs them once that is faster."""
    return load("hexil", engine=engine or AUTOMATIC)


def _generator(seed: int) -> Generator:
    if not isinstance(seed, int) or isinstance(seed, bool):
        raise TypeError(f"a seed is a whole number, not {seed!r}")
    return Generator(seed)


def start_new(players: int, seed: int, options: Options, engine: str | None = None) -> ActionExecutor:
    """Start a new game on an island that the seed decides."""
    chance = _generator(seed)
    # The shape is given explicitly, as for a game from a position, so that both have the same world.
    usual = layout_of(standard_land(players), players)
    state = rules(engine).new(players, options={"shape": usual.shape, **_given(options)})
    layout = usual if "shape" not in options else layout_of(decode_shape(options["shape"], players), players)
    executor = ActionExecutor(state, layout, chance, engine)
    executor.sample_chance()
    return executor


def start_from(
    position: Position, facts: Facts, seed: int | None, options: Options, engine: str | None = None
) -> ActionExecutor:
    """Start a game from a position; Unplayable if that is impossible."""
    chance = None if seed is None else _generator(seed)
    check_playable(position, facts, special=options.get("special", False))
    layout = layout_of(position.island.land, position.players)
    given = {**_given(options), "shape": layout.shape}
    state = rules(engine).new(
        position.players, options=given, position=encode_position(position, facts, layout)
    )
    return ActionExecutor(state, layout, chance, engine)


def read_options(executor: ActionExecutor) -> Options:
    """The values of all options of a game.

    >>> read_options(start_new(2, 0, {"points": 12}))["points"]
    12
    """
    options = world_of(executor.state).options.items()
    return {name: value if isinstance(value, bool) else _plain(value) for name, value in options}  # type: ignore[return-value]


def _plain(value: Any) -> int | str:
    """A number, or the name of an enum member."""
    return int(value) if isinstance(value, float) else str(value.name)


def _given(options: Options) -> dict[str, bool | float | str]:
    for name, value in options.items():
        if isinstance(value, float):
            raise Unplayable(f"the option {name} is a whole number, not {value}")
    return dict(options)  # type: ignore[arg-type]
