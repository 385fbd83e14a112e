"""The output of commands: exit codes, JSON, text, and the error that ends a command. Imports no other
package.
"""

import json
import os
from pathlib import Path
from typing import Any

SUCCESS = 0
FAILURE = 1
USAGE = 2
INTERNAL = 70


class CommandError(Exception):
    """An error that ends a command with a message and an exit code."""

    def __init__(self, message: str, code: int, details: dict[str, Any] | None = None) -> None:
        """`details`: further facts for JSON."""
        super().__init__(message)
        self.code = code
        self.details = details or {}


def write_json(value: dict[str, Any], output: str | None = None) -> None:
    """Write JSON; unprintable characters, such as bidirectional overrides, become escapes of JSON."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    if not text.replace("\n", "").isprintable():
        text = "".join(
            each if each.isprintable() or each == "\n" else json.dumps(each)[1:-1] for each in text
        )
    write_text(f"{text}\n", output)


def write_text(text: str, output: str | None) -> None:
    """Write to standard output, or to a file as UTF-8 with LF line ends."""
    if output is None or output == "-":
        print(text, end="")
        return
    parse_path(output).write_bytes(text.encode("utf-8", "backslashreplace"))


def parse_path(name: str) -> Path:
    """The path that a user typed; a CommandError if no file can have this name."""
    try:
        os.fsencode(name)
    except UnicodeEncodeError:
        raise CommandError(f"{name!r} is not a valid file name", USAGE) from None
    if "\0" in name or not name:
        raise CommandError(f"{name!r} is not a valid file name", USAGE)
    return Path(name)
