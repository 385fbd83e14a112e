"""Golden files: expected output that people read, compared exactly, including line ends.

A test uses the fixture `golden`: `golden("diagnostics/unknown_letter.txt", text)`.
"""

import difflib
from dataclasses import dataclass, field
from pathlib import Path

import pytest


@dataclass
class Golden:
    """Compares texts with the files in a folder and records the used files (mutable)."""

    folder: Path
    write: bool
    used: set[Path] = field(default_factory=set)

    def __call__(self, name: str, text: str) -> None:
        """Fail unless `tests/golden/<name>` contains exactly this text; `dev.py golden` writes it instead."""
        path = (self.folder / name).resolve()
        assert path.is_relative_to(self.folder.resolve()), f"{name} is outside of tests/golden"
        self.used.add(path)
        if self.write:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
        elif not path.exists():
            pytest.fail(f"tests/golden/{name} is missing; `python3 dev.py golden` writes it", pytrace=False)
        elif (expected := path.read_bytes().decode()) != text:
            pytest.fail(_difference(name, expected, text), pytrace=False)

    def unused(self) -> list[Path]:
        """The files that no test used."""
        files = (path for path in self.folder.resolve().rglob("*") if path.is_file())
        return sorted(path for path in files if path not in self.used)


def _difference(name: str, expected: str, text: str) -> str:
    lines = difflib.unified_diff(expected.splitlines(), text.splitlines(), "expected", "found", lineterm="")
    shown = list(lines) or ["(only line ends differ)"]
    more = [f"… and {len(shown) - 60} more lines"] if len(shown) > 60 else []
    return "\n".join([f"tests/golden/{name} differs:", *shown[:60], *more])
