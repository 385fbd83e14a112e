"""Lowering of questions: the chooser, the given choice, or a stop with the candidates.

A choice is one word: the bits of a decimal, the number of another value, or the index of a list among the
candidates. If there is no further choice, the run stops with NEED, and the context has the chooser and the
candidates.
"""

from collections.abc import Callable

from ludograph.tgdl.native.ir.builder import const, widen
from ludograph.tgdl.native.ir.nodes import F64, I32, I64, PTR, Expression, Op
from ludograph.tgdl.native.layout.choice_words import SHAPES_IN_A_WORD
from ludograph.tgdl.native.layout.plan import MAX_KEYS
from ludograph.tgdl.native.layout.status import NEED
from ludograph.tgdl.native.lower.actions.checkpoints import key_of, recall
from ludograph.tgdl.native.lower.emitter import Emitter
from ludograph.tgdl.native.lower.routine import CTX
from ludograph.tgdl.native.lower.things.viewers import seers_of_input
from ludograph.tgdl.native.lower.unit import Value
from ludograph.tgdl.native.lower.values.lists import element
from ludograph.tgdl.program import Input, LoopVariable
from ludograph.tgdl.program.types import Type
from ludograph.tgdl.world.values import is_key


def to_word(value: Value) -> Expression:
    """The choice word of a value."""
    part = value.only
    return Op("bitcast", (part,), I64) if part.kind is F64 else widen(part, I64)


def from_word(b: Emitter, word: Expression, type: Type) -> Value:
    rep = b.plan.rep(type)
    kind = rep.kinds[0]
    part = Op("bitcast", (word,), F64) if kind is F64 else widen(word, kind)
    return b.keep(Value(type, (part,)))


def fits_in_word(b: Emitter, type: Type) -> bool:
    """Whether a value of the type fits in a word."""
    return b.plan.rep(type).shape in SHAPES_IN_A_WORD


def choice_made(b: Emitter, kind: str, name: str) -> Expression:
    """Whether the next choice was made; when effects are executed again, choices are replayed."""
    if b.unit.replays:
        return recall(b, key_of(b, kind, name))
    return b.get("choice_index", I64) < b.get("choice_count", I64)


def next_word(b: Emitter) -> Expression:
    """The next choice, which must have been made."""
    if b.unit.replays:
        return b.get("recalled_choice", I64)
    at = b.get("choice_index", I64)
    word = b.load_word(b.get("choices", PTR), at)
    b.put("choice_index", at + 1)
    return word


Nothing = Callable[[], None]
"""Called if an input has no candidates."""


def chooser_of(b: Emitter, known: Input) -> Expression:
    """The chooser: the player named by the input, or the one who started the transaction."""
    if known.chooser is None:
        return b.player
    chooser = b.expression(known.chooser)
    if not chooser.certain:
        b.fault_if(b.is_none(chooser), "TG0515")
    return chooser.only


def stop_with_question(
    b: Emitter,
    chooser: Expression,
    number: int,
    words: Expression,
    count: Expression,
    index: Expression | None = None,
    known: Input | None = None,
) -> None:
    if b.world.has_secrets:
        b.put("need_seen", seers_of_input(b, None if known is None else known.visible))
    for place, variable in enumerate(keys_of(known)):
        slot, type = variable
        value = b.variable_of(slot, type)
        b.store(CTX, b.plan.context["need_keys"] + 8 * place, to_word(value))
    b.put("need_chooser", chooser)
    b.put("need_input", const(number, I32))
    b.put("need_count", count)
    b.put("need_values", words)
    b.put("need_weights", const(0, PTR))
    b.put("need_index", const(0, I32) if index is None else widen(index, I32))
    b.stop(NEED)


def keys_of(known: Input | None) -> tuple[LoopVariable, ...]:
    """The variables of the loops around an input that its question records."""
    loops = () if known is None else known.loops
    return tuple(variable for variable in loops if is_key(variable[1]))[:MAX_KEYS]


def words_of(b: Emitter, found: Value, *, extra: int = 0) -> Expression:
    """The choice words of the candidates."""
    type = element(found)
    count = found.parts[1]
    words = b.allocate(b.let((count + extra) * 8))
    size = b.plan.rep(type).size
    with b.count(count) as (at, _):
        place = b.let(at * 8)
        if fits_in_word(b, type):
            item = b.read(found.parts[0], at * size, type)
            b.store(words, place, to_word(item))
        else:
            b.store(words, place, at)
    return words
