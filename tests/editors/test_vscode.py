"""The extension for VS Code: its grammar follows the tables, its parts fit together, and it can be built."""

import json
import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from editors.vscode import build
from editors.vscode.grammar import FILE, format_grammar, grammar
from ludograph import __version__
from ludograph.lsp.lenses import COMMANDS
from ludograph.text import Source
from ludograph.tgdl.syntax.lexer import TokenKind, tokenize

HERE = build.HERE
GAMES = build.ROOT / "src" / "ludograph" / "games"
PACKAGE: dict[str, Any] = json.loads((HERE / "package.json").read_text(encoding="utf-8"))


def patterns(node: object) -> Iterator[str]:
    if isinstance(node, dict):
        for name, value in node.items():
            if name in ("match", "begin", "end"):
                yield value
            else:
                yield from patterns(value)
    elif isinstance(node, list):
        for value in node:
            yield from patterns(value)


def name_at(text: str, word: str) -> str:
    """The first name that the patterns for words give to a word in a text."""
    start = text.index(word)
    for rule in grammar()["repository"]["words"]["patterns"]:
        if any(found.start() == start for found in re.finditer(rule["match"], text)):
            return str(rule["name"])
    return ""


def test_the_grammar_is_that_of_the_tables() -> None:
    assert FILE.read_text(encoding="utf-8") == format_grammar(), "python3 dev.py vsix"


def test_every_pattern_is_valid() -> None:
    assert all(re.compile(pattern) for pattern in patterns(grammar()))


@pytest.mark.parametrize(
    "text, word, name",
    [
        ("decimal n = 1;", "decimal", "support.type.tgdl"),
        ("if a and b pass;", "and", "keyword.operator.word.tgdl"),
        ("if a and b pass;", "pass", "keyword.control.tgdl"),
        ("x = none;", "none", "constant.language.tgdl"),
        ("this.player = p", "this", "variable.language.tgdl"),
        ("t.next(north)", "north", "constant.language.direction.tgdl"),
        ("gold += 1;", "gold", ""),
        ("pieces.all.count", "all", ""),
    ],
)
def test_words_have_colours(text: str, word: str, name: str) -> None:
    assert name_at(text, word) == name


def test_a_reserved_word_of_a_game_is_never_plain() -> None:
    text = (GAMES / "chess.tgdl").read_text(encoding="utf-8")
    lexed = tokenize(Source(text))
    reserved = {"if", "return", "else", "for", "and", "or", "not", "none", "true", "false", "this", "new"}
    found = {
        piece
        for piece, kind in zip(lexed.pieces, lexed.kinds, strict=True)
        if kind is TokenKind.WORD and piece in reserved and not name_at(piece, piece)
    }
    assert found == set()


def test_the_commands_of_the_lenses_exist_in_the_extension() -> None:
    declared = {one["command"] for one in PACKAGE["contributes"]["commands"]}
    registered = set(re.findall(r'register\("([^"]+)"', (HERE / "extension.js").read_text(encoding="utf-8")))
    assert declared == registered
    assert set(COMMANDS) <= declared


def test_the_packages_are_pinned_and_name_no_place() -> None:
    lock = (HERE / "package-lock.json").read_text(encoding="utf-8")
    assert '"resolved"' not in lock
    assert "http" not in lock.replace("https://opencollective.com", "").replace("https://github.com", "")
    packages = json.loads(lock)["packages"]
    assert all("integrity" in one for path, one in packages.items() if path)
    assert packages[""]["dependencies"] == PACKAGE["dependencies"]


def test_the_same_files_give_the_same_archive(tmp_path: Path) -> None:
    files = dict.fromkeys(build.PACKED, b"{}")
    first, second = tmp_path / "a.vsix", tmp_path / "b.vsix"
    build.pack(first, files)
    build.pack(second, files)
    assert first.read_bytes() == second.read_bytes()
    with zipfile.ZipFile(first) as archive:
        assert {"extension.vsixmanifest", "[Content_Types].xml"} <= set(archive.namelist())
        package = json.loads(archive.read("extension/package.json"))
    assert package["version"] == __version__
    assert f"extension/{Path(package['main']).as_posix()}" in {f"extension/{name}" for name in files}
    for one in (*package["contributes"]["languages"], *package["contributes"]["grammars"]):
        name = Path(one.get("path") or one["configuration"]).as_posix()
        assert name in files


# Everything that a stub of VS Code needs: any name is a class, a function and a value.
START = """
const Module = require("node:module");
const anything = () => new Proxy(function () {}, {
  get: (target, name) =>
    name === "prototype" ? target.prototype : name === Symbol.toPrimitive ? () => "" : anything(),
  apply: () => anything(),
  construct: () => ({}),
});
const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? anything() : load(name, ...rest));
const { activate, deactivate } = require(process.argv[1]);
if (typeof activate !== "function" || typeof deactivate !== "function") process.exit(1);
"""


def test_the_extension_is_built_and_loads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "GRAMMAR", build.BUNDLE.parent / "grammar.json")
    build.BUNDLE.parent.mkdir(exist_ok=True)
    assert build.main() == 0
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
    done = subprocess.run(
        ["node", "-e", START, str(build.BUNDLE)],
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
