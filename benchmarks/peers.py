"""Random games on the native engine, compared with OpenSpiel in C++ in the same run.

    python3 dev.py bench peers       # or: python -m benchmarks.peers [--seconds 1] [--games NAME …] [--json]

Single thread, CPU time, uniformly random legal moves on both sides. The two sides are measured alternately,
and the ratio is that of the medians, so that a busy machine slows both. The playouts of OpenSpiel run in C++,
as rollouts of its MCTS bot. The decisions per playout are counted beforehand in Python with the same random
choices.
"""

import argparse
import json
import platform
import random
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version

import pyspiel

import ludograph
from ludograph.games.engines import native_engine
from ludograph.tgdl.game.internals import memory_of
from ludograph.tgdl.native.run.execution import ExecutionContext

ROUNDS = 5
COUNTED = 200
"""The number of playouts that measure the length of OpenSpiel's games."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A game on both sides, and the required ratio of decisions per second."""

    ours: str
    theirs: str
    must: float
    goal: float
    remark: str = ""


PAIRS = (
    Pair("tic-tac-toe", "tic_tac_toe", 1, 2.8),
    Pair("connect-four", "connect_four", 1, 8.2),
    Pair("breakthrough", "breakthrough", 1, 1.7),
    Pair("hex", "hex(board_size=11)", 1, 2.4),
    Pair("othello", "othello", 1, 4.8, "there a pass is a decision"),
    Pair(
        "draughts",
        "checkers",
        1,
        11,
        "there each jump of a row is a decision, and 40 without a capture draw, here 80",
    ),
    Pair("chess", "chess", 1, 1.3, "there too little material draws at once"),
    Pair("go", "go(board_size=9)", 1, 1.5, "there with a limit of moves"),
    Pair("kalah", "mancala", 1, 1.5, "there with a limit of moves"),
    Pair("pig", "pig", 1, 1.5, "there a turn may end before the first roll, and there is a limit of moves"),
    Pair("backgammon", "backgammon", 1, 5, "there both dice are one decision, here each is its own"),
)


@dataclass(frozen=True, slots=True)
class Rates:
    """Playouts and decisions per second."""

    playouts: float
    decisions: float


@dataclass(frozen=True, slots=True)
class Figure:
    pair: Pair
    ours: Rates
    theirs: Rates

    @property
    def ratio(self) -> float:
        return self.ours.decisions / self.theirs.decisions

    @property
    def line(self) -> str:
        missed = "   <-- MISSED" if self.ratio < self.pair.must else ""
        remark = f"   ({self.pair.remark})" if self.pair.remark else ""
        return (
            f"{self.pair.ours:14} {self.ours.decisions / 1e6:8.3f} {self.theirs.decisions / 1e6:8.3f}"
            f" {self.ratio:7.2f} {self.pair.must:5g} {self.pair.goal:5g}"
            f" {self.ours.playouts / self.theirs.playouts:9.2f}{missed}{remark}"
        )


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=1.0, help="time for each figure (default 1)")
    parser.add_argument("--games", nargs="*", help="only these, by their names here")
    parser.add_argument("--json", action="store_true", help="write the figures as JSON")
    parser.add_argument("--check", action="store_true", help="end with 1 if a ratio is missed")
    options = parser.parse_args()
    pairs = [pair for pair in PAIRS if not options.games or pair.ours in options.games]
    print(f"ludograph {version('ludograph')}, open_spiel {version('open_spiel')}, {platform.machine()}")
    print("M decisions/s      ours   theirs   ratio  must  goal  playouts")
    figures = []
    for pair in pairs:
        figures.append(compare(pair, options.seconds))
        print(figures[-1].line, flush=True)
    if options.json:
        rows = [
            {
                "game": each.pair.ours,
                "ratio": each.ratio,
                "ours": each.ours.decisions,
                "theirs": each.theirs.decisions,
            }
            for each in figures
        ]
        print(json.dumps(rows))
    return int(options.check and any(each.ratio < each.pair.must for each in figures))


def compare(pair: Pair, seconds: float) -> Figure:
    """Measure both sides alternately."""
    sides = (our_side(pair.ours), their_side(pair.theirs))
    share = seconds / ROUNDS
    sizes = [fitting(side, share) for side in sides]
    rounds = [[timed(side, size) for side, size in zip(sides, sizes, strict=True)] for _ in range(ROUNDS)]
    ours, theirs = (
        Rates(
            statistics.median(each[place].playouts for each in rounds),
            statistics.median(each[place].decisions for each in rounds),
        )
        for place in range(2)
    )
    return Figure(pair, ours, theirs)


Side = Callable[[int], float]
"""Plays a number of games and returns the number of decisions."""


def fitting(side: Side, seconds: float) -> int:
    """The number of games that take about this long."""
    count = 4
    while True:
        began = time.process_time()
        side(count)
        took = time.process_time() - began
        if took > seconds / 4:
            return max(1, int(count * seconds / took))
        count *= 4


def timed(side: Side, count: int) -> Rates:
    began = time.process_time()
    decisions = side(count)
    took = time.process_time() - began
    return Rates(count / took, decisions / took)


def our_side(name: str) -> Side:
    game = ludograph.load(name)
    state = game.new()
    engine = native_engine(game, state)
    place, start = ExecutionContext(engine), engine.block(memory_of(state))
    played = 0

    def play(count: int) -> float:
        nonlocal played
        played += count
        return float(sum(row[0] for row in place.games(start, played, count)))

    return play


def their_side(name: str) -> Side:
    game = pyspiel.load_game(name)
    state = game.new_initial_state()
    while state.is_chance_node():  # the bot cannot begin there: the first throw is fixed
        state.apply_action(state.chance_outcomes()[0][0])
    mean = decisions_of(state)

    def play(count: int) -> float:
        evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=count, seed=count)
        bot = pyspiel.MCTSBot(game, evaluator, 2.0, 1, 100, False, count, False)
        bot.mcts_search(state)
        return count * mean

    return play


def decisions_of(start: "pyspiel.State") -> float:
    """The average number of decisions of players in a random game."""
    rng = random.Random(1)
    total = 0
    for _ in range(COUNTED):
        state = start.clone()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, weights)[0])
            else:
                state.apply_action(rng.choice(state.legal_actions()))
                total += 1
    return total / COUNTED


if __name__ == "__main__":
    sys.exit(main())
