"""Lowering of turns: choosers, passing, phases, goals, results, and the end of a transaction."""

from collections.abc import Callable, Iterator

from msgspec import Struct

from ludograph.tgdl.native.ir.builder import address, const, select, widen
from ludograph.tgdl.native.ir.nodes import F64, I1, I8, I32, I64, Expression, Local
from ludograph.tgdl.native.layout.encoding import pack
from ludograph.tgdl.native.layout.status import FAILED
from ludograph.tgdl.native.lower.actions.events import (
    OPTIONAL,
    fire_event,
    flush,
    queue,
    start_by_conditions,
)
from ludograph.tgdl.native.lower.actions.inputs import resolve
from ludograph.tgdl.native.lower.actions.parts import run_block
from ludograph.tgdl.native.lower.actions.sealed_choices import clear_sealed, reveal_function
from ludograph.tgdl.native.lower.emitter import Emitter, routine
from ludograph.tgdl.native.lower.routine import BLOCK, CTX
from ludograph.tgdl.native.lower.state_size import check_state
from ludograph.tgdl.native.lower.things.player_sets import everybody, has, joined, nobody, only, without
from ludograph.tgdl.native.lower.things.players import wrapped
from ludograph.tgdl.native.lower.unit import ActionEntry, CompilationUnit, Value, emitted
from ludograph.tgdl.native.lower.values.lists import Collector, each
from ludograph.tgdl.native.lower.values.statements import DEFAULT, ENDED, FIRST, TARGETED
from ludograph.tgdl.program import When
from ludograph.tgdl.program.events import About, Event
from ludograph.tgdl.program.types import Basic, ListType, TableType
from ludograph.tgdl.world.memory import CHOOSING, OVER

MAX_PASSES = 10_000


# Choosers


@emitted("asked")
def asked_function(unit: CompilationUnit) -> None:
    """The function that returns the set of choosers."""
    seats = unit.plan.seats
    b = Emitter(unit, "asked", (), (seats,))
    active = b.head("active", I32)
    b.player = active
    asked = b.variable(only(b, active), "asked")
    scenes = [scene for scene in unit.world.phases if scene.phase.asks is not None]
    if scenes:
        phase = b.head("phase", I32)
        for scene in scenes:
            with b.when(phase.eq(scene.index)), b.arena_scope(), b.forbidding_chance():
                assert scene.phase.asks is not None
                b.set(asked, _set_of(b, b.expression(scene.phase.asks)))
    away = joined(b.head("out", seats), b.head("dropped", seats))
    if is_simultaneous(unit):
        away = joined(away, b.head("sealed_mask", seats))
    b.done(without(asked, away))
    b.finish()


def is_simultaneous(unit: CompilationUnit) -> bool:
    """Whether there is a phase in which players choose at the same time."""
    return any(scene.phase.simultaneous for scene in unit.world.phases)


def is_in_simultaneous_phase(b: Emitter) -> Expression:
    """Whether players choose at the same time in the current phase of the block."""
    phase = b.head("phase", I32)
    found: Expression = const(0, I1)
    for scene in b.world.phases:
        if scene.phase.simultaneous:
            found = found | phase.eq(scene.index)
    return b.let(found)


def _set_of(b: Emitter, value: Value) -> Expression:
    """A player, a list of players or none as a set."""
    players = b.variable(nobody(b), "players")
    match value.type:
        case ListType(Basic.PLAYER):
            with each(b, value) as (player, _):
                with b.when(~b.is_none(player)):
                    b.set(players, joined(players, only(b, player.only)))
        case TableType(Basic.PLAYER, Basic.BOOL) | ListType(Basic.BOOL):
            items = b.as_list(value)
            with b.count(items.parts[1]) as (at, _):
                wanted = b.load(items.parts[0], at, I8)
                with b.when(wanted.eq(1)):
                    b.set(players, joined(players, only(b, at)))
        case Basic.PLAYER:
            with b.when(~b.is_none(value)):
                b.set(players, only(b, value.only))
        case Basic.NONE | ListType(Basic.NONE):
            pass
        case _:
            raise AssertionError(f"asks {value.type}")
    return players


# The end of a transaction


@routine("end", (I32,))
def end_function(b: Emitter, player: Local) -> None:
    """The function that ends a transaction after its effects, if there is no result."""
    b.player = player
    _end_effects(b)
    passes = b.variable(const(0, I32), "passes")
    with b.loop("passing") as label:
        waits = b.get("pending", I32).eq(0) & (b.get("use_turn", I32) < 0)
        with b.when(waits):
            (asked,) = b.run(asked_function(b.unit), (), (b.plan.seats,))
            b.leave_if(asked.ne(0) | _nobody_in(b), label)
            if is_simultaneous(b.unit):
                with b.when(b.head("sealed_mask", b.plan.seats).ne(0), unlikely=True):
                    # The last chooser may not choose any more, and all others have chosen.
                    b.run(reveal_function(b.unit))
                    _end_effects(b)
                    b.again(label)
            b.put("pending", const(DEFAULT, I32))
        b.spend(1)
        b.set(passes, passes + 1)
        b.fault_if(passes > MAX_PASSES, "TG0506")
        b.run(advance_function(b.unit))
        flush(b)
    with b.when(_nobody_in(b)):
        b.put("ended", const(ENDED["draw"], I32))
        b.put("winners", everybody(b))
        b.run(end_game_function(b.unit), (player,))
        b.done()
    b.set_head("stage", const(CHOOSING, I32))
    check_state(b)
    b.done()


@routine("end_game", (I32,), apart=True)
def end_game_function(b: Emitter, player: Local) -> None:
    """The function that sets the result, and runs the actions that the end of the game triggers."""
    b.player = player
    ended = b.get("ended", I32)
    b.set_head("ended", ended)
    b.set_head("winners", b.get("winners", b.plan.seats))
    size = 8 * b.world.players
    b.copy(_at(BLOCK, b.plan.payoffs), _at(CTX, b.plan.context["payoffs"]), size)
    b.set_head("stage", const(OVER, I32))
    listeners = b.world.listeners.get((Event.END.kind, "game"), ())
    if listeners:
        fields = {"winners": _winners(b, ended)}
        for when in When:
            fire_event(b, Event.END.kind, listeners, fields, when)
        flush(b)
    check_state(b)
    b.done()


def _end_effects(b: Emitter) -> None:
    """Run the triggered actions, then those that conditions start, then test the goals."""
    flush(b)
    start_by_conditions(b)
    for goal in b.world.goals:
        arguments = (const(-1, I32), b.player, const(OPTIONAL, I32))
        b.run(b.unit.perform(ActionEntry(goal)), arguments, (I32,))
    flush(b)


def _winners(b: Emitter, ended: Expression) -> Value:
    """The winners: those of `win`, or those with the highest payoff, unless all have it."""
    count = b.world.players
    found = Collector(b, Basic.PLAYER, const(count))
    best = b.variable(b.load(BLOCK, b.plan.payoffs, F64), "best")
    differ = b.variable(const(0, I1), "differ")
    for place in range(1, count):
        payoff = b.load(BLOCK, b.plan.payoffs + 8 * place, F64)
        b.set(differ, differ | payoff.ne(b.load(BLOCK, b.plan.payoffs, F64)))
        b.set(best, select(payoff > best, payoff, best))
    winners = b.head("winners", b.plan.seats)
    with b.count(const(count, I32)) as (player, _):
        won = ended.eq(ENDED["win"]) & has(winners, player)
        payoff = b.load(BLOCK, b.let(widen(player, I64) * 8 + b.plan.payoffs), F64)
        leads = differ & payoff.eq(best)
        with b.when(won | (ended.eq(ENDED["finish"]) & leads)):
            found.add(Value(Basic.PLAYER, (player,), certain=True))
    return found.found()


def _at(base: Expression, offset: int) -> Expression:
    return address(base, offset)


def _nobody_in(b: Emitter) -> Expression:
    return b.head("out", b.plan.seats).eq(everybody(b))


@routine("advance")
def advance_function(b: Emitter) -> None:
    """Execute the pending `use turn` and `pass`."""
    world = b.world
    with b.when(b.get("pending", I32).eq(DEFAULT)):
        _run_default(b)
        pending = b.get("pending", I32)
        nothing = pending.eq(0) & (b.get("use_turn", I32) < 0)
        b.done_if(pending.eq(DEFAULT) | nothing)
    is_targeted = b.let(b.get("pending", I32).eq(TARGETED))
    use_turn = b.get("use_turn", I32)
    old_phase, old_player = b.head("phase", I32), b.head("active", I32)
    old_turn = b.head("turn", I32)
    given = b.get("pending_player", I32)
    player = b.let(select(is_targeted & (given >= 0), given, old_player))
    where = b.let(select(is_targeted, b.get("pending_phase", I32), const(FIRST, I32)))
    b.put("pending", const(0, I32))
    b.put("use_turn", const(-1, I32))
    turn = b.variable(select(use_turn >= 0, use_turn, old_turn), "turn")
    firsts = [-1 if each.first is None else each.first for each in world.turns]
    first = _lookup(b, turn, firsts)
    phase = b.variable(select(where.eq(FIRST), first, where), "phase")
    with b.when(where < FIRST):
        b.set(phase, old_phase)
    with b.when(phase >= 0):
        home = _lookup(b, phase, [scene.turn for scene in world.phases])
        with b.when(home.ne(turn)):
            with b.when(use_turn >= 0):
                b.set(phase, first)
            with b.otherwise():
                b.set(turn, home)
    told_of = _turn_events(b, old_turn, old_phase, old_player, turn, phase, player)
    for event in told_of:
        event.fire_event(b, When.BEFORE)
    b.set_head("turn", turn)
    b.set_head("phase", phase)
    b.set_head("active", player)
    b.set_head("dropped", nobody(b))
    if is_simultaneous(b.unit):
        clear_sealed(b)
    for event in told_of:
        event.fire_event(b, When.FAST)
        event.fire_event(b, When.AFTER)
    b.run(enter_function(b.unit))
    b.done()


class _TurnEvent(Struct, frozen=True):
    """An event of a turn or phase whose index is known only at run time."""

    event: Event
    index: Expression
    """The index of the turn or phase; -1: there is none."""
    player: Expression
    happens: Expression

    def fire_event(self, b: Emitter, when: When) -> None:
        for number, key, field in self._keys(b):
            listeners = b.world.listeners.get((self.event.kind, key), ())
            if any(each.when is when for each in listeners):
                with b.when(self.happens & self.index.eq(number)):
                    b.player = self.player
                    fields = {"player": Value(Basic.PLAYER, (self.player,), certain=True), **field}
                    fire_event(b, f"{self.event.kind}.{key}", listeners, fields, when)

    def _keys(self, b: Emitter) -> Iterator[tuple[int, str, dict[str, Value]]]:
        """The possible turns or phases of the event, and its field."""
        if self.event.about is About.TURN_PHASE:
            for scene in b.world.phases:
                phase = Value(Basic.PHASE, (const(scene.index, I32),), certain=True)
                yield scene.index, f"phase {scene.index}", {"phase": phase}
            return
        for number, name in enumerate(("", *(round_.turn.name for round_ in b.world.turns)), -1):
            text = Value(Basic.STRING, (const(b.unit.string(name), I32),), certain=True)
            yield number, f"turn {name}", {"turn": text}


def _turn_events(
    b: Emitter,
    old_turn: Expression,
    old_phase: Expression,
    old_player: Expression,
    turn: Expression,
    phase: Expression,
    player: Expression,
) -> list[_TurnEvent]:
    """The events of a change of turn or phase, in order."""
    begins = turn.ne(old_turn) | player.ne(old_player)
    listening = {event for event, _ in b.world.listeners}
    events = [
        _TurnEvent(Event.TURN_PHASE_INACTIVE, old_phase, old_player, const(1, I1)),
        _TurnEvent(Event.DEACTIVATION, old_turn, old_player, begins),
        _TurnEvent(Event.ACTIVATION, turn, player, begins),
        _TurnEvent(Event.PHASE_CHANGE, turn, player, phase.ne(old_phase)),
    ]
    return [
        _TurnEvent(one.event, b.let(one.index), b.let(one.player), b.let(one.happens))
        for one in events
        if one.event.kind in listening
    ]


def _lookup(b: Emitter, index: Expression, numbers: list[int]) -> Expression:
    """The number at an index; -1 for an index of -1."""
    if not numbers:
        return const(-1, I32)
    if len(set(numbers)) == 1:
        return b.let(select(index < 0, const(-1, I32), const(numbers[0], I32)))
    table = b.unit.data(b"".join(pack(I32, number) for number in numbers), hint="numbers")
    safe = select(index < 0, const(0, I32), index)
    found = b.load(table, b.let(widen(safe, I64) * 4), I32, constant=True)
    return b.let(select(index < 0, const(-1, I32), found))


def _run_default(b: Emitter) -> None:
    """A bare pass: the default block of the turn, or the next player; after `use turn`, of the new turn."""
    player, use_turn = b.head("active", I32), b.get("use_turn", I32)
    turn = b.let(select(use_turn >= 0, use_turn, b.head("turn", I32)))
    done = b.variable(const(0, I1), "done")
    for round_ in b.world.turns:
        if round_.turn.default is None:
            continue
        with b.when(turn.eq(round_.index)):
            b.put("pending", const(0, I32))
            b.run(default_function(b.unit, round_.index))
            b.set(done, const(1, I1))
    with b.when(~done):
        b.put("pending", const(TARGETED, I32))
        b.put("pending_player", wrapped(b, player + 1))
        b.put("pending_phase", const(FIRST, I32))


def default_function(unit: CompilationUnit, index: int) -> str:
    default, call = unit.world.turns[index].turn.default, unit.world.turns[index].call
    assert default is not None

    @routine(f"default.{index}")
    def make(b: Emitter) -> None:
        b.player = b.head("active", I32)
        b.enter(call.price)
        with queue(b):
            run_block(b, default.statements)
        b.exit()
        b.done()

    return make(unit)


@routine("enter")
def enter_function(b: Emitter) -> None:
    """The function that enters a phase: its inputs and effect."""
    phase, player = b.head("phase", I32), b.head("active", I32)
    for scene in b.world.phases:
        if scene.phase.effect is None and not scene.phase.inputs:
            continue
        with b.when(phase.eq(scene.index)):
            b.run(scene_function(b.unit, scene.index))
    # The event belongs to the phase that was entered, even if the phase has changed since.
    event = _TurnEvent(Event.TURN_PHASE_ACTIVE, phase, player, const(1, I1))
    for when in When:
        event.fire_event(b, when)
    b.done()


def scene_function(unit: CompilationUnit, index: int) -> str:
    scene = unit.world.phases[index]

    @routine(f"phase.{index}")
    def make(b: Emitter) -> None:
        b.player = b.head("active", I32)
        b.enter(scene.call.price)
        for known in scene.phase.inputs:
            resolve(b, known, unit.number_of_input(known), lambda: b.stop(FAILED))
        if scene.phase.effect is not None:
            with queue(b):
                run_block(b, scene.phase.effect.statements)
        b.exit()
        b.done()

    return make(unit)


SOURCES: dict[Event, Callable[..., object]] = {
    Event.END: end_game_function,
    Event.TURN_PHASE_ACTIVE: enter_function,
    Event.TURN_PHASE_INACTIVE: _turn_events,
    Event.ACTIVATION: _turn_events,
    Event.DEACTIVATION: _turn_events,
    Event.PHASE_CHANGE: _turn_events,
}
"""The functions that raise events."""
