"""`ludograph perft`: how many sequences of so many moves there are."""

import time
from argparse import Namespace

from ludograph.cli.engine_choice import choose_engine
from ludograph.cli.game_texts import open_game, playing, read_position, start_game
from ludograph.cli.report import FINE, USAGE, write_json
from ludograph.games.engines import perft


def run(arguments: Namespace) -> int:
    game = open_game(arguments.game)
    state = start_game(game, arguments, seed=arguments.seed, position=read_position(arguments))
    engine = choose_engine(game, state, arguments.engine, say_why=False)
    if engine is None:
        return USAGE
    began = time.perf_counter()
    with playing(game.name):
        count = perft(state, arguments.depth, engine=engine)
    seconds = time.perf_counter() - began
    if arguments.json:
        write_json({"game": game.name, "depth": arguments.depth, "count": count, "seconds": seconds})
    else:
        print(f"{arguments.depth} {count}")
    return FINE
