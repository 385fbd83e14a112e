"""Bots of tables: levels, and the processes in which they think."""

from msgspec import Struct

from ludograph.server.limits import Limits


class Level(Struct, frozen=True):
    """A level of bots: the first bot of its list that can play the game plays it."""

    name: str
    description: str
    bots: tuple[str, ...]


BOT_LEVELS = (
    Level("easy", "plays at random", ("random",)),
    Level("medium", "looks a little ahead", ("mcts:0.2s", "greedy", "random")),
    Level("hard", "thinks for two seconds", ("mcts:2s", "greedy", "random")),
)


class BotPool:
    """Processes with bots. Mutable."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits

    async def choose(self, table: object, seat: int, level: str) -> tuple[str, ...]:
        return ()

    async def close(self) -> None:
        """Stop all processes."""
