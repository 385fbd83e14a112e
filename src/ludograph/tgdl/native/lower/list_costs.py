"""Values that are handed on, made and changed, lowered: long lists are paid for, and none has too much in it.

The sibling of `reference/fuel_costs.py`: the same amounts at the same places.
"""

from ludograph.tgdl.native.ir.builder import binary, compare, const, select
from ludograph.tgdl.native.ir.nodes import I64, Const, Expression, Local
from ludograph.tgdl.native.layout.representations import Tag
from ludograph.tgdl.native.lower.body import Body
from ludograph.tgdl.native.lower.fuel import pay
from ludograph.tgdl.native.lower.unit import Unit, Value
from ludograph.tgdl.native.lower.values.objects import items_of
from ludograph.tgdl.program import Expression as Node
from ludograph.tgdl.program.types import Basic, ListType, TableType, Type
from ludograph.tgdl.world.values import DEEPEST_LIST, MOST_WITHIN, is_compound, is_flat


def handed(b: Body, node: Node) -> Value:
    """An expression whose value is handed on: to a variable, a verb, into a list."""
    value = b.expression(node)
    pay_for(b, value)
    return value


def pay_for(b: Body, value: Value) -> None:
    """Pay for a value that is handed on, made or changed; what is neither list nor table costs nothing."""
    if is_compound(value.type):
        pay(b, measured(b, value))


def measured(b: Body, value: Value) -> Expression:
    """How many elements there are, with those of the lists and tables inside; too many are a fault."""
    type = value.type
    if isinstance(type, TableType) and not b.has_lists(type):
        count = _of_table(b, type)
        return count if value.certain else b.let(select(b.is_none(value), const(0), count))
    is_empty = isinstance(type, ListType) and isinstance(value.parts[1], Const) and value.parts[1].value == 0
    if is_flat(type) or is_empty:
        return value.parts[1]
    (count,) = b.run(_counter(b.unit, type), (*value.parts, const(1)), (I64,))
    b.fault_if(compare("sgt", count, MOST_WITHIN), "TG0505")
    return count


def _of_table(b: Body, type: TableType) -> Expression:
    """The elements of a table in which there are no lists."""
    entries = b.entries(type)
    if not isinstance(type.value, TableType):
        return entries
    each = b.let(binary("add", _of_table(b, type.value), 1))
    return b.let(binary("mul", entries, each))


def _counter(unit: Unit, type: Type) -> str:
    """The function that counts the elements of a list, table or object; it knows how deep that lies."""
    name = unit.name_of("count_elements", ("elements", type))
    return unit.need(name, lambda: _make_counter(unit, type, name))


def _make_counter(unit: Unit, type: Type, name: str) -> None:
    parts = tuple(Local(f"part{at}", kind) for at, kind in enumerate(unit.plan.rep(type).kinds))
    depth = Local("depth", I64)
    b = Body(unit, name, (*parts, depth), (I64,))
    value = Value(type, parts)
    if type is Basic.OBJECT:
        with b.when(compare("ne", parts[0], Tag.LIST)):
            b.done(const(0))
        items = items_of(b, value)
    else:
        with b.when(b.is_none(value)):
            b.done(const(0))
        items = b.as_list(Value(type, parts, certain=True))
    b.fault_if(compare("sgt", depth, DEEPEST_LIST), "TG0505")
    assert isinstance(items.type, ListType)
    inner, (start, length) = items.type.element, items.parts
    count = b.variable(length, "count")
    if is_compound(inner):
        size = unit.plan.rep(inner).size
        deeper = b.let(binary("add", depth, 1))
        with b.count(length) as (at, _):
            item = b.read(start, b.let(binary("mul", at, size)), inner)
            if isinstance(inner, ListType) and is_flat(inner):
                b.set(count, binary("add", count, item.parts[1]))
            else:
                (more,) = b.run(_counter(unit, inner), (*item.parts, deeper), (I64,))
                b.set(count, binary("add", count, more))
                b.fault_if(compare("sgt", count, MOST_WITHIN), "TG0505")
    b.done(count)
    b.finish(often=True)
