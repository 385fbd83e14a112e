"""`ludograph serve`: play in the browser."""

import os
import socket
import sys
import threading
import webbrowser
from argparse import Namespace
from pathlib import Path

from ludograph.cli.output import FAILURE, SUCCESS, USAGE, CommandError
from ludograph.cli.streams import flush_output, print_text


def run(arguments: Namespace) -> int:
    try:
        from ludograph.server.app import CannotServe, ServerSettings, run_server
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
        if arguments.open and _has_desktop():
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

    port = _usual_port(arguments.host) if arguments.port is None else arguments.port
    try:
        run_server(settings, arguments.host, port, started)
    except CannotServe as error:
        raise CommandError(str(error), FAILURE) from None
    return SUCCESS


def _default_database() -> str:
    """A file in the user's folder for data."""
    folder = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "ludograph"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    return f"sqlite:///{folder / 'tables.sqlite'}"


USUAL_PORT = 8400


def _usual_port(host: str) -> int:
    """The usual port, or any free one if another server has it."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as trial:
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind((host, USUAL_PORT))
        except OSError:
            return 0
    return USUAL_PORT


def _has_desktop() -> bool:
    """Whether a browser can open a window; a browser for the terminal would take it away."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
