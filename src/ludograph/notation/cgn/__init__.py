"""CGN, the game record as a list of messages: text in, a record out, and back.

Canonical text is a JSON list, one message a line, each an object whose only key is the code.
Events and messages correspond one to one:

    {"PA":"P1"}  {"PR":"P1"}  {"PR":null}  {"Q":"P1"}      players come, leave, quit
    {"PS":"Setup"}  {"PE":"Setup"}  {"RS":1}  {"RE":1}     phases and rounds
    {"MD":{"1":["HR",null],"2":["S",null],…}}              the map (see map.py)
    {"SP":["P3","P4","P1","P2"]}                           the order of players
    {"TS":"P1"}  {"TE":"P1"}                               a turn starts and ends
    {"R":{"P1":7}}                                         a roll; by several players: for the order
    {"R!":null}                                            a seven: the robber
    {"RP":{"P1":{"G":1},"B":{"G":-1}}}                     production
    {"C":{"P2":{"G":-4},"B":{"G":4}}}                      a player concedes (discards)
    {"M":{"P1":34}}                                        the robber moves
    {"S":{"P1":{"G":1},"P3":{"G":-1}}}                     P1 steals from P3
    {"B":{"P3":{"R":1,"B":-1,"L":-1},"B":{"R":-1,…}}}      P3 buys a road; S, C, DC likewise
    {"D":{"P1":{"S":[2,20,19]}}}                           a settlement (C: a city) is placed
    {"D":{"P1":{"R":[[2,20,19],[20,31,19]]}}}              a road is placed
    {"P":{"P1":"KN"}}  {"P":"KN"}                          a card is played, by P1 or by whose turn it is
    {"O":{"P1":{"B":-2},"P2":{"B":2},"UUID":"…"}}          P1 offers P2 a trade; the name may be missing
    {"O":{"P1":{"B":-2},"?":{"P2":{"B":2},…},"UUID":"…"}}  P1 offers a trade to whoever accepts first
    {"A":{"P2":{"UUID":"…"}}}  {"W":{"P1":{"UUID":"…"}}}   P2 accepts; P1 withdraws
    {"T":{"P1":{"B":-2},"P2":{"B":2},"UUID":"…"}}          things change hands; the name only after an offer
    {"LA":"P1"}  {"LR":null}                               an award changes hands; null sets it aside
    {"CH":{"P1":"…"}}                                      chat
    {"GO":"P1"}  {"GO":null}                               the game is over
    # …                                                    a comment, on a line of its own

Items are written assets first (DC S C R LA LR), then B G L O W; players stay in the record's order.
Also read: `CODE detail` and `"CODE": detail` with or without commas, several keys in an object,
any case, a player as 1 or {"P1":null}, an offer's name alone where that says who speaks, short
builds ({"P1":{"S":1}}), several assets in one D or B, several players in one C.

Lenient only, with a warning: missing and trailing commas, a byte order mark, type O for mountains, an even
harbor tile that does not say what it faces, the specification's misprint of S, counts of 0, and
messages about offers that do not agree (see offers.py), which are kept as they are told.
"""

from ludograph.notation.cgn.details import parse_message
from ludograph.notation.cgn.messages import read_messages
from ludograph.notation.cgn.offers import OfferBook
from ludograph.notation.cgn.split import split
from ludograph.notation.cgn.write import write_record
from ludograph.notation.json_text import JsonComment, JsonReader
from ludograph.notation.results import Reading, Writing, lossless, reading_with, refuse_huge
from ludograph.settlers.record import Commented, Event, Record
from ludograph.text import Source, Span

__all__ = ["CODES", "format", "format_lenient", "parse", "parse_lenient", "read", "split"]

CODES: dict[str, str] = {
    "NT0301": "the text has no message",
    "NT0302": "something follows the end of the record",
    "NT0303": "a message was expected",
    "NT0304": "a code lacks its detail",
    "NT0305": "a player is called P1, P2, P3 or P4",
    "NT0306": "a message names too many or too few players",
    "NT0307": "a phase is Setup, Deployment or Play",
    "NT0308": "a card is KN, MO, RB, VP or YP",
    "NT0309": "the map has a tile that is not one of the 37",
    "NT0310": "the map lacks a tile",
    "NT0311": "only a harbor tile faces a land tile",
    "NT0312": "the type O is a misprint for M (mountains)",
    "NT0313": "a tile has an unknown type",
    "NT0314": "a harbor on an even tile does not say which land tile it faces",
    "NT0315": "a steal is misprinted as in the specification's example",
    "NT0316": "a code is unknown",
    "NT0317": "an item is neither a resource nor an asset",
    "NT0318": "the name of an offer does not tell who accepts or withdraws it",
    "NT0319": "the name of an offer is missing or empty",
    "NT0320": "an asset cannot be deployed",
    "NT1301": "a transfer does not balance",
    "NT1302": "three tiles do not meet in an intersection",
    "NT1303": "two intersections are not the ends of a path",
    "NT1304": "a tile cannot have this number",
    "NT1305": "sea and land are not where the standard frame has them",
    "NT1306": "a harbor does not face a land tile beside it",
    "NT1307": "a count of 0 says nothing",
    "NT1308": "a build that nobody can make",
    "NT1309": "a build at the wrong price",
    "NT1310": "a concession that is not resources for the bank",
    "NT1311": "a steal that is not one resource from player to player",
    "NT1312": "an offer to oneself",
    "NT1313": "a player stands twice in the order",
    "NT1314": "a trade between others than the offerer and the accepter (lenient reading goes on)",
    "NT1315": "an offer that nobody made is accepted, withdrawn or fulfilled (lenient reading goes on)",
    "NT1316": "an offer that has ended is accepted, withdrawn or fulfilled (lenient reading goes on)",
    "NT1317": "an offer is accepted by a player who was not asked (lenient reading goes on)",
    "NT1318": "an offer is withdrawn by another than its maker (lenient reading goes on)",
    "NT1319": "a trade of other goods than were offered (lenient reading goes on)",
}
"""The codes of diagnostics, besides those of json_text; NT13 is text that can be read but means nothing."""


def parse(text: str) -> Record:
    """The record that a text tells; raises BadText or Nonsense.

    >>> parse('TS "P1"').events
    (TurnStarts(player=1),)
    """
    return read(Source(text), lenient=False).value


def parse_lenient(text: str) -> Reading[Record]:
    """The same with the variants that are accepted with a warning."""
    return read(Source(text), lenient=True)


def read(source: Source, *, lenient: bool, spans: list[Span] | None = None) -> Reading[Record]:
    """The record of a source, one of several in a file perhaps; where its events stand goes to `spans`."""
    refuse_huge(source)
    reader = JsonReader(source, lenient=lenient, comments=True)
    book = OfferBook()
    events: list[Event] = []
    places: list[Span] = [] if spans is None else spans
    for message in read_messages(reader):
        if isinstance(message, JsonComment):
            events.append(Commented(message.text))
            places.append(message.span)
            continue
        for event in parse_message(reader, message, book):
            if fault := book.add(event):
                reader.tolerate_meaning(message.detail.span, *fault)
            events.append(event)
            places.append(Span(message.span.start, message.detail.span.end))
    return reading_with(Record(tuple(events)), reader.warnings)


def format(record: Record) -> str:
    """The canonical text of a record; raises Unwritable rather than lose anything.

    >>> format(parse('ts "p1"'))
    '[\\n{"TS":"P1"}\\n]\\n'
    """
    return lossless("CGN", format_lenient(record))


def format_lenient(record: Record) -> Writing:
    """The text of what CGN can say of a record, and the rest as losses."""
    return write_record(record)
