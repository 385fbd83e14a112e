"""Ctrl-C stops native code soon, even inside of one move that takes hours."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

RULES = """
global state t { decimal[] l; decimal n = 0; }
setup { t.l[99999] = 1; }
action look { trigger on player choice; effect { %s } }
"""
# With the usual fuel it would end by itself.
LONG_MOVE = RULES % "while not t.l.contains(2) { t.n = 1; }"
LONG_LIST = "action early { trigger on player choice; effect { pass; } }" + RULES % (
    "while not t.l.contains(2) { t.n = 1; } fail;"
)
LONG_GAME = RULES % "t.n += 1;"
SCRIPT = '''
import sys, threading, time, ludograph
from ludograph.games.engines import compile_world, native_engine, perft, simulate
from ludograph.tgdl.game.game import Game
state = Game(ludograph.load(sys.argv[1]).program, fuel=10**15).new(seed=1)
engine = native_engine(state.game, state)
single = Game(state.game.program, fuel=10**15, compiler=compile_world, uses_before_compiling=0).new(seed=1)
work = {
    "one": lambda: list(simulate(state, 2, limit=10**12, engine=engine)),
    "two": lambda: list(simulate(state, 8, limit=10**12, threads=2, engine=engine)),
    "perft": lambda: perft(state, 10**12, engine=engine),
    "play": lambda: single.push("look"),
    "list": lambda: len(single.legal_moves),
}[sys.argv[2]]
def tell():
    """Say it when native code has run for a while; what comes before it may take longer."""
    seen = 0
    while seen < 20:
        innermost = {frame.f_code.co_name for frame in sys._current_frames().values()}
        seen = seen + 1 if {"call", "run"} & innermost else 0
        time.sleep(0.01)
    print("ready", flush=True)
threading.Thread(target=tell, daemon=True).start()
try:
    work()
except KeyboardInterrupt:
    print("stopped", flush=True)
'''
PATIENCE = 120
"""Seconds; it takes none of them unless the machine is busy."""


@pytest.mark.parametrize(
    ("rules", "work"),
    [
        (LONG_MOVE, "one"),
        (LONG_MOVE, "two"),
        (LONG_MOVE, "perft"),
        (LONG_GAME, "one"),
        (LONG_GAME, "two"),
        (LONG_MOVE, "play"),
        (LONG_LIST, "list"),
    ],
    ids=["move", "moves in threads", "count", "game", "games in threads", "single move", "list of moves"],
)
def test_an_interruption_stops_native_code(rules: str, work: str, tmp_path: Path) -> None:
    path = tmp_path / "long.tgdl"
    path.write_text(rules)
    command = [sys.executable, "-c", SCRIPT, str(path), work]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            assert process.stdout.readline() == "ready\n"
            assert process.poll() is None
            process.send_signal(signal.SIGINT)
            said, _ = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()
    assert said == "stopped\n"
