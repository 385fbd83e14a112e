"""Constants: values that are known before anything runs, as data of the module."""

import struct
from collections.abc import Sequence
from typing import Any

from ludograph.tgdl.memory import Instance
from ludograph.tgdl.native.code import const
from ludograph.tgdl.native.images import pack
from ludograph.tgdl.native.ir import Data
from ludograph.tgdl.native.reps import Rep
from ludograph.tgdl.native.unit import Unit, Unsupported, Value
from ludograph.tgdl.types import ListType, TableType, Type


def constant(unit: Unit, value: Any, type: Type) -> Value:
    """A value of the reference engine, in registers."""
    rep = unit.plan.rep(type)
    match type:
        case ListType(element):
            if value is None:
                return Value(type, (const(0, rep.kinds[0]), const(0)))
            return Value(type, (list_data(unit, value, element), const(len(value))), certain=True)
        case TableType(_, inner):
            return Value(type, (list_data(unit, value, inner),), certain=True)
        case _:
            number = number_of(unit, rep, value)
            return Value(type, (const(number, rep.kinds[0]),), certain=value is not None)


def list_data(unit: Unit, values: Sequence[Any], element: Type) -> Data:
    """The elements of a list as data."""
    return unit.data(*_row(unit, values, element), hint="list")


def _row(unit: Unit, values: Sequence[Any], element: Type) -> list[bytes | str]:
    rep = unit.plan.rep(element)
    parts: list[bytes | str] = []
    gathered = b""
    for value in values:
        match element:
            case ListType(inner):
                if gathered:
                    parts.append(gathered)
                parts.append(list_data(unit, value, inner).name)
                gathered = struct.pack("<q", len(value))
            case TableType(_, inner):
                for part in _row(unit, value, inner):
                    if isinstance(part, bytes):
                        gathered += part
                    else:
                        parts += [gathered, part] if gathered else [part]
                        gathered = b""
            case _:
                assert rep.stored is not None
                gathered += pack(rep.stored, number_of(unit, rep, value))
    return [*parts, gathered] if gathered else parts


def number_of(unit: Unit, rep: Rep, value: Any) -> int | float:
    """A value that is neither list nor table as its register holds it."""
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
    if rep.shape == "object":
        raise Unsupported("values of the type object")
    return float(value) if rep.shape == "number" else int(value)
