"""Random games: moves and choices of chance are sampled up to the end of the game."""

from msgspec import Struct

from ludograph.tgdl.native.ir import builder as build
from ludograph.tgdl.native.ir.nodes import I1, I8, I32, I64, PTR, Expression, Local, Op
from ludograph.tgdl.native.layout.choice_words import parts_offered
from ludograph.tgdl.native.layout.interface import LIST, SAMPLE, record_size
from ludograph.tgdl.native.layout.status import FAILED, FINE, GROW, NEED, STOPPED
from ludograph.tgdl.native.lower.actions.chance import need_below
from ludograph.tgdl.native.lower.actions.offers import leading_inputs, make_probe, opener_word
from ludograph.tgdl.native.lower.actions.transactions import transact_function
from ludograph.tgdl.native.lower.actions.turns import asked_function, is_simultaneous
from ludograph.tgdl.native.lower.body import Body
from ludograph.tgdl.native.lower.driver.candidate_index import (
    CandidateRow,
    draw_sample,
    is_exact_row,
    offered_function,
    rows_of,
    total_of,
)
from ludograph.tgdl.native.lower.driver.explore import begin, header, moves_function
from ludograph.tgdl.native.lower.driver.rejection_sampling import (
    CandidateRange,
    candidate_function,
    candidate_ranges,
    ready_function,
)
from ludograph.tgdl.native.lower.routine import BLOCK, CTX
from ludograph.tgdl.native.lower.things.player_sets import around, everybody, first_of, has
from ludograph.tgdl.native.lower.unit import Unit, emitted
from ludograph.tgdl.native.optimise.effects import ActionEffects, is_combinatorial
from ludograph.tgdl.program import Action, Apply, Mutate, Random
from ludograph.tgdl.program.events import Event
from ludograph.tgdl.world.analysis import walk_program
from ludograph.tgdl.world.limits import MOST_STUCK
from ludograph.tgdl.world.memory import CHOOSING, OVER, STUCK_STAGE

MOST_REJECTED = 48
"""The number of rejected samples before all moves are listed."""
LAST, SPENT = 1, 2
"""The states of a game with a move limit: at its last move, and after it."""


def make_players(unit: Unit) -> None:
    """Emit the exported functions for random games."""
    _make_playout(unit)
    _make_batch(unit)


def _make_batch(unit: Unit) -> None:
    """Play many games from one start, each with its own generator; one record per game.

    Stores the number of finished games; the game after them stopped with the status.
    """
    start, first, count = Local("start", PTR), Local("first", I64), Local("count", I64)
    limit, out, done = Local("limit", I64), Local("out", PTR), Local("done", PTR)
    own = Local("own", PTR)
    b = Body(unit, "batch", (own, start, first, count, limit, out, done))
    header, size = b.plan.header, record_size(unit.world.players)
    length = b.load(start, header["heap_top"], I64)
    with b.count(count) as (at, _):
        b.store(done, 0, at)
        b.copy(own, start, length)
        b.put("base", own)
        _seed(b, b.let(build.binary("add", first, at)))
        b.run("playout", (limit,))
        base = b.get("base", PTR)
        to = b.let(build.address(out, build.binary("mul", at, size)))
        b.store(to, 0, b.get("played", I64))
        b.store(to, 8, build.widen(b.load(base, header["ended"], I32), I64))
        b.store(to, 16, b.load(base, header["winners"], b.plan.seats))
        b.copy(
            b.let(build.address(to, 16 + b.plan.seats.size)),
            b.let(build.address(base, b.plan.payoffs)),
            8 * unit.world.players,
        )
    b.store(done, 0, count)
    b.done()
    b.finish(exported=True)


def _seed(b: Body, seed: Expression) -> None:
    """Seed the generator with splitmix64."""
    at = b.variable(seed, "seed")
    place = b.plan.context["rng"]
    for number in range(4):
        b.set(at, build.binary("add", at, -7046029254386353131))
        mixed = b.let(at)
        mixed = b.let(_mixed(mixed, 30, -4658895280553007687))
        mixed = b.let(_mixed(mixed, 27, -7723592293110705685))
        b.store(CTX, place + 8 * number, Op("xor", (mixed, build.binary("lshr", mixed, 31)), I64))


def _mixed(value: Expression, bits: int, factor: int) -> Expression:
    return build.binary("mul", Op("xor", (value, build.binary("lshr", value, bits)), I64), factor)


class _Playout(Struct, frozen=True):
    """The variables of a playout."""

    work: Local
    """The block to run in; the other block is the base."""
    prefix: Local
    """The number of choices since the base."""
    chooser: Local
    under_way: Local
    """Whether a transaction waits for its next choice."""


def _make_playout(unit: Unit) -> None:
    """Play at random, each complete move with the same probability, to the end or up to a limit of moves.

    After the last move stuck players are still resolved, as after any move, but chance is not drawn any more.
    """
    limit = Local("limit", I64)
    b = Body(unit, "playout", (limit,))
    work = b.variable(BLOCK, "work")
    prefix = b.variable(build.const(0), "prefix")
    chooser = b.variable(build.const(-1, I32), "chooser")
    under_way = b.variable(build.const(0, I1), "under_way")
    playout = _Playout(work, prefix, chooser, under_way)
    b.put("played", build.const(0))
    b.put("chance_streak", build.const(0, I32))
    reset_stuck_cycle(b)
    b.put("unhandled", build.const(0, I32))
    b.put("move_limit", build.const(1 << 62))
    b.put("limit_state", build.const(0, I32))
    before_last = b.let(build.binary("sub", limit, 1))
    with b.loop("game") as game:
        with b.when(build.compare("sge", b.get("played", I64), before_last), unlikely=True):
            is_spent = b.let(build.compare("sge", b.get("played", I64), limit))
            b.put("limit_state", build.select(is_spent, build.const(SPENT, I32), build.const(LAST, I32)))
            with b.when(build.both(is_spent, under_way)):
                b.leave(game)
        with b.when(build.compare("ne", b.get("stop", I64), 0), unlikely=True):
            b.stop(STOPPED)
        base = b.get("base", PTR)
        runs = b.variable(build.const(0, I32), "runs")
        with b.when(build.negate(under_way)):
            stage = header(b, base, "stage")
            with b.when(build.compare("eq", stage, OVER)):
                b.leave(game)
            with b.when(build.compare("ne", stage, CHOOSING)):
                b.set(runs, build.const(1, I32))
                b.put("choice_count", build.const(0))
            with b.otherwise():
                stuck = find_chooser(b, base, work, chooser)
                with b.when(build.compare("sge", stuck, 0)):
                    mark_stuck(b, base, stuck)
                    b.again(game)
                with b.when(build.compare("eq", b.get("limit_state", I32), SPENT), unlikely=True):
                    _end_or_mark_stuck(b, playout, game)
        _log_count(b, playout, runs)
        rows = rows_of(unit)
        if rows:
            may = build.both(build.compare("eq", runs, 0), build.negate(under_way))
            with b.when(build.both(may, build.compare("eq", b.get("list_mode", I32), SAMPLE))):
                _draw_offer(b, rows, playout, game)
        ranges = candidate_ranges(unit)
        if ranges:
            may = build.both(build.compare("eq", runs, 0), build.negate(under_way))
            with b.when(build.both(may, build.compare("eq", b.get("list_mode", I32), SAMPLE))):
                _sample_by_rejection(b, ranges, playout, game)
        with b.when(build.compare("eq", runs, 0)):
            way = b.get("list_mode", I32)
            status = b.call(moves_function(unit), (CTX, work, prefix, chooser, way), (I32,))[0]
            with b.when(build.compare("ne", status, 0), unlikely=True):
                b.stop(status)
            with b.loop("draw") as draw:
                count = b.get("move_count", I64)
                with b.when(build.compare("eq", count, 0)):
                    with b.when(under_way, unlikely=True):
                        b.put("choice_count", prefix)
                        b.fault("TG0512")
                    mark_stuck(b, base, chooser)
                    b.leave(draw)
                (chosen,) = b.call(need_below(unit), (CTX, count), (I64,))
                unsure, length = _take_move(b, chosen)
                b.put("choice_count", length)
                with b.when(build.negate(build.either(under_way, unsure))):
                    _run_in_place(b, game)
                (ran,) = b.call(run_on_function(unit), (CTX, work, length), (I32,))
                found = b.variable(ran, "found")
                if any(is_combinatorial(action) for action in unit.world.program.actions):
                    asks_on = build.compare("eq", b.get("need_chooser", I32), chooser)
                    with b.when(build.both(unsure, build.both(build.compare("eq", ran, NEED), asks_on))):
                        (then,) = b.call(step_function(unit), (CTX, work, length, chooser), (I32,))
                        b.set(found, then)
                with b.when(build.both(unsure, build.compare("eq", found, FAILED))):
                    # The move failed: draw among the others.
                    last = b.let(build.binary("sub", count, 1))
                    index = b.get("index", PTR)
                    b.store(
                        index,
                        b.let(build.binary("mul", chosen, 8)),
                        b.load_word(index, last, PTR),
                    )
                    b.put("move_count", last)
                    b.again(draw)
                b.put("played", build.binary("add", b.get("played", I64), 1))
                reset_stuck_cycle(b)
                _go_on(b, found, playout)
                b.leave(draw)
        with b.otherwise():
            (found,) = b.call(run_on_function(unit), (CTX, work, build.const(0)), (I32,))
            _go_on(b, found, playout)
    b.done()
    b.finish(exported=True)


def _end_or_mark_stuck(b: Body, playout: _Playout, game: str) -> None:
    """After the last move: end if the chooser can move, otherwise mark the player as stuck."""
    b.put("move_limit", build.const(1))
    arguments = (CTX, playout.work, build.const(0), playout.chooser, build.const(0, I32))
    (status,) = b.call(moves_function(b.unit), arguments, (I32,))
    with b.when(build.compare("ne", status, 0), unlikely=True):
        b.stop(status)
    with b.when(build.compare("ne", b.get("move_count", I64), 0)):
        b.leave(game)
    mark_stuck(b, b.get("base", PTR), playout.chooser)
    b.again(game)


def _draw_offer(b: Body, rows: list[CandidateRow], playout: _Playout, game: str) -> None:
    """Sample from the candidate index until an instance is offered; continue if none is."""
    unit = b.unit
    b.refuel()
    b.put("arena", b.get("arena_start", PTR))
    count = sum(row.words for row in rows)
    status, *found = b.call(
        offered_function(unit, rows), (CTX, b.get("base", PTR), playout.chooser), (I32, *[I64] * (count + 1))
    )
    with b.when(build.compare("ne", status, 0), unlikely=True):
        b.stop(status)
    words = [b.variable(word, "offered") for word in found[:-1]]
    with b.when(build.compare("ne", found[-1], 0), unlikely=True):
        for word in words:
            b.set(word, build.const(0))  # a test raises a fault: listing all moves reports it
    with b.loop("lots") as lots:
        total = b.let(total_of(words))
        with b.when(build.compare("eq", total, 0)):
            b.leave(lots)
        (below,) = b.call(need_below(unit), (CTX, total), (I64,))
        sample = draw_sample(b, rows, words, below)
        opener = b.variable(build.const(-1), "opener")
        with b.when(is_exact_row(rows, sample)):
            for number, row in enumerate(rows):
                if row.is_exact:
                    with b.when(build.compare("eq", sample.row, number)):
                        b.set(opener, _opener(b, row, playout.chooser, build.widen(sample.number, I32)))
        if not all(row.is_exact for row in rows):
            with b.otherwise():
                arguments = (CTX, b.get("base", PTR), playout.chooser, build.widen(sample.place, I32))
                failed, word = b.call(probe_function(unit), arguments, (I32, I64))
                with b.when(build.compare("ne", failed, 0), unlikely=True):
                    b.stop(failed)
                with b.when(build.compare("slt", word, 0)):
                    b.again(lots)
                b.set(opener, word)
        b.store(b.get("choices", PTR), 0, opener)
        b.put("choice_count", build.const(1))
        _run_in_place(b, game)
        (ran,) = b.call(run_on_function(unit), (CTX, playout.work, build.const(1)), (I32,))
        with b.when(build.compare("ne", ran, FAILED)):
            b.put("played", build.binary("add", b.get("played", I64), 1))
            reset_stuck_cycle(b)
            _go_on(b, ran, playout)
            b.again(game)
        b.refuel()


def _sample_by_rejection(b: Body, ranges: list[CandidateRange], playout: _Playout, game: str) -> None:
    """Draw candidates until one is a move; give up after too many rejections or a fault."""
    unit = b.unit
    b.refuel()
    b.put("arena", b.get("arena_start", PTR))
    arguments = (CTX, b.get("base", PTR), playout.chooser)
    status, total, known = b.call(ready_function(unit, ranges), arguments, (I32, I64, I64))
    with b.when(build.both(build.compare("eq", status, 0), build.compare("ne", total, 0))):
        with b.count(build.const(MOST_REJECTED)) as (_, label):
            b.refuel()
            b.put("arena", b.get("arena_start", PTR))
            (candidate,) = b.call(need_below(unit), (CTX, total), (I64,))
            status, count, opener, choice = b.call(
                candidate_function(unit, ranges),
                (CTX, b.get("base", PTR), playout.chooser, candidate, known),
                (I32, I64, I64, I64),
            )
            with b.when(build.compare("ne", status, 0), unlikely=True):
                b.leave(label)
            with b.when(build.compare("ne", count, 0)):
                choices = b.get("choices", PTR)
                b.store(choices, 0, opener)
                b.store(choices, 8, choice)
                b.put("choice_count", count)
                _run_in_place(b, game)
                (ran,) = b.call(run_on_function(unit), (CTX, playout.work, count), (I32,))
                with b.when(build.compare("ne", ran, FAILED)):
                    b.put("played", build.binary("add", b.get("played", I64), 1))
                    reset_stuck_cycle(b)
                    _go_on(b, ran, playout)
                    b.again(game)


def _opener(b: Body, row: CandidateRow, player: Expression, this: Expression) -> Expression:
    part = row.offer.part
    number = 0 if part is None else parts_offered(b.world, row.offer.action).index(part) + 1
    return b.let(opener_word(row.offer.action, number, player, this))


def _run_in_place(b: Body, game: str) -> None:
    """Execute a move that can neither fail nor ask on the base itself, without a copy.

    A fault destroys the base; then the game is played again on copies.
    """
    quiet = _find_quiet_actions(b.unit)
    if not any(quiet):
        return
    may = build.compare("ne", b.get("in_place", I32), 0)
    if _has_chance(b.unit):
        may = build.both(may, build.compare("eq", b.get("limit_state", I32), 0))
    offered = {offer.action for offer in b.world.offers}
    if not all(quiet[action_index] for action_index in offered):
        action_index = b.let(Op("and", (b.load(b.get("choices", PTR), 0, I64), build.const(0xFFFF)), I64))
        flags = b.unit.data(bytes(quiet), hint="quiet")
        may = build.both(may, build.compare("ne", b.load(flags, action_index, I8, constant=True), 0))
    with b.when(may):
        b.put("draws_chance", build.const(1, I32))
        b.put("chance_streak", build.const(0, I32))
        b.put("arena", b.get("arena_start", PTR))
        b.refuel()
        (status,) = b.call(transact_function(b.unit), (CTX, b.get("base", PTR)), (I32,))
        with b.when(build.compare("ne", status, FINE), unlikely=True):
            b.stop(status)
        _log_choices(b)
        b.put("played", build.binary("add", b.get("played", I64), 1))
        reset_stuck_cycle(b)
        b.again(game)


def _has_chance(unit: Unit) -> bool:
    """Whether the program has any choice of chance."""
    return any(
        isinstance(node, Random) or (isinstance(node, Apply | Mutate) and node.operation.facts.takes_chance)
        for node in walk_program(unit.world.program)
    )


def _find_quiet_actions(unit: Unit) -> list[bool]:
    """For each action, whether it can neither fail nor ask."""
    if is_simultaneous(unit):
        return [False] * len(unit.world.program.actions)
    return [
        _is_quiet(unit.effects.of(action_index.action), action_index.action)
        for action_index in unit.world.actions.every()
    ]


def _is_quiet(known: ActionEffects, action: Action) -> bool:
    return not known.fails and not known.asks and leading_inputs(action) == len(action.inputs)


@emitted("probe")
def probe_function(unit: Unit) -> None:
    player, place = Local("asked", I32), Local("place", I32)
    b = Body(unit, "probe", (player, place), (I64,))
    make_probe(b, Event.CHOICE.kind, player, place, lambda b, action, words: b.done(words[0]))
    b.done(build.const(-1))
    b.finish()


def find_chooser(b: Body, base: Expression, work: Expression, chooser: Local) -> Expression:
    """Find the first chooser; returns the first of several choosers who cannot move, or -1."""
    b.put("arena", b.get("arena_start", PTR))
    b.put("choice_count", build.const(0))  # a fault from here on belongs to the base
    b.refuel()
    status, asked = b.call(asked_function(b.unit), (CTX, base), (I32, b.plan.seats))
    with b.when(build.compare("ne", status, 0), unlikely=True):
        b.stop(status)
    active = b.load(base, b.plan.header["active"], I32)
    b.set(chooser, first_of(b, asked, active))
    stuck = b.variable(build.const(-1, I32), "stuck")
    if not any(scene.phase.asks is not None for scene in b.world.phases):
        return stuck
    with b.when(build.compare("sgt", Op("ctpop", (asked,), asked.kind), 1)):
        b.put("move_limit", build.const(1))
        with around(b, active) as (at, label):
            with b.when(has(asked, at)):
                (found,) = b.call(
                    moves_function(b.unit), (CTX, work, build.const(0), at, build.const(0, I32)), (I32,)
                )
                with b.when(build.compare("ne", found, 0), unlikely=True):
                    b.stop(found)
                with b.when(build.compare("eq", b.get("move_count", I64), 0)):
                    b.set(stuck, at)
                    b.leave(label)
        b.put("move_limit", build.const(1 << 62))
    return stuck


def reset_stuck_cycle(b: Body) -> None:
    """Forget the stuck players: somebody has chosen since."""
    b.put("stuck_moment_count", build.const(0))
    b.put("stuck_streak", build.const(0))


def mark_stuck(b: Body, base: Expression, player: Expression) -> None:
    """Mark a chooser who cannot move as stuck; a cycle of stuck players ends the game."""
    fields = b.plan.header
    words = [build.widen(b.load(base, fields[name], I32), I64) for name in ("turn", "phase", "active")]
    moment: Expression = build.widen(player, I64)
    for word in words:
        moment = build.binary("add", build.binary("mul", moment, 4096), build.binary("add", word, 1))
    now = b.let(moment)
    seen, count = b.get("stuck_moments", PTR), b.get("stuck_moment_count", I64)
    in_circle = b.variable(build.const(0, I1), "circle")
    with b.count(count) as (at, label):
        with b.when(build.compare("eq", b.load_word(seen, at), now)):
            b.set(in_circle, build.const(1, I1))
            b.leave(label)
    with b.when(in_circle):
        b.store(base, fields["ended"], build.const(2, I32))
        b.store(base, fields["winners"], everybody(b))
        b.store(base, fields["stage"], build.const(OVER, I32))
    with b.otherwise():
        told = b.get("stuck_streak", I64)
        b.fault_if(build.compare("sge", told, MOST_STUCK), "TG0506")
        b.put("stuck_streak", build.binary("add", told, 1))
        b.store(seen, b.let(build.binary("mul", count, 8)), now)
        b.put("stuck_moment_count", build.binary("add", count, 1))
        # Each player is in the list once, plus the current one: the list has enough entries.
        stuck = b.load(base, fields["stuck_count"], I32)
        b.store(
            base,
            b.let(build.binary("add", build.widen(stuck, I64), fields["stuck"])),
            build.widen(player, I8),
        )
        b.store(base, fields["stuck_count"], build.binary("add", stuck, 1))
        b.store(base, fields["stage"], build.const(STUCK_STAGE, I32))


def _take_move(b: Body, chosen: Expression) -> tuple[Expression, Expression]:
    """Copy the choices of a listed move; returns whether it may fail, and the number of choices."""
    row = b.load_word(b.get("index", PTR), chosen, PTR)
    head = b.load(row, 0, I64)
    length = b.let(Op("and", (head, build.const(0xFFFFFFFF)), I64))
    b.copy(b.get("choices", PTR), b.let(build.address(row, 8)), b.let(build.binary("mul", length, 8)))
    return b.let(build.compare("ne", build.binary("lshr", head, 32), 0)), length


@emitted("step")
def step_function(unit: Unit) -> None:
    """Answer the open question and those after it, each candidate with the same probability."""
    length, chooser = Local("length", I64), Local("chooser", I32)
    b = Body(unit, "step", (length, chooser))
    count = b.variable(b.get("need_count", I64), "count")
    mark = b.get("saved", PTR)
    size = b.let(build.binary("mul", count, 8))
    end = b.let(build.address(mark, size))
    full = build.compare("sge", build.binary("add", length, 1), b.get("choice_capacity", I64))
    with b.when(build.either(full, build.compare("ugt", end, b.get("saved_end", PTR))), unlikely=True):
        b.stop(GROW)
    b.copy(mark, b.get("need_values", PTR), size)
    b.put("saved", end)
    status = b.variable(build.const(FAILED, I32), "status")
    after = b.let(build.binary("add", length, 1))
    with b.loop("draw") as draw:
        with b.when(build.compare("eq", count, 0)):
            b.leave(draw)
        (chosen,) = b.call(need_below(unit), (CTX, count), (I64,))
        place = b.let(build.address(mark, build.binary("mul", chosen, 8)))
        b.store(b.get("choices", PTR), b.let(build.binary("mul", length, 8)), b.load(place, 0, I64))
        b.set(count, build.binary("sub", count, 1))
        b.store(place, 0, b.load_word(mark, count))
        b.put("choice_count", after)
        (ran,) = b.call(run_on_function(unit), (CTX, BLOCK, after), (I32,))
        b.set(status, ran)
        asks_on = build.compare("eq", b.get("need_chooser", I32), chooser)
        with b.when(build.both(build.compare("eq", ran, NEED), asks_on)):
            (then,) = b.call("step", (CTX, BLOCK, after, chooser), (I32,))
            b.set(status, then)
        with b.when(build.compare("ne", status, FAILED)):
            b.leave(draw)
    b.put("saved", mark)
    b.give(status)
    b.finish()


@emitted("run_on")
def run_on_function(unit: Unit) -> None:
    """Run the choices with drawn chance; to fail after chance is a fault."""
    length = Local("length", I64)
    b = Body(unit, "run_on", (length,))
    b.put("draws_chance", build.const(1, I32))
    if _has_chance(unit):
        after = build.select(build.compare("eq", length, 0), build.const(SPENT, I32), build.const(LAST, I32))
        b.put(
            "draws_chance",
            build.widen(build.compare("slt", b.get("limit_state", I32), after), I32, signed=False),
        )
    with b.when(build.compare("sgt", length, 0)):
        b.put("chance_streak", build.const(0, I32))  # a player has chosen
    b.put("unhandled", build.const(0, I32))
    base = b.get("base", PTR)
    status = b.variable(build.const(0, I32), "status")
    with b.loop("tries") as tries:
        begin(b, fuel=True)
        (found,) = b.call(transact_function(b.unit), (CTX, BLOCK), (I32,))
        b.set(status, found)
        failed = build.compare("eq", found, FAILED)
        is_stuck = build.compare("eq", header(b, base, "stage"), STUCK_STAGE)
        again = build.both(build.both(failed, is_stuck), build.compare("eq", b.get("unhandled", I32), 0))
        with b.when(build.negate(again)):
            b.leave(tries)
        b.put("unhandled", build.const(1, I32))
    b.put("unhandled", build.const(0, I32))
    drawn = build.compare("sgt", b.get("choice_count", I64), length)
    with b.when(build.both(build.compare("eq", status, FAILED), drawn), unlikely=True):
        b.fault("TG0512")
    b.give(status)
    b.finish()


def _go_on(b: Body, status: Expression, playout: _Playout) -> None:
    """Continue after a run: its block is the new base, or another chooser has a question."""
    with b.when(build.compare("eq", status, FINE)):
        _log_choices(b)
        base = b.get("base", PTR)
        with b.when(build.compare("eq", header(b, base, "stage"), STUCK_STAGE)):
            with b.when(build.compare("sgt", b.get("choice_count", I64), 0)):
                reset_stuck_cycle(b)  # chance ends a cycle of stuck players
        b.put("base", playout.work)
        b.set(playout.work, base)
        b.set(playout.prefix, build.const(0))
        b.set(playout.under_way, build.const(0, I1))
    with b.otherwise():
        with b.when(build.compare("eq", status, NEED)):
            b.set(playout.prefix, b.get("choice_count", I64))
            b.set(playout.chooser, b.get("need_chooser", I32))
            b.set(playout.under_way, build.const(1, I1))
        with b.otherwise():
            with b.when(build.compare("eq", status, FAILED)):
                b.fault("TG0512")
            b.stop(status)


def _log_choices(b: Body) -> None:
    """Append the choices of a complete transaction to the log of the game, if the caller has given one."""
    with b.when(build.compare("ne", b.get("game_log", I64), 0), unlikely=True):
        log, count = b.get("game_log", PTR), b.get("choice_count", I64)
        size = b.let(build.binary("mul", count, 8))
        end = b.let(build.address(log, build.binary("add", size, 8)))
        with b.when(build.compare("ugt", end, b.get("game_log_end", PTR)), unlikely=True):
            b.stop(GROW)
        b.store(log, 0, count)
        b.copy(b.let(build.address(log, 8)), b.get("choices", PTR), size)
        b.put("game_log", end)


def _log_count(b: Body, playout: _Playout, runs: Expression) -> None:
    """Append the number of legal moves to the log of counts, if the caller has given one."""
    has_log = build.compare("ne", b.get("count_log", I64), 0)
    with b.when(build.both(has_log, build.compare("eq", runs, 0)), unlikely=True):
        log = b.get("count_log", PTR)
        end = b.let(build.address(log, build.const(8)))
        with b.when(build.compare("ugt", end, b.get("count_log_end", PTR))):
            b.stop(GROW)
        arguments = (CTX, playout.work, playout.prefix, playout.chooser, build.const(LIST, I32))
        (status,) = b.call(moves_function(b.unit), arguments, (I32,))
        with b.when(build.compare("ne", status, 0)):
            b.stop(status)
        with b.when(build.compare("ne", b.get("move_count", I64), 0)):  # otherwise the player is stuck
            b.store(log, 0, b.get("move_count", I64))
            b.put("count_log", end)
