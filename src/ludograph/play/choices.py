"""Choices: the questions of a game, the answers to them, and the text of a move.

A game is a function of choices. A chooser is a player's number or CHANCE. A move is a sequence of choices of
one chooser without interruption. Its text is the action with its inputs, such as `grid[1][2].mark` or
`jump(to: c5)`.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from fractions import Fraction
from itertools import pairwise

from msgspec import Struct

CHANCE = -1
"""The chooser of dice, cards and everything else that no player decides."""

ChoiceValue = bool | int | float | str | None | tuple[int, ...]


class Kind(Enum):
    """The kind of a choice."""

    ACTION = "action"
    INPUT = "input"
    PICK = "pick"
    """One element of a list input."""
    ADD = "add"
    """One more of a key of a table input with a total."""
    STOP = "stop"
    """No further element of a list input, or of a table input."""
    EFFECT = "effect"
    CHANCE = "chance"

    def __repr__(self) -> str:
        return f"Kind.{self.name}"


PICKS = frozenset({Kind.PICK, Kind.ADD})
"""The kinds of choices that together are one value: a list or a table."""
MAX_IN_TABLE = 100_000
"""The greatest sum of a table that a text may give."""


class Choice(Struct, frozen=True, eq=False):
    """One answer. The engine reads `value`, people read `text`.

    Equality ignores `text` and `key`, which are for people. It distinguishes 1, 1.0 and true, as games do;
    `is_like` does not.
    """

    chooser: int
    kind: Kind
    name: str
    """The action or input."""
    value: ChoiceValue
    text: str
    index: int = 0
    """The number of elements of a list input, or the sum of a table input, that were chosen before."""
    key: str = ""
    """Inside a loop: the value of the loop's variable, as text, to distinguish inputs with the same name."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Choice):
            return NotImplemented
        return self._comparison_key() == other._comparison_key()

    def __ne__(self, other: object) -> bool:  # otherwise Struct defines another one
        return not self == other

    def __hash__(self) -> int:
        return hash(self._comparison_key())

    def _comparison_key(self) -> tuple[object, ...]:
        return self.chooser, self.kind, self.name, type(self.value), self.value, self.index

    def is_like(self, other: "Choice") -> bool:
        """Whether two choices are equal except for the types of numbers, which JSON may have changed."""
        return (self.chooser, self.kind, self.name, self.value, self.index) == (
            other.chooser,
            other.kind,
            other.name,
            other.value,
            other.index,
        )

    def to_json(self) -> dict[str, object]:
        value = list(self.value) if isinstance(self.value, tuple) else self.value
        return {
            "chooser": self.chooser,
            "kind": self.kind.value,
            "name": self.name,
            "value": value,
            "text": self.text,
            "index": self.index,
            **({"key": self.key} if self.key else {}),
        }

    @staticmethod
    def from_json(data: object) -> "Choice":
        """Read a choice from JSON data; raises ValueError with the reason if it is not valid."""
        if not isinstance(data, dict):
            raise ValueError("a choice is an object")
        chooser, kind, name = data.get("chooser"), data.get("kind"), data.get("name")
        value, text, index = data.get("value"), data.get("text"), data.get("index", 0)
        key = data.get("key", "")
        if not isinstance(chooser, int) or isinstance(chooser, bool):
            raise ValueError("a choice needs its chooser's number")
        if not isinstance(name, str) or not isinstance(text, str):
            raise ValueError("a choice needs a name and a text")
        if not isinstance(key, str):
            raise ValueError("the key of a choice is a text")
        if not isinstance(index, int) or isinstance(index, bool) or index < 0:
            raise ValueError("the index of a choice is a whole number")
        if kind not in {each.value for each in Kind}:
            raise ValueError(f"there is no kind of choice {kind!r}")
        if isinstance(value, list):
            if not all(isinstance(item, int) and not isinstance(item, bool) for item in value):
                raise ValueError("a choice's value is a list of whole numbers")
            value = tuple(value)
        elif value is not None and not isinstance(value, bool | int | float | str):
            raise ValueError("a choice's value is a number, a boolean, a text or null")
        return Choice(chooser, Kind(kind), name, value, text, index, key)


class Question(Struct, frozen=True):
    """The open choice: its chooser, its kind, and its candidates in the order of the reference engine."""

    chooser: int
    kind: Kind
    """ACTION, INPUT, EFFECT or CHANCE."""
    name: str
    candidates: tuple[Choice, ...]
    weights: tuple[int, ...] = ()
    """For chance: the relative weight of each candidate."""
    seen_by: frozenset[int] | None = None
    """The players who see the answer; None: all players."""
    key: str = ""
    """Inside a loop: the value of the loop's variable, as text."""

    def probability(self, index: int) -> Fraction:
        """The exact probability of a candidate of chance."""
        return Fraction(self.weights[index], sum(self.weights))


class Move(Struct, frozen=True, eq=False):
    """A sequence of choices of one chooser without interruption."""

    _choices: tuple[Choice, ...] | None
    """None if a subclass provides them when they are read."""

    @property
    def choices(self) -> tuple[Choice, ...]:
        assert self._choices is not None
        return self._choices

    @property
    def chooser(self) -> int:
        return self.choices[0].chooser

    @property
    def text(self) -> str:
        return format_move(self.choices)

    def __eq__(self, other: object) -> bool:
        return self.choices == other.choices if isinstance(other, Move) else NotImplemented

    def __ne__(self, other: object) -> bool:  # otherwise Struct defines another one
        return not self == other

    def __hash__(self) -> int:
        return hash(self.choices)

    def __reduce__(self) -> tuple[type["Move"], tuple[tuple[Choice, ...]]]:
        return Move, (self.choices,)

    def __repr__(self) -> str:
        return f"Move(choices={self.choices!r})"

    def __str__(self) -> str:
        return self.text


class NamedMove(Move, frozen=True, eq=False):
    """A move whose choices are created when they are first read."""

    _name: Callable[[], tuple[Choice, ...]]

    @property
    def choices(self) -> tuple[Choice, ...]:
        return self._name()

    __eq__ = Move.__eq__
    __ne__ = Move.__ne__
    __hash__ = Move.__hash__
    __repr__ = Move.__repr__


def format_move(choices: Sequence[Choice]) -> str:
    """The text of a move.

    >>> format_move([Choice(0, Kind.ACTION, "jump", (3,), "jump"), Choice(0, Kind.INPUT, "to", 7, "c5")])
    'jump(to: c5)'
    """
    first = choices[0]
    if first.kind is Kind.CHANCE:
        return f"random({', '.join(choice.text for choice in choices)})"
    if first.kind is not Kind.ACTION:
        return f"({', '.join(_format_arguments(choices))})"
    arguments = _format_arguments(choices[1:])
    return f"{first.text}({', '.join(arguments)})" if arguments else first.text


def _format_arguments(choices: Sequence[Choice]) -> list[str]:
    parts: list[str] = []
    picked: list[Choice] = []  # the elements of the current list or table input
    for index, choice in enumerate(choices):
        if choice.kind in PICKS:
            picked.append(choice)
            after = choices[index + 1] if index + 1 < len(choices) else None
            list_continues = (
                after is not None
                and after.kind in (choice.kind, Kind.STOP)
                and after.index == choice.index + 1
            )
            if not list_continues:
                parts.append(f"{choice.name}: {{{', '.join(_format_elements(picked))}}}")
                picked = []
        elif choice.kind is Kind.STOP:
            parts.append(f"{choice.name}: {{{', '.join(_format_elements(picked))}}}")
            picked = []
        else:
            parts.append(f"{choice.name}: {choice.text}")
    return parts


def _format_elements(picked: Sequence[Choice]) -> list[str]:
    """The elements of a list; the keys of a table with their numbers, such as `ruby: 2`."""
    if not picked or picked[0].kind is Kind.PICK:
        return [choice.text for choice in picked]
    counts = Counter(choice.text for choice in picked)
    return [f"{text}: {count}" for text, count in counts.items()]


class MoveWord(Struct, frozen=True):
    """One choice as it is written in the text of a move."""

    name: str | None
    text: str
    kind: Kind | None = None
    """PICK, ADD or STOP in braces, otherwise None."""


def split_move(text: str) -> tuple[MoveWord, ...]:
    """Split the text of a move into one word for each choice; raises ValueError if it is not valid.

    >>> [word.text for word in split_move("a1.jump(to: c5, cards: {x, y})")]
    ['a1.jump', 'c5', 'x', 'y', '']
    """
    text = text.strip()
    head, inside = text, ""
    if text.endswith(")"):
        at = _opening(text)
        head, inside = text[:at].strip(), text[at + 1 : -1]
    head = ".".join(part.strip() for part in _split_head(head))
    words: list[MoveWord] = []
    if head == "random" and text != head:
        return tuple(MoveWord(None, part) for part in _split(inside))
    if head:
        words.append(MoveWord(None, head))
    for part in _split(inside):
        name, colon, value = part.partition(":")
        if not colon:
            words.append(MoveWord(None, part))
            continue
        name, value = name.strip(), value.strip()
        if value.startswith("{") and value.endswith("}"):
            for item in _split(value[1:-1]):
                words += _split_element(name, item)
                if len(words) > MAX_IN_TABLE + len(text):
                    raise ValueError(f"the numbers in a table are at most {MAX_IN_TABLE:,} together")
            words.append(MoveWord(name, "", Kind.STOP))
        else:
            words.append(MoveWord(name, value))
    if not words:
        raise ValueError("the text of a move is empty")
    return tuple(words)


def _split_element(name: str, item: str) -> list[MoveWord]:
    """One word for an element of a list, or one for each of `ruby: 2` in a table."""
    colons = [at for at, character in find_unquoted(item) if character == ":"]
    number = item[colons[-1] + 1 :].strip() if colons else ""
    if not (number.isascii() and number.isdigit()):
        return [MoveWord(name, item, Kind.PICK)]
    if len(number) > len(str(MAX_IN_TABLE)) or int(number) > MAX_IN_TABLE:
        raise ValueError(f"a number in a table is at most {MAX_IN_TABLE:,}")
    return [MoveWord(name, item[: colons[-1]].strip(), Kind.ADD)] * int(number)


def answers(word: MoveWord, choice: Choice) -> bool:
    """Whether a choice is the one that a word names. The keys of a table may be written like a list."""
    is_listed = word.kind is Kind.PICK and choice.kind is Kind.ADD
    if (word.kind or choice.kind) is not choice.kind and not is_listed:
        return False
    if choice.kind is Kind.STOP:
        return word.kind is Kind.STOP and word.name == choice.name
    return word.text == choice.text and (word.name is None or word.name == choice.name)


def find_unquoted(text: str) -> Iterator[tuple[int, str]]:
    """The characters outside of quotes, each with its index; inside quotes `\\"` does not end them."""
    quoted = escaped = False
    for at, character in enumerate(text):
        if quoted:
            quoted = escaped or character != '"'
            escaped = character == "\\" and not escaped
        elif character == '"':
            quoted = True
        else:
            yield at, character


def _opening(text: str) -> int:
    """The index of the parenthesis that the last character closes."""
    opened: list[int] = []
    for at, character in find_unquoted(text):
        if character == "(":
            opened.append(at)
        elif character == ")":
            if not opened:
                break
            last = opened.pop()
            if at == len(text) - 1:
                return last
    raise ValueError("a closing parenthesis has no opening one")


def _split_head(text: str) -> list[str]:
    """Split at points outside of quotes."""
    points = [at for at, character in find_unquoted(text) if character == "."]
    return [text[start + 1 : end] for start, end in pairwise((-1, *points, len(text)))]


def _split(text: str) -> list[str]:
    """Split at commas outside of brackets and quotes."""
    parts: list[str] = []
    depth = 0
    start = 0
    for at, character in find_unquoted(text):
        depth += (character in "([{") - (character in ")]}")
        if character == "," and depth == 0:
            parts.append(text[start:at].strip())
            start = at + 1
    if text.strip():
        parts.append(text[start:].strip())
    return parts
