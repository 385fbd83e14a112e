"""Actions, goals and verbs of a checked program."""

from enum import Enum

from ludograph.text import Span
from ludograph.tgdl.program.statements import Block, Input
from ludograph.tgdl.program.types import Type
from ludograph.tgdl.syntax.traversal import ProgramNode


class Require(ProgramNode, frozen=True):
    """A condition; `needs` counts the leading inputs that must be known before it can be tested."""

    name: str | None
    needs: int
    block: Block
    words: str
    """The author's text, for explaining a refusal."""
    span: Span
    file: int | None = None
    """The source of its spans, if it is inherited from an action of another file; None: the action's."""


class When(Enum):
    BEFORE = "before"
    FAST = "fast"
    AFTER = "after"


class Trigger(ProgramNode, frozen=True):
    """What starts an action (or a named part of it): an event, and a block that may decline it.

    A trigger `for A` starts the effects named A, one without a name those without. A trigger without an event
    (`trigger { A or B }`) is tested when an event fired named ones of the action: its block reads which by
    `NamedPart`, and it starts the effects without a name.
    """

    name: str | None
    event: str
    """The event's kind, such as "choice", "change", "movement"; see `events.py`. "": over named triggers."""
    target: str | None
    """The construct, action or attribute it speaks of; None: any of its kind."""
    attribute: int | None
    phases: tuple[tuple[str, str], ...]
    """`in build, paving`: (turn, phase) pairs; empty: always."""
    when: When
    fields: tuple[tuple[str, int], ...]
    """The event's fields that are read, and their slots in the action's frame.

    A field that every trigger of the action has can be read by its requires and effects too, so all of
    them share its slot; it is none when the action was called or chosen.
    """
    block: Block | None
    span: Span
    listens: tuple[str, ...] = ()
    """The constructs that it hears, derived ones included; for events of turns and turn phases, the turns."""
    actions: tuple[int, ...] = ()
    """For `call` and for phases of actions: the actions that it hears, overriding ones included."""
    part: str | None = None
    """For `active` and `inactive`: the phase's name; None: every phase."""
    file: int | None = None
    """As of `Require`."""


class Effect(ProgramNode, frozen=True):
    name: str | None
    block: Block
    span: Span
    file: int | None = None
    """As of `Require`."""


class Specifier(Enum):
    PLAIN = "plain"
    CHOICE = "choice"
    SEQUENCE = "sequence"
    SIMULTANEOUS = "simultaneous"


class ActionPhase(ProgramNode, frozen=True):
    name: str | None
    specifier: Specifier
    choices: int
    requires: tuple[Require, ...]
    triggers: tuple[Trigger, ...]
    effects: tuple[Effect, ...]
    span: Span
    file: int | None = None
    """As of `Require`."""


class Action(ProgramNode, frozen=True):
    """An action or goal; `owner` is its construct, None for the game's own."""

    index: int
    name: str
    owner: str | None
    priority: float
    is_goal: bool
    specifier: Specifier
    choices: int
    inputs: tuple[Input, ...]
    requires: tuple[Require, ...]
    triggers: tuple[Trigger, ...]
    effects: tuple[Effect, ...]
    phases: tuple[ActionPhase, ...]
    overrides: int | None
    """The base's action that this one stands for."""
    frame: int
    """How many slots a frame needs."""
    file: int
    span: Span
    shared: tuple[tuple[str, int, Type], ...] = ()
    """What all its events tell, that effects can read: name, slot and type."""


class Verb(ProgramNode, frozen=True):
    index: int
    name: str
    owner: str | None
    parameters: tuple[Input, ...]
    block: Block
    result: Type
    frame: int
    is_public: bool
    is_pure: bool
    overrides: int | None
    file: int
    span: Span
