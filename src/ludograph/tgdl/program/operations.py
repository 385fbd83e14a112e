"""The table of operations: the operators, functions and members of the standard library, one row each.

A row of `Operation` holds all properties of an operation; `operation_facts.py` defines the columns. The
checker looks up a member by its name and takes its type from the row, the analyses use the row, and each
engine has a table of code by operation. `tests/tgdl/program/test_tables.py` fails for an operation that an
engine has no code for.
"""

from enum import Enum

from msgspec import Struct

from ludograph.tgdl.program.operation_facts import OperationFacts, Receiver, ResultType, call, query, read

_LISTS = (Receiver.LIST, Receiver.TABLE)
_LIST = (Receiver.LIST,)
_PLAYERS = (Receiver.PLAYERS,)
_LOCAL_STATE = (Receiver.LOCAL_STATE,)
_GROUP_STATE = (Receiver.GROUP_STATE,)
_TILE = (Receiver.TILE,)
_PIECE = (Receiver.INTERACTABLE,)
_GROUP = (Receiver.GROUP,)
_BOARD = (Receiver.BOARD,)
_STACK = (Receiver.STACK,)
_FUNCTION = (Receiver.NOTHING,)


class Operation(Enum):
    """The operation of an `Apply`, a `Query` or a `Mutate`."""

    facts: OperationFacts

    def __new__(cls, facts: OperationFacts) -> "Operation":
        # Rows may be equal, so the value of a member is its number, not its row.
        member = object.__new__(cls)
        member._value_ = len(cls._member_names_) + 1
        member.facts = facts
        return member

    # Numbers. AS_NUMBER converts a player operand to a number; AS_PLAYER converts a result to a player,
    # modulo the number of players.
    ADD = OperationFacts((), ("number", "number"), "decimal", symbol="+", is_step=True)
    SUBTRACT = OperationFacts((), ("number", "number"), "decimal", symbol="-", is_step=True)
    MULTIPLY = OperationFacts((), ("number", "number"), "decimal", symbol="*")
    DIVIDE = OperationFacts((), ("number", "number"), "decimal", symbol="/", is_partial=True)
    POWER = OperationFacts((), ("number", "number"), "decimal", symbol="^", is_partial=True)
    MODULO = OperationFacts((), ("number", "number"), "decimal", symbol="%", is_partial=True)
    NEGATE = OperationFacts((), ("number",), "decimal", symbol="-", is_step=True)
    FLOOR = OperationFacts(call(_FUNCTION, "floor", least=1), ("number",), "decimal")
    CEIL = OperationFacts(call(_FUNCTION, "ceil", least=1), ("number",), "decimal")
    ROUND = OperationFacts(call(_FUNCTION, "round", least=1), ("number",), "decimal")
    ABS = OperationFacts(call(_FUNCTION, "abs", least=1), ("number",), "decimal")
    LEAST = OperationFacts(call(_FUNCTION, "min", least=1, most=255), ("number",), "decimal")
    """`min(a, b, …)`."""
    GREATEST = OperationFacts(call(_FUNCTION, "max", least=1, most=255), ("number",), "decimal")
    AS_NUMBER = OperationFacts((), ("player",), "decimal")
    AS_PLAYER = OperationFacts((), ("number",), "player", may_be_none=True)
    ENUM_NUMBER = OperationFacts(result="decimal", may_be_none=True)
    """`r as decimal` of a member of an enum; the other operands are the numbers of all members."""

    # Comparison.
    LESS = OperationFacts((), ("number", "number"), "bool", symbol="<")
    GREATER = OperationFacts((), ("number", "number"), "bool", symbol=">")
    LESS_OR_EQUAL = OperationFacts((), ("number", "number"), "bool", symbol="<=")
    GREATER_OR_EQUAL = OperationFacts((), ("number", "number"), "bool", symbol=">=")
    EQUAL = OperationFacts(result="bool", symbol="==", fuel="compared")
    """Two none values are not equal; compared with the literal, IS_NONE is used.

    A player and a decimal may be compared as they are: by the player's number, and none is equal to neither.
    """
    IS_NONE = OperationFacts(result="bool")
    NOT = OperationFacts(result="bool", symbol="not")
    XOR = OperationFacts(result="bool", symbol="xor")

    # Lists and tables.
    LENGTH = OperationFacts(read(_LISTS, "length"), (), "decimal", is_shown=True)
    AT = OperationFacts(may_be_none=True, is_shown=True)
    """`list[i]`: none out of range; `table[k]`."""
    CONTAINS = OperationFacts(call(_LISTS, "contains", least=1), ("element",), "bool", fuel="compared")
    FIND = OperationFacts(
        call(_LISTS, "find", least=1),
        ("element",),
        "index",
        fuel="compared",
        may_be_none=True,
    )
    FIRST = OperationFacts(read(_LIST, "first") + call(_LIST, "first"), (), "element", may_be_none=True)
    LAST = OperationFacts(read(_LIST, "last") + call(_LIST, "last"), (), "element", may_be_none=True)
    COPY = OperationFacts(call(_LISTS, "copy"), (), "receiver", may_be_none=True, never_longer=True)
    SUM = OperationFacts(call(_LISTS, "sum"), (), "total", fuel="compared")
    LARGEST = OperationFacts(call(_LISTS, "max"), (), "ordered element", fuel="compared", may_be_none=True)
    SMALLEST = OperationFacts(call(_LISTS, "min"), (), "ordered element", fuel="compared", may_be_none=True)
    COUNT_VALUE = OperationFacts(call(_LISTS, "count", least=1), ("element",), "decimal", fuel="compared")
    """`table.count(v)`: how many entries equal v."""

    # Changing a list in its place (Mutate).
    APPEND = OperationFacts(
        call(_LIST, "append", least=1),
        ("elements",),
        "nothing",
        writes="list",
        stores=True,
    )
    ADD_ITEM = OperationFacts(
        call(_LIST, "add", least=1), ("element",), "nothing", writes="list", stores=True
    )
    CLEAR = OperationFacts(call(_LIST, "clear"), (), "nothing", writes="list", never_longer=True)
    REMOVE_AT = OperationFacts(
        call(_LIST, "removeAt", least=1),
        ("number",),
        "nothing",
        writes="list",
        never_longer=True,
    )
    REMOVE = OperationFacts(
        call(_LIST, "remove", least=1),
        ("element",),
        "nothing",
        writes="list",
        fuel="compared",
        never_longer=True,
    )
    REMOVE_RANGE = OperationFacts(
        call(_LIST, "removeRange", least=1),
        ("elements",),
        "nothing",
        writes="list",
        fuel="compared",
        never_longer=True,
    )
    POP = OperationFacts(
        call(_LIST, "pop"), (), "element", writes="list", may_be_none=True, never_longer=True
    )
    SHUFFLE = OperationFacts(
        call(_LIST, "shuffle"),
        (),
        "nothing",
        writes="list",
        chance="order",
        never_longer=True,
    )

    # Queries.
    ANY = OperationFacts(query(_LISTS, "any"), (), "bool", body="condition")
    ALL = OperationFacts(query(_LISTS, "all"), (), "bool", body="condition")
    COUNT = OperationFacts(query(_LISTS, "count"), (), "decimal", body="condition")
    WHERE = OperationFacts(query(_LISTS, "where"), (), "elements", body="condition", never_longer=True)
    FIRST_WHERE = OperationFacts(query(_LIST, "first"), (), "element", body="condition", may_be_none=True)
    UNTIL = OperationFacts(query(_LISTS, "until"), (), "elements", body="condition", never_longer=True)
    SUM_OF = OperationFacts(query(_LISTS, "sum"), (), "decimal", body="number")
    LARGEST_OF = OperationFacts(query(_LISTS, "max"), (), "body", body="number", may_be_none=True)
    SMALLEST_OF = OperationFacts(query(_LISTS, "min"), (), "body", body="number", may_be_none=True)
    SORTED = OperationFacts(query(_LISTS, "sorted"), (), "elements", body="sort key", never_longer=True)
    MOST_OF = OperationFacts(query(_LISTS, "most"), (), "elements", body="sort key", never_longer=True)
    """`list.most(x: e)`: the elements with the greatest e."""
    LEAST_OF = OperationFacts(query(_LISTS, "least"), (), "elements", body="sort key", never_longer=True)
    MAP = OperationFacts(query(_LISTS, "map"), (), "bodies", body="value", never_longer=True)
    REGION = OperationFacts(query(_TILE, "region"), (), "elements", body="condition", reads="board")
    TABLE_OF = OperationFacts(query(_PLAYERS, "table"), (), "table of bodies", body="value")
    """`players.table(p: e)`."""

    # Kinds of thing.
    INSTANCES = OperationFacts(
        read((Receiver.CONSTRUCT,), "all"),
        reads="things",
        fuel="size",
        elements="distinct",
    )
    """`T.all` of a construct: it has no operand; the type of the node has the construct."""
    INSTANCES_OFF = OperationFacts(
        read((Receiver.CONSTRUCT,), "off"),
        reads="things",
        fuel="size",
        elements="distinct",
    )
    """`T.off` of an interactable: those that are on no tile and in no stack."""
    MEMBERS = OperationFacts(read((Receiver.ENUM,), "all", "count"), elements="distinct")
    """`E.all` of an enum."""
    STATE_OF = OperationFacts(reads="things", fuel="searched", may_be_none=True)
    """`seat[p]`: a player's local state."""

    # Players.
    PLAYERS_ALL = OperationFacts(read(_PLAYERS, "all"), (), "players", elements="distinct")
    PLAYERS_COUNT = OperationFacts(read(_PLAYERS, "count", "length"), (), "decimal")
    PLAYERS_ACTIVE = OperationFacts(read(_PLAYERS, "active"), (), "player", reads="players")
    PLAYERS_IN = OperationFacts(read(_PLAYERS, "in"), (), "players", reads="players", elements="distinct")
    PLAYERS_NEXT = OperationFacts(
        call(_PLAYERS, "next", least=1), ("player",), "player", reads="players", own_weight=10
    )

    # States.
    OWNER = OperationFacts(
        read((Receiver.LOCAL_STATE, Receiver.STACK), "player"),
        (),
        "player",
        reads="owners",
        may_be_none=True,
        is_public=True,
        is_shown=True,
    )
    """`state.player` of a local state."""
    OWNERS = OperationFacts(
        read((Receiver.LOCAL_STATE, Receiver.GROUP_STATE), "players"), (), "players", reads="owners"
    )
    ASSIGN_TO = OperationFacts(
        call(_LOCAL_STATE, "assign_to", least=1), ("player",), "nothing", writes="owners"
    )
    TRANSFER_TO = OperationFacts(
        call(_LOCAL_STATE, "transfer_to", least=1), ("player",), "nothing", writes="owners"
    )
    ATTACH = OperationFacts(
        call(_LOCAL_STATE, "attach", least=1) + call(_GROUP_STATE, "attach", "assign_to", least=1),
        ("player",),
        "nothing",
        writes="owners",
    )
    DETACH = OperationFacts(
        call(_LOCAL_STATE, "remove", least=0, most=1) + call(_GROUP_STATE, "remove", least=1),
        ("player",),
        "nothing",
        writes="owners",
    )

    # Tiles.
    ADJACENT = OperationFacts(read(_TILE, "adjacent"), (), "tiles", reads="board", elements="distinct")
    ROW = OperationFacts(
        read(_TILE, "row", "x"), (), "decimal", reads="board", may_be_none=True, is_shown=True
    )
    COLUMN = OperationFacts(
        read(_TILE, "column", "y"), (), "decimal", reads="board", may_be_none=True, is_shown=True
    )
    NEXT = OperationFacts(
        call(_TILE, "next", least=1), ("direction",), "tile", reads="board", may_be_none=True
    )
    LINE = OperationFacts(
        call(_TILE, "line", least=1),
        ("direction",),
        "tiles",
        reads="board",
        fuel="searched",
        elements="distinct",
    )
    LINES = OperationFacts(
        call(_TILE, "lines", least=1) + read(_TILE, "lines"),
        ("number",),
        "lines",
        reads="board",
        fuel="searched",
        own_weight=20,
    )
    BETWEEN = OperationFacts(
        call(_TILE, "between", least=1),
        ("tile",),
        "tiles",
        reads="board",
        fuel="searched",
        own_weight=30,
    )
    DISTANCE = OperationFacts(
        call(_TILE, "distance", least=1),
        ("tile",),
        "decimal",
        reads="board",
        fuel="searched",
        may_be_none=True,
    )
    CORNERS = OperationFacts(read(_TILE, "corners"), (), "places", reads="board", elements="distinct or none")
    SIDES = OperationFacts(read(_TILE, "sides"), (), "places", reads="board", elements="distinct or none")
    CELLS = OperationFacts(read(_TILE, "cells"), (), "places", reads="board", elements="distinct or none")
    PLACEABLES = OperationFacts(read(_TILE, "placeables"), (), "placeables", reads="places", fuel="searched")
    HELD = OperationFacts(reads="places", fuel="searched", may_be_none=True, is_shown=True)
    """`s.man` of a tile that holds men."""
    BOARD_OF = OperationFacts(read((Receiver.TILE, Receiver.GROUP), "board"), (), "board", may_be_none=True)
    GROUP_OF = OperationFacts(read(_TILE, "group"), (), "group of tile", reads="board", may_be_none=True)

    # Interactables.
    TILE_OF = OperationFacts(
        read(_PIECE, "tile"), (), "tile of piece", reads="places", may_be_none=True, is_shown=True
    )
    STACK_OF = OperationFacts(read(_PIECE, "stack"), (), "stack of piece", reads="stacks", may_be_none=True)

    # Groups and the board.
    TILES = OperationFacts(
        read((Receiver.GROUP, Receiver.BOARD), "tiles"),
        (),
        "tiles of group",
        reads="board",
        fuel="searched",
        elements="distinct",
    )
    GROUPS = OperationFacts(
        read(_BOARD, "groups"), (), "groups", reads="board", fuel="searched", elements="distinct"
    )
    TILE_AT = OperationFacts(reads="board", may_be_none=True)
    """`grid[row][column]`."""
    GROUP_POSITION = OperationFacts(read(_GROUP, "position"), (), "position", reads="group", fuel="size")
    GAME_POSITION = OperationFacts(
        read((Receiver.GAME,), "position"), (), "position", reads="game", fuel="size"
    )
    ADD_TILE = OperationFacts(
        call(_GROUP, "add", least=3),
        ("new tile", "number", "number"),
        "nothing",
        writes="board",
    )
    REMOVE_TILE = OperationFacts(call(_GROUP, "remove", least=1), ("tile",), "nothing", writes="board")
    ADD_GROUP = OperationFacts(call(_BOARD, "add", least=1), ("group",), "nothing", writes="board")
    REMOVE_GROUP = OperationFacts(call(_BOARD, "remove", least=1), ("group",), "nothing", writes="board")

    # Stacks.
    STACK_LENGTH = OperationFacts(
        read(_STACK, "length"), (), "decimal", reads="stacks", is_public=True, is_shown=True
    )
    TOP = OperationFacts(read(_STACK, "top"), (), "card", reads="stacks", chance="card", may_be_none=True)
    STACK_POP = OperationFacts(
        call(_STACK, "pop"), (), "card", writes="stacks", chance="card", may_be_none=True
    )
    STACK_POP_SOME = OperationFacts(
        call(_STACK, "pop", least=1),
        ("number",),
        "cards",
        writes="stacks",
        chance="card",
    )
    STACK_POP_BACK = OperationFacts(
        call(_STACK, "pop_back"), (), "card", writes="stacks", chance="card", may_be_none=True
    )
    PUSH = OperationFacts(call(_STACK, "push", least=1), ("cards",), "nothing", writes="stacks", stores=True)
    PUSH_BACK = OperationFacts(
        call(_STACK, "push_back", least=1),
        ("cards",),
        "nothing",
        writes="stacks",
        stores=True,
    )
    STACK_SHUFFLE = OperationFacts(call(_STACK, "shuffle"), (), "nothing", writes="order", chance="later")
    DRAW = OperationFacts(
        call(_STACK, "draw", least=1),
        ("player",),
        "card",
        writes="stacks",
        chance="card",
        may_be_none=True,
    )
    DISCARD_TO = OperationFacts(
        call(_STACK, "discard_to", least=1),
        ("stack",),
        "nothing",
        writes="stacks",
        chance="card",
    )
    RESHUFFLE = OperationFacts(
        call(_STACK, "reshuffle", least=1),
        ("stack",),
        "nothing",
        writes="stacks",
        chance="later",
        stores=True,
    )
    CARDS = OperationFacts(
        read(_STACK, "cards"),
        (),
        "cards",
        reads="stacks",
        fuel="searched",
        elements="distinct",
    )
    """A stack as the list of its cards, for `in hand`, queries and `contains`."""

    def __repr__(self) -> str:
        return f"Operation.{self.name}"


class LibraryMember(Struct, frozen=True):
    """One form of a member: read without parentheses (`least` is None), or called with `least` to `most`
    arguments.
    """

    operation: Operation
    least: int | None = None
    most: int | None = None

    @property
    def changes(self) -> bool:
        return self.operation.facts.changes

    @property
    def is_query(self) -> bool:
        return self.operation.facts.is_query


def _members() -> dict[Receiver, dict[str, tuple[LibraryMember, ...]]]:
    found: dict[Receiver, dict[str, tuple[LibraryMember, ...]]] = {receiver: {} for receiver in Receiver}
    for operation in Operation:
        for member in operation.facts.members:
            form = LibraryMember(operation, member.least, member.most)
            forms = found[member.receiver]
            forms[member.name] = (*forms.get(member.name, ()), form)
    return found


# One name may have several forms: a read, calls with different numbers of arguments, or a query. The checker
# selects the form by the syntax of the use; among calls with the same number of arguments, the first form.
MEMBERS = _members()


def _operators(result: ResultType) -> dict[str, Operation]:
    """The operators with two numbers and this result, by their symbols."""
    wanted = ("number", "number")
    found = [one for one in Operation if one.facts.arguments == wanted and one.facts.result is result]
    return {operation.facts.symbol: operation for operation in found}


ARITHMETIC = _operators("decimal")
COMPARISON = _operators("bool")

# Spellings of the first version of the language, and the spellings that the formatter writes instead.
SPELLINGS = {"lenght": "length", "remove_at": "removeAt", "remove_range": "removeRange"}

# The numbers of the named directions, by the shape of the group. Corners, sides and graphs have none.
_EIGHTHS = ("north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest")
_ROW_SIXTHS = ("northeast", "east", "southeast", "southwest", "west", "northwest")
_COLUMN_SIXTHS = ("north", "northeast", "southeast", "south", "southwest", "northwest")
DIRECTIONS: dict[str, dict[str, int]] = {
    "square": {name: number for number, name in enumerate(_EIGHTHS)},
    "square around": {name: number for number, name in enumerate(_EIGHTHS)},
    "hex row": {name: number for number, name in enumerate(_ROW_SIXTHS)},
    "hex rhombus": {name: number for number, name in enumerate(_ROW_SIXTHS)},
    "hex hexagon": {name: number for number, name in enumerate(_ROW_SIXTHS)},
    "hex col": {name: number for number, name in enumerate(_COLUMN_SIXTHS)},
}
