"""What the database keeps of replays, as typed data."""

from hashlib import sha256
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ludograph.protocol.replays import ReplaySummary
from ludograph.server.replays.documents import ReplayDocument, ReplayNodes
from ludograph.server.storage import Storage
from ludograph.server.stored_tables import digest_of


class StoredReplay(Struct, frozen=True):
    """A stored replay."""

    id: str
    created: int
    session: str
    """The digest of the session that may change it."""
    title: str
    document: ReplayDocument
    nodes: ReplayNodes

    @property
    def variations(self) -> int:
        """The number of nodes in variations."""
        return sum(node is not None for node in self.nodes[self.document.main :])

    @property
    def is_study(self) -> bool:
        """Whether somebody has added something to the game."""
        return self.variations > 0 or any(node is not None and node.note for node in self.nodes)


class ReplayStore:
    """The stored replays. All methods return when the database has committed."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    async def add(self, replay: StoredReplay) -> None:
        source = replay.document.source
        digest = digest_of(source)
        title = replay.document.game_title
        await self._storage.add_row_once("sources", {"digest": digest, "name": title, "source": source})
        kept = replace(replay.document, source="")
        await self._storage.add_row(
            "replays",
            {
                "id": replay.id,
                "created": replay.created,
                "session": replay.session,
                "digest": game_digest(replay.document, replay.nodes),
                "source": digest,
                "game_title": title[:80],
                "document": msgspec.json.encode(kept).decode(),
                **_columns(replay),
            },
        )

    async def save(self, replay: StoredReplay) -> None:
        """Store the title and the nodes."""
        await self._storage.update_rows("replays", {"id": replay.id}, _columns(replay))

    async def load(self, replay_id: str) -> StoredReplay | None:
        rows = await self._storage.find_rows("replays", {"id": replay_id})
        return await self._replay(rows[0]) if rows else None

    async def find_same(self, session: str, digest: str) -> StoredReplay | None:
        """The replay of the same game that a session has."""
        rows = await self._storage.find_rows("replays", {"session": session, "digest": digest})
        return await self._replay(rows[0]) if rows else None

    async def _replay(self, row: dict[str, Any]) -> StoredReplay:
        sources = await self._storage.find_rows("sources", {"digest": row["source"]})
        document = msgspec.json.decode(row["document"], type=ReplayDocument)
        return StoredReplay(
            row["id"],
            row["created"],
            row["session"],
            row["title"],
            replace(document, source=str(sources[0]["source"])),
            msgspec.json.decode(row["nodes"], type=ReplayNodes),
        )

    async def list_own(self, session: str, limit: int) -> list[ReplaySummary]:
        """The replays of a session, the newest first."""
        rows = await self._storage.list_replays(session, limit)
        return [
            ReplaySummary(row["id"], row["title"], row["game_title"], row["created"], row["variations"])
            for row in rows
        ]

    async def count(self, session: str | None = None) -> int:
        return await self._storage.count_rows("replays", {} if session is None else {"session": session})

    async def delete(self, replay_id: str) -> None:
        await self._storage.delete_rows("replays", {"id": replay_id})

    async def delete_oldest_unchanged(self, session: str) -> bool:
        """Delete the oldest replay of a session that nobody added anything to; whether there was one."""
        rows = await self._storage.find_rows(
            "replays", {"session": session, "is_study": False}, order="created"
        )
        if rows:
            await self.delete(rows[0]["id"])
        return bool(rows)


def _columns(replay: StoredReplay) -> dict[str, Any]:
    return {
        "title": replay.title,
        "variations": replay.variations,
        "is_study": replay.is_study,
        "nodes": msgspec.json.encode(replay.nodes).decode(),
    }


def game_digest(document: ReplayDocument, nodes: ReplayNodes) -> str:
    """A digest of a game as it was given."""
    data = (document.source, document.rules, document.options, document.position, document.original, nodes)
    return sha256(msgspec.json.encode(data)).hexdigest()
