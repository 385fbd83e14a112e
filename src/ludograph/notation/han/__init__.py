"""HAN: single actions (`parse`, `format`) and whole games (`parse_game`, `format_game`)."""

from ludograph.notation.han.action import Dialect, format, parse, parse_lenient
from ludograph.notation.han.game import parse_game, parse_game_lenient, read_game, visit_game
from ludograph.notation.han.game_parser import CODES
from ludograph.notation.han.game_writer import format_game, format_game_lenient
from ludograph.notation.han.recognise import begins_at
from ludograph.notation.han.split import split

__all__ = [
    "CODES",
    "Dialect",
    "begins_at",
    "format",
    "format_game",
    "format_game_lenient",
    "parse",
    "parse_game",
    "parse_game_lenient",
    "parse_lenient",
    "read_game",
    "split",
    "visit_game",
]
