"""Every benchmark starts. Speed is measured by hand, so nothing else would notice a broken one."""

import ast
import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

TINY: dict[str, tuple[str, ...]] = {
    "bots": ("--seconds", "0.01", "--games", "tic-tac-toe"),
    "compiling": ("tic-tac-toe",),
    "language": ("--megabytes", "0.02"),
    "notations": ("--seconds", "0.01"),
    "peers": ("--seconds", "0.01", "--games", "tic-tac-toe"),
    "perft": ("--depth", "1"),
    "scenes": ("--seconds", "0.01"),
    "server": ("--tables", "2", "--seconds", "0.3"),
    "serving": ("--rounds", "1", "tic-tac-toe"),
    "settlers": ("--seconds", "0.1"),
    "settlers_actions": ("--rounds", "1"),
    "settlers_bots": ("--work", "medium", "--games", "1"),
    "settlers_weights": ("--games", "1"),
    "startup": ("--rounds", "1"),
    "studio": ("--keystrokes", "2", "tic-tac-toe"),
    "states": ("--seconds", "0.01", "--games", "tic-tac-toe"),
    "vector": ("--seconds", "0.02", "--games", "4"),
}
"""The arguments of a round that takes seconds."""
BENCHMARKS = sorted(
    path for path in (ROOT / "benchmarks").glob("*.py") if "parse_args" in path.read_text(encoding="utf-8")
)
"""The programs; the other modules are parts of them."""


def declared_and_used(source: str) -> tuple[set[str], set[str]]:
    """The options that a program declares with argparse, and those that it reads."""
    tree = ast.parse(source)
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    names = [_option(call) for call in calls if _method(call) == "add_argument"]
    results = {
        target.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call)
        if _method(node.value) == "parse_args"
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    used = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        if (isinstance(node.value, ast.Name) and node.value.id in results)
        or (isinstance(node.value, ast.Call) and _method(node.value) == "parse_args")
    }
    return set(names), used


def _method(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else ""


def _option(call: ast.Call) -> str:
    name = call.args[0]
    assert isinstance(name, ast.Constant)
    return str(name.value).lstrip("-").replace("-", "_")


@pytest.mark.parametrize("path", BENCHMARKS, ids=lambda path: path.stem)
def test_a_benchmark_reads_only_options_that_it_declares(path: Path) -> None:
    declared, used = declared_and_used(path.read_text(encoding="utf-8"))
    assert used
    assert used <= declared


def test_an_option_under_another_name_is_found() -> None:
    source = 'p.add_argument("--rounds", type=int)\noptions = p.parse_args()\nprint(options.turns)'
    assert declared_and_used(source) == ({"rounds"}, {"turns"})


def test_every_benchmark_has_a_tiny_round() -> None:
    assert set(TINY) == {path.stem for path in BENCHMARKS}


@pytest.mark.slow
@pytest.mark.parametrize("path", BENCHMARKS, ids=lambda path: path.stem)
def test_a_benchmark_runs_a_tiny_round(path: Path) -> None:
    if "import chess" in path.read_text(encoding="utf-8") and importlib.util.find_spec("chess") is None:
        pytest.skip("python-chess is missing; requirements-bench.lock has it")
    command = [sys.executable, "-m", f"benchmarks.{path.stem}", *TINY[path.stem]]
    done = subprocess.run(command, check=False, cwd=ROOT, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
