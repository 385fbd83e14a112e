"""The shelf: the names of the shipped games, and what the head of a text says about its game.

Nothing here parses a text or plays a game, so that a list of the games is there at once.
"""

import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

SUFFIX = ".tgdl"

# Shipped games are in the one style of `ludograph fmt`: their name and their players are the first lines.
_HEAD = re.compile(r'game "([^"]*)";\n(?:players (\d+)(?:\.\.(\d+))?[^,;\n]*;\n)?')
USUAL_PLAYERS = (2,)


class Headline(NamedTuple):
    """What the head of a text says."""

    title: str
    players: tuple[int, ...]


def list_games() -> tuple[str, ...]:
    """The names on the shelf, in the order of the alphabet."""
    names = (entry.name for entry in _shelf().iterdir())
    return tuple(sorted(name.removesuffix(SUFFIX) for name in names if name.endswith(SUFFIX)))


def shelf_file(name: str) -> "Traversable":
    """The file of a game on the shelf."""
    return _shelf().joinpath(name + SUFFIX)


def read_headline(name: str) -> Headline:
    """The title and the numbers of players of a game on the shelf."""
    found = _HEAD.match(shelf_file(name).read_text(encoding="utf-8"))
    assert found is not None, f"{name} does not begin with its name"
    title, least, most = found.groups()
    return Headline(title, tuple(range(int(least), int(most or least) + 1)) if least else USUAL_PLAYERS)


def _shelf() -> "Traversable":
    folder = Path(__file__).parent
    if folder.is_dir():
        return folder
    from importlib.resources import files  # for a package in an archive

    return files("ludograph.games")
