"""Triggers: their events, the sources of these events, and the fields that an action can read."""

from collections.abc import Iterator

from msgspec import Struct, field

from ludograph.text import Span
from ludograph.tgdl.check.bodies.sealed_access import check_sealed_action
from ludograph.tgdl.check.declarations import tiles
from ludograph.tgdl.check.declarations.bodies import lower_words, pure_block
from ludograph.tgdl.check.scopes import Context, LocalVariable
from ludograph.tgdl.check.symbols import KIND_WORDS, STATES, ConstructFacts, Meaning, SymbolTable
from ludograph.tgdl.program import Block, ConstructKind, NamedPart, Trigger, Variable, When
from ludograph.tgdl.program.events import (
    CONDITION,
    EVENTS,
    KINDS,
    OFFERS,
    TARGET_WORDS,
    About,
    Event,
    FieldKind,
)
from ludograph.tgdl.program.types import Basic, ConstructType, ListType, TableType, Type
from ludograph.tgdl.syntax import tree
from ludograph.tgdl.syntax.traversal import walk

TIMINGS = {tree.Timing.BEFORE: When.BEFORE, tree.Timing.AFTER: When.AFTER, tree.Timing.FAST: When.FAST}

# Kinds of constructs whose events need no target (`on placement`): all of the kind, or the own construct.
WITHOUT_TARGET = ("state", "placeable", "stackable", "stack", "turn", "group", "player", "game")


class ResolvedEvent(Struct, eq=False):
    """The resolved event of a trigger."""

    event: Event
    target: str | None = None
    type: Type = Basic.OBJECT
    attribute: int | None = None
    value: Type = Basic.OBJECT
    listens: tuple[str, ...] = ()
    actions: tuple[int, ...] = ()
    part: str | None = None


class FieldSlots(Struct, eq=False):
    """The slots of the fields of an action's events. Triggers with the same field share a slot. Mutable."""

    slots: dict[str, tuple[int, Type]] = field(default_factory=dict)


def resolve_event(context: Context, node: tree.Trigger) -> ResolvedEvent | None:
    """Resolve the event of a trigger; None if there is none, or after an error."""
    event = node.event
    if event is None:
        return None
    kind = event.kind.value
    words = tuple(word.text for word in event.target.words) if event.target is not None else ()
    candidates = _targets(context, words)
    if candidates is None:
        _refuse(context)
        return None
    for resolved in candidates:
        found = EVENTS.get((resolved.event.about, kind))
        if found is not None:
            resolved.event = found
            return resolved
    known = [name for resolved in candidates for name in KINDS[resolved.event.about]]
    target = event.target.text if event.target is not None else "this"
    message = f"'{target}' has no event '{kind}'"
    hint = (
        f"its events are {', '.join(known)}"
        if len(known) > 1
        else f"its event is {known[0]}"
        if known
        else ""
    )
    context.error("TG0380", message, event.span, hint)
    _refuse(context)
    return None


def _refuse(context: Context) -> None:
    """Note that an event of the action has an error."""
    if context.action is not None:
        context.action.has_unknown_event = True


def _about(about: About) -> Event:
    return EVENTS[about, KINDS[about][0]]


def _targets(context: Context, words: tuple[str, ...]) -> list[ResolvedEvent] | None:
    """All that the target could be; the kind of the event decides."""
    world = context.world
    if not words:
        own = _of_construct(context, context.this) if context.this is not None else []
        return own + [_of_word(world, word, about) for word in WITHOUT_TARGET for about in TARGET_WORDS[word]]
    symbol = None
    rest = words
    for length in range(len(words), 0, -1):
        symbol = world.find(context.file, words[:length])
        if symbol is not None and symbol.meaning is not Meaning.FILE:
            rest = words[length:]
            break
    if symbol is None or symbol.meaning is Meaning.FILE:
        return _of_word_or_own(context, words)
    match symbol.meaning:
        case Meaning.CONSTRUCT:
            facts = world.constructs[symbol.name]
            facts.used = True
            return _of_construct(context, facts) if not rest else _of_part(context, facts, rest)
        case Meaning.TURN:
            return _of_turn(context, symbol.name, rest, words)
        case Meaning.ACTION:
            return _of_action(context, symbol.index, rest, words)
        case _:
            return _no_target(context, f"the {symbol.meaning.value} '{'.'.join(words)}'", words)


def _of_word_or_own(context: Context, words: tuple[str, ...]) -> list[ResolvedEvent] | None:
    world = context.world
    first = words[0]
    if len(words) == 1 and first in TARGET_WORDS:
        return [_of_word(world, first, about) for about in TARGET_WORDS[first]]
    if words == (first, "attribute") and About.ATTRIBUTE in TARGET_WORDS.get(first, ()):
        return [_of_word(world, first, About.ATTRIBUTE)]  # `on state.attribute change`: of any state
    if len(words) == 1 and first in world.phases:
        own = world.phases[first]
        return [
            ResolvedEvent(
                _about(About.TURN_PHASE), first, listens=tuple(facts.turn for facts in own), part=first
            )
        ]
    if context.this is not None and (first in context.this.attributes or first in context.this.actions):
        return _of_part(context, context.this, words)
    return _no_target(context, f"'{'.'.join(words)}'", words)


def _of_word(world: SymbolTable, word: str, about: About) -> ResolvedEvent:
    resolved = ResolvedEvent(_about(about))
    if word in KIND_WORDS:
        kind = about.value if about in (About.PLACEABLE, About.STACKABLE) else word
        resolved.listens, resolved.actions = _listening(world, kind)
        resolved.type = ConstructType(world.board if word == "board" and world.board is not None else word)
    elif word in ("turn", "phase"):
        resolved.listens = world.listening.setdefault("turn ", tuple(world.turns))
    elif word == "action":
        resolved.actions = world.acting.setdefault("action ", tuple(range(len(world.actions))))
    return resolved


def _listening(world: SymbolTable, name: str) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """The constructs of a kind, or a construct with its derived ones, and their actions. Cached."""
    if name not in world.listening:
        facts = world.constructs.get(name)
        resolved = tuple(world.derived(name)) if facts is not None else tuple(world.of_word(name))
        world.listening[name] = tuple(one.name for one in resolved)
        world.acting[name] = tuple(dict.fromkeys(i for one in resolved for i in one.actions.values()))
    return world.listening[name], world.acting[name]


def _of_construct(context: Context, facts: ConstructFacts) -> list[ResolvedEvent]:
    world = context.world
    listens, actions = _listening(world, facts.name)
    abouts: list[About] = []
    if facts.kind in STATES:
        abouts.append(About.STATE)
    if facts.kind is ConstructKind.INTERACTABLE:
        abouts += [About.PLACEABLE] if _any(world, facts, "placeable") else []
        abouts += [About.STACKABLE] if _any(world, facts, "stackable") else []
    if facts.kind is ConstructKind.STACK:
        abouts.append(About.STACK)
    if facts.kind in (ConstructKind.GROUP, ConstructKind.BOARD):
        abouts.append(About.GROUP)
    abouts += [About.ATTRIBUTE, About.ACTION]
    return [
        ResolvedEvent(_about(about), facts.name, facts.type, listens=listens, actions=actions)
        for about in abouts
    ]


def _any(world: SymbolTable, facts: ConstructFacts, word: str) -> bool:
    return any(world.has_kind(one, word) for one in world.derived(facts.name))


def _of_part(context: Context, facts: ConstructFacts, rest: tuple[str, ...]) -> list[ResolvedEvent] | None:
    """`seat.points`, `seat.play`, `seat.play.first`."""
    world = context.world
    listens, _ = _listening(world, facts.name)
    if len(rest) == 1 and rest[0] in facts.attributes:
        attribute = facts.attributes[rest[0]]
        attribute.read = True
        stack = attribute.type.entry if isinstance(attribute.type, TableType) else attribute.type
        if attribute.makes_stack and isinstance(stack, ConstructType):
            # The attribute of an owned stack never changes; only its content does.
            every, _ = _listening(world, stack.name)
            return [ResolvedEvent(_about(About.STACK), attribute.name, stack, listens=every)]
        slot, type = attribute.slot, attribute.type
        return [ResolvedEvent(_about(About.ATTRIBUTE), facts.name, facts.type, slot, type, listens)]
    if rest[0] in facts.actions:
        check_sealed_action(context, facts, _trigger_span(context), f"listen to '{rest[0]}'")
        return _of_action(context, facts.actions[rest[0]], rest[1:], (facts.name, *rest))
    if rest in (("action",), ("value",), ("attribute",)):
        return _of_construct(context, facts)
    if facts.has_unknown_base:
        return None
    near = world.reports.closest(rest[0], (*facts.attributes, *facts.actions))
    message = f"{facts.name} has no attribute or action '{rest[0]}'"
    context.error_member("TG0381", facts.name, rest[0], message, _trigger_span(context), near)
    return None


def _of_action(
    context: Context, index: int, rest: tuple[str, ...], words: tuple[str, ...]
) -> list[ResolvedEvent] | None:
    world = context.world
    action = world.actions[index]
    every = [index]
    for one in every:
        every += world.actions[one].overridden_by
    owner = world.constructs.get(action.owner or "")
    type: Type = owner.type if owner is not None else Basic.OBJECT
    listens = _listening(world, owner.name)[0] if owner is not None else ()
    if not rest:
        resolved = ResolvedEvent(
            _about(About.ACTION), action.name, type, listens=listens, actions=tuple(every)
        )
        return [
            resolved,
            ResolvedEvent(
                _about(About.ACTION_PHASE), action.name, type, listens=listens, actions=tuple(every)
            ),
        ]
    names = [
        part.name.text
        for part in action.parts
        if isinstance(part, tree.ActionPhase) and part.name is not None
    ]
    if len(rest) > 1 or rest[0] not in names:
        near = world.reports.closest(rest[0], names)
        message = f"the action '{action.name}' has no phase '{rest[0]}'"
        context.error_member("TG0381", action.name, rest[0], message, _trigger_span(context), near)
        return None
    return [
        ResolvedEvent(
            _about(About.ACTION_PHASE), action.name, type, listens=listens, actions=tuple(every), part=rest[0]
        )
    ]


def _of_turn(
    context: Context, turn: str, rest: tuple[str, ...], words: tuple[str, ...]
) -> list[ResolvedEvent] | None:
    if not rest:
        return [
            ResolvedEvent(_about(about), turn, listens=(turn,)) for about in (About.TURN, About.TURN_PHASE)
        ]
    facts = context.world.turns[turn]
    if len(rest) > 1 or rest[0] not in facts.phases:
        near = context.world.reports.closest(rest[0], facts.phases)
        message = f"the turn '{turn}' has no phase '{rest[0]}'"
        context.error_member("TG0353", turn, rest[0], message, _trigger_span(context), near)
        return None
    facts.phases[rest[0]].used = True
    return [ResolvedEvent(_about(About.TURN_PHASE), turn, listens=(turn,), part=rest[0])]


def _no_target(context: Context, what: str, words: tuple[str, ...]) -> list[ResolvedEvent] | None:
    near = (
        context.world.reports.closest(words[0], (*TARGET_WORDS, *context.world.files[context.file].names))
        if words
        else ""
    )
    path = ".".join(words)
    is_known = not words or context.world.find(context.file, words[:1]) is not None
    message = f"{what} has no events" if is_known else f"undefined name '{words[0]}'"
    context.error_unknown("TG0381", path, message, _trigger_span(context), near)
    return None


def _trigger_span(context: Context) -> Span:
    assert context.trigger_span is not None
    return context.trigger_span


# Fields


def field_type(world: SymbolTable, resolved: ResolvedEvent, kind: FieldKind) -> Type:
    match kind:
        case "instance":
            return resolved.type
        case "value":
            return resolved.value
        case "player":
            return Basic.PLAYER
        case "players":
            return ListType(Basic.PLAYER)
        case "phase":
            return Basic.PHASE
        case "tile":
            return tiles.all_tiles(world)
        case "group":
            return ConstructType("group")
        case "stack":
            return ConstructType("stack")
        case "card":
            return world.element_of(resolved.type) or ConstructType("stackable")
        case "text":
            return Basic.STRING


def shared_fields(context: Context, nodes: list[tree.Trigger]) -> FieldSlots:
    """The fields that every trigger with an event has, with one type: the whole action can read them."""
    common: dict[str, Type] | None = None
    context.world.reports.muted += 1
    for node in nodes:
        if node.event is None:
            continue
        context.trigger_span = node.event.span
        resolved = resolve_event(context, node)
        types = (
            {
                name: field_type(context.world, resolved, kind)
                for name, kind in resolved.event.fields
                if name not in ("player", "phase")
            }
            if resolved is not None
            else {}
        )
        common = (
            types
            if common is None
            else {name: type for name, type in common.items() if types.get(name) == type}
        )
    context.world.reports.muted -= 1
    return FieldSlots({name: (context.frame.take(), type) for name, type in (common or {}).items()})


def lower_trigger(
    context: Context,
    node: tree.Trigger,
    shared: FieldSlots,
    names: frozenset[str],
    inputs: int,
    *,
    in_phase: bool,
) -> Trigger | None:
    name = node.name.text if node.name is not None else None
    phases = tuple(dict.fromkeys(pair for path in node.phases for pair in _phases(context, path)))
    if node.event is None:
        if node.body is None:
            return None
        _check_words(context, node, "")
        inner = context.child("a trigger")
        inner.parts = names
        tested = pure_block(inner, node.body, "a trigger")
        is_over_names = any(isinstance(each, NamedPart) for each in walk(tested))
        if is_over_names and node.name is not None:
            message = "a trigger over names cannot have a name"
            context.error("TG0382", message, node.name.span, "write `trigger { … }`, or add an event")
        if not is_over_names:
            _check_inputs(context, tested, inputs)
        event = "" if is_over_names else CONDITION
        return Trigger(name, event, None, None, phases, When.AFTER, (), tested, node.span)
    context.trigger_span = node.event.span
    resolved = resolve_event(context, node)
    if resolved is None:
        return None
    if in_phase and resolved.event.kind in OFFERS:
        message = f"a phase cannot have a trigger on 'player {resolved.event.kind}': only an action can"
        hint = "make the phase an action, or an effect with a name: `trigger on player choice for NAME;`"
        context.error("TG0380", message, node.event.span, hint)
    inner = context.child("a trigger")
    made: list[tuple[str, int, LocalVariable]] = []
    for text, kind in resolved.event.fields:
        slot, type = shared.slots.get(text) or (
            context.frame.take(),
            field_type(context.world, resolved, kind),
        )
        local = inner.declare(text, type, node.span, "field", slot)
        local.read = text in shared.slots
        made.append((text, slot, local))
    block = (
        pure_block(inner, node.body, "a trigger") if node.body is not None and not _is_empty(node) else None
    )
    _check_words(context, node, resolved.event.kind)
    refusal = lower_words(context.child("a trigger"), node.words)
    for part in walk(refusal):
        if isinstance(part, Variable) and part.slot < inputs:
            message = f"the words read '{part.name}', which is chosen after the action is offered"
            context.error("TG0378", message, part.span, f"remove '{part.name}' from the words")
    return Trigger(
        name=name,
        event=resolved.event.kind,
        target=resolved.target,
        attribute=resolved.attribute,
        phases=phases,
        when=TIMINGS[node.timing] if node.timing is not None else When.AFTER,
        fields=tuple((text, slot) for text, slot, local in made if local.read),
        block=block,
        span=node.span,
        listens=resolved.listens,
        actions=resolved.actions,
        part=resolved.part,
        refusal=refusal,
    )


def _check_words(context: Context, node: tree.Trigger, event: str) -> None:
    """Report words of a trigger that offers nothing to players."""
    if node.words is not None and event not in OFFERS:
        message = "no player reads these words: this trigger does not offer the action to players"
        context.warn("TG0422", message, node.words.span)


def _check_inputs(context: Context, block: Block, inputs: int) -> None:
    """Report a condition that reads an input: it is tested before the inputs are chosen."""
    for node in walk(block):
        if isinstance(node, Variable) and node.slot < inputs:
            message = f"this condition cannot read the input '{node.name}': the input is chosen later"
            context.error("TG0382", message, node.span, "test the input in a require")


def _is_empty(node: tree.Trigger) -> bool:
    return node.body is not None and not node.body.statements and node.body.result is None


def _phases(context: Context, path: tree.Path) -> Iterator[tuple[str, str]]:
    """`in build` (of any turn that has it) or `in main.build`."""
    world = context.world
    last = path.words[-1].text
    if len(path.words) > 1:
        symbol = world.find(context.file, (word.text for word in path.words[:-1]))
        turn = world.turns.get(symbol.name) if symbol is not None else None
        found = [turn.phases[last]] if turn is not None and last in turn.phases else []
    else:
        found = world.phases.get(last, [])
    for facts in found:
        facts.used = True
        yield facts.turn, last
    if not found:
        near = world.reports.closest(last, world.phases)
        context.error_unknown("TG0353", path.text, f"there is no phase '{path.text}'", path.span, near)
