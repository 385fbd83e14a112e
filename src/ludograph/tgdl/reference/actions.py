"""Actions: offering, performing and triggering them; events and their listeners.

The order within an action: inputs, each with the requires that it makes testable; `before` triggers; effects
(with `fast` triggers immediately at their event); phases; then the queued `after` triggers.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from ludograph.tgdl.program import ConstructKind, Replaced, Trigger, When
from ludograph.tgdl.program.events import Event
from ludograph.tgdl.reference.fuel_costs import pay, size_of
from ludograph.tgdl.reference.inputs import check_argument, note_input, resolve
from ludograph.tgdl.reference.instances import find_in_play, owner_of
from ludograph.tgdl.reference.naming import OfferedAction, action_text
from ludograph.tgdl.reference.queues import EMPTY_QUEUE
from ludograph.tgdl.reference.run import Run, RunningAction
from ludograph.tgdl.world.faults import Cancelled, Failed, GameEnded, NothingToChoose, Site
from ludograph.tgdl.world.memory import ACTIVE, OWNER, PHASE, SWITCHED, SWITCHES, Instance
from ludograph.tgdl.world.world import (
    Closure,
    CompiledAction,
    CompiledActionPhase,
    CompiledEffect,
    CompiledRequire,
    Frame,
    Listener,
    is_unnamed,
)

FieldValues = tuple[tuple[int, Any], ...]
"""The fields of an event: slots of the action's frame, and their values."""

OWNABLE = frozenset({ConstructKind.TILE, ConstructKind.INTERACTABLE})


def offered(run: Run, player: int, *, offturn: bool, asides: bool = False) -> list[OfferedAction]:
    """The actions that a player may start, in the order of the language reference.

    The requires that need no input hold for them.
    """
    events = (Event.OFFTURN.kind if offturn else Event.CHOICE.kind, Event.ASIDE.kind if asides else "")
    world = run.world
    phase = run.cells[PHASE]
    found: list[OfferedAction] = []
    known: dict[CompiledRequire, bool] = {}
    for offer in world.offers:
        if offer.event not in events or (offer.phases is not None and phase not in offer.phases):
            continue
        compiled = world.actions[offer.action]
        for this in _owners(run, compiled, player):
            run.spend(offer.price, compiled.call.site)
            frame = new_frame(compiled, this, _actor(run, this, player))
            if offer.block is not None and not offer.block(run, frame):
                continue
            if _allows(run, compiled, offer.part, frame, known):
                found.append((offer.action, this, offer.part))
    return found if len(found) == len(set(found)) else list(dict.fromkeys(found))


def is_aside(run: Run, player: int, opener: OfferedAction) -> bool:
    """Whether an action of an asked player is offered as an aside only, not as a player choice.

    The action has been started already, so this second test of its triggers costs no fuel.
    """
    mine = [offer for offer in run.world.offers if (offer.action, offer.part) == (opener[0], opener[2])]
    if all(offer.event != Event.ASIDE.kind for offer in mine):
        return False
    compiled, phase, fuel = run.world.actions[opener[0]], run.cells[PHASE], run.fuel
    run.is_pure += 1
    chosen = any(
        offer.event == Event.CHOICE.kind
        and (offer.phases is None or phase in offer.phases)
        and (
            offer.block is None
            or offer.block(run, new_frame(compiled, opener[1], _actor(run, opener[1], player)))
        )
        for offer in mine
    )
    run.is_pure -= 1
    run.fuel = fuel
    return not chosen


def _allows(
    run: Run, compiled: CompiledAction, part: str | None, frame: Frame, known: dict[CompiledRequire, bool]
) -> bool:
    """Whether the requires without inputs hold. A require that does not read `this` is tested once."""
    for test in compiled.requires:
        if test.needs or (test.name is not None and test.name != part):
            continue
        if not test.shared:
            if not test.code(run, frame):
                return False
            continue
        if test not in known:
            known[test] = test.code(run, frame)
        if not known[test]:
            return False
    return True


def _owners(
    run: Run, compiled: CompiledAction, player: int
) -> tuple[Instance | None, ...] | list[Instance | None]:
    """The instances whose action a player may start."""
    action = compiled.action
    if action.owner is None:
        return () if action.index in run.cells[SWITCHED] else (None,)
    cells = run.cells
    found: list[Instance | None] = []
    for this in find_in_play(run, action.owner, compiled.call.site):
        construct = this.kind.construct
        if action.index in cells[this.extra + SWITCHES] or action.index not in construct.actions:
            continue
        if construct.kind is ConstructKind.LOCAL:
            if cells[this.extra + OWNER] != player:
                continue
        elif construct.kind is ConstructKind.GROUP_STATE:
            if player not in cells[this.extra + OWNER]:
                continue
        elif construct.kind in OWNABLE or construct.kind is ConstructKind.STACK:
            owner = owner_of(run, this)
            if owner is not None and owner != player:
                continue
        found.append(this)
    return found


def _actor(run: Run, this: Instance | None, player: int | None) -> int | None:
    """The value of `player` in an action: the owner of a local state, else who started the transaction."""
    if this is not None and this.kind.construct.kind is ConstructKind.LOCAL:
        owner: int | None = run.cells[this.extra + OWNER]
        return player if owner is None else owner
    return player


def new_frame(compiled: CompiledAction, this: Instance | None, player: int | None) -> Frame:
    frame: Frame = [None] * (compiled.frame + 3)
    frame[-2] = player
    frame[-1] = this
    return frame


# Performing


def perform(
    run: Run,
    index: int,
    this: Instance | None,
    player: int | None,
    *,
    part: str | None = None,
    stage: int | None = None,
    chosen: bool = False,
    optional: bool = False,
    chosen_inputs: tuple[Any, ...] | None = None,
    arguments: tuple[Any, ...] | None = None,
    given: tuple[bool, ...] = (),
    fields: FieldValues = (),
    is_base: bool = False,
) -> bool:
    """Perform an action. Returns whether it happened.

    If a require of a chosen or called action does not hold, the transaction fails. A triggered (`optional`)
    action is skipped instead. `chosen_inputs` are the values of all inputs, if they were chosen and tested
    before. A call through `base(…)` runs only the effects of the part, or of the phases with the name of the
    stage.
    """
    world = run.world
    compiled = world.actions[index]
    frame = new_frame(compiled, this, _actor(run, this, player))
    for slot, value in fields:
        frame[slot] = value
    run.enter(compiled.call)
    if run.trace is not None:
        word = "goal" if compiled.action.is_goal else "action"
        run.open_note(f"{word} {action_text(run, (index, this, part))}")
    start = None
    if compiled.can_cancel:
        pay(run, size_of(run), compiled.call.site)
        start = run.savepoint()
    if chosen_inputs is not None:
        for prompt, value in zip(compiled.prompts, chosen_inputs, strict=True):
            frame[prompt.input.slot] = value
            note_input(run, prompt, frame)
    elif not _prepare(
        run, compiled, frame, part, chosen=chosen, optional=optional, arguments=arguments, given=given
    ):
        run.leave()
        run.drop_note()
        return False
    if start is None:
        _run_action(run, compiled, frame, part, stage, is_base=is_base)
    else:
        try:
            _run_cancellable(run, compiled, frame, part, stage, is_base=is_base)
        except Cancelled as cancelled:
            pay(run, size_of(run), compiled.call.site)
            run.restore(start)
            run.note(f"cancelled: {cancelled.message_for(run.readers)}")
    run.leave()
    run.close_note()
    return True


def choose_inputs(
    run: Run, index: int, this: Instance | None, player: int, part: str | None
) -> tuple[Any, ...]:
    """Ask for the inputs of an action without running its effects. Returns the values of the inputs."""
    compiled = run.world.actions[index]
    frame = new_frame(compiled, this, _actor(run, this, player))
    run.enter(compiled.call)
    run.open_note(f"action {action_text(run, (index, this, part))}")
    _prepare(run, compiled, frame, part, chosen=True, optional=False, arguments=None, given=())
    run.close_note()
    run.leave()
    return tuple([frame[prompt.input.slot] for prompt in compiled.prompts])


def _run_cancellable(
    run: Run, compiled: CompiledAction, frame: Frame, part: str | None, stage: int | None, *, is_base: bool
) -> None:
    """Run the effects. If an effect that has begun is cancelled, run all of them again without it.

    So the other effects do what they would do without the cancelled one. The second run reads the same
    choices again and skips those of the cancelled effect. A plain `cancel` cancels the unnamed effects; then
    the second run does not announce the action.
    """
    start = run.savepoint()
    values = list(frame)
    made = len(run.made)
    left_out: set[str] = set()
    while True:
        try:
            _run_action(run, compiled, frame, part, stage, frozenset(left_out), is_base=is_base)
            return
        except Cancelled as cancelled:
            if cancelled.effect == "all":
                raise
            left_out |= {cancelled.effect, *run.running[start.running].cancelled}
            pay(run, size_of(run), compiled.call.site)
            run.restore(start)
            run.replay(made)
            frame[:] = values
            what = "" if is_unnamed(cancelled.effect) else f"the effect {cancelled.effect} is "
            run.note(f"{what}cancelled: {cancelled.message_for(run.readers)}")


def _prepare(
    run: Run,
    compiled: CompiledAction,
    frame: Frame,
    part: str | None,
    *,
    chosen: bool,
    optional: bool,
    arguments: tuple[Any, ...] | None,
    given: tuple[bool, ...],
) -> bool:
    """Ask for the inputs. Each require is tested as soon as its inputs are known."""
    prompts = compiled.prompts
    for level in range(len(prompts) + 1):
        # If later choices exist already, these requires held when the choices were made.
        if not (chosen and run.at < len(run.choices)):
            for test in compiled.requires:
                due = test.needs == level or (level == len(prompts) and test.needs > level)
                if due and (test.name is None or test.name == part) and not holds(run, test, frame):
                    if optional:
                        return False
                    raise refusal(run, test, frame)
        if level < len(prompts):
            prompt = prompts[level]
            if arguments is not None and given[level]:
                frame[prompt.input.slot] = arguments[level]
                check_argument(run, prompt, frame)
                continue
            try:
                resolve(run, prompt, frame, optional=optional)
            except NothingToChoose:
                if optional:
                    return False
                raise
            note_input(run, prompt, frame)
    return True


def holds(run: Run, test: CompiledRequire, frame: Frame) -> bool:
    return _passes(run, test.code, frame)


def _passes(run: Run, code: Closure, frame: Frame) -> bool:
    """Evaluate a condition, which has no effects."""
    run.is_pure += 1
    passed = code(run, frame)
    run.is_pure -= 1
    return bool(passed)


def refusal(run: Run, test: CompiledRequire, frame: Frame) -> Failed:
    """The failure of a require. The values that it read are computed on demand."""
    return Failed(f"this is required: {test.words}", test.site, test=test, frame=frame)


def _run_action(
    run: Run,
    compiled: CompiledAction,
    frame: Frame,
    part: str | None,
    stage: int | None,
    left_out: frozenset[str] = frozenset(),
    *,
    is_base: bool,
) -> None:
    this, index = frame[-1], compiled.action.index
    run.running.append(RunningAction(index, this, compiled.effects, left_out))
    listeners = run.world.listeners.get((Event.CALL.kind, f"action {index}"), ())
    if run.running[-1].is_cancelled:
        listeners = ()
    fields = {"instance": this, "player": frame[-2]}
    if listeners:
        fire(run, listeners, fields, this, frame[-2], When.BEFORE)
    run.queues.append(EMPTY_QUEUE)
    if listeners:
        fire(run, listeners, fields, this, frame[-2], When.FAST)
    if stage is None:
        _run_effects(run, compiled, compiled.main, frame, part, is_base=is_base)
        if part is None and not is_base:
            for each in compiled.phases:
                if not each.has_triggers:
                    _run_action_phase(run, compiled, each, frame, None)
    elif is_base:
        for each in compiled.phases:
            if each.name == compiled.phases[stage].name and _phase_requires_hold(run, each, frame, part):
                _run_effects(run, compiled, each, frame, part, is_base=True)
    else:
        _run_action_phase(run, compiled, compiled.phases[stage], frame, part)
    if listeners:
        fire(run, listeners, fields, this, frame[-2], When.AFTER)
    is_reached = compiled.action.is_goal and part is None and not run.running[-1].is_cancelled
    if is_reached and run.ended is None:
        run.ended = ("draw", tuple(range(run.world.players)))
        raise GameEnded
    run_queued(run)
    run.running.pop()


def _phase_requires_hold(run: Run, stage: CompiledActionPhase, frame: Frame, part: str | None) -> bool:
    """Whether the requires of a phase hold for the effects with a name in it."""
    return all(holds(run, test, frame) for test in stage.requires if test.name in (None, part))


def _run_action_phase(
    run: Run, compiled: CompiledAction, stage: CompiledActionPhase, frame: Frame, part: str | None
) -> None:
    """Run a phase of an action, or its effects with a name, if its requires hold."""
    if not _phase_requires_hold(run, stage, frame, part):
        return
    key = f"action {compiled.action.index}"
    fields = {"phase": stage.name, "player": frame[-2]}
    for event in (Event.ACTION_PHASE_ACTIVE, Event.ACTION_PHASE_INACTIVE):
        if event is Event.ACTION_PHASE_INACTIVE:
            _run_effects(run, compiled, stage, frame, part, is_base=False)
        listeners = tuple(
            listener
            for listener in run.world.listeners.get((event.kind, key), ())
            if listener.trigger.part is None or listener.trigger.part == stage.name
        )
        if listeners:
            announce(run, listeners, fields, frame[-1], frame[-2])


def _run_effects(
    run: Run,
    compiled: CompiledAction,
    stage: CompiledActionPhase,
    frame: Frame,
    part: str | None,
    *,
    is_base: bool,
) -> None:
    """Run the effects of an action or of one of its phases.

    A call of unnamed effects through `base(…)` skips the named ones, because the override runs them itself.
    """
    run.running[-1].unnamed = stage.unnamed
    is_one = part is not None or (is_base and any(each.name is not None for each in stage.parts))
    if is_one or stage.specifier == "plain":
        chosen = [each for each in stage.parts if each.name == part]
    else:
        tests = (*compiled.requires, *stage.requires) if stage is not compiled.main else compiled.requires
        chosen = [
            each
            for each in stage.parts
            if each.name is None or all(holds(run, test, frame) for test in tests if test.name == each.name)
        ]
        if stage.specifier == "choice":
            chosen = _choose_effects(run, stage, frame, chosen)
    if stage.specifier == "simultaneous":
        _ask_simultaneous(run, chosen, frame, compiled.call.site)
    for each in chosen:
        _run_effect(run, each, frame)


def _ask_simultaneous(run: Run, parts: list[CompiledEffect], frame: Frame, site: Site) -> None:
    """Ask for all choices of simultaneous effects before any of them happens.

    Each effect runs alone from the same savepoint and is undone. Then all run again with the same choices. A
    result ends only the effect in which it is.
    """
    pay(run, size_of(run), site)
    start = run.savepoint()
    made = len(run.made)
    for each in parts:
        values = list(frame)
        with suppress(GameEnded):
            _run_effect(run, each, frame)
        pay(run, size_of(run), site)
        run.restore(start)
        frame[:] = values
    run.replay(made)


def run_named_effects(run: Run, index: int, phase: int | None, names: tuple[str, ...], frame: Frame) -> None:
    """Run the effects with these names whose requires hold."""
    compiled = run.world.actions[index]
    stage = compiled.main if phase is None else compiled.phases[phase]
    tests = (*compiled.requires, *stage.requires)
    chosen = [
        each
        for name in names
        for each in stage.parts
        if each.name == name and all(holds(run, test, frame) for test in tests if test.name == name)
    ]
    for each in chosen:
        _run_effect(run, each, frame)


def _run_effect(run: Run, part: CompiledEffect, frame: Frame) -> None:
    running = run.running[-1]
    if part.key in running.cancelled:
        return
    running.begun.add(part.key)
    running.part = part.key
    part.code(run, frame)
    running.part = None


def _choose_effects(
    run: Run, stage: CompiledActionPhase, frame: Frame, eligible: list[CompiledEffect]
) -> list[CompiledEffect]:
    """`choice n`: the player chooses n of the effects, in source order."""
    always = [each for each in eligible if each.name is None]
    named = [each for each in eligible if each.name is not None]
    if not named:
        always, named = [], always
    names = [each.name or str(stage.parts.index(each) + 1) for each in named]
    count = min(stage.choices, len(named))
    if count == 0 and not always:
        raise NothingToChoose("none of the effects can be chosen", stage.site)
    taken: list[int] = []
    while len(taken) < count:
        first = taken[-1] + 1 if taken else 0
        last = len(named) - (count - len(taken))
        name = run.take(
            frame[-2],
            "effect",
            "effect",
            names[first : last + 1],
            index=len(taken),
        )
        taken.append(names.index(name))
    return [*always, *(named[place] for place in taken)]


# Events


def announce(
    run: Run,
    listeners: tuple[Listener, ...],
    fields: dict[str, Any],
    instance: Instance | None,
    player: int | None,
) -> None:
    """Fire an event for all timings: `before`, `fast` and `after`."""
    fire(run, listeners, fields, instance, player, When.BEFORE)
    fire(run, listeners, fields, instance, player, When.FAST)
    fire(run, listeners, fields, instance, player, When.AFTER)


def fire(
    run: Run,
    listeners: tuple[Listener, ...],
    fields: dict[str, Any],
    instance: Instance | None,
    player: int | None,
    when: When,
) -> None:
    """Start the actions that an event triggers; with `after`, queue them.

    After all triggers with an event, the triggers over names (`trigger { A or B }`) of each instance are
    tested, with all names that the event has fired.
    """
    if run.silent:
        return
    waiting: list[tuple[float, int, int, int, Any]] = []
    fired: dict[tuple[int, int, int], tuple[tuple[float, int, int, int, Any], set[str]]] = {}
    active = run.cells[ACTIVE] or 0
    for listener in listeners:
        if listener.when is not when:
            continue
        compiled = run.world.actions[listener.action]
        if not _is_in_phase(run, listener):
            continue
        for this in _receivers(run, listener.trigger, compiled, instance):
            if listener.trigger.ignores_own and _is_running(run, listener.action, this):
                continue
            run.spend(listener.price, listener.call.site)
            values = tuple((slot, fields.get(name)) for name, slot in listener.fields)
            passed = True
            if listener.block is not None:
                frame = new_frame(compiled, this, _actor(run, this, player))
                for slot, value in values:
                    frame[slot] = value
                passed = _passes(run, listener.block, frame)
            if listener.condition is not None:
                passed = _becomes_true(run, listener.condition, this, passed)
            if not passed:
                continue
            owner = owner_of(run, this) if this is not None else None
            seat = 0 if owner is None else (owner - active) % run.world.players
            index = compiled.action.index
            number = this.number if this is not None else -1
            order = (-compiled.action.priority, index, seat, number)
            waiting.append((*order, (listener, this, player, values, index, listener.stage)))
            if listener.joins is not None:
                beside = (*order, (None, this, player, values, index, listener.stage))
                stage = -1 if listener.stage is None else listener.stage
                fired.setdefault((index, stage, number), (beside, set()))[1].add(listener.joins)
    for key in sorted(fired):
        beside, names = fired[key]
        _, this, _, values, index, place = beside[4]
        if _combined_trigger_holds(
            run, run.world.actions[index], place, this, player, frozenset(names), values
        ):
            waiting.append(beside)
    if when is When.AFTER:
        for *rank, entry in waiting:
            run.enqueue(tuple(rank), entry)
        return
    waiting.sort(key=lambda each: each[:4])
    for place, (*_, entry) in enumerate(waiting, 1):
        pay(run, len(waiting) - place, run.world.actions[entry[4]].call.site)
        _start(run, entry)


def start_all(run: Run, listeners: tuple[Listener, ...], player: int) -> bool:
    """Start every action triggered by a stuck player. Returns whether any of them happened.

    The triggers of one action and instance run in source order, and triggers over names last.
    """
    happened = False
    compiled_actions = run.world.actions
    for index in sorted(
        {each.action for each in listeners}, key=lambda each: (-compiled_actions[each].action.priority, each)
    ):
        compiled = compiled_actions[index]
        listening = [each for each in listeners if each.action == index and _is_in_phase(run, each)]
        for this in _receivers(run, listening[0].trigger, compiled, None) if listening else ():
            owner = None if this is None else owner_of(run, this)
            if owner is not None and owner != player:
                continue
            fired: dict[int | None, set[str]] = {}
            for listener in listening:
                run.spend(listener.price, listener.call.site)
                if listener.block is None or _passes(run, listener.block, new_frame(compiled, this, player)):
                    entry = (listener, this, player, (), index, listener.stage)
                    happened = _start(run, entry) or happened
                    if listener.joins is not None:
                        fired.setdefault(listener.stage, set()).add(listener.joins)
            for stage in (None, *range(len(compiled.action.phases))):
                names = frozenset(fired.get(stage, ()))
                if names and _combined_trigger_holds(run, compiled, stage, this, player, names):
                    happened = _start(run, (None, this, player, (), index, stage)) or happened
    return happened


def starts_unnamed_effects(
    run: Run, index: int, this: Instance | None, player: int, name: str | None
) -> bool:
    """Whether the choice of a named part also starts the unnamed effects."""
    compiled = run.world.actions[index]
    return name is not None and _combined_trigger_holds(run, compiled, None, this, player, frozenset((name,)))


def run_queued(run: Run) -> None:
    """Run the actions that were queued until the end of this effect, and remove the queue."""
    while run.queues[-1].number:
        entry, run.queues[-1] = run.queues[-1].take()
        pay(run, run.queues[-1].number, run.world.actions[entry[4]].call.site)
        _start(run, entry)
    run.queues.pop()


def _combined_trigger_holds(
    run: Run,
    compiled: CompiledAction,
    stage: int | None,
    this: Instance | None,
    player: int | None,
    names: frozenset[str],
    fields: FieldValues = (),
) -> bool:
    """Whether a trigger over names (`trigger { A or B }`) holds after some named triggers have fired."""
    over = run.world.combined_triggers.get((compiled.action.index, stage))
    if over is None:
        return False
    run.spend(over.price, over.site)
    run.fired = names
    frame = new_frame(compiled, this, _actor(run, this, player))
    for slot, value in fields:
        frame[slot] = value
    return any(_passes(run, block, frame) for block in over.blocks)


TriggeredAction = tuple[Listener | None, Instance | None, int | None, FieldValues, int, int | None]
"""A triggered action: the listener (None: a trigger over names), the instance, the player, the fields of the
event, the action, and its phase."""


def _start(run: Run, entry: TriggeredAction) -> bool:
    listener, this, player, values, index, stage = entry
    if listener is None:
        return perform(run, index, this, player, stage=stage, optional=True, fields=values)
    run.enter(listener.call)
    happened = perform(
        run,
        index,
        this,
        player,
        part=listener.trigger.name,
        stage=stage,
        optional=True,
        fields=values,
    )
    run.leave()
    return happened


def _receivers(
    run: Run, trigger: Trigger, compiled: CompiledAction, instance: Instance | None
) -> tuple[Instance | None, ...]:
    """The instances whose action an event starts: the instance of the event if it has the action, else all.

    A trigger that names the construct of its action (or a base of it, if inherited) receives only the events
    of its own instance.
    """
    action = compiled.action
    if action.owner is None:
        return () if action.index in run.cells[SWITCHED] else (None,)
    candidates: tuple[Instance, ...]
    if instance is not None and action.owner in instance.kind.ancestry:
        candidates = (instance,)
    elif instance is not None and trigger.target in run.world.kind[action.owner].ancestry:
        return ()
    else:
        candidates = find_in_play(run, action.owner, compiled.call.site)
    return tuple(
        this
        for this in candidates
        if action.index not in run.cells[this.extra + SWITCHES]
        and action.index in this.kind.construct.actions
    )


def _becomes_true(run: Run, condition: int, this: Instance | None, passed: bool) -> bool:
    """Remember whether a condition holds. Returns whether it starts its action.

    It does if it did not hold at its last test, but only once in a transaction.
    """
    at = SWITCHED if this is None else this.extra + SWITCHES
    known: tuple[int, ...] = run.cells[at]
    if passed == (condition in known):
        return False
    others = (each for each in known if each != condition)
    run.cells[at] = tuple(sorted((*known, condition))) if passed else tuple(others)
    if not passed or (condition, this) in run.started:
        return False
    run.started.add((condition, this))
    return True


def _is_running(run: Run, index: int, this: Instance | None) -> bool:
    return any(each.index == index and each.this is this for each in run.running)


def _is_in_phase(run: Run, listener: Listener) -> bool:
    """Whether a trigger applies in the current phase."""
    phases = listener.trigger.phases
    return not phases or run.cells[PHASE] in {
        compiled_phase.index
        for compiled_phase in run.world.phases
        if (run.world.turns[compiled_phase.turn].turn.name, compiled_phase.phase.name) in phases
    }


def call_action(
    run: Run,
    index: int,
    this: Instance | None,
    player: int | None,
    arguments: tuple[Any, ...],
    given: tuple[bool, ...],
    fields: tuple[tuple[int, Any], ...],
    replaced: Replaced | None,
) -> None:
    """Call an action. Inputs without an argument are asked for."""
    switched = run.cells[SWITCHED] if this is None else run.cells[this.extra + SWITCHES]
    compiled = run.world.actions[index]
    if index in switched:
        raise Failed(f"'{compiled.action.name}' is not allowed now", compiled.call.site)
    perform(
        run,
        index,
        this,
        player,
        part=None if replaced is None else replaced.effect,
        stage=None if replaced is None else replaced.phase,
        arguments=arguments,
        given=given,
        fields=fields,
        is_base=replaced is not None,
    )


SOURCES: dict[Event, Callable[..., object]] = {
    Event.CHOICE: offered,
    Event.OFFTURN: offered,
    Event.ASIDE: offered,
    Event.CALL: _run_action,
    Event.ACTION_PHASE_ACTIVE: _run_action_phase,
    Event.ACTION_PHASE_INACTIVE: _run_action_phase,
}
"""The functions that offer actions or raise events."""
