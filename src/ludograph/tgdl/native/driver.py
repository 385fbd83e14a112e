"""The driver, in the intermediate form: one run, all complete moves of a player, whole random games.

A run begins with a copy of the base. Exploring runs every way a player can choose, depth first, and writes
each complete move as its length and its choices. A playout draws one of the moves, lets chance draw for
itself, and goes on from the block that the run leaves.
"""

import struct
from dataclasses import dataclass

from ludograph.tgdl.memory import CHOOSING, OVER, STUCK_STAGE
from ludograph.tgdl.native.asking import need_below
from ludograph.tgdl.native.code import address, binary, both, compare, const, either, negate, widen
from ludograph.tgdl.native.foresight import Guard, foresee
from ludograph.tgdl.native.ir import I1, I8, I32, I64, PTR, Expression, Local, Op
from ludograph.tgdl.native.offers import leading_inputs, make_offers, make_probe, probe_width
from ludograph.tgdl.native.transactions import transact_function
from ludograph.tgdl.native.turns import asked_function, is_simultaneous
from ludograph.tgdl.native.unit import BLOCK, CTX, FAILED, FAULT, FINE, GROW, NEED, STOPPED, Body, Unit
from ludograph.tgdl.program import Action

EXPORTS = ("execute", "asked_now", "explore", "playout", "offers_now", "batch")
MOST_SEEN = 1000
EVENTS = ("choice", "offturn", "aside")


def make_driver(unit: Unit) -> None:
    """All functions that are called from outside."""
    _make_execute(unit)
    _make_asked_now(unit)
    _make_offers_now(unit)
    _make_explore(unit)
    _make_playout(unit)
    _make_batch(unit)


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
    words, end = b.get("saved", PTR), b.get("saved_end", PTR)

    def emit(b: Body, action: Action, chosen: list[Expression]) -> None:
        place = b.let(address(words, binary("mul", count, 8)))
        with b.when(compare("uge", place, end), unlikely=True):
            b.stop(GROW)
        b.store(place, 0, chosen[0])
        b.set(count, binary("add", count, 1))

    for number, name in enumerate(EVENTS):
        with b.when(compare("eq", event, number)):
            make_offers(b, name, player, emit, with_inputs=False)
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


SURE, UNSURE, OPEN = 0, 1, 2
"""A complete move; one that may turn out to fail; one that may ask for more, or fail."""


def _emit(b: Body, count: Expression) -> None:
    """Write down the choices made so far as a complete move."""
    to = _new_move(b, count, SURE)
    b.copy(to, b.get("choices", PTR), b.let(binary("mul", count, 8)))


def _new_move(b: Body, count: Expression, kind: int) -> Expression:
    """Room for the choices of one more move; its address is put into the index."""
    at = b.get("moves", PTR)
    end = b.let(address(at, binary("add", binary("mul", count, 8), 8)))
    place = b.get("index_at", PTR)
    full = either(
        compare("ugt", end, b.get("moves_end", PTR)), compare("uge", place, b.get("index_end", PTR))
    )
    with b.when(full, unlikely=True):
        b.stop(GROW)
    b.store(at, 0, binary("or", count, kind << 32))
    b.put("moves", end)
    b.store(place, 0, at)
    b.put("index_at", address(place, 8))
    b.put("move_count", binary("add", b.get("move_count", I64), 1))
    return b.let(address(at, 8))


def leading_function(unit: Unit, event: str, *, samples: bool) -> str:
    """Writes down every choice of actions and their leading inputs, and what must be tried out of it."""
    name = f"leading.{event}.{'sample' if samples else 'list'}"
    return unit.need(name, lambda: _make_leading(unit, event, name, samples=samples))


def _make_leading(unit: Unit, event: str, name: str, *, samples: bool) -> None:
    player = Local("asked", I32)
    b = Body(unit, name, (player,))

    def emit(b: Body, action: Action, words: list[Expression]) -> None:
        known = foresee(unit.world.program, action)
        is_whole = leading_inputs(action) == len(action.inputs)

        def write(kind: int) -> None:
            to = _new_move(b, const(len(words)), kind)
            for place, word in enumerate(words):
                b.store(to, 8 * place, word)

        if not is_whole or is_simultaneous(unit):
            # With the last choice of a simultaneous phase the effects of all others happen too.
            write(OPEN)
        elif not known.asks:
            write(SURE if not known.fails else UNSURE if samples else OPEN)
        elif known.guards is None or not samples:
            write(OPEN)
        else:
            asks = b.variable(const(0, I1), "asks")
            for guard in known.guards:
                with b.when(negate(asks)), b.passing():
                    b.set(asks, _holds(b, guard))
            with b.when(asks):
                write(OPEN)
            with b.otherwise():
                write(UNSURE if known.fails else SURE)

    make_offers(b, event, player, emit, with_inputs=True)
    b.done()
    b.finish()


def _holds(b: Body, guard: Guard) -> Expression:
    result = b.variable(const(1, I1), "guard")
    for condition, wanted in guard.conditions:
        with b.when(result):
            test = b.condition(condition)
            b.set(result, test if wanted else negate(test))
    return result


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
    if is_simultaneous(unit):
        starts = both(starts, compare("eq", b.load(base, b.plan.header["sealed_mask"], I64), 0))
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
    """All complete moves of a player, from the choices made since the base.

    To sample is to leave those among them that may turn out to fail.
    """
    prefix, chooser, event = Local("prefix", I64), Local("chooser", I32), Local("event", I32)
    b = Body(unit, "moves", (prefix, chooser, event))
    base = b.get("base", PTR)
    b.put("moves", b.get("moves_start", PTR))
    b.put("index_at", b.get("index", PTR))
    b.put("move_count", const(0))
    b.put("fuel", b.get("full_fuel", I64))
    b.put("draws", const(0, I32))
    under_way = either(compare("sgt", prefix, 0), compare("ne", _header(b, base, "stage"), CHOOSING))
    with b.when(under_way):
        b.run(follow_function(unit), (prefix, chooser))
        b.done()
    b.put("arena", b.get("arena_start", PTR))
    needs_trial = False
    for number, (name, samples) in enumerate(WAYS):
        if number and not any(offer.event == name for offer in unit.world.offers):
            continue
        needs_trial = True
        with b.when(compare("eq", event, number)):
            function = leading_function(unit, name, samples=samples)
            (status,) = b.call(function, (CTX, base, chooser), (I32,))
            with b.when(compare("ne", status, 0), unlikely=True):
                b.stop(status)
    if needs_trial:
        _try_out(b, chooser)
    b.done()
    b.finish()


WAYS = (("choice", False), ("offturn", False), ("choice", True))
"""What a player is asked for: moves, moves out of turn, moves to sample from."""
SAMPLE = 2


def _try_out(b: Body, chooser: Expression) -> None:
    """Follow what may ask or fail; the index is written anew, behind the old one."""
    count = b.get("move_count", I64)
    old = b.get("index", PTR)
    is_open = b.variable(const(0, I1), "open")
    with b.count(count) as (at, label):
        row = b.load(old, b.let(binary("mul", at, 8)), PTR)
        with b.when(compare("uge", b.load(row, 0, I64), OPEN << 32)):
            b.set(is_open, const(1, I1))
            b.leave(label)
    with b.when(negate(is_open)):
        b.done()
    start = b.get("index_at", PTR)
    b.put("move_count", const(0))
    with b.count(count) as (at, _):
        row = b.load(old, b.let(binary("mul", at, 8)), PTR)
        head = b.load(row, 0, I64)
        with b.when(compare("ult", head, OPEN << 32)):
            place = b.get("index_at", PTR)
            with b.when(compare("uge", place, b.get("index_end", PTR)), unlikely=True):
                b.stop(GROW)
            b.store(place, 0, row)
            b.put("index_at", address(place, 8))
            b.put("move_count", binary("add", b.get("move_count", I64), 1))
        with b.otherwise():
            length = b.let(Op("and", (head, const(0xFFFFFFFF)), I64))
            b.copy(b.get("choices", PTR), b.let(address(row, 8)), b.let(binary("mul", length, 8)))
            b.run(follow_function(b.unit), (length, chooser))
    found = b.get("move_count", I64)
    b.copy(old, start, b.let(binary("mul", found, 8)))
    b.put("index_at", address(old, binary("mul", found, 8)))


def _make_explore(unit: Unit) -> None:
    prefix, chooser, event = Local("prefix", I64), Local("chooser", I32), Local("event", I32)
    b = Body(unit, "explore", (prefix, chooser, event))
    b.run(moves_function(unit), (prefix, chooser, event))
    b.done()
    b.finish(exported=True)


# Playing


def record_size(unit: Unit) -> int:
    """Bytes that tell how a game went: moves, how it ended, who, and the payoffs."""
    return 24 + 8 * unit.world.players


def _make_batch(unit: Unit) -> None:
    """Play many games from one start, each with a generator of its own; one record a game.

    Gives how many were played; the game after those stopped with the status.
    """
    start, first, count = Local("start", PTR), Local("first", I64), Local("count", I64)
    limit, out, done = Local("limit", I64), Local("out", PTR), Local("done", PTR)
    own = Local("own", PTR)
    b = Body(unit, "batch", (own, start, first, count, limit, out, done))
    header, size = b.plan.header, record_size(unit)
    length = b.load(start, header["heap_top"], I64)
    with b.count(count) as (at, _):
        b.store(done, 0, at)
        b.copy(own, start, length)
        b.put("base", own)
        _seed(b, b.let(binary("add", first, at)))
        b.run("playout", (limit,))
        base = b.get("base", PTR)
        to = b.let(address(out, binary("mul", at, size)))
        b.store(to, 0, b.get("played", I64))
        b.store(to, 8, widen(b.load(base, header["ended"], I32), I64))
        b.store(to, 16, b.load(base, header["winners"], I64))
        b.copy(b.let(address(to, 24)), b.let(address(base, b.plan.payoffs)), 8 * unit.world.players)
    b.store(done, 0, count)
    b.done()
    b.finish(exported=True)


def _seed(b: Body, seed: Expression) -> None:
    """Begin the generator anew, by splitmix64."""
    at = b.variable(seed, "seed")
    place = b.plan.context["rng"]
    for number in range(4):
        b.set(at, binary("add", at, -7046029254386353131))
        mixed = b.let(at)
        mixed = b.let(_mixed(mixed, 30, -4658895280553007687))
        mixed = b.let(_mixed(mixed, 27, -7723592293110705685))
        b.store(CTX, place + 8 * number, Op("xor", (mixed, binary("lshr", mixed, 31)), I64))


def _mixed(value: Expression, bits: int, factor: int) -> Expression:
    return binary("mul", Op("xor", (value, binary("lshr", value, bits)), I64), factor)


@dataclass(frozen=True, slots=True)
class _Hand:
    """The variables of a playout."""

    work: Local
    """The block to run in."""
    prefix: Local
    """How many choices have been made since the base."""
    chooser: Local
    under_way: Local
    """Whether a transaction waits for its next choice, which may be its first."""


def _make_playout(unit: Unit) -> None:
    """Play on at random, each complete move with the same probability, to the end or for so many moves."""
    limit = Local("limit", I64)
    b = Body(unit, "playout", (limit,))
    work = b.variable(BLOCK, "work")
    prefix = b.variable(const(0), "prefix")
    chooser = b.variable(const(-1, I32), "chooser")
    under_way = b.variable(const(0, I1), "under_way")
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
        with b.when(negate(under_way)):
            stage = _header(b, base, "stage")
            with b.when(compare("eq", stage, OVER)):
                b.leave(game)
            with b.when(compare("ne", stage, CHOOSING)):
                b.set(runs, const(1, I32))
                b.put("choice_count", const(0))
            with b.otherwise():
                _find_chooser(b, base, work, chooser, game)
        width = probe_width(unit, "choice")
        if width:
            may = both(compare("eq", runs, 0), negate(under_way))
            with b.when(both(may, compare("eq", b.get("way", I32), SAMPLE))):
                _probe_for_move(b, width, _Hand(work, prefix, chooser, under_way), game)
        with b.when(compare("eq", runs, 0)):
            way = b.get("way", I32)
            status = b.call(moves_function(unit), (CTX, work, prefix, chooser, way), (I32,))[0]
            with b.when(compare("ne", status, 0), unlikely=True):
                b.stop(status)
            with b.loop("draw") as draw:
                count = b.get("move_count", I64)
                with b.when(compare("eq", count, 0)):
                    with b.when(under_way, unlikely=True):
                        b.fault("TG0512")
                    _tell_stuck(b, base, chooser, game)
                    b.leave(draw)
                (chosen,) = b.call(need_below(unit), (CTX, count), (I64,))
                unsure, length = _take_move(b, chosen)
                b.put("choice_count", length)
                (found,) = b.call(run_on_function(unit), (CTX, work, length), (I32,))
                with b.when(both(unsure, compare("eq", found, FAILED))):
                    # It was no move after all: draw among the others.
                    last = b.let(binary("sub", count, 1))
                    index = b.get("index", PTR)
                    b.store(
                        index,
                        b.let(binary("mul", chosen, 8)),
                        b.load(index, b.let(binary("mul", last, 8)), PTR),
                    )
                    b.put("move_count", last)
                    b.again(draw)
                b.put("played", binary("add", b.get("played", I64), 1))
                b.put("seen_count", const(0))
                _go_on(b, found, _Hand(work, prefix, chooser, under_way))
                b.leave(draw)
        with b.otherwise():
            (found,) = b.call(run_on_function(unit), (CTX, work, const(0)), (I32,))
            _go_on(b, found, _Hand(work, prefix, chooser, under_way))
    b.done()
    b.finish(exported=True)


def _probe_for_move(b: Body, width: int, hand: _Hand, game: str) -> None:
    """Draw among everything that might be offered until something is; after many misses all are listed."""
    b.put("fuel", b.get("full_fuel", I64))
    b.put("arena", b.get("arena_start", PTR))
    with b.count(max(8, width // 2)):
        (place,) = b.call(need_below(b.unit), (CTX, const(width)), (I64,))
        base = b.get("base", PTR)
        status, word = b.call(
            probe_function(b.unit), (CTX, base, hand.chooser, widen(place, I32)), (I32, I64)
        )
        with b.when(compare("ne", status, 0), unlikely=True):
            b.stop(status)
        with b.when(compare("sge", word, 0)):
            b.store(b.get("choices", PTR), 0, word)
            b.put("choice_count", const(1))
            (found,) = b.call(run_on_function(b.unit), (CTX, hand.work, const(1)), (I32,))
            with b.when(compare("ne", found, FAILED)):
                b.put("played", binary("add", b.get("played", I64), 1))
                b.put("seen_count", const(0))
                _go_on(b, found, hand)
                b.again(game)
            b.put("fuel", b.get("full_fuel", I64))


def probe_function(unit: Unit) -> str:
    def make() -> None:
        player, place = Local("asked", I32), Local("place", I32)
        b = Body(unit, "probe", (player, place), (I64,))
        make_probe(b, "choice", player, place, lambda b, action, words: b.done(words[0]))
        b.done(const(-1))
        b.finish()

    return unit.need("probe", make)


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


def _take_move(b: Body, chosen: Expression) -> tuple[Expression, Expression]:
    """Make the choices of one of the moves that were found; gives whether it may fail, and how many."""
    row = b.load(b.get("index", PTR), b.let(binary("mul", chosen, 8)), PTR)
    head = b.load(row, 0, I64)
    length = b.let(Op("and", (head, const(0xFFFFFFFF)), I64))
    b.copy(b.get("choices", PTR), b.let(address(row, 8)), b.let(binary("mul", length, 8)))
    return b.let(compare("ne", binary("lshr", head, 32), 0)), length


def run_on_function(unit: Unit) -> str:
    return unit.need("run_on", lambda: _make_run_on(unit))


def _make_run_on(unit: Unit) -> None:
    """Run with the choices made, chance drawing for itself; failing after chance is a fault."""
    length = Local("length", I64)
    b = Body(unit, "run_on", (length,))
    b.put("draws", const(1, I32))
    b.put("unhandled", const(0, I32))
    base = b.get("base", PTR)
    status = b.variable(const(0, I32), "status")
    with b.loop("tries") as tries:
        _begin(b, fuel=True)
        (found,) = b.call(transact_function(b.unit), (CTX, BLOCK), (I32,))
        b.set(status, found)
        failed = compare("eq", found, FAILED)
        is_stuck = compare("eq", _header(b, base, "stage"), STUCK_STAGE)
        again = both(both(failed, is_stuck), compare("eq", b.get("unhandled", I32), 0))
        with b.when(negate(again)):
            b.leave(tries)
        b.put("unhandled", const(1, I32))
    b.put("unhandled", const(0, I32))
    drawn = compare("sgt", b.get("choice_count", I64), length)
    with b.when(both(compare("eq", status, FAILED), drawn), unlikely=True):
        b.fault("TG0512")
    b.give(status)
    b.finish()


def _go_on(b: Body, status: Expression, hand: _Hand) -> None:
    """What the run left is the new base, or somebody else is asked."""
    with b.when(compare("eq", status, FINE)):
        base = b.get("base", PTR)
        with b.when(compare("eq", _header(b, base, "stage"), STUCK_STAGE)):
            with b.when(compare("sgt", b.get("choice_count", I64), 0)):
                b.put("seen_count", const(0))  # chance had a part in it, so it goes in no circle
        b.put("base", hand.work)
        b.set(hand.work, base)
        b.set(hand.prefix, const(0))
        b.set(hand.under_way, const(0, I1))
    with b.otherwise():
        with b.when(compare("eq", status, NEED)):
            b.set(hand.prefix, b.get("choice_count", I64))
            b.set(hand.chooser, b.get("need_chooser", I32))
            b.set(hand.under_way, const(1, I1))
        with b.otherwise():
            with b.when(compare("eq", status, FAILED)):
                b.fault("TG0512")
            b.stop(status)
