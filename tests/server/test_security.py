"""Hostile clients and hostile uploads: they get an error, and nobody else notices."""

import asyncio
import http.client
import time
from urllib.parse import urlsplit

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from ludograph.client import Client, RefusedByServer, RequestFailed
from ludograph.protocol.tables import NewSeat, NewTable
from ludograph.server.hosts import HostFailed
from ludograph.server.limits import Limits
from ludograph.server.workers.processes import WorkerProcess
from ludograph.server.workers.requests import CheckSource
from tests.server.servers import RunningServer, running_server

WIDE = 'game "Wide"; ' + "".join(f"enum e{number} {{ a{number} }} " for number in range(9_000))
HOT_SEAT = NewTable(game="tic-tac-toe", seats=(NewSeat("me"), NewSeat("me")))
ENDLESS = """game "Endless";
global state race
{
  decimal count = 0;
  verb busy(decimal n) returns decimal { if n <= 0 { return 1; } return busy(n - 1) + busy(n - 1); }
  action add
  {
    trigger on player choice;
    effect { count = busy(60); pass; }
  }
}
"""


def request(
    server: RunningServer, method: str, path: str, body: str = "", **headers: str
) -> tuple[int, dict[str, str]]:
    """The status and the headers of an answer."""
    connection = http.client.HTTPConnection(urlsplit(server.address).netloc, timeout=30)
    try:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, body or None, named)
        answer = connection.getresponse()
        answer.read()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}
    finally:
        connection.close()


def test_requests_of_other_sites_are_refused(server: RunningServer) -> None:
    json, own = "application/json", server.address
    for origin, status in (("http://evil.example", 403), ("null", 403), (own, 200)):
        found, _ = request(server, "POST", "/api/session", '{"name":"A"}', Content_Type=json, Origin=origin)
        assert found == status
    assert request(server, "POST", "/api/session", '{"name":"A"}', Content_Type="text/plain")[0] == 415
    assert request(server, "GET", "/", Host="evil.example")[0] == 400


def test_every_answer_has_the_security_headers(server: RunningServer) -> None:
    for path in ("/", "/api/games", "/api/nothing", "/nothing", "/api/openapi.json"):
        _, headers = request(server, "GET", path)
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
    status, headers = request(server, "POST", "/api/session", '{"name":"A"}', Content_Type="application/json")
    assert status == 200
    assert {"httponly", "samesite=lax"} <= {part.strip().lower() for part in headers["set-cookie"].split(";")}


@pytest.mark.parametrize("path", ["/../app.py", "/%2e%2e/app.py", "//etc/passwd", "/pages/../app.py"])
def test_only_pages_are_served(path: str, server: RunningServer) -> None:
    assert request(server, "GET", path)[0] in (400, 404)


def test_sockets_of_other_sites_are_refused(server: RunningServer) -> None:
    own = Client(server.address).create_table(HOT_SEAT)
    address = f"ws{server.address.removeprefix('http')}/api/tables/{own.table.id}/socket"
    with pytest.raises(InvalidStatus), connect(address, origin="http://evil.example", proxy=None):  # type: ignore[call-overload]
        pass
    with pytest.raises(InvalidStatus), connect(f"{address[:-10]}xx/socket", proxy=None):
        pass


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{",
        "null",
        '{"type":"open"}',
        '{"type":"open","id":"1","more":1}',
        '{"type":"x","id":"7"}',
        "[" * 9000,
    ],
)
def test_a_wrong_message_is_refused_and_the_socket_stays_open(text: str, server: RunningServer) -> None:
    own = Client(server.address).create_table(HOT_SEAT)
    address = f"ws{server.address.removeprefix('http')}/api/tables/{own.table.id}/socket"
    with connect(address, proxy=None) as socket:
        assert '"welcome"' in str(socket.recv(10))
        socket.send(text)
        answer = str(socket.recv(10))
        assert '"malformed"' in answer
        socket.send('{"type":"ping","id":"p"}')
        assert '"pong"' in str(socket.recv(10))


def test_a_client_that_sends_too_much_is_disconnected() -> None:
    with running_server("sqlite://") as server:
        own = Client(server.address).create_table(HOT_SEAT)
        address = f"ws{server.address.removeprefix('http')}/api/tables/{own.table.id}/socket"
        with connect(address, proxy=None) as socket, pytest.raises(ConnectionClosed):
            send_pings(socket, 100_000)


def send_pings(socket: ClientConnection, count: int) -> None:
    for number in range(count):
        socket.send(f'{{"type":"ping","id":"{number}"}}')
        socket.recv(10)


def test_a_hostile_upload_costs_its_author_an_error_and_nobody_else_anything(server: RunningServer) -> None:
    client, other = Client(server.address), Client(server.address)
    deep = 'game "Deep"; setup { win ' + "(" * 50_000 + "1" + ")" * 50_000 + "; }"
    for source in (deep, "\x00", "game", 'game "A"; ' + "x" * 150_000):
        with pytest.raises(RequestFailed) as failed:
            client.create_table(NewTable(source=source))
        assert failed.value.status == 422
    own = client.create_table(NewTable(source=ENDLESS, seats=(NewSeat("me"), NewSeat("me"))))
    start = time.monotonic()
    assert other.create_table(HOT_SEAT).seats == (0, 1)
    with client.join(own.table.id, 0) as seat:
        with pytest.raises(RefusedByServer) as refused:
            seat.play("race.add")
        assert refused.value.code in ("fault", "unavailable")
        seat.ping()
    assert time.monotonic() - start < 20


def test_a_process_that_is_too_slow_is_killed() -> None:
    async def check() -> None:
        limits = Limits(upload_seconds=0.05)
        process = WorkerProcess(limits, is_trusted=False)
        with pytest.raises(HostFailed, match=r"more than 0\.05 seconds"):
            await process.ask(CheckSource('game "Slow";'), limits.upload_seconds)
        assert not process.is_running

    asyncio.run(check())


def test_a_process_with_too_little_memory_fails_alone() -> None:
    async def check() -> object:
        process = WorkerProcess(Limits(upload_memory_bytes=40_000_000), is_trusted=False)
        try:
            return await process.ask(CheckSource(WIDE), 20)
        except HostFailed as failure:
            return failure
        finally:
            await process.close()

    assert "memory" in str(asyncio.run(check()))
