"""Replays games under observation and counts what their rules do."""

from contextlib import suppress

from ludograph.games.engines import Engine, NoNativeEngine, native_engine
from ludograph.games.random_games import RandomGame
from ludograph.play import Record, replay
from ludograph.tgdl.game.game import Game, State
from ludograph.tgdl.testing.coverage import PointCount, PointKind, RuleCounter
from ludograph.tgdl.world.faults import Fault

__all__ = ["ObservedGame", "PointCount", "PointKind", "RandomRecords"]


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
        self._engine: Engine | None = None
        with suppress(NoNativeEngine):
            self._engine = native_engine(start.game, start)

    def record(self, number: int) -> Record:
        """The record of a game; if the rules fail in it, the moves before."""
        played = RandomGame(self.start, number, seed=self.seed, limit=self.limit, engine=self._engine)
        with suppress(Fault):
            for _ in played.steps():
                pass
        return played.record
