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
    name_in_loops,
    owner_of,
    receiver_in_loops,
    stable_name,
    through_call,
)
from ludograph.tgdl.flow.secrecy import AttributeKey, Secrecies
from ludograph.tgdl.program.types import ConstructType

PLACES: Final[AttributeKey] = ("", -1)
"""Stands for the places and owners of all things, as if they were one attribute."""


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

    # Questions

    def labels_of(self, root: object, node: Any) -> Iterator[tuple[SecretSource, Label]]:
        """The labels that a value in a body carries, each with the node that brings it."""
        body = self._body_of[id(root)]
        for source in sources_of(self.program, node):
            for label in self._labels(body, (source,)):
                yield source, label

    def labels_of_value(self, root: object, node: p.Expression) -> Labels:
        """The labels that a value carries in a run, with what callers pass."""
        body = self._body_of[id(root)]
        sources = sources_of(self.program, node)
        return self._resolved(body, self._labels(body, sources, is_direct=True))

    def labels_of_write(self, root: object, node: Any) -> Labels:
        """The labels of a value that is written, and of everything that decides whether it is."""
        body = self._body_of[id(root)]
        if not self._keys(body.writes[id(node)]) <= self.tainted:
            return {}
        return self._of_write(body, body.writes[id(node)], self._context(body), is_direct=True)

    # The fixpoint

    def _add_sealed_choices(self, sealed: frozenset[int]) -> None:
        """Until a simultaneous phase ends, each choice is secret, and so is everything that it causes."""
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
        """Evaluate all bodies until nothing changes, in both directions: verbs often call earlier ones."""
        is_changed = True
        while is_changed:
            is_changed = False
            for body in (*self.bodies, *reversed(self.bodies)):
                is_changed |= self._evaluate(body)
                if self.with_taint:
                    is_changed |= self._pass_on(body)
                    is_changed |= self._taint(body)
            if self.with_taint:
                is_changed |= self._taint_initial_values()

    def _evaluate(self, body: BodyFlows) -> bool:
        """Give all variables of a body their labels; gives whether the labels of its result changed."""
        is_changed = True
        while is_changed:
            is_changed = False
            for control in body.controls:
                self._evaluate_control(body, control)
            for trigger in body.changes:
                labels = self._of_change(trigger)
                for name, slot in trigger.fields:
                    if labels and name in ("old", "new"):
                        is_changed |= _extend(body.variables.setdefault(slot, {}), labels)
            for store in body.stores:
                labels = self._labels(body, store.sources) | store.control.labels
                if labels:
                    is_changed |= _extend(body.variables.setdefault(store.slot, {}), labels)
        result = self._labels(body, body.block_sources)
        if self.with_taint:
            result = self._known_elsewhere(result, p.This)
        return _extend(body.result, result)

    def _evaluate_control(self, body: BodyFlows, control: Control) -> None:
        if control.above is not None:
            control.labels |= control.above.labels
        for condition in control.conditions:
            if condition.sources:
                control.labels |= self._labels(body, condition.sources)

    def _pass_on(self, body: BodyFlows) -> bool:
        """Give called bodies the labels of their arguments and of the tests around the call."""
        is_changed, context = False, self._context(body)
        for call in body.calls:
            tests = self._resolved(body, call.control.labels)
            around = self._known_elsewhere(tests | context)
            for target in self.graph.targets(call.node):
                is_changed |= _extend(self.bodies[target].context, around)
            for target, slot, sources in call.arguments:
                labels = tests | self._resolved(body, self._labels(body, sources))
                passed = self.bodies[target].arguments.setdefault(slot, {})
                is_changed |= _extend(passed, self._known_elsewhere(labels))
        return is_changed

    def _taint(self, body: BodyFlows) -> bool:
        """Taint the attributes that labels are written to."""
        before, context = self._count(), self._context(body)
        for write in body.writes.values():
            keys = self._keys(write)
            if keys <= (self.tainted if write.created is None else self.tainted_at_creation):
                continue
            labels = self._of_write(body, write, context)
            if labels:
                self.tainted |= keys
            # A sealed choice is no secret any more when the things that it makes are read later.
            if write.created is not None and any(label.kind is not LabelKind.SEALED for label in labels):
                self.tainted_at_creation |= keys
        return before != self._count()

    def _taint_initial_values(self) -> bool:
        before, nobody = self._count(), BodyFlows(None)
        for construct in self.program.constructs:
            for attribute in construct.attributes:
                if self._labels(nobody, sources_of(self.program, attribute.initial)):
                    self.tainted.add((construct.name, attribute.slot))
                    self.tainted_at_creation.add((construct.name, attribute.slot))
        return before != self._count()

    def _count(self) -> int:
        return len(self.tainted) + len(self.tainted_at_creation)

    # Labels

    def _of_write(self, body: BodyFlows, write: Write, context: Labels, *, is_direct: bool = False) -> Labels:
        labels = self._labels(body, write.sources, is_direct=is_direct) | write.control.labels
        return self._resolved(body, labels) | context

    def _context(self, body: BodyFlows) -> Labels:
        """The labels of everything that decides whether a body runs."""
        found = dict(body.context)
        for test in body.tests:
            found |= self._resolved(body, self._labels(body, test.sources))
        for trigger in body.changes:
            found |= self._of_change(trigger)
        return found

    def _resolved(self, body: BodyFlows, labels: Labels) -> Labels:
        """Labels with what callers pass in the place of parameters."""
        found: Labels = {}
        for label in labels:
            if label.kind is LabelKind.PARAMETER:
                found |= body.arguments.get(label.slot, {})
            else:
                found[label] = None
        return found

    def _known_elsewhere(self, labels: Labels, named: type | None = None) -> Labels:
        """Labels as another body knows them; it can name the holders of one class only."""
        found: Labels = {}
        for label in labels:
            if label.holder is None or (named is not None and isinstance(label.holder, named)):
                found[label] = None
            else:
                found[self._without_name(label)] = None
        return found

    def _without_name(self, label: Label) -> Label:
        """The label of a thing that cannot be named any more. Few such labels keep the analysis fast."""
        match label.kind:
            case LabelKind.ATTRIBUTE:
                is_unseen = self.secrecies.may_be_unseen(label.construct, label.slot)
                return UNKNOWN if is_unseen else TAINT
            case LabelKind.SEALED:
                return OTHERS_CHOICE
            case LabelKind.ANSWER | LabelKind.CHANCE:
                return UNKNOWN
            case _:
                return label

    def _labels(self, body: BodyFlows, sources: Iterable[SecretSource], *, is_direct: bool = False) -> Labels:
        """The labels of some sources; `is_direct`: the things that they name are still the same."""
        found: Labels = {}
        for source in sources:
            if source.is_inside and self.with_taint:
                continue  # the attribute of the new thing is tainted instead
            for label in self._of_source(body, source, is_direct=is_direct):
                is_nameless = self.with_taint and label.holder is None
                found[self._without_name(label) if is_nameless else label] = None
        return found

    def _of_source(self, body: BodyFlows, source: SecretSource, *, is_direct: bool) -> Iterable[Label]:
        match source.node:
            case p.AttributeOf(target, _, slot):
                if not isinstance(target.type, ConstructType) or not self._is_labelled(source.node):
                    return ()
                holder = stable_name(target) or (name_in_loops(source, target) if is_direct else None)
                return (Label(LabelKind.ATTRIBUTE, target.type.name, slot, holder, owner_of(target)),)
            case p.Variable(slot):
                labels = body.variables.get(slot, {})
                return (*labels, Label(LabelKind.PARAMETER, slot=slot)) if slot in body.parameters else labels
            case p.CallVerb(_, receiver):
                holder = stable_name(receiver)
                if holder is None and receiver is not None and is_direct:
                    holder = receiver_in_loops(source, receiver)
                targets = self.graph.targets(source.node)
                results = [label for target in targets for label in self.bodies[target].result]
                return [through_call(label, receiver, holder) for label in results]
            case p.Apply(operation, operands):
                found = [Label(LabelKind.PLACES)] if PLACES in self.tainted else []
                is_look = operation.facts.shows_cards
                if is_look and self.secrecies.is_secret_stack(operands[0]):
                    found.append(Label(LabelKind.STACK, operands[0].construct))
                return found
            case p.Input():
                for at, asked in enumerate(body.answers):
                    if asked is source.node:
                        holder = p.Variable(asked.slot, asked.name, asked.type, NOWHERE)
                        return (Label(LabelKind.ANSWER, slot=at, holder=holder),)
                return (Label(LabelKind.ANSWER),)
            case _:
                return (Label(LabelKind.CHANCE),)

    def _is_labelled(self, node: p.AttributeOf) -> bool:
        assert isinstance(node.target.type, ConstructType)
        if self.secrecies.may_be_unseen(node.target.type.name, node.slot):
            return True
        return bool(self.tainted) and not self.secrecies.keys_of(node).isdisjoint(self.tainted)

    def _of_change(self, trigger: p.Trigger) -> Labels:
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


def _extend(labels: Labels, more: Labels) -> bool:
    """Add labels; gives whether some were new."""
    before = len(labels)
    labels |= more
    return len(labels) > before
