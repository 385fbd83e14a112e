"""From moves to CGN.

The frame of phases, rounds and turns is built round the moves. What only the rules can tell
(what the bank paid out, who holds an award, what a monopoly took) is reported as missing.
"""

from collections import Counter
from collections.abc import Sequence

from ludograph import settlers
from ludograph.notation.moves.told import Moves, Telling, TurnOrder
from ludograph.notation.results import LossKind
from ludograph.notation.transfers import MOST_PLENTY, CannotSay, trade_changes
from ludograph.settlers.goods import BANK, Card, Player

# The least that an award takes.
KNIGHTS_OF_AN_ARMY = 3
ROADS_OF_A_LONGEST_ROAD = 5


def moves_to_cgn(moves: Moves, consequences: Sequence[tuple[settlers.Event, ...]] | None = None) -> Moves:
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
        if isinstance(event, settlers.Act):
            frame.before(event)
            _tell_act(telling, event, origin, following)
            over = [each for each in following or () if isinstance(each, settlers.GameOver)]
            telling.tell(origin, *(each for each in following or () if each not in over))
            frame.after(event)
            winner = over[0].winner if over else winner
        else:
            telling.tell(origin, event)
    if winner is not None:
        telling.tell(None, settlers.GameOver(winner))
    if consequences is None:
        _say_what_is_missing(telling, moves.record.events)
    return telling.done(None)


def _tell_act(
    telling: Telling, act: settlers.Act, origin: int | None, following: tuple[settlers.Event, ...] | None
) -> None:
    match act:
        case settlers.Act(settlers.UseKnight(), player):
            telling.tell(origin, settlers.CardPlayed(Card.KNIGHT, player))
        case settlers.Act(settlers.UseRoads(), player):
            telling.tell(origin, settlers.CardPlayed(Card.ROADS, player))
        case settlers.Act(settlers.UsePlenty(goods), player) if (
            player is not None and 1 <= goods.total <= MOST_PLENTY
        ):
            bank = (BANK, settlers.Holding(-goods))
            telling.tell(origin, settlers.CardPlayed(Card.PLENTY, player))
            telling.tell(origin, settlers.Transferred(((player, settlers.Holding(goods)), bank)))
        case settlers.Act(settlers.UseMonopoly(resource), player):
            telling.tell(origin, settlers.CardPlayed(Card.MONOPOLY, player))
            if following is None:
                message = f"how much {resource.value} the monopoly took, and so its resource"
                telling.lose(LossKind.MISSING, message, origin)
            elif not any(isinstance(each, settlers.Transferred) for each in following):
                telling.lose(LossKind.LOST, f"{resource.value}, of which a monopoly took nothing", origin)
        case settlers.Act(settlers.Trade(give, take, partner), player) if player is not None:
            try:
                telling.tell(origin, settlers.Transferred(trade_changes(give, take, player, partner)))
            except CannotSay as reason:
                telling.lose(reason.kind, reason.message, origin)
        case settlers.Act(settlers.Roll() as roll, _) if roll.total == 7:
            telling.tell(origin, act, settlers.RobberRoused())
        case _:
            telling.tell(origin, act)


def _say_what_is_missing(telling: Telling, events: tuple[settlers.Event, ...]) -> None:
    acts = [event for event in events if isinstance(event, settlers.Act)]
    rolls = sum(isinstance(act.action, settlers.Roll) and act.action.total != 7 for act in acts)
    if rolls:
        times = "a roll" if rolls == 1 else f"{rolls} rolls"
        telling.lose(LossKind.MISSING, f"what the bank paid out after {times} (RP): that takes the rules")
    knights = Counter(act.player for act in acts if isinstance(act.action, settlers.UseKnight))
    roads = Counter(act.player for act in acts if isinstance(act.action, settlers.PlaceRoad))
    if max(knights.values(), default=0) >= KNIGHTS_OF_AN_ARMY:
        telling.lose(LossKind.MISSING, "who held the largest army (LA): that takes the rules")
    if max(roads.values(), default=0) >= ROADS_OF_A_LONGEST_ROAD:
        telling.lose(LossKind.MISSING, "who held the longest road (LR): that takes the rules")


def _tell_setup(telling: Telling, start: settlers.Position | None, players: int | None) -> None:
    if players is None:
        return
    telling.tell(None, settlers.PhaseStarts(settlers.Phase.SETUP))
    telling.tell(None, *(settlers.PlayerJoins(Player(number)) for number in range(1, players + 1)))
    if start is not None:
        telling.tell(None, settlers.MapDefined(start.island))
        if start != settlers.fresh_position(start.island, start.players):
            message = "pieces, hands and turn of the start position: CGN begins with an empty island"
            telling.lose(LossKind.LOST, message)
    telling.tell(None, settlers.PhaseEnds(settlers.Phase.SETUP))


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
        self.phase: settlers.Phase | None = None
        self.turn_begun = 0

    def before(self, act: settlers.Act) -> None:
        """Begin the phase, round and turn that an act belongs to."""
        players = self.turn.players
        if not players:
            return
        phase = settlers.Phase.DEPLOYMENT if self.turn.is_setup(act) else settlers.Phase.PLAY
        if phase is not self.phase:
            if self.phase is settlers.Phase.DEPLOYMENT and self.turn.in_setup:
                self.telling.tell(None, settlers.PhaseEnds(settlers.Phase.DEPLOYMENT))
            self.phase = phase
            self.telling.tell(None, settlers.PhaseStarts(phase))
            if phase is settlers.Phase.DEPLOYMENT:
                self.telling.tell(None, _first_pieces(players))
        if phase is settlers.Phase.PLAY and self.turn_begun != self.turn.turn:
            self.turn_begun = self.turn.turn
            if (self.turn.turn - 1) % players == 0:
                self.telling.tell(None, settlers.RoundStarts((self.turn.turn - 1) // players + 1))
            player = None if isinstance(act.action, settlers.Discard) else act.player
            self.telling.tell(None, settlers.TurnStarts(player or Player((self.turn.turn - 1) % players + 1)))

    def after(self, act: settlers.Act) -> None:
        """Take note of an act, and end the round or the set-up that it ends."""
        players = self.turn.players
        if players and isinstance(act.action, settlers.EndTurn) and self.turn.turn % players == 0:
            self.telling.tell(None, settlers.RoundEnds(self.turn.turn // players))
        self.turn.after(act)
        if self.phase is settlers.Phase.DEPLOYMENT and not self.turn.in_setup:
            self.telling.tell(None, settlers.PhaseEnds(settlers.Phase.DEPLOYMENT))


def _first_pieces(players: int) -> settlers.Transferred:
    """Two villages and two roads for everybody, from the bank."""
    everybody = tuple(
        (Player(number), settlers.Holding(villages=2, roads=2)) for number in range(1, players + 1)
    )
    return settlers.Transferred(
        (*everybody, (BANK, settlers.Holding(villages=-2 * players, roads=-2 * players)))
    )
