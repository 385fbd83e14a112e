"""Values of the language as JSON for views, and as text for moves."""

from ludograph.tgdl.native.ir.builder import widen
from ludograph.tgdl.native.ir.nodes import F64, I64, Expression, Local, Op
from ludograph.tgdl.native.layout.representations import NO_OBJECT, OBJECT_SIZE, Tag
from ludograph.tgdl.native.lower.emitter import Emitter, routine
from ludograph.tgdl.native.lower.present.interface import json_text
from ludograph.tgdl.native.lower.present.names import put_json_name, put_name
from ludograph.tgdl.native.lower.present.scalars import member_names, put_scalar, put_string
from ludograph.tgdl.native.lower.present.text import (
    Strings,
    make_strings,
    put,
    put_decimal,
    put_entry,
    put_hexadecimal,
    put_whole,
    remove_trailing_comma,
)
from ludograph.tgdl.native.lower.unit import CompilationUnit, Value
from ludograph.tgdl.native.lower.values.objects import OBJECTS, items_of
from ludograph.tgdl.native.lower.values.references import cases
from ludograph.tgdl.program.types import Basic, ConstructType, EnumType, ListType, TableType
from ludograph.tgdl.reference.naming import phase_name


def put_json(b: Emitter, value: Value) -> None:
    """Write a value as JSON."""
    value = b.keep(value)
    if value.certain or value.type is Basic.NONE:
        _put_present_json(b, value)
        return
    with b.when(b.is_none(value)):
        put(b, "null")
    with b.otherwise():
        _put_present_json(b, value)


def _put_present_json(b: Emitter, value: Value) -> None:
    match value.type:
        case Basic.NONE | Basic.NOTHING:
            put(b, "null")
        case Basic.DECIMAL:
            put_decimal(b, value.only)
        case Basic.BOOL:
            put_entry(b, make_strings(b.unit, (b"false", b"true", b"null"), "bools"), value.only)
        case Basic.PLAYER:
            put_whole(b, value.only)
        case Basic.PHASE:
            put_entry(b, _phases(b.unit), value.only)
        case Basic.STRING:
            put_string(b, value.only, is_json=True)
        case Basic.POSITION:
            high = Op("trunc", (value.only >> 64,), I64)
            _put_position(b, b.let(Op("trunc", (value.only,), I64)), b.let(high))
        case EnumType(name):
            put_entry(b, member_names(b.unit, name, json_text), value.only)
        case ConstructType(name):
            for family, number in cases(b, b.plan.families_of(name), value.only):
                put_json_name(b, family, number)
        case ListType() | TableType():
            _put_items(b, value)
        case _:
            b.run(_object_function(b.unit), value.parts)


def _put_items(b: Emitter, value: Value) -> None:
    items = b.as_list(value)
    assert isinstance(items.type, ListType)
    type = items.type.element
    size = b.plan.rep(type).size
    put(b, "[")
    with b.count(items.parts[1]) as (at, _):
        put_json(b, b.read(items.parts[0], at * size, type))
        put(b, ",")
    remove_trailing_comma(b)
    put(b, "]")


def _phases(unit: CompilationUnit) -> Strings:
    texts = [json_text(phase_name(unit.world, number)).encode() for number in range(len(unit.world.phases))]
    return make_strings(unit, texts, "phases")


def _put_position(b: Emitter, low: Expression, high: Expression) -> None:
    put(b, '"position ')
    put_hexadecimal(b, high)
    put_hexadecimal(b, low)
    put(b, '"')


@routine("json.object", (I64, I64, I64))
def _object_function(b: Emitter, tag: Local, low: Local, high: Local) -> None:
    """Write an object of any type as JSON; none is null."""

    def whole(kind: object) -> Expression:
        return b.let(widen(low, b.plan.rep(kind).kinds[0]))  # type: ignore[arg-type]

    with b.when(tag.eq(NO_OBJECT)):
        put(b, "null")
    with b.when(tag.eq(Tag.DECIMAL)):
        put_decimal(b, b.let(Op("bitcast", (low,), F64)))
    with b.when(tag.eq(Tag.BOOL)):
        _put_present_json(b, Value(Basic.BOOL, (whole(Basic.BOOL),), certain=True))
    with b.when(tag.eq(Tag.PLAYER)):
        put_whole(b, low)
    with b.when(tag.eq(Tag.MEMBER)):
        for place, name in enumerate(b.world.members):
            with b.when(high.eq(place)):
                put_entry(b, member_names(b.unit, name, json_text), low)
    with b.when(tag.eq(Tag.TEXT)):
        put_string(b, whole(Basic.STRING), is_json=True)
    with b.when(tag.eq(Tag.POSITION)):
        _put_position(b, low, high)
    with b.when(tag.eq(Tag.THING)):
        for family, number in cases(b, b.plan.families, low):
            put_json_name(b, family, number)
    with b.when(tag.eq(Tag.LIST)):
        put(b, "[")
        items = items_of(b, Value(Basic.OBJECT, (tag, low, high), certain=True))
        assert items.type == OBJECTS
        with b.count(items.parts[1]) as (at, _):
            item = b.read(items.parts[0], b.let(at * OBJECT_SIZE), Basic.OBJECT)
            b.run("json.object", item.parts)
            put(b, ",")
        remove_trailing_comma(b)
        put(b, "]")
    b.done()


# Text for moves


def put_text(b: Emitter, value: Value) -> None:
    """Write a value that fits in a word as the text of a move."""
    value = b.keep(value)
    if value.certain:
        _put_present_text(b, value)
        return
    with b.when(b.is_none(value)):
        put(b, "none")
    with b.otherwise():
        _put_present_text(b, value)


def _put_present_text(b: Emitter, value: Value) -> None:
    if not isinstance(value.type, ConstructType):
        put_scalar(b, value)
        return
    for family, number in cases(b, b.plan.families_of(value.type.name), value.only):
        put_name(b, family, number)
