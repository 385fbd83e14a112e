"""Hints: which targets they are for, and their values: colours, symbols, texts, numbers and conditions."""

import re
from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from enum import Enum

from msgspec import Struct

from ludograph.play.appearance import (
    ComputedValue,
    ConditionalValue,
    FixedValue,
    HintValue,
    MappedValue,
    Sprite,
)
from ludograph.play.appearance_words import COLOURS, NAMED_KEYS, STYLES, SYMBOLS
from ludograph.text import Span
from ludograph.tgdl.check.appearance.targets import Target, TargetKind
from ludograph.tgdl.check.appearance.values import HintContext
from ludograph.tgdl.check.reports import with_article
from ludograph.tgdl.check.symbols import SymbolTable
from ludograph.tgdl.program.types import Basic, EnumType, Type, describe
from ludograph.tgdl.syntax import tree

HEX_COLOUR = re.compile("#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})")
MAX_GLYPHS = 3
MAX_NEAR = 4
MAX_SPRITE = 32
MAX_COLOURS = 8
TRANSPARENT = ". "


class HintType(Enum):
    """The types of values; the values are their descriptions in messages."""

    COLOURS = "a colour"
    SYMBOL = "a symbol"
    TEXT = "a text"
    NUMBER = "a number"
    CONDITION = "a condition, or nothing"
    STYLES = "a style"
    KEY = "a key"
    SPRITE = "rows in braces"


class HintFacts(Struct, frozen=True):
    type: HintType
    targets: frozenset[TargetKind]


ALL = frozenset(TargetKind)
_BOARDS = frozenset({TargetKind.BOARD, TargetKind.GROUP})
_THINGS = frozenset({TargetKind.TILE, TargetKind.INTERACTABLE})
_ATTRIBUTE = frozenset({TargetKind.ATTRIBUTE})
_HANDS = frozenset({TargetKind.STACK, TargetKind.ATTRIBUTE})

HINTS: Mapping[str, HintFacts] = {
    "style": HintFacts(HintType.STYLES, _BOARDS),
    "colour": HintFacts(HintType.COLOURS, ALL - {TargetKind.ENUM, TargetKind.STATE}),
    "symbol": HintFacts(HintType.SYMBOL, _THINGS | _ATTRIBUTE | {TargetKind.MEMBER, TargetKind.ACTION}),
    "label": HintFacts(HintType.TEXT, ALL),
    "pips": HintFacts(HintType.NUMBER, _THINGS),
    "line": HintFacts(HintType.CONDITION, frozenset({TargetKind.TILE})),
    "token": HintFacts(HintType.SYMBOL, _ATTRIBUTE),
    "scale": HintFacts(HintType.NUMBER, _BOARDS | _THINGS | _ATTRIBUTE),
    "cards": HintFacts(HintType.CONDITION, _HANDS),
    "pile": HintFacts(HintType.CONDITION, _HANDS),
    "dice": HintFacts(HintType.CONDITION, _HANDS | {TargetKind.ACTION}),
    "key": HintFacts(HintType.KEY, frozenset({TargetKind.ACTION})),
    "hide": HintFacts(HintType.CONDITION, ALL),
    "sprite": HintFacts(HintType.SPRITE, _THINGS | _ATTRIBUTE),
}


class WordKind(Struct, frozen=True):
    """Colours or symbols: the known words with their values, and the words of messages."""

    name: str
    words: Mapping[str, str]
    hint: str

    @property
    def article(self) -> str:
        return with_article(self.name)


COLOUR = WordKind("colour", COLOURS, 'write the name of a colour, or "#rrggbb"')
SYMBOL = WordKind(
    "symbol",
    {name: name for name in sorted(SYMBOLS)},
    f"write the name of a symbol, or up to {MAX_GLYPHS} letters in quotes",
)
MemberDefault = Callable[[str], str | None]
"""The value for a member without the hint."""

MAX_VALUES = {HintType.STYLES: len(STYLES), HintType.COLOURS: 2}


class HintChecker:
    """Checks hints; `found` has the checked ones by target. Mutable."""

    def __init__(
        self, world: SymbolTable, found: "dict[str, dict[str, tuple[HintValue, ...] | Sprite]]"
    ) -> None:
        self.world = world
        self.found = found

    def check_hint(
        self, context: HintContext, target: Target, node: tree.Hint | tree.SpriteGrid
    ) -> tuple[HintValue, ...] | Sprite | None:
        """The values of a hint, or None after an error."""
        name = node.name.text
        facts = HINTS.get(name)
        if facts is None:
            near = self.world.reports.closest(name, HINTS)
            hint = f"did you mean '{near}'?" if near else f"the hints are {', '.join(sorted(HINTS))}"
            self._error(context, "TG0386", f"there is no hint '{name}'", node.name.span, hint)
            return None
        if target.kind not in facts.targets:
            *first, last = [kind.value for kind in TargetKind if kind in facts.targets]
            others = f"{', '.join(first)} or {last}" if first else last
            message = f"the hint '{name}' is not for {target.kind.value}"
            self._error(context, "TG0386", message, node.name.span, f"it is for {others}")
            return None
        if isinstance(node, tree.SpriteGrid):
            return self._sprite(context, node)
        count = len(node.values) + (node.message is not None)
        is_optional = facts.type is HintType.CONDITION
        if count > MAX_VALUES.get(facts.type, 1) or (count == 0 and not is_optional):
            message = (
                f"the hint '{name}' needs {facts.type.value}"
                if not count
                else f"too many values for '{name}'"
            )
            self._error(context, "TG0386", message, node.span)
            return None
        values = self._values(context, facts.type, node)
        return None if any(value is None for value in values) else tuple(v for v in values if v is not None)

    def _values(self, context: HintContext, type: HintType, node: tree.Hint) -> list[HintValue | None]:
        items: tuple[tree.Expression | tree.Message, ...] = node.values
        if node.message is not None:
            items = (node.message,)
        match type:
            case HintType.CONDITION:
                return [self._typed(context, item, Basic.BOOL) for item in items] or [FixedValue(True)]
            case HintType.NUMBER:
                return [self._typed(context, item, Basic.DECIMAL) for item in items]
            case HintType.TEXT:
                return [self._text(context, item) for item in items]
            case HintType.COLOURS:
                return [self._word(context, item, COLOUR) for item in items]
            case HintType.SYMBOL:
                return [self._word(context, item, SYMBOL) for item in items]
            case HintType.STYLES:
                return [self._style(context, item) for item in items]
            case HintType.KEY:
                return [self._key(context, item) for item in items]
            case HintType.SPRITE:
                hint = 'write sprite { ".b."; "bbb"; b black; }'
                return [self._error(context, "TG0389", "a sprite has its rows in braces", node.span, hint)]

    def check_players(self, context: HintContext, node: tree.PlayerColours) -> tuple[str, ...]:
        """The colours of the players: constants, all of them different."""
        colours: list[str] = []
        for item in node.colours:
            value = self._word(context, item, COLOUR)
            if not isinstance(value, FixedValue) or not isinstance(value.value, str):
                if value is not None:
                    self._error(context, "TG0387", "the colour of a player must be a constant", item.span)
                continue
            if value.value in colours:
                message = f"two players cannot have the same colour {value.value}"
                self._error(context, "TG0387", message, item.span)
            colours.append(value.value)
        return tuple(colours)

    # Values

    def _typed(
        self, context: HintContext, node: tree.Expression | tree.Message, wanted: Type
    ) -> HintValue | None:
        found = None if isinstance(node, tree.Message) else context.value(node, wanted)
        if isinstance(node, tree.Message):
            self._wrong_type(context, describe(wanted), Basic.STRING, node.span)
        if found is None:
            return None
        value, type = found
        return (
            value
            if type in (wanted, Basic.NONE)
            else self._wrong_type(context, describe(wanted), type, node.span)
        )

    def _text(self, context: HintContext, node: tree.Expression | tree.Message) -> HintValue | None:
        if not isinstance(node, tree.Message):
            found = context.value(node)
            return None if found is None else self._label_of(*found)
        if all(isinstance(part, str) for part in node.parts):
            return FixedValue("".join(part for part in node.parts if isinstance(part, str)))
        parts: list[HintValue] = []
        for part in node.parts:
            value = FixedValue(part) if isinstance(part, str) else self._text(context, part)
            if value is None:
                return None
            parts.append(value)
        return ComputedValue("join", tuple(parts))

    def _label_of(self, value: HintValue, type: Type) -> HintValue:
        """Members of enums have their labels, players their numbers."""
        if type is Basic.PLAYER:
            return ConditionalValue(
                ComputedValue("is none", (value,)),
                FixedValue(None),
                ComputedValue("join", (FixedValue("player "), value)),
            )
        if isinstance(type, EnumType):
            return self._by_member(value, type, "label", lambda name: name) or value
        return value

    def _by_member(
        self, value: HintValue, type: EnumType, hint: str, default: "MemberDefault"
    ) -> MappedValue | None:
        """The hint of the member that a value is; None if no member has it."""
        cases: list[tuple[str, HintValue]] = []
        for name in self.world.enums[type.name].members:
            given = self.found.get(f"{type.name}.{name}", {}).get(hint)
            if isinstance(given, tuple):
                cases.append((name, given[0]))
            elif (usual := default(name)) is not None:
                cases.append((name, FixedValue(usual)))
        return MappedValue(value, tuple(cases)) if cases else None

    def _word(
        self, context: HintContext, node: tree.Expression | tree.Message, kind: "WordKind"
    ) -> HintValue | None:
        """A colour or a symbol: a known word, a text, none, or a value that has one."""
        match node:
            case tree.Message(parts):
                if len(parts) == 1 and isinstance(parts[0], str):
                    return self._written(context, parts[0], node.span, kind)
                return self._error(context, "TG0387", f"{kind.article} cannot contain values", node.span)
            case tree.Text(text):
                return self._written(context, text, node.span, kind)
            case tree.NoneValue():
                return FixedValue(None)
            case tree.Conditional(condition, then, otherwise):
                test = self._typed(context, condition, Basic.BOOL)
                first, second = self._word(context, then, kind), self._word(context, otherwise, kind)
                if test is None or first is None or second is None:
                    return None
                return ConditionalValue(test, first, second)
            case tree.Name(text) if not _has_word(context, text, kind):
                if text in kind.words:
                    return FixedValue(kind.words[text])
                if not self.world.declares(text) and text != "player":
                    message = f"there is no {kind.name} '{text}'"
                    hint = self._near(text, [*_own_names(context), *kind.words]) or kind.hint
                    return self._error(context, "TG0387", message, node.span, hint)
            case _:
                pass
        found = context.value(node)
        return None if found is None else self._word_of(context, *found, node.span, kind)

    def _word_of(
        self, context: HintContext, value: HintValue, type: Type, span: Span, kind: "WordKind"
    ) -> HintValue | None:
        """The colour or symbol of a value: of a member of an enum, or of a player."""
        if type is Basic.PLAYER and kind is COLOUR:
            return value
        if not isinstance(type, EnumType):
            return self._wrong_type(context, kind.article, type, span)
        default = SYMBOL.words.get if kind is SYMBOL else lambda _: None
        found = self._by_member(value, type, kind.name, default)
        if found is None:
            member = next(iter(self.world.enums[type.name].members), "member")
            hint = f"write {type.name} {{ {member} {{ {kind.name} …; }} }}"
            message = f"no member of '{type.name}' has {kind.article}"
            return self._error(context, "TG0387", message, span, hint)
        return found

    def _written(self, context: HintContext, text: str, span: Span, kind: "WordKind") -> HintValue | None:
        """A colour or symbol in quotes."""
        if text in kind.words:
            return FixedValue(kind.words[text])
        if kind is COLOUR and HEX_COLOUR.fullmatch(text):
            digits = text[1:].lower()
            return FixedValue(f"#{digits if len(digits) == 6 else ''.join(2 * digit for digit in digits)}")
        is_short = 0 < len(text) <= MAX_GLYPHS and text.isprintable() and not text.isspace()
        if kind is SYMBOL and is_short:
            return FixedValue(text)
        hint = self._near(text, list(kind.words)) or kind.hint
        return self._error(context, "TG0387", f"'{text[:40]}' is not {kind.article}", span, hint)

    def _near(self, text: str, known: list[str]) -> str:
        """The known words that are similar to a word, as a hint; "" if there is none."""
        near = self.world.reports.closest(text, known)
        if not near:
            return ""
        words = dict.fromkeys((near, *get_close_matches(text, known, MAX_NEAR)))
        *first, last = [f"'{word}'" for word in words]
        return f"did you mean {', '.join(first)} or {last}?" if first else f"did you mean {last}?"

    def _style(self, context: HintContext, node: tree.Expression | tree.Message) -> HintValue | None:
        text = node.text if isinstance(node, tree.Name) else ""
        if text in STYLES:
            return FixedValue(text)
        near = self.world.reports.closest(text, STYLES) if text else ""
        hint = f"did you mean '{near}'?" if near else f"the styles are {', '.join(STYLES)}"
        message = f"there is no style '{text}'" if text else "expected the name of a style"
        return self._error(context, "TG0387", message, node.span, hint)

    def _key(self, context: HintContext, node: tree.Expression | tree.Message) -> HintValue | None:
        match node:
            case tree.Name(text):
                pass
            case tree.Message((str() as text,)) | tree.Text(text):
                pass
            case tree.Number(value) if value in range(10):
                text = str(int(value))
            case _:
                text = ""
        if text in NAMED_KEYS or (len(text) == 1 and text.isascii() and text.isalnum()):
            return FixedValue(text.lower())
        names = ", ".join(sorted(NAMED_KEYS))
        hint = f"a key is one letter, one digit, or one of {names}"
        return self._error(context, "TG0387", "there is no such key", node.span, hint)

    def _sprite(self, context: HintContext, node: tree.SpriteGrid) -> Sprite | None:
        rows = tuple(row.value for row in node.rows)
        width = len(rows[0]) if rows else 0
        if not 0 < width <= MAX_SPRITE or len(rows) > MAX_SPRITE:
            message = f"a sprite has 1 to {MAX_SPRITE} rows of 1 to {MAX_SPRITE} letters"
            self._error(context, "TG0389", message, node.span)
            return None
        colours: dict[str, HintValue] = {}
        is_faulty = False
        for part in node.colours:
            letter, value = part.letter.text, self._word(context, part.colour, COLOUR)
            is_faulty = is_faulty or value is None
            if len(letter) != 1:
                message = f"the colours of a sprite are those of single letters, not of '{letter}'"
                self._error(context, "TG0389", message, part.letter.span)
                return None
            if letter in colours:
                message = f"the letter '{letter}' has two colours"
                self._error(context, "TG0389", message, part.letter.span)
                return None
            colours[letter] = value or FixedValue(None)
        for row in node.rows:
            if len(row.value) != width:
                message = f"this row has {len(row.value)} letters, the first one {width}"
                self._error(context, "TG0389", message, row.span)
                return None
            for letter in row.value:
                if letter not in colours and letter not in TRANSPARENT:
                    hint = f"write {letter} black;" if letter.isalpha() else "a letter or a point"
                    message = f"the letter '{letter}' of this sprite has no colour"
                    self._error(context, "TG0389", message, row.span, hint)
                    return None
        return None if is_faulty else Sprite(rows, tuple(colours.items()))

    # Errors

    def _wrong_type(self, context: HintContext, wanted: str, type: Type, span: Span) -> HintValue | None:
        return self._error(context, "TG0310", f"expected {wanted}, found {describe(type)}", span)

    def _error(
        self, context: HintContext, code: str, message: str, span: Span, hint: str = ""
    ) -> HintValue | None:
        """Report an error; there is no value then."""
        self.world.error(code, message, span, context.file, hint)
        return None


def _has_word(context: HintContext, text: str, kind: WordKind) -> bool:
    """Whether a name is an attribute that may have a colour or symbol: it comes before the known words."""
    this = context.checking.this
    if this is None or text == "player":
        return this is not None
    attribute = this.attributes.get(text)
    if attribute is None or attribute.type is Basic.UNKNOWN:
        return attribute is not None
    return isinstance(attribute.type, EnumType) or (kind is COLOUR and attribute.type is Basic.PLAYER)


def _own_names(context: HintContext) -> Iterator[str]:
    if context.checking.this is not None:
        yield from context.checking.this.attributes
