"""Sealed choices of simultaneous phases: they are stored in the block until everybody has chosen.

For each player there are words: the player and the number of words, the opener, then the value of every
input. A list is its length (-1: none) and its elements; a table is its entries.
"""

from ludograph.tgdl.native.ir.builder import address, const, widen
from ludograph.tgdl.native.ir.nodes import F64, I1, I32, I64, I128, PTR, Expression, Local, Op
from ludograph.tgdl.native.layout.choice_words import parts_offered
from ludograph.tgdl.native.lower.actions.events import combines
from ludograph.tgdl.native.lower.actions.offers import opener_word
from ludograph.tgdl.native.lower.board.tile_tables import clear_entries
from ludograph.tgdl.native.lower.emitter import Emitter, routine
from ludograph.tgdl.native.lower.routine import BLOCK
from ludograph.tgdl.native.lower.things.player_sets import joined, nobody, only
from ludograph.tgdl.native.lower.unit import ActionEntry, Value
from ludograph.tgdl.native.lower.values.objects import keep_object
from ludograph.tgdl.native.lower.values.statements import DEFAULT
from ludograph.tgdl.program import Action
from ludograph.tgdl.program.types import Basic, ListType, TableType, Type


def clear_sealed(b: Emitter) -> None:
    """Remove all sealed choices."""
    b.set_head("sealed_mask", nobody(b))
    b.store(BLOCK, b.plan.header["sealed"] + 4, const(0, I32))


def _sealed_words(b: Emitter) -> tuple[Expression, Expression]:
    """The address and the number of the words."""
    place = b.plan.header["sealed"]
    start = address(BLOCK, widen(b.load(BLOCK, place, I32), I64, signed=False))
    return b.let(start), b.let(widen(b.load(BLOCK, place + 4, I32), I64))


# Sealing


def seal(b: Emitter, action: Action, part: str | None, this: Expression, player: Expression) -> None:
    """Seal a chosen action with the values of its inputs."""
    values = [b.variable_of(known.slot, known.type) for known in action.inputs]
    size = b.variable(const(2), "size")
    for value in values:
        _measure(b, value, size)
    start, old = _sealed_words(b)
    total = b.let(old + size)
    buffer = b.allocate(b.let(total * 8))
    b.copy(buffer, start, b.let(old * 8))
    at = b.variable(old, "at")
    _put(b, buffer, at, (widen(player, I64) << 32) | (size - 1))
    number = 0 if part is None else parts_offered(b.world, action.index).index(part) + 1
    _put(b, buffer, at, opener_word(action.index, number, player, this))
    for value in values:
        _write(b, buffer, at, value)
    words = Value(ListType(Basic.DECIMAL), (buffer, total), certain=True)
    b.assign_list(address(BLOCK, b.plan.header["sealed"]), words)
    b.set_head("sealed_mask", joined(b.head("sealed_mask", b.plan.seats), only(b, player)))


def _measure(b: Emitter, value: Value, size: Local) -> None:
    """Add the number of words of a value."""
    match value.type:
        case ListType(inner) | TableType(_, inner):
            b.set(size, size + 1)
            _each(b, value, inner, lambda item: _measure(b, item, size))
        case Basic.OBJECT:
            b.set(size, size + 3)
        case _:
            b.set(size, size + (2 if value.only.kind is I128 else 1))


def _each(b: Emitter, value: Value, type: Type, work: object) -> None:
    assert callable(work)
    items = b.as_list(value)
    step = b.plan.rep(type).size
    with b.when(items.parts[0].ne(0)), b.count(items.parts[1]) as (at, _):
        work(b.read(items.parts[0], b.let(at * step), type))


def _put(b: Emitter, buffer: Expression, at: Local, word: Expression) -> None:
    b.store(buffer, b.let(at * 8), word)
    b.set(at, at + 1)


def _write(b: Emitter, buffer: Expression, at: Local, value: Value) -> None:
    match value.type:
        case ListType(inner) | TableType(_, inner):
            # A table has its length too: at the revelation there may be more tiles.
            start, length = b.as_list(value).parts
            _put(b, buffer, at, Op("select", (start.eq(0), const(-1), length), I64))
            _each(b, value, inner, lambda item: _write(b, buffer, at, item))
        case Basic.OBJECT:
            for part in keep_object(b, value).parts:
                _put(b, buffer, at, part)
        case _ if value.only.kind is I128:
            _put(b, buffer, at, Op("trunc", (value.only,), I64))
            _put(b, buffer, at, Op("trunc", (value.only >> 64,), I64))
        case _ if value.only.kind is F64:
            _put(b, buffer, at, Op("bitcast", (value.only,), I64))
        case _:
            _put(b, buffer, at, widen(value.only, I64))


# Revealing


@routine("reveal", apart=True)
def reveal_function(b: Emitter) -> None:
    """The function that executes all sealed choices, in the order of the players."""
    kept, total = _sealed_words(b)
    words = b.allocate(b.let(total * 8))
    b.copy(words, kept, b.let(total * 8))
    clear_sealed(b)
    with b.count(const(b.world.players)) as (player, _):
        at = b.variable(const(0), "at")
        with b.loop("sealed") as label:
            b.leave_if(at >= total, label)
            head = b.load_word(words, at)
            entry = b.let(address(words, (at + 1) * 8))
            with b.when((head >> 32).eq(player)):
                b.run(_sealed_choice_function(b.unit), (entry, widen(player, I32)))
            length = head & 0xFFFFFFFF
            b.set(at, at + length + 1)
    waits = b.get("pending", I32).eq(0) & (b.get("use_turn", I32) < 0)
    with b.when(waits):
        b.put("pending", const(DEFAULT, I32))  # everybody has chosen
    b.done()


@routine("sealed_choice", (PTR, I32))
def _sealed_choice_function(b: Emitter, words: Local, player: Local) -> None:
    """The function that executes the sealed choice of one player, without asking again."""
    word = b.load(words, 0, I64)
    this = b.let(widen(word >> 32, I32) - 1)
    cases = []
    for index in sorted({offer.action for offer in b.world.offers}):
        action = b.world.program.actions[index]
        parts = dict.fromkeys(offer.part for offer in b.world.offers if offer.action == index)
        for part in parts:
            number = 0 if part is None else parts_offered(b.world, index).index(part) + 1
            with b.apart() as row:
                _carry_out(b, action, part, words, this, player)
            cases.append((index | number << 24, row))
    b.switch(b.let(word & 0xFF00FFFF), cases, [])
    b.done()


def _carry_out(
    b: Emitter, action: Action, part: str | None, words: Expression, this: Expression, player: Expression
) -> None:
    at = b.variable(const(1), "at")
    values = [_read(b, words, at, known.type) for known in action.inputs]
    given = tuple(range(len(action.inputs)))
    arguments = (this, player, const(0, I32), *(piece for value in values for piece in value.parts))
    b.run(
        b.unit.perform(ActionEntry(action.index, part, given=given, has_final_inputs=True)), arguments, (I32,)
    )
    if part is None or (action.index, None) not in b.world.combined_triggers:
        return
    with b.when(combines(b, (action.index, None), this, player, {part: const(1, I1)})):
        start = ActionEntry(action.index, given=given, has_final_inputs=True)
        b.run(b.unit.perform(start), arguments, (I32,))


def _take(b: Emitter, words: Expression, at: Local) -> Expression:
    word = b.load_word(words, at)
    b.set(at, at + 1)
    return word


def _read(b: Emitter, words: Expression, at: Local, type: Type) -> Value:
    rep = b.plan.rep(type)
    match type:
        case ListType(element):
            length = _take(b, words, at)
            count = b.variable(length, "count")
            with b.when(length < 0):
                b.set(count, const(0))
            start = b.allocate(b.let(count * b.plan.rep(element).size))
            _read_all(b, words, at, element, start, count)
            there = Op("select", (length < 0, const(0, PTR), start), PTR)
            return Value(type, (b.let(there), count))
        case TableType(_, inner):
            length = _take(b, words, at)
            start = b.allocate(rep.size)
            if b.plan.is_growing(type):
                clear_entries(b, Value(type, (start,), certain=True))
            with b.when(length > 0):
                _read_all(b, words, at, inner, start, length)
            there = Op("select", (length < 0, const(0, PTR), start), PTR)
            return Value(type, (b.let(there),))
        case Basic.OBJECT:
            return Value(type, tuple(_take(b, words, at) for _ in range(3)))
        case _ if rep.kinds[0] is I128:
            low, high = _take(b, words, at), _take(b, words, at)
            wide = Op("zext", (high,), I128) << 64
            return Value(type, (b.let(wide | Op("zext", (low,), I128)),))
        case _ if rep.kinds[0] is F64:
            return Value(type, (b.let(Op("bitcast", (_take(b, words, at),), F64)),))
        case _:
            return Value(type, (b.let(widen(_take(b, words, at), rep.kinds[0])),))


def _read_all(
    b: Emitter, words: Expression, at: Local, type: Type, start: Expression, count: Expression
) -> None:
    step = b.plan.rep(type).size
    with b.count(count) as (place, _):
        b.write(start, b.let(place * step), _read(b, words, at, type), to_block=False)
