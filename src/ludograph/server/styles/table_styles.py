"""The style of a table: how a game looks and reads there, if it brings more than what fits every game."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from ludograph.games import State
from ludograph.render.scenes.items import Scene


class TableStyle(Protocol):
    """The style of one table."""

    def scene(
        self,
        state: State,
        view: Mapping[str, Any],
        previous: Mapping[str, Any] | None,
        names: Sequence[str],
    ) -> Scene:
        """The scene of a view, with what is new since the previous view of the same viewer.

        It shows nothing that is not in the views.
        """

    def notations(self, state: State, moves: Sequence[str], first: int) -> tuple[str, ...]:
        """The moves of a view from the first one on, each in the notation that players use.

        Empty for a move that has none, and for chance that belongs to the move before it.
        """
