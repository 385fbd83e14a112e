"""Faults: what can be wrong with an event of a record, by the rules."""

from enum import Enum

from msgspec import Struct

from ludograph.games import Refusal
from ludograph.hexil.deals import Deal
from ludograph.settlers import Action

CODES: dict[str, str] = {
    "NT2001": "the rules refuse an action",
    "NT2002": "an action leaves open what the rules must know",
    "NT2003": "a record tells what does not follow by the rules",
    "NT2004": "no game can be played from this start",
}


class FaultKind(Enum):
    """What can be wrong with an event of a record."""

    ILLEGAL = "NT2001"
    UNKNOWN = "NT2002"
    CONTRADICTION = "NT2003"


class RecordFault(Struct, frozen=True):
    """What is wrong with an event of a record."""

    kind: FaultKind
    message: str
    number: int
    """Which action of the record it is, or comes after; counted from 1."""
    event: int | None
    """Which event of the record, counted from 0; None: the record as a whole."""
    action: Action | Deal | None = None
    refusal: Refusal | None = None
    """The rule, its words and its place."""

    @property
    def where(self) -> str:
        """Among the actions: talk about a trade stands between them."""
        if self.number == 0:
            return ""
        return f"after action {self.number}" if isinstance(self.action, Deal) else f"action {self.number}"
