"""The process of replays: it reads texts and plays games that others wrote.

So they cannot hurt the server. The process gives up what it does not need before it reads anything, and the
server kills it when it takes too long.
"""

import sys
from collections import OrderedDict

import msgspec

from ludograph.games import SourceError
from ludograph.play import RulesWrong
from ludograph.server.replays.analysing import evaluate_nodes, find_best
from ludograph.server.replays.games import CannotShow, ReplayGame
from ludograph.server.replays.reading import read_text
from ludograph.server.replays.requests import (
    BestFound,
    ChoicesShown,
    DescribeGame,
    EvaluateNodes,
    FindBest,
    FramesShown,
    GameDescribed,
    GameRead,
    JobAnswers,
    JobRefused,
    Jobs,
    NodesEvaluated,
    PlayVariation,
    ReadGame,
    ReplayJob,
    ReplayRequests,
    ShowChoices,
    ShowFrames,
    TextWritten,
    VariationPlayed,
    WriteText,
)
from ludograph.server.workers.life import run_worker

MAX_GAMES = 4
"""Games that are kept."""


class ReplayWorker:
    """The games of a process. Mutable."""

    def __init__(self) -> None:
        self._games: OrderedDict[str, ReplayGame] = OrderedDict()

    def answer(self, job: Jobs) -> JobAnswers:
        """The answer to a job."""
        try:
            match job:
                case ReadGame(wanted):
                    return GameRead(read_text(wanted))
                case ReplayJob():
                    return _answer(self._game(job), job.request)
        except CannotShow as error:
            return JobRefused(str(error))
        except (SourceError, RulesWrong, ValueError) as error:
            return JobRefused(str(error).partition("\n")[0][:500])
        except (MemoryError, RecursionError):
            self._games.clear()
            return JobRefused("the game needs too much memory")

    def _game(self, job: ReplayJob) -> ReplayGame:
        found = self._games.get(job.replay)
        if found is None:
            found = self._games[job.replay] = ReplayGame(job.document, job.nodes)
            if len(self._games) > MAX_GAMES:
                self._games.popitem(last=False)
        self._games.move_to_end(job.replay)
        found.renew(job.nodes)
        return found


def _answer(game: ReplayGame, request: ReplayRequests) -> JobAnswers:
    match request:
        case DescribeGame(first):
            return GameDescribed(game.describe(first))
        case ShowFrames(node, first, count, view):
            return FramesShown(game.frames(node, first, count, view))
        case WriteText(node, wanted, view):
            return TextWritten(game.text(node, wanted, view))
        case ShowChoices(node, seat, answers):
            return ChoicesShown(game.choices(node, seat, answers))
        case PlayVariation(wanted, seed):
            return VariationPlayed(game.vary(wanted, seed))
        case FindBest(node, seconds):
            return BestFound(find_best(game, node, seconds))
        case EvaluateNodes(nodes, seconds):
            return NodesEvaluated(evaluate_nodes(game, nodes, seconds))


if __name__ == "__main__":
    worker = ReplayWorker()
    run_worker(sys.argv[1:], msgspec.json.Decoder(Jobs), worker.answer)
