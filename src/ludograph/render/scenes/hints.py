"""Hints: how the author of a game wants it drawn, by the appearance of the game.

Without hints every method gives the default, which depends only on names and types. The values of hints are
evaluated over the view that is drawn, so they show nothing that the view does not contain.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from msgspec import Struct

from ludograph.play.appearance import (
    Appearance,
    AppearanceEntry,
    FixedValue,
    HintValue,
    Lookup,
    PlainValue,
    SeenValue,
    evaluate,
    format_value,
    hint_table,
)
from ludograph.render.scenes.identity import Same
from ludograph.render.scenes.piece_symbols import ALIASES, PIECES, ROUND_SYMBOLS

PLAYER_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#E69F00", "#56B4E9", "#CC79A7")
"""Okabe and Ito's colours, which people with any colour vision can distinguish."""

SHOWN_BY = ("colour", "symbol", "label", "pips")
"""The hints that show the attributes that they read."""

NOTHING: frozenset[str] = frozenset()
Things = Mapping[str, Mapping[str, Any]]
Pixels = tuple[tuple[str, ...], ...]
"""The rows of a sprite: `#rrggbb`, or an empty text for a transparent pixel."""


class GameHints:
    """The hints of a game, and what follows from them for every view."""

    def __init__(self, appearance: Appearance) -> None:
        self.table = hint_table(appearance)
        self.fixed: dict[tuple[str, str], tuple[PlainValue, ...]] = {}
        """The values that are the same for every view: most hints are not computed."""
        for target, hints in self.table.items():
            for hint, values in hints.items():
                if all(isinstance(value, FixedValue) for value in values):
                    self.fixed[target, hint] = tuple(evaluate(value, _know_nothing) for value in values)
        self.shown = {
            target: frozenset(
                name for hint in SHOWN_BY for value in hints.get(hint, ()) for name in _attributes(value)
            )
            for target, hints in self.table.items()
        }
        self.looking_elsewhere = frozenset(
            entry.target for entry in appearance.entries if any(map(_looks_elsewhere, _all_values(entry)))
        )
        """The targets with a hint that depends on other things than the drawn one."""


@lru_cache(maxsize=64)
def find_hints(appearance: Same) -> GameHints:
    return GameHints(appearance.value)


class Hints:
    """The hints of one game, for one view."""

    def __init__(
        self,
        appearance: Appearance | None = None,
        things: Things | None = None,
        found: GameHints | None = None,
    ) -> None:
        self._appearance = appearance or Appearance()
        self._found = find_hints(Same(self._appearance)) if found is None else found
        self._table = self._found.table
        self._things: Things = things or {}

    @property
    def found(self) -> GameHints:
        """What the hints of the game are, for every view."""
        return self._found

    def seeing(self, view: Mapping[str, Any]) -> "Hints":
        """The same hints for a view."""
        return Hints(self._appearance, view["things"], self._found)

    def has(self, target: str, *hints: str) -> bool:
        """Whether a target has one of some hints, which may not apply to every thing."""
        return not self._table.get(target, {}).keys().isdisjoint(hints)

    def find(self, target: str, hint: str, thing: Mapping[str, Any] | None = None) -> PlainValue:
        """A hint for a kind, a group, an attribute (`seat.hand`) or an enum member (`resource.brick`).

        `thing` is the thing in the view that is drawn: the value may depend on it. None: there is no hint.
        """
        found = self.find_all(target, hint, thing)
        return found[0] if found else None

    def find_all(
        self, target: str, hint: str, thing: Mapping[str, Any] | None = None
    ) -> tuple[PlainValue, ...]:
        """All values of a hint, such as the two colours of a board."""
        hints = self._table.get(target)
        values = () if hints is None else hints.get(hint, ())
        if not values:
            return ()
        fixed = self._found.fixed.get((target, hint))
        return tuple(evaluate(value, self._lookup(thing)) for value in values) if fixed is None else fixed

    def player_colours(self) -> tuple[str, ...]:
        """The colours of the players, the first player first."""
        given = self._appearance.players
        taken = {colour.lower() for colour in given}
        return (*given, *(colour for colour in PLAYER_COLOURS if colour.lower() not in taken))

    def text(self, target: str, hint: str, thing: Mapping[str, Any] | None = None) -> str:
        """A hint as a text; empty if there is none."""
        found = self.find(target, hint, thing)
        return format_value(found)

    def number(self, target: str, hint: str, default: float, thing: Mapping[str, Any] | None = None) -> float:
        """A hint that is a number, within reasonable bounds."""
        found = self.find(target, hint, thing)
        is_number = isinstance(found, int | float) and not isinstance(found, bool)
        return min(max(float(found), 0.0), MOST) if is_number and found is not None else default

    def is_set(self, target: str, hint: str, thing: Mapping[str, Any] | None = None) -> bool:
        """A hint that applies or not, such as `hide`."""
        return self.find(target, hint, thing) is True

    def colour(self, target: str, thing: Mapping[str, Any] | None = None) -> str:
        """A colour, `#rrggbb`; a player's colour if the hint gives a player; empty if there is none."""
        return self._as_colour(self.find(target, "colour", thing))

    def symbol(
        self, target: str, thing: Mapping[str, Any] | None = None, hint: str = "symbol"
    ) -> "HintedSymbol":
        """A symbol that can be drawn, or letters."""
        found = self.find(target, hint, thing)
        name = ALIASES.get(found, found) if isinstance(found, str) else ""
        is_known = name in PIECES or name in ROUND_SYMBOLS
        return HintedSymbol(name if is_known else "", "" if is_known else name)

    def pixels(self, target: str, thing: Mapping[str, Any] | None = None) -> Pixels:
        """The sprite of a thing; empty if it has none."""
        sprite = self._appearance.sprite(target)
        if sprite is None:
            return ()
        lookup = self._lookup(thing)
        colours = {letter: self._as_colour(evaluate(value, lookup)) for letter, value in sprite.colours}
        return tuple(tuple(colours.get(letter, "") for letter in row) for row in sprite.rows)

    def shown(self, target: str) -> frozenset[str]:
        """The attributes that the hints of a kind show. The default drawing leaves them out."""
        return self._found.shown.get(target, NOTHING)

    def _as_colour(self, value: PlainValue) -> str:
        if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
            colours = self.player_colours()
            return colours[value % len(colours)]
        return value if isinstance(value, str) else ""

    def _lookup(self, drawn: Mapping[str, Any] | None) -> Lookup:
        def lookup(name: str | None, attribute: str) -> object:
            thing = drawn if name is None else self._things.get(name)
            if thing is None or attribute:
                return None if thing is None else thing.get(attribute)
            return next((known for known, each in self._things.items() if each is thing), None)

        return lookup


class HintedSymbol(Struct, frozen=True):
    """A symbol by its name, or letters instead of one; both are empty if there is no hint."""

    name: str
    letters: str

    def __bool__(self) -> bool:
        return bool(self.name or self.letters)


def _know_nothing(thing: str | None, attribute: str) -> object:
    return None


def _attributes(value: HintValue) -> Iterator[str]:
    """The attributes of the drawn thing that a value reads."""
    for part in _parts(value):
        if isinstance(part, SeenValue) and part.of is None:
            yield part.attribute


def _looks_elsewhere(value: HintValue) -> bool:
    return any(isinstance(part, SeenValue) and part.of is not None for part in _parts(value))


def _all_values(entry: AppearanceEntry) -> Iterator[HintValue]:
    for _, values in entry.hints:
        yield from values
    if entry.sprite is not None:
        yield from (value for _, value in entry.sprite.colours)


def _parts(value: HintValue) -> Iterator[object]:
    """A value and everything that it is computed from, as far as that is not behind another thing."""
    waiting: list[object] = [value]
    while waiting:
        one = waiting.pop()
        yield one
        if isinstance(one, tuple):
            waiting += one
        elif isinstance(one, Struct) and not (isinstance(one, SeenValue) and one.of is None):
            waiting += (getattr(one, name) for name in one.__struct_fields__)


MOST = 999.0
NO_HINTS = Hints()
