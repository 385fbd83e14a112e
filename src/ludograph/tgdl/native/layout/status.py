"""The status codes of native code."""

from typing import Final

from msgspec import Struct

FINE: Final = 0
FAILED: Final = 1
CANCELLED: Final = 2
NEED: Final = 3
"""A question is open."""
FAULT: Final = 4
"""The rules raised a fault."""
GROW: Final = 5
"""A block, an arena or a buffer is too small: the run starts again with larger ones."""
NOTHING: Final = 6
"""An input has no candidates."""
STOPPED: Final = 7
"""The caller stopped the run, or its fuel slice is used up."""
BROKEN: Final = 8
"""A memory check or an assertion failed. Only code compiled with checks contains them."""
GAME_OVER: Final = 9
"""A result ended the game: the run unwinds to the end of the transaction."""
ENOUGH: Final = 10
"""The caller tests whether there is a move, and a certain one was found: the list of moves ends."""


class Refused(Struct, frozen=True):
    """A move is not legal, or the rules raised a fault."""

    fault: str | None
    """The code of the fault; None: the move is not legal."""


class Unsupported(Exception):
    """A world is too large for native code; the message says why. The reference engine runs the game."""
