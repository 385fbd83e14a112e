"""The command line: `ludograph COMMAND …`. Exit 0 fine, 1 findings or bad text, 2 usage.

Commands are imported when they run, so that `--help` is quick. Nothing that a user can type
ends in a traceback.
"""

import os
import sys
from collections.abc import Sequence
from importlib import import_module

from ludograph.cli.arguments import parse_arguments

FINE = 0
USAGE = 2
INTERNAL = 70
INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit code."""
    try:
        _use_utf8()
        code = _run(sys.argv[1:] if argv is None else argv)
        _flush()
        return code
    except BrokenPipeError:
        # Whoever read our output has enough.
        _drop_output()
        return FINE
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as error:
        name = f"{error.filename}: " if error.filename else ""
        print(f"ludograph: {name}{error.strerror or error}", file=sys.stderr)
        _drop_unwritable_output()
        return USAGE
    except Exception as error:
        return _explain(error)


def _run(argv: Sequence[str]) -> int:
    try:
        arguments = parse_arguments(argv)
    except SystemExit as leaving:  # --help and --version, or a usage error that has been printed
        return leaving.code if isinstance(leaving.code, int) else USAGE
    if arguments is None:
        return USAGE
    code: int = import_module(f"ludograph.cli.{arguments.command}_command").run(arguments)
    return code


def _explain(error: Exception) -> int:
    """Say what ended a command, and return the exit code."""
    report = import_module("ludograph.cli.report")
    text = import_module("ludograph.text")
    if isinstance(error, report.Complaint):
        print(f"ludograph: {error}", file=sys.stderr)
        return int(error.code)
    if isinstance(error, text.TextError):
        print(error, file=sys.stderr)
        return int(report.FAULTY)
    if os.environ.get("LUDOGRAPH_DEBUG"):
        raise error
    print(
        f"ludograph: this should not happen: {type(error).__name__}: {error}\n"
        "Please report it, with the output that LUDOGRAPH_DEBUG=1 gives.",
        file=sys.stderr,
    )
    return INTERNAL


def _use_utf8() -> None:
    """Write UTF-8 into files and pipes, unless PYTHONIOENCODING says otherwise; a terminal keeps its own."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is None:
            continue
        if stream.isatty():
            reconfigure(errors="replace")
        elif os.environ.get("PYTHONIOENCODING"):
            reconfigure(errors="backslashreplace", newline="\n")
        else:
            reconfigure(encoding="utf-8", errors="backslashreplace", newline="\n")


def _flush() -> None:
    if sys.stdout is not None:
        sys.stdout.flush()


def _drop_unwritable_output() -> None:
    try:
        _flush()
    except OSError:
        _drop_output()


def _drop_output() -> None:
    """Let what is left to write go nowhere, or Python would complain of it when it exits."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, sys.stdout.fileno())
    except (OSError, ValueError):  # standard output is no file: a test has replaced it
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    finally:
        os.close(nowhere)
