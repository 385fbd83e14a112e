"""Candidates of an input: its possible values, without repetitions, in the order of the reference engine."""

from ludograph.tgdl import program as p
from ludograph.tgdl.native.ir.builder import const, select
from ludograph.tgdl.native.ir.nodes import I1, I32, I64, I128, Expression, Op
from ludograph.tgdl.native.lower.actions.questions import to_word
from ludograph.tgdl.native.lower.board.bitboards import Bitboard
from ludograph.tgdl.native.lower.board.pieces import cards_of
from ludograph.tgdl.native.lower.board.prefilters import each_filtered, prefilter_of_filter
from ludograph.tgdl.native.lower.emitter import Emitter
from ludograph.tgdl.native.lower.fuel import pay, times
from ludograph.tgdl.native.lower.things.change_events import differs
from ludograph.tgdl.native.lower.things.players import in_play, is_out
from ludograph.tgdl.native.lower.unit import Value
from ludograph.tgdl.native.lower.values.constants import constant, list_data
from ludograph.tgdl.native.lower.values.lists import Collector, each, is_any
from ludograph.tgdl.native.lower.values.nullability import assume_not_none
from ludograph.tgdl.native.lower.values.numbers import equal
from ludograph.tgdl.native.lower.values.references import for_family
from ludograph.tgdl.program.operations import Operation
from ludograph.tgdl.program.types import Basic, ConstructType, EnumType, ListType, Type
from ludograph.tgdl.world.fuel import price
from ludograph.tgdl.world.values import is_compound


def candidates(b: Emitter, known: p.Input) -> Value:
    """The values that pass the filters, without repetitions, in the order of the reference engine."""
    is_list = isinstance(known.type, ListType)
    type = known.type.element if is_list and isinstance(known.type, ListType) else known.type
    found, unique = _unfiltered(b, known, type)
    slot = known.slot if known.filter_slot is None else known.filter_slot
    if is_compound(type):
        pay(b, b.let(found.parts[1] * found.parts[1]))
    if not known.filters and unique:
        return found
    passed = Collector(b, type, found.parts[1])
    seen = None if unique or is_compound(type) else Seen(b, found.parts[1])
    words = _prefilter(b, known, type, slot)
    items = each(b, found) if words is None else each_filtered(b, words, type)
    with items as (value, label), b.arena_scope():
        b.set_variable(slot, value)
        test: Expression = const(1, I1)
        if known.filters:
            with b.forbidding_chance(), assume_not_none(b, slot, is_not_none=True):
                test = all_pass(b, known, slot, value)
        with b.when(test):
            if unique:
                passed.add(value)
            elif seen is not None:
                seen.add_once(passed, value)
            else:
                _add_once(b, passed, value)
        del label
    b.set_variable(slot, b.none(type))
    return passed.found()


def has_candidate(b: Emitter, known: p.Input) -> Expression | None:
    """Whether an input has a candidate, for lists without filters; None for other inputs."""
    if known.source is None or known.filters or isinstance(known.type, ListType) or is_compound(known.type):
        return None
    source = b.as_list(_source(b, known.source, known.type))
    b.spend(times(b, source.parts[1], price(known.filters)))
    return is_any(b, source, lambda item: ~b.is_none(item))


def _prefilter(b: Emitter, known: p.Input, type: Type, slot: int) -> Bitboard | None:
    """The bitboard of tiles that may pass the first filter; None if all values have to be tested."""
    if known.source is not None or known.low is not None or not known.filters:
        return None
    match known.filters[0].statements:
        case (p.Return(node),) if node is not None and known.mode is not p.InputMode.SUPPLIED:
            return prefilter_of_filter(b, type, slot, node)
        case _:
            return None


def all_pass(b: Emitter, known: p.Input, slot: int, value: Value) -> Expression:
    """Whether a value passes every filter; each filter may use another type for it."""
    if len(known.filters) == 1:
        b.bind(slot, value, known.filters[0])
        return b.passes(known.filters[0])
    result = b.variable(const(1, I1), "passes")
    for block in known.filters:
        with b.when(result):
            b.bind(slot, value, block)
            b.set(result, b.passes(block))
    return result


def _add_once(b: Emitter, found: Collector, value: Value) -> None:
    so_far = Value(ListType(found.type), (found.start, b.let(found.length)), certain=True)
    with b.when(~is_any(b, so_far, lambda item: ~differs(b, item, value))):
        found.add(value)


class Seen:
    """A hash index of the values in a list. Mutable."""

    def __init__(self, b: Emitter, most: Expression) -> None:
        """`most`: the upper bound of the number of values."""
        self.b = b
        self.uses_table = b.let(most.ugt(FEW))
        # The table has more than twice as many entries as values, a power of two.
        mask = b.let(most * 2)
        for step in (1, 2, 4, 8, 16):
            mask = b.let(mask | (mask >> step))
        self.mask = mask
        size = b.let(select(self.uses_table, (mask + 1) * 8, const(0)))
        self.places = b.allocate(size)
        b.fill(self.places, 0, size)

    def add_once(self, found: Collector, value: Value) -> None:
        """Add a value to the list, unless it is already there."""
        with self.b.when(self.uses_table, unlikely=True):
            self._look_up(found, value)
        with self.b.otherwise():
            _add_once(self.b, found, value)

    def _look_up(self, found: Collector, value: Value) -> None:
        b = self.b
        part = value.only
        word = Op("trunc", (part,), I64) if part.kind is I128 else to_word(value)
        mixed = (word * SPREADING) >> 29
        at = b.variable(mixed & self.mask, "at")
        with b.loop("seen") as label:
            place = b.let(at * 8)
            number = b.load(self.places, place, I64)
            with b.when(number.eq(0)):
                b.store(self.places, place, found.length + 1)
                found.add(value)
                b.leave(label)
            known = b.read(found.start, b.let((number - 1) * found.size), found.type)
            b.leave_if(equal(b, known, value), label)
            b.set(at, (at + 1) & self.mask)


FEW = 64
"""Up to so many values are compared one by one."""
SPREADING = 0x1E3779B97F4A7C15
"""The factor of a multiplicative hash."""


def _unfiltered(b: Emitter, known: p.Input, type: Type) -> tuple[Value, bool]:
    """The values before the filters, already paid for, and whether they are known to be different."""
    if known.source is not None:
        given = listed(b, known.source, type)
        b.spend(times(b, given.parts[1], price(known.filters)))
        return given, is_unique(known.source) or isinstance(known.source.type, ConstructType)
    if known.low is not None and known.high is not None:
        return _range(b, known.low, known.high, price(known.filters)), True
    found = supply(b, type, known.mode)
    b.spend(times(b, found.parts[1], price(known.filters)))
    return found, True


def listed(b: Emitter, node: p.Expression, type: Type) -> Value:
    """The elements of the source list or stack that are not none."""
    source = b.as_list(_source(b, node, type))
    given = Collector(b, type, source.parts[1])
    with each(b, source) as (item, _):
        with b.when(~b.is_none(item)):
            given.add(b.coerce(item, type))
    return given.found()


def _source(b: Emitter, node: p.Expression, type: Type) -> Value:
    found = b.expression(node)
    if isinstance(found.type, ConstructType):
        # A stack; none has no cards.
        cards = [b.variable(part, "cards") for part in (b.unit.data(), const(0))]
        with b.when(~b.is_none(found)):
            given = for_family(b, found, ListType(type), lambda family, stack: cards_of(b, family, stack))
            for local, part in zip(cards, given.parts, strict=True):
                b.set(local, part)
        return Value(ListType(type), tuple(cards), certain=True)
    if found.type == ListType(Basic.NONE):
        return Value(ListType(type), found.parts, certain=True)
    return found


def bounds_of(b: Emitter, low_node: p.Expression, high_node: p.Expression) -> tuple[Value, Value]:
    """Both bounds of a range; none is a fault."""
    low, high = b.expression(low_node), b.expression(high_node)
    for bound in (low, high):
        if not bound.certain:
            b.fault_if(b.is_none(bound), "TG0501")
    return low, high


def _range(b: Emitter, low_node: p.Expression, high_node: p.Expression, cost: int) -> Value:
    low, high = bounds_of(b, low_node, high_node)
    span = b.let(high.only - low.only)
    b.fault_if(span >= 1e6, "TG0505")
    count = b.variable(const(0), "count")
    with b.when(span >= 0.0):
        b.set(count, b.as_whole(span) + 1)
    b.spend(times(b, count, cost))
    found = Collector(b, Basic.DECIMAL, count)
    with b.count(count) as (at, _):
        found.add(b.number(low.only + b.as_decimal(at)))
    return found.found()


def is_unique(node: p.Expression) -> bool:
    """Whether the elements of a list are different, by static analysis."""
    match node:
        case p.Apply(operation):
            return operation.facts.elements != "any"
        case p.Query(operation, source) if operation.facts.selects_elements:
            return is_unique(source)
        case p.Query(Operation.REGION):
            return True
        case _:
            return False


def supply(b: Emitter, type: Type, mode: p.InputMode) -> Value:
    """All values of a finite type."""
    match type:
        case Basic.BOOL:
            return Value(ListType(type), (list_data(b.unit, (False, True), type), const(2)), certain=True)
        case Basic.PLAYER:
            found = Collector(b, type, const(b.world.players))
            with b.count(const(b.world.players, I32)) as (player, _):
                with b.when(~is_out(b, player)):
                    found.add(Value(type, (player,), certain=True))
            return found.found()
        case EnumType(name):
            members = b.world.members[name]
            return Value(
                ListType(type), (list_data(b.unit, members, type), const(len(members))), certain=True
            )
        case ConstructType(name):
            if mode is p.InputMode.SUPPLIED:
                value = constant(b.unit, b.world.singletons.get(name), type)
                start = b.allocate(8)
                b.write(start, 0, value, to_block=False)
                return Value(ListType(type), (start, const(1)), certain=True)
            return in_play(b, type)
        case _:
            raise AssertionError(f"{type} has infinitely many values")
