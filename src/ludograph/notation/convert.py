"""Conversion: a text in one notation in, a text in another out, with the list of what was lost.

Every notation is read into a record, retold in moves (see `moves/`), and written from there.
A text converted into its own notation is read and written, nothing else. Nothing here knows
the rules of the game; what takes them is reported as missing (`ludograph.hexil` has them).
"""

from collections.abc import Sequence
from enum import Enum
from typing import get_args

from ludograph.notation import ccn, cgn, han, hsn, sgn
from ludograph.notation.han import Dialect
from ludograph.notation.moves.as_actions import moves_to_ccn, moves_to_han, position_after_setup
from ludograph.notation.moves.from_cgn import moves_from_cgn
from ludograph.notation.moves.to_cgn import moves_to_cgn
from ludograph.notation.moves.told import Moves, told
from ludograph.notation.moves.with_sgn import moves_from_sgn, moves_to_sgn
from ludograph.notation.results import Loss, LossKind, Reading, Writing
from ludograph.settlers.record import Event, Record
from ludograph.text import Source


class Notation(Enum):
    """The five notations, by the names that the command line uses."""

    HAN = "han"
    HSN = "hsn"
    CGN = "cgn"
    CCN = "ccn"
    SGN = "sgn"


def convert(
    text: str,
    source: Notation | str,
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
    given, wanted = find_notation(source), find_notation(target)
    if dialect not in get_args(Dialect):
        raise ValueError(f"{dialect!r} is no dialect of HAN; they are {', '.join(get_args(Dialect))}")
    reading = read_record(Source(text), given, lenient=lenient)
    return write_record(reading.value, given, wanted, dialect=dialect)


def find_notation(name: Notation | str) -> Notation:
    """The notation of a name; raises ValueError for a name that is none."""
    try:
        return Notation(name)
    except ValueError:
        known = ", ".join(notation.value for notation in Notation)
        raise ValueError(f"{name!r} is no notation; they are {known}") from None


def read_record(source: Source, notation: Notation, *, lenient: bool = False) -> Reading[Record]:
    """Read one record in any notation; a position is a record in which nothing happens."""
    match notation:
        case Notation.HAN:
            return han.read_game(source, lenient=lenient)
        case Notation.HSN:
            position, warnings = hsn.read(source, lenient=lenient)
            return Reading(Record(start=position), warnings)
        case Notation.CGN:
            return cgn.read(source, lenient=lenient)
        case Notation.CCN:
            return ccn.read(source, lenient=lenient)
        case Notation.SGN:
            return sgn.read(source, lenient=lenient)


def write_record(record: Record, source: Notation, target: Notation, *, dialect: Dialect = "seed") -> Writing:
    """Write a record that was read in one notation in another."""
    if source is target:
        return _write_as_told(record, target, dialect)
    return write_moves(told_moves(record, source), target, dialect=dialect)


def write_moves(
    moves: Moves,
    target: Notation,
    *,
    dialect: Dialect = "seed",
    consequences: Sequence[tuple[Event, ...]] | None = None,
) -> Writing:
    """Write a game told in moves; whoever has the rules gives what follows from each, which CGN tells too."""
    match target:
        case Notation.HSN:
            return _write_position(moves)
        case Notation.CGN:
            moves = moves_to_cgn(moves, consequences)
        case Notation.SGN:
            moves = moves_to_sgn(moves)
        case Notation.HAN:
            moves = moves_to_han(moves)
        case Notation.CCN:
            moves = moves_to_ccn(moves)
    return moves.at_origins(_write_as_told(moves.record, target, dialect))


def _write_position(moves: Moves) -> Writing:
    """The position that the data alone lead to, as HSN."""
    headers = tuple(Loss(LossKind.LOST, f"the header {key!r}") for key, _ in moves.record.headers)
    position, losses = position_after_setup(moves)
    text, more = hsn.format_lenient(position) if position is not None else Writing("", ())
    return Writing(text, moves.losses + headers + losses + more)


def told_moves(record: Record, source: Notation, *, seated: bool = False) -> Moves:
    """A record that was read in a notation, told in moves.

    CGN and SGN number the players as they like, so they are counted anew in turn order, unless they are
    known to be seated so.
    """
    match source:
        case Notation.CGN:
            return moves_from_cgn(record, seated=seated)
        case Notation.SGN:
            return moves_from_sgn(record, seated=seated)
        case _:
            return told(record)


def _write_as_told(record: Record, target: Notation, dialect: Dialect) -> Writing:
    match target:
        case Notation.HAN:
            return han.format_game_lenient(record, dialect=dialect)
        case Notation.HSN:
            assert record.start is not None, "a record read from HSN has a position"
            return hsn.format_lenient(record.start)
        case Notation.CGN:
            return cgn.format_lenient(record)
        case Notation.CCN:
            return ccn.format_lenient(record)
        case Notation.SGN:
            return sgn.format_lenient(record)
