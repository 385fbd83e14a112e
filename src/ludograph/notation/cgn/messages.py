"""The parser of CGN's outer structure: it yields messages and comments in order.

A record is a JSON list of objects, or a sequence of objects, `"CODE": detail` and `CODE detail` with or
without commas. A repeated key is a further message. A comment inside a message follows that message.
"""

import re
from collections.abc import Iterator

from msgspec import Struct

from ludograph.notation.json_records.reader import JsonReader
from ludograph.notation.json_records.values import (
    Json,
    JsonComment,
    JsonNull,
    JsonNumber,
    JsonObject,
    JsonString,
    fold_case,
    show,
)
from ludograph.text import Span


class CgnMessage(Struct, frozen=True):
    """A code in upper case and its detail; the span is that of the code."""

    code: str
    detail: Json
    span: Span


CODES_WITHOUT_DETAIL = frozenset({"R!", "PR", "LA", "LR", "GO"})
"""Codes that may be alone on a line; the detail is null then."""

_CODE = re.compile(r"[A-Za-z]+!?")
_NOTHING_ON_LINE = re.compile(r"[ \t]*(?=[\r\n,#]|\Z)")
# The misprint `S {"P1": P3{{"G":1}}` of the specification, with or without the missing bracket.
_MISPRINTED_STEAL = re.compile(
    r'\{\s*"(P[1-4])"\s*:\s*(P[1-4])\s*\{\s*\{\s*"([BGLOW])"\s*:\s*1\s*\}\s*\}(?:\s*\})?', re.IGNORECASE
)


def read_messages(reader: JsonReader) -> Iterator[CgnMessage | JsonComment]:
    """The messages and comments of a record, in the order of the text."""
    reader.skip_mark()
    reader.skip_blanks()
    cursor = reader.cursor
    if cursor.at_end and not reader.comments:
        cursor.fail(
            "NT0301", "the text has no message", hint='a record starts with {"PS":"Setup"} or PS "Setup"'
        )
    yield from _take_comments(reader)
    if cursor.peek() == "[":
        yield from _read_list(reader)
        reader.skip_blanks()
        yield from _take_comments(reader)
        if not cursor.at_end:
            hint = "a record of the file ends here; a file may have several records"
            cursor.fail("NT0302", f"expected the end of the record, found {cursor.found()}", hint=hint)
        return
    while not cursor.at_end:
        yield from _read_loose(reader)
        reader.skip_blanks()
        cursor.maybe(",")
        reader.skip_blanks()
        yield from _take_comments(reader)


def _take_comments(reader: JsonReader) -> Iterator[JsonComment]:
    yield from reader.comments
    reader.comments.clear()


def _read_list(reader: JsonReader) -> Iterator[CgnMessage | JsonComment]:
    start = reader.enter("[", 0)
    yield from _take_comments(reader)
    more = not reader.cursor.maybe("]")
    while more:
        yield from _messages_in(reader, reader.parse_value(1))
        more = reader.has_more(start, "]")
        yield from _take_comments(reader)


def _messages_in(reader: JsonReader, value: Json) -> Iterator[CgnMessage]:
    hint = 'a message is an object with its code as the key: {"PS":"Setup"}'
    if not isinstance(value, JsonObject) or not value.members:
        reader.fail(value.span, "NT0303", "expected a message", hint)
    for key, detail in value.members:
        yield CgnMessage(fold_case(key.value), detail, key.span)


def _read_loose(reader: JsonReader) -> Iterator[CgnMessage]:
    """Read one message, or an object with several messages, outside a list."""
    cursor = reader.cursor
    start = cursor.offset
    if cursor.peek() == "{":
        yield from _messages_in(reader, reader.parse_value())
    elif cursor.peek() == '"':
        key = reader.parse_string()
        reader.skip_blanks()
        cursor.expect(":", "NT0604", hint='a message is written "CODE": value')
        code = fold_case(key.value)
        yield CgnMessage(code, _parse_detail(reader, code, start), key.span)
    elif word := cursor.maybe_match(_CODE):
        code, span = fold_case(word[0]), Span(start, cursor.offset)
        if code in CODES_WITHOUT_DETAIL and cursor.maybe_match(_NOTHING_ON_LINE):
            yield CgnMessage(code, JsonNull(span), span)
        else:
            yield CgnMessage(code, _parse_detail(reader, code, start), span)
    else:
        hint = 'a message starts with its code: PS "Setup" or {"PS":"Setup"}'
        cursor.fail("NT0303", f"expected a message, found {cursor.found()}", hint=hint)


def _parse_detail(reader: JsonReader, code: str, start: int) -> Json:
    cursor = reader.cursor
    reader.skip_blanks()
    if cursor.at_end or cursor.peek() == ",":
        cursor.fail(
            "NT0304",
            f"expected the detail of {show(code)}, found {cursor.found()}",
            start=start,
            hint=f"write {code} and its detail in JSON",
        )
    if code == "S" and (misprint := cursor.maybe_match(_MISPRINTED_STEAL)):
        return _correct_steal(reader, misprint)
    return reader.parse_value()


def _correct_steal(reader: JsonReader, misprint: re.Match[str]) -> Json:
    thief, victim, item = (JsonString(misprint[n], Span(*misprint.span(n))) for n in (1, 2, 3))
    hint = f'write {{"{thief.value}":{{"{item.value}":1}},"{victim.value}":{{"{item.value}":-1}}}}'
    span = Span(*misprint.span())
    reader.tolerate(span, "NT0315", "a steal lists the gains and losses of both players", hint)
    gain = JsonObject(((item, JsonNumber(1, item.span)),), item.span)
    loss = JsonObject(((item, JsonNumber(-1, item.span)),), item.span)
    return JsonObject(((thief, gain), (victim, loss)), span)
