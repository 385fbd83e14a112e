"""Arguments of action calls: a passed value must be a candidate of its input."""

from ludograph.tgdl.native.ir.builder import const, intrinsic, widen
from ludograph.tgdl.native.ir.nodes import F64, I1, I32, Expression
from ludograph.tgdl.native.lower.actions.candidates import all_pass, bounds_of, listed
from ludograph.tgdl.native.lower.actions.list_inputs import length, whole_passes
from ludograph.tgdl.native.lower.actions.multisets import ENTRY, filters_pass, total_of
from ludograph.tgdl.native.lower.actions.questions import Nothing
from ludograph.tgdl.native.lower.emitter import Emitter
from ludograph.tgdl.native.lower.fuel import pay, times
from ludograph.tgdl.native.lower.things.change_events import differs
from ludograph.tgdl.native.lower.unit import Value
from ludograph.tgdl.native.lower.values.lists import at_index, each, element, is_any
from ludograph.tgdl.native.lower.values.nullability import assume_not_none
from ludograph.tgdl.native.lower.values.numbers import equal
from ludograph.tgdl.program import Expression as Node
from ludograph.tgdl.program import Input
from ludograph.tgdl.program.types import ListType
from ludograph.tgdl.world.fuel import price
from ludograph.tgdl.world.values import is_compound


def check_argument(b: Emitter, known: Input, value: Value, refuse: Nothing) -> None:
    """Test the argument of an input; its slot has the value before and after."""
    if not known.is_narrow:
        return
    missing = b.let(b.is_none(value))
    if known.optional:
        with b.when(~missing):
            _test(b, known, value, refuse)
        return
    with b.when(missing, unlikely=True):
        refuse()
    _test(b, known, value, refuse)


def _test(b: Emitter, known: Input, value: Value, refuse: Nothing) -> None:
    if known.is_multiset:
        _test_table(b, known, Value(known.type, value.parts, certain=True), refuse)
        return
    if isinstance(known.type, ListType):
        _test_list(b, known, Value(known.type, value.parts, certain=True), refuse)
        return
    b.spend(price(known.filters))
    with b.forbidding_chance():
        if known.source is not None:
            found = listed(b, known.source, known.type)
            pay(b, found.parts[1])
            _must(b, _is_in(b, found, value), refuse)
        elif known.low is not None and known.high is not None:
            _must(b, _is_between(b, known.low, known.high, value), refuse)
        if known.filters:
            with assume_not_none(b, known.slot, is_not_none=True):
                passed = b.let(all_pass(b, known, known.slot, value))
            _must(b, passed, refuse)
    b.set_variable(known.slot, value)


def _test_list(b: Emitter, known: Input, values: Value, refuse: Nothing) -> None:
    """The same for each element of a list, and for the whole list."""
    assert isinstance(known.type, ListType)
    type, count = known.type.element, values.parts[1]
    with each(b, values) as (item, _):
        with b.when(b.is_none(item), unlikely=True):
            refuse()
    b.spend(times(b, count, price(known.filters)))
    with b.forbidding_chance():
        if known.least is not None:
            least = length(b, known.least, const(0))
            most = length(b, known.most, const(0))
            _must(b, (count >= least) & (count <= most), refuse)
        if known.source is not None:
            found = listed(b, known.source, type)
            pay(b, b.let(found.parts[1] * count))
            with each(b, values) as (item, _):
                _must(b, _is_in(b, found, item), refuse)
        if known.filters:
            assert known.filter_slot is not None
            with each(b, values) as (item, _), b.arena_scope():
                b.set_variable(known.filter_slot, item)
                with assume_not_none(b, known.filter_slot, is_not_none=True):
                    passed = b.let(all_pass(b, known, known.filter_slot, item))
                _must(b, passed, refuse)
    if known.list_filters:
        b.spend(price(known.list_filters))
        _must(b, whole_passes(b, known, values), refuse)
    b.set_variable(known.slot, values)


def _test_table(b: Emitter, known: Input, table: Value, refuse: Nothing) -> None:
    """The same for a table with a total: a filter of a key sees the numbers up to its own."""
    items = b.as_list(table)
    count = items.parts[1]
    with each(b, items) as (number, _):
        with b.when(b.is_none(number), unlikely=True):
            refuse()
    b.spend(times(b, count, price(known.filters)))
    with b.forbidding_chance():
        least, most = total_of(b, known)
        total = b.variable(const(0.0, F64), "total")
        whole = b.variable(const(1, I1), "whole")
        with each(b, items) as (number, _):
            is_whole = (number.only >= 0.0) & b.let(intrinsic("floor", number.only)).eq(number.only)
            b.set(whole, whole & is_whole)
            b.set(total, total + number.only)
        inside = (total >= b.as_decimal(least)) & (total <= b.as_decimal(most))
        _must(b, b.let(whole & inside), refuse)
        if known.filters:
            _test_keys(b, known, items, refuse)
    if known.list_filters:
        b.spend(price(known.list_filters))
        _must(b, filters_pass(b, known, known.list_filters, table, None), refuse)
    b.set_variable(known.slot, table)


def _test_keys(b: Emitter, known: Input, items: Value, refuse: Nothing) -> None:
    size = b.plan.rep(known.type).size
    so_far = Value(known.type, (b.allocate(size),), certain=True)
    b.fill(so_far.only, 0, size)
    with b.count(items.parts[1]) as (place, _):
        number = at_index(b, items, place)
        with b.when(number.only > 0.0):
            b.write(so_far.only, b.let(place * ENTRY), number, to_block=False)
            key = Value(known.element, (b.let(widen(place, I32)),), certain=True)
            _must(b, filters_pass(b, known, known.filters, so_far, key), refuse)


def _must(b: Emitter, test: Expression, refuse: Nothing) -> None:
    with b.when(~test, unlikely=True):
        refuse()


def _is_in(b: Emitter, found: Value, value: Value) -> Expression:
    """Whether a value is in the source list of an input."""
    if is_compound(element(found)):
        return is_any(b, found, lambda item: ~differs(b, item, value))
    return is_any(b, found, lambda item: equal(b, item, value))


def _is_between(b: Emitter, low_node: Node, high_node: Node, value: Value) -> Expression:
    """Whether a number is in a range with steps of one."""
    low, high = bounds_of(b, low_node, high_node)
    steps = value.only - low.only
    nearest = low.only + intrinsic("floor", steps + 0.5)
    inside = (low.only <= value.only) & (value.only <= high.only)
    return b.let(inside & b.let(nearest).eq(value.only))
