"""The log of a table for each viewer: the moves as the viewer may know them, with every undo.

The moves of a view are those that count. Undone moves stay in the log, with an entry that says how many moves
were kept. Each viewer's log is made from that viewer's views alone.
"""

from collections.abc import Sequence

from ludograph.play.choices import CHANCE
from ludograph.protocol.messages import LogChange
from ludograph.protocol.tables import TableLogEntry


class ViewerLog:
    """The log of one viewer. Mutable."""

    __slots__ = ("_closed", "_offset")

    def __init__(self) -> None:
        self._closed: tuple[TableLogEntry, ...] = ()
        """Everything up to the last undo."""
        self._offset = 0
        """The number of moves that count at the end of these entries."""

    def entries(self, moves: Sequence[str]) -> tuple[TableLogEntry, ...]:
        """The whole log, from the moves of the current view."""
        return (*self._closed, *map(_move_entry, moves[self._offset :]))

    def undo(self, moves: Sequence[str], kept: int, seat: int) -> None:
        """Note an undo: the moves of the view before it, and the number of moves after it."""
        mark = TableLogEntry("undo", seat, "", kept)
        self._closed = (*self.entries(moves), mark)
        self._offset = kept


def _move_entry(line: str) -> TableLogEntry:
    chooser, _, text = line.partition(": ")
    return TableLogEntry("move", CHANCE if chooser == "*" else int(chooser), text)


def find_log_change(old: Sequence[TableLogEntry], new: Sequence[TableLogEntry]) -> LogChange | None:
    """The change from one log to another; None if they are equal."""
    kept = 0
    for one, other in zip(old, new, strict=False):
        if one != other:
            break
        kept += 1
    if kept == len(old) == len(new):
        return None
    return LogChange(kept, tuple(new[kept:]))
