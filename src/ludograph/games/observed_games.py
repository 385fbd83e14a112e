"""Self-play for statistics: records of random games, play-outs, and games that count what their rules do."""

from contextlib import suppress

from ludograph.games.engines import (
    REFERENCE,
    Engine,
    NoNativeEngine,
    native_engine,
    sample_seed,
    simulate,
    start_block,
)
from ludograph.games.random_games import RandomGame
from ludograph.games.thread_stacks import run_with_stack
from ludograph.play import Outcome, Record, replay
from ludograph.tgdl.game.game import Game, State
from ludograph.tgdl.native.run.execution import ExecutionContext, Failure, Outgrown, TooLarge
from ludograph.tgdl.testing.coverage import PointCount, PointKind, RuleCounter
from ludograph.tgdl.world.faults import Fault

__all__ = ["ObservedGame", "Playouts", "PointCount", "PointKind", "RandomRecords"]


class ObservedGame:
    """A game on the reference engine that counts what its rules do. Mutable."""

    def __init__(self, game: Game) -> None:
        self._counter = RuleCounter()
        self._game = Game(game.program, fuel=game.fuel, observer=self._counter)

    def replay(self, record: Record) -> int:
        """Count what a game does that has been played; the number of its moves."""
        return len(replay(self._game, record).state.record.moves)

    @property
    def counts(self) -> tuple[PointCount, ...]:
        """The counts of all statements and conditions, in the order of the source."""
        return self._counter.counts(self._game.program)


class RandomRecords:
    """Records of random games from a state, played on the native engine if there is one."""

    def __init__(self, start: State, *, seed: int, limit: int) -> None:
        self.start = start
        self.seed = seed
        self.limit = limit
        self.engine: Engine | None = None
        with suppress(NoNativeEngine):
            self.engine = native_engine(start.game, start)

    def record(self, number: int) -> Record:
        """The record of a game; if the rules fail in it, the moves before."""
        played = RandomGame(self.start, number, seed=self.seed, limit=self.limit, engine=self.engine)
        with suppress(Fault):
            for _ in played.steps():
                pass
        return played.record


class Playouts:
    """Random games from many states of one configuration; they share the memory of the native engine."""

    def __init__(self, engine: Engine | None, *, limit: int) -> None:
        self.limit = limit
        self._engine = engine
        self._context = None if engine is None else ExecutionContext(engine, run_with_stack)

    def outcomes(self, state: State, games: int, seed: int) -> list[Outcome]:
        """The outcomes of some games from a state between two moves."""
        engine, context = self._engine, self._context
        if engine is None or context is None:
            return list(simulate(state, games, seed=seed, limit=self.limit, engine=REFERENCE))
        try:
            return list(context.outcomes(start_block(engine, state), sample_seed(seed, 0), games, self.limit))
        except (Outgrown, TooLarge, Failure):
            return list(simulate(state, games, seed=seed, limit=self.limit, engine=engine))
