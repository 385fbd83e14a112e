"""Random programs: those of the corpus changed and put together, and new ones written type by type.

Many have errors; whoever plays them asks the checker first.
"""

import random
import re
from collections.abc import Callable, Iterator
from functools import cache

from tests.language.runner import cases
from tests.tgdl.native.writing import write_program

PIECE = re.compile(r'\s+|//[^\n]*|"(?:\\.|[^"\\])*"|\d+(?:\.\d+)?|\w+|==|!=|<=|>=|\+=|-=|\*=|/=|\.\.|.', re.S)
SWAPS = (
    ("==", "!=", "<", ">", "<=", ">="),
    ("+", "-", "*", "/", "%"),
    ("+=", "-=", "*=", "/="),
    ("and", "or", "xor"),
    ("true", "false", "none"),
    ("before", "after", "fast"),
    ("any", "all", "count", "where", "select", "first", "last"),
    ("min", "max", "sum", "count", "length"),
    ("choice", "offturn", "aside", "stuck"),
    ("sequence", "simultaneous", "choice"),
    ("pass", "draw", "fail", "cancel"),
    ("add", "remove", "push", "pop", "append"),
    ("move", "remove"),
    ("in", "from"),
    ("global", "local"),
    ("hidden", "private", "public"),
    ("floor", "ceil", "abs", "round"),
    ("left", "right", "up", "down"),
)
DECLARED = re.compile(
    r"(?:action|verb|state|tile|interactable|stack|enum|const \w+|option \w+|group|turn|phase)\s+(\w+)"
)
KIN = {word: row for row in SWAPS for word in row}


@cache
def corpus() -> tuple[str, ...]:
    """The programs of the corpus that are played, without their comments."""
    return tuple(
        "".join(piece for piece in PIECE.findall(case.files[0].text) if not piece.startswith("//"))
        for case in cases()
        if case.is_played and len(case.files) == 1 and len(case.files[0].text) < 4000
    )


def random_program(draws: random.Random) -> str:
    """A random program, valid or not."""
    if draws.random() < 0.4:
        return write_program(draws)
    text = draws.choice(corpus())
    if draws.random() < 0.35:
        text = join(text, draws.choice(corpus()))
    for _ in range(draws.choice((1, 1, 2, 3))):
        text = change(text, draws)
    return text


def join(one: str, other: str) -> str:
    """Two programs merged into one; the declarations of the second are renamed."""
    taken = set(DECLARED.findall(other)) & set(re.findall(r"\w+", one))
    pieces = [f"{piece}_b" if piece in taken else piece for piece in PIECE.findall(other)]
    rest = "".join(pieces)
    if "players" in one:
        rest = re.sub(r"(?m)^players\b[^;]*;", "", rest)
    return f"{one}\n{rest}"


def change(text: str, draws: random.Random) -> str:
    """One small change."""
    pieces = PIECE.findall(text)
    match draws.randrange(7):
        case 0:
            return _changed(
                pieces, [at for at, piece in enumerate(pieces) if piece.isdigit()], draws, _number
            )
        case 1 | 2:
            places = [at for at, piece in enumerate(pieces) if piece in KIN]
            return _changed(pieces, places, draws, lambda piece, draws: draws.choice(KIN[piece]))
        case 3:
            words = sorted({piece for piece in pieces if piece.isidentifier()})
            places = [at for at, piece in enumerate(pieces) if piece.isidentifier()]
            return _changed(pieces, places, draws, lambda piece, draws: draws.choice(words))
        case 4:
            spans = list(statements(pieces))
            if not spans:
                return text
            start, end = draws.choice(spans)
            return "".join(pieces[:start] + pieces[end:])
        case _:
            spans = list(statements(pieces))
            if not spans:
                return text
            start, end = draws.choice(spans)
            to = draws.choice(spans)[1]
            return "".join([*pieces[:to], " ", *pieces[start:end], *pieces[to:]])


def _changed(
    pieces: list[str], places: list[int], draws: random.Random, new: Callable[[str, random.Random], str]
) -> str:
    if not places:
        return "".join(pieces)
    at = draws.choice(places)
    return "".join([*pieces[:at], new(pieces[at], draws), *pieces[at + 1 :]])


def _number(piece: str, draws: random.Random) -> str:
    return draws.choice(("0", "1", "2", "3", "5", "7", "0.5", "64", "1000", "-1", piece + "0"))


def statements(pieces: list[str]) -> Iterator[tuple[int, int]]:
    """The ranges of pieces that end with a semicolon or a closing brace, with all that is inside them."""
    starts = [0]
    for at, piece in enumerate(pieces):
        if piece == "{":
            starts.append(at + 1)
        elif piece == "}":
            if len(starts) > 1:
                starts.pop()
            yield starts[-1], at + 1
            starts[-1] = at + 1
        elif piece == ";":
            yield starts[-1], at + 1
            starts[-1] = at + 1


def smaller_programs(text: str) -> list[str]:
    """The program with one piece less, the largest pieces first."""
    pieces = PIECE.findall(text)
    spans = sorted(statements(pieces), key=lambda span: span[0] - span[1])
    found = ["".join(pieces[:start] + pieces[end:]) for start, end in spans]
    return [*found, *_without_tails(pieces)]


def _without_tails(pieces: list[str]) -> Iterator[str]:
    """Without an operator and what follows it, without a bracket's content."""
    for at, piece in enumerate(pieces):
        if piece in ("and", "or", "xor", "+", "-", "*", "/", "%", "==", "!=", "<", ">", ","):
            for end in range(at + 1, min(at + 14, len(pieces))):
                if pieces[end] in (")", "]", "}", ";", ",", "and", "or"):
                    yield "".join(pieces[:at] + pieces[end:])
                    break
