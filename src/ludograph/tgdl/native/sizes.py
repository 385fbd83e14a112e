"""How much there is in all lists and tables of a state, lowered: more than there may be is a fault.

What the lists have cannot be more than the bytes of their heap, so that small states cost one comparison.
"""

from ludograph.tgdl.interpreter.handling import MOST_IN_STATE
from ludograph.tgdl.interpreter.values import is_compound
from ludograph.tgdl.memory import Kind
from ludograph.tgdl.native.code import binary, compare, const
from ludograph.tgdl.native.handling import measured
from ludograph.tgdl.native.ir import I32, I64, Local
from ludograph.tgdl.native.plan import Column, Family, Plan
from ludograph.tgdl.native.things import is_one_of
from ludograph.tgdl.native.unit import BLOCK, Body, Unit
from ludograph.tgdl.types import Basic, ListType, TableType, Type


def check_state(b: Body) -> None:
    """A fault if the lists and tables of the state have too many elements together."""
    columns = _columns(b.unit)
    most = sum(family.capacity * _entries(b.plan, type) for family, _, type in columns)
    has_lists = any(b.has_lists(type) for _, _, type in columns)
    if not has_lists and most <= MOST_IN_STATE:
        return
    function = b.unit.need("check_state", lambda: _make_check(b.unit))
    if most > MOST_IN_STATE or any(_has_objects(type) for _, _, type in columns):
        b.run(function, ())  # objects may share what they hold
        return
    room = binary("sub", b.head("heap_top", I64), b.plan.fixed_size)
    with b.when(compare("sgt", room, MOST_IN_STATE - most), unlikely=True):
        b.run(function, ())


def _columns(unit: Unit) -> list[tuple[Family, Column, Type]]:
    return [
        (unit.plan.family_of_kind[kind.index], unit.plan.column(kind.name, attribute.slot), attribute.type)
        for kind in unit.world.kinds
        for attribute in kind.construct.attributes
        if is_compound(attribute.type)
    ]


def _entries(plan: Plan, type: Type) -> int:
    """The entries of a table, with those of the tables in it."""
    if not isinstance(type, TableType):
        return 0
    return plan.rep(type).count * (1 + _entries(plan, type.value))


def _has_objects(type: Type) -> bool:
    match type:
        case ListType(inner) | TableType(_, inner):
            return _has_objects(inner)
        case _:
            return type is Basic.OBJECT


def _make_check(unit: Unit) -> None:
    b = Body(unit, "check_state")
    total = b.variable(const(0), "total")
    for kind in unit.world.kinds:
        slots = [each.slot for each in kind.construct.attributes if is_compound(each.type)]
        if slots:
            _add(b, kind, slots, total)
    b.fault_if(compare("sgt", total, MOST_IN_STATE), "TG0519")
    b.done()
    b.finish(apart=True)


def _add(b: Body, kind: Kind, slots: list[int], total: Local) -> None:
    family = b.plan.family_of_kind[kind.index]
    with b.count(b.load(BLOCK, family.count_at, I32)) as (number, _):
        with b.when(is_one_of(b, family, number, (kind.index,))):
            for slot in slots:
                type = kind.construct.attributes[slot].type
                value = b.read_column(b.plan.column(kind.name, slot), number, type)
                b.set(total, binary("add", total, measured(b, value)))
