"""Compiles declarations into a world: initial values, verbs, actions with their triggers, turns, setups."""

from collections.abc import Iterator, Sequence

from ludograph.tgdl import program as p
from ludograph.tgdl.program.events import CONDITION, OFFERS, About, event_named
from ludograph.tgdl.program.table_sizes import count_entries
from ludograph.tgdl.program.types import ConstructType, ListType, TableType, Type
from ludograph.tgdl.reference.compile.compiler import Compiler
from ludograph.tgdl.reference.compile.statements import compile_statements
from ludograph.tgdl.reference.table_keys import empty
from ludograph.tgdl.world.analysis import Analysis, reads_uninitialised, triggers_over_names, walk
from ludograph.tgdl.world.faults import CallSite
from ludograph.tgdl.world.fuel import ACTION, TRIGGER, price
from ludograph.tgdl.world.world import (
    ActionOffer,
    Closure,
    CombinedTriggers,
    CompiledAction,
    CompiledActionPhase,
    CompiledEffect,
    CompiledPhase,
    CompiledRequire,
    CompiledSetup,
    CompiledTurn,
    CompiledVerb,
    GrowingTable,
    Initialiser,
    Listener,
    OnDemand,
    unnamed_key,
)


def compile_initialiser(c: Compiler, construct: p.Construct) -> Initialiser:
    values: list[tuple[int, Closure | ConstructType | TableType]] = []
    stacks: list[int] = []
    for attribute in construct.attributes:
        c.file = attribute.file
        if attribute.stack is not None and isinstance(attribute.type, ConstructType | TableType):
            stacks.append(attribute.slot)
            values.append((attribute.slot, attribute.type))
        elif attribute.initial is not None:
            values.append((attribute.slot, c.stored(attribute.initial, attribute.type)))
        if attribute.low is not None or attribute.high is not None:
            low = None if attribute.low is None else c.expression(attribute.low)
            high = None if attribute.high is None else c.expression(attribute.high)
            c.world.ranges[construct.name, attribute.slot] = (low, high, c.site(attribute.span))
        entries = dict(_new_entries(c, attribute.type, attribute.initial))
        if entries:
            growing = GrowingTable(
                c.world.kind[construct.name].index, attribute.slot, attribute.type, entries, construct.frame
            )
            c.world.growing_tables = (*c.world.growing_tables, growing)
        if attribute.visible is not None:
            c.world.visible[construct.name, attribute.slot] = c.block(attribute.visible)
    blanks = tuple(
        (attribute.slot, empty(attribute.type))
        for attribute in construct.attributes
        if isinstance(attribute.type, ListType | TableType) and reads_uninitialised(construct)
    )
    created = [
        one.slot for one in construct.attributes for node in walk(one.initial) if isinstance(node, p.New)
    ]
    table_stacks = sum(_count_stacks(c, each) for each in construct.attributes)
    cost = price(construct.attributes) - 1 + len(created) + table_stacks
    return Initialiser(tuple(values), blanks, tuple(stacks), frozenset(created), construct.frame, cost)


def _count_stacks(c: Compiler, attribute: p.Attribute) -> int:
    """The number of stacks in a table of stacks; 0 for other attributes."""
    if attribute.stack is None or not isinstance(attribute.type, TableType):
        return 0
    return count_entries(attribute.type, lambda enum: len(c.world.members[enum]), c.world.players)


def _new_entries(c: Compiler, type: Type, initial: p.Expression | None) -> Iterator[tuple[Type, Closure]]:
    """For each table over tiles in a type: the entry of a new tile, as in the declaration."""
    if not isinstance(type, TableType | ListType):
        return
    inner = type.value if isinstance(type, TableType) else type.element
    fill = initial.fill if isinstance(initial, p.MakeTable) else None
    if isinstance(type, TableType) and isinstance(type.key, ConstructType):
        yield type, empty(inner) if fill is None else c.expression(fill)
    yield from _new_entries(c, inner, fill)


def prepare_verbs(c: Compiler) -> None:
    """Prepare all verbs. Each is compiled at its first call."""
    verbs = c.world.program.verbs
    c.world.verbs = OnDemand(len(verbs), lambda number: _function(c.fresh(), verbs[number]))


def _function(c: Compiler, verb: p.Verb) -> CompiledVerb:
    c.file, c.body = verb.file, verb
    owner = f"{verb.owner}." if verb.owner else ""
    call = CallSite(f"verb {owner}{verb.name}", c.site(verb.span), price(verb.block))
    with c.frame(verb.frame) as frame:
        match verb.block.statements:
            case (p.Return(value),) if value is not None:
                code, is_expression = c.observed(verb.block.statements[0], c.expression(value)), True
            case statements:
                code, is_expression = compile_statements(c, statements), False
        prompts = tuple(c.prompt(known) for known in verb.parameters)
        return CompiledVerb(verb, frame(), prompts, code, call, is_expression)


def prepare_actions(c: Compiler) -> None:
    """Prepare all actions and goals. Each is compiled at its first use."""
    actions, analysis = c.world.program.actions, Analysis(c.world.program)
    c.world.actions = OnDemand(
        len(actions), lambda number: _compile_action(c.fresh(), actions[number], analysis)
    )


def compile_triggers(c: Compiler) -> None:
    """Compile the triggers of actions and goals: player choices and listeners of events."""
    offers: list[tuple[bool, int, ActionOffer]] = []
    listeners: dict[tuple[str, str], list[Listener]] = {}
    goals: list[p.Action] = []
    for action in c.world.program.actions:
        c.file, c.body = action.file, action
        if action.is_goal and not any(trigger.event for trigger in action.triggers):
            goals.append(action)
        for trigger in action.triggers:
            with c.in_file(trigger.file):
                if trigger.event in OFFERS:
                    offers.append((action.owner is not None, action.index, _offer(c, action, trigger)))
                elif trigger.event:
                    _listen(c, listeners, action, trigger, None)
        _combine(c, action, None)
        for number, phase in enumerate(action.phases):
            _combine(c, action, number)
            for trigger in phase.triggers:
                if trigger.event:
                    with c.in_file(trigger.file):
                        _listen(c, listeners, action, trigger, number)
    offers.sort(key=lambda each: each[:2])
    c.world.offers = tuple(offer for _, _, offer in offers)
    c.world.listeners = {key: tuple(each) for key, each in listeners.items()}
    c.world.conditions = c.world.listeners.get((CONDITION, "game"), ())
    goals.sort(key=lambda goal: -goal.priority)
    c.world.goals = tuple(goal.index for goal in goals)


def _compile_action(c: Compiler, action: p.Action, analysis: Analysis) -> CompiledAction:
    c.file, c.body = action.file, action
    owner = f"{action.owner}." if action.owner else ""
    word = "goal" if action.is_goal else "action"
    cost = price(action.requires, action.effects, action.phases) + ACTION - 1
    call = CallSite(f"{word} {owner}{action.name}", c.site(action.span), cost)
    c.named = {}
    with c.frame(action.frame) as frame:
        c.inputs = set()
        prompts = tuple(c.prompt(known) for known in action.inputs)
        tests = _tests(c, action.requires)
        main = CompiledActionPhase(
            None,
            unnamed_key(None),
            action.specifier.value,
            action.choices,
            (),
            tuple(_part(c, effect, None) for effect in action.effects),
            False,
            call.site,
        )
        stages = tuple(_stage(c, phase, number) for number, phase in enumerate(action.phases))
        size = frame()
    c.named = None
    return CompiledAction(
        action,
        size,
        prompts,
        tests,
        main,
        stages,
        call,
        analysis.is_safe(action),
        analysis.is_deterministic(action),
        analysis.can_cancel(action),
        frozenset(
            effect.name
            for effects in (action.effects, *(phase.effects for phase in action.phases))
            for effect in effects
            if effect.name is not None
        ),
    )


def _tests(c: Compiler, requires: Sequence[p.Require]) -> tuple[CompiledRequire, ...]:
    named = c.named
    assert named is not None
    tests: list[CompiledRequire] = []
    c.requires = requires
    for require in requires:
        with c.in_file(require.file):
            code = c.block(require.block)
            if require.name is not None:
                named.setdefault(require.name, []).append(code)
            tests.append(
                CompiledRequire(
                    require.name,
                    require.needs,
                    code,
                    require.words,
                    c.site(require.span),
                    c.reader(require.block),
                    not any(isinstance(node, p.This) for node in walk(require.block)),
                    c.explainer(require.block),
                )
            )
    return tuple(tests)


def _stage(c: Compiler, phase: p.ActionPhase, number: int) -> CompiledActionPhase:
    return CompiledActionPhase(
        phase.name,
        unnamed_key(number),
        phase.specifier.value,
        phase.choices,
        _tests(c, phase.requires),
        tuple(_part(c, effect, number) for effect in phase.effects),
        any(trigger.event for trigger in phase.triggers),
        c.site(phase.span),
    )


def _part(c: Compiler, effect: p.Effect, phase: int | None) -> CompiledEffect:
    key = unnamed_key(phase) if effect.name is None else effect.name
    with c.in_file(effect.file):
        return CompiledEffect(effect.name, key, c.effect(effect.block), c.site(effect.span))


def _trigger_block(c: Compiler, trigger: p.Trigger) -> Closure | None:
    if trigger.block is None or not trigger.block.statements:
        return None
    c.named = None
    return c.block(trigger.block)


def _offer(c: Compiler, action: p.Action, trigger: p.Trigger) -> ActionOffer:
    phases = None
    if trigger.phases:
        phases = frozenset(
            compiled_phase.index
            for compiled_phase in c.world.phases
            if (c.world.turns[compiled_phase.turn].turn.name, compiled_phase.phase.name) in trigger.phases
        )
    block = _trigger_block(c, trigger)
    return ActionOffer(
        action.index,
        trigger.name,
        trigger.event,
        phases,
        block,
        trigger.fields,
        c.site(trigger.span),
        price(trigger.block, action.requires),
        None if block is None or trigger.block is None else c.condition(trigger.block, block),
        c.words_for_players(trigger.refusal, trigger.span),
    )


def _listen(
    c: Compiler,
    listeners: dict[tuple[str, str], list[Listener]],
    action: p.Action,
    trigger: p.Trigger,
    stage: int | None,
) -> None:
    is_condition = trigger.event == CONDITION
    event = "a condition" if is_condition else trigger.event
    call = CallSite(f"trigger of {action.name} on {event}", c.site(trigger.span))
    block = _trigger_block(c, trigger)
    joins = trigger.name if triggers_over_names(action, stage) else None
    cost = price(trigger.block) + TRIGGER - 1
    number = len(c.world.program.actions) + len(listeners.get((CONDITION, "game"), ()))
    listener = Listener(
        action.index,
        trigger,
        block,
        stage,
        trigger.when,
        call,
        trigger.fields,
        cost,
        joins,
        number if is_condition else None,
    )
    for key in ("game",) if is_condition else _listener_keys(c, trigger):
        listeners.setdefault((trigger.event, key), []).append(listener)


def _combine(c: Compiler, action: p.Action, stage: int | None) -> None:
    triggers = triggers_over_names(action, stage)
    if not triggers:
        return
    blocks: list[Closure] = []
    c.named = None
    for trigger in triggers:
        assert trigger.block is not None
        with c.in_file(trigger.file):
            blocks.append(c.block(trigger.block))
    with c.in_file(triggers[0].file):
        site = c.site(triggers[0].span)
    cost = price(*(trigger.block for trigger in triggers))
    c.world.combined_triggers[action.index, stage] = CombinedTriggers(tuple(blocks), cost, site)


def _listener_keys(c: Compiler, trigger: p.Trigger) -> Iterator[str]:
    match event_named(trigger.event, of_action=bool(trigger.actions)).about:
        case About.PLAYER | About.GAME as about:
            yield about.value
        case About.ATTRIBUTE:
            for name in trigger.listens:
                if trigger.attribute is not None:
                    yield f"{name}:{trigger.attribute}"
                else:
                    for attribute in c.world.kind[name].construct.attributes:
                        yield f"{name}:{attribute.slot}"
        case About.ACTION | About.ACTION_PHASE:
            for index in trigger.actions:
                yield f"action {index}"
        case About.TURN_PHASE:
            for compiled_phase in c.world.phases:
                turn = c.world.turns[compiled_phase.turn].turn.name
                if turn in trigger.listens and trigger.part in (None, compiled_phase.phase.name):
                    yield f"phase {compiled_phase.index}"
        case About.TURN:
            for name in trigger.listens or [""]:
                yield f"turn {name}"
        case About.STATE | About.PLACEABLE | About.STACKABLE | About.STACK | About.GROUP:
            yield from trigger.listens


def compile_turns(c: Compiler) -> None:
    """Compile all turns and their phases."""
    compiled_phases: list[CompiledPhase] = []
    compiled_turns: list[CompiledTurn] = []
    for index, turn in enumerate(c.world.program.turns):
        c.file, c.body = turn.file, turn
        first = len(compiled_phases) if turn.phases else None
        for phase in turn.phases:
            call = CallSite(f"phase {phase.name}", c.site(phase.span), price(phase.effect))
            with c.frame(phase.frame) as frame:
                asks = None if phase.asks is None else c.expression(phase.asks)
                prompts = tuple(c.prompt(known) for known in phase.inputs)
                effect = None if phase.effect is None else c.effect(phase.effect)
                compiled_phases.append(
                    CompiledPhase(phase, len(compiled_phases), index, asks, prompts, effect, frame(), call)
                )
        with c.frame(turn.frame) as frame:
            default = None if turn.default is None else c.effect(turn.default)
            call = CallSite(f"turn {turn.name}", c.site(turn.span), price(turn.default))
            compiled_turns.append(CompiledTurn(turn, index, first, default, frame(), call))
    c.world.phases = tuple(compiled_phases)
    c.world.turns = tuple(compiled_turns)


def compile_setups(c: Compiler) -> None:
    """Compile the setups for this number of players."""
    found: list[CompiledSetup] = []
    for setup in c.world.program.setups:
        if setup.players and c.world.players not in setup.players:
            continue
        c.file, c.body = setup.file, setup
        call = CallSite("setup", c.site(setup.span), price(setup.effects))
        with c.frame(setup.frame) as frame:
            prompts = tuple(c.prompt(known) for known in setup.inputs)
            parts = tuple(_part(c, effect, None) for effect in setup.effects)
            found.append(CompiledSetup(setup, prompts, parts, frame(), call))
    c.world.setups = tuple(found)
