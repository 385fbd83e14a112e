"""The table of operations: everything that the language brings along, one row each.

A row of `Operation` states all that is known about an operation; `operation_facts.py` explains the columns.
The checker finds a member by its name and types it, the analyses ask the row, and each engine has a table
of code by operation. `tests/tgdl/test_tables.py` names an operation that an engine has no code for.
"""

from enum import Enum

from msgspec import Struct

from ludograph.tgdl.program.operation_facts import Facts, Receiver, Result, call, query, read

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

    facts: Facts

    def __new__(cls, facts: Facts) -> "Operation":
        # Rows may be equal, so the value of a member is its number, not its row.
        member = object.__new__(cls)
        member._value_ = len(cls._member_names_) + 1
        member.facts = facts
        return member

    # Numbers. Players used as numbers come in as AS_NUMBER and go out as AS_PLAYER, which wraps.
    ADD = Facts((), ("number", "number"), "decimal", symbol="+", is_step=True)
    SUBTRACT = Facts((), ("number", "number"), "decimal", symbol="-", is_step=True)
    MULTIPLY = Facts((), ("number", "number"), "decimal", symbol="*")
    DIVIDE = Facts((), ("number", "number"), "decimal", symbol="/", is_partial=True)
    POWER = Facts((), ("number", "number"), "decimal", symbol="^", is_partial=True)
    MODULO = Facts((), ("number", "number"), "decimal", symbol="%", is_partial=True)
    NEGATE = Facts((), ("number",), "decimal", symbol="-", is_step=True)
    FLOOR = Facts(call(_FUNCTION, "floor", least=1), ("number",), "decimal")
    CEIL = Facts(call(_FUNCTION, "ceil", least=1), ("number",), "decimal")
    ROUND = Facts(call(_FUNCTION, "round", least=1), ("number",), "decimal")
    ABS = Facts(call(_FUNCTION, "abs", least=1), ("number",), "decimal")
    LEAST = Facts(call(_FUNCTION, "min", least=1, most=255), ("number",), "decimal")
    """`min(a, b, …)`."""
    GREATEST = Facts(call(_FUNCTION, "max", least=1, most=255), ("number",), "decimal")
    AS_NUMBER = Facts((), ("player",), "decimal")
    AS_PLAYER = Facts((), ("number",), "player", may_be_none=True)
    ENUM_NUMBER = Facts(result="decimal", may_be_none=True)
    """`r as decimal` of a member of an enum; the other operands are the numbers of all members."""

    # Comparison.
    LESS = Facts((), ("number", "number"), "bool", symbol="<")
    GREATER = Facts((), ("number", "number"), "bool", symbol=">")
    LESS_OR_EQUAL = Facts((), ("number", "number"), "bool", symbol="<=")
    GREATER_OR_EQUAL = Facts((), ("number", "number"), "bool", symbol=">=")
    EQUAL = Facts(result="bool", symbol="==", fuel="compared")
    """Two none values are not equal; compared with the literal, IS_NONE is used.

    A player and a decimal may be compared as they are: by the player's number, and none is equal to neither.
    """
    IS_NONE = Facts(result="bool")
    NOT = Facts(result="bool", symbol="not")
    XOR = Facts(result="bool", symbol="xor")

    # Lists and tables.
    LENGTH = Facts(read(_LISTS, "length"), (), "decimal", is_shown=True)
    AT = Facts(may_be_none=True, is_shown=True)
    """`list[i]`: none out of range; `table[k]`."""
    CONTAINS = Facts(call(_LISTS, "contains", least=1), ("element",), "bool", fuel="compared")
    FIND = Facts(
        call(_LISTS, "find", least=1),
        ("element",),
        "index",
        fuel="compared",
        may_be_none=True,
    )
    FIRST = Facts(read(_LIST, "first") + call(_LIST, "first"), (), "element", may_be_none=True)
    LAST = Facts(read(_LIST, "last") + call(_LIST, "last"), (), "element", may_be_none=True)
    COPY = Facts(call(_LISTS, "copy"), (), "receiver", may_be_none=True, never_longer=True)
    SUM = Facts(call(_LISTS, "sum"), (), "total", fuel="compared")
    LARGEST = Facts(call(_LISTS, "max"), (), "ordered element", fuel="compared", may_be_none=True)
    SMALLEST = Facts(call(_LISTS, "min"), (), "ordered element", fuel="compared", may_be_none=True)
    COUNT_VALUE = Facts(call(_LISTS, "count", least=1), ("element",), "decimal", fuel="compared")
    """`table.count(v)`: how many entries equal v."""

    # Changing a list in its place (Mutate).
    APPEND = Facts(
        call(_LIST, "append", least=1),
        ("elements",),
        "nothing",
        writes="list",
        stores=True,
    )
    ADD_ITEM = Facts(call(_LIST, "add", least=1), ("element",), "nothing", writes="list", stores=True)
    CLEAR = Facts(call(_LIST, "clear"), (), "nothing", writes="list", never_longer=True)
    REMOVE_AT = Facts(
        call(_LIST, "removeAt", least=1),
        ("number",),
        "nothing",
        writes="list",
        never_longer=True,
    )
    REMOVE = Facts(
        call(_LIST, "remove", least=1),
        ("element",),
        "nothing",
        writes="list",
        fuel="compared",
        never_longer=True,
    )
    REMOVE_RANGE = Facts(
        call(_LIST, "removeRange", least=1),
        ("elements",),
        "nothing",
        writes="list",
        fuel="compared",
        never_longer=True,
    )
    POP = Facts(call(_LIST, "pop"), (), "element", writes="list", may_be_none=True, never_longer=True)
    SHUFFLE = Facts(
        call(_LIST, "shuffle"),
        (),
        "nothing",
        writes="list",
        chance="order",
        never_longer=True,
    )

    # Queries.
    ANY = Facts(query(_LISTS, "any"), (), "bool", body="condition")
    ALL = Facts(query(_LISTS, "all"), (), "bool", body="condition")
    COUNT = Facts(query(_LISTS, "count"), (), "decimal", body="condition")
    WHERE = Facts(query(_LISTS, "where"), (), "elements", body="condition", never_longer=True)
    FIRST_WHERE = Facts(query(_LIST, "first"), (), "element", body="condition", may_be_none=True)
    UNTIL = Facts(query(_LISTS, "until"), (), "elements", body="condition", never_longer=True)
    SUM_OF = Facts(query(_LISTS, "sum"), (), "decimal", body="number")
    LARGEST_OF = Facts(query(_LISTS, "max"), (), "body", body="number", may_be_none=True)
    SMALLEST_OF = Facts(query(_LISTS, "min"), (), "body", body="number", may_be_none=True)
    SORTED = Facts(query(_LISTS, "sorted"), (), "elements", body="sort key", never_longer=True)
    MOST_OF = Facts(query(_LISTS, "most"), (), "elements", body="sort key", never_longer=True)
    """`list.most(x: e)`: the elements with the greatest e."""
    LEAST_OF = Facts(query(_LISTS, "least"), (), "elements", body="sort key", never_longer=True)
    MAP = Facts(query(_LISTS, "map"), (), "bodies", body="value", never_longer=True)
    REGION = Facts(query(_TILE, "region"), (), "elements", body="condition", reads="board")
    TABLE_OF = Facts(query(_PLAYERS, "table"), (), "table of bodies", body="value")
    """`players.table(p: e)`."""

    # Kinds of thing.
    INSTANCES = Facts(
        read((Receiver.CONSTRUCT,), "all"),
        reads="things",
        fuel="size",
        elements="distinct",
    )
    """`T.all` of a construct: no operand; the type tells which."""
    INSTANCES_OFF = Facts(
        read((Receiver.CONSTRUCT,), "off"),
        reads="things",
        fuel="size",
        elements="distinct",
    )
    """`T.off` of an interactable: those that are on no tile and in no stack."""
    MEMBERS = Facts(read((Receiver.ENUM,), "all", "count"), elements="distinct")
    """`E.all` of an enum."""
    STATE_OF = Facts(reads="things", fuel="searched", may_be_none=True)
    """`seat[p]`: a player's local state."""

    # Players.
    PLAYERS_ALL = Facts(read(_PLAYERS, "all"), (), "players", elements="distinct")
    PLAYERS_COUNT = Facts(read(_PLAYERS, "count", "length"), (), "decimal")
    PLAYERS_ACTIVE = Facts(read(_PLAYERS, "active"), (), "player", reads="players")
    PLAYERS_IN = Facts(read(_PLAYERS, "in"), (), "players", reads="players", elements="distinct")
    PLAYERS_NEXT = Facts(call(_PLAYERS, "next", least=1), ("player",), "player", reads="players")

    # States.
    OWNER = Facts(
        read((Receiver.LOCAL_STATE, Receiver.STACK), "player"),
        (),
        "player",
        reads="owners",
        may_be_none=True,
        is_public=True,
        is_shown=True,
    )
    """`state.player` of a local state."""
    OWNERS = Facts(
        read((Receiver.LOCAL_STATE, Receiver.GROUP_STATE), "players"), (), "players", reads="owners"
    )
    ASSIGN_TO = Facts(call(_LOCAL_STATE, "assign_to", least=1), ("player",), "nothing", writes="owners")
    TRANSFER_TO = Facts(call(_LOCAL_STATE, "transfer_to", least=1), ("player",), "nothing", writes="owners")
    ATTACH = Facts(
        call(_LOCAL_STATE, "attach", least=1) + call(_GROUP_STATE, "attach", "assign_to", least=1),
        ("player",),
        "nothing",
        writes="owners",
    )
    DETACH = Facts(
        call(_LOCAL_STATE, "remove", least=0, most=1) + call(_GROUP_STATE, "remove", least=1),
        ("player",),
        "nothing",
        writes="owners",
    )

    # Tiles.
    ADJACENT = Facts(read(_TILE, "adjacent"), (), "tiles", reads="board", elements="distinct")
    ROW = Facts(read(_TILE, "row", "x"), (), "decimal", reads="board", may_be_none=True, is_shown=True)
    COLUMN = Facts(read(_TILE, "column", "y"), (), "decimal", reads="board", may_be_none=True, is_shown=True)
    NEXT = Facts(call(_TILE, "next", least=1), ("direction",), "tile", reads="board", may_be_none=True)
    LINE = Facts(
        call(_TILE, "line", least=1),
        ("direction",),
        "tiles",
        reads="board",
        fuel="searched",
        elements="distinct",
    )
    LINES = Facts(
        call(_TILE, "lines", least=1) + read(_TILE, "lines"),
        ("number",),
        "lines",
        reads="board",
        fuel="searched",
    )
    BETWEEN = Facts(
        call(_TILE, "between", least=1),
        ("tile",),
        "tiles",
        reads="board",
        fuel="searched",
    )
    DISTANCE = Facts(
        call(_TILE, "distance", least=1),
        ("tile",),
        "decimal",
        reads="board",
        fuel="searched",
        may_be_none=True,
    )
    CORNERS = Facts(read(_TILE, "corners"), (), "places", reads="board", elements="distinct or none")
    SIDES = Facts(read(_TILE, "sides"), (), "places", reads="board", elements="distinct or none")
    CELLS = Facts(read(_TILE, "cells"), (), "places", reads="board", elements="distinct or none")
    PLACEABLES = Facts(read(_TILE, "placeables"), (), "placeables", reads="places", fuel="searched")
    HELD = Facts(reads="places", fuel="searched", may_be_none=True, is_shown=True)
    """`s.man` of a tile that holds men."""
    BOARD_OF = Facts(read((Receiver.TILE, Receiver.GROUP), "board"), (), "board", may_be_none=True)
    GROUP_OF = Facts(read(_TILE, "group"), (), "group of tile", reads="board", may_be_none=True)

    # Interactables.
    TILE_OF = Facts(
        read(_PIECE, "tile"), (), "tile of piece", reads="places", may_be_none=True, is_shown=True
    )
    STACK_OF = Facts(read(_PIECE, "stack"), (), "stack of piece", reads="stacks", may_be_none=True)

    # Groups and the board.
    TILES = Facts(
        read((Receiver.GROUP, Receiver.BOARD), "tiles"),
        (),
        "tiles of group",
        reads="board",
        fuel="searched",
        elements="distinct",
    )
    TILE_AT = Facts(reads="board", may_be_none=True)
    """`grid[row][column]`."""
    GROUP_POSITION = Facts(read(_GROUP, "position"), (), "position", reads="group", fuel="size")
    GAME_POSITION = Facts(read((Receiver.GAME,), "position"), (), "position", reads="game", fuel="size")
    ADD_TILE = Facts(
        call(_GROUP, "add", least=3),
        ("new tile", "number", "number"),
        "nothing",
        writes="board",
    )
    REMOVE_TILE = Facts(call(_GROUP, "remove", least=1), ("tile",), "nothing", writes="board")
    ADD_GROUP = Facts(call(_BOARD, "add", least=1), ("group",), "nothing", writes="board")
    REMOVE_GROUP = Facts(call(_BOARD, "remove", least=1), ("group",), "nothing", writes="board")

    # Stacks.
    STACK_LENGTH = Facts(read(_STACK, "length"), (), "decimal", reads="stacks", is_public=True, is_shown=True)
    TOP = Facts(read(_STACK, "top"), (), "card", reads="stacks", chance="card", may_be_none=True)
    STACK_POP = Facts(call(_STACK, "pop"), (), "card", writes="stacks", chance="card", may_be_none=True)
    STACK_POP_SOME = Facts(
        call(_STACK, "pop", least=1),
        ("number",),
        "cards",
        writes="stacks",
        chance="card",
    )
    STACK_POP_BACK = Facts(
        call(_STACK, "pop_back"), (), "card", writes="stacks", chance="card", may_be_none=True
    )
    PUSH = Facts(call(_STACK, "push", least=1), ("cards",), "nothing", writes="stacks", stores=True)
    PUSH_BACK = Facts(
        call(_STACK, "push_back", least=1),
        ("cards",),
        "nothing",
        writes="stacks",
        stores=True,
    )
    STACK_SHUFFLE = Facts(call(_STACK, "shuffle"), (), "nothing", writes="order", chance="later")
    DRAW = Facts(
        call(_STACK, "draw", least=1),
        ("player",),
        "card",
        writes="stacks",
        chance="card",
        may_be_none=True,
    )
    DISCARD_TO = Facts(
        call(_STACK, "discard_to", least=1),
        ("stack",),
        "nothing",
        writes="stacks",
        chance="card",
    )
    RESHUFFLE = Facts(
        call(_STACK, "reshuffle", least=1),
        ("stack",),
        "nothing",
        writes="stacks",
        chance="later",
        stores=True,
    )
    CARDS = Facts(
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
    """One form of a member: read without parentheses (no `least`), or called with so many arguments."""

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


# One name may have several forms: read, called with so many values, or a query. The form written decides;
# among calls with as many values the first fits.
MEMBERS = _members()


def _operators(result: Result) -> dict[str, Operation]:
    """The operators with two numbers and such a result, by their signs."""
    wanted = ("number", "number")
    found = [one for one in Operation if one.facts.arguments == wanted and one.facts.result is result]
    return {operation.facts.symbol: operation for operation in found}


ARITHMETIC = _operators("decimal")
COMPARISON = _operators("bool")

# Spellings of the seed, and what the formatter writes instead.
SPELLINGS = {"lenght": "length", "remove_at": "removeAt", "remove_range": "removeRange"}

# The numbers of the directions, by the shape of the group; of corners, sides and graphs none has a name.
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
