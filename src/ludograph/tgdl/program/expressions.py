"""Expressions of a typed program. Every name is resolved to a slot, a number or an operation."""

from typing import Literal as OneOf

from ludograph.text import Span
from ludograph.tgdl.program.operations import Operation
from ludograph.tgdl.program.types import TableType, Type
from ludograph.tgdl.syntax.traversal import ProgramNode


class Literal(ProgramNode, frozen=True):
    """A number, boolean, string, none, player (number), enum member (ordinal) or phase (index).

    The index of a phase counts the phases of all turns, in the order of `Program.turns`.
    """

    value: int | float | bool | str | None
    type: Type
    span: Span


class NamedTile(ProgramNode, frozen=True):
    """A tile with a name: a node of a graph, or `a1` in a group with names."""

    group: str
    name: str
    type: Type
    span: Span


class Variable(ProgramNode, frozen=True):
    """An input, parameter or local variable: a slot of the frame."""

    slot: int
    name: str
    type: Type
    span: Span


class This(ProgramNode, frozen=True):
    """`this`: the instance whose action, verb, filter or initialiser runs."""

    type: Type
    span: Span


class Singleton(ProgramNode, frozen=True):
    """The instance of a global state, group, board or top-level stack; the first of a group state."""

    construct: str
    type: Type
    span: Span


class Setting(ProgramNode, frozen=True):
    """A constant or an option, by name."""

    kind: OneOf["const", "option"]
    name: str
    type: Type
    span: Span


class Ambient(ProgramNode, frozen=True):
    """A value of the context: `player`, `phase`, the active player, a field of an event."""

    name: OneOf["player", "phase", "active"]
    type: Type
    span: Span


class AttributeOf(ProgramNode, frozen=True):
    """A declared attribute of an instance. It is a runtime error if the instance is none."""

    target: "Expression"
    attribute: str
    slot: int
    type: Type
    span: Span


class AllowedOf(ProgramNode, frozen=True):
    """`x.action.allowed`. The target is the literal none for an action of the game."""

    target: "Expression"
    action: int
    type: Type
    span: Span


class NamedPart(ProgramNode, frozen=True):
    """`A` in `require { A and B }` or `trigger { A or B }`: whether all requires (triggers) named A hold."""

    name: str
    type: Type
    span: Span


class Apply(ProgramNode, frozen=True):
    """A library operation: an operator, a method of lists, tables or stacks, geometry, …"""

    operation: Operation
    operands: tuple["Expression", ...]
    type: Type
    span: Span


class Logic(ProgramNode, frozen=True):
    """`and`, `or`, `nand`, which evaluate the right operand only if needed. `xor` is an operation."""

    operator: OneOf["and", "or", "nand"]
    left: "Expression"
    right: "Expression"
    type: Type
    span: Span


class Conditional(ProgramNode, frozen=True):
    """`(then if condition else otherwise)`: one of the two is evaluated."""

    condition: "Expression"
    then: "Expression"
    otherwise: "Expression"
    type: Type
    span: Span


class IsType(ProgramNode, frozen=True):
    """`x is T`. A player `is` a local state if the player has it."""

    target: "Expression"
    tested: Type
    type: Type
    span: Span


class AsType(ProgramNode, frozen=True):
    """`x as T`: the value, or none if it has another type."""

    target: "Expression"
    type: Type
    span: Span


class CallVerb(ProgramNode, frozen=True):
    """A call of a verb. The run-time type of the receiver selects the verb, unless it is a `base` call."""

    verb: int
    receiver: "Expression | None"
    arguments: tuple["Expression | None", ...]
    """One per parameter; None for an `auto` parameter, which the engine supplies."""
    exact: bool
    type: Type
    span: Span


class Replaced(ProgramNode, frozen=True):
    """The target of `base(…)` in an overriding action: the effects of the base that this effect replaces.

    The override inherits the phases of the base, so `base(…)` does not run them.
    """

    effect: str | None = None
    """The name of the effects; None: the unnamed ones."""
    phase: int | None = None
    """The phase of the base's action that contains the effects; None: none."""


class CallAction(ProgramNode, frozen=True):
    """A call of an action. Inputs that the call does not give are asked for."""

    action: int
    receiver: "Expression | None"
    arguments: tuple["Expression | None", ...]
    exact: bool
    type: Type
    span: Span
    replaced: Replaced | None = None
    """For `base(…)`: the parts of the overridden action."""
    passed: tuple[Variable, ...] = ()
    """For `base(…)`: the fields of the event, which the base's action can read as well."""


class Query(ProgramNode, frozen=True):
    """`list.where(x: …)`, `t.region(x: …)`, `players.table(p: …)`: evaluates a body for each element."""

    operation: Operation
    source: "Expression"
    slot: int
    body: "Expression | None"
    type: Type
    span: Span


class New(ProgramNode, frozen=True):
    """`new T`, `new T[n]`, `new T { a = v; }`. The values are evaluated in the outer scope."""

    construct: str
    count: "Expression | None"
    values: tuple[tuple[int, "Expression"], ...]
    """Slots and their values."""
    type: Type
    span: Span


class MakeList(ProgramNode, frozen=True):
    items: tuple["Expression", ...]
    type: Type
    span: Span


class MakeTable(ProgramNode, frozen=True):
    """A table: one item per key, or one value for all keys."""

    items: tuple["Expression", ...]
    fill: "Expression | None"
    type: Type
    span: Span


class Mutate(ProgramNode, frozen=True):
    """`list.add(x)`, `list.pop()`, …: changes the list that is stored in a place and may return a value."""

    place: "Place"
    operation: Operation
    operands: tuple["Expression", ...]
    type: Type
    span: Span


class Random(ProgramNode, frozen=True):
    """A random value: a number below a bound, or a key of a table with weights."""

    bound: "Expression | None"
    weights: "Expression | None"
    visible: "Expression | None"
    """A player or list of players who see the outcome; None: see language.md, part two, 11."""
    type: Type
    span: Span


class Place(ProgramNode, frozen=True):
    """The target of an assignment: a variable or attribute, then indexes into lists and tables in it."""

    root: Variable | AttributeOf | AllowedOf
    indexes: tuple["Expression", ...]
    type: Type
    span: Span


Expression = (
    Literal
    | NamedTile
    | Variable
    | This
    | Singleton
    | Setting
    | Ambient
    | AttributeOf
    | AllowedOf
    | NamedPart
    | Apply
    | Logic
    | Conditional
    | IsType
    | AsType
    | CallVerb
    | CallAction
    | Query
    | New
    | MakeList
    | MakeTable
    | Mutate
    | Random
)


def table_of_entry(node: Expression) -> tuple[Expression, tuple[Expression, ...]]:
    """The table that an expression reads an entry of, and the keys; the expression itself without keys."""
    keys: tuple[Expression, ...] = ()
    while (
        isinstance(node, Apply)
        and node.operation is Operation.AT
        and isinstance(node.operands[0].type, TableType)
    ):
        keys = (node.operands[1], *keys)
        node = node.operands[0]
    return node, keys
