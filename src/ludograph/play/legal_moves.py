"""LegalMoves: the legal moves of one position, listed when they are first read.

A state provides two functions: one lists the moves, the other parses a text as a move. A later change of the
state does not change the list.
"""

from collections.abc import Callable, Sequence
from itertools import islice
from typing import overload

from ludograph.play.choices import Move

MAX_SHOWN = 4
"""The number of moves that `repr` shows."""


class LegalMoves(Sequence[Move]):
    """The legal moves of one player in one position, as a sequence. They are listed once.

    `in` takes a `Move` or the text of one. A text may name things by any of their names, as in `push`.

    >>> from ludograph.play.choices import Choice, Kind
    >>> moves = [Move((Choice(0, Kind.ACTION, name, name, name),)) for name in ("walk", "rest")]
    >>> legal = LegalMoves(lambda: moves, lambda text: None)
    >>> legal, len(legal), "rest" in legal, "fly" in legal
    (<LegalMoves (walk, rest)>, 2, True, False)
    """

    __slots__ = ("_list", "_listed", "_read")

    def __init__(self, list_moves: Callable[[], Sequence[Move]], read: Callable[[str], Move | None]) -> None:
        """`list_moves` is called at most once. `read` returns None if a text is not a possible move."""
        self._list = list_moves
        self._read = read
        self._listed: Sequence[Move] | None = None

    def _moves(self) -> Sequence[Move]:
        if self._listed is None:
            self._listed = self._list()
        return self._listed

    def __len__(self) -> int:
        return len(self._moves())

    @overload
    def __getitem__(self, index: int) -> Move: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Move]: ...

    def __getitem__(self, index: int | slice) -> Move | Sequence[Move]:
        return self._moves()[index]

    def __contains__(self, move: object) -> bool:
        moves = self._moves()
        if isinstance(move, str):
            if any(each.text == move for each in moves):
                return True
            meant = self._read(move) if moves else None
            return meant is not None and meant in moves
        return move in moves

    def __repr__(self) -> str:
        shown = [move.text for move in islice(self, MAX_SHOWN)]
        return f"<LegalMoves ({', '.join((*shown, '…') if len(self) > MAX_SHOWN else shown)})>"
