"""From CGN to the normal form.

CGN records three phases and many events that follow from the rules; the normal form leaves those out. A
played card and the transfer of its effect become one action. A transfer of goods between two parties
becomes a trade. A purchase moves to the placement of its piece.
"""

from msgspec.structs import replace

from ludograph import settlers
from ludograph.notation.json_records.transfers import MAX_PLENTY, trade_in
from ludograph.notation.normal_form.player_numbers import (
    ORDER_HEADER,
    Renumbering,
    changes_numbers,
    format_order,
    number_in_turn_order,
    renumber_event,
)
from ludograph.notation.normal_form.record import NormalRecord, RecordBuilder
from ludograph.notation.results import LossKind
from ludograph.settlers.actions import PLACED_PIECE
from ludograph.settlers.goods import BANK, Card, Goods, Piece, Player


def normalise_cgn(record: settlers.Record, *, renumber: bool = True) -> NormalRecord:
    """The normal form of a CGN record."""
    return _Normaliser(record, number_in_turn_order(record.events) if renumber else {}).run()


class _Normaliser:
    """The state of a normalisation: phase, turn, and pieces that are bought but not placed yet. Mutable."""

    def __init__(self, record: settlers.Record, renumbering: Renumbering) -> None:
        self.builder = RecordBuilder()
        self.events = record.events
        self.headers = list(record.headers)
        self.renumbering = renumbering
        self.start: settlers.Position | None = None
        self.phase: settlers.Phase | None = None
        self.turn: Player | None = None
        self.unplaced: list[tuple[settlers.Act, Piece, int]] = []
        """Purchases whose pieces are not placed yet, with the index of their events."""
        self.effects: set[int] = set()
        """The indices of transfers that were merged with the card before them."""

    def run(self) -> NormalRecord:
        if changes_numbers(self.renumbering):
            self.headers.append((ORDER_HEADER, format_order(self.renumbering)))
        for index, event in enumerate(self.events):
            if index not in self.effects:
                self._add(index, renumber_event(event, self.renumbering))
        self._drop_unplaced()
        return self.builder.build(self.start, self.headers)

    def _add(self, index: int, event: settlers.Event) -> None:
        match event:
            case settlers.PhaseStarts(phase):
                self.phase = phase
            case settlers.MapDefined(island):
                self.start = settlers.fresh_position(island, len(self.renumbering))
            case settlers.OrderRolled():
                self.builder.lose(LossKind.LOST, "the rolls that decided the first player", index)
            case settlers.TurnStarts(player):
                self._start_turn(player)
            case settlers.GameOver(None):
                self.builder.lose(LossKind.LOST, "the end of the game without a winner", index)
            case settlers.GameOver(winner):
                self.headers.append(("Result", str(winner)))
                self.builder.assert_event(index, event)
            case settlers.CardPlayed():
                self._add_card(index, event)
            case settlers.Transferred():
                # In the deployment phase the bank hands out pieces, as the rules require.
                if self.phase is not settlers.Phase.DEPLOYMENT or event.is_goods_only:
                    self.builder.add(index, _maybe_trade(event, self.turn) or event)
            case settlers.Act():
                self._add_act(index, event)
            case settlers.Produced() | settlers.Awarded():
                self.builder.assert_event(index, event)
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
                self.builder.add(index, event)

    def _start_turn(self, player: Player | None) -> None:
        if self.phase is settlers.Phase.DEPLOYMENT:
            return
        if self.turn is not None and self.turn != player:
            self._drop_unplaced()
            self.builder.add(None, settlers.Act(settlers.EndTurn(), self.turn))
        self.turn = player

    def _add_act(self, index: int, act: settlers.Act) -> None:
        action = act.action
        if isinstance(action, settlers.EndTurn):
            self._drop_unplaced()
            self.turn = None
            if self.phase is not settlers.Phase.DEPLOYMENT:
                self.builder.add(index, act)
            return
        if (
            self.turn is None
            and self.phase is settlers.Phase.PLAY
            and not isinstance(action, settlers.Discard)
        ):
            self.turn = act.player
        if isinstance(action, settlers.Buy):
            self.unplaced.append((act, action.piece, index))
            return
        piece = PLACED_PIECE.get(type(action))
        purchase = next(
            (each for each in self.unplaced if each[:2] == (_purchase_of(act, piece), piece)), None
        )
        if purchase is not None:
            self.unplaced.remove(purchase)
            self.builder.add(purchase[2], purchase[0])
        self.builder.add(index, act)

    def _drop_unplaced(self) -> None:
        for _, piece, index in self.unplaced:
            self.builder.lose(LossKind.LOST, f"a {piece.value} that was bought but not placed", index)
        self.unplaced.clear()

    def _add_card(self, index: int, played: settlers.CardPlayed) -> None:
        """Add the action that uses a card; the transfer after the card names the resources."""
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
                self.builder.add(index, played)
                return
        if action is None:
            # A monopoly that took nothing has no transfer; only the rules determine its resource.
            self.builder.add(index, played)
            return
        self.builder.add(index, settlers.Act(action, played.player))
        if isinstance(action, settlers.UsePlenty | settlers.UseMonopoly):
            self.effects.add(self._next_index(index))
        if isinstance(action, settlers.UseMonopoly) and effect is not None:
            self.builder.assert_event(self._next_index(index), effect)

    def _effect_after(self, index: int) -> settlers.Transferred | None:
        after = self._next_index(index)
        event = self.events[after] if after < len(self.events) else None
        return renumber_event(event, self.renumbering) if isinstance(event, settlers.Transferred) else None

    def _next_index(self, index: int) -> int:
        """The next event that is neither a comment nor chat."""
        index += 1
        while index < len(self.events) and isinstance(self.events[index], settlers.Commented | settlers.Said):
            index += 1
        return index


def _purchase_of(placement: settlers.Act, piece: Piece | None) -> settlers.Act | None:
    """The purchase that belongs to a placement."""
    return settlers.Act(settlers.Buy(piece), placement.player) if piece is not None else None


def _maybe_plenty(
    played: settlers.CardPlayed, transfer: settlers.Transferred | None
) -> settlers.UsePlenty | None:
    """The card with its resources, if only the bank gives in the transfer."""
    gained, givers = _gift(played.player, transfer)
    if gained is None or givers != {BANK} or gained.total > MAX_PLENTY:
        return None
    return settlers.UsePlenty(gained)


def _maybe_monopoly(
    played: settlers.CardPlayed, transfer: settlers.Transferred | None
) -> settlers.UseMonopoly | None:
    """The card with its resource, if other players give one kind of resource."""
    gained, givers = _gift(played.player, transfer)
    kinds = [kind for kind, _ in gained.items()] if gained is not None else []
    return settlers.UseMonopoly(kinds[0]) if len(kinds) == 1 and BANK not in givers else None


def _gift(player: Player | None, transfer: settlers.Transferred | None) -> tuple[Goods | None, set[Player]]:
    """The goods that a player gains without giving any, and the parties that give them."""
    if transfer is None or not transfer.is_goods_only:
        return None, set()
    holdings = dict(transfer.changes)
    gained = holdings.pop(player, settlers.Holding()).goods if player is not None else Goods()
    counts = [count for _, count in gained.items()]
    losses = [count for holding in holdings.values() for _, count in holding.goods.items()]
    if not counts or min(counts) < 0 or max(losses, default=0) > 0:
        return None, set()
    return gained, set(holdings)


def _maybe_trade(transfer: settlers.Transferred, turn: Player | None) -> settlers.Act | None:
    """A transfer of goods between two parties as a trade of the player to move."""
    parties = dict(transfer.changes)
    if len(parties) != 2 or not transfer.is_goods_only:
        return None
    trader = turn if turn is not None and turn in parties else next(who for who in parties if who != BANK)
    trade = trade_in(parties, trader)
    return settlers.Act(trade, trader) if trade is not None else None
