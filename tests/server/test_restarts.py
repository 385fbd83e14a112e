"""Nothing that was acknowledged is lost: `kill -9` at any moment, and tables continue afterwards."""

import random
import threading
import time
from collections.abc import Sequence

import pytest

from ludograph.cli import main
from ludograph.client import Client, RefusedByServer, SeatConnection, connections
from ludograph.protocol.tables import NewSeat, NewTable
from tests.server.conftest import FAST
from tests.server.servers import RunningServer, running_server


def test_a_table_continues_after_a_kill(database: str) -> None:
    with running_server(database, *FAST) as server:
        client = Client(server.address)
        own = client.create_table(NewTable(game="chess", seats=(NewSeat("me"), NewSeat("me"))))
        with client.join(own.table.id, 0) as white, client.join(own.table.id, 1) as black:
            white.play("e2.play(to: e4)")
            black.wait(lambda seat: seat.question is not None)
            black.choose("e7.play")
            black.say("hello")
            server.kill()
            server.start()
            assert black.question is not None
            black.ping()  # opens the connection again
            assert black.snapshots == 2
            assert black.question.chosen == ("e7.play",)
            assert [line.text for line in black.chat] == ["hello"]
            black.choose("e5")
            white.wait(lambda seat: seat.question is not None)
            assert [entry.text for entry in white.log] == ["e2.play(to: e4)", "e7.play(to: e5)"]


def test_a_message_that_is_sent_again_is_done_once(database: str) -> None:
    with running_server(database, *FAST) as server:
        client = Client(server.address)
        own = client.create_table(NewTable(game="pig", seats=(NewSeat("me"), NewSeat("me"))))
        with client.join(own.table.id, 0) as seat:
            message = seat.message_to_play("roll")
            seat.ask(message)
            log = seat.log
            seat.ask(message)
            server.kill()
            server.start()
            seat.ask(message)
            assert seat.log == log


@pytest.mark.parametrize("url", ["sqlite:////nowhere/tables.sqlite", "nonsense://x"])
def test_a_database_that_cannot_be_used_is_one_clear_error(
    url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["serve", "--port", "0", "--db", url]) == 1
    assert "cannot be used" in capsys.readouterr().err


def test_two_servers_do_not_share_a_database(
    database: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ludograph.server.storage.LOCK_SECONDS", 0.2)
    with running_server(database):
        assert main(["serve", "--port", "0", "--db", database]) == 1
    assert "another server uses it" in capsys.readouterr().err


class _Player:
    """Plays Breakthrough against itself and counts what was acknowledged. Mutable."""

    def __init__(self, client: Client, seed: int) -> None:
        own = client.create_table(NewTable(game="breakthrough", seats=(NewSeat("me"), NewSeat("me"))))
        self.table = own.table.id
        self.client = client
        self.random = random.Random(seed)
        self.acknowledged: list[str] = []
        self.stops = False
        self.problem: Exception | None = None
        self.thread = threading.Thread(target=self._run)

    def _run(self) -> None:
        try:
            with self.client.join(self.table, 0) as first, self.client.join(self.table, 1) as second:
                while not self.stops and self._play(first, second):
                    pass
        except Exception as problem:
            self.problem = problem

    def _play(self, first: SeatConnection, second: SeatConnection) -> bool:
        for seat in (first, second):
            seat.ping()
            if seat.table is not None and seat.table.stage == "over":
                return False
            if seat.question is not None and seat.question.is_asked:
                text = self.random.choice(seat.choices.moves).text
                try:
                    seat.play(text, only_now=True)
                except RefusedByServer as refusal:
                    if refusal.code not in ("late", "unavailable"):
                        raise
                else:
                    self.acknowledged.append(text)
        return True


def kill_under_load(server: RunningServer, kills: int, players: int) -> None:
    """Kill the server in the middle of games, again and again; no acknowledged move may be lost.

    It is killed after a random number of acknowledged moves, and the players go on afterwards.
    """
    client = Client(server.address)
    chance = random.Random(7)
    for kill in range(kills):
        found = [_Player(client, 1000 * kill + number) for number in range(players)]
        for player in found:
            player.thread.start()
        wait_for_moves(found, chance.randrange(1, 15 * players))
        server.kill()
        counts = [len(player.acknowledged) for player in found]
        server.start()
        for player, count in zip(found, counts, strict=True):
            wait_for_moves([player], count + 1)
            player.stops = True
        for player in found:
            player.thread.join(60)
            if player.problem is not None:
                raise player.problem
            with client.join(player.table) as spectator:
                stored = [entry.text for entry in spectator.log]
            assert stored[: len(player.acknowledged)] == player.acknowledged
            assert len(stored) <= len(player.acknowledged) + 1


def wait_for_moves(players: Sequence[_Player], count: int) -> None:
    """Wait until so many moves are acknowledged, or all games are over."""
    deadline = time.monotonic() + 120
    while sum(len(player.acknowledged) for player in players) < count:
        if not any(player.thread.is_alive() for player in players):
            return
        assert time.monotonic() < deadline, "the players do not move"
        time.sleep(0.005)


@pytest.fixture
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy computer may need long to start the server again."""
    monkeypatch.setattr(connections, "ATTEMPTS", 12)


@pytest.mark.usefixtures("patience")
def test_no_acknowledged_move_is_lost(database: str) -> None:
    with running_server(database, *FAST) as server:
        kill_under_load(server, kills=2, players=3)


@pytest.mark.slow
@pytest.mark.usefixtures("patience")
def test_no_acknowledged_move_is_lost_in_100_kills(database: str) -> None:
    with running_server(database, *FAST) as server:
        kill_under_load(server, kills=100, players=6)
