"""The command line inside the test's own process: what goes in, what comes out."""

import io
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

from ludograph.cli import main

EXAMPLES = Path(__file__).resolve().parents[2] / "docs" / "examples"
COMMANDS = (
    *("convert", "validate", "render", "show", "tour"),
    *("check", "fmt", "dump", "games", "perft", "simulate", "play", "replay", "cache"),
    *("tournament", "analyse"),
)


@dataclass(frozen=True, slots=True)
class Result:
    code: int
    out: str
    err: str


class Terminal(io.TextIOWrapper):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def call(
    *argv: str,
    given: str | bytes = b"",
    out: io.TextIOWrapper | None = None,
    err: io.TextIOWrapper | None = None,
    environment: Mapping[str, str] | None = None,
) -> Result:
    """Run `ludograph` with these arguments and this standard input."""
    data = given.encode() if isinstance(given, str) else given
    stdin = io.TextIOWrapper(io.BytesIO(data), encoding="ascii")
    stdout = out or io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    stderr = err or io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    variables = {"NO_COLOR": "", "FORCE_COLOR": "", "PYTHONIOENCODING": "", "LUDOGRAPH_DEBUG": ""}
    with (
        mock.patch.multiple(sys, stdin=stdin, stdout=stdout, stderr=stderr),
        mock.patch.dict(os.environ, {**variables, **(environment or {})}),
    ):
        code = main(list(argv))
    return Result(code, written(stdout), written(stderr))


def written(stream: io.TextIOWrapper) -> str:
    """What was written to a stream, line ends as they are."""
    stream.flush()
    buffer: Any = stream.buffer
    data: bytes = buffer.getvalue()
    return data.decode(stream.encoding)


def spawn(
    *argv: str,
    given: str | bytes = b"",
    cwd: Path | None = None,
    environment: Mapping[str, str] | None = None,
) -> "subprocess.CompletedProcess[bytes]":
    """Run `ludograph` in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "ludograph", *argv],
        input=given.encode() if isinstance(given, str) else given,
        capture_output=True,
        check=False,
        cwd=cwd,
        env={**os.environ, **(environment or {})},
        timeout=120,
    )


def example(name: str) -> str:
    """The path of an example file, as somebody would type it."""
    return str(EXAMPLES / name)


def text_of(name: str) -> str:
    return (EXAMPLES / name).read_text(encoding="utf-8")
