"""The server under load against a bare echo server on the same stack: messages per second, and latency.

    python3 dev.py bench server        # or: python -m benchmarks.server [--tables N] [--seconds S] [--json]

Each table has two players and two spectators, so 500 tables have 2,000 sockets. The players play long random
games of Connect Four as fast as the server answers; every move is stored in SQLite before its
acknowledgement. The echo server sends messages of the same size back on as many sockets. Servers and clients
run in processes of their own on the loopback interface. Counted are the messages that the server sends.

Latency is measured at half of that load. Each table has a timetable for its moves; a move that is late
because the one before it is not acknowledged yet is measured from the time at which it was due. The
processor time per message says more than the messages per second if the computer has other work.
"""

import argparse
import asyncio
import dataclasses
import itertools
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from websockets.asyncio.client import ClientConnection, connect

import ludograph
from ludograph.client import Client
from ludograph.play import Generator
from ludograph.protocol.tables import NewSeat, NewTable

GAME = "connect-four"
SOCKETS_PER_TABLE = 4
MIN_MOVES = 34
MUST_RATIO = 0.25
MUST_P99_MS = 50.0

ECHO = """
import sys, uvicorn
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute

async def echo(socket):
    await socket.accept()
    while True:
        received = await socket.receive()
        if received["type"] == "websocket.disconnect":
            return
        await socket.send({"type": "websocket.send", "text": received["text"]})

class Server(uvicorn.Server):
    async def startup(self, sockets=None):
        await super().startup(sockets)
        print(f"http://127.0.0.1:{self.servers[0].sockets[0].getsockname()[1]}/", flush=True)

config = uvicorn.Config(Starlette(routes=[WebSocketRoute("/", echo)]), port=0, ws="websockets-sansio",
    ws_per_message_deflate=False, log_level="warning", access_log=False)
Server(config).run()
"""


@dataclass(slots=True)
class Load:
    """What the clients have counted. Mutable."""

    messages: int = 0
    bytes: int = 0
    latencies: list[float] = field(default_factory=list)
    is_over: bool = False
    interval: float = 0.0
    """The time between two moves at a table; 0: the next move follows the acknowledgement."""
    finished: int = 0
    """The tables whose game was too short."""
    processor_seconds: float = 0.0
    """Of the server."""


def long_games(count: int) -> list[list[str]]:
    """The moves of random games that are long enough for the whole measurement."""
    game, games = ludograph.load(GAME), list[list[str]]()
    seeds = itertools.count()
    while len(games) < count:
        seed = next(seeds)
        state, generator, moves = game.new(), Generator(seed), []
        while not state.is_over:
            legal = state.legal_moves
            moves.append(legal[generator.below(len(legal))].text)
            state.push(moves[-1])
        if len(moves) >= MIN_MOVES:
            games.append(moves)
    return games


class TableLoad:
    """The four clients of a table. Mutable."""

    def __init__(self, load: Load, sockets: Sequence[ClientConnection], moves: Sequence[str]) -> None:
        self.load = load
        self.sockets = sockets
        self.moves = moves
        self.played = 0
        self.sent: dict[str, float] = {}
        """When the moves that are not acknowledged were due."""
        self.waiting: asyncio.Task[None] | None = None

    async def play(self, due: float) -> None:
        """Send the next move, which was due at a time."""
        if self.load.is_over:
            return
        if self.played == len(self.moves):
            self.load.finished += 1
            return
        number, seat = str(self.played), self.played % 2
        self.sent[number] = due
        text = self.moves[self.played]
        self.played += 1
        message = f'{{"type":"play","id":"{number}","seat":{seat},"text":"{text}"}}'
        await self.sockets[seat].send(message)

    async def play_on(self, due: float) -> None:
        """Send the next move when its time has come, or at once if it has passed."""
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        await self.play(due)

    async def follow(self, socket: ClientConnection) -> None:
        async for text in socket:
            assert isinstance(text, str)
            self.load.messages += 1
            self.load.bytes += len(text)
            if text.startswith('{"type":"ack"'):
                number, now = text[14:].split('"')[3], time.perf_counter()
                due = self.sent.pop(number)
                self.load.latencies.append(now - due)
                if self.load.interval:
                    self.waiting = asyncio.create_task(self.play_on(due + self.load.interval))
                else:
                    await self.play(now)
            elif text.startswith('{"type":"refusal"'):
                raise RuntimeError(text)


async def load_tables(server: "ServerProcess", tables: int, seconds: float, interval: float) -> Load:
    """Play at new tables for some seconds; with an interval, each table makes a move once in it."""
    load, address = Load(interval=interval), server.address
    client = Client(address)
    table_loads = []
    games = long_games(min(tables, 100))
    for number in range(tables):
        own = await asyncio.to_thread(
            client.create_table, NewTable(game=GAME, seats=(NewSeat("me"), NewSeat("me")))
        )
        path = f"ws{address.removeprefix('http')}/api/tables/{own.table.id}/socket"
        sockets = []
        for seat in ("0", "1", "null", "null"):
            socket = await connect(
                path, additional_headers=client.headers(), compression=None, proxy=None, ping_interval=None
            )
            await socket.send(f'{{"type":"open","id":"o","seat":{seat}}}')
            while '"type":"ack"' not in str(await socket.recv()):
                pass
            sockets.append(socket)
        table_loads.append(TableLoad(load, sockets, games[number % len(games)]))
    tasks = [asyncio.create_task(each.follow(socket)) for each in table_loads for socket in each.sockets]
    await asyncio.sleep(1)
    load.messages = load.bytes = 0
    begin, processor = time.perf_counter(), server.processor_seconds()
    for number, each in enumerate(table_loads):
        each.waiting = asyncio.create_task(each.play_on(begin + interval * number / tables))
    await asyncio.sleep(seconds)
    load.is_over = True
    load.processor_seconds = server.processor_seconds() - processor
    now = time.perf_counter()
    if interval:
        load.latencies += [now - due for each in table_loads for due in each.sent.values() if due < now - 1]
    found = await _finish(load, tasks)
    if load.finished > tables / 20:
        raise RuntimeError(f"{load.finished} games were over too early; measure fewer seconds")
    return found


async def load_echo(server: "ServerProcess", sockets: int, seconds: float, size: int) -> Load:
    """Send messages back and forth for some seconds."""
    load = Load()
    message = "x" * size

    async def follow(socket: ClientConnection) -> None:
        await socket.send(message)
        async for text in socket:
            load.messages += 1
            load.bytes += len(text)
            if not load.is_over:
                await socket.send(message)

    path = f"ws{server.address.removeprefix('http')}/"
    opened = [await connect(path, compression=None, proxy=None, ping_interval=None) for _ in range(sockets)]
    processor = server.processor_seconds()
    tasks = [asyncio.create_task(follow(socket)) for socket in opened]
    await asyncio.sleep(seconds)
    load.is_over = True
    load.processor_seconds = server.processor_seconds() - processor
    return await _finish(load, tasks)


async def _finish(load: Load, tasks: Sequence["asyncio.Task[None]"]) -> Load:
    found = dataclasses.replace(load, latencies=list(load.latencies))
    for task in tasks:
        if task.done():
            task.result()
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return found


class ServerProcess:
    """A server in a process of its own."""

    def __init__(self, command: Sequence[str]) -> None:
        self.process = subprocess.Popen([sys.executable, *command], stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        found = re.search(r"http://\S+", self.process.stdout.readline())
        assert found is not None, "the server did not start"
        self.address = found[0].rstrip("/")

    def processor_seconds(self) -> float:
        """The processor time of the process so far; 0 where the system does not tell it."""
        status = Path(f"/proc/{self.process.pid}/stat")
        if not status.exists():
            return 0.0
        numbers = status.read_text().rpartition(")")[2].split()
        return (int(numbers[11]) + int(numbers[12])) / os.sysconf("SC_CLK_TCK")

    def resident_bytes(self) -> int:
        """The memory of the process; 0 where the system does not tell it."""
        status = Path(f"/proc/{self.process.pid}/statm")
        return int(status.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") if status.exists() else 0

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()


def memory_per_table(server: ServerProcess, tables: int) -> float:
    """Bytes of an idle table that nobody looks at, soon after its creation."""
    client = Client(server.address)
    new = NewTable(game=GAME, seats=(NewSeat("me"), NewSeat("me")))
    client.create_table(new)
    before = server.resident_bytes()
    for _ in range(tables):
        client.create_table(new)
    return (server.resident_bytes() - before) / tables


def measure(tables: int, seconds: float) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        database = f"sqlite:///{folder}/tables.sqlite"
        serve = ["-m", "ludograph", "serve", "--port", "0", "--rate", "1000000", "--db", database]
        server = ServerProcess(serve)
        try:
            memory = memory_per_table(server, tables)
            full = asyncio.run(load_tables(server, tables, seconds, 0.0))
            moves = len(full.latencies) / seconds
            half = asyncio.run(load_tables(server, tables, seconds, 2 * tables / moves))
        finally:
            server.stop()
        size = round(full.bytes / max(full.messages, 1))
        echo_server = ServerProcess(["-c", ECHO])
        try:
            echo = asyncio.run(load_echo(echo_server, tables * SOCKETS_PER_TABLE, seconds, size))
        finally:
            echo_server.stop()
    latencies = sorted(half.latencies)
    return {
        "messages_per_second": full.messages / seconds,
        "moves_per_second": moves,
        "bytes_per_message": size,
        "echo_messages_per_second": echo.messages / seconds,
        "microseconds_per_message": 1e6 * full.processor_seconds / max(full.messages, 1),
        "echo_microseconds_per_message": 1e6 * echo.processor_seconds / max(echo.messages, 1),
        "ratio": full.messages / max(echo.messages, 1),
        "moves_per_second_at_half_load": len(latencies) / seconds,
        "median_ms_at_half_load": 1000 * statistics.median(latencies),
        "p99_ms_at_half_load": 1000 * latencies[int(len(latencies) * 0.99)],
        "kilobytes_per_idle_table": memory / 1000,
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=6.0, help="for each of three loads (default: 6)")
    parser.add_argument("--json", action="store_true", help="write the result as JSON")
    arguments = parser.parse_args()
    found = measure(arguments.tables, arguments.seconds)
    if arguments.json:
        print(json.dumps(found, indent=2))
    else:
        for name, value in found.items():
            print(f"{name.replace('_', ' '):32} {value:12,.2f}")
        print(f"must: ratio {MUST_RATIO}, p99 {MUST_P99_MS:g} ms")
    is_good = found["ratio"] >= MUST_RATIO and found["p99_ms_at_half_load"] < MUST_P99_MS
    return 0 if is_good else 1


if __name__ == "__main__":
    sys.exit(main())
