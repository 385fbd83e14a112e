"""The settings for Neovim, tried with Neovim: it starts the server and shows its diagnostics."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
SETTINGS = HERE.parents[1] / "editors" / "neovim" / "ludograph.lua"
NEOVIM = shutil.which("nvim")


@pytest.mark.optional
@pytest.mark.skipif(NEOVIM is None, reason="Neovim is not installed")
def test_neovim_shows_and_clears_a_mistake(tmp_path: Path) -> None:
    game = tmp_path / "game.tgdl"
    game.write_text("tile   cell { }\nboard { group grid square 3 by 3 { cel; } }\n", encoding="utf-8")
    words = [sys.executable, "-m", "ludograph", "lsp"]
    command = ", ".join(json.dumps(word) for word in words)
    assert NEOVIM is not None
    done = subprocess.run(
        [
            NEOVIM,
            *("--headless", "-n", "-u", "NONE", "-i", "NONE"),
            *("--cmd", f"lua vim.g.ludograph_command = {{ {command} }}"),
            *("-c", f"luafile {SETTINGS}", "-c", f"luafile {HERE / 'check_neovim.lua'}"),
            str(game),
        ],
        env={"HOME": str(tmp_path), "PATH": "/usr/bin:/bin", "XDG_STATE_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    lines = [line for line in done.stdout.splitlines() if line.startswith("[")]
    found = dict(json.loads(line) for line in lines)
    assert found.get("ready") is True, done.stdout + done.stderr
    assert "cel" in found["mistake"][0]
    assert found["repaired"] is True
    assert "tile cell" in found["hover"]
    assert found["completion"] is True
    assert found["symbols"] == ["cell", "board"]
    assert found["formatting"] == 1
