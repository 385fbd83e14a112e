"""From moves to CGN.

The frame of phases, rounds and turns is built round the moves. What only the rules can tell
(what the bank paid out, who holds an award, what a monopoly took) is reported as missing.
"""

from collections import Counter
from collections.abc import Sequence

from ludograph.notation.moves.told import Moves, Telling, TurnOrder
from ludograph.notation.results import LossKind
from ludograph.notation.transfers import MOST_PLENTY, CannotSay, trade_changes
from ludograph.settlers.actions import (
    Discard,
    EndTurn,
    PlaceRoad,
    Roll,
    Trade,
    UseKnight,
    UseMonopoly,
    UsePlenty,
    UseRoads,
)
from ludograph.settlers.goods import BANK, Card, Player
from ludograph.settlers.position import Position, fresh_position
from ludograph.settlers.record import (
    Act,
    CardPlayed,
    Event,
    GameOver,
    Holding,
    MapDefined,
    Phase,
    PhaseEnds,
    PhaseStarts,
    PlayerJoins,
    RobberRoused,
    RoundEnds,
    RoundStarts,
    Transferred,
    TurnStarts,
)

# The least that an award takes.
KNIGHTS_OF_AN_ARMY = 3
ROADS_OF_A_LONGEST_ROAD = 5


def moves_to_cgn(moves: Moves, consequences: Sequence[tuple[Event, ...]] | None = None) -> Moves:
    """Moves told as CGN tells them, in three phases.

    Whoever has the rules gives what follows from each of the moves: production, awards, the haul of a
    monopoly, the end of the game. Otherwise that is reported as missing.
    """
    telling = Telling(losses=list(moves.losses))
    turn = TurnOrder.of(moves.record)
    _tell_setup(telling, moves.record.start, turn.players)
    winner = _tell_headers(telling, moves)
    frame = _Frame(telling, turn)
    known = consequences if consequences is not None else [None] * len(moves.record.events)
    for event, origin, following in zip(moves.record.events, moves.origins, known, strict=True):
        if isinstance(event, Act):
            frame.before(event)
            _tell_act(telling, event, origin, following)
            over = [each for each in following or () if isinstance(each, GameOver)]
            telling.tell(origin, *(each for each in following or () if each not in over))
            frame.after(event)
            winner = over[0].winner if over else winner
        else:
            telling.tell(origin, event)
    if winner is not None:
        telling.tell(None, GameOver(winner))
    if consequences is None:
        _say_what_is_missing(telling, moves.record.events)
    return telling.done(None)


def _tell_act(telling: Telling, act: Act, origin: int | None, following: tuple[Event, ...] | None) -> None:
    match act:
        case Act(UseKnight(), player):
            telling.tell(origin, CardPlayed(Card.KNIGHT, player))
        case Act(UseRoads(), player):
            telling.tell(origin, CardPlayed(Card.ROADS, player))
        case Act(UsePlenty(goods), player) if player is not None and 1 <= goods.total <= MOST_PLENTY:
            bank = (BANK, Holding(-goods))
            telling.tell(origin, CardPlayed(Card.PLENTY, player))
            telling.tell(origin, Transferred(((player, Holding(goods)), bank)))
        case Act(UseMonopoly(resource), player):
            telling.tell(origin, CardPlayed(Card.MONOPOLY, player))
            if following is None:
                message = f"how much {resource.value} the monopoly took, and so its resource"
                telling.lose(LossKind.MISSING, message, origin)
            elif not any(isinstance(each, Transferred) for each in following):
                telling.lose(LossKind.LOST, f"{resource.value}, of which a monopoly took nothing", origin)
        case Act(Trade(give, take, partner), player) if player is not None:
            try:
                telling.tell(origin, Transferred(trade_changes(give, take, player, partner)))
            except CannotSay as reason:
                telling.lose(reason.kind, reason.message, origin)
        case Act(Roll() as roll, _) if roll.total == 7:
            telling.tell(origin, act, RobberRoused())
        case _:
            telling.tell(origin, act)


def _say_what_is_missing(telling: Telling, events: tuple[Event, ...]) -> None:
    acts = [event for event in events if isinstance(event, Act)]
    rolls = sum(isinstance(act.action, Roll) and act.action.total != 7 for act in acts)
    if rolls:
        times = "a roll" if rolls == 1 else f"{rolls} rolls"
        telling.lose(LossKind.MISSING, f"what the bank paid out after {times} (RP): that takes the rules")
    knights = Counter(act.player for act in acts if isinstance(act.action, UseKnight))
    roads = Counter(act.player for act in acts if isinstance(act.action, PlaceRoad))
    if max(knights.values(), default=0) >= KNIGHTS_OF_AN_ARMY:
        telling.lose(LossKind.MISSING, "who held the largest army (LA): that takes the rules")
    if max(roads.values(), default=0) >= ROADS_OF_A_LONGEST_ROAD:
        telling.lose(LossKind.MISSING, "who held the longest road (LR): that takes the rules")


def _tell_setup(telling: Telling, start: Position | None, players: int | None) -> None:
    if players is None:
        return
    telling.tell(None, PhaseStarts(Phase.SETUP))
    telling.tell(None, *(PlayerJoins(Player(number)) for number in range(1, players + 1)))
    if start is not None:
        telling.tell(None, MapDefined(start.island))
        if start != fresh_position(start.island, start.players):
            message = "pieces, hands and turn of the start position: CGN begins with an empty island"
            telling.lose(LossKind.LOST, message)
    telling.tell(None, PhaseEnds(Phase.SETUP))


def _tell_headers(telling: Telling, moves: Moves) -> Player | None:
    """The winner that a Result header names; the other headers are lost."""
    results = [value for key, value in moves.record.headers if key == "Result" and value in _WINNERS]
    kept = ("Result", results[-1]) if results else None
    telling.lose_headers(header for header in moves.record.headers if header != kept)
    return _WINNERS[results[-1]] if results else None


_WINNERS = {str(number): Player(number) for number in range(1, 5)}


class _Frame:
    """Phases, rounds and turns round the acts. Mutable."""

    def __init__(self, telling: Telling, turn: TurnOrder) -> None:
        self.telling = telling
        self.turn = turn
        self.phase: Phase | None = None
        self.turn_begun = 0

    def before(self, act: Act) -> None:
        """Begin the phase, round and turn that an act belongs to."""
        players = self.turn.players
        if not players:
            return
        phase = Phase.DEPLOYMENT if self.turn.is_setup(act) else Phase.PLAY
        if phase is not self.phase:
            if self.phase is Phase.DEPLOYMENT and self.turn.in_setup:
                self.telling.tell(None, PhaseEnds(Phase.DEPLOYMENT))
            self.phase = phase
            self.telling.tell(None, PhaseStarts(phase))
            if phase is Phase.DEPLOYMENT:
                self.telling.tell(None, _first_pieces(players))
        if phase is Phase.PLAY and self.turn_begun != self.turn.turn:
            self.turn_begun = self.turn.turn
            if (self.turn.turn - 1) % players == 0:
                self.telling.tell(None, RoundStarts((self.turn.turn - 1) // players + 1))
            player = None if isinstance(act.action, Discard) else act.player
            self.telling.tell(None, TurnStarts(player or Player((self.turn.turn - 1) % players + 1)))

    def after(self, act: Act) -> None:
        """Take note of an act, and end the round or the set-up that it ends."""
        players = self.turn.players
        if players and isinstance(act.action, EndTurn) and self.turn.turn % players == 0:
            self.telling.tell(None, RoundEnds(self.turn.turn // players))
        self.turn.after(act)
        if self.phase is Phase.DEPLOYMENT and not self.turn.in_setup:
            self.telling.tell(None, PhaseEnds(Phase.DEPLOYMENT))


def _first_pieces(players: int) -> Transferred:
    """Two villages and two roads for everybody, from the bank."""
    everybody = tuple((Player(number), Holding(villages=2, roads=2)) for number in range(1, players + 1))
    return Transferred((*everybody, (BANK, Holding(villages=-2 * players, roads=-2 * players))))
