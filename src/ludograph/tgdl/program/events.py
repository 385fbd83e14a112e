"""The table of events: their subjects, and the fields that the block of a trigger can read, one row each.

The checker resolves a trigger by its row and types the fields. Each engine has a table of the functions that
raise events (`event_sources.py`). The native engine does not compile a trigger whose event it never raises.
`tests/tgdl/program/test_tables.py` fails for an event that an engine, the parser or the grammar lacks.

A trigger receives the events of the construct that it names and of all derived constructs; a trigger on a
kind (`state`, `placeable`) receives those of all constructs of the kind. The events of players (`choice`,
`offturn`, `aside`, `stuck`) have no fields: there `player` is the acting player. For all other events, the
block of the trigger reads `player` as the field of the event, and effects read it as the player who started
the transaction.
"""

from enum import Enum
from typing import Literal

from msgspec import Struct

FieldKind = Literal[
    "instance",  # the construct that the trigger names
    "value",  # the type of the attribute; `object` where the trigger names none
    "player",
    "players",
    "phase",
    "tile",
    "group",
    "stack",
    "card",  # a stackable: what the stack is made of
    "text",
]
"""The type of a field, derived from the target of the trigger."""

FieldKinds = tuple[tuple[str, FieldKind], ...]


class About(Enum):
    """The target of an event: the words that name any such target, and the fields that its events have.

    If a word means several targets, the earlier rows come first.
    """

    words: tuple[str, ...]
    fields: FieldKinds

    def __new__(cls, value: str, words: tuple[str, ...], fields: FieldKinds) -> "About":
        member = object.__new__(cls)
        member._value_ = value
        member.words = words
        member.fields = fields
        return member

    PLAYER = "player", ("player",), ()
    GAME = "game", ("game",), (("winners", "players"),)
    TURN = "turn", ("turn",), (("turn", "text"), ("player", "player"))
    TURN_PHASE = "turn phase", ("turn", "phase"), (("phase", "phase"), ("player", "player"))
    STATE = (
        "state",
        ("state",),
        (("instance", "instance"), ("from", "player"), ("to", "player")),
    )
    PLACEABLE = (
        "placeable",
        ("placeable", "interactable"),
        (("instance", "instance"), ("from", "tile"), ("to", "tile")),
    )
    STACKABLE = (
        "stackable",
        ("stackable", "interactable"),
        (("instance", "instance"), ("stack", "stack"), ("player", "player")),
    )
    STACK = "stack", ("stack",), (("stack", "instance"), ("instance", "card"))
    GROUP = "group", ("group", "board"), (("tile", "tile"), ("group", "group"))
    """Groups and the board."""
    ATTRIBUTE = (
        "attribute",
        ("state", "placeable", "stackable", "interactable", "tile"),
        (
            ("instance", "instance"),
            ("old", "value"),
            ("new", "value"),
            ("state", "text"),  # the name of the construct, as in the first version of the language
            ("attribute", "text"),
        ),
    )
    ACTION = (
        "action",
        ("action", "state", "interactable", "tile"),
        (("instance", "instance"), ("player", "player")),
    )
    ACTION_PHASE = "action phase", ("action",), (("phase", "text"), ("player", "player"))


Starts = Literal[
    "in order",  # before the event or after it, by their priorities; `after` triggers wait in a queue
    "by choice",  # the action is offered to players
    "for player",  # all at once for the player that the event happens to; nothing waits in a queue
]
"""How the actions start that are triggered by an event."""


class EventFacts(Struct, frozen=True):
    """A row of the table of events."""

    kind: str
    """The words after the target, as a checked `Trigger.event` holds them."""
    about: About
    starts: Starts = "in order"


class Event(Enum):
    """An event of a game."""

    kind: str
    about: About
    starts: Starts
    fields: FieldKinds

    def __new__(cls, facts: EventFacts) -> "Event":
        member = object.__new__(cls)
        member._value_ = len(cls._member_names_) + 1
        member.kind = facts.kind
        member.about = facts.about
        member.starts = facts.starts
        member.fields = facts.about.fields
        return member

    CHANGE = EventFacts("change", About.ATTRIBUTE)
    CALL = EventFacts("call", About.ACTION)
    ACTION_PHASE_ACTIVE = EventFacts("active", About.ACTION_PHASE)
    ACTION_PHASE_INACTIVE = EventFacts("inactive", About.ACTION_PHASE)
    TURN_PHASE_ACTIVE = EventFacts("active", About.TURN_PHASE)
    TURN_PHASE_INACTIVE = EventFacts("inactive", About.TURN_PHASE)
    ATTACH = EventFacts("attach", About.STATE)
    REMOVE = EventFacts("remove", About.STATE)
    TRANSFERRED = EventFacts("transferred", About.STATE)
    PLACEMENT = EventFacts("placement", About.PLACEABLE)
    REMOVAL = EventFacts("removal", About.PLACEABLE)
    MOVEMENT = EventFacts("movement", About.PLACEABLE)
    DRAWN = EventFacts("drawn", About.STACKABLE)
    DISCARDED = EventFacts("discarded", About.STACKABLE)
    KEPT = EventFacts("kept", About.STACKABLE)
    DRAW = EventFacts("draw", About.STACK)
    SHUFFLE = EventFacts("shuffle", About.STACK)
    RESHUFFLE = EventFacts("reshuffle", About.STACK)
    PUT = EventFacts("put", About.STACK)
    DISCARD = EventFacts("discard", About.STACK)
    ACTIVATION = EventFacts("activation", About.TURN)
    DEACTIVATION = EventFacts("deactivation", About.TURN)
    PHASE_CHANGE = EventFacts("phase change", About.TURN)
    TILE_ADDED = EventFacts("tile added", About.GROUP)
    TILE_REMOVED = EventFacts("tile removed", About.GROUP)
    GROUP_ADDED = EventFacts("group added", About.GROUP)
    GROUP_REMOVED = EventFacts("group removed", About.GROUP)
    CHOICE = EventFacts("choice", About.PLAYER, "by choice")
    OFFTURN = EventFacts("offturn", About.PLAYER, "by choice")
    ASIDE = EventFacts("aside", About.PLAYER, "by choice")
    STUCK = EventFacts("stuck", About.PLAYER, "for player")
    START = EventFacts("start", About.GAME)
    END = EventFacts("end", About.GAME)

    def __repr__(self) -> str:
        return f"Event.{self.name}"


EVENTS: dict[tuple[About, str], Event] = {(event.about, event.kind): event for event in Event}

KINDS: dict[About, tuple[str, ...]] = {
    about: tuple(event.kind for event in Event if event.about is about) for about in About
}
"""The words of the events of a target."""

TARGET_WORDS: dict[str, tuple[About, ...]] = {
    word: tuple(about for about in About if word in about.words)
    for word in dict.fromkeys(word for about in About for word in about.words)
}
"""The targets that a word means."""

FIELD_NAMES = frozenset(name for event in Event for name, _ in event.fields)

OFFERING = tuple(event for event in Event if event.starts == "by choice")
OFFERS = frozenset(event.kind for event in OFFERING)
"""The words of the events that offer an action to players instead of starting it."""

CONDITION = "condition"
"""The event of a checked trigger without an event: its condition has become true."""

QUEUED = frozenset({CONDITION, *(event.kind for event in Event if event.starts == "in order")})
"""The words of the events whose actions may wait in a queue."""


_NAMED = {
    (event.kind, of_action): event
    for event in Event
    for of_action in (False, True)
    if event.about is not (About.TURN_PHASE if of_action else About.ACTION_PHASE)
}


def event_named(kind: str, *, of_action: bool) -> Event:
    """The event of a checked trigger. A phase of an action and a phase of a turn have events of one name."""
    return _NAMED[kind, of_action]
