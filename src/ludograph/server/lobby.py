"""The lobby: sessions and all tables of the server, from requests and the database.

A session is a random secret in a cookie; the database has only its digest. A session may sit at seats.
"""

import asyncio
import secrets
import time
from collections import OrderedDict
from collections.abc import Coroutine
from hashlib import sha256

from msgspec import Struct
from msgspec.structs import replace

from ludograph.games import Game
from ludograph.play import RulesWrong
from ludograph.protocol.replays import OpenedReplay
from ludograph.protocol.tables import (
    BotLevel,
    BotList,
    CheckedSource,
    GameDetails,
    NewSeat,
    NewTable,
    OwnTable,
    SeatLink,
    TableList,
    TableRecord,
    TakeSeat,
)
from ludograph.server.bot_levels import BOT_LEVELS, DEFAULT_LEVEL
from ludograph.server.bots import BotPool
from ludograph.server.hosts import GameHost, HostBusy, HostFailed
from ludograph.server.limits import Limits
from ludograph.server.local_hosts import LocalHost, TrustedSource, restore_game
from ludograph.server.process.garbage import Garbage
from ludograph.server.records import TableStore
from ludograph.server.refusals import RequestRefused
from ludograph.server.replays.documents import RECORD, WantedText
from ludograph.server.replays.studies import Studies
from ludograph.server.rules import RuleBook
from ludograph.server.stored_tables import (
    GUEST,
    StoredEntry,
    StoredSeat,
    StoredTable,
    digest_of,
    new_table_id,
)
from ludograph.server.table_game import SPECTATOR, GameSetup, GameStanding, StepRefused, TableGame
from ludograph.server.tables import Table
from ludograph.server.workers.processes import ProcessHost, WorkerProcess, try_uploaded
from ludograph.server.workers.requests import OpenGame

NO_SECRET = "00" * 32
"""The secret of a game that is only tried."""
SWEPT_AT_ONCE = 50
MAX_NAMES = 100_000
ARRIVAL_SECONDS = 10.0
"""Somebody may arrive so long after a table was loaded."""


class Lobby:
    """All tables and sessions. Mutable."""

    def __init__(self, store: TableStore, limits: Limits) -> None:
        self.store = store
        self.limits = limits
        self.rules = RuleBook()
        self.bots = BotPool(limits)
        self.studies = Studies(store.storage, limits)
        self._tables: dict[str, Table] = {}
        self._loading: dict[str, asyncio.Lock] = {}
        self._names: OrderedDict[str, str] = OrderedDict()
        """The names of the sessions that were seen last."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._checks = asyncio.Semaphore(limits.upload_checks)
        self._garbage = Garbage(time.monotonic())

    # Sessions

    async def new_session(self) -> tuple[str, str]:
        """A new session: its secret for the cookie, and its digest."""
        token = secrets.token_urlsafe(32)
        digest = session_digest(token)
        await self.store.add_session(digest, int(time.time()))
        self._remember_name(digest, "")
        return token, digest

    async def find_session(self, token: str) -> str | None:
        """The digest of a session that exists."""
        if not 20 <= len(token) <= 100:
            return None
        digest = session_digest(token)
        if digest not in self._names:
            name = await self.store.session_name(digest)
            if name is None:
                return None
            self._remember_name(digest, name)
        self._names.move_to_end(digest)
        return digest

    def _remember_name(self, session: str, name: str) -> None:
        self._names[session] = name
        if len(self._names) > MAX_NAMES:
            self._names.popitem(last=False)

    def name_of(self, session: str) -> str:
        return self._names.get(session, "")

    async def rename(self, session: str, name: str) -> None:
        await self.store.rename_session(session, name)
        self._remember_name(session, name)

    # Tables

    async def find_table(self, table_id: str) -> Table | None:
        """A table, from memory or the database; None if there is none."""
        found = self._tables.get(table_id)
        if found is not None:
            found.idle_since = time.monotonic()  # it stays until somebody can arrive
            return found
        async with self._loading.setdefault(table_id, asyncio.Lock()):
            try:
                if table_id in self._tables:
                    return self._tables[table_id]
                loaded = await self.store.load_table(table_id)
                if loaded is None:
                    return None
                await self._make_room_for_table()
                stored, entries = loaded
                table = Table(stored, entries, self)
                if stored.stage in ("playing", "over"):
                    async with table.lock:
                        await table.start()
                self._tables[table_id] = table
                return table
            finally:
                self._loading.pop(table_id, None)

    async def create_table(self, session: str, wanted: NewTable) -> OwnTable:
        """Create a table as a session wants it."""
        if bool(wanted.game) == bool(wanted.source):
            raise RequestRefused(422, "invalid", "name a shipped game or give the source of a game, not both")
        if await self.store.count_open_tables(session) >= self.limits.tables_per_session:
            raise RequestRefused(429, "limit", "you have too many tables; finish or leave some of them")
        await self._make_room_for_table()
        source = await self._find_rules(session, wanted)
        players = wanted.players or len(wanted.seats) or source.details.players[0]
        setup = GameSetup(players, wanted.options, wanted.setup, NO_SECRET)
        await self._try_setup(source, setup)
        seats = self._make_seats(session, wanted, players)
        title = source.details.title
        stored = StoredTable(
            new_table_id(),
            int(time.time()),
            session,
            wanted.title or f"{title} of {self.name_of(session) or 'a guest'}",
            source.details.name,
            title,
            source.digest,
            source.details.rules,
            players,
            wanted.options,
            wanted.setup,
            seats,
            secrets.token_hex(32),
            "waiting",
            wanted.listed,
            wanted.spectators,
            wanted.chat,
            wanted.takeover_seconds,
        )
        await self.store.add_table(stored, title, source.text)
        table = self._tables[stored.id] = Table(stored, (), self)
        async with table.lock:
            await table.change(stored)
        return self.own_table(table, session)

    async def _find_rules(self, session: str, wanted: NewTable) -> "_WantedRules":
        """The rules of a new table: those of a shipped game, or uploaded ones that are checked."""
        if wanted.game:
            shipped = await self.rules.shipped(wanted.game)
            if shipped is None:
                raise RequestRefused(404, "unknown", f"there is no game {wanted.game!r}")
            return _WantedRules(shipped.details, shipped.digest, shipped.source, shipped.game)
        self._check_uploads(session)
        checked = await self.check_source(wanted.source)
        if checked.game is None:
            first = next((each for each in checked.problems if each.severity == "error"), checked.problems[0])
            raise RequestRefused(422, "source", f"line {first.line}: {first.message} ({first.code})")
        return _WantedRules(checked.game, digest_of(wanted.source), wanted.source, None)

    async def check_source(self, source: str) -> CheckedSource:
        """Check a source in a process of its own; not many at the same time."""
        if self._checks.locked():
            raise RequestRefused(429, "limit", "too many games are checked now; try again")
        async with self._checks:
            try:
                return await try_uploaded(source, None, self.limits)
            except HostFailed as error:
                raise RequestRefused(422, "source", f"the game cannot be checked: {error}") from None

    async def _try_setup(self, rules: "_WantedRules", setup: GameSetup) -> None:
        """Begin the game once, to find out whether it can begin like this."""
        try:
            if rules.game is not None:
                await asyncio.to_thread(TableGame, rules.game, setup)
            else:
                async with self._checks:
                    await try_uploaded(rules.text, setup, self.limits)
        except (ValueError, RulesWrong, HostFailed) as error:
            raise RequestRefused(422, "invalid", str(error).partition("\n")[0]) from None

    def _check_uploads(self, session: str) -> None:
        own = sum(
            not table.stored.game and table.stored.creator == session and table.host is not None
            for table in self._tables.values()
        )
        if own >= self.limits.uploads_per_session:
            raise RequestRefused(429, "limit", "you have too many tables with uploaded games")

    def _make_seats(self, session: str, wanted: NewTable, players: int) -> tuple[StoredSeat, ...]:
        given = wanted.seats or (NewSeat("me"), *(NewSeat("open") for _ in range(players - 1)))
        if len(given) != players:
            raise RequestRefused(
                422, "invalid", f"the game has {players} players, and {len(given)} seats are given"
            )
        own_name = self.name_of(session) or GUEST
        seats = []
        for number, seat in enumerate(given):
            match seat.kind:
                case "me":
                    entropy = wanted.entropy or ""
                    seats.append(StoredSeat("person", session, seat.name or own_name, entropy=entropy))
                case "open":
                    seats.append(StoredSeat("open"))
                case "invited":
                    seats.append(StoredSeat("open", name=seat.name, key=secrets.token_urlsafe(18)))
                case "bot":
                    level = seat.bot or DEFAULT_LEVEL
                    if level not in {each.name for each in BOT_LEVELS}:
                        names = ", ".join(each.name for each in BOT_LEVELS)
                        raise RequestRefused(422, "invalid", f"there is no bot {level!r}, only {names}")
                    seats.append(StoredSeat("bot", name=seat.name or f"bot {number + 1}", bot=level))
        return tuple(seats)

    def own_table(self, table: Table, session: str) -> OwnTable:
        """A table with what a session may know of it."""
        links = tuple(
            SeatLink(number, seat.key, f"/table.html#id={table.stored.id}&key={seat.key}")
            for number, seat in enumerate(table.stored.seats)
            if seat.key and seat.kind == "open" and table.stored.creator == session
        )
        return OwnTable(table.status(), table.stored.seats_of(session), links)

    async def take_seat(self, table: Table, session: str, wanted: TakeSeat) -> OwnTable:
        async with table.lock:
            stored = table.stored
            if stored.stage != "waiting":
                raise RequestRefused(409, "stage", "the game has begun")
            number = self._find_free_seat(stored, wanted)
            seat = stored.seats[number]
            name = wanted.name or self.name_of(session) or seat.name or GUEST
            seats = list(stored.seats)
            seats[number] = replace(
                seat, kind="person", session=session, name=name, entropy=wanted.entropy or ""
            )
            await self.store.add_player(stored.id, session)
            await table.change(replace(stored, seats=tuple(seats)))
        return self.own_table(table, session)

    def _find_free_seat(self, stored: StoredTable, wanted: TakeSeat) -> int:
        for number, seat in enumerate(stored.seats):
            if seat.kind != "open" or wanted.seat not in (None, number):
                continue
            if seat.key:
                is_allowed = bool(wanted.key) and secrets.compare_digest(
                    seat.key.encode(), wanted.key.encode()
                )
            else:
                is_allowed = not wanted.key
            if is_allowed:
                return number
        raise RequestRefused(409, "taken", "this seat is not free, or it needs its link")

    async def leave_seat(self, table: Table, session: str, number: int) -> OwnTable:
        async with table.lock:
            stored = table.stored
            if number not in stored.seats_of(session):
                raise RequestRefused(403, "forbidden", "this is not your seat")
            seats = list(stored.seats)
            if stored.stage == "waiting":
                seats[number] = StoredSeat("open", key=seats[number].key)
            else:
                seats[number] = replace(seats[number], kind="bot", session="", bot=DEFAULT_LEVEL)
            await table.change(replace(stored, seats=tuple(seats)))
            table.wake_bots()
        return self.own_table(table, session)

    async def list_tables(self, session: str | None) -> TableList:
        """The listed tables that wait for players, and the tables of a session."""
        found = await self.store.list_tables(session or "")
        shown = []
        for stored in found:
            table = self._tables.get(stored.id)
            if table is None:
                shown.append(OwnTable(stored.status(frozenset()), stored.seats_of(session or "")))
            else:
                shown.append(self.own_table(table, session or ""))
        return TableList(tuple(shown))

    async def list_archive(self, game: str, before: int) -> TableList:
        """Listed games that are over, the last ones first."""
        found = await self.store.list_archive(game, before)
        return TableList(tuple(OwnTable(stored.status(frozenset()), ()) for stored in found))

    async def write_record(self, table: Table, session: str, seat: int | None) -> TableRecord:
        """The record of a table as a session may read it; after the game, everything."""
        stored = table.stored
        if seat is not None and seat not in stored.seats_of(session):
            raise RequestRefused(403, "forbidden", "this is not your seat")
        if not stored.may_watch(session):
            raise RequestRefused(404, "unknown", "there is no such table")
        async with table.lock:
            if table.host is None:
                raise RequestRefused(409, "stage", "the game has not begun, or it has stopped")
            is_complete = stored.stage == "over"
            viewer = None if is_complete else SPECTATOR if seat is None else seat
            try:
                text = await table.host.record(viewer)
            except HostFailed as error:
                raise RequestRefused(409, "stage", str(error)) from None
        return TableRecord(text, is_complete, await self.store.load_source(stored.source))

    async def replay_table(self, table_id: str, session: str, title: str) -> OpenedReplay:
        """Open the replay of a table whose game is over; before its end, secrets could be read from it."""
        table = await self.find_table(table_id)
        if table is None or not table.stored.may_watch(session):
            raise RequestRefused(404, "unknown", "there is no such table")
        stored = table.stored
        if stored.stage != "over":
            raise RequestRefused(409, "stage", "a game can be replayed when it is over")
        found = await self.write_record(table, session, None)
        text = WantedText(found.record, notation=RECORD, game=stored.game, source=found.source)
        names = tuple(seat.name for seat in stored.seats)
        return await self.studies.open_record(session, text, title or stored.title, names)

    def list_bots(self) -> BotList:
        return BotList(tuple(BotLevel(each.name, each.description) for each in BOT_LEVELS))

    # Services of tables

    async def open_host(self, table: StoredTable) -> tuple[GameHost, GameStanding]:
        text = await self.store.load_source(table.source)
        steps = await self.store.load_steps(table.id)
        if not table.game:
            await self._make_room(table.id)
            host = ProcessHost(WorkerProcess(self.limits, is_trusted=False), self.limits)
            try:
                opened = await host.open(OpenGame(text, table.game_setup(), tuple(steps)))
            except (HostFailed, StepRefused) as error:
                await host.close()
                raise HostFailed(str(error)) from None
            return host, opened.standing
        game = await self.rules.trusted(table.game, table.source, text)
        try:
            restored = await asyncio.to_thread(restore_game, game, table.game, table.game_setup(), steps)
        except (StepRefused, ValueError, RulesWrong) as error:
            raise HostFailed(f"the stored game cannot go on: {error}") from None
        return LocalHost(
            restored, self.bots, TrustedSource(table.game, table.source, text)
        ), restored.standing()

    async def _make_room_for_table(self) -> None:
        """If there are too many tables in memory, unload those that nobody has looked at for long."""
        if len(self._tables) < self.limits.tables:
            return
        latest = time.monotonic() - ARRIVAL_SECONDS
        idle = sorted(
            (table.idle_since, key)
            for key, table in self._tables.items()
            if table.is_idle and table.idle_since < latest
        )
        for _, key in idle[: 1 + self.limits.tables // 10]:
            await self._unload(key)
        if len(self._tables) >= self.limits.tables:
            raise RequestRefused(429, "limit", "too many tables are open now; try again later")

    async def _unload(self, key: str) -> None:
        table = self._tables.pop(key)
        await table.close()
        self._garbage.note_closed()

    async def _make_room(self, table_id: str) -> None:
        """Unload tables with uploaded games that nobody looks at; HostBusy if there are too many others."""
        running = [
            (key, table)
            for key, table in self._tables.items()
            if key != table_id and not table.stored.game and table.host is not None
        ]
        too_many = len(running) + 1 - self.limits.upload_tables
        for key, table in running:
            if too_many > 0 and table.is_idle:
                await self._unload(key)
                too_many -= 1
        if too_many > 0:
            raise HostBusy

    async def save_table(self, table: StoredTable) -> None:
        await self.store.save_table(table)

    async def save_entry(self, table: str, entry: StoredEntry) -> None:
        await self.store.add_entry(table, entry)

    def keep_task(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # The life of the server

    async def sweep_forever(self, seconds: float = 5.0) -> None:
        """What time brings, until the server ends."""
        while True:
            await asyncio.sleep(seconds)
            now = time.monotonic()
            for number, (table_id, table) in enumerate(list(self._tables.items())):
                await table.sweep()
                if table.is_idle and now - table.idle_since > self.limits.idle_seconds:
                    await self._unload(table_id)
                if number % SWEPT_AT_ONCE == 0:
                    await asyncio.sleep(0)  # the others do not wait for all of them
            last_move = max((table.waiting_since for table in self._tables.values()), default=0.0)
            if self._garbage.should_search(now, len(self._tables), last_move):
                self._garbage.search(now)

    async def close(self) -> None:
        for task in list(self._tasks):
            task.cancel()
        for table in list(self._tables.values()):
            await table.close()
        await self.bots.close()
        await self.studies.close()


class _WantedRules(Struct, frozen=True):
    """The rules of a new table."""

    details: GameDetails
    digest: str
    text: str
    game: Game | None
    """Of a shipped game."""


def session_digest(token: str) -> str:
    return sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
