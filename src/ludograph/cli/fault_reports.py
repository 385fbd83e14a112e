"""Reports about faults of the rules: what failed, how to see it again, and where its record was saved."""

import re
import shlex
from argparse import Namespace
from collections.abc import Callable
from typing import Any

from ludograph.cli.output import FAILURE, CommandError, parse_path
from ludograph.cli.streams import escape_line, print_message
from ludograph.play import Record, format_record
from ludograph.tgdl.world.faults import Fault

MAX_NAMES = 1000
"""How many file names are tried for a record."""


def print_fault(fault: Fault, *, to_players: bool = False) -> None:
    """Print a fault with its place; messages for players contain no secrets."""
    shown = fault.for_players() if to_players else fault
    print_message(shown.picture() if shown.sources else f"error[{shown.code}]: {shown.message}")


def fault_error(
    game: str,
    fault: Fault,
    arguments: Namespace,
    *,
    where: str,
    command: str,
    record: Callable[[], Record],
    details: dict[str, Any],
) -> CommandError:
    """Save the record of a fault that was printed; the error ends the command and describes everything.

    `where` names the game, `command` shows it again, and `details` are for JSON.
    """
    name = escape_line(game)
    lines = [f"the rules of {name} went wrong here; the game is unfinished", where]
    lines.append(f"to see it again: {command}")
    details = {**details, "command": command, "code": fault.code, "record": None}
    try:
        saved = save_new(format_record(record()), arguments.record or f"fault-{_file_name(game)}.txt")
    except OSError as error:
        lines.append(f"its record cannot be saved: {error.filename}: {error.strerror}")
    except CommandError as error:
        lines.append(f"its record cannot be saved: {error}")
    else:
        replay = shlex.join(["ludograph", "replay", saved, "--game", arguments.game])
        lines.append(f"its record is saved as {saved}; to replay it: {replay}")
        details["record"] = saved
    return CommandError("\n".join(lines), FAILURE, details)


def save_new(text: str, name: str) -> str:
    """Write a new file, and return its name.

    No file is overwritten: if there is one with another content, a number is added to the name.
    """
    path, data = parse_path(name), text.encode()
    for number in range(1, MAX_NAMES):
        place = path if number == 1 else path.with_name(f"{path.stem}-{number}{path.suffix}")
        try:
            with place.open("xb") as file:
                file.write(data)
        except FileExistsError:
            if not place.is_file() or place.read_bytes() != data:
                continue
        return str(place)
    raise CommandError(f"there are too many files like {name}", FAILURE)


def _file_name(game: str) -> str:
    """The name of a game as a part of a file name."""
    return re.sub(r"[^a-z0-9]+", "-", game.lower()).strip("-")[:60] or "game"


def repeat_command(command: str, arguments: Namespace, *words: str) -> str:
    """The command line that starts the same game again, with more words at its end."""
    found = ["ludograph", command, arguments.game]
    if arguments.players is not None:
        found += ["--players", str(arguments.players)]
    for option in arguments.option:
        found += ["--option", option]
    for name in ("setup", "position", "engine"):
        value = getattr(arguments, name, None)
        if value is not None:
            found += [f"--{name}", str(value)]
    return shlex.join([*found, *words])
