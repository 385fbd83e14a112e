"""Lowering of type tests of objects, before they are converted to a narrower type."""

from ludograph.tgdl.native.ir.builder import const
from ludograph.tgdl.native.ir.nodes import I1, Expression, Local, compare
from ludograph.tgdl.native.layout.representations import OBJECT_SIZE, Tag
from ludograph.tgdl.native.lower.emitter import Emitter
from ludograph.tgdl.native.lower.things.players import is_one_of
from ludograph.tgdl.native.lower.unit import Value
from ludograph.tgdl.native.lower.values.objects import enum_number, items_of
from ludograph.tgdl.native.lower.values.references import cases
from ludograph.tgdl.program.types import Basic, ConstructType, EnumType, ListType, TableType, Type
from ludograph.tgdl.world.table_keys import may_grow


def has_type(b: Emitter, value: Value, type: Type) -> Expression:
    """Whether an object that is not none has a type; none inside a list has every type."""
    tag, low, high = value.parts
    simple = {
        Basic.DECIMAL: Tag.DECIMAL,
        Basic.BOOL: Tag.BOOL,
        Basic.STRING: Tag.TEXT,
        Basic.POSITION: Tag.POSITION,
    }
    match type:
        case EnumType(name):
            same = high.eq(enum_number(b.unit, name))
            return tag.eq(Tag.MEMBER) & same
        case ConstructType(name):
            kinds = b.world.subtypes[name]
            found = b.variable(const(0, I1), "is")
            with b.when(tag.eq(Tag.THING)):
                for family, number in cases(b, b.plan.families, low):
                    if any(kind.index in kinds for kind in family.kinds):
                        b.set(found, is_one_of(b, family, number, kinds))
            return found
        case ListType(element) | TableType(_, element):
            passed = b.variable(tag.eq(Tag.LIST), "is")
            if isinstance(type, TableType):
                b.set(passed, passed & _has_keys(b, type, high))
            with b.when(passed):
                _all_have(b, items_of(b, value), element, passed)
            return passed
        case Basic.PLAYER | Basic.PHASE:
            # Such numbers are used as indexes without checks, and there may be more phases than players.
            count = b.world.players if type is Basic.PLAYER else len(b.world.phases)
            return tag.eq(Tag.PLAYER) & low.ult(count)
        case Basic() if type in simple:
            return tag.eq(simple[type])
        case _:
            return const(1, I1)


def _has_keys(b: Emitter, type: TableType, length: Expression) -> Expression:
    """Whether a list has the length of a table; the entries of later tiles may be missing."""
    count = b.entries(type)
    may_lack = isinstance(type.key, ConstructType) and may_grow(b.world, type.key.name)
    return compare("ule" if may_lack else "eq", length, count)


def _all_have(b: Emitter, items: Value, element: Type, passed: Local) -> None:
    with b.count(items.parts[1]) as (at, label):
        item = b.read(items.parts[0], b.let(at * OBJECT_SIZE), Basic.OBJECT)
        fits = b.variable(b.is_none(item), "fits")
        with b.when(~fits):
            b.set(fits, has_type(b, item, element))
        with b.when(~fits):
            b.set(passed, const(0, I1))
            b.leave(label)
