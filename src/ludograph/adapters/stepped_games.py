"""Many games of one world that native code steps together, for learners.

The caller gives the arrays and the actions of choices. Native code plays, begins the next game where one has
ended, and writes what the acting player sees. It knows the actions of choices by their keys; the text of a
choice with a new key is written once, and given to the caller for a number.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from ludograph.games import State
from ludograph.play import CHANCE
from ludograph.play.choices import Choice
from ludograph.tgdl.game.internals import runner_of
from ludograph.tgdl.game.native_state import question_at, words_of_candidates
from ludograph.tgdl.game.reference_history import ReferenceHistory
from ludograph.tgdl.game.snapshot import Snapshot
from ludograph.tgdl.native.layout.environments import TensorLayout
from ludograph.tgdl.native.layout.status import Unsupported
from ludograph.tgdl.native.lower.present.interface import signature_columns
from ludograph.tgdl.native.run.calls import MoveRunner
from ludograph.tgdl.native.run.environment_code import compile_environments
from ludograph.tgdl.native.run.execution import Failure, Outgrown, TooLarge
from ludograph.tgdl.native.run.game_batch import GameBatch
from ludograph.tgdl.native.run.history import HistoryRoot, NativeHistory
from ludograph.tgdl.world.memory import SETUP

NumberAnswers = Callable[[Sequence[Choice]], Mapping[int, Choice]]
"""The candidates of a question by the numbers of their actions."""
FindAction = Callable[[Choice], int | None]
"""The number of a choice, by its text alone; None if it has none of its own."""


Found = TypeVar("Found")


class GamesTooLarge(RuntimeError):
    """A game of a batch needs more memory than native code has."""


class SteppedGames:
    """Games in native code. Mutable."""

    def __init__(
        self,
        runner: MoveRunner,
        batch: GameBatch,
        number_answers: NumberAnswers,
        find_action: FindAction,
        mark: Callable[[int, Sequence[int]], None],
    ) -> None:
        self._runner = runner
        self._batch = batch
        self._number_answers = number_answers
        self._find_action = find_action
        self._mark = mark
        self._call(lambda: batch.learn_start(0))

    def begin(self, games: Sequence[int], seeds: Sequence[int]) -> None:
        """Begin games with seeds."""
        self._number(self._call(lambda: self._batch.begin(games, seeds)))

    def step(self) -> None:
        """Play the actions in the array of the caller."""
        self._number(self._call(self._batch.step))

    def seed(self, game: int) -> int:
        """The seed of the current game of a place."""
        return self._batch.field(game, "seed")

    def _call(self, run: Callable[[], Found]) -> Found:
        try:
            return run()
        except Failure as failure:
            raise failure.to_exception() from None
        except (Outgrown, TooLarge) as reason:
            message = str(reason) or "play creates more things than native code was compiled for"
            raise GamesTooLarge(message) from None

    def _number(self, games: Sequence[int]) -> None:
        """Number the answers that native code could not number, and remember those with a key."""
        for game in games:
            history = self._history(game)
            question = question_at(history, None)
            words = words_of_candidates(history, question)
            if words is None or len(words) != len(question.candidates):
                raise GamesTooLarge("native code cannot list the answers of a question")
            numbers = {
                id(choice): number for number, choice in self._number_answers(question.candidates).items()
            }
            actions = [numbers[id(choice)] for choice in question.candidates]
            keys = {answer.word: answer.key for answer in self._batch.answers(game)}
            learnt = {}
            for word, choice in zip(words, question.candidates, strict=True):
                number = self._find_action(choice)
                learnt[keys.get(word, (0, 0))] = -1 if number is None else number
            self._batch.learn(learnt)
            self._batch.number(game, words, actions)
            self._mark(game, actions)

    def _history(self, game: int) -> NativeHistory:
        """The position of a game, without its moves."""
        batch, block = self._batch, self._batch.block(game)

        def make_reference() -> Any:
            return ReferenceHistory(Snapshot(self._runner.plan.world, self._runner.engine.memory(block)))

        root = HistoryRoot(self._runner, block, draws=False, chance_streak=0, reference=make_reference)
        is_open, mask = batch.field(game, "is_open"), batch.field(game, "mask")
        chooser = batch.field(game, "chooser") if is_open else None
        return NativeHistory(root, None, block, batch.pending(game), mask, chooser, None, CHANCE, (), 0)


def start_stepped_games(
    state: State,
    layout: TensorLayout,
    count: int,
    arrays: Mapping[str, tuple[int, int]],
    settings: Mapping[str, int | float],
    number_answers: NumberAnswers,
    find_action: FindAction,
    mark: Callable[[int, Sequence[int]], None],
) -> SteppedGames | None:
    """Many games with the rules, the players and the options of a state; none of them has begun.

    None if there is no native engine for them, or if play changes the board: then names of tiles change.
    """
    runner = runner_of(state)
    if runner is None or runner.plan.changes:
        return None
    world = runner.plan.world
    assert world.start is not None
    memory = world.start.copy()
    memory.cells[SETUP] = None
    start = runner.engine.block(memory)
    try:
        code = compile_environments(runner.engine, layout)
    except Unsupported:
        return None
    batch = GameBatch(code, count, start, signature_columns(runner.plan), arrays, settings)
    return SteppedGames(runner, batch, number_answers, find_action, mark)
