"""Syntax tree: actions, goals, verbs, `setup` and `resample`, with their parts.

All parts are in the order of the source, which decides the order of choices and of effects.
"""

from enum import Enum

from msgspec import Struct

from ludograph.text.source import Span
from ludograph.tgdl.syntax.tree.expressions import ErrorNode, Expression, Number, Path, TypeName, Word
from ludograph.tgdl.syntax.tree.statements import Block, Input, Message

# Actions and goals, and their parts


class EventKind(Enum):
    """The kinds of events, with their spellings."""

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


class Event(Struct, frozen=True, eq=False):
    """`on target kind`. The target is a construct, a part of one (`seat.points`) or a kind (`player`).

    An event without a target (`on attach`) is about the owner of the action. The parser converts old forms:
    `change seat.points` is (seat.points, CHANGE), `seat.play` is (seat.play, CALL), `seat.play.first` is
    (seat.play.first, ACTIVE).
    """

    target: Path | None
    kind: EventKind
    span: Span


class Timing(Enum):
    BEFORE = "before"
    AFTER = "after"
    FAST = "fast"


class Trigger(Struct, frozen=True, eq=False):
    """`trigger on … in phases for name timing { … } [else "…";]`; only the event or the body is required.

    A trigger without an event is a condition, or combines named triggers: `trigger { A or B }`.
    """

    event: Event | None
    phases: tuple[Path, ...]
    name: Word | None
    timing: Timing | None
    body: Block | None
    span: Span
    words: Message | None = None
    """What a player reads whom the trigger does not offer the action now."""


class Require(Struct, frozen=True, eq=False):
    """`require [for name] { … } [else "…";]`."""

    name: Word | None
    body: Block
    span: Span
    words: Message | None = None
    """What a player reads whose move the condition refuses."""


class Effect(Struct, frozen=True, eq=False):
    """`effect [for name] { … }`."""

    name: Word | None
    body: Block
    span: Span


class EffectOrder(Enum):
    CHOICE = "choice"
    SEQUENCE = "sequence"
    SIMULTANEOUS = "simultaneous"


class Specifier(Struct, frozen=True, eq=False):
    """The order of the effects of an action or phase; `count` is the n of `choice n`, otherwise None."""

    order: EffectOrder
    count: Expression | None
    span: Span


class ActionPhase(Struct, frozen=True, eq=False):
    """`phase [name] [specifier] { … }` inside an action; its parts are never Input or ActionPhase."""

    name: Word | None
    specifier: Specifier | None
    parts: tuple["ActionPart", ...]
    span: Span


ActionPart = Input | Require | Trigger | Effect | ActionPhase | ErrorNode


class Action(Struct, frozen=True, eq=False):
    """`[override] action name [: base] [priority n] [specifier] { parts }`."""

    override: bool
    name: Word
    base: Path | None
    priority: Expression | None
    specifier: Specifier | None
    parts: tuple[ActionPart, ...]
    span: Span


class Goal(Struct, frozen=True, eq=False):
    """`goal name [: base] [priority n] [specifier] { parts }`; the word `priority` may be left out."""

    name: Word
    base: Path | None
    priority: Expression | None
    specifier: Specifier | None
    parts: tuple[ActionPart, ...]
    span: Span


# Verbs, setup and resample


class PlayerCount(Struct, frozen=True, eq=False):
    """`3` or `2..4`: from `low` to `high` players; both are equal for a single number."""

    low: Number
    high: Number
    span: Span


class Parameter(Struct, frozen=True, eq=False):
    """`type name` between the parentheses of a verb."""

    type: TypeName
    name: Word
    span: Span


class Verb(Struct, frozen=True, eq=False):
    """A verb in the short or the long form; the long form has inputs instead of parameters.

    `verb f(T a) { … }`, or `verb f { input T a verb; effect { … } returns T; }`. In the long form a caller
    passes the inputs with the modifier `verb`, and `body` is the body of the effect.
    """

    public: bool
    override: bool
    name: Word
    parameters: tuple[Parameter, ...]
    inputs: tuple[Input, ...]
    returns: TypeName | None
    body: Block
    span: Span
    words: Message | None = None
    """What a player reads if a condition fails because the verb returned false."""


class Setup(Struct, frozen=True, eq=False):
    """`setup [for 5, 6] { … }`: inputs and effects, or the statements of the short form as `body`."""

    counts: tuple[PlayerCount, ...]
    inputs: tuple[Input, ...]
    effects: tuple[Effect, ...]
    body: Block | None
    span: Span


class Resample(Struct, frozen=True, eq=False):
    """`resample { … }`: statements that draw secrets anew for bots."""

    name: Word
    """The keyword."""
    body: Block
    span: Span
