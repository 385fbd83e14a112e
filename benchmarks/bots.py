"""Tree search compared with OpenSpiel's MCTS bot in C++: simulations per second, and strength.

    python3 dev.py bench bots       # or: python -m benchmarks.bots [--seconds 1] [--games NAME …]
    python -m benchmarks.bots --strength [ROW …] [--games NAME …] [--matches N] [--seed N]

Single thread, CPU time, one random play-out for each simulation on both sides. Each side searches the start
of the game. The two sides are measured alternately, and the ratio is that of the medians, so that a busy
machine slows both. `bot_strength` has the rows of the matches.
"""

import argparse
import json
import random
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

import pyspiel

import ludograph
from benchmarks.bot_strength import KINDS, print_strength
from ludograph.play import Generator, SearchSettings
from ludograph.play.search import RANDOM_LIMIT

ROUNDS = 5


@dataclass(frozen=True, slots=True)
class Pair:
    """A game on both sides, and the required ratio of simulations per second."""

    ours: str
    theirs: str
    must: float = 1.5
    goal: float = 2.0


PAIRS = (
    Pair("connect-four", "connect_four"),
    Pair("breakthrough", "breakthrough"),
    Pair("othello", "othello"),
    Pair("hex", "hex(board_size=11)"),
    Pair("go", "go(board_size=9)"),
    Pair("chess", "chess"),
    Pair("tic-tac-toe", "tic_tac_toe"),
    Pair("backgammon", "backgammon"),
)
"""At least six must reach 1.5, and all must reach 1."""


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=1.0, help="time for each figure (default 1)")
    parser.add_argument("--games", nargs="*", help="only these, by their names here")
    parser.add_argument("--json", action="store_true", help="write the figures as JSON")
    parser.add_argument(
        "--strength",
        metavar="ROW",
        nargs="*",
        choices=KINDS,
        help="play matches instead (no ROW: all)",
    )
    parser.add_argument("--matches", type=int, help="games of each row (default: as the row says)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the first game of each row (default 0)")
    options = parser.parse_args()
    if options.strength is not None:
        print_strength(options.strength, options.games or (), options.matches, options.seed)
        return 0
    print("simulations/s        ours     theirs   ratio  must  goal")
    rows = []
    for pair in PAIRS:
        if options.games and pair.ours not in options.games:
            continue
        ours, theirs = compare(pair, options.seconds)
        rows.append({"game": pair.ours, "ours": ours, "theirs": theirs, "ratio": ours / theirs})
        missed = "   <-- MISSED" if ours / theirs < pair.must else ""
        figures = f"{ours:10.0f} {theirs:10.0f} {ours / theirs:7.2f} {pair.must:5g} {pair.goal:5g}"
        print(f"{pair.ours:14} {figures}{missed}", flush=True)
    if options.json:
        print(json.dumps(rows))
    return 0


Side = Callable[[int], None]
"""Searches with a number of simulations."""


def compare(pair: Pair, seconds: float) -> tuple[float, float]:
    """The simulations per second of both sides, measured alternately."""
    sides = (our_side(pair.ours), their_side(pair.theirs))
    sizes = [fitting(side, seconds / ROUNDS) for side in sides]
    rounds = [[rate(side, size) for side, size in zip(sides, sizes, strict=True)] for _ in range(ROUNDS)]
    ours, theirs = (statistics.median(each[place] for each in rounds) for place in range(2))
    return ours, theirs


def rate(side: Side, size: int) -> float:
    began = time.process_time()
    side(size)
    return size / (time.process_time() - began)


def fitting(side: Side, seconds: float) -> int:
    """The number of simulations that take about this long."""
    count = 16
    while True:
        began = time.process_time()
        side(count)
        used = time.process_time() - began
        if used > seconds / 4:
            return max(1, round(count * seconds / used))
        count *= 4


def our_side(name: str) -> Side:
    state = ludograph.load(name, engine="native").new()
    state.sample_chance(Generator(1))
    player = state.asked[0]
    seeds = iter(range(1, 1_000_000))

    def search(count: int) -> None:
        settings = SearchSettings(playout_limit=RANDOM_LIMIT)  # whole random games, as on the other side
        found = state.start_search(player, settings, next(seeds) << 32)
        found.run(count)
        if found.iterations < count:  # proven: begin again
            search(count - found.iterations)

    search(1)  # compiles
    return search


def their_side(name: str) -> Side:
    game = pyspiel.load_game(name)
    state = game.new_initial_state()
    chance = random.Random(1)
    while state.is_chance_node():
        state.apply_action(chance.choice([action for action, _ in state.chance_outcomes()]))
    seeds = iter(range(1, 1_000_000))

    def search(count: int) -> None:
        their_bot(game, count, next(seeds)).mcts_search(state)

    return search


def their_bot(game: pyspiel.Game, simulations: int, seed: int) -> pyspiel.MCTSBot:
    evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
    return pyspiel.MCTSBot(game, evaluator, 2.0, simulations, 1000, True, seed, False)


if __name__ == "__main__":
    raise SystemExit(main())
