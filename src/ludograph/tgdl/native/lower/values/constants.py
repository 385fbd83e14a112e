"""Compile-time constants as constant data of the module."""

import struct
from collections.abc import Sequence
from typing import Any

from ludograph.tgdl.native.ir.builder import const
from ludograph.tgdl.native.ir.nodes import I64, Data, Expression, Op
from ludograph.tgdl.native.layout.encoding import BlockWriter, pack
from ludograph.tgdl.native.layout.representations import Rep, Tag
from ludograph.tgdl.native.lower.unit import CompilationUnit, Value
from ludograph.tgdl.program.types import Basic, ListType, TableType, Type
from ludograph.tgdl.world.memory import Instance


def constant(unit: CompilationUnit, value: Any, type: Type) -> Value:
    """A value of the reference engine, in registers."""
    rep = unit.plan.rep(type)
    match type:
        case ListType(element):
            if value is None:
                return Value(type, (const(0, rep.kinds[0]), const(0)))
            return Value(type, (list_data(unit, value, element), const(len(value))), certain=True)
        case TableType(_, inner):
            return Value(type, (list_data(unit, value, inner),), certain=True)
        case Basic.OBJECT:
            tag, low, high = object_words(unit, value)
            first: Expression = const(low) if isinstance(low, int) else Op("ptrtoint", (low,), I64)
            return Value(type, (const(tag), first, const(high)), certain=value is not None)
        case _:
            number = number_of(unit, rep, value)
            return Value(type, (const(number, rep.kinds[0]),), certain=value is not None)


def list_data(unit: CompilationUnit, values: Sequence[Any], element: Type) -> Data:
    """The elements of a list as constant data."""
    return unit.data(*_row(unit, values, element), hint="list")


def is_in_order(unit: CompilationUnit, data: Data, element: Type) -> bool:
    """Whether constant elements are the numbers from 0 on, such as all members of an enum."""
    rep = unit.plan.rep(element)
    (row, *others) = unit.module.data[data.name]
    if rep.shape != "small" or others or isinstance(row, str):
        return False
    return row == b"".join(number.to_bytes(rep.size, "little") for number in range(len(row) // rep.size))


def _row(unit: CompilationUnit, values: Sequence[Any], element: Type) -> list[bytes | str]:
    rep = unit.plan.rep(element)
    parts: list[bytes | str] = []
    gathered = bytearray()
    for value in values:
        match element:
            case ListType(inner):
                if gathered:
                    parts.append(bytes(gathered))
                parts.append(list_data(unit, value, inner).name)
                gathered = bytearray(struct.pack("<q", len(value)))
            case TableType(_, inner):
                for part in _row(unit, value, inner):
                    if isinstance(part, bytes):
                        gathered += part
                    else:
                        parts += [bytes(gathered), part] if gathered else [part]
                        gathered = bytearray()
            case Basic.OBJECT:
                tag, low, high = object_words(unit, value)
                gathered += struct.pack("<q", tag)
                if isinstance(low, int):
                    gathered += struct.pack("<q", low)
                else:
                    parts += [bytes(gathered), low.name]
                    gathered = bytearray()
                gathered += struct.pack("<q", high)
            case _:
                assert rep.stored is not None
                gathered += pack(rep.stored, number_of(unit, rep, value))
    return [*parts, bytes(gathered)] if gathered else parts


def object_words(unit: CompilationUnit, value: Any) -> tuple[int, int | Data, int]:
    """The words of an object (see `objects.py`); the elements of a list are constant data."""
    if isinstance(value, tuple):
        return (Tag.LIST, list_data(unit, value, Basic.OBJECT), len(value))
    assert unit.world.start is not None
    writer = BlockWriter(unit.plan, unit.world.start, unit.strings, bytearray())
    return writer.object(value)


def number_of(unit: CompilationUnit, rep: Rep, value: Any) -> int | float:
    """The register content of a value that is neither list nor table."""
    if value is None:
        return rep.none[0]
    if isinstance(value, Instance):
        assert unit.world.start is not None
        number = unit.plan.number_of(unit.world.start, value)
        if rep.shape == "wide":
            return unit.plan.family_of_kind[value.kind.index].index << 32 | number
        return number
    if isinstance(value, str):
        return unit.string(value)
    return float(value) if rep.shape == "number" else int(value)
