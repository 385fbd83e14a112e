"""Where llvmlite is missing the reference engine runs everything, and says so once."""

import subprocess
import sys
from pathlib import Path

import pytest

from ludograph import load
from ludograph.play import format_record

COMMANDS = {
    "simulate": (["simulate", "tic-tac-toe", "-n", "3"], "reference engine"),
    "perft": (["perft", "tic-tac-toe", "2"], "2 72"),
    "play": (["play", "tic-tac-toe", "--seats", "random", "--seed", "1"], "player 0"),
}


def run(*arguments: str) -> "subprocess.CompletedProcess[str]":
    """The command in a process that cannot import llvmlite."""
    program = f"""
import sys
sys.modules["llvmlite"] = None
from ludograph.cli import main
raise SystemExit(main({list(arguments)!r}))
"""
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("name", COMMANDS)
def test_the_reference_engine_plays_with_a_notice(name: str) -> None:
    arguments, shown = COMMANDS[name]
    done = run(*arguments)
    assert done.returncode == 0, done.stderr
    assert shown in done.stdout
    assert done.stderr.startswith("ludograph: using the reference engine: llvmlite 0.50 cannot be imported")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("name", COMMANDS)
def test_who_asks_for_the_native_engine_is_refused(name: str) -> None:
    done = run(*COMMANDS[name][0], "--engine", "native")
    assert (done.returncode, done.stdout) == (2, "")
    assert "the native engine cannot run" in done.stderr
    assert "llvmlite 0.50 cannot be imported" in done.stderr


def test_who_asks_for_the_reference_engine_hears_nothing() -> None:
    done = run(*COMMANDS["perft"][0], "--engine", "reference")
    assert (done.returncode, done.stdout, done.stderr) == (0, "2 72\n", "")


def test_records_are_played_again_with_a_notice(tmp_path: Path) -> None:
    path = tmp_path / "record.txt"
    path.write_text(format_record(load("tic-tac-toe").new().record), encoding="utf-8")
    done = run("replay", str(path))
    assert done.returncode == 0, done.stderr
    assert done.stderr.startswith("ludograph: using the reference engine: llvmlite 0.50 cannot be imported")
    assert done.stderr.count("\n") == 1


def test_python_is_warned_and_plays_on() -> None:
    program = """
import sys
sys.modules["llvmlite"] = None
from ludograph.games import load, open_start
from ludograph.games.engines import perft, simulate
game = load("tic-tac-toe")
print(perft(game.new(), 2), perft(open_start("tic-tac-toe"), 2), len(list(simulate(game.new(), 3))))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stdout == "72 72 3\n", done.stderr
    assert "<string>:6: ReferenceEngineWarning: using the reference engine, which is slower" in done.stderr
    assert "<string>:7: ReferenceEngineWarning" in done.stderr
