"""The library: every operation that TGDL brings along, by receiver and name.

The checker looks a name up here and types it, the interpreter and the compiler carry it out. An
operation that `changes` something cannot stand in a filter, a require or a query.
"""

from enum import Enum, auto

from msgspec import Struct


class Operation(Enum):
    """What `Apply`, `Query` and `Mutate` do."""

    # Numbers. Players used as numbers come in as AS_NUMBER and go out as AS_PLAYER, which wraps.
    ADD = auto()
    SUBTRACT = auto()
    MULTIPLY = auto()
    DIVIDE = auto()
    POWER = auto()
    MODULO = auto()
    NEGATE = auto()
    FLOOR = auto()
    CEIL = auto()
    ROUND = auto()
    ABS = auto()
    LEAST = auto()
    """`min(a, b, …)`."""
    GREATEST = auto()
    AS_NUMBER = auto()
    AS_PLAYER = auto()

    # Comparison.
    LESS = auto()
    GREATER = auto()
    LESS_OR_EQUAL = auto()
    GREATER_OR_EQUAL = auto()
    EQUAL = auto()
    """Two none values are not equal; compared with the literal, IS_NONE is used.

    A player and a decimal may be compared as they are: by the player's number, and none is equal to neither.
    """
    IS_NONE = auto()
    NOT = auto()
    XOR = auto()

    # Lists and tables.
    LENGTH = auto()
    AT = auto()
    """`list[i]`: none out of range; `table[k]`."""
    CONTAINS = auto()
    FIND = auto()
    FIRST = auto()
    LAST = auto()
    COPY = auto()
    SUM = auto()
    LARGEST = auto()
    SMALLEST = auto()
    COUNT_VALUE = auto()
    """`table.count(v)`: how many entries equal v."""

    # Changing a list in its place (Mutate).
    APPEND = auto()
    ADD_ITEM = auto()
    CLEAR = auto()
    REMOVE_AT = auto()
    REMOVE = auto()
    REMOVE_RANGE = auto()
    POP = auto()
    SHUFFLE = auto()

    # Queries.
    ANY = auto()
    ALL = auto()
    COUNT = auto()
    WHERE = auto()
    FIRST_WHERE = auto()
    UNTIL = auto()
    SUM_OF = auto()
    LARGEST_OF = auto()
    SMALLEST_OF = auto()
    SORTED = auto()
    MAP = auto()
    REGION = auto()
    TABLE_OF = auto()
    """`players.table(p: e)`."""

    # Kinds of thing.
    INSTANCES = auto()
    """`T.all` of a construct: no operand; the type tells which."""
    MEMBERS = auto()
    """`E.all` of an enum."""
    STATE_OF = auto()
    """`seat[p]`: a player's local state."""

    # Players.
    PLAYERS_ALL = auto()
    PLAYERS_COUNT = auto()
    PLAYERS_ACTIVE = auto()
    PLAYERS_IN = auto()
    PLAYERS_NEXT = auto()

    # States.
    OWNER = auto()
    """`state.player` of a local state."""
    OWNERS = auto()
    ASSIGN_TO = auto()
    TRANSFER_TO = auto()
    ATTACH = auto()
    DETACH = auto()

    # Tiles.
    ADJACENT = auto()
    ROW = auto()
    COLUMN = auto()
    NEXT = auto()
    LINE = auto()
    LINES = auto()
    BETWEEN = auto()
    DISTANCE = auto()
    CORNERS = auto()
    SIDES = auto()
    CELLS = auto()
    PLACEABLES = auto()
    HELD = auto()
    """`s.man` of a tile that holds men."""
    BOARD_OF = auto()
    GROUP_OF = auto()

    # Interactables.
    TILE_OF = auto()
    STACK_OF = auto()

    # Groups and the board.
    TILES = auto()
    TILE_AT = auto()
    """`grid[row][column]`."""
    GROUP_POSITION = auto()
    GAME_POSITION = auto()
    ADD_TILE = auto()
    REMOVE_TILE = auto()
    ADD_GROUP = auto()
    REMOVE_GROUP = auto()

    # Stacks.
    STACK_LENGTH = auto()
    TOP = auto()
    STACK_POP = auto()
    STACK_POP_SOME = auto()
    STACK_POP_BACK = auto()
    PUSH = auto()
    PUSH_BACK = auto()
    STACK_SHUFFLE = auto()
    DRAW = auto()
    DISCARD_TO = auto()
    RESHUFFLE = auto()
    CARDS = auto()
    """A stack as the list of its cards, for `in hand`, queries and `contains`."""

    def __repr__(self) -> str:
        return f"Operation.{self.name}"


class Receiver(Enum):
    """What stands before the dot."""

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


class LibraryMember(Struct, frozen=True):
    """A name of the library: read without parentheses (no `least`), or called with so many arguments."""

    operation: Operation
    least: int | None = None
    most: int | None = None
    changes: bool = False
    is_query: bool = False


def _read(operation: Operation) -> LibraryMember:
    return LibraryMember(operation)


def _call(
    operation: Operation, least: int = 0, most: int | None = None, *, changes: bool = False
) -> LibraryMember:
    return LibraryMember(operation, least, least if most is None else most, changes)


def _query(operation: Operation) -> LibraryMember:
    """A body may be left out (`any()`): then the element itself is tested, summed, …"""
    return LibraryMember(operation, 0, 1, is_query=True)


_QUERIES: dict[str, tuple[LibraryMember, ...]] = {
    "any": (_query(Operation.ANY),),
    "all": (_query(Operation.ALL),),
    "where": (_query(Operation.WHERE),),
    "until": (_query(Operation.UNTIL),),
    "map": (_query(Operation.MAP),),
    "sorted": (_query(Operation.SORTED),),
    "count": (_query(Operation.COUNT), _call(Operation.COUNT_VALUE, 1)),
    "sum": (_query(Operation.SUM_OF), _call(Operation.SUM)),
    "max": (_query(Operation.LARGEST_OF), _call(Operation.LARGEST)),
    "min": (_query(Operation.SMALLEST_OF), _call(Operation.SMALLEST)),
    "contains": (_call(Operation.CONTAINS, 1),),
    "find": (_call(Operation.FIND, 1),),
    "length": (_read(Operation.LENGTH),),
    "copy": (_call(Operation.COPY),),
}

_STATE: dict[str, tuple[LibraryMember, ...]] = {
    "player": (_read(Operation.OWNER),),
    "players": (_read(Operation.OWNERS),),
}

# One name may have several forms: read, called with so many values, or a query. The form written decides;
# among calls with as many values the first fits. "Changes" of a list need a place that holds it.
MEMBERS: dict[Receiver, dict[str, tuple[LibraryMember, ...]]] = {
    Receiver.LIST: _QUERIES
    | {
        "first": (_query(Operation.FIRST_WHERE), _read(Operation.FIRST), _call(Operation.FIRST)),
        "last": (_read(Operation.LAST), _call(Operation.LAST)),
        "append": (_call(Operation.APPEND, 1, changes=True),),
        "add": (_call(Operation.ADD_ITEM, 1, changes=True),),
        "clear": (_call(Operation.CLEAR, changes=True),),
        "removeAt": (_call(Operation.REMOVE_AT, 1, changes=True),),
        "remove": (_call(Operation.REMOVE, 1, changes=True),),
        "removeRange": (_call(Operation.REMOVE_RANGE, 1, changes=True),),
        "pop": (_call(Operation.POP, changes=True),),
        "shuffle": (_call(Operation.SHUFFLE, changes=True),),
    },
    Receiver.TABLE: _QUERIES,
    Receiver.PLAYERS: {
        "all": (_read(Operation.PLAYERS_ALL),),
        "count": (_read(Operation.PLAYERS_COUNT),),
        "length": (_read(Operation.PLAYERS_COUNT),),
        "active": (_read(Operation.PLAYERS_ACTIVE),),
        "in": (_read(Operation.PLAYERS_IN),),
        "next": (_call(Operation.PLAYERS_NEXT, 1),),
        "table": (_query(Operation.TABLE_OF),),
    },
    Receiver.GAME: {"position": (_read(Operation.GAME_POSITION),)},
    Receiver.ENUM: {"all": (_read(Operation.MEMBERS),), "count": (_read(Operation.MEMBERS),)},
    Receiver.CONSTRUCT: {"all": (_read(Operation.INSTANCES),)},
    Receiver.LOCAL_STATE: _STATE
    | {
        "assign_to": (_call(Operation.ASSIGN_TO, 1, changes=True),),
        "transfer_to": (_call(Operation.TRANSFER_TO, 1, changes=True),),
        "attach": (_call(Operation.ATTACH, 1, changes=True),),
        "remove": (_call(Operation.DETACH, 0, 1, changes=True),),
    },
    Receiver.GROUP_STATE: {
        "players": (_read(Operation.OWNERS),),
        "attach": (_call(Operation.ATTACH, 1, changes=True),),
        "remove": (_call(Operation.DETACH, 1, changes=True),),
        "assign_to": (_call(Operation.ATTACH, 1, changes=True),),
    },
    Receiver.TILE: {
        "adjacent": (_read(Operation.ADJACENT),),
        "row": (_read(Operation.ROW),),
        "column": (_read(Operation.COLUMN),),
        "x": (_read(Operation.ROW),),
        "y": (_read(Operation.COLUMN),),
        "next": (_call(Operation.NEXT, 1),),
        "line": (_call(Operation.LINE, 1),),
        "lines": (_call(Operation.LINES, 1), _read(Operation.LINES)),
        "between": (_call(Operation.BETWEEN, 1),),
        "distance": (_call(Operation.DISTANCE, 1),),
        "region": (_query(Operation.REGION),),
        "corners": (_read(Operation.CORNERS),),
        "sides": (_read(Operation.SIDES),),
        "cells": (_read(Operation.CELLS),),
        "placeables": (_read(Operation.PLACEABLES),),
        "board": (_read(Operation.BOARD_OF),),
        "group": (_read(Operation.GROUP_OF),),
    },
    Receiver.INTERACTABLE: {"tile": (_read(Operation.TILE_OF),), "stack": (_read(Operation.STACK_OF),)},
    Receiver.GROUP: {
        "tiles": (_read(Operation.TILES),),
        "position": (_read(Operation.GROUP_POSITION),),
        "board": (_read(Operation.BOARD_OF),),
        "add": (_call(Operation.ADD_TILE, 3, changes=True),),
        "remove": (_call(Operation.REMOVE_TILE, 1, changes=True),),
    },
    Receiver.BOARD: {
        "tiles": (_read(Operation.TILES),),
        "add": (_call(Operation.ADD_GROUP, 1, changes=True),),
        "remove": (_call(Operation.REMOVE_GROUP, 1, changes=True),),
    },
    Receiver.STACK: {
        "player": (_read(Operation.OWNER),),
        "length": (_read(Operation.STACK_LENGTH),),
        "top": (_read(Operation.TOP),),
        "pop": (_call(Operation.STACK_POP, changes=True), _call(Operation.STACK_POP_SOME, 1, changes=True)),
        "pop_back": (_call(Operation.STACK_POP_BACK, changes=True),),
        "push": (_call(Operation.PUSH, 1, changes=True),),
        "push_back": (_call(Operation.PUSH_BACK, 1, changes=True),),
        "shuffle": (_call(Operation.STACK_SHUFFLE, changes=True),),
        "draw": (_call(Operation.DRAW, 1, changes=True),),
        "discard_to": (_call(Operation.DISCARD_TO, 1, changes=True),),
        "reshuffle": (_call(Operation.RESHUFFLE, 1, changes=True),),
        "cards": (_read(Operation.CARDS),),
    },
    Receiver.NOTHING: {
        "floor": (_call(Operation.FLOOR, 1),),
        "ceil": (_call(Operation.CEIL, 1),),
        "round": (_call(Operation.ROUND, 1),),
        "abs": (_call(Operation.ABS, 1),),
        "min": (_call(Operation.LEAST, 1, 255),),
        "max": (_call(Operation.GREATEST, 1, 255),),
    },
}

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

PUBLIC_LOOKS = frozenset({Operation.STACK_LENGTH, Operation.OWNER})
"""Operations whose result all may know, whoever may see what they look at."""

CHANGING = frozenset(
    member.operation
    for members in MEMBERS.values()
    for forms in members.values()
    for member in forms
    if member.changes
)
"""Operations that change something when they are worked out."""

HANDING_ON = frozenset({Operation.ASSIGN_TO, Operation.TRANSFER_TO, Operation.ATTACH, Operation.DETACH})
"""Operations that give states of players to others."""
NEVER_NONE = frozenset(Operation) - {
    Operation.AT,
    Operation.COPY,
    Operation.FIND,
    Operation.FIRST,
    Operation.LAST,
    Operation.LARGEST,
    Operation.SMALLEST,
    Operation.AS_PLAYER,
    Operation.STATE_OF,
    Operation.OWNER,
    Operation.NEXT,
    Operation.DISTANCE,
    Operation.HELD,
    Operation.TILE_OF,
    Operation.STACK_OF,
    Operation.TILE_AT,
    Operation.TOP,
    Operation.STACK_POP,
    Operation.STACK_POP_BACK,
    Operation.DRAW,
    Operation.ROW,
    Operation.COLUMN,
    Operation.GROUP_OF,
    Operation.BOARD_OF,
}
QUERIES_WITHOUT_NONE = frozenset(Operation) - {
    Operation.FIRST_WHERE,
    Operation.LARGEST_OF,
    Operation.SMALLEST_OF,
}
