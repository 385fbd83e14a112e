"""`ludograph simulate`: statistics of many random games."""

import time
from argparse import Namespace
from typing import Any

from ludograph.cli.engine_selection import open_with_engine
from ludograph.cli.game_opening import report_rule_faults
from ludograph.cli.output import SUCCESS, USAGE, write_json
from ludograph.cli.streams import print_message
from ludograph.cli.terminal import progress_bar
from ludograph.games.engines import NATIVE, Engine, simulate
from ludograph.play import Outcome, Statistics, summarize

INTERRUPTED = 130
MOVES = "moves"
CHOICES = "choices"
BOTH = "both"
EQUALLY = "each complete move equally likely"
CHOICE_BY_CHOICE = "compound moves drawn choice by choice, all others equally likely"


def run(arguments: Namespace) -> int:
    seed = arguments.seed or 0
    outcomes: list[Outcome] = []
    too_large: list[int] = []
    code = SUCCESS
    opened = open_with_engine(arguments)
    if opened is None:
        return USAGE
    engine = opened.engine
    start_time = time.perf_counter()
    try:
        with (
            report_rule_faults(opened.name),
            progress_bar(arguments.playouts, in_lines=not arguments.json) as step,
        ):
            games = simulate(
                opened.start,
                arguments.playouts,
                seed=seed,
                limit=arguments.limit,
                threads=arguments.threads,
                engine=engine,
                on_too_large=too_large.append,
            )
            for outcome in games:
                outcomes.append(outcome)
                step()
    except KeyboardInterrupt:
        code = INTERRUPTED
        print_message(f"ludograph: stopped after {len(outcomes)} of {arguments.playouts} games")
    summary = _summary(summarize(outcomes), time.perf_counter() - start_time)
    if isinstance(engine, Engine):
        summary["engine"] = NATIVE
        summary["drawn"] = _draw_grid(engine, natively=len(outcomes) - len(too_large), others=len(too_large))
        summary["by_reference"] = len(too_large)
    else:
        summary["engine"] = engine
        summary["drawn"] = MOVES
        summary["by_reference"] = len(outcomes)
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


def _draw_grid(engine: Engine, *, natively: int, others: int) -> str:
    """How moves were drawn, given the games that each engine played."""
    if not engine.draws_choices or (others and not natively):
        return MOVES
    return BOTH if others else CHOICES


def _print(summary: dict[str, Any], limit: int) -> None:
    playouts = summary["playouts"]
    per_game = f", {summary['moves'] / playouts:.1f} a game" if playouts else ""
    print(f"{playouts} game{'' if playouts == 1 else 's'}, {summary['moves']} moves{per_game}")
    for result, count in summary["results"].items():
        remark = f"   stopped after {limit:,} moves (--limit)" if result == "unfinished" else ""
        print(f"  {result:12} {count:8} {100 * count / playouts:6.1f} %{remark}")
    print(
        f"{summary['seconds']:.2f} seconds: {summary['playouts_per_second']:.1f} games "
        f"and {summary['moves_per_second']:.0f} moves a second"
    )
    print(f"{summary['engine']} engine, {EQUALLY if summary['drawn'] == MOVES else CHOICE_BY_CHOICE}")
    others = summary["by_reference"]
    if summary["engine"] == NATIVE and others:
        were = "game was" if others == 1 else "games were"
        print(f"{others} {were} too large for it and played by the reference engine, {EQUALLY}")
