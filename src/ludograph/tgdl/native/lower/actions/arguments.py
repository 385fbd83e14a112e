"""Arguments of action calls: a passed value must be a candidate of its input."""

from ludograph.tgdl.native.ir.builder import const, intrinsic
from ludograph.tgdl.native.ir.nodes import Expression
from ludograph.tgdl.native.lower.actions.candidates import all_pass, bounds_of, listed
from ludograph.tgdl.native.lower.actions.list_inputs import length, whole_passes
from ludograph.tgdl.native.lower.actions.questions import Nothing
from ludograph.tgdl.native.lower.emitter import Emitter
from ludograph.tgdl.native.lower.fuel import pay, times
from ludograph.tgdl.native.lower.things.change_events import differs
from ludograph.tgdl.native.lower.unit import Value
from ludograph.tgdl.native.lower.values.lists import each, element, is_any
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
