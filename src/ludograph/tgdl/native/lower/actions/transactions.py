"""Lowering of transactions: setup, chosen actions, revealed choices, stuck players."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from ludograph.tgdl.native.ir.builder import const, widen
from ludograph.tgdl.native.ir.nodes import I1, I8, I32, I64, PTR, Expression, Local, Statement
from ludograph.tgdl.native.layout.choice_words import parts_offered
from ludograph.tgdl.native.layout.plan import Family
from ludograph.tgdl.native.layout.status import CANCELLED, FAILED, FINE, GAME_OVER
from ludograph.tgdl.native.lower.actions.checkpoints import reset_checkpoints
from ludograph.tgdl.native.lower.actions.events import (
    CHOSEN,
    OPTIONAL,
    accepts_event,
    begin_queues,
    combines,
    each_listening,
    fire_event,
    flush,
    is_in_trigger_phase,
    queue,
)
from ludograph.tgdl.native.lower.actions.inputs import resolve
from ludograph.tgdl.native.lower.actions.offers import is_only_aside
from ludograph.tgdl.native.lower.actions.parts import run_block
from ludograph.tgdl.native.lower.actions.sealed_choices import reveal_function
from ludograph.tgdl.native.lower.actions.turns import (
    asked_function,
    end_function,
    end_game_function,
    enter_function,
    is_in_simultaneous_phase,
    is_simultaneous,
)
from ludograph.tgdl.native.lower.compaction import compact_if_needed
from ludograph.tgdl.native.lower.emitter import Emitter, routine
from ludograph.tgdl.native.lower.routine import BLOCK, CTX
from ludograph.tgdl.native.lower.state_equality import same_function
from ludograph.tgdl.native.lower.things.player_sets import everybody, has, joined, nobody, only
from ludograph.tgdl.native.lower.things.players import count_of, owner_in
from ludograph.tgdl.native.lower.unit import ActionEntry, CompilationUnit, Value
from ludograph.tgdl.native.lower.values.statements import DEFAULT, ENDED
from ludograph.tgdl.program import Action, When
from ludograph.tgdl.program.events import QUEUED, Event
from ludograph.tgdl.program.types import Basic, ListType
from ludograph.tgdl.world.analysis import Analysis
from ludograph.tgdl.world.memory import BLANK, CHOOSING, OVER, STUCK_STAGE
from ludograph.tgdl.world.world import Listener


@routine("transact")
def transact_function(b: Emitter) -> None:
    """The function that runs a transaction on the block, from its beginning."""
    b.put("choice_index", const(0))
    b.put("ended", const(0, I32))
    _begin(b)
    active = b.head("active", I32)
    status = b.variable(const(FAILED, I32), "status")
    stage = b.head("stage", I32)
    for number, function in (
        (CHOOSING, act_function),
        (STUCK_STAGE, stuck_function),
        (BLANK, setup_function),
    ):
        with b.when(stage.eq(number)):
            (found,) = b.call(function(b.unit), (CTX, BLOCK), (I32,))
            b.set(status, found)
    with b.when(status.eq(CANCELLED), unlikely=True):
        b.set(status, const(FAILED, I32))  # in a verb that a turn or a setup calls
    with b.when(status.eq(GAME_OVER), unlikely=True):
        starter = b.variable(active, "starter")
        with b.when(stage.eq(CHOOSING)):
            b.set(starter, _starter_in(b, b.load(b.get("choices", PTR), 0, I64)))
        with b.when(stage.eq(STUCK_STAGE)):
            b.set(starter, _stuck_player(b))
        b.set_head("stuck_count", const(0, I32))
        _begin(b)
        (found,) = b.call(end_game_function(b.unit), (CTX, BLOCK, starter), (I32,))
        b.set(status, found)
    with b.when(status.eq(FINE)):
        compact_if_needed(b)
    b.give(status)


def _begin(b: Emitter) -> None:
    """Begin with nothing running: in a transaction, and after a result has ended the game."""
    b.put("depth", const(0))
    b.put("chance_forbidden", const(0, I32))
    b.put("pending", const(0, I32))
    b.put("use_turn", const(-1, I32))
    if any(event in QUEUED for event, _ in b.world.listeners):
        begin_queues(b)
    if b.unit.replays or any(compiled.can_cancel for compiled in b.world.actions.every()):
        reset_checkpoints(b)


def _starter_in(b: Emitter, word: Expression) -> Expression:
    """The player of an opener."""
    return b.let(widen((word >> 16) & 255, I32))


def _stuck_player(b: Emitter) -> Expression:
    """The last stuck player."""
    last = b.let(widen(b.head("stuck_count", I32), I64) - 1)
    offset = b.let(last + b.plan.header["stuck"])
    return b.let(widen(b.load(BLOCK, offset, I8), I32, signed=False))


@routine("act")
def act_function(b: Emitter) -> None:
    """Run the action that a player chose."""
    word = b.load(b.get("choices", PTR), 0, I64)
    b.put("choice_index", const(1))
    player = _starter_in(b, word)
    b.set_head("stuck_count", const(0, I32))
    b.set_head("dropped", nobody(b))
    if is_simultaneous(b.unit):
        seals = b.variable(is_in_simultaneous_phase(b), "seals")
        with b.when(seals):
            (asked,) = b.run(asked_function(b.unit), (), (b.plan.seats,))
            b.set(seals, has(asked, player))
        with b.when(seals):
            b.set(seals, ~is_only_aside(b, word, player, _this_in(b, word)))
        with b.when(seals):
            b.run(open_function(b.unit, seals=True), (word,))
            (left,) = b.run(asked_function(b.unit), (), (b.plan.seats,))
            b.done_if(left.ne(0))
            b.run(reveal_function(b.unit))
        with b.otherwise():
            _open(b, word, player)
    else:
        _open(b, word, player)
        if Analysis(b.world.program).has_safe_consequences:
            b.done_if(b.get("is_trial", I32).ne(0))
    b.run(end_function(b.unit), (player,))
    b.done()


def _open(b: Emitter, word: Expression, player: Expression) -> None:
    """Execute a chosen action, and its unnamed effects if a combined trigger starts them too."""
    b.run(open_function(b.unit), (word,))
    named = [
        (index, part)
        for index in _started_actions(b.unit)
        if (index, None) in b.world.combined_triggers
        for part in parts_offered(b.world, index)
    ]
    if not named:
        return
    this = _this_in(b, word)
    for index, part in named:
        number = parts_offered(b.world, index).index(part) + 1
        wanted = (word & 0xFF00FFFF).eq(index | number << 24)
        with b.when(wanted):
            with b.when(combines(b, (index, None), this, player, {part: const(1, I1)})):
                arguments = (this, player, const(OPTIONAL, I32))
                b.run(b.unit.perform(ActionEntry(index)), arguments, (I32,))


def _started_actions(unit: CompilationUnit) -> list[int]:
    return sorted({offer.action for offer in unit.world.offers})


def _this_in(b: Emitter, word: Expression) -> Expression:
    return b.let(widen(word >> 32, I32) - 1)


def open_function(unit: CompilationUnit, *, seals: bool = False) -> str:
    """Execute the action of an opener, or only seal it."""

    @routine("seal" if seals else "open", (I64,))
    def make(b: Emitter, word: Local) -> None:
        player = _starter_in(b, word)
        this = _this_in(b, word)
        cases: list[tuple[int, list[Statement]]] = []
        parts: dict[int, dict[str | None, None]] = {}
        for offer in unit.world.offers:
            parts.setdefault(offer.action, {})[offer.part] = None
        for index in _started_actions(unit):
            for part in parts[index]:
                number = 0 if part is None else parts_offered(unit.world, index).index(part) + 1
                with b.apart() as row:
                    perform = unit.perform(ActionEntry(index, part, seals=seals))
                    b.run(perform, (this, player, const(CHOSEN, I32)), (I32,))
                cases.append((index | number << 24, row))
        with b.apart() as other:
            b.stop(FAILED)
        b.switch(b.let(word & 0xFF00FFFF), cases, other)
        b.done()

    return make(unit)


# Setup


@routine("setup", apart=True)
def setup_function(b: Emitter) -> None:
    player = b.head("active", I32)
    b.player = player
    b.set_head("stage", const(CHOOSING, I32))
    wanted = b.head("setup", I32)
    for opening in b.world.setups:
        b.enter(opening.call.price)
        with queue(b):
            for known in opening.setup.inputs:
                resolve(b, known, b.unit.number_of_input(known), lambda: b.stop(FAILED))
            for effect in opening.setup.effects:
                if effect.name is None:
                    run_block(b, effect.block.statements)
            for effect in opening.setup.effects:
                if effect.name is not None:
                    with b.when(wanted.eq(b.plan.setups.index(effect.name))):
                        run_block(b, effect.block.statements)
        b.exit()
    waits = (b.get("use_turn", I32) < 0) & b.get("pending", I32).eq(0)
    with b.when(waits):
        b.run(enter_function(b.unit))
    listeners = b.world.listeners.get((Event.START.kind, "game"), ())
    b.player = player
    nobody = Value(ListType(Basic.PLAYER), (b.unit.data(), const(0)), certain=True)
    for when in When:
        fire_event(b, Event.START.kind, listeners, {"winners": nobody}, when)
    b.run(end_function(b.unit), (player,))
    b.done()


@routine("stuck", apart=True)
def stuck_function(b: Emitter) -> None:
    """Fire `stuck` for the last stuck player; if no action handles it, the player is dropped or passes."""
    count = b.head("stuck_count", I32)
    last = b.let(widen(count, I64) - 1)
    player = _stuck_player(b)
    b.set_head("stage", const(CHOOSING, I32))
    before = b.get("base", PTR)
    asks = b.variable(const(0, I1), "asks")
    phase = b.head("phase", I32)
    for scene in b.world.phases:
        if scene.phase.asks is not None:
            b.set(asks, asks | phase.eq(scene.index))
    handled = b.variable(const(0, I1), "handled")
    with b.when(b.get("unhandled", I32).eq(0)):
        _start_all(b, player, handled)
    flush(b)

    def helped(known: Expression) -> Expression:
        """Whether a triggered action asked for a choice or changed the state."""
        if (Event.STUCK.kind, "player") not in b.world.listeners:
            return const(0, I1)
        result = b.variable(handled & known, "helped")
        with b.when(handled & ~known):
            (same,) = b.run(same_function(b.unit), (before, BLOCK), (I1,))
            b.set(result, ~same)
        return result

    waits = (b.get("use_turn", I32) < 0) & b.get("pending", I32).eq(0)
    leaves = b.let(~waits)
    first = b.let(helped(leaves))
    with b.when(~first & asks):
        b.set_head("dropped", joined(b.head("dropped", b.plan.seats), only(b, player)))
    with b.otherwise():
        with b.when(~handled):
            b.put("pending", const(DEFAULT, I32))
    b.run(end_function(b.unit), (player,))
    second = helped(b.let(b.get("choice_index", I64) > 0))
    with b.when(second):
        b.set_head("stuck_count", const(0, I32))
        b.put("stuck_moment_count", const(0))
    with b.otherwise():
        counted = b.variable(asks, "counted")  # each player is counted once
        with b.count(last) as (at, label):
            who = b.load(BLOCK, b.let(at + b.plan.header["stuck"]), I8)
            with b.when(widen(who, I32, signed=False).eq(player)):
                b.set(counted, const(1, I1))
                b.leave(label)
        with b.when(counted):
            b.set_head("stuck_count", count - 1)
    with b.when(b.head("stage", I32).ne(OVER)):
        _draw_if_all_stuck(b)
    b.done()


def _draw_if_all_stuck(b: Emitter) -> None:
    stuck = b.variable(nobody(b), "stuck")
    with b.count(widen(b.head("stuck_count", I32), I64)) as (at, _):
        who = b.load(BLOCK, b.let(at + b.plan.header["stuck"]), I8)
        b.set(stuck, joined(stuck, only(b, widen(who, I32, signed=False))))
    away = joined(b.head("out", b.plan.seats), stuck)
    with b.when(away.eq(everybody(b))):
        end_as_draw(b)


def end_as_draw(b: Emitter) -> None:
    b.set_head("ended", const(ENDED["draw"], I32))
    b.set_head("winners", everybody(b))
    b.set_head("stage", const(OVER, I32))


def _start_all(b: Emitter, player: Expression, handled: Local) -> None:
    """Start every action that a `stuck` event triggers."""
    listeners = b.world.listeners.get((Event.STUCK.kind, "player"), ())
    compiled = b.world.actions
    mine = {each.action for each in listeners}
    for index in sorted(mine, key=lambda each: (-compiled[each].action.priority, each)):
        action = b.world.program.actions[index]
        listening = [each for each in listeners if each.action == index]
        if action.owner is None:
            with each_listening(b, listening, action, None, "all") as this:
                _start_of(b, index, listening, this, player, handled)
            continue
        family = b.plan.family(action.owner)
        with b.arena_scope(), _all_listening(b, listening, action, family) as this:
            owner = b.let(owner_in(b, family, this))
            with b.when((owner < 0) | owner.eq(player)):
                _start_of(b, index, listening, this, player, handled)


@contextmanager
def _all_listening(
    b: Emitter, listeners: Sequence[Listener], action: Action, family: Family
) -> Iterator[Expression]:
    """For every instance whose action is triggered, found before the first action runs."""
    buffer = b.allocate(b.let(widen(count_of(b, family), I64) * 4))
    found = b.variable(const(0), "found")
    with each_listening(b, listeners, action, None, "all") as this:
        b.store(buffer, b.let(found * 4), this)
        b.set(found, found + 1)
    with b.count(found) as (at, _):
        (yield b.load(buffer, b.let(at * 4), I32))


def _start_of(
    b: Emitter,
    index: int,
    listeners: Sequence[Listener],
    this: Expression,
    player: Expression,
    handled: Local,
) -> None:
    """Start the action of one instance: for each trigger, then for the combined triggers."""

    def start(what: ActionEntry) -> None:
        (happened,) = b.run(b.unit.perform(what), (this, player, const(OPTIONAL, I32)), (I32,))
        b.set(handled, handled | happened.ne(0))

    fired: dict[int | None, dict[str, Local]] = {}
    for each in listeners:
        if each.joins is not None:
            fired.setdefault(each.stage, {})[each.joins] = b.variable(const(0, I1), "fired")
    for listener in listeners:
        with b.when(is_in_trigger_phase(b, listener)):
            b.spend(listener.price)
            with b.when(accepts_event(b, listener, this, player, {})):
                b.enter()
                start(ActionEntry(index, listener.trigger.name, listener.stage))
                b.exit()
                if listener.joins is not None:
                    b.set(fired[listener.stage][listener.joins], const(1, I1))
    for stage in (None, *range(len(b.world.program.actions[index].phases))):
        if stage in fired:
            one: Expression = const(0, I1)
            for flag in fired[stage].values():
                one = one | flag
            with b.when(one), b.when(combines(b, (index, stage), this, player, fired[stage])):
                start(ActionEntry(index, None, stage))


SOURCES: dict[Event, Callable[..., object]] = {Event.START: setup_function, Event.STUCK: _start_all}
"""The functions that raise events."""
