"""The results of parsing and formatting: warnings, losses, size limits, and the error of a strict writer.

Strict parsing (`parse`) raises BadText or Nonsense. Lenient parsing (`parse_lenient`) returns a
Reading. Strict formatting (`format`) raises Unwritable if anything would be lost. Lenient formatting
(`format_lenient`) returns a Writing that lists every loss.
"""

from collections.abc import Iterable
from dataclasses import replace
from enum import Enum
from typing import Generic, NamedTuple, TypeVar

from msgspec import Struct

from ludograph.settlers.record import Record, walk_variations
from ludograph.text import BadText, Cursor, Diagnostic, Portable, Source, Span, TextError

AnyValue = TypeVar("AnyValue")


class Reading(NamedTuple, Generic[AnyValue]):
    """A parsed value and the warnings about its text."""

    value: AnyValue
    warnings: tuple[Diagnostic, ...]


def reading_with_warnings(value: AnyValue, faults: Iterable[Diagnostic]) -> Reading[AnyValue]:
    """The value with the tolerated faults as warnings."""
    return Reading(value, tuple(replace(fault, severity="warning") for fault in faults))


MAX_CHARACTERS = 8_000_000
MAX_LINES = 500_000
SIZE_CODES: dict[str, str] = {"NT0003": "a record has at most 8,000,000 characters and 500,000 lines"}


def check_size(source: Source) -> None:
    """Raise BadText for a text that is longer than any game: parsing it would cost time and memory."""
    if len(source.text) > MAX_CHARACTERS or source.text.count("\n") > MAX_LINES:
        raise size_error(source)


def size_error(source: Source) -> BadText:
    message = f"this record has more than {MAX_CHARACTERS:,} characters or {MAX_LINES:,} lines"
    return BadText(Diagnostic("NT0003", message, Span(0, 1), "is it the right file?", source))


def take_byte_order_mark(cursor: Cursor, code: str, *, lenient: bool) -> list[Diagnostic]:
    """Skip a byte order mark with a warning; raise BadText for it if parsing is strict."""
    if not cursor.maybe("\ufeff"):
        return []
    mark = cursor.diagnostic(code, BYTE_ORDER_MARK_MESSAGE, start=0, hint=BYTE_ORDER_MARK_HINT)
    if not lenient:
        raise BadText(mark)
    return [mark]


BYTE_ORDER_MARK_MESSAGE = "the text starts with a byte order mark"
BYTE_ORDER_MARK_HINT = "save the file as UTF-8 without one, or use lenient parsing"


class LossKind(Enum):
    """How a text differs from the value that it represents."""

    LOST = "lost"
    """The notation cannot express it."""
    INVENTED = "invented"
    """The notation requires it and the value does not have it."""
    MISSING = "missing"
    """Only the rules of the game determine it."""


class Loss(Struct, frozen=True):
    """One difference between a text and the value that it represents."""

    kind: LossKind
    message: str
    event: int | None = None
    """The index of the event that it concerns; None if it concerns the whole record."""

    def __str__(self) -> str:
        place = f"event {self.event + 1}: " if self.event is not None else ""
        return f"{self.kind.value}: {place}{self.message}"


class Writing(NamedTuple):
    """A text and its losses."""

    text: str
    losses: tuple[Loss, ...]


class Unwritable(Portable, ValueError):
    """The notation cannot express a value without loss; `losses` lists the reasons."""

    def __init__(self, notation: str, losses: tuple[Loss, ...]) -> None:
        more = f" (and {len(losses) - 1} more)" if len(losses) > 1 else ""
        super().__init__(f"{notation} cannot express this: {losses[0]}{more}")
        self.losses = losses


def explain_text_error(error: ValueError) -> str:
    """The message and the hint of an error in a text; empty for any other error."""
    return "; ".join(filter(None, (error.message, error.hint))) if isinstance(error, TextError) else ""


def require_lossless(notation: str, writing: Writing) -> str:
    """The text of a writing without losses; raises Unwritable if there are any."""
    if writing.losses:
        raise Unwritable(notation, writing.losses)
    return writing.text


def report_variations(record: Record) -> tuple[Loss, ...]:
    """The loss of the variations of a record, in a notation that has only a main line."""
    count = sum(1 for _ in walk_variations(record.variations))
    if not count:
        return ()
    what = "a variation" if count == 1 else f"{count} variations"
    return (Loss(LossKind.LOST, f"{what}: only the main line is written"),)


class Inexpressible(Exception):
    """Raised inside a writer for a value that its notation cannot express; it never leaves the writer."""

    def __init__(self, message: str, kind: LossKind = LossKind.LOST) -> None:
        super().__init__(message)
        self.message = message
        self.kind = kind
