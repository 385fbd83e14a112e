"""Listing all complete moves of a player, and running choices.

A run begins with a copy of the base. Listing enumerates the choices of leading inputs, runs those that may
ask or fail depth first, and writes each complete move as its length and its choices.
"""

import struct
from collections.abc import Sequence

from ludograph.tgdl.native.ir.builder import address, const, select, widen
from ludograph.tgdl.native.ir.nodes import I1, I8, I32, I64, PTR, Expression, Local, Op
from ludograph.tgdl.native.layout.interface import LIST, OFFTURN, OPENERS, SAMPLE
from ludograph.tgdl.native.layout.status import ENOUGH, FAILED, FAULT, FINE, GROW, NEED
from ludograph.tgdl.native.lower.actions.offers import leading_inputs, make_offers
from ludograph.tgdl.native.lower.actions.transactions import transact_function
from ludograph.tgdl.native.lower.actions.turns import (
    asked_function,
    is_in_simultaneous_phase,
    is_simultaneous,
)
from ludograph.tgdl.native.lower.emitter import Emitter, routine
from ludograph.tgdl.native.lower.routine import BLOCK, CTX
from ludograph.tgdl.native.lower.state_size import size_of
from ludograph.tgdl.native.lower.unit import CompilationUnit
from ludograph.tgdl.native.optimise.effects import Guard, is_combinatorial
from ludograph.tgdl.program import Action
from ludograph.tgdl.program.events import OFFERING, Event
from ludograph.tgdl.world import fuel
from ludograph.tgdl.world.limits import MAX_MOVES
from ludograph.tgdl.world.memory import CHOOSING, STUCK_STAGE

TOO_MANY = "TG0521"
EVENTS = tuple(event.kind for event in OFFERING)


def make_explorers(unit: CompilationUnit) -> None:
    """Emit the exported functions for a run, the choosers, the offers, and all moves."""
    _make_execute(unit)
    _make_asked_now(unit)
    _make_offers_now(unit)
    _make_explore(unit)
    _make_list_from(unit)
    _make_ask_from(unit)


def header(b: Emitter, block: Expression, name: str) -> Expression:
    return b.load(block, b.plan.header[name], I64 if name == "heap_top" else I32)


def begin(b: Emitter, *, fuel: bool) -> None:
    """Prepare a run on the block."""
    base = b.get("base", PTR)
    b.copy(BLOCK, base, header(b, base, "heap_top"))
    b.put("arena", b.get("arena_start", PTR))
    if fuel:
        b.refuel()


def begin_budgets(b: Emitter) -> None:
    """Begin the budgets of a transaction: one for its runs and stuck players, one for the tests of them."""
    whole = b.let(b.get("full_fuel", I64))
    b.put("event_fuel", whole)
    b.put("test_fuel", whole)


@routine("attempt")
def attempt_function(b: Emitter) -> None:
    """Run the choices on the base; if a `stuck` event fails, it runs again without its handlers.

    The run has the fuel that is left of the transaction, and leaves its own rest for the next stuck player.
    """
    base = b.get("base", PTR)
    status = b.variable(const(0, I32), "status")
    b.put("unhandled", const(0, I32))
    with b.loop("tries") as tries:
        begin(b, fuel=False)
        b.refuel_from("event_fuel")
        (ran,) = b.call(transact_function(b.unit), (CTX, BLOCK), (I32,))
        b.put("event_fuel", b.get("fuel", I64))
        b.set(status, ran)
        is_stuck = header(b, base, "stage").eq(STUCK_STAGE)
        again = ran.eq(FAILED) & is_stuck & b.get("unhandled", I32).eq(0)
        b.leave_if(~again, tries)
        b.put("unhandled", const(1, I32))
    b.put("unhandled", const(0, I32))
    b.give(status)


def save(b: Emitter, source: Expression, size: Expression) -> Expression:
    """Save bytes that a deeper level would overwrite; returns their new address."""
    at = b.get("saved", PTR)
    end = b.let(address(at, (size + 15) & -16))
    b.stop_if(end.ugt(b.get("saved_end", PTR)), GROW)
    b.copy(at, source, size)
    b.put("saved", end)
    return at


def take_move(b: Emitter, row: Expression) -> tuple[Expression, Expression]:
    """Take the choices of a listed move; returns whether it may fail or ask, and the number of choices."""
    head = b.load(row, 0, I64)
    length = b.let(head & 0xFFFFFFFF)
    b.copy(b.get("choices", PTR), b.let(address(row, 8)), b.let(length * 8))
    return b.let((head >> 32).ne(0)), length


@routine("execute", exported=True)
def _make_execute(b: Emitter) -> None:
    begin(b, fuel=True)
    (status,) = b.call(transact_function(b.unit), (CTX, BLOCK), (I32,))
    b.give(status)


def _make_asked_now(unit: CompilationUnit) -> None:
    b = Emitter(unit, "asked_now", (Local("out", PTR),))
    b.begin_run()
    (asked,) = b.run(asked_function(unit), (), (unit.plan.seats,))
    b.store(Local("out", PTR), 0, asked)
    b.done()
    b.finish(exported=True)


@routine("offers_now", (I32, I32), exported=True)
def _make_offers_now(b: Emitter, player: Local, event: Local) -> None:
    """List the actions that a player may start, as moves that are not tried."""
    b.begin_run()
    clear_moves(b)
    for number, name in enumerate(EVENTS):
        with b.when(event.eq(number)):
            b.run(leading_function(b.unit, name), (player, const(OPENERS, I32)))
    b.done()


def clear_moves(b: Emitter) -> None:
    b.put("moves", b.get("moves_start", PTR))
    b.put("index_at", b.get("index", PTR))
    b.put("move_count", const(0))
    b.put("sure_count", const(0))


# Exploring


def _flags(unit: CompilationUnit) -> Expression:
    """Eight bytes for each action: cannot fail; number of inputs; last input, if it needs no test."""
    rows = []
    for action in unit.world.program.actions:
        count, number = len(action.inputs), -1
        last = action.inputs[-1] if action.inputs else None
        if last is not None and not (last.is_picked or any(test.needs >= count for test in action.requires)):
            number = unit.number_of_input(last)
        is_safe = unit.world.actions[action.index].safe
        rows.append(struct.pack("<BBHi", is_safe, min(255, count), 0, number))
    return unit.data(b"".join(rows), hint="actions")


SURE, UNSURE, OPEN = 0, 1, 2
"""A complete move; a move that may fail; a move that may ask for more, or fail."""


def _emit(b: Emitter, count: Expression) -> None:
    """Append the choices made so far to the list of complete moves."""
    b.run(_keep_choices_function(b.unit), (count,))


@routine("keep_choices", (I64,))
def _keep_choices_function(b: Emitter, count: Local) -> None:
    b.fault_if(b.get("move_count", I64) >= MAX_MOVES, TOO_MANY)
    to = _new_move(b, count, const(SURE))
    b.copy(to, b.get("choices", PTR), b.let(count * 8))
    b.done()


def _keep_move(b: Emitter, kind: Expression, words: Sequence[Expression]) -> None:
    """Append a move with these choices to the list."""
    unit, count = b.unit, len(words)
    name = f"keep_move.{count}"

    def make() -> None:
        kind = Local("kind", I64)
        given = [Local(f"word{place}", I64) for place in range(count)]
        b = Emitter(unit, name, (kind, *given))
        is_sure = b.let(kind.eq(SURE))
        with b.when(is_sure):
            b.put("sure_count", b.get("sure_count", I64) + 1)
            b.fault_if((b.get("sure_count", I64) > MAX_MOVES) & _lists_all(b), TOO_MANY)
        to = _new_move(b, const(count), kind)
        for place, word in enumerate(given):
            b.store(to, 8 * place, word)
        b.stop_if(is_sure & b.get("move_limit", I64).eq(1), ENOUGH)
        b.done()
        b.finish()

    b.run(unit.need(name, make), (kind, *words))


def _lists_all(b: Emitter) -> Expression:
    """Whether the caller lists all moves, and does not only test whether there is one."""
    return b.let(b.get("move_limit", I64) > MAX_MOVES)


def _new_move(b: Emitter, count: Expression, kind: Expression) -> Expression:
    """Allocate memory for the choices of a new move; its address is appended to the index."""
    at = b.get("moves", PTR)
    end = b.let(address(at, count * 8 + 8))
    place = b.get("index_at", PTR)
    full = end.ugt(b.get("moves_end", PTR)) | place.uge(b.get("index_end", PTR))
    b.stop_if(full, GROW)
    b.store(at, 0, count | (kind << 32))
    b.put("moves", end)
    b.store(place, 0, at)
    b.put("index_at", address(place, 8))
    b.put("move_count", b.get("move_count", I64) + 1)
    return b.let(address(at, 8))


def leading_function(unit: CompilationUnit, event: str) -> str:
    """The function that lists every choice of actions and leading inputs, marked if it must be tried."""

    @routine(f"leading.{event}", (I32, I32))
    def make(b: Emitter, player: Local, way: Local) -> None:
        samples = b.let(way.eq(SAMPLE))
        only_openers = b.let(way.eq(OPENERS))
        # With the last choice of a simultaneous phase the effects of all others happen too.
        must_try = is_in_simultaneous_phase(b) if is_simultaneous(unit) else None

        def emit(b: Emitter, action: Action, words: list[Expression]) -> None:
            known = unit.effects.of(action)
            is_whole = leading_inputs(action) == len(action.inputs)
            kind: Expression = const(OPEN)
            if is_whole and not known.asks and not known.fails:
                kind = const(SURE)
            elif is_combinatorial(action) or (is_whole and not known.asks):
                kind = b.let(select(samples, const(UNSURE), const(OPEN)))
            elif is_whole and known.guards is not None:
                chosen = b.variable(const(OPEN), "kind")
                with b.when(samples):
                    asks = b.variable(const(0, I1), "asks")
                    for guard in known.guards:
                        with b.when(~asks), b.arena_scope():
                            b.set(asks, _holds(b, guard))
                    with b.when(~asks):
                        b.set(chosen, const(UNSURE if known.fails else SURE))
                kind = chosen
            if must_try is not None:
                kind = b.let(select(must_try, const(OPEN), kind))
            if action.inputs:
                kind = b.let(select(only_openers, const(OPEN), kind))
            _keep_move(b, kind, words)

        make_offers(b, event, player, emit, only_openers)
        b.done()

    return make(unit)


def has_sure_openers(unit: CompilationUnit) -> bool:
    """Whether every action that a player starts is a complete move with any choice of its leading inputs."""
    if is_simultaneous(unit):
        return False
    started = {offer.action for offer in unit.world.offers if offer.event == Event.CHOICE.kind}
    actions = [unit.world.program.actions[index] for index in started]
    effects = [unit.effects.of(action) for action in actions]
    return all(leading_inputs(action) == len(action.inputs) for action in actions) and not any(
        known.asks or known.fails for known in effects
    )


@routine("sure_openers", (I32,))
def sure_openers_function(b: Emitter, player: Local) -> None:
    """List the actions that a player may start, without their inputs, if each is certainly a move."""
    clear_moves(b)
    b.put("arena", b.get("arena_start", PTR))

    def emit(b: Emitter, _: Action, words: list[Expression]) -> None:
        _keep_move(b, const(SURE), words)

    make_offers(b, Event.CHOICE.kind, player, emit, is_single=True)
    b.done()


def _holds(b: Emitter, guard: Guard) -> Expression:
    result = b.variable(const(1, I1), "guard")
    for condition, wanted in guard.conditions:
        with b.when(result):
            test = b.condition(condition)
            b.set(result, test if wanted else ~test)
    return result


@routine("follow", (I64, I32))
def follow_function(b: Emitter, count: Local, chooser: Local) -> None:
    """List all complete moves that continue the choices so far."""
    base, choices = b.get("base", PTR), b.get("choices", PTR)
    b.done_if(b.get("move_count", I64) >= b.get("move_limit", I64))
    b.stop_if(count + 1 >= b.get("choice_capacity", I64), GROW)
    is_safe = b.variable(const(0, I8), "safe")
    inputs = b.variable(const(-1), "inputs")
    last = b.variable(const(-1, I32), "last")
    starts = (count > 0) & header(b, base, "stage").eq(CHOOSING)
    if is_simultaneous(b.unit):
        starts = starts & b.load(base, b.plan.header["sealed_mask"], b.plan.seats).eq(0)
    with b.when(starts):
        action_index = b.let(b.load(choices, 0, I64) & 0xFFFF)
        row = b.let(address(_flags(b.unit), action_index * 8))
        b.set(is_safe, b.load(row, 0, I8, constant=True))
        b.set(inputs, widen(b.load(row, 1, I8, constant=True), I64, signed=False))
        b.set(last, b.load(row, 4, I32, constant=True))
        is_complete = inputs.eq(0) | ((count > inputs) & (last >= 0))
        with b.when(is_safe.ne(0) & is_complete):
            _emit(b, count)
            b.done()
    b.put("choice_count", count)
    begin(b, fuel=False)
    b.put("fuel", b.get("fuel", I64) - b.get("trial_price", I64))
    # A transaction that can neither fail nor ask any more is known to be a move before it ends.
    b.put("is_trial", const(1, I32))
    (status,) = b.call(transact_function(b.unit), (CTX, BLOCK), (I32,))
    b.put("is_trial", const(0, I32))
    b.done_if(status.eq(FAILED))
    with b.when(status.eq(FAULT), unlikely=True):
        with b.when(b.get("fault", I32).eq(506)):
            b.stop(FAULT)
        # A fault of the rules: the choice is offered, and playing it raises the fault.
        _emit(b, count)
        b.done()
    asks_on = status.eq(NEED) & b.get("need_chooser", I32).eq(chooser)
    with b.when(~asks_on):
        b.stop_if(status.ne(FINE) & status.ne(NEED), status)
        _emit(b, count)
        b.done()
    amount = b.get("need_count", I64)
    b.put("fuel", b.get("fuel", I64) - amount)
    mark = save(b, b.get("need_values", PTR), b.let(amount * 8))
    place = b.let(address(choices, count * 8))
    after = b.let(count + 1)
    asks_last = b.get("need_input", I32).eq(last)
    is_short = b.let(is_safe.ne(0) & asks_last & count.eq(inputs))
    with b.count(amount) as (at, _):
        b.store(place, 0, b.load_word(mark, at))
        with b.when(is_short):
            _emit(b, after)
        with b.otherwise():
            b.run("follow", (after, chooser))
    b.put("saved", mark)
    b.done()


@routine("moves", (I64, I32, I32))
def moves_function(b: Emitter, prefix: Local, chooser: Local, event: Local) -> None:
    """List all complete moves of a player that continue the choices since the base.

    In the mode SAMPLE, the list keeps moves that may fail. The caller provides the fuel.
    """
    base = b.get("base", PTR)
    clear_moves(b)
    b.put("choice_count", prefix)
    b.put("draws_chance", const(0, I32))
    (size,) = b.call(_sizing(b.unit), (CTX, base), (I32, I64))[1:]
    b.put("trial_price", Op("udiv", (size, const(fuel.GRAIN)), I64))
    under_way = (prefix > 0) | header(b, base, "stage").ne(CHOOSING)
    with b.when(under_way):
        b.run(follow_function(b.unit), (prefix, chooser))
        b.done()
    b.put("arena", b.get("arena_start", PTR))
    for name, ways in ((Event.CHOICE.kind, (LIST, SAMPLE)), (Event.OFFTURN.kind, (OFFTURN,))):
        if not any(offer.event == name for offer in b.world.offers):
            continue
        wanted = event.eq(ways[0])
        for other in ways[1:]:
            wanted = wanted | event.eq(other)
        with b.when(wanted):
            (status,) = b.call(leading_function(b.unit, name), (CTX, base, chooser, event), (I32,))
            with b.when(status.ne(0), unlikely=True):
                b.done_if(status.eq(ENOUGH))
                fault = b.get("fault", I32)
                is_limit = fault.eq(506) | fault.eq(int(TOO_MANY[2:]))
                with b.when(status.ne(FAULT) | is_limit):
                    b.stop(status)
                # The fault may be in one choice only: each is tried, and those with the fault stay.
                clear_moves(b)
                b.put("arena", b.get("arena_start", PTR))
                openers = const(OPENERS, I32)
                (again,) = b.call(leading_function(b.unit, name), (CTX, base, chooser, openers), (I32,))
                with b.when(again.ne(0)):
                    b.stop(again)
    _try_out(b, chooser)
    b.fault_if((b.get("move_count", I64) > MAX_MOVES) & _lists_all(b), TOO_MANY)
    b.done()


def _try_out(b: Emitter, chooser: Expression) -> None:
    """Try the moves that may ask or fail; a new index is written after the old one."""
    count = b.get("move_count", I64)
    old = b.get("index", PTR)
    is_open = b.exists(count, lambda at: b.load(b.load_word(old, at, PTR), 0, I64).uge(OPEN << 32))
    with b.when(~is_open):
        b.fault_if((count > MAX_MOVES) & _lists_all(b), TOO_MANY)
        b.done()
    start = b.get("index_at", PTR)
    b.put("move_count", const(0))
    with b.count(count) as (at, _):
        row = b.load_word(old, at, PTR)
        with b.when(b.load(row, 0, I64).ult(OPEN << 32)):
            place = b.get("index_at", PTR)
            b.stop_if(place.uge(b.get("index_end", PTR)), GROW)
            b.store(place, 0, row)
            b.put("index_at", address(place, 8))
            b.put("move_count", b.get("move_count", I64) + 1)
        with b.otherwise():
            _, length = take_move(b, row)
            b.run(follow_function(b.unit), (length, chooser))
    found = b.get("move_count", I64)
    b.copy(old, start, b.let(found * 8))
    b.put("index_at", address(old, found * 8))


@routine("size", gives=(I64,))
def _sizing(b: Emitter) -> None:
    """The function that returns the size of a block: the cost of a trial on a copy of it."""
    b.done(size_of(b))


@routine("explore", (I64, I32, I32), exported=True)
def _make_explore(b: Emitter, prefix: Local, chooser: Local, event: Local) -> None:
    b.refuel()
    b.run(moves_function(b.unit), (prefix, chooser, event))
    b.done()


def _begin_from(b: Emitter, start: Expression, words: Expression, count: Expression) -> None:
    """Set the base, which is only read, and the choices since."""
    b.stop_if(count + 1 >= b.get("choice_capacity", I64), GROW)
    b.copy(b.get("choices", PTR), words, b.let(count * 8))
    b.put("base", start)
    b.put("saved", b.get("saved_start", PTR))
    b.put("choice_count", count)
    b.put("draws_chance", const(0, I32))
    b.put("unhandled", const(0, I32))


@routine("list_from", (PTR, PTR, I64, I32, I32, I64), exported=True)
def _make_list_from(
    b: Emitter, start: Local, words: Local, count: Local, chooser: Local, event: Local, limit: Local
) -> None:
    """List the moves of a player from a block and choices since, up to a limit."""
    _begin_from(b, start, words, count)
    b.put("move_limit", limit)
    b.refuel()
    b.run(moves_function(b.unit), (count, chooser, event))
    b.done()


@routine("ask_from", (PTR, PTR, I64), exported=True)
def _make_ask_from(b: Emitter, start: Local, words: Local, count: Local) -> None:
    """Run choices since a block, up to the question after them."""
    _begin_from(b, start, words, count)
    (status,) = b.call("execute", (CTX, BLOCK), (I32,))
    b.give(status)
