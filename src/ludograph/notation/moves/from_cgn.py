"""From CGN to moves.

CGN tells a game in three phases and repeats much that follows from the rules: on the way to
moves that is left out. A card is told with the transfer that shows its effect, a transfer of
goods between two as a trade, and a purchase where its piece is placed.
"""

from msgspec.structs import replace

from ludograph import settlers
from ludograph.notation.moves.as_actions import bought_and_not_placed
from ludograph.notation.moves.seats import Seats, find_seats, is_renumbered, reseated, seated
from ludograph.notation.moves.told import Moves, Telling
from ludograph.notation.results import LossKind
from ludograph.notation.transfers import MOST_PLENTY
from ludograph.settlers.actions import PLACED_PIECE
from ludograph.settlers.goods import BANK, Card, Goods, Piece, Player, Resource


def moves_from_cgn(record: settlers.Record, *, seated: bool = False) -> Moves:
    """A CGN record told in moves, its players renumbered in turn order unless they are seated so."""
    return _Retelling(record, {} if seated else find_seats(record.events)).done()


class _Retelling:
    """A CGN record while it is retold: phase, turn, pieces that are bought and not placed yet. Mutable."""

    def __init__(self, record: settlers.Record, seats: Seats) -> None:
        self.telling = Telling()
        self.events = record.events
        self.headers = list(record.headers)
        self.seats = seats
        self.start: settlers.Position | None = None
        self.phase: settlers.Phase | None = None
        self.turn: Player | None = None
        self.owed: list[tuple[settlers.Act, Piece, int]] = []
        self.effects: set[int] = set()
        """The transfers that were told with the card before them."""

    def done(self) -> Moves:
        if is_renumbered(self.seats):
            names = ", ".join(f"P{old} as {new}" for old, new in self.seats.items())
            message = f"the names of the players: they are counted in turn order ({names})"
            self.telling.lose(LossKind.LOST, message)
        for index, event in enumerate(self.events):
            if index not in self.effects:
                self._tell(index, reseated(event, self.seats))
        self._forget_owed()
        return self.telling.done(self.start, self.headers)

    def _tell(self, index: int, event: settlers.Event) -> None:
        match event:
            case settlers.PhaseStarts(phase):
                self.phase = phase
            case settlers.MapDefined(island):
                self.start = settlers.fresh_position(island, len(self.seats))
            case settlers.OrderRolled():
                self.telling.lose(LossKind.LOST, "the rolls that decided who begins", index)
            case settlers.TurnStarts(player):
                self._start_turn(seated(player, self.seats))
            case settlers.GameOver(None):
                self.telling.lose(LossKind.LOST, "that the game is over, without a winner", index)
            case settlers.GameOver(winner):
                self.headers.append(("Result", str(winner)))
                self.telling.claim(index, event)
            case settlers.CardPlayed():
                self._tell_card(index, event)
            case settlers.Transferred():
                # In the deployment the bank hands out pieces, which the rules tell.
                if self.phase is not settlers.Phase.DEPLOYMENT or _is_goods_only(event):
                    self.telling.tell(index, _maybe_trade(event, self.turn) or event)
            case settlers.Act():
                self._tell_act(index, event)
            case settlers.Produced() | settlers.Awarded():
                self.telling.claim(index, event)
            case (
                settlers.PhaseEnds()
                | settlers.RoundStarts()
                | settlers.RoundEnds()
                | settlers.PlayerJoins()
                | settlers.OrderSet()
                | settlers.RobberRoused()
            ):
                pass
            case _:
                self.telling.tell(index, event)

    def _start_turn(self, player: Player | None) -> None:
        if self.phase is settlers.Phase.DEPLOYMENT:
            return
        if self.turn is not None and self.turn != player:
            self._forget_owed()
            self.telling.tell(None, settlers.Act(settlers.EndTurn(), self.turn))
        self.turn = player

    def _tell_act(self, index: int, act: settlers.Act) -> None:
        action = act.action
        if isinstance(action, settlers.EndTurn):
            self._forget_owed()
            self.turn = None
            if self.phase is not settlers.Phase.DEPLOYMENT:
                self.telling.tell(index, act)
            return
        if (
            self.turn is None
            and self.phase is settlers.Phase.PLAY
            and not isinstance(action, settlers.Discard)
        ):
            self.turn = act.player
        if isinstance(action, settlers.Buy):
            self.owed.append((act, action.piece, index))
            return
        piece = PLACED_PIECE.get(type(action))
        bought = next((owed for owed in self.owed if owed[:2] == (_bought(act, piece), piece)), None)
        if bought is not None:
            self.owed.remove(bought)
            self.telling.tell(bought[2], bought[0])
        self.telling.tell(index, act)

    def _forget_owed(self) -> None:
        for _, piece, index in self.owed:
            self.telling.lose(LossKind.LOST, bought_and_not_placed(piece), index)
        self.owed.clear()

    def _tell_card(self, index: int, played: settlers.CardPlayed) -> None:
        """Tell a card as the action that uses it; the transfer after it names the resources."""
        played = played if played.player is not None else replace(played, player=self.turn)
        effect = self._effect_after(index)
        action: settlers.Action | None
        match played.card:
            case Card.KNIGHT:
                action = settlers.UseKnight()
            case Card.ROADS:
                action = settlers.UseRoads()
            case Card.PLENTY:
                action = _maybe_plenty(played, effect)
            case Card.MONOPOLY:
                action = _maybe_monopoly(played, effect)
            case Card.POINT:
                self.telling.tell(index, played)
                return
        if action is None:
            # A monopoly that took nothing has no transfer; only the rules can tell that.
            self.telling.tell(index, played)
            return
        self.telling.tell(index, settlers.Act(action, played.player))
        if isinstance(action, settlers.UsePlenty | settlers.UseMonopoly):
            self.effects.add(self._next_index(index))
        if isinstance(action, settlers.UseMonopoly) and effect is not None:
            self.telling.claim(self._next_index(index), effect)

    def _effect_after(self, index: int) -> settlers.Transferred | None:
        after = self._next_index(index)
        event = self.events[after] if after < len(self.events) else None
        return reseated(event, self.seats) if isinstance(event, settlers.Transferred) else None

    def _next_index(self, index: int) -> int:
        """The next event that is more than talk."""
        index += 1
        while index < len(self.events) and isinstance(self.events[index], settlers.Commented | settlers.Said):
            index += 1
        return index


def _bought(placement: settlers.Act, piece: Piece | None) -> settlers.Act | None:
    """The purchase that goes with a placement."""
    return settlers.Act(settlers.Buy(piece), placement.player) if piece is not None else None


def _maybe_plenty(
    played: settlers.CardPlayed, transfer: settlers.Transferred | None
) -> settlers.UsePlenty | None:
    """The card with its resources, if the transfer is a gift of the bank."""
    gained, givers = _gift(played.player, transfer)
    if gained is None or givers != {BANK} or gained.total > MOST_PLENTY:
        return None
    return settlers.UsePlenty(gained)


def _maybe_monopoly(
    played: settlers.CardPlayed, transfer: settlers.Transferred | None
) -> settlers.UseMonopoly | None:
    """The card with its resource, if others give the player all of one kind."""
    gained, givers = _gift(played.player, transfer)
    kinds = [kind for kind, _ in gained.items()] if gained is not None else []
    return settlers.UseMonopoly(kinds[0]) if len(kinds) == 1 and BANK not in givers else None


def _gift(player: Player | None, transfer: settlers.Transferred | None) -> tuple[Goods | None, set[Player]]:
    """What a player gains in a transfer that gives it goods for nothing, and who gives them."""
    if transfer is None or not _is_goods_only(transfer):
        return None, set()
    holdings = dict(transfer.changes)
    gained = holdings.pop(player, settlers.Holding()).goods if player is not None else Goods()
    counts = [count for _, count in gained.items()]
    losses = [count for holding in holdings.values() for _, count in holding.goods.items()]
    if not counts or min(counts) < 0 or max(losses, default=0) > 0:
        return None, set()
    return gained, set(holdings)


def _is_goods_only(transfer: settlers.Transferred) -> bool:
    return all(holding == settlers.Holding(holding.goods) for _, holding in transfer.changes)


def _maybe_trade(transfer: settlers.Transferred, turn: Player | None) -> settlers.Act | None:
    """A transfer of goods between two as a trade, seen by the player whose turn it is."""
    holdings = dict(transfer.changes)
    if len(holdings) != 2 or not _is_goods_only(transfer):
        return None
    trader = turn if turn in holdings else next(who for who in holdings if who != BANK)
    assert trader is not None, "the turn of nobody is not among the parties"
    (partner,) = holdings.keys() - {trader}
    goods = holdings[trader].goods
    give, take = (Goods(*(max(0, sign * goods[kind]) for kind in Resource)) for sign in (-1, 1))
    return settlers.Act(settlers.Trade(give, take, partner), trader) if give and take else None
