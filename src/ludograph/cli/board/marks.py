"""Marks: a few characters for each thing on a board. Things that look different to a player have different
marks.

A mark has four parts in this order; a thing leaves out the parts that it does not have:

- letters for what it is: the members of its enum attributes, or its kind;
- its owner's number; lettered pieces of two players use capital and small letters instead;
- its numbers after colons, or directly after the letter if no thing of its kind has an owner;
- a sign for each boolean attribute (flag) that is true.

Pieces without an owner that differ only in flags are written with a letter for each flag. After the pieces on
a tile come a slash and the mark of the tile itself, if it has one. A tile without pieces has the slash too if
its mark could be mistaken for a piece.

Numbers appear in the order of their declarations. A number that is empty on the whole board is not shown.
Otherwise a thing shows all numbers of its kind or, if all are empty, none, so that each number can be
identified by its position. The rules decide letters and signs, not the position, so that they stay the same
during a game.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ludograph.cli.board.thing_text import FACTS, Thing, construct_kind
from ludograph.tgdl.game.game import State
from ludograph.tgdl.game.internals import world_of
from ludograph.tgdl.program import Construct, ConstructKind
from ludograph.tgdl.program.types import Basic, EnumType

EMPTY = "·"
UNKNOWN = "-"
"""Replaces a number or enum member that is none, or that the player does not see."""
UNSEEN = "?"
"""Before the sign of a flag that is none or not visible; also a piece of which nothing is known."""
SIGNS = "*!^~&%$#@"
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class MarkStyle(Struct, frozen=True):
    """How the things of one kind are marked in a position."""

    is_piece: bool
    enum_attributes: tuple[str, ...]
    """Attributes that have an enum member somewhere on the board, in the order of their letters."""
    numbers: tuple[str, ...]
    flags: tuple[str, ...]
    shows_kind: bool
    """Whether the letter of the kind comes before the letters of its attributes, even if it has some."""
    has_flag_letters: bool
    """Whether there is a letter for each flag, and no other letter."""
    shows_owner_by_case: bool
    """Whether capital and small letters show the owner."""
    joins_numbers: bool
    """Whether numbers follow the letter directly, where other marks have the owner."""
    shows_zeros: bool
    """Whether numbers that are all 0 are shown, because other things have no numbers."""


class BoardMarks(Struct, frozen=True):
    """How all things on a board are marked."""

    letters: Mapping[str, str]
    """By enum member, kind, or flag that has a letter."""
    signs: Mapping[str, str]
    """By the name of a flag."""
    styles: Mapping[str, MarkStyle]
    """By the kind of pieces and tiles."""
    pieces: Mapping[str, tuple[Thing, ...]]
    """By the name of their tile."""
    tiles: Mapping[str, Thing]
    starts: frozenset[str] = frozenset()
    """The first characters of the marks of pieces."""

    def mark(self, name: str) -> str:
        """The mark of a tile: the pieces on it, and the tile itself."""
        pieces = "+".join(self.text(piece) for piece in self.pieces.get(name, ()))
        ground = self.text(self.tiles[name])
        if pieces and ground:
            return f"{pieces}/{ground}"
        return f"/{ground}" if self.has_slash(name) else pieces or ground or EMPTY

    def has_slash(self, name: str) -> bool:
        """Whether a slash comes before the mark of the tile itself."""
        ground = self.text(self.tiles[name])
        return ground != "" and (name in self.pieces or _start(ground) in self.starts)

    def is_free(self, name: str) -> bool:
        """Whether a tile has no owner and no piece."""
        return name not in self.pieces and self.tiles[name].get("player") is None

    def text(self, thing: Thing) -> str:
        """The mark of one thing; empty for a tile without attributes to show."""
        style = self.styles[thing["is"]]
        letters = "".join(
            UNKNOWN if word is None else self.letters[word] for word in self.letter_names(thing)
        )
        if style.has_flag_letters:
            letters = self._flag_letters(thing)
        owner = thing.get("player")
        if self.shows_owner_by_case(thing):
            letters = letters if owner == 0 else letters.lower()
        else:
            letters += "" if owner is None else str(owner)
        numbers = ":".join(self.numbers(thing))
        colon = ":" if numbers and not self.joins_numbers(thing) else ""
        text = f"{letters}{colon}{numbers}{''.join(self._signs_of(thing))}"
        return text or (UNSEEN if style.is_piece else "")

    def letter_names(self, thing: Thing) -> list[str | None]:
        """The names that letters stand for: the kind, if needed, and enum members."""
        style = self.styles[thing["is"]]
        found = [_as_string(thing.get(key)) for key in style.enum_attributes]
        words = found if any(word is not None for word in found) else []
        is_needed = style.shows_kind or (style.is_piece and not words and not style.has_flag_letters)
        return [thing["is"], *words] if is_needed and thing["is"] in self.letters else words

    def shows_owner_by_case(self, thing: Thing) -> bool:
        is_owned = thing.get("player") is not None
        return self.styles[thing["is"]].shows_owner_by_case and is_owned and self.letter_names(thing) != []

    def joins_numbers(self, thing: Thing) -> bool:
        return self.styles[thing["is"]].joins_numbers and self.letter_names(thing) != []

    def shows_owner_number(self, thing: Thing) -> bool:
        """Whether the owner's number follows the letters of a thing."""
        return (
            thing.get("player") is not None
            and self.letter_names(thing) != []
            and not self.shows_owner_by_case(thing)
        )

    def numbers(self, thing: Thing) -> list[str]:
        """The numbers that are shown: all of the kind, or none."""
        style = self.styles[thing["is"]]
        found = [thing.get(key) for key in style.numbers]
        if not any(map(_is_number, found)):
            return []
        has_letters = self.letter_names(thing) != []
        is_short = not self.joins_numbers(thing) if has_letters else thing.get("player") is None
        if (
            is_short
            and not style.has_flag_letters
            and not style.shows_zeros
            and all(value == 0 for value in found)
        ):
            return []
        return [str(value) if _is_number(value) else UNKNOWN for value in found]

    def unknown_flags(self, thing: Thing) -> list[str]:
        """The flags whose values the player does not know."""
        return [flag for flag in self._flags_with_signs(thing) if not isinstance(thing.get(flag), bool)]

    def true_flags(self, thing: Thing) -> list[str]:
        return [flag for flag in self._flags_with_signs(thing) if thing.get(flag) is True]

    def _flags_with_signs(self, thing: Thing) -> tuple[str, ...]:
        style = self.styles[thing["is"]]
        return () if style.has_flag_letters else style.flags

    def _signs_of(self, thing: Thing) -> Iterator[str]:
        unknown_flags = self.unknown_flags(thing)
        for flag in self._flags_with_signs(thing):
            if flag in unknown_flags:
                yield f"{UNSEEN}{self.signs[flag]}"
            elif thing[flag]:
                yield self.signs[flag]

    def _flag_letters(self, thing: Thing) -> str:
        """A capital letter for each flag that is true, a small letter for each that is false."""
        flags = [flag for flag in self.styles[thing["is"]].flags if isinstance(thing.get(flag), bool)]
        return "".join(self.letters[flag] if thing[flag] else self.letters[flag].lower() for flag in flags)


def _start(mark: str) -> str:
    """The first character of a mark, as far as marks can be confused: any owner is 0, and case does not
    matter.
    """
    return "0" if mark[0].isdigit() else mark[0].upper()


# Choosing the marks


def choose_marks(state: State, things: Mapping[str, Thing]) -> BoardMarks:
    """Choose the marks of everything on the board."""
    tiles = {
        name: thing for name, thing in things.items() if construct_kind(state, thing) is ConstructKind.TILE
    }
    pieces: dict[str, tuple[Thing, ...]] = {}
    for thing in things.values():
        place: str = thing.get("at") or ""
        if construct_kind(state, thing) is ConstructKind.INTERACTABLE and place in tiles:
            pieces[place] = (*pieces.get(place, ()), thing)
    kinds: dict[str, list[Thing]] = {}
    for thing in (*(piece for found in pieces.values() for piece in found), *tiles.values()):
        kinds.setdefault(thing["is"], []).append(thing)
    styles = _styles(state, kinds, tiles)
    marks = BoardMarks(
        _assign_letters(state, kinds, styles), _assign_signs(state, styles), styles, pieces, tiles
    )
    starts = frozenset(_start(marks.text(piece)) for found in pieces.values() for piece in found)
    return replace(marks, starts=starts)


def _styles(
    state: State, kinds: Mapping[str, list[Thing]], tiles: Mapping[str, Thing]
) -> Mapping[str, MarkStyle]:
    placed = [kind for kind, things in kinds.items() if "at" in things[0]]
    named = _ambiguous_pieces(state, placed) | _secondary_tiles(state, tiles)
    styles: dict[str, MarkStyle] = {}
    for kind, things in kinds.items():
        is_piece = kind in placed
        words = _find_enum_attributes(state, kind, things)
        flags = _find_attributes(
            state, kind, things, lambda values: any(isinstance(value, bool) for value in values)
        )
        numbers = _find_attributes(state, kind, things, _are_worth_showing)
        has_owner = any(thing.get("player") is not None for thing in things)
        has_flag_letters = placed == [kind] and not has_owner and not words and flags != ()
        loads = [[thing.get(key) for key in numbers] for thing in things]
        styles[kind] = MarkStyle(
            is_piece,
            words,
            numbers,
            flags,
            shows_kind=kind in named,
            has_flag_letters=has_flag_letters,
            shows_owner_by_case=is_piece
            and state.players == 2
            and all(thing.get("player") is not None for thing in things),
            joins_numbers=not has_owner
            and not has_flag_letters
            and len(words) < 2
            and (is_piece or words != ()),
            shows_zeros=not all(any(map(_is_number, load)) for load in loads),
        )
    return styles


def _ambiguous_pieces(state: State, kinds: Sequence[str]) -> set[str]:
    """The kinds of pieces with members of the same enum, which therefore do not distinguish the kinds."""
    enums = {
        kind: {each.type for each in _construct(state, kind).attributes if isinstance(each.type, EnumType)}
        for kind in kinds
    }
    return {kind for kind in kinds for other in kinds if kind != other and enums[kind] & enums[other]}


def _secondary_tiles(state: State, tiles: Mapping[str, Thing]) -> set[str]:
    """In a group with several kinds of tiles, all kinds but the one that is declared first."""
    order = [construct.name for construct in world_of(state).program.constructs]
    named: set[str] = set()
    for plan in state.board_groups():
        kinds = {tiles[tile.name]["is"] for tile in plan.tiles if tile.name in tiles}
        named.update(sorted(kinds, key=order.index)[1:])
    return named


def _find_attributes(
    state: State, kind: str, things: list[Thing], is_wanted: Callable[[list[Any]], bool]
) -> tuple[str, ...]:
    """The attributes with such values in the order of declaration; results of public verbs come last."""
    named = [attribute.name for attribute in _construct(state, kind).attributes]
    found = dict.fromkeys(key for thing in things for key in thing if key not in FACTS)
    wanted = [key for key in found if is_wanted([thing.get(key) for thing in things])]
    return tuple(sorted(wanted, key=lambda key: named.index(key) if key in named else len(named)))


def _find_enum_attributes(state: State, kind: str, things: list[Thing]) -> tuple[str, ...]:
    """The attributes that describe things of a kind by an enum member."""
    types = {attribute.name: attribute.type for attribute in _construct(state, kind).attributes}
    members = {member.name for family in world_of(state).members.values() for member in family}
    wordy = _find_attributes(
        state, kind, things, lambda values: any(isinstance(each, str) and each in members for each in values)
    )
    return tuple(key for key in wordy if key not in types or isinstance(types[key], EnumType))


def _are_worth_showing(values: list[Any]) -> bool:
    """Whether there are numbers, and some are not 0 or some things have none."""
    numbers = [value for value in values if _is_number(value)]
    return any(numbers) or 0 < len(numbers) < len(values)


def _as_string(value: object) -> str | None:
    """A value if it is a string; the result of a public verb may be a string only sometimes."""
    return value if isinstance(value, str) else None


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _construct(state: State, kind: str) -> Construct:
    return world_of(state).kind[kind].construct


def _board_constructs(state: State) -> list[Construct]:
    """The kinds of things that can be on a board, in the order of their declarations."""
    return [
        construct
        for construct in world_of(state).program.constructs
        if construct.kind is ConstructKind.TILE or construct.placeable
    ]


def _assign_signs(state: State, styles: Mapping[str, MarkStyle]) -> Mapping[str, str]:
    attributes = [each for construct in _board_constructs(state) for each in construct.attributes]
    flags = dict.fromkeys(each.name for each in attributes if each.type is Basic.BOOL)
    flags.update(dict.fromkeys(flag for style in styles.values() for flag in style.flags))
    return {flag: SIGNS[place] if place < len(SIGNS) else f"({flag})" for place, flag in enumerate(flags)}


def _assign_letters(
    state: State, kinds: Mapping[str, list[Thing]], styles: Mapping[str, MarkStyle]
) -> Mapping[str, str]:
    """A letter for every name that can appear on the board, or only for those on the board if there are too
    many.

    Kinds of pieces get the letters that enum members leave, and kinds of tiles get the rest.
    """
    enums = {
        each.type.name: None
        for construct in _board_constructs(state)
        for each in construct.attributes
        if isinstance(each.type, EnumType)
    }
    seen = [
        word
        for kind, things in kinds.items()
        for thing in things
        for key in styles[kind].enum_attributes
        if (word := _as_string(thing.get(key))) is not None
    ]
    words = dict.fromkeys([member.name for enum in enums for member in world_of(state).members[enum]] + seen)
    flags = [flag for style in styles.values() if style.has_flag_letters for flag in style.flags]
    names = [construct.name for construct in _board_constructs(state)]
    if len({*words, *flags, *names}) > len(ALPHABET):
        words, names = dict.fromkeys(seen), list(kinds)
    tiles = [name for name in names if _construct(state, name).kind is ConstructKind.TILE]
    letters = _choose_letters([[*words, *flags], [name for name in names if name not in tiles], tiles])
    placed = [kind for kind, style in styles.items() if style.is_piece]
    is_one = len(placed) == 1 and all(thing.get("player") is not None for thing in kinds[placed[0]])
    unneeded = {kind for kind in placed if is_one} - {*words, *flags}
    return {word: letter for word, letter in letters.items() if word not in unneeded}


def _choose_letters(rounds: Iterable[Sequence[str]]) -> dict[str, str]:
    """A letter for each name; in each round short names choose first: king is K, so knight is N."""
    letters: dict[str, str] = {}
    for words in rounds:
        for word in sorted(dict.fromkeys(words), key=len):
            choices = [letter.upper() for letter in word if letter.isalpha()] + list(ALPHABET)
            free = (letter for letter in choices if letter not in letters.values())
            letters.setdefault(word, next(free, word.capitalize()))
    return letters


# The legend


def legend(marks: BoardMarks) -> Iterator[str]:
    """Lines that explain the marks on the board."""
    placed = [piece for found in marks.pieces.values() for piece in found]
    drawn = [*placed, *marks.tiles.values()]
    cased = _explain_letters(marks, filter(marks.shows_owner_by_case, drawn))
    if cased:
        yield f"{cased}; capital: player 0, small: player 1"
    if plain := _explain_letters(marks, (thing for thing in drawn if not marks.shows_owner_by_case(thing))):
        yield plain
    spelled = {flag: None for kind in marks.styles.values() if kind.has_flag_letters for flag in kind.flags}
    if spelled:
        words = ", ".join(f"{marks.letters[flag]} {flag}" for flag in spelled)
        yield f"{words}; capital: yes, small: no"
    yield from _explain_numbers(marks, drawn)
    if any(marks.has_slash(name) for name in marks.tiles):
        yield "after a slash: the tile itself"
    yield from _explain_signs(marks, drawn)


def _explain_letters(marks: BoardMarks, things: Iterable[Thing]) -> str:
    words = sorted({word for thing in things for word in marks.letter_names(thing) if word is not None})
    return ", ".join(f"{marks.letters[word]} {word}" for word in words)


def _explain_numbers(marks: BoardMarks, drawn: list[Thing]) -> Iterator[str]:
    """Explain the numbers after letters and colons."""
    numbers_after: dict[str, dict[tuple[str, ...], dict[str, None]]] = {"letter": {}, "colon": {}}
    for thing in drawn:
        kind = thing["is"]
        if marks.shows_owner_number(thing):
            numbers_after["letter"].setdefault(("player",), {})[kind] = None
        if marks.numbers(thing):
            where = "letter" if marks.joins_numbers(thing) else "colon"
            numbers_after[where].setdefault(marks.styles[kind].numbers, {})[kind] = None
    for where, kinds in numbers_after.items():
        parts = [", ".join(names) for names in kinds]
        if len(kinds) > 1:  # pieces and tiles of different kinds have different numbers
            parts = [f"{', '.join(names)} ({', '.join(of)})" for names, of in kinds.items()]
        if parts:
            yield f"after a {where}: {'; '.join(parts)}"


def _explain_signs(marks: BoardMarks, drawn: list[Thing]) -> Iterator[str]:
    unknown_flags = {flag for thing in drawn for flag in marks.unknown_flags(thing)}
    shown = unknown_flags.union(flag for thing in drawn for flag in marks.true_flags(thing))
    parts = [f"{sign}: {flag}" for flag, sign in marks.signs.items() if flag in shown]
    if unknown_flags:
        parts.append(f"{UNSEEN}: not known")
    if parts:
        yield ", ".join(parts)
