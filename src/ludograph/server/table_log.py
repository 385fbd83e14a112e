"""The log of a table for each viewer: the moves as the viewer may know them, with every undo.

The moves of a view are those that count. Undone moves stay in the log, with an entry that says how many moves
were kept. Each viewer's log is made from that viewer's views alone.
"""

from collections.abc import Callable, Iterator, Sequence

from msgspec import UNSET

from ludograph.play.choices import CHANCE
from ludograph.protocol.messages import LogChange
from ludograph.protocol.tables import TableLogEntry

MoveWriter = Callable[[Sequence[str], int], Sequence[str]]
"""Moves of a view and the number of the first to write → these moves in the notation of the game."""


class ViewerLog:
    """The log of one viewer. Mutable."""

    __slots__ = ("_closed", "_entries", "_lines", "_offset", "_write")

    def __init__(self, write: MoveWriter | None = None) -> None:
        self._write = write
        self._closed: tuple[TableLogEntry, ...] = ()
        """Everything up to the last undo."""
        self._offset = 0
        """The number of moves that count at the end of these entries."""
        self._lines: list[str] = []
        self._entries: tuple[TableLogEntry, ...] = ()
        """The whole log when the moves of the view after the offset were these lines."""

    def entries(self, moves: Sequence[str]) -> tuple[TableLogEntry, ...]:
        """The whole log, from the moves of the current view."""
        lines = list(moves[self._offset :])
        known = len(self._lines)
        if lines[:known] == self._lines:
            if len(lines) > known:
                self._entries = (*self._entries, *self._move_entries(moves, self._offset + known))
        else:  # the view knows more, or less, of an earlier move now
            self._entries = (*self._closed, *self._move_entries(moves, self._offset))
        self._lines = lines
        return self._entries

    def _move_entries(self, moves: Sequence[str], first: int) -> Iterator[TableLogEntry]:
        lines = moves[first:]
        texts = ("",) * len(lines) if self._write is None else self._write(moves, first)
        for line, notation in zip(lines, texts, strict=True):
            chooser, _, text = line.partition(": ")
            yield TableLogEntry(
                "move", CHANCE if chooser == "*" else int(chooser), text, None, notation or UNSET
            )

    def undo(self, moves: Sequence[str], kept: int, seat: int) -> None:
        """Note an undo: the moves of the view before it, and the number of moves after it."""
        mark = TableLogEntry("undo", seat, "", kept)
        self._closed = self._entries = (*self.entries(moves), mark)
        self._offset = kept
        self._lines = []


def find_log_change(old: tuple[TableLogEntry, ...], new: tuple[TableLogEntry, ...]) -> LogChange | None:
    """The change from one log to another; None if they are equal."""
    kept = len(old)
    if new[:kept] != old:
        pairs = enumerate(zip(old, new, strict=False))
        kept = next((index for index, (one, other) in pairs if one != other), min(len(old), len(new)))
    if kept == len(old) == len(new):
        return None
    return LogChange(kept, new[kept:])
