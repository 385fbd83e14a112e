"""Warnings about secrets that players can read off their choices.

Triggers, filters, requires and lists of candidates decide which moves a player is offered. They must not
depend on what that player may not see. A test in an effect must not either, if a question or a failure
depends on it, and neither chance nor another player has decided something before.
"""

from collections.abc import Iterable, Iterator
from itertools import groupby, islice

from msgspec import Struct, field

from ludograph.text import Span
from ludograph.tgdl import program as p
from ludograph.tgdl.check.graphs import components
from ludograph.tgdl.check.symbols import SymbolTable
from ludograph.tgdl.flow.analysis import InformationFlow
from ludograph.tgdl.flow.bodies import BodyFlows, CallFlow, Condition, is_shown_to_actor
from ludograph.tgdl.flow.calls import CallNode, EffectSummaries, asks_actor, asks_another, refusable_arguments
from ludograph.tgdl.flow.labels import Label, LabelKind, Labels, Owner, SecretSource, through_call
from ludograph.tgdl.program.events import OFFERS
from ludograph.tgdl.program.operations import Operation

OWNED = (
    p.ConstructKind.LOCAL,
    p.ConstructKind.GROUP_STATE,
    p.ConstructKind.TILE,
    p.ConstructKind.INTERACTABLE,
    p.ConstructKind.STACK,
)
"""The actions of such a thing are offered to its owner only, so `this` belongs to the reader."""
OFFERED = OFFERS | {""}
"""Triggers that offer an action, and triggers over the names of such."""
HERE = "this condition of an input or a failure"
WORDS = "the text after `else`"


class Summary(Struct):
    """The labels that the questions and failures of a body reveal. Mutable while it is computed."""

    decides: Labels = field(default_factory=dict)
    """The labels of everything that decides whether the body asks or fails; parameters included."""
    shows: Labels = field(default_factory=dict)
    """The labels in messages and questions that only the owner of `this` may read."""


def check_secrets(world: SymbolTable, program: p.Program, effects: EffectSummaries) -> None:
    if not effects.secrecies.has_secrets:
        return
    flow = InformationFlow(program, effects=effects)
    check = _SecretCheck(world, flow, effects)
    for action in program.actions:
        body = flow.body_of(action)
        if any(trigger.event in OFFERS for trigger in action.triggers):
            check.check_offer(action, body)
        else:
            # The caller or the event knows the owner of the thing.
            check.check_questions(body, own=True)
    for verb in program.verbs:
        check.check_questions(flow.body_of(verb), own=True)
        check.report(flow.body_of(verb), verb.block.refusal, verb.file, own=True, where=WORDS)
    for turn in program.turns:
        for phase in turn.phases:
            check.report(
                flow.body_of(turn), phase.asks, turn.file, own=False, where="the list of asked players"
            )


def offered_parts(asked: p.Input) -> Iterator[tuple[str, p.Expression | p.Block]]:
    """The parts of an input that decide about its candidates, with words for them."""
    for part in (asked.source, asked.low, asked.high, asked.least, asked.most):
        if part is not None:
            yield "the list of candidates", part
    for filter in (*asked.filters, *asked.list_filters):
        yield "this filter", filter


def words_of_input(asked: p.Input) -> Iterator[p.Message]:
    """The words for players whose choice an input or one of its filters refuses."""
    if asked.refusal is not None:
        yield asked.refusal
    for filter in (*asked.filters, *asked.list_filters):
        if filter.refusal is not None:
            yield filter.refusal


class _SecretCheck:
    """Warns of each secret that shows. Mutable: it summarises all verbs and actions first."""

    def __init__(self, world: SymbolTable, flow: InformationFlow, effects: EffectSummaries) -> None:
        self.world = world
        self.flow = flow
        self.graph = effects.graph
        self._reported: set[tuple[int, Span, str]] = set()
        count = len(effects.of_bodies)
        self._summaries = [Summary() for _ in range(count)]
        callees = {
            number: [target for call in flow.bodies[number].calls for target in self.graph.targets(call.node)]
            for number in range(count)
        }
        for group in components(callees):
            is_changed = True
            while is_changed:
                changes = [self._summarise(number) for number in group]
                is_changed = len(group) > 1 and any(changes)

    # Summaries

    def _summarise(self, number: int) -> bool:
        """Compute the summary of a body from those of its callees; gives whether it changed."""
        body, summary = self.flow.bodies[number], self._summaries[number]
        before = len(summary.decides), len(summary.shows)
        if isinstance(body.root, p.Action):
            for require in body.root.requires:
                if require.name is None:
                    summary.decides |= dict.fromkeys(self._labels(body, require.block))
        if isinstance(body.root, p.Verb):
            summary.shows |= dict.fromkeys(self._labels(body, body.root.block.refusal))
        for sink in body.sinks:
            if is_shown_to_actor(sink.node) and not sink.is_committed:
                summary.decides |= sink.control.labels
            for _, part in _shown_parts(sink.node):
                for label in self._labels(body, part):
                    if label.kind is not LabelKind.PARAMETER:
                        summary.shows[label] = None
                    elif not sink.is_committed:
                        summary.decides[label] = None
        for call in body.calls:
            summary.shows |= dict.fromkeys(self._shown_by_call(call.node))
            if not call.is_committed:
                summary.decides |= dict.fromkeys(label for _, label in self._decided_by_call(body, call))
        summary.shows = {
            label: None
            for label in summary.shows
            if self._leak(label, own=False) and not self._leak(label, own=True)
        }
        return before != (len(summary.decides), len(summary.shows))

    def _labels(self, body: BodyFlows, node: object) -> Iterator[Label]:
        return (label for _, label in self.flow.labels_of(body.root, node))

    def _decided_by_call(self, body: BodyFlows, call: CallFlow) -> Iterator[tuple[Span, Label]]:
        """The labels that decide whether a called body asks or fails, and where the caller reads them."""
        node = call.node
        deciding: set[int] = set()
        for target in self.graph.targets(node):
            for label in self._summaries[target].decides:
                if label.kind is LabelKind.PARAMETER:
                    deciding.add(label.slot)
                else:
                    yield node.span, through_call(label, node.receiver, None)
        named = self.graph.targets(node)[0]
        inputs = self.graph.parameters(named)
        refusing = list(refusable_arguments(inputs, node)) if isinstance(node, p.CallAction) else []
        deciding |= {asked.slot for asked, _ in refusing}
        for slot, value in self.graph.arguments(node, named):
            if slot in deciding:
                yield from _located(self.flow.labels_of(body.root, value))
        for asked, _ in refusing:
            for _, part in offered_parts(asked):
                for label in self._labels(self.flow.bodies[named], part):
                    if label.kind is not LabelKind.PARAMETER:
                        yield node.span, through_call(label, node.receiver, None)

    def _shown_by_call(self, call: CallNode) -> Iterator[Label]:
        for target in self.graph.targets(call):
            for label in self._summaries[target].shows:
                yield through_call(label, call.receiver, None)

    # Warnings

    def check_offer(self, action: p.Action, body: BodyFlows) -> None:
        owner = self.world.constructs.get(action.owner or "")
        own = owner is not None and owner.kind in OWNED
        for trigger in action.triggers:
            file = action.file if trigger.file is None else trigger.file
            if trigger.block is not None and trigger.event in OFFERED:
                self.report(body, trigger.block, file, own=own, where="this trigger")
            self.report(body, trigger.refusal, file, own=own, where=WORDS)
        for require in action.requires:
            file = action.file if require.file is None else require.file
            self.report(body, require.block, file, own=own, where="this require")
            self.report(body, require.block.refusal, file, own=own, where=WORDS)
        for one in action.inputs:
            self._check_input(body, one, action.file if one.file is None else one.file, own=own)
        self.check_questions(body, own=own)
        if not any(asks_another(one) for one in action.inputs):
            self._check_implicit_flows(body, own=own)

    def check_questions(self, body: BodyFlows, *, own: bool) -> None:
        """Warn of secrets in the questions and messages of a body, and of the bodies that it calls."""
        for sink in body.sinks:
            match sink.node:
                case p.Ask(asked):
                    self._check_input(body, asked, sink.file, own=own)
                case p.Fail(message) | p.Cancel(_, message):
                    self.report(body, message, sink.file, own=own, where="this message")
                case _:
                    pass
        for call in body.calls:
            where = f"an input or a message of '{self.graph.name(call.node)}'"
            found = ((call.node.span, label) for label in self._shown_by_call(call.node))
            self._report_first(found, call.file, own=own, where=where)

    def _check_implicit_flows(self, body: BodyFlows, *, own: bool) -> None:
        """Warn of secrets that decide whether the acting player is asked, or the move fails."""
        checked: set[Condition] = set()
        for sink in body.sinks:
            if sink.is_committed or not is_shown_to_actor(sink.node):
                continue
            control = sink.control
            while control.parent is not None and not checked.issuperset(control.conditions):
                for condition in control.conditions:
                    self.report(body, condition.node, sink.file, own=own, where=HERE)
                checked.update(control.conditions)
                control = control.parent
        for call in body.calls:
            if not call.is_committed:
                where = f"a condition in '{self.graph.name(call.node)}'"
                found = sorted(self._decided_by_call(body, call), key=_start)
                for _, labels in groupby(found, _start):
                    self._report_first(labels, call.file, own=own, where=where)

    def _check_input(self, body: BodyFlows, asked: p.Input, file: int, *, own: bool) -> None:
        if asked.mode is not p.InputMode.ASKED:
            return
        match asked.chooser:
            case None | p.Ambient():
                pass
            case p.Apply(Operation.OWNER, (p.This(),)) | p.AttributeOf(p.This(), "player"):
                own = True  # the owner of the thing is asked
            case _:
                own = False
        for where, part in offered_parts(asked):
            self.report(body, part, file, own=own, where=where)
        for words in words_of_input(asked):
            self.report(body, words, file, own=own, where=WORDS)

    def report(self, body: BodyFlows, node: object, file: int, *, own: bool, where: str) -> None:
        """Warn of the first secret in an expression or block."""
        self._report_first(_located(self.flow.labels_of(body.root, node)), file, own=own, where=where)

    def _report_first(self, found: Iterable[tuple[Span, Label]], file: int, *, own: bool, where: str) -> None:
        leaks = ((span, words) for span, label in found if (words := self._leak(label, own=own)))
        for span, words in islice(leaks, 1):
            message = f"{where} shows {words} to a player who may not see it"
            if (file, span, message) not in self._reported:
                self._reported.add((file, span, message))
                hint = "a `public verb` can show its result to all players, even if it reads secret values"
                self.world.warn("TG0407", message, span, file, hint)

    def _leak(self, label: Label, *, own: bool) -> str:
        """The secret of a label in words, if the reader may not see it; `own`: `this` is the reader's."""
        secrecies = self.flow.secrecies
        if label.kind is LabelKind.STACK:
            return secrecies.describe_stack(label.construct)
        if label.kind is not LabelKind.ATTRIBUTE:
            return ""
        is_owned = label.owner is Owner.PLAYER or (own and label.owner is Owner.THIS)
        if is_owned and secrecies.secrecy_of(label.construct, label.slot) is not p.Secrecy.HIDDEN:
            return ""
        return secrecies.describe(label.construct, label.slot)


def _shown_parts(node: object) -> Iterator[tuple[str, object]]:
    """The parts of a question or message that the acting player reads."""
    match node:
        case p.Ask(asked) if asks_actor(asked):
            yield from offered_parts(asked)
        case p.Fail(message) | p.Cancel(_, message):
            yield "this message", message
        case _:
            pass


def _located(labels: Iterable[tuple[SecretSource, Label]]) -> Iterator[tuple[Span, Label]]:
    return ((source.node.span, label) for source, label in labels)


def _start(located: tuple[Span, Label]) -> int:
    return located[0].start
