"""Games that bring their own style of tables: the island and HAN of Hexil.

A style belongs to the rules of one game. A table of an older version of a game has the usual style.
"""

from collections.abc import Callable, Mapping

from ludograph.games import Game, load
from ludograph.hexil.table_scenes import HexilTable
from ludograph.server.table_styles import TableStyle

STYLES: Mapping[str, Callable[[], TableStyle]] = {"hexil": HexilTable}
"""By the names of shipped games."""


def find_style(name: str, game: Game) -> TableStyle | None:
    """The style of a new table; None: the usual one."""
    make = STYLES.get(name)
    return None if make is None or load(name).rules != game.rules else make()
