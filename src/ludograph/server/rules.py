"""The rules that tables play by: shipped games by name, and stored sources by digest, as games.

A table keeps the source that it began with, so a shipped game that has changed since is loaded from there.
"""

import asyncio
from functools import partial

from ludograph.games import Game, find_source, list_games, load
from ludograph.games.catalog import read_headline
from ludograph.games.engines import AUTOMATIC
from ludograph.games.sources import compile_source
from ludograph.protocol.tables import GameList, GameSummary
from ludograph.server.game_details import describe_game
from ludograph.server.stored_tables import digest_of


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
