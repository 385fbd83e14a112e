"""A worker process: it plays an uploaded game or thinks for bots, so that neither can hurt the server.

It reads requests from standard input and writes answers to standard output. For uploaded games it first gives
up what it does not need: time, memory, files. The server kills it when it takes too long.
"""

import sys
import time
from contextlib import suppress
from typing import Any

import msgspec

from ludograph.bots import parse_bot
from ludograph.games import Game, SourceError, load
from ludograph.games.engines import AUTOMATIC
from ludograph.games.files import find_source
from ludograph.games.sources import check, compile_source
from ludograph.play import Generator, IllegalMove, RulesWrong, play_bot
from ludograph.protocol.tables import CheckedSource, SourceProblem
from ludograph.server.game_details import describe_game
from ludograph.server.stored_tables import digest_of
from ludograph.server.table_game import StepRefused, TableGame
from ludograph.server.workers.life import run_worker
from ludograph.server.workers.requests import (
    AnswerQuery,
    ApplyStep,
    CheckSource,
    FindQuestion,
    FindUndo,
    FindUpdates,
    ForgetViewer,
    FoundNumber,
    FoundTexts,
    LetBotChoose,
    Opened,
    OpenGame,
    ReadText,
    Requests,
    SourceChecked,
    StepProblem,
    TakeSnapshot,
    ViewerUpdates,
    WorkerProblem,
    WriteRecord,
)

MAX_PROBLEMS = 100
MAX_BOT_GAMES = 64


class Worker:
    """The games of a process. Mutable."""

    def __init__(self) -> None:
        self._table_game: TableGame | None = None
        self._games: dict[str, Game] = {}

    def answer(self, request: Requests) -> Any:
        """The answer to a request."""
        try:
            return self._answer(request)
        except StepRefused as error:
            return StepProblem(error.code, error.message, error.explanation)
        except (SourceError, RulesWrong, ValueError) as error:
            return WorkerProblem(str(error).partition("\n")[0][:500])
        except (MemoryError, RecursionError):
            self._table_game = None
            return WorkerProblem("the game needs too much memory")

    def _answer(self, request: Requests) -> Any:
        match request:
            case CheckSource(source):
                return SourceChecked(check_uploaded(source))
            case OpenGame(source, setup, steps):
                rules = compile_source(source, name="game.tgdl")
                table_game = TableGame(rules, setup, is_trusted=False)
                for step in steps:
                    table_game.apply(step)
                self._table_game = table_game
                return Opened(describe_game("", rules), table_game.standing())
            case LetBotChoose():
                return FoundTexts(self._let_bot_choose(request))
        game = self._table_game
        if game is None:
            return WorkerProblem("there is no game")
        match request:
            case ApplyStep(step):
                game.apply(step)
                return game.standing()
            case FindUpdates():
                return ViewerUpdates(game.updates())
            case TakeSnapshot(viewer):
                return game.snapshot(viewer)
            case ForgetViewer(viewer):
                game.forget(viewer)
                return FoundTexts(())
            case FindUndo(seat, scope, lines):
                return FoundNumber(game.find_undo(seat, scope, lines))
            case FindQuestion(seat):
                found = game.question_id(seat)
                return FoundTexts(() if found is None else (found,))
            case ReadText(seat, text):
                return FoundTexts(game.read_text(seat, text))
            case AnswerQuery(query):
                return FoundTexts((game.answer(query),))
            case WriteRecord(viewer):
                return FoundTexts((game.record(viewer),))

    def _let_bot_choose(self, request: LetBotChoose) -> tuple[str, ...]:
        if request.state:
            state = self._bot_game(request).from_bytes(request.state)
        elif self._table_game is not None:
            state = self._table_game.state().copy()
        else:
            raise ValueError("there is no game")
        seat = request.seat
        if seat not in state.asked:
            return ()
        problem: Exception | None = None
        for text in request.bots:
            trial = state.copy()
            bot = parse_bot(text).make(Generator(request.seed), time.monotonic)
            try:
                move = play_bot(trial, bot, seat)
            except (IllegalMove, RulesWrong):
                raise
            except ValueError as error:  # CannotResample
                problem = error
                continue
            return tuple(choice.text for choice in move.choices)
        raise ValueError(str(problem))

    def _bot_game(self, request: LetBotChoose) -> Game:
        found = self._games.get(request.digest)
        if found is None:
            if len(self._games) >= MAX_BOT_GAMES:
                self._games.clear()
            with suppress(LookupError, OSError):
                if digest_of(find_source(request.name).source.text) == request.digest:
                    found = load(request.name, engine=AUTOMATIC)
            if found is None:
                found = compile_source(request.source, name="game.tgdl")
            self._games[request.digest] = found
        return found


def check_uploaded(source: str) -> CheckedSource:
    """All problems of a source, and the game if it has no errors."""
    found = check(source, name="game.tgdl")
    problems = []
    for each in found[:MAX_PROBLEMS]:
        before = source[: each.span.start]
        line = before.count("\n") + 1
        column = len(before) - (before.rfind("\n") + 1) + 1
        problems.append(SourceProblem(each.code, each.severity, each.message, line, column, each.hint))
    try:
        game = compile_source(source, name="game.tgdl")
    except SourceError:
        return CheckedSource(tuple(problems))
    return CheckedSource(tuple(problems), describe_game("", game))


# The process


def main(arguments: list[str]) -> None:
    worker = Worker()
    run_worker(arguments, msgspec.json.Decoder(Requests), worker.answer)


if __name__ == "__main__":
    main(sys.argv[1:])
