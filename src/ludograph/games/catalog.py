"""The catalog: the names of the shipped games, and the title and the players of each.

This module neither parses a source nor plays a game, so that listing the games is quick.
"""

import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

SUFFIX = ".tgdl"

# Shipped games are formatted by `ludograph fmt`: their name and their players are in the first lines.
_FIRST_LINES = re.compile(r'game "([^"]*)";\n(?:players (\d+)(?:\.\.(\d+))?[^,;\n]*;\n)?')
USUAL_PLAYERS = (2,)


class Headline(NamedTuple):
    """The first lines of a source."""

    title: str
    players: tuple[int, ...]


def list_games() -> tuple[str, ...]:
    """The names of the shipped games, in alphabetical order."""
    names = (entry.name for entry in _games_folder().iterdir())
    return tuple(sorted(name.removesuffix(SUFFIX) for name in names if name.endswith(SUFFIX)))


def shipped_file(name: str) -> "Traversable":
    """The file of a shipped game."""
    return _games_folder().joinpath(name + SUFFIX)


def read_headline(name: str) -> Headline:
    """The title and the numbers of players of a shipped game."""
    found = _FIRST_LINES.match(shipped_file(name).read_text(encoding="utf-8"))
    assert found is not None, f"{name} does not start with its name"
    title, least, most = found.groups()
    return Headline(title, tuple(range(int(least), int(most or least) + 1)) if least else USUAL_PLAYERS)


def _games_folder() -> "Traversable":
    folder = Path(__file__).parent
    if folder.is_dir():
        return folder
    from importlib.resources import files  # for a package in an archive

    return files("ludograph.games")
