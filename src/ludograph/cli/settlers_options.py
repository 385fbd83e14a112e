"""Options of a settlers game, as they are typed: points=12, friendly=true."""

from collections.abc import Sequence
from importlib import import_module
from typing import Any

from ludograph.cli.output import USAGE, Complaint

_NAMES = ("points", "limit", "friendly", "trades", "beginners", "strict")
_TRUTHS = {"true": "yes", "false": "no"}


def settlers_options(words: Sequence[str]) -> dict[str, Any]:
    """The options from `name=value`; a usage error if there is no such option or value."""
    headers: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or name not in _NAMES:
            raise Complaint(f"an option is {', '.join(f'{name}=…' for name in _NAMES)}, not '{word}'", USAGE)
        headers[name.capitalize()] = _TRUTHS.get(value, value)
    if not headers:
        return {}
    options = import_module("ludograph.hexil.options")
    try:
        found: dict[str, Any] = options.options_from_headers(headers)
    except options.Unplayable as error:
        raise Complaint(str(error).replace("the header", "the option"), USAGE) from None
    return found
