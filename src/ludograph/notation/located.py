"""Records with the place of every event in their text, for those who find fault with one of them later."""

from msgspec import Struct

from ludograph.notation import ccn, cgn, han, hsn, sgn
from ludograph.notation.convert import Notation, find_notation
from ludograph.notation.guess import guess_notation
from ludograph.settlers.record import Record
from ludograph.text import Diagnostic, Nonsense, Source, Span


class Located(Struct, frozen=True):
    """A record, what was odd about its text, and where each of its events stands there."""

    record: Record
    warnings: tuple[Diagnostic, ...]
    source: Source
    spans: tuple[Span, ...]
    notation: Notation

    def diagnostic(self, event: int | None, code: str, message: str, hint: str = "") -> Diagnostic:
        """What is wrong with an event; None: with the record as a whole, told where it begins."""
        if event is None:
            text = self.source.text
            start = len(text) - len(text.lstrip())
            return Diagnostic(code, message, Span(start, start + 1), hint, self.source)
        return Diagnostic(code, message, self.spans[event], hint, self.source)

    def nonsense(self, event: int | None, code: str, message: str) -> Nonsense:
        """The error for a record that can be read, but says in an event what cannot be."""
        return Nonsense(self.diagnostic(event, code, message))


def read_located(source: Source, notation: Notation, *, lenient: bool = False) -> Located:
    """Read one record in any notation, with the places of its events."""
    spans: list[Span] = []
    match notation:
        case Notation.HAN:
            record, warnings = han.read_game(source, lenient=lenient, spans=spans)
        case Notation.CGN:
            record, warnings = cgn.read(source, lenient=lenient, spans=spans)
        case Notation.SGN:
            record, warnings = sgn.read(source, lenient=lenient, spans=spans)
        case Notation.HSN:
            position, warnings = hsn.read(source, lenient=lenient)
            record = Record(start=position)
        case Notation.CCN:
            record, warnings = ccn.read(source, lenient=lenient)
            spans += [Span(0, len(source.text.rstrip()))] * len(record.events)
    assert len(spans) == len(record.events), "every event has its place"
    return Located(record, warnings, source, tuple(spans), notation)


def parse_located(text: str, notation: Notation | str | None = None, *, lenient: bool = False) -> Located:
    """Read the text of one record; its notation is guessed if it is not given.

    >>> located = parse_located("R(3+4) M(d5)")
    >>> located.diagnostic(1, "NT2001", "the robber is there already").place()
    '1:8'
    """
    given = guess_notation(text) if notation is None else find_notation(notation)
    if given is None:
        raise ValueError("this looks like none of the five notations; name the one it is in")
    return read_located(Source(text), given, lenient=lenient)
