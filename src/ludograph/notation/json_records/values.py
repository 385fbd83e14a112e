"""JSON values with their spans in the text, and the formatting of plain values as JSON."""

import json
import re
from collections.abc import Mapping, Sequence

from msgspec import Struct

from ludograph.text import Span

SURROGATE = re.compile("[\ud800-\udfff]")
# Deletes, old controls and the line separators of Unicode: every program must see one line.
_INVISIBLE = re.compile("[\x7f-\x9f\u2028\u2029]")


class JsonNull(Struct, frozen=True):
    span: Span


class JsonBool(Struct, frozen=True):
    value: bool
    span: Span


class JsonNumber(Struct, frozen=True):
    """A number; `value` is None unless it is written as an integer."""

    value: int | None
    span: Span


class JsonString(Struct, frozen=True):
    value: str
    span: Span


class JsonArray(Struct, frozen=True):
    items: tuple["Json", ...]
    span: Span


class JsonObject(Struct, frozen=True):
    """An object with its members in the order of the text, including repeated keys."""

    members: tuple["JsonMember", ...]
    span: Span


Json = JsonNull | JsonBool | JsonNumber | JsonString | JsonArray | JsonObject
JsonMember = tuple[JsonString, Json]


class JsonComment(Struct, frozen=True):
    """A `#` comment: the text after the `#` and one optional blank, up to the end of the line."""

    text: str
    span: Span


def describe_kind(value: Json) -> str:
    """The kind of a value for a message."""
    match value:
        case JsonNull():
            return "null"
        case JsonBool(boolean, _):
            return "true" if boolean else "false"
        case JsonNumber():
            return "a number"
        case JsonString(text, _):
            return f"the string {show(text)}"
        case JsonArray():
            return "a list"
        case JsonObject():
            return "an object"


def show(text: str) -> str:
    """The beginning of a text in quotes, short and printable, for a message.

    >>> show("P9"), show("x" * 99)
    ("'P9'", "'xxxxxxxxxxxxxxxxxxxxxxxx…'")
    """
    shown = "".join(c if c.isprintable() else "\ufffd" for c in text[:24])
    return f"'{shown}{'…' if len(text) > 24 else ''}'"


def fold_case(text: str) -> str:
    """The text in upper case if it is ASCII: upper case can merge other letters that differ."""
    return text.upper() if text.isascii() else text


JsonValue = None | bool | int | str | Sequence["JsonValue"] | Mapping[str, "JsonValue"]
"""A value that can be formatted as JSON."""


def format_json(value: JsonValue) -> str:
    """A value as JSON on one line, without blanks; only invisible characters are escaped.

    >>> format_json({"R": {"P1": 7}})
    '{"R":{"P1":7}}'
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return _INVISIBLE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def has_surrogates(text: str) -> bool:
    """Whether a text has an unpaired surrogate, which no parser accepts."""
    return SURROGATE.search(text) is not None
