"""One game of many random games, played again move by move: for a trace, or for the record of a fault."""

from collections.abc import Iterator

from ludograph.games.engines import Engine, enlarge, sample_seed, start_block
from ludograph.games.starts import CompiledStart
from ludograph.games.thread_stacks import run_with_stack
from ludograph.play import Generator, Record
from ludograph.play.match import first_seed
from ludograph.tgdl.game.fault_records import FaultRecorder, record_of
from ludograph.tgdl.game.game import State
from ludograph.tgdl.native.run.execution import ExecutionContext, Failure, Outgrown


class RandomGame:
    """A random game that `simulate` played, as the choices of a recorder. Mutable."""

    def __init__(
        self,
        start: State | CompiledStart,
        number: int,
        *,
        seed: int,
        limit: int,
        engine: Engine | str | None,
    ) -> None:
        """`number` counts the games of the seed from 0."""
        self.number = number
        self.seed = seed
        self.limit = limit
        self.start = start
        self.state = start.state() if isinstance(start, CompiledStart) else start
        self.recorder = FaultRecorder.of(self.state)
        self._engine = engine if isinstance(engine, Engine) else None

    @property
    def record(self) -> Record:
        """The record of the game so far, including the choice that raised a fault."""
        return record_of(self.state, self.recorder)

    @property
    def result(self) -> str:
        """The result of the game so far."""
        result = self.recorder.snapshot.result
        return "unfinished" if result is None else result.text

    def steps(self) -> Iterator[None]:
        """Play the game; yield after each move of a player or of chance. A fault of the game is raised."""
        engine = self._engine
        while engine is not None:
            context = ExecutionContext(engine, run_with_stack)
            game_seed = sample_seed(self.seed, self.number)
            words, stopped = context.log_game(start_block(engine, self.start), game_seed, self.limit)
            if stopped is None or isinstance(stopped, Failure):
                yield from self._replay(engine, words, stopped)
                return
            engine = enlarge(engine, self.start) if isinstance(stopped, Outgrown) else None
        yield from self._play()

    def _replay(self, engine: Engine, log: list[tuple[int, ...]], failure: Failure | None) -> Iterator[None]:
        """Make the choices that native code has logged."""
        for words in log:
            self.recorder.push_words(engine, words)
            if words:
                yield
        if failure is not None:
            self.recorder.push_words(engine, failure.words)
            raise failure.to_exception()

    def _play(self) -> Iterator[None]:
        """Play with the draws of the reference engine."""
        recorder, generator = self.recorder, Generator(first_seed(self.seed) + self.number)
        for _ in range(self.limit):
            begin = len(recorder.log)
            recorder.sample_chance(generator)
            if len(recorder.log) > begin:
                yield
            if not recorder.snapshot.choosers:
                break
            moves = recorder.snapshot.moves()
            recorder.play(moves[generator.below(len(moves))])
            yield
