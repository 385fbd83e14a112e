"""Replaying: the moves that a record tells in, played by the rules; what they cannot be is a fault.

HAN says every action and leaves the players to the rules. SGN and CGN say who acts; SGN leaves out
purchases and turn ends, which the rules put in. What a record claims besides (CGN's production, awards,
winner) is held against the rules too. A strict replay ends at the first fault; a lenient one leaves the
action out and goes on.
"""

from collections.abc import Mapping
from typing import Unpack

from msgspec import Struct
from msgspec.structs import replace

from ludograph import settlers
from ludograph.games import Refusal, expect_uses
from ludograph.hexil.assertions import Claims
from ludograph.hexil.beginning import run_from
from ludograph.hexil.deals import Accept, Agree, Deal, Decline, Offer
from ludograph.hexil.errors import action_words
from ludograph.hexil.events import OPENING, EventWatcher
from ludograph.hexil.faults import FaultKind, RecordFault
from ludograph.hexil.hidden import find_hidden
from ludograph.hexil.log import Log
from ludograph.hexil.negotiation import Bargain, Talk
from ludograph.hexil.options import MOST_POINTS, USUAL_POINTS, Options, options_from_headers
from ludograph.hexil.positions import Unplayable, deck_of, facts_from_headers
from ludograph.hexil.running import ActionRefused, Running, UnknownValue
from ludograph.notation.normal_form.record import NormalRecord
from ludograph.notation.notations import NOTATIONS, Content, Feature, Notation
from ludograph.notation.results import Loss, LossKind
from ludograph.settlers.actions import PLACED_PIECE


class Played(Struct, frozen=True):
    """A record that was played."""

    running: Running
    log: Log
    moves: NormalRecord
    """As the rules understand them: nothing left out, nothing that they refuse."""
    consequences: tuple[tuple[settlers.Event, ...], ...]
    """What follows from each of the moves, if that was asked for."""
    cards: Mapping[int, settlers.Card]
    """The hidden cards by the number of their move, as they were filled in."""
    faults: tuple[RecordFault, ...]
    number: int
    """How many actions of the record were looked at."""
    total: int
    """How many it has."""


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
) -> Played:
    """Play what a record tells, up to the action of the number `last`; Unplayable if it cannot begin.

    A seed decides what chance gives where the record leaves it open. The engine is that of `Match.new`.

    >>> from ludograph.notation.convert import normalise
    >>> from ludograph.notation.located import parse_located
    >>> text = "2/W2O3B10S8DL5O6B3S4W10O11W9B12S6L4B5S9L11W8/WTOTTLBST Pv(d4n) Pr(d4ne) Pv(c5n)"
    >>> moves = normalise(parse_located(text, "han").record, Notation.HAN)
    >>> played = replay(moves, Notation.HAN, {}, last=2)
    >>> played.running.turn, played.number, played.total
    (2, 2, 3)
    """
    start, headers = moves.record.start, dict(moves.record.headers)
    if start is None:
        raise Unplayable("nothing tells where the game begins: it needs a start position")
    facts = facts_from_headers(headers)
    every: Options = {**options_from_headers(headers), **options}
    winner = _winner_told(moves)
    hidden = find_hidden(moves.record.events, start, deck_of(start, facts))

    def begun(watch: bool = True, **others: Unpack[Options]) -> _Player:
        running = run_from(start, facts, seed, {**every, **others}, engine)
        expect_uses(running.state, len(moves.record.events) if last is None else last)
        return _Player(moves, notation, running, watch=watch)

    cards: Mapping[int, settlers.Card] = hidden.known
    if any(hidden.open.values()):
        # Most often it does not matter which cards these were, and all is well at once.
        cards, trial = hidden.deal(winner), begun()
        trial.play(cards, lenient=False)
        is_played = not trial.faults
        if is_played:
            trial.check_result(winner)
        if not trial.faults and last is None:
            return trial.done()
        if not is_played:
            trial = begun(points=MOST_POINTS)
            trial.play(cards, lenient=True)
        if trial.faults or not is_played:
            cards = hidden.deal_for(trial.course, every.get("points", USUAL_POINTS), winner)
    player = begun(watch=consequences or bool(moves.assertions))
    player.play(cards, lenient=lenient, last=last)
    if last is None and (lenient or not player.faults):
        player.check_result(winner)
    return player.done()


def _winner_told(moves: NormalRecord) -> settlers.Player | None:
    """Who won, as the record says."""
    assert moves.record.start is not None
    seats = {str(number): settlers.Player(number) for number in range(1, moves.record.start.players + 1)}
    told = [seats[value] for key, value in moves.record.headers if key == "Result" and value in seats]
    return told[-1] if told else None


class _Player:
    """Plays the moves of a record one after another. Mutable."""

    def __init__(
        self, moves: NormalRecord, notation: Notation, running: Running, *, watch: bool = True
    ) -> None:
        self.moves = moves
        self.running = running
        self.faults: list[RecordFault] = []
        self.course: dict[settlers.Player, list[tuple[int, int]]] = {}
        """The points on the table in the own turns, with the event after which they are seen."""
        row = NOTATIONS[notation]
        self._names_players = Feature.PLAYER_OF_ACTION in row.features
        self._implies_purchases = row.content is Content.GAME and Feature.PURCHASES not in row.features
        self._watch = EventWatcher(running) if watch else None
        self._bargain = Bargain(running)
        self._agreed: tuple[Accept | Agree, Talk, int | None] | None = None
        """What somebody has accepted, until the trade is told."""
        self._log = Log()
        self._events: list[settlers.Event] = []
        self._origins: list[int | None] = []
        self._following: list[tuple[settlers.Event, ...]] = []
        self._losses: list[Loss] = []
        self._cards: dict[int, settlers.Card] = {}
        self._number = 0
        self._last_origin: int | None = None
        self._claims = Claims(moves.assertions, running, self._watch, self._contradict)

    def play(self, cards: Mapping[int, settlers.Card], *, lenient: bool, last: int | None = None) -> None:
        events = zip(self.moves.record.events, self.moves.origins, strict=True)
        for index, (event, origin) in enumerate(events):
            self._claims.check_before(index, self._following[-1] if self._following else ())
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
        self._forget_agreement()
        end = len(self.moves.record.events)
        self._claims.check_before(end, self._following[-1] if self._following else ())
        self._claims.check_paid()

    def done(self) -> Played:
        record, result = self.moves.record, self.running.result
        headers = record.headers
        if result is not None and result.winners and not any(key == "Result" for key, _ in headers):
            headers = (*headers, ("Result", str(result.winners[0])))
        told = settlers.Record(tuple(self._events), record.start, headers)
        moves = NormalRecord(told, tuple(self._origins), (*self.moves.losses, *self._losses))
        return Played(
            self.running,
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
                pass  # where the rules want it, they put it in
            case settlers.Act(settlers.EndTurn() as action, _) if origin is None and self._names_players:
                # Nobody told it. If the turn cannot end, that is told to whoever goes on.
                self._refusal_of(event, action, origin)
            case settlers.Act(settlers.BuyCard(None), player) if index in cards:
                before = len(self._log.done)
                self._act(event, origin, settlers.BuyCard(cards[index]), player)
                if len(self._log.done) > before:
                    self._cards[len(self._events) - 1] = cards[index]
                    self._log.guessed.add(len(self._log.done) - 1)
            case settlers.Act(action, player):
                self._act(event, origin, action, player)
            case settlers.CardPlayed(settlers.Card.MONOPOLY, player):
                self._play_empty_monopoly(origin, player)
            case settlers.CardPlayed(settlers.Card.PLENTY):
                message = "nothing tells which cards the year of plenty takes"
                self._blame(FaultKind.UNKNOWN, message, origin)
            case settlers.CardPlayed(settlers.Card.POINT) if self.running.state.is_over:
                pass  # the rules say the same
            case settlers.Transferred(changes, _) if all(
                holding == settlers.Holding(holding.goods) for _, holding in changes
            ):
                self._blame(FaultKind.CONTRADICTION, "no rule lets these cards change hands", origin)
            case settlers.Offered() | settlers.Accepted() | settlers.Withdrawn():
                self._hear(event, origin)
            case _:
                self._tell_aside(event, origin)
        if self._watch is not None:
            turn = self.running.turn
            self.course.setdefault(turn, []).append((index, self._watch.sight.points[turn - 1]))

    def _act(
        self, event: settlers.Act, origin: int | None, action: settlers.Action, player: settlers.Player | None
    ) -> None:
        if self._names_players and player is not None and not isinstance(action, settlers.Discard):
            if not self._pass_turn_to(player, action, origin):
                return
        if self._implies_purchases and (piece := self._unpaid(action)) is not None:
            if not self._carry_out(settlers.Act(settlers.Buy(piece), player), settlers.Buy(piece), origin):
                return
        self._carry_out(event, action, origin)

    def _pass_turn_to(self, player: settlers.Player, action: settlers.Action, origin: int | None) -> bool:
        """End the turn before if another player goes on; false if that cannot be."""
        turn = self.running.turn
        if player == turn or self.running.state.is_over:
            return True
        refusal: Refusal | None = None
        if self.running.state.phase() not in OPENING:
            refusal = self._refusal_of(settlers.Act(settlers.EndTurn(), turn), settlers.EndTurn(), None)
            if refusal is None and player == self.running.turn:
                return True
        why = f", who cannot end it: {refusal}" if refusal is not None else ""
        message = f"{action_words(action)} by player {player} in the turn of player {self.running.turn}{why}"
        self._blame(
            FaultKind.ILLEGAL, message, origin, action, refusal or Refusal("another player has the turn")
        )
        return False

    def _unpaid(self, action: settlers.Action) -> settlers.Piece | None:
        """The piece that an action places and that must be bought first."""
        piece, phase = PLACED_PIECE.get(type(action)), self.running.state.phase()
        is_paid = phase in _PLACING or (phase == "paving" and piece is settlers.Piece.ROAD)
        return None if is_paid else piece

    def _play_empty_monopoly(self, origin: int | None, player: settlers.Player | None) -> None:
        """A monopoly that took nothing: any kind will do that no other player holds."""
        running, seats = self.running, range(1, self.running.players + 1)
        hands = [running.seat(number, "hand")["hand"] for number in seats if number != running.turn]
        for place, kind in enumerate(settlers.Resource):
            if not any(hand[place] for hand in hands):
                act = settlers.Act(settlers.UseMonopoly(kind), player)
                message = f"{kind.value}, for a monopoly that took nothing"
                self._losses.append(Loss(LossKind.INVENTED, message, origin))
                self._act(act, origin, act.action, player)
                return
        self._blame(FaultKind.UNKNOWN, "nothing tells what the monopoly took", origin)

    def _carry_out(self, event: settlers.Act, action: settlers.Action, origin: int | None) -> bool:
        refusal = self._refusal_of(event, action, origin)
        if refusal is not None:
            message = f"{action_words(action)} is not legal here: {refusal}"
            self._blame(FaultKind.ILLEGAL, message, origin, event.action, refusal)
        return refusal is None

    def _refusal_of(self, event: settlers.Act, action: settlers.Action, origin: int | None) -> Refusal | None:
        """Carry an action out, or say why not."""
        if self._agreed is not None and action == self.running.trade_of(self._agreed[0]):
            return self._conclude(event, origin)
        self._forget_agreement()
        self._end_talk(action)
        in_setup = self.running.state.phase() in OPENING
        player = self.running.turn
        try:
            done = self.running.carry_out(action)
        except ActionRefused as error:
            return error.refusal
        except UnknownValue as error:
            message = f"{action_words(action)} cannot be replayed: {error}"
            self._blame(FaultKind.UNKNOWN, message, origin, action)
            return None
        self._claims.check_paid()
        if isinstance(action, settlers.Roll):
            self._claims.forget_paid()
        self._log.done.append(done)
        following = self._watch.after(action, in_setup=in_setup) if self._watch is not None else ()
        self._tell(event if event.player is not None else replace(event, player=player), origin, following)
        return None

    def _tell(
        self, event: settlers.Event, origin: int | None, following: tuple[settlers.Event, ...] = ()
    ) -> None:
        self._events.append(event)
        self._origins.append(origin)
        self._following.append(following)

    def _tell_aside(self, event: settlers.Event, origin: int | None) -> None:
        self._log.asides.append((len(self._log.done), event))
        self._tell(event, origin)

    def _blame(
        self,
        kind: FaultKind,
        message: str,
        origin: int | None,
        action: settlers.Action | Deal | None = None,
        refusal: Refusal | None = None,
    ) -> None:
        self.faults.append(RecordFault(kind, message, self._number, origin, action, refusal))

    # Talk about trades

    def _hear(self, talk: Talk, origin: int | None) -> None:
        deal = self._bargain.deal_of(talk)
        if deal is None:
            self._tell_aside(talk, origin)
            return
        if self.running.state.phase() == "consider" and not isinstance(deal, Agree | Decline):
            self._strike(Decline())
        if isinstance(deal, Accept | Agree):
            self._agreed = deal, talk, origin
            return
        refusal = self._strike(deal)
        if refusal is None:
            self._tell(talk, origin)
            if isinstance(talk, settlers.Offered):
                self._log.offers[len(self._log.done) - 1] = talk
        elif isinstance(deal, Offer):
            message = f"{action_words(deal)} is not legal here: {refusal}"
            self._blame(FaultKind.ILLEGAL, message, origin, deal, refusal)
        else:
            self._tell_aside(talk, origin)

    def _conclude(self, event: settlers.Act, origin: int | None) -> Refusal | None:
        """A trade that was agreed on is told."""
        assert self._agreed is not None
        deal, talk, talk_origin = self._agreed
        self._agreed = None
        refusal = self._strike(deal)
        if refusal is None:
            self._tell(talk, talk_origin)
            self._tell(event, origin)
        return refusal

    def _forget_agreement(self) -> None:
        """The trade that was agreed on is not told, at least not yet: so it was only talk."""
        if self._agreed is not None:
            _, talk, origin = self._agreed
            self._agreed = None
            self._tell_aside(talk, origin)

    def _end_talk(self, action: settlers.Action) -> None:
        """Whoever was asked has refused when the game goes on; the end of a turn says it itself."""
        if not isinstance(action, settlers.EndTurn) or self.running.state.phase() == "consider":
            for refusal in self._bargain.refusals():
                self._strike(refusal)

    def _strike(self, deal: Deal) -> Refusal | None:
        """Carry a deal out, or say why not."""
        try:
            self._log.done.append(self.running.carry_out(deal))
        except ActionRefused as error:
            return error.refusal
        if self._watch is not None:
            self._watch.after(None, in_setup=False)
        return None

    # What the record claims

    def check_result(self, told: settlers.Player | None) -> None:
        """Hold the winner of the headers against the rules."""
        if told is not None and not any(
            isinstance(claim.event, settlers.GameOver) for claim in self.moves.assertions
        ):
            self._claims.check_winner(told, None)

    def _contradict(self, message: str, origin: int | None) -> None:
        self._blame(FaultKind.CONTRADICTION, message, origin)


def _count_actions(moves: NormalRecord) -> int:
    """The actions that a record tells; those that its reader puts in belong to the next."""
    count, last = 0, None
    for event, origin in zip(moves.record.events, moves.origins, strict=True):
        if _begins_action(event, origin, last):
            count, last = count + 1, origin
    return count


def _begins_action(event: settlers.Event, origin: int | None, last: int | None) -> bool:
    return isinstance(event, settlers.Act | settlers.CardPlayed) and origin is not None and origin != last


_PLACING = (*OPENING, "put_village", "put_city", "put_road")
