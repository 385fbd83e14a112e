"""`ludograph perft`: how many sequences of so many moves there are."""

import time
from argparse import Namespace

from ludograph.cli.game_texts import open_game, playing, read_position, start_game
from ludograph.cli.report import FINE, write_json
from ludograph.play import perft


def run(arguments: Namespace) -> int:
    game = open_game(arguments.game)
    state = start_game(game, arguments, seed=arguments.seed, position=read_position(arguments))
    began = time.perf_counter()
    with playing(game.name):
        count = perft(state, arguments.depth)
    seconds = time.perf_counter() - began
    if arguments.json:
        write_json({"game": game.name, "depth": arguments.depth, "count": count, "seconds": seconds})
    else:
        print(f"{arguments.depth} {count}")
    return FINE
