"""Lowering of actions.

Every entry point of an action that is used (a named part, a phase, passed inputs, fields of an event) has its
own function. Its parameters are the instance of the action, the player who started it, and a mode. An action
whose effects may be cancelled has a second function for its effects, and keeps its inputs in a frame in
memory, so that the effects can be executed again.
"""

from collections.abc import Callable, Sequence

from ludograph.tgdl.native.ir.builder import const
from ludograph.tgdl.native.ir.nodes import I1, I32, I64, PTR, Expression, Local
from ludograph.tgdl.native.layout.status import CANCELLED, FAILED, GAME_OVER
from ludograph.tgdl.native.lower.actions.arguments import check_argument
from ludograph.tgdl.native.lower.actions.checkpoints import (
    cancel_effect,
    clear_cancelled,
    is_quiet,
    new_record,
    pop_record,
    push_record,
    release_checkpoint,
    replay_choices,
    restore_checkpoint,
    save_checkpoint,
)
from ludograph.tgdl.native.lower.actions.events import (
    CHOSEN,
    OPTIONAL,
    bind_this,
    fire_event,
    fire_for_constructs,
    queue,
    running,
)
from ludograph.tgdl.native.lower.actions.inputs import resolve
from ludograph.tgdl.native.lower.actions.parts import (
    EffectFrame,
    check_condition,
    named_requires,
    run_effects,
)
from ludograph.tgdl.native.lower.actions.sealed_choices import seal
from ludograph.tgdl.native.lower.emitter import Emitter, routine
from ludograph.tgdl.native.lower.things.player_sets import everybody
from ludograph.tgdl.native.lower.unit import ActionEntry, CompilationUnit, Value
from ludograph.tgdl.native.lower.values.nullability import is_never_none_input
from ludograph.tgdl.native.lower.values.statements import ENDED
from ludograph.tgdl.program import Action, ActionPhase, Specifier, When
from ludograph.tgdl.program.events import OFFERS, Event
from ludograph.tgdl.program.types import Basic, Type
from ludograph.tgdl.world.memory import ConstructInfo
from ludograph.tgdl.world.world import Listener


def perform_function(unit: CompilationUnit, start: ActionEntry) -> str:
    """The function of an action entry; it returns whether the action happened."""
    action = unit.world.program.actions[start.action]
    name = unit.starts.get(start)
    if name is None:
        plain = start == ActionEntry(start.action)
        suffix = "" if plain else f".{len(unit.starts)}"
        name = unit.starts[start] = f"perform.{action.index}.{action.name}{suffix}"
    return unit.need(name, lambda: _make_perform(unit, action, start, name))


def _locals(unit: CompilationUnit, hint: str, type: Type) -> tuple[Local, ...]:
    return tuple(Local(f"{hint}_{n}", kind) for n, kind in enumerate(unit.plan.rep(type).kinds))


def _make_perform(unit: CompilationUnit, action: Action, start: ActionEntry, name: str) -> None:
    this, player, mode = Local("this", I32), Local("starter", I32), Local("mode", I32)
    given = {place: _locals(unit, f"g{place}", action.inputs[place].type) for place in start.given}
    fields = [_locals(unit, f"f{slot}", type) for slot, type in start.fields]
    rows = (*given.values(), *fields)
    b = Emitter(unit, name, (this, player, mode, *(local for row in rows for local in row)), (I32,))
    b.named = named_requires(action)
    bind_this(b, action, this, player)
    for (slot, type), row in zip(start.fields, fields, strict=True):
        b.set_variable(slot, Value(type, row))
    b.enter(unit.world.actions[action.index].call.price)
    known = None
    if unit.world.actions[action.index].can_cancel and not start.seals:
        known = save_checkpoint(b)
    is_optional = b.let((mode & const(OPTIONAL, I32)).ne(0))
    is_chosen = b.let((mode & const(CHOSEN, I32)).ne(0))

    def give_up() -> None:
        with b.when(is_optional):
            if known is not None:
                release_checkpoint(b, known)
            b.exit()
            b.done(const(0, I32))
        b.stop(FAILED)

    count = len(action.inputs)
    for level in range(count + 1):
        due = [
            each
            for each in action.requires
            if (each.needs == level or (level == count and each.needs > level))
            and each.name in (None, start.part)
            and not start.has_final_inputs
        ]
        if due:
            # A choice that is already followed by others has been tested before.
            made = b.get("choice_index", I64) < b.get("choice_count", I64)
            with b.when(~(is_chosen & made)):
                for require in due:
                    with b.when(~check_condition(b, require.block), unlikely=True):
                        give_up()
        if level < count:
            asked = action.inputs[level]
            if level in given:
                value = Value(asked.type, given[level])
                b.set_variable(asked.slot, value)
                if not start.has_final_inputs:
                    check_argument(b, asked, value, give_up)
            else:
                passed_over = is_optional if _may_be_optional(action) else None
                resolve(b, asked, unit.number_of_input(asked), give_up, passed_over)
                if is_never_none_input(action, asked):
                    b.non_null_slots.add(asked.slot)
    if start.seals:
        seal(b, action, start.part, this, player)
    elif known is not None or _is_simultaneous(action):
        _execute_with_checkpoint(b, action, start, known)
    elif unit.replays:
        record = new_record(b)
        clear_cancelled(b, record)
        push_record(b, record, action)
        _execute_effects(b, action, start)
        pop_record(b, record)
    else:
        _execute_effects(b, action, start)
    b.exit()
    b.done(const(1, I32))
    b.finish(seldom=True)


def _may_be_optional(action: Action) -> bool:
    """Whether an event may start an action, not only a player or a call."""
    triggers = (*action.triggers, *(trigger for phase in action.phases for trigger in phase.triggers))
    return any(trigger.event not in OFFERS or trigger.name is not None for trigger in triggers)


def _is_simultaneous(action: Action) -> bool:
    specifiers = (action.specifier, *(phase.specifier for phase in action.phases))
    return Specifier.SIMULTANEOUS in specifiers


# Effects


def _execute_effects(
    b: Emitter, action: Action, start: ActionEntry, frame: EffectFrame | None = None
) -> None:
    """Execute an action, from its `before` triggers to the actions that waited for its end."""
    with running(b, action, const(-1, I32) if b.this is None else b.this.only):
        _execute_all(b, action, start, frame)


def _execute_all(b: Emitter, action: Action, start: ActionEntry, frame: EffectFrame | None) -> None:
    _call_event(b, action, When.BEFORE)
    with queue(b):
        _call_event(b, action, When.FAST)
        if start.stage is None:
            run_effects(b, action, action, start.part, frame, is_base=start.is_base)
            if start.part is None and not start.is_base:
                for phase in action.phases:
                    if not any(trigger.event for trigger in phase.triggers):
                        _act_in_phase(b, action, phase, frame, None)
        elif start.is_base:
            for phase in action.phases:
                if phase.name == action.phases[start.stage].name:
                    with b.when(_is_open(b, phase, start.part)):
                        run_effects(b, action, phase, start.part, frame, is_base=True)
        else:
            _act_in_phase(b, action, action.phases[start.stage], frame, start.part)
        _call_event(b, action, When.AFTER)
        if action.is_goal and start.part is None:
            with b.when(b.get("ended", I32).eq(0) & _is_announced(b, action)):
                b.put("ended", const(ENDED["draw"], I32))
                b.put("winners", everybody(b))
                b.stop(GAME_OVER)


def _call_event(b: Emitter, action: Action, when: When) -> None:
    listeners = b.world.listeners.get((Event.CALL.kind, f"action {action.index}"), ())
    if not any(each.when is when for each in listeners):
        return
    fields = {"player": Value(Basic.PLAYER, (b.player,))}
    with b.when(_is_announced(b, action)):
        _fire_own(b, f"{Event.CALL.kind}.{action.index}", listeners, fields, when)


def _is_announced(b: Emitter, action: Action) -> Expression:
    """Whether no plain `cancel` has undone the unnamed effects of an action."""
    if not (b.unit.replays and b.world.actions[action.index].can_cancel):
        return const(1, I1)
    return b.let(~is_quiet(b))


def _fire_own(
    b: Emitter, name: str, listeners: Sequence[Listener], fields: dict[str, Value], when: When
) -> None:
    """Fire an event of the current action."""
    if b.this is None:
        fire_event(b, name, listeners, fields, when)
        return

    fire_for_constructs(b, name, b.this, _always(listeners), {"instance": b.this, **fields}, when)


def _always(listeners: Sequence[Listener]) -> Callable[[ConstructInfo], Sequence[Listener]]:
    return lambda kind: listeners


def _is_open(b: Emitter, phase: ActionPhase, part: str | None) -> Expression:
    """Whether the requires of a phase are true, for the effects of one name in it."""
    passes = b.variable(const(1, I1), "passes")
    for require in phase.requires:
        if require.name in (None, part):
            with b.when(passes):
                b.set(passes, check_condition(b, require.block))
    return passes


def _act_in_phase(
    b: Emitter, action: Action, phase: ActionPhase, frame: EffectFrame | None, part: str | None
) -> None:
    """Execute a phase of an action, or the effects of one name in it, if its requires are true."""
    place = action.phases.index(phase)
    with b.when(_is_open(b, phase, part)):
        for event in (Event.ACTION_PHASE_ACTIVE, Event.ACTION_PHASE_INACTIVE):
            if event is Event.ACTION_PHASE_INACTIVE:
                run_effects(b, action, phase, part, frame, is_base=False)
            listeners = [
                each
                for each in b.world.listeners.get((event.kind, f"action {action.index}"), ())
                if each.trigger.part is None or each.trigger.part == phase.name
            ]
            if not listeners:
                continue
            text = const(-1 if phase.name is None else b.unit.string(phase.name), I32)
            fields = {"phase": Value(Basic.STRING, (text,)), "player": Value(Basic.PLAYER, (b.player,))}
            name = f"{event.kind}.{action.index}.{place}.{part}"
            for when in When:
                # The instance receives the event, but is not a field of it.
                if b.this is None:
                    fire_event(b, name, listeners, fields, when)
                else:
                    fire_for_constructs(b, name, b.this, _always(listeners), fields, when)


# Effects that may be cancelled


def _execute_with_checkpoint(
    b: Emitter, action: Action, start: ActionEntry, known: Expression | None
) -> None:
    """Execute the effects; if one that has begun is cancelled, execute all again without it.

    So the other effects run as if the cancelled one did not exist. The same choices are made again, except
    those in the cancelled effect.
    """
    unit = b.unit
    slots = [(each.slot, each.type) for each in action.inputs]
    slots += [each for each in start.fields if each[0] not in {slot for slot, _ in slots}]
    frame = EffectFrame(unit, slots)
    memory = b.stack_slot(frame.size, "frame")
    assert isinstance(b.name, str)
    carry = f"carry.{b.name}"
    this = const(-1, I32) if b.this is None else b.this.only

    @routine(carry, (I32, I32, PTR))
    def make(body: Emitter, mine: Local, who: Local, at: Local) -> None:
        frame.open(body, action, mine, who, at)
        _execute_effects(body, action, start, frame)
        body.done()

    make(unit)
    record = new_record(b) if unit.replays else None
    since = b.get("choice_log", I64) if unit.replays else const(0)
    if record is not None:
        clear_cancelled(b, record)
    with b.loop("carry") as label:
        frame.write(b, memory)
        if record is not None:
            push_record(b, record, action)
        (status,) = b.call(carry, (*_run(b), this, b.player, memory), (I32,))
        with b.when(status.ne(CANCELLED)):
            b.stop_if(status.ne(0), status)
            b.leave(label)
        if known is None:
            b.stop(status)  # another action is cancelled
        else:
            restore_checkpoint(b, known)
            effect = b.get("cancelled", I32)
            b.leave_if(effect < 0, label)
            if record is None:
                b.leave(label)
            else:
                cancel_effect(b, record, effect)
                replay_choices(b, since)
    if known is not None:
        release_checkpoint(b, known)
    if record is not None:
        pop_record(b, record)


def _run(b: Emitter) -> tuple[Expression, ...]:
    return b.parameters[:2]


SOURCES: dict[Event, Callable[..., object]] = {
    Event.CALL: _call_event,
    Event.ACTION_PHASE_ACTIVE: _act_in_phase,
    Event.ACTION_PHASE_INACTIVE: _act_in_phase,
}
"""The functions that raise events."""
