"""The work of a server for one move, compared with python-chess and catanatron in one run.

    python3 dev.py bench serving     # or: python -m benchmarks.serving [--rounds 7] [game …]

A *served move* lists the complete legal moves as text, plays one of them by its text, gets the question with
its candidates, and writes the view of each player as JSON. python-chess writes the SAN of all legal moves,
plays one with `push_san`, writes two FENs and calls `is_game_over`. catanatron plays a tick and writes its
JSON once for each player. Both sides play random games from the start, including random values. The last row
lists the moves of chess positions from the middle of games as objects, without text.

Single thread, CPU time. The sides are measured alternately; a figure is the median of the rounds.
"""

import argparse
import gc
import json
import random
import statistics
import sys
import time
from collections.abc import Callable
from functools import partial
from importlib.metadata import version

import chess
from catanatron import Color, RandomPlayer
from catanatron import Game as TheirGame
from catanatron.json import GameEncoder

from ludograph.games import list_games, load
from ludograph.tgdl.game.game import Game, State

MUSTS = {"chess": (1.0, 3.0), "hexil": (15.0, 40.0)}
OTHER_MUST = (0.5, 2.0)
LISTING_MUST = (1.0, 3.0)
COLORS = (Color.RED, Color.BLUE, Color.WHITE, Color.ORANGE)
PLAYERS = {"hexil": 4}


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="*", help="only these games")
    parser.add_argument("--rounds", type=int, default=7, help="how often each side is measured (default 7)")
    parser.add_argument("--check", action="store_true", help="end with 1 if a figure is missed")
    options = parser.parse_args()
    names = options.games or list_games()
    rules = {name: load(name, engine="native") for name in names}
    for name in names:
        served(rules[name], 20, 0)  # compile, or load from the cache
    gc.collect()
    gc.freeze()
    print(f"ludograph {version('ludograph')}, chess {version('chess')}, catanatron {version('catanatron')}")
    print(f"{'':18}{'ours':>12}{'peer':>12}{'ratio':>9}   must  goal")
    missed = False
    for name in names:
        peer = their_settlers if name == "hexil" else their_chess
        ours, theirs = alternately(options.rounds, partial(served, rules[name], 300), peer)
        missed |= report(name, ours, theirs, MUSTS.get(name, OTHER_MUST))
    if "chess" in names:
        ours, theirs = alternately(options.rounds, our_listing(rules["chess"]), their_listing)
        missed |= report("chess, listing", ours, theirs, LISTING_MUST)
    return int(options.check and missed)


def alternately(
    rounds: int, ours: Callable[[int], float], theirs: Callable[[int], float]
) -> tuple[float, float]:
    """Seconds of one step on both sides."""
    found = [(ours(seed), theirs(seed)) for seed in range(1, rounds + 1)]
    return statistics.median(row[0] for row in found), statistics.median(row[1] for row in found)


def report(name: str, ours: float, theirs: float, musts: tuple[float, float]) -> bool:
    ratio, (must, goal) = theirs / ours, musts
    print(f"{name:18}{ours * 1e6:9.1f} µs{theirs * 1e6:9.1f} µs{ratio:7.2f} ×{must:7g}{goal:6g}", flush=True)
    return ratio < must


def served(rules: Game, moves: int, seed: int) -> float:
    """Seconds for one served move of a game, averaged over a number of moves."""
    chance = random.Random(seed)
    state = begin(rules, seed)
    played = 0
    began = time.process_time()
    while played < moves:
        if state.is_over:
            state = begin(rules, seed + played)
            continue
        texts = [move.text for move in state.legal_moves]
        state.push(texts[chance.randrange(len(texts))])
        if not state.is_over:
            _ = [choice.text for choice in state.question().candidates]
        for player in range(state.players):
            state.view_json(player)
        played += 1
    return (time.process_time() - began) / played


def begin(rules: Game, seed: int) -> State:
    return rules.new(PLAYERS.get(rules.name.lower()), seed=seed)


def their_chess(seed: int) -> float:
    chance = random.Random(seed)
    board = chess.Board()
    moves = 300
    began = time.process_time()
    for _ in range(moves):
        texts = [board.san(move) for move in board.legal_moves]
        board.push_san(texts[chance.randrange(len(texts))])
        board.fen()
        board.fen()
        if board.is_game_over():
            board = chess.Board()
    return (time.process_time() - began) / moves


def their_settlers(seed: int) -> float:
    random.seed(seed)
    game = TheirGame([RandomPlayer(color) for color in COLORS])
    moves = 200
    began = time.process_time()
    for _ in range(moves):
        if game.winning_color() is not None:
            game = TheirGame([RandomPlayer(color) for color in COLORS])
        game.play_tick()
        for _ in COLORS:
            json.dumps(game, cls=GameEncoder)
    return (time.process_time() - began) / moves


# Lists of moves


def our_listing(rules: Game) -> Callable[[int], float]:
    """List each position once, because a state caches its moves."""

    def listing(seed: int) -> float:
        chance = random.Random(seed)
        data = []
        for game in range(20):
            state = rules.new(seed=game)
            for _ in range(30):
                moves = state.legal_moves
                if not len(moves):
                    break
                state.push(moves[chance.randrange(len(moves))])
            data.append(state.to_bytes())
        states = [[rules.from_bytes(each) for each in data] for _ in range(10)]
        began = time.process_time()
        for row in states:
            for state in row:
                list(state.legal_moves)
        return (time.process_time() - began) / (len(states) * len(data))

    return listing


def their_listing(seed: int) -> float:
    chance = random.Random(seed)
    boards = []
    for _ in range(20):
        board = chess.Board()
        for _ in range(30):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(moves[chance.randrange(len(moves))])
        boards.append(board)
    began = time.process_time()
    for _ in range(10):
        for board in boards:
            list(board.legal_moves)
    return (time.process_time() - began) / (10 * len(boards))


if __name__ == "__main__":
    sys.exit(main())
