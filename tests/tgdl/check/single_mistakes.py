"""Programs with one mistake each, as a person makes them at the keyboard."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ludograph.text import Diagnostic, Source
from ludograph.tgdl import check_source
from ludograph.tgdl.syntax.lexer import TokenKind, tokenize
from ludograph.tgdl.syntax.parser.stream import DECLARATION_WORDS, PART_STARTS, RESERVED
from tests.language.runner import cases

GAMES = Path(__file__).parents[3] / "src" / "ludograph" / "games"
WORDS = RESERVED | DECLARATION_WORDS | PART_STARTS.keys()
SIGNS = "{}[]();"
UNMEANT = (TokenKind.BLANK, TokenKind.COMMENT)
# What stands instead of a literal of each kind.
OTHER_LITERALS = {TokenKind.NUMBER: '"word"', TokenKind.STRING: "3", TokenKind.WORD: "3"}


@dataclass(frozen=True, slots=True)
class Token:
    start: int
    text: str
    kind: TokenKind

    @property
    def end(self) -> int:
        return self.start + len(self.text)


@dataclass(frozen=True, slots=True)
class Mistake:
    """A text with one thing wrong in it, and where that is."""

    kind: str
    text: str
    place: int

    def errors(self) -> list[Diagnostic]:
        found = check_source(Source(self.text, "game.tgdl"))[1]
        return [one for one in found if one.severity == "error"]

    def is_near(self, error: Diagnostic) -> bool:
        """Whether an error stands in the line of the mistake, in the next one or in its declaration."""
        line, other = (self.text.count("\n", 0, at) for at in (self.place, error.span.start))
        return abs(line - other) <= 1 or self._declaration(self.place) == self._declaration(error.span.start)

    def _declaration(self, place: int) -> int:
        """Where the last line before a place begins that has its first letter at the margin."""
        starts = [0]
        for at in range(place):
            if self.text[at] == "\n" and self.text[at + 1 : at + 2].isalpha():
                starts.append(at + 1)
        return starts[-1]


def programs(chance: random.Random, most: int) -> list[str]:
    """The shorter games of the shelf and some programs of the corpus, all of them without an error."""
    shelf = [
        path.read_text(encoding="utf-8") for path in sorted(GAMES.glob("*.tgdl")) if path.stem != "hexil"
    ]
    corpus = [case.text for case in cases() if len(case.text) > 120 and "import" not in case.text]
    chosen = [text for text in chance.sample(corpus, most) if check_source(Source(text, "game.tgdl"))[0]]
    return shelf + chosen


def mistakes(chance: random.Random, texts: Sequence[str]) -> Iterator[Mistake]:
    """One mistake after the other, of all kinds in turn, without end."""
    while True:
        for kind, make in KINDS.items():
            text = chance.choice(texts)
            damaged = make(text, _tokens(text), chance)
            if damaged is not None:
                yield Mistake(kind, *damaged)


Damaged = tuple[str, int] | None


def _tokens(text: str) -> list[Token]:
    lexed = tokenize(Source(text, "game.tgdl"))
    return [
        Token(start, piece, kind)
        for start, piece, kind in zip(lexed.starts, lexed.pieces, lexed.kinds, strict=True)
        if kind not in UNMEANT
    ]


def _replace(text: str, token: Token, instead: str) -> Damaged:
    return text[: token.start] + instead + text[token.end :], token.start


def _drop(text: str, tokens: list[Token], chance: random.Random) -> Damaged:
    return _replace(text, chance.choice(tokens), "")


def _double(text: str, tokens: list[Token], chance: random.Random) -> Damaged:
    token = chance.choice(tokens)
    return _replace(text, token, f"{token.text} {token.text}")


def _swap(text: str, tokens: list[Token], chance: random.Random) -> Damaged:
    at = chance.randrange(len(tokens) - 1)
    one, other = tokens[at], tokens[at + 1]
    between = text[one.end : other.start] or " "
    return text[: one.start] + other.text + between + one.text + text[other.end :], one.start


def _drop_sign(text: str, tokens: list[Token], chance: random.Random) -> Damaged:
    return _replace(text, chance.choice([token for token in tokens if token.text in SIGNS]), "")


def _insert_sign(text: str, tokens: list[Token], chance: random.Random) -> Damaged:
    place = chance.choice(tokens).start
    return f"{text[:place]}{chance.choice(SIGNS)} {text[place:]}", place


def _insert_quote(text: str, tokens: list[Token], chance: random.Random) -> Damaged:
    place = chance.choice(tokens).start
    return f'{text[:place]}"{text[place:]}', place


def _drop_quote(text: str, tokens: list[Token], chance: random.Random) -> Damaged:
    strings = [token for token in tokens if token.kind is TokenKind.STRING]
    if not strings:
        return None
    token = chance.choice(strings)
    return _replace(text, token, chance.choice((token.text[1:], token.text[:-1])))


def _misspell(text: str, tokens: list[Token], chance: random.Random, *, of_language: bool) -> Damaged:
    """A word with a letter left out, doubled or in the wrong order."""
    words = [
        token for token in tokens if token.kind is TokenKind.WORD and (token.text in WORDS) == of_language
    ]
    if not words:
        return None
    token = chance.choice(words)
    at = chance.randrange(len(token.text))
    before, letter, behind = token.text[:at], token.text[at], token.text[at + 1 :]
    written = chance.choice(
        (before + behind, before + letter * 2 + behind, behind[:1].join((before, letter)) + behind[1:])
    )
    return _replace(text, token, written if written not in ("", token.text) else token.text + "x")


def _change_literal(text: str, tokens: list[Token], chance: random.Random) -> Damaged:
    literals = [
        token
        for token in tokens
        if token.kind in (TokenKind.NUMBER, TokenKind.STRING) or token.text in ("true", "false")
    ]
    if not literals:
        return None
    token = chance.choice(literals)
    return _replace(text, token, OTHER_LITERALS[token.kind])


KINDS: dict[str, Callable[[str, list[Token], random.Random], Damaged]] = {
    "drop a token": _drop,
    "double a token": _double,
    "swap two tokens": _swap,
    "drop a sign": _drop_sign,
    "insert a sign": _insert_sign,
    "insert a quote": _insert_quote,
    "drop a quote": _drop_quote,
    "misspell a word of the language": lambda *given: _misspell(*given, of_language=True),
    "misspell a name": lambda *given: _misspell(*given, of_language=False),
    "a literal of another type": _change_literal,
}
