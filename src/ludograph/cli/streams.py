"""Standard output and error as commands find them: a terminal, a file, a pipe, full or closed."""

import os
import sys
from typing import TextIO


def prepare_streams() -> None:
    """Write UTF-8 into files and pipes, unless PYTHONIOENCODING says otherwise; a terminal keeps its own.

    A stream that is closed from the beginning becomes one that leads nowhere: Python would print
    what is meant for a missing standard error to standard output.
    """
    sys.stdout = _prepared(sys.stdout)
    sys.stderr = _prepared(sys.stderr)


def _prepared(stream: TextIO | None) -> TextIO:
    if stream is None:
        return _nowhere()
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is None:
        return stream
    if stream.isatty():
        reconfigure(errors="replace")
    elif os.environ.get("PYTHONIOENCODING"):
        reconfigure(errors="backslashreplace", newline="\n")
    else:
        reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")
    return stream


def harmless(text: str) -> str:
    """Lines without anything that a terminal would obey: what a file says is shown, not done.

    >>> harmless("red: \x1b[31m")
    'red: \\\\u001b[31m'
    """
    if text.isprintable():
        return text
    return "".join(
        each if each.isprintable() or each in "\n\t\xa0" else f"\\u{ord(each):04x}" for each in text
    )


def in_one_line(text: str) -> str:
    """The same for a text that must not break its line."""
    return harmless(text.replace("\n", "\\n").replace("\t", " "))


def show(text: str) -> None:
    """Lines of the output proper."""
    print(harmless(text))


def say(message: str) -> None:
    """A line for the person at the terminal, beside the output proper; lost if nobody can get it."""
    try:
        print(harmless(message), file=sys.stderr, flush=True)
    except OSError:
        sys.stderr = _emptied(sys.stderr)


def flush_output() -> None:
    sys.stdout.flush()


def drop_output() -> None:
    """Let what is left to write go nowhere, or Python would complain of it when it exits."""
    sys.stdout = _emptied(sys.stdout)


def _emptied(stream: TextIO) -> TextIO:
    """The stream, from now on leading nowhere; what it still holds goes there too."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, stream.fileno())
    except (OSError, ValueError):  # it is no file: a test has replaced it
        return _nowhere()
    finally:
        os.close(nowhere)
    return stream


def _nowhere() -> TextIO:
    return open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123
