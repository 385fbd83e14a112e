"""A record: where a game began and what happened, one event after another.

An `Act` is a player's action. The other events are what records say besides: who plays, how
turns are counted, what the bank paid out, offers, talk. A reader keeps every event that its
text has, in order, and invents none; `ludograph.notation.moves` translates between the ways
in which the notations tell the same game.
"""

from msgspec import Struct

from ludograph.settlers.actions import Action
from ludograph.settlers.goods import Card, Goods, NamedValue, Player
from ludograph.settlers.island import Island
from ludograph.settlers.position import Position


class Act(Struct, frozen=True):
    """A player acts. `player` is None where the notation leaves it to the turn order."""

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
    """A turn begins; it ends with an `Act(EndTurn())`."""

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
    """Everybody rolled to find out who begins: totals by player."""

    totals: tuple[tuple[Player, int], ...]


class OrderSet(Struct, frozen=True):
    """The players in turn order."""

    players: tuple[Player, ...]


class Holding(Struct, frozen=True):
    """Resources and pieces, as they change hands: negative is what is given away."""

    goods: Goods = Goods()
    villages: int = 0
    cities: int = 0
    roads: int = 0
    cards: int = 0
    """Development cards, kind unknown."""
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


Change = tuple[Player, Holding]
"""What a player (or the bank) gains and loses."""


class Transferred(Struct, frozen=True):
    """Goods or pieces changed hands; the changes add up to nothing."""

    changes: tuple[Change, ...]
    offer: str | None = None
    """The name of the offer that this trade fulfils."""

    @property
    def is_goods_only(self) -> bool:
        return all(holding.is_goods_only for _, holding in self.changes)


class Produced(Struct, frozen=True):
    """The bank paid out after a roll."""

    changes: tuple[Change, ...]


class RobberRoused(Struct, frozen=True):
    """A seven was rolled."""


class Award(NamedValue):
    LARGEST_ARMY = "largest army"
    LONGEST_ROAD = "longest road"


class Awarded(Struct, frozen=True):
    """An award changed hands; None sets it aside."""

    award: Award
    player: Player | None


class CardPlayed(Struct, frozen=True):
    """A development card was played, its effect told by the events that follow."""

    card: Card
    player: Player | None = None


class Offered(Struct, frozen=True):
    """A player offers a trade: what it would gain and lose, and what each asked player would."""

    player: Player
    change: Holding
    answers: tuple[Change, ...]
    offer: str
    open: bool = False
    """Whether the first to accept wins it: CGN's `?` form, even with one player asked."""


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


class Record(Struct, frozen=True):
    """A game as a notation tells it."""

    events: tuple[Event, ...] = ()
    start: Position | None = None
    """The position before the first event, where the notation gives one."""
    headers: tuple[tuple[str, str], ...] = ()
    """Facts about the game (event, date, players, seed, result), as key and value."""

    @property
    def actions(self) -> tuple[Action, ...]:
        """The players' actions, without the rest."""
        return tuple(event.action for event in self.events if isinstance(event, Act))
