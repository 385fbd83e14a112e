"""Tree search compared with OpenSpiel's MCTS bot in C++: simulations per second, and strength.

    python3 dev.py bench bots       # or: python -m benchmarks.bots [--seconds 1] [--games NAME …]
    python -m benchmarks.bots --strength connect-four --matches 200 --simulations 1000

Single thread, CPU time, one random play-out for each simulation on both sides. Each side searches the start
of the game. The two sides are measured alternately, and the ratio is that of the medians, so that a busy
machine slows both. In a match both sides have the same number of simulations, and they change seats after
each game.
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
from ludograph.lab.statistics import wilson_interval
from ludograph.play import Generator, SearchSettings
from ludograph.tgdl.game.game import State

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
    parser.add_argument("--strength", metavar="GAME", choices=("connect-four",), help="play matches instead")
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--simulations", type=int, default=1000)
    options = parser.parse_args()
    if options.strength:
        print_strength(options.matches, options.simulations)
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
        found = state.start_search(player, SearchSettings(), next(seeds) << 32)
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


# Strength


def print_strength(matches: int, simulations: int) -> None:
    """Play Connect Four against OpenSpiel's bot with the same number of simulations."""
    rules, game = ludograph.load("connect-four", engine="native"), pyspiel.load_game("connect_four")
    score = 0.0
    for number in range(matches):
        score += _match(rules.new(), game, number % 2, simulations, number)
    mean = score / matches
    low, high = wilson_interval(mean, matches)
    score_text = f"{100 * mean:.1f} % ({100 * low:.1f} to {100 * high:.1f})"
    print(f"connect-four, {simulations} simulations, {matches} matches: {score_text}")


def _match(state: State, game: pyspiel.Game, seat: int, simulations: int, seed: int) -> float:
    """Our score of a match in which we have a seat. A column is a move on both sides, from left to right."""
    theirs, bot = game.new_initial_state(), their_bot(game, simulations, seed + 1)
    search = None
    while not theirs.is_terminal():
        if theirs.current_player() == seat:
            search = state.start_search(seat, SearchSettings(), seed << 32, search)
            search.run(simulations)
            move = search.moves()[0].text
            column = _columns(state).index(move)
            theirs.apply_action(theirs.legal_actions()[column])
            state.push(move)
        else:
            action = bot.step(theirs)
            column = theirs.legal_actions().index(action)
            state.push(_columns(state)[column])
            theirs.apply_action(action)
    return float(theirs.returns()[seat] + 1) / 2


def _columns(state: State) -> list[str]:
    """The moves of Connect Four, the leftmost column first."""
    return sorted((move.text for move in state.legal_moves), key=_column_of)


def _column_of(text: str) -> int:
    """The column of a move such as `grid[5][0].drop`."""
    return int(text.rpartition("[")[2].partition("]")[0])


if __name__ == "__main__":
    raise SystemExit(main())
