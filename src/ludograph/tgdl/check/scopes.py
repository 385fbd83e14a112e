"""Where a body stands: its frame of slots, the names in reach, and what it may do.

A `Context` is mutable; blocks open scopes in it. `child` gives one for a place with other rights (a filter, a
query) over the same frame.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Protocol

from msgspec import Struct, field

from ludograph.text import Span
from ludograph.tgdl import program as p
from ludograph.tgdl.check.reports import Note
from ludograph.tgdl.check.symbols import (
    ActionFacts,
    ConstructFacts,
    PureCall,
    SideEffect,
    SymbolTable,
    VerbFacts,
)
from ludograph.tgdl.program.types import Basic, Type
from ludograph.tgdl.syntax import tree


class SlotFrame:
    """Numbers the slots of a body. Mutable."""

    def __init__(self) -> None:
        self.size = 0

    def take(self) -> int:
        self.size += 1
        return self.size - 1


class LocalVariable(Struct, eq=False):
    """A name of a body: an input, parameter, variable, element of a query or field of an event."""

    name: str
    slot: int
    type: Type
    span: Span
    kind: str
    region: int
    """Which part of the body it was made in: a filter may change only its own."""
    read: bool = False
    written: bool = False
    starts_none: bool = False
    """A variable that begins as none; if nothing else is ever put into it, it stays so."""
    needed: Span | None = None
    """Where its value is first needed."""


class ExpressionRule(Protocol):
    def __call__(
        self, context: "Context", node: tree.Expression, wanted: Type | None = None
    ) -> p.Expression: ...


class BlockRule(Protocol):
    def __call__(self, context: "Context", node: tree.Block) -> tuple[p.Statement, ...]: ...


class Rules(Struct, frozen=True):
    """How expressions and blocks are checked: handed in, because each is made of the other."""

    expression: ExpressionRule
    block: BlockRule


class Rights(Struct, eq=False):
    """What a body may do, and what belongs to it."""

    where: str = ""
    """For a place that may only look: what it is called in messages."""
    in_loop: bool = False
    loops: tuple[p.LoopVariable, ...] = ()
    """The variables of the loops around, the outermost first."""
    asks: bool = True
    """Whether players can be asked here."""
    in_verb: bool = False


class Returns(Struct, eq=False):
    """The values that a body returns, in order; for a verb without a declared result."""

    types: list[tuple[Type, Span]] = field(default_factory=list)
    wanted: Type | None = None
    """What it must return: bool for a filter, the declared result of a verb. None: whatever it does."""
    nothing: Span | None = None
    """Where it returned without a value."""
    because: Span | None = None
    """Where its result is said."""
    body: tree.Block | None = None
    """The whole body, of which the last expression may be meant to be the result."""
    has_error_node: bool = False
    """Whether a statement could not be read, which may return a value."""
    lost: bool = False
    """Whether that expression is worked out, but its value is not given back."""

    def is_last(self, node: tree.Statement) -> bool:
        """Whether a statement ends the body."""
        body = self.body
        return (
            body is not None and body.result is None and bool(body.statements) and body.statements[-1] is node
        )

    def advice(self) -> str:
        """How to make the result of what ends the body; the short form has nothing before it."""
        alone = self.body is not None and len(self.body.statements) == 1
        return "leave out the `;` or write `return` before it" if alone else "write `return` before it"


class EffectPlace(Struct, frozen=True):
    """The effect of an action that a body is: what `base(…)` in it stands for."""

    name: str | None
    phase: tree.ActionPhase | None


class Context:
    """Where a body stands. Mutable."""

    _regions = 0

    def __init__(
        self,
        world: SymbolTable,
        file: int,
        rules: Rules,
        *,
        frame: SlotFrame | None = None,
        this: ConstructFacts | None = None,
    ) -> None:
        self.world = world
        self.file = file
        self.rules = rules
        self.frame = frame or SlotFrame()
        self.this = this
        self.turn: str | None = None
        self.verb: VerbFacts | None = None
        self.action: ActionFacts | None = None
        self.writer: ActionFacts | None = None
        """The action that the part here was written in; not `action`, if that inherits the part."""
        self.effect: EffectPlace | None = None
        self.rights = Rights()
        self.returns = Returns()
        self.names: list[dict[str, LocalVariable]] = [{}]
        self.locals: list[LocalVariable] = []
        self.parts: frozenset[str] = frozenset()
        """Named requires or triggers that the expression here may name."""
        self.part_kinds: Mapping[str, tuple[str, ...]] = {}
        """What each name of the action's parts names: requires, triggers, effects."""
        self.region = 0
        self.branches = 0
        """Tests of `if` that stand around the place or before it."""
        self.trigger_span: Span | None = None
        self.because: Note | None = None
        """Where the type of the list that is looked at next is said; for its elements."""

    def child(self, where: str = "") -> "Context":
        """The same place, over the same frame, where one may only look."""
        other = Context(self.world, self.file, self.rules, frame=self.frame, this=self.this)
        other.turn, other.verb, other.action = self.turn, self.verb, self.action
        other.writer, other.effect = self.writer, self.effect
        other.rights = Rights(where or self.rights.where, asks=self.rights.asks, in_verb=self.rights.in_verb)
        other.names = [*self.names, {}]
        other.locals = self.locals
        other.parts = self.parts
        other.part_kinds = self.part_kinds
        other.branches = self.branches
        Context._regions += 1
        other.region = Context._regions if where else self.region
        return other

    @contextmanager
    def at(self, part: tree.ActionPart) -> Iterator[int | None]:
        """Stand where a part of the action was written: an inherited one sees the names of its own file.

        Gives that file, if it is another.
        """
        own, writer = self.file, self.writer
        file = None if self.action is None else self.action.foreign.get(part)
        origin = None if self.action is None else self.action.origins.get(part)
        self.file = own if file is None else file
        self.writer = writer if origin is None else self.world.actions[origin]
        yield file
        self.file, self.writer = own, writer

    def base(self) -> ConstructFacts | None:
        """The construct that `base` means: that of where the code was written, if it is inherited."""
        here = self.this
        if self.writer is not None:
            here = self.world.constructs.get(self.writer.owner or "")
        return self.world.constructs.get(here.base or "") if here is not None else None

    # Expressions

    def expression(self, node: tree.Expression, wanted: Type | None = None) -> p.Expression:
        return self.rules.expression(self, node, wanted)

    def statements(self, node: tree.Block) -> tuple[p.Statement, ...]:
        return self.rules.block(self, node)

    # Names

    @contextmanager
    def scope(self) -> Iterator[None]:
        self.names.append({})
        yield
        self.names.pop()

    def local(self, name: str) -> LocalVariable | None:
        for names in reversed(self.names):
            found = names.get(name)
            if found is not None:
                return found
        return None

    def needs(self, value: p.Expression) -> None:
        """A value is used where none would be a fault."""
        if value.type is Basic.NONE:
            message = "a value is needed here, but this is none: it fails when it is reached"
            self.warn("TG0409", message, value.span)
        if isinstance(value, p.Variable):
            local = self.local(value.name)
            if local is not None and local.needed is None:
                local.needed = value.span

    def visible(self) -> Iterator[str]:
        for names in reversed(self.names):
            yield from names

    def declare(self, name: str, type: Type, span: Span, kind: str, slot: int | None = None) -> LocalVariable:
        """A new name in the innermost scope; `check_local_name` has judged it."""
        new = LocalVariable(name, self.frame.take() if slot is None else slot, type, span, kind, self.region)
        self.names[-1][name] = new
        self.locals.append(new)
        return new

    # Saying

    def error(
        self, code: str, message: str, span: Span, hint: str = "", notes: tuple[Note, ...] = ()
    ) -> None:
        self.world.error(code, message, span, self.file, hint, notes)

    def warn(self, code: str, message: str, span: Span, hint: str = "", notes: tuple[Note, ...] = ()) -> None:
        self.world.warn(code, message, span, self.file, hint, notes)

    def error_unknown(
        self, code: str, name: str, message: str, span: Span, near: str = "", hint: str = ""
    ) -> p.Expression:
        """Report a name that nothing has, and go on with an unknown value."""
        self.world.error_unknown(code, name, message, span, self.file, near, hint)
        return self.unknown(span)

    def error_member(
        self, code: str, owner: str, name: str, message: str, span: Span, near: str = "", hint: str = ""
    ) -> p.Expression:
        """Report a member that its owner does not have; go on with an unknown value."""
        self.world.error_member(code, owner, name, message, span, self.file, near, hint)
        return self.unknown(span)

    def unknown(self, span: Span) -> p.Expression:
        """A value of the error type, which fits everywhere and gives no further error."""
        return p.Literal(None, Basic.UNKNOWN, span)

    def has_unknown_members(self) -> bool:
        """Whether an error hides members of the construct that the code belongs to."""
        return self.this is not None and self.this.has_unknown_base

    def has_unknown_event(self) -> bool:
        """Whether an error hides an event of the action here."""
        return self.action is not None and self.action.has_unknown_event

    def bad(
        self, code: str, message: str, span: Span, hint: str = "", notes: tuple[Note, ...] = ()
    ) -> p.Expression:
        """Report, and go on with an unknown value."""
        self.error(code, message, span, hint, notes)
        return self.unknown(span)

    # Doing

    def does(self, words: str, span: Span) -> None:
        """The body changes something, asks, rolls or makes: not where one may only look."""
        if self.rights.where:
            self.error("TG0360", f"{words} is not allowed in {self.rights.where}: it may only look", span)
        elif self.verb is not None and self.verb.deed is None:
            self.verb.deed = SideEffect(words, span, self.file)

    def calls(self, verb: int, span: Span) -> None:
        """The body calls a verb; whether that is allowed is judged when all verbs are known."""
        self.world.verbs[verb].used = True
        if self.rights.where and not self.world.reports.muted:
            self.world.pure_calls.append(PureCall(verb, span, self.file, self.rights.where))
        if self.verb is not None:
            self.verb.calls.setdefault(verb, span)
