"""Visitors: the parts of a record one after another, for programs that do not need the record itself.

A visitor gets the headers, the start position, the events and the limits of variations in the order of the
text. It can skip a game after its headers, and a variation at its beginning. `visit_record` shows a record to
a visitor; `ludograph.visit_records` shows it a file, without building records.
"""

from enum import Enum
from typing import Generic, TypeVar

from ludograph.settlers.position import Position
from ludograph.settlers.record import Commented, Event, Record, Variation

AnyResult = TypeVar("AnyResult")


class Skip(Enum):
    """What a visitor returns to skip a game or a variation."""

    SKIP = "skip"


SKIP = Skip.SKIP


class RecordVisitor(Generic[AnyResult]):
    """The base of visitors: every method does nothing, so a visitor defines only those that it needs.

    >>> class Counter(RecordVisitor[int]):
    ...     def begin_game(self):
    ...         self.events = 0
    ...     def visit_event(self, event):
    ...         self.events += 1
    ...     def result(self):
    ...         return self.events
    >>> visit_record(Record((Commented("a comment"),)), Counter())
    1
    """

    def begin_game(self) -> Skip | None:
        """A game begins; SKIP skips it."""

    def visit_header(self, key: str, value: str) -> None:
        """A header."""

    def end_headers(self) -> Skip | None:
        """All headers are visited; SKIP skips the rest of the game."""

    def visit_start(self, position: Position) -> None:
        """The start position."""

    def visit_event(self, event: Event) -> None:
        """An action, a comment, or another event."""

    def begin_variation(self) -> Skip | None:
        """A variation begins: it replaces the last action before it. SKIP skips it with its variations."""

    def end_variation(self) -> None:
        """A variation ends that was not skipped."""

    def end_game(self) -> None:
        """The game ends; it is not called for a game that was skipped."""

    def result(self) -> AnyResult:
        """The result for the game; None unless the visitor defines it."""
        return None  # type: ignore[return-value]  # a visitor without results has the type None


def visit_record(record: Record, visitor: RecordVisitor[AnyResult]) -> AnyResult:
    """Show a record to a visitor; returns the result of the visitor."""
    if visitor.begin_game() is SKIP:
        return visitor.result()
    for key, value in record.headers:
        visitor.visit_header(key, value)
    if visitor.end_headers() is SKIP:
        return visitor.result()
    if record.start is not None:
        visitor.visit_start(record.start)
    _visit_line(record.events, record.variations, visitor)
    visitor.end_game()
    return visitor.result()


def _visit_line(
    events: tuple[Event, ...], variations: tuple[Variation, ...], visitor: RecordVisitor[AnyResult]
) -> None:
    by_event: dict[int, list[Variation]] = {}
    for variation in variations:
        by_event.setdefault(variation.at, []).append(variation)
    waiting: list[Variation] = []
    for index, event in enumerate(events):
        if not isinstance(event, Commented):
            _visit_variations(waiting, visitor)
            waiting = []
        visitor.visit_event(event)
        waiting += by_event.get(index, ())
    _visit_variations(waiting, visitor)


def _visit_variations(variations: list[Variation], visitor: RecordVisitor[AnyResult]) -> None:
    for variation in variations:
        if visitor.begin_variation() is not SKIP:
            _visit_line(variation.events, variation.variations, visitor)
            visitor.end_variation()
