"""`ludograph simulate`: many random games in numbers."""

import time
from argparse import Namespace
from typing import Any

from ludograph.cli.engine_choice import open_for_engine
from ludograph.cli.game_texts import playing
from ludograph.cli.report import FINE, USAGE, write_json
from ludograph.cli.streams import say
from ludograph.cli.terminal import progress_bar
from ludograph.games.engines import NATIVE, Engine, simulate
from ludograph.play import Outcome, Statistics, summarize

INTERRUPTED = 130


def run(arguments: Namespace) -> int:
    seed = arguments.seed or 0
    outcomes: list[Outcome] = []
    code = FINE
    opened = open_for_engine(arguments)
    if opened is None:
        return USAGE
    engine = opened.engine
    began = time.perf_counter()
    try:
        with playing(opened.name), progress_bar(arguments.playouts, in_lines=not arguments.json) as step:
            games = simulate(
                opened.start,
                arguments.playouts,
                seed=seed,
                limit=arguments.limit,
                threads=arguments.threads,
                engine=engine,
            )
            for outcome in games:
                outcomes.append(outcome)
                step()
    except KeyboardInterrupt:
        code = INTERRUPTED
        say(f"ludograph: stopped after {len(outcomes)} of {arguments.playouts} games")
    summary = _summary(summarize(outcomes), time.perf_counter() - began)
    summary["engine"] = engine if isinstance(engine, str) else NATIVE
    summary["drawn"] = "choices" if isinstance(engine, Engine) and engine.draws_choices else "moves"
    if arguments.json:
        write_json(summary)
    else:
        _print(summary, arguments.limit)
    return code


def _summary(found: Statistics, seconds: float) -> dict[str, Any]:
    return {
        "playouts": found.playouts,
        "seconds": seconds,
        "playouts_per_second": found.playouts / seconds if seconds else 0.0,
        "moves": found.moves,
        "moves_per_second": found.moves / seconds if seconds else 0.0,
        "results": dict(found.results),
    }


def _print(summary: dict[str, Any], limit: int) -> None:
    playouts = summary["playouts"]
    per_game = f", {summary['moves'] / playouts:.1f} a game" if playouts else ""
    print(f"{playouts} game{'' if playouts == 1 else 's'}, {summary['moves']} moves{per_game}")
    for result, count in summary["results"].items():
        remark = f"   given up after {limit:,} moves (--limit)" if result == "unfinished" else ""
        print(f"  {result:12} {count:8} {100 * count / playouts:6.1f} %{remark}")
    print(
        f"{summary['seconds']:.2f} seconds: {summary['playouts_per_second']:.1f} games "
        f"and {summary['moves_per_second']:.0f} moves a second"
    )
    choices = ", moves that are combinations choice by choice" if summary["drawn"] == "choices" else ""
    print(f"{summary['engine']} engine{choices}")
