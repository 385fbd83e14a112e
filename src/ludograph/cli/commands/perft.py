"""`ludograph perft`: count the sequences of a number of moves."""

import time
from argparse import Namespace

from ludograph.cli.engine_selection import open_with_engine
from ludograph.cli.game_opening import report_rule_faults
from ludograph.cli.output import SUCCESS, USAGE, write_json
from ludograph.games.engines import perft


def run(arguments: Namespace) -> int:
    opened = open_with_engine(arguments, seed=arguments.seed)
    if opened is None:
        return USAGE
    start_time = time.perf_counter()
    with report_rule_faults(opened.name):
        count = perft(opened.start, arguments.depth, engine=opened.engine)
    seconds = time.perf_counter() - start_time
    if arguments.json:
        write_json({"game": opened.name, "depth": arguments.depth, "count": count, "seconds": seconds})
    else:
        print(f"{arguments.depth} {count}")
    return SUCCESS
