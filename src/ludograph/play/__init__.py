"""Play: the interface that every game implements: states, choices, moves, records, matches.

Read in this order: `generator`, `choices`, `legal_moves`, `results`, `record`, `search`, `game`, `seats`,
`match`. A module is imported when it is first used: the checker of the language needs only `appearance`.
"""

from importlib import import_module

TYPE_CHECKING = False  # true for type checkers; importing it from typing would cost time at start-up

if TYPE_CHECKING:
    from ludograph.play.choices import CHANCE, Choice, Kind, Move, Question, format_move, split_move
    from ludograph.play.game import Game, IllegalMove, RulesWrong, State
    from ludograph.play.generator import Generator
    from ludograph.play.legal_moves import LegalMoves
    from ludograph.play.match import (
        Outcome,
        Replay,
        Statistics,
        perft,
        play_bots,
        random_playout,
        replay,
        simulate,
        summarize,
    )
    from ludograph.play.record import (
        BadRecord,
        Record,
        RecordedMove,
        format_record,
        parse_moves,
        parse_record,
    )
    from ludograph.play.results import Ending, Result
    from ludograph.play.search import Search, SearchedMove, SearchSettings
    from ludograph.play.seats import Bot, Clock, Seat, play_bot

__all__ = [
    "CHANCE",
    "BadRecord",
    "Bot",
    "Choice",
    "Clock",
    "Ending",
    "Game",
    "Generator",
    "IllegalMove",
    "Kind",
    "LegalMoves",
    "Move",
    "Outcome",
    "Question",
    "Record",
    "RecordedMove",
    "Replay",
    "Result",
    "RulesWrong",
    "Search",
    "SearchSettings",
    "SearchedMove",
    "Seat",
    "State",
    "Statistics",
    "format_move",
    "format_record",
    "parse_moves",
    "parse_record",
    "perft",
    "play_bot",
    "play_bots",
    "random_playout",
    "replay",
    "simulate",
    "split_move",
    "summarize",
]

_MODULES = {
    "CHANCE": "ludograph.play.choices",
    "BadRecord": "ludograph.play.record",
    "Bot": "ludograph.play.seats",
    "Choice": "ludograph.play.choices",
    "Clock": "ludograph.play.seats",
    "Ending": "ludograph.play.results",
    "Game": "ludograph.play.game",
    "Generator": "ludograph.play.generator",
    "IllegalMove": "ludograph.play.game",
    "Kind": "ludograph.play.choices",
    "LegalMoves": "ludograph.play.legal_moves",
    "Move": "ludograph.play.choices",
    "Outcome": "ludograph.play.match",
    "Question": "ludograph.play.choices",
    "Record": "ludograph.play.record",
    "RecordedMove": "ludograph.play.record",
    "Replay": "ludograph.play.match",
    "Result": "ludograph.play.results",
    "RulesWrong": "ludograph.play.game",
    "Search": "ludograph.play.search",
    "SearchSettings": "ludograph.play.search",
    "SearchedMove": "ludograph.play.search",
    "Seat": "ludograph.play.seats",
    "State": "ludograph.play.game",
    "Statistics": "ludograph.play.match",
    "format_move": "ludograph.play.choices",
    "format_record": "ludograph.play.record",
    "parse_moves": "ludograph.play.record",
    "parse_record": "ludograph.play.record",
    "perft": "ludograph.play.match",
    "play_bot": "ludograph.play.seats",
    "play_bots": "ludograph.play.match",
    "random_playout": "ludograph.play.match",
    "replay": "ludograph.play.match",
    "simulate": "ludograph.play.match",
    "split_move": "ludograph.play.choices",
    "summarize": "ludograph.play.match",
}


def __getattr__(name: str) -> object:
    where = _MODULES.get(name)
    if where is None:
        raise AttributeError(f"module 'ludograph.play' has no attribute {name!r}")
    value: object = getattr(import_module(where), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_MODULES])
