"""Lowering of inputs: a value is supplied, found or chosen, or the run stops with the question."""

from ludograph.tgdl.native.ir.builder import const
from ludograph.tgdl.native.ir.nodes import Expression
from ludograph.tgdl.native.layout.choice_words import NONE_CHOICE
from ludograph.tgdl.native.lower.actions.candidates import candidates, supply
from ludograph.tgdl.native.lower.actions.interchangeable import offered
from ludograph.tgdl.native.lower.actions.list_inputs import choose_list, whole_passes
from ludograph.tgdl.native.lower.actions.multisets import choose_multiset
from ludograph.tgdl.native.lower.actions.questions import (
    Nothing,
    choice_made,
    chooser_of,
    fits_in_word,
    from_word,
    next_word,
    stop_with_question,
    words_of,
)
from ludograph.tgdl.native.lower.emitter import Emitter
from ludograph.tgdl.native.lower.unit import Value
from ludograph.tgdl.native.lower.values.lists import at_index, element
from ludograph.tgdl.program import Input, InputMode
from ludograph.tgdl.program.types import ListType


def resolve(
    b: Emitter, known: Input, number: int, nothing: Nothing, is_optional: Expression | None = None
) -> None:
    """Set the slot of an input to its value: supplied, found, or chosen.

    An optional action is skipped if there are no candidates; then the next choice belongs to another input.
    """
    if known.is_multiset and known.mode is InputMode.ASKED:
        choose_multiset(b, known, number, nothing)
        return
    if isinstance(known.type, ListType) and known.mode is InputMode.ASKED:
        choose_list(b, known, number, nothing)
        return
    match known.mode:
        case InputMode.ASKED:
            _choose(b, known, number, nothing, is_optional)
        case InputMode.AUTO:
            _first(b, known, nothing)
        case InputMode.GIVEN:
            b.set_variable(known.slot, b.none(known.type))  # an optional input without an argument
        case _:
            type = known.type.element if isinstance(known.type, ListType) else known.type
            everything = supply(b, type, known.mode)
            if isinstance(known.type, ListType):
                b.set_variable(known.slot, Value(known.type, everything.parts, certain=True))
            else:
                b.set_variable(known.slot, at_index(b, everything, const(0)))


def _choose(b: Emitter, known: Input, number: int, nothing: Nothing, is_optional: Expression | None) -> None:
    type = known.type
    chooser = chooser_of(b, known)
    is_word = fits_in_word(b, type)
    if known.optional:
        found = offered(b, known, candidates(b, known), chooser)
        with b.when(found.parts[1].eq(0)):
            b.set_variable(known.slot, b.none(type))
        with b.otherwise():
            with b.when(choice_made(b, "input", known.name)):
                _take(b, known, found, next_word(b))
            with b.otherwise():
                _ask(b, known, number, chooser, found, with_none=True)
        return
    if not is_word:
        _choose_from(b, known, number, nothing, chooser)
    elif is_optional is None:
        _choose_word(b, known, number, nothing, chooser)
    else:
        with b.when(is_optional):
            _choose_from(b, known, number, nothing, chooser)
        with b.otherwise():
            _choose_word(b, known, number, nothing, chooser)


def _choose_from(b: Emitter, known: Input, number: int, nothing: Nothing, chooser: Expression) -> None:
    """Choose with the candidates, even if the choice was already made."""
    found = offered(b, known, candidates(b, known), chooser)
    with b.when(found.parts[1].eq(0), unlikely=True):
        nothing()
    with b.when(choice_made(b, "input", known.name)):
        _take(b, known, found, next_word(b))
    with b.otherwise():
        _ask(b, known, number, chooser, found)


def _choose_word(b: Emitter, known: Input, number: int, nothing: Nothing, chooser: Expression) -> None:
    with b.when(choice_made(b, "input", known.name)):
        b.set_variable(known.slot, from_word(b, next_word(b), known.type))
    with b.otherwise():
        found = offered(b, known, candidates(b, known), chooser)
        with b.when(found.parts[1].eq(0), unlikely=True):
            nothing()
        _ask(b, known, number, chooser, found)


def _take(b: Emitter, known: Input, found: Value, word: Expression) -> None:
    """Set the slot of an input to a choice."""
    type = element(found)
    with b.when(word.eq(NONE_CHOICE)):
        b.set_variable(known.slot, b.none(type))
    with b.otherwise():
        if fits_in_word(b, type):
            b.set_variable(known.slot, from_word(b, word, type))
        else:
            b.set_variable(known.slot, at_index(b, found, word))


def _ask(
    b: Emitter, known: Input, number: int, chooser: Expression, found: Value, *, with_none: bool = False
) -> None:
    """Stop with a question."""
    words = words_of(b, found, extra=1)
    count = found.parts[1]
    if with_none:
        b.store(words, b.let(count * 8), const(NONE_CHOICE))
        count = b.let(count + 1)
    stop_with_question(b, chooser, number, words, count, known=known)


def _first(b: Emitter, known: Input, nothing: Nothing) -> None:
    """`auto`: the first candidate, or for a list all candidates."""
    found = candidates(b, known)
    if isinstance(known.type, ListType):
        whole = Value(known.type, found.parts, certain=True)
        passed = b.variable(found.parts[1].ne(0), "passed")
        if known.list_filters:
            with b.when(passed):
                b.set(passed, whole_passes(b, known, whole))
        with b.when(~passed, unlikely=True):
            if known.optional:
                b.set_variable(known.slot, b.none(known.type))
            else:
                nothing()
        with b.otherwise():
            b.set_variable(known.slot, whole)
        return
    with b.when(found.parts[1].eq(0)):
        if known.optional:
            b.set_variable(known.slot, b.none(known.type))
        else:
            nothing()
    if known.optional:
        with b.otherwise():
            b.set_variable(known.slot, at_index(b, found, const(0)))
    else:
        b.set_variable(known.slot, at_index(b, found, const(0)))
