"""Games between bots for `ludograph simulate --seats`: statistics by seat."""

import time
from argparse import Namespace
from collections.abc import Callable
from typing import Any

from ludograph.cli.engine_selection import printing_engine_warnings, report_missing_engine
from ludograph.cli.game_opening import open_game, report_rule_faults, start_game
from ludograph.cli.output import SUCCESS, USAGE, CommandError, write_json
from ludograph.cli.simulation_report import describe_outcomes, format_statistics
from ludograph.cli.streams import print_message
from ludograph.cli.terminal import progress_bar
from ludograph.play import Outcome
from ludograph.play.seats import CANNOT_PLAY

INTERRUPTED = 130


def report_once() -> Callable[[str], None]:
    """Print each message of a failed program once, not for every game."""
    known: set[str] = set()

    def report(text: str) -> None:
        if text not in known:
            known.add(text)
            print_message(f"ludograph: {text}")

    return report


def simulate_bots(arguments: Namespace) -> int:
    """Play games between bots, and print their statistics."""
    if arguments.trace:
        raise CommandError("--trace shows random games; with --seats, use `ludograph play --trace`", USAGE)
    from ludograph.lab.matches import fill_bots, play_many  # threads

    report_missing_engine(arguments.engine)
    game = open_game(arguments.game, arguments.engine)
    if arguments.players is None and len(arguments.seats) in game.player_counts:
        arguments.players = len(arguments.seats)
    state = start_game(game, arguments, seed=None)
    try:
        bots = [str(bot) for bot in fill_bots(arguments.seats, state.players)]
    except ValueError as error:
        raise CommandError(str(error), USAGE) from None
    outcomes: list[Outcome] = []
    code, start_time = SUCCESS, time.perf_counter()
    try:
        with (
            printing_engine_warnings(),
            report_rule_faults(game.name, seed=arguments.seed),
            progress_bar(arguments.playouts, in_lines=not arguments.json) as step,
        ):
            matches = play_many(
                state,
                lambda _: bots,
                arguments.playouts,
                seed=arguments.seed,
                first=arguments.first - 1,
                limit=arguments.limit,
                threads=arguments.threads,
                complain=report_once(),
            )
            for match in matches:
                outcomes.append(Outcome(match.result, match.moves))
                step()
    except CANNOT_PLAY as error:
        raise CommandError(str(error), USAGE) from None
    except KeyboardInterrupt:
        code = INTERRUPTED
        print_message(f"ludograph: stopped after {len(outcomes)} of {arguments.playouts} games")
    seconds = time.perf_counter() - start_time
    summary: dict[str, Any] = {
        **describe_outcomes(outcomes),
        "seconds": seconds,
        "seats": _describe_seats(outcomes, bots),
        "decisions": None,
        "seed": arguments.seed,
        "first": arguments.first,
        "limit": arguments.limit,
    }
    if arguments.json:
        write_json(summary)
        return code
    for line in format_statistics(summary):
        print(line)
    for each in summary["seats"]:
        low, high = (100 * bound for bound in each["interval"])
        print(
            f"player {each['player']} ({each['bot']}): {each['wins']} won, {each['draws']} drawn, "
            f"score {100 * each['score']:.1f} % ({low:.1f} to {high:.1f})"
        )
    print(f"{seconds:.2f} seconds")
    return code


def _describe_seats(outcomes: list[Outcome], bots: list[str]) -> list[dict[str, Any]]:
    """The results of each seat; a draw counts as its share of one point."""
    from ludograph.lab.statistics import score_of, wilson_interval

    results = [outcome.result for outcome in outcomes if outcome.result is not None]
    described = []
    for player, bot in enumerate(bots):
        scores = [score_of(result, player) for result in results]
        score = sum(scores) / len(scores) if scores else 0.0
        described.append(
            {
                "player": player,
                "bot": bot,
                "games": len(results),
                "wins": sum(1 for result in results if result.winners == (player,)),
                "draws": sum(1 for result in results if 0 < score_of(result, player) < 1),
                "score": score,
                "interval": list(wilson_interval(score, len(scores))),
            }
        )
    return described
