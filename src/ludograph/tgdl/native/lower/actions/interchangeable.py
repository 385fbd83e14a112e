"""Lowering of interchangeable candidates: an input offers only one of several instances that are alike.

The rule and its fuel are those of `reference/instance_names.py` and `reference/inputs.py`.
"""

from ludograph.tgdl import program as p
from ludograph.tgdl.native.ir.builder import address, const
from ludograph.tgdl.native.ir.nodes import I1, I32, I64, PTR, Expression, Local
from ludograph.tgdl.native.layout.plan import Family
from ludograph.tgdl.native.lower.emitter import Emitter, routine
from ludograph.tgdl.native.lower.fuel import pay
from ludograph.tgdl.native.lower.list_costs import count_elements
from ludograph.tgdl.native.lower.things.change_events import differs
from ludograph.tgdl.native.lower.things.players import is_one_of, kind_of
from ludograph.tgdl.native.lower.things.visibility import sees_attribute, sees_instance
from ludograph.tgdl.native.lower.unit import CompilationUnit, Value
from ludograph.tgdl.native.lower.values.lists import Collector, element
from ludograph.tgdl.native.lower.values.references import cases
from ludograph.tgdl.program.types import Basic, ConstructType
from ludograph.tgdl.world.analysis import merged_width
from ludograph.tgdl.world.memory import ConstructInfo

Kinds = tuple[tuple[Family, ConstructInfo], ...]


def offered(b: Emitter, known: p.Input, found: Value, chooser: Expression) -> Value:
    """The candidates that are offered: one of several that are interchangeable."""
    classes = alike_classes(b, known, found, chooser)
    if classes is None:
        return found
    type = element(found)
    size = b.plan.rep(type).size
    kept = Collector(b, type, found.parts[1])
    with b.count(found.parts[1]) as (at, _):
        with b.when(b.load_word(classes, at).eq(at)):
            kept.add(b.read(found.parts[0], b.let(at * size), type))
    return kept.found()


def alike_classes(b: Emitter, known: p.Input, found: Value, chooser: Expression) -> Expression | None:
    """An array of words: for each candidate the index of the first one that is interchangeable with it.

    None if the input has no interchangeable candidates.
    """
    width = merged_width(b.world, known)
    if not width:
        return None
    type = element(found)
    assert isinstance(type, ConstructType)
    (classes,) = b.run(_classes_function(b.unit, type, width), (*found.parts, chooser), (PTR,))
    return classes


def _classes_function(unit: CompilationUnit, type: ConstructType, width: int) -> str:
    @routine(unit.name_of(f"alike_classes.{type.name}", ("alike", type)), (PTR, I64, I32), gives=(PTR,))
    def make(b: Emitter, start: Local, count: Local, chooser: Local) -> None:
        families = b.plan.families_of(type.name)
        kinds = _interchangeable(b, families, type)
        size = b.plan.rep(type).size
        # The classes, then for each candidate whether it is the first of its class.
        classes = b.allocate(b.let(count * 16))
        firsts = b.let(address(classes, b.let(count * 8)))
        with b.count(count) as (at, _):
            b.store(classes, b.let(at * 8), at)
            b.store(firsts, b.let(at * 8), const(0))
        b.done_if(count < 2, classes)
        _pay(b, kinds, start, count, type, width)
        with b.count(count) as (at, _):
            item = b.read(start, b.let(at * size), type)
            with b.when(_is_seen(b, families, kinds, item, chooser)):
                own = b.variable(at, "class")
                with b.count(at) as (before, label):
                    with b.when(b.load_word(firsts, before).ne(0)):
                        other = b.read(start, b.let(before * size), type)
                        with b.when(_are_alike(b, families, item, other)):
                            b.set(own, before)
                            b.leave(label)
                with b.when(own.eq(at)):
                    b.store(firsts, b.let(at * 8), const(1))
                b.store(classes, b.let(at * 8), own)
        b.done(classes)

    return make(unit)


def _interchangeable(b: Emitter, families: tuple[Family, ...], type: ConstructType) -> Kinds:
    wanted = b.world.subtypes[type.name]
    return tuple(
        (family, kind)
        for family in families
        for kind in family.kinds
        if kind.construct.interchangeable and kind.index in wanted
    )


def _pay(
    b: Emitter, kinds: Kinds, start: Expression, count: Expression, type: ConstructType, width: int
) -> None:
    """Pay for each pair, by the number of attributes and of the elements of their lists."""
    weight = b.variable(count * width, "weight")
    compound = {kind.index: b.world.merged_slots[kind.index] for _, kind in kinds}
    if any(compound.values()):
        size = b.plan.rep(type).size
        families = b.plan.families_of(type.name)
        with b.count(count) as (at, _):
            item = b.read(start, b.let(at * size), type)
            for family, number in cases(b, families, item.only):
                for other, kind in kinds:
                    if other is not family or not compound[kind.index]:
                        continue
                    with b.when(is_one_of(b, family, number, (kind.index,))):
                        for slot in compound[kind.index]:
                            column = family.columns[b.plan.column_key(kind, slot)]
                            held = b.read_column(column, number, kind.construct.attributes[slot].type)
                            b.set(weight, weight + count_elements(b, held))
    pay(b, b.let(count * weight))


def _is_seen(
    b: Emitter, families: tuple[Family, ...], kinds: Kinds, item: Value, chooser: Expression
) -> Expression:
    """Whether an instance is interchangeable, and the chooser sees it with all its attributes."""
    seen = b.variable(const(0, I1), "seen")
    fuel, floor = b.get("fuel", I64), b.get("floor", I64)
    for family, number in cases(b, families, item.only):
        for other, kind in kinds:
            if other is family:
                with b.when(is_one_of(b, family, number, (kind.index,))):
                    b.set(seen, sees_instance(b, family, number, chooser))
                    for attribute in kind.construct.attributes if b.world.has_secrets else ():
                        with b.when(seen):
                            b.set(seen, sees_attribute(b, family, kind, number, attribute, chooser))
    b.put("fuel", fuel)
    b.put("floor", floor)
    return seen


def _are_alike(b: Emitter, families: tuple[Family, ...], first: Value, second: Value) -> Expression:
    """Whether two instances are of one construct, in one place, and have the same attributes."""
    alike = b.variable(const(0, I1), "alike")
    for family, number in cases(b, families, first.only):
        if not any(kind.construct.interchangeable for kind in family.kinds):
            continue
        for other, its_number in cases(b, families, second.only):
            if other is family:
                (found,) = b.run(_alike_function(b.unit, family), (number, its_number), (I1,))
                b.set(alike, found)
    return alike


def _alike_function(unit: CompilationUnit, family: Family) -> str:
    @routine(f"alike.{family.index}", (I32, I32), gives=(I1,))
    def make(b: Emitter, first: Local, second: Local) -> None:
        no = const(0, I1)
        b.done_if(kind_of(b, family, first).ne(kind_of(b, family, second)), no)
        for key, column in family.columns.items():
            if key == "place" or (isinstance(key, tuple) and key[0] == "off"):
                places = [b.read_column(column, each, Basic.PLAYER).only for each in (first, second)]
                b.done_if(places[0].ne(places[1]), no)
        for kind in family.kinds:
            if not kind.construct.interchangeable:
                continue
            with b.when(is_one_of(b, family, first, (kind.index,))):
                for attribute in kind.construct.attributes:
                    column = family.columns[b.plan.column_key(kind, attribute.slot)]
                    one, other = (b.read_column(column, each, attribute.type) for each in (first, second))
                    b.done_if(differs(b, one, other), no)
        b.done(const(1, I1))

    return make(unit)
