"""A JSON parser whose values have spans, and checks of the values that report errors at these spans.

The standard library's parser is not enough. Messages must point into the text, repeated keys must be
kept, and a hostile text must fail at once: nesting is bounded, long numbers are never converted, no
text is scanned twice. Options allow `#` comments (CGN), end a value at the end of its line, and
allow integers in quotes (SGN).
Lenient parsing accepts missing and trailing commas and a byte order mark, with a warning.
"""

import re
from collections.abc import Sequence
from typing import NoReturn

from ludograph.notation.json_records.values import (
    SURROGATE,
    Json,
    JsonArray,
    JsonBool,
    JsonComment,
    JsonMember,
    JsonNull,
    JsonNumber,
    JsonObject,
    JsonString,
    describe_kind,
    fold_case,
    show,
)
from ludograph.notation.results import BYTE_ORDER_MARK_HINT, BYTE_ORDER_MARK_MESSAGE
from ludograph.text import BadText, Cursor, Diagnostic, Nonsense, Source, Span

CODES: dict[str, str] = {
    "NT0601": "a JSON value is expected",
    "NT0602": "a comma or the closing bracket of a list or object is expected",
    "NT0603": "the key of an object is a string in double quotes",
    "NT0604": "a colon is expected between key and value",
    "NT0605": "a string does not end on its line",
    "NT0606": "a string contains a control character",
    "NT0607": "an escape sequence is invalid",
    "NT0608": "an unpaired surrogate is not a character",
    "NT0609": "a number is not a valid JSON number",
    "NT0610": "a number has too many digits",
    "NT0611": "NaN and Infinity are not JSON",
    "NT0612": "the nesting is too deep",
    "NT0613": "a key is repeated",
    "NT0614": "a value has the wrong type",
    "NT0615": "a list has the wrong length",
    "NT0616": "a comma is missing",
    "NT0617": "a comma precedes the closing bracket",
    "NT0618": "the text starts with a byte order mark (lenient parsing accepts it)",
    "NT0619": "a number is not an integer",
    "NT0620": "a number is out of range",
    "NT0621": "an object lacks a key",
    "NT0622": "an object has an unknown key",
    "NT0623": "a closing brace is missing (lenient parsing accepts it)",
}

MAX_DEPTH = 64
MAX_DIGITS = 9
MAX_NUMBER = 10**MAX_DIGITS - 1


_ANY_BLANKS = re.compile(r"[ \t\r\n]*")
_LINE_BLANKS = re.compile(r"[ \t]*")
_NEXT_OBJECT = re.compile(r",\s*+\{")
_COMMENT = re.compile(r"#[^\r\n]*")
_VALUE_START = re.compile(r"[\[{\"\-0-9]|(?:true|false|null)\b")
_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)((?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)")
_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]{0,8})")
_NUMBER_GOES_ON = re.compile(r"[0-9A-Za-z_.+]+")
# Possessive, so that a string of 100 MB needs no memory for backtracking.
_STRING = re.compile(r'"([^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})[^"\\\x00-\x1f]*+)*+)')
_ESCAPE = re.compile(r"\\(?:u([dD][89abAB]..)\\u([dD][c-fC-F]..)|u(....)|(.))")
_ESCAPED = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}

_WORD = re.compile(r"-?[A-Za-z_$][A-Za-z0-9_$]*")
_CORRECTIONS = {
    "none": "null",
    "nil": "null",
    "undefined": "null",
    "null": "null",
    "true": "true",
    "false": "false",
}


class JsonReader:
    """Parses the values of a source and reports errors. Mutable: it has a cursor and collects warnings."""

    def __init__(
        self,
        source: Source,
        *,
        lenient: bool = False,
        comments: bool = False,
        by_line: bool = False,
        quoted_numbers: bool = False,
    ) -> None:
        self.source = source
        self.cursor = Cursor(source)
        self.lenient = lenient
        self.warnings: list[Diagnostic] = []
        self.comments: list[JsonComment] = []
        """The comments since the list was last emptied; the caller that takes them empties it."""
        self._has_comments = comments
        self._blanks = _LINE_BLANKS if by_line else _ANY_BLANKS
        self._has_quoted_numbers = quoted_numbers

    # Errors.

    def fail(self, span: Span, code: str, message: str, hint: str = "") -> NoReturn:
        """Raise BadText at a span."""
        raise BadText(Diagnostic(code, message, span, hint, self.source))

    def fail_meaning(self, span: Span, code: str, message: str, hint: str = "") -> NoReturn:
        """Raise Nonsense at a span."""
        raise Nonsense(Diagnostic(code, message, span, hint, self.source))

    def tolerate(self, span: Span, code: str, message: str, hint: str = "") -> None:
        """Add a warning if parsing is lenient, else raise BadText."""
        if not self.lenient:
            self.fail(span, code, message, hint)
        self.warnings.append(Diagnostic(code, message, span, hint, self.source))

    def tolerate_meaning(self, span: Span, code: str, message: str, hint: str = "") -> None:
        """Add a warning if parsing is lenient, else raise Nonsense."""
        if not self.lenient:
            self.fail_meaning(span, code, message, hint)
        self.warnings.append(Diagnostic(code, message, span, hint, self.source))

    # Parsing.

    def skip_mark(self) -> None:
        """Skip a byte order mark at the beginning."""
        if self.cursor.maybe("\ufeff"):
            self.tolerate(Span(0, 1), "NT0618", BYTE_ORDER_MARK_MESSAGE, BYTE_ORDER_MARK_HINT)

    def skip_blanks(self) -> None:
        """Skip blanks, and collect comments where the notation allows them."""
        cursor = self.cursor
        if cursor.peek() not in " \t\r\n#":
            return  # The usual case: no blanks.
        while True:
            cursor.maybe_match(self._blanks)
            if not self._has_comments or cursor.peek() != "#":
                return
            start = cursor.offset
            found = cursor.maybe_match(_COMMENT)
            assert found is not None, "a comment starts here"
            text = found[0][1:]
            self._reject_surrogates(start, cursor.offset, escaped=False)
            self.comments.append(JsonComment(text.removeprefix(" "), Span(start, cursor.offset)))

    def parse_value(self, depth: int = 0) -> Json:
        """Parse the next value; `depth` is the number of brackets around it."""
        self.skip_blanks()
        match self.cursor.peek():
            case '"':
                return self.parse_string()
            case "{":
                return self._parse_object(depth)
            case "[":
                return self._parse_array(depth)
            case _:
                return self._maybe_number() or self._parse_word()

    def parse_string(self) -> JsonString:
        """Parse the next string."""
        cursor = self.cursor
        start = cursor.offset
        found = cursor.maybe_match(_STRING)
        if found is None:
            message = f"expected a string in double quotes, found {cursor.found()}"
            cursor.fail("NT0603", message, hint='write "…"')
        if not cursor.maybe('"'):
            self._fail_string(start)
        text = found[1] if "\\" not in found[1] else _ESCAPE.sub(_unescape, found[1])
        if SURROGATE.search(text):
            self._reject_surrogates(start + 1, cursor.offset, escaped=True)
        return JsonString(text, Span(start, cursor.offset))

    def has_more(self, start: int, closer: str) -> bool:
        """Take a comma or the end after an item of the list at `start`; whether another item follows."""
        self.skip_blanks()
        cursor = self.cursor
        if cursor.maybe(closer):
            return False
        comma = Span(cursor.offset, cursor.offset + 1)
        if closer == "}" and _NEXT_OBJECT.match(cursor.text, cursor.offset):
            self.tolerate(comma, "NT0623", "a closing '}' is missing", "write it before the comma")
            return False
        if cursor.maybe(","):
            self.skip_blanks()
            if not cursor.maybe(closer):
                return True
            self.tolerate(comma, "NT0617", f"a comma precedes the closing '{closer}'", "leave it out")
            return False
        expected = f"expected ',' or '{closer}', found {cursor.found()}"
        if not _VALUE_START.match(cursor.text, cursor.offset):
            line, column = self.source.line_and_column(start)
            unclosed = f"the '{cursor.text[start]}' in line {line}, column {column} is not closed"
            cursor.fail("NT0602", expected, hint=unclosed if self._at_stop() else "")
        self.tolerate(comma, "NT0616", expected, "a comma is missing")
        return True

    def enter(self, opener: str, depth: int) -> int:
        """Take an opening bracket and return its offset."""
        start = self.cursor.offset
        if depth >= MAX_DEPTH:
            message = f"brackets are nested more than {MAX_DEPTH} deep"
            self.cursor.fail("NT0612", message, hint="no notation needs more than a few levels")
        self.cursor.expect(opener, "NT0601", hint=f"write {opener}")
        self.skip_blanks()
        return start

    def _parse_array(self, depth: int) -> JsonArray:
        start = self.enter("[", depth)
        items: list[Json] = []
        more = not self.cursor.maybe("]")
        while more:
            items.append(self.parse_value(depth + 1))
            more = self.has_more(start, "]")
        return JsonArray(tuple(items), Span(start, self.cursor.offset))

    def _parse_object(self, depth: int) -> JsonObject:
        start = self.enter("{", depth)
        members: list[JsonMember] = []
        more = not self.cursor.maybe("}")
        while more:
            members.append(self._parse_member(depth))
            more = self.has_more(start, "}")
        return JsonObject(tuple(members), Span(start, self.cursor.offset))

    def _parse_member(self, depth: int) -> JsonMember:
        cursor = self.cursor
        if cursor.peek() != '"':
            is_word = _WORD.match(cursor.text, cursor.offset) is not None
            hint = "put the key in double quotes" if is_word else 'a member is written "key": value'
            cursor.fail("NT0603", f"expected a key in double quotes, found {cursor.found()}", hint=hint)
        key = self.parse_string()
        self.skip_blanks()
        cursor.expect(":", "NT0604", hint='a member is written "key": value')
        return key, self.parse_value(depth + 1)

    def _maybe_number(self) -> JsonNumber | None:
        cursor = self.cursor
        start = cursor.offset
        found = cursor.maybe_match(_NUMBER)
        if found is None:
            return None
        if rest := cursor.maybe_match(_NUMBER_GOES_ON):
            is_padded = found[1] == "0" and rest[0].isdigit()
            hint = "leave out the leading zero" if is_padded else "write an integer"
            cursor.fail("NT0609", f"{show(found[0] + rest[0])} is not a number", hint=hint, start=start)
        if len(found[0]) > MAX_DIGITS + 1 or len(found[1]) > MAX_DIGITS:
            message = f"a number of more than {MAX_DIGITS} digits"
            cursor.fail("NT0610", message, start=start, hint="no notation has numbers that large")
        return JsonNumber(None if found[2] else int(found[0]), Span(start, cursor.offset))

    def _parse_word(self) -> Json:
        start = self.cursor.offset
        word = self.cursor.maybe_match(_WORD)
        if word is None or word[0] not in {"null", "true", "false"}:
            self._fail_word(word[0] if word else "", start)
        span = Span(start, self.cursor.offset)
        return JsonNull(span) if word[0] == "null" else JsonBool(word[0] == "true", span)

    def _fail_word(self, word: str, start: int) -> NoReturn:
        cursor = self.cursor
        in_quotes = "write strings in double quotes"
        if not word:
            is_quote = cursor.peek() == "'"
            hint = (
                in_quotes if is_quote else "a value is a string, a number, null, a list […] or an object {…}"
            )
            cursor.fail("NT0601", f"expected a value, found {cursor.found()}", hint=hint)
        if word.lstrip("-").lower() in {"nan", "infinity", "inf"}:
            hint = "write an integer or null"
            cursor.fail("NT0611", f"{show(word)} is not JSON", hint=hint, start=start)
        correction = _CORRECTIONS.get(word.lower())
        hint = f"write {correction}" if correction else in_quotes
        cursor.fail("NT0601", f"expected a value, found {show(word)}", hint=hint, start=start)

    def _fail_string(self, start: int) -> NoReturn:
        """Report the first invalid character of a string."""
        cursor = self.cursor
        found = cursor.peek()
        if found == "\\":
            hint = 'the escapes are \\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u with four digits'
            cursor.fail("NT0607", "this escape sequence is invalid", hint=hint)
        if found in {"", "\r", "\n"}:
            hint = 'end it with "; write a line break as \\n'
            cursor.fail("NT0605", f"the string is not closed: found {cursor.found()}", hint=hint, start=start)
        message = f"a string cannot contain the control character U+{ord(found):04X}"
        cursor.fail("NT0606", message, hint=f"write \\u{ord(found):04x}")

    def _reject_surrogates(self, start: int, end: int, *, escaped: bool) -> None:
        """Report the first unpaired surrogate in a range of the text, raw or escaped."""
        text = self.cursor.text
        halves = [raw.span() for raw in SURROGATE.finditer(text, start, end)][:1]
        if escaped:
            escapes = _ESCAPE.finditer(text, start, end)
            halves += [escape.span() for escape in escapes if SURROGATE.search(_unescape(escape))][:1]
        if halves:
            message = "an unpaired surrogate is not a character"
            self.fail(Span(*min(halves)), "NT0608", message, "write the character itself, or both halves")

    def _at_stop(self) -> bool:
        """Whether the text, or the line of a line-based notation, ends here."""
        return self.cursor.at_end or (self._blanks is _LINE_BLANKS and self.cursor.peek() in "\r\n")

    # Checks of parsed values. `what` names the value in messages: "a tile", "the map".

    def expect_members(self, value: Json, what: str, *, fold: bool = False) -> dict[str, JsonMember]:
        """The members of an object by key, without repeated keys; `fold` converts keys to upper case."""
        if not isinstance(value, JsonObject):
            self._fail_type(value, what, "an object {…}")
        members: dict[str, JsonMember] = {}
        for key, member in value.members:
            name = fold_case(key.value) if fold else key.value
            if name in members:
                line, column = self.source.line_and_column(members[name][0].span.start)
                message = f"the key {show(key.value)} is repeated"
                self.fail(key.span, "NT0613", message, f"the first one is in line {line}, column {column}")
            members[name] = (key, member)
        return members

    def expect_fields(
        self, value: Json, what: str, required: Sequence[str], optional: Sequence[str] = ()
    ) -> dict[str, Json]:
        """The members of an object that has these keys and no others."""
        members = self.expect_members(value, what)
        for name, (key, _) in members.items():
            if name not in required and name not in optional:
                known = ", ".join(f'"{known}"' for known in (*required, *optional))
                self.fail(key.span, "NT0622", f"{what} has no key {show(name)}", f"it has {known}")
        for name in required:
            if name not in members:
                self.fail(value.span, "NT0621", f'{what} needs the key "{name}"', f'add "{name}": …')
        return {name: member for name, (_, member) in members.items()}

    def expect_items(self, value: Json, what: str, count: int | None = None) -> tuple[Json, ...]:
        """The items of a list; with `count`, exactly that many."""
        if not isinstance(value, JsonArray):
            self._fail_type(value, what, "a list […]")
        if count is not None and len(value.items) != count:
            found = len(value.items)
            hint = f"{'add' if found < count else 'leave out'} {abs(found - count)}"
            self.fail(value.span, "NT0615", f"{what} has {count} parts, found {found}", hint)
        return value.items

    def expect_text(self, value: Json, what: str) -> str:
        """The text of a string."""
        if not isinstance(value, JsonString):
            self._fail_type(value, what, "a string")
        return value.value

    def expect_integer(self, value: Json, what: str, first: int, last: int) -> int:
        """An integer from `first` to `last`."""
        if self._has_quoted_numbers and isinstance(value, JsonString) and _INTEGER.fullmatch(value.value):
            value = JsonNumber(int(value.value), value.span)
        if not isinstance(value, JsonNumber):
            is_quoted = isinstance(value, JsonString) and value.value.lstrip("-").isdigit()
            self._fail_type(value, what, "an integer", "write it without quotes" if is_quoted else "")
        if value.value is None:
            hint = "write it without a decimal point and without an exponent"
            self.fail(value.span, "NT0619", f"{what} is an integer", hint)
        if not first <= value.value <= last:
            message = f"{what} is from {first} to {last}, found {value.value}"
            self.fail(value.span, "NT0620", message, f"write a number from {first} to {last}")
        return value.value

    def _fail_type(self, value: Json, what: str, expected: str, hint: str = "") -> NoReturn:
        message = f"{what} is {expected}, found {describe_kind(value)}"
        self.fail(value.span, "NT0614", message, hint or f"write {expected}")


def _unescape(escape: re.Match[str]) -> str:
    high, low, code, letter = escape.groups()
    if letter:
        return _ESCAPED[letter]
    if code:
        return chr(int(code, 16))
    return chr(0x10000 + ((int(high, 16) - 0xD800) << 10) + int(low, 16) - 0xDC00)
