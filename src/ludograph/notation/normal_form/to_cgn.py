"""From the normal form to CGN.

Phases, rounds and turns are added around the actions. Consequences that require the rules (production,
awards, the cards taken by a monopoly) are reported as missing unless the caller provides them.
"""

from collections import Counter
from collections.abc import Sequence

from ludograph import settlers
from ludograph.notation.json_records.transfers import MAX_PLENTY, exchange, trade_changes
from ludograph.notation.normal_form.player_numbers import (
    ORDER_HEADER,
    Renumbering,
    recorded_numbers,
    renumber_event,
)
from ludograph.notation.normal_form.record import NormalRecord, RecordBuilder
from ludograph.notation.normal_form.turn_order import TurnOrder
from ludograph.notation.results import Inexpressible, LossKind
from ludograph.settlers.goods import BANK, Card, Player

Consequences = Sequence[tuple[settlers.Event, ...]]
"""The events that follow from each event of a record by the rules."""

MAX_PLAYERS = 4
# The least number of pieces for an award.
KNIGHTS_OF_AN_ARMY = 3
ROADS_OF_A_LONGEST_ROAD = 5


def to_cgn(normal: NormalRecord, consequences: Consequences | None = None) -> NormalRecord:
    """The events of a CGN record, in three phases.

    The consequences of each event (production, awards, the cards taken by a monopoly, the end of the
    game) come from a caller that has the rules. Without them they are reported as missing.
    """
    builder = RecordBuilder(losses=list(normal.losses))
    turn = TurnOrder.at_start(normal.record)
    if turn.players is not None and turn.players > len(_WINNERS):
        builder.lose(LossKind.LOST, f"everything: CGN has 2 to {len(_WINNERS)} players, not {turn.players}")
        return builder.build(None)
    numbers = recorded_numbers(normal.record.headers, turn.players)
    if any(number > MAX_PLAYERS for number in numbers.values()):
        numbers = {}
    _add_setup(builder, normal.record.start, turn.players, numbers)
    winner, headers = _take_result(normal)
    frame = _Frame(builder, turn)
    known = consequences if consequences is not None else [None] * len(normal.record.events)
    for event, origin, following in zip(normal.record.events, normal.origins, known, strict=True):
        if isinstance(event, settlers.Act):
            frame.open_for(event)
            _add_act(builder, event, origin, following)
            over = [each for each in following or () if isinstance(each, settlers.GameOver)]
            builder.add(origin, *(each for each in following or () if each not in over))
            frame.close_after(event)
            winner = over[0].winner if over else winner
        else:
            builder.add(origin, event)
    if winner is not None:
        builder.add(None, settlers.GameOver(winner))
    if consequences is None:
        _report_missing(builder, normal.record.events)
    if numbers:
        builder.events = [renumber_event(event, numbers) for event in builder.events]
        headers = tuple(pair for pair in headers if pair[0] != ORDER_HEADER)
    return builder.build(None, headers)


def _add_act(
    builder: RecordBuilder,
    act: settlers.Act,
    origin: int | None,
    following: tuple[settlers.Event, ...] | None,
) -> None:
    match act:
        case settlers.Act(settlers.UseKnight(), player):
            builder.add(origin, settlers.CardPlayed(Card.KNIGHT, player))
        case settlers.Act(settlers.UseRoads(), player):
            builder.add(origin, settlers.CardPlayed(Card.ROADS, player))
        case settlers.Act(settlers.UsePlenty(goods), player) if (
            player is not None and 1 <= goods.total <= MAX_PLENTY
        ):
            builder.add(origin, settlers.CardPlayed(Card.PLENTY, player))
            builder.add(origin, settlers.Transferred(exchange(player, settlers.Holding(goods), BANK)))
        case settlers.Act(settlers.UseMonopoly(resource), player):
            builder.add(origin, settlers.CardPlayed(Card.MONOPOLY, player))
            if following is None:
                message = f"the {resource.value} cards that the monopoly took, and with them its resource"
                builder.lose(LossKind.MISSING, message, origin)
            elif not any(isinstance(each, settlers.Transferred) for each in following):
                message = f"the resource of a monopoly that took nothing ({resource.value})"
                builder.lose(LossKind.LOST, message, origin)
        case settlers.Act(settlers.Trade(give, take, partner), player) if player is not None:
            try:
                builder.add(origin, settlers.Transferred(trade_changes(give, take, player, partner)))
            except Inexpressible as reason:
                builder.lose(reason.kind, reason.message, origin)
        case settlers.Act(settlers.Roll() as roll, _) if roll.total == 7:
            builder.add(origin, act, settlers.RobberRoused())
        case _:
            builder.add(origin, act)


def _report_missing(builder: RecordBuilder, events: tuple[settlers.Event, ...]) -> None:
    acts = [event for event in events if isinstance(event, settlers.Act)]
    rolls = sum(isinstance(act.action, settlers.Roll) and act.action.total != 7 for act in acts)
    if rolls:
        times = "a roll" if rolls == 1 else f"{rolls} rolls"
        builder.lose(LossKind.MISSING, f"the production after {times} (RP): it requires the rules")
    knights = Counter(act.player for act in acts if isinstance(act.action, settlers.UseKnight))
    roads = Counter(act.player for act in acts if isinstance(act.action, settlers.PlaceRoad))
    if max(knights.values(), default=0) >= KNIGHTS_OF_AN_ARMY:
        builder.lose(LossKind.MISSING, "the holder of the largest army (LA): it requires the rules")
    if max(roads.values(), default=0) >= ROADS_OF_A_LONGEST_ROAD:
        builder.lose(LossKind.MISSING, "the holder of the longest road (LR): it requires the rules")


def _add_setup(
    builder: RecordBuilder, start: settlers.Position | None, players: int | None, numbers: Renumbering
) -> None:
    """Add the players and the map; the players who join have the numbers of the record."""
    if players is None:
        return
    builder.add(None, settlers.PhaseStarts(settlers.Phase.SETUP))
    joining = sorted(numbers.values()) or [Player(number) for number in range(1, players + 1)]
    builder.add(None, *(settlers.PlayerJoins(player) for player in joining))
    if numbers:
        builder.add(None, settlers.OrderSet(tuple(numbers.values())))
    if start is not None:
        builder.add(None, settlers.MapDefined(start.island))
        if start != settlers.fresh_position(start.island, start.players):
            message = "pieces, hands and turn of the start position: CGN starts with an empty island"
            builder.lose(LossKind.LOST, message)
    builder.add(None, settlers.PhaseEnds(settlers.Phase.SETUP))


def _take_result(normal: NormalRecord) -> tuple[Player | None, tuple[tuple[str, str], ...]]:
    """The winner that a Result header names, and the other headers."""
    results = [value for key, value in normal.record.headers if key == "Result" and value in _WINNERS]
    kept = ("Result", results[-1]) if results else None
    others = tuple(header for header in normal.record.headers if header != kept)
    return _WINNERS[results[-1]] if results else None, others


_WINNERS = {str(number): Player(number) for number in range(1, 5)}


class _Frame:
    """The phases, rounds and turns around the actions. Mutable."""

    def __init__(self, builder: RecordBuilder, turn: TurnOrder) -> None:
        self.builder = builder
        self.turn = turn
        self.phase: settlers.Phase | None = None
        self.started_turn = 0

    def open_for(self, act: settlers.Act) -> None:
        """Start the phase, round and turn that an action belongs to."""
        players = self.turn.players
        if not players:
            return
        phase = settlers.Phase.DEPLOYMENT if self.turn.is_setup(act) else settlers.Phase.PLAY
        if phase is not self.phase:
            if self.phase is settlers.Phase.DEPLOYMENT and self.turn.in_setup:
                self.builder.add(None, settlers.PhaseEnds(settlers.Phase.DEPLOYMENT))
            self.phase = phase
            self.builder.add(None, settlers.PhaseStarts(phase))
            if phase is settlers.Phase.DEPLOYMENT:
                self.builder.add(None, _first_pieces(players))
        if phase is settlers.Phase.PLAY and self.started_turn != self.turn.turn:
            self.started_turn = self.turn.turn
            if (self.turn.turn - 1) % players == 0:
                self.builder.add(None, settlers.RoundStarts((self.turn.turn - 1) // players + 1))
            player = None if isinstance(act.action, settlers.Discard) else act.player
            self.builder.add(None, settlers.TurnStarts(player or Player((self.turn.turn - 1) % players + 1)))

    def close_after(self, act: settlers.Act) -> None:
        """Advance the turn order, and end the round or the set-up that an action ends."""
        players = self.turn.players
        if players and isinstance(act.action, settlers.EndTurn) and self.turn.turn % players == 0:
            self.builder.add(None, settlers.RoundEnds(self.turn.turn // players))
        self.turn.advance(act)
        if self.phase is settlers.Phase.DEPLOYMENT and not self.turn.in_setup:
            self.builder.add(None, settlers.PhaseEnds(settlers.Phase.DEPLOYMENT))


def _first_pieces(players: int) -> settlers.Transferred:
    """A transfer of two villages and two roads to each player from the bank."""
    gains = tuple((Player(number), settlers.Holding(villages=2, roads=2)) for number in range(1, players + 1))
    return settlers.Transferred((*gains, (BANK, settlers.Holding(villages=-2 * players, roads=-2 * players))))
