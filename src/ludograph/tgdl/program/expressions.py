"""Expressions of a checked program: typed, every name resolved to a slot, a number or an operation."""

from typing import Literal as OneOf

from ludograph.text import Span
from ludograph.tgdl.program.operations import Operation
from ludograph.tgdl.program.types import Type
from ludograph.tgdl.syntax.traversal import ProgramNode


class Literal(ProgramNode, frozen=True):
    """A number, truth, string, none, player (its number), enum member (its ordinal) or phase (its index).

    The index of a phase counts the phases of all turns, in the order of `Program.turns`.
    """

    value: int | float | bool | str | None
    type: Type
    span: Span


class NamedTile(ProgramNode, frozen=True):
    """A tile by its name: a node of a graph, or `a1` of a group with names."""

    group: str
    name: str
    type: Type
    span: Span


class Variable(ProgramNode, frozen=True):
    """An input, parameter or variable of the frame."""

    slot: int
    name: str
    type: Type
    span: Span


class This(ProgramNode, frozen=True):
    """The instance whose action, verb, filter or initialiser runs."""

    type: Type
    span: Span


class Singleton(ProgramNode, frozen=True):
    """The one instance of a global state, group, the board, a top-level stack; of a group state its first."""

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
    """What is known everywhere: `player`, `phase`, the active player, the fields of an event."""

    name: OneOf["player", "phase", "active"]
    type: Type
    span: Span


class AttributeOf(ProgramNode, frozen=True):
    """A declared attribute of an instance; none as instance is a runtime error."""

    target: "Expression"
    attribute: str
    slot: int
    type: Type
    span: Span


class AllowedOf(ProgramNode, frozen=True):
    """`x.action.allowed`; for an action of the game itself the target is the literal none."""

    target: "Expression"
    action: int
    type: Type
    span: Span


class NamedPart(ProgramNode, frozen=True):
    """`A` in `require { A and B }` or `trigger { A or B }`: whether the requires (triggers) named A hold."""

    name: str
    type: Type
    span: Span


class Apply(ProgramNode, frozen=True):
    """An operation of the library on values: operators, list and table methods, geometry, stacks, …"""

    operation: Operation
    operands: tuple["Expression", ...]
    type: Type
    span: Span


class Logic(ProgramNode, frozen=True):
    """`and`, `or`, `nand` (the right side only if needed); `xor` is an operation."""

    operator: OneOf["and", "or", "nand"]
    left: "Expression"
    right: "Expression"
    type: Type
    span: Span


class IsType(ProgramNode, frozen=True):
    """`x is T`; a player `is` a state if it has it."""

    target: "Expression"
    tested: Type
    type: Type
    span: Span


class AsType(ProgramNode, frozen=True):
    """`x as T`: the value, or none."""

    target: "Expression"
    type: Type
    span: Span


class CallVerb(ProgramNode, frozen=True):
    """A verb; one of a construct is found by the receiver's real type (`base` calls name it exactly)."""

    verb: int
    receiver: "Expression | None"
    arguments: tuple["Expression | None", ...]
    """One a parameter; None for an `auto` one, which the engine supplies."""
    exact: bool
    type: Type
    span: Span


class Replaced(ProgramNode, frozen=True):
    """What `base(…)` in an overriding action means: the parts of the base's that the effect stands for.

    The phases of the base are parts of the override, and not run by it.
    """

    effect: str | None = None
    """The name of the effects; None: those without."""
    phase: int | None = None
    """The phase of the base's action that they are in, as are those of the same name; None: in no phase."""


class CallAction(ProgramNode, frozen=True):
    """An action called by name: its inputs that are not given are asked for as usual."""

    action: int
    receiver: "Expression | None"
    arguments: tuple["Expression | None", ...]
    exact: bool
    type: Type
    span: Span
    replaced: Replaced | None = None
    """Of `base(…)`: which parts of the action that this one overrides."""
    passed: tuple[Variable, ...] = ()
    """Of `base(…)`: the fields of the event, which the base's action sees as well."""


class Query(ProgramNode, frozen=True):
    """`list.where(x: …)`, `t.region(x: …)`, `players.table(p: …)`: a body run for each element."""

    operation: Operation
    source: "Expression"
    slot: int
    body: "Expression | None"
    type: Type
    span: Span


class New(ProgramNode, frozen=True):
    """`new T`, `new T[n]`, `new T { a = v; }`; values are evaluated in the outer scope."""

    construct: str
    count: "Expression | None"
    values: tuple[tuple[int, "Expression"], ...]
    """Slot and value."""
    type: Type
    span: Span


class MakeList(ProgramNode, frozen=True):
    items: tuple["Expression", ...]
    type: Type
    span: Span


class MakeTable(ProgramNode, frozen=True):
    """A table: one item for every key, or one value that fills it."""

    items: tuple["Expression", ...]
    fill: "Expression | None"
    type: Type
    span: Span


class Mutate(ProgramNode, frozen=True):
    """`list.add(x)`, `list.pop()`, …: changes the list that a place holds, and may give a value."""

    place: "Place"
    operation: Operation
    operands: tuple["Expression", ...]
    type: Type
    span: Span


class Random(ProgramNode, frozen=True):
    """Chance: a number below a bound, or a key of a table by weight."""

    bound: "Expression | None"
    weights: "Expression | None"
    visible: "Expression | None"
    """A player or list of players who see the outcome; None: as language.md part two, 11 says."""
    type: Type
    span: Span


class Place(ProgramNode, frozen=True):
    """Where an assignment goes: a variable or attribute, then indexes into lists and tables inside it."""

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
