"""Hosts: what a table needs of the place where its game runs.

A shipped game runs in the server (`local_hosts`), an uploaded one in a process of its own (`workers`).
"""

from typing import Protocol

from ludograph.protocol.messages import SeatQuery
from ludograph.server.table_game import GameStanding, GameStep, ViewerUpdate


class HostFailed(Exception):
    """The game cannot go on: its process was stopped, or its rules failed at the start."""


class HostBusy(Exception):
    """The game cannot run now, but later."""


class GameHost(Protocol):
    """The game of one table. All methods raise HostFailed if it cannot go on."""

    async def apply(self, step: GameStep) -> GameStanding:
        """Make a step; StepRefused if it is not possible."""

    async def updates(self) -> dict[int, ViewerUpdate]:
        """What has changed for the viewers who had a snapshot."""

    async def snapshot(self, viewer: int) -> ViewerUpdate: ...

    async def forget(self, viewer: int) -> None: ...

    async def find_undo(self, seat: int, scope: str, lines: int) -> int | None:
        """The number of moves that an undo keeps; None if there is nothing to undo."""

    async def question_id(self, seat: int) -> str | None:
        """The id of the open question to a seat; None if there is none."""

    async def read_text(self, seat: int, text: str) -> tuple[str, ...]:
        """The moves that a text means; StepRefused if it means none."""

    async def answer(self, query: SeatQuery) -> str:
        """The answer to a question that changes nothing, as JSON; StepRefused if there is none."""

    async def record(self, viewer: int | None) -> str: ...

    async def let_bot_choose(self, seat: int, level: str) -> tuple[str, ...]:
        """The answers of a bot of a level to the questions of a seat."""

    async def close(self) -> None: ...
