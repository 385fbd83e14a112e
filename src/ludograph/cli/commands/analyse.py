"""`ludograph analyse`: the best moves of a position, with visits, payoffs and the expected line."""

import time
from argparse import Namespace

from ludograph.bots import BotSpecification, parse_bot
from ludograph.cli.engine_selection import printing_engine_warnings, report_missing_engine
from ludograph.cli.game_opening import open_game, report_rule_faults, start_game
from ludograph.cli.game_sources import read_position
from ludograph.cli.output import FAILURE, SUCCESS, USAGE, CommandError, write_json
from ludograph.cli.streams import print_text
from ludograph.play import Generator, IllegalMove, SearchSettings
from ludograph.play.seats import CANNOT_PLAY


def run(arguments: Namespace) -> int:
    report_missing_engine(arguments.engine)
    game = open_game(arguments.game, arguments.engine)
    seed = arguments.seed or 0
    try:
        bot = parse_analysis(arguments.budget)
    except ValueError as error:
        raise CommandError(str(error), USAGE) from None
    state = start_game(game, arguments, seed=None, position=read_position(arguments))
    with printing_engine_warnings(), report_rule_faults(game.name, seed=seed):
        state.sample_chance(Generator(seed))
        for number, move in enumerate(arguments.move, 1):
            try:
                state.push(move)
            except IllegalMove as error:
                raise CommandError(f"move {number} ({move}): {error.args[0]}", FAILURE) from None
            state.sample_chance(Generator(seed + number))
        if not state.asked:
            raise CommandError("the game is over, so there is nothing to analyse", FAILURE)
        player = state.asked[0]
        try:
            search = state.start_search(player, SearchSettings(threads=bot.threads), seed)
        except CANNOT_PLAY as error:
            raise CommandError(str(error), USAGE) from None
        assert bot.budget is not None
        bot.budget.spend(search, time.monotonic)
        moves = search.moves(line=arguments.line)[: arguments.best]
    rows = [
        {
            "move": move.text,
            "visits": move.visits,
            "payoff": move.payoff,
            "proven": move.is_proven,
            "line": list(move.line),
        }
        for move in moves
    ]
    if arguments.json:
        write_json({"player": player, "iterations": search.iterations, "seed": seed, "moves": rows})
        return SUCCESS
    print_text(f"{game.name}: player {player} to choose, {search.iterations} iterations, seed {seed}")
    width = max((len(move.text) for move in moves), default=4)
    print_text(f"{'move':{width}}   visits   payoff")
    for move in moves:
        proven = " proven" if move.is_proven else ""
        line = f"   {'; '.join(move.line)}" if move.line else ""
        print_text(f"{move.text:{width}} {move.visits:8} {move.payoff:+8.3f}{proven}{line}")
    return SUCCESS


def parse_analysis(budget: str) -> BotSpecification:
    """The search of a budget, such as `2s` or `2s:threads=2`; `mcts` before it changes nothing."""
    is_bot = budget.partition(":")[0].strip() == "mcts"
    return parse_bot(budget if is_bot else f"mcts:{budget}")
