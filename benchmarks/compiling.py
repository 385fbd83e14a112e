"""The time from the source of a game to its first native random game, without and with the cache.

    python3 dev.py bench compiling      # or: python -m benchmarks.compiling [game …] [--json] [--check]

The figures are milliseconds of CPU time, the best of a few rounds, without process start and imports. `first`
starts with an empty cache. `again` uses the cache that `first` filled. The stages of the first time are also
measured one by one: parsing and checking, building a world and a first state, lowering to LLVM text, LLVM.
`state in Python` loads a native state from the cache, lists its moves and plays one.
"""

import argparse
import json
import os
import platform
import tempfile
import time
from collections.abc import Callable
from importlib.metadata import version
from typing import TypeVar

from ludograph.games import list_games, load, open_start
from ludograph.games.engines import simulate
from ludograph.games.native_code import native_module
from ludograph.tgdl.game.internals import world_of
from ludograph.tgdl.native.ir.llvm import emit
from ludograph.tgdl.native.run.machine import assemble

ROUNDS = 3
MUST_FIRST, MUST_AGAIN = 2000.0, 50.0
"""The limits in milliseconds."""

Made = TypeVar("Made")

MAX_PLAYERS = {"hexil": 4}
"""Games that are not measured with the smallest number of players."""


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="*", help="games of the shelf (default: all)")
    parser.add_argument("--json", action="store_true", help="write the figures as JSON")
    parser.add_argument("--check", action="store_true", help="end with 1 if a game takes too long")
    options = parser.parse_args()
    measure("tic-tac-toe")  # whatever is done once in a process
    found = {name: measure(name) for name in options.games or list_games()}
    if options.json:
        print(json.dumps(found, indent=2))
    else:
        show(found)
    late = [name for name, each in found.items() if each["first"] > MUST_FIRST or each["again"] > MUST_AGAIN]
    return 1 if options.check and late else 0


def measure(name: str) -> dict[str, float]:
    """Milliseconds for each stage, for the first time, and with the cache."""
    rounds = [_measure_once(name) for _ in range(ROUNDS)]
    return {part: min(each[part] for each in rounds) for part in rounds[0]}


def _measure_once(name: str) -> dict[str, float]:
    players = MAX_PLAYERS.get(name)
    spent: dict[str, float] = {}

    def play() -> None:
        for _ in simulate(open_start(name, players=players), 1):
            pass

    with tempfile.TemporaryDirectory() as folder:
        os.environ["LUDOGRAPH_CACHE"] = folder
        spent["first"], _ = timed(play)
        spent["again"], _ = timed(play)
        begin_state(name, players)
        spent["state"], _ = timed(lambda: begin_state(name, players))
    spent["read"], game = timed(lambda: load(name))
    spent["world"], state = timed(lambda: game.new(players=players))
    spent["lower"], text = timed(lambda: emit(native_module(game, world_of(state))))
    spent["LLVM"], _ = timed(lambda: assemble(text))
    return spent


def begin_state(name: str, players: int | None) -> None:
    """Create a native state in Python, list its moves and play one."""
    state = load(name, engine="native").new(players=players, seed=1)
    state.push(state.legal_moves[0])


def timed(make: Callable[[], Made]) -> tuple[float, Made]:
    began = time.process_time()
    made = make()
    return 1000 * (time.process_time() - began), made


def show(found: dict[str, dict[str, float]]) -> None:
    python = platform.python_version()
    print(f"ludograph {version('ludograph')}, llvmlite {version('llvmlite')}, Python {python}")
    print("\n| game | read, check | world | lower | LLVM | first | again | state in Python |")
    print("|---|---|---|---|---|---|---|---|")
    for name, each in found.items():
        parts = (each[part] for part in ("read", "world", "lower", "LLVM", "first", "again", "state"))
        print(f"| {name} | {' | '.join(f'{part:.0f}' for part in parts)} |")
    print(f"\nmust: first {MUST_FIRST:.0f}, again {MUST_AGAIN:.0f}")


if __name__ == "__main__":
    raise SystemExit(main())
