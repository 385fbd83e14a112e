"""The command line: `ludograph COMMAND …`. Exit 0 fine, 1 findings or bad text, 2 usage.

Commands are imported when they run, so that `--help` is quick. Nothing that a user can type
ends in a traceback.
"""

import gc
import os
import sys
from argparse import Namespace
from collections.abc import Sequence
from importlib import import_module

from ludograph.cli.arguments import parse_arguments
from ludograph.cli.streams import drop_output, flush_output, prepare_streams, say

FINE = 0
USAGE = 2
INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit code."""
    arguments: Namespace | None = None
    try:
        prepare_streams()
        try:
            arguments = parse_arguments(sys.argv[1:] if argv is None else argv)
        except SystemExit as leaving:  # --help and --version, or a usage error that has been printed
            code = leaving.code if isinstance(leaving.code, int) else USAGE
        else:
            code = USAGE if arguments is None else _run(arguments, owns_process=argv is None)
        flush_output()
        return code
    except BrokenPipeError:
        # Whoever read our output has enough.
        drop_output()
        return FINE
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as error:
        return _explain(error, wants_json=getattr(arguments, "json", False))


def _run(arguments: Namespace, *, owns_process: bool) -> int:
    enabled = gc.isenabled()
    gc.disable()  # imports leave no garbage, and looking for some takes a tenth of their time
    try:
        command = import_module(f"ludograph.cli.{arguments.command}_command")
        if owns_process:
            gc.freeze()  # what was imported stays
    finally:
        if enabled:
            gc.enable()
    code: int = command.run(arguments)
    return code


def _explain(error: Exception, *, wants_json: bool) -> int:
    """Say what ended a command, for programs as a JSON object too, and return the exit code."""
    report, output = (import_module(f"ludograph.cli.{name}") for name in ("report", "output"))
    problem = report.problem_of(error)
    if problem.code == output.INTERNAL and os.environ.get("LUDOGRAPH_DEBUG"):
        raise error
    say(problem.message)
    try:
        if wants_json:
            output.write_json({"error": problem.json})
        flush_output()
    except OSError:  # it is standard output that went wrong
        drop_output()
    return int(problem.code)
