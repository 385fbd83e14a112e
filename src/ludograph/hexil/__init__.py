"""The settlers game as a library: plays the rules of `games/hexil.tgdl` with actions in HAN and positions in
HSN.

    >>> from ludograph.hexil import Match
    >>> match = Match.new(players=2, seed=5, beginners=True)
    >>> for text in "Pv(d4n) Pr(d4ne) Pv(c5n) Pr(c5ne) Pv(d2s) Pr(d3nw) Pv(e4n) Pr(e4ne)".split():
    ...     action = match.push(text)
    >>> match.turn(), match.phase()
    (1, 'roll')
    >>> match.push("R(3+3)"), match.hands(1)
    (Roll(value=(3, 3)), (Goods(brick=2, lumber=1, wool=1), Cards()))

Read in this order: `layout`, `positions`, `deals`, `action_types`, `moves`, `action_plans`, `execution`,
`errors`, `options`, `starting`, `events`, `log`, the package `replay`, `writing`, `conversion`, `view`,
`queries`, `legal_moves`, `match`, `batch`.
"""

from ludograph.hexil.batch import Replayed, replay_records
from ludograph.hexil.conversion import convert
from ludograph.hexil.deals import Accept, Agree, Counter, Deal, Decline, Offer, Refuse, Withdraw
from ludograph.hexil.errors import IllegalAction
from ludograph.hexil.execution import UnknownValue
from ludograph.hexil.legal_moves import LegalMoves
from ludograph.hexil.match import Match
from ludograph.hexil.options import Options
from ludograph.hexil.positions import Facts, Unplayable
from ludograph.hexil.view import SeenSeat, View

__all__ = [
    "Accept",
    "Agree",
    "Counter",
    "Deal",
    "Decline",
    "Facts",
    "IllegalAction",
    "LegalMoves",
    "Match",
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
