"""A client that misses an answer or an event notices it, and catches up by itself."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from urllib.parse import urlsplit

from ludograph.client import Client
from ludograph.protocol.tables import NewSeat, NewTable
from tests.server.servers import RunningServer


class LossyProxy:
    """Passes connections on to a server. Mutable: what the server sends can be thrown away."""

    def __init__(self, server: str) -> None:
        place = urlsplit(server)
        self._server = place.hostname or "", place.port or 0
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._sockets: list[socket.socket] = [self._listener]
        self._deaf: set[socket.socket] = set()
        """The connections of clients that get nothing any more."""
        self.address = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def throw_away(self) -> None:
        """Throw away everything that is sent to the clients who are connected now."""
        self._deaf = set(self._sockets)

    def pass_on(self) -> None:
        self._deaf = set()

    def close(self) -> None:
        for each in self._sockets:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                server = socket.create_connection(self._server)
                self._sockets += [client, server]
                for one, other in ((client, server), (server, client)):
                    threading.Thread(target=self._pass, args=(one, other), daemon=True).start()

    def _pass(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while data := one.recv(65_536):
                if other not in self._deaf:
                    other.sendall(data)
            other.shutdown(socket.SHUT_RDWR)


@contextmanager
def proxy_of(server: RunningServer) -> Iterator[LossyProxy]:
    proxy = LossyProxy(server.address)
    try:
        yield proxy
    finally:
        proxy.close()


def test_a_client_that_gets_no_answer_asks_again(server: RunningServer) -> None:
    with proxy_of(server) as proxy:
        client = Client(proxy.address)
        own = client.create_table(NewTable(game="chess", seats=(NewSeat("me"), NewSeat("me"))))
        client.timeout = 3.0
        with client.join(own.table.id, 0) as white:
            proxy.throw_away()
            white.play("e2.play(to: e4)")  # the new connection is not deaf
            assert [entry.text for entry in white.log] == ["e2.play(to: e4)"]
            assert white.snapshots == 1  # it got what it had missed, not everything


def test_a_client_that_misses_an_event_fetches_it(server: RunningServer) -> None:
    client = Client(server.address)
    own = client.create_table(NewTable(game="chess", seats=(NewSeat("me"), NewSeat("me"))))
    with proxy_of(server) as proxy, client.join(own.table.id, 0) as white:
        other = Client(proxy.address)
        with other.join(own.table.id) as spectator:
            proxy.throw_away()
            white.play("e2.play(to: e4)")
            white.ping()
            with client.join(own.table.id) as witness:  # the server has sent the event to all spectators
                assert witness.log
            proxy.pass_on()
            white.say("hello")
            spectator.wait(lambda seat: bool(seat.chat))
            assert [entry.text for entry in spectator.log] == ["e2.play(to: e4)"]
            assert spectator.snapshots == 1
