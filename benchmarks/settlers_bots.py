"""The settlers player against others: games won, with 95 % Wilson intervals and the time of its decisions.

    python -m benchmarks.settlers_bots --games 200 --jobs 2
    python -m benchmarks.settlers_bots --work value-3 value-1 --catanatron ~/catanatron/catanatron --games 200

`--catanatron` is the folder that contains the package `catanatron` of a newer checkout of the repository
bcollazo/catanatron: its ValueFunctionPlayer is not on PyPI. Without it these two works are left out. Game
number n of a work has the seed `--seed` + n, which decides the island, the dice, the seats and the bots. In
our own games the seats rotate; catanatron draws them.
"""

import argparse
import json
import random
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from ludograph.bots import bot_seed, parse_bot
from ludograph.games import load
from ludograph.lab.statistics import wilson_interval
from ludograph.play import Bot, Generator, Move, Seat, play_bots
from ludograph.play.match import first_seed


@dataclass(frozen=True, slots=True)
class Work:
    """One of our bots against others, and the share of games that it must win."""

    name: str
    ours: str
    theirs: str
    rivals: int
    must: float
    goal: float

    @property
    def is_hosted(self) -> bool:
        """Whether catanatron runs the game."""
        return not self.theirs.startswith(("random", "settlers"))


WORKS = (
    Work("medium", "settlers:medium", "random", 3, 0.98, 1.0),
    Work("hard", "settlers:hard", "settlers:medium", 3, 0.40, 0.50),
    Work("points", "hard", "VictoryPointPlayer", 3, 0.90, 0.98),
    Work("value-3", "hard", "ValueFunctionPlayer", 3, 0.35, 0.50),
    Work("value-1", "hard", "ValueFunctionPlayer", 1, 0.60, 0.75),
)


@dataclass(frozen=True, slots=True)
class Played:
    """A game: whether our bot won, and the CPU seconds of its decisions."""

    won: bool
    finished: bool
    seconds: list[float]


class Timed:
    """A bot whose decisions are timed."""

    def __init__(self, bot: Bot, seconds: list[float]) -> None:
        self._bot = bot
        self._seconds = seconds

    def choose(self, seat: Seat) -> Move:
        began = time.process_time()
        move = self._bot.choose(seat)
        self._seconds.append(time.process_time() - began)
        return move


_COMPILED: set[Work] = set()
"""The works for which this process has compiled the rules."""


def play_here(number: int, work: Work, seed: int) -> Played:
    """A game by our own rules; a game without a winner is lost."""
    game_seed = first_seed(seed) + number
    players = work.rivals + 1
    own, seconds = number % players, list[float]()
    bots: list[Any] = []
    for player in range(players):
        text = work.ours if player == own else work.theirs
        bot = parse_bot(text).make(Generator(bot_seed(game_seed, player)), time.monotonic)
        bots.append(Timed(bot, seconds) if player == own else bot)
    state = load("hexil", engine="native").new(players=players)
    if work not in _COMPILED:  # the first decision compiles the rules
        _COMPILED.add(work)
        play_bots(state.copy(), bots, chance=Generator(game_seed), limit=4 * players)
        return play_here(number, work, seed)
    outcome = play_bots(state, bots, chance=Generator(game_seed), limit=10_000)
    won = outcome.result is not None and outcome.result.winners == (own,)
    return Played(won, outcome.result is not None, seconds)


def play_hosted(number: int, work: Work, seed: int) -> Played:
    """A game in catanatron; one without a winner is lost."""
    from catanatron import Color, Game

    from ludograph.adapters.catanatron import HexilPlayer

    seconds: list[float] = []
    if work not in _COMPILED:  # the first decision compiles the rules
        _COMPILED.add(work)
        warm = [HexilPlayer(color, "easy") for color in list(Color)[: work.rivals + 1]]
        game = Game(warm, seed=1)
        for _ in range(6 * len(warm)):
            game.play_tick()

    class TimedPlayer(HexilPlayer):
        def decide(self, game: Any, playable_actions: Any) -> Any:
            began = time.process_time()
            action = super().decide(game, playable_actions)
            if len(playable_actions) > 1:
                seconds.append(time.process_time() - began)
            return action

    module = "value" if work.theirs == "ValueFunctionPlayer" else "search"
    rival = getattr(import_module(f"catanatron.players.{module}"), work.theirs)
    colors = list(Color)
    random.seed(seed + number)
    own = TimedPlayer(colors[0], work.ours, seed=seed + number)
    rivals = [rival(color) for color in colors[1 : work.rivals + 1]]
    winner = Game([own, *rivals], seed=seed + number + 1).play()
    return Played(winner is colors[0], winner is not None, seconds)


def use_checkout(folder: str | None) -> None:
    """Let this process import catanatron from a folder."""
    if folder is not None:
        sys.path.insert(0, folder)


def run(work: Work, games: int, jobs: int, seed: int, folder: str | None) -> dict[str, Any]:
    play = partial(play_hosted if work.is_hosted else play_here, work=work, seed=seed)
    with ProcessPoolExecutor(
        jobs, mp_context=get_context("spawn"), initializer=use_checkout, initargs=(folder,)
    ) as pool:
        played = list(pool.map(play, range(games)))
    wins = sum(each.won for each in played)
    seconds = [one for each in played for one in each.seconds]
    low, high = wilson_interval(wins / games, games)
    return {
        "work": work.name,
        "games": games,
        "wins": wins,
        "unfinished": sum(not each.finished for each in played),
        "score": wins / games,
        "interval": [low, high],
        "seconds_of_a_decision": sum(seconds) / max(1, len(seconds)),
        "longest_decision": max(seconds, default=0.0),
    }


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=20, help="for each work (default 20)")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1000)
    parser.add_argument("--work", nargs="*", choices=[work.name for work in WORKS], help="only these")
    parser.add_argument("--catanatron", type=Path, metavar="DIR", help="the folder of a newer catanatron")
    parser.add_argument("--json", action="store_true", help="write the figures as JSON")
    options = parser.parse_args()
    rows = []
    print("work      rivals                   won of       %   interval      must  goal  ms a decision")
    for work in WORKS:
        needs_checkout = work.theirs == "ValueFunctionPlayer"
        if (options.work and work.name not in options.work) or (needs_checkout and not options.catanatron):
            continue
        folder = str(options.catanatron.expanduser()) if needs_checkout else None
        row = run(work, options.games, options.jobs, options.seed, folder)
        rows.append(row)
        low, high = (100 * bound for bound in row["interval"])
        rivals = f"{work.rivals} × {work.theirs}"
        missed = "   <-- MISSED" if row["score"] < work.must else ""
        times = f"{1000 * row['seconds_of_a_decision']:.0f}, at most {1000 * row['longest_decision']:.0f}"
        print(
            f"{work.name:9} {rivals:23} {row['wins']:4} {row['games']:3} {100 * row['score']:6.1f} "
            f"  {low:.0f} to {high:.0f} {100 * work.must:8.0f} {100 * work.goal:5.0f}  {times}{missed}",
            flush=True,
        )
    if options.json:
        print(json.dumps(rows))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
