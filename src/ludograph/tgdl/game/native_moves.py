"""Listings: the complete legal moves of a player, as native code lists them.

A listing holds numbers. Texts and choices are made when they are read: the texts of all moves at once, the
choices of each move by itself. What native code does not name, the reference engine names.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import repeat
from typing import overload

from ludograph.play import CHANCE, Choice, LegalMoves, Move, format_move
from ludograph.tgdl.game.native_log import Unnamed, name_choices
from ludograph.tgdl.game.reference_bridge import standing_at
from ludograph.tgdl.game.reference_history import read_move
from ludograph.tgdl.native.lower.present.interface import UNWRITTEN
from ludograph.tgdl.native.run.calls import MoveRows, Words
from ludograph.tgdl.native.run.history import NativeHistory
from ludograph.tgdl.native.run.presenter import UTF_8, split_lines

UNWRITTEN_TEXT = chr(UNWRITTEN)


class Listing:
    """The moves of one player at one link of a line. Mutable in what it has found out."""

    __slots__ = ("_places", "_texts", "_written", "line", "player", "rows")

    def __init__(self, line: NativeHistory, player: int, rows: MoveRows | Sequence[Words]) -> None:
        self.line = line
        self.player = player
        self.rows = rows
        """The choices since the base of every move."""
        self._written: bytes | None = None
        self._texts: list[str] | None = None
        self._places: dict[str, int] | None = None

    def words(self, number: int) -> Words:
        """The further choices of a move."""
        return self.rows[number][len(self.line.words) :]

    @property
    def texts(self) -> list[str]:
        """The texts of all moves."""
        if self._texts is None:
            self._texts = self._write()
        return self._texts

    @property
    def has_texts(self) -> bool:
        return self._texts is not None

    def find(self, text: str) -> int | None:
        """The number of the first move with this text."""
        if self._texts is None:
            number = self._find_written(text)
            if number is not None or (self.written and UNWRITTEN not in self.written):
                return number
        if self._places is None:
            texts = self.texts
            self._places = dict(zip(reversed(texts), range(len(texts) - 1, -1, -1), strict=True))
        return self._places.get(text)

    def knows(self, text: str) -> bool:
        """Whether a move has this text, as far as that is known without making all texts."""
        return self._find_written(text) is not None if self._texts is None else self.find(text) is not None

    def _find_written(self, text: str) -> int | None:
        written = self.written
        line = b"\n%b\n" % text.encode(*UTF_8)
        if "\n" in text:
            return None
        if written.startswith(line[1:]):
            return 0
        at = written.find(line)
        return None if at < 0 else written.count(b"\n", 0, at + 1)

    def find_move(self, move: Move) -> int | None:
        """The number of the move with the choices of another."""
        number = self.find(move.text)
        if number is None or self.choices(number) == move.choices:
            return number
        others = (each for each, text in enumerate(self.texts) if text == move.text)
        return next((each for each in others if self.choices(each) == move.choices), None)

    def find_words(self, words: Words) -> int | None:
        """The number of the move with these further choices."""
        wanted = (*self.line.words, *words)
        if isinstance(self.rows, MoveRows):
            return self.rows.find(wanted)
        return next((number for number, row in enumerate(self.rows) if row == wanted), None)

    def openers(self) -> list[int]:
        """The actions, or the next choices, that these moves begin with, each once."""
        if isinstance(self.rows, MoveRows) and not self.line.words:
            return self.rows.first_words()
        made = len(self.line.words)
        return list(dict.fromkeys(row[made] for row in self.rows))

    def choices(self, number: int, known: dict[Words, Choice] | None = None) -> tuple[Choice, ...]:
        """The choices of a move; those that other moves begin with as well may be known."""
        words = self.rows[number]
        try:
            return tuple(entry.choice for entry in name_choices(self.line, words, self.player, known))
        except Unnamed:
            standing = standing_at(self.line)
            values = self.line.meaning(standing.memory, words)
            return standing.name(values, self.player).choices

    @property
    def written(self) -> bytes:
        """The texts of all moves as native code writes them, a line each; nothing if it cannot."""
        if self._written is None:
            line, rows = self.line, self.rows
            found: bytes | None = None
            if (
                isinstance(rows, MoveRows)
                and not line.words
                and line.chooser is None
                and self.player != CHANCE
            ):
                found = line.committer.presenter.move_texts(line.block, rows.data, rows.index, rows.start)
            self._written = found or b""
        return self._written

    def _write(self) -> list[str]:
        texts = split_lines(self.written) or [UNWRITTEN_TEXT] * len(self.rows)
        if UNWRITTEN in self.written or not self.written:
            known: dict[Words, Choice] = {}
            for number, text in enumerate(texts):
                if text == UNWRITTEN_TEXT:
                    texts[number] = format_move(self.choices(number, known))
        self._written = None
        return texts


class ListedMove(Move, frozen=True, eq=False):
    """A move of a listing, whose choices and text are made when they are read."""

    listing: Listing
    number: int

    @property
    def choices(self) -> tuple[Choice, ...]:
        return self.listing.choices(self.number)

    @property
    def chooser(self) -> int:
        return self.listing.player

    @property
    def text(self) -> str:
        return self.listing.texts[self.number]

    def __eq__(self, other: object) -> bool:
        if isinstance(other, ListedMove) and other.listing is self.listing:
            return other.number == self.number
        return super().__eq__(other)

    __ne__ = Move.__ne__
    __hash__ = Move.__hash__
    __repr__ = Move.__repr__


class ListedMoves(LegalMoves):
    """The legal moves of a player at one link of a line, listed when somebody looks."""

    __slots__ = ("_find", "_line", "_listing", "_player")

    def __init__(
        self, line: NativeHistory, player: int, find: Callable[[NativeHistory, int], Listing | None]
    ) -> None:
        self._line = line
        self._player = player
        self._find = find
        self._listing: Listing | None = None
        self._listed = None

    @property
    def listing(self) -> Listing | None:
        """What native code lists; None if it cannot."""
        if self._listing is None and self._listed is None:
            self._listing = self._find(self._line, self._player)
        return self._listing

    def _moves(self) -> Sequence[Move]:
        if self._listed is None:
            listing = self.listing
            if listing is None:
                self._listed = standing_at(self._line).moves(self._player)
            else:
                self._listed = tuple(map(ListedMove, repeat(None), repeat(listing), range(len(listing.rows))))
        return self._listed

    def __len__(self) -> int:
        listing = self.listing
        return len(self._moves()) if listing is None else len(listing.rows)

    def __iter__(self) -> Iterator[Move]:
        listing = self.listing
        if listing is None:
            return iter(self._moves())
        return map(ListedMove, repeat(None), repeat(listing), range(len(listing.rows)))

    @overload
    def __getitem__(self, index: int) -> Move: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Move]: ...

    def __getitem__(self, index: int | slice) -> Move | Sequence[Move]:
        listing = self.listing
        if listing is None:
            return self._moves()[index]
        numbers = range(len(listing.rows))
        if isinstance(index, slice):
            return tuple(ListedMove(None, listing, number) for number in numbers[index])
        return ListedMove(None, listing, numbers[index])

    def __contains__(self, move: object) -> bool:
        listing = self.listing
        if listing is None or not isinstance(move, Move | str):
            return super().__contains__(move)
        if isinstance(move, ListedMove):
            if move.listing is listing:
                return True
            if self._line.can_take(move.listing.line) and move.listing.player == self._player:
                return listing.find_words(move.listing.words(move.number)) is not None
        if isinstance(move, str):
            return self._is_legal(listing, move)
        return bool(move.choices) and listing.find_move(move) is not None

    def _is_legal(self, listing: Listing, text: str) -> bool:
        """Whether a text means one of the moves, under whatever names."""
        line = self._line
        phrase = line.committer.phrases.read(text) if line.chooser is None else None
        if phrase is not None and (line.root.in_order or not phrase.by_seat):
            phrases = (phrase,) if phrase.full is None else (phrase, phrase.full)
            if any(listing.find_words(each.made_by(self._player)) is not None for each in phrases):
                return True
            if "{" not in text:  # elements of a set may stand in another order; else it means nothing else
                return False
        if listing.knows(text):
            return True
        meant = read_move(standing_at(line), text, self._player)
        return meant is not None and meant in self._moves()
