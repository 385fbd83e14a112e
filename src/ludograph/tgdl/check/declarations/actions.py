"""Actions and goals: inputs, requires, triggers, effects and phases, over one frame."""

from collections.abc import Sequence
from functools import reduce

from msgspec.structs import replace

from ludograph.tgdl import program as p
from ludograph.tgdl.check.bodies.conversions import known_number, number
from ludograph.tgdl.check.declarations.bodies import pure_block
from ludograph.tgdl.check.declarations.inputs import lower_inputs
from ludograph.tgdl.check.declarations.triggers import FieldSlots, lower_trigger, shared_fields
from ludograph.tgdl.check.scopes import Context, EffectPlace, Returns, Rules
from ludograph.tgdl.check.symbols import ActionFacts, SymbolTable
from ludograph.tgdl.check.whole.unused_names import report_unused
from ludograph.tgdl.program.types import Basic
from ludograph.tgdl.syntax import tree
from ludograph.tgdl.syntax.traversal import walk

SPECIFIERS = {
    tree.EffectOrder.CHOICE: p.Specifier.CHOICE,
    tree.EffectOrder.SEQUENCE: p.Specifier.SEQUENCE,
    tree.EffectOrder.SIMULTANEOUS: p.Specifier.SIMULTANEOUS,
}


def check_action(world: SymbolTable, rules: Rules, facts: ActionFacts) -> None:
    """Check an action. If it overrides another one, its parts have been merged already."""
    node = facts.node
    context = Context(world, facts.file, rules, this=world.constructs.get(facts.owner or ""))
    context.action = context.writer = facts
    context.rights.asks = not isinstance(node, tree.Goal)
    if facts.has_error_node:
        facts.has_unknown_event = True
    inputs = lower_inputs(context, [part for part in facts.parts if isinstance(part, tree.Input)])
    triggers = [part for part in facts.parts if isinstance(part, tree.Trigger)]
    for part in facts.parts:
        if isinstance(part, tree.ErrorNode):
            context.declare_unknown(part)
        if isinstance(part, tree.ActionPhase):
            triggers += [one for one in part.parts if isinstance(one, tree.Trigger)]
    shared = shared_fields(context, triggers)
    facts.shared = tuple((name, slot, type) for name, (slot, type) in shared.slots.items())
    for name, slot, type in facts.shared:
        if context.local(name) is None and not _is_attribute(context, name):
            local = context.declare(name, type, node.name.span, "field", slot)
            local.read = True
    specifier, choices = _specifier(context, facts.specifier)
    requires, checked, effects = _parts(context, facts.parts, shared, len(inputs), None)
    if isinstance(node, tree.Goal):
        specifier = _with_conditions(specifier, facts.parts)
    phases = tuple(
        _phase(context, part, shared, len(inputs))
        for part in facts.parts
        if isinstance(part, tree.ActionPhase)
    )
    report_unused(context)
    facts.checked = p.Action(
        index=facts.index,
        name=facts.name,
        owner=facts.owner,
        priority=_priority(context, facts.priority),
        is_goal=isinstance(node, tree.Goal),
        specifier=specifier,
        choices=choices,
        inputs=inputs,
        requires=requires,
        triggers=checked,
        effects=effects,
        phases=phases,
        overrides=facts.overrides,
        frame=context.frame.size,
        file=facts.file,
        span=node.span,
        shared=facts.shared,
    )


def _is_attribute(context: Context, name: str) -> bool:
    return context.this is not None and name in context.this.attributes


def _priority(context: Context, node: tree.Expression | None) -> float:
    if node is None:
        return 0.0
    value = known_number(context.world, number(context, node))
    if value is None:
        hint = "write a number, or the name of a constant"
        context.error("TG0340", "a priority must be a constant number", node.span, hint)
    return value or 0.0


def _specifier(context: Context, node: tree.Specifier | None) -> tuple[p.Specifier, int]:
    if node is None:
        return p.Specifier.PLAIN, 0
    choices = 0
    if node.order is tree.EffectOrder.CHOICE:
        value = known_number(context.world, number(context, node.count)) if node.count is not None else 1.0
        if value is None or value != int(value) or value < 1:
            hint = "write a number, or the name of a constant"
            context.error("TG0340", "`choice` needs a constant whole number of at least 1", node.span, hint)
        else:
            choices = int(value)
    return SPECIFIERS[node.order], choices


def _with_conditions(specifier: p.Specifier, parts: Sequence[tree.ActionPart]) -> p.Specifier:
    """A goal or a phase in which a condition `for A` starts the effects for A runs them in sequence."""
    triggers = [part for part in parts if isinstance(part, tree.Trigger) and part.name is not None]
    events = _names_of([part for part in triggers if part.event is not None])
    conditions = _names_of([part for part in triggers if part.event is None]) - events
    effects = [part for part in parts if isinstance(part, tree.Effect)]
    is_over_names = any(part.body.result is not None for part in effects)
    is_plain = specifier is p.Specifier.PLAIN and not is_over_names
    return p.Specifier.SEQUENCE if is_plain and conditions & _names_of(effects) else specifier


def _parts(
    context: Context,
    parts: Sequence[tree.ActionPart],
    shared: FieldSlots,
    inputs: int,
    phase: tree.ActionPhase | None,
) -> tuple[tuple[p.Require, ...], tuple[p.Trigger, ...], tuple[p.Effect, ...]]:
    is_goal = context.action is not None and isinstance(context.action.node, tree.Goal)
    triggers = [part for part in parts if isinstance(part, tree.Trigger) and not _is_blank(part)]
    events = frozenset(
        part.name.text for part in triggers if part.name is not None and part.event is not None
    )
    # In a goal and in a phase, a trigger without an event is a condition like a require.
    tested = [part for part in triggers if (is_goal or phase is not None) and _is_condition(part, events)]
    any_named = [_any_of(tested)] if is_goal and tested and all(part.name for part in tested) else []
    requires: list[tree.Require | tree.Trigger] = [
        part
        for part in parts
        if part in tested or (isinstance(part, tree.Require) and (is_goal or not _is_blank(part)))
    ]
    requires += any_named
    triggers = [part for part in triggers if part not in tested]
    effects = [part for part in parts if isinstance(part, tree.Effect)]
    context.part_kinds = _kinds_of_names(parts)
    names = frozenset(part.name.text for part in requires if part.name is not None)
    trigger_names = frozenset(part.name.text for part in triggers if part.name is not None)
    is_shown = phase is None and not is_goal
    checked_requires = _requires(context, requires, names, inputs, is_shown=is_shown)
    checked_triggers: list[p.Trigger] = []
    for part in triggers:
        with context.at(part) as file:
            trigger = lower_trigger(context, part, shared, trigger_names, inputs, in_phase=phase is not None)
            if trigger is not None:
                checked_triggers.append(replace(trigger, file=file))
    is_read = any(trigger.event == "" for trigger in checked_triggers)
    _check_names(context, triggers, effects, is_read=is_read)
    _check_require_names(context, requires, checked_requires, {*trigger_names, *_names_of(effects)})
    return checked_requires, tuple(checked_triggers), tuple(_effect(context, part, phase) for part in effects)


def _is_condition(part: tree.Trigger, events: frozenset[str]) -> bool:
    """Whether a trigger has neither an event nor the name of a trigger with an event in its block."""
    if part.event is not None or part.body is None:
        return False
    return not any(isinstance(node, tree.Name) and node.text in events for node in walk(part.body))


def _any_of(conditions: Sequence[tree.Trigger]) -> tree.Trigger:
    """`trigger { A or B }`: a goal whose conditions all have names is reached only if one of them holds."""
    named = {part.name.text: part.name.span for part in conditions if part.name is not None}
    names: list[tree.Expression] = [tree.Name(text, span) for text, span in named.items()]
    first = conditions[0].span
    any_of = reduce(lambda one, other: tree.Binary(tree.BinaryOperator.OR, one, other, first), names)
    return replace(conditions[0], name=None, body=tree.Block((), any_of, first))


def _is_blank(part: tree.Trigger | tree.Require) -> bool:
    """Whether a part is an empty placeholder: `trigger { }` or `require { }` count as absent.

    A goal with an empty require is never reached, instead of being reached at once.
    """
    if part.name is not None or (isinstance(part, tree.Trigger) and part.event is not None):
        return False
    return part.body is not None and not part.body.statements and part.body.result is None


def _kinds_of_names(parts: Sequence[tree.ActionPart]) -> dict[str, tuple[str, ...]]:
    """Check the names of parts."""
    found: dict[str, dict[str, None]] = {}
    for part in parts:
        if isinstance(part, tree.Require | tree.Trigger | tree.Effect) and part.name is not None:
            found.setdefault(part.name.text, {})[type(part).__name__.lower()] = None
    return {name: tuple(sorted(kinds)) for name, kinds in found.items()}


def _check_names(
    context: Context, triggers: list[tree.Trigger], effects: list[tree.Effect], *, is_read: bool
) -> None:
    """Report a trigger `for A` without an effect A, unless a trigger over names may read A."""
    known = {part.name.text for part in effects if part.name is not None}
    for part in triggers:
        if part.name is not None and part.name.text not in known and not is_read:
            near = context.world.reports.closest(part.name.text, known)
            message = f"there is no effect '{part.name.text}' for this trigger to start"
            context.error_unknown("TG0382", part.name.text, message, part.name.span, near)


def _names_of(parts: Sequence[tree.Effect | tree.Trigger]) -> set[str]:
    return {part.name.text for part in parts if part.name is not None}


def _check_require_names(
    context: Context,
    nodes: Sequence[tree.Require | tree.Trigger],
    requires: tuple[p.Require, ...],
    known: set[str],
) -> None:
    """Report a require `for A` without an effect A or an unnamed require that reads A."""
    read = {
        node.name for require in requires for node in walk(require.block) if isinstance(node, p.NamedPart)
    }
    for node in nodes:
        if node.name is not None and node.name.text not in known | read:
            word = "require" if isinstance(node, tree.Require) else "trigger"
            message = f"no effect has the name '{node.name.text}', so this {word} is never tested"
            context.warn("TG0401", message, node.name.span)


def _requires(
    context: Context,
    nodes: Sequence[tree.Require | tree.Trigger],
    names: frozenset[str],
    inputs: int,
    *,
    is_shown: bool,
) -> tuple[p.Require, ...]:
    """Check the requires of an action or of a phase. `is_shown`: they can refuse a move."""
    needs_of: dict[str, int] = {}
    found: list[p.Require | None] = [None] * len(nodes)
    # Named requires first, because an unnamed one may refer to them.
    for at in sorted(range(len(nodes)), key=lambda at: nodes[at].name is None):
        node = nodes[at]
        assert node.body is not None
        where = "a require"
        with context.at(node) as file:
            if isinstance(node, tree.Trigger):
                where = "a trigger"
                _check_alone(context, node)
            inner = context.child(where)
            inner.parts = names if node.name is None else frozenset()
            block = pure_block(inner, node.body, where, words=node.words)
            text = context.world.files[context.file].source.text
            needs = _needs(block, inputs, needs_of)
            if node.words is not None:
                _check_words(context, node.words, block, range(needs, inputs), is_shown=is_shown)
        name = node.name.text if node.name is not None else None
        if name is not None:
            needs_of[name] = max(needs, needs_of.get(name, 0))
        words = text[node.body.span.start : node.body.span.end]
        found[at] = p.Require(name, needs, block, _trimmed(words), node.span, file)
    return tuple(require for require in found if require is not None)


def _check_words(
    context: Context, node: tree.Message, block: p.Block, later: range, *, is_shown: bool
) -> None:
    """Report words that no player reads, and words about an input that is chosen after the test."""
    if not is_shown:
        message = "no player reads these words: a goal or a phase that does not hold refuses no move"
        context.warn("TG0422", message, node.span)
    for part in walk(block.refusal):
        if isinstance(part, p.Variable) and part.slot in later:
            message = f"the words read '{part.name}', which is chosen after the condition is tested"
            hint = f"test '{part.name}' in the condition, or remove it from the words"
            context.error("TG0378", message, part.span, hint)


def _check_alone(context: Context, node: tree.Trigger) -> None:
    """Report `in` and the time of a condition that is tested in its place."""
    if node.phases or node.timing is not None:
        message = "a condition of a goal or a phase cannot have `in`, `before`, `after` or `fast`"
        context.error("TG0382", message, node.span, "test the phase in the block: `phase == …`")


def _trimmed(words: str) -> str:
    """The source text between the braces."""
    inner = words.strip()
    if inner.startswith("{") and inner.endswith("}"):
        inner = inner[1:-1]
    return " ".join(inner.split())


def _needs(block: p.Block, inputs: int, needs_of: dict[str, int]) -> int:
    """The number of leading inputs that must be known before the block can be tested."""
    needs = 0
    for node in walk(block):
        match node:
            case p.Variable(slot) if slot < inputs:
                needs = max(needs, slot + 1)
            case p.NamedPart(name):
                needs = max(needs, needs_of.get(name, 0))
            case _:
                pass
    return needs


def _effect(context: Context, node: tree.Effect, phase: tree.ActionPhase | None) -> p.Effect:
    context.returns = Returns(wanted=Basic.NOTHING)
    name = node.name.text if node.name is not None else None
    context.effect = EffectPlace(name, phase)
    with context.at(node) as file:
        if node.body.result is None:
            statements = context.statements(node.body)
        else:
            statements = _effects_over_names(context, node, node.body.result, phase)
    context.effect = None
    return p.Effect(name, p.Block(statements, node.body.span), node.span, file)


def _effects_over_names(
    context: Context, node: tree.Effect, result: tree.Expression, phase: tree.ActionPhase | None
) -> tuple[p.Statement, ...]:
    """`effect { A and B }`: run the effects with these names, in this order."""
    assert context.action is not None
    if node.name is not None:
        message = "an effect over names cannot have a name"
        context.error("TG0383", message, node.name.span, "write `effect { … }`")
        return ()
    parts = context.action.parts if phase is None else phase.parts
    known = _names_of([part for part in parts if isinstance(part, tree.Effect)])
    names: list[str] = []
    waiting = [result]
    while waiting:
        match waiting.pop():
            case tree.Binary(tree.BinaryOperator.AND, left, right):
                waiting += (right, left)
            case tree.Name(text, span):
                if text not in known:
                    near = context.world.reports.closest(text, known)
                    message = f"there is no effect '{text}' for this effect to run"
                    context.error_unknown("TG0383", text, message, span, near)
                names.append(text)
            case other:
                message = "only `and` can join the names of effects: `effect { A and B }` runs A, then B"
                hint = (
                    "to choose between effects, give the action `choice 1`, or the effects their own requires"
                )
                context.error("TG0383", message, other.span, hint)
                return ()
    phases = [part for part in context.action.parts if isinstance(part, tree.ActionPhase)]
    number = None if phase is None else phases.index(phase)
    return (p.RunEffects(context.action.index, number, tuple(names), node.body.span),)


def _phase(context: Context, node: tree.ActionPhase, shared: FieldSlots, inputs: int) -> p.ActionPhase:
    with context.at(node) as file:
        specifier, choices = _specifier(context, node.specifier)
        requires, triggers, effects = _parts(context, node.parts, shared, inputs, node)
        specifier = _with_conditions(specifier, node.parts)
    name = node.name.text if node.name is not None else None
    return p.ActionPhase(name, specifier, choices, requires, triggers, effects, node.span, file)
