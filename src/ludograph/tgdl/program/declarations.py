"""Declarations of a checked program, and the program itself."""

from enum import Enum

from ludograph.text import Source, Span
from ludograph.tgdl.program.actions import Action, Effect, Verb
from ludograph.tgdl.program.boards import Board
from ludograph.tgdl.program.expressions import Expression
from ludograph.tgdl.program.statements import Block, Input
from ludograph.tgdl.program.types import Type
from ludograph.tgdl.syntax.traversal import ProgramNode


class Secrecy(Enum):
    PUBLIC = "public"
    PRIVATE = "private"
    HIDDEN = "hidden"


class Attribute(ProgramNode, frozen=True):
    """A value of an instance; slots of the base construct come first."""

    name: str
    type: Type
    slot: int
    initial: Expression | None
    low: Expression | None
    high: Expression | None
    secrecy: Secrecy
    tracked: bool
    visible: Block | None
    """A `visible to` rule of its own: gives a player or a list of players. `This` is the instance."""
    span: Span
    file: int = 0
    """Whose source the span belongs to; an inherited attribute keeps its base's."""
    makes_stack: bool = False
    """A stack of a state: each instance gets one of its own, of the construct that the type names."""


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
    """A declared kind of thing, with everything that it inherits resolved."""

    name: str
    kind: ConstructKind
    base: str | None
    attributes: tuple[Attribute, ...]
    actions: tuple[int, ...]
    """Actions it offers, the base's included unless overridden, in file order."""
    verbs: tuple[tuple[str, int], ...]
    placeable: bool
    stackable: bool
    holds: str | None
    element: str | None
    """What a stack is made of."""
    filling: int | None
    """The verb that makes a stack's first content (its `default`)."""
    secrecy: Secrecy
    sealed: bool
    frame: int
    """Slots that its initialisers need."""
    file: int
    span: Span


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
    """A type with tables whose size an option or a constant names, where it first stands in the text."""

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
    """`setup`, for some numbers of players; named effects run on request after the unnamed one."""

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
    """All of them, goals included; an action's index is its place here."""
    verbs: tuple[Verb, ...]
    setups: tuple[Setup, ...]
    sized_tables: tuple[SizedTable, ...]
    """What a configuration has to give numbers to; it has none left."""
    sources: tuple[Source, ...]
    rules: str
    """A hash of everything that decides how the game goes: the same for the same rules."""


def is_secret(construct: Construct, attribute: Attribute) -> bool:
    """Whether there may be players who do not see an attribute."""
    secrecies = (construct.secrecy, attribute.secrecy)
    return attribute.visible is not None or any(one is not Secrecy.PUBLIC for one in secrecies)
