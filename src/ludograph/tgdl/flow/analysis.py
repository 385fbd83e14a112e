"""The fixpoint: the labels of all variables, results and arguments, and the attributes that are tainted.

An attribute is tainted if a value with a label may be written to it. The checker needs no taint: an author
who writes a secret to a public attribute publishes it. A run needs it, because it may undo the write.
"""

from collections.abc import Iterable, Iterator
from typing import Any, Final

from ludograph.tgdl import program as p
from ludograph.tgdl.flow.bodies import BodyFlows, BodyWalk, Control, Write, sources_of, writes_place
from ludograph.tgdl.flow.calls import CallGraph, EffectSummaries, sealed_actions, simultaneous_phases
from ludograph.tgdl.flow.labels import (
    NOWHERE,
    OTHERS_CHOICE,
    OWN_CHOICE,
    TAINT,
    UNKNOWN,
    Label,
    LabelKind,
    Labels,
    SecretSource,
    name_in_queries,
    owner_of,
    receiver_outside_queries,
    stable_name,
    through_call,
)
from ludograph.tgdl.flow.secrecy import AttributeKey, Secrecies
from ludograph.tgdl.program.types import ConstructType
from ludograph.tgdl.syntax.traversal import walk

PLACES: Final[AttributeKey] = ("", -1)
"""A pseudo-attribute for the places and owners of all things."""


class InformationFlow:
    """The labels of one program. Mutable while it is computed."""

    def __init__(
        self, program: p.Program, *, effects: EffectSummaries | None = None, with_taint: bool = False
    ) -> None:
        self.program = program
        self.secrecies = Secrecies.of(program) if effects is None else effects.secrecies
        self.graph = CallGraph(program) if effects is None else effects.graph
        self.with_taint = with_taint
        self.tainted: set[AttributeKey] = set()
        """The attributes that a secret may be written to."""
        self.tainted_at_creation: set[AttributeKey] = set()
        """The attributes that may hold a secret in a new thing."""
        roots = (*program.verbs, *program.actions, *program.setups, *program.turns)
        self.bodies = [BodyFlows(root, _parameters(root)) for root in roots]
        self._body_of = {id(body.root): body for body in self.bodies}
        for body in self.bodies:
            BodyWalk(body, self.graph, effects).walk()
        if with_taint and simultaneous_phases(program):
            self._add_sealed_choices(sealed_actions(program))
        self._solve()

    def body_of(self, root: object) -> BodyFlows:
        return self._body_of[id(root)]

    # Queries

    def labels_of(self, root: object, node: Any) -> Iterator[tuple[SecretSource, Label]]:
        """The labels of a value in a body, each with the node that it comes from."""
        body = self._body_of[id(root)]
        for source in sources_of(self.graph, node):
            for label in self._labels(body, (source,)):
                yield source, label

    def labels_of_value(self, root: object, node: p.Expression) -> Labels:
        """The labels of a value in a run, including the labels of the arguments that callers pass."""
        body = self._body_of[id(root)]
        sources = sources_of(self.graph, node)
        return self._resolved(body, self._labels(body, sources, is_direct=True))

    def labels_beside_calls(
        self, root: object, node: object, *, resolves: bool
    ) -> tuple[Labels, tuple[p.CallVerb, ...]]:
        """The labels of a value in a run without those of the verbs that it calls, and these calls.

        A call in a query depends on the element, so its labels are included. With `resolves`, the labels of
        the arguments that callers pass replace those of the parameters; otherwise they are left out.
        """
        body = self._body_of[id(root)]
        calls: list[p.CallVerb] = []
        sources: list[SecretSource] = []
        for source in sources_of(self.graph, node):
            if isinstance(source.node, p.CallVerb) and not source.queries:
                calls.append(source.node)
            else:
                sources.append(source)
        labels = self._labels(body, sources, is_direct=True)
        if resolves:
            return self._resolved(body, labels), tuple(calls)
        return {label: None for label in labels if label.kind is not LabelKind.PARAMETER}, tuple(calls)

    def labels_of_write(self, root: object, node: Any) -> Labels:
        """The labels of a written value and of its conditions; none if the attribute is not tainted."""
        body = self._body_of[id(root)]
        if not self._keys(body.writes[id(node)]) <= self.tainted:
            return {}
        return self._labels_of_write(body, body.writes[id(node)], self._context(body), is_direct=True)

    # The fixpoint

    def _add_sealed_choices(self, sealed: frozenset[int]) -> None:
        """Label the choices of simultaneous phases: they and their effects are secret until its end."""
        for body in self.bodies:
            match body.root:
                case p.Action(index, inputs=inputs) if index in sealed:
                    body.context[OWN_CHOICE] = None
                    body.variables |= {asked.slot: {OWN_CHOICE: None} for asked in inputs}
                case p.Action() | p.Turn():
                    body.context[OTHERS_CHOICE] = None
                case _:
                    pass

    def _solve(self) -> None:
        """Label all bodies until nothing changes, in both directions: verbs often call earlier ones."""
        is_changed = True
        while is_changed:
            is_changed = False
            for body in (*self.bodies, *reversed(self.bodies)):
                is_changed |= self._label_variables(body)
                if self.with_taint:
                    is_changed |= self._propagate_to_callees(body)
                    is_changed |= self._taint(body)
            if self.with_taint:
                is_changed |= self._taint_initial_values()

    def _label_variables(self, body: BodyFlows) -> bool:
        """Label all variables of a body; returns whether the labels of its result changed."""
        is_changed = True
        while is_changed:
            is_changed = False
            for control in body.controls:
                self._label_control(body, control)
            for trigger in body.change_triggers:
                labels = self._labels_of_change_event(trigger)
                for name, slot in trigger.fields:
                    if labels and name in ("old", "new"):
                        is_changed |= _add_labels(body.variables.setdefault(slot, {}), labels)
            for store in body.stores:
                labels = self._labels(body, store.sources) | store.control.labels
                if labels:
                    is_changed |= _add_labels(body.variables.setdefault(store.slot, {}), labels)
        result = self._labels(body, body.result_sources)
        if self.with_taint:
            result = self._exported(result, p.This)
        return _add_labels(body.result, result)

    def _label_control(self, body: BodyFlows, control: Control) -> None:
        if control.parent is not None:
            control.labels |= control.parent.labels
        for condition in control.conditions:
            if condition.sources:
                control.labels |= self._labels(body, condition.sources)

    def _propagate_to_callees(self, body: BodyFlows) -> bool:
        """Add the labels of arguments, and of the conditions of calls, to the called bodies."""
        is_changed, context = False, self._context(body)
        for call in body.calls:
            conditions = self._resolved(body, call.control.labels)
            callee_context = self._exported(conditions | context)
            for target in self.graph.targets(call.node):
                is_changed |= _add_labels(self.bodies[target].context, callee_context)
            for target, slot, sources in call.arguments:
                labels = conditions | self._resolved(body, self._labels(body, sources))
                passed = self.bodies[target].arguments.setdefault(slot, {})
                is_changed |= _add_labels(passed, self._exported(labels))
        return is_changed

    def _taint(self, body: BodyFlows) -> bool:
        """Taint the attributes that the body writes labelled values to."""
        before, context = self._taint_count(), self._context(body)
        for write in body.writes.values():
            keys = self._keys(write)
            if keys <= (self.tainted if write.created is None else self.tainted_at_creation):
                continue
            labels = self._labels_of_write(body, write, context)
            if labels:
                self.tainted |= keys
            # A sealed choice is no longer secret when the things that it creates are read later.
            if write.created is not None and any(label.kind is not LabelKind.SEALED for label in labels):
                self.tainted_at_creation |= keys
        return before != self._taint_count()

    def _taint_initial_values(self) -> bool:
        before, no_body = self._taint_count(), BodyFlows(None)
        for construct in self.program.constructs:
            for attribute in construct.attributes:
                if self._labels(no_body, sources_of(self.graph, attribute.initial)):
                    self._taint_at_creation(construct.name, attribute.slot)
                created = [node for node in walk(attribute.initial) if isinstance(node, p.New)]
                for node in created:
                    for slot, value in node.values:
                        if self._labels(no_body, sources_of(self.graph, value)):
                            self._taint_at_creation(node.construct, slot)
        return before != self._taint_count()

    def _taint_at_creation(self, construct: str, slot: int) -> None:
        self.tainted.add((construct, slot))
        self.tainted_at_creation.add((construct, slot))

    def _taint_count(self) -> int:
        return len(self.tainted) + len(self.tainted_at_creation)

    # Labels

    def _labels_of_write(
        self, body: BodyFlows, write: Write, context: Labels, *, is_direct: bool = False
    ) -> Labels:
        labels = self._labels(body, write.sources, is_direct=is_direct) | write.control.labels
        return self._resolved(body, labels) | context

    def _context(self, body: BodyFlows) -> Labels:
        """The labels of all conditions under which a body runs."""
        found = dict(body.context)
        for test in body.start_conditions:
            found |= self._resolved(body, self._labels(body, test.sources))
        for trigger in body.change_triggers:
            found |= self._labels_of_change_event(trigger)
        return found

    def _resolved(self, body: BodyFlows, labels: Labels) -> Labels:
        """Labels in which the labels of the arguments replace those of parameters."""
        found: Labels = {}
        for label in labels:
            if label.kind is LabelKind.PARAMETER:
                found |= body.arguments.get(label.slot, {})
            else:
                found[label] = None
        return found

    def _exported(self, labels: Labels, kept: type | None = None) -> Labels:
        """Labels for use in another body: they lose their holders, except holders of the class `kept`."""
        found: Labels = {}
        for label in labels:
            if label.holder is None or (kept is not None and isinstance(label.holder, kept)):
                found[label] = None
            else:
                found[self._without_holder(label)] = None
        return found

    def _without_holder(self, label: Label) -> Label:
        """A label without its holder: one of a few general labels, so that the analysis is fast."""
        match label.kind:
            case LabelKind.ATTRIBUTE:
                is_hidden = self.secrecies.may_be_hidden(label.construct, label.slot)
                return UNKNOWN if is_hidden else TAINT
            case LabelKind.SEALED:
                return OTHERS_CHOICE
            case LabelKind.ANSWER | LabelKind.CHANCE:
                return UNKNOWN
            case _:
                return label

    def _labels(self, body: BodyFlows, sources: Iterable[SecretSource], *, is_direct: bool = False) -> Labels:
        """The labels of some sources.

        `is_direct`: the labels are used where the sources are evaluated, so every expression for a holder
        still names the same thing. Otherwise only stable names are kept.
        """
        found: Labels = {}
        for source in sources:
            if source.is_initial_value and self.with_taint:
                continue  # `_taint` taints the attribute of the new thing instead
            for label in self._labels_of_source(body, source, is_direct=is_direct):
                is_nameless = self.with_taint and label.holder is None
                found[self._without_holder(label) if is_nameless else label] = None
        return found

    def _labels_of_source(self, body: BodyFlows, source: SecretSource, *, is_direct: bool) -> Iterable[Label]:
        match source.node:
            case p.AttributeOf(target, _, slot):
                if not isinstance(target.type, ConstructType) or not self._is_labelled(source.node):
                    return ()
                holder = stable_name(target) or (name_in_queries(source, target) if is_direct else None)
                return (Label(LabelKind.ATTRIBUTE, target.type.name, slot, holder, owner_of(target)),)
            case p.Variable(slot):
                labels = body.variables.get(slot, {})
                return (*labels, Label(LabelKind.PARAMETER, slot=slot)) if slot in body.parameters else labels
            case p.CallVerb(_, receiver):
                holder = stable_name(receiver)
                if holder is None and receiver is not None and is_direct:
                    holder = receiver_outside_queries(source, receiver)
                targets = self.graph.targets(source.node)
                results = [label for target in targets for label in self.bodies[target].result]
                return [through_call(label, receiver, holder) for label in results]
            case p.Apply(operation, operands):
                found = [Label(LabelKind.PLACES)] if PLACES in self.tainted else []
                stack = self.secrecies.secret_stack(operands[0]) if operation.facts.shows_cards else None
                if stack is not None:
                    found.append(Label(LabelKind.STACK, stack))
                return found
            case p.Input():
                for at, asked in enumerate(body.hidden_inputs):
                    if asked is source.node:
                        holder = p.Variable(asked.slot, asked.name, asked.type, NOWHERE)
                        return (Label(LabelKind.ANSWER, slot=at, holder=holder),)
                return (Label(LabelKind.ANSWER),)
            case _:
                return (Label(LabelKind.CHANCE),)

    def _is_labelled(self, node: p.AttributeOf) -> bool:
        assert isinstance(node.target.type, ConstructType)
        if self.secrecies.may_be_hidden(node.target.type.name, node.slot):
            return True
        return bool(self.tainted) and not self.secrecies.keys_of(node).isdisjoint(self.tainted)

    def _labels_of_change_event(self, trigger: p.Trigger) -> Labels:
        """The labels of an event that reports the old and the new value of an attribute."""
        keys = list(self._changed_keys(trigger))
        secret = {Label(LabelKind.ATTRIBUTE, *key): None for key in keys if self.secrecies.is_secret(*key)}
        if not self.with_taint:
            return secret
        found = {UNKNOWN: None} if secret else {}
        return found if self.tainted.isdisjoint(keys) else found | {TAINT: None}

    def _changed_keys(self, trigger: p.Trigger) -> Iterator[AttributeKey]:
        constructs = self.secrecies.constructs
        for name in trigger.listens:
            if name in constructs:
                for attribute in constructs[name].attributes:
                    if trigger.attribute in (None, attribute.slot):
                        yield name, attribute.slot

    def _keys(self, write: Write) -> frozenset[AttributeKey]:
        if write.created is not None:
            return frozenset((write.created,))
        if writes_place(write.node):
            return frozenset((PLACES,))
        return self.secrecies.keys_of(write.node.place.root)


def _parameters(root: Any) -> Iterator[int]:
    match root:
        case p.Verb(parameters=inputs):
            yield from (one.slot for one in inputs)
        case p.Action(inputs=inputs, shared=shared):
            yield from (one.slot for one in inputs)
            yield from (slot for _, slot, _ in shared)
        case _:
            pass


def _add_labels(labels: Labels, more: Labels) -> bool:
    """Add labels; returns whether some were new."""
    before = len(labels)
    labels |= more
    return len(labels) > before
