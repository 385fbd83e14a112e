"""Play: the interface that every game implements: states, choices, moves, records, matches.

Read in this order: `generator`, `choices`, `legal_moves`, `results`, `record`, `search`, `game`, `seats`,
`match`.
"""

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
from ludograph.play.record import BadRecord, Record, RecordedMove, format_record, parse_moves, parse_record
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
