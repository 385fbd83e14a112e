"""Where llvmlite is missing the reference engine runs everything, and says so once."""

import subprocess
import sys

import pytest

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
    assert done.stderr.startswith("ludograph: the reference engine plays: llvmlite 0.50 cannot be imported")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("name", COMMANDS)
def test_who_asks_for_the_native_engine_is_refused(name: str) -> None:
    done = run(*COMMANDS[name][0], "--engine", "native")
    assert (done.returncode, done.stdout) == (2, "")
    assert "the native engine cannot play" in done.stderr
    assert "llvmlite 0.50 cannot be imported" in done.stderr


def test_who_asks_for_the_reference_engine_hears_nothing() -> None:
    done = run(*COMMANDS["perft"][0], "--engine", "reference")
    assert (done.returncode, done.stdout, done.stderr) == (0, "2 72\n", "")
