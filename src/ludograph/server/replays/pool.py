"""The processes of replays: jobs with time limits; a process that exceeds one is killed.

Shipped rules run in a few processes that read the cache of compiled games. Uploaded rules have one process
without it, which serves one replay at a time and is thrown away for the next.
"""

import asyncio
from typing import Any

import msgspec

from ludograph.server.hosts import HostFailed
from ludograph.server.limits import Limits
from ludograph.server.refusals import RequestRefused
from ludograph.server.replays.requests import JobAnswers, JobRefused, Jobs, ReadGame, ReplayJob
from ludograph.server.workers.processes import WorkerProcess, WorkerProgram

REPLAY_PROGRAM = WorkerProgram(
    "ludograph.server.replays.process",
    msgspec.json.Decoder(JobAnswers),
    lambda limits: limits.replay_reply_bytes,
)


class ReplayPool:
    """The processes. Mutable: they start when they are first needed."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._shipped = [self._new(has_cache=True) for _ in range(limits.replay_processes)]
        self._background = self._new(has_cache=True)
        self._uploaded = self._new(has_cache=False)
        self._uploaded_replay = ""
        self._uploading = asyncio.Lock()
        self._waiting = 0

    def _new(self, *, has_cache: bool) -> WorkerProcess:
        return WorkerProcess(self._limits, is_trusted=False, program=REPLAY_PROGRAM, has_cache=has_cache)

    async def run(
        self, job: Jobs, expected: type[Any], seconds: float, *, in_background: bool = False
    ) -> Any:
        """What a job finds; RequestRefused says why it finds nothing."""
        if self._waiting >= self._limits.replay_jobs:
            raise RequestRefused(429, "limit", "too many games are looked at now; try again")
        self._waiting += 1
        try:
            answer = await self._ask(job, seconds, in_background=in_background)
        except HostFailed as error:
            raise RequestRefused(422, "invalid", f"this cannot be shown: {error}") from None
        finally:
            self._waiting -= 1
        if isinstance(answer, JobRefused):
            raise RequestRefused(422, "invalid", answer.message)
        if not isinstance(answer, expected):
            raise RequestRefused(422, "invalid", "the process of the game gave a wrong answer")
        return answer.found

    async def _ask(self, job: Jobs, seconds: float, *, in_background: bool) -> Any:
        if _has_own_rules(job):
            async with self._uploading:
                replay = job.replay if isinstance(job, ReplayJob) else ""
                if replay != self._uploaded_replay or not replay:
                    await self._uploaded.close()
                self._uploaded_replay = replay
                return await self._uploaded.ask(job, seconds)
        key = job.replay if isinstance(job, ReplayJob) else job.wanted.text
        process = self._background if in_background else self._shipped[hash(key) % len(self._shipped)]
        return await process.ask(job, seconds)

    async def close(self) -> None:
        for process in (*self._shipped, self._background, self._uploaded):
            await process.close()


def _has_own_rules(job: Jobs) -> bool:
    match job:
        case ReadGame(wanted):
            return bool(wanted.source) and not wanted.game
        case ReplayJob():
            return not job.document.name
