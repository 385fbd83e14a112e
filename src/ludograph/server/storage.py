"""Storage: sessions, sources, tables and their entries in SQLite or PostgreSQL.

All statements run in one thread. It takes everything that waits, writes it in one transaction, and reports
after the commit, so that many tables share the cost of a commit. What was reported survives `kill -9`.
"""

import asyncio
import queue
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import sqlalchemy as sql
from msgspec import Struct
from sqlalchemy.pool import StaticPool

try:
    import fcntl
except ImportError:  # Windows has no such locks
    fcntl = None  # type: ignore[assignment]

SCHEMA = sql.MetaData()

SETTINGS = sql.Table(
    "settings",
    SCHEMA,
    sql.Column("name", sql.String(40), primary_key=True),
    sql.Column("value", sql.Text, nullable=False),
)
SESSIONS = sql.Table(
    "sessions",
    SCHEMA,
    sql.Column("digest", sql.String(64), primary_key=True),
    sql.Column("name", sql.String(80), nullable=False),
    sql.Column("created", sql.BigInteger, nullable=False),
)
SOURCES = sql.Table(
    "sources",
    SCHEMA,
    sql.Column("digest", sql.String(64), primary_key=True),
    sql.Column("name", sql.Text, nullable=False),
    sql.Column("source", sql.Text, nullable=False),
)
TABLES = sql.Table(
    "tables",
    SCHEMA,
    sql.Column("id", sql.String(26), primary_key=True),
    sql.Column("created", sql.BigInteger, nullable=False, index=True),
    sql.Column("source", sql.ForeignKey("sources.digest"), nullable=False),
    sql.Column("game", sql.String(60), nullable=False),
    sql.Column("stage", sql.String(10), nullable=False, index=True),
    sql.Column("listed", sql.Boolean, nullable=False),
    sql.Column("data", sql.Text, nullable=False),
)
"""`data` is the `StoredTable` of `server.tables` as JSON."""
SEATS = sql.Table(
    "seats",
    SCHEMA,
    sql.Column("table_id", sql.ForeignKey("tables.id"), primary_key=True),
    sql.Column("session", sql.String(64), primary_key=True, index=True),
)
"""The sessions of each table."""
ENTRIES = sql.Table(
    "entries",
    SCHEMA,
    sql.Column("table_id", sql.ForeignKey("tables.id"), primary_key=True),
    sql.Column("number", sql.Integer, primary_key=True),
    sql.Column("kind", sql.String(10), nullable=False),
    sql.Column("session", sql.String(64), nullable=False),
    sql.Column("message", sql.String(40), nullable=False),
    sql.Column("data", sql.Text, nullable=False),
)
"""What happened at a table, in order: steps of the game, and chat."""

REPLAYS = sql.Table(
    "replays",
    SCHEMA,
    sql.Column("id", sql.String(26), primary_key=True),
    sql.Column("created", sql.BigInteger, nullable=False),
    sql.Column("session", sql.String(64), nullable=False, index=True),
    sql.Column("digest", sql.String(64), nullable=False),
    sql.Column("source", sql.ForeignKey("sources.digest"), nullable=False),
    sql.Column("title", sql.String(80), nullable=False),
    sql.Column("game_title", sql.String(80), nullable=False),
    sql.Column("variations", sql.Integer, nullable=False),
    sql.Column("is_study", sql.Boolean, nullable=False),
    sql.Column("document", sql.Text, nullable=False),
    sql.Column("nodes", sql.Text, nullable=False),
)
"""Games to look at, with their variations and notes; see `server.replays.store`."""


class StorageFailed(Exception):
    """The database did not store something."""


class Database(Struct, frozen=True):
    """The address of a database."""

    url: str

    @property
    def address(self) -> str:
        """The address for SQLAlchemy; PostgreSQL is used through psycopg 3."""
        for prefix in ("postgresql://", "postgres://"):
            if self.url.startswith(prefix):
                return f"postgresql+psycopg://{self.url.removeprefix(prefix)}"
        return self.url


DatabaseRow = dict[str, Any]
Work = Callable[[sql.Connection], Any]


class Storage:
    """The thread of the database. Mutable."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._queue: queue.SimpleQueue[tuple[Work, asyncio.Future[Any]] | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None

    async def open(self) -> None:
        """Connect, and create what is missing; StorageFailed says why that is impossible."""
        loop = asyncio.get_running_loop()
        ready: asyncio.Future[Any] = loop.create_future()
        self._thread = threading.Thread(target=self._run, args=(loop, ready), name="storage", daemon=True)
        self._thread.start()
        await ready

    def close(self) -> None:
        """Finish what waits, then close."""
        if self._thread is not None:
            self._queue.put(None)
            self._thread.join()
            self._thread = None

    def run(self, work: Work) -> "asyncio.Future[Any]":
        """Do something in a transaction; the result is there after the commit."""
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._queue.put((work, future))
        return future

    # Statements

    def add_row(self, table: str, values: DatabaseRow) -> "asyncio.Future[Any]":
        """Insert a row; StorageFailed if there is one with the same key."""
        return self.run(_Insert(SCHEMA.tables[table], values))

    def add_row_once(self, table: str, values: DatabaseRow) -> "asyncio.Future[Any]":
        """Insert a row unless there is one with the same key."""
        found = SCHEMA.tables[table]

        def work(connection: sql.Connection) -> None:
            same = sql.and_(*(column == values[column.name] for column in found.primary_key))
            if connection.execute(sql.select(sql.literal(1)).select_from(found).where(same)).first() is None:
                connection.execute(found.insert(), values)

        return self.run(work)

    def update_rows(self, table: str, where: DatabaseRow, values: DatabaseRow) -> "asyncio.Future[Any]":
        found = SCHEMA.tables[table]
        return self.run(
            lambda connection: connection.execute(_where(found.update(), where).values(values)).rowcount
        )

    def find_rows(
        self, table: str, where: DatabaseRow, *, order: str = ""
    ) -> "asyncio.Future[list[DatabaseRow]]":
        found = SCHEMA.tables[table]
        query = _where(sql.select(found), where)
        return self.run(
            lambda connection: _rows(connection, query.order_by(found.c[order]) if order else query)
        )

    def list_tables(self, session: str, limit: int) -> "asyncio.Future[list[DatabaseRow]]":
        """Listed tables that wait for players, and all tables of a session; the newest first."""
        own = sql.select(SEATS.c.table_id).where(SEATS.c.session == session)
        is_open = sql.and_(TABLES.c.listed, TABLES.c.stage.in_(("waiting", "playing")))
        query = sql.select(TABLES).where(sql.or_(is_open, TABLES.c.id.in_(own)))
        query = query.order_by(TABLES.c.created.desc(), TABLES.c.id).limit(limit)
        return self.run(lambda connection: _rows(connection, query))

    def list_archive(self, game: str, before: int, limit: int) -> "asyncio.Future[list[DatabaseRow]]":
        """Listed games that are over, created before a time; the newest first."""
        query = sql.select(TABLES).where(TABLES.c.listed, TABLES.c.stage == "over", TABLES.c.created < before)
        if game:
            query = query.where(TABLES.c.game == game)
        query = query.order_by(TABLES.c.created.desc(), TABLES.c.id).limit(limit)
        return self.run(lambda connection: _rows(connection, query))

    def count_tables(self, session: str, stages: Sequence[str]) -> "asyncio.Future[int]":
        query = (
            sql.select(sql.func.count())
            .select_from(TABLES.join(SEATS))
            .where(SEATS.c.session == session, TABLES.c.stage.in_(stages))
        )
        return self.run(lambda connection: connection.execute(query).scalar_one())

    def list_replays(self, session: str, limit: int) -> "asyncio.Future[list[DatabaseRow]]":
        """The replays of a session without their games, the newest first."""
        shown = [REPLAYS.c[name] for name in ("id", "title", "game_title", "created", "variations")]
        query = sql.select(*shown).where(REPLAYS.c.session == session)
        query = query.order_by(REPLAYS.c.created.desc(), REPLAYS.c.id).limit(limit)
        return self.run(lambda connection: _rows(connection, query))

    def count_rows(self, table: str, where: DatabaseRow) -> "asyncio.Future[int]":
        query = _where(sql.select(sql.func.count()).select_from(SCHEMA.tables[table]), where)
        return self.run(lambda connection: connection.execute(query).scalar_one())

    def delete_rows(self, table: str, where: DatabaseRow) -> "asyncio.Future[Any]":
        statement = _where(SCHEMA.tables[table].delete(), where)
        return self.run(lambda connection: connection.execute(statement).rowcount)

    # The thread

    def _run(self, loop: asyncio.AbstractEventLoop, ready: "asyncio.Future[Any]") -> None:
        with ExitStack() as locks:
            self._serve(loop, ready, locks)

    def _serve(self, loop: asyncio.AbstractEventLoop, ready: "asyncio.Future[Any]", locks: ExitStack) -> None:
        try:
            _lock_file(self._database, locks)
            engine = _connect(self._database)
            SCHEMA.create_all(engine)
            connection = engine.connect()
        except (sql.exc.SQLAlchemyError, ImportError, OSError) as error:
            reason = str(error).partition("\n")[0]
            failure = StorageFailed(f"the database {self._shown_address()} cannot be used: {reason}")
            loop.call_soon_threadsafe(_report, [(ready, failure, True)])
            return
        loop.call_soon_threadsafe(_report, [(ready, None, False)])
        is_open = True
        while is_open:
            batch = [self._queue.get()]
            while len(batch) < MAX_BATCH and not self._queue.empty():
                batch.append(self._queue.get())
            is_open = None not in batch
            found = _commit(connection, [each for each in batch if each is not None])
            if found:
                try:
                    loop.call_soon_threadsafe(_report, found)
                except RuntimeError:  # the loop is closed
                    break
        connection.close()
        engine.dispose()

    def _shown_address(self) -> str:
        return sql.make_url(self._database.address).render_as_string(hide_password=True)


MAX_BATCH = 500


def _where(statement: Any, where: DatabaseRow) -> Any:
    table = statement.get_final_froms()[0] if isinstance(statement, sql.Select) else statement.table
    return statement.where(*(table.c[name] == value for name, value in where.items()))


def _rows(connection: sql.Connection, query: Any) -> list[DatabaseRow]:
    return [dict(row) for row in connection.execute(query).mappings()]


class _Insert:
    """The insertion of a row; several in a row become one statement."""

    def __init__(self, table: sql.Table, values: dict[str, Any]) -> None:
        self.table = table
        self.values = values

    def __call__(self, connection: sql.Connection) -> None:
        connection.execute(self.table.insert(), [self.values])


Report = tuple["asyncio.Future[Any]", Any, bool]


def _commit(connection: sql.Connection, batch: Sequence[tuple[Work, "asyncio.Future[Any]"]]) -> list[Report]:
    """Do everything in one transaction; if something fails, each thing in its own."""
    try:
        found: list[Report] = []
        position = 0
        while position < len(batch):
            work, future = batch[position]
            if isinstance(work, _Insert):
                end = position
                rows = []
                while end < len(batch):
                    other = batch[end][0]
                    if not isinstance(other, _Insert) or other.table is not work.table:
                        break
                    rows.append(other.values)
                    end += 1
                connection.execute(work.table.insert(), rows)
                found += [(each, None, False) for _, each in batch[position:end]]
                position = end
            else:
                found.append((future, work(connection), False))
                position += 1
        connection.commit()
        return found
    except Exception as error:
        connection.rollback()
        if len(batch) == 1:
            return [(batch[0][1], StorageFailed(str(error).partition("\n")[0]), True)]
        return [report for each in batch for report in _commit(connection, [each])]


def _report(found: Sequence[Report]) -> None:
    for future, value, is_failure in found:
        if not future.done():
            if is_failure:
                future.set_exception(value)
            else:
                future.set_result(value)


def _connect(database: Database) -> sql.Engine:
    address = sql.make_url(database.address)
    if address.get_backend_name() != "sqlite":
        engine = sql.create_engine(address, pool_size=1, max_overflow=1, pool_pre_ping=True)
        if address.get_backend_name() == "postgresql":
            sql.event.listen(engine, "connect", _lock_database)
        return engine
    engine = sql.create_engine(
        address, poolclass=StaticPool, connect_args={"check_same_thread": False, "timeout": 30}
    )
    with engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA journal_mode=WAL")
        connection.exec_driver_sql("PRAGMA synchronous=NORMAL")
        connection.exec_driver_sql("PRAGMA foreign_keys=ON")
        connection.commit()
    return engine


LOCK = 0x6C75646F67726170
"""The number of the lock that a server has on a database of PostgreSQL."""
LOCK_SECONDS = 5.0
"""PostgreSQL notices after a moment that a server has ended."""


def _lock_database(connection: Any, record: object) -> None:
    """Make sure that no other server uses a database of PostgreSQL, as long as the connection lasts."""
    deadline = time.monotonic() + LOCK_SECONDS
    while True:
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT pg_try_advisory_lock({LOCK})")
            is_locked = cursor.fetchone()[0]
        connection.commit()
        if is_locked:
            return
        if time.monotonic() > deadline:
            raise OSError("another server uses it")
        time.sleep(0.05)


def _lock_file(database: Database, locks: ExitStack) -> None:
    """Make sure that no other server uses a file; each would think that it knows all tables."""
    address = sql.make_url(database.address)
    name = address.database if address.get_backend_name() == "sqlite" else None
    if fcntl is None or not name or name == ":memory:":
        return
    lock = locks.enter_context(Path(f"{name}.lock").open("ab"))  # noqa: SIM115
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise OSError("another server uses it") from None
