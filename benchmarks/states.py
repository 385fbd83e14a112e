"""The sizes and copies of native states, and the speed of both engines.

    python3 dev.py bench states       # or: python -m benchmarks.states [--seconds 1] [--games NAME …]

Single thread, CPU time. Compiled code makes the copies one by one, as the engine does: each from one of 64
states in the middle of a random game into one of 64 buffers.
"""

import argparse
import ctypes
import platform
import sys
import time
from collections.abc import Callable, Sequence
from importlib.metadata import version

import ludograph
from ludograph.games.engines import native_engine
from ludograph.play import Generator
from ludograph.play.match import random_playout
from ludograph.tgdl.game.game import State
from ludograph.tgdl.game.internals import memory_of
from ludograph.tgdl.native.run.engine import Engine
from ludograph.tgdl.native.run.execution import ExecutionContext
from ludograph.tgdl.native.run.machine import assemble, link

SAMPLES = 64
MOVES = 30
"""The largest number of moves from the start of a random game to the first of the states."""

COPYING = """
define i32 @copies(ptr %to, ptr %from, i64 %size, i64 %count) {{
begin:
  br label %loop
loop:
  %number = phi i64 [ 0, %begin ], [ %next, %loop ]
  %place = and i64 %number, {mask}
  %offset = mul i64 %place, %size
  %target = getelementptr i8, ptr %to, i64 %offset
  %source = getelementptr i8, ptr %from, i64 %offset
  call void @llvm.memmove.p0.p0.i64(ptr align 8 %target, ptr align 8 %source, i64 {size}, i1 false)
  %next = add i64 %number, 1
  %more = icmp ult i64 %next, %count
  br i1 %more, label %loop, label %end
end:
  ret i32 0
}}
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
"""


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=1.0, help="time for each figure (default 1)")
    parser.add_argument("--games", nargs="*", help="only these")
    options = parser.parse_args()
    print(f"ludograph {version('ludograph')}, Python {platform.python_version()}, {platform.machine()}")
    print("                   bytes  M copies/s   native moves/s  reference   ratio")
    for name in ludograph.list_games():
        if options.games and name not in options.games:
            continue
        game = ludograph.load(name, engine="reference")
        state = game.new(players=4 if name == "hexil" else None, seed=1)
        engine = native_engine(game, state)
        blocks = samples(engine, state)
        copies = copies_per_second(blocks, options.seconds)
        native = moves_per_second(natively(engine, state), options.seconds)
        reference = moves_per_second(by_reference(state), options.seconds)
        print(
            f"{name:17} {len(blocks[0]):6} {copies / 1e6:11.1f} {native:16,.0f} {reference:10,.0f}"
            f" {native / reference:7,.0f}",
            flush=True,
        )
    return 0


def samples(engine: Engine, start: State) -> list[bytes]:
    """States in the middle of random games."""
    generator = Generator(1)
    found: list[bytes] = []
    while len(found) < SAMPLES:
        state = start.copy()
        random_playout(state, generator, limit=1 + len(found) % MOVES)
        found.append(engine.block(memory_of(state)))
    return found


def copies_per_second(blocks: Sequence[bytes], seconds: float) -> float:
    """The number of states that compiled code copies, one after the other."""
    size = max(map(len, blocks))
    text = COPYING.format(mask=SAMPLES - 1, size=size)
    pointer, number = ctypes.c_void_p, ctypes.c_int64
    machine = link(assemble(text), ["copies"])
    copy = machine.function("copies", ctypes.c_int32, pointer, pointer, number, number)
    source = ctypes.create_string_buffer(b"".join(block.ljust(size, b"\0") for block in blocks))
    target = ctypes.create_string_buffer(len(source))
    count = 1_000_000
    began = time.process_time()
    done = 0
    while time.process_time() - began < seconds:
        copy(target, source, size, count)
        done += count
    took = time.process_time() - began
    assert target.raw == source.raw
    return done / took


def moves_per_second(play: Callable[[], int], seconds: float) -> float:
    play()
    moves = 0
    began = time.process_time()
    while time.process_time() - began < seconds:
        moves += play()
    return moves / (time.process_time() - began)


def natively(engine: Engine, state: State) -> Callable[[], int]:
    place, start = ExecutionContext(engine), engine.block(memory_of(state))
    played = 0

    def play() -> int:
        nonlocal played
        played += 50
        return int(sum(row[0] for row in place.games(start, played, 50)))

    return play


def by_reference(start: State) -> Callable[[], int]:
    generator = Generator(2)
    return lambda: random_playout(start.copy(), generator, limit=100).moves


if __name__ == "__main__":
    sys.exit(main())
