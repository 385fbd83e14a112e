"""A program in a process of its own: lines in, lines out, with limits of time and length."""

import contextlib
import os
import queue
import signal
import subprocess
import threading
import time

from ludograph.programs.messages import MAX_LINE

MAX_WAITING_LINES = 1000
"""The lines that may wait to be read. A program that sends more is ended."""
SECONDS_TO_QUIT = 1.0


class ProgramFailed(Exception):
    """The program has ended, is silent, or sends too much; the text says which."""


class ProgramProcess:
    """A running program. Mutable."""

    def __init__(self, command: list[str]) -> None:
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=os.name == "posix",  # so that its own children can be ended too
            )
        except OSError as error:
            raise ProgramFailed(f"'{command[0]}' does not start: {error.strerror or error}") from None
        self._lines: queue.Queue[bytes | None] = queue.Queue(MAX_WAITING_LINES)
        self._writing = threading.Lock()
        threading.Thread(target=self._read, daemon=True).start()

    def send(self, line: bytes, deadline: float) -> None:
        """Write a line; raises ProgramFailed if the program has not read it by the deadline."""
        written = threading.Event()

        def write() -> None:
            assert self._process.stdin is not None
            with contextlib.suppress(OSError, ValueError), self._writing:
                self._process.stdin.write(line + b"\n")
                self._process.stdin.flush()
                written.set()

        if len(line) < 32_000:
            write()
        else:  # a pipe that nobody reads would block
            threading.Thread(target=write, daemon=True).start()
        if not written.wait(max(deadline - time.monotonic(), 0.01)):
            raise ProgramFailed("it ended or does not read its input")

    def receive(self, deadline: float) -> bytes:
        """The next line, before the deadline."""
        try:
            line = self._lines.get(timeout=max(deadline - time.monotonic(), 0.001))
        except queue.Empty:
            raise ProgramFailed("it did not answer in time") from None
        if line is None:
            raise ProgramFailed("it ended")
        if len(line) > MAX_LINE:
            raise ProgramFailed("it sent a line of more than a million bytes")
        return line

    def close(self, seconds: float = SECONDS_TO_QUIT) -> None:
        """End the program and everything that it started; it has some time to end by itself."""
        with contextlib.suppress(OSError, ValueError):
            assert self._process.stdin is not None
            self._process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(seconds)
        with contextlib.suppress(OSError):
            if os.name == "posix":
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()
        self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()

    def _read(self) -> None:
        """Read lines until the program ends or sends too many; then add the mark of the end."""
        stream = self._process.stdout
        assert stream is not None
        with contextlib.suppress(OSError, ValueError):
            while line := stream.readline(MAX_LINE + 2):
                try:
                    self._lines.put_nowait(line)
                except queue.Full:
                    break
        with contextlib.suppress(queue.Full):
            self._lines.put(None, timeout=60)
