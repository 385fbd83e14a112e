"""Standard output and standard error: a terminal, a file or a pipe, perhaps full or closed."""

import os
import sys
from typing import TextIO


def configure_streams() -> None:
    """Write UTF-8 to files and pipes, unless PYTHONIOENCODING is set; a terminal keeps its encoding.

    A closed stream is replaced by the null device: Python would print messages for a missing standard error
    to standard output.
    """
    sys.stdout = _configured(sys.stdout)
    sys.stderr = _configured(sys.stderr)


def _configured(stream: TextIO | None) -> TextIO:
    if stream is None:
        return _open_null()
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


def escape_controls(text: str) -> str:
    """Replace control characters by escapes, so that the content of a file cannot control the terminal.

    >>> escape_controls("red: \x1b[31m")
    'red: \\\\u001b[31m'
    """
    if text.isprintable():
        return text
    return "".join(
        each if each.isprintable() or each in "\n\t\xa0" else f"\\u{ord(each):04x}" for each in text
    )


def escape_line(text: str) -> str:
    """The same for text that must stay on one line."""
    return escape_controls(text.replace("\n", "\\n").replace("\t", " "))


def print_text(text: str) -> None:
    """Print text on standard output."""
    print(escape_controls(text))


def print_message(message: str) -> None:
    """Print a message on standard error; it is lost if the stream is closed."""
    try:
        print(escape_controls(message), file=sys.stderr, flush=True)
    except OSError:
        sys.stderr = _redirected_to_null(sys.stderr)


def flush_output() -> None:
    sys.stdout.flush()


def discard_output() -> None:
    """Send the remaining output to the null device; otherwise Python reports an error when it exits."""
    sys.stdout = _redirected_to_null(sys.stdout)


def _redirected_to_null(stream: TextIO) -> TextIO:
    """Redirect a stream, with the text in its buffer, to the null device."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, stream.fileno())
    except (OSError, ValueError):  # a test has replaced the stream by one without a file
        return _open_null()
    finally:
        os.close(nowhere)
    return stream


def _open_null() -> TextIO:
    return open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123
