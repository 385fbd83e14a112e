"""Appearance: hints about how to draw a game, as plain data that no rule depends on.

`Game.appearance` has the hints of the `appearance` blocks of a game. A target is a construct as views name
it in `is` ("land", "seat.hand"), an attribute or public verb ("table.robber", "seat.held()"), an enum
("suit"), a member ("suit.hearts") or an action ("action roll"; "action seat.roll" if `roll` is not the only
action with this name). The entries of derived constructs contain the hints of their bases.

    hints = hint_table(game.appearance)
    look = view_lookup(view, "island[2][4]")
    for value in hints["land"]["colour"]: evaluate(value, look)      # "#d5855c", 2 or None

| hint | values after `evaluate` |
|---|---|
| colour | "#rrggbb", or the number of a player, for the player's colour; boards may have two values |
| symbol, token | a word of `SYMBOLS`, or up to three characters to write |
| label | the text, or a number |
| pips, scale | a number |
| line, cards, pile, dice, hide | whether the hint applies |
| style | words of `STYLES`; constants |
| key | one letter or digit, or a word of `NAMED_KEYS`; constant |

None means that the hint does not apply, or that the view does not contain a value that it needs. `evaluate`
reads only what `lookup` returns and never raises.
"""

import math
import operator
from collections.abc import Callable, Mapping
from typing import Literal

from msgspec import Struct


class AppearanceNode(
    Struct, frozen=True, array_like=True, tag=True, tag_field="node", forbid_unknown_fields=True
):
    """The base class of the nodes of hints; it defines their encoding: the class name and the fields."""


PlainValue = bool | int | float | str | None


class FixedValue(AppearanceNode, frozen=True):
    """A constant. Members of enums and things are their names, players their numbers."""

    value: PlainValue


class SeenValue(AppearanceNode, frozen=True):
    """An attribute or public verb (`held()`) of the drawn thing, or of the thing that `of` names."""

    attribute: str
    of: "HintValue | None" = None


class DrawnThing(AppearanceNode, frozen=True):
    """The name of the drawn thing: `this`."""


class ConditionalValue(AppearanceNode, frozen=True):
    condition: "HintValue"
    then: "HintValue"
    otherwise: "HintValue"


class MappedValue(AppearanceNode, frozen=True):
    """The value for the name of a member of an enum, such as its colour; None for a missing member."""

    of: "HintValue"
    cases: "tuple[tuple[str, HintValue], ...]"


Operator = Literal[
    "+", "-", "*", "/", "%", "^", "floor", "ceil", "round", "abs", "min", "max",
    "<", ">", "<=", ">=", "==", "is none", "not", "xor", "and", "or",
    "at", "length", "contains", "sum", "count", "greatest", "least", "first", "last", "join",
]  # fmt: skip


class ComputedValue(AppearanceNode, frozen=True):
    operator: Operator
    operands: "tuple[HintValue, ...]"


HintValue = FixedValue | SeenValue | DrawnThing | ConditionalValue | MappedValue | ComputedValue


class Sprite(AppearanceNode, frozen=True):
    """A small grid. A letter in a row is a pixel of the colour of the letter; "." and " " are transparent."""

    rows: tuple[str, ...]
    colours: tuple[tuple[str, HintValue], ...]


class AppearanceEntry(AppearanceNode, frozen=True):
    """The hints of one target, each with its values."""

    target: str
    hints: tuple[tuple[str, tuple[HintValue, ...]], ...]
    sprite: Sprite | None = None


class Appearance(AppearanceNode, frozen=True):
    """The hints of a game; a game without hints has none."""

    players: tuple[str, ...] = ()
    """The colours of the players, `#rrggbb`; of fewer players than the game has, or of none."""
    entries: tuple[AppearanceEntry, ...] = ()

    def sprite(self, target: str) -> Sprite | None:
        return next((entry.sprite for entry in self.entries if entry.target == target), None)


Lookup = Callable[[str | None, str], object]
"""The value of an attribute of a thing, by their names; None if it is not known. The thing None is the drawn
thing, and the attribute "" its name."""


def hint_table(appearance: Appearance) -> Mapping[str, Mapping[str, tuple[HintValue, ...]]]:
    """The hints by target and name."""
    return {entry.target: dict(entry.hints) for entry in appearance.entries}


def view_lookup(view: Mapping[str, object], drawn: str) -> Lookup:
    """The lookup in the view of a player, for the thing with the name `drawn`."""
    things = view.get("things")

    def lookup(thing: str | None, attribute: str) -> object:
        name = drawn if thing is None else thing
        seen = things.get(name) if isinstance(things, Mapping) else None
        if not isinstance(seen, Mapping):
            return None
        return seen.get(attribute) if attribute else name

    return lookup


def evaluate(value: HintValue, lookup: Lookup) -> PlainValue:
    """The value of a hint for one thing; None if it is not known. It never raises."""
    found = _evaluate(value, lookup)
    return found if isinstance(found, bool | int | float | str) else None


def _evaluate(value: HintValue, lookup: Lookup) -> object:
    match value:
        case FixedValue(fixed):
            return fixed
        case SeenValue(attribute, None):
            return lookup(None, attribute)
        case SeenValue(attribute, of):
            assert of is not None
            thing = _evaluate(of, lookup)
            return lookup(thing, attribute) if isinstance(thing, str) else None
        case DrawnThing():
            return lookup(None, "")
        case ConditionalValue(condition, then, otherwise):
            is_true = _evaluate(condition, lookup)
            return _evaluate(then if is_true else otherwise, lookup) if isinstance(is_true, bool) else None
        case MappedValue(of, cases):
            key = _evaluate(of, lookup)
            return next((_evaluate(case, lookup) for name, case in cases if name == key), None)
        case ComputedValue(operator, operands):
            return _compute(operator, [_evaluate(one, lookup) for one in operands])


def _compute(operator: Operator, operands: list[object]) -> object:
    """The value of an operator; None if an operand is none or of the wrong type."""
    match operator:
        case "is none":
            return operands[0] is None
        case "and":
            return _combine(operands, decisive=False)
        case "or":
            return _combine(operands, decisive=True)
        case "join":
            return "".join(format_value(one) for one in operands)
        case "==":
            return operands[0] is not None and operands[1] is not None and operands[0] == operands[1]
    if None in operands:
        return None
    if operator in NUMBER_OPERATORS:
        numbers = [float(one) for one in operands if isinstance(one, int | float)]
        return _calculate(operator, numbers) if len(numbers) == len(operands) else None
    match operator, operands:
        case "not", [bool() as one]:
            return not one
        case "xor", [bool() as one, bool() as other]:
            return one != other
        case _, [list() as items, *others]:
            return _look_into(operator, items, others)
        case _:
            return None


def _combine(operands: list[object], *, decisive: bool) -> object:
    """`and` (False decides) or `or` (True decides); None if the unknown operands decide."""
    if any(one is decisive for one in operands):
        return decisive
    return not decisive if all(isinstance(one, bool) for one in operands) else None


def _look_into(operator: Operator, items: list[object], others: list[object]) -> object:
    """A list or table of the view, and the index or element."""
    match operator, others:
        case "length", []:
            return len(items)
        case "at", [int() | float() as index]:
            return items[int(index)] if 0 <= index < len(items) else None
        case "contains", [one]:
            return one in items
        case "count", [one]:
            return items.count(one)
        case "first", []:
            return items[0] if items else None
        case "last", []:
            return items[-1] if items else None
        case "sum" | "greatest" | "least", []:
            numbers = [float(one) for one in items if isinstance(one, int | float)]
            if len(numbers) < len(items) or not (numbers or operator == "sum"):
                return None
            return _plain(
                sum(numbers) if operator == "sum" else (max if operator == "greatest" else min)(numbers)
            )
        case _:
            return None


def _calculate(operator: Operator, numbers: list[float]) -> object:
    try:
        found = NUMBER_OPERATORS[operator](*numbers)
    except (ArithmeticError, ValueError, TypeError):
        return None  # such as a division by zero
    return found if isinstance(found, bool) else _plain(found)


def _plain(number: object) -> PlainValue:
    """A number as views have it: whole numbers are integers; None for infinities."""
    if not isinstance(number, int | float) or not math.isfinite(number):
        return None
    return int(number) if number == int(number) else number


def format_value(value: object) -> str:
    """A value as a text of a label: numbers without ".0", `yes` and `no`, nothing for none."""
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case float():
            plain = _plain(value)
            return f"{plain:g}" if isinstance(plain, float) else str(plain)
        case list():
            return ", ".join(format_value(one) for one in value)
        case _:
            return str(value)


NUMBER_OPERATORS: Mapping[str, Callable[..., object]] = {
    "+": operator.add,
    "-": lambda one, *other: one - other[0] if other else -one,
    "*": operator.mul,
    "/": operator.truediv,
    "%": operator.mod,
    "^": operator.pow,
    "floor": math.floor,
    "ceil": math.ceil,
    "round": lambda one: math.floor(one + 0.5),
    "abs": abs,
    "min": lambda *numbers: min(numbers),
    "max": lambda *numbers: max(numbers),
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
}
