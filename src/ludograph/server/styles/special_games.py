"""Games that bring their own style of tables: the island and HAN of Hexil.

A style belongs to the rules of one game. A table of an older version of a game has the usual style.
"""

from collections.abc import Callable, Mapping

from ludograph.games import Game, load
from ludograph.server.styles.table_styles import TableStyle


def find_style(name: str, game: Game) -> TableStyle | None:
    """The style of a new table of a shipped game; None: the usual one."""
    make = _STYLES.get(name)
    return None if make is None or load(name).rules != game.rules else make()


def _make_hexil_style() -> TableStyle:
    # The server starts without Hexil, which is large.
    from ludograph.hexil.tables.style import HexilTable

    return HexilTable()


_STYLES: Mapping[str, Callable[[], TableStyle]] = {"hexil": _make_hexil_style}
"""By the names of shipped games."""
