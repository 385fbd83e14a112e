"""Perft: the number of sequences of exactly `depth` complete moves.

Each distinct outcome of chance is counted, but is not a move of its own; a finished game has no moves. The
blocks and moves of the levels above are in the buffer of saved words.
"""

import struct

from ludograph.tgdl.native.ir.builder import address, const
from ludograph.tgdl.native.ir.nodes import I8, I32, I64, PTR, Expression, Local
from ludograph.tgdl.native.layout.interface import LIST
from ludograph.tgdl.native.layout.status import FAILED, FINE, GROW, NEED, STOPPED
from ludograph.tgdl.native.lower.actions.chance import CHANCE
from ludograph.tgdl.native.lower.driver.explore import (
    attempt_function,
    begin_budgets,
    header,
    moves_function,
    save,
    take_move,
)
from ludograph.tgdl.native.lower.driver.random_games import (
    find_chooser,
    mark_stuck,
    pay_for_test,
    reset_stuck_cycle,
)
from ludograph.tgdl.native.lower.emitter import Emitter, routine
from ludograph.tgdl.native.lower.routine import BLOCK, CTX
from ludograph.tgdl.world.memory import CHOOSING, OVER


@routine("perft", (I64, PTR), exported=True)
def make_counters(b: Emitter, depth: Local, out: Local) -> None:
    """Emit the exported function; it stores the count at an address."""
    b.put("move_limit", const(1 << 62))
    reset_stuck_cycle(b)
    begin_budgets(b)
    base = b.get("base", PTR)
    (count,) = b.run(count_function(b.unit), (base, const(0), const(-1, I32), depth), (I64,))
    b.store(out, 0, count)
    b.done()


@routine("count", (PTR, I64, I32, I64), gives=(I64,))
def count_function(b: Emitter, base: Local, prefix: Local, asked: Local, depth: Local) -> None:
    """The function that counts from a base and choices since, with the chooser after them (-1: none)."""
    chooser = b.variable(asked, "chooser")
    b.stop_if(b.get("stop", I64).ne(0), STOPPED)
    b.put("base", base)
    is_between = b.let(asked < 0)
    with b.when(is_between):
        stage = header(b, base, "stage")
        with b.when(stage.ne(CHOOSING) & stage.ne(OVER)):
            (found,) = b.run(trace_function(b.unit), (base, const(0), depth), (I64,))
            b.done(found)
    b.done_if(depth.eq(0), const(1))
    with b.when(is_between):
        b.done_if(header(b, base, "stage").eq(OVER), const(0))
        stuck = find_chooser(b, base, BLOCK, chooser)
        with b.when(stuck >= 0):
            _count_stuck(b, base, stuck, depth)
    b.refuel()
    b.run(moves_function(b.unit), (prefix, chooser, const(LIST, I32)))
    count = b.get("move_count", I64)
    with b.when(count.eq(0)):
        with b.when(~is_between, unlikely=True):
            b.put("choice_count", prefix)
            b.fault("TG0512")
        pay_for_test(b, b.get("fuel", I64))
        _count_stuck(b, base, chooser, depth)
    reset_stuck_cycle(b)
    _count_moves(b, base, count, depth, is_between)


def _count_stuck(b: Emitter, base: Expression, player: Expression, depth: Expression) -> None:
    """A chooser cannot move: count from the state after the `stuck` event."""
    mark = b.get("saved", PTR)
    copy = save(b, base, header(b, base, "heap_top"))
    mark_stuck(b, copy, player)
    (found,) = b.run("count", (copy, const(0), const(-1, I32), depth), (I64,))
    b.put("saved", mark)
    b.done(found)


def _count_certain(b: Emitter, count: Expression, is_last: Expression) -> Local:
    """The number of moves of the last level without chance: each counts as one, without being executed.

    The other moves are moved to the beginning of the index.
    """
    flags = b.unit.data(
        b"".join(struct.pack("<B", action_index.certain) for action_index in b.world.actions.every()),
        hint="certain",
    )
    total = b.variable(const(0), "certain")
    with b.when(is_last):
        index = b.get("index", PTR)
        with b.count(count) as (at, _):
            row = b.load_word(index, at, PTR)
            action_index = b.load(row, 8, I64) & 0xFFFF
            with b.when(b.load(flags, b.let(action_index), I8, constant=True).ne(0)):
                b.set(total, total + 1)
            with b.otherwise():
                b.store(index, b.let((at - total) * 8), row)
    return total


def _count_moves(
    b: Emitter, base: Expression, listed: Expression, depth: Expression, is_between: Expression
) -> None:
    total = _count_certain(b, listed, is_between & depth.eq(1))
    count = b.let(listed - total)
    b.done_if(count.eq(0), total)
    mark = b.get("saved", PTR)
    start = b.get("moves_start", PTR)
    size = b.let(count * 8)
    # The index has addresses in the buffer of moves: both are saved, and addresses become distances.
    rows = save(b, b.get("index", PTR), size)
    length = b.let(_distance(b, b.get("moves", PTR), start))
    kept = save(b, start, length)
    with b.count(count) as (at, _):
        row = b.load_word(rows, at, PTR)
        place = b.let(address(kept, _distance(b, row, start)))
        _, words = take_move(b, place)
        begin_budgets(b)
        (found,) = b.run(trace_function(b.unit), (base, words, depth - 1), (I64,))
        b.set(total, total + found)
    b.put("saved", mark)
    b.done(total)


def _distance(b: Emitter, to: Expression, start: Expression) -> Expression:
    """The distance of two addresses in bytes."""
    slot = b.stack_slot(16)
    b.store(slot, 0, to)
    b.store(slot, 8, start)
    return b.load(slot, 0, I64) - b.load(slot, 8, I64)


@routine("trace", (PTR, I64, I64), gives=(I64,))
def trace_function(b: Emitter, base: Local, length: Local, depth: Local) -> None:
    """The function that runs the choices with every outcome of chance, and counts from there."""
    b.put("base", base)
    b.put("draws_chance", const(0, I32))
    b.put("choice_count", length)
    rest, tests = b.let(b.get("event_fuel", I64)), b.let(b.get("test_fuel", I64))
    (status,) = b.call(attempt_function(b.unit), (CTX, BLOCK), (I32,))
    mark = b.get("saved", PTR)
    with b.when(status.eq(FINE)):
        kept = save(b, BLOCK, header(b, BLOCK, "heap_top"))
        (found,) = b.run(count_function(b.unit), (kept, const(0), const(-1, I32), depth), (I64,))
        b.put("saved", mark)
        b.done(found)
    b.fault_if(status.eq(FAILED), "TG0512")
    b.stop_if(status.ne(NEED), status)
    choices = save(b, b.get("choices", PTR), b.let(length * 8))
    who = b.get("need_chooser", I32)
    with b.when(who.ne(CHANCE)):
        (found,) = b.run(count_function(b.unit), (base, length, who, depth), (I64,))
        b.put("saved", mark)
        b.done(found)
    amount = b.get("need_count", I64)
    words = save(b, b.get("need_values", PTR), b.let(amount * 8))
    total = b.variable(const(0), "total")
    full = length + 1 >= b.get("choice_capacity", I64)
    b.stop_if(full, GROW)
    with b.count(amount) as (at, _):
        reset_stuck_cycle(b)  # chance ends a cycle of stuck players
        to = b.get("choices", PTR)
        b.put("event_fuel", rest)
        b.put("test_fuel", tests)
        b.copy(to, choices, b.let(length * 8))
        b.store(to, b.let(length * 8), b.load_word(words, at))
        (found,) = b.run("trace", (base, length + 1, depth), (I64,))
        b.set(total, total + found)
    b.put("saved", mark)
    b.done(total)
