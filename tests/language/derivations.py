"""Which productions and choices of docs/grammar.txt a text uses: the text derived by the page itself.

The parser is not asked, so that what the page says is what is counted. Texts that the page describes only in
prose (modifiers in another order, older spellings) have no derivation.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from ludograph.text import Source
from ludograph.tgdl.syntax.lexer import TokenKind, tokenize
from ludograph.tgdl.syntax.parser.stream import RESERVED
from tests.tgdl.syntax.grammar_texts import Call, Chain, Choice, Literal, Repeat, Rule

Used = set[str | tuple[int, int]]
"""Names of productions, and choices (by identity: to hash a rule takes long) with the options that fit.

Words and signs are choices without options, of the number WRITTEN.
"""
WRITTEN = -1

TERMINALS = {TokenKind.NUMBER: ("NUMBER", "NUMBER_OF_TILES"), TokenKind.STRING: ("TEXT", "MESSAGE")}


class Page:
    """The productions, with what each can begin with: words, signs and terminals. "" stands for nothing."""

    def __init__(self, grammar: dict[str, Rule]) -> None:
        self.grammar = grammar
        self.firsts: dict[str, frozenset[str]] = dict.fromkeys(grammar, frozenset())
        changed = True
        while changed:
            found = {name: self._firsts(rule) for name, rule in grammar.items()}
            changed = found != self.firsts
            self.firsts = found

    def _firsts(self, rule: Rule) -> frozenset[str]:
        match rule:
            case Literal(text):
                return frozenset((text,))
            case Call(name):
                return self.firsts.get(name, frozenset((name,)))
            case Choice(options):
                return frozenset().union(*map(self._firsts, options))
            case Repeat(item):
                return self._firsts(item) | {""}
            case Chain(items):
                found: frozenset[str] = frozenset(("",))
                for item in items:
                    found = (found - {""}) | self._firsts(item)
                    if "" not in found:
                        break
                return found

    def derive(self, text: str) -> Used:
        """What the derivation of a text uses; nothing if there is none."""
        lexed = tokenize(Source(text))
        pieces = zip(lexed.pieces, lexed.kinds, strict=True)
        labels = [
            _labels(text, kind) for text, kind in pieces if kind not in (TokenKind.BLANK, TokenKind.COMMENT)
        ]
        derivation = _Derivation(self, [*labels, frozenset(("",))])
        whole = Call("file")
        if len(labels) in derivation.ends(whole, 0):
            derivation.take(whole, 0, len(labels))
        return derivation.used


def _labels(text: str, kind: TokenKind) -> frozenset[str]:
    """What a token can stand for, and nothing."""
    if kind is TokenKind.WORD and text not in RESERVED:
        return frozenset((text, "NAME", "WORD", ""))
    if kind is TokenKind.WORD:
        return frozenset((text, "WORD", ""))
    return frozenset((text, "", *TERMINALS.get(kind, ())))


@dataclass
class _Derivation:
    """Where each rule can end, from every place; then what leads through. Mutable."""

    page: Page
    tokens: Sequence[frozenset[str]]
    used: Used = field(default_factory=set)
    known: dict[tuple[str, int], tuple[int, ...]] = field(default_factory=dict)
    taken: set[tuple[str, int, int]] = field(default_factory=set)

    def ends(self, rule: Rule, at: int) -> tuple[int, ...]:
        match rule:
            case Literal(text):
                return (at + 1,) if text in self.tokens[at] else ()
            case Call("MOVE" | "JSON" as name):
                return self._end_of_raw_text(at, is_json=name == "JSON")
            case Call(name) if name not in self.page.grammar:
                return (at + 1,) if name in self.tokens[at] else ()
            case Call(name):
                if self.tokens[at].isdisjoint(self.page.firsts[name]):
                    return ()
                if (name, at) not in self.known:
                    self.known[name, at] = self.ends(self.page.grammar[name], at)
                return self.known[name, at]
            case Chain(items):
                reached: tuple[int, ...] = (at,)
                for item in items:
                    reached = self._after(item, reached)
                    if not reached:
                        break
                return reached
            case Choice(options):
                return tuple({end: None for option in options for end in self.ends(option, at)})
            case Repeat(item, most):
                found = {at: None}
                front: tuple[int, ...] = (at,)
                while front:
                    front = tuple(end for end in self._after(item, front) if end not in found)
                    found.update(dict.fromkeys(front))
                    if most == 1:
                        break
                return tuple(found)

    def _end_of_raw_text(self, at: int, *, is_json: bool) -> tuple[int, ...]:
        """The end of a text whose brackets are closed."""
        if is_json != ("{" in self.tokens[at]):
            return ()
        if "TEXT" in self.tokens[at]:
            return (at + 1,)
        depth, end = 0, at
        while end < len(self.tokens) - 1 and (depth or self.tokens[end].isdisjoint((";", "}", "TEXT"))):
            depth += not self.tokens[end].isdisjoint("({[")
            depth -= not self.tokens[end].isdisjoint(")}]")
            end += 1
        return (end,) if end > at else ()

    def _after(self, rule: Rule, places: tuple[int, ...]) -> tuple[int, ...]:
        if len(places) == 1:
            return self.ends(rule, places[0])
        return tuple({end: None for place in places for end in self.ends(rule, place)})

    def take(self, rule: Rule, at: int, end: int) -> None:
        """Note what leads from one place to the other: all options that fit, and one way to repeat."""
        match rule:
            case Literal():
                self.used.add((id(rule), WRITTEN))
            case Call(name) if name in self.page.grammar and (name, at, end) not in self.taken:
                self.used.add(name)
                self.taken.add((name, at, end))
                self.take(self.page.grammar[name], at, end)
            case Chain(items):
                self._take_chain(items, at, end)
            case Choice(options):
                # A word such as `weights` may be taken for a name as well: every option that fits is used.
                for index, option in enumerate(options):
                    if end in self.ends(option, at):
                        self.used.add((id(rule), index))
                        self.take(option, at, end)
            case Repeat(item) if at < end:
                for middle in self.ends(item, at):
                    if middle > at and end in self.ends(rule, middle):
                        self.take(item, at, middle)
                        self.take(rule, middle, end)
                        return
            case _:
                pass

    def _take_chain(self, items: tuple[Rule, ...], at: int, end: int) -> None:
        if not items:
            return
        rest = Chain(items[1:])
        middle = next(place for place in self.ends(items[0], at) if end in self.ends(rest, place))
        self.take(items[0], at, middle)
        self._take_chain(items[1:], middle, end)
