"""The total size of the lists and tables of a state, and its limit.

Lists cannot have more elements than the heap has bytes, so a small state costs one comparison.
"""

from ludograph.tgdl.native.ir.builder import const, widen
from ludograph.tgdl.native.ir.nodes import I32, I64, Const, Expression, Local
from ludograph.tgdl.native.layout.plan import Column, Family, Plan
from ludograph.tgdl.native.lower.emitter import Emitter, has_lists, routine
from ludograph.tgdl.native.lower.list_costs import count_elements
from ludograph.tgdl.native.lower.routine import BLOCK
from ludograph.tgdl.native.lower.things.players import count_of, is_one_of
from ludograph.tgdl.native.lower.unit import CompilationUnit
from ludograph.tgdl.program.types import Basic, ListType, TableType, Type
from ludograph.tgdl.world.memory import ConstructInfo
from ludograph.tgdl.world.values import is_compound


def check_state(b: Emitter) -> None:
    """Raise a fault if the lists and tables of the state have too many elements in total."""
    columns = _columns(b.unit)
    most = sum(family.capacity * _entries(b.plan, type) for family, _, type in columns)
    holds_lists = any(has_lists(type) for _, _, type in columns)
    if not holds_lists and most <= b.world.most_in_state:
        return
    function = _check_function(b.unit)
    if most > b.world.most_in_state or any(_has_objects(type) for _, _, type in columns):
        b.run(function)  # objects may share lists, so the heap size is no bound
        return
    used = b.head("heap_top", I64) - b.plan.fixed_size
    with b.when(used > b.world.most_in_state - most, unlikely=True):
        b.run(function)


def size_of(b: Emitter) -> Expression:
    """The size of the state: the cells of all instances, and the elements of all lists and tables."""
    known = 0
    total: Expression = const(0)
    for family in b.plan.families:
        width = max(kind.width for kind in family.kinds)
        count = count_of(b, family)
        if isinstance(count, Const):
            known += width * int(count.value)
        else:
            total = b.let(total + widen(count, I64) * width)
    return b.let(total + _elements(b) + known)


def _elements(b: Emitter) -> Expression:
    """The number of elements of all lists and tables; a loop is needed only if there are several lists."""
    start = b.world.start
    assert start is not None
    known = 0
    total: Expression = const(0)
    for kind in b.world.kinds:
        family, things = b.plan.family_of_kind[kind.index], len(start.families[kind.index])
        for attribute in kind.construct.attributes:
            if not is_compound(attribute.type) or (things == 0 and not family.grows):
                continue
            if family.grows or _is_growing(b.plan, attribute.type):
                return _count_by_loop(b)
            if not has_lists(attribute.type):
                known += things * _entries(b.plan, attribute.type)
            elif family.is_mixed or things > 1:
                return _count_by_loop(b)
            else:
                value = b.read_column(b.plan.column(kind.name, attribute.slot), const(0, I32), attribute.type)
                total = b.let(total + count_elements(b, value))
    return total + known


def _count_by_loop(b: Emitter) -> Expression:
    (found,) = b.run(_count_function(b.unit), (), (I64,))
    return found


def _columns(unit: CompilationUnit) -> list[tuple[Family, Column, Type]]:
    return [
        (unit.plan.family_of_kind[kind.index], unit.plan.column(kind.name, attribute.slot), attribute.type)
        for kind in unit.world.kinds
        for attribute in kind.construct.attributes
        if is_compound(attribute.type)
    ]


def _entries(plan: Plan, type: Type) -> int:
    """The number of entries of a table, including nested tables."""
    if not isinstance(type, TableType):
        return 0
    return plan.rep(type).count * (1 + _entries(plan, type.value))


def _is_growing(plan: Plan, type: Type) -> bool:
    """Whether a table, or a nested one, gets an entry for every new tile."""
    return isinstance(type, TableType) and (plan.is_growing(type) or _is_growing(plan, type.value))


def _has_objects(type: Type) -> bool:
    match type:
        case ListType(inner) | TableType(_, inner):
            return _has_objects(inner)
        case _:
            return type is Basic.OBJECT


@routine("check_state", apart=True)
def _check_function(b: Emitter) -> None:
    (total,) = b.run(_count_function(b.unit), (), (I64,))
    b.fault_if(total > b.world.most_in_state, "TG0519")
    b.done()


@routine("count_state", gives=(I64,), apart=True)
def _count_function(b: Emitter) -> None:
    total = b.variable(const(0), "total")
    for kind in b.world.kinds:
        slots = [each.slot for each in kind.construct.attributes if is_compound(each.type)]
        if slots:
            _add(b, kind, slots, total)
    b.done(total)


def _add(b: Emitter, kind: ConstructInfo, slots: list[int], total: Local) -> None:
    family = b.plan.family_of_kind[kind.index]
    with b.count(b.load(BLOCK, family.count_at, I32)) as (number, _):
        with b.when(is_one_of(b, family, number, (kind.index,))):
            for slot in slots:
                type = kind.construct.attributes[slot].type
                value = b.read_column(b.plan.column(kind.name, slot), number, type)
                b.set(total, total + count_elements(b, value))
