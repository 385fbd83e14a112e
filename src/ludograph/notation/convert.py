"""Conversion of a text from one notation to another, with a list of the losses.

A text is parsed into a record, converted to normal form (see `normal_form`), converted to the events of
the target notation, and written. A text that is converted to its own notation is only parsed and
written. Nothing here knows the rules of the game; values that require the rules are reported as
missing. `ludograph.hexil` has the rules.
"""

from ludograph.notation.han import Dialect
from ludograph.notation.imports import ImportFormat
from ludograph.notation.located import Located, find_format, read_located
from ludograph.notation.normal_form.record import NormalRecord
from ludograph.notation.normal_form.to_cgn import Consequences
from ludograph.notation.notations import NOTATIONS, Notation, check_dialect, find_notation
from ludograph.notation.results import Reading, Writing
from ludograph.settlers.record import Record
from ludograph.text import Source


def convert(
    text: str,
    source: Notation | ImportFormat | str,
    target: Notation | str,
    *,
    lenient: bool = False,
    dialect: Dialect = "seed",
) -> Writing:
    """Convert a text; returns the new text and the losses.

    >>> text, losses = convert("2/W2O3B10S8DL5O6B3S4W10O11W9B12S6L4B5S9L11W8/WTOTTLBST", "ccn", "hsn")
    >>> print(text.splitlines()[0], losses)
    [3SSSS/2SGOBS/1SWDLOS/SBWGOGS/SBWLBS1/SWLGS2/SSSS3] ()
    """
    given, wanted = find_format(source), find_notation(target)
    check_dialect(dialect)
    return write_located(read_located(Source(text), given, lenient=lenient), wanted, dialect=dialect)


def read_record(source: Source, notation: Notation, *, lenient: bool = False) -> Reading[Record]:
    """Parse one record in any notation; a position is a record without events."""
    return NOTATIONS[notation].read(source, lenient=lenient)


def write_record(record: Record, source: Notation, target: Notation, *, dialect: Dialect = "seed") -> Writing:
    """Write a record of one notation in another."""
    if source is target:
        return NOTATIONS[target].write(record, dialect)
    return write_normal(normalise(record, source), target, dialect=dialect)


def write_located(located: Located, target: Notation, *, dialect: Dialect = "seed") -> Writing:
    """Write a record that was read from a text; the losses include those of an import."""
    if located.imported is None:
        return write_record(located.record, located.notation, target, dialect=dialect)
    text, losses = write_normal(normalise(located.record, located.notation), target, dialect=dialect)
    return Writing(text, (*located.losses, *losses))


def normalise(record: Record, source: Notation, *, renumber: bool = True) -> NormalRecord:
    """Convert a record of a notation to normal form.

    CGN and SGN number the players freely. `renumber` numbers them in turn order.
    """
    return NOTATIONS[source].normalise(record, renumber=renumber)


def write_normal(
    normal: NormalRecord,
    target: Notation,
    *,
    dialect: Dialect = "seed",
    consequences: Consequences | None = None,
) -> Writing:
    """Write a record in normal form; a caller that has the rules provides the consequences of each event."""
    row = NOTATIONS[target]
    converted = row.to_events(normal, consequences)
    if converted.record == Record() and converted.losses:
        return Writing("", converted.losses)
    return converted.at_origins(row.write(converted.record, dialect))
