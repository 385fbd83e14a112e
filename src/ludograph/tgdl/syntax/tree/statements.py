"""Syntax tree: blocks, inputs and statements."""

from enum import Enum

from msgspec import Struct

from ludograph.text.source import Span
from ludograph.tgdl.syntax.tree.expressions import (
    Chain,
    ErrorNode,
    Expression,
    Path,
    Range,
    TypeName,
    Word,
)


class Block(Struct, frozen=True, eq=False):
    """`{ statements }`, or the short form `{ expression }`, which has no statements and a result.

    A single statement without braces (`if a pass;`) is also a block, with the span of the statement.
    """

    statements: tuple["Statement", ...]
    result: Expression | None
    span: Span


class Message(Struct, frozen=True, eq=False):
    """A message: strings and the expressions written `{…}` between them.

    It is the text of a `fail` or `cancel`, or the words after the `else` of a condition.
    """

    parts: tuple[str | Expression, ...]
    span: Span


class Filter(Struct, frozen=True, eq=False):
    """A condition on the candidates of an input. Without type and name it is about the input itself.

    `input sq to { to.man == none }` has one filter; `{ filter card c { … } filter { … } }` has two.
    """

    type: TypeName | None
    name: Word | None
    body: Block
    span: Span
    words: Message | None = None
    """`else "…";`: what a player reads whose choice does not pass."""


class Total(Struct, frozen=True, eq=False):
    """`total 3` or `total 1 to 3`: the sum of a table that a player chooses."""

    low: Expression
    high: Expression | None
    """None: the sum is exactly `low`."""
    span: Span


class Input(Struct, frozen=True, eq=False):
    """A choice of a player: a part of an action, verb, phase or setup, or a statement.

    Modifiers before and after `input` have the same meaning. The modifier `player` sets `by_player`; with an
    expression after it (`player p`) it also sets `player`.
    """

    type: TypeName
    name: Word
    optional: bool
    auto: bool
    all: bool
    verb: bool
    sequence: bool
    by_player: bool
    player: Expression | None
    candidates: Expression | None  # in …
    bounds: Range | None  # from … to …
    total: Total | None
    visible_to: Expression | None
    filters: tuple[Filter, ...]
    span: Span
    words: Message | None = None
    """What a player reads whose value is no candidate; they follow the filters."""


# Statements


class Evaluate(Struct, frozen=True, eq=False):
    """`expression;`, for its side effect: `deck.shuffle();`, `new card;`."""

    value: Expression
    span: Span


class AssignOperator(Enum):
    SET = "="
    ADD = "+="
    SUBTRACT = "-="
    MULTIPLY = "*="
    DIVIDE = "/="


class Assign(Struct, frozen=True, eq=False):
    """`target = value;` or `target += value;`; the target is a Name, a Member or an Index."""

    target: Expression
    operator: AssignOperator
    value: Expression
    span: Span


class Declare(Struct, frozen=True, eq=False):
    """`type name;` or `type name = value;`: a variable."""

    type: TypeName
    name: Word
    value: Expression | None
    span: Span


class Return(Struct, frozen=True, eq=False):
    value: Expression | None
    span: Span


class Branch(Struct, frozen=True, eq=False):
    """A condition and its body."""

    condition: Expression
    body: Block
    span: Span


class If(Struct, frozen=True, eq=False):
    """`if … else if … else …`: the first branch whose condition is true runs, or `otherwise`."""

    branches: tuple[Branch, ...]
    otherwise: Block | None
    span: Span


class While(Struct, frozen=True, eq=False):
    condition: Expression
    body: Block
    span: Span


class ForEach(Struct, frozen=True, eq=False):
    """`for T x in source …`: over a copy of the list."""

    type: TypeName
    name: Word
    source: Expression
    body: Block
    span: Span


class ForRange(Struct, frozen=True, eq=False):
    """`for decimal i from a to b …`, both ends included."""

    type: TypeName
    name: Word
    bounds: Range
    body: Block
    span: Span


class ForSteps(Struct, frozen=True, eq=False):
    """`for (first; condition; step) …`, as in C."""

    first: "Declare | Assign | Evaluate | None"
    condition: Expression | None
    step: "Assign | Evaluate | None"
    body: Block
    span: Span


class Break(Struct, frozen=True, eq=False):
    span: Span


class Continue(Struct, frozen=True, eq=False):
    span: Span


class Fail(Struct, frozen=True, eq=False):
    """`fail "message";`: it undoes the transaction."""

    message: Message | None
    span: Span


class Cancel(Struct, frozen=True, eq=False):
    """`cancel "message";` this effect; `cancel E "message";` effect E; `cancel all "message";` the action."""

    effect: Word | None
    all: bool
    message: Message | None
    span: Span


class Move(Struct, frozen=True, eq=False):
    """`move piece to place;`; the place may be a tile, a stack or none."""

    piece: Expression
    place: Expression
    span: Span


class Win(Struct, frozen=True, eq=False):
    """`win p, q;`: players or lists of players, at least one."""

    players: tuple[Expression, ...]
    span: Span


class Draw(Struct, frozen=True, eq=False):
    """`draw;` for all players, or `draw p, q;`."""

    players: tuple[Expression, ...]
    span: Span


class Finish(Struct, frozen=True, eq=False):
    """`finish payoffs;`: the game ends with these payoffs, a `decimal[player]`."""

    payoffs: Expression
    span: Span


class Out(Struct, frozen=True, eq=False):
    """`out p, q;`: these players make no more choices."""

    players: tuple[Expression, ...]
    span: Span


class BackIn(Struct, frozen=True, eq=False):
    """`in p, q;`: these players are no longer out."""

    players: tuple[Expression, ...]
    span: Span


class Pass(Struct, frozen=True, eq=False):
    """`pass;`, `pass p;`, `pass to P;`, `pass p to P;`; the phase is a Name; `phase` is the current one."""

    player: Expression | None
    phase: Expression | None
    span: Span


class UseTurn(Struct, frozen=True, eq=False):
    """`use turn T;`."""

    turn: Path
    span: Span


class Link(Struct, frozen=True, eq=False):
    """`link a -> b;`: it adds links to the board."""

    chain: Chain
    span: Span


class Unlink(Struct, frozen=True, eq=False):
    """`unlink a -> b;`: it removes links from the board."""

    chain: Chain
    span: Span


class Has(Struct, frozen=True, eq=False):
    """`p has seat, role;`: attaches these states to the player."""

    player: Expression
    states: tuple[Path, ...]
    span: Span


Statement = (
    Evaluate
    | Assign
    | Declare
    | Input
    | Return
    | If
    | While
    | ForEach
    | ForRange
    | ForSteps
    | Break
    | Continue
    | Fail
    | Cancel
    | Move
    | Win
    | Draw
    | Finish
    | Out
    | BackIn
    | Pass
    | UseTurn
    | Link
    | Unlink
    | Has
    | ErrorNode
)
