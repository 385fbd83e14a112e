"""CGN: a game record as a list of messages.

Canonical text is a JSON list with one message on each line. A message is an object whose only key is
the code. Events and messages correspond one to one:

    {"PA":"P1"}  {"PR":"P1"}  {"PR":null}  {"Q":"P1"}      a player joins, leaves, quits
    {"PS":"Setup"}  {"PE":"Setup"}  {"RS":1}  {"RE":1}     phases and rounds
    {"MD":{"1":["HR",null],"2":["S",null],…}}              the map (see map.py)
    {"SP":["P3","P4","P1","P2"]}                           the turn order
    {"TS":"P1"}  {"TE":"P1"}                               a turn starts and ends
    {"R":{"P1":7}}                                         a roll; by several players: for the turn order
    {"R!":null}                                            a roll of seven
    {"RP":{"P1":{"G":1},"B":{"G":-1}}}                     production
    {"C":{"P2":{"G":-4},"B":{"G":4}}}                      a player concedes (discards)
    {"M":{"P1":34}}                                        the robber moves
    {"S":{"P1":{"G":1},"P3":{"G":-1}}}                     P1 steals from P3
    {"B":{"P3":{"R":1,"B":-1,"L":-1},"B":{"R":-1,…}}}      P3 buys a road; S, C, DC likewise
    {"D":{"P1":{"S":[2,20,19]}}}                           a settlement (C: a city) is placed
    {"D":{"P1":{"R":[[2,20,19],[20,31,19]]}}}              a road is placed
    {"P":{"P1":"KN"}}  {"P":"KN"}                          a card is played, by P1 or by the player to move
    {"O":{"P1":{"B":-2},"P2":{"B":2},"UUID":"…"}}          P1 offers P2 a trade; the UUID is optional
    {"O":{"P1":{"B":-2},"?":{"P2":{"B":2},…},"UUID":"…"}}  P1 offers a trade to the first player who accepts
    {"A":{"P2":{"UUID":"…"}}}  {"W":{"P1":{"UUID":"…"}}}   P2 accepts; P1 withdraws
    {"T":{"P1":{"B":-2},"P2":{"B":2},"UUID":"…"}}          a transfer; with a UUID it fulfils an offer
    {"LA":"P1"}  {"LR":null}                               a player gets an award; null: no player has it
    {"CH":{"P1":"…"}}                                      chat
    {"GO":"P1"}  {"GO":null}                               the game is over
    # …                                                    a comment, on a line of its own
    # [Points "12"]                                        before the first message: a header of ours

The assets of a transfer are written first (DC S C R LA LR), then B G L O W; players keep the order of
the record. The parser also accepts `CODE detail` and `"CODE": detail` with or without commas, several
keys in an object, lower case, a player as 1 or {"P1":null}, the name of an offer without its player if
it determines the player, purchases without their price ({"P1":{"S":1}}), several assets in one D or B,
and several players in one C.

Lenient parsing also accepts, with a warning: missing and trailing commas, a byte order mark, type O for
mountains, a harbor on an even tile that does not name its land tile, the specification's misprint of S,
counts of 0, inconsistent messages about offers (see offers.py), a missing closing brace, a player who quits
under another name, and the older forms of CGN (see older.py).
"""

from ludograph.notation.bought_cards import check_fit, reveal_cards
from ludograph.notation.cgn.details import parse_message
from ludograph.notation.cgn.messages import read_messages
from ludograph.notation.cgn.offers import OfferBook
from ludograph.notation.cgn.older import OLDEST_CODES, OlderRecord, is_older, parse_oldest
from ludograph.notation.cgn.recognise import begins_at
from ludograph.notation.cgn.split import split
from ludograph.notation.cgn.writer import write_record
from ludograph.notation.headers import maybe_comment_header
from ludograph.notation.json_records.reader import JsonReader
from ludograph.notation.json_records.values import JsonComment
from ludograph.notation.results import (
    Reading,
    Writing,
    check_size,
    reading_with_warnings,
    report_variations,
    require_lossless,
)
from ludograph.settlers.record import Commented, Event, Record
from ludograph.text import Source, Span

__all__ = ["CODES", "begins_at", "format", "format_lenient", "parse", "parse_lenient", "read", "split"]

CODES: dict[str, str] = {
    "NT0301": "the text has no message",
    "NT0302": "text follows the end of the record",
    "NT0303": "a message is expected",
    "NT0304": "the detail of a code is missing",
    "NT0305": "a player is P1, P2, P3 or P4",
    "NT0306": "a message names too many or too few players",
    "NT0307": "a phase is Setup, Deployment or Play",
    "NT0308": "a card is KN, MO, RB, VP or YP",
    "NT0309": "the map has a tile that does not exist",
    "NT0310": "a tile of the map is missing",
    "NT0311": "only a harbor tile faces a land tile",
    "NT0312": "the type O is a misprint for M (mountains)",
    "NT0313": "a tile has an unknown type",
    "NT0314": "a harbor on an even tile does not name the land tile that it faces",
    "NT0315": "a steal is misprinted as in the specification's example",
    "NT0316": "a code is unknown",
    "NT0317": "an item is neither a resource nor an asset",
    "NT0318": "the name of an offer does not determine the player who accepts or withdraws it",
    "NT0319": "the name of an offer is missing or empty",
    "NT0320": "an asset cannot be deployed",
    "NT0321": "the record has an older form (lenient parsing accepts it)",
    "NT1301": "a transfer does not balance",
    "NT1302": "three tiles do not meet at an intersection",
    "NT1303": "two intersections are not the ends of a path",
    "NT1304": "a tile cannot have this number",
    "NT1305": "sea and land are not where the standard frame has them",
    "NT1306": "a harbor does not face a land tile beside it",
    "NT1307": "a count of 0 has no effect",
    "NT1308": "a purchase of items that the bank does not sell, or of too many",
    "NT1309": "a purchase at the wrong price",
    "NT1310": "a concession is not a payment of resources to the bank",
    "NT1311": "a steal does not move one resource from one player to another",
    "NT1312": "an offer asks the offering player",
    "NT1313": "the turn order lists a player twice",
    "NT1314": "a trade is not between the offering and the accepting player (lenient parsing accepts it)",
    "NT1315": "an offer is accepted, withdrawn or fulfilled but was never made (lenient parsing accepts it)",
    "NT1316": "an offer is accepted, withdrawn or fulfilled after its end (lenient parsing accepts it)",
    "NT1317": "a player who was not asked accepts an offer (lenient parsing accepts it)",
    "NT1318": "another player withdraws an offer (lenient parsing accepts it)",
    "NT1319": "the traded goods differ from the offered goods (lenient parsing accepts it)",
}
"""The codes of diagnostics, in addition to those of the JSON parser; NT13 is text without a meaning."""


def parse(text: str) -> Record:
    """Parse a record; raises BadText or Nonsense.

    >>> parse('TS "P1"').events
    (TurnStarts(player=1),)
    """
    return read(Source(text), lenient=False).value


def parse_lenient(text: str) -> Reading[Record]:
    """Parse a record, and return the tolerated faults as warnings."""
    return read(Source(text), lenient=True)


def read(source: Source, *, lenient: bool, spans: list[Span] | None = None) -> Reading[Record]:
    """Parse a source with one record; the spans of the events are added to `spans`."""
    check_size(source)
    reader = JsonReader(source, lenient=lenient, comments=True, quoted_numbers=lenient)
    book = OfferBook()
    events: list[Event] = []
    event_spans: list[Span] = [] if spans is None else spans
    headers: list[tuple[str, str]] = []
    is_opening = True
    older: OlderRecord | None = None
    for message in read_messages(reader):
        if isinstance(message, JsonComment):
            header = maybe_comment_header(message.text) if is_opening else None
            if header is not None:
                headers.append(header)
                continue
            events.append(Commented(message.text))
            event_spans.append(message.span)
            continue
        if is_opening and lenient and is_older(message):
            older = OlderRecord(reader, message)
        is_opening = False
        if older is not None:
            parsed = older.parse(message)
        elif message.code in OLDEST_CODES:
            parsed = parse_oldest(reader, message)
        else:
            parsed = parse_message(reader, message, book)
        for event in parsed:
            if fault := book.add(event):
                reader.tolerate_meaning(message.detail.span, *fault)
            events.append(event)
            event_spans.append(Span(message.span.start, message.detail.span.end))
    record = reveal_cards(Record(tuple(events), headers=tuple(headers)))
    misfits = check_fit(record, source, lenient=lenient)
    return reading_with_warnings(record, (*reader.warnings, *misfits))


def format(record: Record) -> str:
    """The canonical text of a record; raises Unwritable if anything would be lost.

    >>> format(parse('ts "p1"'))
    '[\\n{"TS":"P1"}\\n]\\n'
    """
    return require_lossless("CGN", format_lenient(record))


def format_lenient(record: Record) -> Writing:
    """The text of the expressible part of a record, and the losses."""
    text, losses = write_record(record)
    return Writing(text, (*report_variations(record), *losses))
