"""`ludograph serve`: play in the browser."""

import os
import webbrowser
from argparse import Namespace
from pathlib import Path

from ludograph.cli.output import SUCCESS, USAGE, CommandError
from ludograph.cli.streams import flush_output, print_text


def run(arguments: Namespace) -> int:
    try:
        from ludograph.server.app import ServerSettings, run_server
        from ludograph.server.limits import limits_for_rate
    except ImportError as error:
        raise CommandError(
            f"the server needs more packages ({error}); install them with `pip install ludograph[server]`",
            USAGE,
        ) from None
    settings = ServerSettings(
        arguments.db or _default_database(),
        tuple(arguments.allow_host or ()),
        limits_for_rate(arguments.rate),
    )

    def started(address: str) -> None:
        print_text(f"Ludograph plays at {address} (stop with Ctrl-C)")
        flush_output()
        if arguments.open:
            webbrowser.open(address)

    run_server(settings, arguments.host, arguments.port, started)
    return SUCCESS


def _default_database() -> str:
    """A file in the user's folder for data."""
    folder = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "ludograph"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return f"sqlite:///{folder / 'tables.sqlite'}"
