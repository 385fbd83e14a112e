"""Records with the span of each event in the text, for errors that are found after parsing."""

from msgspec import Struct
from msgspec.structs import astuple, replace

from ludograph.notation.guess import guess_notation
from ludograph.notation.imports import IMPORTS, ImportFormat, guess_import, maybe_import_format
from ludograph.notation.notations import NOTATIONS, Notation, find_notation
from ludograph.notation.results import Loss
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
    imported: ImportFormat | None = None
    """The program whose game this is; the record has the events of the notation then."""
    losses: tuple[Loss, ...] = ()
    """The losses of an import."""
    checkable: int | None = None
    """The number of events that the rules can check, if later ones depend on what the text hides."""

    def checked_part(self) -> "Located":
        """The events that the rules can check."""
        if self.checkable is None:
            return self
        record = replace(self.record, events=self.record.events[: self.checkable])
        return replace(self, record=record, spans=self.spans[: self.checkable], checkable=None)

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


def read_located(source: Source, notation: Notation | ImportFormat, *, lenient: bool = False) -> Located:
    """Parse one record in any notation, or of another program, with the spans of its events."""
    if isinstance(notation, ImportFormat):
        record, event_spans, losses, warnings, checkable = astuple(
            IMPORTS[notation].read(source, lenient=lenient)
        )
        return Located(record, warnings, source, event_spans, Notation.CGN, notation, losses, checkable)
    spans: list[Span] = []
    record, warnings = NOTATIONS[notation].read(source, lenient=lenient, spans=spans)
    count = len(record.events) + sum(len(line.events) for line in walk_variations(record.variations))
    assert len(spans) == count, "every event has a span"
    return Located(record, warnings, source, tuple(spans), notation)


def parse_located(
    text: str, notation: Notation | ImportFormat | str | None = None, *, lenient: bool = False
) -> Located:
    """Parse the text of one record; the notation is guessed if it is not given.

    >>> located = parse_located("R(3+4) M(d5)")
    >>> located.diagnostic(1, "NT2001", "the robber is already there").place()
    '1:8'
    """
    given = guess_import(text) or guess_notation(text) if notation is None else find_format(notation)
    if given is None:
        raise ValueError("the notation of this text is not recognised; name the notation")
    return read_located(Source(text), given, lenient=lenient)


def find_format(name: Notation | ImportFormat | str) -> Notation | ImportFormat:
    """The notation or the other program with a name; raises ValueError for an unknown name.

    >>> find_format("han"), find_format("catanatron")
    (<Notation.HAN: 'han'>, <ImportFormat.CATANATRON: 'catanatron'>)
    """
    if isinstance(name, ImportFormat):
        return name
    known = maybe_import_format(name) if isinstance(name, str) else None
    return known or find_notation(name)
