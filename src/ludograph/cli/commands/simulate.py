"""`ludograph simulate`: statistics of many random games, or the trace of single ones."""

import time
from argparse import Namespace
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from ludograph.cli.bot_games import simulate_bots
from ludograph.cli.engine_selection import OpenedGame, open_with_engine
from ludograph.cli.fault_reports import fault_error, print_fault, repeat_command
from ludograph.cli.game_arguments import DEFAULT_LIMIT, DEFAULT_PLAYOUTS
from ludograph.cli.output import SUCCESS, USAGE, CommandError, write_json
from ludograph.cli.simulation_report import (
    describe_endless,
    describe_outcomes,
    format_statistics,
    sample_decisions,
)
from ludograph.cli.streams import print_message, print_text
from ludograph.cli.terminal import progress_bar
from ludograph.games.engines import NATIVE, Engine, count_moves, simulate
from ludograph.play import Outcome
from ludograph.tgdl.world.faults import Fault

if TYPE_CHECKING:
    from ludograph.games.random_games import RandomGame

INTERRUPTED = 130
MOVES = "moves"
CHOICES = "choices"
BOTH = "both"
EQUALLY = "each complete move equally likely"
CHOICE_BY_CHOICE = "compound moves drawn choice by choice, all others equally likely"


def run(arguments: Namespace) -> int:
    if arguments.trace and arguments.json:
        raise CommandError("--trace writes text, and --json writes JSON; use one of them", USAGE)
    arguments.seed = arguments.seed or 0
    if arguments.playouts is None:
        arguments.playouts = 1 if arguments.trace else DEFAULT_PLAYOUTS
    if arguments.seats is not None and set(arguments.seats) != {"random"}:
        return simulate_bots(arguments)
    opened = open_with_engine(arguments)
    if opened is None:
        return USAGE
    if arguments.trace:
        for number in range(arguments.first - 1, arguments.first - 1 + arguments.playouts):
            _trace(opened, number, arguments)
        return SUCCESS
    return _simulate(opened, arguments)


# Statistics


def _simulate(opened: OpenedGame, arguments: Namespace) -> int:
    outcomes: list[Outcome] = []
    too_large: list[int] = []
    code, first, engine = SUCCESS, arguments.first - 1, opened.engine
    start_time = time.perf_counter()
    try:
        with progress_bar(arguments.playouts, in_lines=not arguments.json) as step:
            games = simulate(
                opened.start,
                arguments.playouts,
                seed=arguments.seed,
                limit=arguments.limit,
                threads=arguments.threads,
                engine=engine,
                on_too_large=too_large.append,
                first=first,
            )
            for outcome in games:
                outcomes.append(outcome)
                step()
    except KeyboardInterrupt:
        code = INTERRUPTED
        print_message(f"ludograph: stopped after {len(outcomes)} of {arguments.playouts} games")
    except Fault as fault:
        raise _report_fault(opened, fault, first + len(outcomes), arguments) from None
    seconds = time.perf_counter() - start_time
    summary = _summarize(opened, outcomes, seconds, arguments)
    if isinstance(engine, Engine):
        summary["engine"] = NATIVE
        summary["drawn"] = _describe_draws(
            engine, natively=len(outcomes) - len(too_large), others=len(too_large)
        )
        summary["by_reference"] = len(too_large)
    else:
        summary["engine"] = engine
        summary["drawn"] = MOVES
        summary["by_reference"] = len(outcomes)
    if arguments.json:
        write_json(summary)
    else:
        _print(summary, arguments)
    return code


def _summarize(
    opened: OpenedGame, outcomes: list[Outcome], seconds: float, arguments: Namespace
) -> dict[str, Any]:
    described = describe_outcomes(outcomes)
    first, moves = arguments.first - 1, described["moves"]
    count = partial(
        count_moves, opened.start, seed=arguments.seed, limit=arguments.limit, engine=opened.engine
    )
    decisions: dict[str, Any] | None = None
    with suppress(Fault, KeyboardInterrupt):
        decisions = sample_decisions(lambda number: count(first + number), len(outcomes), moves)
    return {
        "playouts": described.pop("playouts"),
        "seconds": seconds,
        "playouts_per_second": len(outcomes) / seconds if seconds else 0.0,
        "moves": described.pop("moves"),
        "moves_per_second": moves / seconds if seconds else 0.0,
        **described,
        "decisions": decisions,
        "seed": arguments.seed,
        "first": arguments.first,
        "limit": arguments.limit,
    }


def _describe_draws(engine: Engine, *, natively: int, others: int) -> str:
    """How moves were drawn, given the games that each engine played."""
    if not engine.draws_choices or (others and not natively):
        return MOVES
    return BOTH if others else CHOICES


def _print(summary: dict[str, Any], arguments: Namespace) -> None:
    for line in format_statistics(summary):
        print(line)
    if (remark := describe_endless(summary)) is not None:
        print(remark)
    print(
        f"{summary['seconds']:.2f} seconds: {summary['playouts_per_second']:.1f} games "
        f"and {summary['moves_per_second']:.0f} moves a second"
    )
    print(f"{summary['engine']} engine, {EQUALLY if summary['drawn'] == MOVES else CHOICE_BY_CHOICE}")
    others = summary["by_reference"]
    if summary["engine"] == NATIVE and others:
        were = "game was" if others == 1 else "games were"
        print(f"{others} {were} too large for it and played by the reference engine, {EQUALLY}")


# Single games


def _random_game(opened: OpenedGame, number: int, arguments: Namespace) -> "RandomGame":
    from ludograph.games.random_games import RandomGame  # it needs the reference engine

    return RandomGame(opened.start, number, seed=arguments.seed, limit=arguments.limit, engine=opened.engine)


def _trace(opened: OpenedGame, number: int, arguments: Namespace) -> None:
    """Print a game move by move, with the effects of each move."""
    print_text(f"game {number + 1} of seed {arguments.seed}")
    game = _random_game(opened, number, arguments)
    printed = 0
    try:
        for _ in game.steps():
            print_text("\n".join(game.recorder.trace_from(printed)))
            printed = len(game.recorder.log)
    except Fault as fault:
        for tree in game.recorder.trace_from(printed):
            print_text(tree)
        raise _report_fault(opened, fault, number, arguments, game) from None
    print_text(f"{game.result}\n")


def _report_fault(
    opened: OpenedGame, fault: Fault, number: int, arguments: Namespace, game: "RandomGame | None" = None
) -> CommandError:
    """Print a fault and save its record; `game` is the game if it was already played again."""
    print_fault(fault)

    def played() -> "RandomGame":
        found = game or _random_game(opened, number, arguments)
        if game is None:
            with suppress(Fault):
                for _ in found.steps():
                    pass
        return found

    words = ["--seed", str(arguments.seed), *(["--first", str(number + 1)] if number else [])]
    words += ["-n", "1", "--trace"]
    if arguments.limit != DEFAULT_LIMIT:
        words += ["--limit", str(arguments.limit)]
    return fault_error(
        opened.name,
        fault,
        arguments,
        where=f"this is game {number + 1} of seed {arguments.seed}",
        command=repeat_command("simulate", arguments, *words),
        record=lambda: played().record,
        details={"seed": arguments.seed, "game": number + 1},
    )
