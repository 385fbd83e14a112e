"""The processes in which the bots of shipped games think."""

import secrets
from itertools import count

from ludograph.server.bot_levels import LAST_RESORT, bots_of
from ludograph.server.hosts import HostFailed
from ludograph.server.limits import Limits
from ludograph.server.workers.processes import WorkerProcess
from ludograph.server.workers.requests import FoundTexts, LetBotChoose, WorkerProblem


class BotPool:
    """Processes with bots for shipped games. Mutable."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._processes = [WorkerProcess(limits, is_trusted=True) for _ in range(limits.bot_processes)]
        self._numbers = count()

    async def choose(
        self, name: str, digest: str, source: str, state: bytes, seat: int, level: str
    ) -> tuple[str, ...]:
        """The answers of a bot to the questions of a seat in a saved state; HostFailed if it has none."""
        problem = HostFailed("no bot can play this game")
        for bots in (bots_of(level), LAST_RESORT):
            number = next(self._numbers) % len(self._processes)
            seed = secrets.randbits(63)
            request = LetBotChoose(seat, bots, seed, name, digest, source, state)
            try:
                answer = await self._processes[number].ask(request, self._limits.bot_seconds)
            except HostFailed as error:
                problem = error
                continue
            if isinstance(answer, FoundTexts):
                return answer.texts
            problem = HostFailed(answer.message if isinstance(answer, WorkerProblem) else "a wrong answer")
        raise problem

    async def close(self) -> None:
        """Stop all processes."""
        for process in self._processes:
            await process.close()
