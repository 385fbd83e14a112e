"""A real server in a process of its own, for tests through its sockets."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

ANNOUNCED = re.compile(r"http://\S+")


class RunningServer:
    """A server process. Mutable: `kill` and `restart`."""

    def __init__(self, database: str, *arguments: str) -> None:
        self._command = [sys.executable, "-m", "ludograph", "serve", "--db", database, *arguments]
        self.database = database
        self._port = "0"
        self.address = ""
        self.process: subprocess.Popen[str] | None = None
        self.start()

    def start(self) -> None:
        self.process = subprocess.Popen(
            [*self._command, "--port", self._port],
            stdout=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = ANNOUNCED.search(line)
        if found is None:
            self.kill()
            raise AssertionError(f"the server did not start: {line}")
        self.address = found[0].rstrip("/")
        self._port = self.address.rpartition(":")[2]

    def kill(self) -> None:
        """End it at once, without any chance to tidy up."""
        assert self.process is not None
        self.process.kill()
        self._wait()

    def stop(self) -> None:
        assert self.process is not None
        self.process.terminate()
        self._wait()

    def _wait(self) -> None:
        assert self.process is not None and self.process.stdout is not None
        self.process.wait(timeout=30)
        self.process.stdout.close()
        self.process = None


@contextmanager
def running_server(database: str, *arguments: str) -> Iterator[RunningServer]:
    """A server that ends with the block."""
    server = RunningServer(database, *arguments)
    try:
        yield server
    finally:
        if server.process is not None:
            server.kill()
