"""Texts of choices and moves, as `reference/naming.py` and `play/choices.py` define them.

A choice is named in the state of its question. For an action and the inputs before its effects that state is
the base, so one call writes a list of such moves. For other choices Python runs up to each question and calls
native code for the candidates there.
"""

from ludograph.tgdl.native.ir.builder import address, const, widen
from ludograph.tgdl.native.ir.nodes import I1, I32, I64, PTR, Expression, Local, Statement
from ludograph.tgdl.native.layout.choice_words import NONE_CHOICE, STOP_CHOICE, parts_offered
from ludograph.tgdl.native.layout.interface import QUESTIONS, TYPES_AT
from ludograph.tgdl.native.layout.plan import Family
from ludograph.tgdl.native.lower.actions.questions import fits_in_word, from_word, keys_of
from ludograph.tgdl.native.lower.emitter import Emitter, routine
from ludograph.tgdl.native.lower.present.interface import (
    UNWRITTEN,
    Insert,
    NameForm,
    has_unique_names,
    may_be_named,
)
from ludograph.tgdl.native.lower.present.names import (
    given_name_function,
    has_given_names,
    is_new,
    is_on_tile_of,
    members_at_start,
    put_name,
    put_permanent_name,
)
from ludograph.tgdl.native.lower.present.text import insert, make_strings, put, put_entry
from ludograph.tgdl.native.lower.present.values import put_text
from ludograph.tgdl.native.lower.routine import CTX
from ludograph.tgdl.native.lower.things.visibility import SPECTATOR
from ludograph.tgdl.native.lower.unit import CompilationUnit, Value
from ludograph.tgdl.program import Action, ConstructKind, Input, InputMode
from ludograph.tgdl.program.types import Type
from ludograph.tgdl.reference.naming import action_text
from ludograph.tgdl.reference.run import Run
from ludograph.tgdl.world.memory import Instance

RECEIVERS = frozenset({ConstructKind.TILE, ConstructKind.INTERACTABLE})


def make_moves(unit: CompilationUnit) -> None:
    """Emit the exported functions that write moves, actions and answers."""
    _make_move_texts(unit)
    _make_opener_texts(unit)
    _make_answer_texts(unit)
    _make_given_names(unit)


def _begin(b: Emitter) -> None:
    b.put("text", b.get("text_start", PTR))
    b.put("insertion", b.get("insertion_start", PTR))


@routine("move_texts", (PTR, PTR, I64, I64), exported=True)
def _make_move_texts(b: Emitter, data: Local, index: Local, start: Local, count: Local) -> None:
    """Write moves that begin in the block, one per line.

    The moves are a copy of the list that `list_from` made: the index has the original address of each move,
    and `start` is the original address of the data.
    """
    _begin(b)
    with b.count(count) as (at, _):
        was = b.load_word(index, at)
        row = b.let(address(data, was - start))
        length = b.let(b.load(row, 0, I64) & 0xFFFFFFFF)
        b.run(_move_text_function(b.unit), (b.let(address(row, 8)), length))
        put(b, "\n")
    b.done()


@routine("move_text", (PTR, I64))
def _move_text_function(b: Emitter, words: Local, length: Local) -> None:
    opener = b.load(words, 0, I64)
    cases: list[tuple[int, list[Statement]]] = []
    for action_index in dict.fromkeys(offer.action for offer in b.world.offers):
        inputs = plain_inputs(b, b.world.program.actions[action_index])
        if inputs is None:
            continue
        with b.apart() as row:
            is_plain = length.eq(len(inputs) + 1)
            if any(may_be_named(b.plan, known.type) for known in inputs):
                is_plain = is_plain & b.get("has_start_names", I32).ne(0)
            with b.when(is_plain):
                b.run(opener_function(b.unit), (opener,))
                for place, known in enumerate(inputs):
                    put(b, f"{', ' if place else '('}{known.name}: ")
                    word = b.load(words, 8 * (place + 1), I64)
                    put_text(b, Value(known.type, from_word(b, word, known.type).parts, certain=True))
                put(b, ")" if inputs else "")
                b.done()
        cases.append((action_index, row))
    b.switch(b.let(opener & 0xFFFF), cases, [])
    put(b, bytes((UNWRITTEN,)))
    b.done()


def plain_inputs(b: Emitter, action: Action) -> tuple[Input, ...] | None:
    """The inputs before the effects, if each of them always has one choice; otherwise None."""
    found = []
    for known in action.inputs:
        if known.mode is not InputMode.ASKED:
            continue
        if known.optional or known.is_picked or not fits_in_word(b, known.type):
            return None
        if may_be_named(b.plan, known.type) and not has_unique_names(b.plan, known.type):
            return None  # Python compares the names of all candidates
        found.append(known)
    return tuple(found)


# Actions


@routine("opener_texts", (PTR, I64), exported=True)
def _make_opener_texts(b: Emitter, words: Local, count: Local) -> None:
    _begin(b)
    with b.count(count) as (at, _):
        b.run(opener_function(b.unit), (b.load_word(words, at),))
        put(b, "\n")
    b.done()


@routine("opener_text", (I64,))
def opener_function(b: Emitter, word: Local) -> None:
    """The function that writes an action with its receiver, from its opener."""
    this = b.let(widen((word >> 32) - 1, I32))
    cases: list[tuple[int, list[Statement]]] = []
    for action_index in dict.fromkeys(offer.action for offer in b.world.offers):
        action = b.world.program.actions[action_index]
        parts = parts_offered(b.world, action_index)
        for number, part in enumerate((None, *parts)):
            with b.apart() as row:
                _put_opener(b, action, part, word, this)
                b.done()
            cases.append((action_index | number << 24, row))
    b.switch(b.let(word & 0xFF00FFFF), cases, [])
    insert(b, Insert.OPENER, word)
    b.done()


def _put_opener(b: Emitter, action: Action, part: str | None, word: Expression, this: Expression) -> None:
    text = action.name if part is None else f"{action.name}.{part}"
    if action.owner is None:
        put(b, text)
        return
    family = b.plan.family(action.owner)
    if family.kind not in RECEIVERS:
        _put_state_opener(b, family, action, part, word, this)
        return
    if family.kind is ConstructKind.INTERACTABLE:
        if has_given_names(family):  # Python compares the names of all things with such an action
            with b.when(b.get("name_form", I32).ne(NameForm.PLAIN)):
                insert(b, Insert.NAMED_OPENER, word)
                b.done()
        _put_piece(b, family, action, this)
    else:
        put_name(b, family, this)
    put(b, f".{text}")


def _put_piece(b: Emitter, family: Family, action: Action, this: Expression) -> None:
    """Write a piece by its tile, or by its own name if the tile has an action of the same name."""
    actions = b.world.program.actions
    rivals = tuple(
        kind.index
        for kind in b.world.kinds
        if kind.construct.kind is ConstructKind.TILE
        and any(actions[index].name == action.name for index in kind.construct.actions)
    )
    if not rivals:
        put_name(b, family, this)
        return
    with b.when(is_on_tile_of(b, family, this, rivals)):
        b.run(_permanent_name_function(b.unit, family), (this,))
    with b.otherwise():
        put_name(b, family, this)


def _permanent_name_function(unit: CompilationUnit, family: Family) -> str:
    @routine(f"lasting_name.{family.index}", (I32,))
    def make(b: Emitter, number: Local) -> None:
        put_permanent_name(b, family, number, str, "")
        b.done()

    return make(unit)


def _put_state_opener(
    b: Emitter, family: Family, action: Action, part: str | None, word: Expression, this: Expression
) -> None:
    """Write the action of a state with its name at the start, while the owners are those of the start."""
    members = members_at_start(b.unit, family)
    has_start_names = b.get("has_start_names", I32).ne(0)
    if members:
        assert b.world.start is not None
        run = Run(b.world, b.world.start)
        texts = [_state_text(run, action, each, part).encode() for each in members]
        with b.when(has_start_names & ~is_new(b, family, this)):
            put_entry(b, make_strings(b.unit, texts, "openers"), this)
            b.done()
    insert(b, Insert.OPENER, word)


def _state_text(run: Run, action: Action, this: Instance, part: str | None) -> str:
    return action_text(run, (action.index, this, part))


@routine("given_names", (PTR, I64), exported=True)
def _make_given_names(b: Emitter, words: Local, count: Local) -> None:
    """Write the names of instances by their attributes as a spectator and each player read them.

    Each line has a name, or nothing if the reader may not see it. A word has the family and the number of an
    instance.
    """
    _begin(b)
    families = [family for family in b.plan.families if has_given_names(family)]
    with b.count(count) as (at, _):
        word = b.load_word(words, at)
        with b.count(const(b.world.players, I32), first=const(SPECTATOR, I32)) as (reader, _):
            b.put("name_reader", reader)
            for family in families:
                with b.when((word >> 32).eq(family.index)):
                    b.run(given_name_function(b.unit, family), (b.let(widen(word, I32)),), (I1,))
            put(b, "\n")
    b.done()


# Answers


@routine("answer_texts", (PTR, I64), exported=True)
def _make_answer_texts(b: Emitter, words: Local, count: Local) -> None:
    """Write choices as answers to the question of the context, one per line.

    The first line is the key of the loops around the question.
    """
    _begin(b)
    question = b.get("need_input", I32)
    secret_keys = b.world.secret_keys()
    cases: list[tuple[int, list[Statement]]] = []
    for number, known in enumerate(b.unit.inputs):
        type = known.element if known.is_picked else known.type
        if known.mode is not InputMode.ASKED or not fits_in_word(b, type) or id(known) in secret_keys:
            continue
        with b.apart() as row:
            _put_keys(b, known)
            _put_answers(b, words, count, type)
            b.done()
        cases.append((number, row))
    for name in ("random", "card", "shuffle"):
        for number, type in enumerate(b.unit.chance_types):
            with b.apart() as row:
                put(b, "\n")
                _put_answers(b, words, count, type)
                b.done()
            cases.append((QUESTIONS[name] | number << TYPES_AT, row))
    with b.apart() as row:
        put(b, "\n")
        _put_effects(b, words, count)
        b.done()
    cases.append((QUESTIONS["effect"], row))
    b.switch(widen(question, I64), cases, [])
    put(b, bytes((UNWRITTEN,)))
    b.done()


def _put_keys(b: Emitter, known: Input) -> None:
    for place, (_, type) in enumerate(keys_of(known)):
        put(b, ", " if place else "")
        word = b.load(CTX, b.plan.context["need_keys"] + 8 * place, I64)
        put_text(b, from_word(b, word, type))
    put(b, "\n")


def _put_answers(b: Emitter, words: Expression, count: Expression, type: Type) -> None:
    @routine(b.unit.name_of("answers", ("answers", type)), (PTR, I64))
    def make(inner: Emitter, b_words: Local, b_count: Local) -> None:
        with inner.count(b_count) as (at, _):
            word = inner.load_word(b_words, at)
            with inner.when(word.eq(NONE_CHOICE)):
                put(inner, "none")
            with inner.otherwise():
                with inner.when(word.ne(STOP_CHOICE)):
                    value = from_word(inner, word, type)
                    put_text(inner, Value(type, value.parts, certain=True))
            put(inner, "\n")
        inner.done()

    b.run(make(b.unit), (words, count))


def _put_effects(b: Emitter, words: Expression, count: Expression) -> None:
    texts = [text.encode() for text in b.unit.strings]
    with b.count(count) as (at, _):
        put_entry(b, make_strings(b.unit, texts, "effects"), b.load(words, at * 8, I64))
        put(b, "\n")
