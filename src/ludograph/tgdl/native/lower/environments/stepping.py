"""Stepping many games: playing an action in each, beginning the next game where one has ended, and writing
what the acting player sees and may do.

Each game has a record with two blocks. A step reads the current block and writes the other one, so that a
step that runs out of memory can be repeated.
"""

from ludograph.tgdl.native.ir.builder import address, const, select, widen
from ludograph.tgdl.native.ir.nodes import F32, F64, I1, I8, I32, I64, PTR, Expression, Local, Op
from ludograph.tgdl.native.layout.choice_words import parts_offered
from ludograph.tgdl.native.layout.environments import (
    ACTION_KEY,
    MAX_CHANCE_RUNS,
    MAX_LISTED,
    NOT_LISTED,
    Lacking,
    NextStep,
    Prepared,
    TensorLayout,
)
from ludograph.tgdl.native.layout.interface import DRAWS, LIST, PARTIAL
from ludograph.tgdl.native.layout.representations import WIDE, WORD
from ludograph.tgdl.native.layout.status import FINE, GROW, NEED, STOPPED
from ludograph.tgdl.native.lower.actions.chance import CHANCE
from ludograph.tgdl.native.lower.actions.offers import opener_word
from ludograph.tgdl.native.lower.actions.transactions import transact_function
from ludograph.tgdl.native.lower.actions.turns import asked_function, is_simultaneous
from ludograph.tgdl.native.lower.board.bitboards import count_bits
from ludograph.tgdl.native.lower.driver.candidate_index import CandidateRow, offered_function, rows_of
from ludograph.tgdl.native.lower.driver.commit import step_function as commit_function
from ludograph.tgdl.native.lower.driver.explore import (
    begin,
    header,
    moves_function,
    sure_openers_function,
)
from ludograph.tgdl.native.lower.driver.random_games import seed_generator
from ludograph.tgdl.native.lower.emitter import Emitter, routine
from ludograph.tgdl.native.lower.environments.answers import (
    answer_key_function,
    check_names_function,
)
from ludograph.tgdl.native.lower.environments.listing import (
    add_openers,
    clear_mask,
    continue_function,
    first_input,
    keep_listed,
    lists_later,
    names,
    number_function,
    put_answer,
    reserve,
    set_reader,
    store_moves,
)
from ludograph.tgdl.native.lower.environments.records import BatchHeader, GameRecord
from ludograph.tgdl.native.lower.environments.tensors import ONE, tensor_function
from ludograph.tgdl.native.lower.routine import BLOCK, CTX
from ludograph.tgdl.native.lower.search.payoffs import payoffs_function
from ludograph.tgdl.native.lower.things.player_sets import around, has
from ludograph.tgdl.native.lower.unit import CompilationUnit
from ludograph.tgdl.native.lower.values.references import tagged
from ludograph.tgdl.program import ConstructKind
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
    goes_on = b.variable(const(0, I1), "goes_on")
    if lists_later(b.unit):
        with b.when(record.get("move_count").eq(NOT_LISTED)):
            b.set(goes_on, first_input(b, word) >= 0)
    with b.when(record.get("move_count") > 0):
        stored = b.exists(record.get("move_count"), lambda each: b.load(record.move(each), 0, I64).eq(word))
        b.set(goes_on, stored)
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
            if lists_later(b.unit):
                (listed,) = b.call(sure_openers_function(b.unit), (CTX, other, player), (I32,))
            else:
                listing = (CTX, BLOCK, const(0), player, const(LIST, I32))
                (listed,) = b.call(moves_function(b.unit), listing, (I32,))
            b.put("move_limit", const(1 << 62))
            is_clear = listed.eq(FINE) & b.get("move_count", I64).ne(0)
            b.done_if(~is_clear, const(0, I32))
            b.set(prepared, const(Prepared.OPENERS if lists_later(b.unit) else Prepared.MOVES))
        if rows:
            with b.when(prepared.eq(Prepared.ANSWERS)):
                reserve(games, total)
                clear_mask(games, record)
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
                put_answer(b, record.answer(count), b.let(opener), key, tagged(b, family, this, WIDE))
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
            clear_mask(games, record)
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
        set_reader(games, chooser)
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
            b.run(check_names_function(unit), names(games), block=shown)
            values = b.let(b.get("need_values", PTR))
            b.set(count, b.get("need_count", I64))
            reserve(games, count)
            with b.count(count) as (each, _):
                word = b.load_word(values, each)
                key = b.run(answer_key_function(unit), (word,), (I64, I64), block=shown)
                put_answer(b, record.answer(each), word, *key)
        with b.otherwise():
            b.run(check_names_function(unit), names(games), block=shown)
        b.store(tensor, b.let((widen(chooser, I64) + layout.starts["you"]) * 4), ONE)
        _write_choosers(b, record, layout, tensor, is_open, chooser)
        b.run(tensor_function(unit, layout), (tensor, chooser), block=shown)
        record.put("is_unnumbered", const(0))
        b.done_if(prepared.eq(Prepared.ANSWERS))
        with b.when(prepared.ne(Prepared.MOVES) & prepared.ne(Prepared.OPENERS)):
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
            keep_listed(b, record, count, rows, found, pending)
            b.done()
        add_openers(b, games, record, base, rows, found)
        if lists_later(unit):
            with b.when(prepared.eq(Prepared.OPENERS)):
                record.put("move_count", const(NOT_LISTED))
                b.done()
        if not is_simultaneous(unit):
            with b.when(Op("ctpop", (record.get("mask"),), I64).eq(1)):
                store_moves(b, games, record, rows, found)
        b.done()

    return make(unit)


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
