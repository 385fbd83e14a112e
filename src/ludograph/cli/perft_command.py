"""`ludograph perft`: how many sequences of so many moves there are."""

import time
from argparse import Namespace

from ludograph.cli.engine_choice import open_for_engine
from ludograph.cli.game_starts import playing
from ludograph.cli.output import FINE, USAGE, write_json
from ludograph.games.engines import perft


def run(arguments: Namespace) -> int:
    opened = open_for_engine(arguments, seed=arguments.seed)
    if opened is None:
        return USAGE
    began = time.perf_counter()
    with playing(opened.name):
        count = perft(opened.start, arguments.depth, engine=opened.engine)
    seconds = time.perf_counter() - began
    if arguments.json:
        write_json({"game": opened.name, "depth": arguments.depth, "count": count, "seconds": seconds})
    else:
        print(f"{arguments.depth} {count}")
    return FINE
