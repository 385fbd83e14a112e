"""The columns of the table of operations: what a row of `Operation` states about an operation.

Every analysis and both engines derive what they need from these columns, so that a new row is enough.
"""

from enum import Enum
from typing import Literal

from msgspec import Struct


class Receiver(Enum):
    """The kind of value before the dot."""

    LIST = "list"
    TABLE = "table"
    PLAYERS = "players"
    GAME = "game"
    ENUM = "enum"
    CONSTRUCT = "construct"
    LOCAL_STATE = "local state"
    GROUP_STATE = "group state"
    TILE = "tile"
    INTERACTABLE = "interactable"
    GROUP = "group"
    BOARD = "board"
    STACK = "stack"
    NOTHING = "nothing"
    """A function such as `floor`."""


class MemberSpelling(Struct, frozen=True):
    """A spelling of an operation: read without parentheses (no `least`), or called with so many arguments."""

    receiver: Receiver
    name: str
    least: int | None = None
    most: int | None = None


ArgumentType = Literal[
    "number",
    "player",
    "element",  # an element of the list or table
    "elements",  # a list of the same type
    "direction",  # a number, or the name of a direction
    "tile",
    "new tile",  # a tile, or the name of a construct of which a new one is made
    "group",
    "stack",
    "cards",  # a card of the stack, or a list of such cards
]
"""The type of an argument."""

ResultType = Literal[
    "nothing",
    "by operands",  # the checker derives the type where it makes the node
    "decimal",
    "bool",
    "player",
    "players",
    "position",
    "receiver",  # the type of the receiver itself
    "element",
    "elements",  # a list of elements of the receiver
    "ordered element",  # an element; the elements must be numbers or members of an enum
    "total",  # a number; the elements must be numbers
    "index",  # a number for a list, a key for a table
    "tile",  # a tile that can be around the tile
    "tiles",
    "lines",  # a list of lists of tiles
    "places",  # a list of corners, sides or cells, if the board has any
    "placeables",
    "board",
    "group of tile",
    "tiles of group",
    "groups",
    "tile of piece",
    "stack of piece",
    "card",
    "cards",
    "body",  # the type of the body of a query
    "bodies",  # a list with the value of the body for each element
    "table of bodies",
]
"""The type of the result."""

BodyType = Literal[
    "condition",
    "number",
    "sort key",
    "value",
]
"""The type of the body of a query."""

Reads = Literal[
    "nothing",
    "board",  # the groups, the tiles and their links
    "places",  # which pieces are on which tiles
    "stacks",  # which cards are in which stacks
    "owners",  # which player a state belongs to
    "things",  # which things exist
    "players",  # who is in the game, and whose turn it is
    "group",  # everything in one group
    "game",  # the whole state
]
"""The part of the state that the result depends on, besides the operands."""

ChangedPart = Literal[
    "nothing",
    "list",  # the list that a variable or attribute holds; the program has a `Mutate` for it
    "board",
    "stacks",  # which cards are in which stacks, and which pieces are on which tiles
    "order",  # the order of the cards in one stack
    "owners",
]
"""The part of the state that an operation changes."""

ChanceDecision = Literal[
    "nothing",
    "card",  # which card of a shuffled stack it is
    "order",  # the order of a list
    "later",  # the stack becomes a shuffled one: chance decides when a card is taken
]
"""The decision of chance in an operation."""

Fuel = Literal[
    "nothing",
    "compared",  # a share of the elements that are compared, if the operands are lists
    "searched",  # a share of the things that are searched
    "size",  # a share of the whole state, or of all things: it is evaluated once for all elements of a query
]
"""The fuel that an operation costs, besides its weight."""
_WEIGHTS: dict[Fuel, int] = {"nothing": 1, "compared": 10, "searched": 10, "size": 20}

Elements = Literal[
    "any",
    "distinct",  # no element occurs twice, and none is not among them
    "distinct or none",  # no element occurs twice, but none may
]
"""The guarantee about the elements of the list that an operation returns."""


class OperationFacts(Struct, frozen=True):
    """A row of the table of operations."""

    members: tuple[MemberSpelling, ...] = ()
    """The names of the operation in the library; an operator or a conversion has none."""
    arguments: tuple[ArgumentType, ...] = ()
    """Besides the receiver; of an operator, its operands."""
    result: ResultType = "by operands"
    symbol: str = ""
    """The sign of an operator."""
    body: BodyType | None = None
    """Of a query."""
    reads: Reads = "nothing"
    writes: ChangedPart = "nothing"
    chance: ChanceDecision = "nothing"
    fuel: Fuel = "nothing"
    own_weight: int = 0
    """The `weight`, if it differs from that of other operations with the same fuel and the same effects."""
    elements: Elements = "any"
    may_be_none: bool = False
    """The result may be none although no operand is."""
    is_step: bool = False
    """With a player, the operator is a step around the table."""
    is_partial: bool = False
    """Some operands have no result, such as a division by zero: a fault. Overflow does not count."""
    stores: bool = False
    """The receiver holds the operand afterwards."""
    never_longer: bool = False
    """The list that it returns or changes has no more elements than the list before."""
    is_public: bool = False
    """Everybody may know the result, even if the receiver is secret."""
    is_shown: bool = False
    """The value helps a player to understand why a move is refused."""

    @property
    def weight(self) -> int:
        """The work of the operation in units of a plain node, as far as it does not depend on values."""
        if self.own_weight:
            return self.own_weight
        return max(_WEIGHTS[self.fuel], 1 if self.writes in ("nothing", "list") else 40)

    @property
    def is_query(self) -> bool:
        """The program has a `Query` for it."""
        return self.body is not None

    @property
    def changes_list(self) -> bool:
        """The program has a `Mutate` for it."""
        return self.writes == "list"

    @property
    def changes(self) -> bool:
        """It changes something. Such an operation is no part of a filter, a require or a query."""
        return self.writes != "nothing"

    @property
    def takes_chance(self) -> bool:
        """Chance may have to choose while it runs."""
        return self.chance in ("card", "order")

    @property
    def takes_card(self) -> bool:
        """Chance may have to choose a card of a shuffled stack."""
        return self.chance == "card"

    @property
    def shuffles_stack(self) -> bool:
        return self.chance == "later"

    @property
    def shows_cards(self) -> bool:
        """It returns cards of a stack and leaves them there."""
        return self.result in ("card", "cards") and not self.changes

    @property
    def draws_openly(self) -> bool:
        """It returns a card that chance chooses, and has no argument for a player who gets it."""
        return self.chance == "card" and self.result != "nothing" and "player" not in self.arguments

    @property
    def changes_board(self) -> bool:
        return self.writes == "board"

    @property
    def changes_owner(self) -> bool:
        return self.writes == "owners"

    @property
    def moves_things(self) -> bool:
        """It changes the stacks of cards, or the owner of a state."""
        return self.writes in ("stacks", "owners")

    @property
    def reads_whereabouts(self) -> bool:
        """It only reads the places of pieces and cards, or the owner of a state."""
        return self.reads in ("places", "stacks", "owners") and not self.changes

    @property
    def needs_running_game(self) -> bool:
        """A constant cannot use it: before the game there are no things and no turns."""
        return self.reads in ("things", "players", "game")

    @property
    def selects_elements(self) -> bool:
        """It returns elements of its source, none of them more often than it is in the source."""
        return self.result == "elements" and self.never_longer

    @property
    def is_position(self) -> bool:
        return self.result == "position"


def read(receivers: tuple[Receiver, ...], *names: str) -> tuple[MemberSpelling, ...]:
    """Members that are read without parentheses."""
    return tuple(MemberSpelling(receiver, name) for receiver in receivers for name in names)


def call(
    receivers: tuple[Receiver, ...], *names: str, least: int = 0, most: int | None = None
) -> tuple[MemberSpelling, ...]:
    """Members that are called with `least` to `most` arguments (default: exactly `least`)."""
    last = least if most is None else most
    return tuple(MemberSpelling(receiver, name, least, last) for receiver in receivers for name in names)


def query(receivers: tuple[Receiver, ...], name: str) -> tuple[MemberSpelling, ...]:
    """A member that is a query. It may have no body (`any()`): then the body is the element itself."""
    return call(receivers, name, least=0, most=1)
