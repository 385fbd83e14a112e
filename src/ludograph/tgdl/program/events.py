"""The events of a game: what they are about, and the fields that a trigger's block can read.

`EVENTS` is the one table: the checker resolves a trigger by it and types its fields, the engines fire by it.
A trigger hears the construct it names and all derived from it; a kind (`state`, `placeable`) all of its kind.

The players' events `choice`, `offturn`, `aside` and `stuck` have no fields of their own: there `player` is
who acts. Everywhere else a block reads `player` as the field of the event, and effects as who started the
transaction.
"""

from enum import Enum

from msgspec import Struct


class About(Enum):
    """What the target of a trigger is."""

    ATTRIBUTE = "attribute"
    ACTION = "action"
    ACTION_PHASE = "action phase"
    TURN_PHASE = "turn phase"
    STATE = "state"
    PLACEABLE = "placeable"
    STACKABLE = "stackable"
    STACK = "stack"
    TURN = "turn"
    GROUP = "group"
    """Groups and the board."""
    PLAYER = "player"
    GAME = "game"


class FieldKind(Enum):
    """The type of a field, told from the target of the trigger."""

    INSTANCE = "instance"
    """The construct that the trigger names."""
    VALUE = "value"
    """The type of the attribute; `object` where the trigger names none."""
    PLAYER = "player"
    PLAYERS = "players"
    PHASE = "phase"
    TILE = "tile"
    GROUP = "group"
    STACK = "stack"
    CARD = "card"
    """A stackable: what the stack is made of."""
    TEXT = "text"


class Event(Struct, frozen=True):
    """A kind of event; `kind` is the word after the target, as a checked `Trigger.event` holds it."""

    kind: str
    about: About
    fields: tuple[tuple[str, FieldKind], ...]


_OF_ATTRIBUTES = (
    ("instance", FieldKind.INSTANCE),
    ("old", FieldKind.VALUE),
    ("new", FieldKind.VALUE),
    ("state", FieldKind.TEXT),  # the construct's name, as the seed has it
    ("attribute", FieldKind.TEXT),
)
_OF_ACTIONS = (("instance", FieldKind.INSTANCE), ("player", FieldKind.PLAYER))
_OF_ACTION_PHASES = (("phase", FieldKind.TEXT), ("player", FieldKind.PLAYER))
_OF_TURN_PHASES = (("phase", FieldKind.PHASE), ("player", FieldKind.PLAYER))
_OF_STATES = (("instance", FieldKind.INSTANCE), ("from", FieldKind.PLAYER), ("to", FieldKind.PLAYER))
_OF_PLACEABLES = (("instance", FieldKind.INSTANCE), ("from", FieldKind.TILE), ("to", FieldKind.TILE))
_OF_STACKABLES = (
    ("instance", FieldKind.INSTANCE),
    ("stack", FieldKind.STACK),
    ("player", FieldKind.PLAYER),
)
_OF_STACKS = (("stack", FieldKind.INSTANCE), ("instance", FieldKind.CARD))
_OF_TURNS = (("turn", FieldKind.TEXT), ("player", FieldKind.PLAYER))
_OF_GROUPS = (("tile", FieldKind.TILE), ("group", FieldKind.GROUP))

_FIELDS: dict[About, tuple[tuple[str, FieldKind], ...]] = {
    About.ATTRIBUTE: _OF_ATTRIBUTES,
    About.ACTION: _OF_ACTIONS,
    About.ACTION_PHASE: _OF_ACTION_PHASES,
    About.TURN_PHASE: _OF_TURN_PHASES,
    About.STATE: _OF_STATES,
    About.PLACEABLE: _OF_PLACEABLES,
    About.STACKABLE: _OF_STACKABLES,
    About.STACK: _OF_STACKS,
    About.TURN: _OF_TURNS,
    About.GROUP: _OF_GROUPS,
    About.PLAYER: (),
    About.GAME: (("winners", FieldKind.PLAYERS),),
}

KINDS: dict[About, tuple[str, ...]] = {
    About.ATTRIBUTE: ("change",),
    About.ACTION: ("call",),
    About.ACTION_PHASE: ("active", "inactive"),
    About.TURN_PHASE: ("active", "inactive"),
    About.STATE: ("attach", "remove", "transferred"),
    About.PLACEABLE: ("placement", "removal", "movement"),
    About.STACKABLE: ("drawn", "discarded", "kept"),
    About.STACK: ("draw", "shuffle", "reshuffle", "put", "discard"),
    About.TURN: ("activation", "deactivation", "phase change"),
    About.GROUP: ("tile added", "tile removed", "group added", "group removed"),
    About.PLAYER: ("choice", "offturn", "aside", "stuck"),
    About.GAME: ("start", "end"),
}

EVENTS: dict[tuple[About, str], Event] = {
    (about, kind): Event(kind, about, _FIELDS[about]) for about, kinds in KINDS.items() for kind in kinds
}

FIELD_NAMES = frozenset(name for event in EVENTS.values() for name, _ in event.fields)

OFFERS = frozenset({"choice", "offturn", "aside"})
"""Events that offer an action to players instead of running it."""
