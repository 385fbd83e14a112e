"""Complete random settlers games on the native engine, compared with catanatron in the same run.

    python3 dev.py bench settlers       # or: python -m benchmarks.settlers [--seconds 4] [--json] [--check]

Four players to ten points, bank trades only, single thread, CPU time. The two sides are measured alternately,
and the ratio is that of the medians. In Ludograph buying and placing are two actions, in catanatron one, so
the report shows the length of games on both sides.
"""

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable
from importlib.metadata import version

from catanatron import Color, Game, RandomPlayer

import ludograph
from benchmarks.states import copies_per_second, samples
from ludograph.games.engines import native_engine
from ludograph.tgdl.game.internals import memory_of
from ludograph.tgdl.native.run.engine import Engine
from ludograph.tgdl.native.run.execution import ExecutionContext

ROUNDS = 4
COLORS = (Color.RED, Color.BLUE, Color.WHITE, Color.ORANGE)
MUST, GOAL = 50.0, 150.0
COPIES_MUST = 100.0
"""A copy of a state in native code, compared with `game.copy()` of catanatron."""

Side = Callable[[int], float]
"""Plays a number of games and returns the number of actions."""


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=4.0, help="time for each side (default 4)")
    parser.add_argument("--json", action="store_true", help="write the figures as JSON")
    parser.add_argument("--check", action="store_true", help="end with 1 if a ratio is missed")
    options = parser.parse_args()
    game = ludograph.load("hexil")
    state = game.new(players=4, options={"trades": "bank_only"})
    engine = native_engine(game, state)
    sides = (our_side(engine, engine.block(memory_of(state))), their_side())
    rounds = [[timed(side, options.seconds / ROUNDS) for side in sides] for _ in range(ROUNDS)]
    (games, actions), (their_games, their_actions) = (
        tuple(statistics.median(each[place][part] for each in rounds) for part in range(2))
        for place in range(2)
    )
    blocks = samples(engine, game.new(players=4, options={"trades": "bank_only"}, seed=1))
    size = max(map(len, blocks))
    copies, their_copies = copies_per_second(blocks, options.seconds / 5), their_copies_per_second()
    figures = {
        "games": games / their_games,
        "actions": actions / their_actions,
        "copies": copies / their_copies,
        "bytes": float(size),
    }
    print(f"ludograph {version('ludograph')}, catanatron {version('catanatron')}")
    print(
        f"games/s    {games:12.1f} {their_games:10.1f}   {figures['games']:8.1f} ×"
        f" (must {MUST:g}, goal {GOAL:g})"
    )
    print(f"actions/s  {actions:12.0f} {their_actions:10.0f}   {figures['actions']:8.1f} ×")
    print(f"actions    {actions / games:12.0f} {their_actions / their_games:10.0f}   a game")
    print(
        f"copies/s   {copies:12.0f} {their_copies:10.0f}   {figures['copies']:8.1f} × (must {COPIES_MUST:g})"
    )
    print(f"state      {size:12} bytes (must be below 4096)")
    if options.json:
        print(json.dumps(figures))
    missed = figures["games"] < MUST or figures["copies"] < COPIES_MUST or size >= 4096
    return int(options.check and missed)


def timed(side: Side, seconds: float) -> tuple[float, float]:
    """Games and actions per second."""
    games, actions = 0, 0.0
    count = 1
    began = time.process_time()
    while time.process_time() - began < seconds:
        actions += side(count)
        games += count
        count = min(64, count * 2)
    took = time.process_time() - began
    return games / took, actions / took


def our_side(engine: Engine, start: bytes) -> Side:
    place = ExecutionContext(engine)
    played = 0

    def play(count: int) -> float:
        nonlocal played
        played += count
        return float(sum(row[0] for row in place.games(start, played, count)))

    return play


def their_side() -> Side:
    played = 0

    def play(count: int) -> float:
        nonlocal played
        actions = 0
        for _ in range(count):
            played += 1
            game = Game([RandomPlayer(color) for color in COLORS], seed=played)
            game.play()
            actions += len(game.state.actions)
        return float(actions)

    return play


def their_copies_per_second() -> float:
    game = Game([RandomPlayer(color) for color in COLORS], seed=1)
    for _ in range(200):
        game.play_tick()
    count = 2000
    began = time.process_time()
    for _ in range(count):
        game.copy()
    return count / (time.process_time() - began)


if __name__ == "__main__":
    sys.exit(main())
