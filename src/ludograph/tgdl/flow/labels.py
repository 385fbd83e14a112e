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
    """The places and owners of things, after a secret decided whether or where one was moved."""
    ANSWER = "answer"
    """The answer to an input with `visible to`."""
    CHANCE = "chance"
    """The outcome of a `random` with `visible to`."""
    SEALED = "sealed"
    """A choice in a simultaneous phase."""
    PARAMETER = "parameter"
    """Everything that callers pass for a parameter."""
    UNKNOWN = "unknown"
    """A secret that the body cannot name: no player may know it."""
    TAINT = "taint"
    """A tainted attribute that the body cannot name."""


class Owner(Enum):
    """The owner of the thing that has a secret, from the view of the body that reads it."""

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
    """Of an attribute or a parameter; of an answer its place in `Body.hidden_inputs`."""
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
    queries: tuple[p.Query, ...] = ()
    """The queries around the node. Their elements are out of scope after the whole expression."""
    is_initial_value: bool = False
    """Whether the node is in the initial value of an attribute of a new thing."""


def through_call(label: Label, receiver: p.Expression | None, holder: p.Expression | None) -> Label:
    """A label of a called verb, for its caller; `holder` is the caller's expression for the receiver."""
    return replace(
        label,
        holder=holder if isinstance(label.holder, p.This) else None,
        owner=owner_of(receiver) if label.owner is Owner.THIS else label.owner,
    )


def owner_of(target: p.Expression | None) -> Owner:
    """The owner of the thing that an expression names; None stands for `this`."""
    match target:
        case None | p.This():
            return Owner.THIS
        case p.Apply(Operation.STATE_OF, (p.Ambient("player"),)):
            return Owner.PLAYER
        case _:
            return Owner.OTHER


def stable_name(target: p.Expression | None) -> p.Expression | None:
    """An expression that names the same thing until the body ends; None if there is none."""
    match target:
        case None:
            return p.This(Basic.OBJECT, NOWHERE)
        case p.This() | p.Singleton():
            return replace(target, span=NOWHERE)
        case p.Apply(Operation.STATE_OF, (p.Ambient("player") as player,)):
            return replace(target, operands=(replace(player, span=NOWHERE),), span=NOWHERE)
        case _:
            return None


def name_in_queries(source: SecretSource, target: p.Expression) -> p.Expression | None:
    """An expression that names a thing outside the queries around its source; None if there is none.

    For an element of a query it is the list of all elements.
    """
    if not _reads_elements(source, target):
        return target
    for query in source.queries:
        is_element = isinstance(target, p.Variable) and query.slot == target.slot
        if is_element and query.operation is not Operation.REGION:
            return None if _reads_elements(source, query.source) else query.source
    return None


def receiver_outside_queries(source: SecretSource, receiver: p.Expression) -> p.Expression | None:
    """The receiver of a verb; None if it depends on an element of a query."""
    return None if _reads_elements(source, receiver) else receiver


def _reads_elements(source: SecretSource, node: p.Expression) -> bool:
    """Whether an expression reads an element of a query around a source."""
    bound = {query.slot for query in source.queries}
    return bool(bound) and any(isinstance(one, p.Variable) and one.slot in bound for one in walk(node))
