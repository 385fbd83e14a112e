"""The rules that tables play by: shipped games by name, and stored sources by digest, as games.

A table keeps the source that it began with, so a shipped game that has changed since is loaded from there.
"""

import asyncio
from functools import partial

from ludograph.games import Game, find_source, list_games, load
from ludograph.games.catalog import read_headline
from ludograph.games.engines import AUTOMATIC
from ludograph.games.sources import compile_source
from ludograph.protocol.tables import GameDetails, GameList, GameOption, GameSummary
from ludograph.server.stored_tables import digest_of
from ludograph.tgdl.program import Expression, Option, Program
from ludograph.tgdl.world.analysis import hides_anything


class ShippedGame:
    """A shipped game that is loaded."""

    def __init__(self, name: str, source: str, game: Game) -> None:
        self.name = name
        self.source = source
        self.digest = digest_of(source)
        self.game = game
        self.details = describe_game(name, game)


class RuleBook:
    """The loaded games. Mutable: a game is loaded when it is first needed."""

    def __init__(self) -> None:
        self._shipped: dict[str, ShippedGame] = {}
        self._others: dict[str, Game] = {}
        self._lock = asyncio.Lock()

    def list_games(self) -> GameList:
        return GameList(tuple(GameSummary(name, *read_headline(name)) for name in list_games()))

    async def shipped(self, name: str) -> ShippedGame | None:
        """A shipped game; None if there is none of this name."""
        if name not in list_games():
            return None
        async with self._lock:
            found = self._shipped.get(name)
            if found is None:
                found = self._shipped[name] = await asyncio.to_thread(_load_shipped, name)
            return found

    async def trusted(self, name: str, digest: str, source: str) -> Game:
        """The game of a stored source that was shipped; it may have changed since."""
        current = await self.shipped(name)
        if current is not None and current.digest == digest:
            return current.game
        async with self._lock:
            found = self._others.get(digest)
            if found is None:
                found = await asyncio.to_thread(partial(compile_source, source, name=f"{name}.tgdl"))
                self._others[digest] = found
            return found


def _load_shipped(name: str) -> ShippedGame:
    return ShippedGame(name, find_source(name).source.text, load(name, engine=AUTOMATIC))


def describe_game(name: str, game: Game) -> GameDetails:
    """What a table of a game needs to know."""
    program = game.program
    setups = {effect.name for setup in program.setups for effect in setup.effects if effect.name}
    return GameDetails(
        name,
        game.name,
        tuple(game.player_counts),
        tuple(_describe_option(option, program) for option in program.options),
        tuple(sorted(setups)),
        game.rules,
        hides_anything(game.world()),
    )


def _describe_option(option: Option, program: Program) -> GameOption:
    text = program.sources[option.file].text

    def number(expression: Expression | None) -> float | None:
        found = None if expression is None else _constant(expression, text)
        return float(found) if isinstance(found, int | float) else None

    return GameOption(
        option.name,
        _constant(option.value, text),
        tuple(str(_constant(choice, text)) for choice in option.choices),
        number(option.low),
        number(option.high),
    )


def _constant(expression: Expression, text: str) -> bool | float | str:
    """The value of a literal; other constants as they are written."""
    value = getattr(expression, "value", None)
    if isinstance(value, bool | int | float | str):
        return value
    written = text[expression.span.start : expression.span.end]
    try:
        return float(written)
    except ValueError:
        return written
