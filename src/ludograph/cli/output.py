"""What commands give: exit codes, JSON and text, and the complaint that ends one. Imports no room."""

import json
import os
from pathlib import Path
from typing import Any

FINE = 0
FAULTY = 1
USAGE = 2
INTERNAL = 70


class Complaint(Exception):
    """Something that ends a command with one sentence and an exit code."""

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.code = code


def write_json(value: dict[str, Any], output: str | None = None) -> None:
    write_text(json.dumps(value, ensure_ascii=False, indent=2) + "\n", output)


def write_text(text: str, output: str | None) -> None:
    """Write to standard output, or into a file as UTF-8 with plain line ends."""
    if output is None or output == "-":
        print(text, end="")
        return
    path_of(output).write_bytes(text.encode("utf-8", "backslashreplace"))


def path_of(name: str) -> Path:
    """The path that somebody typed; a complaint if no file can have this name."""
    try:
        os.fsencode(name)
    except UnicodeEncodeError:
        raise Complaint(f"{name!r} cannot be the name of a file", USAGE) from None
    if "\0" in name or not name:
        raise Complaint(f"{name!r} cannot be the name of a file", USAGE)
    return Path(name)
