"""Statements of a typed program, with blocks and inputs."""

from enum import Enum
from typing import Literal as OneOf

from ludograph.text import Span
from ludograph.tgdl.program.expressions import Expression, Place
from ludograph.tgdl.program.operations import Operation
from ludograph.tgdl.program.types import ListType, TableType, Type
from ludograph.tgdl.syntax.traversal import ProgramNode

LoopVariable = tuple[int, Type]
"""The slot and the type of a loop variable."""


class Evaluate(ProgramNode, frozen=True):
    expression: Expression
    span: Span


class Assign(ProgramNode, frozen=True):
    place: Place
    value: Expression
    operation: Operation | None
    """For `+=` and the like."""
    span: Span


class Declare(ProgramNode, frozen=True):
    slot: int
    name: str
    value: Expression
    span: Span


class Return(ProgramNode, frozen=True):
    value: Expression | None
    span: Span


class If(ProgramNode, frozen=True):
    condition: Expression
    then: tuple["Statement", ...]
    otherwise: tuple["Statement", ...]
    span: Span


class While(ProgramNode, frozen=True):
    condition: Expression
    body: tuple["Statement", ...]
    step: tuple["Statement", ...]
    """The third part of a C-like `for`. It also runs after `continue`."""
    span: Span


class ForEach(ProgramNode, frozen=True):
    slot: int
    source: Expression
    body: tuple["Statement", ...]
    span: Span


class ForRange(ProgramNode, frozen=True):
    slot: int
    low: Expression
    high: Expression
    body: tuple["Statement", ...]
    span: Span


class Break(ProgramNode, frozen=True):
    span: Span


class Continue(ProgramNode, frozen=True):
    span: Span


class Ask(ProgramNode, frozen=True):
    """An input inside an effect."""

    input: "Input"
    span: Span


class Message(ProgramNode, frozen=True):
    """A message to players: literal parts with expressions between them."""

    parts: tuple[str | Expression, ...]


class Fail(ProgramNode, frozen=True):
    message: Message
    span: Span


class Cancel(ProgramNode, frozen=True):
    """`cancel "m"` (None), `cancel E "m"` (its name), `cancel all "m"` ("all")."""

    effect: str | None
    message: Message
    span: Span


class Pass(ProgramNode, frozen=True):
    """A bare `pass` has neither a player nor a phase. It runs the default block of the turn."""

    player: Expression | None
    phase: Expression | None
    span: Span


class UseTurn(ProgramNode, frozen=True):
    turn: str
    span: Span


class RunEffects(ProgramNode, frozen=True):
    """`effect { A and B }`: run the effects with these names of an action, or of one of its phases."""

    action: int
    phase: int | None
    names: tuple[str, ...]
    span: Span


class Move(ProgramNode, frozen=True):
    """`move x to y;`: a placeable to a tile, a stackable to a stack, or off (none)."""

    what: Expression
    to: Expression
    span: Span


class End(ProgramNode, frozen=True):
    """`win`, `draw`, `finish`: players or payoffs; no expressions in `draw;`."""

    kind: OneOf["win", "draw", "finish"]
    values: tuple[Expression, ...]
    span: Span


class Out(ProgramNode, frozen=True):
    player: Expression
    span: Span


class BackIn(ProgramNode, frozen=True):
    """`in p;`: a player who was out is asked again."""

    player: Expression
    span: Span


class Link(ProgramNode, frozen=True):
    """`link a -> b;` and `unlink a -> b;`, both ways or one, with weights."""

    first: Expression
    second: Expression
    adds: bool
    both_ways: bool
    there: Expression | None
    back: Expression | None
    span: Span


class Attach(ProgramNode, frozen=True):
    """`p has seat;`."""

    player: Expression
    construct: str
    span: Span


class Block(ProgramNode, frozen=True):
    """A list of statements that returns a value (filters, requires, triggers) or has effects."""

    statements: tuple["Statement", ...]
    span: Span
    refusal: Message | None = None
    """Of a condition: the words for a player whose move it refuses. A walk skips them: they are not rules."""


class InputMode(Enum):
    ASKED = "asked"
    AUTO = "auto"
    """The first candidate that passes the filters; for a list, all of them."""
    ALL = "all"
    GIVEN = "given"
    """A parameter of a verb, which the caller passes."""
    SUPPLIED = "supplied"
    """A global construct, which has exactly one instance."""


class Input(ProgramNode, frozen=True):
    """A choice. Its candidates come from `source`, from `low` to `high`, or are all values of the type."""

    slot: int
    name: str
    type: Type
    mode: InputMode
    optional: bool
    chooser: Expression | None
    """None: the player who started the transaction."""
    source: Expression | None
    low: Expression | None
    high: Expression | None
    least: Expression | None
    most: Expression | None
    """The least and the greatest number of elements of a list input, or sum of a table.

    A table without `most` has exactly the sum `least`.
    """
    ordered: bool
    """`sequence`: the order of the elements is significant."""
    filter_slot: int | None
    """The slot of the element of a list input, or of the key of a table with a total, in its filter."""
    filters: tuple[Block, ...]
    list_filters: tuple[Block, ...]
    visible: Expression | None
    span: Span
    file: int | None = None
    """The file of its spans if it is inherited from an action in another file; None: the action's file."""
    loops: tuple[LoopVariable, ...] = ()
    """The variables of the enclosing loops, outermost first. They distinguish its questions."""
    refusal: Message | None = None
    """The words for a player whose value is no candidate."""

    @property
    def is_multiset(self) -> bool:
        """Whether it is a table with a total: a multiset of keys, which are chosen one by one."""
        return isinstance(self.type, TableType) and self.least is not None

    @property
    def element(self) -> Type:
        """The type of one choice: an element of a list, a key of a multiset, or the value itself."""
        if isinstance(self.type, TableType) and self.least is not None:
            return self.type.index
        return self.type.element if isinstance(self.type, ListType) else self.type

    @property
    def is_picked(self) -> bool:
        """Whether a player chooses its value in several choices: the elements of a list, or a multiset."""
        is_several = isinstance(self.type, ListType) or self.is_multiset
        return is_several and self.mode is InputMode.ASKED

    @property
    def is_narrow(self) -> bool:
        """Whether bounds, a source list or filters exclude values of its type."""
        limits = (self.source, self.low, self.least)
        is_chosen = self.mode in (InputMode.ASKED, InputMode.AUTO)
        return is_chosen and any((*self.filters, *self.list_filters, *limits))


Statement = (
    Evaluate
    | Assign
    | Declare
    | Return
    | If
    | While
    | ForEach
    | ForRange
    | Break
    | Continue
    | Ask
    | Fail
    | Cancel
    | Pass
    | UseTurn
    | RunEffects
    | Move
    | End
    | Out
    | BackIn
    | Link
    | Attach
)
