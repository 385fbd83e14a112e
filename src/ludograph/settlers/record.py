"""A record: where a game began and what happened, one event after another.

An `Act` is a player's action. The other events are what records say besides: who plays, how
turns are counted, what the bank paid out, offers, talk. A reader keeps every event that its
text has, in order, and invents none; `ludograph.notation.moves` translates between the ways
in which the notations tell the same game.
"""

from dataclasses import dataclass

from ludograph.settlers.actions import Action
from ludograph.settlers.goods import Card, Goods, Player, Word
from ludograph.settlers.island import Island
from ludograph.settlers.position import Position


@dataclass(frozen=True, slots=True)
class Act:
    """A player acts. `player` is None where the notation leaves it to the turn order."""

    action: Action
    player: Player | None = None


class Phase(Word):
    """The three phases of a CGN record."""

    SETUP = "Setup"
    DEPLOYMENT = "Deployment"
    PLAY = "Play"


@dataclass(frozen=True, slots=True)
class PhaseStarts:
    phase: Phase


@dataclass(frozen=True, slots=True)
class PhaseEnds:
    phase: Phase


@dataclass(frozen=True, slots=True)
class RoundStarts:
    number: int


@dataclass(frozen=True, slots=True)
class RoundEnds:
    number: int


@dataclass(frozen=True, slots=True)
class TurnStarts:
    """A turn begins; it ends with an `Act(EndTurn())`."""

    player: Player


@dataclass(frozen=True, slots=True)
class PlayerJoins:
    player: Player


@dataclass(frozen=True, slots=True)
class PlayerLeaves:
    player: Player | None = None


@dataclass(frozen=True, slots=True)
class PlayerQuits:
    player: Player


@dataclass(frozen=True, slots=True)
class MapDefined:
    island: Island


@dataclass(frozen=True, slots=True)
class OrderRolled:
    """Everybody rolled to find out who begins: totals by player."""

    totals: tuple[tuple[Player, int], ...]


@dataclass(frozen=True, slots=True)
class OrderSet:
    """The players in turn order."""

    players: tuple[Player, ...]


@dataclass(frozen=True, slots=True)
class Holding:
    """Resources and pieces, as they change hands: negative is what is given away."""

    goods: Goods = Goods()
    villages: int = 0
    cities: int = 0
    roads: int = 0
    cards: int = 0
    """Development cards, kind unknown."""
    armies: int = 0
    longest_roads: int = 0


Change = tuple[Player, Holding]
"""What a player (or the bank) gains and loses."""


@dataclass(frozen=True, slots=True)
class Transferred:
    """Goods or pieces changed hands; the changes add up to nothing."""

    changes: tuple[Change, ...]
    offer: str | None = None
    """The offer that this trade fulfils."""


@dataclass(frozen=True, slots=True)
class Produced:
    """The bank paid out after a roll."""

    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class RobberRoused:
    """A seven was rolled."""


class Award(Word):
    LARGEST_ARMY = "largest army"
    LONGEST_ROAD = "longest road"


@dataclass(frozen=True, slots=True)
class Awarded:
    """An award changed hands; None sets it aside."""

    award: Award
    player: Player | None


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """A development card was played, its effect told by the events that follow."""

    card: Card
    player: Player | None = None


@dataclass(frozen=True, slots=True)
class Offered:
    """A player offers a trade: what it would gain and lose, and what each asked player would."""

    player: Player
    change: Holding
    answers: tuple[Change, ...]
    offer: str
    open: bool = False
    """Whether the first to accept wins it: CGN's `?` form, even with one player asked."""


@dataclass(frozen=True, slots=True)
class Withdrawn:
    player: Player
    offer: str


@dataclass(frozen=True, slots=True)
class Accepted:
    player: Player
    offer: str


@dataclass(frozen=True, slots=True)
class Said:
    player: Player
    text: str


@dataclass(frozen=True, slots=True)
class Commented:
    text: str


@dataclass(frozen=True, slots=True)
class GameOver:
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


@dataclass(frozen=True, slots=True)
class Record:
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
