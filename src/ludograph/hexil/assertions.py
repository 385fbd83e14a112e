"""Claims: what a record says that follows by the rules, held against them.

CGN tells production, awards, the haul of a monopoly and the winner, which HAN and SGN leave to the reader.
"""

from collections.abc import Callable, Mapping

from ludograph.hexil.events import EventWatcher
from ludograph.hexil.running import Running
from ludograph.notation.formulas import format_formula
from ludograph.notation.normal_form.record import Assertion
from ludograph.settlers import BANK, Goods, Player
from ludograph.settlers.record import Award, Awarded, Event, GameOver, Produced, Transferred

Contradict = Callable[[str, int | None], None]
"""Told what does not follow, and which event of the record says it."""


class Claims:
    """The claims of a record, checked in their places. Mutable."""

    def __init__(
        self,
        claims: tuple[Assertion, ...],
        running: Running,
        watch: EventWatcher | None,
        contradict: Contradict,
    ) -> None:
        """Where something is claimed, the rules are watched."""
        self._left = list(claims)
        self._running = running
        self._watch = watch
        self._contradict = contradict
        self._told_paid: dict[Player, Goods] = {}
        """What the record says of the production that was last, or of that in the set-up so far."""
        self._paid_origin: int | None = None
        """Where it says so, if that has not been checked yet."""

    def check_before(self, index: int, following: tuple[Event, ...]) -> None:
        """Check what is claimed before a move; `following` follows from the last one."""
        while self._left and self._left[0].after <= index:
            claim = self._left.pop(0)
            match claim.event:
                case Produced(changes):
                    self._note_paid({who: holding.goods for who, holding in changes}, claim.origin)
                case Awarded(award, holder):
                    self._check_holder(award, holder, claim.origin)
                case GameOver(winner):
                    self.check_winner(winner, claim.origin)
                case Transferred(changes):
                    told = {who: holding.goods for who, holding in changes}
                    self._check_haul(told, following, claim.origin)
                case _:
                    raise AssertionError(f"nobody checks a claim {claim.event!r}")

    def forget_paid(self) -> None:
        """Begin a new production."""
        self._told_paid.clear()

    def check_paid(self) -> None:
        """Whether all that was told of a production is what the bank paid out."""
        if self._paid_origin is None or self._watch is None:
            return
        told = {player: goods for player, goods in self._told_paid.items() if goods}
        ruled = self._watch.produced
        if told != ruled:
            message = f"the bank pays {_gains_in_words(told)} here, by the rules {_gains_in_words(ruled)}"
            self._contradict(message, self._paid_origin)
        self._paid_origin = None

    def check_winner(self, told: Player | None, origin: int | None) -> None:
        result = self._running.result
        ruled = Player(result.winners[0]) if result is not None and result.winners else None
        if told != ruled:
            self._contradict(f"{_name(told)} wins here, by the rules {_name(ruled)}", origin)

    def _note_paid(self, told: dict[Player, Goods], origin: int) -> None:
        for player, goods in told.items():
            if player != BANK:
                self._told_paid[player] = self._told_paid.get(player, Goods()) + goods
        if self._paid_origin is None:
            self._paid_origin = origin

    def _check_holder(self, award: Award, holder: Player | None, origin: int) -> None:
        assert self._watch is not None
        ruled = dict(self._watch.sight.holders)[award]
        if ruled != holder:
            message = f"the {award.value} goes to {_name(holder)} here, by the rules to {_name(ruled)}"
            self._contradict(message, origin)

    def _check_haul(self, told: dict[Player, Goods], following: tuple[Event, ...], origin: int) -> None:
        ruled = next((each for each in following if isinstance(each, Transferred)), Transferred(()))
        taken = {player: holding.goods for player, holding in ruled.changes}
        if told != taken:
            words = _gains_in_words(told), _gains_in_words(taken)
            self._contradict(f"the monopoly brings {words[0]} here, by the rules {words[1]}", origin)


def _name(player: Player | None) -> str:
    return "nobody" if player is None else f"player {player}"


def _gains_in_words(gained: Mapping[Player, Goods]) -> str:
    parts = [f"{goods_in_words(goods)} to player {player}" for player, goods in sorted(gained.items())]
    return ", ".join(parts) or "nothing"


def goods_in_words(goods: Goods) -> str:
    """Goods as HAN writes them; what is given away has a minus.

    >>> goods_in_words(Goods(ore=2, wool=-1))
    'O2 -W'
    """
    gained, given = (Goods(*(max(0, sign * count) for count in goods.counts)) for sign in (1, -1))
    return " ".join(part for part in (format_formula(gained), given and f"-{format_formula(given)}") if part)
