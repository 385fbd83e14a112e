"""Bots from texts: `random`, `greedy`, `flat:500`, `mcts:2s`, `mcts:2s:threads=2`, `settlers:hard`.

A text is the name of a bot, and a colon with its budget if the bot searches: a number of iterations for each
choice, or a number of seconds with an `s`. The number of threads may follow. The settlers player has a level
instead.
"""

from difflib import get_close_matches

from msgspec import Struct

from ludograph.bots.budgets import SearchBudget
from ludograph.bots.search_bots import SearchBot
from ludograph.bots.settlers import LEVELS, SettlersBot
from ludograph.bots.simple_bots import GreedyBot, RandomBot
from ludograph.play import Bot, Clock, Generator, SearchSettings
from ludograph.play.generator import split_mix
from ludograph.play.search import MAX_THREADS

BOTS: dict[str, str] = {
    "random": "takes each legal move with the same probability",
    "greedy": "takes the move with the best value after it, by the verb `value` of the rules",
    "flat": "compares the next moves by random play-outs",
    "mcts": "Monte Carlo tree search",
    "settlers": "plays Hexil; its levels are easy, medium and hard",
}
"""The names of the bots, and what they do."""
SEARCHERS = frozenset({"flat", "mcts"})
DEFAULT_LEVEL = "hard"
DEFAULT_BUDGET = SearchBudget(seconds=1.0)
MAX_ITERATIONS = 1_000_000_000
MAX_SECONDS = 86_400.0


class BotSpecification(Struct, frozen=True):
    """A kind of bot with its budget. `make` makes one for a game."""

    name: str
    budget: SearchBudget | None = None
    level: str | None = None
    """The level of the settlers player."""
    threads: int = 1
    """The number of threads of a bot that searches."""

    @property
    def text(self) -> str:
        if self.level is not None:
            return f"{self.name}:{self.level}"
        budget = "" if self.budget is None else f":{self.budget.text}"
        return f"{self.name}{budget}" + (f":threads={self.threads}" if self.threads > 1 else "")

    def make(self, generator: Generator, clock: Clock) -> Bot:
        """A bot for one seat of one game. It draws from the generator, and reads the time from the clock."""
        match self.name:
            case "random":
                return RandomBot(generator)
            case "greedy":
                return GreedyBot(generator)
            case "settlers":
                return SettlersBot(self.level or DEFAULT_LEVEL, generator)
            case _:
                settings = SearchSettings(is_flat=self.name == "flat", threads=self.threads)
                return SearchBot(self.budget or DEFAULT_BUDGET, settings, generator, clock)


def bot_seed(seed: int, player: int) -> int:
    """The seed of the bot of a player in the game of a seed; the generators of its players are independent.

    >>> bot_seed(7, 0) == bot_seed(7, 1), bot_seed(7, 1) == bot_seed(8, 0)
    (False, False)
    """
    return split_mix(seed, player + 1)[player]


def parse_bot(text: str) -> BotSpecification:
    """Parse the text of a bot; a ValueError says what is wrong with it.

    >>> parse_bot("mcts:2s").budget
    SearchBudget(iterations=None, seconds=2.0)
    >>> parse_bot("flat:500").text
    'flat:500'
    """
    name, colon, rest = (part.strip() for part in text.strip().partition(":"))
    if name not in BOTS:
        close = get_close_matches(name, BOTS, 1)
        hint = f"; did you mean {close[0]}?" if close else f", only {', '.join(BOTS)}"
        raise ValueError(f"there is no bot '{name}'{hint}")
    if name == "settlers":
        level = rest if colon else DEFAULT_LEVEL
        if level not in LEVELS:
            raise ValueError(f"the levels of 'settlers' are {', '.join(LEVELS)}, not '{level}'")
        return BotSpecification(name, level=level)
    if name not in SEARCHERS:
        if colon:
            raise ValueError(f"'{name}' has no budget, so nothing may follow its name")
        return BotSpecification(name)
    parts = [part.strip() for part in rest.split(":", 1)] if colon else []
    budget = DEFAULT_BUDGET
    if parts and not parts[0].startswith("threads"):
        budget = parse_budget(name, parts.pop(0))
    return BotSpecification(name, budget, threads=parse_threads(name, ":".join(parts)) if parts else 1)


def parse_threads(name: str, text: str) -> int:
    """Parse the number of threads of a bot, such as `threads=2`; a ValueError says what is wrong."""
    key, _, number = (part.strip() for part in text.partition("="))
    if key != "threads" or not (number.isascii() and number.isdigit()):
        raise ValueError(
            f"only a number of threads may follow the budget, such as {name}:2s:threads=2, not '{text}'"
        )
    if len(number) > 4 or not 1 <= int(number) <= MAX_THREADS:
        raise ValueError(f"the number of threads is between 1 and {MAX_THREADS}, not {number}")
    return int(number)


def parse_budget(name: str, text: str) -> SearchBudget:
    """Parse the budget of a bot that searches: `1000` iterations or `2s`; a ValueError says what is wrong."""
    wrong = ValueError(
        f"the budget of '{name}' is a number of iterations, such as {name}:1000, or of seconds, "
        f"such as {name}:2s, not '{text}'"
    )
    if not text.isascii():
        raise wrong
    if text.isdigit():
        if len(text) > 10 or not 1 <= int(text) <= MAX_ITERATIONS:
            raise ValueError(f"the number of iterations is between 1 and {MAX_ITERATIONS:,}, not {text}")
        return SearchBudget(iterations=int(text))
    whole, _, fraction = text.removesuffix("s").partition(".")
    if not text.endswith("s") or len(text) > 20 or not (whole + fraction).isdigit():
        raise wrong
    seconds = float(f"{whole or 0}.{fraction or 0}")
    if not 0 < seconds <= MAX_SECONDS:
        raise ValueError(f"the number of seconds is more than 0 and at most {MAX_SECONDS:,.0f}, not {text}")
    return SearchBudget(seconds=seconds)
