"""`ludograph simulate`: many random games in numbers."""

import time
from argparse import Namespace
from collections import Counter
from typing import Any

from ludograph.cli.game_texts import open_game, playing, start_game
from ludograph.cli.report import FINE, write_json
from ludograph.cli.streams import say
from ludograph.cli.terminal import progress_bar
from ludograph.play import Generator, random_playout

INTERRUPTED = 130


def run(arguments: Namespace) -> int:
    game = open_game(arguments.game)
    start = start_game(game, arguments, seed=None)
    seed = arguments.seed or 0
    results: Counter[str] = Counter()
    moves = 0
    code = FINE
    began = time.perf_counter()
    try:
        with playing(game), progress_bar(arguments.playouts) as step:
            for number in range(arguments.playouts):
                # The same seeds as `play.simulate` has: one generator a game, so that each stands alone.
                generator = Generator((seed << 32) + number)
                outcome = random_playout(start.copy(), generator, limit=arguments.limit)
                results["unfinished" if outcome.result is None else outcome.result.text] += 1
                moves += outcome.moves
                step()
    except KeyboardInterrupt:
        code = INTERRUPTED
    seconds = time.perf_counter() - began
    if code == INTERRUPTED:
        say(f"ludograph: stopped after {results.total()} of {arguments.playouts} games")
    summary = _summary(results, moves, seconds)
    if arguments.json:
        write_json(summary)
    else:
        _print(summary)
    return code


def _summary(results: Counter[str], moves: int, seconds: float) -> dict[str, Any]:
    playouts = results.total()
    return {
        "playouts": playouts,
        "seconds": seconds,
        "playouts_per_second": playouts / seconds if seconds else 0.0,
        "moves": moves,
        "moves_per_second": moves / seconds if seconds else 0.0,
        "results": dict(sorted(results.items())),
    }


def _print(summary: dict[str, Any]) -> None:
    playouts = summary["playouts"]
    per_game = f", {summary['moves'] / playouts:.1f} a game" if playouts else ""
    print(f"{playouts} games, {summary['moves']} moves{per_game}")
    for result, count in summary["results"].items():
        print(f"  {result:12} {count:8} {100 * count / playouts:6.1f} %")
    print(
        f"{summary['seconds']:.2f} seconds: {summary['playouts_per_second']:.1f} games "
        f"and {summary['moves_per_second']:.0f} moves a second"
    )
