"""What reading and writing give back besides a value: warnings, losses, and one more error.

A reader is strict (`parse`, raises BadText or Nonsense) or lenient (`parse_lenient`, returns
a Reading). A writer is strict too (`format` raises Unwritable rather than lose anything) or
lenient (`format_lenient` returns a Writing that lists every loss).
"""

from collections.abc import Iterable
from dataclasses import replace
from enum import Enum
from typing import Generic, NamedTuple, TypeVar

from msgspec import Struct

from ludograph.text import BadText, Cursor, Diagnostic, Portable, Source, Span

Value = TypeVar("Value")


class Reading(NamedTuple, Generic[Value]):
    """A value read leniently, and what was odd about its text."""

    value: Value
    warnings: tuple[Diagnostic, ...]


def reading_with(value: Value, faults: Iterable[Diagnostic]) -> Reading[Value]:
    """The value with the faults that were let pass, which are warnings from now on."""
    return Reading(value, tuple(replace(fault, severity="warning") for fault in faults))


MOST_CHARACTERS = 8_000_000
MOST_LINES = 500_000
SIZE_CODES: dict[str, str] = {"NT0003": "a record has at most 8,000,000 characters and 500,000 lines"}


def refuse_huge(source: Source) -> None:
    """Raise BadText for a record that no game can fill: reading it would only cost time and memory."""
    if len(source.text) > MOST_CHARACTERS or source.text.count("\n") > MOST_LINES:
        raise too_huge(source)


def too_huge(source: Source) -> BadText:
    message = f"this record has more than {MOST_CHARACTERS:,} characters or {MOST_LINES:,} lines"
    return BadText(Diagnostic("NT0003", message, Span(0, 1), "is it the right file?", source))


def take_byte_order_mark(cursor: Cursor, code: str, *, lenient: bool) -> list[Diagnostic]:
    """Pass over a byte order mark with a warning; raise BadText for it if reading is strict."""
    if not cursor.maybe("\ufeff"):
        return []
    mark = cursor.diagnostic(code, BYTE_ORDER_MARK_MESSAGE, start=0, hint=BYTE_ORDER_MARK_HINT)
    if not lenient:
        raise BadText(mark)
    return [mark]


BYTE_ORDER_MARK_MESSAGE = "the text begins with a byte order mark"
BYTE_ORDER_MARK_HINT = "save it as UTF-8 without one, or read it leniently"


class LossKind(Enum):
    """How a text differs from the value that it was written from."""

    LOST = "lost"
    """The notation has no way to say it."""
    INVENTED = "invented"
    """The notation demands it and the value does not say it."""
    MISSING = "missing"
    """The rules of the game are needed to work it out."""


class Loss(Struct, frozen=True):
    """One thing that a written text does not tell, tells without knowing, or leaves open."""

    kind: LossKind
    message: str
    event: int | None = None
    """Which event of the record it is about, counted from 0."""

    def __str__(self) -> str:
        place = f"event {self.event + 1}: " if self.event is not None else ""
        return f"{self.kind.value}: {place}{self.message}"


class Writing(NamedTuple):
    """A text, and how it differs from the value that it was written from."""

    text: str
    losses: tuple[Loss, ...]


class Unwritable(Portable, ValueError):
    """The notation cannot say this value without loss; `losses` lists why."""

    def __init__(self, notation: str, losses: tuple[Loss, ...]) -> None:
        more = f" (and {len(losses) - 1} more)" if len(losses) > 1 else ""
        super().__init__(f"{notation} cannot say this: {losses[0]}{more}")
        self.losses = losses


def lossless(notation: str, writing: Writing) -> str:
    """The text of a writing that lost nothing; raises Unwritable otherwise."""
    if writing.losses:
        raise Unwritable(notation, writing.losses)
    return writing.text
