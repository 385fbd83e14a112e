"""The storage: what it reported is there, and one failure harms nothing else; on each kind of database."""

import asyncio
import secrets
import threading
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
import sqlalchemy as sql

from ludograph.server import storage as storage_module
from ludograph.server.storage import ENTRIES, SESSIONS, Database, Storage, StorageFailed

SOURCE = {"digest": "", "name": "a game", "source": 'game "\U0001f3b2";'}


def run(database: str, work: Callable[[Storage], Awaitable[None]]) -> None:
    """Do something with an open storage."""

    async def start() -> None:
        storage = Storage(Database(database))
        await storage.open()
        try:
            await work(storage)
        finally:
            await asyncio.to_thread(storage.close)

    asyncio.run(start())


def other_reader(database: str) -> sql.Engine:
    """A connection of its own, which sees only what was committed."""
    return sql.create_engine(Database(database).address)


async def new_table(storage: Storage, **more: Any) -> str:
    """The id of a new table."""
    source, table = {**SOURCE, "digest": secrets.token_hex(32)}, secrets.token_hex(13)
    await storage.add_row("sources", source)
    usual = {"created": 1, "game": "pig", "stage": "playing", "listed": False, "data": "{}"}
    await storage.add_row("tables", {"id": table, "source": source["digest"], **usual, **more})
    return table


def entry(table: str, number: int) -> dict[str, Any]:
    return {"table_id": table, "number": number, "kind": "step", "session": "", "message": "", "data": "ü"}


def test_what_was_reported_is_committed(database: str) -> None:
    async def check(storage: Storage) -> None:
        table = await new_table(storage)
        reader = other_reader(database)
        query = sql.select(sql.func.count()).select_from(ENTRIES).where(ENTRIES.c.table_id == table)
        for number in range(5):
            await storage.add_row("entries", entry(table, number))
            with reader.connect() as connection:
                assert connection.execute(query).scalar_one() == number + 1
        reader.dispose()

    run(database, check)


def test_what_waits_shares_a_commit(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []
    commit = storage_module._commit

    def counted(connection: sql.Connection, batch: Any) -> Any:
        sizes.append(len(batch))
        return commit(connection, batch)

    async def check(storage: Storage) -> None:
        table = await new_table(storage)
        blocked, release = asyncio.Event(), threading.Event()
        loop = asyncio.get_running_loop()

        def block(connection: sql.Connection) -> None:
            loop.call_soon_threadsafe(blocked.set)
            release.wait(10)

        first = storage.run(block)
        await blocked.wait()
        sizes.clear()
        waiting = [storage.add_row("entries", entry(table, number)) for number in range(40)]
        release.set()
        await asyncio.gather(first, *waiting)
        assert sizes == [40]

    monkeypatch.setattr(storage_module, "_commit", counted)
    run(database, check)


def test_a_failure_harms_nothing_else(database: str) -> None:
    async def check(storage: Storage) -> None:
        table = await new_table(storage)
        numbers = [0, 1, 1, 2, 3, 3, 4]
        futures = [storage.add_row("entries", entry(table, number)) for number in numbers]
        futures.append(storage.add_row("entries", entry("no such table", 0)))
        found = await asyncio.gather(*futures, return_exceptions=True)
        assert [isinstance(each, StorageFailed) for each in found] == [
            *(False, False, True, False, False, True, False),
            True,
        ]
        rows = await storage.find_rows("entries", {"table_id": table}, order="number")
        assert [row["number"] for row in rows] == [0, 1, 2, 3, 4]
        assert rows[0]["data"] == "ü"

    run(database, check)


def test_a_row_is_added_once(database: str) -> None:
    async def check(storage: Storage) -> None:
        table, session = await new_table(storage), secrets.token_hex(32)
        for _ in range(2):
            await storage.add_row_once("seats", {"table_id": table, "session": session})
        assert len(await storage.find_rows("seats", {"table_id": table})) == 1

    run(database, check)


def test_lists_of_tables(database: str) -> None:
    async def check(storage: Storage) -> None:
        session, game = secrets.token_hex(32), secrets.token_hex(8)
        names = {}
        for number, (stage, listed) in enumerate(
            [("waiting", True), ("waiting", False), ("over", True), ("over", False), ("over", True)]
        ):
            names[await new_table(storage, created=number, stage=stage, listed=listed, game=game)] = number
        for table in list(names)[1:3]:
            await storage.add_row("seats", {"table_id": table, "session": session})
        shown = [names[row["id"]] for row in await storage.list_tables(session, 1000) if row["id"] in names]
        assert shown == [2, 1, 0]
        assert [names[row["id"]] for row in await storage.list_archive(game, 10, 100)] == [4, 2]
        assert [names[row["id"]] for row in await storage.list_archive(game, 4, 100)] == [2]
        assert await storage.count_tables(session, ("waiting", "playing")) == 1
        assert await storage.count_tables(session, ("over",)) == 1

    run(database, check)


def test_a_changed_row(database: str) -> None:
    async def check(storage: Storage) -> None:
        digest = secrets.token_hex(32)
        await storage.add_row("sessions", {"digest": digest, "name": "", "created": 1})
        assert await storage.update_rows("sessions", {"digest": digest}, {"name": "Ada"}) == 1
        reader = other_reader(database)
        with reader.connect() as connection:
            query = sql.select(SESSIONS.c.name).where(SESSIONS.c.digest == digest)
            assert connection.execute(query).scalar_one() == "Ada"
        reader.dispose()

    run(database, check)
