"""Single settlers actions and states from Python, compared with python-chess and catanatron in one run.

    python3 dev.py bench settlers_actions     # or: python -m benchmarks.settlers_actions [--rounds 20]

It compares `Match.push` of one HAN text with `push_san` of one move, and `copy` of a state with catanatron's
`game.copy()`. It also replays many records from text to result and checks every move. Single thread, CPU
time; the sides are measured alternately and the ratio is that of the medians. `gc.freeze` excludes the
objects that existed before, on both sides.
"""

import argparse
import gc
import statistics
import sys
import time
from collections.abc import Callable
from importlib.metadata import version

import chess
from catanatron import Color, RandomPlayer
from catanatron import Game as TheirGame

from ludograph.hexil import Deal, Match, replay_records
from ludograph.notation import han
from ludograph.play import Generator

PUSH_MUST, COPY_MUST, REPLAY_MUST, REPLAY_GOAL = 3.0, 40.0, 200_000.0, 1_000_000.0
ACTIONS = 1_000
COLORS = (Color.RED, Color.BLUE, Color.WHITE, Color.ORANGE)
RUY_LOPEZ = (
    "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Nb8 d4 Nbd7 Nbd2 Bb7 Bc2 Re8 Nf1 Bf8 "
    "Ng3 g6 a4 c5 d5 c4 Bg5 h6 Be3 Nc5 Qd2 h5".split()
)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=20, help="how often each side is measured (default 20)")
    parser.add_argument("--check", action="store_true", help="end with 1 if a figure is missed")
    options = parser.parse_args()
    texts, records = texts_of_game(), [record_of(seed) for seed in range(8)]
    list(replay_records(records * 2))
    gc.collect()
    gc.freeze()
    pushes, sans = alternately(options.rounds, lambda: push_all(texts), push_sans)
    ours, theirs = alternately(options.rounds, copier_of(texts), their_copier())
    batch = records * 40
    actions = sum(one.actions for one in replay_records(records))
    rate = 40 * actions / statistics.median(timed(lambda: list(replay_records(batch))) for _ in range(3))
    push, copy = sans / pushes, theirs / ours
    print(f"ludograph {version('ludograph')}, chess {version('chess')}, catanatron {version('catanatron')}")
    for name, own, peer, other, ratio, must in (
        ("push", pushes, "push_san", sans, push, PUSH_MUST),
        ("copy", ours, "game.copy()", theirs, copy, COPY_MUST),
    ):
        print(
            f"{name:8} {own * 1e6:8.2f} µs   {peer:12} {other * 1e6:8.2f} µs  {ratio:6.1f} × (must {must:g})"
        )
    print(f"replay   {rate:8.0f} actions/s (must {REPLAY_MUST:,.0f}, goal {REPLAY_GOAL:,.0f})")
    missed = push < PUSH_MUST or copy < COPY_MUST or rate < REPLAY_MUST
    return int(options.check and missed)


def timed(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def alternately(rounds: int, ours: Callable[[], float], theirs: Callable[[], float]) -> tuple[float, float]:
    """Seconds of one step on both sides."""
    found = [(ours(), theirs()) for _ in range(rounds)]
    return statistics.median(row[0] for row in found), statistics.median(row[1] for row in found)


def new_game(seed: int) -> Match:
    return Match.new(4, seed, engine="native", trades="bank_only")


def play_at_random(seed: int) -> Match:
    game, chance = new_game(seed), Generator(seed)
    while game.winner() is None and len(game.action_stack()) < ACTIONS:
        actions = [action for action in game.legal_moves if not isinstance(action, Deal)]
        game.push(actions[chance.below(len(actions))])
    return game


def texts_of_game() -> list[str]:
    """The actions of a game, including random values."""
    return [
        han.format(action, dialect="2023")
        for action in play_at_random(1).action_stack()
        if not isinstance(action, Deal)
    ]


def record_of(seed: int) -> str:
    return play_at_random(seed).han(dialect="2023")


def push_all(texts: list[str]) -> float:
    game = new_game(1)
    game.push(texts[0])
    game.pop()

    def push() -> None:
        for text in texts:
            game.push(text)

    return timed(push) / len(texts)


def push_sans() -> float:
    boards = [chess.Board() for _ in range(10)]

    def push() -> None:
        for board in boards:
            for text in RUY_LOPEZ:
                board.push_san(text)

    return timed(push) / len(boards) / len(RUY_LOPEZ)


def copier_of(texts: list[str]) -> Callable[[], float]:
    game = new_game(1)
    for text in texts[:200]:
        game.push(text)
    state, many = game.state(), range(5000)

    def copy() -> None:
        for _ in many:
            state.copy()

    return lambda: timed(copy) / len(many)


def their_copier() -> Callable[[], float]:
    game = TheirGame([RandomPlayer(color) for color in COLORS], seed=1)
    for _ in range(200):
        game.play_tick()
    many = range(200)

    def copy() -> None:
        for _ in many:
            game.copy()

    return lambda: timed(copy) / len(many)


if __name__ == "__main__":
    sys.exit(main())
