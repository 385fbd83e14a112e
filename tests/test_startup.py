"""Each command imports only the modules that it uses, so that it starts quickly. No test measures time."""

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

RACE = """game "Race to ten";
global state race
{
  decimal count = 0;
  action add
  {
    trigger on player choice;
    input decimal number from 1 to 3 { count + number <= 10 }
    effect { count += number; if count == 10 win player; pass; }
  }
}
"""

# Runs a command line and writes the names of the imported modules to a file.
PROGRAM = """
import json, sys
from ludograph.cli import main
code = main(sys.argv[2:])
with open(sys.argv[1], "w") as file:
    json.dump([code, sorted(sys.modules)], file)
"""

CHECKER = ("ludograph.tgdl.syntax.parser", "ludograph.tgdl.check", "ludograph.tgdl.check.frontend")
LOWERING = (
    "ludograph.tgdl.native.lower.lowering",
    "ludograph.tgdl.native.ir.llvm",
    "ludograph.tgdl.native.lower.emitter",
)
LLVM = ("llvmlite.binding",)
ENGINE = ("ludograph.tgdl.reference", "ludograph.tgdl.native", "ludograph.tgdl.game.game")
PLAY = ("ludograph.play.choices", "ludograph.play.game", "ludograph.play.match", "ludograph.play.record")
SETTLERS = ("ludograph.settlers", "ludograph.notation", "ludograph.hexil")
LIBRARIES = ("rich", "msgspec", "llvmlite", "dataclasses")

CASES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "help": (("--help",), ("ludograph.text", "ludograph.games", "ludograph.tgdl", *LIBRARIES)),
    "games": (("games",), ("ludograph.tgdl", "ludograph.play", "ludograph.text", *SETTLERS, *LIBRARIES)),
    "check": (("check", "race.tgdl"), (*ENGINE, "llvmlite", *PLAY, "rich", *SETTLERS)),
    "fmt": (("fmt", "--check", "tic-tac-toe.tgdl"), (*ENGINE, "llvmlite", "rich", *SETTLERS)),
    "play": (("play", "tic-tac-toe"), (*CHECKER, *LOWERING, *LLVM, "rich", *SETTLERS)),
    "play hexil": (("play", "hexil"), (*CHECKER, *LOWERING, "rich")),
    "simulate": (("simulate", "tic-tac-toe", "-n", "10"), (*CHECKER, *LOWERING, "rich", *SETTLERS)),
    "perft": (("perft", "tic-tac-toe", "2"), (*CHECKER, *LOWERING, "rich", *SETTLERS)),
    "cache": (("cache",), ("ludograph.tgdl", *SETTLERS, *LIBRARIES)),
    "convert": (
        ("convert", "moves.han", "--to", "han"),
        ("ludograph.tgdl", "ludograph.games", "ludograph.render", "rich", "llvmlite"),
    ),
    "validate": (
        ("validate", "moves.han"),
        ("ludograph.tgdl", "ludograph.games", "ludograph.render", "rich", "llvmlite"),
    ),
}
"""Commands, and the modules that they must not import."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("startup")
    (found / "race.tgdl").write_text(RACE, encoding="utf-8")
    (found / "moves.han").write_text("R(2+3) E\n", encoding="utf-8")
    shipped = Path(__file__).parent.parent / "src" / "ludograph" / "games" / "tic-tac-toe.tgdl"
    (found / "tic-tac-toe.tgdl").write_bytes(shipped.read_bytes())
    return found


@cache
def imported_by(folder: Path, *words: str) -> frozenset[str]:
    """The modules that a command has imported when it ends; its second run uses the cache of the first."""
    environment = {**os.environ, "LUDOGRAPH_CACHE": str(folder / "cache"), "PYTHONPATH": ""}
    modules: list[str] = []
    for _ in range(2):
        subprocess.run(
            [sys.executable, "-c", PROGRAM, str(folder / "modules.json"), *words],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=True,
        )
        code, modules = json.loads((folder / "modules.json").read_text(encoding="utf-8"))
        assert code == 0
    return frozenset(modules)


@pytest.mark.parametrize("case", CASES)
def test_a_command_imports_only_what_it_uses(case: str, folder: Path) -> None:
    words, unused = CASES[case]
    modules = imported_by(folder, *words)
    found = {module for module in modules for name in unused if f"{module}.".startswith(f"{name}.")}
    assert sorted(found) == []


def test_a_first_move_needs_neither_the_checker_nor_llvm(folder: Path) -> None:
    program = (
        "import json, sys, ludograph; state = ludograph.load('chess').new(); "
        "state.push(state.legal_moves[0]); "
        "print(json.dumps(sorted(sys.modules)))"
    )
    environment = {**os.environ, "LUDOGRAPH_CACHE": str(folder / "cache")}
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
        )
    modules = json.loads(done.stdout)
    unused = (*CHECKER, *LOWERING, *LLVM, *SETTLERS, "rich")
    assert [module for module in modules if module.startswith(unused)] == []


def test_a_native_state_from_the_cache_needs_nothing_that_compiles(folder: Path) -> None:
    program = (
        "import json, sys, ludograph; state = ludograph.load('pig', engine='native').new(seed=1); "
        "state.push(state.legal_moves[0]); print(json.dumps(sorted(sys.modules)))"
    )
    environment = {**os.environ, "LUDOGRAPH_CACHE": str(folder / "cache")}
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
        )
    modules = json.loads(done.stdout)
    assert "llvmlite.binding" in modules
    assert [module for module in modules if module.startswith((*CHECKER, *LOWERING))] == []


def test_the_server_starts_without_hexil_and_llvm() -> None:
    program = "import json, sys, ludograph.server.app; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    unused = ("ludograph.hexil", *LLVM, *LOWERING)
    assert [module for module in json.loads(done.stdout) if module.startswith(unused)] == []
