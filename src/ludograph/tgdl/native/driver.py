"""The driver, in the intermediate form: one run, all complete moves of a player, whole random games.

A run begins with a copy of the base. Exploring runs every way a player can choose, depth first, and writes
each complete move as its length and its choices. A playout draws one of the moves, lets chance draw for
itself, and goes on from the block that the run leaves.
"""

import struct

from ludograph.tgdl.memory import CHOOSING, OVER, STUCK_STAGE
from ludograph.tgdl.native.actions import offers_function
from ludograph.tgdl.native.asking import need_below
from ludograph.tgdl.native.code import address, binary, both, compare, const, either, negate, widen
from ludograph.tgdl.native.ir import I8, I32, I64, PTR, Expression, Local, Op
from ludograph.tgdl.native.turns import asked_function, transact_function
from ludograph.tgdl.native.unit import BLOCK, CTX, FAILED, FAULT, FINE, GROW, NEED, STOPPED, Body, Unit

EXPORTS = ("execute", "asked_now", "explore", "playout", "offers_now")
MOST_SEEN = 1000


def make_driver(unit: Unit) -> None:
    """All functions that are called from outside."""
    _make_execute(unit)
    _make_asked_now(unit)
    _make_offers_now(unit)
    _make_explore(unit)
    _make_playout(unit)


def _header(b: Body, block: Expression, name: str) -> Expression:
    return b.load(block, b.plan.header[name], I64 if name in ("heap_top", "out", "dropped") else I32)


def _begin(b: Body, *, fuel: bool) -> None:
    """Make everything ready for a run on the block."""
    base = b.get("base", PTR)
    b.copy(BLOCK, base, _header(b, base, "heap_top"))
    b.put("arena", b.get("arena_start", PTR))
    if fuel:
        b.put("fuel", b.get("full_fuel", I64))


def _make_execute(unit: Unit) -> None:
    b = Body(unit, "execute")
    _begin(b, fuel=True)
    (status,) = b.call(transact_function(unit), (CTX, BLOCK), (I32,))
    b.give(status)
    b.finish(exported=True)


def _make_asked_now(unit: Unit) -> None:
    b = Body(unit, "asked_now", (Local("out", PTR),))
    b.put("arena", b.get("arena_start", PTR))
    b.put("fuel", b.get("full_fuel", I64))
    (mask,) = b.run(asked_function(unit), (), (I64,))
    b.store(Local("out", PTR), 0, mask)
    b.done()
    b.finish(exported=True)


def _make_offers_now(unit: Unit) -> None:
    """The actions that a player may start, into the saved words; gives how many."""
    player, event, out = Local("who", I32), Local("event", I32), Local("out", PTR)
    b = Body(unit, "offers_now", (player, event, out))
    b.put("arena", b.get("arena_start", PTR))
    b.put("fuel", b.get("full_fuel", I64))
    count = b.variable(const(0), "count")
    for number, name in enumerate(("choice", "offturn", "aside")):
        with b.when(compare("eq", event, number)):
            words, end = b.get("saved", PTR), b.get("saved_end", PTR)
            (found,) = b.run(offers_function(unit, name), (player, words, end), (I64,))
            b.set(count, found)
    b.store(out, 0, count)
    b.done()
    b.finish(exported=True)


# Exploring


def _flags(unit: Unit) -> Expression:
    """For each action four bytes: it cannot fail; how many inputs; its last input needs no further test."""
    rows = b""
    for deed in unit.world.deeds:
        last = deed.askers[-1] if deed.askers else None
        simple = last is not None and not (
            last.is_list or any(test.needs >= len(deed.askers) for test in deed.tests)
        )
        rows += struct.pack("<BBBB", deed.safe, min(255, len(deed.askers)), simple, 0)
    return unit.data(rows, hint="deeds")


def _emit(b: Body, count: Expression) -> None:
    """Write a complete move: its length, then its choices."""
    at = b.get("moves", PTR)
    size = b.let(binary("mul", count, 8))
    end = b.let(address(at, binary("add", size, 8)))
    with b.when(compare("ugt", end, b.get("moves_end", PTR)), unlikely=True):
        b.stop(GROW)
    b.store(at, 0, count)
    b.copy(b.let(address(at, 8)), b.get("choices", PTR), size)
    b.put("moves", end)
    b.put("move_count", binary("add", b.get("move_count", I64), 1))


def follow_function(unit: Unit) -> str:
    return unit.need("follow", lambda: _make_follow(unit))


def _make_follow(unit: Unit) -> None:
    """All ways to go on from the choices so far."""
    count, chooser = Local("count", I64), Local("chooser", I32)
    b = Body(unit, "follow", (count, chooser))
    base, choices = b.get("base", PTR), b.get("choices", PTR)
    with b.when(compare("sge", b.get("move_count", I64), b.get("move_limit", I64))):
        b.done()
    with b.when(compare("sge", binary("add", count, 1), b.get("choice_room", I64)), unlikely=True):
        b.stop(GROW)
    is_safe = b.variable(const(0, I8), "safe")
    inputs = b.variable(const(-1), "inputs")
    simple = b.variable(const(0, I8), "simple")
    starts = both(compare("sgt", count, 0), compare("eq", _header(b, base, "stage"), CHOOSING))
    with b.when(starts):
        deed = b.let(Op("and", (b.load(choices, 0, I64), const(0xFFFF)), I64))
        row = b.let(address(_flags(unit), binary("mul", deed, 4)))
        b.set(is_safe, b.load(row, 0, I8, constant=True))
        b.set(inputs, widen(b.load(row, 1, I8, constant=True), I64, signed=False))
        b.set(simple, b.load(row, 2, I8, constant=True))
        with b.when(both(compare("ne", is_safe, 0), compare("eq", inputs, 0))):
            _emit(b, count)
            b.done()
    b.put("choice_count", count)
    _begin(b, fuel=False)
    (status,) = b.call(transact_function(unit), (CTX, BLOCK), (I32,))
    with b.when(compare("eq", status, FAILED)):
        b.done()
    with b.when(compare("eq", status, FAULT), unlikely=True):
        with b.when(compare("eq", b.get("fault", I32), 506)):
            b.stop(FAULT)
        # The rules are at fault, not the choice: it is offered, and playing it shows the fault.
        _emit(b, count)
        b.done()
    asks_on = both(compare("eq", status, NEED), compare("eq", b.get("need_chooser", I32), chooser))
    with b.when(negate(asks_on)):
        with b.when(both(compare("ne", status, FINE), compare("ne", status, NEED)), unlikely=True):
            b.stop(status)
        _emit(b, count)
        b.done()
    amount, values = b.get("need_count", I64), b.get("need_values", PTR)
    b.put("fuel", binary("sub", b.get("fuel", I64), amount))
    mark = b.get("saved", PTR)
    size = b.let(binary("mul", amount, 8))
    end = b.let(address(mark, size))
    with b.when(compare("ugt", end, b.get("saved_end", PTR)), unlikely=True):
        b.stop(GROW)
    b.copy(mark, values, size)
    b.put("saved", end)
    place = b.let(address(choices, binary("mul", count, 8)))
    after = b.let(binary("add", count, 1))
    short = both(both(compare("ne", is_safe, 0), compare("ne", simple, 0)), compare("eq", count, inputs))
    is_short = b.let(short)
    with b.count(amount) as (at, _):
        b.store(place, 0, b.load(mark, b.let(binary("mul", at, 8)), I64))
        with b.when(is_short):
            _emit(b, after)
        with b.otherwise():
            b.run("follow", (after, chooser))
    b.put("saved", mark)
    b.done()
    b.finish()


def moves_function(unit: Unit) -> str:
    return unit.need("moves", lambda: _make_moves(unit))


def _make_moves(unit: Unit) -> None:
    """All complete moves of a player, from the choices made since the base."""
    prefix, chooser, event = Local("prefix", I64), Local("chooser", I32), Local("event", I32)
    b = Body(unit, "moves", (prefix, chooser, event))
    base = b.get("base", PTR)
    b.put("moves", b.get("moves_start", PTR))
    b.put("move_count", const(0))
    b.put("fuel", b.get("full_fuel", I64))
    b.put("draws", const(0, I32))
    under_way = either(compare("sgt", prefix, 0), compare("ne", _header(b, base, "stage"), CHOOSING))
    with b.when(under_way):
        b.run(follow_function(unit), (prefix, chooser))
        b.done()
    mark = b.get("saved", PTR)
    count = b.variable(const(0), "count")
    b.put("arena", b.get("arena_start", PTR))
    for number, name in enumerate(("choice", "offturn")):
        if number and not any(offer.event == name for offer in unit.world.offers):
            continue
        with b.when(compare("eq", event, number)):
            status, found = b.call(
                offers_function(unit, name), (CTX, base, chooser, mark, b.get("saved_end", PTR)), (I32, I64)
            )
            with b.when(compare("ne", status, 0), unlikely=True):
                b.stop(status)
            b.set(count, found)
    b.put("saved", b.let(address(mark, binary("mul", count, 8))))
    with b.count(count) as (at, _):
        b.store(b.get("choices", PTR), 0, b.load(mark, b.let(binary("mul", at, 8)), I64))
        b.run(follow_function(unit), (const(1), chooser))
    b.put("saved", mark)
    b.done()
    b.finish()


def _make_explore(unit: Unit) -> None:
    prefix, chooser, event = Local("prefix", I64), Local("chooser", I32), Local("event", I32)
    b = Body(unit, "explore", (prefix, chooser, event))
    b.run(moves_function(unit), (prefix, chooser, event))
    b.done()
    b.finish(exported=True)


# Playing


def _make_playout(unit: Unit) -> None:
    """Play on at random, each complete move with the same probability, to the end or for so many moves."""
    limit = Local("limit", I64)
    b = Body(unit, "playout", (limit,))
    work = b.variable(BLOCK, "work")
    prefix = b.variable(const(0), "prefix")
    chooser = b.variable(const(-1, I32), "chooser")
    b.put("played", const(0))
    b.put("seen_count", const(0))
    b.put("unhandled", const(0, I32))
    b.put("move_limit", const(1 << 62))
    with b.loop("game") as game:
        with b.when(compare("sge", b.get("played", I64), limit)):
            b.leave(game)
        with b.when(compare("ne", b.get("stop", I64), 0), unlikely=True):
            b.stop(STOPPED)
        base = b.get("base", PTR)
        runs = b.variable(const(0, I32), "runs")
        with b.when(compare("eq", prefix, 0)):
            stage = _header(b, base, "stage")
            with b.when(compare("eq", stage, OVER)):
                b.leave(game)
            with b.when(compare("ne", stage, CHOOSING)):
                b.set(runs, const(1, I32))
                b.put("choice_count", const(0))
            with b.otherwise():
                _find_chooser(b, base, work, chooser, game)
        with b.when(compare("eq", runs, 0)):
            status = b.call(moves_function(unit), (CTX, work, prefix, chooser, const(0, I32)), (I32,))[0]
            with b.when(compare("ne", status, 0), unlikely=True):
                b.stop(status)
            count = b.get("move_count", I64)
            with b.when(compare("eq", count, 0)):
                with b.when(compare("ne", prefix, 0), unlikely=True):
                    b.fault("TG0512")
                _tell_stuck(b, base, chooser, game)
            with b.otherwise():
                (chosen,) = b.call(need_below(unit), (CTX, count), (I64,))
                _take_move(b, chosen)
                b.put("played", binary("add", b.get("played", I64), 1))
                b.put("seen_count", const(0))
                b.set(runs, const(1, I32))
        with b.when(compare("ne", runs, 0)):
            _run_on(b, work, prefix, chooser)
    b.done()
    b.finish(exported=True)


def _find_chooser(b: Body, base: Expression, work: Expression, chooser: Local, game: str) -> None:
    """Who is asked first; among several, somebody who cannot move is told so at once."""
    b.put("arena", b.get("arena_start", PTR))
    b.put("fuel", b.get("full_fuel", I64))
    status, mask = b.call(asked_function(b.unit), (CTX, base), (I32, I64))
    with b.when(compare("ne", status, 0), unlikely=True):
        b.stop(status)
    b.set(chooser, _first_in(b, base, mask))
    if not any(scene.phase.asks is not None for scene in b.world.scenes):
        return
    with b.when(compare("sgt", Op("ctpop", (mask,), I64), 1)):
        b.put("move_limit", const(1))
        at = b.variable(b.load(base, b.plan.header["active"], I32), "at")
        stuck = b.variable(const(-1, I32), "stuck")
        with b.count(const(b.world.players, I32)) as (_, label):
            bit = Op("lshr", (mask, widen(at, I64)), I64)
            with b.when(compare("ne", Op("and", (bit, const(1)), I64), 0)):
                (found,) = b.call(moves_function(b.unit), (CTX, work, const(0), at, const(0, I32)), (I32,))
                with b.when(compare("ne", found, 0), unlikely=True):
                    b.stop(found)
                with b.when(compare("eq", b.get("move_count", I64), 0)):
                    b.set(stuck, at)
                    b.leave(label)
            after = b.let(binary("add", at, 1))
            b.set(at, Op("select", (compare("sge", after, b.world.players), const(0, I32), after), I32))
        b.put("move_limit", const(1 << 62))
        with b.when(compare("sge", stuck, 0)):
            _tell_stuck(b, base, stuck, game)
            b.again(game)


def _first_in(b: Body, base: Expression, mask: Expression) -> Expression:
    found = b.variable(const(-1, I32), "first")
    at = b.variable(b.load(base, b.plan.header["active"], I32), "at")
    with b.count(const(b.world.players, I32)) as (_, label):
        bit = Op("lshr", (mask, widen(at, I64)), I64)
        with b.when(compare("ne", Op("and", (bit, const(1)), I64), 0)):
            b.set(found, at)
            b.leave(label)
        after = b.let(binary("add", at, 1))
        b.set(at, Op("select", (compare("sge", after, b.world.players), const(0, I32), after), I32))
    return found


def _tell_stuck(b: Body, base: Expression, player: Expression, game: str) -> None:
    """A player who is asked cannot move; passes of the stuck that go in a circle end the game."""
    header = b.plan.header
    words = [widen(b.load(base, header[name], I32), I64) for name in ("turn", "phase", "active")]
    moment: Expression = widen(player, I64)
    for word in words:
        moment = binary("add", binary("mul", moment, 4096), binary("add", word, 1))
    now = b.let(moment)
    seen, count = b.get("seen", PTR), b.get("seen_count", I64)
    with b.count(count) as (at, _):
        with b.when(compare("eq", b.load(seen, b.let(binary("mul", at, 8)), I64), now)):
            b.store(base, header["ended"], const(2, I32))
            b.store(base, header["winners"], const((1 << b.world.players) - 1))
            b.store(base, header["stage"], const(OVER, I32))
            b.leave(game)
    b.fault_if(compare("sge", count, MOST_SEEN), "TG0506")
    b.store(seen, b.let(binary("mul", count, 8)), now)
    b.put("seen_count", binary("add", count, 1))
    stuck = b.load(base, header["stuck_count"], I32)
    with b.when(compare("sge", stuck, 64), unlikely=True):
        b.stop(GROW)
    b.store(base, b.let(binary("add", widen(stuck, I64), header["stuck"])), widen(player, I8))
    b.store(base, header["stuck_count"], binary("add", stuck, 1))
    b.store(base, header["stage"], const(STUCK_STAGE, I32))


def _take_move(b: Body, chosen: Expression) -> None:
    """Make the choices of one of the moves that were found."""
    at = b.variable(b.get("moves_start", PTR), "at")
    with b.count(chosen):
        length = b.load(at, 0, I64)
        b.set(at, address(at, binary("add", binary("mul", length, 8), 8)))
    length = b.load(at, 0, I64)
    b.copy(b.get("choices", PTR), b.let(address(at, 8)), b.let(binary("mul", length, 8)))
    b.put("choice_count", length)


def _run_on(b: Body, work: Local, prefix: Local, chooser: Local) -> None:
    """Run with the choices made, chance drawing for itself; what comes out is the new base."""
    b.put("draws", const(1, I32))
    base = b.get("base", PTR)
    status = b.variable(const(0, I32), "status")
    b.put("unhandled", const(0, I32))
    with b.loop("tries") as tries:
        b.copy(work, base, _header(b, base, "heap_top"))
        b.put("arena", b.get("arena_start", PTR))
        b.put("fuel", b.get("full_fuel", I64))
        (found,) = b.call(transact_function(b.unit), (CTX, work), (I32,))
        b.set(status, found)
        failed = compare("eq", found, FAILED)
        is_stuck = compare("eq", _header(b, base, "stage"), STUCK_STAGE)
        again = both(both(failed, is_stuck), compare("eq", b.get("unhandled", I32), 0))
        with b.when(negate(again)):
            b.leave(tries)
        b.put("unhandled", const(1, I32))
    b.put("unhandled", const(0, I32))
    with b.when(compare("eq", status, FINE)):
        with b.when(compare("sgt", b.get("choice_count", I64), 0)):
            b.put("seen_count", const(0))  # chance had a part in it, so it goes in no circle
        b.put("base", work)
        b.set(work, base)
        b.set(prefix, const(0))
    with b.otherwise():
        with b.when(compare("eq", status, NEED)):
            b.set(prefix, b.get("choice_count", I64))
            b.set(chooser, b.get("need_chooser", I32))
        with b.otherwise():
            with b.when(compare("eq", status, FAILED)):
                b.fault("TG0512")
            b.stop(status)
