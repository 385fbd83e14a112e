"""Hints: the one place where the author of a game changes how it is drawn.

Without hints every method gives the default, which depends only on names and types. A subclass that reads the
`appearance` of a game overrides `find`.
"""

from collections.abc import Mapping
from typing import Any

PLAYER_COLOURS = ("#0072B2", "#D55E00", "#009E73", "#E69F00", "#56B4E9", "#CC79A7")
"""Okabe and Ito's colours, which people with any colour vision can distinguish."""

HintValue = str | float | bool | None


class Hints:
    """The default appearance of every game."""

    def find(self, target: str, hint: str, thing: Mapping[str, Any] | None = None) -> HintValue:
        """A hint for a kind, a group, an attribute (`seat.hand`) or an enum member (`resource.brick`).

        `thing` is the thing in the view that is drawn: the value may depend on it. None: there is no hint.
        """
        return None

    def player_colours(self) -> tuple[str, ...]:
        """The colours of the players, the first player first."""
        return PLAYER_COLOURS

    def text(self, target: str, hint: str, thing: Mapping[str, Any] | None = None) -> str:
        """A hint that is a text; empty if there is none."""
        found = self.find(target, hint, thing)
        return found if isinstance(found, str) else ""

    def is_set(self, target: str, hint: str) -> bool:
        """A hint that is only present or absent, such as `hide`."""
        return self.find(target, hint) not in (None, False)


NO_HINTS = Hints()
