"""Committing a move from Python: it is validated and executed, and stuck players are resolved.

Everything is validated: the action must be offered to its player, and every further choice must be a
candidate of the question that it answers. Stuck players are resolved as on the reference engine, so that
every chooser can move afterwards. The base of a move is never written.
"""

import struct
from collections.abc import Callable, Mapping
from itertools import islice

from ludograph.tgdl import program as p
from ludograph.tgdl.native.ir.builder import address, const, select, widen
from ludograph.tgdl.native.ir.nodes import F64, I1, I32, I64, PTR, Expression, Local, Statement, compare
from ludograph.tgdl.native.layout.choice_words import parts_offered
from ludograph.tgdl.native.layout.interface import ACTIVE, ANY, LIST, OWN, PARTIAL, WATCHES
from ludograph.tgdl.native.layout.status import FAILED, FAULT, FINE, GROW, NEED, STOPPED
from ludograph.tgdl.native.lower.actions.chance import CHANCE
from ludograph.tgdl.native.lower.actions.offers import (
    is_conditional,
    owners_of_offer,
    probe_instance,
    probe_offer,
    probe_offers,
    trigger_of,
)
from ludograph.tgdl.native.lower.actions.transactions import transact_function
from ludograph.tgdl.native.lower.actions.turns import asked_function, is_simultaneous
from ludograph.tgdl.native.lower.driver.explore import attempt_function, begin, header
from ludograph.tgdl.native.lower.driver.explore import moves_function as moves_of
from ludograph.tgdl.native.lower.driver.random_games import mark_stuck, reset_stuck_cycle
from ludograph.tgdl.native.lower.emitter import Emitter, routine
from ludograph.tgdl.native.lower.routine import BLOCK, CTX
from ludograph.tgdl.native.lower.things.player_sets import around, has, nobody
from ludograph.tgdl.native.lower.unit import CompilationUnit
from ludograph.tgdl.program.events import OFFERING, Event
from ludograph.tgdl.program.operations import Operation
from ludograph.tgdl.world.analysis import never_none, walk_with_calls
from ludograph.tgdl.world.memory import CHOOSING, STUCK_STAGE
from ludograph.tgdl.world.world import ActionOffer


def make_committers(unit: CompilationUnit) -> None:
    """Emit the exported functions for a move, for stuck players, and for a script of moves."""
    _make_commit(unit)
    _make_resolve_stuck_from(unit)
    _make_replay(unit)


def _unpacked(b: Emitter, request: Expression) -> list[Expression]:
    """The fields of a request, in order."""
    found = []
    for shift, bits in ((0, 14), (14, 14), (28, 14), (42, 9), (51, 1)):
        mask = const((1 << bits) - 1)
        found.append(b.let((request >> shift) & mask))
    return found


@routine("commit", (PTR, PTR, I64), exported=True)
def _make_commit(b: Emitter, start: Local, words: Local, request: Local) -> None:
    """Commit a move on a base: all its choices since the base, and a request word.

    After the choices come as many words with the question that each of them answers. If the request has
    `WATCHES`, the required change of a number of the active player follows.
    """
    b.put("base", start)
    count = _unpacked(b, request)[2]
    b.stop_if(count >= b.get("choice_capacity", I64), GROW)
    length = b.let(count * 8)
    b.copy(b.get("choices", PTR), words, length)
    questions = b.let(address(words, length))
    (status,) = b.call(step_function(b.unit), (CTX, BLOCK, request, questions), (I32,))
    is_watched = (request & const(WATCHES)).ne(0)
    with b.when(status.eq(FINE) & is_watched):
        watch = b.let(address(questions, length))
        active = header(b, start, "active")
        _check_watch(b, watch, start, active)
    b.give(status)


@routine("commit.step", (I64, PTR))
def step_function(b: Emitter, request: Local, questions: Local) -> None:
    """The function that makes a move on the base of the context, with the choices there; returns a status."""
    made, own, count, who, draws = _unpacked(b, request)
    base, choices = b.get("base", PTR), b.get("choices", PTR)
    player = b.variable(widen(who, I32) - 2, "player")
    with b.when(player.eq(ACTIVE)):
        b.set(player, header(b, base, "active"))
    b.put("unhandled", const(0, I32))
    b.put("move_limit", const(1 << 62))
    at = b.variable(made, "at")
    with b.when(made.eq(0) & header(b, base, "stage").eq(CHOOSING)):
        b.stop_if(count.eq(0), FAILED)
        opener = _opener(b, b.load(choices, 0, I64), player)
        b.store(choices, 0, opener)
        # The base is passed as the block of the run, because the function only reads it.
        (is_offered,) = b.run(offered_function(b.unit), (player, opener), (I1,), block=base)
        b.stop_if(~is_offered, FAILED)
        b.set(at, const(1))
    status = b.variable(const(0, I32), "status")
    with b.loop("choices") as label:
        is_last = b.let(at >= count)
        b.put("choice_count", at)
        b.put("draws_chance", select(is_last, widen(draws, I32), const(0, I32)))
        b.put("chance_streak", const(0, I32))
        begin(b, fuel=True)
        (ran,) = b.call(transact_function(b.unit), (CTX, BLOCK), (I32,))
        b.set(status, ran)
        b.leave_if(is_last, label)
        with b.when(ran.ne(NEED), unlikely=True):
            with b.when(ran.eq(FINE)):
                b.stop(FAILED)  # the move is complete before its last choice
            b.stop(ran)
        asked = select(at < own, player, const(CHANCE, I32))
        b.stop_if(b.get("need_chooser", I32).ne(asked), FAILED)
        place = b.let(at * 8)
        question = b.load(questions, place, I64)
        is_other = question.ne(widen(b.get("need_input", I32), I64))
        b.stop_if(question.ne(ANY) & is_other, FAILED)
        b.stop_if(~_is_candidate(b, b.load(choices, place, I64)), FAILED)
        b.set(at, at + 1)
    b.stop_if(status.ne(FINE) & status.ne(NEED), status)
    # Resolving stuck players tries moves, which overwrites these choices.
    b.copy(b.get("committed_choices", PTR), choices, b.let(b.get("choice_count", I64) * 8))
    with b.when(status.eq(NEED)):
        chooser = b.get("need_chooser", I32)
        is_whole = (request & const(PARTIAL)).eq(0)
        is_incomplete = is_whole & (chooser.eq(player) & player.ne(CHANCE))
        b.stop_if(is_incomplete, FAILED)
        b.put("outcome_size", const(0))
        b.put("outcome_chooser", widen(chooser, I64))
        b.put("outcome_count", b.get("choice_count", I64))
        b.stop(NEED)
    b.put("outcome_count", b.get("choice_count", I64))
    (then,) = b.call(resolve_stuck_function(b.unit), (CTX, BLOCK), (I32,))
    b.give(then)


def _opener(b: Emitter, given: Expression, player: Expression) -> Expression:
    """An opener with its player, and with the player's own state if it has `OWN`."""
    word = b.variable(given | (widen(player, I64) << 16), "opener")
    with b.when((given >> 32).eq(OWN)):
        own = (widen(player, I64) + 1) << 32
        b.set(word, (word & 0xFFFFFFFF) | own)
    return word


def _is_candidate(b: Emitter, word: Expression) -> Expression:
    values = b.get("need_values", PTR)
    return b.exists(b.get("need_count", I64), lambda at: b.load_word(values, at).eq(word))


@routine("commit.offered", (I32, I64), gives=(I1,))
def offered_function(b: Emitter, player: Local, opener: Local) -> None:
    """The function that returns whether an action or aside is offered to a player, before its requires."""
    with b.when(player.uge(b.world.players), unlikely=True):
        b.done(const(0, I1))
    b.begin_run()
    (asked,) = b.run(asked_function(b.unit), (), (b.plan.seats,))
    is_asked = b.let(has(asked, player))
    this = b.let(widen(opener >> 32, I32) - 1)
    when = {Event.CHOICE.kind: is_asked, Event.OFFTURN.kind: ~is_asked, Event.ASIDE.kind: const(1, I1)}
    offers: dict[int, list[ActionOffer]] = {}
    for offer in b.world.offers:
        part = 0 if offer.part is None else parts_offered(b.world, offer.action).index(offer.part) + 1
        offers.setdefault(offer.action | part << 24, []).append(offer)
    _look_up_offer(b, offers, opener, player, this, is_asked)
    cases: list[tuple[int, list[Statement]]] = []
    for key, group in offers.items():
        if _is_tabled(b, key, group):
            continue
        has_thing = b.world.program.actions[group[0].action].owner is not None
        with b.apart() as row:
            with b.when(compare("sge" if has_thing else "eq", this, 0 if has_thing else -1)):
                for offer in group:
                    with b.when(when[offer.event]):
                        probe_offer(b, offer, player, lambda b, _, __: b.done(const(1, I1)), this)
        cases.append((key, row))
    with b.apart() as other:
        b.done(const(0, I1))
    b.switch(b.let(opener & 0xFF00FFFF), cases, other)
    b.done(const(0, I1))


PHASES_AT = {event.kind: 8 * place for place, event in enumerate(OFFERING)}
FAMILY_AT, ROW = 24, 32
"""A row of the table for each action: the phases in which it is offered, as bits, and its owners."""


def _is_tabled(b: Emitter, key: int, group: list[ActionOffer]) -> bool:
    """Whether an offer depends only on the phase and the player, so that a table decides it."""
    action = b.world.program.actions[group[0].action]
    is_plain = key == action.index and action.owner is not None and action.index not in b.plan.switched
    return is_plain and len(b.world.phases) < 64 and not any(is_conditional(b, offer) for offer in group)


def _look_up_offer(
    b: Emitter,
    offers: Mapping[int, list[ActionOffer]],
    opener: Expression,
    player: Expression,
    this: Expression,
    is_asked: Expression,
) -> None:
    """Return whether an action of the table is offered; continue for other actions."""
    table = bytearray(ROW * len(b.world.program.actions))
    examples: dict[tuple[str, tuple[int, ...]], int] = {}
    for key, group in offers.items():
        if _is_tabled(b, key, group):
            for offer in group:
                at = ROW * key + PHASES_AT[offer.event]
                (phases,) = struct.unpack_from("<Q", table, at)
                every = range(-1, 63) if offer.phases is None else offer.phases  # -1: there is none
                struct.pack_into("<Q", table, at, phases | sum(1 << phase + 1 for phase in every))
            kind = examples.setdefault(owners_of_offer(b, group[0]), len(examples) + 1)
            struct.pack_into("<q", table, ROW * key + FAMILY_AT, kind)
    if not examples:
        return
    word = b.let(opener & 0xFF00FFFF)
    with b.when(word.ult(len(b.world.program.actions))):
        row = b.let(address(b.unit.data(bytes(table), hint="offers"), word * ROW))
        own = select(is_asked, const(PHASES_AT[Event.CHOICE.kind]), const(PHASES_AT[Event.OFFTURN.kind]))
        phases = b.load(row, b.let(own), I64, constant=True) | b.load(
            row, PHASES_AT[Event.ASIDE.kind], I64, constant=True
        )
        place = (widen(b.head("phase", I32), I64) + 1) & 63
        bit = const(1) << place
        is_now = b.let((phases & bit).ne(0))
        kind_of = b.load(row, FAMILY_AT, I64, constant=True)
        for owners, number in examples.items():
            with b.when(kind_of.eq(number)):
                with b.when(is_now & (this >= 0)):
                    probe_instance(b, owners, this, player)
                b.done(const(0, I1))


@routine("commit.resolve_stuck")
def resolve_stuck_function(b: Emitter) -> None:
    """The function that resolves all stuck players of the block; it leaves the block and the choosers."""
    current = b.variable(BLOCK, "current")
    other = b.variable(b.get("spare_block", PTR), "other")
    status = b.variable(const(FINE, I32), "status")
    b.put("base", current)
    b.put("event_fuel", b.get("fuel", I64))  # what the transaction has left
    b.put("test_fuel", b.get("full_fuel", I64))
    reset_stuck_cycle(b)
    b.put("outcome_mask", nobody(b))
    with b.loop("resolve_stuck") as label:
        b.leave_if(header(b, current, "stage").ne(CHOOSING), label)
        stuck = _find_stuck(b, current, other)
        b.leave_if(stuck < 0, label)
        mark_stuck(b, current, stuck)
        b.leave_if(header(b, current, "stage").ne(STUCK_STAGE), label)
        b.set(status, _run_stuck(b, other))
        b.leave_if(status.ne(FINE), label)
        before = b.let(current)
        b.set(current, other)
        b.set(other, before)
        b.put("base", current)
    b.stop_if(status.ne(FINE) & status.ne(NEED), status)
    with b.when(status.eq(NEED)):
        b.put("outcome_chooser", widen(b.get("need_chooser", I32), I64))
    with b.when(header(b, current, "stage").ne(CHOOSING)):
        b.put("outcome_mask", nobody(b))
    size = header(b, current, "heap_top")
    with b.when(current.ne(BLOCK)):
        b.copy(BLOCK, current, size)
    b.put("outcome_size", size)
    b.give(status)


@routine("resolve_stuck_from", (PTR,), exported=True)
def _make_resolve_stuck_from(b: Emitter, start: Local) -> None:
    """Resolve all stuck players of a loaded block, which is only read."""
    b.copy(BLOCK, start, header(b, start, "heap_top"))
    b.put("unhandled", const(0, I32))
    b.put("move_limit", const(1 << 62))
    b.put("outcome_count", const(0))
    b.refuel()
    (status,) = b.call(resolve_stuck_function(b.unit), (CTX, BLOCK), (I32,))
    b.give(status)


def _find_stuck(b: Emitter, current: Expression, other: Expression) -> Expression:
    """The first chooser who cannot move; -1 if all can."""
    b.put("arena", b.get("arena_start", PTR))
    b.refuel_from("test_fuel")
    (asked,) = b.run(asked_function(b.unit), (), (b.plan.seats,), block=current)
    b.put("outcome_mask", asked)
    b.put("move_limit", const(1))
    stuck = b.variable(const(-1, I32), "stuck")
    with around(b, header(b, current, "active")) as (at, label):
        with b.when(has(asked, at)):
            found, is_not_none = b.call(certain_move_function(b.unit), (CTX, current, at), (I32, I1))
            with b.when(found.eq(FINE) & ~is_not_none):
                arguments = (CTX, other, const(0), at, const(LIST, I32))
                (then,) = b.call(moves_of(b.unit), arguments, (I32,))
                b.set(found, then)
                b.set(is_not_none, b.get("move_count", I64).ne(0))
            with b.when(found.ne(FINE), unlikely=True):
                b.put("move_limit", const(1 << 62))
                b.stop(found)
            with b.when(~is_not_none):
                b.set(stuck, at)
                b.leave(label)
    b.put("move_limit", const(1 << 62))
    b.put("test_fuel", b.get("fuel", I64))
    return stuck


MAX_PROBED_OFFERS = 8
MAX_COUNTED_NODES = 1000
"""Conditions with more nodes are equally expensive: counting them takes too long."""


def _cost(program: p.Program, requires: tuple[p.Require, ...]) -> int:
    """The nodes of some conditions and of the verbs that they call."""
    return sum(1 for _ in islice(walk_with_calls(program, requires), MAX_COUNTED_NODES))


@routine("commit.sure", (I32,), gives=(I1,))
def certain_move_function(b: Emitter, player: Local) -> None:
    """The function that returns whether a player is offered an action that neither asks nor fails."""
    compiled, program = b.world.actions, b.world.program
    actions = program.actions
    offers = [offer for offer in b.world.offers if offer.event == Event.CHOICE.kind]
    certain = [
        offer for offer in offers if compiled[offer.action].safe and not compiled[offer.action].prompts
    ]
    # With the last choice of a simultaneous phase the effects of all others happen too.
    if certain and not is_simultaneous(b.unit):
        b.put("arena", b.get("arena_start", PTR))
        # Tests that may raise a fault always run, because listing the moves would run them.
        risky = [offer for offer in offers if _may_raise(b, offer)]
        can = b.variable(const(0, I1), "can")

        def note(b: Emitter, action: p.Action, _: object) -> None:
            if any(offer.action == action.index for offer in certain):
                b.set(can, const(1, I1))

        probe_offers(b, risky, player, note)
        b.done_if(can, const(1, I1))
        # The cheapest tests come first; the most expensive are left to the listing of moves.
        total = [offer for offer in certain if offer not in risky]
        total.sort(key=lambda each: _cost(program, actions[each.action].requires))
        probe_offers(b, total[:MAX_PROBED_OFFERS], player, lambda b, _, __: b.done(const(1, I1)))
    b.done(const(0, I1))


def _may_raise(b: Emitter, offer: ActionOffer) -> bool:
    """Whether a test of an action without inputs may raise a fault, by static analysis."""
    block = trigger_of(b.world, offer).block
    requires = [each.block for each in b.world.program.actions[offer.action].requires if not each.needs]
    return any(_block_may_raise(each) for each in (*requires, *(() if block is None else (block,))))


def _block_may_raise(block: p.Block) -> bool:
    match block.statements:
        case ():
            return False
        case (p.Return(value),) if value is not None:
            return not _is_total(value)
        case _:
            return True


def _is_total(node: p.Expression) -> bool:
    """Whether an expression never raises a fault; its value may be none."""
    match node:
        case p.Literal() | p.This() | p.Singleton() | p.Setting() | p.Ambient() | p.NamedTile():
            return True
        case p.AttributeOf(target=p.This() | p.Singleton()):
            return True
        case p.Apply(Operation.EQUAL | Operation.IS_NONE):
            return all(map(_is_total, node.operands))
        case p.Apply(Operation.NOT):
            return all(_is_total(each) and never_none(each) for each in node.operands)
        case p.Logic():
            return all(_is_total(each) and never_none(each) for each in (node.left, node.right))
        case _:
            return False


def _run_stuck(b: Emitter, work: Expression) -> Expression:
    """Run the `stuck` event of a player; if it fails, run again without its handlers."""
    status = b.variable(const(0, I32), "ran")
    b.put("choice_count", const(0))
    b.put("draws_chance", const(0, I32))
    (ran,) = b.call(attempt_function(b.unit), (CTX, work), (I32,))
    b.set(status, ran)
    with b.when(status.eq(FAILED), unlikely=True):
        b.put("fault", const(512, I32))
        b.set(status, const(FAULT, I32))
    return status


def _check_watch(b: Emitter, watch: Expression, base: Expression, active: Expression) -> None:
    """Fail unless a number of the active player has changed by the required amount."""
    place = b.load(watch, 0, I64) + b.load(watch, 8, I64) * widen(active, I64)
    at = b.let(place)
    change = b.load(BLOCK, at, F64) - b.load(base, at, F64)
    b.stop_if(change.ne(b.load(watch, 16, F64)), FAILED)


# Scripts


@routine("replay", (PTR, I64, PTR), exported=True)
def _make_replay(b: Emitter, script: Local, size: Local, done: Local) -> None:
    """Make many moves in one call; each has a request word and the arguments of `commit`.

    A script begins between transactions, on the kept base. It ends at a move that is not legal; `done` gets
    the number of moves made, and the number of choices of the last transaction if that is not complete.
    """
    at = b.variable(script, "at")
    end = b.let(address(script, size))
    moves = b.variable(const(0), "moves")
    made = b.variable(const(0), "made")
    b.store(done, 0, const(0))
    kept = b.get("script_base", PTR)
    b.put("base", kept)
    with b.loop("script") as label:
        b.leave_if(at.uge(end), label)
        b.stop_if(b.get("stop", I64).ne(0), STOPPED)
        given = b.load(at, 0, I64)
        count = _unpacked(b, given)[2]
        length = b.let(count * 8)
        b.stop_if(made + count >= b.get("choice_capacity", I64), GROW)
        to = b.let(address(b.get("choices", PTR), made * 8))
        b.copy(to, b.let(address(at, 8)), length)
        # The earlier choices of the transaction are added to all three counts.
        request = b.let(given + made * (1 | 1 << 14 | 1 << 28))
        questions = b.let(address(at, length + 8 - made * 8))
        active = header(b, kept, "active")
        (status,) = b.call(step_function(b.unit), (CTX, BLOCK, request, questions), (I32,))
        b.stop_if(status.ne(FINE) & status.ne(NEED), status)
        step = b.variable(length * 2 + 8, "step")
        with b.when((given & const(WATCHES)).ne(0)):
            b.stop_if(status.ne(FINE), FAILED)
            _check_watch(b, b.let(address(at, step)), kept, active)
            b.set(step, step + 24)
        with b.when(b.get("outcome_size", I64) > 0):
            b.copy(kept, BLOCK, b.get("outcome_size", I64))
            b.set(made, const(0))
        with b.otherwise():
            b.set(made, b.get("outcome_count", I64))
        b.put("base", kept)
        b.set(moves, moves + 1)
        b.store(done, 0, moves)
        b.set(at, address(at, step))
    b.store(done, 8, made)
    b.done()


SOURCES: dict[Event, Callable[..., object]] = {
    Event.CHOICE: offered_function,
    Event.OFFTURN: offered_function,
    Event.ASIDE: offered_function,
}
"""The functions that offer actions."""
