"""Types of TGDL values."""

from enum import Enum

from ludograph.tgdl.syntax.traversal import ProgramNode


class Basic(Enum):
    """The built-in types."""

    DECIMAL = "decimal"
    BOOL = "bool"
    STRING = "string"
    PLAYER = "player"
    POSITION = "position"
    PHASE = "phase"
    OBJECT = "object"
    NONE = "none"
    """The type of the literal `none`, which converts to every type."""
    NOTHING = "nothing"
    """The result type of a verb that returns no value."""
    UNKNOWN = "unknown"
    """The type of an expression with an error that was reported. A program without errors has none."""

    def __repr__(self) -> str:
        return f"Basic.{self.name}"


class EnumType(ProgramNode, frozen=True):
    name: str


class ConstructType(ProgramNode, frozen=True):
    """A reference to an instance of a state, tile, interactable, stack, group or the board."""

    name: str


class ListType(ProgramNode, frozen=True):
    element: "Type"


class Size(ProgramNode, frozen=True):
    """A table size that is the name of an option or constant, so each configuration has its own.

    Only the checker sees it: `table_sizes` replaces it by the number before a game begins.
    """

    name: str


class TableType(ProgramNode, frozen=True):
    """A table with exactly one value per key. The key is an enum, `player`, a tile or a number of entries."""

    key: "KeyType"
    value: "Type"

    @property
    def index(self) -> "Type":
        """The type of an index into the table."""
        return Basic.DECIMAL if isinstance(self.key, int | Size) else self.key

    @property
    def entry(self) -> "Type":
        """The type of the entries in all dimensions: `card` for `card[row][player]`."""
        value = self.value
        return value.entry if isinstance(value, TableType) else value


Type = Basic | EnumType | ConstructType | ListType | TableType
KeyType = Type | Size | int
"""The key type of a table; a number or a named size for a table with numbered entries."""


def describe(type: Type) -> str:
    """A type in TGDL syntax: `decimal[player][]`."""
    match type:
        case Basic():
            return type.value
        case EnumType(name) | ConstructType(name):
            return name
        case ListType(element):
            return _with_dimension(element, "[]")
        case TableType(key, value):
            return _with_dimension(value, f"[{_describe_key(key)}]")


def _describe_key(key: KeyType) -> str:
    match key:
        case int():
            return str(key)
        case Size(name):
            return name
        case _:
            return describe(key)


def _with_dimension(inner: Type, dimension: str) -> str:
    """Add an outermost dimension. Dimensions read from left to right, the outermost first."""
    text = describe(inner)
    at = text.find("[")
    return text + dimension if at < 0 else text[:at] + dimension + text[at:]
