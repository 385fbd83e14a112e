"""The levels of bots at tables."""

from msgspec import Struct


class BotStrength(Struct, frozen=True):
    """A level of bots: the first bot of its list that can play the game plays it."""

    name: str
    description: str
    bots: tuple[str, ...]


BOT_LEVELS = (
    BotStrength("easy", "plays at random, and Hexil with little foresight", ("settlers:easy", "random")),
    BotStrength("medium", "looks a little ahead", ("settlers:medium", "mcts:0.2s", "greedy", "random")),
    BotStrength("hard", "thinks for up to two seconds", ("settlers:hard", "mcts:2s", "greedy", "random")),
)
DEFAULT_LEVEL = "medium"
LAST_RESORT = ("random",)


def bots_of(level: str) -> tuple[str, ...]:
    """The bots of a level; an unknown one is that of another version of the server."""
    found = {each.name: each.bots for each in BOT_LEVELS}
    return found.get(level) or found[DEFAULT_LEVEL]
