"""Options of a settlers game from the command line: points=12, friendly=true."""

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from ludograph.cli.output import USAGE, CommandError

_NAMES = ("points", "limit", "friendly", "trades", "beginners", "strict")
_BOOLEANS = {"true": "yes", "false": "no"}


def parse_settlers_options(words: Sequence[str]) -> dict[str, Any]:
    """Parse `name=value` options; an unknown name or value is a usage error."""
    headers: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or name not in _NAMES:
            raise CommandError(
                f"an option is {', '.join(f'{name}=…' for name in _NAMES)}, not '{word}'", USAGE
            )
        headers[name.capitalize()] = _BOOLEANS.get(value, value)
    if not headers:
        return {}
    options = import_module("ludograph.hexil.options")
    try:
        found: dict[str, Any] = options.options_from_headers(headers)
    except options.Unplayable as error:
        raise CommandError(str(error).replace("the header", "the option"), USAGE) from None
    return found
