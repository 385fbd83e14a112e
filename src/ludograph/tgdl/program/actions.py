"""Actions, goals and verbs of a checked program."""

from enum import Enum

from ludograph.text import Span
from ludograph.tgdl.program.statements import Block, Input, Message
from ludograph.tgdl.program.types import Type
from ludograph.tgdl.syntax.traversal import ProgramNode


class Require(ProgramNode, frozen=True):
    """A condition of an action. It can be tested as soon as the first `needs` inputs are chosen."""

    name: str | None
    needs: int
    block: Block
    words: str
    """The source text of the condition, which a refusal quotes."""
    span: Span
    file: int | None = None
    """The file of its spans if it is inherited from an action in another file; None: the action's file."""


class When(Enum):
    BEFORE = "before"
    FAST = "fast"
    AFTER = "after"


class Trigger(ProgramNode, frozen=True):
    """An event that starts an action (or a named part of it), with an optional condition.

    A trigger `for A` starts the effects named A. A trigger without a name starts the unnamed effects. A
    trigger over names (`trigger { A or B }`) is tested after an event fired named triggers of the same
    action: its block reads their names through `NamedPart`, and it starts the unnamed effects. Any other
    trigger without an event starts the action when its block has become true.
    """

    name: str | None
    event: str
    """The kind of event, such as "choice" or "condition" (see `events.py`); "": a trigger over names."""
    target: str | None
    """The construct, action or attribute of the event; None: any of its kind."""
    attribute: int | None
    phases: tuple[tuple[str, str], ...]
    """`in build, paving`: (turn, phase) pairs; empty: always."""
    when: When
    fields: tuple[tuple[str, int], ...]
    """The fields of the event that the action reads, and their slots in the action's frame.

    Requires and effects can read a field that every trigger of the action has, so all triggers share its
    slot. The field is none if the action was called or chosen.
    """
    block: Block | None
    span: Span
    listens: tuple[str, ...] = ()
    """The constructs whose events it receives, with derived ones; for turns and turn phases, the turns."""
    actions: tuple[int, ...] = ()
    """For `call` and phases of actions: the actions whose events it receives, with overriding ones."""
    part: str | None = None
    """For `active` and `inactive`: the phase's name; None: every phase."""
    file: int | None = None
    """As of `Require`."""
    refusal: Message | None = None
    """The words for a player whom it does not offer the action now."""

    @property
    def ignores_own(self) -> bool:
        """Whether it is not started by events that its own action of the same instance causes.

        It reacts to any change or call, so it would start itself again and again.
        """
        is_of_action = self.event in ("call", "active", "inactive") and bool(self.actions)
        return self.target is None and (self.event == "change" or is_of_action)


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
    """An action or goal. `owner` is its construct; None: the action belongs to the game."""

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
    """The action of the base construct that this one replaces."""
    frame: int
    """The number of slots of a frame."""
    file: int
    span: Span
    shared: tuple[tuple[str, int, Type], ...] = ()
    """The fields that all its events have and effects can read: name, slot and type."""


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
