"""Listings: the complete legal moves of a player, listed by native code.

A listing holds choice words. Texts and choices are produced on demand: the texts of all moves at once, the
choices of each move separately. The reference engine names the choices that native code cannot name.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import repeat
from typing import overload

from ludograph.play import CHANCE, Choice, LegalMoves, Move, format_move
from ludograph.tgdl.game.native_log import KnownChoices, Unnamed, name_choices
from ludograph.tgdl.game.reference_bridge import snapshot_at
from ludograph.tgdl.game.reference_history import read_move
from ludograph.tgdl.native.lower.present.interface import UNWRITTEN
from ludograph.tgdl.native.run.calls import MoveRows, Words
from ludograph.tgdl.native.run.history import NativeHistory
from ludograph.tgdl.native.run.presenter import UTF_8, split_lines

UNWRITTEN_TEXT = chr(UNWRITTEN)


class Listing:
    """The moves of one player at one node of a native history. Its caches are mutable."""

    __slots__ = ("_places", "_texts", "_written", "history", "player", "rows")

    def __init__(self, history: NativeHistory, player: int, rows: MoveRows | Sequence[Words]) -> None:
        self.history = history
        self.player = player
        self.rows = rows
        """The choices since the base of every move."""
        self._written: bytes | None = None
        self._texts: list[str] | None = None
        self._places: dict[str, int] | None = None

    def words(self, number: int) -> Words:
        """The choices of a move after those that are already made."""
        return self.rows[number][len(self.history.pending) :]

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
        """Whether a move has this text, as far as native code writes texts."""
        return self._find_written(text) is not None if self._texts is None else self.find(text) is not None

    def _find_written(self, text: str) -> int | None:
        written = self.written
        row = b"\n%b\n" % text.encode(*UTF_8)
        if "\n" in text:
            return None
        if written.startswith(row[1:]):
            return 0
        at = written.find(row)
        return None if at < 0 else written.count(b"\n", 0, at + 1)

    def find_move(self, move: Move) -> int | None:
        """The number of the move with the same choices as another move."""
        number = self.find(move.text)
        if number is None or self.choices(number) == move.choices:
            return number
        others = (each for each, text in enumerate(self.texts) if text == move.text)
        return next((each for each in others if self.choices(each) == move.choices), None)

    def find_words(self, words: Words) -> int | None:
        """The number of the move with these choices after those that are already made."""
        wanted = (*self.history.pending, *words)
        if isinstance(self.rows, MoveRows):
            return self.rows.find(wanted)
        return next((number for number, row in enumerate(self.rows) if row == wanted), None)

    def openers(self) -> list[int]:
        """The different first choices of these moves: actions, or answers to the open question."""
        if isinstance(self.rows, MoveRows) and not self.history.pending:
            return self.rows.first_words()
        made = len(self.history.pending)
        return list(dict.fromkeys(row[made] for row in self.rows))

    def choices(self, number: int, known: KnownChoices | None = None) -> tuple[Choice, ...]:
        """The choices of a move; `known` has the choices of common beginnings."""
        words = self.rows[number]
        try:
            return tuple(entry.choice for entry in name_choices(self.history, words, self.player, known))
        except Unnamed:
            snapshot = snapshot_at(self.history)
            values = self.history.decode_choices(snapshot.memory, words)
            return snapshot.name(values, self.player).choices

    @property
    def written(self) -> bytes:
        """The texts of all moves from native code, one per line; empty if native code cannot write them."""
        if self._written is None:
            history, rows = self.history, self.rows
            found: bytes | None = None
            if (
                isinstance(rows, MoveRows)
                and not history.pending
                and history.chooser is None
                and self.player != CHANCE
            ):
                found = history.runner.presenter.move_texts(
                    history.block, rows.data, rows.index, rows.start, self.player
                )
            self._written = found or b""
        return self._written

    def _write(self) -> list[str]:
        texts = split_lines(self.written) or [UNWRITTEN_TEXT] * len(self.rows)
        if UNWRITTEN in self.written or not self.written:
            known = KnownChoices()
            for number, text in enumerate(texts):
                if text == UNWRITTEN_TEXT:
                    texts[number] = format_move(self.choices(number, known))
        self._written = None
        return texts


class ListedMove(Move, frozen=True, eq=False):
    """A move of a listing; its choices and text are produced on demand."""

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
    """The legal moves of a player at one node of a native history, listed on demand."""

    __slots__ = ("_find", "_history", "_listing", "_player")

    def __init__(
        self, history: NativeHistory, player: int, find: Callable[[NativeHistory, int], Listing | None]
    ) -> None:
        self._history = history
        self._player = player
        self._find = find
        self._listing: Listing | None = None
        self._listed = None

    @property
    def listing(self) -> Listing | None:
        """The listing of native code; None if native code cannot list the moves."""
        if self._listing is None and self._listed is None:
            self._listing = self._find(self._history, self._player)
        return self._listing

    def _moves(self) -> Sequence[Move]:
        if self._listed is None:
            listing = self.listing
            if listing is None:
                self._listed = snapshot_at(self._history).moves(self._player)
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
            if self._history.accepts_moves_of(move.listing.history) and move.listing.player == self._player:
                return listing.find_words(move.listing.words(move.number)) is not None
        if isinstance(move, str):
            return self._is_legal(listing, move)
        return bool(move.choices) and listing.find_move(move) is not None

    def _is_legal(self, listing: Listing, text: str) -> bool:
        """Whether a text denotes one of the moves, by any name of its instances."""
        history = self._history
        compiled = history.runner.move_compiler.compile(text) if history.chooser is None else None
        if compiled is not None and (history.root.seats_in_order or not compiled.needs_seat_order):
            variants = (compiled,) if compiled.without_stop is None else (compiled, compiled.without_stop)
            if any(listing.find_words(each.words_for(self._player)) is not None for each in variants):
                return True
            if "{" not in text:  # a set may list its elements in another order; other texts have one meaning
                return False
        if listing.knows(text):
            return True
        meant = read_move(snapshot_at(history), text, self._player)
        return meant is not None and meant in self._moves()
