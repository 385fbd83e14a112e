"""Random games: moves and choices of chance are sampled up to the end of the game."""

from msgspec import Struct

from ludograph.tgdl.native.ir.builder import address, const, select, widen
from ludograph.tgdl.native.ir.nodes import I1, I8, I32, I64, PTR, Expression, Local, Op
from ludograph.tgdl.native.layout.choice_words import parts_offered
from ludograph.tgdl.native.layout.interface import LIST, SAMPLE, record_size
from ludograph.tgdl.native.layout.status import FAILED, FINE, GROW, NEED, STOPPED
from ludograph.tgdl.native.lower.actions.chance import need_below
from ludograph.tgdl.native.lower.actions.offers import leading_inputs, make_probe, opener_word
from ludograph.tgdl.native.lower.actions.transactions import transact_function
from ludograph.tgdl.native.lower.actions.turns import asked_function, is_simultaneous
from ludograph.tgdl.native.lower.driver.candidate_index import (
    CandidateRow,
    draw_sample,
    is_exact_row,
    offered_function,
    rows_of,
    total_of,
)
from ludograph.tgdl.native.lower.driver.explore import (
    attempt_function,
    begin_budgets,
    header,
    moves_function,
    save,
    take_move,
)
from ludograph.tgdl.native.lower.driver.rejection_sampling import (
    CandidateRange,
    candidate_function,
    candidate_ranges,
    ready_function,
)
from ludograph.tgdl.native.lower.emitter import Emitter, routine
from ludograph.tgdl.native.lower.routine import BLOCK, CTX
from ludograph.tgdl.native.lower.things.player_sets import around, everybody, first_of, has
from ludograph.tgdl.native.lower.unit import CompilationUnit
from ludograph.tgdl.native.optimise.effects import ActionEffects, is_combinatorial
from ludograph.tgdl.program import Action, Apply, Mutate, Random
from ludograph.tgdl.program.events import Event
from ludograph.tgdl.world.analysis import walk_program
from ludograph.tgdl.world.limits import MAX_STUCK
from ludograph.tgdl.world.memory import CHOOSING, OVER, STUCK_STAGE

MAX_REJECTED = 48
"""The number of rejected samples before all moves are listed."""
LAST, SPENT = 1, 2
"""The states of a game with a move limit: at its last move, and after it."""


def make_players(unit: CompilationUnit) -> None:
    """Emit the exported functions for random games."""
    _make_playout(unit)
    _make_batch(unit)


@routine("batch", (PTR, PTR, I64, I64, I64, PTR, PTR), exported=True)
def _make_batch(
    b: Emitter, own: Local, start: Local, first: Local, count: Local, limit: Local, out: Local, done: Local
) -> None:
    """Play many games from one start, each with its own generator; one record per game.

    Stores the number of finished games; the game after them stopped with the status.
    """
    header, size = b.plan.header, record_size(b.world.players)
    length = b.load(start, header["heap_top"], I64)
    with b.count(count) as (at, _):
        b.store(done, 0, at)
        b.copy(own, start, length)
        b.put("base", own)
        seed_generator(b, b.let(first + at))
        b.run("playout", (limit,))
        base = b.get("base", PTR)
        to = b.let(address(out, at * size))
        b.store(to, 0, b.get("played", I64))
        b.store(to, 8, widen(b.load(base, header["ended"], I32), I64))
        b.store(to, 16, b.load(base, header["winners"], b.plan.seats))
        b.copy(
            b.let(address(to, 16 + b.plan.seats.size)),
            b.let(address(base, b.plan.payoffs)),
            8 * b.world.players,
        )
    b.store(done, 0, count)
    b.done()


def seed_generator(b: Emitter, seed: Expression) -> None:
    """Seed the generator with splitmix64."""
    at = b.variable(seed, "seed")
    place = b.plan.context["rng"]
    for number in range(4):
        b.set(at, at + -7046029254386353131)
        mixed = b.let(at)
        mixed = b.let(_mixed(mixed, 30, -4658895280553007687))
        mixed = b.let(_mixed(mixed, 27, -7723592293110705685))
        b.store(CTX, place + 8 * number, mixed ^ (mixed >> 31))


def _mixed(value: Expression, bits: int, factor: int) -> Expression:
    return (value ^ (value >> bits)) * factor


class Playout(Struct, frozen=True):
    """The variables of a playout."""

    work: Local
    """The block to run in; the other block is the base."""
    prefix: Local
    """The number of choices since the base."""
    chooser: Local
    under_way: Local
    """Whether a transaction waits for its next choice."""


@routine("playout", (I64,), exported=True)
def _make_playout(b: Emitter, limit: Local) -> None:
    """Play at random from the base to the end or up to a limit of moves."""
    begin_playout(b)
    b.run(play_on_function(b.unit), (limit, const(0), const(-1, I32)))
    b.done()


def begin_playout(b: Emitter) -> None:
    """Set the fields of the context for a game that begins at the base."""
    b.put("played", const(0))
    b.put("chance_streak", const(0, I32))
    reset_stuck_cycle(b)
    begin_budgets(b)
    b.put("unhandled", const(0, I32))
    b.put("move_limit", const(1 << 62))
    b.put("limit_state", const(0, I32))


@routine("play_on", (I64, I64, I32))
def play_on_function(b: Emitter, limit: Local, given: Local, asked: Local) -> None:
    """Play at random, each complete move with the same probability, to the end or up to a limit of moves.

    The game continues after `given` choices since the base; if there are any, `asked` has to choose next.
    After the last move stuck players are still resolved, as after any move, but chance is not drawn any
    more.
    """
    work = b.variable(BLOCK, "work")
    prefix = b.variable(given, "prefix")
    chooser = b.variable(asked, "chooser")
    under_way = b.variable(given > 0, "under_way")
    playout = Playout(work, prefix, chooser, under_way)
    before_last = b.let(limit - 1)
    with b.loop("game") as game:
        with b.when(b.get("played", I64) >= before_last, unlikely=True):
            is_spent = b.let(b.get("played", I64) >= limit)
            b.put("limit_state", select(is_spent, const(SPENT, I32), const(LAST, I32)))
            b.leave_if(is_spent & under_way, game)
        b.stop_if(b.get("stop", I64).ne(0), STOPPED)
        base = b.get("base", PTR)
        runs = b.variable(const(0, I32), "runs")
        with b.when(~under_way):
            stage = header(b, base, "stage")
            b.leave_if(stage.eq(OVER), game)
            with b.when(stage.ne(CHOOSING)):
                b.set(runs, const(1, I32))
                b.put("choice_count", const(0))
            with b.otherwise():
                stuck = find_chooser(b, base, work, chooser)
                with b.when(stuck >= 0):
                    mark_stuck(b, base, stuck)
                    b.again(game)
                with b.when(b.get("limit_state", I32).eq(SPENT), unlikely=True):
                    _end_or_mark_stuck(b, playout, game)
        _log_count(b, playout, runs)
        rows = rows_of(b.unit)
        if rows:
            may = runs.eq(0) & ~under_way
            with b.when(may & b.get("list_mode", I32).eq(SAMPLE)):
                _draw_offer(b, rows, playout, game)
        ranges = candidate_ranges(b.unit)
        if ranges:
            may = runs.eq(0) & ~under_way
            with b.when(may & b.get("list_mode", I32).eq(SAMPLE)):
                _sample_by_rejection(b, ranges, playout, game)
        with b.when(runs.eq(0)):
            way = b.get("list_mode", I32)
            b.refuel()
            b.run(moves_function(b.unit), (prefix, chooser, way), block=work)
            b.put("trial_fuel", b.get("fuel", I64))
            with b.loop("draw") as draw:
                count = b.get("move_count", I64)
                with b.when(count.eq(0)):
                    with b.when(under_way, unlikely=True):
                        b.put("choice_count", prefix)
                        b.fault("TG0512")
                    pay_for_test(b, b.get("trial_fuel", I64))
                    mark_stuck(b, base, chooser)
                    b.leave(draw)
                (chosen,) = b.call(need_below(b.unit), (CTX, count), (I64,))
                unsure, length = take_move(b, b.load_word(b.get("index", PTR), chosen, PTR))
                b.put("choice_count", length)
                with b.when(~(under_way | unsure)):
                    run_in_place(b, game)
                (ran,) = b.call(run_on_function(b.unit), (CTX, work, length), (I32,))
                found = b.variable(ran, "found")
                if any(is_combinatorial(action) for action in b.world.program.actions):
                    asks_on = b.get("need_chooser", I32).eq(chooser)
                    with b.when(unsure & (ran.eq(NEED) & asks_on)):
                        (then,) = b.call(step_function(b.unit), (CTX, work, length, chooser), (I32,))
                        b.set(found, then)
                with b.when(unsure & found.eq(FAILED)):
                    # The move failed: draw among the others.
                    _check_trials(b)
                    last = b.let(count - 1)
                    index = b.get("index", PTR)
                    b.store(index, b.let(chosen * 8), b.load_word(index, last, PTR))
                    b.put("move_count", last)
                    b.again(draw)
                b.put("played", b.get("played", I64) + 1)
                reset_stuck_cycle(b)
                go_on(b, found, playout)
                b.leave(draw)
        with b.otherwise():
            (found,) = b.call(run_on_function(b.unit), (CTX, work, const(0)), (I32,))
            go_on(b, found, playout)
    b.done()


def _end_or_mark_stuck(b: Emitter, playout: Playout, game: str) -> None:
    """After the last move: end if the chooser can move, otherwise mark the player as stuck."""
    b.put("move_limit", const(1))
    b.refuel()
    b.run(moves_function(b.unit), (const(0), playout.chooser, const(LIST, I32)), block=playout.work)
    b.leave_if(b.get("move_count", I64).ne(0), game)
    pay_for_test(b, b.get("fuel", I64))
    mark_stuck(b, b.get("base", PTR), playout.chooser)
    b.again(game)


def _draw_offer(b: Emitter, rows: list[CandidateRow], playout: Playout, game: str) -> None:
    """Sample from the candidate index until an instance is offered; continue if none is."""
    unit = b.unit
    b.begin_run()
    count = sum(row.words for row in rows)
    base = b.get("base", PTR)
    found = b.run(offered_function(unit, rows), (playout.chooser,), [I64] * (count + 1), block=base)
    words = [b.variable(word, "offered") for word in found[:-1]]
    quiet = _find_quiet_actions(unit)
    if not all(quiet[row.offer.action] for row in rows):
        b.put("trial_fuel", b.get("full_fuel", I64))
    with b.when(found[-1].ne(0), unlikely=True):
        for word in words:
            b.set(word, const(0))  # a test raises a fault: listing all moves reports it
    with b.loop("draws") as draws:
        total = b.let(total_of(words))
        b.leave_if(total.eq(0), draws)
        (below,) = b.call(need_below(unit), (CTX, total), (I64,))
        sample = draw_sample(b, rows, words, below)
        opener = b.variable(const(-1), "opener")
        with b.when(is_exact_row(rows, sample)):
            for number, row in enumerate(rows):
                if row.is_exact:
                    with b.when(sample.row.eq(number)):
                        b.set(opener, _opener(b, row, playout.chooser, widen(sample.number, I32)))
        if not all(row.is_exact for row in rows):
            with b.otherwise():
                arguments = (playout.chooser, widen(sample.place, I32))
                (word,) = b.run(probe_function(unit), arguments, (I64,), block=b.get("base", PTR))
                with b.when(word < 0):
                    b.again(draws)
                b.set(opener, word)
        b.store(b.get("choices", PTR), 0, opener)
        b.put("choice_count", const(1))
        run_in_place(b, game)
        left = b.let(b.get("fuel", I64))
        (ran,) = b.call(run_on_function(unit), (CTX, playout.work, const(1)), (I32,))
        with b.when(ran.ne(FAILED)):
            b.put("played", b.get("played", I64) + 1)
            reset_stuck_cycle(b)
            go_on(b, ran, playout)
            b.again(game)
        _check_trials(b)
        b.put("fuel", left)


def _sample_by_rejection(b: Emitter, ranges: list[CandidateRange], playout: Playout, game: str) -> None:
    """Draw candidates until one is a move; give up after too many rejections or a fault."""
    unit = b.unit
    b.begin_run()
    b.put("trial_fuel", b.get("full_fuel", I64))
    arguments = (CTX, b.get("base", PTR), playout.chooser)
    status, total, known = b.call(ready_function(unit, ranges), arguments, (I32, I64, I64))
    with b.when(status.eq(0) & total.ne(0)):
        with b.count(const(MAX_REJECTED)) as (_, label):
            b.put("arena", b.get("arena_start", PTR))
            (candidate,) = b.call(need_below(unit), (CTX, total), (I64,))
            status, count, opener, choice = b.call(
                candidate_function(unit, ranges),
                (CTX, b.get("base", PTR), playout.chooser, candidate, known),
                (I32, I64, I64, I64),
            )
            with b.when(status.ne(0), unlikely=True):
                b.leave(label)
            with b.when(count.ne(0)):
                choices = b.get("choices", PTR)
                b.store(choices, 0, opener)
                b.store(choices, 8, choice)
                b.put("choice_count", count)
                run_in_place(b, game)
                left = b.let(b.get("fuel", I64))
                (ran,) = b.call(run_on_function(unit), (CTX, playout.work, count), (I32,))
                with b.when(ran.ne(FAILED)):
                    b.put("played", b.get("played", I64) + 1)
                    reset_stuck_cycle(b)
                    go_on(b, ran, playout)
                    b.again(game)
                # Candidates may be drawn twice, so the list decides when this takes too long.
                b.leave_if(b.get("trial_fuel", I64) < 0, label)
                b.put("fuel", left)


def _opener(b: Emitter, row: CandidateRow, player: Expression, this: Expression) -> Expression:
    part = row.offer.part
    number = 0 if part is None else parts_offered(b.world, row.offer.action).index(part) + 1
    return b.let(opener_word(row.offer.action, number, player, this))


def run_in_place(b: Emitter, game: str) -> None:
    """Execute a move that can neither fail nor ask on the base itself, without a copy.

    A fault destroys the base; then the game is played again on copies.
    """
    quiet = _find_quiet_actions(b.unit)
    if not any(quiet):
        return
    may = b.get("in_place", I32).ne(0)
    if has_chance(b.unit):
        may = may & b.get("limit_state", I32).eq(0)
    offered = {offer.action for offer in b.world.offers}
    if not all(quiet[action_index] for action_index in offered):
        action_index = b.let(b.load(b.get("choices", PTR), 0, I64) & 0xFFFF)
        flags = b.unit.data(bytes(quiet), hint="quiet")
        may = may & b.load(flags, action_index, I8, constant=True).ne(0)
    with b.when(may):
        b.put("draws_chance", const(1, I32))
        b.put("chance_streak", const(0, I32))
        b.begin_run()
        b.put("test_fuel", b.get("fuel", I64))
        b.run(transact_function(b.unit), block=b.get("base", PTR))
        _log_choices(b)
        b.put("event_fuel", b.get("fuel", I64))
        b.put("played", b.get("played", I64) + 1)
        reset_stuck_cycle(b)
        b.again(game)


def has_chance(unit: CompilationUnit) -> bool:
    """Whether the program has any choice of chance."""
    return any(
        isinstance(node, Random) or (isinstance(node, Apply | Mutate) and node.operation.facts.takes_chance)
        for node in walk_program(unit.world.program)
    )


def _find_quiet_actions(unit: CompilationUnit) -> list[bool]:
    """For each action, whether it can neither fail nor ask."""
    if is_simultaneous(unit):
        return [False] * len(unit.world.program.actions)
    return [
        _is_quiet(unit.effects.of(action_index.action), action_index.action)
        for action_index in unit.world.actions.every()
    ]


def _is_quiet(known: ActionEffects, action: Action) -> bool:
    return not known.fails and not known.asks and leading_inputs(action) == len(action.inputs)


@routine("probe", (I32, I32), gives=(I64,))
def probe_function(b: Emitter, player: Local, place: Local) -> None:
    make_probe(b, Event.CHOICE.kind, player, place, lambda b, action, words: b.done(words[0]))
    b.done(const(-1))


def find_chooser(b: Emitter, base: Expression, work: Expression, chooser: Local) -> Expression:
    """Find the first chooser; returns the first of several choosers who cannot move, or -1.

    The tests of all choosers share one budget of fuel, as on the reference engine.
    """
    b.put("arena", b.get("arena_start", PTR))
    b.put("choice_count", const(0))  # a fault from here on belongs to the base
    can_ask_several = any(scene.phase.asks is not None for scene in b.world.phases)
    if can_ask_several:
        b.refuel_from("test_fuel")
    (asked,) = b.run(asked_function(b.unit), (), (b.plan.seats,), block=base)
    active = b.load(base, b.plan.header["active"], I32)
    b.set(chooser, first_of(b, asked, active))
    stuck = b.variable(const(-1, I32), "stuck")
    if not can_ask_several:
        return stuck
    with b.when(Op("ctpop", (asked,), asked.kind) > 1):
        b.put("move_limit", const(1))
        with around(b, active) as (at, label):
            with b.when(has(asked, at)):
                b.run(moves_function(b.unit), (const(0), at, const(LIST, I32)), block=work)
                with b.when(b.get("move_count", I64).eq(0)):
                    b.set(stuck, at)
                    b.leave(label)
        b.put("move_limit", const(1 << 62))
    b.put("test_fuel", b.get("fuel", I64))
    return stuck


def pay_for_test(b: Emitter, left: Expression) -> None:
    """Pay from the budget of the tests for a list that found no move, by what the list has left."""
    rest = b.let(b.get("test_fuel", I64) - (b.get("full_fuel", I64) - left))
    b.put("test_fuel", rest)
    b.fault_if(rest < 0, "TG0506")


def _check_trials(b: Emitter) -> None:
    """The moves of one list that are tried in vain share the budget of the list."""
    b.fault_if(b.get("trial_fuel", I64) < 0, "TG0506")


def reset_stuck_cycle(b: Emitter) -> None:
    """Forget the stuck players: somebody has chosen since."""
    b.put("stuck_moment_count", const(0))
    b.put("stuck_streak", const(0))


def mark_stuck(b: Emitter, base: Expression, player: Expression) -> None:
    """Mark a chooser who cannot move as stuck; a cycle of stuck players ends the game."""
    fields = b.plan.header
    words = [widen(b.load(base, fields[name], I32), I64) for name in ("turn", "phase", "active")]
    moment: Expression = widen(player, I64)
    for word in words:
        moment = moment * 4096 + (word + 1)
    now = b.let(moment)
    seen, count = b.get("stuck_moments", PTR), b.get("stuck_moment_count", I64)
    with b.when(b.exists(count, lambda at: b.load_word(seen, at).eq(now))):
        b.store(base, fields["ended"], const(2, I32))
        b.store(base, fields["winners"], everybody(b))
        b.store(base, fields["stage"], const(OVER, I32))
    with b.otherwise():
        streak = b.get("stuck_streak", I64)
        b.fault_if(streak >= MAX_STUCK, "TG0506")
        b.put("stuck_streak", streak + 1)
        b.store(seen, b.let(count * 8), now)
        b.put("stuck_moment_count", count + 1)
        # Each player is in the list once, plus the current one: the list has enough entries.
        stuck = b.load(base, fields["stuck_count"], I32)
        b.store(base, b.let(widen(stuck, I64) + fields["stuck"]), widen(player, I8))
        b.store(base, fields["stuck_count"], stuck + 1)
        b.store(base, fields["stage"], const(STUCK_STAGE, I32))


@routine("step", (I64, I32))
def step_function(b: Emitter, length: Local, chooser: Local) -> None:
    """Answer the open question and those after it, each candidate with the same probability."""
    count = b.variable(b.get("need_count", I64), "count")
    b.stop_if(length + 1 >= b.get("choice_capacity", I64), GROW)
    mark = save(b, b.get("need_values", PTR), b.let(count * 8))
    status = b.variable(const(FAILED, I32), "status")
    after = b.let(length + 1)
    with b.loop("draw") as draw:
        b.leave_if(count.eq(0), draw)
        (chosen,) = b.call(need_below(b.unit), (CTX, count), (I64,))
        place = b.let(address(mark, chosen * 8))
        b.store(b.get("choices", PTR), b.let(length * 8), b.load(place, 0, I64))
        b.set(count, count - 1)
        b.store(place, 0, b.load_word(mark, count))
        b.put("choice_count", after)
        (ran,) = b.call(run_on_function(b.unit), (CTX, BLOCK, after), (I32,))
        b.set(status, ran)
        asks_on = b.get("need_chooser", I32).eq(chooser)
        with b.when(ran.eq(NEED) & asks_on):
            (then,) = b.call("step", (CTX, BLOCK, after, chooser), (I32,))
            b.set(status, then)
        b.leave_if(status.ne(FAILED), draw)
        _check_trials(b)
    b.put("saved", mark)
    b.give(status)


@routine("run_on", (I64,))
def run_on_function(b: Emitter, length: Local) -> None:
    """Run the choices with drawn chance; to fail after chance is a fault.

    What a player has chosen begins a budget; otherwise the run has what is left of the last transaction.
    """
    b.put("draws_chance", const(1, I32))
    if has_chance(b.unit):
        after = select(length.eq(0), const(SPENT, I32), const(LAST, I32))
        b.put("draws_chance", widen(b.get("limit_state", I32) < after, I32, signed=False))
    with b.when(length > 0):
        b.put("chance_streak", const(0, I32))  # a player has chosen
        begin_budgets(b)
    (status,) = b.call(attempt_function(b.unit), (CTX, BLOCK), (I32,))
    drawn = b.get("choice_count", I64) > length
    with b.when(status.eq(FAILED), unlikely=True):
        b.fault_if(drawn, "TG0512")
        spent = b.get("full_fuel", I64) - b.get("event_fuel", I64)
        b.put("trial_fuel", b.get("trial_fuel", I64) - spent)
    b.give(status)


def go_on(b: Emitter, status: Expression, playout: Playout) -> None:
    """Continue after a run: its block is the new base, or another chooser has a question."""
    with b.when(status.eq(FINE)):
        _log_choices(b)
        base = b.get("base", PTR)
        with b.when(header(b, base, "stage").eq(STUCK_STAGE)):
            with b.when(b.get("choice_count", I64) > 0):
                reset_stuck_cycle(b)  # chance ends a cycle of stuck players
        b.put("base", playout.work)
        b.set(playout.work, base)
        b.set(playout.prefix, const(0))
        b.set(playout.under_way, const(0, I1))
    with b.otherwise():
        with b.when(status.eq(NEED)):
            b.set(playout.prefix, b.get("choice_count", I64))
            b.set(playout.chooser, b.get("need_chooser", I32))
            b.set(playout.under_way, const(1, I1))
        with b.otherwise():
            with b.when(status.eq(FAILED)):
                b.fault("TG0512")
            b.stop(status)


def _log_choices(b: Emitter) -> None:
    """Append the choices of a complete transaction to the log of the game, if the caller has given one."""
    with b.when(b.get("game_log", I64).ne(0), unlikely=True):
        log, count = b.get("game_log", PTR), b.get("choice_count", I64)
        size = b.let(count * 8)
        end = b.let(address(log, size + 8))
        b.stop_if(end.ugt(b.get("game_log_end", PTR)), GROW)
        b.store(log, 0, count)
        b.copy(b.let(address(log, 8)), b.get("choices", PTR), size)
        b.put("game_log", end)


def _log_count(b: Emitter, playout: Playout, runs: Expression) -> None:
    """Append the number of legal moves to the log of counts, if the caller has given one."""
    with b.when(b.get("count_log", I64).ne(0) & runs.eq(0), unlikely=True):
        log = b.get("count_log", PTR)
        end = b.let(address(log, 8))
        b.stop_if(end.ugt(b.get("count_log_end", PTR)), GROW)
        arguments = (CTX, playout.work, playout.prefix, playout.chooser, const(LIST, I32))
        b.refuel()
        (status,) = b.call(moves_function(b.unit), arguments, (I32,))
        b.stop_if(status.ne(0), status)
        with b.when(b.get("move_count", I64).ne(0)):  # otherwise the player is stuck
            b.store(log, 0, b.get("move_count", I64))
            b.put("count_log", end)
