"""Lexer: it splits a source into tokens, and keeps blanks and comments.

The pieces of a `Lexed` in order are the whole source, because the formatter needs the comments and blank
lines. The kind of a piece depends on its text only, so the lexer classifies each distinct piece once. This
and a single regular expression make it fast.
"""

import re
from collections.abc import Iterator, Mapping
from enum import Enum
from itertools import accumulate

from msgspec import Struct

from ludograph.text.diagnostic import Diagnostic
from ludograph.text.source import Source, Span

# A longer name, number or string is a mistake or an attack.
MAX_NAME_LENGTH = 200
MAX_NUMBER_LENGTH = 40
MAX_STRING_LENGTH = 10_000

# The escapes of strings: the character after the backslash, and the character that it means.
ESCAPES = {'"': '"', "\\": "\\", "n": "\n", "t": "\t", "{": "{", "}": "}"}

# The lexer reports at most this many faults of a source.
MAX_FAULTS = 100

CODES: Mapping[str, str] = {
    "TG0101": "an invalid character",
    "TG0102": "a string without a closing quote",
    "TG0103": "letters directly after a number",
    "TG0104": "a block comment (/* … */)",
    "TG0105": "an unknown escape sequence in a string",
    "TG0106": "a string in single quotes",
    "TG0107": "a number with too many digits",
    "TG0108": "a string that is too long",
    "TG0109": "a name that is too long",
    "TG0110": "an unprintable character in a string",
    "TG0111": "a name that does not begin with a letter",
}

# Characters of other languages, and what to write instead.
STRANGE_CHARACTERS: Mapping[str, str] = {
    "&": "the logical operator is `and`",
    "|": "the logical operator is `or`",
    "#": "a comment begins with //",
    "?": "write `(a if c else b)` for a choice between two values",
}


class TokenKind(Enum):
    WORD = "word"
    NUMBER = "number"
    STRING = "string"
    SIGN = "sign"
    COMMENT = "comment"
    BLANK = "blank"
    FAULT = "fault"  # a character that the parser skips
    END = "end"


class Lexed(Struct, frozen=True):
    """The pieces of a source: three parallel tuples with their texts, kinds and offsets."""

    source: Source
    pieces: tuple[str, ...]
    kinds: tuple[TokenKind, ...]
    starts: tuple[int, ...]
    diagnostics: tuple[Diagnostic, ...]


def tokenize(source: Source) -> Lexed:
    """Split a source into pieces, and report their faults."""
    pieces = PIECE.findall(source.text)
    judged = _KindTable()
    kinds = [judged[piece] for piece in pieces]
    if any(fault.code == OPEN_STRING for fault in judged.faults.values()):
        pieces = [part for piece in pieces for part in _without_rest_of_line(piece)]
        kinds = [judged[piece] for piece in pieces]
    starts = [0, *accumulate(map(len, pieces))][:-1]
    if pieces and pieces[0] == BYTE_ORDER_MARK:
        kinds[0] = TokenKind.BLANK
    diagnostics = tuple(_diagnostics(source, pieces, kinds, starts, judged.faults)) if judged.faults else ()
    return Lexed(source, tuple(pieces), tuple(kinds), tuple(starts), diagnostics)


def _without_rest_of_line(piece: str) -> list[str]:
    """Split an unclosed string from the signs and statements after it; other pieces stay whole."""
    if piece[0] != '"' or CLOSED_STRING.fullmatch(piece) is not None:
        return [piece]
    end, value_end = 1, 1
    while end < len(piece) and piece[end] not in ";}":
        if piece[end] == "{":  # an expression in a message, or the brace of a block
            closing = piece.find("}", end)
            if closing < 0 or piece.find(";", end, closing) >= 0:
                break
            end = value_end = closing + 1
        else:
            end += 2 if piece[end] == "\\" else 1
    end = max(value_end, len(piece[:end].rstrip(END_OF_LINE)))
    return [piece[:end], *PIECE.findall(piece, end)]


def read_string(piece: str) -> str:
    """The value of a string: without quotes and with escapes resolved, as far as it has no faults."""
    inside = piece[1:-1] if len(piece) > 1 and piece.endswith(piece[0]) else piece[1:]
    return ESCAPE.sub(lambda found: ESCAPES.get(found[1], found[1]), inside) if "\\" in inside else inside


OPEN_STRING = "TG0102"
END_OF_LINE = " \t;,{}()[]"

BYTE_ORDER_MARK = "\ufeff"

PIECE = re.compile(
    r"""
      [^\W\d_]\w*                                           # word
    | \s+                                                   # blanks
    | <-> | -> | [=!<>]= | && | \|\| | [+\-*]= | \.\.       # signs of two letters and more
    | (?>[0-9]+(?:\.[0-9]+)?) (?!\w)                        # number
    | "[^"\\\r\n]*(?:\\[^\r\n][^"\\\r\n]*)*"?               # string
    | //[^\r\n]* | \\\\[^\r\n]*                             # comment
    | /\*(?s:.*?)(?:\*/|\Z)                                 # comment of another language
    | /=
    | [{}()\[\];,.:=<>+\-*/%^!]                             # signs of one letter
    | '[^'\r\n]*'?                                          # string of another language
    | [0-9]\w*(?:\.\w+)?                                    # number with something stuck to it
    | \w+                                                   # word with a wrong beginning
    | (?s:.)
    """,
    re.VERBOSE,
)
CLOSED_STRING = re.compile(r'"[^"\\\r\n]*(?:\\[^\r\n][^"\\\r\n]*)*"')
ESCAPE = re.compile(r"\\(.)")
SIGN_LETTERS = frozenset("{}()[];,.:=<>+-*/%^!&|")


class _Fault(Struct, frozen=True):
    code: str
    message: str
    hint: str = ""
    offset: int = 0  # in the piece
    length: int | None = None


class _KindTable(dict[str, TokenKind]):
    """The kinds of pieces and their faults, classified on the first look-up. Mutable."""

    def __init__(self) -> None:
        super().__init__()
        self.faults: dict[str, _Fault] = {}

    def __missing__(self, piece: str) -> TokenKind:
        kind, fault = _classify(piece)
        if fault is not None:
            self.faults[piece] = fault
        self[piece] = kind
        return kind


def _classify(piece: str) -> tuple[TokenKind, _Fault | None]:
    """The kind of a piece, and its fault."""
    first = piece[0]
    if first.isspace():
        return TokenKind.BLANK, None
    if first.isalpha():
        return TokenKind.WORD, _fault_of_word(piece)
    if first in "0123456789":
        return TokenKind.NUMBER, _fault_of_number(piece)
    if first == '"':
        return TokenKind.STRING, _fault_of_string(piece)
    if piece.startswith(("//", "\\\\")):
        return TokenKind.COMMENT, None
    if piece.startswith("/*"):
        return TokenKind.COMMENT, _Fault(
            "TG0104", "block comments (/* … */) are not supported", "write // before each line"
        )
    if first == "'":
        fault = _Fault("TG0106", "a string needs double quotes", f'write "{piece.strip(chr(39))}"')
        return TokenKind.STRING, fault
    if first in SIGN_LETTERS and (len(piece) > 1 or first not in "&|"):
        return TokenKind.SIGN, None
    if first == "_" or first.isalnum():
        fault = _Fault("TG0111", f"a name must begin with a letter, found '{first}'", "")
        return TokenKind.WORD, fault
    return TokenKind.FAULT, _fault_of_character(first)


def _fault_of_word(piece: str) -> _Fault | None:
    if len(piece) <= MAX_NAME_LENGTH:
        return None
    return _Fault(
        "TG0109",
        f"this name has {len(piece)} characters; the maximum is {MAX_NAME_LENGTH}",
        "",
        0,
        MAX_NAME_LENGTH,
    )


def _fault_of_number(piece: str) -> _Fault | None:
    if not piece.replace(".", "", 1).isdecimal():
        rows, _, columns = piece.partition("x")
        if rows.isdecimal() and columns.isdecimal():
            message = f"'{piece[:40]}' is neither a number nor a name"
            return _Fault("TG0103", message, f"write {rows} by {columns} for a size, * to multiply")
        return _Fault(
            "TG0103",
            f"'{piece[:40]}' is neither a number nor a name",
            "put a space after the number, or begin the name with a letter",
        )
    if len(piece) > MAX_NUMBER_LENGTH:
        return _Fault("TG0107", f"this number has {len(piece)} digits; the maximum is {MAX_NUMBER_LENGTH}")
    return None


def _fault_of_string(piece: str) -> _Fault | None:
    if CLOSED_STRING.fullmatch(piece) is None:
        return _Fault(OPEN_STRING, "this string has no closing quote on its line", 'write " at its end')
    if len(piece) > MAX_STRING_LENGTH:
        return _Fault(
            "TG0108",
            f"this string has {len(piece)} characters; the maximum is {MAX_STRING_LENGTH}",
            "",
            0,
            40,
        )
    for found in ESCAPE.finditer(piece):
        if found[1] not in ESCAPES:
            known = " ".join("\\" + letter for letter in ESCAPES)
            message = f"unknown escape sequence '{found[0]}'"
            return _Fault("TG0105", message, f"the escape sequences are {known}", found.start(), 2)
    for offset, letter in enumerate(piece):
        if not letter.isprintable() and letter not in "\t\u00a0":
            return _Fault(
                "TG0110",
                f"a string cannot contain the unprintable character U+{ord(letter):04X}",
                "remove it",
                offset,
                1,
            )
    return None


def _fault_of_character(letter: str) -> _Fault:
    shown = f"'{letter}'" if letter.isprintable() else f"U+{ord(letter):04X}"
    return _Fault("TG0101", f"invalid character {shown}", STRANGE_CHARACTERS.get(letter, ""))


def _diagnostics(
    source: Source, pieces: list[str], kinds: list[TokenKind], starts: list[int], faults: dict[str, _Fault]
) -> Iterator[Diagnostic]:
    """A diagnostic for each faulty piece, but only one for neighbouring unknown characters."""
    reported = 0
    end_of_strange = -1
    for piece, kind, start in zip(pieces, kinds, starts, strict=True):
        fault = faults.get(piece)
        if fault is None or (kind is TokenKind.BLANK):
            continue
        if kind is TokenKind.FAULT:
            beside, end_of_strange = start == end_of_strange, start + len(piece)
            if beside:
                continue
        first = start + fault.offset
        last = start + len(piece) if fault.length is None else first + fault.length
        yield Diagnostic(fault.code, fault.message, Span(first, last), fault.hint, source)
        reported += 1
        if reported == MAX_FAULTS:
            return
