"""The settlers game as a library: the rules of `games/hexil.tgdl`, played in HAN and HSN.

    >>> from ludograph.hexil import Game
    >>> game = Game.new(players=2, seed=5, beginners=True)
    >>> for text in "Pv(d4n) Pr(d4ne) Pv(c5n) Pr(c5ne) Pv(d2s) Pr(d3nw) Pv(e4n) Pr(e4ne)".split():
    ...     action = game.push(text)
    >>> game.turn, game.phase
    (1, 'roll')
    >>> game.push("R(3+3)"), game.hands(1)
    (Roll(value=(3, 3)), (Goods(brick=2, lumber=1, wool=1), Cards()))

Read downward: `layout`, `positions`, `deals`, `moves`, `recipes`, `running`, `errors`, `options`,
`beginning`, `watching`, `hidden`, `bargaining`, `log`, `faults`, `claims`, `replaying`, `records`, `writing`,
`conversion`, `view`, `standing`, `listing`, `game`, `batch`.
"""

from ludograph.hexil.batch import Replayed, replay_records
from ludograph.hexil.conversion import convert
from ludograph.hexil.deals import Accept, Agree, Counter, Deal, Decline, Offer, Refuse, Withdraw
from ludograph.hexil.errors import IllegalAction
from ludograph.hexil.game import Game
from ludograph.hexil.listing import LegalActions
from ludograph.hexil.options import Options
from ludograph.hexil.positions import Facts, Unplayable
from ludograph.hexil.running import UnknownValue
from ludograph.hexil.view import SeenSeat, View

__all__ = [
    "Accept",
    "Agree",
    "Counter",
    "Deal",
    "Decline",
    "Facts",
    "Game",
    "IllegalAction",
    "LegalActions",
    "Offer",
    "Options",
    "Refuse",
    "Replayed",
    "SeenSeat",
    "UnknownValue",
    "Unplayable",
    "View",
    "Withdraw",
    "convert",
    "replay_records",
]
