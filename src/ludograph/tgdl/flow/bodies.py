"""The flows of one body: stores to variables, writes to attributes, calls and sinks, each with its control.

A control is a region of the body that runs only under some conditions (a control dependence). An `if` and a
loop make one for their blocks; a `return`, `break` or `continue` under a condition makes one for everything
after it.
"""

from collections.abc import Iterable, Iterator, Sequence
from types import NoneType
from typing import Any, Final

from msgspec import Struct, field

from ludograph.tgdl import program as p
from ludograph.tgdl.flow.calls import (
    VISIBLE_EFFECTS,
    BodyEffect,
    CallGraph,
    CallNode,
    EffectSummaries,
    asks_actor,
)
from ludograph.tgdl.flow.labels import Labels, SecretSource
from ludograph.tgdl.flow.secrecy import AttributeKey
from ludograph.tgdl.program.events import OFFERS
from ludograph.tgdl.syntax.traversal import CHILDREN

PUBLIC: Final = frozenset(
    {p.Literal, p.Singleton, p.Setting, p.NamedTile, p.NamedPart, p.This, p.Ambient, NoneType, str}
)
"""The classes of nodes that read nothing secret."""
RECORDED: Final = frozenset(
    {p.Declare, p.Assign, p.Mutate, p.Query, p.Input, p.Trigger, p.New, p.Move, p.Apply, p.Random}
    | {p.CallVerb, p.CallAction, p.Ask, p.Fail, p.Cancel}
)
"""The classes of nodes that the walk records as a flow."""


class Condition(Struct, frozen=True, eq=False):
    """An expression or block whose value decides whether something runs."""

    node: Any
    sources: tuple[SecretSource, ...]


class Control(Struct, eq=False):
    """A region that runs only under some conditions. Mutable: the end of a loop adds conditions."""

    parent: "Control | None"
    conditions: list[Condition]
    labels: Labels = field(default_factory=dict)
    """The labels of the conditions of this control and of its parents. Filled by the analysis."""


class VariableStore(Struct, frozen=True, eq=False):
    """A value that goes to a variable."""

    slot: int
    sources: tuple[SecretSource, ...]
    control: Control


class Write(Struct, frozen=True, eq=False):
    """A value that goes to an attribute, or a thing that goes to another place or owner."""

    node: Any
    sources: tuple[SecretSource, ...]
    control: Control
    created: AttributeKey | None = None
    """The attribute that gets its initial value, if the write is a part of `new`."""


class CallFlow(Struct, frozen=True, eq=False):
    """A call; a sink too, if it may ask the acting player or fail."""

    node: CallNode
    arguments: tuple[tuple[int, int, tuple[SecretSource, ...]], ...]
    """For each parameter of each body that may run: the number of the body, the slot, and the sources."""
    control: Control
    is_committed: bool
    """Whether chance or another player has decided something before, so that the player cannot go back."""
    file: int
    """The number of the source file that its spans refer to."""


class Sink(Struct, frozen=True, eq=False):
    """A question, a failure or a message: players see whether it happens, and what is in it."""

    node: p.Ask | p.Fail | p.Cancel | p.CallVerb | p.CallAction
    control: Control
    is_committed: bool
    file: int


class Exits(Struct, frozen=True):
    """The conditions under which statements are left early; None: they are never left in this way."""

    returns: tuple[Condition, ...] | None = None
    breaks: tuple[Condition, ...] | None = None
    """By `break` or `continue`."""

    @property
    def conditions(self) -> tuple[Condition, ...]:
        return (*(self.returns or ()), *(self.breaks or ()))

    def joined(self, other: "Exits") -> "Exits":
        pairs = ((self.returns, other.returns), (self.breaks, other.breaks))
        return Exits(*(a if b is None else b if a is None else (*a, *b) for a, b in pairs))

    def under(self, conditions: tuple[Condition, ...]) -> "Exits":
        kinds = (self.returns, self.breaks)
        return Exits(*(None if kind is None else (*conditions, *kind) for kind in kinds))


NO_EXITS: Final = Exits()


class BodyFlows:
    """The flows of one verb, action, setup or turn. Mutable: the walk and the analysis fill it."""

    def __init__(self, root: Any, parameters: Iterable[int] = ()) -> None:
        self.root = root
        self.entry = Control(None, [])
        self.controls = [self.entry]
        """All controls, each after its parent."""
        self.stores: list[VariableStore] = []
        self.writes: dict[int, Write] = {}
        """By the identity of the node that writes."""
        self.calls: list[CallFlow] = []
        self.sinks: list[Sink] = []
        self.hidden_inputs: list[p.Input] = []
        """The inputs with `visible to`; a label of an answer has its index in this list."""
        self.start_conditions: list[Condition] = []
        """The conditions under which an event starts an action."""
        self.change_triggers: list[p.Trigger] = []
        """The triggers on changes of attributes."""
        self.result_sources: tuple[SecretSource, ...] = ()
        """Of a verb: the sources that its result may depend on, except its parameters."""
        self.parameters = frozenset(parameters)
        # Results of the analysis.
        self.variables: dict[int, Labels] = {}
        self.result: Labels = {}
        """Of a verb: the labels of its result, without those of its arguments."""
        self.arguments: dict[int, Labels] = {}
        """The labels of the arguments of all callers, by the slot of the parameter."""
        self.context: Labels = {}
        """The labels of everything that decides whether the body runs."""


def sources_of(graph: CallGraph, root: Any) -> Iterator[SecretSource]:
    """The nodes inside an expression or block that may read a secret, in source order."""
    program = graph.program
    worklist: list[tuple[Any, tuple[p.Query, ...], bool]] = [(root, (), False)]
    while worklist:
        node, queries, is_initial_value = worklist.pop()
        kind = type(node)
        if kind in PUBLIC:
            continue
        if kind is tuple:
            worklist += [(each, queries, is_initial_value) for each in reversed(node)]
            continue
        parts: Sequence[Any]
        match node:
            case p.Apply(operation, operands):
                parts = operands
                if operation.facts.reads_whereabouts:
                    yield SecretSource(node, queries, is_initial_value)
                if operation.facts.is_public and isinstance(operands[0], p.AttributeOf):
                    parts = (operands[0].target,)
                elif operation.facts.is_public and graph.is_owned_stack(operands[0].type):
                    table, keys = p.table_of_entry(operands[0])
                    parts = (table.target if isinstance(table, p.AttributeOf) else table, *keys)
            case p.Query(_, source, _, body):
                worklist.append((body, (*queries, node), is_initial_value))
                parts = (source,)
            case p.New(_, count, values):
                # The attributes of the new thing hold these values, not the thing itself.
                worklist += [(value, queries, True) for _, value in reversed(values)]
                parts = (count,)
            case p.CallVerb(index, _, arguments) if program.verbs[index].is_public:
                parts = arguments
            case p.AttributeOf() | p.Variable() | p.CallVerb() | p.Input():
                yield SecretSource(node, queries, is_initial_value)
                parts = CHILDREN[kind](node)  # type: ignore[misc]
            case p.Random(visible=visible):
                if visible is not None:
                    yield SecretSource(node, queries, is_initial_value)
                parts = CHILDREN[kind](node)  # type: ignore[misc]
            case _:
                below = CHILDREN[kind]
                parts = () if below is None else below(node)
        worklist += [(each, queries, is_initial_value) for each in reversed(parts)]


class BodyWalk:
    """Walks one body. Mutable: it fills the body."""

    def __init__(self, body: BodyFlows, graph: CallGraph, effects: EffectSummaries | None) -> None:
        self.body = body
        self.graph = graph
        self.effects = effects
        """Needed to find sinks; without it the walk records only the flow of values."""
        self.is_committed = False
        """Whether chance or another player may have decided something before the current node."""
        self._file: int = body.root.file

    def walk(self) -> None:
        body, root = self.body, self.body.root
        match root:
            case p.Verb(block=block):
                body.result_sources = tuple(self._without_variables(block))
                self._visit((root.parameters, block), body.entry)
            case p.Action():
                body.start_conditions += [self._condition(each) for each in _trigger_conditions(root)]
                self._visit((root.inputs, root.requires, root.triggers), body.entry)
                self._effects(root.effects)
                for phase in root.phases:
                    self._visit((phase.requires, phase.triggers), body.entry)
                    self._effects(phase.effects)
            case _:
                self._visit(root, body.entry)

    def _without_variables(self, block: p.Block) -> Iterator[SecretSource]:
        """The sources of a block except variables, which hold values of other sources or arguments."""
        sources = sources_of(self.graph, block)
        return (source for source in sources if not isinstance(source.node, p.Variable))

    def _effects(self, effects: tuple[p.Effect, ...]) -> None:
        for effect in effects:
            before = self.is_committed
            self._file = self.body.root.file if effect.file is None else effect.file
            self._visit(effect.block, self.body.entry)
            if effect.name is not None:  # it does not always run
                self.is_committed = before

    # Statements

    def _statements(self, statements: tuple[p.Statement, ...], control: Control) -> Exits:
        exits = NO_EXITS
        for statement in statements:
            found = self._statement(statement, control)
            if found is not NO_EXITS:
                exits = exits.joined(found)
                if found.conditions:
                    control = self._control(control, found.conditions)
        return exits

    def _statement(self, statement: p.Statement, control: Control) -> Exits:
        match statement:
            case p.If(condition, then, otherwise):
                self._visit(condition, control)
                tests = (self._condition(condition),)
                inner = self._control(control, tests)
                before = self.is_committed
                exits = self._statements(then, inner)
                after, self.is_committed = self.is_committed, before
                exits = exits.joined(self._statements(otherwise, inner))
                self.is_committed |= after
                return exits.under(tests)
            case p.While(condition, body, step):
                return self._loop((condition,), (*body, *step), control)
            case p.ForEach(slot, source, body):
                self._store(slot, (source,), control)
                return self._loop((source,), body, control)
            case p.ForRange(slot, low, high, body):
                self._store(slot, (low, high), control)
                return self._loop((low, high), body, control)
            case p.Return(value):
                self._visit(value, control)
                return Exits(returns=())
            case p.Break() | p.Continue():
                return Exits(breaks=())
            case _:
                self._visit(statement, control)
                return NO_EXITS

    def _loop(
        self, limits: tuple[p.Expression, ...], body: tuple[p.Statement, ...], control: Control
    ) -> Exits:
        self._visit(limits, control)
        tests = tuple(self._condition(limit) for limit in limits)
        inner = self._control(control, tests)
        exits = self._statements(body, inner)
        # The next iteration runs only if this one did not leave the loop.
        inner.conditions += exits.conditions
        return Exits(returns=exits.returns).under(tests)

    def _control(self, parent: Control, conditions: tuple[Condition, ...]) -> Control:
        control = Control(parent, list(conditions))
        self.body.controls.append(control)
        return control

    def _condition(self, node: Any) -> Condition:
        return Condition(node, tuple(sources_of(self.graph, node)))

    # Expressions, and statements without blocks of their own

    def _visit(self, root: Any, control: Control) -> None:
        worklist, commits = [root], False
        while worklist:
            node = worklist.pop()
            kind = type(node)
            if kind is tuple:
                worklist.extend(reversed(node))
            elif kind is p.Block:
                self._statements(node.statements, control)
                if node.refusal is not None:
                    self._visit(node.refusal, control)
            elif kind is p.Conditional:
                self._visit(node.condition, control)
                inner = self._control(control, (self._condition(node.condition),))
                self._visit((node.then, node.otherwise), inner)
            elif (below := CHILDREN[kind]) is not None:
                if kind in RECORDED:
                    commits |= self._record(node, control)
                worklist.extend(reversed(below(node)))
        self.is_committed |= commits

    def _record(self, node: Any, control: Control) -> bool:
        """Record the flows of a node; returns whether chance or another player decides something in it."""
        match node:
            case p.Declare(slot, _, value):
                self._store(slot, (value,), control)
            case p.Query(_, source, slot):
                self._store(slot, (source,), control)
            case p.Assign(place, value) if isinstance(place.root, p.Variable):
                self._store(place.root.slot, (value,), control)
            case p.Mutate(place, _, operands) if isinstance(place.root, p.Variable):
                self._store(place.root.slot, operands, control)
            case p.Assign(place, value) if isinstance(place.root, p.AttributeOf):
                self._write(node, (value, place.root.target, *place.indexes), control)
            case p.Mutate(place, _, operands) if isinstance(place.root, p.AttributeOf):
                self._write(node, (*operands, place.root.target, *place.indexes), control)
            case p.New(construct, _, values):
                for slot, value in values:
                    self._write(value, (value,), control, (construct, slot))
            case p.Move(_, to):
                # The destination is public: everybody sees that a card comes to a secret stack.
                root, keys = p.table_of_entry(to)
                self._write(node, (root.target if isinstance(root, p.AttributeOf) else root, *keys), control)
            case p.Apply(operation, operands) if operation.facts.moves_things:
                self._write(node, operands[1:] if operation.facts.changes_owner else (), control)
            case p.Input():
                self._visit(node.refusal, control)
                self._input(node, control)
            case p.Trigger():
                self._visit(node.refusal, control)
                if node.event == "change":
                    self.body.change_triggers.append(node)
            case p.CallVerb() | p.CallAction():
                self._call(node, control)
            case p.Ask() | p.Fail() | p.Cancel():
                if self.effects is not None:
                    self.body.sinks.append(Sink(node, control, self.is_committed, self._file))
            case _:
                pass
        if self.effects is None:
            return False
        if isinstance(node, p.CallVerb | p.CallAction):
            return BodyEffect.COMMITS in self.effects.of_call(node)
        return BodyEffect.COMMITS in self.effects.of_node(node)

    def _input(self, node: p.Input, control: Control) -> None:
        if node.mode is p.InputMode.ASKED:
            if node.visible is not None:
                self.body.stores.append(VariableStore(node.slot, (SecretSource(node),), control))
                self.body.hidden_inputs.append(node)
            return
        parts = (node.source, node.low, node.high, *node.filters, *node.list_filters)
        self._store(node.slot, tuple(part for part in parts if part is not None), control)

    def _call(self, node: CallNode, control: Control) -> None:
        arguments = tuple(
            (target, slot, tuple(sources_of(self.graph, value)))
            for target in self.graph.targets(node)
            for slot, value in self.graph.arguments(node, target)
        )
        self.body.calls.append(CallFlow(node, arguments, control, self.is_committed, self._file))
        if self.effects is not None and self.effects.of_call(node) & VISIBLE_EFFECTS:
            self.body.sinks.append(Sink(node, control, self.is_committed, self._file))

    def _store(self, slot: int, values: Sequence[p.Expression | p.Block], control: Control) -> None:
        sources = tuple(sources_of(self.graph, tuple(values)))
        if sources or control is not self.body.entry:
            self.body.stores.append(VariableStore(slot, sources, control))

    def _write(
        self,
        node: Any,
        values: tuple[p.Expression, ...],
        control: Control,
        created: AttributeKey | None = None,
    ) -> None:
        sources = tuple(sources_of(self.graph, values))
        self.body.writes[id(node)] = Write(node, sources, control, created)


def writes_place(node: Any) -> bool:
    """Whether a node changes the place or the owner of a thing."""
    return isinstance(node, p.Move) or (isinstance(node, p.Apply) and node.operation.facts.moves_things)


def is_shown_to_actor(node: p.Ask | p.Fail | p.Cancel | CallNode) -> bool:
    """Whether the acting player can infer from the list of moves that a sink runs."""
    return asks_actor(node.input) if isinstance(node, p.Ask) else not isinstance(node, p.Cancel)


def _trigger_conditions(action: p.Action) -> Iterator[p.Block]:
    """The conditions and requires that decide whether an event starts an action."""
    triggers = [*action.triggers, *(each for phase in action.phases for each in phase.triggers)]
    on_events = [each for each in triggers if each.event and each.event not in OFFERS]
    yield from (trigger.block for trigger in on_events if trigger.block is not None)
    if on_events:
        yield from (require.block for require in action.requires)
