"""Record assertions: events of a record that follow from the rules are compared with the rules.

CGN records production, awards, the cards of a monopoly and the winner. HAN and SGN do not.
"""

from collections.abc import Callable, Mapping

from ludograph.hexil.events import EventDetector
from ludograph.hexil.execution import ActionExecutor
from ludograph.notation.formulas import format_formula
from ludograph.notation.normal_form.record import Assertion
from ludograph.settlers import BANK, Award, Goods, Player
from ludograph.settlers.record import Awarded, Event, GameOver, Produced, Transferred

ReportContradiction = Callable[[str, int | None], None]
"""Called with a contradiction and the index of the event that asserts it."""


class RecordAssertions:
    """The assertions of a record, each checked at its place. Mutable."""

    def __init__(
        self,
        claims: tuple[Assertion, ...],
        executor: ActionExecutor,
        detector: EventDetector | None,
        report: ReportContradiction,
    ) -> None:
        """A record with assertions needs an event detector."""
        self._left = list(claims)
        self._executor = executor
        self._detector = detector
        self._report = report
        self._recorded_production: dict[Player, Goods] = {}
        """The recorded goods of the last production, or of the set-up so far."""
        self._production_origin: int | None = None
        """The index of the recorded production that has not been checked yet."""

    def check_before(self, index: int, following: tuple[Event, ...]) -> None:
        """Check the assertions before an event; `following` are the consequences of the last action."""
        while self._left and self._left[0].after <= index:
            claim = self._left.pop(0)
            match claim.event:
                case Produced(changes):
                    self._add_production({who: holding.goods for who, holding in changes}, claim.origin)
                case Awarded(award, holder):
                    self._check_holder(award, holder, claim.origin)
                case GameOver(winner):
                    self.check_winner(winner, claim.origin)
                case Transferred(changes):
                    recorded = {who: holding.goods for who, holding in changes}
                    self._check_monopoly(recorded, following, claim.origin)
                case _:
                    raise AssertionError(f"no check for the assertion {claim.event!r}")

    def reset_production(self) -> None:
        """Begin a new production."""
        self._recorded_production.clear()

    def check_production(self) -> None:
        """Check that the recorded production is what the bank paid out."""
        if self._production_origin is None or self._detector is None:
            return
        recorded = {player: goods for player, goods in self._recorded_production.items() if goods}
        actual = self._detector.produced
        if recorded != actual:
            message = (
                f"the bank pays {_describe_gains(recorded)} here, by the rules {_describe_gains(actual)}"
            )
            self._report(message, self._production_origin)
        self._production_origin = None

    def check_winner(self, recorded: Player | None, origin: int | None) -> None:
        result = self._executor.result
        actual = Player(result.winners[0]) if result is not None and result.winners else None
        if recorded != actual:
            self._report(f"{_name(recorded)} wins here, by the rules {_name(actual)}", origin)

    def _add_production(self, recorded: dict[Player, Goods], origin: int) -> None:
        for player, goods in recorded.items():
            if player != BANK:
                self._recorded_production[player] = self._recorded_production.get(player, Goods()) + goods
        if self._production_origin is None:
            self._production_origin = origin

    def _check_holder(self, award: Award, holder: Player | None, origin: int) -> None:
        assert self._detector is not None
        actual = dict(self._detector.current.holders)[award]
        if actual != holder:
            message = f"the {award.value} goes to {_name(holder)} here, by the rules to {_name(actual)}"
            self._report(message, origin)

    def _check_monopoly(
        self, recorded: dict[Player, Goods], following: tuple[Event, ...], origin: int
    ) -> None:
        actual = next((each for each in following if isinstance(each, Transferred)), Transferred(()))
        taken = {player: holding.goods for player, holding in actual.changes}
        if recorded != taken:
            words = _describe_gains(recorded), _describe_gains(taken)
            self._report(f"the monopoly brings {words[0]} here, by the rules {words[1]}", origin)


def _name(player: Player | None) -> str:
    return "nobody" if player is None else f"player {player}"


def _describe_gains(gained: Mapping[Player, Goods]) -> str:
    parts = [f"{format_goods(goods)} to player {player}" for player, goods in sorted(gained.items())]
    return ", ".join(parts) or "nothing"


def format_goods(goods: Goods) -> str:
    """Goods as HAN writes them; goods that are given away have a minus.

    >>> format_goods(Goods(ore=2, wool=-1))
    'O2 -W'
    """
    gained, given = (Goods(*(max(0, sign * count) for count in goods.counts)) for sign in (1, -1))
    return " ".join(part for part in (format_formula(gained), given and f"-{format_formula(given)}") if part)
