"""Ludograph: games from text, and text from games.

    >>> import ludograph
    >>> text, losses = ludograph.convert("R(2+3) Uk M(d4) S(O)2 E", "han", "han", dialect="2023")
    >>> text
    'R(2+3) UDk Md4 SO2 E'

`docs/python.md` describes everything that can be imported from here, and from `ludograph.hexil`. A module is
imported when one of its names is first used.
"""

from importlib import import_module

__version__ = "0.1.0"

TYPE_CHECKING = False  # true for type checkers; importing it from typing would cost time at start-up

if TYPE_CHECKING:
    from ludograph import hexil as hexil
    from ludograph.games import NoNativeEngine, UnknownGame, list_games, load
    from ludograph.games.playouts import perft, simulate
    from ludograph.games.sources import check, compile_source
    from ludograph.lab import PlayedMatch, play_match
    from ludograph.notation.convert import convert
    from ludograph.notation.guess import guess_notation
    from ludograph.notation.notations import Notation
    from ludograph.notation.results import Loss, LossKind, Reading, Unwritable, Writing
    from ludograph.notation.stream import read_records, visit_records
    from ludograph.play import (
        CHANCE,
        BadRecord,
        Choice,
        Ending,
        Generator,
        IllegalMove,
        Kind,
        LegalMoves,
        Move,
        Question,
        Record,
        RecordedMove,
        Replay,
        Result,
        RulesWrong,
        SearchedMove,
        SearchSettings,
        Statistics,
        format_record,
        parse_record,
        replay,
    )
    from ludograph.text import BadText, Diagnostic, Nonsense, TextError
    from ludograph.tgdl import SourceError
    from ludograph.tgdl.game.game import BadOption, BadPosition, BadState, Game, Refusal, State

__all__ = [
    "CHANCE",
    "BadOption",
    "BadPosition",
    "BadRecord",
    "BadState",
    "BadText",
    "Choice",
    "Diagnostic",
    "Ending",
    "Game",
    "Generator",
    "IllegalMove",
    "Kind",
    "LegalMoves",
    "Loss",
    "LossKind",
    "Move",
    "NoNativeEngine",
    "Nonsense",
    "Notation",
    "PlayedMatch",
    "Question",
    "Reading",
    "Record",
    "RecordedMove",
    "Refusal",
    "Replay",
    "Result",
    "RulesWrong",
    "SearchSettings",
    "SearchedMove",
    "SourceError",
    "State",
    "Statistics",
    "TextError",
    "UnknownGame",
    "Unwritable",
    "Writing",
    "apply_changes",
    "check",
    "compile_source",
    "convert",
    "format_record",
    "guess_notation",
    "hexil",
    "list_games",
    "load",
    "parse_record",
    "perft",
    "play_match",
    "read_records",
    "replay",
    "simulate",
    "visit_records",
]

_WHERE = {
    "BadText": "ludograph.text",
    "Diagnostic": "ludograph.text",
    "Nonsense": "ludograph.text",
    "TextError": "ludograph.text",
    "Loss": "ludograph.notation.results",
    "LossKind": "ludograph.notation.results",
    "Reading": "ludograph.notation.results",
    "Unwritable": "ludograph.notation.results",
    "Writing": "ludograph.notation.results",
    "Notation": "ludograph.notation.notations",
    "convert": "ludograph.notation.convert",
    "guess_notation": "ludograph.notation.guess",
    "read_records": "ludograph.notation.stream",
    "visit_records": "ludograph.notation.stream",
    "NoNativeEngine": "ludograph.games",
    "UnknownGame": "ludograph.games",
    "list_games": "ludograph.games.catalog",
    "load": "ludograph.games.loading",
    "PlayedMatch": "ludograph.lab",
    "play_match": "ludograph.lab",
    "perft": "ludograph.games.playouts",
    "simulate": "ludograph.games.playouts",
    "check": "ludograph.games.sources",
    "compile_source": "ludograph.games.sources",
    "CHANCE": "ludograph.play",
    "BadRecord": "ludograph.play",
    "Choice": "ludograph.play",
    "Ending": "ludograph.play",
    "Generator": "ludograph.play",
    "IllegalMove": "ludograph.play",
    "Kind": "ludograph.play",
    "LegalMoves": "ludograph.play",
    "Move": "ludograph.play",
    "Question": "ludograph.play",
    "Record": "ludograph.play",
    "RecordedMove": "ludograph.play",
    "Replay": "ludograph.play",
    "Result": "ludograph.play",
    "RulesWrong": "ludograph.play",
    "SearchSettings": "ludograph.play",
    "SearchedMove": "ludograph.play",
    "Statistics": "ludograph.play",
    "format_record": "ludograph.play",
    "parse_record": "ludograph.play",
    "replay": "ludograph.play",
    "apply_changes": "ludograph.play.changes",
    "SourceError": "ludograph.tgdl",
    "BadOption": "ludograph.tgdl.game.game",
    "BadPosition": "ludograph.tgdl.game.game",
    "BadState": "ludograph.tgdl.game.game",
    "Game": "ludograph.tgdl.game.game",
    "Refusal": "ludograph.tgdl.game.game",
    "State": "ludograph.tgdl.game.game",
}


def __getattr__(name: str) -> object:
    if name == "hexil":
        return import_module("ludograph.hexil")
    where = _WHERE.get(name)
    if where is None:
        raise AttributeError(f"module 'ludograph' has no attribute {name!r}")
    value: object = getattr(import_module(where), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
