"""How a run of native code ends, as its callers see it."""

from typing import Final

from msgspec import Struct

FINE: Final = 0
FAILED: Final = 1
CANCELLED: Final = 2
NEED: Final = 3
"""A choice is needed."""
FAULT: Final = 4
"""The rules are at fault."""
GROW: Final = 5
"""A block, an arena or a buffer is too small: the run begins again with more room."""
NOTHING: Final = 6
"""An input has no candidates."""
STOPPED: Final = 7
"""The caller asked for an end."""
BROKEN: Final = 8
"""Checked code found that it was about to do what must never happen."""


class Refused(Struct, frozen=True):
    """The rules refuse something."""

    fault: str | None
    """The code of the fault; None: the move is not legal."""


class Unsupported(Exception):
    """A world that is too large for native code; the message says why. The reference engine runs the game."""
