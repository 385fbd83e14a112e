"""The answers of a game that is stepped: listing them, and numbering their actions.

Usually the first choices of all legal moves are listed, and the answers after one of them when it is made. If
the choices may fail or ask for more, complete moves are listed, and their first two choices are stored.
"""

import struct

from ludograph.tgdl.native.ir.builder import const, select, widen
from ludograph.tgdl.native.ir.nodes import I1, I8, I32, I64, PTR, Expression, Local
from ludograph.tgdl.native.layout.choice_words import parts_offered
from ludograph.tgdl.native.layout.environments import (
    MAX_LISTED,
    NO_KEY,
    NOT_LISTED,
    UNKNOWN,
    Lacking,
    NextStep,
)
from ludograph.tgdl.native.layout.status import GROW
from ludograph.tgdl.native.lower.actions.offers import leading_inputs, offer_to
from ludograph.tgdl.native.lower.driver.explore import (
    has_sure_openers,
)
from ludograph.tgdl.native.lower.emitter import Emitter, routine
from ludograph.tgdl.native.lower.environments.answers import (
    answer_key_function,
    check_names_function,
    find_action_function,
    opener_key_function,
)
from ludograph.tgdl.native.lower.environments.records import BatchHeader, GameRecord
from ludograph.tgdl.native.lower.unit import CompilationUnit
from ludograph.tgdl.program import Action
from ludograph.tgdl.program.events import Event
from ludograph.tgdl.world.world import ActionOffer


def clear_mask(games: BatchHeader, record: GameRecord) -> None:
    """Clear the mask of a game, and forget its answers."""
    b = games.b
    mask = games.get("mask_row")
    with b.count(record.get("answer_count")) as (each, _):
        known = b.load(record.answer(each), 8, I64)
        with b.when(known >= 0):
            b.store(mask, known, const(0, I8))
    record.put("answer_count", const(0))


def set_reader(games: BatchHeader, chooser: Expression) -> None:
    b = games.b
    b.put("name_reader", chooser)
    b.put("name_form", widen(games.get("has_unique_names"), I32))


def first_inputs(b: Emitter) -> Expression:
    """For each action the number of its first input if it is chosen before any effect; -1: it is not."""
    row = []
    for action in b.world.program.actions:
        leads = leading_inputs(action) > 0
        row.append(b.unit.number_of_input(action.inputs[0]) if leads else -1)
    return b.unit.data(struct.pack(f"<{len(row)}i", *row), hint="inputs")


def first_input(b: Emitter, opener: Expression) -> Expression:
    """The number of the first input of an action; -1: it is not chosen before any effect."""
    return b.load(first_inputs(b), b.let((opener & 0xFFFF) * 4), I32, constant=True)


def lists_later(unit: CompilationUnit) -> bool:
    """Whether only first choices are listed, and the answers after one when it is made."""
    actions = unit.world.program.actions
    return has_sure_openers(unit) and any(leading_inputs(actions[each.action]) for each in unit.world.offers)


def store_moves(
    b: Emitter, games: BatchHeader, record: GameRecord, rows: Expression, found: Expression
) -> None:
    """Store the first two choices of each move, if the second one is made before any effect.

    Then the player sees the same after the first choice, and its answers are known.
    """
    actions = b.world.program.actions
    if not any(leading_inputs(action) for action in actions):
        return
    stored = b.variable(const(0), "stored")
    with b.when(found <= games.get("move_capacity")):
        with b.count(found) as (each, _):
            row = b.let(b.load_word(rows, each, PTR))
            first = b.load(row, 8, I64)
            number = first_input(b, first)
            is_long = (b.load(row, 0, I64) & 0xFFFFFFFF) > 1
            with b.when(is_long & (number >= 0)):
                move = record.move(stored)
                b.store(move, 0, first)
                b.store(move, 8, b.load(row, 16, I64))
                b.set(stored, stored + 1)
    record.put("move_count", stored)


@routine("games.continue", (PTR, PTR))
def continue_function(b: Emitter, at: Local, place: Local) -> None:
    """The function that lists the answers after the first choice of a move."""
    games = BatchHeader(b, at)
    record = GameRecord(games, place)
    reserve(games, record.get("move_count"))
    chooser = b.let(widen(record.get("chooser"), I32))
    base = record.block(record.get("current"))
    b.put("base", base)
    set_reader(games, chooser)
    b.run(check_names_function(b.unit), names(games), block=base)
    first = b.load(record.pending, 0, I64)
    b.put("need_input", first_input(b, first))
    count = b.variable(const(0), "count")
    if lists_later(b.unit):
        with b.when(record.get("move_count").eq(NOT_LISTED)):
            b.refuel()
            b.put("arena", b.get("arena_start", PTR))
            words, found = b.run(answers_function(b.unit), (first, chooser), (PTR, I64), block=base)
            reserve(games, found)
            clear_mask(games, record)
            with b.count(found) as (each, _):
                word = b.load_word(words, each)
                key = b.run(answer_key_function(b.unit), (word,), (I64, I64), block=base)
                put_answer(b, record.answer(each), word, *key)
            show_answers(b, at, place, found, found >= MAX_LISTED)
            b.done()
    clear_mask(games, record)
    last = b.variable(const(0), "last")
    with b.count(record.get("move_count")) as (each, _):
        move = record.move(each)
        with b.when(b.load(move, 0, I64).eq(first)):
            word = b.load(move, 8, I64)
            is_new = b.variable(count.eq(0) | word.ne(last), "is_new")
            with b.when(is_new):
                b.set(last, word)
                with b.when(b.exists(count, lambda other: b.load(record.answer(other), 0, I64).eq(word))):
                    b.set(is_new, const(0, I1))
            with b.when(is_new):
                key = b.run(answer_key_function(b.unit), (word,), (I64, I64), block=base)
                put_answer(b, record.answer(count), word, *key)
                b.set(count, count + 1)
    show_answers(b, at, place, count, const(0, I1))
    b.done()


def show_answers(
    b: Emitter, at: Expression, place: Expression, count: Expression, are_too_many: Expression
) -> None:
    """Number the answers after a first choice; Python does it if they are too many."""
    record = GameRecord(BatchHeader(b, at), place)
    record.put("answer_count", count)
    record.put("move_count", const(0))
    record.put("is_unnumbered", select(are_too_many, const(1), const(0)))
    b.run(number_function(b.unit), (at, place))
    record.put("stage", const(NextStep.STEP))


@routine("games.answers", (I64, I32), gives=(PTR, I64))
def answers_function(b: Emitter, opener: Local, player: Local) -> None:
    """The function that lists the choices of the first input of an action that a player starts."""
    words = b.allocate(MAX_LISTED * 8)
    count = b.variable(const(0), "answers")

    def emit(b: Emitter, _: Action, chosen: list[Expression]) -> None:
        if len(chosen) > 1:
            word = chosen[1]
            is_known = b.exists(count, lambda each: b.load_word(words, each).eq(word))
            with b.when(~is_known & (count < MAX_LISTED)):
                b.store(words, b.let(count * 8), word)
                b.set(count, count + 1)

    this = b.let(widen((opener >> 32) - 1, I32))
    before: dict[int, list[ActionOffer]] = {}
    for offer in b.world.offers:
        if offer.event == Event.CHOICE.kind:
            part = 0 if offer.part is None else parts_offered(b.world, offer.action).index(offer.part) + 1
            earlier = before.setdefault(offer.action | part << 24, [])
            with b.when((opener & 0xFF00FFFF).eq(offer.action | part << 24)):
                offer_to(b, offer, earlier, player, this, {}, emit)
            earlier.append(offer)
    b.done(words, count)


def names(games: BatchHeader) -> tuple[Expression, ...]:
    return games.get("signature"), games.get("ranges"), games.get("range_count")


def reserve(games: BatchHeader, count: Expression) -> None:
    b = games.b
    with b.when(count > games.get("answer_capacity"), unlikely=True):
        games.put("lacking", const(Lacking.ANSWERS))
        b.stop(GROW)


def put_answer(b: Emitter, at: Expression, word: Expression, first: Expression, second: Expression) -> None:
    for offset, value in ((0, word), (8, const(-1)), (16, first), (24, second)):
        b.store(at, offset, value)


def keep_listed(
    b: Emitter,
    record: GameRecord,
    count: Expression,
    rows: Expression,
    found: Expression,
    pending: Expression,
) -> None:
    """Keep the answers that lead to a complete move.

    Moves are listed in the order of the answers, so that the search goes on at the last found move.
    """
    kept = b.variable(const(0), "kept")
    cursor = b.variable(const(0), "cursor")
    place = b.let(pending * 8 + 8)

    def word_of(move: Expression) -> Expression:
        return b.load(b.load_word(rows, move, PTR), place, I64)

    with b.count(count) as (each, _):
        answer = record.answer(each)
        word = b.load(answer, 0, I64)
        is_found = b.variable(const(0, I1), "is_found")
        with b.count(found) as (_, label):
            with b.when(cursor >= found):
                b.set(cursor, const(0))
            with b.when(word_of(cursor).eq(word)):
                b.set(is_found, const(1, I1))
                b.leave(label)
            b.set(cursor, cursor + 1)
        with b.when(is_found):
            b.copy(record.answer(kept), answer, 32)
            b.set(kept, kept + 1)
    record.put("answer_count", kept)


def add_openers(
    b: Emitter,
    games: BatchHeader,
    record: GameRecord,
    base: Expression,
    rows: Expression,
    found: Expression,
) -> None:
    """Add the different first choices of the listed moves.

    The moves with the same first choice follow each other, unless two triggers offer the same action.
    """
    offers = [(each.action, each.part) for each in b.world.offers if each.event == Event.CHOICE.kind]
    may_repeat = len(set(offers)) < len(offers)
    count = b.variable(const(0), "openers")
    last = b.variable(const(0), "last")
    with b.count(found) as (move, _):
        word = b.load(b.load_word(rows, move, PTR), 8, I64)
        is_new = b.variable(word.ne(last) | move.eq(0), "is_new")
        with b.when(is_new):
            b.set(last, word)
            if may_repeat:
                with b.when(b.exists(count, lambda each: b.load(record.answer(each), 0, I64).eq(word))):
                    b.set(is_new, const(0, I1))
        with b.when(is_new):
            reserve(games, b.let(count + 1))
            key = b.run(opener_key_function(b.unit), (word,), (I64, I64), block=base)
            put_answer(b, record.answer(count), word, *key)
            b.set(count, count + 1)
    record.put("answer_count", count)


@routine("games.number", (PTR, PTR))
def number_function(b: Emitter, at: Local, place: Local) -> None:
    """The function that finds the actions of the answers of a game, and marks them in its mask.

    A second answer with the same action, and an answer that the actions lack, gets a spare action.
    """
    games = BatchHeader(b, at)
    record = GameRecord(games, place)
    mask = games.get("mask_row")
    count = b.let(record.get("answer_count"))
    table, size = games.get("table"), games.get("table_mask")
    spare = b.variable(games.get("spare"), "spare")
    limit = games.get("action_count")
    lacks = b.variable(record.get("is_unnumbered").ne(0), "lacks")
    marked = b.variable(const(0), "marked")
    with b.when(~lacks):
        with b.count(count) as (each, label):
            answer = record.answer(each)
            first, second = b.load(answer, 16, I64), b.load(answer, 24, I64)
            b.set(lacks, first.eq(NO_KEY))
            b.leave_if(lacks, label)
            (known,) = b.run(find_action_function(b.unit), (table, size, first, second), (I64,))
            b.set(lacks, known.eq(UNKNOWN))
            b.leave_if(lacks, label)
            action = b.variable(known, "action")
            is_taken = b.variable(action < 0, "is_taken")
            with b.when(~is_taken):
                b.set(is_taken, b.load(mask, action, I8).ne(0))
            with b.when(is_taken, unlikely=True):
                b.set(action, spare)
                b.set(spare, spare + 1)
                b.set(lacks, spare > limit)  # Python reports it
                b.leave_if(lacks, label)
            b.store(answer, 8, action)
            b.store(mask, action, const(1, I8))
            b.set(marked, each + 1)
    with b.when(lacks, unlikely=True):
        record.put("is_unnumbered", const(1))
        games.put("unnumbered", games.get("unnumbered") + 1)
        with b.count(count) as (each, _):
            answer = record.answer(each)
            with b.when(each < marked):
                b.store(mask, b.load(answer, 8, I64), const(0, I8))
            b.store(answer, 8, const(-1))
    b.done()
