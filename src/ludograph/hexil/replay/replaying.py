"""Replaying: play the moves of a record by the rules, and report faults.

HAN records every action and leaves the players to the rules. SGN and CGN record who acts. SGN leaves out
purchases and the ends of turns, which the rules add. The assertions of a record (production, awards and the
winner in CGN) are checked against the rules. A strict replay ends at the first fault; a lenient one skips the
action and continues.
"""

import re
from collections.abc import Mapping
from typing import Unpack

from msgspec import Struct
from msgspec.structs import replace

from ludograph import settlers
from ludograph.games import Refusal, expect_uses
from ludograph.hexil.deals import Accept, Agree, Deal, Decline, Offer
from ludograph.hexil.errors import format_action
from ludograph.hexil.events import SETUP_PHASES, EventDetector
from ludograph.hexil.execution import ActionExecutor, ActionRefused, UnknownValue
from ludograph.hexil.log import Log
from ludograph.hexil.options import MAX_POINTS, USUAL_POINTS, Options, options_from_headers
from ludograph.hexil.positions import Unplayable, count_deck, facts_from_headers
from ludograph.hexil.replay.assertions import RecordAssertions
from ludograph.hexil.replay.faults import FaultKind, RecordFault
from ludograph.hexil.replay.hidden import find_hidden
from ludograph.hexil.replay.negotiation import Negotiation, TradeEvent
from ludograph.hexil.starting import start_from
from ludograph.notation.normal_form.player_numbers import recorded_numbers, renumber_action
from ludograph.notation.normal_form.record import NormalRecord
from ludograph.notation.notations import NOTATIONS, Content, Feature, Notation
from ludograph.notation.results import Loss, LossKind
from ludograph.settlers.actions import PLACED_PIECE


class PlayedRecord(Struct, frozen=True):
    """A record that was played."""

    executor: ActionExecutor
    log: Log
    moves: NormalRecord
    """The moves as the rules see them: complete, and without illegal ones."""
    consequences: tuple[tuple[settlers.Event, ...], ...]
    """The events that follow from each of the moves, if wanted."""
    cards: Mapping[int, settlers.Card]
    """The inferred hidden cards, by the index of their move."""
    faults: tuple[RecordFault, ...]
    number: int
    """The number of checked actions of the record."""
    total: int
    """The number of actions of the record."""


def replay(
    moves: NormalRecord,
    notation: Notation,
    options: Options,
    *,
    seed: int | None = None,
    lenient: bool = False,
    last: int | None = None,
    consequences: bool = False,
    engine: str | None = None,
) -> PlayedRecord:
    """Play a record, up to action number `last`; Unplayable if it cannot start.

    A seed decides what the record leaves to chance. The engine is that of `Match.new`.

    >>> from ludograph.notation.convert import normalise
    >>> from ludograph.notation.located import parse_located
    >>> text = "2/W2O3B10S8DL5O6B3S4W10O11W9B12S6L4B5S9L11W8/WTOTTLBST Pv(d4n) Pr(d4ne) Pv(c5n)"
    >>> moves = normalise(parse_located(text, "han").record, Notation.HAN)
    >>> played = replay(moves, Notation.HAN, {}, last=2)
    >>> played.executor.turn, played.number, played.total
    (2, 2, 3)
    """
    start, headers = moves.record.start, dict(moves.record.headers)
    if start is None:
        raise Unplayable("the record has no start position")
    facts = facts_from_headers(headers)
    every: Options = {**options_from_headers(headers), **options}
    winner = _find_recorded_winner(moves)
    hidden = find_hidden(moves.record.events, start, count_deck(start, facts))

    def begun(watch: bool = True, **others: Unpack[Options]) -> _Replayer:
        executor = start_from(start, facts, seed, {**every, **others}, engine)
        expect_uses(executor.state, len(moves.record.events) if last is None else last)
        return _Replayer(moves, notation, executor, watch=watch)

    cards: Mapping[int, settlers.Card] = hidden.known
    if any(hidden.open.values()):
        # Usually it does not matter which cards these were, and the first try succeeds.
        cards, trial = hidden.assign(winner), begun()
        trial.play(cards, lenient=False)
        is_played = not trial.faults
        if is_played:
            trial.end_turns_for(winner)
            trial.check_result(winner)
        if not trial.faults and last is None:
            return trial.finish()
        if not is_played:
            trial = begun(points=MAX_POINTS)
            trial.play(cards, lenient=True)
        if trial.faults or not is_played:
            cards = hidden.assign_for_winner(trial.point_history, every.get("points", USUAL_POINTS), winner)
    player = begun(watch=consequences or bool(moves.assertions))
    player.play(cards, lenient=lenient, last=last)
    if last is None and (lenient or not player.faults):
        player.end_turns_for(winner)
        player.check_result(winner)
    return player.finish()


def _find_recorded_winner(moves: NormalRecord) -> settlers.Player | None:
    """The winner according to the record."""
    assert moves.record.start is not None
    seats = {str(number): settlers.Player(number) for number in range(1, moves.record.start.players + 1)}
    recorded = [seats[value] for key, value in moves.record.headers if key == "Result" and value in seats]
    return recorded[-1] if recorded else None


class _Replayer:
    """Plays the moves of a record one after another. Mutable."""

    def __init__(
        self, moves: NormalRecord, notation: Notation, executor: ActionExecutor, *, watch: bool = True
    ) -> None:
        self.moves = moves
        self.executor = executor
        self.faults: list[RecordFault] = []
        self.point_history: dict[settlers.Player, list[tuple[int, int]]] = {}
        """The visible points during each player's own turns, with the index of the event."""
        row = NOTATIONS[notation]
        self._names_players = Feature.PLAYER_OF_ACTION in row.features
        self._numbers = (
            recorded_numbers(moves.record.headers, executor.players) if self._names_players else {}
        )
        self._implies_purchases = row.content is Content.GAME and Feature.PURCHASES not in row.features
        self._detector = EventDetector(executor) if watch else None
        self._negotiation = Negotiation(executor)
        self._agreed: tuple[Accept | Agree, TradeEvent, int | None] | None = None
        """An accepted offer, until the record has its trade."""
        self._log = Log()
        self._events: list[settlers.Event] = []
        self._origins: list[int | None] = []
        self._following: list[tuple[settlers.Event, ...]] = []
        self._losses: list[Loss] = []
        self._cards: dict[int, settlers.Card] = {}
        self._number = 0
        self._last_origin: int | None = None
        self._assertions = RecordAssertions(moves.assertions, executor, self._detector, self._contradict)

    def play(self, cards: Mapping[int, settlers.Card], *, lenient: bool, last: int | None = None) -> None:
        events = zip(self.moves.record.events, self.moves.origins, strict=True)
        for index, (event, origin) in enumerate(events):
            self._assertions.check_before(index, self._following[-1] if self._following else ())
            if _begins_action(event, origin, self._last_origin):
                if self._number == last:
                    return
                self._number += 1
                self._last_origin = origin
            if self.faults and not lenient:
                return
            self._play(index, event, origin, cards)
            if self.faults and not lenient:
                return
        self._drop_agreement()
        end = len(self.moves.record.events)
        self._assertions.check_before(end, self._following[-1] if self._following else ())
        self._assertions.check_production()

    def finish(self) -> PlayedRecord:
        record, result = self.moves.record, self.executor.result
        headers = tuple(
            pair for pair in record.headers if pair[0] != "Result" or not self._contradicts_result(pair[1])
        )
        if result is not None and result.winners and not any(key == "Result" for key, _ in headers):
            headers = (*headers, ("Result", str(result.winners[0])))
        recorded = settlers.Record(tuple(self._events), record.start, headers)
        moves = NormalRecord(recorded, tuple(self._origins), (*self.moves.losses, *self._losses))
        return PlayedRecord(
            self.executor,
            self._log,
            moves,
            tuple(self._following),
            self._cards,
            tuple(self.faults),
            self._number,
            _count_actions(self.moves),
        )

    # Playing

    def _play(
        self, index: int, event: settlers.Event, origin: int | None, cards: Mapping[int, settlers.Card]
    ) -> None:
        match event:
            case settlers.Act(settlers.Buy(), _) if self._implies_purchases:
                pass  # the rules add it where it is needed
            case settlers.Act(settlers.EndTurn() as action, _) if origin is None and self._names_players:
                # The record does not have this event. If the turn cannot end, the next action reports the
                # fault.
                self._try_action(event, action, origin)
            case settlers.Act(settlers.BuyCard(None), player) if index in cards:
                before = len(self.faults)
                self._act(event, origin, settlers.BuyCard(cards[index]), player)
                if len(self.faults) == before:
                    self._cards[len(self._events) - 1] = cards[index]
                    self._log.guessed_cards.add(len(self._log.entries) - 1)
            case settlers.Act(action, player):
                self._act(event, origin, action, player)
            case settlers.CardPlayed(settlers.Card.MONOPOLY, player):
                self._play_empty_monopoly(origin, player)
            case settlers.CardPlayed(settlers.Card.PLENTY):
                message = "the record does not say which cards the year of plenty takes"
                self._add_fault(FaultKind.UNKNOWN, message, origin)
            case settlers.CardPlayed(settlers.Card.POINT) if self.executor.state.is_over:
                pass  # the rules reveal the same cards
            case settlers.Transferred(changes, _) if all(
                holding == settlers.Holding(holding.goods) for _, holding in changes
            ):
                self._add_fault(FaultKind.CONTRADICTION, "no rule transfers these cards", origin)
            case settlers.Offered() | settlers.Accepted() | settlers.Withdrawn():
                self._play_trade_event(event, origin)
            case _:
                self._add_side_event(event, origin)
        if self._detector is not None:
            turn = self.executor.turn
            self.point_history.setdefault(turn, []).append((index, self._detector.current.points[turn - 1]))

    def _act(
        self, event: settlers.Act, origin: int | None, action: settlers.Action, player: settlers.Player | None
    ) -> None:
        if self._names_players and player is not None and not isinstance(action, settlers.Discard):
            if not self._pass_turn_to(player, action, origin):
                return
        if self._implies_purchases and (piece := self._find_unpaid_piece(action)) is not None:
            if not self._execute(settlers.Act(settlers.Buy(piece), player), settlers.Buy(piece), origin):
                return
        self._execute(event, action, origin)

    def _pass_turn_to(self, player: settlers.Player, action: settlers.Action, origin: int | None) -> bool:
        """End the current turn if another player acts; false if that is not legal."""
        turn = self.executor.turn
        # In the special building phase nobody rolls or plays a card: the player's own turn has begun.
        starts_turn = isinstance(action, _STARTS_TURN) and self.executor.in_special_phase
        if (player == turn and not starts_turn) or self.executor.state.is_over:
            return True
        refusal: Refusal | None = None
        is_last = self.executor.state.phase() in SETUP_PHASES
        while not is_last:
            refusal = self._try_action(settlers.Act(settlers.EndTurn(), turn), settlers.EndTurn(), None)
            turn, is_new = self.executor.turn, self.executor.state.phase() == "roll"
            if refusal is None and player == turn and (is_new or not starts_turn):
                return True
            # With five and six players others act before the turn is over; a record may leave them out.
            is_last = refusal is not None or is_new
        why = f", who cannot end it: {refusal}" if refusal is not None else ""
        turn = self.executor.turn
        message = f"{self._format_action(action)} by player {player} in the turn of player {turn}{why}"
        self._add_fault(
            FaultKind.ILLEGAL, message, origin, action, refusal or Refusal("it is another player's turn")
        )
        return False

    def end_turns_for(self, winner: settlers.Player | None) -> None:
        """End the last turns of a record that implies turn ends, if the recorded winner wins by that."""
        if not self._implies_purchases or winner is None or self.executor.state.is_over:
            return
        trial, ends = self.executor.copy(), 0
        while not trial.state.is_over:
            try:
                trial.execute(settlers.EndTurn())
            except (ActionRefused, UnknownValue):
                return
            ends += 1
        if trial.result is not None and winner in trial.result.winners:
            for _ in range(ends):
                self._try_action(
                    settlers.Act(settlers.EndTurn(), self.executor.turn), settlers.EndTurn(), None
                )

    def _find_unpaid_piece(self, action: settlers.Action) -> settlers.Piece | None:
        """The piece that an action places without a purchase before it."""
        piece, phase = PLACED_PIECE.get(type(action)), self.executor.state.phase()
        is_paid = phase in _PLACING or (phase == "paving" and piece is settlers.Piece.ROAD)
        return None if is_paid else piece

    def _play_empty_monopoly(self, origin: int | None, player: settlers.Player | None) -> None:
        """Play a monopoly that took nothing, with any kind of card that no other player holds."""
        executor, seats = self.executor, range(1, self.executor.players + 1)
        hands = [executor.seat(number, "hand")["hand"] for number in seats if number != executor.turn]
        for place, kind in enumerate(settlers.Resource):
            if not any(hand[place] for hand in hands):
                act = settlers.Act(settlers.UseMonopoly(kind), player)
                message = f"{kind.value}, for a monopoly that took nothing"
                self._losses.append(Loss(LossKind.INVENTED, message, origin))
                self._act(act, origin, act.action, player)
                return
        self._add_fault(FaultKind.UNKNOWN, "the record does not say what the monopoly took", origin)

    def _execute(self, event: settlers.Act, action: settlers.Action, origin: int | None) -> bool:
        refusal = self._try_action(event, action, origin)
        if refusal is not None:
            message = f"{self._format_action(action)} is not legal here: {refusal}"
            self._add_fault(FaultKind.ILLEGAL, message, origin, event.action, refusal)
        return refusal is None

    def _try_action(self, event: settlers.Act, action: settlers.Action, origin: int | None) -> Refusal | None:
        """Execute an action, or return the reason why it is not legal."""
        if self._agreed is not None and action == self.executor.find_trade(self._agreed[0]):
            return self._complete_trade(event, origin)
        self._drop_agreement()
        self._end_negotiation(action)
        in_setup = self.executor.state.phase() in SETUP_PHASES
        player = self.executor.turn
        try:
            done = self.executor.execute(action)
        except ActionRefused as error:
            return error.refusal
        except UnknownValue as error:
            message = f"{format_action(action)} cannot be replayed: {error}"
            self._add_fault(FaultKind.UNKNOWN, message, origin, action)
            return None
        self._assertions.check_production()
        if isinstance(action, settlers.Roll):
            self._assertions.reset_production()
        self._log.entries.append(done)
        following = (
            self._detector.find_events(action, in_setup=in_setup) if self._detector is not None else ()
        )
        # A notation that does not name the players derives them from turn ends that may have been refused.
        is_named = event.player is not None and (self._names_players or isinstance(action, settlers.Discard))
        self._add_event(event if is_named else replace(event, player=player), origin, following)
        return None

    def _add_event(
        self, event: settlers.Event, origin: int | None, following: tuple[settlers.Event, ...] = ()
    ) -> None:
        self._events.append(event)
        self._origins.append(origin)
        self._following.append(following)

    def _add_side_event(self, event: settlers.Event, origin: int | None) -> None:
        self._log.side_events.append((len(self._log.entries), event))
        self._add_event(event, origin)

    def _add_fault(
        self,
        kind: FaultKind,
        message: str,
        origin: int | None,
        action: settlers.Action | Deal | None = None,
        refusal: Refusal | None = None,
    ) -> None:
        self.faults.append(
            RecordFault(kind, self._with_recorded_numbers(message), self._number, origin, action, refusal)
        )

    def _with_recorded_numbers(self, message: str) -> str:
        """A message with the numbers that the record gives to the players."""
        if not self._numbers:
            return message
        return _PLAYER.sub(lambda found: f"player {self._number_of(found[1])}", message)

    def _number_of(self, player: str) -> int:
        return self._numbers.get(settlers.Player(int(player)), int(player))

    def _format_action(self, action: settlers.Action) -> str:
        """The text of an action, with the numbers that the record gives to the players."""
        return format_action(renumber_action(action, self._numbers))

    # Negotiation of trades

    def _play_trade_event(self, event: TradeEvent, origin: int | None) -> None:
        deal = self._negotiation.find_deal(event)
        if deal is None:
            self._add_side_event(event, origin)
            return
        if self.executor.state.phase() == "consider" and not isinstance(deal, Agree | Decline):
            self._execute_deal(Decline())
        if isinstance(deal, Accept | Agree):
            self._agreed = deal, event, origin
            return
        refusal = self._execute_deal(deal)
        if refusal is None:
            self._add_event(event, origin)
            if isinstance(event, settlers.Offered):
                self._log.offers[len(self._log.entries) - 1] = event
        elif isinstance(deal, Offer):
            message = f"{format_action(deal)} is not legal here: {refusal}"
            self._add_fault(FaultKind.ILLEGAL, message, origin, deal, refusal)
        else:
            self._add_side_event(event, origin)

    def _complete_trade(self, event: settlers.Act, origin: int | None) -> Refusal | None:
        """Complete an agreed trade when the record has it."""
        assert self._agreed is not None
        deal, acceptance, acceptance_origin = self._agreed
        self._agreed = None
        refusal = self._execute_deal(deal)
        if refusal is None:
            self._add_event(acceptance, acceptance_origin)
            self._add_event(event, origin)
        return refusal

    def _drop_agreement(self) -> None:
        """The record does not have the agreed trade, at least not yet, so the agreement changed nothing."""
        if self._agreed is not None:
            _, event, origin = self._agreed
            self._agreed = None
            self._add_side_event(event, origin)

    def _end_negotiation(self, action: settlers.Action) -> None:
        """Refuse for all players who have not answered; the end of a turn refuses by itself."""
        if not isinstance(action, settlers.EndTurn) or self.executor.state.phase() == "consider":
            for refusal in self._negotiation.list_refusals():
                self._execute_deal(refusal)

    def _execute_deal(self, deal: Deal) -> Refusal | None:
        """Execute a deal, or return the reason why it is not legal."""
        try:
            self._log.entries.append(self.executor.execute(deal))
        except ActionRefused as error:
            return error.refusal
        if self._detector is not None:
            self._detector.find_events(None, in_setup=False)
        return None

    # Assertions of the record

    def check_result(self, recorded: settlers.Player | None) -> None:
        """Compare the winner in the headers with the rules."""
        if recorded is not None and not any(
            isinstance(claim.event, settlers.GameOver) for claim in self.moves.assertions
        ):
            self._assertions.check_winner(recorded, None)

    def _contradicts_result(self, recorded: str) -> bool:
        """Whether the header Result names a winner, and the rules have refused it."""
        result = self.executor.result
        winners = result.winners if result is not None else ()
        seats = {str(number) for number in range(1, self.executor.players + 1)}
        return bool(self.faults) and recorded in seats - {str(winner) for winner in winners[:1]}

    def _contradict(self, message: str, origin: int | None) -> None:
        self._add_fault(FaultKind.CONTRADICTION, message, origin)


def _count_actions(moves: NormalRecord) -> int:
    """The number of actions in a record; actions that the parser adds belong to the next one."""
    count, last = 0, None
    for event, origin in zip(moves.record.events, moves.origins, strict=True):
        if _begins_action(event, origin, last):
            count, last = count + 1, origin
    return count


def _begins_action(event: settlers.Event, origin: int | None, last: int | None) -> bool:
    return isinstance(event, settlers.Act | settlers.CardPlayed) and origin is not None and origin != last


_PLAYER = re.compile(r"\bplayer ([1-6])\b")
_PLACING = (*SETUP_PHASES, "put_village", "put_city", "put_road")
_STARTS_TURN = (
    settlers.Roll,
    settlers.UseKnight,
    settlers.UseRoads,
    settlers.UseMonopoly,
    settlers.UsePlenty,
)
