"""Perft of chess on the native engine, the reference engine and python-chess in one run.

    python3 dev.py bench perft                    # or: python -m benchmarks.perft [--depth 4]

Each side makes every move down to the leaves. Single thread, CPU time. The slower sides use a smaller depth.
"""

import argparse
import sys
import time
from collections.abc import Callable
from importlib.metadata import version

import chess

import ludograph
from ludograph.games.engines import NATIVE, REFERENCE, native_engine, perft


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--depth", type=int, default=4, help="how many moves are made (default 4)")
    depth: int = parser.parse_args().depth
    state = ludograph.load("chess").new()
    engine = native_engine(state.game, state)
    native = leaves_per_second(lambda: perft(state, depth, engine=engine))
    theirs = leaves_per_second(lambda: count(chess.Board(), depth - 1))
    reference = leaves_per_second(lambda: perft(state, max(1, depth - 2), engine=REFERENCE))
    print(f"ludograph {version('ludograph')}, chess {version('chess')}, leaves per second")
    print(f"{NATIVE:12} {native:12,.0f}")
    print(f"{'python-chess':12} {theirs:12,.0f}   native is {native / theirs:6.1f} × that")
    print(f"{REFERENCE:12} {reference:12,.0f}   native is {native / reference:6.1f} × that")
    return 0


def leaves_per_second(work: Callable[[], int]) -> float:
    began = time.process_time()
    found = work()
    return found / (time.process_time() - began)


def count(board: chess.Board, depth: int) -> int:
    if depth == 0:
        return 1
    total = 0
    for move in board.legal_moves:
        board.push(move)
        total += count(board, depth - 1)
        board.pop()
    return total


if __name__ == "__main__":
    sys.exit(main())
