"""Labels: the sources of secrets, as one body can name them.

A label of an attribute keeps the thing that holds it, if the body can name the same thing later: `this`, the
only instance of a construct, the state of the acting player. A label that passes into another body, or that
came from a thing the body cannot name any more, has no holder. A run then treats it as unknown: it cannot
find out who may see it.
"""

from enum import Enum

from msgspec import Struct
from msgspec.structs import replace

from ludograph.text import Span
from ludograph.tgdl import program as p
from ludograph.tgdl.program.operations import Operation
from ludograph.tgdl.program.types import Basic
from ludograph.tgdl.syntax.traversal import walk

NOWHERE = Span(0, 0)


class LabelKind(Enum):
    ATTRIBUTE = "attribute"
    STACK = "stack"
    """The cards of a stack."""
    PLACES = "places"
    """The places and owners of things, after a test of a secret moved one."""
    ANSWER = "answer"
    """The answer to an input with `visible to`."""
    CHANCE = "chance"
    """The outcome of a `random` with `visible to`."""
    SEALED = "sealed"
    """A choice in a simultaneous phase."""
    PARAMETER = "parameter"
    """Everything that callers pass for a parameter."""
    UNKNOWN = "unknown"
    """A secret that the body cannot name: nobody may know it."""
    TAINT = "taint"
    """A tainted attribute that the body cannot name."""


class Owner(Enum):
    """Whose thing a secret belongs to, for the player who reads it."""

    THIS = "this"
    """It belongs to `this`."""
    PLAYER = "player"
    """It belongs to the state of the acting player."""
    OTHER = "other"


class Label(Struct, frozen=True):
    """One source of secrets."""

    kind: LabelKind
    construct: str = ""
    """Of an attribute or a stack."""
    slot: int = -1
    """Of an attribute or a parameter; of an answer its place in `Body.answers`."""
    holder: p.Expression | None = None
    """The thing that has the attribute; of an answer, the input; of a sealed choice, its player."""
    owner: Owner = Owner.OTHER


Labels = dict[Label, None]
"""A set of labels in the order in which they were found."""

UNKNOWN = Label(LabelKind.UNKNOWN)
TAINT = Label(LabelKind.TAINT)
OWN_CHOICE = Label(LabelKind.SEALED, holder=p.Ambient("player", Basic.PLAYER, NOWHERE))
"""A sealed choice of the player who acts in the same body."""
OTHERS_CHOICE = Label(LabelKind.SEALED)
"""A sealed choice of a player whom the body cannot name."""


class SecretSource(Struct, frozen=True, eq=False):
    """A node of an expression that may read a secret."""

    node: p.AttributeOf | p.Variable | p.CallVerb | p.Apply | p.Random | p.Input
    loops: tuple[p.Query, ...] = ()
    """The queries around it: their elements are unknown when the whole expression has its value."""
    is_inside: bool = False
    """Whether an attribute of a new thing gets the value."""


def through_call(label: Label, receiver: p.Expression | None, holder: p.Expression | None) -> Label:
    """A label of a called verb as its caller knows it; `holder` is how the caller can name the receiver."""
    return replace(
        label,
        holder=holder if isinstance(label.holder, p.This) else None,
        owner=owner_of(receiver) if label.owner is Owner.THIS else label.owner,
    )


def owner_of(target: p.Expression | None) -> Owner:
    """Whose a thing is; without a target it is `this`."""
    match target:
        case None | p.This():
            return Owner.THIS
        case p.Apply(Operation.STATE_OF, (p.Ambient("player"),)):
            return Owner.PLAYER
        case _:
            return Owner.OTHER


def stable_name(target: p.Expression | None) -> p.Expression | None:
    """An expression for the same thing that holds until the body ends; None if there is none."""
    match target:
        case None:
            return p.This(Basic.OBJECT, NOWHERE)
        case p.This() | p.Singleton():
            return replace(target, span=NOWHERE)
        case p.Apply(Operation.STATE_OF, (p.Ambient("player") as player,)):
            return replace(target, operands=(replace(player, span=NOWHERE),), span=NOWHERE)
        case _:
            return None


def name_in_loops(source: SecretSource, target: p.Expression) -> p.Expression | None:
    """An expression for a thing at the place of its source; for the elements of a query, for all of them."""
    if not _reads_elements(source, target):
        return target
    for loop in source.loops:
        is_element = isinstance(target, p.Variable) and loop.slot == target.slot
        if is_element and loop.operation is not Operation.REGION:
            return None if _reads_elements(source, loop.source) else loop.source
    return None


def receiver_in_loops(source: SecretSource, receiver: p.Expression) -> p.Expression | None:
    """The same of the receiver of a verb; for elements of queries there is none."""
    return None if _reads_elements(source, receiver) else receiver


def _reads_elements(source: SecretSource, node: p.Expression) -> bool:
    bound = {loop.slot for loop in source.loops}
    return bool(bound) and any(isinstance(one, p.Variable) and one.slot in bound for one in walk(node))
