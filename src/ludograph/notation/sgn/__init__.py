"""SGN 1.0: a game record with one JSON list on each line.

A line is [player, code, value]; players are "1" to "6", the bank is "B". Canonical lines:

    ["B","DM",{"tiles":[{"tile":[0,0],"tCode":"D","rNumber":null},…],"harbors":[…]}]
                                   a harbor is {"path":[[…],[…]],"hCode":"HRW"}
    ["1","MR",{"tile":[0,0]}]                                      the robber moves
    ["1","BS",{"intersection":[[0,0],[0,1],[-1,1]]}]               a settlement (BC: a city)
    ["1","BR",{"path":[[[…],[…],[…]],[[…],[…],[…]]]}]              a road, its upper end first
    ["1","BD",{"cCode":"KN"}]                                      a development card is bought
    ["1","PD",{"cCode":"KN"}]                                      a card is played: KN, RB, VP
    ["1","PD",{"cCode":"YP","rCodes":["G","B"]}]                   MO names one resource, YP up to two
    ["1","RD",{"result":7}]                                        a roll
    ["1","ST",[{"player":"1","resources":{"G":1}},{"player":"3","resources":{"G":-1}}]]
    ["1","TR",[{"player":"1","resources":{"L":-2,"W":1}},{"player":"2","resources":{…}}]]

A TR by one of its two parties is a trade by that player. A TR in which a player only gives to the bank
is a discard. Any other TR, and each TR by the bank, is a plain transfer. Tiles and harbors are written
in reading order, resources in the order B G L O W, coordinates as integers. The parser also accepts
integers in quotes, corners in any order, blank lines, a map that a player defines, and the lines of
SGN 0.4: {"player":"1","aCode":"RD","value":{"result":7}}. An MR before the first settlement states where
the robber starts. Headers of ours, such as # [Points "12"], may precede the lines. A map has at
least 37 tiles and 8 harbors. Implied events (purchases, turns, production,
awards) are not written; see writer.py.

Lenient parsing also accepts, with a warning: smaller maps, missing and trailing commas, a byte order mark,
counts of 0.
"""

import re
from collections.abc import Iterable, Iterator

from ludograph.notation.json_records.reader import JsonReader
from ludograph.notation.results import (
    Reading,
    Writing,
    check_size,
    reading_with_warnings,
    report_variations,
    require_lossless,
)
from ludograph.notation.sgn.reader import parse_lines, take_comment_headers
from ludograph.notation.sgn.writer import write_record
from ludograph.settlers.record import Record
from ludograph.text import Cursor, Source, Span

__all__ = ["CODES", "begins_at", "format", "format_lenient", "parse", "parse_lenient", "read", "split"]

CODES: dict[str, str] = {
    "NT0501": "the text has no line",
    "NT0502": "text follows the list on its line",
    "NT0503": 'a player is "1" to "6" or the bank "B"',
    "NT0504": "a code is unknown",
    "NT0505": "a coordinate is an integer, bare or in quotes, not too large",
    "NT0506": "the code of a tile, harbor, card or resource is unknown",
    "NT0507": "a card names the wrong number of resources",
    "NT0508": "a map has at least 37 tiles and 8 harbors",
    "NT1501": "a transfer does not balance",
    "NT1502": "three tiles do not meet at an intersection",
    "NT1503": "two intersections are not the ends of a path",
    "NT1504": "a tile cannot have this number",
    "NT1505": "a tile or harbor is defined twice",
    "NT1506": "a steal does not move one resource from another player",
    "NT1507": "the bank takes an action that only players take",
    "NT1508": "a transfer has one party, lists a party twice, or has a party that neither gains nor gives",
    "NT1509": "a count of 0 has no effect",
}
"""The codes of diagnostics, in addition to those of the JSON parser; NT15 is text without a meaning."""

_LINE = re.compile(r'\[[ \t]*"[^"\r\n]*"[ \t]*,|\{[ \t]*"(?:aCode|player|value)"[ \t]*:')
_DEFINES_MAP = re.compile(r'[\s\ufeff]*(?:\[\s*"[^"]*"\s*,\s*"DM"|\{(?=[^\r\n]*"aCode"\s*:\s*"DM"))')


def parse(text: str) -> Record:
    """Parse a record; raises BadText or Nonsense.

    >>> parse('["1","RD",{"result":8}]').actions
    (Roll(value=8),)
    """
    return read(Source(text), lenient=False).value


def parse_lenient(text: str) -> Reading[Record]:
    """Parse a record, and return the tolerated faults as warnings."""
    return read(Source(text), lenient=True)


def read(source: Source, *, lenient: bool, spans: list[Span] | None = None) -> Reading[Record]:
    """Parse a source with one record; the spans of the events are added to `spans`."""
    check_size(source)
    reader = JsonReader(source, lenient=lenient, by_line=True, quoted_numbers=True)
    headers = take_comment_headers(reader)
    lines = parse_lines(reader)
    if spans is not None:
        spans += (span for _, span in lines)
    record = Record(tuple(event for event, _ in lines), headers=headers)
    return reading_with_warnings(record, reader.warnings)


def format(record: Record) -> str:
    """The canonical text of a record; raises Unwritable if anything would be lost.

    >>> format(parse('[ "1", "MR", {"tile": ["0", "-2"]} ]'))
    '["1","MR",{"tile":[0,-2]}]\\n'
    """
    return require_lossless("SGN", format_lenient(record))


def format_lenient(record: Record) -> Writing:
    """The text of the expressible part of a record, and the losses."""
    text, losses = write_record(record)
    return Writing(text, (*report_variations(record), *losses))


def begins_at(cursor: Cursor) -> bool:
    """Whether an SGN line starts here: a list whose first item is a string, or an object of SGN 0.4."""
    return _LINE.match(cursor.text, cursor.offset) is not None


def split(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Each record of a stream with the number of its first line; a DM or header after other lines starts one.

    `lines` include their line ends. One record is in memory at a time.
    """
    first, held = 1, list[str]()
    has_events = False
    for number, line in enumerate(lines, start=1):
        is_header = line.startswith("#")
        if has_events and (is_header or _DEFINES_MAP.match(line)):
            yield first, "".join(held)
            held, has_events = [], False
        has_events = has_events or not (is_header or line.strip(" \t\r\n\ufeff") == "")
        if held or line.strip(" \t\r\n\ufeff"):
            if not held:
                first = number
            held.append(line)
    if held:
        yield first, "".join(held)
