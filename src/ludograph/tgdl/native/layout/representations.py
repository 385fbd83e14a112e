"""The representations of values: in registers, in memory, and the encoding of none.

| type | register | none |
|---|---|---|
| decimal | double | a NaN (no decimal ever is one) |
| bool | i32: 0, 1 | 2 |
| player, phase, enum, string, instance of one family | i32: its number | -1 |
| instance of several families | i64: family << 32 and number | -1 |
| position | i128 | all bits set |
| list | address and length | address 0 |
| table | address | address 0 |
| object | three i64: a tag, and two words (`objects.py`) | -1 first |

In memory, small numbers take one or two bytes. A list inside another list or table is two words: an address
(or, below 2^32, an offset into the block) and a length.
"""

from enum import IntEnum

from msgspec import Struct

from ludograph.tgdl.native.ir.nodes import F64, I8, I16, I32, I64, I128, I256, PTR, WHOLE, MachineType

NAN = float("nan")
LIST_SIZE = 16
WORD = 64
"""The number of tiles in one word of a bitboard."""


NO_OBJECT = -1


class Tag(IntEnum):
    """The tag of an object: the type of its value."""

    DECIMAL = 1
    BOOL = 2
    PLAYER = 3
    MEMBER = 4
    TEXT = 5
    POSITION = 6
    THING = 7
    LIST = 9


class Rep(Struct, frozen=True):
    """The representation of a type."""

    shape: str
    """"number", "boolean", "small", "wide", "position", "object", "list" or "table"."""
    kinds: tuple[MachineType, ...]
    """The machine types of its registers."""
    stored: MachineType | None
    """The machine type in memory; None for lists, tables and objects."""
    size: int
    """The number of bytes in memory, inside a list, a table or an attribute."""
    count: int = 0
    """The number of entries of a table."""

    @property
    def none(self) -> tuple[int | float, ...]:
        match self.shape:
            case "number":
                return (NAN,)
            case "boolean":
                return (2,)
            case "list":
                return (0, 0)
            case "table":
                return (0,)
            case "object":
                return (NO_OBJECT, 0, 0)
            case _:
                return (-1,)


NUMBER = Rep("number", (F64,), F64, 8)
BOOLEAN = Rep("boolean", (I32,), I8, 1)
POSITION = Rep("position", (I128,), I128, 16)
OBJECT_SIZE = 24
OBJECT = Rep("object", (I64, I64, I64), None, OBJECT_SIZE)
WIDE = Rep("wide", (I64,), I64, 8)
LIST = Rep("list", (PTR, I64), None, LIST_SIZE)


def small(count: int) -> Rep:
    """The representation of numbers below a count, and -1."""
    stored = I8 if count <= 127 else I16 if count <= 32767 else I32
    return Rep("small", (I32,), stored, stored.size)


def kind_of_seats(players: int) -> MachineType:
    """The machine type of a set of players, with one bit for each; the highest bit is unused."""
    return I64 if players < WHOLE[I64] else I256


def table(count: int, item: Rep) -> Rep:
    return Rep("table", (PTR,), None, count * item.size, count)


def lanes_of(count: int) -> list[int]:
    """The sizes of the vector loads that read `count` bytes; the last may read more than needed."""
    full, rest = divmod(count, WORD)
    last = next((size for size in (8, 16, 32, 64) if size >= rest), WORD) if rest else None
    return [WORD] * full + ([] if last is None else [last])
