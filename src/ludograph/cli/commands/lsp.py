"""`ludograph lsp`: the language server for editors, over standard input and output."""

import sys
from argparse import Namespace

from ludograph.cli.output import SUCCESS, USAGE, CommandError
from ludograph.cli.streams import print_message


def run(arguments: Namespace) -> int:
    try:
        from ludograph.lsp.server import serve_stdio
    except ImportError as error:
        raise CommandError(
            f"the language server needs more packages ({error}); "
            "install them with `pip install ludograph[lsp]`",
            USAGE,
        ) from None
    if sys.stdin is not None and sys.stdin.isatty():
        print_message(
            "ludograph: an editor starts this command; it is waiting for messages of one (stop with Ctrl-C)"
        )
    serve_stdio()
    return SUCCESS
