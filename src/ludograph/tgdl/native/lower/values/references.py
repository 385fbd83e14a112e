"""References to instances of several families: code is emitted for each possible family."""

import struct
from collections.abc import Callable, Iterator, Sequence

from ludograph.tgdl.native.ir.builder import const, select, widen
from ludograph.tgdl.native.ir.nodes import I32, I64, Expression
from ludograph.tgdl.native.layout.plan import Family
from ludograph.tgdl.native.layout.representations import Rep
from ludograph.tgdl.native.lower.emitter import Emitter
from ludograph.tgdl.native.lower.unit import Value
from ludograph.tgdl.program.types import Basic, ConstructType, Type


def families_of(b: Emitter, thing: Value) -> tuple[Family, ...]:
    """The possible families of an instance."""
    assert isinstance(thing.type, ConstructType)
    return b.plan.families_of(thing.type.name)


def cases(
    b: Emitter, families: Sequence[Family], reference: Expression
) -> Iterator[tuple[Family, Expression]]:
    """Each possible family of a reference, with the number of the instance in it.

    The code that the loop body emits runs only for an instance of this family. The loop must not be left
    early.
    """
    if reference.kind is I32:
        assert len(families) == 1
        yield families[0], reference
        return
    index = b.let(reference >> 32)
    number = b.let(widen(reference, I32))
    for family in families:
        with b.when(index.eq(family.index)):
            yield family, number


def is_no_reference(reference: Expression) -> Expression:
    """Whether a reference is none."""
    return reference.eq(-1)


def fitted(b: Emitter, families: Sequence[Family], reference: Expression, rep: Rep) -> Expression:
    """Convert a reference of some families to a representation; none stays none."""
    if reference.kind is rep.kinds[0]:
        return reference
    if reference.kind is I64:
        return b.let(widen(reference, I32))
    assert len(families) == 1
    low = widen(reference, I64) & 0xFFFFFFFF
    tagged = low | (families[0].index << 32)
    return b.let(select(is_no_reference(reference), const(-1), tagged))


def refer(b: Emitter, thing: Value, rep: Rep) -> Expression:
    """Convert an instance to a representation."""
    return fitted(b, families_of(b, thing), thing.only, rep)


def tagged(b: Emitter, family: Family, number: Expression, rep: Rep) -> Expression:
    """A reference to an instance of a family, in a representation."""
    return fitted(b, (family,), number, rep)


def read_cell(
    b: Emitter, families: Sequence[Family], reference: Expression, key: str, *, default: int = -1
) -> Expression:
    """The value of an instance in a column; all families have the column in one representation."""
    if reference.kind is I32:
        return b.read_column(families[0].columns[key], reference, Basic.PLAYER).only
    kind = families[0].columns[key].rep.kinds[0]
    found = b.variable(const(default, kind), key)
    for family, number in cases(b, families, reference):
        b.set(found, b.read_column(family.columns[key], number, Basic.PLAYER).only)
    return found


def write_cell(b: Emitter, family: Family, number: Expression, key: str, value: Expression) -> None:
    b.write_column(family.columns[key], number, Value(Basic.PLAYER, (value,)))


def for_family(b: Emitter, thing: Value, type: Type, work: Callable[[Family, Expression], Value]) -> Value:
    """The result of some work for the family of an instance that is not none."""
    families = families_of(b, thing)
    if thing.only.kind is I32:
        return b.coerce(work(families[0], thing.only), type)
    if type is Basic.NOTHING:
        for family, number in cases(b, families, thing.only):
            work(family, number)
        return Value(type, ())
    result = b.holder(type)
    for family, number in cases(b, families, thing.only):
        b.assign(result, work(family, number))
    return result


def creation(b: Emitter, family: Family, number: Expression) -> Expression:
    """The creation number of an instance among all instances."""
    if "number" in family.columns:
        return b.read_column(family.columns["number"], number, Basic.PLAYER).only
    assert b.world.start is not None
    members = b.plan.members(b.world.start, family)
    row = b"".join(struct.pack("<i", member.number) for member in members)
    table = b.unit.data(row, hint="made")
    return b.load(table, b.let(widen(number, I64) * 4), I32, constant=True)
