"""HAN games as records: `parse_game` builds a record from the parts that the parser reports.

`visit_game` reports the same parts to a visitor and builds no record.
"""

from typing import TypeVar

from msgspec import Struct, field

from ludograph import settlers
from ludograph.notation.acting_player import reveal_acting
from ludograph.notation.bought_cards import check_fit, reveal_cards
from ludograph.notation.han.game_parser import parse_into
from ludograph.notation.results import Reading, reading_with_warnings
from ludograph.settlers.visitors import SKIP, RecordVisitor, Skip
from ludograph.text import Diagnostic, Source, Span

AnyResult = TypeVar("AnyResult")


def parse_game(text: str) -> settlers.Record:
    """Parse a game; raises BadText or Nonsense.

    >>> parse_game("Uk M(d4) # a knight").actions
    (UseKnight(), MoveRobber(tile=Hex(0, 0)))
    >>> [variation.at for variation in parse_game("R(3+4) (R(1+2) E) M(d4) {the desert} (M(e4))").variations]
    [0, 1]
    """
    return read_game(Source(text), lenient=False).value


def parse_game_lenient(text: str) -> Reading[settlers.Record]:
    """Parse a game; actions in the wrong order are kept with a warning, except turn ends in the set-up."""
    return read_game(Source(text), lenient=True)


def read_game(source: Source, *, lenient: bool, spans: list[Span] | None = None) -> Reading[settlers.Record]:
    """Parse a source with one game; the spans of the events are added to `spans`.

    After the events of the main line come those of the variations, in the order of `walk_variations`.
    """
    builder = _GameBuilder()
    warnings = parse_into(source, builder, lenient=lenient)
    if spans is not None:
        _add_spans(builder.main_line, spans)
    record = reveal_acting(reveal_cards(builder.build()))
    misfits = check_fit(record, source, lenient=lenient)
    return reading_with_warnings(record, (*warnings, *misfits))


def visit_game(
    source: Source, visitor: RecordVisitor[AnyResult], *, lenient: bool = False
) -> Reading[AnyResult]:
    """Show a source with one game to a visitor; returns the result of the visitor, and the warnings."""
    warnings: tuple[Diagnostic, ...] = ()
    if visitor.begin_game() is not SKIP:
        handler = _VisitorHandler(visitor)
        warnings = parse_into(source, handler, lenient=lenient)
        if not handler.skipped:
            visitor.end_game()
    return reading_with_warnings(visitor.result(), warnings)


class _VisitorHandler:
    """Passes the parts of a game to a visitor, which needs no places in the text. Mutable."""

    def __init__(self, visitor: RecordVisitor[AnyResult]) -> None:
        self.visitor = visitor
        self.visit_header = visitor.visit_header
        self.visit_start = visitor.visit_start
        self.begin_variation = visitor.begin_variation
        self.end_variation = visitor.end_variation
        self.skipped = False

    def end_headers(self) -> Skip | None:
        self.skipped = self.visitor.end_headers() is SKIP
        return SKIP if self.skipped else None

    def visit_event(self, event: settlers.Event, start: int, end: int) -> None:
        self.visitor.visit_event(event)


class _LineBuilder(Struct):
    """The events of a line of play with their spans, and its variations. Mutable."""

    at: int = 0
    events: list[settlers.Event] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)
    variations: list["_LineBuilder"] = field(default_factory=list)
    last_action: int = 0
    """The index of the last action."""

    def build(self) -> settlers.Variation:
        variations = tuple(variation.build() for variation in self.variations)
        return settlers.Variation(self.at, tuple(self.events), variations)


class _GameBuilder:
    """Builds a record from the parts of a game. Mutable."""

    def __init__(self) -> None:
        self.headers: list[tuple[str, str]] = []
        self.start: settlers.Position | None = None
        self.main_line = self.line = _LineBuilder()
        self.outer: list[_LineBuilder] = []

    def visit_header(self, key: str, value: str) -> None:
        self.headers.append((key, value))

    def end_headers(self) -> None:
        pass

    def visit_start(self, position: settlers.Position) -> None:
        self.start = position

    def visit_event(self, event: settlers.Event, start: int, end: int) -> None:
        line = self.line
        if isinstance(event, settlers.Act):
            line.last_action = len(line.events)
        line.events.append(event)
        line.spans.append(Span(start, end))

    def begin_variation(self) -> None:
        self.outer.append(self.line)
        variation = _LineBuilder(self.line.last_action)
        self.line.variations.append(variation)
        self.line = variation

    def end_variation(self) -> None:
        self.line = self.outer.pop()

    def build(self) -> settlers.Record:
        line = self.main_line.build()
        return settlers.Record(line.events, self.start, tuple(self.headers), line.variations)


def _add_spans(line: _LineBuilder, spans: list[Span]) -> None:
    spans += line.spans
    for variation in line.variations:
        _add_spans(variation, spans)
