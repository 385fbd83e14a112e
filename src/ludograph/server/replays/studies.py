"""Studies: the replays of all sessions.

Whoever has the id of a replay may look at it; only its session may change it.
"""

import asyncio
import secrets
import time
from collections import OrderedDict
from typing import Any

from msgspec.structs import replace

from ludograph.protocol.replays import MAX_NODES as MAX_REPLAY_NODES
from ludograph.protocol.replays import (
    BestMoves,
    EditReplay,
    Evaluation,
    NewReplay,
    NewVariation,
    OpenedReplay,
    PlayedVariation,
    ReplayChoices,
    ReplayFrames,
    ReplayList,
    ReplayStatus,
    ReplayText,
)
from ludograph.server.limits import Limits
from ludograph.server.refusals import RequestRefused
from ludograph.server.replays.documents import (
    DescribedGame,
    ReadReplay,
    StoredNode,
    VariedGame,
    WantedText,
    path_to,
)
from ludograph.server.replays.evaluations import Evaluations
from ludograph.server.replays.pool import ReplayPool
from ludograph.server.replays.requests import (
    BestFound,
    ChoicesShown,
    DescribeGame,
    FindBest,
    FramesShown,
    GameDescribed,
    GameRead,
    PlayVariation,
    ReadGame,
    ReplayJob,
    ReplayRequests,
    ShowChoices,
    ShowFrames,
    TextWritten,
    VariationPlayed,
    WriteText,
)
from ludograph.server.replays.store import ReplayStore, StoredReplay, game_digest
from ludograph.server.storage import Storage
from ludograph.server.stored_tables import new_table_id

MAX_LOADED = 50
"""Replays that are kept in memory."""


class Studies:
    """The replays. Mutable."""

    def __init__(self, storage: Storage, limits: Limits) -> None:
        self._store = ReplayStore(storage)
        self._limits = limits
        self._pool = ReplayPool(limits)
        self._evaluations = Evaluations(self._pool, limits)
        self._loaded: OrderedDict[str, StoredReplay] = OrderedDict()
        self._locks: dict[str, asyncio.Lock] = {}
        self._analysing: set[str] = set()

    # Opening

    async def open_text(self, session: str, wanted: NewReplay) -> OpenedReplay:
        """Read a text; the findings say what was noticed, also if nothing can be shown."""
        text = WantedText(
            wanted.text,
            wanted.name,
            wanted.notation,
            source=wanted.source,
            lenient=wanted.lenient,
            number=wanted.number,
        )
        return await self._open(session, text, wanted.title, ())

    async def open_record(
        self, session: str, text: WantedText, title: str, names: tuple[str, ...]
    ) -> OpenedReplay:
        """Open the record of a table."""
        return await self._open(session, text, title, names)

    async def _open(self, session: str, text: WantedText, title: str, names: tuple[str, ...]) -> OpenedReplay:
        read: ReadReplay = await self._pool.run(ReadGame(text), GameRead, self._limits.replay_read_seconds)
        if read.document is None:
            return OpenedReplay(None, read.findings)
        document = replace(read.document, names=read.document.names or names)
        same = await self._store.find_same(session, game_digest(document, read.nodes))
        if same is None:
            same = await self._add(
                session, document, read.nodes, title or _title(document.names, document.game_title)
            )
        return OpenedReplay(await self._status(same, session), read.findings)

    async def copy(self, session: str, replay_id: str, title: str) -> OpenedReplay:
        """A copy of a replay that the session may change."""
        found = await self.find(replay_id)
        if found.session == session and not title:
            return OpenedReplay(await self._status(found, session))
        made = await self._add(session, found.document, found.nodes, title or found.title)
        return OpenedReplay(await self._status(made, session))

    async def _add(self, session: str, document: Any, nodes: Any, title: str) -> StoredReplay:
        if await self._store.count() >= self._limits.replays:
            raise RequestRefused(429, "limit", "the server has too many replays")
        if await self._store.count(session) >= self._limits.replays_per_session:
            if not await self._store.delete_oldest_unchanged(session):
                raise RequestRefused(429, "limit", "you have too many studies; delete some of them")
        stored = StoredReplay(new_table_id(), int(time.time()), session, title[:80], document, nodes)
        await self._store.add(stored)
        self._keep(stored)
        return stored

    # Looking

    async def find(self, replay_id: str) -> StoredReplay:
        """A replay; RequestRefused if there is none."""
        found = self._loaded.get(replay_id) or await self._store.load(replay_id)
        if found is None:
            raise RequestRefused(404, "unknown", "there is no such replay")
        self._keep(found)
        return found

    def _keep(self, replay: StoredReplay) -> None:
        self._loaded[replay.id] = replay
        self._loaded.move_to_end(replay.id)
        if len(self._loaded) > MAX_LOADED:
            self._loaded.popitem(last=False)

    async def show(self, replay_id: str, session: str) -> ReplayStatus:
        return await self._status(await self.find(replay_id), session)

    async def _status(self, replay: StoredReplay, session: str) -> ReplayStatus:
        described: DescribedGame = await self._ask(replay, DescribeGame(), GameDescribed)
        document = replay.document
        return ReplayStatus(
            replay.id,
            replay.title,
            document.name,
            document.game_title,
            document.players,
            document.names or ("",) * document.players,
            bool(session) and replay.session == session,
            replay.created,
            document.given_as,
            described.result,
            document.findings,
            described.nodes,
            described.series,
            described.views,
            described.formats,
        )

    async def list_own(self, session: str) -> ReplayList:
        return ReplayList(tuple(await self._store.list_own(session, self._limits.replays_per_session)))

    async def frames(self, replay_id: str, node: int, first: int, count: int, view: str) -> ReplayFrames:
        request = ShowFrames(node, first, count, view)
        found: ReplayFrames = await self._ask(await self.find(replay_id), request, FramesShown)
        return found

    async def text(self, replay_id: str, node: int, wanted: str, view: str) -> ReplayText:
        request = WriteText(node, wanted, view)
        found: ReplayText = await self._ask(await self.find(replay_id), request, TextWritten)
        return found

    async def choices(self, replay_id: str, node: int, seat: int | None) -> ReplayChoices:
        request = ShowChoices(node, seat)
        found: ReplayChoices = await self._ask(await self.find(replay_id), request, ChoicesShown)
        return found

    async def _ask(
        self, replay: StoredReplay, request: ReplayRequests, expected: type[Any], seconds: float = 0.0
    ) -> Any:
        job = ReplayJob(replay.id, replay.document, replay.nodes, request)
        return await self._pool.run(job, expected, seconds or self._limits.replay_seconds)

    # Changing

    async def play(self, replay_id: str, session: str, wanted: NewVariation) -> PlayedVariation:
        """Play another move at a node, and keep it as a variation."""
        async with self._lock(replay_id):
            replay = await self._own(replay_id, session)
            request = PlayVariation(wanted, secrets.randbits(63))
            varied: VariedGame = await self._ask(replay, request, VariationPlayed)
            if varied.choices is not None:
                return PlayedVariation(choices=varied.choices)
            if len(replay.nodes) + len(varied.added) > MAX_REPLAY_NODES:
                raise RequestRefused(422, "invalid", f"a replay has at most {MAX_REPLAY_NODES:,} moves")
            first = len(replay.nodes)
            if varied.added:
                replay = replace(replay, nodes=(*replay.nodes, *varied.added))
                await self._save(replay)
            described: DescribedGame = await self._ask(
                replay, DescribeGame(min(first, varied.node)), GameDescribed
            )
            nodes = [each for each in described.nodes if each.node >= first or each.node == varied.node]
            return PlayedVariation(tuple(sorted(nodes, key=lambda each: each.node == varied.node)))

    async def edit(self, replay_id: str, session: str, wanted: EditReplay) -> ReplayStatus:
        async with self._lock(replay_id):
            replay = await self._own(replay_id, session)
            if wanted.title is not None:
                replay = replace(replay, title=wanted.title)
            if wanted.node is not None:
                replay = _edit_node(replay, wanted.node, wanted)
            await self._save(replay)
        return await self._status(replay, session)

    async def delete(self, replay_id: str, session: str) -> None:
        async with self._lock(replay_id):
            await self._own(replay_id, session)
            self._loaded.pop(replay_id, None)
            await self._store.delete(replay_id)

    async def _own(self, replay_id: str, session: str) -> StoredReplay:
        found = await self.find(replay_id)
        if found.session != session:
            raise RequestRefused(403, "forbidden", "this is the study of somebody else; change a copy of it")
        return found

    async def _save(self, replay: StoredReplay) -> None:
        await self._store.save(replay)
        self._keep(replay)

    def _lock(self, replay_id: str) -> asyncio.Lock:
        for key, lock in list(self._locks.items()):
            if not lock.locked() and len(self._locks) > MAX_LOADED:
                del self._locks[key]
        return self._locks.setdefault(replay_id, asyncio.Lock())

    # Analysis

    async def analyse(self, replay_id: str, session: str, node: int, seconds: float) -> BestMoves:
        """The best moves; a session asks for one position at a time."""
        replay = await self.find(replay_id)
        if session in self._analysing:
            raise RequestRefused(429, "limit", "a bot thinks for you already; wait for it")
        self._analysing.add(session)
        try:
            limit = self._limits.replay_seconds + seconds
            found: BestMoves = await self._ask(replay, FindBest(node, seconds), BestFound, limit)
            return found
        finally:
            self._analysing.discard(session)

    async def evaluate(self, replay_id: str, node: int) -> Evaluation:
        """What is known of the line to a node so far; the rest is worked on in the background."""
        replay = await self.find(replay_id)
        try:
            return self._evaluations.ask(replay, node)
        except LookupError as error:
            raise RequestRefused(422, "invalid", str(error)) from None

    async def close(self) -> None:
        await self._evaluations.close()
        await self._pool.close()


def _title(names: tuple[str, ...], game_title: str) -> str:
    known = [name for name in names if name]
    return f"{game_title}: {', '.join(known)}" if known else game_title


def _edit_node(replay: StoredReplay, number: int, wanted: EditReplay) -> StoredReplay:
    node = replay.nodes[number] if number < len(replay.nodes) else None
    if node is None:
        raise RequestRefused(422, "invalid", f"there is no node {number}")
    nodes = list(replay.nodes)
    if wanted.remove:
        if number < replay.document.main:
            raise RequestRefused(422, "invalid", "only variations can be removed")
        nodes = [
            None if each is None or _is_below(replay, at, number) else each for at, each in enumerate(nodes)
        ]
    elif wanted.note is not None:
        nodes[number] = StoredNode(node.parent, node.seat, node.text, node.chance, wanted.note.strip())
    return replace(replay, nodes=tuple(nodes))


def _is_below(replay: StoredReplay, number: int, top: int) -> bool:
    return number >= top and replay.nodes[number] is not None and top in path_to(replay.nodes, number)
