"""Lowering of list inputs, which are chosen element by element."""

from collections.abc import Callable
from dataclasses import dataclass

from ludograph.tgdl.native.ir.builder import address, const
from ludograph.tgdl.native.ir.nodes import I1, Expression, Local
from ludograph.tgdl.native.layout.choice_words import NONE_CHOICE, STOP_CHOICE
from ludograph.tgdl.native.lower.actions.candidates import candidates
from ludograph.tgdl.native.lower.actions.interchangeable import alike_classes
from ludograph.tgdl.native.lower.actions.questions import (
    Nothing,
    choice_made,
    chooser_of,
    fits_in_word,
    from_word,
    next_word,
    stop_with_question,
    to_word,
    words_of,
)
from ludograph.tgdl.native.lower.emitter import Emitter
from ludograph.tgdl.native.lower.unit import Value
from ludograph.tgdl.native.lower.values.lists import Collector, at_index, element
from ludograph.tgdl.native.lower.values.numbers import equal
from ludograph.tgdl.program import Expression as Node
from ludograph.tgdl.program import Input
from ludograph.tgdl.program.types import ListType
from ludograph.tgdl.world.analysis import merged_width
from ludograph.tgdl.world.fuel import price


def length(b: Emitter, bound: Node | None, default: Expression) -> Expression:
    if bound is None:
        return default
    found = b.expression(bound)
    if not found.certain:
        b.fault_if(b.is_none(found), "TG0501")
    return b.let(b.as_whole(found.only))


def choose_list(b: Emitter, known: Input, number: int, nothing: Nothing) -> None:
    """A list input: one choice per element, and one to stop where both are possible."""
    assert isinstance(known.type, ListType)
    is_plain = not (known.list_filters or known.ordered or known.optional or merged_width(b.world, known))
    if not is_plain or not fits_in_word(b, known.type.element):
        _Picking(b, known).choose(number, nothing)
        return
    chooser = chooser_of(b, known)
    pool = candidates(b, known)
    count = pool.parts[1]
    least = length(b, known.least, const(0))
    most = length(b, known.most, count)
    taken = Collector(b, known.type.element, count)
    first = b.variable(const(0), "first")
    with b.loop() as label:
        # The candidates that can still be taken so that the list reaches its minimum length.
        missing = b.let(least - taken.length - 1)
        is_open = taken.length < most
        last = b.variable(count, "last")
        with b.when(missing > 0):
            b.set(last, count - missing)
        with b.when(~(is_open & (least <= most))):
            b.set(last, const(0))
        options = b.variable(last - first, "options")
        with b.when(options < 0):
            b.set(options, const(0))
        stops = (taken.length >= least) & (taken.length <= most)
        may_stop = b.let(stops)
        with b.when(options.eq(0) & ~may_stop):
            nothing()
        b.leave_if(options.eq(0), label)
        with b.when(choice_made(b, "pick", known.name)):
            word = next_word(b)
            b.leave_if(word.eq(STOP_CHOICE), label)
            place = place_in(b, pool, word)
            taken.add(at_index(b, pool, place))
            b.set(first, place + 1)
        with b.otherwise():
            size = b.plan.rep(known.type.element).size
            rest = Value(pool.type, (b.let(_after(pool, b.let(first * size))), b.let(options)))
            words = words_of(b, rest, extra=1)
            amount = b.variable(options, "amount")
            with b.when(may_stop):
                b.store(words, b.let(amount * 8), const(STOP_CHOICE))
                b.set(amount, amount + 1)
            stop_with_question(b, chooser, number, words, amount, taken.length, known)
    b.set_variable(known.slot, Value(known.type, (taken.start, b.let(taken.length)), certain=True))


def _after(pool: Value, offset: Expression) -> Expression:
    return address(pool.parts[0], offset)


def place_in(b: Emitter, pool: Value, word: Expression) -> Expression:
    type = element(pool)
    if not fits_in_word(b, type):
        return word
    wanted = from_word(b, word, type)
    place = b.variable(const(0), "place")
    size = b.plan.rep(type).size
    with b.count(pool.parts[1]) as (at, label):
        with b.when(equal(b, b.read(pool.parts[0], at * size, type), wanted)):
            b.set(place, at)
            b.leave(label)
    return place


# Inputs of several choices


OfferWord = Callable[[Expression], None]
"""Adds a word to the choices of a question."""


@dataclass(frozen=True, slots=True)
class Steps:
    """How an input of several choices is chosen, one choice after another."""

    count: Expression
    """The largest number of different elements."""
    taken: Local
    """The number of choices so far."""
    offer_next: Callable[[OfferWord], None]
    """OfferWord every element that may be chosen next."""
    may_stop: Callable[[], Expression]
    """Whether the choices so far are allowed as they are."""
    take: Callable[[Expression], None]
    """Store the element of a word."""


def choose_stepwise(
    b: Emitter, known: Input, number: int, nothing: Nothing, chooser: Expression, steps: Steps
) -> Local:
    """Read or ask one choice after another until the player stops. Returns whether the player chose none."""
    words = b.allocate(b.let(steps.count * 8 + 16))
    left_out = b.variable(const(0, I1), "left_out")
    with b.loop("pick") as label:
        amount = b.variable(const(0), "amount")

        def offer(word: Expression) -> None:
            b.store(words, b.let(amount * 8), word)
            b.set(amount, amount + 1)

        steps.offer_next(offer)
        stops = b.let(steps.may_stop())
        with b.when(stops):
            offer(const(STOP_CHOICE))
        if known.optional:
            with b.when(steps.taken.eq(0) & (amount > 0)):
                offer(const(NONE_CHOICE))
        with b.when(amount.eq(0)):
            if known.optional:
                b.set(left_out, const(1, I1))
                b.leave(label)
            else:
                nothing()
        b.leave_if(stops & amount.eq(1), label)
        with b.when(choice_made(b, "pick", known.name)):
            word = next_word(b)
            b.leave_if(word.eq(STOP_CHOICE), label)
            if known.optional:
                with b.when(word.eq(NONE_CHOICE)):
                    b.set(left_out, const(1, I1))
                    b.leave(label)
            steps.take(word)
        with b.otherwise():
            stop_with_question(b, chooser, number, words, b.let(amount), steps.taken, known)
    return left_out


def store_chosen(b: Emitter, known: Input, value: Value, left_out: Expression) -> None:
    """Store what was chosen, or none."""
    b.set_variable(known.slot, value)
    with b.when(left_out):
        b.set_variable(known.slot, b.none(known.type))


# Lists with an order, a filter of the whole list, or that are optional


def whole_passes(b: Emitter, known: Input, values: Value) -> Expression:
    """Whether a list passes the filters of the whole list."""
    b.set_variable(known.slot, values)
    passed = b.variable(const(1, I1), "passed")
    with b.forbidding_chance():
        for block in known.list_filters:
            with b.when(passed), b.arena_scope():
                b.bind(known.slot, values, block)
                b.set(passed, b.passes(block))
    b.set_variable(known.slot, b.none(known.type))
    return passed


class _Picking:
    """Picks a list element by element; it offers only elements that can lead to a valid list."""

    def __init__(self, b: Emitter, known: Input) -> None:
        self.b = b
        self.known = known
        self.chooser = chooser_of(b, known)
        self.pool = candidates(b, known)
        self.count = self.pool.parts[1]
        self.classes = alike_classes(b, known, self.pool, self.chooser)
        self.least = length(b, known.least, const(0))
        self.most = length(b, known.most, self.count)
        self.path = b.allocate(b.let(self.count * 8 + 8))
        """Indexes into the pool, in the order they were taken."""
        self.taken = b.variable(const(0), "taken")

    def choose(self, number: int, nothing: Nothing) -> None:
        steps = Steps(
            self.count, self.taken, self._offer_places, lambda: self._may_stop(self.taken), self._take
        )
        left_out = choose_stepwise(self.b, self.known, number, nothing, self.chooser, steps)
        store_chosen(self.b, self.known, self._values(self.taken), left_out)

    def _take(self, word: Expression) -> None:
        self._put(self.taken, place_in(self.b, self.pool, word))
        self.b.set(self.taken, self.taken + 1)

    def _offer_places(self, offer: OfferWord) -> None:
        """OfferWord all possible next elements."""
        b = self.b
        type = element(self.pool)
        with b.when(self.taken < self.most), b.count(self.count) as (place, _):
            with b.when(self._may_follow(self.taken, place)):
                self._put(self.taken, place)
                with b.when(self._can_end(b.let(self.taken + 1))):
                    offer(to_word(at_index(b, self.pool, place)) if fits_in_word(b, type) else place)

    def _get(self, depth: Expression) -> Expression:
        return self.b.load_word(self.path, depth)

    def _put(self, depth: Expression, place: Expression) -> None:
        self.b.store(self.path, self.b.let(depth * 8), place)

    def _values(self, depth: Expression) -> Value:
        """The first `depth` elements that were taken, as a list."""
        b = self.b
        found = Collector(b, element(self.pool), b.let(depth))
        with b.count(b.let(depth)) as (at, _):
            found.add(at_index(b, self.pool, self._get(at)))
        return Value(self.known.type, found.found().parts, certain=True)

    def _may_follow(self, depth: Expression, place: Expression) -> Expression:
        """Whether an index may come next: any free one if the order counts, otherwise one after the last."""
        b = self.b
        free = b.variable(const(1, I1), "free")
        if self.known.ordered:
            with b.count(b.let(depth)) as (at, label):
                with b.when(self._get(at).eq(place)):
                    b.set(free, const(0, I1))
                    b.leave(label)
        else:
            with b.when(depth > 0):
                b.set(free, place > self._get(depth - 1))
        if self.classes is not None:
            with b.when(free):
                b.set(free, ~self._has_free_sibling(depth, place, place))
        return free

    def _has_free_sibling(self, depth: Expression, place: Expression, end: Expression) -> Expression:
        """Whether an element before the end that was not taken is interchangeable with one."""
        b = self.b
        assert self.classes is not None
        found = b.variable(const(0, I1), "sibling")
        own = b.load_word(self.classes, place)
        with b.count(b.let(end)) as (before, label):
            with b.when(b.load_word(self.classes, before).eq(own)):
                taken = b.variable(const(0, I1), "taken")
                with b.count(b.let(depth)) as (at, inner):
                    with b.when(self._get(at).eq(before)):
                        b.set(taken, const(1, I1))
                        b.leave(inner)
                with b.when(~taken):
                    b.set(found, const(1, I1))
                    b.leave(label)
        return found

    def _may_stop(self, depth: Expression) -> Expression:
        b = self.b
        stops = b.variable((depth >= self.least) & (depth <= self.most), "stops")
        if self.known.list_filters:
            with b.when(stops), b.arena_scope():
                b.spend(price(self.known.list_filters))
                b.set(stops, whole_passes(b, self.known, self._values(depth)))
        return stops

    def _can_end(self, depth: Expression) -> Expression:
        """Whether the list of `depth` elements, or an extension of it, is valid."""
        b = self.b
        if self.known.list_filters:
            return self._search(depth)
        stops = self._may_stop(depth)
        further = self.count - depth
        if not self.known.ordered:
            last = self._get(b.let(depth - 1))
            further = self.count - 1 - last
            if self.classes is not None:
                further = self._count_further(depth, last)
        enough = (depth + further >= self.least) & (self.least <= self.most)
        return b.let(stops | enough)

    def _count_further(self, depth: Expression, last: Expression) -> Expression:
        """How many more elements a set can have.

        An element that was passed over excludes those that are interchangeable with it.
        """
        b = self.b
        further = b.variable(const(0), "further")
        with b.count(self.count, first=b.let(last + 1)) as (place, _):
            with b.when(~self._has_free_sibling(depth, place, last)):
                b.set(further, further + 1)
        return further

    def _search(self, base: Expression) -> Expression:
        """Search depth first for a valid list, each list before its extensions."""
        b = self.b
        found = b.variable(const(0, I1), "found")
        depth = b.variable(base, "depth")
        with b.loop("search") as label:
            with b.when(self._may_stop(depth)):
                b.set(found, const(1, I1))
                b.leave(label)
            child = b.variable(const(-1), "child")
            with b.when(depth < self.most):
                self._set_next(child, depth)
            with b.loop("climb") as up:
                with b.when(child >= 0):
                    self._put(depth, child)
                    b.set(depth, depth + 1)
                    b.leave(up)
                b.leave_if(depth <= base, label)
                b.set(depth, depth - 1)
                b.set(child, self._get(depth))
                self._set_next(child, depth)
        return found

    def _set_next(self, child: Local, depth: Expression) -> None:
        """Advance to the next index that may follow; -1 if there is none."""
        b = self.b
        with b.loop("next") as label:
            b.set(child, child + 1)
            with b.when(child >= self.count):
                b.set(child, const(-1))
                b.leave(label)
            b.leave_if(self._may_follow(depth, child), label)
