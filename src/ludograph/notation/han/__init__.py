"""HAN: actions one by one (`parse`, `format`) and whole games (`parse_game`, `format_game`)."""

from ludograph.notation.han.action import Dialect, format, parse, parse_lenient
from ludograph.notation.han.game import (
    CODES,
    format_game,
    format_game_lenient,
    parse_game,
    parse_game_lenient,
    read_game,
)

__all__ = [
    "CODES",
    "Dialect",
    "format",
    "format_game",
    "format_game_lenient",
    "parse",
    "parse_game",
    "parse_game_lenient",
    "parse_lenient",
    "read_game",
]
