"""Fuel costs of lists that are passed, created or changed, and the limit of their size.

The costs are those of `reference/fuel_costs.py`, at the same points.
"""

from ludograph.tgdl.native.ir.builder import const, select
from ludograph.tgdl.native.ir.nodes import I64, Const, Expression, Local
from ludograph.tgdl.native.layout.representations import Tag
from ludograph.tgdl.native.lower.emitter import Emitter, has_lists
from ludograph.tgdl.native.lower.fuel import pay
from ludograph.tgdl.native.lower.unit import CompilationUnit, Value
from ludograph.tgdl.native.lower.values.objects import items_of
from ludograph.tgdl.program import Expression as Node
from ludograph.tgdl.program.types import Basic, ListType, TableType, Type
from ludograph.tgdl.world.values import MAX_LIST_DEPTH, MAX_WITHIN, is_compound, is_flat


def evaluate_passed(b: Emitter, node: Node) -> Value:
    """Evaluate an expression whose value is passed on: to a variable, a verb, or into a list."""
    value = b.expression(node)
    pay_for_value(b, value)
    return value


def pay_for_value(b: Emitter, value: Value) -> None:
    """Pay for a value that is passed, created or changed; only lists and tables cost fuel."""
    if is_compound(value.type):
        pay(b, count_elements(b, value))


def count_elements(b: Emitter, value: Value) -> Expression:
    """The number of elements, including those of nested lists and tables; too many are a fault."""
    type = value.type
    if isinstance(type, TableType) and not has_lists(type):
        count = _of_table(b, type)
        return count if value.certain else b.let(select(b.is_none(value), const(0), count))
    is_empty = isinstance(type, ListType) and isinstance(value.parts[1], Const) and value.parts[1].value == 0
    if is_flat(type) or is_empty:
        return value.parts[1]
    (count,) = b.run(_counter(b.unit, type), (*value.parts, const(1)), (I64,))
    b.fault_if(count > MAX_WITHIN, "TG0505")
    return count


def _of_table(b: Emitter, type: TableType) -> Expression:
    """The number of elements of a table without lists."""
    entries = b.entries(type)
    if not isinstance(type.value, TableType):
        return entries
    each = b.let(_of_table(b, type.value) + 1)
    return b.let(entries * each)


def _counter(unit: CompilationUnit, type: Type) -> str:
    """The function that counts the elements of a list, table or object, given its nesting depth."""
    name = unit.name_of("count_elements", ("elements", type))
    return unit.need(name, lambda: _make_counter(unit, type, name))


def _make_counter(unit: CompilationUnit, type: Type, name: str) -> None:
    parts = tuple(Local(f"part{at}", kind) for at, kind in enumerate(unit.plan.rep(type).kinds))
    depth = Local("depth", I64)
    b = Emitter(unit, name, (*parts, depth), (I64,))
    value = Value(type, parts)
    if type is Basic.OBJECT:
        b.done_if(parts[0].ne(Tag.LIST), const(0))
        items = items_of(b, value)
    else:
        b.done_if(b.is_none(value), const(0))
        items = b.as_list(Value(type, parts, certain=True))
    b.fault_if(depth > MAX_LIST_DEPTH, "TG0505")
    assert isinstance(items.type, ListType)
    inner, (start, length) = items.type.element, items.parts
    count = b.variable(length, "count")
    if is_compound(inner):
        size = unit.plan.rep(inner).size
        deeper = b.let(depth + 1)
        with b.count(length) as (at, _):
            item = b.read(start, b.let(at * size), inner)
            if isinstance(inner, ListType) and is_flat(inner):
                b.set(count, count + item.parts[1])
            else:
                (more,) = b.run(_counter(unit, inner), (*item.parts, deeper), (I64,))
                b.set(count, count + more)
                b.fault_if(count > MAX_WITHIN, "TG0505")
    b.done(count)
    b.finish(often=True)
