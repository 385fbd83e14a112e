"""Lowering of multisets: tables with a total, whose keys are chosen one by one.

The tests, their order and their fuel are those of `reference/multisets.py`.
"""

from ludograph.tgdl.native.ir.builder import const, select, widen
from ludograph.tgdl.native.ir.nodes import I1, I8, I64, Expression, Local
from ludograph.tgdl.native.lower.actions.candidates import supply
from ludograph.tgdl.native.lower.actions.list_inputs import (
    OfferWord,
    Steps,
    choose_stepwise,
    length,
    place_in,
    store_chosen,
)
from ludograph.tgdl.native.lower.actions.questions import Nothing, chooser_of, to_word
from ludograph.tgdl.native.lower.emitter import Emitter
from ludograph.tgdl.native.lower.fuel import pay, times
from ludograph.tgdl.native.lower.unit import Value
from ludograph.tgdl.native.lower.values.lists import at_index
from ludograph.tgdl.native.lower.values.nullability import assume_not_none
from ludograph.tgdl.program import Block, Input
from ludograph.tgdl.program.types import TableType
from ludograph.tgdl.world.fuel import price
from ludograph.tgdl.world.multisets import split_filters
from ludograph.tgdl.world.values import MAX_LIST_LENGTH


def total_of(b: Emitter, known: Input) -> tuple[Expression, Expression]:
    """The bounds of the total of a table."""
    least = length(b, known.least, const(0))
    return least, length(b, known.most, least)


def choose_multiset(b: Emitter, known: Input, number: int, nothing: Nothing) -> None:
    """A table with a total: one choice for each addition of one to a number, and one to stop."""
    _Choosing(b, known).choose(number, nothing)


def filters_pass(
    b: Emitter, known: Input, filters: tuple[Block, ...], table: Value, key: Value | None
) -> Expression:
    """Whether filters pass for a key and a table."""
    passed = b.variable(const(1, I1), "passed")
    with b.arena_scope(), b.forbidding_chance():
        for block in filters:
            with b.when(passed):
                b.bind(known.slot, table, block)
                with assume_not_none(b, known.slot, is_not_none=True):
                    if key is None or known.filter_slot is None:
                        b.set(passed, b.passes(block))
                    else:
                        b.bind(known.filter_slot, key, block)
                        with assume_not_none(b, known.filter_slot, is_not_none=True):
                            b.set(passed, b.passes(block))
    return passed


class _Choosing:
    """Chooses a table key by key; it offers only keys that can lead to an allowed table."""

    def __init__(self, b: Emitter, known: Input) -> None:
        assert isinstance(known.type, TableType)
        self.b = b
        self.known = known
        self.chooser = chooser_of(b, known)
        self.least, self.most = total_of(b, known)
        self.keys = supply(b, known.element, known.mode)
        self.count = self.keys.parts[1]
        b.fault_if(self.most > MAX_LIST_LENGTH, "TG0505")
        own, others = split_filters(known)
        self.own = tuple(known.filters[index] for index in own)
        self.others = tuple(known.filters[index] for index in others)
        self.searches = bool(self.others or known.list_filters)
        numbers = b.let(select(self.most < 0, const(0), self.most))
        self.width = b.let(numbers + 1)
        """The number of numbers that a key may have: from 0 to the total."""
        b.spend(times(b, b.let(self.count * numbers), price(known.filters)))
        pay(b, b.let(self.count * self.width * self.width))
        size = b.plan.rep(known.type).size
        self.table = Value(known.type, (b.allocate(size),), certain=True)
        b.fill(self.table.only, 0, size)
        self.allowed = b.allocate(b.let(self.count * self.width))
        """For each key, a byte for each number: whether the filters allow it."""
        self.ends = b.allocate(b.let((self.count + 1) * self.width))
        """For each key, a byte for each sum before it: whether it and the later keys can complete the sum."""
        self.last = b.variable(const(0), "last")
        """The index of the last chosen key."""
        self.before = b.variable(const(0), "before")
        """The sum of the numbers of the keys before it."""
        self.total = b.variable(const(0), "total")
        self._test_numbers()
        self._find_ends()

    def choose(self, number: int, nothing: Nothing) -> None:
        steps = Steps(self.count, self.total, self._offer_keys, self._may_stop, self._add)
        left_out = choose_stepwise(self.b, self.known, number, nothing, self.chooser, steps)
        store_chosen(self.b, self.known, self.table, left_out)

    def _add(self, word: Expression) -> None:
        """Choose one more of a key."""
        b = self.b
        place = place_in(b, self.keys, word)
        with b.when(place.ne(self.last)):
            b.set(self.before, self.total)
            b.set(self.last, place)
        b.set(self.total, self.total + 1)
        self._put(place, b.let(self.total - self.before))

    def _put(self, place: Expression, number: Expression) -> None:
        """Store the number of a key in the table."""
        b = self.b
        key = widen(at_index(b, self.keys, place).only, I64)
        b.write(self.table.only, b.let(key * ENTRY), b.number(b.as_decimal(number)), to_block=False)

    def _offer_keys(self, offer: OfferWord) -> None:
        """OfferWord all keys that may be chosen next."""
        b = self.b
        with b.when(self.total < self.most), b.count(self.count, first=self.last) as (place, label):
            is_last = b.let(place.eq(self.last))
            with b.when(place.eq(self.last + 1)):
                b.leave_if(~self._is_closed(), label)
            first = b.let(select(is_last, self.total - self.before + 1, const(1)))
            before = b.let(select(is_last, self.before, self.total))
            with b.when(self._can_complete(place, first, before)):
                offer(to_word(at_index(b, self.keys, place)))

    def _may_stop(self) -> Expression:
        """Whether the table so far is allowed."""
        b = self.b
        stops = b.variable((self.total >= self.least) & (self.total <= self.most), "stops")
        with b.when(stops):
            b.set(stops, self._is_closed())
        if self.known.list_filters:
            with b.when(stops):
                b.set(stops, self._whole_passes())
        return stops

    def _is_closed(self) -> Expression:
        """Whether the number of the last key is allowed."""
        b = self.b
        closed = b.variable(const(1, I1), "closed")
        number = b.let(self.total - self.before)
        with b.when(number > 0):
            b.set(closed, self._is_allowed(self.last, number))
            if self.others:
                with b.when(closed):
                    b.set(closed, self._others_pass(self.last))
        return closed

    # Numbers of single keys

    def _test_numbers(self) -> None:
        """Test each number of each key."""
        b = self.b
        b.fill(self.allowed, 1, b.let(self.count * self.width))
        if not self.own:
            return
        with b.count(self.count) as (place, _):
            with b.count(self.width, first=const(1)) as (number, _):
                self._put(place, number)
                passed = filters_pass(b, self.known, self.own, self.table, at_index(b, self.keys, place))
                b.store(self.allowed, self._index(place, number), widen(passed, I8, signed=False))
            self._put(place, const(0))

    def _find_ends(self) -> None:
        """Find the sums that each key and the later ones can complete, from the last key to the first."""
        b = self.b
        with b.count(self.width) as (total, _):
            is_end = (total >= self.least) & (total <= self.most)
            b.store(self.ends, self._index(self.count, total), widen(b.let(is_end), I8, signed=False))
        with b.count(self.count) as (back, _):
            place = b.let(self.count - 1 - back)
            with b.count(self.width) as (total, _):
                found = self._some_number(place, const(0), total)
                b.store(self.ends, self._index(place, total), widen(found, I8, signed=False))

    def _some_number(self, place: Expression, first: Expression, before: Expression) -> Local:
        """Whether a key may have an allowed number, at least `first`, that later keys can complete."""
        b = self.b
        found = b.variable(const(0, I1), "found")
        with b.count(b.let(self.width - before), first=first) as (number, label):
            with b.when(self._is_open(place, number, b.let(before + number))):
                b.set(found, const(1, I1))
                b.leave(label)
        return found

    def _is_open(self, place: Expression, number: Expression, total: Expression) -> Expression:
        """Whether a number is allowed for a key, and later keys can complete the sum with it."""
        b = self.b
        end = b.load(self.ends, self._index(b.let(place + 1), total), I8)
        return b.let(self._is_allowed(place, number) & end.ne(0))

    def _is_allowed(self, place: Expression, number: Expression) -> Expression:
        return self.b.load(self.allowed, self._index(place, number), I8).ne(0)

    def _index(self, place: Expression, number: Expression) -> Expression:
        return self.b.let(place * self.width + number)

    # Completion

    def _can_complete(self, place: Expression, first: Expression, before: Expression) -> Expression:
        """Whether an allowed table has the numbers before a key, and at least `first` of the key."""
        if self.searches:
            return self._search(place, first, before)
        return self._some_number(place, first, before)

    def _search(self, start: Expression, first: Expression, before: Expression) -> Expression:
        """Search depth first for an allowed table, small numbers first."""
        b = self.b
        found = b.variable(const(0, I1), "found")
        with b.arena_scope():
            numbers = b.allocate(b.let(self.count * 8))
            place = b.variable(start, "place")
            number = b.variable(first - 1, "number")
            sum_before = b.variable(before, "sum_before")
            with b.loop("search") as label:
                b.set(number, number + 1)
                with b.loop("step") as step:
                    total = b.let(sum_before + number)
                    with b.when(total > self.most):
                        self._put(place, const(0))
                        b.leave_if(place.eq(start), label)
                        b.set(place, place - 1)
                        b.set(number, b.load_word(numbers, place))
                        b.set(sum_before, sum_before - number)
                        b.leave(step)
                    b.leave_if(~self._is_open(place, number, total), step)
                    self._put(place, number)
                    if self.others:
                        with b.when(number > 0):
                            b.leave_if(~self._others_pass(place), step)
                    with b.when((place + 1) < self.count):
                        b.store(numbers, b.let(place * 8), number)
                        b.set(place, place + 1)
                        b.set(sum_before, total)
                        b.set(number, const(-1))
                    with b.otherwise():
                        b.leave_if(~self._whole_passes(), step)
                        b.set(found, const(1, I1))
                        b.leave(label)
                    b.leave(step)
        with b.count(self.count, first=start) as (later, _):
            self._put(later, const(0))
        self._put(start, b.let(first - 1))
        return found

    def _others_pass(self, place: Expression) -> Expression:
        """Whether the filters that read more than one number pass for a key with its number."""
        b = self.b
        b.spend(price(self.known.filters))
        return filters_pass(b, self.known, self.others, self.table, at_index(b, self.keys, place))

    def _whole_passes(self) -> Expression:
        """Whether the table passes the filters of the whole table."""
        b, known = self.b, self.known
        if not known.list_filters:
            return const(1, I1)
        b.spend(price(known.list_filters))
        return filters_pass(b, known, known.list_filters, self.table, None)


ENTRY = 8
"""The bytes of a decimal in a table."""
