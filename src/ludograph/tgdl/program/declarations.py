"""Declarations of a typed program, and the program itself."""

from enum import Enum

from ludograph.play.appearance import Appearance
from ludograph.text import Source, Span
from ludograph.tgdl.program.actions import Action, Effect, Verb
from ludograph.tgdl.program.boards import Board
from ludograph.tgdl.program.expressions import Expression
from ludograph.tgdl.program.rule_tests import RuleTest
from ludograph.tgdl.program.statements import Block, Input
from ludograph.tgdl.program.types import ConstructType, TableType, Type
from ludograph.tgdl.syntax.traversal import ProgramNode


class Secrecy(Enum):
    PUBLIC = "public"
    PRIVATE = "private"
    HIDDEN = "hidden"


class Attribute(ProgramNode, frozen=True):
    """An attribute of a construct. The slots of the base construct come first."""

    name: str
    type: Type
    slot: int
    initial: Expression | None
    low: Expression | None
    high: Expression | None
    secrecy: Secrecy
    tracked: bool
    visible: Block | None
    """Its own `visible to` rule, which returns a player or a list of players. `This` is the instance."""
    span: Span
    file: int = 0
    """The file of the span. An inherited attribute keeps the file of its base."""
    makes_stack: bool = False
    """A stack or a table of stacks: each instance owns them, of the construct that the type names."""

    @property
    def stack(self) -> str | None:
        """The construct of the stacks that each instance owns; None for other attributes."""
        type = self.type.entry if isinstance(self.type, TableType) else self.type
        return type.name if self.makes_stack and isinstance(type, ConstructType) else None


class ConstructKind(Enum):
    GLOBAL = "global state"
    LOCAL = "local state"
    GROUP_STATE = "group state"
    TILE = "tile"
    INTERACTABLE = "interactable"
    STACK = "stack"
    GROUP = "group"
    BOARD = "board"


class Construct(ProgramNode, frozen=True):
    """A declared construct with its inherited members resolved."""

    name: str
    kind: ConstructKind
    base: str | None
    attributes: tuple[Attribute, ...]
    actions: tuple[int, ...]
    """Its actions, with those of the base that it does not override, in file order."""
    verbs: tuple[tuple[str, int], ...]
    placeable: bool
    stackable: bool
    names: tuple[int, ...]
    """The slots of the attributes that name an instance, in the order after `named`."""
    interchangeable: bool
    """Whether an input offers only one of several instances that are alike and in the same place."""
    holds: str | None
    element: str | None
    """The element type of a stack."""
    filling: int | None
    """The verb that creates the initial content of a stack (its `default` block)."""
    secrecy: Secrecy
    sealed: bool
    frame: int
    """Slots that its initialisers need."""
    file: int
    span: Span
    table: TableType | None = None
    """The type of a table of stacks at the top level; None for one stack."""


class Enumeration(ProgramNode, frozen=True):
    name: str
    members: tuple[str, ...]
    span: Span
    file: int = 0


class Constant(ProgramNode, frozen=True):
    name: str
    type: Type
    value: Expression
    span: Span
    file: int = 0


class Option(ProgramNode, frozen=True):
    name: str
    type: Type
    value: Expression
    low: Expression | None
    high: Expression | None
    choices: tuple[Expression, ...]
    span: Span
    file: int = 0


class SizedTable(ProgramNode, frozen=True):
    """A type with tables whose size is the name of an option or constant, at its first use in the source."""

    type: Type
    span: Span
    file: int = 0


class TurnPhase(ProgramNode, frozen=True):
    name: str
    asks: Expression | None
    simultaneous: bool
    inputs: tuple[Input, ...]
    effect: Block | None
    frame: int
    span: Span


class Turn(ProgramNode, frozen=True):
    name: str
    phases: tuple[TurnPhase, ...]
    default: Block | None
    frame: int
    file: int
    span: Span


class Setup(ProgramNode, frozen=True):
    """`setup` for some numbers of players. A named effect runs on request, after the unnamed one."""

    players: tuple[int, ...]
    inputs: tuple[Input, ...]
    effects: tuple[Effect, ...]
    frame: int
    file: int
    span: Span


class Program(ProgramNode, frozen=True):
    """A whole game."""

    name: str
    language: int
    players: tuple[int, ...]
    given: tuple[str, ...]
    """Local states that every player has from the start."""
    enums: tuple[Enumeration, ...]
    constants: tuple[Constant, ...]
    options: tuple[Option, ...]
    constructs: tuple[Construct, ...]
    board: Board
    turns: tuple[Turn, ...]
    actions: tuple[Action, ...]
    """All actions and goals; `Action.index` is the index in this tuple."""
    verbs: tuple[Verb, ...]
    setups: tuple[Setup, ...]
    sized_tables: tuple[SizedTable, ...]
    """The types with named table sizes. A configuration replaces the names by numbers and empties this."""
    sources: tuple[Source, ...]
    rules: str
    """A hash of the rules. Programs with the same rules have the same hash."""
    appearance: Appearance = Appearance()
    """Hints for drawing, which are no part of the rules."""
    tests: tuple[RuleTest, ...] = ()
    """The tests of the main file, which are no part of the rules."""


def is_secret(construct: Construct, attribute: Attribute) -> bool:
    """Whether an attribute may be invisible to some player."""
    secrecies = (construct.secrecy, attribute.secrecy)
    return attribute.visible is not None or any(one is not Secrecy.PUBLIC for one in secrecies)
