"""The table of notations: one row holds everything that other code must know about a notation.

Code outside a notation's own package reads this table instead of comparing notations. CONTRIBUTING.md
describes how to add a row; `tests/notation/test_notations.py` names the parts that a new row lacks.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import Enum
from typing import Protocol, TypeVar, get_args

from msgspec import Struct

from ludograph.notation import ccn, cgn, han, hsn, sgn
from ludograph.notation.han import Dialect
from ludograph.notation.normal_form.from_cgn import normalise_cgn
from ludograph.notation.normal_form.record import NormalRecord, normalise_actions
from ludograph.notation.normal_form.sgn import normalise_sgn, to_sgn
from ludograph.notation.normal_form.to_actions import to_ccn, to_han, to_hsn
from ludograph.notation.normal_form.to_cgn import Consequences, to_cgn
from ludograph.notation.results import Reading, Writing
from ludograph.notation.splitting import Chunk
from ludograph.settlers.record import Record
from ludograph.settlers.visitors import RecordVisitor
from ludograph.text import Cursor, Source, Span

AnyResult = TypeVar("AnyResult")


class Notation(Enum):
    """The notations; the values are their names on the command line."""

    HAN = "han"
    HSN = "hsn"
    CGN = "cgn"
    CCN = "ccn"
    SGN = "sgn"


class Content(Enum):
    """The content of a text in a notation."""

    SETUP = "set-up"
    """An island, the number of players, and placements of the set-up."""
    POSITION = "position"
    GAME = "game"
    """Actions, or a record of events."""


class Feature(Enum):
    """The features that a notation can express; the values are the rows of the table in docs/notations.md."""

    ANY_ISLAND = "islands and harbors of any shape"
    HANDS = "hands"
    HEADERS = "headers"
    COMMENTS = "comments"
    VARIATIONS = "variations"
    PLAYER_OF_ACTION = "the player of each action"
    IDLE_PLAYERS = "players who never act"
    PURCHASES = "purchases and turn ends"
    DICE = "both dice"
    UNKNOWN_CHANCE = "unknown rolls and unknown stolen cards"
    KNOWN_CARDS = "the kind of a bought card"
    UNKNOWN_CARDS = "bought cards of unknown kind"
    CONSEQUENCES = "production and awards"
    OFFERS = "offers and chat"


class ReadRecord(Protocol):
    """Parses a source with one record; the spans of the events are added to `spans`."""

    def __call__(
        self, source: Source, *, lenient: bool, spans: list[Span] | None = None
    ) -> Reading[Record]: ...


class VisitRecord(Protocol):
    """Shows a source with one record to a visitor, without building the record."""

    def __call__(
        self, source: Source, visitor: RecordVisitor[AnyResult], *, lenient: bool = False
    ) -> Reading[AnyResult]: ...


class NormaliseRecord(Protocol):
    """Converts a record to normal form; `renumber` numbers the players in turn order."""

    def __call__(self, record: Record, *, renumber: bool = True) -> NormalRecord: ...


class NotationRow(Struct, frozen=True):
    """Everything that other code must know about one notation."""

    title: str
    suffixes: tuple[str, ...]
    """The suffixes of file names."""
    content: Content
    max_players: int
    features: frozenset[Feature]
    codes: Mapping[str, str]
    """The codes of its diagnostics with their meanings."""
    begins_at: Callable[[Cursor], bool]
    """Whether a text in this notation, and in no other, starts at the cursor."""
    split: Callable[[Iterable[str]], Iterator[Chunk]]
    """Splits lines into records."""
    read: ReadRecord
    write: Callable[[Record, Dialect], Writing]
    """Writes a record with the events of this notation; the dialect is that of HAN."""
    normalise: NormaliseRecord
    to_events: Callable[[NormalRecord, Consequences | None], NormalRecord]
    """Converts a record in normal form to the events of this notation."""
    dialects: tuple[Dialect, ...] = ()
    known_card_dialects: tuple[Dialect, ...] = ()
    """The dialects in which a purchase may name its card, if the notation also has unknown cards."""
    visit: VisitRecord | None = None
    """Shows a source to a visitor; None if a record must be built for that."""
    separator: str = ""
    """The text between two records of a file."""

    def has_known_cards(self, dialect: Dialect) -> bool:
        """Whether the purchase of a card names its kind in a dialect; a header may list the kinds instead."""
        return Feature.KNOWN_CARDS in self.features and (
            Feature.UNKNOWN_CARDS not in self.features or dialect in self.known_card_dialects
        )


def _read_position(source: Source, *, lenient: bool, spans: list[Span] | None = None) -> Reading[Record]:
    """Parse a position as a record without events."""
    position, warnings = hsn.read(source, lenient=lenient)
    return Reading(Record(start=position), warnings)


def _write_position(record: Record, dialect: Dialect) -> Writing:
    return hsn.format_lenient(record.start) if record.start is not None else Writing("", ())


def _normalise_actions(record: Record, *, renumber: bool = True) -> NormalRecord:
    """HAN, HSN and CCN number the players in turn order already."""
    return normalise_actions(record)


NOTATIONS: dict[Notation, NotationRow] = {
    Notation.HAN: NotationRow(
        title="actions and games",
        suffixes=(".han",),
        content=Content.GAME,
        max_players=6,
        features=frozenset(Feature) - {Feature.PLAYER_OF_ACTION, Feature.CONSEQUENCES, Feature.OFFERS},
        codes=han.CODES,
        begins_at=han.begins_at,
        split=han.split,
        read=han.read_game,
        write=lambda record, dialect: han.format_game_lenient(record, dialect=dialect),
        normalise=_normalise_actions,
        to_events=lambda normal, consequences: to_han(normal),
        dialects=get_args(Dialect),
        known_card_dialects=("2023",),
        visit=han.visit_game,
        separator="\n",
    ),
    Notation.HSN: NotationRow(
        title="positions",
        suffixes=(".hsn",),
        content=Content.POSITION,
        max_players=6,
        features=frozenset({Feature.ANY_ISLAND, Feature.HANDS, Feature.IDLE_PLAYERS, Feature.KNOWN_CARDS}),
        codes=hsn.CODES,
        begins_at=hsn.begins_at,
        split=hsn.split,
        read=_read_position,
        write=_write_position,
        normalise=_normalise_actions,
        to_events=lambda normal, consequences: to_hsn(normal),
        separator="\n",
    ),
    Notation.CGN: NotationRow(
        title="records of games, with consequences",
        suffixes=(".cgn",),
        content=Content.GAME,
        max_players=4,
        features=frozenset(
            {
                Feature.COMMENTS,
                Feature.HEADERS,
                Feature.PLAYER_OF_ACTION,
                Feature.IDLE_PLAYERS,
                Feature.PURCHASES,
                Feature.KNOWN_CARDS,
                Feature.UNKNOWN_CARDS,
                Feature.CONSEQUENCES,
                Feature.OFFERS,
            }
        ),
        codes=cgn.CODES,
        begins_at=cgn.begins_at,
        split=cgn.split,
        read=cgn.read,
        write=lambda record, dialect: cgn.format_lenient(record),
        normalise=normalise_cgn,
        to_events=to_cgn,
    ),
    Notation.CCN: NotationRow(
        title="set-ups",
        suffixes=(".ccn",),
        content=Content.SETUP,
        max_players=4,
        features=frozenset({Feature.IDLE_PLAYERS}),
        codes=ccn.CODES,
        begins_at=ccn.begins_at,
        split=ccn.split,
        read=ccn.read,
        write=lambda record, dialect: ccn.format_lenient(record),
        normalise=_normalise_actions,
        to_events=lambda normal, consequences: to_ccn(normal),
    ),
    Notation.SGN: NotationRow(
        title="records of games as JSON lines",
        suffixes=(".sgn",),
        content=Content.GAME,
        max_players=6,
        features=frozenset(
            {Feature.ANY_ISLAND, Feature.HEADERS, Feature.PLAYER_OF_ACTION, Feature.KNOWN_CARDS}
        ),
        codes=sgn.CODES,
        begins_at=sgn.begins_at,
        split=sgn.split,
        read=sgn.read,
        write=lambda record, dialect: sgn.format_lenient(record),
        normalise=normalise_sgn,
        to_events=lambda normal, consequences: to_sgn(normal),
    ),
}


def find_notation(name: Notation | str) -> Notation:
    """The notation with a name; raises ValueError for an unknown name."""
    try:
        return Notation(name)
    except ValueError:
        known = ", ".join(notation.value for notation in Notation)
        raise ValueError(f"{name!r} is not a notation; the notations are {known}") from None


def find_by_suffix(file_name: str) -> Notation | None:
    """The notation of a file by the suffix of its name; None if no notation has it.

    >>> find_by_suffix("games/last.HAN")
    <Notation.HAN: 'han'>
    """
    name = file_name.lower()
    return next((notation for notation, row in NOTATIONS.items() if name.endswith(row.suffixes)), None)


def check_dialect(dialect: str) -> None:
    """Raise ValueError for an unknown dialect.

    >>> check_dialect("2023")
    """
    known = get_args(Dialect)
    if dialect not in known:
        raise ValueError(f"{dialect!r} is not a dialect of HAN; the dialects are {', '.join(known)}")
