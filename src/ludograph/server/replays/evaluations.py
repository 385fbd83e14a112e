"""Evaluations: what a bot expects along a game, worked out in the background while somebody waits for it."""

import asyncio
import time
from collections import OrderedDict

from ludograph.protocol.replays import Evaluation
from ludograph.server.limits import Limits
from ludograph.server.refusals import RequestRefused
from ludograph.server.replays.documents import NodeValue, path_to
from ludograph.server.replays.pool import ReplayPool
from ludograph.server.replays.requests import EvaluateNodes, NodesEvaluated, ReplayJob
from ludograph.server.replays.store import StoredReplay

CHUNK = 8
"""ReplayNodes of one job."""
PATIENCE_SECONDS = 15.0
"""The work ends if nobody has asked for so long."""
MAX_KEPT = 200
"""Evaluations of so many replays are kept."""
SLACK_SECONDS = 20.0
"""A job may take so much longer than its searches, because its game is loaded and played first."""


class _Work:
    """The evaluation of one replay. Mutable."""

    def __init__(self) -> None:
        self.values: dict[int, NodeValue] = {}
        self.wanted: list[int] = []
        self.asked_at = 0.0
        self.task: asyncio.Task[None] | None = None


class Evaluations:
    """The evaluations of all replays. Mutable."""

    def __init__(self, pool: ReplayPool, limits: Limits) -> None:
        self._pool = pool
        self._seconds = limits.evaluation_seconds
        self._works: OrderedDict[str, _Work] = OrderedDict()

    def ask(self, replay: StoredReplay, node: int) -> Evaluation:
        """What is known of the line to a node; the rest is worked on."""
        path = path_to(replay.nodes, node)
        work = self._works.get(replay.id)
        if work is None:
            work = self._works[replay.id] = _Work()
            self._forget_old()
        self._works.move_to_end(replay.id)
        work.asked_at = time.monotonic()
        work.wanted = [each for each in path if each not in work.values]
        if work.wanted and (work.task is None or work.task.done()):
            work.task = asyncio.create_task(self._evaluate(replay, work))
        return summarise(replay.document.players, path, work.values)

    def _forget_old(self) -> None:
        for key, work in list(self._works.items()):
            if len(self._works) <= MAX_KEPT:
                return
            if work.task is None or work.task.done():
                del self._works[key]

    async def _evaluate(self, replay: StoredReplay, work: _Work) -> None:
        while work.wanted and time.monotonic() - work.asked_at < PATIENCE_SECONDS:
            part = tuple(work.wanted[:CHUNK])
            job = ReplayJob(replay.id, replay.document, replay.nodes, EvaluateNodes(part, self._seconds))
            try:
                seconds = CHUNK * self._seconds + SLACK_SECONDS
                found = await self._pool.run(job, NodesEvaluated, seconds, in_background=True)
            except RequestRefused:
                found = ()
            known = {value.node: value for value in found}
            for node in part:  # what cannot be evaluated is not tried again
                work.values[node] = known.get(node, NodeValue(node))
            work.wanted = [each for each in work.wanted if each not in work.values]

    async def close(self) -> None:
        for work in self._works.values():
            if work.task is not None:
                work.task.cancel()


def summarise(players: int, path: list[int], values: dict[int, NodeValue]) -> Evaluation:
    """What each player may expect at the nodes of a path; it stays until the player's next choice."""
    present = [0.0] * players
    payoffs: dict[str, tuple[float, ...]] = {}
    done = 0
    for node in path:
        value = values.get(node)
        if value is None:
            continue
        done += 1
        if value.final:
            present = list(value.final)
        elif value.seat >= 0:
            present[value.seat] = value.payoff
            if players == 2 and abs(value.payoff) <= 1:  # what one wins, the other loses
                present[1 - value.seat] = -value.payoff
        payoffs[str(node)] = tuple(present)
    return Evaluation(done, len(path), payoffs)
