"""SGN 1.0, the game record as one JSON list per line: text in, a record out, and back.

A line is [player, code, value]; players are "1" to "6", "B" is the bank. Canonical lines:

    ["B","DM",{"tiles":[{"tile":[0,0],"tCode":"D","rNumber":null},…],"harbors":[…]}]
                                   …and a harbor is {"path":[[…],[…]],"hCode":"HRW"}
    ["1","MR",{"tile":[0,0]}]                                      the robber moves
    ["1","BS",{"intersection":[[0,0],[0,1],[-1,1]]}]               a settlement (BC: a city)
    ["1","BR",{"path":[[[…],[…],[…]],[[…],[…],[…]]]}]              a road, its upper end first
    ["1","BD",{"cCode":"KN"}]                                      a development card is bought
    ["1","PD",{"cCode":"KN"}]                                      a card is played: KN, RB, VP
    ["1","PD",{"cCode":"YP","rCodes":["G","B"]}]                   MO names one resource, YP up to two
    ["1","RD",{"result":7}]                                        a roll
    ["1","ST",[{"player":"1","resources":{"G":1}},{"player":"3","resources":{"G":-1}}]]
    ["1","TR",[{"player":"1","resources":{"L":-2,"W":1}},{"player":"2","resources":{…}}]]

A TR by one of its two parties is a trade from that player's view, a TR that gives to the bank for
nothing is a discard; every other shape, and each TR by the bank, is a plain transfer. Tiles and
harbors stand in reading order, resources as B G L O W, coordinates are integers; coordinates in
quotes, corners in any order and blank lines are read too, and any player may define the map.
What SGN implies (purchases, turns, production, awards) is not written; see write.py.

Lenient only, with a warning: missing and trailing commas, a byte order mark, counts of 0.
"""

import re
from collections.abc import Iterable, Iterator

from ludograph.notation.json_text import JsonReader
from ludograph.notation.results import Reading, Writing, lossless, reading_with, refuse_huge
from ludograph.notation.sgn.read import parse_lines
from ludograph.notation.sgn.write import write_record
from ludograph.settlers.record import Record
from ludograph.text import Source, Span

__all__ = ["CODES", "format", "format_lenient", "parse", "parse_lenient", "read", "split"]

CODES: dict[str, str] = {
    "NT0501": "the text has no line",
    "NT0502": "something follows the list on its line",
    "NT0503": 'a player is "1" to "6" or the bank "B"',
    "NT0504": "a code is unknown",
    "NT0505": "a coordinate is a whole number, bare or in quotes, not too large",
    "NT0506": "a code of a tile, harbor, card or resource is unknown",
    "NT0507": "a card names the wrong number of resources",
    "NT1501": "a transfer does not balance",
    "NT1502": "three tiles do not meet in an intersection",
    "NT1503": "two intersections are not the ends of a path",
    "NT1504": "a tile cannot have this number",
    "NT1505": "a tile or harbor is defined twice",
    "NT1506": "a steal that is not one resource from another player",
    "NT1507": "the bank does what only players do",
    "NT1508": "a transfer lacks a second party, lists one twice, or one that gains and gives nothing",
    "NT1509": "a count of 0 says nothing",
}
"""The codes of diagnostics, besides those of json_text; NT15 is text that can be read but means nothing."""

_DEFINES_MAP = re.compile(r'[\s\ufeff]*\[\s*"[^"]*"\s*,\s*"DM"')


def parse(text: str) -> Record:
    """The record that a text tells; raises BadText or Nonsense.

    >>> parse('["1","RD",{"result":8}]').actions
    (Roll(value=8),)
    """
    return read(Source(text), lenient=False).value


def parse_lenient(text: str) -> Reading[Record]:
    """The same with the variants that are accepted with a warning."""
    return read(Source(text), lenient=True)


def read(source: Source, *, lenient: bool, spans: list[Span] | None = None) -> Reading[Record]:
    """The record of a source, one of several in a file perhaps; where its events stand goes to `spans`."""
    refuse_huge(source)
    reader = JsonReader(source, lenient=lenient, by_line=True)
    lines = parse_lines(reader)
    if spans is not None:
        spans += (span for _, span in lines)
    return reading_with(Record(tuple(event for event, _ in lines)), reader.warnings)


def format(record: Record) -> str:
    """The canonical text of a record; raises Unwritable rather than lose anything.

    >>> format(parse('[ "1", "MR", {"tile": ["0", "-2"]} ]'))
    '["1","MR",{"tile":[0,-2]}]\\n'
    """
    return lossless("SGN", format_lenient(record))


def format_lenient(record: Record) -> Writing:
    """The text of what SGN can say of a record, and the rest as losses."""
    return write_record(record)


def split(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Each record of a stream with the number of its first line; a DM after other lines begins a new one.

    `lines` keep their line ends, and only one record is held at a time.
    """
    first, held = 1, list[str]()
    for number, line in enumerate(lines, start=1):
        if held and _DEFINES_MAP.match(line):
            yield first, "".join(held)
            held = []
        if held or line.strip(" \t\r\n\ufeff"):
            if not held:
                first = number
            held.append(line)
    if held:
        yield first, "".join(held)
