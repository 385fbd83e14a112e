"""Which productions and choices of docs/grammar.txt a text uses: the text derived by the page itself.

The parser is not asked, so that what the page says is what is counted. Texts that the page describes only in
prose (modifiers in another order, older spellings) have no derivation.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from ludograph.text import Source
from ludograph.tgdl.lexer import Kind, tokenize
from ludograph.tgdl.parser_stream import RESERVED
from tests.tgdl.grammar_texts import Call, Chain, Choice, Literal, Repeat, Rule

Used = set[str | tuple[Rule, int]]
"""Names of productions, and choices with the option that was taken."""


def derive(grammar: dict[str, Rule], text: str) -> Used:
    """What one derivation of a text uses; nothing if there is none."""
    lexed = tokenize(Source(text))
    pieces = zip(lexed.pieces, lexed.kinds, strict=True)
    tokens = [(text, kind) for text, kind in pieces if kind not in (Kind.BLANK, Kind.COMMENT)]
    derivation = _Derivation(grammar, tokens)
    whole = Call("file")
    if len(tokens) in derivation.ends(whole, 0):
        derivation.take(whole, 0, len(tokens))
    return derivation.used


@dataclass
class _Derivation:
    """Where each rule can end, from every place; then one way through. Mutable."""

    grammar: dict[str, Rule]
    tokens: Sequence[tuple[str, Kind]]
    used: Used = field(default_factory=set)
    known: dict[tuple[str, int], tuple[int, ...]] = field(default_factory=dict)

    def ends(self, rule: Rule, at: int) -> tuple[int, ...]:
        match rule:
            case Literal(text):
                fits = at < len(self.tokens) and self.tokens[at][0] == text
                return (at + 1,) if fits else ()
            case Call(name) if name not in self.grammar:
                return (at + 1,) if self._is_terminal(name, at) else ()
            case Call(name):
                if (name, at) not in self.known:
                    self.known[name, at] = self.ends(self.grammar[name], at)
                return self.known[name, at]
            case Chain(items):
                reached: tuple[int, ...] = (at,)
                for item in items:
                    reached = self._after(item, reached)
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

    def _after(self, rule: Rule, places: tuple[int, ...]) -> tuple[int, ...]:
        if len(places) == 1:
            return self.ends(rule, places[0])
        return tuple({end: None for place in places for end in self.ends(rule, place)})

    def take(self, rule: Rule, at: int, end: int) -> None:
        """Note what the first way from one place to the other uses."""
        match rule:
            case Call(name) if name in self.grammar:
                self.used.add(name)
                self.take(self.grammar[name], at, end)
            case Chain(items):
                self._take_chain(items, at, end)
            case Choice(options):
                # A word such as `base` may be taken for a name as well: every option that fits is used.
                fitting = [i for i, option in enumerate(options) if end in self.ends(option, at)]
                self.used.update((rule, index) for index in fitting)
                self.take(options[fitting[0]], at, end)
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

    def _is_terminal(self, name: str, at: int) -> bool:
        if at >= len(self.tokens):
            return False
        text, kind = self.tokens[at]
        match name:
            case "NAME":
                return kind is Kind.WORD and text not in RESERVED
            case "NUMBER" | "NUMBER_OF_TILES":
                return kind is Kind.NUMBER
            case _:
                return kind is Kind.STRING
