"""A record: the start position of a game and its events in order.

An `Act` is the action of a player. The other events are players who join or leave, phases and turns,
production, offers and chat. A parser keeps every event of its text and adds none.
`ludograph.notation.normal_form` converts between the events of the notations.

The events of a record are its main line. A variation replaces one of them and all that follow it. It may have
variations itself. `game_tree` has the same as a tree of nodes that can be changed.
"""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from ludograph.settlers.actions import Action
from ludograph.settlers.goods import Award, Card, Goods, NamedValue, Player
from ludograph.settlers.island import Island
from ludograph.settlers.position import Position


class Act(Struct, frozen=True):
    """An action of a player; `player` is None if the notation derives it from the turn order."""

    action: Action
    player: Player | None = None


class Phase(NamedValue):
    """The three phases of a CGN record."""

    SETUP = "Setup"
    DEPLOYMENT = "Deployment"
    PLAY = "Play"


class PhaseStarts(Struct, frozen=True):
    phase: Phase


class PhaseEnds(Struct, frozen=True):
    phase: Phase


class RoundStarts(Struct, frozen=True):
    number: int


class RoundEnds(Struct, frozen=True):
    number: int


class TurnStarts(Struct, frozen=True):
    """A turn starts; it ends with `Act(EndTurn())`."""

    player: Player


class PlayerJoins(Struct, frozen=True):
    player: Player


class PlayerLeaves(Struct, frozen=True):
    player: Player | None = None


class PlayerQuits(Struct, frozen=True):
    player: Player


class MapDefined(Struct, frozen=True):
    island: Island


class OrderRolled(Struct, frozen=True):
    """The totals of the rolls that decide the first player."""

    totals: tuple[tuple[Player, int], ...]


class OrderSet(Struct, frozen=True):
    """The players in turn order."""

    players: tuple[Player, ...]


class Holding(Struct, frozen=True):
    """Resources and pieces that a party gains (positive) or gives (negative)."""

    goods: Goods = Goods()
    villages: int = 0
    cities: int = 0
    roads: int = 0
    cards: int = 0
    """Development cards of unknown kind."""
    armies: int = 0
    longest_roads: int = 0

    @property
    def is_goods_only(self) -> bool:
        return self == Holding(self.goods)

    def __neg__(self) -> "Holding":
        return Holding(
            -self.goods,
            -self.villages,
            -self.cities,
            -self.roads,
            -self.cards,
            -self.armies,
            -self.longest_roads,
        )


HoldingChange = tuple[Player, Holding]
"""The gains and losses of a player or of the bank."""


class Transferred(Struct, frozen=True):
    """A transfer of goods or pieces; the changes add up to 0."""

    changes: tuple[HoldingChange, ...]
    offer: str | None = None
    """The name of the offer that this trade fulfils."""

    @property
    def is_goods_only(self) -> bool:
        return all(holding.is_goods_only for _, holding in self.changes)


class Produced(Struct, frozen=True):
    """The production after a roll."""

    changes: tuple[HoldingChange, ...]


class RobberRoused(Struct, frozen=True):
    """A roll of seven."""


class Awarded(Struct, frozen=True):
    """A player gets an award; None means that no player has it now."""

    award: Award
    player: Player | None


class CardPlayed(Struct, frozen=True):
    """A development card is played; the following events contain its effect."""

    card: Card
    player: Player | None = None


class Offered(Struct, frozen=True):
    """An offer of a trade: the gains and losses of the offering player, and those of each asked player."""

    player: Player
    change: Holding
    answers: tuple[HoldingChange, ...]
    offer: str
    open: bool = False
    """Whether the first player to accept wins it: CGN's `?` form, even with one asked player."""


class Withdrawn(Struct, frozen=True):
    player: Player
    offer: str


class Accepted(Struct, frozen=True):
    player: Player
    offer: str


class Said(Struct, frozen=True):
    player: Player
    text: str


class Commented(Struct, frozen=True):
    text: str


class GameOver(Struct, frozen=True):
    winner: Player | None


Event = (
    Act
    | PhaseStarts
    | PhaseEnds
    | RoundStarts
    | RoundEnds
    | TurnStarts
    | PlayerJoins
    | PlayerLeaves
    | PlayerQuits
    | MapDefined
    | OrderRolled
    | OrderSet
    | Transferred
    | Produced
    | RobberRoused
    | Awarded
    | CardPlayed
    | Offered
    | Withdrawn
    | Accepted
    | Said
    | Commented
    | GameOver
)


MAX_VARIATION_DEPTH = 100
"""How deep variations may nest; a variation of the main line has depth 1."""


class Variation(Struct, frozen=True):
    """Another line of play: it replaces the event `at` of its line, and everything after it."""

    at: int
    """The index of an event in the line that has this variation."""
    events: tuple[Event, ...]
    variations: tuple["Variation", ...] = ()


class Record(Struct, frozen=True):
    """A game with the events of its notation."""

    events: tuple[Event, ...] = ()
    start: Position | None = None
    """The position before the first event; None if the text has none."""
    headers: tuple[tuple[str, str], ...] = ()
    """Facts about the game (event, date, players, seed, result), as key and value."""
    variations: tuple[Variation, ...] = ()
    """Other lines of play, in the order of the events that they replace."""

    @property
    def actions(self) -> tuple[Action, ...]:
        """The actions of the main line, without the other events."""
        return tuple(event.action for event in self.events if isinstance(event, Act))


def walk_variations(variations: Iterable[Variation]) -> Iterator[Variation]:
    """All variations: each one before its own variations.

    >>> inner = Variation(0, (Said(Player(1), "no"),))
    >>> [variation.at for variation in walk_variations([Variation(4, inner.events, (inner,))])]
    [4, 0]
    """
    for variation in variations:
        yield variation
        yield from walk_variations(variation.variations)
