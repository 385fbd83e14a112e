"""Things on a board in few characters: what differs for a player's eyes has different marks.

A mark is made of four parts, in this order, and what a thing does not have is left out:

- letters for what it is: the words that its attributes have, or its kind;
- its owner's number; for lettered pieces of two players capitals and small letters instead;
- its numbers after colons, or right behind the letter where nothing of its kind has an owner;
- a sign for each truth that holds.

Pieces that belong to nobody and differ only in truths are a letter for each of them. Behind the pieces on a
tile comes a slash and what the tile says of itself, if it says anything. A tile without pieces has the slash
too where it could be taken for a piece.

Numbers stand in the order in which they are declared. One that is nothing all over the board is not shown;
else a thing shows all numbers of its kind or, if all are nothing, none: so each can be told by its place.
Letters and signs are given out by the rules, not by the position: they stay the same through a game.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ludograph.cli.thing_text import FACTS, Thing, kind_of
from ludograph.tgdl.game.game import State
from ludograph.tgdl.game.internals import world_of
from ludograph.tgdl.program import Construct, ConstructKind
from ludograph.tgdl.program.types import Basic, EnumType

EMPTY = "·"
UNKNOWN = "-"
"""For a number or word that is none, or that a player does not see."""
UNSEEN = "?"
"""Before the sign of a truth that is none or not seen; also a piece of which nothing is known."""
SIGNS = "*!^~&%$#@"
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class MarkStyle(Struct, frozen=True):
    """How the things of one kind are marked in a position."""

    is_piece: bool
    words: tuple[str, ...]
    """Attributes that have a word somewhere on the board, each with its place in the mark."""
    numbers: tuple[str, ...]
    truths: tuple[str, ...]
    is_named: bool
    """Whether the letter of the kind stands before its words, and not only in their place."""
    is_spelled: bool
    """Whether there is a letter for each truth, and nothing else says what the thing is."""
    is_cased: bool
    """Whether capitals and small letters say whose the thing is."""
    is_joined: bool
    """Whether numbers stand right behind the letter, where owners stand otherwise."""
    writes_zeros: bool
    """Whether numbers that are all 0 are shown, since others have none at all."""


class BoardLooks(Struct, frozen=True):
    """How things are marked."""

    letters: Mapping[str, str]
    """By a word, a kind, or a truth that is spelled."""
    signs: Mapping[str, str]
    """By the name of a truth."""
    styles: Mapping[str, MarkStyle]
    """By the kind of pieces and tiles."""
    pieces: Mapping[str, tuple[Thing, ...]]
    """By the name of the tile they stand on."""
    tiles: Mapping[str, Thing]
    starts: frozenset[str] = frozenset()
    """What the marks of pieces begin with."""

    def mark(self, name: str) -> str:
        """What is shown for a tile: the pieces on it, and what it says of itself."""
        pieces = "+".join(self.text(piece) for piece in self.pieces.get(name, ()))
        ground = self.text(self.tiles[name])
        if pieces and ground:
            return f"{pieces}/{ground}"
        return f"/{ground}" if self.is_slashed(name) else pieces or ground or EMPTY

    def is_slashed(self, name: str) -> bool:
        """Whether a slash stands before what a tile says of itself."""
        ground = self.text(self.tiles[name])
        return ground != "" and (name in self.pieces or _start(ground) in self.starts)

    def is_free(self, name: str) -> bool:
        """Whether a tile is nobody's, and no piece stands on it."""
        return name not in self.pieces and self.tiles[name].get("player") is None

    def text(self, thing: Thing) -> str:
        """The mark of one thing; nothing for a tile that says nothing of itself."""
        style = self.styles[thing["is"]]
        letters = "".join(UNKNOWN if word is None else self.letters[word] for word in self.words(thing))
        if style.is_spelled:
            letters = self._spelled(thing)
        owner = thing.get("player")
        if self.is_cased(thing):
            letters = letters if owner == 0 else letters.lower()
        else:
            letters += "" if owner is None else str(owner)
        numbers = ":".join(self.numbers(thing))
        colon = ":" if numbers and not self.is_joined(thing) else ""
        text = f"{letters}{colon}{numbers}{''.join(self._signs_of(thing))}"
        return text or (UNSEEN if style.is_piece else "")

    def words(self, thing: Thing) -> list[str | None]:
        """The words that letters stand for: the kind, if it is wanted, and what attributes say."""
        style = self.styles[thing["is"]]
        found = [_word(thing.get(key)) for key in style.words]
        words = found if any(word is not None for word in found) else []
        is_needed = style.is_named or (style.is_piece and not words and not style.is_spelled)
        return [thing["is"], *words] if is_needed and thing["is"] in self.letters else words

    def is_cased(self, thing: Thing) -> bool:
        is_owned = thing.get("player") is not None
        return self.styles[thing["is"]].is_cased and is_owned and self.words(thing) != []

    def is_joined(self, thing: Thing) -> bool:
        return self.styles[thing["is"]].is_joined and self.words(thing) != []

    def is_numbered(self, thing: Thing) -> bool:
        """Whether the number of its owner stands behind the letters of a thing."""
        return thing.get("player") is not None and self.words(thing) != [] and not self.is_cased(thing)

    def numbers(self, thing: Thing) -> list[str]:
        """The numbers that are shown: all of the kind, or none."""
        style = self.styles[thing["is"]]
        found = [thing.get(key) for key in style.numbers]
        if not any(map(_is_number, found)):
            return []
        has_letters = self.words(thing) != []
        is_short = not self.is_joined(thing) if has_letters else thing.get("player") is None
        if (
            is_short
            and not style.is_spelled
            and not style.writes_zeros
            and all(value == 0 for value in found)
        ):
            return []
        return [str(value) if _is_number(value) else UNKNOWN for value in found]

    def _may_leave_zeros(self, thing: Thing) -> bool:
        """Whether numbers that are all 0 need not be shown: something else is, or it is a tile of nobody."""
        style = self.styles[thing["is"]]
        if style.is_spelled or style.writes_zeros:
            return False
        return not self.is_joined(thing) if self.words(thing) else thing.get("player") is None

    def unseen(self, thing: Thing) -> list[str]:
        """The truths of which a player does not know whether they hold."""
        return [truth for truth in self._signed(thing) if not isinstance(thing.get(truth), bool)]

    def holding(self, thing: Thing) -> list[str]:
        return [truth for truth in self._signed(thing) if thing.get(truth) is True]

    def _signed(self, thing: Thing) -> tuple[str, ...]:
        style = self.styles[thing["is"]]
        return () if style.is_spelled else style.truths

    def _signs_of(self, thing: Thing) -> Iterator[str]:
        unseen = self.unseen(thing)
        for truth in self._signed(thing):
            if truth in unseen:
                yield f"{UNSEEN}{self.signs[truth]}"
            elif thing[truth]:
                yield self.signs[truth]

    def _spelled(self, thing: Thing) -> str:
        """A capital for each truth that holds, a small letter for each that does not."""
        truths = [truth for truth in self.styles[thing["is"]].truths if isinstance(thing.get(truth), bool)]
        return "".join(
            self.letters[truth] if thing[truth] else self.letters[truth].lower() for truth in truths
        )


def _start(mark: str) -> str:
    """What a mark begins with, as far as it can be mistaken: all owners are alike, and so is either case."""
    return "0" if mark[0].isdigit() else mark[0].upper()


# Choosing looks


def looks_of(state: State, things: Mapping[str, Thing]) -> BoardLooks:
    """The looks of everything on the board."""
    tiles = {name: thing for name, thing in things.items() if kind_of(state, thing) is ConstructKind.TILE}
    pieces: dict[str, tuple[Thing, ...]] = {}
    for thing in things.values():
        place: str = thing.get("at") or ""
        if kind_of(state, thing) is ConstructKind.INTERACTABLE and place in tiles:
            pieces[place] = (*pieces.get(place, ()), thing)
    kinds: dict[str, list[Thing]] = {}
    for thing in (*(piece for found in pieces.values() for piece in found), *tiles.values()):
        kinds.setdefault(thing["is"], []).append(thing)
    styles = _styles(state, kinds, tiles)
    looks = BoardLooks(_letters_of(state, kinds, styles), _signs(state, styles), styles, pieces, tiles)
    starts = frozenset(_start(looks.text(piece)) for found in pieces.values() for piece in found)
    return replace(looks, starts=starts)


def _styles(
    state: State, kinds: Mapping[str, list[Thing]], tiles: Mapping[str, Thing]
) -> Mapping[str, MarkStyle]:
    placed = [kind for kind, things in kinds.items() if "at" in things[0]]
    named = _named_pieces(state, placed) | _named_tiles(state, tiles)
    styles: dict[str, MarkStyle] = {}
    for kind, things in kinds.items():
        is_piece = kind in placed
        words = _words(state, kind, things)
        truths = _keys(state, kind, things, lambda values: any(isinstance(value, bool) for value in values))
        numbers = _keys(state, kind, things, _are_worth_showing)
        has_owner = any(thing.get("player") is not None for thing in things)
        is_spelled = placed == [kind] and not has_owner and not words and truths != ()
        loads = [[thing.get(key) for key in numbers] for thing in things]
        styles[kind] = MarkStyle(
            is_piece,
            words,
            numbers,
            truths,
            is_named=kind in named,
            is_spelled=is_spelled,
            is_cased=is_piece
            and state.players == 2
            and all(thing.get("player") is not None for thing in things),
            is_joined=not has_owner and not is_spelled and len(words) < 2 and (is_piece or words != ()),
            writes_zeros=not all(any(map(_is_number, load)) for load in loads),
        )
    return styles


def _named_pieces(state: State, kinds: Sequence[str]) -> set[str]:
    """The kinds of pieces that have words of the same enum, so that these do not tell them apart."""
    enums = {
        kind: {each.type for each in _construct(state, kind).attributes if isinstance(each.type, EnumType)}
        for kind in kinds
    }
    return {kind for kind in kinds for other in kinds if kind != other and enums[kind] & enums[other]}


def _named_tiles(state: State, tiles: Mapping[str, Thing]) -> set[str]:
    """In groups of several kinds of tiles, all kinds but the one that is declared first."""
    order = [construct.name for construct in world_of(state).program.constructs]
    named: set[str] = set()
    for plan in state.board_groups():
        kinds = {tiles[tile.name]["is"] for tile in plan.tiles if tile.name in tiles}
        named.update(sorted(kinds, key=order.index)[1:])
    return named


def _keys(
    state: State, kind: str, things: list[Thing], is_wanted: Callable[[list[Any]], bool]
) -> tuple[str, ...]:
    """The attributes with such values, as they are declared; what public verbs give comes behind them."""
    named = [attribute.name for attribute in _construct(state, kind).attributes]
    found = dict.fromkeys(key for thing in things for key in thing if key not in FACTS)
    wanted = [key for key in found if is_wanted([thing.get(key) for thing in things])]
    return tuple(sorted(wanted, key=lambda key: named.index(key) if key in named else len(named)))


def _words(state: State, kind: str, things: list[Thing]) -> tuple[str, ...]:
    """The attributes that say what things of a kind are, by a word of an enum."""
    types = {attribute.name: attribute.type for attribute in _construct(state, kind).attributes}
    members = {member.name for family in world_of(state).members.values() for member in family}
    wordy = _keys(
        state, kind, things, lambda values: any(isinstance(each, str) and each in members for each in values)
    )
    return tuple(key for key in wordy if key not in types or isinstance(types[key], EnumType))


def _are_worth_showing(values: list[Any]) -> bool:
    """Whether there are numbers, and not nothing everywhere."""
    numbers = [value for value in values if _is_number(value)]
    return any(numbers) or 0 < len(numbers) < len(values)


def _word(value: object) -> str | None:
    """A value as a word; what a public verb gives may be one only now and then."""
    return value if isinstance(value, str) else None


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _construct(state: State, kind: str) -> Construct:
    return world_of(state).kind[kind].construct


def _boarded(state: State) -> list[Construct]:
    """The kinds of things that can be on a board, as they are declared."""
    return [
        construct
        for construct in world_of(state).program.constructs
        if construct.kind is ConstructKind.TILE or construct.placeable
    ]


def _signs(state: State, styles: Mapping[str, MarkStyle]) -> Mapping[str, str]:
    attributes = [each for construct in _boarded(state) for each in construct.attributes]
    truths = dict.fromkeys(each.name for each in attributes if each.type is Basic.BOOL)
    truths.update(dict.fromkeys(truth for style in styles.values() for truth in style.truths))
    return {truth: SIGNS[place] if place < len(SIGNS) else f"({truth})" for place, truth in enumerate(truths)}


def _letters_of(
    state: State, kinds: Mapping[str, list[Thing]], styles: Mapping[str, MarkStyle]
) -> Mapping[str, str]:
    """A letter for every word that can come on the board; where these are too many, for those that are there.

    Kinds of pieces take what the words of enums leave, and kinds of tiles the rest.
    """
    enums = {
        each.type.name: None
        for construct in _boarded(state)
        for each in construct.attributes
        if isinstance(each.type, EnumType)
    }
    seen = [
        word
        for kind, things in kinds.items()
        for thing in things
        for key in styles[kind].words
        if (word := _word(thing.get(key))) is not None
    ]
    words = dict.fromkeys([member.name for enum in enums for member in world_of(state).members[enum]] + seen)
    truths = [truth for style in styles.values() if style.is_spelled for truth in style.truths]
    names = [construct.name for construct in _boarded(state)]
    if len({*words, *truths, *names}) > len(ALPHABET):
        words, names = dict.fromkeys(seen), list(kinds)
    tiles = [name for name in names if _construct(state, name).kind is ConstructKind.TILE]
    letters = _letters([[*words, *truths], [name for name in names if name not in tiles], tiles])
    placed = [kind for kind, style in styles.items() if style.is_piece]
    is_one = len(placed) == 1 and all(thing.get("player") is not None for thing in kinds[placed[0]])
    unneeded = {kind for kind in placed if is_one} - {*words, *truths}
    return {word: letter for word, letter in letters.items() if word not in unneeded}


def _letters(rounds: Iterable[Sequence[str]]) -> dict[str, str]:
    """A letter for each word; in a round the short words choose first: king is K, so knight is N."""
    letters: dict[str, str] = {}
    for words in rounds:
        for word in sorted(dict.fromkeys(words), key=len):
            choices = [letter.upper() for letter in word if letter.isalpha()] + list(ALPHABET)
            free = (letter for letter in choices if letter not in letters.values())
            letters.setdefault(word, next(free, word.capitalize()))
    return letters


# The legend


def legend(looks: BoardLooks) -> Iterator[str]:
    """What the marks on the board mean, in lines."""
    placed = [piece for found in looks.pieces.values() for piece in found]
    drawn = [*placed, *looks.tiles.values()]
    cased = _said(looks, filter(looks.is_cased, drawn))
    if cased:
        yield f"{cased}; capital: player 0, small: player 1"
    if plain := _said(looks, (thing for thing in drawn if not looks.is_cased(thing))):
        yield plain
    spelled = {truth: None for kind in looks.styles.values() if kind.is_spelled for truth in kind.truths}
    if spelled:
        words = ", ".join(f"{looks.letters[truth]} {truth}" for truth in spelled)
        yield f"{words}; capital: yes, small: no"
    yield from _numbers_said(looks, drawn)
    if any(looks.is_slashed(name) for name in looks.tiles):
        yield "after a slash: what the tile says of itself"
    yield from _signs_said(looks, drawn)


def _said(looks: BoardLooks, things: Iterable[Thing]) -> str:
    words = sorted({word for thing in things for word in looks.words(thing) if word is not None})
    return ", ".join(f"{looks.letters[word]} {word}" for word in words)


def _numbers_said(looks: BoardLooks, drawn: list[Thing]) -> Iterator[str]:
    """What stands behind letters and colons."""
    behind: dict[str, dict[tuple[str, ...], dict[str, None]]] = {"letter": {}, "colon": {}}
    for thing in drawn:
        kind = thing["is"]
        if looks.is_numbered(thing):
            behind["letter"].setdefault(("player",), {})[kind] = None
        if looks.numbers(thing):
            where = "letter" if looks.is_joined(thing) else "colon"
            behind[where].setdefault(looks.styles[kind].numbers, {})[kind] = None
    for where, kinds in behind.items():
        parts = [", ".join(names) for names in kinds]
        if len(kinds) > 1:  # the numbers of pieces and tiles of different kinds are different ones
            parts = [f"{', '.join(names)} ({', '.join(of)})" for names, of in kinds.items()]
        if parts:
            yield f"after a {where}: {'; '.join(parts)}"


def _signs_said(looks: BoardLooks, drawn: list[Thing]) -> Iterator[str]:
    unseen = {truth for thing in drawn for truth in looks.unseen(thing)}
    shown = unseen.union(truth for thing in drawn for truth in looks.holding(thing))
    parts = [f"{sign}: {truth}" for truth, sign in looks.signs.items() if truth in shown]
    if unseen:
        parts.append(f"{UNSEEN}: not known")
    if parts:
        yield ", ".join(parts)
