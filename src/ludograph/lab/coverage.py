"""Coverage of rules by self-play: games are played at full speed and then replayed under observation."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from ludograph.games import Game
from ludograph.games.observed_games import ObservedGame, PointCount, PointKind, RandomRecords
from ludograph.lab.matches import LIMIT, fill_bots, play_many
from ludograph.play import Record


class Coverage(Struct, frozen=True):
    """What some games have reached. Counts include the trials with which the engine tests moves."""

    games: int
    moves: int
    """The moves of players and of chance."""
    counts: tuple[PointCount, ...]

    @property
    def unreached(self) -> tuple[PointCount, ...]:
        """The statements and conditions that never ran."""
        return tuple(each for each in self.counts if not each.reached)

    @property
    def constant(self) -> tuple[PointCount, ...]:
        """The conditions that were tested and always had the same result."""
        return tuple(
            each
            for each in self.counts
            if each.point.kind is PointKind.CONDITION and each.reached and not (each.held and each.failed)
        )


class CoverageMeter:
    """Plays games of one configuration and counts what they reach. Mutable."""

    def __init__(
        self,
        game: Game,
        *,
        players: int | None = None,
        options: Mapping[str, Any] | None = None,
        setup: str | None = None,
    ) -> None:
        self.start = game.new(players=players, options=options, setup=setup)
        self.games = 0
        self.moves = 0
        self._observed = ObservedGame(game)

    @property
    def coverage(self) -> Coverage:
        """The coverage by all games so far."""
        return Coverage(self.games, self.moves, self._observed.counts)

    def play(
        self, games: int, *, bots: Sequence[str] = ("random",), seed: int = 0, limit: int = LIMIT
    ) -> Iterator[None]:
        """Play games between bots; yield after each. A fault of the rules ends its game."""
        for record in self._records(games, bots, seed, limit):
            self.add(record)
            yield

    def add(self, record: Record) -> None:
        """Count what a game reaches that has been played."""
        self.moves += self._observed.replay(record)
        self.games += 1

    def _records(self, games: int, bots: Sequence[str], seed: int, limit: int) -> Iterator[Record]:
        if set(bots) != {"random"}:
            names = [str(bot) for bot in fill_bots(bots, self.start.players)]
            for match in play_many(self.start, lambda _: names, games, seed=seed, limit=limit):
                yield match.record
            return
        random_records = RandomRecords(self.start, seed=seed, limit=limit)
        for number in range(games):
            yield random_records.record(number)
