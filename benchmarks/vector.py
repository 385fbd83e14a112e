"""Many games at a time from Python, compared with OpenSpiel's `rl_environment`: steps per second.

    python3 dev.py bench vector       # or: python -m benchmarks.vector [--seconds 1] [--games 256]

Random legal actions, the same game, one thread unless `--threads` says otherwise. Only the time of the steps
counts, with the starts of new games, and not that of choosing the actions. With one thread it is CPU time. A
step is one action. In Breakthrough a move of ours has two actions, the pawn and its target, and one of theirs
has one; the last column has the ratio of whole moves. The two sides are measured alternately, and the ratio
is that of the medians, so that a busy machine slows both.
"""

import argparse
import json
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from open_spiel.python import rl_environment

from ludograph.adapters.vector import VectorEnvironment

ROUNDS = 7


@dataclass(frozen=True, slots=True)
class Pair:
    """A game on both sides."""

    ours: str
    theirs: str
    actions: int
    """The actions of one of our moves."""


PAIRS = (Pair("connect-four", "connect_four", 1), Pair("breakthrough", "breakthrough", 2))
MUST, GOAL = 20, 40
"""The required ratio of steps per second."""


def our_side(name: str, games: int, threads: int) -> Callable[[float], float]:
    environment = VectorEnvironment(name, games, threads=threads)
    draws = np.random.default_rng(1)
    clock = time.process_time if threads == 1 else time.perf_counter

    def rate(seconds: float) -> float:
        steps, spent = 0, 0.0
        while spent < seconds:
            actions = (draws.random(environment.masks.shape, np.float32) * environment.masks).argmax(axis=1)
            began = clock()
            environment.step(actions)
            spent += clock() - began
            steps += games
        return steps / spent

    rate(0.3)  # numbers the actions
    return rate


def their_side(name: str) -> Callable[[float], float]:
    environment, draws = rl_environment.Environment(name), np.random.default_rng(1)

    def rate(seconds: float) -> float:
        steps, spent = 0, 0.0
        seen = environment.reset()
        while spent < seconds:
            if seen.last():
                began = time.process_time()
                seen = environment.reset()
                spent += time.process_time() - began
                continue
            legal = seen.observations["legal_actions"][seen.observations["current_player"]]
            action = legal[draws.integers(len(legal))]
            began = time.process_time()
            seen = environment.step([action])
            spent += time.process_time() - began
            steps += 1
        return steps / spent

    return rate


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=3.0, help="time for each figure (default 3)")
    parser.add_argument("--games", type=int, default=256, help="of our environment (default 256)")
    parser.add_argument("--threads", type=int, default=1, help="of our environment (default 1)")
    parser.add_argument("--json", action="store_true", help="write the figures as JSON")
    options = parser.parse_args()
    rows = []
    print("steps/s              ours     theirs   ratio  must  goal  ratio of moves")
    for pair in PAIRS:
        sides = our_side(pair.ours, options.games, options.threads), their_side(pair.theirs)
        rounds = [[side(options.seconds / ROUNDS) for side in sides] for _ in range(ROUNDS)]
        ours, theirs = (statistics.median(each[place] for each in rounds) for place in range(2))
        ratio = ours / theirs
        rows.append({"game": pair.ours, "ours": ours, "theirs": theirs, "ratio": ratio})
        missed = "   <-- MISSED" if ratio < MUST else ""
        figures = f"{ours:10.0f} {theirs:10.0f} {ratio:7.1f} {MUST:5} {GOAL:5} {ratio / pair.actions:9.1f}"
        print(f"{pair.ours:14} {figures}{missed}", flush=True)
    if options.json:
        print(json.dumps(rows))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
