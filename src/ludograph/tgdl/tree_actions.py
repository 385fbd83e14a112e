"""The tree of a game text, third part: actions, goals, verbs and the setup, with their parts.

Order is kept everywhere: it decides the order of choices and of effects.
"""

from dataclasses import dataclass, field
from enum import Enum

from ludograph.text.source import Span
from ludograph.tgdl.tree import Expression, Number, Path, TypeName, Word
from ludograph.tgdl.tree_statements import Block, Input

# Actions and goals, and their parts


class Happening(Enum):
    """The events that a trigger can wait for, as they are written."""

    CHANGE = "change"
    CALL = "call"
    ACTIVE = "active"
    INACTIVE = "inactive"
    ATTACH = "attach"
    REMOVE = "remove"
    TRANSFERRED = "transferred"
    PLACEMENT = "placement"
    REMOVAL = "removal"
    MOVEMENT = "movement"
    DRAWN = "drawn"
    DISCARDED = "discarded"
    KEPT = "kept"
    DRAW = "draw"
    SHUFFLE = "shuffle"
    RESHUFFLE = "reshuffle"
    PUT = "put"
    DISCARD = "discard"
    ACTIVATION = "activation"
    DEACTIVATION = "deactivation"
    PHASE_CHANGE = "phase change"
    TILE_ADDED = "tile added"
    TILE_REMOVED = "tile removed"
    GROUP_ADDED = "group added"
    GROUP_REMOVED = "group removed"
    CHOICE = "choice"
    OFFTURN = "offturn"
    ASIDE = "aside"
    STUCK = "stuck"
    START = "start"
    END = "end"


@dataclass(frozen=True, slots=True, eq=False)
class Event:
    """`on target happening`. The target is a construct, a part of one (`seat.points`) or a kind (`player`).

    Without target (`on attach`) it is about whatever the action belongs to. The seed's old forms are
    already turned round: `change seat.points` is (seat.points, CHANGE), `seat.play` is (seat.play, CALL),
    `seat.play.first` is (seat.play.first, ACTIVE).
    """

    target: Path | None
    happening: Happening
    span: Span = field(repr=False)


class Timing(Enum):
    BEFORE = "before"
    AFTER = "after"
    FAST = "fast"


@dataclass(frozen=True, slots=True, eq=False)
class Trigger:
    """`trigger on … in phases for name timing { … }`; all but the event or the body may be left out.

    Without event it is the global trigger over named ones: `trigger { A or B }`.
    """

    event: Event | None
    phases: tuple[Path, ...]
    name: Word | None
    timing: Timing | None
    body: Block | None
    span: Span = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class Require:
    """`require [for name] { … }`."""

    name: Word | None
    body: Block
    span: Span = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class Effect:
    """`effect [for name] { … }`."""

    name: Word | None
    body: Block
    span: Span = field(repr=False)


class EffectOrder(Enum):
    CHOICE = "choice"
    SEQUENCE = "sequence"
    SIMULTANEOUS = "simultaneous"


@dataclass(frozen=True, slots=True, eq=False)
class Specifier:
    """How the effects of an action or of its phase run; `count` is the n of `choice n`, else none."""

    order: EffectOrder
    count: Expression | None
    span: Span = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class ActionPhase:
    """`phase [name] [specifier] { … }` inside an action; its parts are never Input or ActionPhase."""

    name: Word | None
    specifier: Specifier | None
    parts: tuple["ActionPart", ...]
    span: Span = field(repr=False)


ActionPart = Input | Require | Trigger | Effect | ActionPhase


@dataclass(frozen=True, slots=True, eq=False)
class Action:
    """`[override] action name [priority n] [specifier] { parts }`."""

    override: bool
    name: Word
    priority: Expression | None
    specifier: Specifier | None
    parts: tuple[ActionPart, ...]
    span: Span = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class Goal:
    """`goal name [priority n] [specifier] { parts }`."""

    name: Word
    priority: Expression | None
    specifier: Specifier | None
    parts: tuple[ActionPart, ...]
    span: Span = field(repr=False)


# Verbs and setup


@dataclass(frozen=True, slots=True, eq=False)
class PlayerCount:
    """`3` or `2..4`: from `low` to `high` players; a single number is both."""

    low: Number
    high: Number
    span: Span = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class Parameter:
    """`type name` between the parentheses of a verb."""

    type: TypeName
    name: Word
    span: Span = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class Verb:
    """A verb in either form; the seed's long form has inputs instead of parameters.

    `verb f(T a) { … }`, or `verb f { input T a verb; effect { … } returns T; }`. In the long form the
    inputs marked `verb` are what a caller passes. The body of the long form is that of its effect.
    """

    public: bool
    override: bool
    name: Word
    parameters: tuple[Parameter, ...]
    inputs: tuple[Input, ...]
    returns: TypeName | None
    body: Block
    span: Span = field(repr=False)


@dataclass(frozen=True, slots=True, eq=False)
class Setup:
    """`setup [for 5, 6] { … }`: inputs and effects, or the short form, whose statements are `body`."""

    counts: tuple[PlayerCount, ...]
    inputs: tuple[Input, ...]
    effects: tuple[Effect, ...]
    body: Block | None
    span: Span = field(repr=False)
