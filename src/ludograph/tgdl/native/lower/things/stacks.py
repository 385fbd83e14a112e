"""Lowering of stacks: cards are pushed, drawn and shuffled.

A shuffled stack has no order: chance chooses a card when it is popped or inspected. Cards that are pushed
later are known, on top.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from ludograph.tgdl.native.ir.builder import const
from ludograph.tgdl.native.ir.nodes import I1, I8, I32, I64, Expression, Local, Op
from ludograph.tgdl.native.layout.plan import Family
from ludograph.tgdl.native.lower.actions.chance import take_chance
from ludograph.tgdl.native.lower.actions.events import fire_for_instance, firing, has_listeners
from ludograph.tgdl.native.lower.board.pieces import (
    all_on,
    append,
    cards_of,
    count_cards,
    empty_part,
    held_on,
    lift,
    move_on_board,
    part_of,
    place_of,
    prepend,
    set_part,
)
from ludograph.tgdl.native.lower.emitter import Emitter, Lowering, routine
from ludograph.tgdl.native.lower.fuel import pay
from ludograph.tgdl.native.lower.things.players import pay_for_all
from ludograph.tgdl.native.lower.things.viewers import set_viewers
from ludograph.tgdl.native.lower.unit import CompilationUnit, Value
from ludograph.tgdl.native.lower.values.lists import Collector, at_index, detached, each
from ludograph.tgdl.native.lower.values.numbers import equal
from ludograph.tgdl.native.lower.values.references import (
    cases,
    creation,
    families_of,
    for_family,
    is_no_reference,
    refer,
    tagged,
    write_cell,
)
from ludograph.tgdl.program import Apply, ConstructKind, Move, When
from ludograph.tgdl.program.events import Event
from ludograph.tgdl.program.operations import Operation
from ludograph.tgdl.program.types import Basic, ConstructType, ListType, Type

NOTHING = Value(Basic.NOTHING, ())


def _lower_held(b: Emitter, node: Apply) -> Value:
    assert isinstance(node.type, ConstructType)
    return held_on(b, b.value(node.operands[0]), node.type)


def _lower_placeables(b: Emitter, node: Apply) -> Value:
    assert isinstance(node.type, ListType)
    pieces = all_on(b, b.value(node.operands[0]), node.type)
    pay(b, pieces.parts[1])
    return pieces


def _lower_place(b: Emitter, node: Apply) -> Value:
    assert isinstance(node.type, ConstructType)
    return place_of(b, b.value(node.operands[0]), node.type)


def _lower_cards(b: Emitter, node: Apply) -> Value:
    cards = for_family(b, b.value(node.operands[0]), node.type, lambda f, n: cards_of(b, f, n))
    pay(b, cards.parts[1])
    return cards


def _lower_length(b: Emitter, node: Apply) -> Value:
    return for_family(
        b,
        b.value(node.operands[0]),
        node.type,
        lambda f, n: b.number(b.let(b.as_decimal(count_cards(b, f, n)))),
    )


def _taking_card(take: Callable[[Emitter, Value, Type], Value]) -> Lowering:
    """The lowering of an operation that takes a card from a stack, or looks at it."""

    def lower(b: Emitter, node: Apply) -> Value:
        stack = b.keep(b.value(node.operands[0]))
        set_viewers(b, node)
        return take(b, stack, node.type)

    return lower


def _giving_card(give: Callable[[Emitter, Value, Value, Type], Value]) -> Lowering:
    """The lowering of an operation that gives a card of a stack to a player or to another stack."""

    def lower(b: Emitter, node: Apply) -> Value:
        stack, to = b.keep(b.value(node.operands[0])), b.keep(b.value(node.operands[1]))
        set_viewers(b, node)
        return give(b, stack, to, node.type)

    return lower


def _lower_push(b: Emitter, node: Apply) -> Value:
    stack = b.keep(b.value(node.operands[0]))
    what = b.expression(node.operands[1])
    push(b, stack, what, back=node.operation is Operation.PUSH_BACK)
    return NOTHING


def _lower_shuffle(b: Emitter, node: Apply) -> Value:
    shuffle(b, b.keep(b.value(node.operands[0])))
    return NOTHING


def _lower_reshuffle(b: Emitter, node: Apply) -> Value:
    _reshuffle(b, b.keep(b.value(node.operands[0])), b.keep(b.value(node.operands[1])))
    return NOTHING


def _end(b: Emitter, cards: Value, place: Expression) -> Expression:
    return at_index(b, cards, b.let(place)).only


# The card on top


def _reveal_top_function(unit: CompilationUnit, family: Family) -> str:
    """Emit the function that reveals the top card: chance chooses it if it was shuffled; it stays, known."""
    type = unit.plan.card_type(family)
    kind = unit.plan.rep(type).kinds[0]

    @routine(f"reveal_top.{family.index}", (I32,), gives=(kind,))
    def make(b: Emitter, stack: Local) -> None:
        top = part_of(b, family, stack, "top")
        with b.when(top.parts[1] > 0):
            b.done(_end(b, top, top.parts[1] - 1))
        pool = part_of(b, family, stack, "pool")
        with b.when(pool.parts[1] > 0):
            pay(b, pool.parts[1])
            card = _drawn(b, family, stack, pool)
            append(b, family, stack, "top", card)
            b.done(card)
        bottom = part_of(b, family, stack, "bottom")
        with b.when(bottom.parts[1] > 0):
            set_part(b, family, stack, "top", bottom)
            empty_part(b, family, stack, "bottom")
            b.done(_end(b, bottom, bottom.parts[1] - 1))
        b.done(const(-1, kind))

    return make(unit)


def _drawn(b: Emitter, family: Family, stack: Expression, pool: Value) -> Expression:
    """Remove a random card from the shuffled ones."""
    card = b.variable(at_index(b, pool, const(0)).only, "card")
    with b.when(pool.parts[1] > 1):
        b.set(card, _chosen(b, family, pool))
    found = b.let(card)
    left = b.let(pool.parts[1] - 1)
    type = b.plan.card_type(family)
    with b.arena_scope():
        rest = Collector(b, type, pool.parts[1])
        with each(b, pool) as (item, _):
            with b.when(item.only.ne(found)):
                rest.add(item)
        kept = Value(ListType(type), (rest.start, left), certain=True)
        set_part(b, family, stack, "pool", kept)
    return found


def _chosen(b: Emitter, family: Family, pool: Value) -> Expression:
    type = b.plan.card_type(family)
    return take_chance(b, pool.parts[1], None, type, "card", values=pool)


def _reveal_top(b: Emitter, stack: Value, type: Type) -> Value:
    def work(family: Family, number: Expression) -> Value:
        card = b.plan.card_type(family)
        parts = b.run(_reveal_top_function(b.unit, family), (number,), b.plan.rep(card).kinds)
        return Value(card, parts)

    return b.keep(for_family(b, stack, type, work))


def _top(b: Emitter, stack: Value, type: Type) -> Value:
    """`s.top`: in a condition, the top card must be known."""
    stack = b.keep(stack)
    result = b.holder(type, "top")
    with b.when(b.get("chance_forbidden", I32).ne(0)):
        b.assign(result, for_family(b, stack, type, lambda family, number: _peek(b, family, number)))
    with b.otherwise():
        b.assign(result, _reveal_top(b, stack, type))
    return result


def _peek(b: Emitter, family: Family, stack: Expression) -> Value:
    type = b.plan.card_type(family)
    top, pool, bottom = (part_of(b, family, stack, part) for part in ("top", "pool", "bottom"))
    found = b.variable(b.none(type).only, "peeked")
    with b.when(top.parts[1] > 0):
        b.set(found, _end(b, top, top.parts[1] - 1))
    with b.otherwise():
        b.fault_if(pool.parts[1] > 1, "TG0513")
        with b.when(pool.parts[1] > 0):
            b.set(found, at_index(b, pool, const(0)).only)
        with b.otherwise():
            with b.when(bottom.parts[1] > 0):
                b.set(found, _end(b, bottom, bottom.parts[1] - 1))
    return Value(type, (found,))


# Taking


def _lift(b: Emitter, stack: Value, card: Value) -> None:
    with firing(b, Event.DRAW, stack, {"stack": stack, "instance": card}):
        lift(b, card)


def _pop(b: Emitter, stack: Value, type: Type) -> Value:
    """Take the card on top."""
    card = _reveal_top(b, stack, type)
    with b.when(~b.is_none(card)):
        _lift(b, stack, card)
    return card


def _pop_back(b: Emitter, stack: Value, type: Type) -> Value:
    """Take the lowest card."""

    def work(family: Family, number: Expression) -> Value:
        card = b.plan.card_type(family)
        top, pool, bottom = (part_of(b, family, number, part) for part in ("top", "pool", "bottom"))
        found = b.variable(b.none(card).only, "lowest")
        with b.when(bottom.parts[1] > 0):
            b.set(found, at_index(b, bottom, const(0)).only)
        with b.otherwise():
            with b.when(pool.parts[1] > 0):
                b.set(found, at_index(b, pool, const(0)).only)
                with b.when(pool.parts[1] > 1):
                    b.set(found, _chosen(b, family, pool))
            with b.otherwise():
                with b.when(top.parts[1] > 0):
                    b.set(found, at_index(b, top, const(0)).only)
        return Value(card, (found,))

    card = b.keep(for_family(b, stack, type, work))
    with b.when(~b.is_none(card)):
        _lift(b, stack, card)
    return card


def _pop_some(b: Emitter, node: Apply) -> Value:
    """Take a number of cards, or as many as there are."""
    assert isinstance(node.type, ListType)
    stack = b.keep(b.value(node.operands[0]))
    wanted = b.let(b.as_whole(b.value(node.operands[1]).only))
    most = b.variable(Op("smax", (wanted, const(0)), I64), "most")
    if not has_listeners(b, stack, (Event.DRAW,)):
        # No listener can put a card back in between.
        here = for_family(
            b, stack, Basic.DECIMAL, lambda f, n: b.number(b.let(b.as_decimal(count_cards(b, f, n))))
        )
        b.set(most, Op("smin", (most, b.as_whole(here.only)), I64))
    found = Collector(b, node.type.element, b.let(most))
    with b.count(b.let(most)) as (_, label):
        set_viewers(b, node)
        card = _pop(b, stack, node.type.element)
        b.leave_if(b.is_none(card), label)
        found.add(card)
    return Value(node.type, found.found().parts, certain=True)


def _draw(b: Emitter, stack: Value, player: Value, type: Type) -> Value:
    """`s.draw(p)`: pop a card, and fire `drawn` for the player."""
    card = _reveal_top(b, stack, type)
    before = b.player
    b.player = b.let(player.only)
    with b.when(~b.is_none(card)):
        with firing(b, Event.DRAWN, card, {"instance": card, "stack": stack, "player": player}):
            _lift(b, stack, card)
    b.player = before
    return card


# Putting


def push(b: Emitter, stack: Value, what: Value, *, back: bool = False, discarded: bool = False) -> None:
    """Put a card or a list of cards on top (or under) of a stack; none is not a card."""
    if what.type is Basic.NONE:
        return
    if isinstance(what.type, ListType):
        with each(b, detached(b, what)) as (card, _):
            with b.when(~b.is_none(card)):
                _push_one(b, stack, card, back=back, discarded=discarded)
        return
    card = b.keep(what)
    with b.when(~b.is_none(card)):
        _push_one(b, stack, card, back=back, discarded=discarded)


@contextmanager
def _firing_if(
    b: Emitter, test: Expression, event: Event, about: Value, fields: Mapping[str, Value]
) -> Iterator[None]:
    """Like `firing`, for a conditional event."""
    for when in (When.BEFORE, When.FAST, When.AFTER):
        if has_listeners(b, about, (event,)):
            with b.when(test):
                fire_for_instance(b, event, about, fields, when)
        if when is When.BEFORE:
            yield


def _push_one(b: Emitter, stack: Value, card: Value, *, back: bool, discarded: bool) -> None:
    """Put a card into a stack; it leaves the board, and fires `kept` if it was in no stack."""
    card = b.keep(Value(card.type, card.parts, certain=True))
    tile = b.keep(place_of(b, card, ConstructType("tile")))
    pile = b.keep(place_of(b, card, ConstructType("stack")))
    leaves = b.let(~b.is_none(tile))
    is_new = const(0, I1) if discarded else b.let(b.is_none(pile))
    leaving = {"instance": card, "from": tile, "to": b.none(tile.type)}
    keeping = {"instance": card, "stack": stack, "player": Value(Basic.PLAYER, (b.player,))}
    with (
        _firing_if(b, leaves, Event.REMOVAL, card, leaving),
        firing(b, Event.PUT, stack, {"stack": stack, "instance": card}),
        _firing_if(b, is_new, Event.KEPT, card, keeping),
    ):
        _insert(b, stack, card, back=back)


def _insert(b: Emitter, stack: Value, card: Value, *, back: bool) -> None:
    lift(b, card)
    for family, number in cases(b, families_of(b, stack), stack.only):
        for cards, place in cases(b, families_of(b, card), card.only):
            if cards in b.plan.families_of(b.plan.card_type(family).name):
                b.run(_insert_function(b.unit, family, cards, back=back), (number, place))


def _insert_function(unit: CompilationUnit, family: Family, cards: Family, *, back: bool) -> str:
    """Put a lifted card into a stack."""

    @routine(f"push{'_back' if back else ''}.{family.index}.{cards.index}", (I32, I32))
    def make(b: Emitter, stack: Local, card: Local) -> None:
        here = tagged(b, cards, card, b.plan.rep(b.plan.card_type(family)))
        pay(b, count_cards(b, family, stack))
        write_cell(b, cards, card, "place", tagged(b, family, stack, b.plan.rep_of_place()))
        if not back:
            append(b, family, stack, "top", here)
        else:
            lengths = [part_of(b, family, stack, part).parts[1] for part in ("pool", "bottom")]
            with b.when((lengths[0] > 0) | (lengths[1] > 0)):
                prepend(b, family, stack, "bottom", here)
            with b.otherwise():
                prepend(b, family, stack, "top", here)
        b.done()

    return make(unit)


def _discard(b: Emitter, stack: Value, other: Value, type: Type) -> Value:
    """Move the top card of a stack to another, without a `draw` event."""
    card = _reveal_top(b, stack, type)
    with b.when(~b.is_none(card)):
        fields = {"instance": card, "stack": other, "player": Value(Basic.PLAYER, (b.player,))}
        with (
            firing(b, Event.DISCARD, stack, {"stack": stack, "instance": card}),
            firing(b, Event.DISCARDED, card, fields),
        ):
            push(b, other, card, discarded=True)
    return card


# Shuffling


def shuffle(b: Emitter, stack: Value) -> None:
    """Shuffle a stack: all cards lose their order."""
    pay_for_all(b, "stackable")
    with firing(b, Event.SHUFFLE, stack, {"stack": stack, "instance": b.none(ConstructType("stackable"))}):
        for family, number in cases(b, families_of(b, stack), stack.only):
            b.run(_shuffle_function(b.unit, family), (number,))


def _shuffle_function(unit: CompilationUnit, family: Family) -> str:
    @routine(f"shuffle.{family.index}", (I32,))
    def make(b: Emitter, stack: Local) -> None:
        with b.arena_scope():
            cards = cards_of(b, family, stack)
            families = b.plan.families_of(b.plan.card_type(family).name)
            ordered = sort_by_creation(b, families, cards)
            set_part(b, family, stack, "pool", ordered)
            empty_part(b, family, stack, "top")
            empty_part(b, family, stack, "bottom")
        b.done()

    return make(unit)


def sort_by_creation(b: Emitter, families: tuple[Family, ...], cards: Value) -> Value:
    """The cards of a list in the arena, in the order of their creation."""
    if len(families) == 1:
        return _sort_one_family(b, families[0], cards)
    return _sort_families(b, families, cards)


def _sort_one_family(b: Emitter, family: Family, cards: Value) -> Value:
    """Sort cards of one family by creation, which is the order of their numbers (counting sort)."""
    assert isinstance(cards.type, ListType)
    size = (family.capacity + 7) // 8 * 8
    marks = b.allocate(size)
    b.fill(marks, 0, size)
    with each(b, cards) as (card, _):
        b.store(marks, card.only, const(1, I8))
    found = Collector(b, cards.type.element, cards.parts[1])
    with b.count(const(family.capacity, I32)) as (number, _):
        with b.when(b.load(marks, number, I8).ne(0)):
            found.add(Value(cards.type.element, (number,), certain=True))
    return found.found()


def _sort_families(b: Emitter, families: tuple[Family, ...], cards: Value) -> Value:
    """Sort cards of several families by creation (insertion sort)."""
    assert isinstance(cards.type, ListType)
    type = cards.type.element
    size = b.plan.rep(type).size
    start = cards.parts[0]

    def made(place: Expression) -> Expression:
        found = b.variable(const(0, I32), "made")
        card = at_index(b, cards, b.let(place))
        for family, number in cases(b, families, card.only):
            b.set(found, creation(b, family, number))
        return found

    with b.count(cards.parts[1]) as (at, _):
        card = at_index(b, cards, at)
        mine = b.let(made(at))
        to = b.variable(at, "to")
        with b.loop() as label:
            b.leave_if(to <= 0, label)
            b.leave_if(made(to - 1) < mine, label)
            before = at_index(b, cards, b.let(to - 1))
            b.write(start, b.let(to * size), before, to_block=False)
            b.set(to, to - 1)
        b.write(start, b.let(to * size), card, to_block=False)
    return cards


def _reshuffle(b: Emitter, stack: Value, source: Value) -> None:
    """Move all cards of another stack into this one, and shuffle it."""
    with firing(b, Event.RESHUFFLE, stack, {"stack": stack, "instance": b.none(ConstructType("stackable"))}):
        for pile, place in cases(b, families_of(b, source), source.only):
            with each(b, cards_of(b, pile, place)) as (card, _):
                lift(b, card)
                for family, number in cases(b, families_of(b, stack), stack.only):
                    here = refer(b, card, b.plan.rep(b.plan.card_type(family)))
                    pay(b, count_cards(b, family, number))
                    append(b, family, number, "pool", here)
                    where = tagged(b, family, number, b.plan.rep_of_place())
                    for cards, at in cases(b, families_of(b, card), card.only):
                        write_cell(b, cards, at, "place", where)
        shuffle(b, stack)


# Moving


def move(b: Emitter, node: Move) -> None:
    """`move x to y;`: to a tile, to a stack, or off the board; a move to its own tile does nothing."""
    what = b.keep(b.value(node.what))
    if not isinstance(what.type, ConstructType):
        return  # the literal none, which is a fault
    to = b.expression(node.to)
    if not isinstance(to.type, ConstructType):
        carry(b, what, None)
        return
    to = b.keep(to)
    families = families_of(b, to)
    if not families or families[0].kind is not ConstructKind.STACK:
        carry(b, what, to)
        return
    with b.when(is_no_reference(to.only)):
        carry(b, what, None)
    with b.otherwise():
        push(b, to, what)


def carry(b: Emitter, what: Value, to: Value | None) -> None:
    """Move a piece to a tile or off the board, with its events."""
    if not has_listeners(b, what, (Event.MOVEMENT, Event.REMOVAL, Event.PLACEMENT)):
        move_on_board(b, what, to)
        return
    start = b.keep(place_of(b, what, ConstructType("tile")))
    target = b.none(start.type) if to is None else b.keep(b.coerce(to, start.type))
    fields = {"instance": what, "from": start, "to": target}
    left, reached = b.let(~b.is_none(start)), b.let(~b.is_none(target))
    goes = b.let(left & reached & ~equal(b, start, target))
    with (
        _firing_if(b, goes, Event.MOVEMENT, what, fields),
        _firing_if(b, b.let(left & ~reached), Event.REMOVAL, what, fields),
        _firing_if(b, b.let(~left & reached), Event.PLACEMENT, what, fields),
    ):
        move_on_board(b, what, to)


LOWERINGS: dict[Operation, Lowering] = {
    Operation.HELD: _lower_held,
    Operation.PLACEABLES: _lower_placeables,
    Operation.TILE_OF: _lower_place,
    Operation.STACK_OF: _lower_place,
    Operation.CARDS: _lower_cards,
    Operation.STACK_LENGTH: _lower_length,
    Operation.TOP: _taking_card(_top),
    Operation.STACK_POP: _taking_card(_pop),
    Operation.STACK_POP_BACK: _taking_card(_pop_back),
    Operation.STACK_POP_SOME: _pop_some,
    Operation.PUSH: _lower_push,
    Operation.PUSH_BACK: _lower_push,
    Operation.DRAW: _giving_card(_draw),
    Operation.STACK_SHUFFLE: _lower_shuffle,
    Operation.DISCARD_TO: _giving_card(_discard),
    Operation.RESHUFFLE: _lower_reshuffle,
}

SOURCES: dict[Event, Callable[..., object]] = {
    Event.PLACEMENT: carry,
    Event.MOVEMENT: carry,
    Event.REMOVAL: carry,
    Event.PUT: _push_one,
    Event.KEPT: _push_one,
    Event.DRAW: _lift,
    Event.DRAWN: _draw,
    Event.SHUFFLE: shuffle,
    Event.DISCARD: _discard,
    Event.DISCARDED: _discard,
    Event.RESHUFFLE: _reshuffle,
}
"""The functions that raise events."""
