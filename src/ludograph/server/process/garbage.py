"""When the interpreter looks for unreachable objects.

A search through all objects stops the server for as long as it takes, a second with 500 tables. Most objects
go away without it. So only young objects are searched as usual, and all of them when that is worth it.
"""

import gc

YOUNG = 2_000
"""So many new objects are searched at once."""
MIDDLE = 10
"""So many searches of new objects are followed by one of those that survived them."""
NEVER = 1_000_000_000
MIN_CLOSED = 20
SHARE_CLOSED = 0.25
"""All objects are searched after this share of the tables was closed: their games refer to themselves."""
QUIET_SECONDS = 2.0
"""Nobody waits for a server in which nobody has moved for so long."""
PATIENCE = 8
"""A server that is never quiet searches after so many times as many tables."""
SECONDS = 1800.0
"""A quiet server searches at least so often."""


class Garbage:
    """Decides when to search all objects. Mutable."""

    def __init__(self, now: float) -> None:
        self._closed = 0
        self._searched = now

    def note_closed(self) -> None:
        """A table was closed."""
        self._closed += 1

    def should_search(self, now: float, tables: int, last_move: float) -> bool:
        """Whether now is the time: enough to find, and nobody who waits."""
        enough = max(MIN_CLOSED, SHARE_CLOSED * tables)
        is_quiet = now - last_move > QUIET_SECONDS
        if self._closed >= enough * (1 if is_quiet else PATIENCE):
            return True
        return is_quiet and self._closed > 0 and now - self._searched > SECONDS

    def search(self, now: float) -> None:
        """Search all objects."""
        gc.collect()
        self._closed, self._searched = 0, now


def search_young_objects_only() -> None:
    """From now on the interpreter itself searches young objects only; those that are there now stay."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, MIDDLE, NEVER)
