"""Types of TGDL values."""

from enum import Enum

from ludograph.tgdl.syntax.traversal import ProgramNode


class Basic(Enum):
    """The types that need no declaration."""

    DECIMAL = "decimal"
    BOOL = "bool"
    STRING = "string"
    PLAYER = "player"
    POSITION = "position"
    PHASE = "phase"
    OBJECT = "object"
    NONE = "none"
    """The type of the literal `none`, which every type takes."""
    NOTHING = "nothing"
    """What a verb without a value returns."""
    UNKNOWN = "unknown"
    """What the checker could not type, and has said why: never in a program without errors."""

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
    """A number of entries that an option or a constant names: each configuration of a game has its own.

    Only the checker knows it; where a game begins, `table_sizes` has put the number in its place.
    """

    name: str


class TableType(ProgramNode, frozen=True):
    """Exactly one value for every key: an enum, `player`, a tile construct, or a number of entries."""

    key: "Key"
    value: "Type"

    @property
    def index(self) -> "Type":
        """What an entry is found by."""
        return Basic.DECIMAL if isinstance(self.key, int | Size) else self.key


Type = Basic | EnumType | ConstructType | ListType | TableType
Key = Type | Size | int
"""What the entries of a table are for."""


def describe(type: Type) -> str:
    """A type as its author writes it: `decimal[player][]`."""
    match type:
        case Basic():
            return type.value
        case EnumType(name) | ConstructType(name):
            return name
        case ListType(element):
            return _with_dimension(element, "[]")
        case TableType(key, value):
            return _with_dimension(value, f"[{_describe_key(key)}]")


def _describe_key(key: Key) -> str:
    match key:
        case int():
            return str(key)
        case Size(name):
            return name
        case _:
            return describe(key)


def _with_dimension(inner: Type, dimension: str) -> str:
    """Dimensions read left to right: the outermost stands first."""
    text = describe(inner)
    at = text.find("[")
    return text + dimension if at < 0 else text[:at] + dimension + text[at:]
