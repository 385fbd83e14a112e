"""Random game texts from docs/grammar.txt, and which of its productions and choices they used.

The page is the only source: what it leaves out is never generated, what it allows must parse.
"""

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

PAGE = Path(__file__).resolve().parents[3] / "docs" / "grammar.txt"

NAMES = ("ant", "bee", "cat", "dog", "elk", "fox", "gnu", "hen")
TERMINALS: dict[str, tuple[str, ...]] = {
    "NAME": NAMES,
    "WORD": (*NAMES, "draw", "move", "all", "for"),
    "NUMBER": ("0", "1", "2", "7.5", "12"),
    "NUMBER_OF_TILES": ("2", "7"),
    "TEXT": ('"one"', '"a \\"word\\""', '""'),
    "MOVE": ("ant", "ant ( bee : 2 )", "a3 . hop ( to : { b2 , c4 } )", "2", '"guard#3.hit"'),
    "JSON": ("{ }", '{ "active" : 1 , "new" : [ 2 ] }'),
    "MESSAGE": ('"no"', '"{ant} of {bee.cat + 1} left"', '"\\{none\\}"'),
}


@dataclass(frozen=True)
class Literal:
    text: str


@dataclass(frozen=True)
class Call:
    name: str


@dataclass(frozen=True)
class Chain:
    items: "tuple[Rule, ...]"


@dataclass(frozen=True)
class Choice:
    options: "tuple[Rule, ...]"


@dataclass(frozen=True)
class Repeat:
    item: "Rule"
    most: int


Rule = Literal | Call | Chain | Choice | Repeat


def read_grammar(page: str) -> dict[str, Rule]:
    """The productions of the page; paragraphs that are none are prose."""
    found = re.findall(r"^(\w+) = (.*?) \.$", page, re.MULTILINE | re.DOTALL)
    return {name: _Reader(body).read() for name, body in found}


class _Reader:
    def __init__(self, body: str) -> None:
        self.tokens = [*re.findall(r'"[^"]*"|\w+|[\[\](){}|]', body), ""]
        self.at = 0

    def read(self) -> Rule:
        rule = self.choice()
        assert self.tokens[self.at] == "", self.tokens[self.at :]
        return rule

    def choice(self) -> Rule:
        options = [self.sequence()]
        while self.tokens[self.at] == "|":
            self.at += 1
            options.append(self.sequence())
        return options[0] if len(options) == 1 else Choice(tuple(options))

    def sequence(self) -> Rule:
        items: list[Rule] = []
        while self.tokens[self.at] not in ("", "|", ")", "]", "}"):
            items.append(self.item())
        return Chain(tuple(items))

    def item(self) -> Rule:
        token = self.tokens[self.at]
        self.at += 1
        if token.startswith('"'):
            return Literal(token[1:-1])
        if token in "([{":
            inside = self.choice()
            self.at += 1
            return inside if token == "(" else Repeat(inside, 1 if token == "[" else 3)
        return Call(token)


@dataclass
class Generator:
    """Makes texts; counts what it used, and prefers what it used least. Mutable."""

    grammar: dict[str, Rule]
    chance: random.Random
    used: dict[str, int] = field(default_factory=dict)
    chosen: dict[tuple[Rule, int], int] = field(default_factory=dict)
    repeated: dict[Rule, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.cost = _costs(self.grammar)

    def text(self, production: str, size: int) -> str:
        return " ".join(self.expand(Call(production), size))

    def expand(self, rule: Rule, size: int) -> list[str]:
        match rule:
            case Literal(text):
                return [text]
            case Call(name) if name in TERMINALS:
                return [self.chance.choice(TERMINALS[name])]
            case Call(name):
                self.used[name] = self.used.get(name, 0) + 1
                words = self.expand(self.grammar[name], size - 1)
                in_brackets = name == "condition" and (_shows_new(words) or _is_list(words))
                return ["(", *words, ")"] if in_brackets else words
            case Chain(items):
                return self._chain(items, size)
            case Choice(options):
                return self.expand(self._choose(rule, options, size), size)
            case Repeat(item, most):
                times = 0
                while (
                    times < most and self._affordable(item, size) and self.chance.random() < self._urge(rule)
                ):
                    times += 1
                    self.repeated[rule] = self.repeated.get(rule, 0) + 1
                return [word for _ in range(times) for word in self.expand(item, size)]

    def _chain(self, items: Sequence[Rule], size: int) -> list[str]:
        """The items in order; a condition before a parenthesis, which would be a call, is in brackets."""
        words: list[str] = []
        condition = 0
        for before, item in zip((None, *items), items, strict=False):
            added = self.expand(item, size)
            if before == Call("condition") and added[:1] == ["("] and words[condition] != "(":
                words[condition:] = ["(", *words[condition:], ")"]
            condition = len(words)
            words += added
        return words

    def _affordable(self, rule: Rule, size: int) -> bool:
        return _cost(rule, self.cost) <= size

    def _urge(self, rule: Repeat) -> float:
        """How likely one more is: what was rare so far, and what stands in braces, comes more often."""
        in_braces = (
            isinstance(rule.item, Chain) and len(rule.item.items) == 1 and _is_part(rule.item.items[0])
        )
        return 0.7 if self.repeated.get(rule, 0) < 3 else 0.6 if in_braces else 0.25

    def _choose(self, rule: Rule, options: Sequence[Rule], size: int) -> Rule:
        cheapest = min(_cost(option, self.cost) for option in options)
        fitting = [
            index for index, option in enumerate(options) if _cost(option, self.cost) <= max(size, cheapest)
        ]
        least = min(self.chosen.get((rule, index), 0) for index in fitting)
        rare = [index for index in fitting if self.chosen.get((rule, index), 0) <= least + 2]
        index = self.chance.choice(rare)
        self.chosen[rule, index] = self.chosen.get((rule, index), 0) + 1
        return options[index]


def _is_part(rule: Rule) -> bool:
    return isinstance(rule, Call) and rule.name.endswith(
        ("_part", "_line", "_phase", "statement", "declaration")
    )


def _is_list(words: list[str]) -> bool:
    """Whether a condition is nothing but a list, which an `if` would take for its body."""
    return words[0] == "{" and words[-1] == "}"


def _shows_new(words: list[str]) -> bool:
    """Whether `new` stands outside of all brackets, where a following brace would be taken for its own."""
    depth = 0
    for word in words:
        depth += word in ("(", "[", "{")
        depth -= word in (")", "]", "}")
        if word == "new" and depth == 0:
            return True
    return False


def _costs(grammar: dict[str, Rule]) -> dict[str, int]:
    """How deep the shallowest text of every production is."""
    cost = dict.fromkeys(grammar, 1000)
    for _ in grammar:
        cost = {name: min(cost[name], 1 + _cost(rule, cost)) for name, rule in grammar.items()}
    return cost


def _cost(rule: Rule, cost: dict[str, int]) -> int:
    match rule:
        case Literal() | Repeat():
            return 0
        case Call(name):
            return 0 if name in TERMINALS else cost[name]
        case Chain(items):
            return max((_cost(item, cost) for item in items), default=0)
        case Choice(options):
            return min(_cost(option, cost) for option in options)
