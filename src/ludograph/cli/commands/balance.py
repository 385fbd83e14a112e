"""`ludograph balance`: who wins, how long games take, and what players may choose and do choose."""

from argparse import Namespace
from collections.abc import Iterator

import msgspec

from ludograph.cli.game_opening import open_game, report_rule_faults, start_game
from ludograph.cli.output import SUCCESS, USAGE, CommandError, write_json
from ludograph.cli.streams import print_text
from ludograph.cli.terminal import progress_bar
from ludograph.lab.balance import Balance, ChoiceBalance, Skill, measure_balance, measure_skill
from ludograph.play.seats import CANNOT_PLAY

MAX_CHOICES = 40
"""The greatest number of choices in a text; JSON has all of them."""


def run(arguments: Namespace) -> int:
    game = open_game(arguments.game)
    bots = [str(bot) for bot in arguments.seats or ["random"]]
    if arguments.players is None and len(bots) in game.player_counts:
        arguments.players = len(bots)
    state = start_game(game, arguments, seed=None)
    seed, skill = arguments.seed or 0, None
    try:
        total = arguments.games + (arguments.skill or 0)
        with (
            report_rule_faults(game.name, seed=seed),
            progress_bar(total, in_lines=not arguments.json) as step,
        ):
            balance = measure_balance(
                state, arguments.games, bots=bots, seed=seed, limit=arguments.limit, on_game=step
            )
            if arguments.skill:
                skill = measure_skill(state, arguments.skill, seed=seed, limit=arguments.limit, on_game=step)
    except (*CANNOT_PLAY, ValueError) as error:
        raise CommandError(str(error), USAGE) from None
    if arguments.json:
        write_json({"game": game.name, **msgspec.to_builtins(balance), "skill": msgspec.to_builtins(skill)})
        return SUCCESS
    for line in _format(balance, skill):
        print_text(line)
    return SUCCESS


def _format(balance: Balance, skill: Skill | None) -> Iterator[str]:
    games = balance.games
    yield f"{games} games, {balance.draws} drawn, {balance.unfinished} unfinished"
    for seat in balance.seats:
        yield f"player {seat.player}: {seat.wins} won, score {_share(seat.score, seat.interval)}"
    yield (
        f"length: {balance.mean_length:.1f} moves; 9 of 10 games have {balance.quantile(0.05)} "
        f"to {balance.quantile(0.95)}"
    )
    yield f"a decision has {balance.branching:.1f} moves; {100 * balance.forced:.1f} % have a single one"
    yield f"the leader changes {balance.lead_changes:.1f} times in a game"
    for leader in balance.leaders:
        if leader.games:
            yield f"leading after {100 * leader.moment:.0f} %: score {_share(leader.score, leader.interval)}"
    if skill is not None:
        yield (
            f"{skill.stronger} against {skill.weaker}: score {_share(skill.score, skill.interval)}, "
            f"{100 * skill.fair:.0f} % if skill does not matter"
        )
    if balance.choices:
        yield f"{'choice':40} {'offered':>8} {'chosen':>8} {'won':>7}"
    yield from (_format_choice(each) for each in balance.choices[:MAX_CHOICES])
    if len(balance.choices) > MAX_CHOICES:
        yield f"… {len(balance.choices) - MAX_CHOICES} more choices (--json lists them)"


def _format_choice(choice: ChoiceBalance) -> str:
    name = f"  {choice.input}: {choice.value}" if choice.input else choice.action
    won = f"{100 * choice.won:.1f} %" if choice.chosen else "–"
    return f"{name[:40]:40} {choice.offered:8} {choice.chosen:8} {won:>7}"


def _share(score: float, interval: tuple[float, float]) -> str:
    low, high = interval
    return f"{100 * score:.1f} % ({100 * low:.1f} to {100 * high:.1f})"
