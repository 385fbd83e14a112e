"""The position of any game as plain text: what one player may see of it.

Groups on squares and hexes are drawn as a grid, and so are graphs whose places are named like the squares of
chess; others are listed. A piece is its owner's number, or a letter for what it is (capital for player 0,
small for player 1), with its numbers after colons and a legend below. The layout comes from the rules, the
content only from the player's view.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ludograph.tgdl.game import State
from ludograph.tgdl.layout import GroupPlan
from ludograph.tgdl.program import ConstructKind, GroupShape
from ludograph.tgdl.types import Basic, ListType

EMPTY = "·"
WIDEST_VALUE = 60
WIDEST_LINE = 100
LISTED_COLUMNS = 76
MOST_CARDS = 6
"""Of a pile that is nobody's hand: the upper ones are enough."""

Thing = Mapping[str, Any]

_HALVES: Mapping[GroupShape, Callable[[int, int], tuple[int, int]]] = {
    GroupShape.SQUARE: lambda row, column: (row, 2 * column),
    GroupShape.SQUARE_AROUND: lambda row, column: (row, 2 * column),
    GroupShape.HEX_ROW: lambda row, column: (row, 2 * column + row % 2),
    GroupShape.HEX_COL: lambda row, column: (2 * row + column % 2, 2 * column),
    GroupShape.RHOMBUS: lambda row, column: (row, 2 * column + row),
    GroupShape.HEXAGON: lambda row, column: (row, 2 * column + row),
}
"""Where a tile is drawn: its line, and its place in halves of a cell."""


def position_text(state: State, player: int) -> str:
    """The position as a player sees it; each line ends with a newline."""
    view = state.view(player)
    things = view["things"]
    assert isinstance(things, dict)
    looks = _looks_of(state, things)
    plans = state.plans
    blocks = [_group(plan, things, looks, is_named=len(plans) > 1) for plan in plans]
    blocks.append(list(_legend(looks, things, state)))
    blocks.append(list(_others(state, things)))
    return "\n".join("".join(f"{line.rstrip()}\n" for line in block) for block in blocks if block)


def card_texts(state: State, player: int) -> Mapping[str, str]:
    """What the cards that a player sees say, by their names: ` (hearts 10)`."""
    things = state.view(player)["things"]
    assert isinstance(things, dict)
    return {
        name: f" ({_card(thing)})"
        for name, thing in things.items()
        if _kind(state, thing) is ConstructKind.INTERACTABLE and _card(thing) != thing["is"]
    }


@dataclass(frozen=True, slots=True)
class _Looks:
    """How things are marked."""

    players: int
    letters: Mapping[str, str]
    """A letter for every word that says what a thing is."""
    pieces: Mapping[str, tuple[Thing, ...]]
    """By the name of the tile they stand on."""

    def mark(self, name: str, tile: Thing) -> str:
        """What is shown for a tile: the pieces on it, or what it says of itself."""
        pieces = self.pieces.get(name)
        if pieces:
            return "+".join(self._of(piece) for piece in pieces)
        return self._of(tile, is_tile=True) or EMPTY

    def _of(self, thing: Thing, *, is_tile: bool = False) -> str:
        owner = thing.get("player")
        values = [value for key, value in thing.items() if key not in ("is", "at", "player")]
        letters = [
            self.letters[value] for value in values if isinstance(value, str) and value in self.letters
        ]
        numbers = [
            str(value) for value in values if isinstance(value, int | float) and not isinstance(value, bool)
        ]
        if not letters and not is_tile and thing["is"] in self.letters:
            letters = [self.letters[thing["is"]]]
        if letters and owner is not None:
            letter = letters[0].lower() if self.players == 2 and owner == 1 else letters[0]
            load = "".join(f":{number}" for number in numbers if number != "0")
            return f"{letter}{load}" if self.players == 2 else f"{letter}{owner}{load}"
        if letters:
            return "".join([letters[0], *numbers])
        if owner is None:
            full = [number for number in numbers if number != "0"]
            return "".join(f":{number}" for number in full) if is_tile else "?"
        flags = "*" if not is_tile and any(value is True for value in values) else ""
        return ":".join([f"{owner}{flags}", *numbers])


def _looks_of(state: State, things: Mapping[str, Thing]) -> _Looks:
    pieces: dict[str, list[Thing]] = {}
    kinds: dict[str, None] = {}
    words: dict[str, None] = {}
    members = {member.name for family in state.world.members.values() for member in family}
    for thing in things.values():
        kind = _kind(state, thing)
        place: str = thing.get("at") or ""
        if kind is ConstructKind.INTERACTABLE and place in things:
            if _kind(state, things[place]) is not ConstructKind.TILE:
                continue
            pieces.setdefault(place, []).append(thing)
            kinds[thing["is"]] = None
        elif kind is not ConstructKind.TILE:
            continue
        words.update((value, None) for value in thing.values() if isinstance(value, str) and value in members)
    if len(kinds) > 1 or any(thing.get("player") is None for found in pieces.values() for thing in found):
        words.update(kinds)
    shown = {tile: tuple(found) for tile, found in pieces.items()}
    return _Looks(state.world.players, _letters(list(words)), shown)


def _letters(words: list[str]) -> dict[str, str]:
    """A letter for each word, the short words first: king is K, so knight is N."""
    letters: dict[str, str] = {}
    for word in sorted(words, key=len):
        choices = [letter.upper() for letter in word if letter.isalpha()] + [
            chr(ord("A") + n) for n in range(26)
        ]
        free = (letter for letter in choices if letter not in letters.values())
        letters[word] = next(free, word)
    return letters


def _legend(looks: _Looks, things: Mapping[str, Thing], state: State) -> Iterator[str]:
    if looks.letters:
        words = ", ".join(f"{letter} {word}" for word, letter in sorted(looks.letters.items()))
        cases = "; capital: player 0, small: player 1" if looks.players == 2 and looks.pieces else ""
        yield f"{words}{cases}"
    placed = [piece for found in looks.pieces.values() for piece in found]
    tiles = [thing for thing in things.values() if _kind(state, thing) is ConstructKind.TILE]
    numbers = _names(placed + tiles, lambda value: isinstance(value, int | float) and value is not True)
    flags = _names(placed, lambda value: value is True) if not looks.letters else []
    if numbers:
        yield f"after a colon: {', '.join(numbers)}"
    if flags:
        yield f"*: {', '.join(flags)}"


def _names(things: list[Thing], is_wanted: Callable[[object], bool]) -> list[str]:
    """What those attributes are called that have such a value somewhere, and are not nothing."""
    found = {
        key: None
        for thing in things
        for key, value in thing.items()
        if key not in ("is", "at", "player") and value and is_wanted(value)
    }
    return list(found)


def _kind(state: State, thing: Thing) -> ConstructKind:
    return state.world.kind[thing["is"]].construct.kind


# Groups


def _group(plan: GroupPlan, things: Mapping[str, Thing], looks: _Looks, *, is_named: bool) -> list[str]:
    marks = {
        tile.name: looks.mark(tile.name, things[tile.name]) for tile in plan.tiles if tile.name in things
    }
    if plan.shape in _HALVES:
        lines = _grid(plan, marks)
    elif plan.shape is GroupShape.GRAPH:
        drawn = _squares(list(marks))
        listed = _columns([f"{name} {mark}" for name, mark in marks.items() if name not in drawn])
        lines = _drawn([(marks[name], spot) for name, spot in drawn.items()])
        lines += ["", *listed] if lines and listed else listed
    else:  # corners and sides are many, and most of them empty
        lines = _columns([f"{name} {mark}" for name, mark in marks.items() if mark != EMPTY])
    return [f"{plan.name}:", *lines] if is_named and lines else lines


@dataclass(frozen=True, slots=True)
class _Spot:
    """Where a tile is drawn, and what is written beside and above."""

    line: int
    half: int
    row: str
    column: str


def _grid(plan: GroupPlan, marks: Mapping[str, str]) -> list[str]:
    place = _HALVES[plan.shape]
    spots: list[tuple[str, _Spot]] = []
    for tile in plan.tiles:
        if tile.name in marks:
            assert tile.row is not None
            assert tile.column is not None
            line, half = place(tile.row, tile.column)
            spots.append((marks[tile.name], _Spot(line, half, *_labels(tile.name, tile.row, tile.column))))
    if plan.shape in (GroupShape.HEXAGON, GroupShape.HEX_COL):
        return _drawn(spots, tops=())
    if plan.shape in (GroupShape.SQUARE, GroupShape.SQUARE_AROUND):
        return _drawn(spots)
    first = min((spot.line for _, spot in spots), default=0)
    return _drawn(spots, tops=[spot for _, spot in spots if spot.line == first])


def _squares(names: list[str]) -> dict[str, _Spot]:
    """Where the places of a graph are drawn that have names as on a chess board, if most of them do."""
    found = {
        name: _Spot(-int(match[2]), 2 * ord(match[1]), match[2], match[1])
        for name in names
        if (match := re.fullmatch(r"([a-z])([0-9]{1,2})", name))
    }
    is_board = len({spot.column for spot in found.values()}) > 1 and 2 * len(found) > len(names)
    return found if is_board else {}


def _drawn(spots: list[tuple[str, _Spot]], tops: Sequence[_Spot] | None = None) -> list[str]:
    """Marks at their places, with labels on the left and above the columns of `tops` (all, if unsaid)."""
    if not spots:
        return []
    above = {spot.half: spot.column for spot in ([spot for _, spot in spots] if tops is None else tops)}
    rows: dict[int, dict[int, str]] = {}
    labels: dict[int, str] = {}
    for mark, spot in spots:
        rows.setdefault(spot.line, {})[spot.half] = mark
        labels.setdefault(spot.line, spot.row)
    left = min(half for row in rows.values() for half in row)
    widest = max(len(text) for row in (*rows.values(), above) for text in row.values())
    unit = (widest + 2) // 2
    margin = max(len(label) for label in labels.values())
    lines = [" " * margin + _line(above, left, unit)] if above else []
    for line in sorted(rows):
        lines.append(f"{labels[line]:>{margin}}{_line(rows[line], left, unit)}")
    return lines


def _labels(name: str, row: int, column: int) -> tuple[str, str]:
    """What to write beside and above a tile, from its name: `a8` is column a of row 8."""
    found = re.fullmatch(r"([a-z]+)([0-9]+)", name)
    return (found[2], found[1]) if found else (str(row), str(column))


def _line(texts: Mapping[int, str], left: int, unit: int) -> str:
    line = ""
    for half in sorted(texts):
        line = line.ljust((half - left) * unit + 2) + texts[half]
    return line


def _columns(words: list[str]) -> list[str]:
    """Short texts side by side."""
    if not words:
        return []
    width = max(len(word) for word in words) + 3
    count = max(1, LISTED_COLUMNS // width)
    return [
        "".join(word.ljust(width) for word in words[start : start + count])
        for start in range(0, len(words), count)
    ]


# What is on no board


def _others(state: State, things: Mapping[str, Thing]) -> Iterator[str]:
    shown = {
        value
        for thing in things.values()
        for key, value in thing.items()
        if key not in ("is", "at") and isinstance(value, str)
    }
    for name, thing in things.items():
        match _kind(state, thing):
            case ConstructKind.STACK:
                if name not in shown:
                    yield f"{_owned(state, name, things)}: {_stack(thing, things, MOST_CARDS)}"
            case ConstructKind.LOCAL | ConstructKind.GROUP_STATE | ConstructKind.GLOBAL:
                owner = f"player {thing['player']}, " if "player" in thing else ""
                yield from _wrapped(f"{owner}{thing['is']}: ", list(_attributes(state, thing, things)))
            case _:
                pass


def _wrapped(head: str, words: list[str]) -> Iterator[str]:
    """The words in lines of a terminal's width, none of them broken; nothing without words."""
    line = head
    for at, word in enumerate(words):
        piece = word if at == len(words) - 1 else f"{word}, "
        if len(line) > len(head) and len(line) + len(piece.rstrip()) > WIDEST_LINE:
            yield line
            line = " " * len(head)
        line += piece
    if words:
        yield line


def _owned(state: State, name: str, things: Mapping[str, Thing]) -> str:
    """The name of a stack that lies alone, or of a hand that is closed to the player."""
    instances = state.to_json()["instances"]
    assert isinstance(instances, dict)
    holder = instances[name].get("@holder")
    return f"player {things[holder]['player']}, {things[name]['is']}" if holder in things else name


def _attributes(state: State, thing: Thing, things: Mapping[str, Thing]) -> Iterator[str]:
    construct = state.world.kind[thing["is"]].construct
    # A position that was remembered is a number that says nothing to people.
    remembered = (Basic.POSITION, ListType(Basic.POSITION))
    unsaid = {attribute.name for attribute in construct.attributes if attribute.type in remembered}
    for key, value in thing.items():
        if key in ("is", "player", "at") or key in unsaid:
            continue
        if isinstance(value, str) and value in things and "length" in things[value]:
            yield f"{key} {_stack(things[value], things)}"
        else:
            yield f"{key} {_value(value)}"


def _stack(stack: Thing, things: Mapping[str, Thing], most: int | None = None) -> str:
    """How many cards, and those that are known, the top one last."""
    cards = [_card(things[card]) if card in things else card for card in stack.get("cards", ())]
    if most is not None and len(cards) > most:
        cards = ["…", *cards[-most:]]
    return f"{stack['length']} ({', '.join(cards)})" if cards else str(stack["length"])


def _card(card: Thing) -> str:
    values = [_value(value) for key, value in card.items() if key not in ("is", "at") and value is not None]
    return " ".join(values) or str(card["is"])


def _value(value: object) -> str:
    match value:
        case None:
            text = "none"
        case bool():
            text = "yes" if value else "no"
        case list():
            text = f"{{{', '.join(_value(item) for item in value)}}}"
        case _:
            text = str(value)
    return text if len(text) <= WIDEST_VALUE else text[: WIDEST_VALUE - 1] + "…"
