"""Games that run in the server, for rules that it trusts; their bots think in other processes."""

import asyncio
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TypeVar

from msgspec import Struct

from ludograph.games import Game
from ludograph.protocol.messages import SeatQuery
from ludograph.server.bots import BotPool
from ludograph.server.commands import command_reader
from ludograph.server.styles.special_games import find_style
from ludograph.server.table_game import GameSetup, GameStanding, GameStep, TableGame, ViewerUpdate

Found = TypeVar("Found")
SLOW_SECONDS = 0.02
SLOW_IN_A_ROW = 3
"""A game that needs longer for something so often does everything in the other thread, until it is faster.

One long time says little: a game that begins, or a computer with much to do, takes long once.
"""
_SLOW_GAMES = ThreadPoolExecutor(1, "slow games")


class TrustedSource(Struct, frozen=True):
    """The source of a shipped game."""

    name: str
    digest: str
    text: str


class LocalHost:
    """A game in this process. Mutable: a game whose steps take long is moved to another thread."""

    def __init__(self, game: TableGame, bots: BotPool, source: TrustedSource) -> None:
        self.game = game
        self._bots = bots
        self._source = source
        self._slow: dict[str, int] = {}
        """How often each kind of work took long the last times."""

    async def _run(self, kind: str, work: Callable[[], Found]) -> Found:
        """Do some work here if that is quick, otherwise in the thread for slow games."""
        if max(self._slow.values(), default=0) >= SLOW_IN_A_ROW:
            found, seconds = await asyncio.get_running_loop().run_in_executor(_SLOW_GAMES, _timed, work)
        else:
            found, seconds = _timed(work)
        self._slow[kind] = self._slow.get(kind, 0) + 1 if seconds > SLOW_SECONDS else 0
        return found

    async def apply(self, step: GameStep) -> GameStanding:
        await self._run("apply", partial(self.game.apply, step))
        return self.game.standing()

    async def updates(self) -> dict[int, ViewerUpdate]:
        return await self._run("updates", self.game.updates)

    async def snapshot(self, viewer: int) -> ViewerUpdate:
        return await self._run("snapshot", partial(self.game.snapshot, viewer))

    async def forget(self, viewer: int) -> None:
        self.game.forget(viewer)

    async def find_undo(self, seat: int, scope: str, lines: int) -> int | None:
        return await self._run("find_undo", partial(self.game.find_undo, seat, scope, lines))

    async def question_id(self, seat: int) -> str | None:
        return await self._run("question_id", partial(self.game.question_id, seat))

    async def read_text(self, seat: int, text: str) -> tuple[str, ...]:
        return await self._run("read_text", partial(self.game.read_text, seat, text))

    async def answer(self, query: SeatQuery) -> str:
        return await self._run("answer", partial(self.game.answer, query))

    async def record(self, viewer: int | None) -> str:
        return await self._run("record", partial(self.game.record, viewer))

    async def let_bot_choose(self, seat: int, level: str) -> tuple[str, ...]:
        name, digest, text = self._source.name, self._source.digest, self._source.text
        return await self._bots.choose(name, digest, text, self.game.state().to_bytes(), seat, level)

    async def close(self) -> None:
        """Nothing is left behind."""


def _timed(work: Callable[[], Found]) -> tuple[Found, float]:
    """The result of some work and how long it took."""
    start = time.perf_counter()
    found = work()
    return found, time.perf_counter() - start


def restore_game(game: Game, name: str, setup: GameSetup, steps: Iterable[GameStep]) -> TableGame:
    """The shipped game with this name after stored steps."""
    table_game = TableGame(game, setup, command_reader(name), find_style(name, game))
    for step in steps:
        table_game.apply(step)
    return table_game
