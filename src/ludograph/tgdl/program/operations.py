"""The table of operations: everything that the language brings along, one row each.

A row of `Operation` states all that is known about an operation; `operation_facts.py` explains the columns.
The checker finds a member by its name and types it, the analyses ask the row, and each engine has a table
of code by operation. `tests/tgdl/test_tables.py` names an operation that an engine has no code for.
"""

from enum import Enum

from msgspec import Struct

from ludograph.tgdl.program.operation_facts import (
    Argument,
    Body,
    Chance,
    Elements,
    Facts,
    Fuel,
    Reads,
    Receiver,
    Result,
    Writes,
    call,
    query,
    read,
)

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
        member._value_ = len(cls.__members__) + 1
        member.facts = facts
        return member

    # Numbers. Players used as numbers come in as AS_NUMBER and go out as AS_PLAYER, which wraps.
    ADD = Facts((), (Argument.NUMBER, Argument.NUMBER), Result.DECIMAL, symbol="+", is_step=True)
    SUBTRACT = Facts((), (Argument.NUMBER, Argument.NUMBER), Result.DECIMAL, symbol="-", is_step=True)
    MULTIPLY = Facts((), (Argument.NUMBER, Argument.NUMBER), Result.DECIMAL, symbol="*")
    DIVIDE = Facts((), (Argument.NUMBER, Argument.NUMBER), Result.DECIMAL, symbol="/", is_partial=True)
    POWER = Facts((), (Argument.NUMBER, Argument.NUMBER), Result.DECIMAL, symbol="^", is_partial=True)
    MODULO = Facts((), (Argument.NUMBER, Argument.NUMBER), Result.DECIMAL, symbol="%", is_partial=True)
    NEGATE = Facts((), (Argument.NUMBER,), Result.DECIMAL, symbol="-", is_step=True)
    FLOOR = Facts(call(_FUNCTION, "floor", least=1), (Argument.NUMBER,), Result.DECIMAL)
    CEIL = Facts(call(_FUNCTION, "ceil", least=1), (Argument.NUMBER,), Result.DECIMAL)
    ROUND = Facts(call(_FUNCTION, "round", least=1), (Argument.NUMBER,), Result.DECIMAL)
    ABS = Facts(call(_FUNCTION, "abs", least=1), (Argument.NUMBER,), Result.DECIMAL)
    LEAST = Facts(call(_FUNCTION, "min", least=1, most=255), (Argument.NUMBER,), Result.DECIMAL)
    """`min(a, b, …)`."""
    GREATEST = Facts(call(_FUNCTION, "max", least=1, most=255), (Argument.NUMBER,), Result.DECIMAL)
    AS_NUMBER = Facts((), (Argument.PLAYER,), Result.DECIMAL)
    AS_PLAYER = Facts((), (Argument.NUMBER,), Result.PLAYER, may_be_none=True)

    # Comparison.
    LESS = Facts((), (Argument.NUMBER, Argument.NUMBER), Result.BOOL, symbol="<")
    GREATER = Facts((), (Argument.NUMBER, Argument.NUMBER), Result.BOOL, symbol=">")
    LESS_OR_EQUAL = Facts((), (Argument.NUMBER, Argument.NUMBER), Result.BOOL, symbol="<=")
    GREATER_OR_EQUAL = Facts((), (Argument.NUMBER, Argument.NUMBER), Result.BOOL, symbol=">=")
    EQUAL = Facts(result=Result.BOOL, symbol="==", fuel=Fuel.COMPARED)
    """Two none values are not equal; compared with the literal, IS_NONE is used.

    A player and a decimal may be compared as they are: by the player's number, and none is equal to neither.
    """
    IS_NONE = Facts(result=Result.BOOL)
    NOT = Facts(result=Result.BOOL, symbol="not")
    XOR = Facts(result=Result.BOOL, symbol="xor")

    # Lists and tables.
    LENGTH = Facts(read(_LISTS, "length"), (), Result.DECIMAL, is_shown=True)
    AT = Facts(may_be_none=True, is_shown=True)
    """`list[i]`: none out of range; `table[k]`."""
    CONTAINS = Facts(call(_LISTS, "contains", least=1), (Argument.ELEMENT,), Result.BOOL, fuel=Fuel.COMPARED)
    FIND = Facts(
        call(_LISTS, "find", least=1),
        (Argument.ELEMENT,),
        Result.INDEX,
        fuel=Fuel.COMPARED,
        may_be_none=True,
    )
    FIRST = Facts(read(_LIST, "first") + call(_LIST, "first"), (), Result.ELEMENT, may_be_none=True)
    LAST = Facts(read(_LIST, "last") + call(_LIST, "last"), (), Result.ELEMENT, may_be_none=True)
    COPY = Facts(call(_LISTS, "copy"), (), Result.RECEIVER, may_be_none=True, never_longer=True)
    SUM = Facts(call(_LISTS, "sum"), (), Result.TOTAL, fuel=Fuel.COMPARED)
    LARGEST = Facts(call(_LISTS, "max"), (), Result.ORDERED_ELEMENT, fuel=Fuel.COMPARED, may_be_none=True)
    SMALLEST = Facts(call(_LISTS, "min"), (), Result.ORDERED_ELEMENT, fuel=Fuel.COMPARED, may_be_none=True)
    COUNT_VALUE = Facts(
        call(_LISTS, "count", least=1), (Argument.ELEMENT,), Result.DECIMAL, fuel=Fuel.COMPARED
    )
    """`table.count(v)`: how many entries equal v."""

    # Changing a list in its place (Mutate).
    APPEND = Facts(
        call(_LIST, "append", least=1),
        (Argument.ELEMENTS,),
        Result.NOTHING,
        writes=Writes.LIST,
        stores=True,
    )
    ADD_ITEM = Facts(
        call(_LIST, "add", least=1), (Argument.ELEMENT,), Result.NOTHING, writes=Writes.LIST, stores=True
    )
    CLEAR = Facts(call(_LIST, "clear"), (), Result.NOTHING, writes=Writes.LIST, never_longer=True)
    REMOVE_AT = Facts(
        call(_LIST, "removeAt", least=1),
        (Argument.NUMBER,),
        Result.NOTHING,
        writes=Writes.LIST,
        never_longer=True,
    )
    REMOVE = Facts(
        call(_LIST, "remove", least=1),
        (Argument.ELEMENT,),
        Result.NOTHING,
        writes=Writes.LIST,
        fuel=Fuel.COMPARED,
        never_longer=True,
    )
    REMOVE_RANGE = Facts(
        call(_LIST, "removeRange", least=1),
        (Argument.ELEMENTS,),
        Result.NOTHING,
        writes=Writes.LIST,
        fuel=Fuel.COMPARED,
        never_longer=True,
    )
    POP = Facts(
        call(_LIST, "pop"), (), Result.ELEMENT, writes=Writes.LIST, may_be_none=True, never_longer=True
    )
    SHUFFLE = Facts(
        call(_LIST, "shuffle"),
        (),
        Result.NOTHING,
        writes=Writes.LIST,
        chance=Chance.ORDER,
        never_longer=True,
    )

    # Queries.
    ANY = Facts(query(_LISTS, "any"), (), Result.BOOL, body=Body.CONDITION)
    ALL = Facts(query(_LISTS, "all"), (), Result.BOOL, body=Body.CONDITION)
    COUNT = Facts(query(_LISTS, "count"), (), Result.DECIMAL, body=Body.CONDITION)
    WHERE = Facts(query(_LISTS, "where"), (), Result.ELEMENTS, body=Body.CONDITION, never_longer=True)
    FIRST_WHERE = Facts(query(_LIST, "first"), (), Result.ELEMENT, body=Body.CONDITION, may_be_none=True)
    UNTIL = Facts(query(_LISTS, "until"), (), Result.ELEMENTS, body=Body.CONDITION, never_longer=True)
    SUM_OF = Facts(query(_LISTS, "sum"), (), Result.DECIMAL, body=Body.NUMBER)
    LARGEST_OF = Facts(query(_LISTS, "max"), (), Result.BODY, body=Body.NUMBER, may_be_none=True)
    SMALLEST_OF = Facts(query(_LISTS, "min"), (), Result.BODY, body=Body.NUMBER, may_be_none=True)
    SORTED = Facts(query(_LISTS, "sorted"), (), Result.ELEMENTS, body=Body.SORT_KEY, never_longer=True)
    MAP = Facts(query(_LISTS, "map"), (), Result.BODIES, body=Body.VALUE, never_longer=True)
    REGION = Facts(query(_TILE, "region"), (), Result.ELEMENTS, body=Body.CONDITION, reads=Reads.BOARD)
    TABLE_OF = Facts(query(_PLAYERS, "table"), (), Result.TABLE_OF_BODIES, body=Body.VALUE)
    """`players.table(p: e)`."""

    # Kinds of thing.
    INSTANCES = Facts(
        read((Receiver.CONSTRUCT,), "all"),
        reads=Reads.THINGS,
        fuel=Fuel.SIZE,
        elements=Elements.DISTINCT,
    )
    """`T.all` of a construct: no operand; the type tells which."""
    MEMBERS = Facts(read((Receiver.ENUM,), "all", "count"), elements=Elements.DISTINCT)
    """`E.all` of an enum."""
    STATE_OF = Facts(reads=Reads.THINGS, fuel=Fuel.SEARCHED, may_be_none=True)
    """`seat[p]`: a player's local state."""

    # Players.
    PLAYERS_ALL = Facts(read(_PLAYERS, "all"), (), Result.PLAYERS, elements=Elements.DISTINCT)
    PLAYERS_COUNT = Facts(read(_PLAYERS, "count", "length"), (), Result.DECIMAL)
    PLAYERS_ACTIVE = Facts(read(_PLAYERS, "active"), (), Result.PLAYER, reads=Reads.PLAYERS)
    PLAYERS_IN = Facts(
        read(_PLAYERS, "in"), (), Result.PLAYERS, reads=Reads.PLAYERS, elements=Elements.DISTINCT
    )
    PLAYERS_NEXT = Facts(
        call(_PLAYERS, "next", least=1), (Argument.PLAYER,), Result.PLAYER, reads=Reads.PLAYERS
    )

    # States.
    OWNER = Facts(
        read((Receiver.LOCAL_STATE, Receiver.STACK), "player"),
        (),
        Result.PLAYER,
        reads=Reads.OWNERS,
        may_be_none=True,
        is_public=True,
        is_shown=True,
    )
    """`state.player` of a local state."""
    OWNERS = Facts(
        read((Receiver.LOCAL_STATE, Receiver.GROUP_STATE), "players"), (), Result.PLAYERS, reads=Reads.OWNERS
    )
    ASSIGN_TO = Facts(
        call(_LOCAL_STATE, "assign_to", least=1), (Argument.PLAYER,), Result.NOTHING, writes=Writes.OWNERS
    )
    TRANSFER_TO = Facts(
        call(_LOCAL_STATE, "transfer_to", least=1), (Argument.PLAYER,), Result.NOTHING, writes=Writes.OWNERS
    )
    ATTACH = Facts(
        call(_LOCAL_STATE, "attach", least=1) + call(_GROUP_STATE, "attach", "assign_to", least=1),
        (Argument.PLAYER,),
        Result.NOTHING,
        writes=Writes.OWNERS,
    )
    DETACH = Facts(
        call(_LOCAL_STATE, "remove", least=0, most=1) + call(_GROUP_STATE, "remove", least=1),
        (Argument.PLAYER,),
        Result.NOTHING,
        writes=Writes.OWNERS,
    )

    # Tiles.
    ADJACENT = Facts(read(_TILE, "adjacent"), (), Result.TILES, reads=Reads.BOARD, elements=Elements.DISTINCT)
    ROW = Facts(
        read(_TILE, "row", "x"), (), Result.DECIMAL, reads=Reads.BOARD, may_be_none=True, is_shown=True
    )
    COLUMN = Facts(
        read(_TILE, "column", "y"), (), Result.DECIMAL, reads=Reads.BOARD, may_be_none=True, is_shown=True
    )
    NEXT = Facts(
        call(_TILE, "next", least=1), (Argument.DIRECTION,), Result.TILE, reads=Reads.BOARD, may_be_none=True
    )
    LINE = Facts(
        call(_TILE, "line", least=1),
        (Argument.DIRECTION,),
        Result.TILES,
        reads=Reads.BOARD,
        fuel=Fuel.SEARCHED,
        elements=Elements.DISTINCT,
    )
    LINES = Facts(
        call(_TILE, "lines", least=1) + read(_TILE, "lines"),
        (Argument.NUMBER,),
        Result.LINES,
        reads=Reads.BOARD,
        fuel=Fuel.SEARCHED,
    )
    BETWEEN = Facts(
        call(_TILE, "between", least=1),
        (Argument.TILE,),
        Result.TILES,
        reads=Reads.BOARD,
        fuel=Fuel.SEARCHED,
    )
    DISTANCE = Facts(
        call(_TILE, "distance", least=1),
        (Argument.TILE,),
        Result.DECIMAL,
        reads=Reads.BOARD,
        fuel=Fuel.SEARCHED,
        may_be_none=True,
    )
    CORNERS = Facts(
        read(_TILE, "corners"), (), Result.PLACES, reads=Reads.BOARD, elements=Elements.DISTINCT_OR_NONE
    )
    SIDES = Facts(
        read(_TILE, "sides"), (), Result.PLACES, reads=Reads.BOARD, elements=Elements.DISTINCT_OR_NONE
    )
    CELLS = Facts(
        read(_TILE, "cells"), (), Result.PLACES, reads=Reads.BOARD, elements=Elements.DISTINCT_OR_NONE
    )
    PLACEABLES = Facts(
        read(_TILE, "placeables"), (), Result.PLACEABLES, reads=Reads.PLACES, fuel=Fuel.SEARCHED
    )
    HELD = Facts(reads=Reads.PLACES, fuel=Fuel.SEARCHED, may_be_none=True, is_shown=True)
    """`s.man` of a tile that holds men."""
    BOARD_OF = Facts(read((Receiver.TILE, Receiver.GROUP), "board"), (), Result.BOARD, may_be_none=True)
    GROUP_OF = Facts(read(_TILE, "group"), (), Result.GROUP_OF_TILE, reads=Reads.BOARD, may_be_none=True)

    # Interactables.
    TILE_OF = Facts(
        read(_PIECE, "tile"), (), Result.TILE_OF_PIECE, reads=Reads.PLACES, may_be_none=True, is_shown=True
    )
    STACK_OF = Facts(read(_PIECE, "stack"), (), Result.STACK_OF_PIECE, reads=Reads.STACKS, may_be_none=True)

    # Groups and the board.
    TILES = Facts(
        read((Receiver.GROUP, Receiver.BOARD), "tiles"),
        (),
        Result.TILES_OF_GROUP,
        reads=Reads.BOARD,
        fuel=Fuel.SEARCHED,
        elements=Elements.DISTINCT,
    )
    TILE_AT = Facts(reads=Reads.BOARD, may_be_none=True)
    """`grid[row][column]`."""
    GROUP_POSITION = Facts(read(_GROUP, "position"), (), Result.POSITION, reads=Reads.GROUP, fuel=Fuel.SIZE)
    GAME_POSITION = Facts(
        read((Receiver.GAME,), "position"), (), Result.POSITION, reads=Reads.GAME, fuel=Fuel.SIZE
    )
    ADD_TILE = Facts(
        call(_GROUP, "add", least=3),
        (Argument.NEW_TILE, Argument.NUMBER, Argument.NUMBER),
        Result.NOTHING,
        writes=Writes.BOARD,
    )
    REMOVE_TILE = Facts(
        call(_GROUP, "remove", least=1), (Argument.TILE,), Result.NOTHING, writes=Writes.BOARD
    )
    ADD_GROUP = Facts(call(_BOARD, "add", least=1), (Argument.GROUP,), Result.NOTHING, writes=Writes.BOARD)
    REMOVE_GROUP = Facts(
        call(_BOARD, "remove", least=1), (Argument.GROUP,), Result.NOTHING, writes=Writes.BOARD
    )

    # Stacks.
    STACK_LENGTH = Facts(
        read(_STACK, "length"), (), Result.DECIMAL, reads=Reads.STACKS, is_public=True, is_shown=True
    )
    TOP = Facts(
        read(_STACK, "top"), (), Result.CARD, reads=Reads.STACKS, chance=Chance.CARD, may_be_none=True
    )
    STACK_POP = Facts(
        call(_STACK, "pop"), (), Result.CARD, writes=Writes.STACKS, chance=Chance.CARD, may_be_none=True
    )
    STACK_POP_SOME = Facts(
        call(_STACK, "pop", least=1),
        (Argument.NUMBER,),
        Result.CARDS,
        writes=Writes.STACKS,
        chance=Chance.CARD,
    )
    STACK_POP_BACK = Facts(
        call(_STACK, "pop_back"), (), Result.CARD, writes=Writes.STACKS, chance=Chance.CARD, may_be_none=True
    )
    PUSH = Facts(
        call(_STACK, "push", least=1), (Argument.CARDS,), Result.NOTHING, writes=Writes.STACKS, stores=True
    )
    PUSH_BACK = Facts(
        call(_STACK, "push_back", least=1),
        (Argument.CARDS,),
        Result.NOTHING,
        writes=Writes.STACKS,
        stores=True,
    )
    STACK_SHUFFLE = Facts(
        call(_STACK, "shuffle"), (), Result.NOTHING, writes=Writes.ORDER, chance=Chance.LATER
    )
    DRAW = Facts(
        call(_STACK, "draw", least=1),
        (Argument.PLAYER,),
        Result.CARD,
        writes=Writes.STACKS,
        chance=Chance.CARD,
        may_be_none=True,
    )
    DISCARD_TO = Facts(
        call(_STACK, "discard_to", least=1),
        (Argument.STACK,),
        Result.NOTHING,
        writes=Writes.STACKS,
        chance=Chance.CARD,
    )
    RESHUFFLE = Facts(
        call(_STACK, "reshuffle", least=1),
        (Argument.STACK,),
        Result.NOTHING,
        writes=Writes.STACKS,
        chance=Chance.LATER,
        stores=True,
    )
    CARDS = Facts(
        read(_STACK, "cards"),
        (),
        Result.CARDS,
        reads=Reads.STACKS,
        fuel=Fuel.SEARCHED,
        elements=Elements.DISTINCT,
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
    wanted = (Argument.NUMBER, Argument.NUMBER)
    found = [one for one in Operation if one.facts.arguments == wanted and one.facts.result is result]
    return {operation.facts.symbol: operation for operation in found}


ARITHMETIC = _operators(Result.DECIMAL)
COMPARISON = _operators(Result.BOOL)

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
