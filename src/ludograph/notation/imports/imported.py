"""The result of an import, and the builder that all importers use.

An imported game is a record with the events of CGN: every action has its player, and purchases and turn ends
are explicit. So conversion and replay treat it like any record, and the rules check it.
"""

from collections import Counter

from msgspec import Struct

from ludograph import settlers
from ludograph.notation.results import Loss, LossKind
from ludograph.settlers.actions import PLACED_PIECE
from ludograph.settlers.goods import BANK, Goods, Piece, Player, Resource, Terrain
from ludograph.text import Diagnostic, Span

TERRAIN_OF: dict[Resource, Terrain] = {
    terrain.yields: terrain for terrain in Terrain if terrain.yields is not None
}
SETUP_PIECES = 2
"""Each player places two villages and two roads in the set-up."""
FREE_ROADS = 2


class Imported(Struct, frozen=True):
    """An imported game with the place of each event in the text."""

    record: settlers.Record
    spans: tuple[Span, ...]
    losses: tuple[Loss, ...] = ()
    warnings: tuple[Diagnostic, ...] = ()
    checkable: int | None = None
    """The number of events that the rules can check, if later ones depend on what the text hides."""


class ImportBuilder:
    """Collects the events of an imported game. Mutable.

    Other programs record that a piece is built. The builder adds the purchase, unless the piece belongs to
    the set-up or a road building card pays for it.
    """

    def __init__(self) -> None:
        self.events: list[settlers.Event] = []
        self.spans: list[Span] = []
        self.headers: list[tuple[str, str]] = []
        self.checkable: int | None = None
        self._lost: Counter[str] = Counter()
        self._players = 0
        self._placed = 0
        """The number of pieces that were placed in the set-up."""
        self._free_roads = 0
        self._is_set_up = False
        """Whether the first turn after the set-up has begun."""

    @property
    def in_setup(self) -> bool:
        return self._placed < 2 * SETUP_PIECES * self._players

    def start(self, island: settlers.Island, names: list[str], span: Span) -> None:
        """Begin a game; the players are in turn order."""
        self._players = len(names)
        players = tuple(Player(number) for number in range(1, len(names) + 1))
        self.headers += [(f"Player{player}", name) for player, name in zip(players, names, strict=True)]
        for player in players:
            self.add(settlers.PlayerJoins(player), span)
        self.add(settlers.MapDefined(island), span)
        self.add(settlers.OrderSet(players), span)

    def add(self, event: settlers.Event, span: Span) -> None:
        self.events.append(event)
        self.spans.append(span)

    def act(self, player: Player, action: settlers.Action, span: Span) -> None:
        """Add an action of a player."""
        self._is_set_up = self._is_set_up or type(action) not in PLACED_PIECE
        self._free_roads = FREE_ROADS if isinstance(action, settlers.UseRoads) else 0
        self.add(settlers.Act(action, player), span)

    def build(
        self,
        player: Player,
        piece: Piece,
        action: settlers.PlaceVillage | settlers.PlaceCity | settlers.PlaceRoad,
        span: Span,
    ) -> None:
        """Add a piece that a player builds, with its purchase if it has one."""
        free = self._free_roads
        if self.in_setup and piece is not Piece.CITY:
            self._placed += 1
        elif piece is Piece.ROAD and free:
            self.act(player, action, span)
            self._free_roads = free - 1
            return
        else:
            self.act(player, settlers.Buy(piece), span)
        self.act(player, action, span)

    def end_turn(self, player: Player, span: Span) -> None:
        """Add the end of a turn, unless it ends a turn of the set-up, which has no turn ends."""
        if self._is_set_up:
            self.act(player, settlers.EndTurn(), span)

    def hide(self) -> None:
        """From here on the text leaves out what the rules need."""
        if self.checkable is None:
            self.checkable = len(self.events)

    def cancel_setup_piece(self) -> None:
        """Remove the village of the set-up that was placed last."""
        last = self.events[-1]
        if isinstance(last, settlers.Act) and isinstance(last.action, settlers.PlaceVillage):
            self._remove_last()
            self._placed -= 1

    def cancel_road_building(self) -> None:
        """Remove a road building card if no road follows it: its player took it back."""
        last = self.events[-1]
        if isinstance(last, settlers.Act) and isinstance(last.action, settlers.UseRoads):
            self._remove_last()
            self._free_roads = 0

    def undo_bank_trade(self, player: Player, trade: settlers.Trade) -> bool:
        """Remove the last action if this trade with the bank is its exact reverse; False if it is not."""
        reverse = settlers.Trade(trade.take, trade.give, BANK)
        if self.events[-1] != settlers.Act(reverse, player):
            return False
        self._remove_last()
        return True

    def undo_build(self, player: Player, action: settlers.Action) -> bool:
        """Remove the last action, which built this piece, and its purchase; False if it is another action."""
        bought, built = self.events[-2:]
        if built != settlers.Act(action, player) or not (
            isinstance(bought, settlers.Act) and isinstance(bought.action, settlers.Buy)
        ):
            return False
        self._remove_last()
        self._remove_last()
        return True

    def _remove_last(self) -> None:
        self.events.pop()
        self.spans.pop()

    def lose(self, message: str) -> None:
        """Count something that is lost; the same message is reported once, with its number."""
        self._lost[message] += 1

    def finish(self, losses: tuple[Loss, ...] = (), warnings: tuple[Diagnostic, ...] = ()) -> Imported:
        counted = tuple(
            Loss(LossKind.LOST, message if count == 1 else f"{message} ({count} times)")
            for message, count in self._lost.items()
        )
        record = settlers.Record(tuple(self.events), None, tuple(self.headers))
        return Imported(record, tuple(self.spans), (*counted, *losses), warnings, self.checkable)


def goods_of(resources: list[Resource]) -> Goods:
    """The goods with one card for each of the resources."""
    counts = Counter(resource.value for resource in resources)
    return Goods(**counts)
