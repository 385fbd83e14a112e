"""What the server keeps, as typed data on top of the storage: sessions, sources, tables, entries."""

from typing import Any

import msgspec

from ludograph.server.storage import Storage
from ludograph.server.stored_tables import StoredEntry, StoredTable, encode_stored
from ludograph.server.table_game import GameStep


class TableStore:
    """The stored sessions and tables. All methods return when the database has committed."""

    def __init__(self, storage: Storage) -> None:
        self.storage = storage

    async def add_session(self, digest: str, created: int) -> None:
        await self.storage.add_row("sessions", {"digest": digest, "name": "", "created": created})

    async def session_name(self, digest: str) -> str | None:
        rows = await self.storage.find_rows("sessions", {"digest": digest})
        return str(rows[0]["name"]) if rows else None

    async def rename_session(self, digest: str, name: str) -> None:
        await self.storage.update_rows("sessions", {"digest": digest}, {"name": name})

    async def add_table(self, table: StoredTable, name: str, source: str) -> None:
        await self.storage.add_row_once("sources", {"digest": table.source, "name": name, "source": source})
        await self.storage.add_row("tables", {"id": table.id, "created": table.created, **_columns(table)})
        await self.add_player(table.id, table.creator)

    async def save_table(self, table: StoredTable) -> None:
        await self.storage.update_rows("tables", {"id": table.id}, _columns(table))

    async def add_player(self, table_id: str, session: str) -> None:
        await self.storage.add_row_once("seats", {"table_id": table_id, "session": session})

    async def add_entry(self, table_id: str, entry: StoredEntry) -> None:
        await self.storage.add_row(
            "entries",
            {
                "table_id": table_id,
                "number": entry.number,
                "kind": entry.kind,
                "session": entry.session,
                "message": entry.message,
                "data": entry.data,
            },
        )

    async def load_table(self, table_id: str) -> tuple[StoredTable, list[StoredEntry]] | None:
        rows = await self.storage.find_rows("tables", {"id": table_id})
        if not rows:
            return None
        entries = await self.storage.find_rows("entries", {"table_id": table_id}, order="number")
        return _table(rows[0]), [_entry(row) for row in entries]

    async def load_source(self, digest: str) -> str:
        rows = await self.storage.find_rows("sources", {"digest": digest})
        return str(rows[0]["source"])

    async def load_steps(self, table_id: str) -> list[GameStep]:
        rows = await self.storage.find_rows("entries", {"table_id": table_id, "kind": "step"}, order="number")
        return [msgspec.json.decode(row["data"], type=GameStep) for row in rows]

    async def count_open_tables(self, session: str) -> int:
        return await self.storage.count_tables(session, ("waiting", "playing"))

    async def list_archive(self, game: str, before: int) -> list[StoredTable]:
        return [_table(row) for row in await self.storage.list_archive(game, before, 100)]

    async def list_tables(self, session: str) -> list[StoredTable]:
        return [_table(row) for row in await self.storage.list_tables(session, 200)]


def _columns(table: StoredTable) -> dict[str, Any]:
    return {
        "source": table.source,
        "game": table.game,
        "stage": table.stage,
        "listed": table.listed,
        "data": encode_stored(table),
    }


def _table(row: dict[str, Any]) -> StoredTable:
    return msgspec.json.decode(row["data"], type=StoredTable)


def _entry(row: dict[str, Any]) -> StoredEntry:
    return StoredEntry(row["number"], row["kind"], row["session"], row["message"], row["data"])
