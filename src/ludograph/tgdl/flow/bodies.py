"""The walk over one body: where values go, which tests lead there, and what players see of it.

A control is a point of the body that runs only if some conditions hold. An `if` and a loop make one for their
blocks; a `return`, `break` or `continue` under a condition makes one for everything after it.
"""

from collections.abc import Iterable, Iterator, Sequence
from types import NoneType
from typing import Any, Final

from msgspec import Struct, field

from ludograph.tgdl import program as p
from ludograph.tgdl.flow.calls import SHOWS, Call, CallGraph, Effect, EffectAnalysis, asks_actor
from ludograph.tgdl.flow.labels import Labels, Source
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
"""The classes of nodes that the walk records something of."""


class Condition(Struct, frozen=True, eq=False):
    """An expression or block whose value decides whether something runs."""

    node: Any
    sources: tuple[Source, ...]


class Control(Struct, eq=False):
    """A point that is reached only under some conditions. Mutable: the end of a loop adds conditions."""

    above: "Control | None"
    conditions: list[Condition]
    labels: Labels = field(default_factory=dict)
    """The labels of all conditions, above included. Filled by the analysis."""


class Store(Struct, frozen=True, eq=False):
    """A value that goes to a variable."""

    slot: int
    sources: tuple[Source, ...]
    control: Control


class Write(Struct, frozen=True, eq=False):
    """A value that goes to an attribute, or a thing that goes to another place or owner."""

    node: Any
    sources: tuple[Source, ...]
    control: Control
    created: tuple[str, int] | None = None
    """The attribute, if a new thing gets the value."""


class CallSite(Struct, frozen=True, eq=False):
    """A call; a sink too, if it may ask the acting player or fail."""

    node: Call
    arguments: tuple[tuple[int, int, tuple[Source, ...]], ...]
    """A body that may run, a slot of its frame, and the value."""
    control: Control
    is_committed: bool
    """Whether chance or another player has decided something before."""
    file: int
    """The source of its spans."""


class Sink(Struct, frozen=True, eq=False):
    """A question, a failure or a message: players see whether it happens, and what is in it."""

    node: p.Ask | p.Fail | p.Cancel | p.CallVerb | p.CallAction
    control: Control
    is_committed: bool
    file: int


class Exits(Struct, frozen=True):
    """The conditions under which statements are left early; None: they are not."""

    returns: tuple[Condition, ...] | None = None
    breaks: tuple[Condition, ...] | None = None

    @property
    def conditions(self) -> tuple[Condition, ...]:
        return (*(self.returns or ()), *(self.breaks or ()))

    def joined(self, other: "Exits") -> "Exits":
        pairs = ((self.returns, other.returns), (self.breaks, other.breaks))
        return Exits(*(a if b is None else b if a is None else (*a, *b) for a, b in pairs))

    def under(self, conditions: tuple[Condition, ...]) -> "Exits":
        kinds = (self.returns, self.breaks)
        return Exits(*(None if kind is None else (*conditions, *kind) for kind in kinds))


STAYS: Final = Exits()


class Body:
    """The flows of one verb, action, setup or turn. Mutable: the walk and the analysis fill it."""

    def __init__(self, root: Any, parameters: Iterable[int] = ()) -> None:
        self.root = root
        self.start = Control(None, [])
        self.controls = [self.start]
        """All controls, each after the one above it."""
        self.stores: list[Store] = []
        self.writes: dict[int, Write] = {}
        """By the identity of the node that writes."""
        self.calls: list[CallSite] = []
        self.sinks: list[Sink] = []
        self.answers: list[p.Input] = []
        """The inputs whose answers not everybody sees."""
        self.tests: list[Condition] = []
        """The conditions under which an event starts an action."""
        self.changes: list[p.Trigger] = []
        """The triggers on changes of attributes."""
        self.block_sources: tuple[Source, ...] = ()
        """Of a verb: everything that its result may depend on, but for its arguments."""
        self.parameters = frozenset(parameters)
        # Results of the analysis.
        self.variables: dict[int, Labels] = {}
        self.result: Labels = {}
        """Of a verb: the labels of its result, without those of its arguments."""
        self.arguments: dict[int, Labels] = {}
        """What callers pass, by slot."""
        self.context: Labels = {}
        """The labels of everything that decides whether the body runs."""


def sources_of(program: p.Program, root: Any) -> Iterator[Source]:
    """The nodes inside an expression or block that may read a secret, in the order of the text."""
    waiting: list[tuple[Any, tuple[p.Query, ...], bool]] = [(root, (), False)]
    while waiting:
        node, loops, is_inside = waiting.pop()
        kind = type(node)
        if kind in PUBLIC:
            continue
        if kind is tuple:
            waiting += [(each, loops, is_inside) for each in reversed(node)]
            continue
        parts: Sequence[Any]
        match node:
            case p.Apply(operation, operands):
                parts = operands
                if operation.facts.reads_whereabouts:
                    yield Source(node, loops, is_inside)
                if operation.facts.is_public and isinstance(operands[0], p.AttributeOf):
                    parts = (operands[0].target,)
            case p.Query(_, source, _, body):
                waiting.append((body, (*loops, node), is_inside))
                parts = (source,)
            case p.New(_, count, values):
                # The attributes of the new thing hold these values, not the thing itself.
                waiting += [(value, loops, True) for _, value in reversed(values)]
                parts = (count,)
            case p.CallVerb(index, _, arguments) if program.verbs[index].is_public:
                parts = arguments
            case p.AttributeOf() | p.Variable() | p.CallVerb() | p.Input():
                yield Source(node, loops, is_inside)
                parts = CHILDREN[kind](node)  # type: ignore[misc]
            case p.Random(visible=visible):
                if visible is not None:
                    yield Source(node, loops, is_inside)
                parts = CHILDREN[kind](node)  # type: ignore[misc]
            case _:
                below = CHILDREN[kind]
                parts = () if below is None else below(node)
        waiting += [(each, loops, is_inside) for each in reversed(parts)]


class BodyWalk:
    """Walks one body. Mutable: it fills the body."""

    def __init__(self, body: Body, graph: CallGraph, effects: EffectAnalysis | None) -> None:
        self.body = body
        self.graph = graph
        self.effects = effects
        """Needed to find sinks; without it only values are followed."""
        self.is_committed = False
        self._file: int = body.root.file

    def walk(self) -> None:
        body, root = self.body, self.body.root
        match root:
            case p.Verb(block=block):
                body.block_sources = tuple(self._without_variables(block))
                self._visit((root.parameters, block), body.start)
            case p.Action():
                body.tests += [self._condition(each) for each in _starting_tests(root)]
                self._visit((root.inputs, root.requires, root.triggers), body.start)
                self._effects(root.effects)
                for phase in root.phases:
                    self._visit((phase.requires, phase.triggers), body.start)
                    self._effects(phase.effects)
            case _:
                self._visit(root, body.start)

    def _without_variables(self, block: p.Block) -> Iterator[Source]:
        """Variables hold what other nodes of the block read, or arguments."""
        sources = sources_of(self.graph.program, block)
        return (source for source in sources if not isinstance(source.node, p.Variable))

    def _effects(self, effects: tuple[p.Effect, ...]) -> None:
        for effect in effects:
            before = self.is_committed
            self._file = self.body.root.file if effect.file is None else effect.file
            self._visit(effect.block, self.body.start)
            if effect.name is not None:  # it may be left out
                self.is_committed = before

    # Statements

    def _statements(self, statements: tuple[p.Statement, ...], control: Control) -> Exits:
        exits = STAYS
        for statement in statements:
            found = self._statement(statement, control)
            if found is not STAYS:
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
                return STAYS

    def _loop(
        self, limits: tuple[p.Expression, ...], body: tuple[p.Statement, ...], control: Control
    ) -> Exits:
        self._visit(limits, control)
        tests = tuple(self._condition(limit) for limit in limits)
        inner = self._control(control, tests)
        exits = self._statements(body, inner)
        # The next round runs only if this one did not leave the loop.
        inner.conditions += exits.conditions
        return Exits(returns=exits.returns).under(tests)

    def _control(self, above: Control, conditions: tuple[Condition, ...]) -> Control:
        control = Control(above, list(conditions))
        self.body.controls.append(control)
        return control

    def _condition(self, node: Any) -> Condition:
        return Condition(node, tuple(sources_of(self.graph.program, node)))

    # Expressions, and statements without blocks of their own

    def _visit(self, root: Any, control: Control) -> None:
        waiting, commits = [root], False
        while waiting:
            node = waiting.pop()
            kind = type(node)
            if kind is tuple:
                waiting.extend(reversed(node))
            elif kind is p.Block:
                self._statements(node.statements, control)
            elif kind is p.Conditional:
                self._visit(node.condition, control)
                inner = self._control(control, (self._condition(node.condition),))
                self._visit((node.then, node.otherwise), inner)
            elif (below := CHILDREN[kind]) is not None:
                if kind in RECORDED:
                    commits |= self._record(node, control)
                waiting.extend(reversed(below(node)))
        self.is_committed |= commits

    def _record(self, node: Any, control: Control) -> bool:
        """Record the flows of a node; gives whether chance or another player decides something in it."""
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
                # Everybody sees that a card comes to a secret stack.
                self._write(node, (to.target if isinstance(to, p.AttributeOf) else to,), control)
            case p.Apply(operation, operands) if operation.facts.moves_things:
                self._write(node, operands[1:] if operation.facts.changes_owner else (), control)
            case p.Input():
                self._input(node, control)
            case p.Trigger():
                if node.event == "change":
                    self.body.changes.append(node)
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
            return Effect.COMMITS in self.effects.of_call(node)
        return Effect.COMMITS in self.effects.of_node(node)

    def _input(self, node: p.Input, control: Control) -> None:
        if node.mode is p.InputMode.ASKED:
            if node.visible is not None:
                self.body.stores.append(Store(node.slot, (Source(node),), control))
                self.body.answers.append(node)
            return
        parts = (node.source, node.low, node.high, *node.filters, *node.list_filters)
        self._store(node.slot, tuple(part for part in parts if part is not None), control)

    def _call(self, node: Call, control: Control) -> None:
        program = self.graph.program
        arguments = tuple(
            (target, slot, tuple(sources_of(program, value)))
            for target in self.graph.targets(node)
            for slot, value in self.graph.arguments(node, target)
        )
        self.body.calls.append(CallSite(node, arguments, control, self.is_committed, self._file))
        if self.effects is not None and self.effects.of_call(node) & SHOWS:
            self.body.sinks.append(Sink(node, control, self.is_committed, self._file))

    def _store(self, slot: int, values: Sequence[p.Expression | p.Block], control: Control) -> None:
        sources = tuple(sources_of(self.graph.program, tuple(values)))
        if sources or control is not self.body.start:
            self.body.stores.append(Store(slot, sources, control))

    def _write(
        self,
        node: Any,
        values: tuple[p.Expression, ...],
        control: Control,
        created: tuple[str, int] | None = None,
    ) -> None:
        sources = tuple(sources_of(self.graph.program, values))
        self.body.writes[id(node)] = Write(node, sources, control, created)


def writes_place(node: Any) -> bool:
    """Whether a node puts a thing elsewhere, or gives it to another player."""
    return isinstance(node, p.Move) or (isinstance(node, p.Apply) and node.operation.facts.moves_things)


def is_shown_to_actor(node: p.Ask | p.Fail | p.Cancel | Call) -> bool:
    """Whether the list of moves depends on whether a sink happens."""
    return asks_actor(node.input) if isinstance(node, p.Ask) else not isinstance(node, p.Cancel)


def _starting_tests(action: p.Action) -> Iterator[p.Block]:
    """The blocks that decide whether an event starts an action."""
    triggers = [*action.triggers, *(each for phase in action.phases for each in phase.triggers)]
    on_events = [each for each in triggers if each.event and each.event not in OFFERS]
    yield from (trigger.block for trigger in on_events if trigger.block is not None)
    if on_events:
        yield from (require.block for require in action.requires)
