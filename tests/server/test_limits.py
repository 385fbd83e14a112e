"""Limits: whoever exceeds one gets an error or is disconnected, and the server goes on."""

import asyncio
import itertools
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import pytest
import uvicorn
from msgspec.structs import replace
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from ludograph.client import Client, RefusedByServer, RequestFailed
from ludograph.protocol.tables import NewSeat, NewTable
from ludograph.server import lobby
from ludograph.server.app import ServerSettings, _Connection, create_app, server_config
from ludograph.server.hosts import HostFailed
from ludograph.server.limits import Limits, limits_for_rate
from ludograph.server.table_game import GameSetup
from ludograph.server.workers.processes import ProcessHost, WorkerProcess
from ludograph.server.workers.requests import CheckSource, OpenGame
from tests.server.test_security import ENDLESS

MANY = limits_for_rate(10_000)
HOT_SEAT = NewTable(game="tic-tac-toe", seats=(NewSeat("me"), NewSeat("me")))


class _Server(uvicorn.Server):
    """A server in a thread of this process."""

    def port(self) -> int:
        while not self.started:
            time.sleep(0.01)
        return int(self.servers[0].sockets[0].getsockname()[1])


@contextmanager
def server_with(**limits: Any) -> Iterator[str]:
    """The address of a server with other limits."""
    settings = ServerSettings("sqlite://", limits=replace(MANY, **limits))
    server = _Server(server_config(create_app(settings), "127.0.0.1", 0))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.port()}"
    finally:
        server.should_exit = True
        thread.join(20)


def socket_of(address: str, table: str, client: Client | None = None) -> ClientConnection:
    headers = client.headers() if client is not None else {}
    path = f"ws{address.removeprefix('http')}/api/tables/{table}/socket"
    return connect(path, additional_headers=headers, proxy=None, compression=None)


def test_a_silent_socket_is_closed() -> None:
    with server_with(silent_seconds=0.3) as address:
        own = Client(address).create_table(HOT_SEAT)
        with socket_of(address, own.table.id) as found:
            assert "welcome" in str(found.recv(20))
            with pytest.raises(ConnectionClosed) as closed:
                found.recv(20)
        assert closed.value.rcvd is not None and "no message for too long" in closed.value.rcvd.reason


def test_who_does_not_read_is_disconnected_and_others_are_not() -> None:
    with server_with(outbox_bytes=20_000) as address:
        client = Client(address)
        own = client.create_table(HOT_SEAT)
        with client.join(own.table.id, 0) as reader, socket_of(address, own.table.id, client) as lazy:
            lazy.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            with pytest.raises(ConnectionClosed):
                send_forever(lazy)
            reader.ping()


def send_forever(found: ClientConnection) -> None:
    """Send messages with long answers without reading any of them."""
    for number in itertools.count():
        found.send(json.dumps({"type": "why", "id": f"{number}", "seat": 0, "text": "x" * 3000}))


def test_a_session_has_only_so_many_sockets_and_tables() -> None:
    with server_with(sockets_per_session=2, tables_per_session=1) as address:
        client = Client(address)
        own = client.create_table(HOT_SEAT)
        with pytest.raises(RequestFailed) as failed:
            client.create_table(HOT_SEAT)
        assert (failed.value.status, failed.value.code) == (429, "limit")
        with socket_of(address, own.table.id, client), socket_of(address, own.table.id, client):
            with pytest.raises((InvalidStatus, ConnectionClosed)):
                socket_of(address, own.table.id, client).recv(10)
            Client(address).create_table(HOT_SEAT)


def test_tables_that_nobody_looks_at_make_room_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    with server_with(tables=2) as address:
        client = Client(address)
        first, second = (client.create_table(HOT_SEAT).table.id for _ in range(2))
        with pytest.raises(RequestFailed) as failed:
            client.create_table(HOT_SEAT)  # somebody may arrive at the others yet
        assert failed.value.status == 429
        monkeypatch.setattr(lobby, "ARRIVAL_SECONDS", 0.0)
        with client.join(first, 0) as seat:
            seat.play("grid[1][1].mark")
            third = client.create_table(HOT_SEAT).table.id
            with client.join(third), pytest.raises(RequestFailed):
                client.create_table(HOT_SEAT)
        with client.join(second, 0) as seat:
            seat.play("grid[1][1].mark")


def test_a_table_stores_only_so_much() -> None:
    with server_with(table_entries=6) as address:
        client = Client(address)
        own = client.create_table(HOT_SEAT)
        with client.join(own.table.id, 0) as first, client.join(own.table.id, 1) as second:
            for number in range(3):
                first.say(f"line {number}")
            with pytest.raises(RefusedByServer, match="too much was said"):
                first.say("more")
            first.play("grid[0][0].mark")
            second.play("grid[1][1].mark")
            first.play("grid[0][1].mark")
            with pytest.raises(RefusedByServer, match="too long"):
                second.play("grid[2][2].mark")


def test_too_many_requests_are_refused() -> None:
    with server_with(request_burst=3, requests_per_second=0.001) as address:
        client = Client(address)
        for _ in range(3):
            client.rename("Ada")
        with pytest.raises(RequestFailed) as failed:
            client.rename("Ada")
        assert failed.value.status == 429
        client.games()  # reading has its own limit


def test_a_body_that_is_too_large_or_too_slow_is_refused() -> None:
    with server_with(body_bytes=1000, body_seconds=0.3) as address:
        with pytest.raises(RequestFailed) as failed:
            Client(address).check("x" * 2000)
        assert failed.value.status == 413
        place = urlsplit(address)
        with socket.create_connection((place.hostname or "", place.port or 0), timeout=20) as slow:
            head = "POST /api/session HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            slow.sendall(f"{head}Content-Length: 900\r\n\r\n{{".encode())
            assert b"400" in slow.recv(200).split(b"\r\n")[0]


def test_a_long_message_is_refused() -> None:
    with server_with() as address:
        own = Client(address).create_table(HOT_SEAT)
        with socket_of(address, own.table.id) as found:
            assert "welcome" in str(found.recv(20))
            found.send(json.dumps({"type": "ping", "id": "1", "more": "x" * 20_000}))
            assert '"malformed"' in str(found.recv(20))
            found.send("x" * 100_000)
            with pytest.raises(ConnectionClosed):  # so much is not even read
                found.recv(20)


# Uploaded games


def failure_of(limits: Limits, work: Callable[[WorkerProcess], Any]) -> str:
    async def start() -> str:
        process = WorkerProcess(limits, is_trusted=False)
        try:
            with pytest.raises(HostFailed) as failed:
                await work(process)
            assert not process.is_running
            return str(failed.value)
        finally:
            await process.close()

    return asyncio.run(start())


def test_an_uploaded_game_that_answers_too_much_is_killed() -> None:
    limits = Limits(upload_reply_bytes=50)
    assert "writes too much" in failure_of(limits, lambda process: process.ask(CheckSource("game"), 30))


def test_an_uploaded_game_that_uses_up_its_processor_time_ends() -> None:
    limits = Limits(upload_cpu_seconds=2, upload_step_seconds=60)
    setup = GameSetup(2, {}, None, "00" * 32)
    text = ENDLESS.replace("trigger on player choice;", "trigger on game start;")
    text = text.replace("pass;", "")

    async def work(process: WorkerProcess) -> None:
        await ProcessHost(process, limits).open(OpenGame(text, setup))

    assert "used up its time or memory" in failure_of(limits, work)


# A message that is being done


class _SlowTable:
    """A table that needs a while for a message. Mutable."""

    def __init__(self) -> None:
        self.begun = asyncio.Event()
        self.goes_on = asyncio.Event()
        self.is_done = False

    async def receive(self, connection: object, message: object) -> None:
        self.begun.set()
        await self.goes_on.wait()
        self.is_done = True


class _BrokenSocket:
    """A socket whose other side goes away after one message."""

    def __init__(self) -> None:
        self.received = [{"type": "websocket.receive", "text": '{"type":"ping","id":"1"}'}]

    async def receive(self) -> dict[str, str]:
        if self.received:
            return self.received.pop()
        await asyncio.sleep(1000)
        return {}

    async def send(self, message: object) -> None:
        raise OSError("gone")

    async def close(self, code: int, reason: str) -> None:
        """Nobody is there."""


def test_a_message_is_done_completely_if_the_socket_breaks_meanwhile() -> None:
    async def check() -> None:
        table, broken = _SlowTable(), _BrokenSocket()
        connection = _Connection(broken, "", Limits())  # type: ignore[arg-type]
        running = asyncio.create_task(connection.run(table))  # type: ignore[arg-type]
        await table.begun.wait()
        connection.send("an event")
        for _ in range(10):
            await asyncio.sleep(0)
        assert not running.done()
        table.goes_on.set()
        await asyncio.wait_for(running, 20)
        assert table.is_done

    asyncio.run(check())
