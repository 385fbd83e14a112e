"""Writing: a played match in any notation, with the events that follow from the rules, and the losses.

HAN and SGN record only completed trades. CGN records the offers too, by the names that a record gives them,
or by numbers.
"""

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct, field

from ludograph import settlers
from ludograph.hexil.deals import Accept, Agree, Counter, Deal, Decline, Offer, Refuse, Withdraw
from ludograph.hexil.events import SETUP_PHASES, EventDetector
from ludograph.hexil.execution import ActionExecutor, ExecutedAction
from ludograph.hexil.log import Log
from ludograph.notation.convert import write_normal
from ludograph.notation.han import Dialect
from ludograph.notation.json_records.transfers import trade_changes
from ludograph.notation.normal_form.record import NormalRecord
from ludograph.notation.normal_form.sgn import LOST_TURN_END
from ludograph.notation.notations import NOTATIONS, Feature, Notation
from ludograph.notation.results import Loss, LossKind, Writing

Headers = tuple[tuple[str, str], ...]


def write_log(
    executor: ActionExecutor,
    log: Log,
    start: settlers.Position,
    headers: Headers,
    target: Notation,
    dialect: Dialect,
) -> Writing:
    """Write the log of a match from its start; `running` is in the final state.

    >>> from ludograph.hexil.starting import start_from
    >>> from ludograph.hexil.positions import Facts
    >>> from ludograph.notation import han
    >>> from ludograph.settlers import BEGINNERS_ISLAND, fresh_position
    >>> start = fresh_position(BEGINNERS_ISLAND, 2)
    >>> executor = start_from(start, Facts(), None, {})
    >>> log = Log([executor.execute(han.parse(text)) for text in ("Pv(d4n)", "Pr(d4ne)")])
    >>> write_log(executor, log, start, (), Notation.HAN, "seed").text.splitlines()[-1]
    'Pv(d4n) Pr(d4ne)'
    """
    row = NOTATIONS[target]
    names_cards = row.has_known_cards(dialect)
    has_consequences = Feature.CONSEQUENCES in row.features
    side_offers = (event for _, event in log.side_events if isinstance(event, settlers.Offered))
    used = frozenset(each.offer for each in (*log.offers.values(), *side_offers))
    writer = _EventWriter(log.offers, used, with_offers=Feature.OFFERS in row.features)
    following = _find_consequences(executor, log.entries) if has_consequences else [()] * len(log.entries)
    left = log.side_events.copy()
    for number, (done, consequences) in enumerate(zip(log.entries, following, strict=True)):
        while left and left[0][0] <= number:
            writer.add(left.pop(0)[1])
        if number in log.guessed_cards and not names_cards:
            done = done._replace(action=settlers.BuyCard())  # hidden as in the record
        writer.add_action(number, done)
        if number in log.guessed_cards and names_cards:
            writer.report_guess(done.action)
        if writer.events:
            writer.following[-1] += consequences
    for _, event in left:
        writer.add(event)
    moves = NormalRecord(
        settlers.Record(tuple(writer.events), start, headers),
        tuple(range(len(writer.events))),
        tuple(writer.losses),
    )
    consequences_written = writer.following if has_consequences else None
    writing = write_normal(moves, target, dialect=dialect, consequences=consequences_written)
    return leave_out_restored(writing, moves)


def leave_out_restored(writing: Writing, moves: NormalRecord) -> Writing:
    """The text with its losses, without the turn ends that come back when the rules read the text.

    With five and six players others act before a turn is over. If they do nothing, SGN does not show the ends
    of their parts; a later action shows them to the rules.
    """
    record = moves.record
    if record.start is None or record.start.players <= 4:
        return writing
    shown = [
        origin
        for event, origin in zip(record.events, moves.origins, strict=True)
        if origin is not None
        and isinstance(event, settlers.Act)
        and not isinstance(event.action, settlers.Buy | settlers.EndTurn)
    ]
    last = max(shown, default=-1)
    losses = tuple(
        loss
        for loss in writing.losses
        if loss.message != LOST_TURN_END or loss.event is None or loss.event > last
    )
    return Writing(writing.text, losses)


def report_guessed_card(card: settlers.Card, event: int | None) -> Loss:
    """The loss that reports the name of a hidden card."""
    message = f"which card was bought ({card.value}): other cards would fit the later events too"
    return Loss(LossKind.INVENTED, message, event)


def _find_consequences(
    executor: ActionExecutor, log: Sequence[ExecutedAction]
) -> list[tuple[settlers.Event, ...]]:
    """The events that follow from each of the actions: the actions are undone and executed again."""
    replayed = executor.copy()
    for done in reversed(log):
        replayed.undo(done)
    detector, following = EventDetector(replayed), []
    for done in log:
        in_setup = replayed.state.phase() in SETUP_PHASES
        replayed.execute(done.action)
        action = None if isinstance(done.action, Deal) else done.action
        following.append(detector.find_events(action, in_setup=in_setup))
    return following


class _EventWriter(Struct):
    """Collects the events of a record. Mutable."""

    known: Mapping[int, settlers.Offered]
    """How the record writes offers, by their index in the log."""
    used: frozenset[str]
    """The names of offers that are in use."""
    with_offers: bool
    events: list[settlers.Event] = field(default_factory=list)
    following: list[tuple[settlers.Event, ...]] = field(default_factory=list)
    losses: list[Loss] = field(default_factory=list)
    offers: int = 0
    offer: str = ""
    """The name of the open offer."""
    answer: str = ""
    """The name of the counter-offer."""

    def add(self, *events: settlers.Event) -> None:
        self.events += events
        self.following += [()] * len(events)

    def add_action(self, number: int, done: ExecutedAction) -> None:
        if not isinstance(done.action, Deal):
            self.add(settlers.Act(done.action, done.player))
            return
        self._add_deal(done.action, done.player, self.known.get(number))
        if done.trade is not None:
            name = self.answer if isinstance(done.action, Agree) else self.offer
            self._add_trade(done.trade, done.player, name)

    def report_guess(self, action: settlers.Action | Deal) -> None:
        """Report that a card is named which the record hides."""
        assert isinstance(action, settlers.BuyCard) and action.card is not None
        self.losses.append(report_guessed_card(action.card, len(self.events) - 1))

    def _add_deal(self, deal: Deal, turn: settlers.Player, known: settlers.Offered | None) -> None:
        match deal:
            case Offer(give, take, players):
                offer = known or _make_offer(turn, give, take, players, self._new_name())
                self.offer = offer.offer
                self.add(offer)
            case Counter(player, give, take):
                offer = known or _make_offer(player, give, take, (turn,), self._new_name())
                self.answer = offer.offer
                self.add(offer)
            case Accept(player):
                self.add(settlers.Accepted(player, self.offer))
            case Agree():
                self.add(settlers.Accepted(turn, self.answer))
            case Withdraw():
                self.add(settlers.Withdrawn(turn, self.offer))
            case Refuse(player):
                self._add_loss(f"that player {player} refuses an offer")
            case Decline():
                self._add_loss("that a counter-offer is declined")

    def _add_trade(self, trade: settlers.Trade, turn: settlers.Player, name: str) -> None:
        if self.with_offers:
            self.add(settlers.Transferred(trade_changes(trade.give, trade.take, turn, trade.partner), name))
        else:
            self.add(settlers.Act(trade, turn))

    def _new_name(self) -> str:
        self.offers += 1
        while str(self.offers) in self.used:
            self.offers += 1
        return str(self.offers)

    def _add_loss(self, message: str) -> None:
        self.losses.append(Loss(LossKind.LOST, message))


def _make_offer(
    player: settlers.Player,
    give: settlers.Goods,
    take: settlers.Goods,
    asked: Iterable[settlers.Player],
    name: str,
) -> settlers.Offered:
    answers = tuple((each, settlers.Holding(give - take)) for each in asked)
    return settlers.Offered(player, settlers.Holding(take - give), answers, name, open=len(answers) > 1)
