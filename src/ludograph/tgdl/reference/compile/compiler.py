"""The compiler of the reference engine: it compiles a typed program to closures, for one world."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from functools import cache
from typing import Any, NamedTuple, NoReturn

from ludograph.text import Span
from ludograph.tgdl import program as p
from ludograph.tgdl.program.events import Event
from ludograph.tgdl.program.operations import Operation
from ludograph.tgdl.program.types import Basic, ConstructType, EnumType, ListType, TableType, Type
from ludograph.tgdl.reference.compile.loop_invariants import QueryInvariants, home_of, keep, readable
from ludograph.tgdl.reference.fuel_costs import copy_payment
from ludograph.tgdl.reference.inputs import viewers
from ludograph.tgdl.reference.instances import find_in_play
from ludograph.tgdl.reference.run import Also, Run
from ludograph.tgdl.reference.table_keys import completer, empty
from ludograph.tgdl.reference.taint import TaintCompiler
from ludograph.tgdl.reference.visibility import sees_attribute, sees_stack
from ludograph.tgdl.world.analysis import merged_width, never_none, walk
from ludograph.tgdl.world.faults import Site
from ludograph.tgdl.world.fuel import price
from ludograph.tgdl.world.memory import OUT, Instance
from ludograph.tgdl.world.multisets import split_filters
from ludograph.tgdl.world.values import is_compound, is_key
from ludograph.tgdl.world.world import (
    Closure,
    CompiledInput,
    CompiledRequire,
    Explain,
    Frame,
    Guards,
    ReadValue,
    World,
)

Viewing = Callable[[Run, Frame], frozenset[int] | None]


class NodeCompilers(NamedTuple):
    """The functions that compile nodes of a program. Each takes the compiler and a node."""

    expression: Callable[["Compiler", p.Expression], Closure]
    statements: Callable[["Compiler", Sequence[p.Statement]], Closure]
    mutation: Callable[["Compiler", p.Mutate], Closure]
    explainer: Callable[["Compiler", p.Block], Explain]


OperationCompiler = Callable[["Compiler", p.Apply], Closure]
"""Compiles one operation of the library."""


class Compiler:
    """Compiles the parts of a program into a world. Mutable: it tracks the current part."""

    def __init__(
        self, world: World, nodes: NodeCompilers, watched: frozenset[int | None] | None = None
    ) -> None:
        self.world = world
        self._nodes = nodes
        self._watched = _find_watched(world.program) if watched is None else watched
        """The slots of attributes whose changes trigger actions; None: those of all attributes."""
        self.file = 0
        self._stored: Viewing | None = None
        self._slots: int | None = None
        """The next free slot of the frame; None if the frame has a fixed size."""
        self.body: object = None
        """The current action, verb, setup or turn."""
        self.inputs: set[tuple[int | None, str]] = set()
        """Slots and names of the inputs compiled so far."""
        self.loops: list[QueryInvariants] = []
        """The enclosing queries, innermost last."""
        self.named: dict[str, list[Closure]] | None = None
        self.requires: Sequence[p.Require] = ()
        """The requires of the current action or phase."""
        self.taint = TaintCompiler(world)

    def fresh(self) -> "Compiler":
        """A compiler of the same world without a current part."""
        found = Compiler(self.world, self._nodes, self._watched)
        found.taint = self.taint
        return found

    # Expressions

    def expression(self, node: p.Expression) -> Closure:
        home = home_of(node, self.loops) if self._slots is not None else None
        if home is None or self._slots is None:
            return self._nodes.expression(self, node)
        slot, self._slots = self._slots, self._slots + 1
        home.kept.append(slot)
        loops, self.loops = self.loops, []  # the invariant is stored as a whole, not its parts
        code = keep(self._nodes.expression(self, node), slot, node, self.site(node.span))
        self.loops = loops
        return code

    def copied(self, node: p.Expression) -> Closure:
        """Compile a value that is copied to a variable, a parameter or a list. A long list costs fuel."""
        code, charge = self.expression(node), copy_payment(node.type, self.site(node.span))
        if charge is None or (isinstance(node, p.MakeList) and not node.items):
            return code

        def copied(run: Run, frame: Frame) -> Any:
            value = code(run, frame)
            charge(run, value)
            return value

        return copied

    def stored(self, node: p.Expression, type: Type) -> Closure:
        """Compile a value that is stored in a target of a type, where lists and tables are never none."""
        code = self.copied(node)
        if not isinstance(type, ListType | TableType) or never_none(node):
            return code
        nothing = empty(type)

        def stored(run: Run, frame: Frame) -> Any:
            value = code(run, frame)
            return nothing(run, frame) if value is None else value

        return stored

    @contextmanager
    def frame(self, size: int) -> Iterator[Callable[[], int]]:
        """Compile a part with its own frame. The context value returns the final size of the frame."""
        self._slots = size
        yield lambda: self._slots or 0
        self._slots = None

    def value(self, node: p.Expression) -> Closure:
        """Compile an expression whose value must not be none."""
        code = self.expression(node)
        if never_none(node):
            return code
        fail = self.none_fault(node)
        if isinstance(node, p.Variable) and completer(self.world, node.type) is None:
            slot = node.slot

            def variable(run: Run, frame: Frame) -> Any:
                value = frame[slot]
                if value is None:
                    fail(run)
                return value

            return variable

        def checked(run: Run, frame: Frame) -> Any:
            value = code(run, frame)
            if value is None:
                fail(run)
            return value

        return checked

    def none_fault(self, node: p.Expression) -> Callable[[Run], NoReturn]:
        """A function that raises the fault of an expression that is none."""
        site = self.site(node.span)
        words, also = self.words(node), self._holder(node)

        def fail(run: Run) -> NoReturn:
            run.fault("TG0501", f"'{words}' is none, but a value is needed here", site, also)

        return fail

    def boolean(self, node: p.Expression) -> Closure:
        """Compile a condition. None is neither true nor false."""
        return self.value(node)

    def block(self, block: p.Block) -> Closure:
        """Compile a block that returns a value."""
        match block.statements:
            case (p.Return(value),) if value is not None:
                return self.judged(block, self.expression(value))
        code = self._nodes.statements(self, block.statements)

        def evaluate(run: Run, frame: Frame) -> Any:
            frame[-3] = None
            code(run, frame)
            return frame[-3]

        return self.judged(block, evaluate)

    # Observers

    def observed(self, node: p.Statement, code: Closure) -> Closure:
        """The code of a statement; it tells the observer of the world, if there is one."""
        observer, file = self.world.observer, self.file
        if observer is None:
            return code

        def tell(run: Run, frame: Frame) -> Any:
            observer.begin_statement(run, frame, file, node)
            return code(run, frame)

        return tell

    def judged(self, node: p.Block | p.Expression, code: Closure) -> Closure:
        """The code of a condition; it tells the observer of the world its value."""
        observer, file = self.world.observer, self.file
        if observer is None:
            return code

        def tell(run: Run, frame: Frame) -> Any:
            value = code(run, frame)
            observer.judge(run, frame, file, node, value)
            return value

        return tell

    def effect(self, block: p.Block) -> Closure:
        return self._nodes.statements(self, block.statements)

    def mutation(self, node: p.Mutate) -> Closure:
        return self._nodes.mutation(self, node)

    @contextmanager
    def in_file(self, file: int | None) -> Iterator[None]:
        """Compile a part that is inherited from another file; None: from this file."""
        before = self.file
        self.file = before if file is None else file
        yield
        self.file = before

    def site(self, span: Span) -> Site:
        return Site(self.file, span)

    def words(self, node: p.Expression | p.Block) -> str:
        """The shortened source text of an expression."""
        if isinstance(node, p.Variable):
            return node.name
        sources = self.world.program.sources
        text = sources[self.file].text if self.file < len(sources) else ""
        words = " ".join(text[node.span.start : node.span.end].split())
        # Remove the braces of a block, but keep those of a list.
        if isinstance(node, p.Block) and words.startswith("{") and words.endswith("}"):
            words = words[1:-1].strip()
        return words if len(words) <= 60 else f"{words[:59]}…"

    def nones(self, node: Any) -> tuple[tuple[str, Also], ...]:
        """For each operand of an expression: the text and the notes of the fault if it is none.

        They are computed at compile time, because the file of the spans is known only then.
        """
        operands: tuple[p.Expression, ...] = ()
        if isinstance(node, p.AttributeOf):
            operands = (node.target,)
        elif isinstance(node, p.Apply):
            operands = node.operands
        return (*(self.none_of(each) for each in operands), ("", ()), ("", ()))

    def none_of(self, node: p.Expression) -> tuple[str, Also]:
        """The text and the notes of a fault if an expression is none."""
        here = ("this is none", self.site(node.span))
        return f": '{self.words(node)}' is none", (here, *self._holder(node))

    def _holder(self, node: p.Expression) -> Also:
        """A note with the declaration of the attribute that an expression reads."""
        if not isinstance(node, p.AttributeOf) or not isinstance(node.target.type, ConstructType):
            return ()
        kind = self.world.kind.get(node.target.type.name)
        if kind is None:
            return ()
        attribute = kind.construct.attributes[node.slot]
        return ((f"'{attribute.name}' of {kind.name} held it", Site(attribute.file, attribute.span)),)

    # Keys of tables

    def tile_keys(self, construct: str) -> dict[Instance, int]:
        found = self.world.key_index.get(construct)
        assert found is not None, "keys are known before anything is compiled"
        return found

    # Viewers of chance outcomes

    def viewers(self) -> Viewing:
        """The viewers of a chance outcome: those who see the target of the statement. It costs no fuel."""
        stored = self._stored
        if stored is None:
            return lambda run, frame: None

        def viewing(run: Run, frame: Frame) -> frozenset[int] | None:
            fuel = run.fuel
            seen = stored(run, frame)
            run.fuel = fuel
            return seen

        return viewing

    def players(self, node: p.Expression) -> Viewing:
        code = self.expression(node)
        return lambda run, frame: viewers(run, frame, code)

    @contextmanager
    def storing(self, place: p.Place) -> Iterator[None]:
        """Compile the value for a target."""
        before = self._stored
        if isinstance(place.root, p.AttributeOf):
            self._stored = self._viewers_of_attribute(place.root)
        yield
        self._stored = before

    @contextmanager
    def storing_in(self, target: p.Expression) -> Iterator[None]:
        """Compile a card that is moved to a stack."""
        before = self._stored
        if isinstance(target.type, ConstructType) and target.type.name in self.world.kind:
            construct = self.world.kind[target.type.name].construct
            if construct.kind is p.ConstructKind.STACK:
                self._stored = self._viewers_of_stack(construct, target)
        yield
        self._stored = before

    def _viewers_of_attribute(self, root: p.AttributeOf) -> Viewing | None:
        if not self._is_secret(root):
            return None
        target, slot = self.expression(root.target), root.slot

        def seers(run: Run, frame: Frame) -> frozenset[int] | None:
            instance = target(run, frame)
            if instance is None:
                return frozenset()
            attribute = instance.kind.construct.attributes[slot]
            return frozenset(
                player
                for player in range(run.world.players)
                if sees_attribute(run, instance, attribute, player)
            )

        return seers

    def _viewers_of_stack(self, construct: p.Construct, target: p.Expression) -> Viewing | None:
        everything = [kind.construct for kind in self.world.kinds]
        if construct.secrecy is p.Secrecy.PUBLIC and not any(
            p.is_secret(one, attribute) for one in everything for attribute in one.attributes
        ):
            return None
        stack = self.expression(target)

        def seers(run: Run, frame: Frame) -> frozenset[int] | None:
            instance = stack(run, frame)
            if instance is None:
                return frozenset()
            return frozenset(
                player for player in range(run.world.players) if sees_stack(run, instance, player)
            )

        return seers

    def _constructs(self, type: Type) -> list[p.Construct]:
        """The possible constructs of a value of a type."""
        if not isinstance(type, ConstructType) or type.name not in self.world.kind:
            return []
        return [self.world.kinds[index].construct for index in self.world.subtypes[type.name]]

    # Attributes with ranges or listeners

    def has_range(self, root: p.AttributeOf) -> bool:
        return any(slot == root.slot for _, slot in self.world.ranges)

    def has_listeners(self, root: p.AttributeOf) -> bool:
        return bool(self._watched & {None, root.slot})

    def is_checked(self, root: p.AttributeOf) -> bool:
        return self.has_range(root) or self.has_listeners(root)

    # Named parts

    def named_part(self, name: str) -> Closure:
        if self.named is None:
            return lambda run, frame: name in run.fired
        tests = self.named.setdefault(name, [])

        def all_hold(run: Run, frame: Frame) -> bool:
            return all(test(run, frame) for test in tests)

        return all_hold

    # Inputs

    def prompt(self, known: p.Input) -> CompiledInput:
        with self.in_file(known.file):
            return self._asker(known)

    def _asker(self, known: p.Input) -> CompiledInput:
        self.inputs.add((known.slot, known.name))
        # `filter card c { … }`: the candidate has its own name.
        candidates = [each for each in walk(known.filters) if isinstance(each, p.Variable)]
        self.inputs |= {(each.slot, each.name) for each in candidates if each.slot == known.filter_slot}
        element = known.element
        is_list = isinstance(known.type, ListType)
        supply = None
        if known.source is None and known.low is None:
            supply = self._supply(element, known.mode, self.site(known.span))

        def maybe(node: p.Expression | None) -> Closure | None:
            return None if node is None else self.expression(node)

        filters, list_filters = (
            tuple((block, self.block(block)) for block in blocks)
            for blocks in (known.filters, known.list_filters)
        )
        own, others = split_filters(known) if known.is_multiset else ((), ())
        return CompiledInput(
            known,
            self.site(known.span),
            maybe(known.source),
            maybe(known.low),
            maybe(known.high),
            maybe(known.least),
            maybe(known.most),
            maybe(known.chooser),
            maybe(known.visible),
            tuple(code for _, code in filters),
            tuple(code for _, code in list_filters),
            supply,
            is_list,
            tuple(self.condition(*each) for each in filters),
            tuple(self.condition(*each) for each in list_filters),
            "" if known.source is None else self.words(known.source),
            is_compound(element),
            price(known.filters),
            price(known.list_filters),
            self._limit(known),
            self._bounds(known),
            tuple(
                (slot, type, self.guards_of_secrets(p.Variable(slot, "", type, known.span)))
                for slot, type in known.loops
                if is_key(type)
            ),
            tuple(filters[index][1] for index in own),
            tuple(filters[index][1] for index in others),
            merged_width(self.world, known),
            self.words_for_players(known.refusal, known.span),
        )

    def _limit(self, known: p.Input) -> CompiledRequire | None:
        """The bounds of an input as a condition that a refusal can explain."""
        ends = [each for each in (known.low, known.high, known.least, known.most) if each is not None]
        words = known.name
        if known.is_multiset:
            words += f" total {' to '.join(self.words(each) for each in ends)}"
        elif ends:
            words += f" from {self.words(ends[0])} to {self.words(ends[1])}"
        if known.source is not None:
            words += f" in {self.words(known.source)}"
            ends.append(known.source)
        if not ends:
            return None
        given = p.Variable(known.slot, known.name, known.type, known.span)
        looked = p.Block(tuple(p.Return(each, known.span) for each in (given, *ends)), known.span)
        return CompiledRequire(
            None, 0, lambda run, frame: False, words, self.site(known.span), self.reader(looked)
        )

    def _bounds(self, known: p.Input) -> Callable[[], tuple[ReadValue, ...]]:
        """The bounds of a number or of the length of a list, for messages."""
        later = self._later()
        ends = [each for each in (known.low, known.high, known.least, known.most) if each is not None]
        return cache(lambda: tuple(later._bound(each) for each in ends))

    def _bound(self, node: p.Expression) -> ReadValue:
        secret_guards = self.guards_of_secrets(node)
        guards = None if secret_guards is None else (*self._guards(node), *secret_guards)
        return ReadValue(self.words(node), self.expression(node), guards, node.type)

    def condition(self, block: p.Block, code: Closure) -> CompiledRequire:
        """A filter or trigger as a condition that a refusal can explain."""
        return CompiledRequire(
            None,
            0,
            code,
            self.words(block),
            self.site(block.span),
            self.reader(block),
            explain=self.explainer(block),
        )

    def _supply(self, type: Type, mode: p.InputMode, site: Site) -> Callable[[Run], list[Any]] | None:
        """A function that returns all values of a finite type."""
        match type:
            case Basic.BOOL:
                return lambda run: [False, True]
            case Basic.PLAYER:
                return lambda run: [
                    player for player in range(run.world.players) if player not in run.cells[OUT]
                ]
            case EnumType(name):
                members = list(self.world.members[name])
                return lambda run: members
            case ConstructType(name):
                if mode is p.InputMode.SUPPLIED:
                    return lambda run: [run.world.singletons.get(name)]
                return lambda run: list(find_in_play(run, name, site))
            case _:
                return None

    def reader(self, block: p.Block) -> Callable[[], tuple[ReadValue, ...]]:
        """The expressions that a condition reads, compiled on demand: most refusals are never explained."""
        later = self._later()
        return cache(lambda: later.reads_of(block))

    def explainer(self, block: p.Block) -> Callable[[], Explain]:
        """Explains why a condition is false; compiled on demand."""
        later, compile = self._later(), self._nodes.explainer
        return cache(lambda: compile(later, block))

    def words_for_players(self, message: p.Message | None, span: Span) -> Callable[[], Explain] | None:
        """The words of an input or a trigger, which have no condition; None if there are none."""
        return None if message is None else self.explainer(p.Block((), span, message))

    def _later(self) -> "Compiler":
        """A copy that compiles parts of the current part on demand, in a frame of a fixed size."""
        later = copy(self)
        later.inputs, later.loops, later._slots = set(self.inputs), [], None
        return later

    def reads_of(self, block: p.Block | p.Expression) -> tuple[ReadValue, ...]:
        """The inputs, attributes, tables and stacks that a condition reads, without duplicates."""
        found: dict[str, ReadValue] = {}
        bound = {node.slot for node in walk(block) if isinstance(node, p.Query)}
        for node in readable(block, bound):
            variables = [inner for inner in walk(node) if isinstance(inner, p.Variable)]
            # A local variable may hold any value; an input was given by the chooser or by a caller.
            if all((variable.slot, variable.name) in self.inputs for variable in variables):
                secret_guards = self.guards_of_secrets(node)
                if secret_guards is not None:
                    words, guards = self.words(node), (*self._guards(node), *secret_guards)
                    found.setdefault(words, ReadValue(words, self.expression(node), guards, node.type))
        return tuple(found.values())

    def guards_of_secrets(self, part: p.Expression) -> Guards:
        """Who may know a value; None: nobody."""
        return self.taint.guards_of_value(self.body, part, self.expression)

    def taint_write(self, node: p.Assign | p.Mutate) -> Callable[[Run, Frame, Instance], None] | None:
        """Records who may know the new value of an attribute; None: everybody."""
        return self.taint.of_write(self.body, node, self.expression)

    def taint_places(self, node: p.Statement) -> Closure | None:
        """Records who may know the places of things; None: everybody."""
        return self.taint.of_places(self.body, node, self.expression)

    def _is_secret(self, root: p.AttributeOf) -> bool:
        """Whether there may be players who do not see an attribute."""
        return any(p.is_secret(one, one.attributes[root.slot]) for one in self._constructs(root.target.type))

    def _guards(self, node: p.Expression) -> tuple[tuple[Closure, int], ...]:
        # How many cards lie in a stack is public, whoever may see them.
        if isinstance(node, p.Apply) and node.operation is Operation.STACK_LENGTH:
            held = node.operands[0]
            node = held.target if isinstance(held, p.AttributeOf) else held
        return tuple(
            (self.expression(inner.target), inner.slot)
            for inner in walk(node)
            if isinstance(inner, p.AttributeOf)
        )


def _find_watched(program: p.Program) -> frozenset[int | None]:
    """The attributes in `change` triggers; None if some trigger is for all attributes."""
    return frozenset(
        trigger.attribute
        for action in program.actions
        for trigger in (*action.triggers, *(each for phase in action.phases for each in phase.triggers))
        if trigger.event == Event.CHANGE.kind
    )
