"""Lowering of assignment targets, and of operations that change a list in place."""

from collections.abc import Callable
from functools import partial

from msgspec.structs import replace

from ludograph.tgdl import program as p
from ludograph.tgdl.native.ir.builder import address, const, widen
from ludograph.tgdl.native.ir.nodes import F64, I32, I64, PTR, Expression, Op
from ludograph.tgdl.native.layout.plan import Column
from ludograph.tgdl.native.lower.actions.chance import take_chance
from ludograph.tgdl.native.lower.actions.switches import assign_allowed
from ludograph.tgdl.native.lower.emitter import Emitter, has_lists
from ludograph.tgdl.native.lower.fuel import pay, times
from ludograph.tgdl.native.lower.list_costs import evaluate_passed, pay_for_value
from ludograph.tgdl.native.lower.routine import BLOCK
from ludograph.tgdl.native.lower.things.change_events import filled, is_watched, write_watched
from ludograph.tgdl.native.lower.things.viewers import set_viewers
from ludograph.tgdl.native.lower.unit import Value
from ludograph.tgdl.native.lower.values.evaluation_order import changes_in, may_change
from ludograph.tgdl.native.lower.values.lists import (
    MAX_LIST_LENGTH,
    Collector,
    at_index,
    detached,
    each,
    element,
    guarded,
    is_any,
    key_index,
    test_key,
)
from ludograph.tgdl.native.lower.values.numbers import combine, equal_inside
from ludograph.tgdl.native.lower.values.references import cases, families_of
from ludograph.tgdl.program.operations import Operation
from ludograph.tgdl.program.types import Basic, ConstructType, ListType, TableType, Type
from ludograph.tgdl.world.fuel import comparison_effort

NOTHING = Value(Basic.NOTHING, ())


def assignment(b: Emitter, node: p.Assign) -> None:
    """`place = value;`, `place += value;`."""
    place = node.place
    root = place.root
    if isinstance(root, p.AllowedOf):
        assign_allowed(b, root, node.value)
        return
    if isinstance(root, p.AttributeOf) and _is_general(b, root):
        _assign_by_family(b, node, root)
        return
    if place.indexes and (may_change(node.value) or not _is_cheap_target(place)):
        assignment(b, _with_value(b, node))
        return
    if isinstance(root, p.AttributeOf) and is_watched(b, root):
        _assign_watched(b, node, root)
        return
    if not place.indexes:
        if isinstance(root, p.Variable):
            value = b.coerce(_given(b, node, lambda: b.variable_of(root.slot, root.type)), root.type)
            b.set_variable(root.slot, detached(b, value))
            return
        target = b.value(root.target)
        column = column_of(b, root, target)
        value = _given(b, node, lambda: b.read_column(column, target.only, root.type))
        b.write_column(column, target.only, b.coerce(value, root.type))
        return
    if _is_deep(node):
        change = lambda old: b.coerce(_given(b, node, lambda: old), place.type)  # noqa: E731
        _change_inside(b, place, change, creates=True)
        return
    _assign_inside(b, node)


def _is_general(b: Emitter, root: p.AttributeOf) -> bool:
    """Whether it is a general attribute, which all constructs of a kind have."""
    assert isinstance(root.target.type, ConstructType)
    return root.target.type.name not in b.world.kind


def _assign_by_family(b: Emitter, node: p.Assign, root: p.AttributeOf) -> None:
    """Emit the assignment for each possible family of the instance."""
    target = b.keep(b.value(root.target))
    for family, number in cases(b, families_of(b, target), target.only):
        slot, type = b.new_slot(), ConstructType(family.name)
        b.set_variable(slot, Value(type, (number,), certain=True))
        own = replace(root, target=p.Variable(slot, "", type, root.span))
        assignment(b, replace(node, place=replace(node.place, root=own)))


def _assign_watched(b: Emitter, node: p.Assign, root: p.AttributeOf) -> None:
    target = b.value(root.target)
    column = column_of(b, root, target)
    if node.operation is None and not node.place.indexes:
        value = b.coerce(evaluate_passed(b, node.value), root.type)
    else:
        indexes = tuple(_evaluated_if_needed(b, index) for index in node.place.indexes)
        given = node.value if node.operation is not None else _evaluated_if_needed(b, node.value)
        copy = _copied(b, root, column, target)
        assignment(b, replace(node, place=replace(node.place, root=copy, indexes=indexes), value=given))
        value = b.variable_of(copy.slot, copy.type)
    write_watched(b, root, column, target, value)


def _with_value(b: Emitter, node: p.Assign) -> p.Assign:
    """An assignment to an entry whose value is evaluated before the list or table is read.

    A compound assignment reads the old entry first.
    """
    place = _evaluated_target(b, node.place, (node.value,))
    root = place.root
    if node.operation is None:
        return replace(node, place=place, value=_evaluated_if_needed(b, node.value))
    assert not isinstance(root, p.AllowedOf)
    entry: p.Expression = root
    for index, type in zip(place.indexes, _types(place)[1:], strict=True):
        entry = p.Apply(Operation.AT, (entry, index), type, place.span)
    old = b.keep(b.expression(entry))
    slot = b.new_slot()
    b.set_variable(slot, b.coerce(_given(b, node, lambda: old), place.type))
    given = p.Variable(slot, "", place.type, node.span)
    return replace(node, place=place, value=given, operation=None)


def _evaluated_target(b: Emitter, place: p.Place, values: tuple[p.Expression, ...]) -> p.Place:
    """A target that is evaluated now, once, because the values that are evaluated later may change it."""
    target = (place.root.target,) if isinstance(place.root, p.AttributeOf) else ()
    changes = any(may_change(each) for each in (*target, *place.indexes, *values))

    def found(node: p.Expression) -> p.Expression:
        return node if _is_fixed(node) or (_is_cheap(node) and not changes) else _evaluated(b, node)

    root = place.root
    if isinstance(root, p.AttributeOf):
        root = replace(root, target=found(root.target))
    indexes = []
    for index, type in zip(place.indexes, _types(place), strict=False):
        indexes.append(found(index))
        test_key(b, type, b.expression(indexes[-1]))
    return replace(place, root=root, indexes=tuple(indexes))


def _is_cheap_target(place: p.Place) -> bool:
    """Whether a target can be evaluated repeatedly, with the same result and without fuel."""
    target = (place.root.target,) if isinstance(place.root, p.AttributeOf) else ()
    return all(map(_is_cheap, (*target, *place.indexes)))


def _is_fixed(node: p.Expression) -> bool:
    match node:
        case p.Literal() | p.This() | p.Ambient() | p.Singleton() | p.Setting():
            return True
        case p.Variable(type=type):
            return not isinstance(type, ListType | TableType)
        case _:
            return False


def _is_cheap(node: p.Expression) -> bool:
    return _is_fixed(node) or (isinstance(node, p.AttributeOf) and _is_cheap(node.target))


def _evaluated_if_needed(b: Emitter, node: p.Expression) -> p.Expression:
    """An expression that is evaluated now, if it may have side effects."""
    return _evaluated(b, node) if may_change(node) else node


def _evaluated(b: Emitter, node: p.Expression) -> p.Expression:
    slot = b.new_slot()
    b.set_variable(slot, detached(b, b.coerce(b.expression(node), node.type)))
    return p.Variable(slot, "", node.type, node.span)


def _copied(b: Emitter, root: p.AttributeOf, column: Column, target: Value) -> p.Variable:
    """A copy of an attribute in a variable: it is changed there, and then written back."""
    slot = b.new_slot()
    held = b.read_column(column, target.only, root.type)
    copy = detached(b, Value(held.type, held.parts, held.certain, ("attribute", column.offset)))
    b.set_variable(slot, Value(root.type, copy.parts, copy.certain))
    if copy.certain:
        b.non_null_slots.add(slot)
    return p.Variable(slot, root.attribute, root.type, root.span)


def column_of(b: Emitter, root: p.AttributeOf, target: Value) -> Column:
    assert isinstance(target.type, ConstructType)
    return b.plan.column(target.type.name, root.slot)


def _given(b: Emitter, node: p.Assign, old_value: object) -> Value:
    """The value that is assigned."""
    assert callable(old_value)
    if node.operation is None:
        return evaluate_passed(b, node.value)
    old: Value = old_value()
    if not old.certain:
        b.fault_if(b.is_none(old), "TG0501")
    number = old if old.only.kind is F64 else b.number(b.let(b.as_decimal(old.only)))
    by = b.coerce(b.expression(node.value), Basic.DECIMAL)
    result = combine(b, node.operation, Value(Basic.DECIMAL, number.parts, certain=True), by)
    if node.place.type is Basic.PLAYER:
        count = b.world.players
        player = widen(b.wrapped(result.only, count), I32)
        return Value(Basic.PLAYER, (b.let(player),), certain=True)
    return result


def _assign_inside(b: Emitter, node: p.Assign) -> None:
    """Assign an entry of a table or list in place."""
    place = node.place
    root = place.root
    types = _types(place)
    if isinstance(root, p.Variable):
        held = _own_variable(b, root)
    else:
        assert isinstance(root, p.AttributeOf)
        target = b.value(root.target)
        held = b.read_column(column_of(b, root, target), target.only, root.type)
    indexes = [
        key_index(b, type, b.expression(index)) for index, type in zip(place.indexes, types, strict=False)
    ]
    at = held
    for index in indexes[:-1]:
        items = b.as_list(at)
        b.fault_if(index.uge(items.parts[1]), "TG0516")
        at = at_index(b, items, index)
    last = indexes[-1]
    inner = types[len(indexes)]
    items = b.as_list(at)
    if isinstance(at.type, TableType):
        if isinstance(at.type.key, int):
            b.fault_if(last.uge(items.parts[1]), "TG0516")
        value = b.coerce(_given(b, node, lambda: at_index(b, items, last)), inner)
        _write_entry(b, root, items, last, value)
        pay_for_value(b, held)
        return
    value = b.coerce(_given(b, node, lambda: guarded(b, items, last)), inner)
    with b.when(last.uge(items.parts[1]), unlikely=True):
        _lengthen(b, place, b.let(last + 1))
    now = _reread(b, place)
    _write_entry(b, root, now, last, value)
    pay_for_value(b, Value(now.type, now.parts, certain=True))


def _reread(b: Emitter, place: p.Place) -> Value:
    root = place.root
    if isinstance(root, p.Variable):
        return replace(b.variable_of(root.slot, root.type), certain=True)
    assert isinstance(root, p.AttributeOf)
    target = b.value(root.target)
    return b.read_column(column_of(b, root, target), target.only, root.type)


def _write_entry(b: Emitter, root: object, items: Value, index: Expression, value: Value) -> None:
    size = b.plan.rep(element(items)).size
    offset = b.let(index * size)
    b.assert_holds(index.ult(items.parts[1]), "an entry is in the list")
    b.write(items.parts[0], offset, detached(b, value), to_block=isinstance(root, p.AttributeOf))


def _types(place: p.Place) -> list[Type]:
    """The type of the root, and of the element after each index."""
    types: list[Type] = [place.root.type]
    for _ in place.indexes:
        held = types[-1]
        assert isinstance(held, ListType | TableType)
        types.append(held.element if isinstance(held, ListType) else held.value)
    return types


def _own_variable(b: Emitter, root: p.Variable) -> Value:
    """Before a list in a variable is changed in place: copy it if it is shared."""
    value = _not_none(b, b.variable_of(root.slot, root.type))
    b.set_variable(root.slot, detached(b, replace(value, held=("variable", root.slot))))
    return replace(b.variable_of(root.slot, root.type), certain=True)


def _not_none(b: Emitter, value: Value) -> Value:
    """A list or table to change; none is a fault."""
    if value.certain:
        return value
    b.fault_if(b.is_none(value), "TG0501")
    return replace(value, certain=True)


def _lengthen(b: Emitter, place: p.Place, length: Expression) -> None:
    """Extend a list with none."""
    # An index of the largest integer overflows to a negative length, which is too large when unsigned.
    b.fault_if(length.ugt(MAX_LIST_LENGTH), "TG0505")
    old = _reread(b, place)
    type = element(old)
    size = b.plan.rep(type).size
    start = b.allocate(b.let(length * size))
    b.copy(start, old.parts[0], b.let(old.parts[1] * size))
    with b.count(length, first=old.parts[1]) as (at, _):
        b.write(start, b.let(at * size), b.none(type), to_block=False)
    _store_list(b, place, Value(old.type, (start, length), certain=True))


def _store_list(b: Emitter, place: p.Place, value: Value) -> None:
    root = place.root
    if isinstance(root, p.Variable):
        b.set_variable(root.slot, value)
        return
    assert isinstance(root, p.AttributeOf)
    target = b.value(root.target)
    b.write_column(column_of(b, root, target), target.only, value)


# Lists inside lists and tables


def _is_deep(node: p.Assign) -> bool:
    """Whether an entry cannot be written in place: it is in a nested list, or the assigned value may change
    the same list or table."""
    *outer, last = _types(node.place)[:-1]
    is_inside = any(isinstance(type, ListType) for type in outer) or (
        bool(outer) and isinstance(last, ListType)
    )
    return is_inside or changes_in((node.value, node.place.indexes))


def _change_inside(
    b: Emitter, place: p.Place, change: Callable[[Value], Value], *, creates: bool = False
) -> None:
    """Change an entry of nested lists and tables: everything around it is copied.

    If it `creates`, a list or table beyond the end of the list around it is a new one.
    """
    root = place.root
    types = _types(place)
    if isinstance(root, p.Variable):
        held = b.variable_of(root.slot, root.type)
        column = target = None
    else:
        assert isinstance(root, p.AttributeOf)
        target = b.keep(b.value(root.target))
        column = column_of(b, root, target)
        found = b.read_column(column, target.only, root.type)
        held = Value(found.type, found.parts, found.certain, ("attribute", column.offset))
    old = b.keep(detached(b, held))
    indexes = [
        key_index(b, type, b.expression(index)) for index, type in zip(place.indexes, types, strict=False)
    ]

    def descend(value: Value, level: int) -> Value:
        value = filled(b, value) if creates and level else _not_none(b, value)
        items, index = b.as_list(value), indexes[level]
        if isinstance(value.type, TableType) and not isinstance(value.type.key, ConstructType):
            b.fault_if(index.uge(items.parts[1]), "TG0516")
        inner = guarded(b, items, index)
        new = descend(inner, level + 1) if level + 1 < len(indexes) else change(inner)
        return _replaced(b, value, index, detached(b, new))

    changed = descend(old, 0)
    pay_for_value(b, changed)
    if column is None or target is None:
        assert isinstance(root, p.Variable)
        b.set_variable(root.slot, changed)
    else:
        b.write_column(column, target.only, changed)


def _replaced(b: Emitter, values: Value, index: Expression, value: Value) -> Value:
    """A copy of a list or table with one changed entry; a list is extended with none up to the index."""
    items = b.as_list(values)
    type = element(items)
    size = b.plan.rep(type).size
    start, length = items.parts
    if isinstance(values.type, TableType):  # including the entries for later tiles
        length = const(b.plan.rep(values.type).count)
    wanted = b.let(index + 1)
    longer = b.let(Op("umax", (wanted, length), I64))
    if isinstance(values.type, ListType):
        b.fault_if(longer.ugt(MAX_LIST_LENGTH), "TG0505")
    buffer = b.allocate(b.let(longer * size))
    b.copy(buffer, start, b.let(length * size))
    with b.count(index, first=length) as (at, _):
        b.write(buffer, b.let(at * size), b.none(type), to_block=False)
    b.write(buffer, b.let(index * size), value, to_block=False)
    if isinstance(values.type, TableType):
        return Value(values.type, (buffer,), certain=True)
    return Value(values.type, (buffer, longer), certain=True)


def _mutate_inside(b: Emitter, node: p.Mutate) -> Value:
    """Change a nested list: in a variable first, then everything around it."""
    place = node.place
    given: list[Value] = []

    def change(old: Value) -> Value:
        slot = b.new_slot()
        b.set_variable(slot, Value(place.type, _not_none(b, old).parts, certain=True))
        own = p.Place(p.Variable(slot, "", place.type, place.span), (), place.type, place.span)
        given.append(b.keep(_change(b, replace(node, place=own), b.variable_of(slot, place.type), None)))
        return b.variable_of(slot, place.type)

    _change_inside(b, place, change)
    return given[0]


# Mutation of lists


def mutation(b: Emitter, node: p.Mutate) -> Value:
    """`list.add(x)` and similar operations."""
    if node.operation is Operation.SHUFFLE and id(node) in b.unit.stored:
        set_viewers(b, node, several=True)
    place = node.place
    root = place.root
    if isinstance(root, p.AttributeOf) and is_watched(b, root):
        place = _evaluated_target(b, place, node.operands)
        assert isinstance(place.root, p.AttributeOf)
        target = b.value(place.root.target)
        column = column_of(b, root, target)
        operands = tuple(_evaluated_if_needed(b, operand) for operand in node.operands)
        copy = _copied(b, root, column, target)
        inner = replace(node, place=replace(place, root=copy), operands=operands)
        given = b.keep(mutation(b, inner))
        write_watched(b, root, column, target, b.variable_of(copy.slot, copy.type))
        return given
    if place.indexes:
        node = replace(node, place=_evaluated_target(b, place, node.operands))
        return _mutate_inside(b, _with_operands(b, node))
    if isinstance(root, p.Variable):
        node = _with_operands(b, node)
        given = b.keep(_change(b, node, _not_none(b, b.variable_of(root.slot, root.type)), None))
        pay_for_value(b, b.variable_of(root.slot, root.type))
        return given
    assert isinstance(root, p.AttributeOf)
    target = b.keep(b.value(root.target))
    node = _with_operands(b, node)
    column = column_of(b, root, target)
    held = b.read_column(column, target.only, root.type)
    given = b.keep(_change(b, node, held, b.let(b.place_in(column, target.only))))
    pay_for_value(b, b.read_column(column, target.only, root.type))
    return given


def _with_operands(b: Emitter, node: p.Mutate) -> p.Mutate:
    """A mutation whose operands are evaluated before the list is read."""
    return replace(node, operands=tuple(_evaluated_if_needed(b, operand) for operand in node.operands))


class ListChange:
    """A list that an operation changes in its place; `kept_at` is where an attribute keeps it."""

    def __init__(self, b: Emitter, node: p.Mutate, old: Value, kept_at: Expression | None) -> None:
        """`kept_at`: None for a variable."""
        self.b = b
        self.node = node
        self.old = old
        self.kept_at = kept_at
        self.type = element(old)

    def put(self, value: Value) -> None:
        if self.kept_at is None:
            root = self.node.place.root
            assert isinstance(root, p.Variable)
            self.b.set_variable(root.slot, value)
        else:
            self.b.assign_list(self.kept_at, value)


def _change(b: Emitter, node: p.Mutate, old: Value, kept_at: Expression | None) -> Value:
    """Change a list; `kept_at` is its address in the block, None for a variable."""
    return MUTATIONS[node.operation](ListChange(b, node, old, kept_at)) or NOTHING


def _add_item(change: ListChange) -> None:
    b, old = change.b, change.old
    value = detached(b, b.coerce(evaluate_passed(b, change.node.operands[0]), change.type))
    b.fault_if(old.parts[1] >= MAX_LIST_LENGTH, "TG0505")
    size = b.plan.rep(change.type).size
    start, length = old.parts
    if change.kept_at is not None and has_lists(change.type):
        _append_kept(b, old, value, change.kept_at, size)
    elif change.kept_at is not None:
        # Within the capacity of the attribute, if it is not used up.
        capacity = widen(b.load(change.kept_at, 8, I32), I64)
        with b.when(length < capacity):
            b.write(start, b.let(length * size), value, to_block=True)
            b.store(change.kept_at, 4, widen(length + 1, I32))
        with b.otherwise():
            _append_copy(change, value, size)
    elif not isinstance(value.type, Basic | ConstructType):
        _append_copy(change, value, size)
    else:
        # The last allocation can be extended in place: other references do not read beyond their own length.
        end = b.let(address(start, length * size))
        with b.when(end.eq(b.get("arena", PTR))):
            b.allocate_exactly(const(size))
            b.write(end, 0, value, to_block=False)
            change.put(Value(old.type, (start, b.let(length + 1)), certain=True))
        with b.otherwise():
            _append_copy(change, value, size)


def _append(change: ListChange) -> None:
    b, (start, length) = change.b, change.old.parts
    size = b.plan.rep(change.type).size
    other = b.as_list(b.expression(change.node.operands[0]))
    if not other.certain:
        b.fault_if(b.is_none(other), "TG0501")
    total = b.let(length + other.parts[1])
    b.fault_if(total > MAX_LIST_LENGTH, "TG0505")
    buffer = b.allocate(b.let(total * size))
    first = b.let(length * size)
    b.copy(buffer, start, first)
    b.copy(b.let(address(buffer, first)), other.parts[0], b.let(other.parts[1] * size))
    change.put(Value(change.old.type, (buffer, total), certain=True))


def _clear(change: ListChange) -> None:
    b = change.b
    if change.kept_at is None:
        change.put(Value(change.old.type, (b.unit.data(), const(0)), certain=True))
    else:
        b.store(change.kept_at, 4, const(0, I32))


def _remove_at(change: ListChange) -> None:
    b, old = change.b, change.old
    place = key_index(b, old.type, b.expression(change.node.operands[0]))
    with b.when(place.ult(old.parts[1])):
        change.put(_without(b, old, place))


def _remove(change: ListChange) -> None:
    b, old, operand = change.b, change.old, change.node.operands[0]
    pay(b, times(b, old.parts[1], comparison_effort(element(old), operand.type)))
    wanted = b.expression(operand)
    finds_none = isinstance(operand, p.Literal) and operand.value is None
    with b.count(old.parts[1]) as (at, label):
        item = at_index(b, old, at)
        with b.when(b.is_none(item) if finds_none else equal_inside(b, item, wanted)):
            change.put(_without(b, old, at))
            b.leave(label)


def _remove_range(change: ListChange) -> None:
    b = change.b
    change.put(_without_all(b, change.old, b.as_list(b.expression(change.node.operands[0]))))


def _pop_last(change: ListChange) -> Value:
    b, (start, length) = change.b, change.old.parts
    last = b.let(length - 1)
    found = guarded(b, change.old, last)
    with b.when(length > 0):
        if change.kept_at is None:
            change.put(Value(change.old.type, (start, last), certain=True))
        else:
            b.store(change.kept_at, 4, widen(last, I32))
    return found


def _shuffle(change: ListChange) -> None:
    change.put(_shuffled(change.b, change.old))


def _append_kept(b: Emitter, old: Value, value: Value, kept_at: Expression, size: int) -> None:
    """Append to a list of lists: the nested lists stay in the heap."""
    start, length = old.parts
    with b.when(length >= widen(b.load(kept_at, 8, I32), I64)):
        more = b.let(length + (Op("ashr", (length, const(1)), I64) + 4))
        offset = b.claim(b.let(more * size))
        b.copy(b.let(address(BLOCK, offset)), start, b.let(length * size))
        b.store(kept_at, 0, widen(offset, I32))
        b.store(kept_at, 8, widen(more, I32))
    own = b.let(address(BLOCK, widen(b.load(kept_at, 0, I32), I64, signed=False)))
    b.write(own, b.let(length * size), value, to_block=True)
    b.store(kept_at, 4, widen(length + 1, I32))


def _append_copy(change: ListChange, value: Value, size: int) -> None:
    b, (start, length) = change.b, change.old.parts
    total = b.let(length + 1)
    # Its end is the end of the arena, so that the next element can be added in place.
    buffer = b.allocate_exactly(b.let(total * size))
    with b.when(length.ne(0)):
        b.copy(buffer, start, b.let(length * size))
    b.write(buffer, b.let(length * size), value, to_block=False)
    change.put(Value(change.old.type, (buffer, total), certain=True))


def _without(b: Emitter, old: Value, place: Expression) -> Value:
    """A list without one of its elements."""
    size = b.plan.rep(element(old)).size
    start, length = old.parts
    buffer = b.allocate(b.let(length * size))
    first = b.let(place * size)
    b.copy(buffer, start, first)
    rest = b.let((length - 1) * size - first)
    b.copy(b.let(address(buffer, first)), b.let(address(start, first + size)), rest)
    return Value(old.type, (buffer, b.let(length - 1)), certain=True)


def _without_all(b: Emitter, old: Value, others: Value) -> Value:
    if not others.certain:
        b.fault_if(b.is_none(others), "TG0501")
    pairs = b.let(old.parts[1] * others.parts[1])
    pay(b, times(b, pairs, comparison_effort(element(old), element(others))))
    found = Collector(b, element(old), old.parts[1])
    with each(b, old) as (item, _):
        with b.when(~is_any(b, others, partial(equal_inside, b, item))):
            found.add(item)
    return Value(old.type, found.found().parts, certain=True)


def _shuffled(b: Emitter, old: Value) -> Value:
    type = element(old)
    size = b.plan.rep(type).size
    start, length = old.parts
    buffer = b.allocate(b.let(length * size))
    b.copy(buffer, start, b.let(length * size))
    items = Value(old.type, (buffer, length), certain=True)
    last = b.variable(length - 1, "last")
    with b.loop() as label:
        b.leave_if(last <= 0, label)
        drawn = take_chance(b, b.let(last + 1), None, Basic.DECIMAL, "shuffle")
        place = b.let(b.as_whole(drawn))
        one, other = at_index(b, items, place), at_index(b, items, b.let(last))
        b.write(buffer, b.let(place * size), other, to_block=False)
        b.write(buffer, b.let(last * size), one, to_block=False)
        b.set(last, last - 1)
    return items


MUTATIONS: dict[Operation, Callable[[ListChange], Value | None]] = {
    Operation.ADD_ITEM: _add_item,
    Operation.APPEND: _append,
    Operation.CLEAR: _clear,
    Operation.REMOVE_AT: _remove_at,
    Operation.REMOVE: _remove,
    Operation.REMOVE_RANGE: _remove_range,
    Operation.POP: _pop_last,
    Operation.SHUFFLE: _shuffle,
}
"""The lowering of each operation that a `Mutate` can name; it returns the value, if there is one."""
