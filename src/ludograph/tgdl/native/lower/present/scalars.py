"""Scalars as text for moves: numbers, booleans, strings, players and members of enums."""

from collections.abc import Callable

from ludograph.tgdl.native.ir.builder import widen
from ludograph.tgdl.native.ir.nodes import I64, Expression
from ludograph.tgdl.native.lower.emitter import Emitter
from ludograph.tgdl.native.lower.present.interface import Insert, json_text
from ludograph.tgdl.native.lower.present.text import (
    Strings,
    insert,
    make_strings,
    put_decimal,
    put_entry,
    put_whole,
)
from ludograph.tgdl.native.lower.unit import CompilationUnit, Value
from ludograph.tgdl.program.types import Basic, EnumType
from ludograph.tgdl.world.values import scalar_text


def put_scalar(b: Emitter, value: Value) -> None:
    """Write a scalar that is not none."""
    match value.type:
        case Basic.DECIMAL:
            put_decimal(b, value.only)
        case Basic.BOOL:
            put_entry(b, make_strings(b.unit, (b"false", b"true", b"none"), "booleans"), value.only)
        case Basic.STRING:
            put_string(b, value.only, is_json=False)
        case EnumType(name):
            put_entry(b, member_names(b.unit, name, str), value.only)
        case _:
            put_whole(b, value.only)


def member_names(unit: CompilationUnit, enum: str, form: Callable[[str], str]) -> Strings:
    return make_strings(unit, [form(member.name).encode() for member in unit.world.members[enum]], "members")


def put_string(b: Emitter, number: Expression, *, is_json: bool) -> None:
    """Write a string of the rules; Python writes a string of a loaded position."""
    known = list(b.unit.strings)
    forms = [json_text(text) if is_json else scalar_text(text) for text in known]
    texts = [form.encode("utf-8", "surrogatepass") for form in forms]
    with b.when(number.ult(len(known))):
        put_entry(b, make_strings(b.unit, texts, "strings"), number)
    with b.otherwise():
        insert(b, Insert.JSON_STRING if is_json else Insert.STRING, widen(number, I64))
