"""Words for people at a table: texts of the rules in, the same texts with the names of the players out.

The engine and the authors of games write a player as `player 0`. The boxes at a table show names, and count
players without a name from 1. Only texts of the rules belong here: HAN counts players from 1.
"""

import re
from collections.abc import Sequence

_PLAYER = re.compile(r"\b[Pp]layer ([0-9])\b")


def name_players(text: str, names: Sequence[str]) -> str:
    """A text of the rules with the names of players instead of their numbers.

    >>> name_players("e2 belongs to player 1, not to player 0", ("Ada", "Bea"))
    'e2 belongs to Bea, not to Ada'
    """
    return _PLAYER.sub(lambda found: _name(int(found[1]), names) or found[0], text)


def _name(player: int, names: Sequence[str]) -> str:
    return names[player] if player < len(names) else ""
