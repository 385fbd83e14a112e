"""A player for Hexil, the settlers game: it plans its turn by the verb `value` of the rules.

Read in this order: `levels`, `guessing` (what the others may hold), `judging` (the chances to win in a
state), `planning` (the best end of a turn), `opening`, `trading`, `player`.
"""

from ludograph.bots.settlers.levels import LEVELS, Level
from ludograph.bots.settlers.player import SettlersBot

__all__ = ["LEVELS", "Level", "SettlersBot"]
