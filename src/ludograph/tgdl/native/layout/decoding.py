"""Decoders for the columns of a layout, prepared once.

Most attributes are plain (numbers, booleans, enum members, players, and tables of them): their bytes alone
determine the value. The others (instances, lists, objects, growing tables) are decoded by `BlockReader`.
"""

import struct
from collections.abc import Callable
from math import isnan
from typing import Any

from msgspec import Struct

from ludograph.tgdl.native.ir.nodes import F64, I8, I16, I32, I64, MachineType
from ludograph.tgdl.native.layout.plan import Column, Family, Plan
from ludograph.tgdl.native.layout.representations import Rep
from ludograph.tgdl.program import ConstructKind
from ludograph.tgdl.program.types import Basic, EnumType, TableType, Type
from ludograph.tgdl.world.memory import Instance

FORMATS: dict[MachineType, str] = {F64: "d", I8: "b", I16: "h", I32: "i", I64: "q"}

Plain = Callable[[bytes, int], Any]
"""Decodes a value at an offset of a block."""


class AttributeDecoder(Struct, frozen=True):
    """The column of an attribute, and its decoder."""

    name: str
    slot: int
    column: Column
    offset: int
    stride: int
    plain: Plain | None
    """None: the bytes of the column alone do not determine the value."""


class Rows(Struct, frozen=True):
    """The decoders of the instances of a family."""

    family: Family
    attributes: dict[int, tuple[AttributeDecoder, ...]]
    """By the index of the construct."""
    switches: tuple[tuple[int, Column], ...]
    """The actions that may be switched off in a single instance."""
    has_more: bool
    """Whether there is more than attributes and switches: an owner, a place, cards."""


class Decoding:
    """The decoders of a layout. Never changed."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.rows = tuple(_rows(plan, family) for family in plan.families)
        start = plan.world.start
        assert start is not None
        self.members: tuple[list[Instance], ...] = tuple(
            plan.members(start, family) for family in plan.families
        )
        """The instances of each family at the start."""
        self.is_fixed = not plan.changes and not any(family.grows for family in plan.families)
        """Whether play never creates instances or changes the board."""
        self.places: dict[Instance, tuple[Rows, int]] = {
            instance: (rows, number)
            for rows, members in zip(self.rows, self.members, strict=True)
            for number, instance in enumerate(members)
        }
        """The family of each of these instances, and its number there."""


_KINDS_WITH_MORE = frozenset(
    {ConstructKind.INTERACTABLE, ConstructKind.LOCAL, ConstructKind.GROUP_STATE, ConstructKind.STACK}
)


def _rows(plan: Plan, family: Family) -> Rows:
    attributes = {
        kind.index: tuple(
            _attribute(plan, known.name, slot, column)
            for slot, known in enumerate(kind.construct.attributes)
            if (column := family.columns.get(plan.column_key(kind, slot))) is not None
        )
        for kind in family.kinds
    }
    switches = tuple(
        (key[1], column)
        for key, column in sorted(
            (each for each in family.columns.items() if isinstance(each[0], tuple) and each[0][0] == "off"),
            key=lambda each: each[0],  # type: ignore[arg-type,return-value]
        )
        if isinstance(key, tuple)
    )
    match family.kind:
        case ConstructKind.TILE:
            has_more = bool(plan.families_of("placeable"))
        case _:
            has_more = family.kind in _KINDS_WITH_MORE
    return Rows(family, attributes, switches, has_more)


def _attribute(plan: Plan, name: str, slot: int, column: Column) -> AttributeDecoder:
    plain = _plain(plan, column.type, column.rep)
    return AttributeDecoder(name, slot, column, column.offset, column.stride, plain)


def _plain(plan: Plan, type: Type | None, rep: Rep) -> Plain | None:
    if not isinstance(type, TableType):
        decode = _decoder(plan, type)
        if decode is None or rep.stored not in FORMATS:
            return None
        return _single(decode, struct.Struct(f"<{FORMATS[rep.stored]}"))
    decode, item = _decoder(plan, type.value), plan.rep(type.value)
    if decode is None or item.stored not in FORMATS or plan.is_growing(type):
        return None
    return _table(decode, struct.Struct(f"<{rep.count}{FORMATS[item.stored]}"))


def _single(decode: Callable[[Any], Any], form: struct.Struct) -> Plain:
    unpack = form.unpack_from
    return lambda data, at: decode(unpack(data, at)[0])


def _table(decode: Callable[[Any], Any], form: struct.Struct) -> Plain:
    unpack = form.unpack_from
    return lambda data, at: tuple([decode(each) for each in unpack(data, at)])


def _decoder(plan: Plan, type: Type | None) -> Callable[[Any], Any] | None:
    """The decoder of a stored number; None if the number alone does not determine the value."""
    match type:
        case Basic.DECIMAL:
            return lambda number: None if isnan(number) else number
        case Basic.BOOL:
            return (False, True, None).__getitem__
        case Basic.PLAYER | Basic.PHASE:
            return lambda number: None if number == -1 else number
        case EnumType(name):
            return (*plan.world.members[name], None).__getitem__  # -1 is none
        case _:
            return None
