"""`ludograph coverage`: the statements and conditions of a game that self-play never reaches."""

from argparse import Namespace
from collections.abc import Iterable, Sequence
from typing import Any

from ludograph.cli.game_opening import open_game, parse_options, report_rule_faults
from ludograph.cli.output import SUCCESS, USAGE, CommandError, write_json
from ludograph.cli.streams import print_message, print_text
from ludograph.cli.terminal import progress_bar
from ludograph.games.observed_games import PointCount, PointKind
from ludograph.lab.coverage import Coverage, CoverageMeter
from ludograph.play.seats import CANNOT_PLAY
from ludograph.text import Source

INTERRUPTED = 130
MAX_TEXT = 60
"""The greatest number of letters of the source in a line."""


def run(arguments: Namespace) -> int:
    game = open_game(arguments.game)
    bots = [str(bot) for bot in arguments.seats or ["random"]]
    players = arguments.players
    if players is None and len(bots) in game.player_counts:
        players = len(bots)
    code = SUCCESS
    with report_rule_faults(game.name):
        try:
            meter = CoverageMeter(
                game, players=players, options=parse_options(arguments.option), setup=arguments.setup
            )
            with progress_bar(arguments.games, in_lines=not arguments.json) as step:
                seed = arguments.seed or 0
                for _ in meter.play(arguments.games, bots=bots, seed=seed, limit=arguments.limit):
                    step()
        except KeyboardInterrupt:
            code = INTERRUPTED
            print_message(f"ludograph: stopped after {meter.games} of {arguments.games} games")
        except (*CANNOT_PLAY, ValueError) as error:
            raise CommandError(str(error), USAGE) from None
    if arguments.json:
        write_json(_describe(game.name, meter.coverage, game.program.sources))
    else:
        for line in _format(game.name, meter.coverage, game.program.sources):
            print_text(line)
    return code


def _describe(name: str, coverage: Coverage, sources: Sequence[Source]) -> dict[str, Any]:
    points = []
    for each in coverage.counts:
        source = sources[each.point.file]
        line, column = source.line_and_column(each.point.span.start)
        point: dict[str, Any] = {
            "kind": each.point.kind.value,
            "in": each.point.owner,
            "file": source.name,
            "line": line,
            "column": column,
            "reached": each.reached,
        }
        if each.point.kind is PointKind.CONDITION:
            point |= {"held": each.held, "failed": each.failed}
        points.append(point)
    return {"game": name, "games": coverage.games, "moves": coverage.moves, "points": points}


def _format(name: str, coverage: Coverage, sources: Sequence[Source]) -> Iterable[str]:
    total, unreached = len(coverage.counts), coverage.unreached
    games = f"{coverage.games} game{'s' if coverage.games != 1 else ''}"
    yield f"{name}: {games}, {coverage.moves:,} moves"
    yield f"{total - len(unreached)} of {total} statements and conditions were reached"
    if unreached:
        yield "never reached:"
        yield from (_format_point(each, sources) for each in unreached)
    constant = coverage.constant
    if constant:
        yield "always the same:"
        yield from (
            f"{_format_point(each, sources)}: always {'true' if each.held else 'false'}" for each in constant
        )


def _format_point(count: PointCount, sources: Sequence[Source]) -> str:
    point = count.point
    source = sources[point.file]
    line, column = source.line_and_column(point.span.start)
    text = " ".join(source.text[point.span.start : point.span.end].split())
    shown = text if len(text) <= MAX_TEXT else f"{text[: MAX_TEXT - 1]}…"
    return f"  {source.name}:{line}:{column} in {point.owner}: {shown}"
