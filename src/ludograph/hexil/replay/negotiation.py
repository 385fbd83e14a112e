"""Trade negotiation: the trade events of a record in CGN as deals of the rules.

CGN records no refusals: an offer stays open while its player continues, and may be accepted later. The
rules wait for answers. Therefore a player who has not answered when the game continues has refused. An offer
that is accepted after that changes nothing; its trade is played like any other.
"""

from ludograph.hexil.deals import Accept, Agree, Counter, Deal, Decline, Offer, Refuse, Withdraw
from ludograph.hexil.execution import ActionExecutor
from ludograph.settlers import Accepted, Goods, Offered, Player, Resource, Withdrawn
from ludograph.settlers.record import Holding

TradeEvent = Offered | Accepted | Withdrawn


class Negotiation:
    """The open offers, by the names that a record gives them. Mutable."""

    def __init__(self, executor: ActionExecutor) -> None:
        self._executor = executor
        self._offer = ""
        self._answer = ""
        """The name of the counter-offer."""

    def find_deal(self, event: TradeEvent) -> Deal | None:
        """The deal of a trade event; None if the event changes nothing."""
        turn, phase = self._executor.turn, self._executor.state.phase()
        match event:
            case Offered(player, Holding(goods) as change, answers, name) if change == Holding(goods):
                asked = tuple(who for who, _ in answers)
                give, take = _sides(goods)
                if player == turn:
                    self._offer = name
                    return Offer(give, take, asked)
                if asked == (turn,) and self._is_awaited(player):
                    self._answer = name
                    return Counter(player, give, take)
            case Accepted(player, name) if name == self._offer and self._is_awaited(player):
                return Accept(player)
            case Accepted(player, name) if name == self._answer and phase == "consider" and player == turn:
                return Agree()
            case Withdrawn(_, name) if name == self._offer and phase in ("answer", "consider"):
                return Withdraw()
            case Withdrawn(_, name) if name == self._answer and phase == "consider":
                return Decline()
            case _:
                pass
        return None

    def list_refusals(self) -> tuple[Deal, ...]:
        """The deals that end the negotiation if no further answer is recorded."""
        declined: tuple[Deal, ...] = (Decline(),) if self._executor.state.phase() == "consider" else ()
        return (*declined, *(Refuse(player) for player in self._asked()))

    def _is_awaited(self, player: Player) -> bool:
        return player in self._asked()

    def _asked(self) -> tuple[Player, ...]:
        """The players who have not answered the open offer."""
        if self._executor.state.phase() not in ("answer", "consider"):
            return ()
        asked = self._executor.table("asked")["asked"]
        return tuple(Player(number) for number, is_asked in enumerate(asked, 1) if is_asked)


def _sides(change: Goods) -> tuple[Goods, Goods]:
    """The goods given and taken, from a change of goods."""
    give, take = (Goods(*(max(0, sign * change[kind]) for kind in Resource)) for sign in (-1, 1))
    return give, take
