"""Things of any game in few characters: marks on a board, and words elsewhere.

A piece is its owner's number, or a letter for what it is (capital for player 0, small for player 1), with its
numbers after colons. Pieces that belong to nobody and differ only in truths are a letter for each of them.
Behind the pieces on a tile comes a slash and what the tile says of itself, if it says anything.

Numbers stand in the order in which they are declared. One that is nothing all over the board is not shown;
else a thing shows all numbers of its kind or, if all are nothing, none: so each can be told by its place.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ludograph.tgdl.game import State
from ludograph.tgdl.program import ConstructKind
from ludograph.tgdl.types import Basic

EMPTY = "·"
UNKNOWN = "-"
"""For a number that is none, or that a player does not see."""
WIDEST_VALUE = 60

Thing = Mapping[str, Any]
"""A thing as a player sees it: its attributes by name, `is` for its kind, `at` for its place."""

_FACTS = ("is", "at", "player")


def kind_of(state: State, thing: Thing) -> ConstructKind:
    return state.world.kind[thing["is"]].construct.kind


# Words


def card_text(card: Thing, *, holder: int | None = None, named: bool = False) -> str:
    """What a thing says of itself: `hearts 10`; its kind too, if that is wanted or there is nothing else.

    Whose it is need not be said where its holder is known.
    """
    words = [card_words(card)]
    if named or not words[0]:
        words.insert(0, str(card["is"]))
    owner = card.get("player")
    if owner is not None and owner != holder:
        words.append(f"of player {owner}")
    return " ".join(word for word in words if word)


def card_words(card: Thing) -> str:
    """What the attributes of a thing say: `hearts 10`, `tall not dark`; nothing of its kind and its player.

    A truth alone is a mark: it is said if it holds. Of several also those that do not hold are.
    """
    truths = [key for key, value in card.items() if isinstance(value, bool)]
    words = []
    for key, value in card.items():
        if key in _FACTS or value is None:
            continue
        if not isinstance(value, bool):
            words.append(value_text(value, {}))
        elif value:
            words.append(key)
        elif len(truths) > 1:
            words.append(f"not {key}")
    return " ".join(words)


def value_text(value: object, things: Mapping[str, Thing]) -> str:
    """A value of an attribute; a piece or card with what it says of itself."""
    match value:
        case None:
            text = "none"
        case bool():
            text = "yes" if value else "no"
        case list():
            text = f"{{{', '.join(value_text(item, things) for item in value)}}}"
        case str() if value in things and "at" in things[value]:
            words = card_words(things[value])
            text = f"{value} ({words})" if words else value
        case _:
            text = str(value)
    return text if len(text) <= WIDEST_VALUE else text[: WIDEST_VALUE - 1] + "…"


# Marks


@dataclass(frozen=True, slots=True)
class Looks:
    """How things are marked."""

    players: int
    letters: Mapping[str, str]
    """A letter for every word that says what a thing is."""
    truths: Mapping[str, Mapping[str, str]]
    """By the kind of ownerless pieces: a letter for each truth that tells them apart."""
    numbers: Mapping[str, tuple[str, ...]]
    """By the kind of pieces and tiles: what their numbers are called, in the order of showing them."""
    pieces: Mapping[str, tuple[Thing, ...]]
    """By the name of the tile they stand on."""

    def mark(self, name: str, tile: Thing) -> str:
        """What is shown for a tile: the pieces on it, and what it says of itself."""
        pieces = "+".join(self._of(piece) for piece in self.pieces.get(name, ()))
        ground = self._of(tile, is_tile=True)
        return f"{pieces}/{ground}" if pieces and ground else pieces or ground or EMPTY

    def is_under_pieces(self, name: str, tile: Thing) -> bool:
        """Whether a tile is shown behind the pieces on it."""
        return name in self.pieces and self._of(tile, is_tile=True) != ""

    def writes_numbers_behind_letter(self, thing: Thing) -> bool:
        """Whether a thing of nobody has a letter, and its numbers right behind it."""
        is_lettered = not self.letters.keys().isdisjoint(
            value for key, value in thing.items() if isinstance(value, str) and (key != "is" or "at" in thing)
        )
        return is_lettered and thing.get("player") is None

    def shows_numbers(self, thing: Thing) -> bool:
        """Whether there are numbers in the mark of a thing."""
        found = [thing.get(key) for key in self.numbers[thing["is"]]]
        return any(found) or (thing.get("player") is not None and any(map(_is_number, found)))

    def _of(self, thing: Thing, *, is_tile: bool = False) -> str:
        owner = thing.get("player")
        values = [value for key, value in thing.items() if key not in _FACTS]
        letters = [
            self.letters[value] for value in values if isinstance(value, str) and value in self.letters
        ]
        found = [thing.get(key) for key in self.numbers.get(thing["is"], ())]
        numbers = [str(value) if _is_number(value) else UNKNOWN for value in found]
        if numbers == [UNKNOWN] * len(numbers):
            numbers = []
        is_loaded = any(found)
        if not is_tile and not letters and owner is None and thing["is"] in self.truths:
            return self._truths_of(thing) + "".join(f":{number}" for number in numbers)
        if not letters and not is_tile and thing["is"] in self.letters:
            letters = [self.letters[thing["is"]]]
        if letters and owner is not None:
            letter = letters[0].lower() if self.players == 2 and owner == 1 else letters[0]
            load = "".join(f":{number}" for number in numbers) if is_loaded else ""
            return f"{letter}{load}" if self.players == 2 else f"{letter}{owner}{load}"
        if letters:
            return letters[0] + ":".join(numbers)
        if owner is None and is_tile:
            return "".join(f":{number}" for number in numbers) if is_loaded else ""
        if owner is None:
            return "?"
        flags = "*" if not is_tile and any(value is True for value in values) else ""
        return ":".join([f"{owner}{flags}", *numbers])

    def _truths_of(self, piece: Thing) -> str:
        """A capital for each truth that holds, a small letter for each that does not."""
        letters = self.truths[piece["is"]]
        return "".join(
            letter if piece[truth] else letter.lower() for truth, letter in letters.items() if truth in piece
        )


def looks_of(state: State, things: Mapping[str, Thing]) -> Looks:
    """The looks of everything on the board."""
    pieces: dict[str, list[Thing]] = {}
    kinds: dict[str, None] = {}
    words: dict[str, None] = {}
    members = {member.name for family in state.world.members.values() for member in family}
    for thing in things.values():
        kind = kind_of(state, thing)
        place: str = thing.get("at") or ""
        if kind is ConstructKind.INTERACTABLE and place in things:
            if kind_of(state, things[place]) is not ConstructKind.TILE:
                continue
            pieces.setdefault(place, []).append(thing)
            kinds[thing["is"]] = None
        elif kind is not ConstructKind.TILE:
            continue
        words.update((value, None) for value in thing.values() if isinstance(value, str) and value in members)
    placed = [thing for found in pieces.values() for thing in found]
    truths = {
        kind: _letters(names)
        for kind in kinds
        if (names := _truths(state, kind)) and not _is_told_otherwise(kind, placed, members)
    }
    if len(kinds) > 1 or any(thing.get("player") is None for thing in placed):
        words.update((kind, None) for kind in kinds if kind not in truths)
    shown = {tile: tuple(found) for tile, found in pieces.items()}
    tiles = [thing for thing in things.values() if kind_of(state, thing) is ConstructKind.TILE]
    drawn = placed + tiles
    numbers = {kind: _numbers(state, kind, drawn) for kind in {thing["is"] for thing in drawn}}
    return Looks(state.world.players, _letters(list(words)), truths, numbers, shown)


def _numbers(state: State, kind: str, things: list[Thing]) -> tuple[str, ...]:
    """What the numbers of a kind are called that some thing of it has."""
    named = [attribute.name for attribute in state.world.kind[kind].construct.attributes]
    found = {
        key: None
        for thing in things
        if thing["is"] == kind
        for key, value in thing.items()
        if key not in _FACTS and value and _is_number(value)
    }
    # What public verbs give comes behind the attributes, as in a view.
    return tuple(sorted(found, key=lambda key: named.index(key) if key in named else len(named)))


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _truths(state: State, kind: str) -> list[str]:
    attributes = state.world.kind[kind].construct.attributes
    return [attribute.name for attribute in attributes if attribute.type is Basic.BOOL]


def _is_told_otherwise(kind: str, placed: list[Thing], members: set[str]) -> bool:
    """Whether pieces of a kind have owners, or a word that says what they are."""
    return any(
        piece.get("player") is not None
        or any(isinstance(value, str) and value in members for key, value in piece.items() if key != "is")
        for piece in placed
        if piece["is"] == kind
    )


def _letters(words: list[str]) -> dict[str, str]:
    """A letter for each word, in their order; the short words choose first: king is K, so knight is N."""
    letters: dict[str, str] = {}
    for word in sorted(words, key=len):
        choices = [letter.upper() for letter in word if letter.isalpha()] + [
            chr(ord("A") + n) for n in range(26)
        ]
        free = (letter for letter in choices if letter not in letters.values())
        letters[word] = next(free, word)
    return {word: letters[word] for word in words}


def legend(looks: Looks, things: Mapping[str, Thing], state: State) -> Iterator[str]:
    """What the marks mean, in lines."""
    placed = [piece for found in looks.pieces.values() for piece in found]
    tiles = [thing for thing in things.values() if kind_of(state, thing) is ConstructKind.TILE]
    if looks.letters:
        words = ", ".join(f"{letter} {word}" for word, letter in sorted(looks.letters.items()))
        lettered = placed + [tile for tile in tiles if not looks.letters.keys().isdisjoint(_words(tile))]
        has_owners = looks.players == 2 and any(thing.get("player") is not None for thing in lettered)
        yield f"{words}; capital: player 0, small: player 1" if has_owners else words
    for letters in looks.truths.values():
        words = ", ".join(f"{letter} {truth}" for truth, letter in letters.items())
        yield f"{words}; capital: yes, small: no"
    behind = [thing for thing in placed + tiles if looks.writes_numbers_behind_letter(thing)]
    others = [thing for thing in placed + tiles if not looks.writes_numbers_behind_letter(thing)]
    for where, found in (("letter", behind), ("colon", others)):
        kinds: dict[tuple[str, ...], dict[str, None]] = {}
        for thing in filter(looks.shows_numbers, found):
            kinds.setdefault(looks.numbers[thing["is"]], {})[thing["is"]] = None
        parts = [", ".join(names) for names in kinds]
        if len(kinds) > 1:  # the numbers of pieces and tiles of different kinds are different ones
            parts = [f"{', '.join(names)} ({', '.join(of)})" for names, of in kinds.items()]
        if parts:
            yield f"after a {where}: {'; '.join(parts)}"
    if any(looks.is_under_pieces(name, things[name]) for name in looks.pieces):
        yield "after a slash: what the pieces stand on"
    flags = _names(placed, lambda value: value is True) if not looks.letters and not looks.truths else []
    if flags:
        yield f"*: {', '.join(flags)}"


def _words(thing: Thing) -> list[str]:
    return [value for value in thing.values() if isinstance(value, str)]


def _names(things: list[Thing], is_wanted: Callable[[object], bool]) -> list[str]:
    """What those attributes are called that have such a value somewhere, and are not nothing."""
    found = {
        key: None
        for thing in things
        for key, value in thing.items()
        if key not in _FACTS and value and is_wanted(value)
    }
    return list(found)
