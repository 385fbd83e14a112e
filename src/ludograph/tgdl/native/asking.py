"""Asking, lowered: candidates of an input, the choice that was made, or a stop with the question.

A choice is one word: the bits of a decimal, the number of anything else; of a list its place among the
candidates. Where the choices come to their end the run stops with NEED, and the context holds who is asked
and the candidates.
"""

from collections.abc import Callable

from ludograph.tgdl.interpreter.handling import price
from ludograph.tgdl.interpreter.values import is_compound
from ludograph.tgdl.library import Operation
from ludograph.tgdl.native.code import (
    address,
    binary,
    both,
    compare,
    const,
    either,
    negate,
    select,
    widen,
)
from ludograph.tgdl.native.constants import constant, list_data
from ludograph.tgdl.native.ir import F64, I1, I32, I64, I128, PTR, Expression, Local, Op
from ludograph.tgdl.native.lists import Collector, at_index, each, element
from ludograph.tgdl.native.marks import key_of, recall
from ludograph.tgdl.native.numbers import equal
from ludograph.tgdl.native.paying import pay, times
from ludograph.tgdl.native.pieces import cards_of
from ludograph.tgdl.native.planes import Words
from ludograph.tgdl.native.references import for_family
from ludograph.tgdl.native.sieves import each_sifted, sieve_of_filter
from ludograph.tgdl.native.sureness import FULL, sure
from ludograph.tgdl.native.things import in_play, is_out
from ludograph.tgdl.native.unit import NEED, Body, Value
from ludograph.tgdl.native.watching import differs
from ludograph.tgdl.native.words import NONE_CHOICE, STOP_CHOICE, WORDY
from ludograph.tgdl.program import Apply, Input, InputMode, Query, Return
from ludograph.tgdl.program import Expression as Node
from ludograph.tgdl.types import Basic, ConstructType, EnumType, ListType, Type

QUESTIONS: dict[str, int] = {
    "random": 1_000_000,
    "card": 1_000_001,
    "shuffle": 1_000_002,
    "effect": 1_000_003,
}
"""Questions that belong to no input."""


# Words


def to_word(b: Body, value: Value) -> Expression:
    """A value as a choice."""
    part = value.only
    word = Op("bitcast", (part,), I64) if part.kind is F64 else widen(part, I64)
    if value.certain or part.kind is F64:
        return word
    return word


def from_word(b: Body, word: Expression, type: Type) -> Value:
    rep = b.plan.rep(type)
    kind = rep.kinds[0]
    part = Op("bitcast", (word,), F64) if kind is F64 else widen(word, kind)
    return b.keep(Value(type, (part,)))


def is_wordy(b: Body, type: Type) -> bool:
    """Whether a value of the type fits in a word."""
    return b.plan.rep(type).shape in WORDY


def choice_made(b: Body, kind: str, name: str) -> Expression:
    """Whether the next choice was made; where effects are carried out again, the same as the first time."""
    if b.unit.replays:
        return recall(b, key_of(b, kind, name))
    return compare("slt", b.get("at", I64), b.get("choice_count", I64))


def next_word(b: Body) -> Expression:
    """The next choice that was made; there is one."""
    if b.unit.replays:
        return b.get("recalled", I64)
    at = b.get("at", I64)
    word = b.load(b.get("choices", PTR), b.let(binary("mul", at, 8)), I64)
    b.put("at", binary("add", at, 1))
    return word


# Candidates


def candidates(b: Body, known: Input) -> Value:
    """What passes the filters, in the reference's order; each value once."""
    is_list = isinstance(known.type, ListType)
    type = known.type.element if is_list and isinstance(known.type, ListType) else known.type
    found, unique = _unfiltered(b, known, type)
    slot = known.slot if known.filter_slot is None else known.filter_slot
    if is_compound(type):
        pay(b, b.let(binary("mul", found.parts[1], found.parts[1])))
    if not known.filters and unique:
        return found
    passed = Collector(b, type, found.parts[1])
    seen = None if unique or is_compound(type) else Seen(b, found.parts[1])
    words = _sieve(b, known, type, slot)
    items = each(b, found) if words is None else each_sifted(b, words, type)
    with items as (value, label), b.passing():
        b.set_variable(slot, value)
        test: Expression = const(1, I1)
        if known.filters:
            with b.looking(), sure(b, slot, is_sure=True):
                test = _all_pass(b, known, slot, value)
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


def _sieve(b: Body, known: Input, type: Type, slot: int) -> Words | None:
    """The tiles that may pass the first filter; None if all values have to be looked at."""
    if known.source is not None or known.low is not None or not known.filters:
        return None
    match known.filters[0].statements:
        case (Return(node),) if node is not None and known.mode is not InputMode.SUPPLIED:
            return sieve_of_filter(b, type, slot, node)
        case _:
            return None


def _all_pass(b: Body, known: Input, slot: int, value: Value) -> Expression:
    """Whether a value passes every filter; each may see it as another type."""
    if len(known.filters) == 1:
        b.bind(slot, value, known.filters[0])
        return b.passes(known.filters[0])
    result = b.variable(const(1, I1), "passes")
    for block in known.filters:
        with b.when(result):
            b.bind(slot, value, block)
            b.set(result, b.passes(block))
    return result


def _add_once(b: Body, found: Collector, value: Value) -> None:
    so_far = Value(ListType(found.type), (found.start, b.let(found.length)), certain=True)
    known = b.variable(const(0, I1), "known")
    with each(b, so_far) as (item, label):
        with b.when(negate(differs(b, item, value))):
            b.set(known, const(1, I1))
            b.leave(label)
    with b.when(negate(known)):
        found.add(value)


class Seen:
    """Where in a list each of its values is, found by the bits of the value. Mutable."""

    def __init__(self, b: Body, most: Expression) -> None:
        """`most`: how many values there can be."""
        self.b = b
        self.is_worth_it = b.let(compare("ugt", most, FEW))
        # More than twice as many places as values, a power of two.
        mask = b.let(binary("mul", most, 2))
        for step in (1, 2, 4, 8, 16):
            mask = b.let(Op("or", (mask, binary("lshr", mask, step)), I64))
        self.mask = mask
        size = b.let(select(self.is_worth_it, binary("mul", binary("add", mask, 1), 8), const(0)))
        self.places = b.allocate(size)
        b.fill(self.places, 0, size)

    def add_once(self, found: Collector, value: Value) -> None:
        """Add a value to the list, unless it is there."""
        with self.b.when(self.is_worth_it, unlikely=True):
            self._look_up(found, value)
        with self.b.otherwise():
            _add_once(self.b, found, value)

    def _look_up(self, found: Collector, value: Value) -> None:
        b = self.b
        part = value.only
        word = Op("trunc", (part,), I64) if part.kind is I128 else to_word(b, value)
        mixed = Op("lshr", (binary("mul", word, SPREADING), const(29)), I64)
        at = b.variable(Op("and", (mixed, self.mask), I64), "at")
        with b.loop("seen") as label:
            place = b.let(binary("mul", at, 8))
            number = b.load(self.places, place, I64)
            with b.when(compare("eq", number, 0)):
                b.store(self.places, place, binary("add", found.length, 1))
                found.add(value)
                b.leave(label)
            known = b.read(
                found.start, b.let(binary("mul", binary("sub", number, 1), found.size)), found.type
            )
            with b.when(equal(b, known, value)):
                b.leave(label)
            b.set(at, Op("and", (binary("add", at, 1), self.mask), I64))


FEW = 64
"""So many values are compared one by one."""
SPREADING = 0x1E3779B97F4A7C15
"""A number whose multiples spread over all words."""


def _unfiltered(b: Body, known: Input, type: Type) -> tuple[Value, bool]:
    """The values to choose from, already paid for, and whether each is known to be there only once."""
    if known.source is not None:
        source = b.as_list(_source(b, known.source, type))
        given = Collector(b, type, source.parts[1])
        with each(b, source) as (item, _):
            with b.when(negate(b.is_none(item))):
                given.add(item)
        b.spend(times(b, given.length, price(known.filters)))
        return given.found(), is_unique(known.source) or isinstance(known.source.type, ConstructType)
    if known.low is not None and known.high is not None:
        return _range(b, known.low, known.high, price(known.filters)), True
    found = supply(b, type, known.mode)
    b.spend(times(b, found.parts[1], price(known.filters)))
    return found, True


def _source(b: Body, node: Node, type: Type) -> Value:
    found = b.expression(node)
    if isinstance(found.type, ConstructType):
        # A stack, of which none has no cards.
        cards = [b.variable(part, "cards") for part in (b.unit.data(), const(0))]
        with b.when(negate(b.is_none(found))):
            given = for_family(b, found, ListType(type), lambda family, stack: cards_of(b, family, stack))
            for local, part in zip(cards, given.parts, strict=True):
                b.set(local, part)
        return Value(ListType(type), tuple(cards), certain=True)
    if found.type == ListType(Basic.NONE):
        return Value(ListType(type), found.parts, certain=True)
    return found


def _range(b: Body, low_node: Node, high_node: Node, cost: int) -> Value:
    low, high = b.expression(low_node), b.expression(high_node)
    for bound in (low, high):
        if not bound.certain:
            b.fault_if(b.is_none(bound), "TG0501")
    span = b.let(Op("fsub", (high.only, low.only), F64))
    b.fault_if(Op("oge", (span, const(1e6, F64)), I1), "TG0505")
    count = b.variable(const(0), "count")
    with b.when(Op("oge", (span, const(0.0, F64)), I1)):
        b.set(count, binary("add", b.as_whole(span), 1))
    b.spend(times(b, count, cost))
    found = Collector(b, Basic.DECIMAL, count)
    with b.count(count) as (at, _):
        found.add(b.number(binary("fadd", low.only, b.as_decimal(at))))
    return found.found()


UNIQUE = FULL | {Operation.CORNERS, Operation.SIDES, Operation.CELLS}


def is_unique(node: Node) -> bool:
    """Whether a list has no element twice, as far as its text shows."""
    match node:
        case Apply(operation):
            return operation in UNIQUE
        case Query(Operation.WHERE | Operation.UNTIL, source):
            return is_unique(source)
        case Query(Operation.REGION):
            return True
        case _:
            return False


def supply(b: Body, type: Type, mode: InputMode) -> Value:
    """All values of a type that has an end."""
    match type:
        case Basic.BOOL:
            return Value(ListType(type), (list_data(b.unit, (False, True), type), const(2)), certain=True)
        case Basic.PLAYER:
            found = Collector(b, type, const(b.world.players))
            with b.count(const(b.world.players, I32)) as (player, _):
                with b.when(negate(is_out(b, player))):
                    found.add(Value(type, (player,), certain=True))
            return found.found()
        case EnumType(name):
            members = b.world.members[name]
            return Value(
                ListType(type), (list_data(b.unit, members, type), const(len(members))), certain=True
            )
        case ConstructType(name):
            if mode is InputMode.SUPPLIED:
                value = constant(b.unit, b.world.singletons.get(name), type)
                start = b.allocate(8)
                b.write(start, 0, value, to_block=False)
                return Value(ListType(type), (start, const(1)), certain=True)
            return in_play(b, type)
        case _:
            raise AssertionError(f"there is no end to the values of {type}")


# Asking


def chooser_of(b: Body, known: Input) -> Expression:
    """Who answers: the player named by the input, or the one who started the transaction."""
    if known.chooser is None:
        return b.player
    chooser = b.expression(known.chooser)
    if not chooser.certain:
        b.fault_if(b.is_none(chooser), "TG0515")
    return chooser.only


Nothing = Callable[[], None]
"""What is done where an input has no candidates."""


def resolve(b: Body, known: Input, number: int, nothing: Nothing) -> None:
    """Put the value of an input into its slot: supplied, found, or chosen."""
    if isinstance(known.type, ListType) and known.mode is InputMode.ASKED:
        _choose_list(b, known, number, nothing)
        return
    match known.mode:
        case InputMode.ASKED:
            _choose(b, known, number, nothing)
        case InputMode.AUTO:
            _first(b, known, nothing)
        case InputMode.GIVEN:
            b.set_variable(known.slot, b.none(known.type))  # an optional one that the caller leaves out
        case _:
            type = known.type.element if isinstance(known.type, ListType) else known.type
            everything = supply(b, type, known.mode)
            if isinstance(known.type, ListType):
                b.set_variable(known.slot, Value(known.type, everything.parts, certain=True))
            else:
                b.set_variable(known.slot, at_index(b, everything, const(0)))


def _choose(b: Body, known: Input, number: int, nothing: Nothing) -> None:
    type = known.type
    chooser = chooser_of(b, known)
    wordy = is_wordy(b, type)
    if known.optional:
        found = candidates(b, known)
        with b.when(compare("eq", found.parts[1], 0)):
            b.set_variable(known.slot, b.none(type))
        with b.otherwise():
            with b.when(choice_made(b, "input", known.name)):
                _take(b, known, found, next_word(b))
            with b.otherwise():
                _ask(b, known, number, chooser, found, with_none=True)
        return
    if not wordy:
        found = candidates(b, known)
        with b.when(choice_made(b, "input", known.name)):
            _take(b, known, found, next_word(b))
        with b.otherwise():
            with b.when(compare("eq", found.parts[1], 0), unlikely=True):
                nothing()
            _ask(b, known, number, chooser, found)
        return
    with b.when(choice_made(b, "input", known.name)):
        b.set_variable(known.slot, from_word(b, next_word(b), type))
    with b.otherwise():
        found = candidates(b, known)
        with b.when(compare("eq", found.parts[1], 0), unlikely=True):
            nothing()
        _ask(b, known, number, chooser, found)


def _take(b: Body, known: Input, found: Value, word: Expression) -> None:
    """Put a choice into the slot of its input."""
    type = element(found)
    with b.when(compare("eq", word, NONE_CHOICE)):
        b.set_variable(known.slot, b.none(type))
    with b.otherwise():
        if is_wordy(b, type):
            b.set_variable(known.slot, from_word(b, word, type))
        else:
            b.set_variable(known.slot, at_index(b, found, word))


def _ask(
    b: Body, known: Input, number: int, chooser: Expression, found: Value, *, with_none: bool = False
) -> None:
    """Stop with a question."""
    words = words_of(b, found, extra=1)
    count = found.parts[1]
    if with_none:
        b.store(words, b.let(binary("mul", count, 8)), const(NONE_CHOICE))
        count = b.let(binary("add", count, 1))
    stop_with_question(b, chooser, number, words, count)


def stop_with_question(
    b: Body,
    chooser: Expression,
    number: int,
    words: Expression,
    count: Expression,
    index: Expression | None = None,
) -> None:
    b.put("need_chooser", chooser)
    b.put("need_input", const(number, I32))
    b.put("need_count", count)
    b.put("need_values", words)
    b.put("need_weights", const(0, PTR))
    b.put("need_index", const(0, I32) if index is None else widen(index, I32))
    b.stop(NEED)


def words_of(b: Body, found: Value, *, extra: int = 0) -> Expression:
    """The candidates as choices."""
    type = element(found)
    count = found.parts[1]
    words = b.allocate(b.let(binary("mul", binary("add", count, extra), 8)))
    size = b.plan.rep(type).size
    with b.count(count) as (at, _):
        place = b.let(binary("mul", at, 8))
        if is_wordy(b, type):
            item = b.read(found.parts[0], binary("mul", at, size), type)
            b.store(words, place, to_word(b, item))
        else:
            b.store(words, place, at)
    return words


def _first(b: Body, known: Input, nothing: Nothing) -> None:
    """`auto`: the first that passes, or for a list all that do."""
    found = candidates(b, known)
    if isinstance(known.type, ListType):
        whole = Value(known.type, found.parts, certain=True)
        passed = b.variable(compare("ne", found.parts[1], 0), "passed")
        if known.list_filters:
            with b.when(passed):
                b.set(passed, _whole_passes(b, known, whole))
        with b.when(negate(passed), unlikely=True):
            if known.optional:
                b.set_variable(known.slot, b.none(known.type))
            else:
                nothing()
        with b.otherwise():
            b.set_variable(known.slot, whole)
        return
    with b.when(compare("eq", found.parts[1], 0)):
        if known.optional:
            b.set_variable(known.slot, b.none(known.type))
        else:
            nothing()
    if known.optional:
        with b.otherwise():
            b.set_variable(known.slot, at_index(b, found, const(0)))
    else:
        b.set_variable(known.slot, at_index(b, found, const(0)))


def _length(b: Body, bound: Node | None, unsaid: Expression) -> Expression:
    if bound is None:
        return unsaid
    found = b.expression(bound)
    if not found.certain:
        b.fault_if(b.is_none(found), "TG0501")
    return b.let(b.as_whole(found.only))


def _choose_list(b: Body, known: Input, number: int, nothing: Nothing) -> None:
    """A list input: one choice an element, and one to stop where there is a doubt."""
    assert isinstance(known.type, ListType)
    if known.list_filters or known.ordered or known.optional or not is_wordy(b, known.type.element):
        _Picking(b, known).choose(number, nothing)
        return
    chooser = chooser_of(b, known)
    pool = candidates(b, known)
    count = pool.parts[1]
    least = _length(b, known.least, const(0))
    most = _length(b, known.most, count)
    taken = Collector(b, known.type.element, count)
    first = b.variable(const(0), "first")
    with b.loop() as label:
        # Places that can still be taken so that the list comes to its least length.
        missing = b.let(binary("sub", binary("sub", least, taken.length), 1))
        room = compare("slt", taken.length, most)
        last = b.variable(count, "last")
        with b.when(compare("sgt", missing, 0)):
            b.set(last, binary("sub", count, missing))
        with b.when(negate(both(room, compare("sle", least, most)))):
            b.set(last, const(0))
        options = b.variable(binary("sub", last, first), "options")
        with b.when(compare("slt", options, 0)):
            b.set(options, const(0))
        stops = both(compare("sge", taken.length, least), compare("sle", taken.length, most))
        may_stop = b.let(stops)
        with b.when(both(compare("eq", options, 0), negate(may_stop))):
            nothing()
        with b.when(compare("eq", options, 0)):
            b.leave(label)
        with b.when(choice_made(b, "pick", known.name)):
            word = next_word(b)
            with b.when(compare("eq", word, STOP_CHOICE)):
                b.leave(label)
            place = _place_in(b, pool, word)
            taken.add(at_index(b, pool, place))
            b.set(first, binary("add", place, 1))
        with b.otherwise():
            size = b.plan.rep(known.type.element).size
            rest = Value(pool.type, (b.let(_behind(pool, b.let(binary("mul", first, size)))), b.let(options)))
            words = words_of(b, rest, extra=1)
            amount = b.variable(options, "amount")
            with b.when(may_stop):
                b.store(words, b.let(binary("mul", amount, 8)), const(STOP_CHOICE))
                b.set(amount, binary("add", amount, 1))
            stop_with_question(b, chooser, number, words, amount, taken.length)
    b.set_variable(known.slot, Value(known.type, (taken.start, b.let(taken.length)), certain=True))


def _behind(pool: Value, offset: Expression) -> Expression:
    return address(pool.parts[0], offset)


def _place_in(b: Body, pool: Value, word: Expression) -> Expression:
    type = element(pool)
    if not is_wordy(b, type):
        return word
    wanted = from_word(b, word, type)
    place = b.variable(const(0), "place")
    size = b.plan.rep(type).size
    with b.count(pool.parts[1]) as (at, label):
        with b.when(equal(b, b.read(pool.parts[0], binary("mul", at, size), type), wanted)):
            b.set(place, at)
            b.leave(label)
    return place


# Lists with an order, a filter of the whole, or that may be left out


def _whole_passes(b: Body, known: Input, values: Value) -> Expression:
    """Whether a whole list passes the filters that are about it."""
    b.set_variable(known.slot, values)
    passed = b.variable(const(1, I1), "passed")
    with b.looking():
        for block in known.list_filters:
            with b.when(passed), b.passing():
                b.bind(known.slot, values, block)
                b.set(passed, b.passes(block))
    b.set_variable(known.slot, b.none(known.type))
    return passed


class _Picking:
    """A list that is picked element by element; only what can still become a list that passes is offered."""

    def __init__(self, b: Body, known: Input) -> None:
        self.b = b
        self.known = known
        self.chooser = chooser_of(b, known)
        self.pool = candidates(b, known)
        self.count = self.pool.parts[1]
        self.least = _length(b, known.least, const(0))
        self.most = _length(b, known.most, self.count)
        self.path = b.allocate(b.let(binary("add", binary("mul", self.count, 8), 8)))
        """Places in the pool, in the order they were taken."""
        self.taken = b.variable(const(0), "taken")

    def choose(self, number: int, nothing: Nothing) -> None:
        b, known = self.b, self.known
        words = b.allocate(b.let(binary("add", binary("mul", self.count, 8), 16)))
        left_out = b.variable(const(0, I1), "left_out")
        with b.loop("pick") as label:
            amount = b.variable(const(0), "amount")

            def offer(word: Expression, amount: Local = amount) -> None:
                b.store(words, b.let(binary("mul", amount, 8)), word)
                b.set(amount, binary("add", amount, 1))

            self._offer_places(offer)
            stops = b.let(self._may_stop(self.taken))
            with b.when(stops):
                offer(const(STOP_CHOICE))
            if known.optional:
                with b.when(both(compare("eq", self.taken, 0), compare("sgt", amount, 0))):
                    offer(const(NONE_CHOICE))
            with b.when(compare("eq", amount, 0)):
                if known.optional:
                    b.set(left_out, const(1, I1))
                    b.leave(label)
                else:
                    nothing()
            with b.when(both(stops, compare("eq", amount, 1))):
                b.leave(label)
            with b.when(choice_made(b, "pick", known.name)):
                word = next_word(b)
                with b.when(compare("eq", word, STOP_CHOICE)):
                    b.leave(label)
                with b.when(compare("eq", word, NONE_CHOICE)):
                    b.set(left_out, const(1, I1))
                    b.leave(label)
                self._put(self.taken, _place_in(b, self.pool, word))
                b.set(self.taken, binary("add", self.taken, 1))
            with b.otherwise():
                stop_with_question(b, self.chooser, number, words, b.let(amount), self.taken)
        b.set_variable(known.slot, self._values(self.taken))
        with b.when(left_out):
            b.set_variable(known.slot, b.none(known.type))

    def _offer_places(self, offer: Callable[[Expression], None]) -> None:
        """Everything that may come next."""
        b = self.b
        type = element(self.pool)
        with b.when(compare("slt", self.taken, self.most)), b.count(self.count) as (place, _):
            with b.when(self._may_follow(self.taken, place)):
                self._put(self.taken, place)
                with b.when(self._can_end(b.let(binary("add", self.taken, 1)))):
                    offer(to_word(b, at_index(b, self.pool, place)) if is_wordy(b, type) else place)

    def _get(self, depth: Expression) -> Expression:
        return self.b.load(self.path, self.b.let(binary("mul", depth, 8)), I64)

    def _put(self, depth: Expression, place: Expression) -> None:
        self.b.store(self.path, self.b.let(binary("mul", depth, 8)), place)

    def _values(self, depth: Expression) -> Value:
        """The first of what was taken, as a list."""
        b = self.b
        found = Collector(b, element(self.pool), b.let(depth))
        with b.count(b.let(depth)) as (at, _):
            found.add(at_index(b, self.pool, self._get(at)))
        return Value(self.known.type, found.found().parts, certain=True)

    def _may_follow(self, depth: Expression, place: Expression) -> Expression:
        """Any place that is not taken if the order counts, else those behind the last."""
        b = self.b
        free = b.variable(const(1, I1), "free")
        if self.known.ordered:
            with b.count(b.let(depth)) as (at, label):
                with b.when(compare("eq", self._get(at), place)):
                    b.set(free, const(0, I1))
                    b.leave(label)
            return free
        with b.when(compare("sgt", depth, 0)):
            b.set(free, compare("sgt", place, self._get(binary("sub", depth, 1))))
        return free

    def _may_stop(self, depth: Expression) -> Expression:
        b = self.b
        stops = b.variable(both(compare("sge", depth, self.least), compare("sle", depth, self.most)), "stops")
        if self.known.list_filters:
            with b.when(stops), b.passing():
                b.spend(price(self.known.list_filters))
                b.set(stops, _whole_passes(b, self.known, self._values(depth)))
        return stops

    def _can_end(self, depth: Expression) -> Expression:
        """Whether the list of so many, or some list beyond it, passes."""
        b = self.b
        if self.known.list_filters:
            return self._search(depth)
        stops = self._may_stop(depth)
        further = binary("sub", self.count, depth)
        if not self.known.ordered:
            last = self._get(b.let(binary("sub", depth, 1)))
            further = binary("sub", binary("sub", self.count, 1), last)
        enough = both(
            compare("sge", binary("add", depth, further), self.least), compare("sle", self.least, self.most)
        )
        return b.let(either(stops, enough))

    def _search(self, base: Expression) -> Expression:
        """Depth first, each list before those beyond it."""
        b = self.b
        found = b.variable(const(0, I1), "found")
        depth = b.variable(base, "depth")
        with b.loop("search") as label:
            with b.when(self._may_stop(depth)):
                b.set(found, const(1, I1))
                b.leave(label)
            child = b.variable(const(-1), "child")
            with b.when(compare("slt", depth, self.most)):
                self._set_next(child, depth)
            with b.loop("climb") as up:
                with b.when(compare("sge", child, 0)):
                    self._put(depth, child)
                    b.set(depth, binary("add", depth, 1))
                    b.leave(up)
                with b.when(compare("sle", depth, base)):
                    b.leave(label)
                b.set(depth, binary("sub", depth, 1))
                b.set(child, self._get(depth))
                self._set_next(child, depth)
        return found

    def _set_next(self, child: Local, depth: Expression) -> None:
        """Make a place the next one after it that may follow; -1 if there is none."""
        b = self.b
        with b.loop("next") as label:
            b.set(child, binary("add", child, 1))
            with b.when(compare("sge", child, self.count)):
                b.set(child, const(-1))
                b.leave(label)
            with b.when(self._may_follow(depth, child)):
                b.leave(label)
