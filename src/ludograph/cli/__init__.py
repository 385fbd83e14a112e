"""The command line: `ludograph COMMAND …`. Exit codes: 0 success, 1 findings or invalid input, 2 usage error.

A command is imported when it runs, so that `--help` is quick. No input ends in a traceback.
"""

import gc
import os
import sys
from argparse import Namespace
from collections.abc import Sequence
from importlib import import_module

from ludograph.cli.arguments import parse_arguments
from ludograph.cli.streams import configure_streams, discard_output, flush_output, print_message

SUCCESS = 0
USAGE = 2
INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit code."""
    arguments: Namespace | None = None
    try:
        configure_streams()
        try:
            arguments = parse_arguments(sys.argv[1:] if argv is None else argv)
        except SystemExit as leaving:  # --help and --version, or a usage error that has been printed
            code = leaving.code if isinstance(leaving.code, int) else USAGE
        else:
            code = USAGE if arguments is None else _run(arguments, owns_process=argv is None)
        flush_output()
        return code
    except BrokenPipeError:
        # The reader of our output has closed the pipe.
        discard_output()
        return SUCCESS
    except KeyboardInterrupt:
        if argv is None:
            _leave_compiler()
        return INTERRUPTED
    except Exception as error:
        return _report_error(error, wants_json=getattr(arguments, "json", False))


def _run(arguments: Namespace, *, owns_process: bool) -> int:
    enabled = gc.isenabled()
    gc.disable()  # imports leave no garbage, and collecting takes a tenth of their time
    try:
        command = import_module(f"ludograph.cli.commands.{arguments.command}")
        if owns_process:
            gc.freeze()  # imported modules stay
    finally:
        if enabled:
            gc.enable()
    code: int = command.run(arguments)
    return code


def _leave_compiler() -> None:
    """End the process now if LLVM is at work. It cannot be interrupted, and Python would wait for it."""
    compiling = sys.modules.get("ludograph.games.compiling")
    if compiling is not None and compiling.is_compiling():
        flush_output()
        os._exit(INTERRUPTED)


def _report_error(error: Exception, *, wants_json: bool) -> int:
    """Report the error that ended a command, as a JSON object too if wanted, and return the exit code."""
    report, output = (import_module(f"ludograph.cli.{name}") for name in ("report", "output"))
    problem = report.describe_error(error)
    if problem.code == output.INTERNAL and os.environ.get("LUDOGRAPH_DEBUG"):
        raise error
    print_message(problem.message)
    try:
        if wants_json:
            output.write_json({"error": problem.json})
        flush_output()
    except OSError:  # standard output itself failed
        discard_output()
    return int(problem.code)
