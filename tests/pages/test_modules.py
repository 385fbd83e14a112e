"""The scripts of the pages: their types, and what needs no browser. Node comes with the development tools."""

import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
NODE = Path(sys.executable).parent


def _run(*command: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join((str(NODE), os.environ.get("PATH", "")))
    return subprocess.run(
        command,
        cwd=HERE,
        env={**os.environ, "PATH": path},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def test_the_scripts_have_the_types_that_they_state() -> None:
    if not (HERE / "node_modules" / "typescript").exists():
        installed = _run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
        assert installed.returncode == 0, installed.stdout + installed.stderr
    checked = _run("node", "node_modules/typescript/bin/tsc", "--project", "tsconfig.json")
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_moves_can_be_entered_in_any_order() -> None:
    tested = _run("node", "--test")
    assert tested.returncode == 0, tested.stdout + tested.stderr
