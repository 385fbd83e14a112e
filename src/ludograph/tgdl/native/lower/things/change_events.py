"""Lowering of writes to attributes with a range or with `change` events."""

from collections.abc import Callable, Sequence

from ludograph.tgdl.native.ir.builder import const, select
from ludograph.tgdl.native.ir.nodes import F64, I1, I32, Expression, Local, Op
from ludograph.tgdl.native.layout.plan import Column
from ludograph.tgdl.native.lower.actions.events import fire_for_constructs
from ludograph.tgdl.native.lower.emitter import Emitter, routine
from ludograph.tgdl.native.lower.things.players import is_one_of, kind_of
from ludograph.tgdl.native.lower.unit import CompilationUnit, Value
from ludograph.tgdl.native.lower.values.lists import detached
from ludograph.tgdl.native.lower.values.objects import objects_differ
from ludograph.tgdl.program import AttributeOf, When
from ludograph.tgdl.program.events import Event
from ludograph.tgdl.program.types import Basic, ConstructType, ListType, TableType
from ludograph.tgdl.world.memory import ConstructInfo
from ludograph.tgdl.world.world import Listener


def is_watched(b: Emitter, root: AttributeOf) -> bool:
    """Whether an attribute has a range or `change` listeners."""
    return any(
        (kind.name, root.slot) in b.world.ranges or _listeners(b, root, kind) for kind in _kinds(b, root)
    )


def _kinds(b: Emitter, root: AttributeOf) -> list[ConstructInfo]:
    assert isinstance(root.target.type, ConstructType)
    name = root.target.type.name
    if name not in b.world.kind:
        return []
    return [b.world.kinds[index] for index in b.world.subtypes[name]]


def _listeners(b: Emitter, root: AttributeOf, kind: ConstructInfo) -> Sequence[Listener]:
    return b.world.listeners.get((Event.CHANGE.kind, f"{kind.name}:{root.slot}"), ())


def write_watched(b: Emitter, root: AttributeOf, column: Column, target: Value, value: Value) -> None:
    """Write an attribute, with its range check and `change` events."""
    kinds = _kinds(b, root)
    family = b.family_of(target)
    value = b.keep(filled(b, detached(b, value)))
    for kind in kinds:
        if (kind.name, root.slot) in b.world.ranges:
            with b.when(is_one_of(b, family, target.only, (kind.index,))):
                check_range(b, kind, root.slot, target.only, value)
    if not any(_listeners(b, root, kind) for kind in kinds):
        b.write_column(column, target.only, value)
        return
    held = b.read_column(column, target.only, root.type)
    old = detached(b, Value(held.type, held.parts, held.certain, ("attribute", column.offset)))
    changed = b.let(differs(b, old, value))
    numbers = [b.unit.string(kind.name) for kind in b.world.kinds]
    fields = {"instance": target, "old": old, "new": value}
    fields["attribute"] = Value(Basic.STRING, (const(b.unit.string(root.attribute), I32),), certain=True)
    state: Expression = const(numbers[family.kinds[0].index], I32)
    for kind in family.kinds[1:]:
        is_kind = kind_of(b, family, target.only).eq(kind.index)
        state = Op("select", (is_kind, const(numbers[kind.index], I32), state), I32)
    fields["state"] = Value(Basic.STRING, (b.let(state),), certain=True)

    def fire(when: When) -> None:
        with b.when(changed):
            fire_for_constructs(
                b,
                f"{Event.CHANGE.kind}.{root.slot}",
                target,
                lambda kind: _listeners(b, root, kind),
                fields,
                when,
            )

    fire(When.BEFORE)
    b.write_column(column, target.only, value)
    fire(When.FAST)
    fire(When.AFTER)


def filled(b: Emitter, value: Value) -> Value:
    """The value of an attribute: a list or table is never none there."""
    match value.type:
        case ListType() if not value.certain:
            start, length = value.parts
            start = b.let(select(b.is_none(value), b.unit.data(), start))
            return Value(value.type, (start, length), certain=True)
        case TableType() if not value.certain:
            buffer = b.allocate(b.plan.rep(value.type).size)
            b.write_table(buffer, 0, value, to_block=False)
            return Value(value.type, (buffer,), certain=True)
        case _:
            return value


def differs(b: Emitter, old: Value, new: Value) -> Expression:
    """Whether two values differ; none equals none here."""
    match old.type:
        case ListType() | TableType():
            return _lists_differ(b, old, new)
        case Basic.OBJECT:
            return objects_differ(b, old, new)
        case _ if old.only.kind is F64:
            nones = old.only.is_nan() & new.only.is_nan()
            return old.only.ne(new.only) & ~nones
        case _:
            return old.only.ne(new.only)


def _lists_differ(b: Emitter, old: Value, new: Value) -> Expression:
    first, second = b.as_list(old), b.as_list(new)
    assert isinstance(first.type, ListType)
    type = first.type.element
    size = b.plan.rep(type).size
    result = b.variable(first.parts[1].ne(second.parts[1]), "differ")
    with b.when(~result):
        with b.count(first.parts[1]) as (at, label):
            by = b.let(at * size)
            one, other = b.read(first.parts[0], by, type), b.read(second.parts[0], by, type)
            with b.when(differs(b, one, other)):
                b.set(result, const(1, I1))
                b.leave(label)
    return result


# Ranges


def check_range(b: Emitter, kind: ConstructInfo, slot: int, number: Expression, value: Value) -> None:
    """Raise a fault unless a value is in the range of an attribute."""
    if (kind.name, slot) not in b.world.ranges:
        return
    with b.when(~b.is_none(value)):
        low, high = b.run(_range_function(b.unit, kind, slot), (number,), (F64, F64))
        # A comparison with a bound that is none is false.
        outside = (value.only < low) | (value.only > high)
        b.fault_if(outside, "TG0508")


def _range_function(unit: CompilationUnit, kind: ConstructInfo, slot: int) -> str:
    """The function that returns the current bounds of an attribute."""

    @routine(f"range.{kind.name}.{slot}", (I32,), gives=(F64, F64))
    def make(b: Emitter, this: Local) -> None:
        b.this = Value(ConstructType(kind.name), (this,), certain=True)
        attribute = kind.construct.attributes[slot]
        bounds = [
            b.none(Basic.DECIMAL) if node is None else b.expression(node)
            for node in (attribute.low, attribute.high)
        ]
        b.done(*(bound.only for bound in bounds))

    return make(unit)


SOURCES: dict[Event, Callable[..., object]] = {Event.CHANGE: write_watched}
"""The functions that raise events."""
