"""Syntax tree: words, types, expressions, error nodes, and links between places.

The parser creates the nodes; the checker, the formatter and the dump read them. A node has the meaning of the
source, not its spelling: `&&` and `and` give the same node, parentheses give no node, and `else if` is a
branch of the same `If`.

Nodes are compared by identity, because the checker uses them as keys: two equal expressions at different
positions are different nodes. To compare by content, compare the results of `dump_tree`.

Blocks and brackets are at most 100 deep, and an expression inside them has at most the remaining height up to
`TREE_DEPTH`. So no path from the root has more than 450 nodes, and a visitor may recurse.
"""

from enum import Enum

from msgspec import Struct

from ludograph.text.source import Span

TREE_DEPTH = 200


# Words and types


class Word(Struct, frozen=True, eq=False):
    """A name in the source: of a declaration, an attribute, a phase, an argument."""

    text: str
    span: Span


class Path(Struct, frozen=True, eq=False):
    """The name of a declaration: one word, or several with the name of an import: `chess.piece`."""

    words: tuple[Word, ...]
    span: Span

    @property
    def text(self) -> str:
        return ".".join(word.text for word in self.words)


class Dimension(Struct, frozen=True, eq=False):
    """One pair of brackets of a type. `[]` is a list and has no key; `[player]` and `[8]` are tables."""

    key: "Path | Number | None"
    span: Span


class TypeName(Struct, frozen=True, eq=False):
    """A type in the source: `decimal`, `card[]`, `decimal[player][]`; the first dimension is outermost."""

    path: Path
    dimensions: tuple[Dimension, ...]
    span: Span


# Expressions


class Number(Struct, frozen=True, eq=False):
    """`7` or `7.5`, without a sign."""

    value: float
    span: Span


class Text(Struct, frozen=True, eq=False):
    """The value of a string, with its escapes resolved."""

    value: str
    span: Span


class Boolean(Struct, frozen=True, eq=False):
    """`true` or `false`."""

    value: bool
    span: Span


class NoneValue(Struct, frozen=True, eq=False):
    """`none`."""

    span: Span


class This(Struct, frozen=True, eq=False):
    """`this`: the instance that the code belongs to."""

    span: Span


class Base(Struct, frozen=True, eq=False):
    """`base`: the same instance as an instance of its base construct."""

    span: Span


class PlayerNumber(Struct, frozen=True, eq=False):
    """`player 0`: the player with this number."""

    number: Number
    span: Span


class Name(Struct, frozen=True, eq=False):
    """A bare word in an expression: a variable, an attribute, a construct, a direction, `player`, `phase`…"""

    text: str
    span: Span


class Member(Struct, frozen=True, eq=False):
    """`value.name`: an attribute or the callee of a call: `hand.pop`, `card.all`, `resource.brick`."""

    value: "Expression"
    name: Word
    span: Span


class Index(Struct, frozen=True, eq=False):
    """`value[index]`: of a list, a table, a grid (`grid[0][1]`), or of a local state (`seat[p]`)."""

    value: "Expression"
    index: "Expression"
    span: Span


class Argument(Struct, frozen=True, eq=False):
    """`value` or `name: value`. In a query (`list.any(x: x > 1)`) the name is the variable of the value."""

    name: Word | None
    value: "Expression"
    span: Span


class Call(Struct, frozen=True, eq=False):
    """`callee(arguments)`; the callee is a Name, a Member or Base."""

    callee: "Expression"
    arguments: tuple[Argument, ...]
    span: Span


class UnaryOperator(Enum):
    PLUS = "+"
    MINUS = "-"
    NOT = "not"


class Unary(Struct, frozen=True, eq=False):
    operator: UnaryOperator
    value: "Expression"
    span: Span


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


class Binary(Struct, frozen=True, eq=False):
    operator: BinaryOperator
    left: "Expression"
    right: "Expression"
    span: Span


class Conditional(Struct, frozen=True, eq=False):
    """`(then if condition else otherwise)`, always in parentheses."""

    condition: "Expression"
    then: "Expression"
    otherwise: "Expression"
    span: Span


class Is(Struct, frozen=True, eq=False):
    """`value is type`: a test of the dynamic type, or whether a player has a state."""

    value: "Expression"
    type: TypeName
    span: Span


class As(Struct, frozen=True, eq=False):
    """`value as type`: the value as that type, or none if it has another type."""

    value: "Expression"
    type: TypeName
    span: Span


class Random(Struct, frozen=True, eq=False):
    """`random count [visible to …]`: a whole number from 0 to the count minus one."""

    count: "Expression"
    visible_to: "Expression | None"
    span: Span


class RandomWeights(Struct, frozen=True, eq=False):
    """`random weights table [visible to …]`: a random key of a table of weights."""

    table: "Expression"
    visible_to: "Expression | None"
    span: Span


class FieldValue(Struct, frozen=True, eq=False):
    """`name = value;` inside `new T { … }` or after the declared nodes of a group."""

    name: Word
    value: "Expression"
    span: Span


class New(Struct, frozen=True, eq=False):
    """`new T` or `new T { a = v; … }`."""

    path: Path
    fields: tuple[FieldValue, ...]
    span: Span


class NewList(Struct, frozen=True, eq=False):
    """`new T[count]`: a list of that many new instances."""

    path: Path
    count: "Expression"
    span: Span


class ListLiteral(Struct, frozen=True, eq=False):
    """`{ a, b, c }`: a list, a table or several players; the expected type decides."""

    items: tuple["Expression", ...]
    span: Span


class ErrorExpression(Struct, frozen=True, eq=False):
    """An expression that the parser could not read. The parser has reported the error."""

    span: Span


class ErrorNode(Struct, frozen=True, eq=False):
    """A statement, part or declaration that the parser could not read. The parser has reported the error.

    `names` has the local variables and inputs that it may declare; `UnknownNames` has all other names.
    """

    names: tuple[str, ...]
    span: Span


Expression = (
    Number
    | Text
    | Boolean
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
    | Conditional
    | Is
    | As
    | Random
    | RandomWeights
    | New
    | NewList
    | ListLiteral
    | ErrorExpression
)


class Range(Struct, frozen=True, eq=False):
    """`from low to high`, both included."""

    low: Expression
    high: Expression
    span: Span


# Links between places, in boards and in the statements link and unlink


class LinkKind(Enum):
    ONE_WAY = "->"
    TWO_WAY = "<->"
    REMOVE_ONE_WAY = "x->"
    REMOVE_TWO_WAY = "x-x"


class Coordinates(Struct, frozen=True, eq=False):
    """`(row, column)` of a group, the place of a link in its `adjacency` block."""

    row: Expression
    column: Expression
    span: Span


BoardPlace = Coordinates | Expression


class LinkStep(Struct, frozen=True, eq=False):
    """One arrow of a chain and the place it leads to: `1 <-> 3 b`.

    `cost` is the number after the arrow. `cost_back`, the number before it, is the cost of the way back.
    """

    kind: LinkKind
    cost_back: Number | None
    cost: Number | None
    place: BoardPlace
    span: Span


class Chain(Struct, frozen=True, eq=False):
    """`a <-> b -> c`: the first place and the steps from it. A chain without steps only names a place."""

    first: BoardPlace
    steps: tuple[LinkStep, ...]
    span: Span
