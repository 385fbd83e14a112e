"""Lowering of chance: an outcome is given, or drawn, or the run stops with the question.

The generator is that of `play`: xoshiro256**, and numbers below a bound by Lemire's method.
"""

from ludograph.tgdl.native.ir.builder import FunctionBuilder, const, select, widen
from ludograph.tgdl.native.ir.nodes import F64, I32, I64, I128, PTR, Expression, Local, Op
from ludograph.tgdl.native.layout.interface import QUESTIONS, TYPES_AT
from ludograph.tgdl.native.layout.status import GROW, NEED
from ludograph.tgdl.native.lower.actions.checkpoints import key_of, record_choice
from ludograph.tgdl.native.lower.actions.questions import choice_made, from_word, next_word, to_word, words_of
from ludograph.tgdl.native.lower.emitter import Emitter, routine
from ludograph.tgdl.native.lower.unit import CompilationUnit, Value, emitted
from ludograph.tgdl.native.lower.values.lists import at_index
from ludograph.tgdl.program.types import Type
from ludograph.tgdl.world.limits import MAX_CHANCE

CHANCE = -1


def take_chance(
    b: Emitter,
    count: Expression,
    weights: Expression | None,
    type: Type,
    name: str = "random",
    values: Value | None = None,
) -> Expression:
    """One of `count` outcomes: a decimal or a key by its number, or one of some values."""
    kind = b.plan.rep(type).kinds[0]
    if b.unit.tracks_purity:
        b.fault_if(b.get("chance_forbidden", I32).ne(0), "TG0513")
    result = b.variable(const(0, kind), "chance")
    with b.when(choice_made(b, "chance", name)):
        b.set(result, from_word(b, next_word(b), type).only)
    with b.otherwise():
        question = const(chance_question(b.unit, name, type), I32)
        given = weights if weights is not None else const(0, PTR)
        is_decimal = const(int(kind is F64), I32)
        words: Expression = const(0, PTR)
        if values is not None:
            asked = b.variable(words, "outcomes")
            with b.when(b.get("draws_chance", I32).eq(0)):
                b.set(asked, words_of(b, values))
            words = asked
        (place,) = b.run(need_chance(b.unit), (count, given, question, is_decimal, words), (I64,))
        if values is not None:
            b.set(result, at_index(b, values, place).only)
        else:
            b.set(result, Op("sitofp", (place,), F64) if kind is F64 else widen(place, kind))
        # An outcome is recorded like any other choice, so that a repeated run gets it again.
        at = b.get("choice_index", I64)
        b.stop_if(at.uge(b.get("choice_capacity", I64)), GROW)
        word = to_word(Value(type, (result,), certain=True))
        b.store(b.get("choices", PTR), b.let(at * 8), word)
        after = b.let(at + 1)
        b.put("choice_index", after)
        b.put("choice_count", after)
        if b.unit.replays:
            record_choice(b, key_of(b, "chance", name), word)
    return result


def chance_question(unit: CompilationUnit, name: str, type: Type) -> int:
    """The number of a question of chance: its kind, and the type of its outcomes."""
    return QUESTIONS[name] | unit.chance_types.index(type) << TYPES_AT


@routine("chance", (I64, PTR, I32, I32, PTR), gives=(I64,), apart=True)
def need_chance(
    b: Emitter, count: Local, weights: Local, question: Local, is_decimal: Local, words: Local
) -> None:
    """The function that draws an outcome, or stops with the question."""
    with b.when(b.get("draws_chance", I32).eq(0)):
        _stop_with_outcomes(b, count, weights, question, is_decimal, words)
    row = b.let(b.get("chance_streak", I32) + 1)
    b.put("chance_streak", row)
    b.fault_if(row > MAX_CHANCE, "TG0506")
    with b.when(weights.eq(0)):
        (found,) = b.call(need_below(b.unit), (b.parameters[0], count), (I64,))
        b.done(found)
    total = b.variable(const(0), "total")
    with b.count(count) as (at, _):
        b.set(total, total + b.load_word(weights, at))
    (drawn,) = b.call(need_below(b.unit), (b.parameters[0], total), (I64,))
    left = b.variable(drawn, "left")
    chosen = b.variable(const(0), "chosen")
    with b.count(count) as (at, label):
        weight = b.load_word(weights, at)
        with b.when(left < weight):
            b.set(chosen, at)
            b.leave(label)
        b.set(left, left - weight)
    b.done(chosen)


def _stop_with_outcomes(
    b: Emitter,
    count: Expression,
    weights: Expression,
    question: Expression,
    is_decimal: Expression,
    given: Expression,
) -> None:
    """Stop with the question: the outcomes with a positive weight as choices, and their weights."""
    words = b.allocate(b.let(count * 8))
    shares = b.allocate(b.let(count * 8))
    found = b.variable(const(0), "found")
    with b.count(count) as (at, _):
        share = b.variable(const(1), "share")
        with b.when(weights.ne(0)):
            b.set(share, b.load_word(weights, at))
        with b.when(share.ne(0)):
            bits = Op("bitcast", (Op("sitofp", (at,), F64),), I64)
            place = b.let(found * 8)
            word = b.variable(select(is_decimal.ne(0), bits, at), "word")
            with b.when(given.ne(0)):
                b.set(word, b.load_word(given, at))
            b.store(words, place, word)
            b.store(shares, place, share)
            b.set(found, found + 1)
    b.put("need_chooser", const(CHANCE, I32))
    b.put("need_input", question)
    b.put("need_index", const(0, I32))
    b.put("need_count", found)
    b.put("need_values", words)
    b.put("need_weights", shares)
    b.stop(NEED)


@emitted("below")
def need_below(unit: CompilationUnit) -> None:
    """The function that draws a number below a bound, from xoshiro256** by Lemire's method."""
    ctx, bound = Local("ctx", PTR), Local("bound", I64)
    c = FunctionBuilder(unit.module, "below", (ctx, bound), (I64,))
    place = unit.plan.context["rng"]

    def rotate(value: Expression, bits: int) -> Expression:
        return (value << bits) | (value >> (64 - bits))

    with c.loop() as label:
        words = [c.load(ctx, place + 8 * number, I64) for number in range(4)]
        a, s, t, d = (c.variable(word, "w") for word in words)
        result = c.let(rotate(c.let(s * 5), 7) * 9)
        shifted = c.let(s << 17)
        c.set(t, t ^ a)
        c.set(d, d ^ s)
        c.set(s, s ^ t)
        c.set(a, a ^ d)
        c.set(t, t ^ shifted)
        c.set(d, rotate(c.let(d), 45))
        for number, word in enumerate((a, s, t, d)):
            c.store(ctx, place + 8 * number, word)
        product = c.let(Op("zext", (result,), I128) * Op("zext", (bound,), I128))
        low = c.let(Op("trunc", (product,), I64))
        found = c.let(Op("trunc", (product >> 64,), I64))
        with c.when(low.uge(bound)):
            c.give(found)
        least = c.let(Op("urem", (const(0) - bound, bound), I64))
        with c.when(low.uge(least)):
            c.give(found)
        del label
    c.finish()
