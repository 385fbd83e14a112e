"""Lowering of the type `object`: three words, a tag and the value.

| tag | type | the other two words |
|---|---|---|
| 1 | a decimal | its bits |
| 2 | a bool | 0 or 1 |
| 3 | a player or phase | its number |
| 4 | a member of an enum | its number, the number of the enum |
| 5 | a string | its number |
| 6 | a position | its 128 bits |
| 7 | an instance | its family and number, as in a wide reference |
| 9 | a list or table | the address of its objects, as for a nested list; their number |
| -1 | none | |
"""

from ludograph.tgdl.native.ir.builder import address, const, select, widen
from ludograph.tgdl.native.ir.nodes import F64, I1, I64, I128, PTR, Expression, Local, Op
from ludograph.tgdl.native.layout.representations import NO_OBJECT, OBJECT_SIZE, Tag
from ludograph.tgdl.native.lower.board.tile_tables import clear_entries
from ludograph.tgdl.native.lower.emitter import Emitter
from ludograph.tgdl.native.lower.fuel import pay
from ludograph.tgdl.native.lower.routine import BLOCK, located
from ludograph.tgdl.native.lower.unit import CompilationUnit, Value, emitted
from ludograph.tgdl.program.types import Basic, ConstructType, EnumType, ListType, TableType, Type
from ludograph.tgdl.world.fuel import GENERAL

OBJECTS = ListType(Basic.OBJECT)


def convert(b: Emitter, value: Value, type: Type) -> Value:
    """Convert a value to an object, or an object to a value; the type test has been done."""
    return box(b, value) if type is Basic.OBJECT else unbox(b, value, type)


def box(b: Emitter, value: Value) -> Value:
    """Convert a value to an object; none stays none."""
    if value.type is Basic.OBJECT:
        return value
    value = b.keep(value)
    tag, low, high = _words_of(b, value)
    if value.certain:
        return Value(Basic.OBJECT, (const(tag), b.let(low), b.let(high)), certain=True)
    kind = b.let(select(b.is_none(value), const(NO_OBJECT), const(tag)))
    zero = kind.eq(NO_OBJECT)
    parts = (kind, *(b.let(select(zero, const(0), word)) for word in (low, high)))
    return Value(Basic.OBJECT, parts)


def _words_of(b: Emitter, value: Value) -> tuple[int, Expression, Expression]:
    match value.type:
        case Basic.DECIMAL:
            return Tag.DECIMAL, Op("bitcast", (value.only,), I64), const(0)
        case Basic.BOOL:
            return Tag.BOOL, widen(value.only, I64), const(0)
        case Basic.PLAYER | Basic.PHASE:
            return Tag.PLAYER, widen(value.only, I64), const(0)
        case EnumType(name):
            return Tag.MEMBER, widen(value.only, I64), const(enum_number(b.unit, name))
        case Basic.STRING:
            return Tag.TEXT, widen(value.only, I64), const(0)
        case Basic.POSITION:
            high = Op("trunc", (value.only >> 64,), I64)
            return Tag.POSITION, Op("trunc", (value.only,), I64), high
        case ConstructType(name):
            if value.only.kind is I64:
                return Tag.THING, value.only, const(0)
            low = widen(value.only, I64) & 0xFFFFFFFF
            return Tag.THING, low | (b.plan.family(name).index << 32), const(0)
        case _:
            items = b.as_list(value)
            start, length = b.coerce(items, OBJECTS).parts
            return Tag.LIST, Op("ptrtoint", (start,), I64), length


def enum_number(unit: CompilationUnit, name: str) -> int:
    return list(unit.world.members).index(name)


def unbox(b: Emitter, value: Value, type: Type) -> Value:
    """Convert an object to a value of its type; none stays none."""
    value = b.keep(value)
    missing = b.let(b.is_none(value))
    _, low, high = value.parts
    rep = b.plan.rep(type)
    match type:
        case ListType(element):
            items = _converted(b, value, element)
            start = b.let(select(missing, const(0, PTR), items[0]))
            return Value(type, (start, items[1]), value.certain)
        case TableType(_, inner):
            start, length = _converted(b, value, inner)
            if b.plan.is_growing(type):
                buffer = b.allocate(rep.size)
                clear_entries(b, Value(type, (buffer,), certain=True))
                with b.when(length.ule(rep.count)):
                    b.copy(buffer, start, b.let(length * b.plan.rep(inner).size))
                return Value(type, (b.let(select(missing, const(0, PTR), buffer)),))
            fits = ~missing & length.eq(rep.count)
            return Value(type, (b.let(select(fits, start, const(0, PTR))),))
        case Basic.DECIMAL:
            found: Expression = Op("bitcast", (low,), F64)
        case Basic.POSITION:
            wide = Op("zext", (high,), I128) << 64
            found = wide | Op("zext", (low,), I128)
        case _:
            found = widen(low, rep.kinds[0])
    return Value(type, (b.let(select(missing, b.none(type).only, found)),), value.certain)


def items_of(b: Emitter, value: Value) -> Value:
    """The elements of an object that is a list."""
    _, low, high = value.parts
    start = located(low, low.ult(1 << 32))
    return b.keep(Value(OBJECTS, (start, high), certain=True))


def _converted(b: Emitter, value: Value, element: Type) -> tuple[Expression, Expression]:
    items = Value(OBJECTS, items_of(b, value).parts, certain=True)
    is_list = value.parts[0].eq(Tag.LIST)
    length = b.let(select(is_list, items.parts[1], const(0)))
    found = b.coerce(Value(OBJECTS, (items.parts[0], length), certain=True), ListType(element))
    return found.parts[0], found.parts[1]


# Comparison


def same_objects(b: Emitter, left: Value, right: Value) -> Expression:
    """`==` of two objects: none equals nothing, not even inside lists."""
    arguments = (*box(b, left).parts, *box(b, right).parts)
    (found,) = b.run(_compare_function(b.unit, nones_match=False), arguments, (I1,))
    return found


def objects_differ(b: Emitter, left: Value, right: Value) -> Expression:
    """Whether two objects differ; none equals none here."""
    arguments = (*box(b, left).parts, *box(b, right).parts)
    (found,) = b.run(_compare_function(b.unit, nones_match=True), arguments, (I1,))
    return b.let(~found)


def _parameters(*names: str) -> list[Local]:
    return [Local(name, I64) for name in names]


def _compare_function(unit: CompilationUnit, *, nones_match: bool) -> str:
    name = "alike_objects" if nones_match else "same_objects"

    def make() -> None:
        locals_ = _parameters("tag", "low", "high", "other_tag", "other_low", "other_high")
        b = Emitter(unit, name, locals_, (I1,))
        one, other = Value(Basic.OBJECT, tuple(locals_[:3])), Value(Basic.OBJECT, tuple(locals_[3:]))
        b.done_if(one.parts[0].ne(other.parts[0]), const(0, I1))
        with b.when(one.parts[0].eq(NO_OBJECT)):
            b.done(const(int(nones_match), I1))
        b.done_if(one.parts[2].ne(other.parts[2]), const(0, I1))
        b.done_if(one.parts[0].ne(Tag.LIST), one.parts[1].eq(other.parts[1]))
        first, second = items_of(b, one), items_of(b, other)
        if not nones_match:
            pay(b, b.let(first.parts[1] * GENERAL))
        with b.count(first.parts[1]) as (at, _):
            by = b.let(at * OBJECT_SIZE)
            pair = [b.read(items.parts[0], by, Basic.OBJECT) for items in (first, second)]
            if not nones_match:
                pay_for_pair(b, *pair)
            (same,) = b.run(name, (*pair[0].parts, *pair[1].parts), (I1,))
            b.done_if(~same, const(0, I1))
        b.done(const(1, I1))
        b.finish()

    return unit.need(name, make)


def pay_for_pair(b: Emitter, one: Value, other: Value) -> None:
    """Pay for the comparison of two elements: one if both are lists."""
    with b.when(one.parts[0].eq(Tag.LIST) & other.parts[0].eq(Tag.LIST)):
        b.spend(1)


# Storing


def keep_object(b: Emitter, value: Value) -> Value:
    """An object with its lists copied to the heap of the block."""
    tag, low, high = value.parts
    kept = b.variable(low, "kept")
    with b.when(tag.eq(Tag.LIST)):
        (offset,) = b.run(_store_function(b.unit), (low, high), (I64,))
        b.set(kept, offset)
    return Value(value.type, (tag, b.let(kept), high), value.certain)


@emitted("keep_objects")
def _store_function(unit: CompilationUnit) -> None:
    low, high = _parameters("low", "high")
    b = Emitter(unit, "keep_objects", (low, high), (I64,))
    b.done_if(low.ult(1 << 32), low)
    items = items_of(b, Value(Basic.OBJECT, (const(int(Tag.LIST)), low, high)))
    offset = b.claim(b.let(high * OBJECT_SIZE))
    with b.count(high) as (at, _):
        by = b.let(at * OBJECT_SIZE)
        item = b.read(items.parts[0], by, Basic.OBJECT)
        b.write(b.let(address(BLOCK, offset)), by, item, to_block=True)
    b.done(offset)
    b.finish()
