"""Faults: errors in a record that the rules find."""

from enum import Enum

from msgspec import Struct

from ludograph.games import Refusal
from ludograph.hexil.deals import Deal
from ludograph.settlers import Action

CODES: dict[str, str] = {
    "NT2001": "an action is not legal",
    "NT2002": "an action leaves open a value that the rules need",
    "NT2003": "a recorded event contradicts the rules",
    "NT2004": "no game can be played from this start position",
}


class FaultKind(Enum):
    """The kinds of errors in an event of a record."""

    ILLEGAL = "NT2001"
    UNKNOWN = "NT2002"
    CONTRADICTION = "NT2003"


class RecordFault(Struct, frozen=True):
    """An error in an event of a record."""

    kind: FaultKind
    message: str
    number: int
    """The number of the action, or of the action before the event; counted from 1."""
    event: int | None
    """The index of the event; None: the record as a whole."""
    action: Action | Deal | None = None
    refusal: Refusal | None = None
    """The failed condition and its place in the rules."""

    @property
    def where(self) -> str:
        """The place among the actions; deals are between them."""
        if self.number == 0:
            return ""
        return f"after action {self.number}" if isinstance(self.action, Deal) else f"action {self.number}"
