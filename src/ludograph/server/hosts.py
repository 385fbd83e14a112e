"""Hosts: where the game of a table runs. A shipped game runs in the server, an uploaded one in a process."""

from collections.abc import Iterable
from typing import Protocol

from ludograph.games import Game
from ludograph.server.table_game import GameSetup, GameStanding, GameStep, TableGame, ViewerUpdate


class HostFailed(Exception):
    """The game cannot go on: its process was stopped, or its rules failed at the start."""


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

    async def why_not(self, seat: int, text: str) -> tuple[str, str]: ...

    async def record(self, viewer: int | None) -> str: ...

    async def close(self) -> None: ...


class LocalHost:
    """A game that runs in this process, for rules that the server trusts."""

    def __init__(self, game: TableGame) -> None:
        self.game = game

    async def apply(self, step: GameStep) -> GameStanding:
        self.game.apply(step)
        return self.game.standing()

    async def updates(self) -> dict[int, ViewerUpdate]:
        return self.game.updates()

    async def snapshot(self, viewer: int) -> ViewerUpdate:
        return self.game.snapshot(viewer)

    async def forget(self, viewer: int) -> None:
        self.game.forget(viewer)

    async def find_undo(self, seat: int, scope: str, lines: int) -> int | None:
        return self.game.find_turn(seat) if scope == "turn" else self.game.find_moment(lines, seat)

    async def question_id(self, seat: int) -> str | None:
        return self.game.question_id(seat)

    async def read_text(self, seat: int, text: str) -> tuple[str, ...]:
        return self.game.read_text(seat, text)

    async def why_not(self, seat: int, text: str) -> tuple[str, str]:
        return self.game.why_not(seat, text)

    async def record(self, viewer: int | None) -> str:
        return self.game.record(viewer)

    async def close(self) -> None:
        """Nothing is left behind."""


def restore_game(game: Game, setup: GameSetup, steps: Iterable[GameStep]) -> TableGame:
    """The game after stored steps."""
    table_game = TableGame(game, setup)
    for step in steps:
        table_game.apply(step)
    return table_game
