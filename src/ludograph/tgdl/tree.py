"""The tree of a game text, first part: words, types, expressions, and links between places.

The parser makes these nodes; checker, interpreter, formatter and dump read them. The rest is in
`tree_statements`, `tree_actions` and `tree_declarations`. A node keeps what the author meant, not how it
was spelt: `&&` and `and` give the same node, parentheses give none, and `else if` is one more branch of
the same `If`.

Nodes are compared by identity, not by content: a checker keys its tables by node, and two equal
expressions in different places are two things. To compare by content, compare `dump_tree`.

Whatever the text, blocks and brackets stand at most 100 deep, and an expression in the innermost is at
most `TREE_DEPTH` less that high: no path from the root has more than 450 nodes, so a reader may recurse.
"""

from dataclasses import dataclass, field
from enum import Enum

from ludograph.text.source import Span

TREE_DEPTH = 200


# Words and types


@dataclass(frozen=True, slots=True, eq=False)
class Word:
    """A name where it is written: of a declaration, an attribute, a phase, an argument.

    An empty text is a name that the parser expected and did not find; it has reported that already.
    """

    text: str
    span: Span = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class Path:
    """A name of a declaration: one word, or several when it is reached through an import: `chess.piece`."""

    words: tuple[Word, ...]
    span: Span = field(repr=False)

    @property
    def text(self) -> str:
        return ".".join(word.text for word in self.words)


@dataclass(frozen=True, slots=True, eq=False)
class Dimension:
    """One pair of brackets of a type. `[]` has no key: a list. `[player]`, `[8]`: one entry for each key."""

    key: "Path | Number | None"
    span: Span = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class TypeName:
    """A type as written: `decimal`, `card[]`, `decimal[player][]`; the dimensions read left to right."""

    path: Path
    dimensions: tuple[Dimension, ...]
    span: Span = field(repr=False)


# Expressions


@dataclass(frozen=True, slots=True, eq=False)
class Number:
    """`7` or `7.5`; a sign is never part of it."""

    value: float
    span: Span = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class Text:
    """A string, with its escapes read."""

    value: str
    span: Span = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    """`true` or `false`."""

    value: bool
    span: Span = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class NoneValue:
    """`none`."""

    span: Span = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class This:
    """`this`: the instance that the code belongs to."""

    span: Span = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class Base:
    """`base`: the same instance, seen as its base construct."""

    span: Span = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class PlayerNumber:
    """`player 0`: the player with this number."""

    number: Number
    span: Span = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class Name:
    """A bare word in an expression: a variable, an attribute, a construct, a direction, `player`, `phase`…"""

    text: str
    span: Span = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class Member:
    """`value.name`: an attribute, or what a call calls: `hand.pop`, `card.all`, `resource.brick`."""

    value: "Expression"
    name: Word
    span: Span = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class Index:
    """`value[index]`: of a list, a table, a grid (`grid[0][1]`), or of a local state (`seat[p]`)."""

    value: "Expression"
    index: "Expression"
    span: Span = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class Argument:
    """`value` or `name: value`. In a query (`list.any(x: x > 1)`) the name is the variable of the value."""

    name: Word | None
    value: "Expression"
    span: Span = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class Call:
    """`callee(arguments)`; the callee is a Name, a Member or Base."""

    callee: "Expression"
    arguments: tuple[Argument, ...]
    span: Span = field(repr=False)


class UnaryOperator(Enum):
    PLUS = "+"
    MINUS = "-"
    NOT = "not"


@dataclass(frozen=True, slots=True, eq=False)
class Unary:
    operator: UnaryOperator
    value: "Expression"
    span: Span = field(repr=False)


class BinaryOperator(Enum):
    ADD = "+"
    SUBTRACT = "-"
    MULTIPLY = "*"
    DIVIDE = "/"
    POWER = "^"
    MODULO = "%"
    LESS = "<"
    GREATER = ">"
    AT_MOST = "<="
    AT_LEAST = ">="
    EQUAL = "=="
    UNEQUAL = "!="
    AND = "and"
    NAND = "nand"
    OR = "or"
    XOR = "xor"


@dataclass(frozen=True, slots=True, eq=False)
class Binary:
    operator: BinaryOperator
    left: "Expression"
    right: "Expression"
    span: Span = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class Is:
    """`value is type`: its real type, or for a player: whether it has the state."""

    value: "Expression"
    type: TypeName
    span: Span = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class As:
    """`value as type`: the value seen as the type, or none."""

    value: "Expression"
    type: TypeName
    span: Span = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class Random:
    """`random count [visible to …]`: a whole number from 0 up to, not including, the count."""

    count: "Expression"
    visible_to: "Expression | None"
    span: Span = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class RandomWeights:
    """`random weights table [visible to …]`: a key of the table, by weight."""

    table: "Expression"
    visible_to: "Expression | None"
    span: Span = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class FieldValue:
    """`name = value;` inside `new T { … }` or behind the declared nodes of a group."""

    name: Word
    value: "Expression"
    span: Span = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class New:
    """`new T` or `new T { a = v; … }`."""

    path: Path
    fields: tuple[FieldValue, ...]
    span: Span = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class NewList:
    """`new T[count]`: a list of that many new instances."""

    path: Path
    count: "Expression"
    span: Span = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class ListLiteral:
    """`{ a, b, c }`: a list, a table or several players, as the place wants it."""

    items: tuple["Expression", ...]
    span: Span = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class Missing:
    """An expression that the parser expected and did not find; it has reported that already."""

    span: Span = field(repr=False)


Expression = (
    Number
    | Text
    | Truth
    | NoneValue
    | This
    | Base
    | PlayerNumber
    | Name
    | Member
    | Index
    | Call
    | Unary
    | Binary
    | Is
    | As
    | Random
    | RandomWeights
    | New
    | NewList
    | ListLiteral
    | Missing
)


@dataclass(frozen=True, slots=True, eq=False)
class Range:
    """`from low to high`, both included."""

    low: Expression
    high: Expression
    span: Span = field(repr=False)


# Links between places, in boards and in the statements link and unlink


class LinkKind(Enum):
    ONE_WAY = "->"
    TWO_WAY = "<->"
    REMOVE_ONE_WAY = "x->"
    REMOVE_TWO_WAY = "x-x"


@dataclass(frozen=True, slots=True, eq=False)
class Coordinates:
    """`(row, column)` of a group, the place of a link in its `adjacency` block."""

    row: Expression
    column: Expression
    span: Span = field(repr=False)


Place = Coordinates | Expression


@dataclass(frozen=True, slots=True, eq=False)
class LinkStep:
    """One arrow of a chain and the place it leads to: `1 <-> 3 b`.

    `cost_back` is the number before the arrow (towards the place before), `cost` the one after it.
    """

    kind: LinkKind
    cost_back: Number | None
    cost: Number | None
    place: Place
    span: Span = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class Chain:
    """`a <-> b -> c`: the first place and the steps from it. Without steps it only mentions a place."""

    first: Place
    steps: tuple[LinkStep, ...]
    span: Span = field(repr=False)
