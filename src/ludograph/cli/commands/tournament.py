"""`ludograph tournament`: bots play a game against each other; scores, intervals and ratings."""

from argparse import Namespace
from os import cpu_count

from ludograph.cli.bot_games import report_once
from ludograph.cli.engine_selection import printing_engine_warnings, report_missing_engine
from ludograph.cli.game_opening import open_game, report_rule_faults, start_game
from ludograph.cli.output import SUCCESS, USAGE, CommandError, write_json
from ludograph.cli.terminal import progress_bar
from ludograph.lab.tournaments import Standing, count_matches, play_tournament
from ludograph.play.seats import CANNOT_PLAY


def run(arguments: Namespace) -> int:
    if len(arguments.bots) < 2:
        raise CommandError("a tournament needs two bots", USAGE)
    report_missing_engine(arguments.engine)
    game = open_game(arguments.game, arguments.engine)
    state = start_game(game, arguments, seed=None)
    seed, bots = arguments.seed or 0, arguments.bots
    total = count_matches(len(bots), state.players, arguments.playouts)
    try:
        with (
            printing_engine_warnings(),
            report_rule_faults(game.name, seed=seed),
            progress_bar(total, in_lines=not arguments.json) as step,
        ):
            standings = play_tournament(
                state,
                bots,
                arguments.playouts,
                seed=seed,
                limit=arguments.limit,
                threads=arguments.threads or cpu_count() or 1,
                on_match=step,
                complain=report_once(),
            )
    except CANNOT_PLAY as error:
        raise CommandError(str(error), USAGE) from None
    if arguments.json:
        write_json(
            {"game": game.name, "seed": seed, "matches": total, "players": list(map(_data, standings))}
        )
        return SUCCESS
    print(f"{game.name}, {total} matches, seed {seed}")
    width = max(len(each.bot) for each in standings)
    print(f"{'':{width}}  games   wins  draws   score  95 % interval    rating")
    for each in sorted(standings, key=lambda standing: -standing.score):
        low, high = each.interval
        print(
            f"{each.bot:{width}} {each.games:6} {each.wins:6} {each.draws:6} {100 * each.score:6.1f}%"
            f"  {100 * low:5.1f} to {100 * high:5.1f}  {each.rating:+8.0f}"
        )
    return SUCCESS


def _data(standing: Standing) -> dict[str, object]:
    return {
        "bot": standing.bot,
        "games": standing.games,
        "wins": standing.wins,
        "draws": standing.draws,
        "score": standing.score,
        "interval": list(standing.interval),
        "rating": standing.rating,
    }
