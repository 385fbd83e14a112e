"""The look of a thing in a view: its symbol, letters, numbers and colour, from its kind and its attributes.

An enum member or a kind with a well-known name has a symbol. Other things show their initial; two names with
the same initial show two letters or more.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from msgspec import Struct

from ludograph.play.material import AttributeMaterial, KindMaterial, Material, ValueType
from ludograph.render.scenes.hints import Hints, Pixels
from ludograph.render.scenes.known_names import find_colour, find_symbol

SeenThing = Mapping[str, Any]
"""A thing of a view: its attributes by name, `is` for its kind, `at` for its place."""

FACTS = ("is", "at", "player", "players", "length", "cards", "known")
STATE_ROLES = ("global state", "local state", "group state")
DISCS = ("disc", "stone")
MAX_TEXT_LENGTH = 60


class PieceLook(Struct, frozen=True):
    """How a piece is drawn."""

    symbol: str
    """Empty: a round piece with a text."""
    text: str = ""
    colour: str = ""
    notes: tuple[str, ...] = ()
    """Numbers at the border."""
    details: tuple[str, ...] = ()
    """Attributes that the picture of the piece does not show."""
    pixels: Pixels = ()
    scale: float = 1.0


class ViewReader:
    """A view of a game with its material and hints: answers what things are and how they look."""

    def __init__(self, material: Material, view: Mapping[str, Any], hints: Hints) -> None:
        self.material = material
        self.view = view
        self.hints = hints
        self.things: Mapping[str, SeenThing] = view["things"]
        self._kinds = {kind.name: kind for kind in material.kinds}
        self._hidden = {kind.name for kind in material.kinds if hints.has(kind.name, "hide")}
        """The kinds of which some things are not drawn."""
        self._roles = {kind.name: kind.role for kind in material.kinds}
        # By the identity of a thing of the view, which lives as long as the reader.
        self._attributes: dict[int, list[tuple[AttributeMaterial, Any]]] = {}
        self._looks: dict[int, PieceLook] = {}

    def kind(self, thing: SeenThing) -> KindMaterial:
        return self._kinds[thing["is"]]

    def role(self, thing: SeenThing) -> str:
        return self._roles[thing["is"]]

    def is_hidden(self, thing: SeenThing) -> bool:
        """Whether a hint says that a thing is not drawn."""
        return thing["is"] in self._hidden and self.hints.is_set(thing["is"], "hide", thing)

    def attributes(self, thing: SeenThing) -> list[tuple[AttributeMaterial, Any]]:
        """The visible attributes of a thing with their values, without hidden ones."""
        found = self._attributes.get(id(thing))
        if found is None:
            found = self._attributes[id(thing)] = [
                (attribute, thing[attribute.name])
                for attribute in self.kind(thing).attributes
                if attribute.name in thing
                and attribute.name not in FACTS
                and not self.hints.is_set(f"{thing['is']}.{attribute.name}", "hide", thing)
            ]
        return found

    @cached_property
    def states(self) -> list[tuple[str, SeenThing]]:
        """The states of the game, of groups and of players, with their names."""
        return [(name, thing) for name, thing in self.things.items() if self.role(thing) in STATE_ROLES]

    @cached_property
    def initials(self) -> Mapping[str, str]:
        """The letters of every name that a piece or tile may show."""
        names = [kind.name for kind in self.material.kinds if kind.role in ("interactable", "tile")]
        names += [member for enum in self.material.enums for member in enum.members]
        return _choose_initials(names)

    def piece_look(self, thing: SeenThing) -> PieceLook:
        """The look of a piece, or of the owner of a tile."""
        found = self._looks.get(id(thing))
        if found is None:
            found = self._looks[id(thing)] = self._find_look(thing)
        return found

    def _find_look(self, thing: SeenThing) -> PieceLook:
        kind = self.kind(thing)
        words = [(a, v) for a, v in self.attributes(thing) if a.type.base == "enum" and isinstance(v, str)]
        flags = [a.name for a, v in self.attributes(thing) if v is True and a.type.base == "bool"]
        hinted = self.hints.symbol(kind.name, thing)
        label = self.hints.text(kind.name, "label", thing)
        symbol = hinted.name or find_symbol(str(word) for _, word in words)
        shown = [attribute for attribute, word in words if symbol and find_symbol((word,)) == symbol][:1]
        text = hinted.letters or label
        if text:
            symbol = hinted.name
        elif not symbol:
            symbol = find_symbol(kind.ancestors)
            if symbol and not find_symbol((kind.name,)):
                text = self.initials[kind.name]  # it differs from the kind that it is derived from
        if (symbol in DISCS or not symbol) and not hinted and not label:
            crowned = next((flag for flag in flags if find_symbol((flag,))), "")
            if crowned:
                text, flags = f"@{find_symbol((crowned,))}", [flag for flag in flags if flag != crowned]
            elif words and not shown:
                text = self.initials[words[0][1]]
                shown = [words[0][0]]
            elif not symbol and kind.role == "interactable":
                text = self.initials.get(kind.name, kind.name[:1].upper())
        given = self.hints.find(kind.name, "colour", thing)
        colour = "" if given == thing.get("player") else self.hints.colour(kind.name, thing)
        if thing.get("player") is None:
            for attribute, word in words:
                colour = colour or self.member_colour(attribute.type.name, word)
        hidden = self.hints.shown(kind.name)
        words = [(a, word) for a, word in words if a.name not in hidden]
        flags = [flag for flag in flags if flag not in hidden]
        numbers = [
            (a.name, v)
            for a, v in self.attributes(thing)
            if is_number(v) and a.type.base == "decimal" and a.name not in hidden
        ]
        notes = tuple(format_number(value) for _, value in numbers if value)[:2]
        pips = self.hints.number(kind.name, "pips", 0, thing)
        notes = (format_number(pips), *notes)[:2] if pips else notes
        details = [f"{name} {format_number(value)}" for name, value in numbers if value]
        details += [f"{a.name} {self.text(a.type, v)}" for a, v in words if a not in shown]
        details += flags
        details += [
            f"{a.name} {self.text(a.type, v)}"
            for a, v in self.attributes(thing)
            if a.type.base not in ("enum", "bool", "decimal")
            and a.name not in hidden
            and not is_blank(v)
            and a.type.base != "position"
        ]
        pixels = self.hints.pixels(kind.name, thing)
        scale = self.hints.number(kind.name, "scale", 1.0, thing)
        return PieceLook(symbol, text, colour, notes, tuple(details), pixels, scale)

    def member_colour(self, enum: str, member: str) -> str:
        """The colour of a member of an enum."""
        hinted = self.hints.colour(f"{enum}.{member}")
        return hinted or find_colour(member, self.material.members(enum))

    def member_symbol(self, enum: str, member: str) -> str:
        """The symbol of a member of an enum; empty if it has none."""
        return self.hints.symbol(f"{enum}.{member}").name or find_symbol((member,))

    def member_label(self, enum: str, member: str) -> str:
        """The words for a member of an enum."""
        return self.hints.text(f"{enum}.{member}", "label") or member

    def text(self, type: ValueType | None, value: Any) -> str:
        """A value in words."""
        if value is None:
            return "none"
        if isinstance(value, bool):
            return "yes" if value else "no"
        if is_number(value):
            if type is not None and type.base == "player":
                return f"player {value}"
            return format_number(value)
        if isinstance(value, list):
            if type is not None and type.element is not None and type.element.base == "position":
                return f"{len(value)} positions" if len(value) != 1 else "1 position"
            inner = type.element if type is not None else None
            text = ", ".join(self.text(inner, item) for item in value)
            return _shortened(text or "empty")
        if type is not None and type.base == "position":
            return "a position"
        if type is not None and type.base == "enum" and isinstance(value, str):
            return self.member_label(type.name, value)
        if isinstance(value, str) and value in self.things and "at" in self.things[value]:
            return self.name(value)
        return _shortened(str(value))

    def name(self, thing_name: str) -> str:
        """The words for a thing: the attributes that name it, its attributes, or its kind."""
        thing = self.things[thing_name]
        kind = self.kind(thing)
        named = [thing.get(each) for each in kind.named_by]
        if named and all(value is not None for value in named):
            return "-".join(str(value) for value in named)
        words = [str(v) for a, v in self.attributes(thing) if a.type.base == "enum" and v is not None]
        if kind.role == "interactable" and kind.is_stackable:
            words += [format_number(v) for a, v in self.attributes(thing) if is_number(v)]
        return " ".join(words) or kind.name

    def title(self, thing_name: str) -> str:
        """A description of a piece: what it is, whose, where, and its attributes."""
        thing = self.things[thing_name]
        look = self.piece_look(thing)
        parts = [self.name(thing_name)]
        if thing.get("player") is not None:
            parts.append(f"of player {thing['player']}")
        if isinstance(thing.get("at"), str) and thing["at"] in self.things:
            parts.append(f"at {thing['at']}")
        words = [detail for detail in look.details if detail not in parts[0]]
        return " ".join(parts) + (f", {', '.join(words)}" if words else "")


def is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_blank(value: object) -> bool:
    """Whether a value shows nothing: none, 0, false, or a list or table of such values."""
    if isinstance(value, list):
        return all(is_blank(item) for item in value)
    return value is None or value is False or (is_number(value) and value == 0)


def format_number(value: Any) -> str:
    """A number as people write it: without `.0`, and with at most four decimals."""
    if isinstance(value, float) and not value.is_integer():
        return f"{value:.4f}".rstrip("0").rstrip(".")
    try:
        return str(int(value))
    except OverflowError:
        return "∞" if value > 0 else "-∞"


def strings_in(value: object) -> Iterator[str]:
    """The strings in a value, also in nested lists."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from strings_in(item)


def _shortened(text: str) -> str:
    clean = "".join(each if each.isprintable() else " " for each in text)
    return clean if len(clean) <= MAX_TEXT_LENGTH else f"{clean[: MAX_TEXT_LENGTH - 1]}…"


def _choose_initials(names: Sequence[str]) -> dict[str, str]:
    """A short text for each name: its first letter, or more letters where names begin alike."""
    found: dict[str, str] = {}
    for name in dict.fromkeys(names):
        clean = [part for part in name.replace(".", "_").split("_") if part] or [name]
        options: Iterable[str] = (
            clean[0][:1].upper(),
            "".join(part[:1] for part in clean)[:2].upper(),
            clean[0][:2].capitalize(),
            *(f"{clean[0][:1].upper()}{letter}" for letter in clean[0][1:]),
            clean[0][:3].capitalize(),
            *(f"{clean[0][:1].upper()}{number}" for number in range(2, 100)),
        )
        found[name] = next(
            (each for each in options if each not in found.values()), clean[0][:3].capitalize()
        )
    return found
