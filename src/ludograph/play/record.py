"""Records: a game as text that can be replayed exactly.

Header lines `[Key "value"]` give the rules, players, options and seed. Moves follow, one on each line or
several separated by `;`, each after its chooser (`*` is chance) and a colon. `#` starts a comment. Lines end
with LF, CRLF or a lone CR, as in sources of games.

    [Game "Tic-tac-toe"]
    [Rules "91c0…"]
    0: grid[1][1].mark
    1: grid[0][0].mark
"""

import json
import re

from msgspec import Struct

from ludograph.play.choices import CHANCE, find_unquoted
from ludograph.play.generator import MASK

HEADER = re.compile(r'\[\s*([A-Za-z]+)\s+"((?:[^"\\]|\\.)*)"\s*\]\s*(?:#.*)?')
LINE_END = re.compile(r"\r\n?|\n")
"""Other line ends of Python may occur inside a string of a move."""
ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r"}
"""How a header escapes characters that would end it."""
MAX_DIGITS = 40
"""Of a number in a header."""
MAX_SHOWN = 60
"""The number of characters of an invalid text that a message shows."""
_BEFORE_MOVES = re.compile(r'\s*(?:#.*|\[\w+ ".*"\])?\s*')
"""A header line, a comment, or an empty line."""
_MOVE = re.compile(r"\s*(?:\*|[0-9]+)\s*:")
_RULES_HEADER = re.compile(r'\s*\[Rules "')
HIDDEN = "?"
"""A choice that the reader of a record may not see."""


class RecordedMove(Struct, frozen=True):
    """A move by its text."""

    chooser: int
    text: str


class Record(Struct, frozen=True):
    """Everything that is needed to replay a game."""

    game: str
    rules: str
    language: int
    players: int
    options: tuple[tuple[str, bool | float | str], ...]
    seed: int | None
    setup: str | None
    moves: tuple[RecordedMove, ...]
    result: str | None = None
    position: str | None = None
    """The start position as JSON text; None: the start of the game."""


class BadRecord(ValueError):
    """The text is not a record; the message names the line."""


def seed_to_record(seed: int) -> int:
    """A seed that fits into a record and gives the same numbers."""
    return seed if abs(seed) < 10**MAX_DIGITS else seed & MASK


def format_record(record: Record) -> str:
    """A record as text."""
    lines = [
        _header("Game", record.game),
        _header("Rules", record.rules),
        _header("Language", str(record.language)),
        _header("Players", str(record.players)),
    ]
    lines += [_header("Option", f"{name}={_format_option(value)}") for name, value in record.options]
    if record.seed is not None:
        lines.append(_header("Seed", str(record.seed)))
    if record.setup is not None:
        lines.append(_header("Setup", record.setup))
    if record.position is not None:
        lines.append(_header("Position", record.position))
    if record.result is not None:
        lines.append(_header("Result", record.result))
    lines.append("")
    lines += [f"{'*' if move.chooser == CHANCE else move.chooser}: {move.text}" for move in record.moves]
    return "\n".join(lines) + "\n"


def parse_record(text: str) -> Record:
    """Parse a record; BadRecord names the invalid line."""
    headers: dict[str, str] = {}
    options: list[tuple[str, bool | float | str]] = []
    moves: list[RecordedMove] = []
    for number, line in enumerate(LINE_END.split(text), 1):
        stripped = line.strip()
        if not stripped or stripped.startswith("#"):
            continue
        header = HEADER.fullmatch(stripped)
        if header and not moves:
            key, value = header[1], _unescaped(header[2])
            if key == "Option":
                options.append(_parse_option(value, number))
            elif key in headers:
                raise BadRecord(f"line {number}: there are two headers {key}")
            else:
                headers[key] = value
            continue
        for part in _parts(stripped):
            if part.strip():
                moves.append(_parse_move(part.strip(), number))
    for key in ("Rules", "Players"):
        if key not in headers:
            raise BadRecord(f'the header [{key} "…"] is missing')
    return Record(
        headers.get("Game", ""),
        headers["Rules"],
        _number(headers.get("Language", "1"), "Language", least=1),
        _number(headers["Players"], "Players"),
        tuple(options),
        _number(headers["Seed"], "Seed") if "Seed" in headers else None,
        headers.get("Setup"),
        tuple(moves),
        headers.get("Result"),
        headers.get("Position"),
    )


def is_record(text: str) -> bool:
    """Whether a text looks like a record: its first line after the headers is a move, or a header names the
    rules.
    """
    lines = text.removeprefix("\ufeff").splitlines()
    at = next((place for place, line in enumerate(lines) if not _BEFORE_MOVES.fullmatch(line)), len(lines))
    if any(_RULES_HEADER.match(line) for line in lines[:at]):
        return True
    return at < len(lines) and _MOVE.match(lines[at]) is not None


def parse_headers(text: str) -> dict[str, str]:
    """The headers of a record, also those that replaying it does not need; of several the first."""
    found: dict[str, str] = {}
    for line in LINE_END.split(text):
        header = HEADER.fullmatch(line.strip())
        if header is not None:
            found.setdefault(header[1], _unescaped(header[2]))
    return found


def parse_moves(text: str) -> list[tuple[int | None, str]]:
    """Moves separated by `;` or line ends, each with its chooser, or None if it names none.

    >>> parse_moves("0: a1.mark; b2.mark")
    [(0, 'a1.mark'), (None, 'b2.mark')]
    """
    found: list[tuple[int | None, str]] = []
    for number, line in enumerate(LINE_END.split(text), 1):
        for part in _parts(line):
            move = part.strip()
            if re.match(r"(?:\*|[0-9]+)\s*:", move):
                recorded = _parse_move(move, number)
                found.append((recorded.chooser, recorded.text))
            elif move:
                found.append((None, move))
    return found


def _format_option(value: bool | float | str) -> str:
    """Whole numbers are written without `.0`, as everywhere."""
    return json.dumps(int(value) if isinstance(value, float) and value.is_integer() else value)


def _header(key: str, value: str) -> str:
    escaped = "".join(ESCAPES.get(character, character) for character in value)
    return f'[{key} "{escaped}"]'


def _unescaped(text: str) -> str:
    line_ends = {"n": "\n", "r": "\r"}
    return re.sub(r"\\(.)", lambda found: line_ends.get(found[1], found[1]), text)


def _shown(text: str) -> str:
    """An invalid text for a message: shortened, and without control characters."""
    shortened = text if len(text) <= MAX_SHOWN else f"{text[: MAX_SHOWN - 1]}…"
    return "".join(each if each.isprintable() else f"\\u{ord(each):04x}" for each in shortened)


def _parts(line: str) -> list[str]:
    """The moves of a line, up to a comment; a `#` starts a comment only after a space, because `man#3` is a
    name.
    """
    parts: list[str] = []
    start, end = 0, len(line)
    for at, character in find_unquoted(line):
        if character == ";":
            parts.append(line[start:at])
            start = at + 1
        elif character == "#" and (at == 0 or line[at - 1].isspace()):
            end = at
            break
    return [*parts, line[start:end]]


def _parse_move(text: str, number: int) -> RecordedMove:
    chooser, colon, move = text.partition(":")
    chooser, move = chooser.strip(), move.strip()
    if not colon or not move or not (chooser == "*" or (chooser.isascii() and chooser.isdigit())):
        raise BadRecord(f"line {number}: expected a move such as `0: pass`, found `{_shown(text)}`")
    if len(chooser) > 9:
        raise BadRecord(f"line {number}: there is no player {_shown(chooser)}")
    return RecordedMove(CHANCE if chooser == "*" else int(chooser), move)


def _parse_option(text: str, number: int) -> tuple[str, bool | float | str]:
    name, equals, value = text.partition("=")
    try:
        parsed = json.loads(value) if equals else None
    except (ValueError, RecursionError):
        parsed = None
    if not isinstance(parsed, bool | int | float | str):
        raise BadRecord(f'line {number}: expected [Option "name=value"], found `{_shown(text)}`')
    return name, parsed


def _number(text: str, key: str, least: int | None = None) -> int:
    if not re.fullmatch(r"-?[0-9]+", text):
        raise BadRecord(f"{key} is a whole number, not `{_shown(text)}`")
    digits = len(text.removeprefix("-"))
    if digits > MAX_DIGITS:
        raise BadRecord(f"{key} has {digits:,} digits, and at most {MAX_DIGITS} are allowed")
    if least is not None and int(text) < least:
        raise BadRecord(f"{key} is {least} or more, not {text}")
    return int(text)
