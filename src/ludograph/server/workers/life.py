"""The life of a worker process: it gives up its rights, answers requests, and ends with the server.

Requests come from standard input, answers go to standard output. A frame is a length of four bytes and JSON.
"""

import ctypes
import os
import signal
import struct
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any, BinaryIO

import msgspec

try:
    import resource
except ImportError:  # Windows has no such limits
    resource = None  # type: ignore[assignment]

LENGTH = struct.Struct(">I")


def run_worker(
    arguments: list[str], decoder: "msgspec.json.Decoder[Any]", answer: Callable[[Any], object]
) -> None:
    """Answer requests until the server ends; the arguments are the limits if the process is not trusted."""
    die_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # nothing else may write into the answers
    if arguments:
        give_up_rights(int(arguments[0]), int(arguments[1]))
    answer_requests(sys.stdin.buffer, answers, decoder, answer)


def answer_requests(
    requests: BinaryIO,
    answers: BinaryIO,
    decoder: "msgspec.json.Decoder[Any]",
    answer: Callable[[Any], object],
) -> None:
    """Answer requests until the input ends."""
    while True:
        header = requests.read(LENGTH.size)
        if len(header) < LENGTH.size:
            return
        data = requests.read(LENGTH.unpack(header)[0])
        found = msgspec.json.encode(answer(decoder.decode(data)))
        answers.write(LENGTH.pack(len(found)) + found)
        answers.flush()


def give_up_rights(cpu_seconds: int, memory_bytes: int) -> None:
    """Limit this process for good: processor time, memory, files, processes."""
    if resource is None:
        return
    limits = (
        (resource.RLIMIT_CPU, cpu_seconds),
        (resource.RLIMIT_AS, memory_bytes),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, 64),
    )
    os.nice(10)  # the server comes first
    for kind, value in limits:
        with suppress(ValueError, OSError):
            resource.setrlimit(kind, (value, value))


def die_with_parent() -> None:
    """End at once when the server ends, however it ends."""
    if sys.platform == "linux":
        with suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(1, signal.SIGKILL)
    if os.getppid() == 1:
        sys.exit(1)
