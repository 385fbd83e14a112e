"""Stepping many games: playing an action in each, beginning the next game where one has ended, and writing
what the acting player sees and may do.

Each game has a record with two blocks. A step reads the current block and writes the other one, so that a
step that runs out of memory can be repeated.
"""

import struct

from ludograph.tgdl.native.ir.builder import address, const, select, widen
from ludograph.tgdl.native.ir.nodes import F32, F64, I1, I8, I32, I64, PTR, Expression, Local, Op
from ludograph.tgdl.native.layout.choice_words import parts_offered
from ludograph.tgdl.native.layout.environments import (
    ACTION_KEY,
    MAX_CHANCE_RUNS,
    MAX_LISTED,
    NO_KEY,
    UNKNOWN,
    Lacking,
    NextStep,
    Prepared,
    TensorLayout,
)
from ludograph.tgdl.native.layout.interface import DRAWS, LIST, PARTIAL
from ludograph.tgdl.native.layout.representations import WIDE, WORD
from ludograph.tgdl.native.layout.status import FINE, GROW, NEED, STOPPED
from ludograph.tgdl.native.lower.actions.chance import CHANCE
from ludograph.tgdl.native.lower.actions.offers import leading_inputs, opener_word
from ludograph.tgdl.native.lower.actions.transactions import transact_function
from ludograph.tgdl.native.lower.actions.turns import asked_function, is_simultaneous
from ludograph.tgdl.native.lower.board.bitboards import count_bits
from ludograph.tgdl.native.lower.driver.candidate_index import CandidateRow, offered_function, rows_of
from ludograph.tgdl.native.lower.driver.commit import step_function as commit_function
from ludograph.tgdl.native.lower.driver.explore import begin, header, moves_function
from ludograph.tgdl.native.lower.driver.random_games import seed_generator
from ludograph.tgdl.native.lower.emitter import Emitter, routine
from ludograph.tgdl.native.lower.environments.answers import (
    answer_key_function,
    check_names_function,
    find_action_function,
    opener_key_function,
)
from ludograph.tgdl.native.lower.environments.records import BatchHeader, GameRecord
from ludograph.tgdl.native.lower.environments.tensors import ONE, tensor_function
from ludograph.tgdl.native.lower.routine import BLOCK, CTX
from ludograph.tgdl.native.lower.search.payoffs import payoffs_function
from ludograph.tgdl.native.lower.things.player_sets import around, has
from ludograph.tgdl.native.lower.unit import CompilationUnit
from ludograph.tgdl.native.lower.values.references import tagged
from ludograph.tgdl.program import ConstructKind
from ludograph.tgdl.program.events import Event
from ludograph.tgdl.world.memory import CHOOSING, OVER

NOBODY = -2
"""The chooser of a game that is over."""
GENERATOR_SIZE = 32


def make_step(unit: CompilationUnit, layout: TensorLayout) -> str:
    """Emit the exported function that steps all games."""

    @routine("step_games", (PTR,), exported=True)
    def make(b: Emitter, at: Local) -> None:
        games = BatchHeader(b, at)
        with b.loop("games") as label:
            index = b.let(games.get("next"))
            b.leave_if(index >= games.get("count"), label)
            b.stop_if(b.get("stop", I64).ne(0), STOPPED)
            record = GameRecord(games, games.row("records", index, games.get("record_size")))
            games.put("prepared", const(Prepared.NOTHING))
            games.put("mask_row", games.row("masks", index, b.let(games.get("action_count"))))
            steps = games.get("steps").ne(0)
            with b.when(steps & record.get("stage").eq(NextStep.STEP)):
                b.run(play_function(b.unit), (at, record.at, index))
            with b.when(record.get("stage").eq(NextStep.BEGIN)):
                b.run(begin_function(b.unit), (at, record.at))
            with b.when(record.get("stage").eq(NextStep.PRESENT)):
                b.run(present_function(b.unit, layout), (at, record.at, index))
            with b.when(record.get("stage").eq(NextStep.CONTINUE)):
                b.run(continue_function(b.unit), (at, record.at))
            games.put("next", index + 1)
        b.done()

    return make(unit)


# Playing


@routine("games.play", (PTR, PTR, I64))
def play_function(b: Emitter, at: Local, place: Local, index: Local) -> None:
    """The function that plays the action of a game."""
    games = BatchHeader(b, at)
    record = GameRecord(games, place)
    players = b.world.players
    rewards = games.row("rewards", index, 4 * players)
    b.fill(rewards, 0, 4 * players)
    for name in ("terminated", "truncated", "illegal"):
        b.store(games.row(name, index, 1), 0, const(0, I8))
    action = b.load(games.row("actions", index, 8), 0, I64)
    found = b.variable(const(-1), "found")
    with b.count(record.get("answer_count")) as (each, label):
        with b.when(b.load(record.answer(each), 8, I64).eq(action)):
            b.set(found, each)
            b.leave(label)
    chooser = record.get("chooser")
    with b.when(found < 0, unlikely=True):
        b.store(games.row("illegal", index, 1), 0, const(1, I8))
        with b.when(chooser >= 0):
            least = b.let(Op("bitcast", (games.get("least"),), F64))
            b.store(rewards, b.let(chooser * 4), Op("fptrunc", (least,), F32))
        _end_game(games, record, index, "terminated")
        b.done()
    record.put("choice_count", record.get("choice_count") + 1)
    word = b.load(record.answer(found), 0, I64)
    is_spent = b.let(record.get("choice_count") >= games.get("choice_limit"))
    goes_on = b.exists(record.get("move_count"), lambda each: b.load(record.move(each), 0, I64).eq(word))
    with b.when(goes_on & ~is_spent):
        b.store(record.pending, 0, word)
        record.put("pending_count", const(1))
        record.put("is_open", const(1))
        record.put("mask", const(0))
        record.put("stage", const(NextStep.CONTINUE))
        b.done()
    (ran,) = b.call(move_function(b.unit), (CTX, BLOCK, at, place, word), (I32,))
    with b.when(ran.ne(FINE), unlikely=True):
        record.put("choice_count", record.get("choice_count") - 1)  # it is played again
        b.stop(ran)
    with b.when(record.get("chooser").eq(NOBODY), unlikely=True):
        out = b.stack_slot(8 * players)
        b.begin_run()
        b.run(payoffs_function(b.unit), (out,), (I32,), block=record.block(record.get("current")))
        for player in range(players):
            b.store(rewards, 4 * player, Op("fptrunc", (b.load(out, 8 * player, F64),), F32))
        _end_game(games, record, index, "terminated")
        b.done()
    with b.when(is_spent, unlikely=True):
        _end_game(games, record, index, "truncated")
        b.done()
    record.put("stage", const(NextStep.PRESENT))
    b.done()


@routine("games.move", (PTR, PTR, I64))
def move_function(b: Emitter, at: Local, place: Local, word: Local) -> None:
    """The function that makes a choice in a game."""
    games = BatchHeader(b, at)
    record = GameRecord(games, place)
    pending = b.let(record.get("pending_count"))
    count = b.let(pending + 1)
    b.stop_if(count + 1 >= b.get("choice_capacity", I64), GROW)
    with b.when(count > games.get("pending_capacity"), unlikely=True):
        games.put("lacking", const(Lacking.PENDING))
        b.stop(GROW)
    choices = b.get("choices", PTR)
    base = record.block(record.get("current"))

    def prepare() -> None:
        b.copy(choices, record.pending, b.let(pending * 8))
        b.store(choices, b.let(pending * 8), word)
        b.copy(_generator(b), record.generator, GENERATOR_SIZE)

    prepare()
    if not is_simultaneous(b.unit):
        (found,) = b.run(quick_function(b.unit), (at, place, base, count), (I32,))
        b.done_if(found.ne(0))
        prepare()
    request = pending | (count << 14) | (count << 28)
    player = (record.get("chooser") + 2) << 42
    b.run(advance_function(b.unit), (at, place, base, b.let(request | player | (DRAWS | PARTIAL))))
    b.done()


def _end_game(games: BatchHeader, record: GameRecord, index: Expression, name: str) -> None:
    b = games.b
    b.store(games.row(name, index, 1), 0, const(1, I8))
    record.put("seed", record.get("seed") + games.get("stride"))
    record.put("stage", const(NextStep.BEGIN))


def _generator(b: Emitter) -> Expression:
    return b.let(address(CTX, b.plan.context["rng"]))


@routine("games.quick", (PTR, PTR, PTR, I64), gives=(I32,))
def quick_function(b: Emitter, at: Local, place: Local, base: Local, count: Local) -> None:
    """The function that makes the choices of the context on a base in most cases; gives whether it did.

    The run writes the other block of the record. If one player chooses next, listing the moves shows that the
    player is not stuck, and the list is needed anyway. In all other cases nothing has changed.
    """
    games = BatchHeader(b, at)
    record = GameRecord(games, place)
    current = b.let(record.get("current"))
    other = record.block(b.let(const(1) - current))
    size = header(b, base, "heap_top")
    b.done_if(size > games.get("block_capacity"), const(0, I32))
    b.copy(other, base, size)
    b.put("base", base)
    b.put("saved", b.get("saved_start", PTR))
    b.put("choice_count", count)
    b.put("draws_chance", const(1, I32))
    b.put("chance_streak", const(0, I32))
    b.put("unhandled", const(0, I32))
    b.put("move_limit", const(1 << 62))
    b.begin_run()
    (ran,) = b.call(transact_function(b.unit), (CTX, other), (I32,))
    chooser = b.variable(const(NOBODY), "chooser")
    with b.when(ran.eq(NEED)):
        b.set(chooser, widen(b.get("need_chooser", I32), I64))
        pending = b.let(b.get("choice_count", I64))
        b.done_if(chooser.eq(CHANCE) | (pending > games.get("pending_capacity")), const(0, I32))
        b.copy(record.pending, b.get("choices", PTR), b.let(pending * 8))
        b.copy(record.generator, _generator(b), GENERATOR_SIZE)
        record.put("pending_count", pending)
        record.put("chooser", chooser)
        record.put("is_open", const(1))
        record.put("mask", const(0))
        games.put("prepared", const(Prepared.QUESTION))
        b.done(const(1, I32))
    b.done_if(ran.ne(FINE), const(0, I32))
    stage = header(b, other, "stage")
    mask = b.variable(const(0, b.plan.seats), "mask")
    prepared = b.variable(const(Prepared.NOTHING), "prepared")
    with b.when(stage.ne(OVER)):
        b.done_if(stage.ne(CHOOSING), const(0, I32))
        b.begin_run()
        (asked,) = b.run(asked_function(b.unit), (), (b.plan.seats,), block=other)
        b.done_if(Op("ctpop", (asked,), b.plan.seats).ne(1), const(0, I32))
        b.set(mask, asked)
        player = b.let(widen(Op("cttz", (asked,), b.plan.seats), I32))
        b.set(chooser, widen(player, I64))
        b.put("base", other)
        rows = exact_rows(b.unit)
        if rows:
            found, faults = _bits(b, rows, other, player)
            with b.when(faults.eq(0)):
                total = b.let(count_bits(tuple(found)))
                b.done_if(total.eq(0), const(0, I32))
                b.set(prepared, const(Prepared.ANSWERS))
        with b.when(prepared.eq(Prepared.NOTHING)):
            b.put("move_limit", const(MAX_LISTED))
            b.refuel()
            listing = (CTX, BLOCK, const(0), player, const(LIST, I32))
            (listed,) = b.call(moves_function(b.unit), listing, (I32,))
            b.put("move_limit", const(1 << 62))
            is_clear = listed.eq(FINE) & b.get("move_count", I64).ne(0)
            b.done_if(~is_clear, const(0, I32))
            b.set(prepared, const(Prepared.MOVES))
        if rows:
            with b.when(prepared.eq(Prepared.ANSWERS)):
                _reserve(games, total)
                _clear_mask(games, record)
                _add_bits(b, record, rows, found, player)
                record.put("answer_count", total)
    b.copy(record.generator, _generator(b), GENERATOR_SIZE)
    record.put("pending_count", const(0))
    record.put("chooser", chooser)
    record.put("is_open", const(0))
    record.put("mask", mask)
    record.put("current", const(1) - current)
    games.put("prepared", prepared)
    b.done(const(1, I32))


@routine("games.begin", (PTR, PTR))
def begin_function(b: Emitter, at: Local, place: Local) -> None:
    """The function that begins the next game of a record.

    It runs the setup, unless the setup is the same in every game and the start is the block after it.
    """
    games = BatchHeader(b, at)
    record = GameRecord(games, place)
    seed_generator(b, record.get("seed"))
    start = record.block(record.get("current"))
    b.copy(start, games.get("start"), games.get("start_size"))
    record.put("pending_count", const(0))
    record.put("choice_count", const(0))
    chooser = games.get("first_chooser")
    with b.when(chooser >= 0):
        record.put("chooser", chooser)
        record.put("is_open", const(0))
        record.put("mask", games.get("first_mask"))
        b.copy(record.generator, _generator(b), GENERATOR_SIZE)
        record.put("stage", const(NextStep.PRESENT))
        b.done()
    request = const(((CHANCE + 2) << 42) | DRAWS)
    b.run(advance_function(b.unit), (at, place, start, request))
    record.put("stage", const(NextStep.PRESENT))
    b.done()


@routine("games.advance", (PTR, PTR, PTR, I64))
def advance_function(b: Emitter, at: Local, place: Local, start: Local, first: Local) -> None:
    """The function that makes the choices of the context on a base, and all of chance after them.

    The record is written when all of them are made.
    """
    games = BatchHeader(b, at)
    record = GameRecord(games, place)
    other = record.block(b.let(const(1) - record.get("current")))
    base, request = b.variable(start, "base"), b.variable(first, "request")
    moved = b.variable(const(0), "moved")
    pending = b.variable(const(0), "pending")
    chooser = b.variable(const(0), "chooser")
    is_open = b.variable(const(0), "is_open")
    runs = b.variable(const(0), "runs")
    with b.loop("chance") as label:
        b.put("base", base)
        b.put("saved", b.get("saved_start", PTR))
        (status,) = b.call(commit_function(b.unit), (CTX, BLOCK, request, games.get("no_questions")), (I32,))
        b.stop_if(status.ne(FINE) & status.ne(NEED), status)
        size = b.let(b.get("outcome_size", I64))
        asks = b.let(status.eq(NEED))
        b.set(pending, const(0))
        with b.when(asks & size.eq(0)):
            b.set(pending, b.get("outcome_count", I64))
        with b.otherwise():
            with b.when(size > games.get("block_capacity"), unlikely=True):
                games.put("lacking", const(Lacking.BLOCK))
                b.stop(GROW)
            b.copy(other, BLOCK, size)
            b.set(base, other)
            b.set(moved, const(1))
        with b.when(asks):
            b.set(chooser, b.get("outcome_chooser", I64))
        with b.otherwise():
            b.set(chooser, const(NOBODY))
            mask = b.let(b.get("outcome_mask", b.plan.seats))
            with around(b, header(b, base, "active")) as (player, found):
                with b.when(has(mask, player)):
                    b.set(chooser, widen(player, I64))
                    b.leave(found)
        b.leave_if(chooser.ne(CHANCE), label)
        b.set(runs, runs + 1)
        with b.when(runs > MAX_CHANCE_RUNS, unlikely=True):
            games.put("lacking", const(Lacking.CHANCE))
            b.stop(GROW)
        b.stop_if(pending + 1 >= b.get("choice_capacity", I64), GROW)
        b.copy(b.get("choices", PTR), b.get("committed_choices", PTR), b.let(pending * 8))
        b.set(request, pending | (pending << 14) | (pending << 28) | (((CHANCE + 2) << 42) | DRAWS))
    with b.when(pending > games.get("pending_capacity"), unlikely=True):
        games.put("lacking", const(Lacking.PENDING))
        b.stop(GROW)
    b.set(is_open, select(asks, const(1), const(0)))
    b.copy(record.pending, b.get("committed_choices", PTR), b.let(pending * 8))
    b.copy(record.generator, _generator(b), GENERATOR_SIZE)
    record.put("pending_count", pending)
    record.put("chooser", chooser)
    record.put("is_open", is_open)
    record.put("mask", select(asks, const(0), b.get("outcome_mask", b.plan.seats)))
    record.put("current", record.get("current") ^ moved)
    b.done()


# Offers that bitboards evaluate


def exact_rows(unit: CompilationUnit) -> list[CandidateRow]:
    """The rows of bits that are exactly the legal moves; none if there are other moves."""
    rows = rows_of(unit)
    actions = unit.world.program.actions
    for row in rows:
        action = actions[row.offer.action]
        if not row.is_exact or action.owner is None or unit.effects.of(action).fails or unit.plan.changes:
            return []
        if unit.plan.family(action.owner).kind is not ConstructKind.TILE:
            return []
    return rows


def _bits(
    b: Emitter, rows: list[CandidateRow], block: Expression, player: Expression
) -> tuple[list[Local], Local]:
    """The words of all rows, and a word that is not 0 if a test faults."""
    b.begin_run()
    count = sum(row.words for row in rows)
    found = b.run(offered_function(b.unit, rows), (player,), [I64] * (count + 1), block=block)
    return [b.variable(word, "offered") for word in found[:-1]], found[-1]


def _add_bits(
    b: Emitter, record: GameRecord, rows: list[CandidateRow], words: list[Local], player: Expression
) -> None:
    """Add an answer for each bit."""
    count = b.variable(const(0), "answers")
    at = 0
    for row in rows:
        part = row.offer.part
        number = 0 if part is None else parts_offered(b.world, row.offer.action).index(part) + 1
        owner = b.world.program.actions[row.offer.action].owner
        assert owner is not None
        family = b.plan.family(owner)
        key = const(ACTION_KEY | row.offer.action | number << 24)
        for place in range(row.words):
            word = words[at]
            at += 1
            with b.loop("bits") as label:
                b.leave_if(word.eq(0), label)
                this = b.let(widen(Op("cttz", (word,), I64) + WORD * place, I32))
                opener = opener_word(row.offer.action, number, player, this)
                _put_answer(b, record.answer(count), b.let(opener), key, tagged(b, family, this, WIDE))
                b.set(word, word & (word - 1))
                b.set(count, count + 1)


# Presenting


def present_function(unit: CompilationUnit, layout: TensorLayout) -> str:
    """The function that writes what the acting player of a game sees and may do."""

    @routine("games.present", (PTR, PTR, I64))
    def make(b: Emitter, at: Local, place: Local, index: Local) -> None:
        games = BatchHeader(b, at)
        record = GameRecord(games, place)
        with b.when(games.get("prepared").ne(Prepared.ANSWERS)):
            _clear_mask(games, record)
        record.put("move_count", const(0))
        chooser = b.let(widen(record.get("chooser"), I32))
        b.store(games.row("players", index, 4), 0, select(chooser < 0, const(-1, I32), chooser))
        size = b.let(games.get("tensor_size") * 4)
        tensor = games.row("tensors", index, size)
        b.fill(tensor, 0, size)
        with b.when(chooser >= 0):
            b.run(show_function(unit, layout), (at, place, tensor, chooser))
            b.run(number_function(unit), (at, place))
        record.put("stage", const(NextStep.STEP))
        b.done()

    return make(unit)


def _clear_mask(games: BatchHeader, record: GameRecord) -> None:
    """Clear the mask of a game, and forget its answers."""
    b = games.b
    mask = games.get("mask_row")
    with b.count(record.get("answer_count")) as (each, _):
        known = b.load(record.answer(each), 8, I64)
        with b.when(known >= 0):
            b.store(mask, known, const(0, I8))
    record.put("answer_count", const(0))


def show_function(unit: CompilationUnit, layout: TensorLayout) -> str:
    """The function that writes the tensor of the acting player, and lists the answers with their keys."""

    @routine("games.show", (PTR, PTR, PTR, I32))
    def make(b: Emitter, at: Local, place: Local, tensor: Local, chooser: Local) -> None:
        games = BatchHeader(b, at)
        record = GameRecord(games, place)
        current = b.let(record.get("current"))
        base = b.let(record.block(current))
        pending = b.let(record.get("pending_count"))
        prepared = b.let(games.get("prepared"))
        b.stop_if(pending + 2 >= b.get("choice_capacity", I64), GROW)
        b.copy(b.get("choices", PTR), record.pending, b.let(pending * 8))
        b.put("base", base)
        b.put("saved", b.get("saved_start", PTR))
        b.put("choice_count", pending)
        b.put("draws_chance", const(0, I32))
        b.put("unhandled", const(0, I32))
        b.put("move_limit", const(1 << 62))
        _set_reader(games, chooser)
        shown = b.variable(base, "shown")
        is_open = b.let(record.get("is_open").ne(0))
        count = b.variable(const(0), "count")
        with b.when(is_open):
            b.set(shown, record.block(b.let(const(1) - current)))
            with b.when(prepared.ne(Prepared.QUESTION)):
                begin(b, fuel=True)
                (ran,) = b.call(transact_function(b.unit), (CTX, BLOCK), (I32,))
                b.stop_if(ran.ne(NEED), ran)
                b.set(shown, BLOCK)
            b.run(check_names_function(unit), _names(games), block=shown)
            values = b.let(b.get("need_values", PTR))
            b.set(count, b.get("need_count", I64))
            _reserve(games, count)
            with b.count(count) as (each, _):
                word = b.load_word(values, each)
                key = b.run(answer_key_function(unit), (word,), (I64, I64), block=shown)
                _put_answer(b, record.answer(each), word, *key)
        with b.otherwise():
            b.run(check_names_function(unit), _names(games), block=shown)
        b.store(tensor, b.let((widen(chooser, I64) + layout.starts["you"]) * 4), ONE)
        _write_choosers(b, record, layout, tensor, is_open, chooser)
        b.run(tensor_function(unit, layout), (tensor, chooser), block=shown)
        record.put("is_unnumbered", const(0))
        b.done_if(prepared.eq(Prepared.ANSWERS))
        with b.when(prepared.ne(Prepared.MOVES)):
            b.put("choice_count", pending)
            b.put("move_limit", const(MAX_LISTED))
            b.refuel()
            b.run(moves_function(unit), (pending, chooser, const(LIST, I32)))
            b.put("move_limit", const(1 << 62))
        found = b.let(b.get("move_count", I64))
        rows = b.let(b.get("index", PTR))
        with b.when(found >= MAX_LISTED):
            record.put("is_unnumbered", const(1))
            b.done()
        with b.when(is_open):
            _keep_listed(b, record, count, rows, found, pending)
            b.done()
        _add_openers(b, games, record, base, rows, found)
        if not is_simultaneous(unit):
            with b.when(Op("ctpop", (record.get("mask"),), I64).eq(1)):
                _store_moves(b, games, record, rows, found)
        b.done()

    return make(unit)


def _set_reader(games: BatchHeader, chooser: Expression) -> None:
    b = games.b
    b.put("name_reader", chooser)
    b.put("name_form", widen(games.get("has_unique_names"), I32))


def _first_inputs(b: Emitter) -> Expression:
    """For each action the number of its first input if it is chosen before any effect; -1: it is not."""
    row = []
    for action in b.world.program.actions:
        leads = leading_inputs(action) > 0
        row.append(b.unit.number_of_input(action.inputs[0]) if leads else -1)
    return b.unit.data(struct.pack(f"<{len(row)}i", *row), hint="inputs")


def _store_moves(
    b: Emitter, games: BatchHeader, record: GameRecord, rows: Expression, found: Expression
) -> None:
    """Store the first two choices of each move, if the second one is made before any effect.

    Then the player sees the same after the first choice, and its answers are known.
    """
    actions = b.world.program.actions
    if not any(leading_inputs(action) for action in actions):
        return
    stored = b.variable(const(0), "stored")
    inputs = _first_inputs(b)
    with b.when(found <= games.get("move_capacity")):
        with b.count(found) as (each, _):
            row = b.let(b.load_word(rows, each, PTR))
            first = b.load(row, 8, I64)
            number = b.load(inputs, b.let((first & 0xFFFF) * 4), I32, constant=True)
            is_long = (b.load(row, 0, I64) & 0xFFFFFFFF) > 1
            with b.when(is_long & (number >= 0)):
                move = record.move(stored)
                b.store(move, 0, first)
                b.store(move, 8, b.load(row, 16, I64))
                b.set(stored, stored + 1)
    record.put("move_count", stored)


@routine("games.continue", (PTR, PTR))
def continue_function(b: Emitter, at: Local, place: Local) -> None:
    """The function that lists the answers after the first choice of a stored move."""
    games = BatchHeader(b, at)
    record = GameRecord(games, place)
    _reserve(games, record.get("move_count"))
    chooser = b.let(widen(record.get("chooser"), I32))
    base = record.block(record.get("current"))
    b.put("base", base)
    _set_reader(games, chooser)
    b.run(check_names_function(b.unit), _names(games), block=base)
    _clear_mask(games, record)
    first = b.load(record.pending, 0, I64)
    number = b.load(_first_inputs(b), b.let((first & 0xFFFF) * 4), I32, constant=True)
    b.put("need_input", number)
    count = b.variable(const(0), "count")
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
                _put_answer(b, record.answer(count), word, *key)
                b.set(count, count + 1)
    record.put("answer_count", count)
    record.put("move_count", const(0))
    record.put("is_unnumbered", const(0))
    b.run(number_function(b.unit), (at, place))
    record.put("stage", const(NextStep.STEP))
    b.done()


def _names(games: BatchHeader) -> tuple[Expression, ...]:
    return games.get("signature"), games.get("ranges"), games.get("range_count")


def _write_choosers(
    b: Emitter,
    record: GameRecord,
    layout: TensorLayout,
    tensor: Expression,
    is_open: Expression,
    chooser: Expression,
) -> None:
    """Mark the players who are asked."""
    first = layout.starts["asked"]
    with b.when(is_open):
        b.store(tensor, b.let((widen(chooser, I64) + first) * 4), ONE)
    with b.otherwise():
        mask = b.let(record.get("mask"))
        for player in range(b.world.players):
            with b.when(has(mask, const(player, I32))):
                b.store(tensor, 4 * (first + player), ONE)


def _reserve(games: BatchHeader, count: Expression) -> None:
    b = games.b
    with b.when(count > games.get("answer_capacity"), unlikely=True):
        games.put("lacking", const(Lacking.ANSWERS))
        b.stop(GROW)


def _put_answer(b: Emitter, at: Expression, word: Expression, first: Expression, second: Expression) -> None:
    for offset, value in ((0, word), (8, const(-1)), (16, first), (24, second)):
        b.store(at, offset, value)


def _keep_listed(
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


def _add_openers(
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
            _reserve(games, b.let(count + 1))
            key = b.run(opener_key_function(b.unit), (word,), (I64, I64), block=base)
            _put_answer(b, record.answer(count), word, *key)
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
