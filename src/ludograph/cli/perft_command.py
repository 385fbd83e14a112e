"""`ludograph perft`: how many sequences of so many moves there are."""

import time
from argparse import Namespace

from ludograph.cli.game_texts import open_game, playing, start_game
from ludograph.cli.report import FAULTY, FINE, Complaint, path_of, write_json
from ludograph.play import perft


def run(arguments: Namespace) -> int:
    game = open_game(arguments.game)
    position = None if arguments.position is None else _read_position(arguments.position)
    state = start_game(game, arguments, seed=arguments.seed, position=position)
    began = time.perf_counter()
    with playing(game):
        count = perft(state, arguments.depth)
    seconds = time.perf_counter() - began
    if arguments.json:
        write_json({"game": game.name, "depth": arguments.depth, "count": count, "seconds": seconds})
    else:
        print(f"{arguments.depth} {count}")
    return FINE


def _read_position(name: str) -> str:
    try:
        return path_of(name).read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Complaint(f"{name} is not UTF-8 text", FAULTY) from None
