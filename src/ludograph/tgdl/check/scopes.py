"""The context of a body: its frame of slots, its scopes, and its rights.

A `Context` is mutable: blocks open and close scopes. `child` makes a read-only context over the same frame,
for a filter or a query.
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
    """The slots of a body. Mutable."""

    def __init__(self) -> None:
        self.size = 0

    def take(self) -> int:
        self.size += 1
        return self.size - 1


class LocalVariable(Struct, eq=False):
    """A local name: an input, parameter, variable, element of a query or field of an event."""

    name: str
    slot: int
    type: Type
    span: Span
    kind: str
    region: int
    """The part of the body that declares it: a filter may change only its own variables."""
    read: bool = False
    written: bool = False
    starts_none: bool = False
    """Whether its initial value is none."""
    amount: p.Apply | p.Query | None = None
    """Its initial value, if that is an amount such as the greatest score."""
    needed: Span | None = None
    """Where its value must not be none for the first time."""


class ExpressionRule(Protocol):
    def __call__(
        self, context: "Context", node: tree.Expression, wanted: Type | None = None
    ) -> p.Expression: ...


class BlockRule(Protocol):
    def __call__(self, context: "Context", node: tree.Block) -> tuple[p.Statement, ...]: ...


class Rules(Struct, frozen=True):
    """The functions for expressions and blocks; passed in, because each of them calls the other."""

    expression: ExpressionRule
    block: BlockRule


class Rights(Struct, eq=False):
    """What is allowed in a body."""

    where: str = ""
    """The name of a read-only place in messages; "" if side effects are allowed."""
    in_loop: bool = False
    loops: tuple[p.LoopVariable, ...] = ()
    """The variables of the enclosing loops, the outermost first."""
    asks: bool = True
    """Whether inputs are allowed."""
    in_verb: bool = False
    creates: bool = False
    """Whether `new` is allowed for interactables although the place is read-only: in an initial value."""


class Returns(Struct, eq=False):
    """The types of the values that a body returns, in order."""

    types: list[tuple[Type, Span]] = field(default_factory=list)
    wanted: Type | None = None
    """The required type: bool for a filter, the declared result of a verb. None if it is inferred."""
    nothing: Span | None = None
    """The span of a `return` without a value."""
    because: Span | None = None
    """The span of the declared result."""
    body: tree.Block | None = None
    """The whole body; its last expression may be meant as the result."""
    has_error_node: bool = False
    """Whether the body has an error node, which may return a value."""
    lost: bool = False
    """Whether the value of that expression is not returned, because of a semicolon."""

    def is_last(self, node: tree.Statement) -> bool:
        """Whether a statement is the last one of the body."""
        body = self.body
        return (
            body is not None and body.result is None and bool(body.statements) and body.statements[-1] is node
        )

    def advice(self) -> str:
        """How to return the value of the last expression of the body."""
        alone = self.body is not None and len(self.body.statements) == 1
        return "remove the `;` or write `return` before it" if alone else "write `return` before it"


class EffectPlace(Struct, frozen=True):
    """The effect whose body is checked; `base(…)` calls the same effect of the base."""

    name: str | None
    phase: tree.ActionPhase | None


class Context:
    """The context of a body. Mutable."""

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
        """The action that declares the current part; another one than `action` if the part is inherited."""
        self.effect: EffectPlace | None = None
        self.rights = Rights()
        self.returns = Returns()
        self.names: list[dict[str, LocalVariable]] = [{}]
        self.locals: list[LocalVariable] = []
        self.parts: frozenset[str] = frozenset()
        """The names of requires or triggers that are allowed in the expression here."""
        self.part_kinds: Mapping[str, tuple[str, ...]] = {}
        """The kinds of parts that have each name: requires, triggers, effects."""
        self.filtered: LocalVariable | None = None
        """The input, one value or a whole list, that the filter around the current place tests."""
        self.region = 0
        self.branches = 0
        """The number of conditions of `if` around the current place."""
        self.trigger_span: Span | None = None
        self.because: Note | None = None
        """A note about the declared type of the next list, for errors in its elements."""

    def child(self, where: str = "") -> "Context":
        """A read-only context at the same place, over the same frame."""
        other = Context(self.world, self.file, self.rules, frame=self.frame, this=self.this)
        other.turn, other.verb, other.action = self.turn, self.verb, self.action
        other.writer, other.effect = self.writer, self.effect
        other.rights = Rights(where or self.rights.where, asks=self.rights.asks, in_verb=self.rights.in_verb)
        other.names = [*self.names, {}]
        other.locals = self.locals
        other.parts = self.parts
        other.filtered = self.filtered
        other.part_kinds = self.part_kinds
        other.branches = self.branches
        Context._regions += 1
        other.region = Context._regions if where else self.region
        return other

    @contextmanager
    def at(self, part: tree.ActionPart) -> Iterator[int | None]:
        """Enter the file that declares a part of the action: an inherited part uses the names of its file.

        Yields that file if it is another one, otherwise None.
        """
        own, writer = self.file, self.writer
        file = None if self.action is None else self.action.foreign.get(part)
        origin = None if self.action is None else self.action.origins.get(part)
        self.file = own if file is None else file
        self.writer = writer if origin is None else self.world.actions[origin]
        yield file
        self.file, self.writer = own, writer

    def base(self) -> ConstructFacts | None:
        """The construct that `base` means: the base of the construct that declares the code."""
        here = self.this
        if self.writer is not None:
            here = self.world.constructs.get(self.writer.owner or "")
        return self.world.constructs.get(here.base or "") if here is not None else None

    # Expressions

    def expression(self, node: tree.Expression, wanted: Type | None = None) -> p.Expression:
        return self.rules.expression(self, node, wanted)

    def statements(self, node: tree.Block) -> tuple[p.Statement, ...]:
        return self.rules.block(self, node)

    def observe(self, node: tree.Expression, value: p.Expression) -> None:
        """Write down the value of an expression, if an editor asks."""
        if self.world.observations is not None:
            local = self.local(node.text) if isinstance(node, tree.Name) else None
            self.world.observations.note_value(self.file, node, value, local.span if local else None)

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

    def require_value(self, value: p.Expression) -> None:
        """Record that a value must not be none here."""
        if value.type is Basic.NONE:
            message = "expected a value, found none: this is an error when the game runs"
            self.warn("TG0409", message, value.span)
        if isinstance(value, p.Variable):
            local = self.local(value.name)
            if local is not None and local.needed is None:
                local.needed = value.span

    def visible(self) -> Iterator[str]:
        for names in reversed(self.names):
            yield from names

    def declare(self, name: str, type: Type, span: Span, kind: str, slot: int | None = None) -> LocalVariable:
        """Declare a name in the innermost scope; `check_local_name` has checked it."""
        new = LocalVariable(name, self.frame.take() if slot is None else slot, type, span, kind, self.region)
        self.names[-1][name] = new
        self.locals.append(new)
        if self.world.observations is not None:
            self.world.observations.note_local(self.file, name, span, type, kind)
        return new

    def declare_unknown(self, node: tree.ErrorNode) -> None:
        """Declare the local names that an error node may declare, with the error type."""
        for name in node.names:
            self.declare(name, Basic.UNKNOWN, node.span, "variable")

    # Diagnostics

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

    def error_value(
        self, code: str, message: str, span: Span, hint: str = "", notes: tuple[Note, ...] = ()
    ) -> p.Expression:
        """Report an error, and go on with an unknown value."""
        self.error(code, message, span, hint, notes)
        return self.unknown(span)

    # Side effects

    def record_side_effect(self, words: str, span: Span) -> None:
        """Record a side effect of the body; it is an error in a read-only place."""
        if self.rights.where:
            self.error(
                "TG0360",
                f"{words} is not allowed in {self.rights.where}, which cannot have side effects",
                span,
            )
        elif self.verb is not None and self.verb.side_effect is None:
            self.verb.side_effect = SideEffect(words, span, self.file)

    def record_call(self, verb: int, span: Span) -> None:
        """Record the call of a verb; its purity is checked when all verbs are known."""
        self.world.verbs[verb].used = True
        if self.rights.where and not self.world.reports.muted:
            self.world.pure_calls.append(PureCall(verb, span, self.file, self.rights.where))
        if self.verb is not None:
            self.verb.calls.setdefault(verb, span)
