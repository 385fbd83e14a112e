"""Lowering of turns: choosers, passing, phases, goals, results, and the end of a transaction."""

from collections.abc import Callable, Iterator

from msgspec import Struct

from ludograph.tgdl.native.ir import builder as build
from ludograph.tgdl.native.ir.nodes import F64, I1, I8, I32, I64, Expression, Local, Op
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
from ludograph.tgdl.native.lower.body import Body
from ludograph.tgdl.native.lower.routine import BLOCK, CTX
from ludograph.tgdl.native.lower.state_size import check_state
from ludograph.tgdl.native.lower.things.player_sets import everybody, has, joined, nobody, only, without
from ludograph.tgdl.native.lower.things.players import wrapped
from ludograph.tgdl.native.lower.unit import ActionEntry, Unit, Value, emitted
from ludograph.tgdl.native.lower.values.lists import Collector, each
from ludograph.tgdl.native.lower.values.statements import BARE, ENDED, FIRST, TOLD
from ludograph.tgdl.program import When
from ludograph.tgdl.program.events import About, Event
from ludograph.tgdl.program.types import Basic, ListType, TableType
from ludograph.tgdl.world.memory import CHOOSING, OVER

MOST_PASSES = 10_000


# Choosers


@emitted("asked")
def asked_function(unit: Unit) -> None:
    """The function that returns the set of choosers."""
    seats = unit.plan.seats
    b = Body(unit, "asked", (), (seats,))
    active = b.head("active", I32)
    b.player = active
    asked = b.variable(only(b, active), "asked")
    scenes = [scene for scene in unit.world.phases if scene.phase.asks is not None]
    if scenes:
        phase = b.head("phase", I32)
        for scene in scenes:
            with b.when(build.compare("eq", phase, scene.index)), b.arena_scope(), b.forbidding_chance():
                assert scene.phase.asks is not None
                b.set(asked, _set_of(b, b.expression(scene.phase.asks)))
    away = joined(b.head("out", seats), b.head("dropped", seats))
    if is_simultaneous(unit):
        away = joined(away, b.head("sealed_mask", seats))
    b.done(without(asked, away))
    b.finish()


def is_simultaneous(unit: Unit) -> bool:
    """Whether there is a phase in which players choose at the same time."""
    return any(scene.phase.simultaneous for scene in unit.world.phases)


def _set_of(b: Body, value: Value) -> Expression:
    """A player, a list of players or none as a set."""
    players = b.variable(nobody(b), "players")
    match value.type:
        case ListType(Basic.PLAYER):
            with each(b, value) as (player, _):
                with b.when(build.negate(b.is_none(player))):
                    b.set(players, joined(players, only(b, player.only)))
        case TableType(Basic.PLAYER, Basic.BOOL) | ListType(Basic.BOOL):
            items = b.as_list(value)
            with b.count(items.parts[1]) as (at, _):
                wanted = b.load(items.parts[0], at, I8)
                with b.when(build.compare("eq", wanted, 1)):
                    b.set(players, joined(players, only(b, at)))
        case Basic.PLAYER:
            with b.when(build.negate(b.is_none(value))):
                b.set(players, only(b, value.only))
        case Basic.NONE | ListType(Basic.NONE):
            pass
        case _:
            raise AssertionError(f"asks {value.type}")
    return players


# The end of a transaction


@emitted("end")
def end_function(unit: Unit) -> None:
    """The function that ends a transaction after its effects, if there is no result."""
    player = Local("starter", I32)
    b = Body(unit, "end", (player,))
    b.player = player
    _end_effects(b)
    passes = b.variable(build.const(0, I32), "passes")
    with b.loop("passing") as label:
        waits = build.both(
            build.compare("eq", b.get("pending", I32), 0), build.compare("slt", b.get("use_turn", I32), 0)
        )
        with b.when(waits):
            (asked,) = b.run(asked_function(unit), (), (unit.plan.seats,))
            with b.when(build.either(build.compare("ne", asked, 0), _nobody_in(b))):
                b.leave(label)
            if is_simultaneous(unit):
                with b.when(build.compare("ne", b.head("sealed_mask", unit.plan.seats), 0), unlikely=True):
                    # The last chooser may not choose any more, and all others have chosen.
                    b.run(reveal_function(unit), ())
                    _end_effects(b)
                    b.again(label)
            b.put("pending", build.const(BARE, I32))
        b.spend(1)
        b.set(passes, build.binary("add", passes, 1))
        b.fault_if(build.compare("sgt", passes, MOST_PASSES), "TG0506")
        b.run(advance_function(unit), ())
        flush(b)
    with b.when(_nobody_in(b)):
        b.put("ended", build.const(ENDED["draw"], I32))
        b.put("winners", everybody(b))
        b.run(end_game_function(unit), (player,))
        b.done()
    b.set_head("stage", build.const(CHOOSING, I32))
    check_state(b)
    b.done()
    b.finish()


@emitted("end_game")
def end_game_function(unit: Unit) -> None:
    """The function that sets the result, and runs the actions that the end of the game triggers."""
    player = Local("starter", I32)
    b = Body(unit, "end_game", (player,))
    b.player = player
    ended = b.get("ended", I32)
    b.set_head("ended", ended)
    b.set_head("winners", b.get("winners", unit.plan.seats))
    size = 8 * unit.world.players
    b.copy(_at(BLOCK, b.plan.payoffs), _at(CTX, b.plan.context["payoffs"]), size)
    b.set_head("stage", build.const(OVER, I32))
    listeners = unit.world.listeners.get((Event.END.kind, "game"), ())
    if listeners:
        fields = {"winners": _winners(b, ended)}
        for when in When:
            fire_event(b, Event.END.kind, listeners, fields, when)
        flush(b)
    check_state(b)
    b.done()
    b.finish(apart=True)


def _end_effects(b: Body) -> None:
    """Run the triggered actions, then those that conditions start, then test the goals."""
    flush(b)
    start_by_conditions(b)
    for goal in b.world.goals:
        arguments = (build.const(-1, I32), b.player, build.const(OPTIONAL, I32))
        b.run(b.unit.perform(ActionEntry(goal)), arguments, (I32,))
    flush(b)


def _winners(b: Body, ended: Expression) -> Value:
    """The winners: those of `win`, or those with the highest payoff, unless all have it."""
    count = b.world.players
    found = Collector(b, Basic.PLAYER, build.const(count))
    best = b.variable(b.load(BLOCK, b.plan.payoffs, F64), "best")
    differ = b.variable(build.const(0, I1), "differ")
    for place in range(1, count):
        payoff = b.load(BLOCK, b.plan.payoffs + 8 * place, F64)
        b.set(differ, build.either(differ, Op("une", (payoff, b.load(BLOCK, b.plan.payoffs, F64)), I1)))
        b.set(best, build.select(Op("ogt", (payoff, best), I1), payoff, best))
    winners = b.head("winners", b.plan.seats)
    with b.count(build.const(count, I32)) as (player, _):
        won = build.both(build.compare("eq", ended, ENDED["win"]), has(winners, player))
        payoff = b.load(
            BLOCK,
            b.let(build.binary("add", build.binary("mul", build.widen(player, I64), 8), b.plan.payoffs)),
            F64,
        )
        leads = build.both(differ, Op("oeq", (payoff, best), I1))
        with b.when(build.either(won, build.both(build.compare("eq", ended, ENDED["finish"]), leads))):
            found.add(Value(Basic.PLAYER, (player,), certain=True))
    return found.found()


def _at(base: Expression, offset: int) -> Expression:
    return build.address(base, offset)


def _nobody_in(b: Body) -> Expression:
    return build.compare("eq", b.head("out", b.plan.seats), everybody(b))


@emitted("advance")
def advance_function(unit: Unit) -> None:
    """Execute the pending `use turn` and `pass`."""
    world = unit.world
    b = Body(unit, "advance")
    with b.when(build.compare("eq", b.get("pending", I32), BARE)):
        _run_default(b)
        pending = b.get("pending", I32)
        nothing = build.both(build.compare("eq", pending, 0), build.compare("slt", b.get("use_turn", I32), 0))
        with b.when(build.either(build.compare("eq", pending, BARE), nothing)):
            b.done()
    told = b.let(build.compare("eq", b.get("pending", I32), TOLD))
    use_turn = b.get("use_turn", I32)
    old_phase, old_player = b.head("phase", I32), b.head("active", I32)
    old_turn = b.head("turn", I32)
    given = b.get("pending_player", I32)
    player = b.let(build.select(build.both(told, build.compare("sge", given, 0)), given, old_player))
    where = b.let(build.select(told, b.get("pending_phase", I32), build.const(FIRST, I32)))
    b.put("pending", build.const(0, I32))
    b.put("use_turn", build.const(-1, I32))
    turn = b.variable(build.select(build.compare("sge", use_turn, 0), use_turn, old_turn), "turn")
    firsts = [-1 if each.first is None else each.first for each in world.turns]
    first = _lookup(b, turn, firsts)
    phase = b.variable(build.select(build.compare("eq", where, FIRST), first, where), "phase")
    with b.when(build.compare("slt", where, FIRST)):
        b.set(phase, old_phase)
    with b.when(build.compare("sge", phase, 0)):
        home = _lookup(b, phase, [scene.turn for scene in world.phases])
        with b.when(build.compare("ne", home, turn)):
            with b.when(build.compare("sge", use_turn, 0)):
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
    if is_simultaneous(unit):
        clear_sealed(b)
    for event in told_of:
        event.fire_event(b, When.FAST)
        event.fire_event(b, When.AFTER)
    b.run(enter_function(unit), ())
    b.done()
    b.finish()


class _TurnEvent(Struct, frozen=True):
    """An event of a turn or phase whose index is known only at run time."""

    event: Event
    index: Expression
    """The index of the turn or phase; -1: there is none."""
    player: Expression
    happens: Expression

    def fire_event(self, b: Body, when: When) -> None:
        for number, key, field in self._keys(b):
            listeners = b.world.listeners.get((self.event.kind, key), ())
            if any(each.when is when for each in listeners):
                with b.when(build.both(self.happens, build.compare("eq", self.index, number))):
                    b.player = self.player
                    fields = {"player": Value(Basic.PLAYER, (self.player,), certain=True), **field}
                    fire_event(b, f"{self.event.kind}.{key}", listeners, fields, when)

    def _keys(self, b: Body) -> Iterator[tuple[int, str, dict[str, Value]]]:
        """The possible turns or phases of the event, and its field."""
        if self.event.about is About.TURN_PHASE:
            for scene in b.world.phases:
                phase = Value(Basic.PHASE, (build.const(scene.index, I32),), certain=True)
                yield scene.index, f"phase {scene.index}", {"phase": phase}
            return
        for number, name in enumerate(("", *(round_.turn.name for round_ in b.world.turns)), -1):
            text = Value(Basic.STRING, (build.const(b.unit.string(name), I32),), certain=True)
            yield number, f"turn {name}", {"turn": text}


def _turn_events(
    b: Body,
    old_turn: Expression,
    old_phase: Expression,
    old_player: Expression,
    turn: Expression,
    phase: Expression,
    player: Expression,
) -> list[_TurnEvent]:
    """The events of a change of turn or phase, in order."""
    begins = build.either(build.compare("ne", turn, old_turn), build.compare("ne", player, old_player))
    heard = {event for event, _ in b.world.listeners}
    events = [
        _TurnEvent(Event.TURN_PHASE_INACTIVE, old_phase, old_player, build.const(1, I1)),
        _TurnEvent(Event.DEACTIVATION, old_turn, old_player, begins),
        _TurnEvent(Event.ACTIVATION, turn, player, begins),
        _TurnEvent(Event.PHASE_CHANGE, turn, player, build.compare("ne", phase, old_phase)),
    ]
    return [
        _TurnEvent(one.event, b.let(one.index), b.let(one.player), b.let(one.happens))
        for one in events
        if one.event.kind in heard
    ]


def _lookup(b: Body, index: Expression, numbers: list[int]) -> Expression:
    """The number at an index; -1 for an index of -1."""
    if not numbers:
        return build.const(-1, I32)
    if len(set(numbers)) == 1:
        return b.let(
            build.select(build.compare("slt", index, 0), build.const(-1, I32), build.const(numbers[0], I32))
        )
    table = b.unit.data(b"".join(pack(I32, number) for number in numbers), hint="numbers")
    safe = build.select(build.compare("slt", index, 0), build.const(0, I32), index)
    found = b.load(table, b.let(build.binary("mul", build.widen(safe, I64), 4)), I32, constant=True)
    return b.let(build.select(build.compare("slt", index, 0), build.const(-1, I32), found))


def _run_default(b: Body) -> None:
    """A bare pass: the default block of the turn, or the next player; after `use turn`, of the new turn."""
    player, use_turn = b.head("active", I32), b.get("use_turn", I32)
    turn = b.let(build.select(build.compare("sge", use_turn, 0), use_turn, b.head("turn", I32)))
    done = b.variable(build.const(0, I1), "done")
    for round_ in b.world.turns:
        if round_.turn.default is None:
            continue
        with b.when(build.compare("eq", turn, round_.index)):
            b.put("pending", build.const(0, I32))
            b.run(default_function(b.unit, round_.index), ())
            b.set(done, build.const(1, I1))
    with b.when(build.negate(done)):
        b.put("pending", build.const(TOLD, I32))
        b.put("pending_player", wrapped(b, build.binary("add", player, 1)))
        b.put("pending_phase", build.const(FIRST, I32))


def default_function(unit: Unit, index: int) -> str:
    name = f"default.{index}"

    def make() -> None:
        turn, call = unit.world.turns[index].turn, unit.world.turns[index].call
        assert turn.default is not None
        b = Body(unit, name)
        b.player = b.head("active", I32)
        b.enter(call.price)
        with queue(b):
            run_block(b, turn.default.statements)
        b.exit()
        b.done()
        b.finish()

    return unit.need(name, make)


@emitted("enter")
def enter_function(unit: Unit) -> None:
    """The function that enters a phase: its inputs and effect."""
    b = Body(unit, "enter")
    phase, player = b.head("phase", I32), b.head("active", I32)
    for scene in unit.world.phases:
        if scene.phase.effect is None and not scene.phase.inputs:
            continue
        with b.when(build.compare("eq", phase, scene.index)):
            b.run(scene_function(unit, scene.index), ())
    # The event belongs to the phase that was entered, even if the phase has changed since.
    event = _TurnEvent(Event.TURN_PHASE_ACTIVE, phase, player, build.const(1, I1))
    for when in When:
        event.fire_event(b, when)
    b.done()
    b.finish()


def scene_function(unit: Unit, index: int) -> str:
    name = f"phase.{index}"

    def make() -> None:
        scene = unit.world.phases[index]
        b = Body(unit, name)
        b.player = b.head("active", I32)
        b.enter(scene.call.price)
        for known in scene.phase.inputs:
            resolve(b, known, unit.number_of_input(known), lambda: b.stop(FAILED))
        if scene.phase.effect is not None:
            with queue(b):
                run_block(b, scene.phase.effect.statements)
        b.exit()
        b.done()
        b.finish()

    return unit.need(name, make)


SOURCES: dict[Event, Callable[..., object]] = {
    Event.END: end_game_function,
    Event.TURN_PHASE_ACTIVE: enter_function,
    Event.TURN_PHASE_INACTIVE: _turn_events,
    Event.ACTIVATION: _turn_events,
    Event.DEACTIVATION: _turn_events,
    Event.PHASE_CHANGE: _turn_events,
}
"""The functions that raise events."""
