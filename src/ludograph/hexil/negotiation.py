"""Bargaining: the talk about trades that a record in CGN tells, as deals of the rules.

CGN knows no refusals: an offer stands while its maker goes on, and may be accepted later. The rules wait for
answers. So whoever has said nothing when the game goes on has refused, and an offer that is accepted after
that is only talk: the trade itself is played as any other.
"""

from ludograph.hexil.deals import Accept, Agree, Counter, Deal, Decline, Offer, Refuse, Withdraw
from ludograph.hexil.running import Running
from ludograph.settlers import Accepted, Goods, Offered, Player, Resource, Withdrawn
from ludograph.settlers.record import Holding

Talk = Offered | Accepted | Withdrawn


class Bargain:
    """What is on the table, by the names that a record gives it. Mutable."""

    def __init__(self, running: Running) -> None:
        self._running = running
        self._offer = ""
        self._answer = ""
        """The name of the offer that somebody made in answer."""

    def deal_of(self, talk: Talk) -> Deal | None:
        """What somebody says, by the rules; None if it is only talk."""
        turn, phase = self._running.turn, self._running.state.phase()
        match talk:
            case Offered(player, Holding(goods) as change, answers, name) if change == Holding(goods):
                asked = tuple(who for who, _ in answers)
                give, take = _sides(goods)
                if player == turn:
                    self._offer = name
                    return Offer(give, take, asked)
                if asked == (turn,) and self._awaits(player):
                    self._answer = name
                    return Counter(player, give, take)
            case Accepted(player, name) if name == self._offer and self._awaits(player):
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

    def refusals(self) -> tuple[Deal, ...]:
        """What ends the talk if nobody says any more."""
        declined: tuple[Deal, ...] = (Decline(),) if self._running.state.phase() == "consider" else ()
        return (*declined, *(Refuse(player) for player in self._asked()))

    def _awaits(self, player: Player) -> bool:
        return player in self._asked()

    def _asked(self) -> tuple[Player, ...]:
        """Who has not answered the offer on the table."""
        if self._running.state.phase() not in ("answer", "consider"):
            return ()
        asked = self._running.table("asked")["asked"]
        return tuple(Player(number) for number, is_asked in enumerate(asked, 1) if is_asked)


def _sides(change: Goods) -> tuple[Goods, Goods]:
    """What somebody gives and takes, from what changes."""
    give, take = (Goods(*(max(0, sign * change[kind]) for kind in Resource)) for sign in (-1, 1))
    return give, take
