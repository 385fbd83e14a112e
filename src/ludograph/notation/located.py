"""Records with the span of each event in the text, for errors that are found after parsing."""

from msgspec import Struct

from ludograph.notation.guess import guess_notation
from ludograph.notation.notations import NOTATIONS, Notation, find_notation
from ludograph.settlers.record import Record, walk_variations
from ludograph.text import Diagnostic, Nonsense, Source, Span


class Located(Struct, frozen=True):
    """A record, the warnings about its text, and the span of each event.

    After the events of the main line come those of the variations, in the order of `walk_variations`.
    """

    record: Record
    warnings: tuple[Diagnostic, ...]
    source: Source
    spans: tuple[Span, ...]
    notation: Notation

    def diagnostic(self, event: int | None, code: str, message: str, hint: str = "") -> Diagnostic:
        """A diagnostic at an event, or at the beginning of the record if `event` is None."""
        if event is None:
            text = self.source.text
            start = len(text) - len(text.lstrip())
            return Diagnostic(code, message, Span(start, start + 1), hint, self.source)
        return Diagnostic(code, message, self.spans[event], hint, self.source)

    def nonsense(self, event: int | None, code: str, message: str) -> Nonsense:
        """The error for a record that parses but has an impossible event."""
        return Nonsense(self.diagnostic(event, code, message))


def read_located(source: Source, notation: Notation, *, lenient: bool = False) -> Located:
    """Parse one record in any notation, with the spans of its events."""
    spans: list[Span] = []
    record, warnings = NOTATIONS[notation].read(source, lenient=lenient, spans=spans)
    count = len(record.events) + sum(len(line.events) for line in walk_variations(record.variations))
    assert len(spans) == count, "every event has a span"
    return Located(record, warnings, source, tuple(spans), notation)


def parse_located(text: str, notation: Notation | str | None = None, *, lenient: bool = False) -> Located:
    """Parse the text of one record; the notation is guessed if it is not given.

    >>> located = parse_located("R(3+4) M(d5)")
    >>> located.diagnostic(1, "NT2001", "the robber is already there").place()
    '1:8'
    """
    given = guess_notation(text) if notation is None else find_notation(notation)
    if given is None:
        raise ValueError("the notation of this text is not recognised; name the notation")
    return read_located(Source(text), given, lenient=lenient)
