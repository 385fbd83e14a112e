"""Writing: a game that was played, in any of the notations, with what follows by the rules and what is lost.

HAN and SGN know of a trade only that it came about; CGN tells the offers too, by the names that a record
gives them, else by numbers.
"""

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct, field

from ludograph import settlers
from ludograph.hexil.deals import Accept, Agree, Counter, Deal, Decline, Offer, Refuse, Withdraw
from ludograph.hexil.events import OPENING, EventWatcher
from ludograph.hexil.log import Log
from ludograph.hexil.running import Done, Running
from ludograph.notation.convert import write_normal
from ludograph.notation.han import Dialect
from ludograph.notation.json_records.transfers import trade_changes
from ludograph.notation.normal_form.record import NormalRecord
from ludograph.notation.notations import NOTATIONS, Feature, Notation
from ludograph.notation.results import Loss, LossKind, Writing

Headers = tuple[tuple[str, str], ...]


def write_log(
    running: Running, log: Log, start: settlers.Position, headers: Headers, target: Notation, dialect: Dialect
) -> Writing:
    """Write what was done since a start; `running` is where that led.

    >>> from ludograph.hexil.beginning import run_from
    >>> from ludograph.hexil.positions import Facts
    >>> from ludograph.notation import han
    >>> from ludograph.settlers import BEGINNERS_ISLAND, fresh_position
    >>> start = fresh_position(BEGINNERS_ISLAND, 2)
    >>> running = run_from(start, Facts(), None, {})
    >>> log = Log([running.carry_out(han.parse(text)) for text in ("Pv(d4n)", "Pr(d4ne)")])
    >>> write_log(running, log, start, (), Notation.HAN, "seed").text.splitlines()[-1]
    'Pv(d4n) Pr(d4ne)'
    """
    row = NOTATIONS[target]
    names_cards = row.has_known_cards(dialect)
    has_consequences = Feature.CONSEQUENCES in row.features
    told_aside = (event for _, event in log.asides if isinstance(event, settlers.Offered))
    used = frozenset(each.offer for each in (*log.offers.values(), *told_aside))
    telling = _Telling(log.offers, used, with_offers=Feature.OFFERS in row.features)
    following = _consequences(running, log.done) if has_consequences else [()] * len(log.done)
    left = log.asides.copy()
    for number, (done, consequences) in enumerate(zip(log.done, following, strict=True)):
        while left and left[0][0] <= number:
            telling.tell(left.pop(0)[1])
        if number in log.guessed and not names_cards:
            done = done._replace(action=settlers.BuyCard())  # hidden as it was
        telling.tell_done(number, done)
        if number in log.guessed and names_cards:
            telling.guess(done.action)
        if telling.events:
            telling.following[-1] += consequences
    for _, event in left:
        telling.tell(event)
    moves = NormalRecord(
        settlers.Record(tuple(telling.events), start, headers),
        tuple(range(len(telling.events))),
        tuple(telling.losses),
    )
    consequences_told = telling.following if has_consequences else None
    return write_normal(moves, target, dialect=dialect, consequences=consequences_told)


def guessed_card(card: settlers.Card, event: int | None) -> Loss:
    """What is said where a hidden card must be named."""
    message = f"which card was bought ({card.value}): as good as any that fits what happens later"
    return Loss(LossKind.INVENTED, message, event)


def _consequences(running: Running, log: Sequence[Done]) -> list[tuple[settlers.Event, ...]]:
    """What followed from each of the actions: they are taken back and carried out again."""
    twin = running.copy()
    for done in reversed(log):
        twin.take_back(done)
    watch, following = EventWatcher(twin), []
    for done in log:
        in_setup = twin.state.phase() in OPENING
        twin.carry_out(done.action)
        action = None if isinstance(done.action, Deal) else done.action
        following.append(watch.after(action, in_setup=in_setup))
    return following


class _Telling(Struct):
    """What was done, retold as events. Mutable."""

    known: Mapping[int, settlers.Offered]
    """How a record tells offers, by their places in the log."""
    used: frozenset[str]
    """The names of offers that are taken."""
    with_offers: bool
    events: list[settlers.Event] = field(default_factory=list)
    following: list[tuple[settlers.Event, ...]] = field(default_factory=list)
    losses: list[Loss] = field(default_factory=list)
    offers: int = 0
    offer: str = ""
    """The name of the offer on the table."""
    answer: str = ""
    """The name of the offer that was made in answer."""

    def tell(self, *events: settlers.Event) -> None:
        self.events += events
        self.following += [()] * len(events)

    def tell_done(self, number: int, done: Done) -> None:
        if not isinstance(done.action, Deal):
            self.tell(settlers.Act(done.action, done.player))
            return
        self._tell_deal(done.action, done.player, self.known.get(number))
        if done.trade is not None:
            name = self.answer if isinstance(done.action, Agree) else self.offer
            self._tell_trade(done.trade, done.player, name)

    def guess(self, action: settlers.Action | Deal) -> None:
        """Note that a card is named which was hidden in the record."""
        assert isinstance(action, settlers.BuyCard) and action.card is not None
        self.losses.append(guessed_card(action.card, len(self.events) - 1))

    def _tell_deal(self, deal: Deal, turn: settlers.Player, known: settlers.Offered | None) -> None:
        match deal:
            case Offer(give, take, players):
                told = known or _offered(turn, give, take, players, self._new_name())
                self.offer = told.offer
                self.tell(told)
            case Counter(player, give, take):
                told = known or _offered(player, give, take, (turn,), self._new_name())
                self.answer = told.offer
                self.tell(told)
            case Accept(player):
                self.tell(settlers.Accepted(player, self.offer))
            case Agree():
                self.tell(settlers.Accepted(turn, self.answer))
            case Withdraw():
                self.tell(settlers.Withdrawn(turn, self.offer))
            case Refuse(player):
                self._lose(f"that player {player} refuses an offer")
            case Decline():
                self._lose("that an offer in answer is declined")

    def _tell_trade(self, trade: settlers.Trade, turn: settlers.Player, name: str) -> None:
        if self.with_offers:
            self.tell(settlers.Transferred(trade_changes(trade.give, trade.take, turn, trade.partner), name))
        else:
            self.tell(settlers.Act(trade, turn))

    def _new_name(self) -> str:
        self.offers += 1
        while str(self.offers) in self.used:
            self.offers += 1
        return str(self.offers)

    def _lose(self, message: str) -> None:
        self.losses.append(Loss(LossKind.LOST, message))


def _offered(
    player: settlers.Player,
    give: settlers.Goods,
    take: settlers.Goods,
    asked: Iterable[settlers.Player],
    name: str,
) -> settlers.Offered:
    answers = tuple((each, settlers.Holding(give - take)) for each in asked)
    return settlers.Offered(player, settlers.Holding(take - give), answers, name, open=len(answers) > 1)
