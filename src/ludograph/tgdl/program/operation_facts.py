"""The columns of the table of operations: what a row of `Operation` states about an operation.

Every analysis and both engines derive what they need from these columns, so that a new row is enough.
"""

from enum import Enum, auto

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


class Member(Struct, frozen=True):
    """A spelling of an operation: read without parentheses (no `least`), or called with so many arguments."""

    receiver: Receiver
    name: str
    least: int | None = None
    most: int | None = None


class Argument(Enum):
    """The type of an argument."""

    NUMBER = auto()
    PLAYER = auto()
    ELEMENT = auto()
    """An element of the list or table."""
    ELEMENTS = auto()
    """A list of the same type."""
    DIRECTION = auto()
    """A number, or the name of a direction."""
    TILE = auto()
    NEW_TILE = auto()
    """A tile, or the name of a construct of which a new one is made."""
    GROUP = auto()
    STACK = auto()
    CARDS = auto()
    """A card of the stack, or a list of such cards."""


class Result(Enum):
    """The type of the result."""

    NOTHING = auto()
    BY_OPERANDS = auto()
    """The checker derives the type where it makes the node."""
    DECIMAL = auto()
    BOOL = auto()
    PLAYER = auto()
    PLAYERS = auto()
    POSITION = auto()
    RECEIVER = auto()
    """The type of the receiver itself."""
    ELEMENT = auto()
    ELEMENTS = auto()
    """A list of elements of the receiver."""
    ORDERED_ELEMENT = auto()
    """An element; the elements must be numbers or members of an enum."""
    TOTAL = auto()
    """A number; the elements must be numbers."""
    INDEX = auto()
    """A number for a list, a key for a table."""
    TILE = auto()
    """A tile that can be around the tile."""
    TILES = auto()
    LINES = auto()
    """A list of lists of tiles."""
    PLACES = auto()
    """A list of corners, sides or cells, if the board has any."""
    PLACEABLES = auto()
    BOARD = auto()
    GROUP_OF_TILE = auto()
    TILES_OF_GROUP = auto()
    TILE_OF_PIECE = auto()
    STACK_OF_PIECE = auto()
    CARD = auto()
    CARDS = auto()
    BODY = auto()
    """The type of the body of a query."""
    BODIES = auto()
    """A list with the value of the body for each element."""
    TABLE_OF_BODIES = auto()


class Body(Enum):
    """The type of the body of a query."""

    CONDITION = auto()
    NUMBER = auto()
    SORT_KEY = auto()
    VALUE = auto()


class Reads(Enum):
    """The part of the state that the result depends on, besides the operands."""

    NOTHING = auto()
    BOARD = auto()
    """The groups, the tiles and their links."""
    PLACES = auto()
    """Which pieces are on which tiles."""
    STACKS = auto()
    """Which cards are in which stacks."""
    OWNERS = auto()
    """Which player a state belongs to."""
    THINGS = auto()
    """Which things exist."""
    PLAYERS = auto()
    """Who is in the game, and whose turn it is."""
    GROUP = auto()
    """Everything in one group."""
    GAME = auto()
    """The whole state."""


class Writes(Enum):
    """The part of the state that an operation changes."""

    NOTHING = auto()
    LIST = auto()
    """The list that a variable or attribute holds; the program has a `Mutate` for it."""
    BOARD = auto()
    STACKS = auto()
    """Which cards are in which stacks, and which pieces are on which tiles."""
    ORDER = auto()
    """The order of the cards in one stack."""
    OWNERS = auto()


class Chance(Enum):
    """What chance decides."""

    NOTHING = auto()
    CARD = auto()
    """Which card of a shuffled stack it is."""
    ORDER = auto()
    """The order of a list."""
    LATER = auto()
    """The stack becomes a shuffled one: chance decides when a card is taken."""


class Fuel(Enum):
    """The fuel that an operation costs, besides the unit that every node costs."""

    NOTHING = auto()
    COMPARED = auto()
    """A share of the elements that are compared, if the operands are lists."""
    SEARCHED = auto()
    """A share of the things that are searched."""
    SIZE = auto()
    """A share of the whole state, or of all things: worth keeping for all elements of a query."""


class Elements(Enum):
    """What is known about the elements of a list that an operation gives."""

    ANY = auto()
    DISTINCT = auto()
    """No element occurs twice, and none is not among them."""
    DISTINCT_OR_NONE = auto()
    """No element occurs twice, but none may."""


class Facts(Struct, frozen=True):
    """A row of the table of operations."""

    members: tuple[Member, ...] = ()
    """How the library spells it; an operator or a conversion has no member."""
    arguments: tuple[Argument, ...] = ()
    """Besides the receiver; of an operator, its operands."""
    result: Result = Result.BY_OPERANDS
    symbol: str = ""
    """The sign of an operator."""
    body: Body | None = None
    """Of a query."""
    reads: Reads = Reads.NOTHING
    writes: Writes = Writes.NOTHING
    chance: Chance = Chance.NOTHING
    fuel: Fuel = Fuel.NOTHING
    elements: Elements = Elements.ANY
    may_be_none: bool = False
    """The result may be none although no operand is."""
    is_step: bool = False
    """With a player, the operator is a step around the table."""
    is_partial: bool = False
    """Some operands have no result, such as a division by zero: a fault. Overflow does not count."""
    stores: bool = False
    """The receiver holds the operand afterwards."""
    never_longer: bool = False
    """The list that it gives or changes has no more elements than the list before."""
    is_public: bool = False
    """Everybody may know the result, even if the receiver is secret."""
    is_shown: bool = False
    """The value helps a player to understand why a move is refused."""

    @property
    def is_query(self) -> bool:
        """The program has a `Query` for it."""
        return self.body is not None

    @property
    def changes_list(self) -> bool:
        """The program has a `Mutate` for it."""
        return self.writes is Writes.LIST

    @property
    def changes(self) -> bool:
        """It changes something. Such an operation is no part of a filter, a require or a query."""
        return self.writes is not Writes.NOTHING

    @property
    def takes_chance(self) -> bool:
        """Chance may have to choose while it runs."""
        return self.chance is Chance.CARD or self.chance is Chance.ORDER

    @property
    def takes_card(self) -> bool:
        """Chance may have to choose a card of a shuffled stack."""
        return self.chance is Chance.CARD

    @property
    def shuffles_stack(self) -> bool:
        return self.chance is Chance.LATER

    @property
    def shows_cards(self) -> bool:
        """It gives cards of a stack and leaves them there."""
        return self.result in (Result.CARD, Result.CARDS) and not self.changes

    @property
    def draws_openly(self) -> bool:
        """It gives a card that chance chooses, and names nobody who gets it."""
        return (
            self.chance is Chance.CARD
            and self.result is not Result.NOTHING
            and Argument.PLAYER not in self.arguments
        )

    @property
    def changes_board(self) -> bool:
        return self.writes is Writes.BOARD

    @property
    def changes_owner(self) -> bool:
        return self.writes is Writes.OWNERS

    @property
    def moves_things(self) -> bool:
        """It changes where cards are, or whose a state is."""
        return self.writes is Writes.STACKS or self.writes is Writes.OWNERS

    @property
    def reads_whereabouts(self) -> bool:
        """It only reads where pieces and cards are, or whose a state is."""
        return self.reads in (Reads.PLACES, Reads.STACKS, Reads.OWNERS) and not self.changes

    @property
    def needs_running_game(self) -> bool:
        """A constant cannot use it: before the game there are no things and no turns."""
        return self.reads in (Reads.THINGS, Reads.PLAYERS, Reads.GAME)

    @property
    def is_position(self) -> bool:
        return self.result is Result.POSITION


def read(receivers: tuple[Receiver, ...], *names: str) -> tuple[Member, ...]:
    """Spellings without parentheses."""
    return tuple(Member(receiver, name) for receiver in receivers for name in names)


def call(
    receivers: tuple[Receiver, ...], *names: str, least: int = 0, most: int | None = None
) -> tuple[Member, ...]:
    """Spellings with parentheses and so many arguments."""
    last = least if most is None else most
    return tuple(Member(receiver, name, least, last) for receiver in receivers for name in names)


def query(receivers: tuple[Receiver, ...], name: str) -> tuple[Member, ...]:
    """The spelling of a query. It may have no body (`any()`): then the body is the element itself."""
    return call(receivers, name, least=0, most=1)
